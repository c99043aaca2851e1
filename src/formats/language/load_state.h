/* SPDX-License-Identifier: MIT
 *
 * What the parts of the loader share: load_keys.c (which keys there are),
 * load.c (their values), load_pattern.c (patterns), load_check.c (what must
 * hold between them), load_markers.c (the tables that are made of them).
 */
#ifndef TOOLWIRE_FORMATS_LANGUAGE_LOAD_STATE_H
#define TOOLWIRE_FORMATS_LANGUAGE_LOAD_STATE_H

#include "formats/description.h"
#include "json/tree.h"

enum { TW_PATTERN_PARTS = 48 };

typedef struct tw_loader {
    tw_loaded *to;
    bool loose;    /* inside that key */
    bool imported; /* the document was made of another one */
    /* Where: the key, which of a list, which byte of a pattern. */
    const char *key;
    size_t key_size;
    bool listed;
    size_t index;
    bool in_pattern;
    size_t byte;
} tw_loader;

/* ---- load_keys.c: the keys of a description ----------------------------- */

typedef enum tw_key_kind {
    TW_KEY_VERSION,
    TW_KEY_TEXT,
    TW_KEY_TEXTS, /* one, or a list of them */
    TW_KEY_PATTERNS,
    TW_KEY_LOOSE,
    TW_KEY_TWO, /* one text, or two: the next member is the other */
    TW_KEY_ID_KIND,
    TW_KEY_WORD,  /* which of the words, a uint8_t */
    TW_KEY_WORDS, /* a bit for each */
    TW_KEY_FLAG
} tw_key_kind;

typedef struct tw_key {
    const char *name;
    uint8_t kind;
    size_t at;                /* the member of tw_description that it fills */
    const char *const *words; /* NULL-ended; an empty one cannot be given */
} tw_key;

enum { TW_KEY_COUNT = 32 };
extern const tw_key tw_keys[TW_KEY_COUNT];

/* How a pattern names a hole. */
const char *tw_hole_name(uint8_t kind);

/* ---- load_state.c: memory and errors ------------------------------------ */

/* Zeroed, or NULL: the error is set. */
void *tw_load_room(tw_loader *loader, size_t size);
const char *tw_load_text(tw_loader *loader, const char *text, size_t size);
/* The document cannot be read: the place and a sentence of three parts. */
void tw_load_refuse(tw_loader *loader, const char *sentence, const char *word,
                    size_t word_size, const char *rest);

/* The response_template that a document is or holds, or NULL. */
const tw_value *tw_load_template(const tw_value *root);
/* ... as the JSON of a description, which is to be freed; |root| may hold the
 * tokenizer's `eos_token`. */
void tw_load_import(tw_loader *loader, const tw_value *root,
                    const tw_value *template, tw_buffer *json);

void tw_load_pattern(tw_loader *loader, tw_pattern *pattern,
                     const tw_value *text);
/* Joins tokens that are no marker by themselves with what stands beside. */
void tw_load_join(tw_loader *loader);
void tw_load_derive(tw_loader *loader);
void tw_load_check(tw_loader *loader);
void tw_load_words(tw_loader *loader);
void tw_load_markers(tw_loader *loader);
/* load_tags.c: the words of values between tags. */
void tw_load_tags(tw_loader *loader);
void tw_load_heads(tw_loader *loader);

#endif
