/* SPDX-License-Identifier: MIT
 *
 * A case is a random message, encoded, put in the order that models write,
 * then spoilt as its class says and cut.
 */
#include "kit/make/cases.h"

#include <stdio.h>

#include "kit/make/message.h"
#include "kit/make/order.h"
#include "kit/random.h"
#include "kit/make/spoil.h"

/* How many messages are tried: from FOREIGN on those whose markers are other
 * formats' alone, and the LAST are plain, which every format carries. */
enum { TRIES = 64, FOREIGN = 8, LAST = 8, TRIES_OF_A_SLIP = 24 };

/* Bytes of what is long. */
enum { LONG = 16384 };

/* ---- writing ------------------------------------------------------------ */

/* Are the format's tags text that a JSON string may hold as it is? */
static bool has_literal_tags(const tw_format *format)
{
    const tw_marker *marker;
    return tw_format_marker(format, 0, &marker) == 1 && marker->literal == 1;
}

/* As models write it: spellings that the maker's own decoder takes for the
 * same without a deviation. */
static void respell(kit_maker *maker, kit_case *one)
{
    kit_turn changed = one->its;
    memset(&changed.wire, 0, sizeof changed.wire);
    int made = 0;
    for (size_t i = 0; made >= 0 && i < KIT_SPELLINGS; i++) {
        if ((one->chance >> (8 + i) & 1) == 0 &&
            !(one->kind == KIT_RARE && one->number % 2 == 1)) {
            continue;
        }
        made = kit_respell(&changed.wire, &one->its.wire, maker->format,
                           maker->memory, i);
        if (made == 1 && kit_reads_back(maker, &changed, true) &&
            changed.inside == one->its.inside) {
            kit_wire_swap(&one->its.wire, &changed.wire);
        }
    }
    maker->failed |= made < 0;
    kit_wire_free(&changed.wire, maker->memory);
}

/* Nothing is spoilt yet. */
static bool write_whole(kit_maker *maker, kit_case *one)
{
    const tw_buffer *message = &one->its.message;
    bool inner;
    /* Tags in JSON strings as templates write them, not escaped as encoders
     * do: only a parser that does not know JSON is misled. */
    const bool bare =
        one->kind == KIT_INJECTION && has_literal_tags(one->format);
    one->its.undeclared = false;
    tw_encoder_set(maker->encoder, TW_OPTION_CONTROL_TEXT,
                   bare ? TW_CONTROL_TEXT_ALLOW : TW_CONTROL_TEXT_REJECT);
    if (!kit_encode(maker, &one->its.wire, (const char *)message->data,
                    message->size) ||
        !kit_put_in_order(maker, &one->its, one->order) ||
        !kit_reads_back(maker, &one->its, true)) {
        return false;
    }
    respell(maker, one);
    kit_wire_stop(&one->its.wire, maker->format, &inner);
    return !inner && !maker->failed;
}

bool kit_write(kit_maker *maker, kit_case *one)
{
    return write_whole(maker, one) && kit_spoil(maker, one);
}

/* A message; false: no memory. */
static bool jot(kit_maker *maker, kit_case *one, uint64_t *state, bool plain,
                bool foreign)
{
    tw_json_out json_out = {.memory = maker->memory};
    kit_jot_message(&json_out, state, maker, one, plain, foreign);
    tw_buffer_free(&one->its.message, maker->memory);
    one->its.message = json_out.out;
    maker->failed |= json_out.failed;
    return !maker->failed;
}

/* A message that the format carries whole. */
static bool make_message(kit_maker *maker, kit_case *one, uint64_t *state)
{
    for (int i = 0; i < TRIES; i++) {
        if (!jot(maker, one, state, i >= TRIES - LAST, i >= FOREIGN)) {
            break;
        }
        one->slip = NULL;
        one->lenient = i >= TRIES - LAST;
        if (kit_write(maker, one)) {
            return true;
        }
    }
    return false;
}

/* ---- the slips of a format ---------------------------------------------- */

/* How many messages are looked at for slips. */
enum { LEARNT_FROM = 192 };

/* A message that is the same for each seed. */
static bool make_learnt(kit_maker *maker, kit_case *one, uint64_t number)
{
    uint64_t state = number * UINT64_C(0xD1342543DE82EF95);
    kit_random(&state);
    one->kind = KIT_TYPO;
    one->order = KIT_BEFORE;
    one->chance = ~state;
    one->lenient = false;
    return jot(maker, one, &state, false, true);
}

/* Which slips one->its can have, in |slips|. */
static void note_slips(kit_maker *maker, const kit_case *one, uint16_t number,
                       kit_slips *slips)
{
    kit_wire spoilt = {0};
    for (size_t i = 0; i < kit_slip_count() && !maker->failed; i++) {
        if (slips[i].count < KIT_SLIP_LEAST &&
            kit_slip_into(maker, one, i, &spoilt)) {
            slips[i].from[slips[i].count++] = number;
        }
    }
    kit_wire_free(&spoilt, maker->memory);
}

