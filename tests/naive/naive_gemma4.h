/* SPDX-License-Identifier: MIT
 *
 * What the two halves of the naive Gemma 4 decoder share: naive_gemma4.c
 * reads the message and the frame of its calls, naive_gemma4_value.c reads
 * their arguments.
 */
#ifndef TOOLWIRE_TESTS_NAIVE_GEMMA4_H
#define TOOLWIRE_TESTS_NAIVE_GEMMA4_H

#include "naive.h"

#define GEMMA4_END (-1) /* the byte behind the last one */

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
    const char *text;
    size_t size;
    size_t at;           /* all before it is dealt with */

    naive_bytes segment; /* the text since the last call, channel or start */
    bool boundary;       /* a call may stand here without its marker */
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

/* The byte at |at|, or GEMMA4_END. */
int gemma4_byte(const gemma4_reader *reader, size_t at);
bool gemma4_starts(const gemma4_reader *reader, size_t at, const char *word);
bool gemma4_is_blank(int byte);
bool gemma4_is_utf8(const char *data, size_t size);
/* The first byte at or behind |at| that is not a blank. */
size_t gemma4_skip_blanks(const gemma4_reader *reader, size_t at);

gemma4_marker gemma4_marker_at(const gemma4_reader *reader, size_t at);
/* The same, if it means something inside a call: not the channel's end. */
gemma4_marker gemma4_body_marker_at(const gemma4_reader *reader, size_t at);
size_t gemma4_marker_size(gemma4_marker marker);
bool gemma4_is_stop(gemma4_marker marker);

/* From behind the opening brace at |reader->at| to behind the last closer.
 * False if that is not an object: then |reason| says why, |at| is where the
 * unread rest begins. */
bool gemma4_read_arguments(gemma4_reader *reader);

#endif
