/* SPDX-License-Identifier: MIT
 *
 * What makes cases: the format's own encoder and decoder, and what is found
 * out with them once.
 */
#ifndef TOOLWIRE_KIT_MAKER_H
#define TOOLWIRE_KIT_MAKER_H

#include "kit/case.h"
#include "kit/make/typo.h"

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
    bool has_learnt; /* |slips| are known: from the first slip on */
    bool single;     /* generation ends behind a call */
    bool failed;     /* no memory */
} kit_maker;

/* False: no memory. */
bool kit_maker_init(kit_maker *maker, const tw_memory *memory,
                    const tw_format *format, uint64_t seed);
void kit_maker_free(kit_maker *maker);
/* The completion of a message as the format writes it, whatever is lost of
 * it.  False: there is none. */
bool kit_encode(kit_maker *maker, kit_wire *wire, const char *message,
                size_t size);
/* Bytes of a wire that are the prologue; 0: it begins otherwise. */
size_t kit_behind_prologue(const kit_maker *maker, const kit_wire *wire);
/* Bytes of a wire in front of what ends the message. */
size_t kit_before_end(const kit_maker *maker, const kit_wire *wire);
/* Does the maker's own decoder read |turn|'s message from its wire?  |exact|:
 * without a deviation. */
bool kit_reads_back(kit_maker *maker, kit_turn *turn, bool exact);
/* Appends what the maker's own decoder reads from what there is of |turn|, an
 * assistant's message as JSON.  False: no memory. */
bool kit_read_cut(kit_maker *maker, const kit_turn *turn, tw_buffer *message);

#endif
