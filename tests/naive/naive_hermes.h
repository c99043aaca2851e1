/* SPDX-License-Identifier: MIT
 *
 * What the parts of the naive Hermes decoder share: naive_hermes.c knows text
 * and reasoning, naive_hermes_block.c blocks, naive_hermes_call.c one call
 * object, naive_hermes_tags.c one call that is made of tags.
 */
#ifndef TOOLWIRE_TESTS_NAIVE_HERMES_H
#define TOOLWIRE_TESTS_NAIVE_HERMES_H

#include "naive_json.h"

/* What a dialect writes in its own way. */
typedef struct hermes_wire {
    const char *open, *close;
    const char *stops[4];   /* NULL-ended */
    bool lists;             /* a block is a list of calls */
    bool trims;             /* blanks around text are none of it */
} hermes_wire;

typedef struct hermes_decoder {
    const hermes_wire *wire;
    const naive_options *options;
    const char *text;
    size_t size;            /* of the whole output */
    size_t limit;           /* |size|; in a trial, how far it may look */
    naive_message *message;

    /* A trial decodes into a scratch message to learn what the text is. */
    bool trial;
    bool bare;              /* trial of a call without its opener */
    bool gave_up;           /* it is no call: decided at |gave_up_at| */
    size_t gave_up_at;
    bool unclosed;          /* a block had no </tool_call> of its own */
    bool stopped;           /* at a stop marker, at |stopped_at| */
    size_t stopped_at;
} hermes_decoder;

typedef enum hermes_marker {
    HERMES_NONE,
    HERMES_OPEN,
    HERMES_CLOSE,
    HERMES_STOP,  /* <|im_end|> and its like */
    HERMES_CUT    /* the end, or a marker that the end cuts */
} hermes_marker;

hermes_marker hermes_marker_at(const hermes_decoder *, size_t at,
                               size_t *size);
/* Where the next `<` is, not before |at|; the limit if none is. */
size_t hermes_next_less_than(const hermes_decoder *, size_t at);
/* Where the next whole marker is, not before |at|; the limit if none is. */
size_t hermes_next_marker(const hermes_decoder *, size_t at);

bool hermes_starts(const hermes_decoder *, size_t at, const char *word);
/* The limit cuts |word|, which begins at |at|. */
bool hermes_is_cut(const hermes_decoder *, size_t at, const char *word);
bool hermes_is_blank(char c);
bool hermes_is_name_byte(char c);

/* A trial learns that this is no call; anybody else does not care. */
void hermes_give_up(hermes_decoder *, size_t at);

/* What became of one element of a block. */
typedef enum hermes_element {
    HERMES_READ, /* it ends at |next|, where the block goes on */
    HERMES_LEFT  /* it was no call; the block is left, |next| is behind it */
} hermes_element;

/* What begins at |start| is no call and ends where the next marker from |at|
 * on ends (</tool_call>) or begins; it is listed.  Always HERMES_LEFT. */
hermes_element hermes_skip(hermes_decoder *, size_t start, size_t at,
                           const char *reason, const naive_bytes *name,
                           size_t *next);

/* Lists a block, which has been diagnosed; |name| may be NULL. */
void hermes_unparsed(hermes_decoder *, size_t begin, size_t end,
                     const char *reason, const naive_bytes *name);

/* --- blocks ------------------------------------------------------------ */

/* Where the decoder stands. */
typedef enum hermes_place { HERMES_TEXT, HERMES_REASONING, HERMES_OVER }
    hermes_place;

typedef struct hermes_turn {
    hermes_place place;
    size_t begin;     /* of the segment */
    size_t scan;      /* from where to look for markers */
    size_t strip;     /* line feeds in front of it that are framing */
    bool may_repeat;  /* REASONING: <think> at its start is framing */
} hermes_turn;

hermes_turn hermes_text_from(size_t begin, size_t strip);

typedef enum hermes_head_kind {
    HERMES_NO_HEAD,     /* text; |at| is where to look on */
    HERMES_OBJECT_HEAD, /* |at| is the `{` or `[` */
    HERMES_CODER_HEAD,  /* |at| is behind <function= */
    HERMES_GLM_HEAD,    /* |at| is behind <arg_key> */
    HERMES_EMPTY_BLOCK, /* |at| is behind </tool_call> */
    HERMES_CUT_HEAD     /* the output ends behind the tag */
} hermes_head_kind;

typedef struct hermes_head {
    hermes_head_kind kind;
    size_t at;
    size_t word, word_size; /* GLM: the name */
    bool is_fenced;
    bool given_up;          /* NO_HEAD because of the limit */
    naive_message late;     /* diagnostics, if it is a head at all */
} hermes_head;

/* Is the <tool_call> at |open_at| the start of a block? (R5) */
void hermes_read_head(const hermes_decoder *, size_t open_at, hermes_head *);

/* The block behind a head; where the decoder goes on. */
hermes_turn hermes_read_block(hermes_decoder *, size_t open_at,
                              const hermes_head *);

/* --- one call ---------------------------------------------------------- */

/* What becomes of one element of a block. */
typedef struct hermes_call {
    hermes_decoder *decoder;
    size_t start;              /* where `unparsed` would begin */
    const char *failure;       /* the first one; NULL: none */

    bool named;                /* a name was read, even an empty one */
    bool named_by_function;    /* and by the key `function` */
    naive_bytes name;
    size_t name_end;
    naive_bytes id;            /* of the wire, until the call begins */

    bool has_arguments;        /* an arguments key was read */
    bool by_parameters;        /* and it was `parameters` */
    bool arguments_whole;      /* and its value was read to its end */
    naive_argument_value arguments;

    bool begun;
    bool enveloped;            /* {"function": {...}} was seen */
    bool behind_envelope;
    bool stopped_in_value;     /* the text ended inside a member's value */
} hermes_call;

/* The first failure is the reason, and the only one that is diagnosed. */
void hermes_fail(hermes_call *, const char *reason, size_t at);

/* The call begins: it has a name, and its arguments a first byte. */
void hermes_begin(hermes_call *, size_t at);

/* The element is whole; |at| is its last byte, or what stands in its place. */
void hermes_finish(hermes_call *, size_t at, size_t end);

/* Broken at |at|: the call runs to the next marker, wherever that stands. */
hermes_element hermes_leave_broken(hermes_call *, const char *reason,
                                   size_t at, size_t *next);

/* What stands at |at| ends a call that cannot be completed. */
hermes_element hermes_leave(hermes_call *, size_t at, size_t *next);

/* The call object at text[at]; |start| is where `unparsed` would begin. */
hermes_element hermes_read_object(hermes_decoder *, size_t start, size_t at,
                                  size_t *next);

/* Does a whole parameter open at |at|? */
bool hermes_opens_parameter(const hermes_decoder *, size_t at);
/* The call between tags that |kind| says, 0 Qwen3-Coder's and 1 GLM's, of that
 * name; |at| is behind its head.  Returns what is behind the call. */
size_t hermes_read_tags(hermes_decoder *, size_t start, size_t kind,
                        const char *name, size_t name_size, size_t at);

#endif
