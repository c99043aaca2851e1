/* SPDX-License-Identifier: MIT
 *
 * The second opinion: whole text in, message out.  Written from the family
 * rules without a look at the library: recursive, allocation-happy, free to
 * look anywhere in the text, no re2c.  Tests compare it with the library on
 * every case and on random input.  It reads what it likes and is never fast.
 */
#ifndef TOOLWIRE_TESTS_NAIVE_H
#define TOOLWIRE_TESTS_NAIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing byte string; |data| is NUL-terminated behind |size|, or NULL. */
typedef struct naive_bytes {
    char *data;
    size_t size;
    size_t capacity;
} naive_bytes;

void naive_add(naive_bytes *, const char *data, size_t size);
void naive_add_text(naive_bytes *, const char *text);
/* |data| with each maximal ill-formed UTF-8 subpart replaced by U+FFFD. */
void naive_add_utf8(naive_bytes *, const char *data, size_t size);
void naive_release(naive_bytes *);

typedef struct naive_options {
    bool start_reasoning;
    bool recover_stripped; /* Harmony only */
    bool length;           /* a token limit ended the output: no stop
                              marker was stripped from it */
    bool framed;           /* Gemma: no call without its open marker,
                              which ends a bad one without a head, too */
    bool half_close;       /* ... and half of a call's close is one */
    bool untyped_json;     /* values without a type may be any JSON */
    bool has_tools;
    const char *const *tools; /* |tool_count| names, if |has_tools| */
    size_t tool_count;
    const char *declared; /* the tools as JSON, if |has_tools| */
} naive_options;

typedef struct naive_call {
    naive_bytes name, id, arguments; /* of a custom call: its input */
    bool custom;
} naive_call;

typedef struct naive_unparsed {
    size_t offset, size;
    const char *reason;
    naive_bytes name; /* empty if it is not known */
} naive_unparsed;

typedef struct naive_diagnostic {
    const char *code;
    size_t offset, size; /* |size| is that of a dropped span, else 0 */
} naive_diagnostic;

typedef struct naive_message {
    naive_bytes content, reasoning;
    naive_bytes segments; /* size_t: where those of the content begin */
    bool has_content, has_reasoning;
    naive_call *calls; /* complete ones */
    size_t call_count;
    size_t begun; /* calls begun, complete or not */
    naive_unparsed *unparsed;
    size_t unparsed_count;
    naive_diagnostic *diagnostics;
    size_t diagnostic_count;
    bool undiagnosed; /* which are a vocabulary, not to be compared */
    bool unsure;      /* a block in reasoning was none, and no rule
                         says how far it was read */
} naive_message;

/* Adding to a message; the returned pointers live until the next addition. */
void naive_text_segment(naive_message *, const char *data, size_t size);
void naive_reasoning_segment(naive_message *, const char *data, size_t size);
/* The same for formats that keep bodies as they are, blank ones too. */
void naive_verbatim_segment(naive_message *, bool reasoning, const char *data,
                            size_t size);
naive_call *naive_call_add(naive_message *);
naive_unparsed *naive_unparsed_add(naive_message *, size_t offset, size_t size,
                                   const char *reason);
void naive_diagnose(naive_message *, const char *code, size_t offset);
void naive_drop(naive_message *, const char *code, size_t offset, size_t size);

void naive_message_release(naive_message *);

/* |*out| starts zeroed.  |size| bytes at |text| are the whole output; the
 * frame reads JSON in the place of a call, or is NULL. */
struct frame_reader;
void naive_gemma4(const naive_options *, const char *text, size_t size,
                  struct frame_reader *, naive_message *out);
void naive_harmony(const naive_options *, const char *text, size_t size,
                   naive_message *out);

/* What reads a format: a decoder of its own, or that of descriptions. */
typedef struct naive_oracle naive_oracle;
bool naive_is_described(const naive_oracle *);

/* That of the format of that name, for good; NULL: there is none. */
const naive_oracle *naive_of(const char *format);
/* That of a description, whose name is |name|; NULL: it is none. */
const naive_oracle *naive_of_description(const char *name, const char *json,
                                         size_t size);
/* |*out| starts zeroed.  |size| bytes at |text| are the whole output. */
void naive_decode(const naive_oracle *, const naive_options *,
                  const char *text, size_t size, naive_message *out);

#endif
