/* SPDX-License-Identifier: MIT
 *
 * A whole JSON text as an ordered tree of values.
 */
#ifndef TOOLWIRE_JSON_TREE_H
#define TOOLWIRE_JSON_TREE_H

#include "json/machine.h"
#include "json/value.h"

/* How deep a text may be. */
enum { TW_TREE_DEPTH = 1024 };

typedef struct tw_tree {
    const tw_memory *memory;
    bool keeps_lone; /* halves of surrogate pairs stay: set by the owner */
    tw_json json;
    tw_buffer hold; /* bytes that a lexeme could not be made of yet */
    tw_buffer text; /* the string or number being read */
    tw_buffer key;
    void *blocks; /* of nodes and text; see tree_read.c */
    void *spare;  /* blocks of texts before */
    size_t room;  /* what the next block should hold at least */
    tw_value *root;
    tw_value *open;  /* the innermost open container */
    size_t lone_now; /* |lone| of the string being read */
    bool lone_key;   /* ... of the last key */
    uint64_t offset; /* how far it was read: where an error is */
    int error;
} tw_tree;

void tw_tree_init(tw_tree *tree, const tw_memory *memory);
void tw_tree_free(tw_tree *tree);

/* Reads a text piece by piece, strictly or with |repairs|.  TW_OK,
 * TW_ERROR_JSON or TW_ERROR_MEMORY; the tree is whole when tw_tree_end()
 * returns TW_OK. */
void tw_tree_begin(tw_tree *tree, bool repairs);
int tw_tree_feed(tw_tree *tree, const char *data, size_t size);
int tw_tree_end(tw_tree *tree);

/* All three. */
int tw_tree_read(tw_tree *tree, const char *data, size_t size, bool repairs);

/* Reads another text strictly, which |root| is then of: the values of those
 * before it stay, too, until tw_tree_begin(). */
int tw_tree_read_more(tw_tree *tree, const char *data, size_t size);

/* tw_tree_read_more() of the text that a string means: paths lead on from the
 * string to |root|.  With |repairs|, *repaired tells whether a repair was made
 * (or NULL). */
int tw_tree_read_inner(tw_tree *tree, const tw_value *string, bool repairs,
                       bool *repaired);

#endif
