/* SPDX-License-Identifier: MIT
 *
 * A tree read in one pass over a whole text, and the plain way, which is step
 * by step.
 */
#ifndef TOOLWIRE_JSON_TREE_QUICK_H
#define TOOLWIRE_JSON_TREE_QUICK_H

#include "json/tree.h"

/* Reads a text into a tree that has just begun.  False: only the plain way can
 * tell what is wrong with it, or no memory (tree->error). */
bool tw_tree_read_quickly(tw_tree *tree, const char *data, size_t size);

/* The plain way, in steps, which tw_tree_read() goes where the quick one does
 * not know. */
int tw_tree_read_plainly(tw_tree *tree, const char *data, size_t size,
                         bool repairs);

#endif
