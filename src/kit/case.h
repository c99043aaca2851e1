/* SPDX-License-Identifier: MIT
 *
 * A case for parsers of tool calls: wire text, what it means, and what no
 * parser may make of it.
 */
#ifndef TOOLWIRE_KIT_CASE_H
#define TOOLWIRE_KIT_CASE_H

#include "json/dump.h"
#include "kit/judge.h"
#include "kit/wire.h"

typedef enum kit_class {
    KIT_LEGAL,     /* what the model's template writes */
    KIT_RARE,      /* the same with values that trip parsers up */
    KIT_TYPO,      /* a slip that models make */
    KIT_TRUNCATED, /* the output ends early */
    KIT_INJECTION, /* text that looks like a call */
    KIT_ENCODING,  /* bytes that are not UTF-8, or markers with a byte less */
    KIT_DEPTH,     /* nested values */
    KIT_LONG,      /* one part is long: time is judged */
    KIT_REUSE,     /* the parser has read another output before */
    KIT_INTERLEAVED, /* ... is reading another one at the same time */
    KIT_CLASSES
} kit_class;

/* Where the text stands. */
typedef enum kit_order {
    KIT_AS_TEMPLATE,
    KIT_BEFORE, /* the calls */
    KIT_BEHIND,
    KIT_BETWEEN
} kit_order;

/* Of a message. */
typedef enum kit_part {
    KIT_ARGUMENT,
    KIT_TEXT, /* in front of a call */
    KIT_REASONING,
    KIT_CALLS,       /* many of them */
    KIT_KEYS,        /* of one call, many */
    KIT_TEXT_BEHIND, /* a call */
    KIT_NO_PART
} kit_part;

enum { KIT_CUTS = 8, KIT_ID = 80 };

/* An output of the model's. */
typedef struct kit_turn {
    tw_buffer message; /* what it means: an assistant's message as JSON; empty:
                        * it is not known */
    kit_wire wire;
    bool inside; /* it goes on inside the reasoning that its prompt began */
    tw_buffer tools; /* OpenAI's list of them as JSON; empty: made of the
                      * message */
    bool undeclared; /* what it calls is no tool of the list */
    bool cut;        /* it ends early ... */
    kit_due due;     /* ... behind this */
} kit_turn;

typedef struct kit_case {
    char id[KIT_ID];
    const tw_format *format;
    kit_class kind;
    kit_accept accept;
    kit_order order;
    uint64_t chance;  /* decides what of the wire is spoilt, and how */
    uint64_t number;  /* which one of its class it is */
    uint64_t size;    /* LONG: bytes of ... */
    kit_part grows;   /* ... this */
    const char *slip; /* its name, or NULL */
    bool lenient;     /* it may go without a slip */
    kit_turn its;
    kit_turn other;        /* REUSE, INTERLEAVED: the other output */
    size_t cuts[KIT_CUTS]; /* a way to cut it, ascending */
    size_t cut_count;
} kit_case;

const char *kit_class_name(kit_class kind);
/* KIT_CLASSES: there is no such class. */
kit_class kit_class_find(const char *name);
/* What a class accepts besides the message. */
kit_accept kit_class_accept(kit_class kind);
const char *kit_accept_name(kit_accept accept);
/* Which acceptance has the name; false: none has. */
bool kit_accept_find(const char *name, kit_accept *accept);
void kit_case_init(kit_case *one);
void kit_case_free(kit_case *one, const tw_memory *memory);

#endif
