/* SPDX-License-Identifier: MIT
 *
 * Cases for parsers of tool calls: wire text, what it means, and what no
 * parser may make of it.  Everything follows from a seed.
 */
#ifndef TOOLWIRE_KIT_CASES_H
#define TOOLWIRE_KIT_CASES_H

#include "json/dump.h"

typedef enum kit_class {
    KIT_LEGAL,     /* what the model's template writes */
    KIT_RARE,      /* the same with values that trip parsers up */
    KIT_TYPO,      /* a slip that models make */
    KIT_TRUNCATED, /* the output ends early */
    KIT_INJECTION, /* text that looks like a call */
    KIT_ENCODING,  /* bytes that are not UTF-8 */
    KIT_DEPTH,     /* nested values */
    KIT_CLASSES
} kit_class;

/* Which answers are fine, besides the message itself. */
typedef enum kit_accept {
    KIT_EXACT,     /* none */
    KIT_OR_LESS,   /* fewer calls: those that are given are right */
    KIT_PREFIX,    /* the first of the calls, the beginning of the text */
    KIT_NO_FORGERY /* any, as long as no call is made up */
} kit_accept;

enum { KIT_CUTS = 8, KIT_ID = 80 };

typedef struct kit_case {
    char id[KIT_ID];
    const tw_format *format;
    kit_class kind;
    kit_accept accept;
    uint64_t chance;   /* decides what of the wire is spoilt, and how */
    tw_buffer message; /* what it means: an assistant's message as JSON; empty:
                        * it is not known */
    tw_buffer wire;
    bool inside; /* it goes on inside the reasoning that its prompt began */
    size_t cuts[KIT_CUTS]; /* a way to cut it, ascending */
    size_t cut_count;
} kit_case;

typedef struct kit_maker {
    const tw_memory *memory;
    tw_encoder *encoder;
    tw_decoder *decoder;
    tw_writer *writer;
    const tw_format *format;
    uint64_t state;
    bool failed; /* no memory */
} kit_maker;

const char *kit_class_name(kit_class);
/* KIT_CLASSES: there is no such class. */
kit_class kit_class_find(const char *name);
const char *kit_accept_name(kit_accept);

/* False: no memory. */
bool kit_maker_init(kit_maker *, const tw_memory *, const tw_format *,
                    uint64_t seed);
void kit_maker_free(kit_maker *);
/* The |number|-th case of a class; the same for the same seed, whatever was
 * made before.  False: no memory. */
bool kit_make(kit_maker *, kit_case *, kit_class, uint64_t number);
/* Writes the wire of |one| again, whose message was changed, and spoils it as
 * its class does.  False: the format does not carry it whole. */
bool kit_write(kit_maker *, kit_case *one);
void kit_case_free(kit_case *, const tw_memory *);

/* {"id","format","class","wire","wire_b64","cuts","message","accept",
 * "must_not"} */
void kit_jot_case(tw_json_out *, const kit_case *);
/* The pieces between the cuts, in base64. */
/* Where reasoning is not opened by the wire itself: ,"start":"reasoning" */
void kit_jot_start(tw_json_out *, const kit_case *);
void kit_jot_chunks(tw_json_out *, const tw_buffer *wire, const size_t *cuts,
                    size_t cut_count);

#endif
