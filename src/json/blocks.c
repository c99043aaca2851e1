/* SPDX-License-Identifier: MIT
 *
 * The blocks that the nodes and the text of a tree are cut from.
 */
#include "json/blocks.h"

#include <string.h>

#include "json/write.h"

enum { BLOCK_SIZE = 4096 };

/* Nodes and text are cut from blocks and freed together. */
typedef struct block {
    struct block *next;
    size_t size; /* of the whole block */
    size_t used;
} block;

enum { BLOCK_HEAD = (sizeof(block) + 15) & ~(size_t)15 };

/* A block that was used before and has room for |size|; NULL: there is none.
 */
static block *take_spare(tw_tree *tree, size_t size)
{
    block *last = NULL;
    block *at = tree->spare;
    while (at != NULL && at->size - BLOCK_HEAD < size) {
        last = at;
        at = at->next;
    }
    if (at != NULL && last != NULL) {
        last->next = at->next;
    } else if (at != NULL) {
        tree->spare = at->next;
    }
    return at;
}

static block *new_block(tw_tree *tree, size_t size)
{
    const block *top = tree->blocks;
    size_t least = tree->room > BLOCK_SIZE ? tree->room : BLOCK_SIZE;
    /* Few blocks, however long the text is. */
    least = top != NULL && top->size / 2 > least ? top->size / 2 : least;
    const size_t room = BLOCK_HEAD + (size > least ? size : least);
    block *fresh = tree->memory->resize(tree->memory->context, NULL, 0, room);
    if (fresh != NULL) {
        fresh->size = room;
    }
    return fresh;
}

void *tw_tree_allocate(tw_tree *tree, size_t size)
{
    const size_t rounded = (size + 15) & ~(size_t)15;
    block *top = tree->blocks;
    if (top == NULL || top->size - top->used < rounded) {
        block *next = take_spare(tree, rounded);
        next = next != NULL ? next : new_block(tree, rounded);
        if (next == NULL) {
            tree->error = TW_ERROR_MEMORY;
            return NULL;
        }
        next->next = top;
        next->used = BLOCK_HEAD;
        tree->blocks = top = next;
    }
    void *result = (char *)top + top->used;
    top->used += rounded;
    return result;
}

const char *tw_tree_keep(tw_tree *tree, const void *data, size_t size)
{
    char *copy = tw_tree_allocate(tree, size + TW_TEXT_PADDING);
    if (copy != NULL) {
        memcpy(copy, size > 0 ? data : "", size);
        memset(copy + size, 0, TW_TEXT_PADDING);
    }
    return copy;
}

static void free_blocks(const tw_tree *tree, block *top)
{
    while (top != NULL) {
        block *next = top->next;
        tw_memory_free(tree->memory, top, top->size);
        top = next;
    }
}

void tw_tree_free_blocks(tw_tree *tree)
{
    free_blocks(tree, tree->blocks);
    free_blocks(tree, tree->spare);
}

void tw_tree_recycle_blocks(tw_tree *tree)
{
    enum { KEPT = 4 };
    size_t room = 0;
    size_t count = 0;
    while (tree->blocks != NULL) {
        block *top = tree->blocks;
        tree->blocks = top->next;
        top->next = tree->spare;
        tree->spare = top;
    }
    for (const block *at = tree->spare; at != NULL; at = at->next) {
        room += at->size;
        count++;
    }
    if (count > KEPT) {
        tree->room = room > tree->room ? room : tree->room;
        free_blocks(tree, tree->spare);
        tree->spare = NULL;
    }
}
