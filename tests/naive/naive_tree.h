/* SPDX-License-Identifier: MIT
 *
 * Strict JSON as a tree: descriptions, declared tools and test cases.
 */
#ifndef TOOLWIRE_TESTS_NAIVE_TREE_H
#define TOOLWIRE_TESTS_NAIVE_TREE_H

#include "naive.h"

typedef enum naive_kind {
    NAIVE_NULL,
    NAIVE_FALSE,
    NAIVE_TRUE,
    NAIVE_NUMBER,
    NAIVE_STRING,
    NAIVE_ARRAY,
    NAIVE_OBJECT
} naive_kind;

/* |text| is a string's content, or a number's spelling; |key| is set where the
 * value is a member.  The children stand in the order of the text. */
typedef struct naive_tree {
    naive_kind kind;
    naive_bytes key, text;
    struct naive_tree *children;
    size_t count;
} naive_tree;

/* One JSON value with blanks around it; false if the text is anything else.
 * Then the tree is empty. */
bool naive_tree_read(const char *text, size_t size, naive_tree *out);
void naive_tree_release(naive_tree *);

/* NULL if |tree| is NULL, no object, or has no such member. */
const naive_tree *naive_tree_get(const naive_tree *tree, const char *key);
/* The content of a string; NULL for anything else. */
const char *naive_tree_text(const naive_tree *tree);
/* Numbers are equal if their values are; the order of members counts. */
bool naive_tree_same(const naive_tree *a, const naive_tree *b);

#endif
