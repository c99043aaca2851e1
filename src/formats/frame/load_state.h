/* SPDX-License-Identifier: MIT
 *
 * What the parts of the loader share: load.c (keys), load_pattern.c
 * (patterns), load_check.c (what must hold between them, and the markers).
 */
#ifndef TOOLWIRE_FORMATS_FRAME_LOAD_STATE_H
#define TOOLWIRE_FORMATS_FRAME_LOAD_STATE_H

#include "formats/frame/description.h"
#include "json/tree.h"

enum { TW_PATTERNS_MOST = 32, TW_PATTERN_PARTS = 48 };

typedef struct tw_loader {
    tw_loaded *to;
    bool loose; /* inside that key */
    /* Where: the key, which of a list, which byte of a pattern. */
    const char *key;
    size_t key_size;
    bool listed;
    size_t index;
    bool in_pattern;
    size_t byte;
} tw_loader;

/* Zeroed, or NULL: the error is set. */
void *tw_load_room(tw_loader *, size_t size);
const char *tw_load_text(tw_loader *, const char *text, size_t size);
/* The document cannot be read: the place and a sentence of three parts. */
void tw_load_refuse(tw_loader *, const char *sentence, const char *word,
                    size_t word_size, const char *rest);

void tw_load_pattern(tw_loader *, tw_pattern *, const tw_value *text);
void tw_load_check(tw_loader *);
void tw_load_markers(tw_loader *);

#endif
