/* SPDX-License-Identifier: MIT
 *
 * Cases for parsers of tool calls: wire text, what it means, and what no
 * parser may make of it.  Everything follows from a seed.
 */
#ifndef TOOLWIRE_KIT_CASES_H
#define TOOLWIRE_KIT_CASES_H

#include "json/dump.h"
#include "kit/judge.h"
#include "kit/typo.h"
#include "kit/wire.h"

typedef enum kit_class {
    KIT_LEGAL,     /* what the model's template writes */
    KIT_RARE,      /* the same with values that trip parsers up */
    KIT_TYPO,      /* a slip that models make */
    KIT_TRUNCATED, /* the output ends early */
    KIT_INJECTION, /* text that looks like a call */
    KIT_ENCODING,  /* bytes that are not UTF-8, or markers with a byte less */
    KIT_DEPTH,     /* nested values */
    KIT_LONG,      /* one long argument: time is judged */
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
    KIT_TEXT,
    KIT_REASONING,
    KIT_NO_PART
} kit_part;

enum { KIT_CUTS = 8, KIT_ID = 80 };

/* An output of the model's. */
typedef struct kit_turn {
    tw_buffer message; /* what it means: an assistant's message as JSON; empty:
                        * it is not known */
    kit_wire wire;
    bool inside; /* it goes on inside the reasoning that its prompt began */
    bool spelt;  /* as the template does not, but models do */
    tw_buffer tools; /* OpenAI's list of them as JSON; empty: made of the
                      * message */
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
    uint64_t size;    /* LONG: bytes of ... */
    kit_part grows;   /* ... this */
    const char *slip; /* its name, or NULL */
    bool lenient;     /* it may go without a slip */
    kit_turn its;
    kit_turn other;        /* REUSE, INTERLEAVED: the other output */
    size_t cuts[KIT_CUTS]; /* a way to cut it, ascending */
    size_t cut_count;
} kit_case;

/* A slip of the format, and messages that have a place for it. */
enum { KIT_SLIP_LEAST = 5 };
typedef struct kit_slips {
    uint8_t slip;
    uint8_t count; /* of |from| */
    uint16_t from[KIT_SLIP_LEAST];
} kit_slips;

typedef struct kit_maker {
    const tw_memory *memory;
    tw_encoder *encoder;
    tw_decoder *decoder;
    tw_writer *writer;
    const tw_format *format;
    uint64_t state;
    kit_wire forged;   /* a call of `forged`, as the format writes it */
    kit_wire prologue; /* what stands in front of any text, where there is no
                          reasoning */
    kit_slips slips[KIT_SLIPS_MOST];
    size_t slip_count;
    bool has_learnt;   /* |slips| are known: from the first slip on */
    bool single;       /* generation ends behind a call */
    bool failed;       /* no memory */
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
 * made before.  TYPO has each slip of the format in turn.  False: no memory,
 * or the format carries no message of the kind, if the maker has not |failed|.
 */
bool kit_make(kit_maker *, kit_case *, kit_class, uint64_t number);
/* The same; of LONG, with a part of |size| bytes, which begins as those
 * of other sizes do. */
bool kit_make_sized(kit_maker *, kit_case *, kit_class, uint64_t number,
                    uint64_t size);
/* Writes the wire of |one| again, whose message was changed, and spoils it as
 * its class does.  False: the format does not carry it whole. */
bool kit_write(kit_maker *, kit_case *one);
/* Which acceptance has the name; false: none has. */
bool kit_accept_find(const char *name, kit_accept *);
/* Appends what the maker's own decoder reads from what there is of |turn|, an
 * assistant's message as JSON.  False: no memory. */
bool kit_read_cut(kit_maker *, const kit_turn *turn, tw_buffer *message);
/* Does the maker's own decoder read |turn|'s message from its wire?  |exact|:
 * without a deviation. */
bool kit_reads_back(kit_maker *, kit_turn *turn, bool exact);
void kit_case_init(kit_case *);
void kit_case_free(kit_case *, const tw_memory *);

/* The completion of a message as the format writes it, whatever is lost of
 * it.  False: there is none. */
bool kit_encode(kit_maker *, kit_wire *, const char *message, size_t size);
/* Bytes of a wire that are the prologue; 0: it begins otherwise. */
size_t kit_behind_prologue(const kit_maker *, const kit_wire *);
/* Bytes of a wire in front of what ends the message. */
size_t kit_before_end(const kit_maker *, const kit_wire *);

#endif
