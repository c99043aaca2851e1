/* SPDX-License-Identifier: MIT */
#ifndef TOOLWIRE_FORMATS_HERMES_H
#define TOOLWIRE_FORMATS_HERMES_H

#include "formats/arguments.h"
#include "formats/format.h"

typedef enum tw_hermes_tag {
    TW_HERMES_NONE,
    TW_HERMES_CALL,
    TW_HERMES_CALL_END,
    TW_HERMES_THINK,
    TW_HERMES_THINK_END,
    TW_HERMES_STOP,
    TW_HERMES_FUNCTION,
    TW_HERMES_ARG_KEY,
    TW_HERMES_MORE /* not decided before |limit| */
} tw_hermes_tag;

typedef enum tw_hermes_odd {
    TW_HERMES_NOT_ODD,
    TW_HERMES_ODD,
    TW_HERMES_BOM,
    TW_HERMES_ODD_MORE
} tw_hermes_odd;

tw_hermes_tag tw_hermes_scan_tag(const uint8_t *at, const uint8_t *limit,
                                 bool eof, size_t *size);
tw_hermes_odd tw_hermes_scan_odd(const uint8_t *at, const uint8_t *limit,
                                 bool eof, size_t *size);

/* How a dialect marks what all of them write as JSON. */
typedef struct tw_hermes_wire {
    tw_hermes_tag (*scan_tag)(const uint8_t *at, const uint8_t *limit,
                              bool eof, size_t *size);
    const char *open;
    const char *close;
    const char *stops[4]; /* NULL-ended */
    bool holds_list;      /* a block is a list of calls, else one call */
    bool trims;           /* blanks around text are framing, else only what
                             Hermes puts there */
} tw_hermes_wire;

extern const tw_hermes_wire tw_hermes_tool_call; /* `<tool_call>` */

/* The tag at |at|; one that the caller marked as text, and that tokenizers do
 * not match in text, is none. */
tw_hermes_tag tw_hermes_tag_at(const tw_hermes_wire *, const tw_window *,
                               const uint8_t *at, size_t *size);

/* The end of input cuts the tag at |at| in two, one that would end a call. */
bool tw_hermes_is_cut_tag(const tw_hermes_wire *, const tw_window *,
                          const uint8_t *at);

/* How one step inside a call ended. */
typedef enum tw_hermes_end {
    TW_HERMES_GOES_ON,
    TW_HERMES_STARVED,
    TW_HERMES_DONE,   /* the object is complete and was handed on */
    TW_HERMES_LESS,   /* `<` between tokens stands at the window */
    TW_HERMES_BROKEN, /* |reason| at |reason_at| */
    TW_HERMES_CUT,    /* the input is over */
    TW_HERMES_STOPPED /* a stop token stands at the window */
} tw_hermes_end;

/* A call, whether its body is JSON (hermes_call.c) or tags
 * (hermes_tag_body.c). */
typedef struct tw_hermes_call {
    const tw_hermes_wire *wire;
    tw_sink *sink;
    tw_window *window;
    const tw_memory *memory;
    uint64_t begin; /* where the call's bytes begin */
    bool begun;     /* there was a call_begin */
    uint32_t index;
    tw_buffer name;
    bool has_name;
    uint32_t fail; /* the first thing that makes it unusable */
    uint32_t reason;
    uint64_t reason_at;
    tw_arguments arguments;
    /* JSON */
    tw_json json;
    uint8_t base;     /* the depth at which the call's keys stand */
    bool wrapped;     /* there was an OpenAI envelope around them */
    uint8_t key;      /* the last of them */
    uint8_t name_key; /* the key the name stood under */
    uint8_t arguments_key;
    uint8_t got;  /* what of the arguments there was */
    uint8_t role; /* what the value being read is for */
    size_t role_depth;
    bool capitals;    /* the last key is written with some */
    bool foreign_key; /* a key that no call object has */
    uint64_t key_at;
    uint64_t value_at;
    tw_buffer word; /* the key, name or id being read */
    tw_buffer id;
    /* tags */
    uint8_t state;
    bool glm;
    bool first;
    bool any; /* there was a key */
} tw_hermes_call;

void tw_hermes_call_init(tw_hermes_call *, const tw_hermes_wire *,
                         const tw_memory *, tw_window *, tw_sink *);
void tw_hermes_call_free(tw_hermes_call *);

/* A JSON object begins at the window; the call's bytes begin at |begin|. */
void tw_hermes_call_start(tw_hermes_call *, uint64_t begin);
tw_hermes_end tw_hermes_call_step(tw_hermes_call *);
/* The fast way over arguments; see tw_family. */
const uint8_t *tw_hermes_call_pass(tw_hermes_call *, tw_passed *);
/* The object is cut off. */
void tw_hermes_call_cut(tw_hermes_call *);
/* Only closers are missing: may they be added?  Before a close tag anywhere
 * behind a value, else (|only_outer|) only if name and arguments are whole.
 */
bool tw_hermes_call_closable(const tw_hermes_call *, bool only_outer);
/* Adds them, and hands the call on. */
void tw_hermes_call_close(tw_hermes_call *);

/* A body of tags; for GLM the name was read already. */
void tw_hermes_tag_body_start(tw_hermes_call *, uint64_t begin, bool glm,
                              const uint8_t *name, size_t name_size);
tw_hermes_end tw_hermes_tag_body_step(tw_hermes_call *);

/* Begins the call if its limits allow; else |fail| is set. */
void tw_hermes_call_begin(tw_hermes_call *);
/* The first failure counts, and only it is diagnosed. */
void tw_hermes_call_fail(tw_hermes_call *, uint32_t code, uint64_t offset);
/* The call is no usable one: its bytes end where the window is. */
void tw_hermes_call_reject(tw_hermes_call *, uint32_t code, tw_call_status);

static inline bool tw_hermes_is_blank(int c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline bool tw_hermes_is_name(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' ||
           c == ':' || c == '/';
}

extern const tw_family tw_hermes_family;
extern const tw_marker tw_hermes_markers[];
extern const size_t tw_hermes_marker_count;

#endif
