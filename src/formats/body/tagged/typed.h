/* SPDX-License-Identifier: MIT
 *
 * A value that is written as text between tags, on its way to JSON: which type
 * it has says what was declared of it (tools.h), or what it looks like.
 */
#ifndef TOOLWIRE_FORMATS_BODY_TAGGED_TYPED_H
#define TOOLWIRE_FORMATS_BODY_TAGGED_TYPED_H

#include "formats/call.h"
#include "formats/description.h"
#include "json/machine.h"

typedef struct tw_typed {
    tw_open_call *call;
    const tw_description *format;
    uint8_t state;
    uint8_t types;    /* TW_TYPE_ */
    uint64_t begin;   /* of the value in the input */
    tw_buffer hold;   /* the value so far, or half a lexeme of it ... */
    uint64_t hold_at; /* where what is held begins in the input */
    size_t seen;      /* how many held bytes were looked at */
    size_t blanks;    /* how many of them are white space in front */
    size_t last;      /* where the last of them that is no white space ends */
    tw_buffer text;   /* what is held, as JSON */
    tw_json json;
    size_t level; /* how many containers are open around the value */
    uint64_t broken_at;
    uint32_t code;    /* what broke the value, or 0 */
    tw_buffer *aside; /* where the JSON goes; NULL: to the call's arguments */
} tw_typed;

void tw_typed_init(tw_typed *value, tw_open_call *call,
                   const tw_description *format);
void tw_typed_free(tw_typed *value);

/* Does what comes go out as it is, as a string? */
bool tw_typed_is_text(const tw_typed *value);
/* The quote of the string that is open in the value, a container; 0: none is.
 */
uint8_t tw_typed_in_string(const tw_typed *value);
/* A value of these types begins at |begin|. */
void tw_typed_start(tw_typed *value, unsigned types, uint64_t begin);
/* |size| bytes of the value in the window.  Where |open|, a code point that
 * cut off is left alone. Returns how many bytes were taken. */
size_t tw_typed_put(tw_typed *value, const uint8_t *from, size_t size,
                    bool open);
/* One byte of the value, for which others stand at |offset|. */
void tw_typed_put_byte(tw_typed *value, uint8_t c, uint64_t offset);
/* A string that begins with the |size| bytes of |text|, at |begin|. */
void tw_typed_start_string(tw_typed *value, const void *text, size_t size,
                           uint64_t begin);
/* A whole value; false: it is JSON that is broken. */
bool tw_typed_whole(tw_typed *value, unsigned types, const void *text,
                    size_t size, uint64_t begin);
/* The value is over.  False: it is JSON that is broken, |code| at |broken_at|.
 */
bool tw_typed_end(tw_typed *value, uint64_t offset);

/* ---- Python's words: typed_words.c -------------------------------------- */

typedef struct tw_word_pair {
    const char *python;
    const char *json;
    unsigned type;
} tw_word_pair;

/* Does the template write values by Python's str()? */
bool tw_typed_is_python(const tw_typed *value);
/* Are the words read?  The template writes them, or no tool declares a type.
 */
bool tw_typed_reads_words(const tw_typed *value);
/* May a text that begins so become one of Python's words? */
bool tw_typed_may_be_word(const tw_typed *value, const uint8_t *text,
                          size_t size);
/* The word that the text is; NULL: none. */
const tw_word_pair *tw_word_pair_of(const uint8_t *text, size_t size);

#endif
