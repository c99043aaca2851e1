/* SPDX-License-Identifier: MIT
 *
 * What is done to a wire as its case's class says.
 */
#include "kit/make/spoil.h"

#include <string.h>

#include "core/bytes.h"
#include "kit/random.h"
#include "kit/make/typo.h"
#include "kit/values.h"

/* So often slips are drawn, and of one that is, so many places looked at. */
enum { DRAWS = 2, PLACES = 4 };

/* Bytes that are no UTF-8, put in front of a byte that is one by itself. */
static bool put_bad_bytes(kit_case *one, const tw_memory *memory,
                          uint64_t *state)
{
    static const char *const bad[] = {"\xFF", "\xC3", "\xE2\x82",
                                      "\xED\xA0\x80", "\xC0\xAF"};
    const char *bytes = bad[kit_below(state, 5)];
    kit_wire *wire = &one->its.wire;
    kit_wire changed = {0};
    const size_t at = kit_below(state, (uint32_t)wire->bytes.size + 1);
    const bool good =
        kit_wire_append_part(&changed, memory, wire, 0, at) &&
        kit_wire_append(&changed, memory, bytes, strlen(bytes), KIT_PLAIN) &&
        kit_wire_append_part(&changed, memory, wire, at, wire->bytes.size);
    if (good) {
        kit_wire_swap(wire, &changed);
    }
    kit_wire_free(&changed, memory);
    return good;
}

/* A marker without one of its bytes is text. */
static void damage_marker(kit_case *one, uint64_t *state)
{
    kit_wire *wire = &one->its.wire;
    const size_t size = wire->bytes.size;
    const size_t from = kit_below(state, (uint32_t)size + 1);
    for (size_t i = 0; i < size; i++) {
        const size_t at = (from + i) % size;
        const size_t token = kit_wire_token(wire, at);
        if (token > 1) {
            const size_t gone = at + kit_below(state, (uint32_t)token);
            memset(wire->marks.data + at, KIT_PLAIN, token);
            kit_wire_drop(wire, gone, gone + 1);
            return;
        }
    }
}

/* How long the marker is that stands at |at|, 0: none does. */
static size_t marker_at(const kit_maker *maker, const kit_wire *wire,
                        size_t at)
{
    const tw_marker *marker;
    const size_t left = wire->bytes.size - at;
    size_t size = kit_wire_token(wire, at);
    for (size_t i = 0;
         size == 0 && tw_format_marker(maker->format, i, &marker) == 1; i++) {
        size = marker->size <= left && memcmp(wire->bytes.data + at,
                                              marker->text, marker->size) == 0
                   ? marker->size
                   : 0;
    }
    return size;
}

/* Where the first marker ends that begins at |at| or behind it. */
static size_t behind_marker(const kit_maker *maker, const kit_wire *wire,
                            size_t at)
{
    size_t size = 0;
    while (at < wire->bytes.size && (size = marker_at(maker, wire, at)) == 0) {
        at++;
    }
    return size > 0 ? at + size : SIZE_MAX;
}

/* How many calls of the turn have a marker behind them that ends no later than
 * at |end|: nobody can doubt that these are whole. */
static size_t whole_calls(kit_maker *maker, const kit_turn *turn, size_t end)
{
    const tw_buffer *bytes = &turn->wire.bytes;
    const tw_event *event;
    size_t count = 0;
    bool more = true;
    tw_decoder_reset(maker->decoder);
    tw_decoder_set(maker->decoder, TW_OPTION_START_REASONING, turn->inside);
    tw_decoder_feed(maker->decoder, (const char *)bytes->data, bytes->size,
                    TW_MARK_UNKNOWN);
    tw_decoder_finish(maker->decoder, TW_FINISH_STOP);
    int result;
    while ((result = tw_decoder_next(maker->decoder, &event)) == 1) {
        if (event->type == TW_EVENT_CALL_END && more) {
            more = behind_marker(maker, &turn->wire,
                                 (size_t)(event->offset + event->span)) <= end;
            count += more ? 1 : 0;
        }
    }
    maker->failed |= result == TW_ERROR_MEMORY;
    return count;
}

size_t kit_cut_at(const kit_turn *turn, uint64_t *state)
{
    const kit_wire *wire = &turn->wire;
    const size_t size = kit_below(state, (uint32_t)wire->bytes.size);
    size_t end = 0;
    while (end < size) {
        end = kit_wire_token_end(wire, end);
    }
    return end >= wire->bytes.size || kit_below(state, 8) == 0 ? size : end;
}

