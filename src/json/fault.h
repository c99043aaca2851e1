/* SPDX-License-Identifier: MIT
 *
 * Why a text is no JSON, as far as its writers make the same slips.
 */
#ifndef TOOLWIRE_JSON_FAULT_H
#define TOOLWIRE_JSON_FAULT_H

#include "json/tree.h"

/* Why the tree could not read a record; its offset stays. */
const char *tw_no_json(tw_tree *tree, const char *record, size_t size);

#endif
