/* SPDX-License-Identifier: MIT
 *
 * Gemma 4, the second opinion: what its files share.
 *
 *     naive_gemma4.c         text, reasoning and what frames the calls: read
 *                            it first
 *     naive_gemma4_head.c    the head of a call
 *     naive_gemma4_value.c   its arguments: objects, arrays and keys
 *     naive_gemma4_string.c  strings, with delimiters or in quotes
 *     naive_gemma4_bare.c    values without delimiters
 *     naive_gemma4_json.c    strict JSON, for arguments that come as a string
 *     naive_gemma4_bytes.c   bytes and markers
 */
#ifndef TOOLWIRE_TESTS_NAIVE_GEMMA4_H
#define TOOLWIRE_TESTS_NAIVE_GEMMA4_H

#include "naive.h"

/* What stands in a framed text for the `<` of an open marker without a head:
 * no block goes on behind one. */
#define GEMMA4_VEILED_OPEN "\xEE\x80\x81"

#define GEMMA4_END (-1) /* the byte behind the last one */
#define GEMMA4_NOWHERE SIZE_MAX

enum { GEMMA4_DEPTH_LIMIT = 128 };

/* The look-aheads that a stream can afford, in bytes. */
enum {
    GEMMA4_NEAR = 256,
    GEMMA4_IN_STRING = 1024,
    GEMMA4_FAR = 65536
};

typedef enum gemma4_marker {
    GEMMA4_NONE,
    GEMMA4_QUOTE,       /* <|"|> */
    GEMMA4_CALL,        /* <|tool_call> */
    GEMMA4_CALL_END,    /* <tool_call|> */
    GEMMA4_CHANNEL,     /* <|channel> */
    GEMMA4_CHANNEL_END, /* <channel|> */
    GEMMA4_TURN_END,    /* <turn|>; this one and those below end the message */
    GEMMA4_EOS,         /* <eos> */
    GEMMA4_RESPONSE     /* <|tool_response> */
} gemma4_marker;

typedef struct gemma4_reader {
    const naive_options *options;
    naive_message *message;
    struct frame_reader *frame; /* that reads JSON in the place of a call, or
                                   NULL */
    const char *text;
    size_t size;
    size_t at;           /* all before it is dealt with */

    naive_bytes segment; /* the text since the last call, channel or start */
    bool boundary;       /* a call may stand here without its marker */
    bool headless;       /* an open marker in the segment is text */
    bool stopped;        /* a stop marker has been read */

    /* The call being read. */
    naive_bytes arguments;
    bool round;          /* its arguments stand in ( ) */
    bool doubled;        /* and in one pair of braces too many */
    const char *reason;  /* why it is not a call */
    size_t reason_at;
    bool truncated;      /* ... because the output ends at |at| */
    /* A closer at |at| is that of the outer container |target|, or, if this
     * is NULL, the marker there closes all of them. */
    bool unwinding;
    const struct gemma4_container *target;
} gemma4_reader;

/* naive_frame_gemma.c.  Does a JSON object, or a list of some, stand behind
 * the open marker at |at|?  The block that it is in, up to what is returned.
 */
bool frame_object_begins(struct frame_reader *, size_t at);
size_t frame_read_block(struct frame_reader *, size_t at);

/* What stands behind a call's marker. */
typedef enum gemma4_head_kind {
    GEMMA4_HEAD_NONE,     /* nothing that makes it a call: it is text */
    GEMMA4_HEAD_GIVEN_UP, /* the same, because it goes on for too long */
    GEMMA4_HEAD_CUT,      /* the output ends before one can tell */
    GEMMA4_HEAD_EMPTY,    /* the close marker at once */
    GEMMA4_HEAD_LONG,     /* `call:` and a name that is too long */
    GEMMA4_HEAD_BODY,     /* `call:NAME{` or a loose form of it */
    GEMMA4_HEAD_NO_BODY   /* `call:NAME` and the close marker */
} gemma4_head_kind;