/* Finds the slips of the format out, whatever the seed is. */
static void learn_slips(kit_maker *maker)
{
    kit_slips found[KIT_SLIPS_MOST] = {{.count = 0}};
    kit_case one;
    kit_case_init(&one);
    one.format = maker->format;
    for (uint16_t i = 0; i < LEARNT_FROM && !maker->failed; i++) {
        if (make_learnt(maker, &one, i) && write_whole(maker, &one)) {
            note_slips(maker, &one, i, found);
        }
    }
    for (uint8_t i = 0; i < kit_slip_count(); i++) {
        if (found[i].count > 0) {
            found[i].slip = i;
            maker->slips[maker->slip_count++] = found[i];
        }
    }
    maker->has_learnt = true;
    kit_case_free(&one, maker->memory);
}

/* Each slip of the format in its turn: in a message of the seed's, or in one
 * that is known to have a place for the slip. */
static bool make_slip(kit_maker *maker, kit_case *one, uint64_t *state,
                      uint64_t number)
{
    if (!maker->has_learnt) {
        learn_slips(maker);
    }
    if (maker->slip_count == 0) {
        return !maker->failed && make_message(maker, one, state);
    }
    const kit_slips *its = &maker->slips[number % maker->slip_count];
    const uint64_t round = number / maker->slip_count;
    one->lenient = false;
    for (int i = 0; i < TRIES_OF_A_SLIP; i++) {
        one->slip = kit_slip_name(its->slip);
        if (!jot(maker, one, state, false, i >= FOREIGN)) {
            return false;
        }
        if (kit_write(maker, one)) {
            return true;
        }
    }
    one->slip = kit_slip_name(its->slip);
    return make_learnt(maker, one, its->from[round % its->count]) &&
           kit_write(maker, one);
}

static kit_order choose_order(const kit_case *one, uint64_t *state)
{
    const uint32_t chance = kit_below(state, 8);
    if (one->kind == KIT_LONG) {
        return one->grows == KIT_TEXT_BEHIND ? KIT_BEHIND : KIT_BEFORE;
    }
    if (one->kind != KIT_RARE) {
        return chance > 0 ? KIT_BEFORE : KIT_AS_TEMPLATE;
    }
    return chance > 4   ? KIT_BEFORE
           : chance > 2 ? KIT_BEHIND
           : chance > 1 ? KIT_BETWEEN
                        : KIT_AS_TEMPLATE;
}

/* Anywhere, or behind tokens, of which a server may send several at a time. */
static void cut(kit_case *one, uint64_t *state)
{
    const kit_wire *wire = &one->its.wire;
    const size_t size = wire->bytes.size;
    const bool tokens = kit_below(state, 2) == 0;
    size_t at = 0;
    size_t end = 0;
    one->cut_count = 0;
    while (one->cut_count < KIT_CUTS && at + 1 < size) {
        const size_t rest = size - at - 1;
        at += 1 + kit_below(state, (uint32_t)(rest < 40 ? rest : 40) + 1);
        while (end < at && end < size) {
            end = kit_wire_token_end(wire, end);
        }
        at = tokens ? end : at;
        if (at < size) {
            one->cuts[one->cut_count++] = at;
        }
    }
}

bool kit_make_sized(kit_maker *maker, kit_case *one, kit_class kind,
                    uint64_t number, uint64_t size)
{
    uint64_t state = maker->state + ((uint64_t)kind << 56) +
                     number * UINT64_C(0x632BE59BD9B4E019);
    kit_random(&state);
    one->chance = ~state;
    one->kind = kind;
    one->format = maker->format;
    one->accept = kit_class_accept(kind);
    one->size = size;
    one->number = number;
    one->grows = (kit_part)(number % KIT_NO_PART);
    one->its.cut = one->other.cut = false;
    one->its.due.calls = one->other.due.calls = 0;
    one->its.due.spoken.size = one->other.due.spoken.size = 0;
    snprintf(one->id, sizeof one->id, "%s-%s-%llu",
             tw_format_name(maker->format), kit_class_name(kind),
             (unsigned long long)number);
    if (kind == KIT_REUSE || kind == KIT_INTERLEAVED) {
        one->order = choose_order(one, &state);
        if (!make_message(maker, one, &state)) {
            return false;
        }
        const kit_turn kept = one->its;
        one->its = one->other;
        one->other = kept;
        /* A request may be cancelled, too. */
        uint64_t chance = one->chance;
        if (kind == KIT_REUSE && kit_below(&chance, 2) == 0) {
            kit_cut_off(&one->other, kit_cut_at(&one->other, &chance));
        }
    }
    one->order = choose_order(one, &state);
    if (!(kind == KIT_TYPO ? make_slip(maker, one, &state, number)
                           : make_message(maker, one, &state))) {
        return false;
    }
    cut(one, &state);
    return true;
}

bool kit_make(kit_maker *maker, kit_case *one, kit_class kind, uint64_t number)
{
    return kit_make_sized(maker, one, kind, number, LONG);
}
