/* SPDX-License-Identifier: MIT
 *
 * Room for the nodes and the text of a tree, for those that make one.
 */
#ifndef TOOLWIRE_JSON_BLOCKS_H
#define TOOLWIRE_JSON_BLOCKS_H

#include "json/tree.h"

/* Of the tree's blocks; NULL: no memory, which the tree remembers. */
void *tw_tree_allocate(tw_tree *tree, size_t size);
/* A copy of a text in the tree's blocks, with what stands behind all texts. */
const char *tw_tree_keep(tw_tree *tree, const void *data, size_t size);
void tw_tree_free_blocks(tw_tree *tree);
/* What was read is gone.  Some blocks are kept for the next text; of many,
 * what they held together is remembered, and the next one is as large. */
void tw_tree_recycle_blocks(tw_tree *tree);

#endif