typedef struct gemma4_head {
    gemma4_head_kind kind;
    bool called;   /* the word `call:` is there */
    bool loose;
    bool round;
    size_t name_at, name_size;
    size_t end;    /* behind the brace; of the others: what ends the head */
} gemma4_head;

/* An object or array that is being read. */
typedef struct gemma4_container {
    struct gemma4_container *outer;
    size_t depth;
    char closer;
    bool array;
    bool closed;
    size_t count;      /* of elements begun */
    size_t comma;      /* behind the last element, or GEMMA4_NOWHERE */
    char separator;    /* object: of the pair being read */
    size_t cut_until;  /* array: commas before it end bare elements */
} gemma4_container;

typedef enum gemma4_follow {
    GEMMA4_FOLLOW_NONE,
    GEMMA4_FOLLOW_END,
    GEMMA4_FOLLOW_KEY,
    GEMMA4_FOLLOW_FAR /* too many blanks: it had better be the end */
} gemma4_follow;

/* ---- naive_gemma4_bytes.c ---- */

/* The byte at |at|, or GEMMA4_END. */
int gemma4_byte(const gemma4_reader *reader, size_t at);
bool gemma4_starts(const gemma4_reader *reader, size_t at, const char *word);
bool gemma4_is_blank(int byte);
bool gemma4_is_digit(int byte);
bool gemma4_is_one_of(int byte, const char *bytes);
bool gemma4_is_word_start(int byte);
bool gemma4_is_word_byte(int byte);
/* A round closer means something only if the call has a round opener. */
bool gemma4_is_closer(const gemma4_reader *reader, int byte);
/* The first byte at or behind |at| that is not a blank. */
size_t gemma4_skip_blanks(const gemma4_reader *reader, size_t at);

bool gemma4_is_utf8(const char *data, size_t size);
bool gemma4_is_word(const char *data, size_t size, const char *word);
/* Without the blanks at the end. */
size_t gemma4_trimmed_size(const char *data, size_t size);

gemma4_marker gemma4_marker_at(const gemma4_reader *reader, size_t at);
/* The same, if it means something inside a call: not the channel's end. */
gemma4_marker gemma4_body_marker_at(const gemma4_reader *reader, size_t at);
/* The same between values: where the model stopped by itself, a result's
 * marker stands behind the last byte, or half of it before. */
gemma4_marker gemma4_value_marker_at(const gemma4_reader *reader, size_t at);
/* A string delimiter means nothing outside a call. */
gemma4_marker gemma4_text_marker_at(const gemma4_reader *reader, size_t at);
/* Does the output end in the middle of the close marker that begins here? */
bool gemma4_close_marker_cut_at(const gemma4_reader *reader, size_t at);
size_t gemma4_marker_size(gemma4_marker marker);
size_t gemma4_quote_size(void);
bool gemma4_is_stop(gemma4_marker marker);
/* Does the reasoning's close stand in [at, to), but for strings? */
bool gemma4_closes_reasoning(const gemma4_reader *reader, size_t at,
                             size_t to);
/* A marker that ends more than a string does. */
bool gemma4_is_structure(gemma4_marker marker);

/* ---- naive_gemma4_head.c ---- */

/* What the call's marker at |at| is. */
gemma4_head gemma4_head_behind(const gemma4_reader *reader, size_t at);
bool gemma4_is_head(gemma4_head head);
/* Another call in a block with its marker: `call:NAME{`, or what may stand for
 * it behind a marker. */
gemma4_head gemma4_next_head(const gemma4_reader *reader, size_t at);
/* `call:NAME{` or `call:NAME(`. */
bool gemma4_call_at(const gemma4_reader *reader, size_t at);
/* The size of a tag of another format at the reader, `<NAME>` or `</NAME>`,
 * with the name in |*name|; 0: none stands there. */
