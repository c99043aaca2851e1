/* SPDX-License-Identifier: MIT
 *
 * Hugging Face's response_template as a description: import.c reads its
 * fields, import_calls.c that of calls, import_regex.c regular expressions.
 */
#ifndef TOOLWIRE_FORMATS_LANGUAGE_IMPORT_H
#define TOOLWIRE_FORMATS_LANGUAGE_IMPORT_H

#include "formats/language/load_state.h"
#include "json/dump.h"

enum { TW_TEXTS_MOST = TW_PATTERNS_MOST, TW_TEXT_PIECE = 256 };

/* Patterns' text in the making. */
typedef struct tw_text_piece {
    char text[TW_TEXT_PIECE];
    size_t size;
} tw_text_piece;

typedef struct tw_texts {
    tw_text_piece all[TW_TEXTS_MOST];
    size_t count;
    bool begins; /* the output may begin behind it */
} tw_texts;

/* A named group and the hole that it is; the last one, of all others, has no
 * name. */
typedef struct tw_capture {
    const char *name;
    const char *hole;
} tw_capture;

/* False: it does not fit. */
bool tw_texts_append(tw_text_piece *to, const char *text, size_t size);
/* The alternatives of a regular expression.  Has it a named group?  What
 * cannot be told is the loader's error. */
bool tw_load_regex(tw_loader *loader, tw_texts *to, const tw_value *regex,
                   const tw_capture *captures);

/* ---- import_field.c ----------------------------------------------------- */

typedef struct tw_importer {
    tw_loader *loader;
    tw_json_out out;
    tw_texts *open, *close;
    const tw_value *eos; /* the tokenizer's, which ends all, or NULL */
    /* The anchor that may stand in front of each field again, or NULL. */
    const tw_value *anchor;
    bool stopped; /* the stops are put */
    const char *field;
    bool captured; /* the open pattern has a named group */
    char place[96];
} tw_importer;

extern const tw_capture tw_import_no_captures[1];

void tw_import_refuse(tw_importer *state, const char *sentence);
bool tw_import_failed(const tw_importer *state);
/* Where errors are from here on: fields.FIELD.KEY. */
void tw_import_go_to(tw_importer *state, const char *key);
/* The member of a field; errors are there from here on. */
const tw_value *tw_import_member(tw_importer *state, const tw_value *field,
                                 const char *key);
/* The alternatives that |value| is: a text, or a list of texts. */
void tw_import_literals(tw_importer *state, tw_texts *to,
                        const tw_value *value);
/* The alternatives under KEY or its pattern; true: there are some. */
bool tw_import_marker(tw_importer *state, tw_texts *to, const tw_value *field,
                      const char *key, const char *pattern_key,
                      const tw_capture *captures);
/* An alternative that is nothing is the end of the output, which ends all. */
void tw_import_drop_empty(tw_texts *texts);
void tw_import_put_key(tw_importer *state, const char *key);
/* A list of all patterns OPEN HOLE CLOSE; those that begin with {skip}, which
 * only pass over text in front of a marker, fall away. */
void tw_import_put_patterns(tw_importer *state, const char *key,
                            const char *hole);

/* ---- import_calls.c ------------------------------------------------ */

void tw_import_calls(tw_importer *state, const tw_value *field);

#endif