void kit_cut_off(kit_turn *turn, size_t end)
{
    kit_wire_drop(&turn->wire, end, turn->wire.bytes.size);
    turn->cut = true;
}

/* Writes the part of the member |key| of the |whole| message that |cut| has,
 * too: a marker that was cut may be anything. */
static void jot_spoken(tw_json_out *json_out, const char *key,
                       const tw_value *whole, const tw_value *cut)
{
    const kit_span said = kit_span_of(tw_value_member(whole, key));
    const kit_span read = kit_span_of(tw_value_member(cut, key));
    const size_t size =
        tw_bytes_shared(said.text, said.size, read.text, read.size);
    tw_json_put_string(json_out, said.text, size);
}

/* What text and reasoning the maker's own decoder finds in front of the cut.
 * False: no memory. */
static bool note_spoken(kit_maker *maker, kit_turn *turn)
{
    tw_json_out json_out = {.memory = maker->memory};
    tw_buffer read = {0};
    tw_tree whole;
    tw_tree cut;
    tw_tree_init(&whole, maker->memory);
    tw_tree_init(&cut, maker->memory);
    bool good =
        kit_read_cut(maker, turn, &read) &&
        tw_tree_read(&whole, (const char *)turn->message.data,
                     turn->message.size, false) == TW_OK &&
        tw_tree_read(&cut, (const char *)read.data, read.size, false) == TW_OK;
    if (good) {
        tw_json_put(&json_out, "{\"content\":");
        jot_spoken(&json_out, "content", whole.root, cut.root);
        tw_json_put(&json_out, ",\"reasoning_content\":");
        jot_spoken(&json_out, "reasoning_content", whole.root, cut.root);
        tw_json_put(&json_out, "}");
        good = !json_out.failed;
    }
    tw_buffer_free(&turn->due.spoken, maker->memory);
    turn->due.spoken = json_out.out;
    tw_buffer_free(&read, maker->memory);
    tw_tree_free(&whole);
    tw_tree_free(&cut);
    maker->failed |= !good;
    return good;
}

/* The slip |which| in the wire of |one|, of which the maker's own decoder
 * makes the message again: there is no doubt of what is meant. */
bool kit_slip_into(kit_maker *maker, const kit_case *one, size_t which,
                   kit_wire *to)
{
    kit_turn spoilt = one->its;
    bool found = false;
    int made = 1;
    spoilt.wire = *to;
    spoilt.undeclared = kit_slip_undeclares(which);
    for (size_t place = 0; made == 1 && place < PLACES && !found; place++) {
        made = kit_slip_at(&spoilt.wire, &one->its.wire, maker->format,
                           maker->memory, which, place);
        maker->failed |= made < 0;
        found = made == 1 && kit_reads_back(maker, &spoilt, false) &&
                spoilt.inside == one->its.inside;
    }
    *to = spoilt.wire;
    return found;
}

/* The one that is asked for, else any.  None: the case is not spoilt. */
static bool slip(kit_maker *maker, kit_case *one, uint64_t *state)
{
    const size_t count = kit_slip_count();
    kit_wire spoilt = {0};
    bool found = false;
    for (size_t i = 0; i < DRAWS * count && !found && !maker->failed; i++) {
        const size_t which =
            one->slip != NULL ? i % count : kit_below(state, (uint32_t)count);
        if (one->slip != NULL && one->slip != kit_slip_name(which)) {
            continue;
        }
        found = kit_slip_into(maker, one, which, &spoilt);
        if (found) {
            one->slip = kit_slip_name(which);
            one->its.undeclared = kit_slip_undeclares(which);
            kit_wire_swap(&one->its.wire, &spoilt);
        }
    }
    kit_wire_free(&spoilt, maker->memory);
    return found;
}

bool kit_spoil(kit_maker *maker, kit_case *one)
{
    uint64_t state = one->chance;
    switch (one->kind) {
    case KIT_TYPO:
        return slip(maker, one, &state) || (one->lenient && !maker->failed);
    case KIT_ENCODING:
        if (kit_below(&state, 2) == 0) {
            damage_marker(one, &state);
            return true;
        }
        maker->failed |= !put_bad_bytes(one, maker->memory, &state);
        return !maker->failed;
    case KIT_TRUNCATED: {
        const size_t end = kit_cut_at(&one->its, &state);
        one->its.due.calls = whole_calls(maker, &one->its, end);
        kit_cut_off(&one->its, end);
        return note_spoken(maker, &one->its);
    }
    default: return true;
    }
}