size_t gemma4_foreign_tag(const gemma4_reader *, bool closes, size_t *name);
/* How much of the name's end is a declared tool's, behind a `:` or `.`. */
size_t gemma4_unknown_block(const gemma4_reader *reader, size_t at);
/* A call's marker at |at| in a bad call: where that call's own close stands,
 * if whole calls alone stand in front of it; else 0. */
size_t gemma4_quoted_end(const gemma4_reader *reader, size_t at);
size_t gemma4_declared_name(const gemma4_reader *reader,
                            const gemma4_head *head);
/* A call without its marker: nothing but `call:NAME{`, NAME declared. */
gemma4_head gemma4_read_bare_head(const gemma4_reader *reader, size_t at);

/* ---- naive_gemma4_value.c ---- */

/* From behind the opening brace at |reader->at| to behind the last closer.
 * False if that is not an object: then |reason| says why, |at| is where the
 * unread rest begins. */
bool gemma4_read_arguments(gemma4_reader *reader);

void gemma4_diagnose(const gemma4_reader *reader, const char *code, size_t at);
/* These two return false. */
bool gemma4_fail(gemma4_reader *reader, const char *reason, size_t at);
/* The call ends at |at|, by the end of the output or by a marker. */
bool gemma4_cut_off(gemma4_reader *reader, size_t at);

/* ---- naive_gemma4_string.c ---- */

/* From behind the delimiter to behind the next one that can be the end. */
bool gemma4_read_string(gemma4_reader *reader, const gemma4_container *in);
/* From the opening quote to behind the closing one. */
bool gemma4_read_quoted(gemma4_reader *reader, const gemma4_container *in);
/* The string text[start, end) is read; the reader goes on at |next|. */
bool gemma4_end_string(gemma4_reader *reader, size_t start, size_t end,
                       size_t next);

/* Raw bytes as the inside of a JSON string. */
void gemma4_add_json(naive_bytes *out, const char *data, size_t size);
void gemma4_add_json_string(gemma4_reader *reader, size_t start, size_t end);
/* From the quote at |start| to |end|, where the other one is: the inside of a
 * quoted key as that of a JSON string. */
void gemma4_add_quoted_key(const gemma4_reader *reader, size_t start,
                           size_t end, naive_bytes *out);

/* The size of the valid JSON escape that |data| begins with, or 0. */
size_t gemma4_escape_size(const char *data, size_t size);
/* Which half of a pair that escape is: 'h'igh, 'l'ow, or 0: neither. */
int gemma4_surrogate(const char *data, size_t size);
unsigned gemma4_hex_value(const char *data);

/* `word:` or `word=`, but not `word://`. */
bool gemma4_word_key_at(const gemma4_reader *reader, size_t at);
/* Can a string end before |at|?  If so, with a comma missing or without. */
gemma4_follow gemma4_follow_of_string(const gemma4_reader *reader,
                                      const gemma4_container *in, size_t at);
/* Behind the comma at |comma|: the separator of a key, or GEMMA4_NOWHERE.
 * Behind a strict value any key will do, else it touches the comma or is one
 * word.  |too_far|, if not NULL, is set if |limit| bytes do not decide. */
size_t gemma4_separator_behind(const gemma4_reader *reader, size_t comma,
                               bool strict, const char *separators,
                               size_t limit, bool *too_far);

/* ---- naive_gemma4_bare.c ---- */

/* A number, a literal, or text without delimiters. */
bool gemma4_read_bare(gemma4_reader *reader, gemma4_container *in);
/* The size of the JSON number that |data| begins with, or 0. */
size_t gemma4_number_size(const char *data, size_t size);

/* ---- naive_gemma4_json.c ---- */

/* Is it one object, and blanks?  Then [start, end) is its inside. */
bool gemma4_strict_inside(const naive_bytes *data, size_t *start, size_t *end);
/* What the inside of a valid JSON string stands for. */
void gemma4_unescape(const naive_bytes *json, naive_bytes *out);

#endif
