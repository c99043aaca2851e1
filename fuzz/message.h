/* SPDX-License-Identifier: MIT
 *
 * Messages and requests made of an input's bytes: for targets whose property
 * begins with a value, not with a text.
 */
#ifndef TOOLWIRE_FUZZ_MESSAGE_H
#define TOOLWIRE_FUZZ_MESSAGE_H

#include "json/dump.h"
#include "toolwire.h"

/* An input as choices: its bytes, and zeros behind them. */
typedef struct fuzz_choices {
    const uint8_t *at;
    const uint8_t *end;
} fuzz_choices;

uint32_t fuzz_choose(fuzz_choices *, uint32_t below);

/* {"role":"assistant","content":...,"reasoning_content":...,
 * "tool_calls":[...]}; arguments are objects.  Any text may hold markers. */
void fuzz_jot_message(tw_json_out *, fuzz_choices *);
/* {"messages":[...],"tools":[...]} */
void fuzz_jot_request(tw_json_out *, fuzz_choices *);

/* The same message, ids aside: every byte of its strings and numbers, and the
 * order of its keys.  Arguments may be objects or their text. */
bool fuzz_same_message(const tw_value *, const tw_value *);
/* Has an object a key twice?  Nobody says which of the two counts, and chat
 * templates write the last. */
bool fuzz_has_twins(const tw_value *);

/* Does the last report of |encoder| name a loss?  A broken template is none:
 * what is written is whole. */
bool fuzz_loses(tw_encoder *);

/* Sets |decoder| to read |text|, which is |message| as a completion: behind a
 * prompt that ends inside reasoning where the format's does. */
void fuzz_start_inside(tw_decoder *, const tw_format *,
                       const tw_value *message, const char *text, size_t size);

/* A format, and one of which conversations are read back. */
const tw_format *fuzz_format(fuzz_choices *);
const tw_format *fuzz_prompt_format(fuzz_choices *);

/* Parses; aborts if it is no JSON. */
void fuzz_parse(tw_tree *, const char *json, size_t size);
/* Prints and aborts. */
void fuzz_wrong(const char *what, const char *format, const char *a,
                size_t a_size, const char *b, size_t b_size);

#endif
