/* SPDX-License-Identifier: MIT
 *
 * The lines of the files of cases in conformance/ and conformance/formats/,
 * and what they expect.
 */
#ifndef TOOLWIRE_TESTS_CASES_H
#define TOOLWIRE_TESTS_CASES_H

#include <stdio.h>

#include "../naive/naive.h"
#include "events.h"
#include "formats.h"
#include "json/tree.h"

/* A file's lines, each of them JSON. */
typedef struct json_lines {
    tw_tree *lines;
    size_t count;
} json_lines;

/* Reads to the end of |file| (tests abort if that fails). */
json_lines json_lines_read(FILE *file);
void json_lines_free(json_lines *);

typedef struct conformance_case {
    const char *id;
    const char *format_name;
    const tw_format *format; /* NULL: it is not to be had */
    const char *kind; /* "canonical", "deviation", "malformed", "emit";
                         "truncated": by a token limit, unless it says so */
    char *text;       /* NUL-terminated behind |size| */
    size_t size;
    char *tools;   /* JSON, or NULL */
    char *message; /* JSON that is encoded as |text|; NULL: that is decoded */
    naive_options options;
    bool diagnosed;    /* it lists diagnostics */
    bool says_finish; /* why the output ended is part of the case */
    const tw_value *expect;
} conformance_case;

typedef struct conformance {
    conformance_case *cases;
    size_t count;
    json_lines lines;
} conformance;

/* Those of FOLDER/decode-FORMAT.jsonl; |format| as the file is named. */
conformance conformance_read(const char *folder, const char *format);
/* Those of any file; |find| knows their formats. */
conformance conformance_read_file(const char *path,
                                  const tw_format *(*find)(const char *name));
void conformance_free(conformance *);
/* Checks each of them. */
void conformance_each(const char *folder, const char *format,
                      void (*check)(const conformance_case *));
/* All cases of formats/ in |folder|, of a format that is built in; how many
 * files there are. */
size_t conformance_each_described(const char *folder,
                                  void (*check)(const conformance_case *));
bool case_is(const conformance_case *, const char *kind);
/* What it expects as JSON text, the caller's. */
char *case_expectation(const conformance_case *);
/* A decoder with the case's options, framing and raw text. */
tw_decoder *case_decoder(const conformance_case *, bool strict);
/* The second opinion on a case; NULL: there is none. */
const naive_oracle *case_naive(const conformance_case *);

/* The same value: order of keys and spelling of numbers aside. */
bool same_json(const tw_value *, const tw_value *);
/* All text of a kind, segments joined with one line feed; the caller's. */
naive_bytes log_text(const event_log *, uint32_t type);
/* NULL, or how the complete calls differ from those of a JSON array of
 * {name, arguments, arguments_text}. */
const char *calls_differ(const event_log *, const tw_value *calls);
/* NULL, or how a decoding differs from what the case expects. */
const char *case_differs(const conformance_case *, const event_log *);
/* NULL, or the diagnostic, which is no warning, of a canonical text, or that
 * none is given of another that has one (R3). */
const char *case_diagnosis_differs(const conformance_case *,
                                   const event_log *);

#endif
