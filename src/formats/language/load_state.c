/* SPDX-License-Identifier: MIT
 *
 * What the parts of the loader stand on: memory that lives as long as the
 * description, and the error with its place in the document.
 */
#include "formats/language/load_state.h"

#include <string.h>

#include "core/ascii.h"

enum { BLOCK_SIZE = 4096 };

/* ---- memory ------------------------------------------------------------- */

typedef struct block {
    struct block *next;
    size_t size, used;
} block;

void *tw_load_room(tw_loader *loader, size_t size)
{
    tw_loaded *to = loader->to;
    block *last = to->blocks;
    size = (size + 15) & ~(size_t)15;
    if (last == NULL || last->size - last->used < size) {
        const size_t head = (sizeof *last + 15) & ~(size_t)15;
        const size_t whole = head + (size > BLOCK_SIZE ? size : BLOCK_SIZE);
        block *fresh = tw_memory_new(to->memory, whole);
        if (fresh == NULL) {
            to->error = TW_ERROR_MEMORY;
            return NULL;
        }
        fresh->next = last;
        fresh->size = whole;
        fresh->used = head;
        to->blocks = last = fresh;
    }
    void *room = (uint8_t *)last + last->used;
    last->used += size;
    return room;
}

void tw_description_free(tw_loaded *loaded)
{
    for (block *at = loaded->blocks; at != NULL;) {
        block *next = at->next;
        tw_memory_free(loaded->memory, at, at->size);
        at = next;
    }
    loaded->blocks = NULL;
}

const char *tw_load_text(tw_loader *loader, const char *text, size_t size)
{
    char *copy = tw_load_room(loader, size + 1);
    if (copy == NULL) {
        return "";
    }
    memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

/* ---- errors ------------------------------------------------------------- */

static void say(tw_loaded *loaded, const char *text, size_t size)
{
    const size_t used = strlen(loaded->message);
    const size_t left = TW_LOAD_MESSAGE - 1 - used;
    size = size < left ? size : left;
    memcpy(loaded->message + used, text, size);
    loaded->message[used + size] = 0;
}

static void say_number(tw_loaded *loaded, size_t number)
{
    char digits[TW_DIGITS];
    const char *at = tw_spell(digits + sizeof digits, number);
    say(loaded, at, (size_t)(digits + sizeof digits - at));
}

void tw_load_refuse(tw_loader *loader, const char *sentence, const char *word,
                    size_t word_size, const char *rest)
{
    tw_loaded *to = loader->to;
    if (to->error != TW_OK) {
        return; /* the first one counts */
    }
    to->error = TW_ERROR_SCHEMA;
    to->message[0] = 0;
    if (loader->imported) {
        say(to, "as a description: ", 18);
    }
    if (loader->loose) {
        say(to, "loose.", 6);
    }
    say(to, loader->key, loader->key_size);
    if (loader->listed) {
        say(to, "[", 1);
        say_number(to, loader->index);
        say(to, "]", 1);
    }
    if (loader->in_pattern) {
        say(to, ": ", 2);
        say_number(to, loader->byte);
    }
    say(to, loader->key_size > 0 ? ": " : "", loader->key_size > 0 ? 2 : 0);
    say(to, sentence, strlen(sentence));
    say(to, word, word_size);
    say(to, rest, strlen(rest));
}
