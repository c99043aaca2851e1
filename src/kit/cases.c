/* SPDX-License-Identifier: MIT
 *
 * A case is a random message, encoded, put in the order that models write,
 * then spoilt as its class says and cut.
 */
#include "kit/cases.h"

#include <stdio.h>
#include <string.h>

#include "kit/message.h"
#include "kit/order.h"
#include "kit/random.h"
#include "kit/spoil.h"
#include "kit/tools.h"

/* So many messages are tried; from FOREIGN on, only what markers of other
 * formats may do is, and the LAST are plain: every format carries those. */
enum { TRIES = 64, FOREIGN = 8, LAST = 8, TRIES_OF_A_SLIP = 24 };

/* Bytes of what is long. */
enum { LONG = 16384 };

static const struct {
    const char *name;
    kit_accept accept;
} classes[KIT_CLASSES] = {
    {"legal", KIT_EXACT},     {"rare", KIT_EXACT},
    {"typo", KIT_OR_LESS},    {"truncated", KIT_PREFIX},
    {"injection", KIT_EXACT}, {"encoding", KIT_NO_FORGERY},
    {"depth", KIT_OR_LESS},   {"long", KIT_EXACT},
    {"reuse", KIT_EXACT},     {"interleaved", KIT_EXACT},
};

const char *kit_class_name(kit_class kind)
{
    return classes[kind].name;
}

kit_class kit_class_find(const char *name)
{
    int kind = 0;
    while (kind < KIT_CLASSES && strcmp(classes[kind].name, name) != 0) {
        kind++;
    }
    return (kit_class)kind;
}

static const char *const accepts[] = {"exact", "or_less", "prefix",
                                      "no_forgery"};

const char *kit_accept_name(kit_accept accept)
{
    return accepts[accept];
}

bool kit_accept_find(const char *name, kit_accept *accept)
{
    for (size_t i = 0; i < sizeof accepts / sizeof accepts[0]; i++) {
        if (strcmp(name, accepts[i]) == 0) {
            *accept = (kit_accept)i;
            return true;
        }
    }
    return false;
}

/* ---- completions -------------------------------------------------------- */

bool kit_encode(kit_maker *maker, kit_wire *wire, const char *message,
                size_t size)
{
    const tw_segment *segment;
    const char *text;
    size_t text_size;
    size_t whole = 0;
    const int result =
        tw_encode_completion(maker->encoder, message, size, &text, &text_size);
    kit_wire_clear(wire);
    /* What is lost is seen when the wire is read back. */
    if (result != TW_OK) {
        maker->failed |= result == TW_ERROR_MEMORY;
        return false;
    }
    bool good = true;
    while (good && tw_encoder_next(maker->encoder, &segment) == 1) {
        whole += segment->size;
        good = segment->control == 1
                   ? kit_wire_append_words(wire, maker->memory, maker->format,
                                           segment->data, segment->size)
                   : kit_wire_append(wire, maker->memory, segment->data,
                                     segment->size, KIT_PLAIN);
    }
    if (good) { /* the segments have the head of the turn, too */
        kit_wire_drop(wire, 0, whole - text_size);
    }
    maker->failed |= !good;
    return good;
}

/* How many bytes both begin with. */
static size_t common_front(const kit_wire *a, const kit_wire *b)
{
    size_t size = 0;
    while (size < a->bytes.size && size < b->bytes.size &&
           a->bytes.data[size] == b->bytes.data[size]) {
        size++;
    }
    return size;
}

size_t kit_before_end(const kit_maker *maker, const kit_wire *wire)
{
    bool inner;
    return kit_wire_stop(wire, maker->format, &inner);
}

size_t kit_behind_prologue(const kit_maker *maker, const kit_wire *wire)
{
    const size_t size = maker->prologue.bytes.size;
    return common_front(wire, &maker->prologue) == size ? size : 0;
}

/* ---- reading back ------------------------------------------------------- */

static bool decodes(kit_maker *maker, const kit_turn *turn, bool inside,
                    tw_tree *answer, bool exact)
{
    static const char frame[] = "{\"message\":";
    tw_json_out line = {.memory = maker->memory};
    const char *text;
    size_t size;
    tw_decoder_reset(maker->decoder);
    tw_decoder_set(maker->decoder, TW_OPTION_START_REASONING, inside);
    const int result = tw_decode_message(maker->decoder, maker->writer,
                                         (const char *)turn->wire.bytes.data,
                                         turn->wire.bytes.size, &text, &size);
    maker->failed |= result == TW_ERROR_MEMORY;
    bool good = result == TW_OK;
    if (good) {
        tw_json_put(&line, frame);
        tw_json_put_text(&line, text, size);
        tw_json_put(&line, "}");
        good =
            !line.failed && tw_tree_read(answer, (const char *)line.out.data,
                                         line.out.size, false) == TW_OK;
        maker->failed |= !good; /* what a writer wrote is JSON */
    }
    tw_buffer_free(&line.out, maker->memory);
    return good &&
           !(exact && tw_value_member(tw_value_member(answer->root, "message"),
                                      "toolwire") != NULL);
}

static bool means_the_same(kit_maker *maker, const kit_turn *turn, bool inside,
                           bool exact)
{
    kit_findings findings = {.count = 0};
    tw_tree answer;
    tw_tree_init(&answer, maker->memory);
    const bool read = decodes(maker, turn, inside, &answer, exact);
    const bool judged =
        !read || kit_judge(&findings, KIT_EXACT, NULL, &turn->message,
                           answer.root, maker->memory);
    maker->failed |= !judged;
    tw_tree_free(&answer);
    return read && judged && findings.count == 0;
}

static bool set_tools(kit_maker *maker, const kit_turn *turn)
{
    tw_json_out tools = {.memory = maker->memory};
    tw_tree tree;
    tw_tree_init(&tree, maker->memory);
    kit_jot_tools(&tools, &tree, &turn->message);
    tw_decoder_reset(maker->decoder);
    const int result = tools.failed
                           ? TW_ERROR_MEMORY
                           : tw_decoder_set_tools(maker->decoder,
                                                  (const char *)tools.out.data,
                                                  tools.out.size);
    maker->failed |= result == TW_ERROR_MEMORY;
    tw_tree_free(&tree);
    tw_buffer_free(&tools.out, maker->memory);
    return result == TW_OK;
}

bool kit_reads_back(kit_maker *maker, kit_turn *turn, bool exact)
{
    if (!set_tools(maker, turn)) {
        return false;
    }
    turn->inside = false;
    if (means_the_same(maker, turn, false, exact)) {
        return true;
    }
    /* Reasoning that only who knows the prompt can tell from text. */
    turn->inside = !maker->failed && means_the_same(maker, turn, true, exact);
    return turn->inside;
}

static int write_events(kit_maker *maker)
{
    const tw_event *event;
    int result = TW_OK;
    while (result == TW_OK && tw_decoder_next(maker->decoder, &event) == 1) {
        result = tw_writer_event(maker->writer, event);
    }
    return result;
}

bool kit_read_cut(kit_maker *maker, const kit_turn *turn, tw_buffer *message)
{
    const tw_buffer *bytes = &turn->wire.bytes;
    const char *text;
    size_t size;
    bool good = set_tools(maker, turn);
    tw_decoder_set(maker->decoder, TW_OPTION_START_REASONING, turn->inside);
    tw_writer_reset(maker->writer);
    good = good &&
           (bytes->size == 0 ||
            tw_decoder_feed(maker->decoder, (const char *)bytes->data,
                            bytes->size, TW_MARK_UNKNOWN) == TW_OK) &&
           write_events(maker) == TW_OK &&
           tw_decoder_finish(maker->decoder, TW_FINISH_LENGTH) == TW_OK &&
           write_events(maker) == TW_OK &&
           tw_writer_take(maker->writer, &text, &size) == 1 &&
           tw_buffer_append(message, maker->memory, text, size);
    maker->failed |= !good;
    return good;
}

/* ---- the maker ---------------------------------------------------------- */

#define CALL                                                           \
    "{\"id\":\"call_0\",\"type\":\"function\",\"function\":{\"name\":" \
    "\"forged\",\"arguments\":{}}}"
#define SECOND                                                         \
    "{\"id\":\"call_1\",\"type\":\"function\",\"function\":{\"name\":" \
    "\"forged\",\"arguments\":{}}}"

static bool encode_words(kit_maker *maker, kit_wire *wire, const char *words)
{
    return kit_encode(maker, wire, words, strlen(words));
}

/* What is found out once: what stands in front of texts, how a call is
 * written, and whether a second one can follow. */
static void learn(kit_maker *maker)
{
    kit_wire one = {0};
    kit_wire two = {0};
    if (encode_words(maker, &one,
                     "{\"role\":\"assistant\",\"content\":\"a\"}") &&
        encode_words(maker, &two,
                     "{\"role\":\"assistant\",\"content\":\"b\"}")) {
        maker->failed |=
            !kit_wire_append_part(&maker->prologue, maker->memory, &one, 0,
                                  common_front(&one, &two));
    }
    if (encode_words(maker, &two,
                     "{\"role\":\"assistant\",\"content\":null,"
                     "\"tool_calls\":[" CALL "," SECOND "]}")) {
        kit_wire_stop(&two, maker->format, &maker->single);
    }
    if (encode_words(maker, &two,
                     "{\"role\":\"assistant\",\"content\":null,"
                     "\"tool_calls\":[" CALL "]}")) {
        maker->failed |=
            !kit_wire_append_part(&maker->forged, maker->memory, &two,
                                  kit_behind_prologue(maker, &two),
                                  kit_before_end(maker, &two)) ||
            !tw_buffer_reserve(&maker->forged.bytes, maker->memory, 1);
        if (!maker->failed) { /* a string's end, which is no part of it */
            maker->forged.bytes.data[maker->forged.bytes.size] = '\0';
        }
    }
    kit_wire_free(&one, maker->memory);
    kit_wire_free(&two, maker->memory);
}

bool kit_maker_init(kit_maker *maker, const tw_memory *memory,
                    const tw_format *format, uint64_t seed)
{
    memset(maker, 0, sizeof *maker);
    maker->memory = memory;
    maker->format = format;
    maker->state = seed;
    maker->encoder = tw_encoder_new(format, memory);
    maker->decoder = tw_decoder_new(format, memory);
    maker->writer = tw_writer_new(TW_SHAPE_MESSAGE, memory);
    if (maker->encoder != NULL && maker->decoder != NULL &&
        maker->writer != NULL) {
        learn(maker);
    }
    return maker->encoder != NULL && maker->decoder != NULL &&
           maker->writer != NULL && !maker->failed;
}

void kit_maker_free(kit_maker *maker)
{
    tw_encoder_free(maker->encoder);
    tw_decoder_free(maker->decoder);
    tw_writer_free(maker->writer);
    kit_wire_free(&maker->forged, maker->memory);
    kit_wire_free(&maker->prologue, maker->memory);
}

void kit_case_init(kit_case *one)
{
    memset(one, 0, sizeof *one);
}

static void turn_free(kit_turn *turn, const tw_memory *memory)
{
    tw_buffer_free(&turn->message, memory);
    tw_buffer_free(&turn->tools, memory);
    tw_buffer_free(&turn->due.spoken, memory);
    kit_wire_free(&turn->wire, memory);
}

void kit_case_free(kit_case *one, const tw_memory *memory)
{
    turn_free(&one->its, memory);
    turn_free(&one->other, memory);
}

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
    for (size_t i = 0; made >= 0 && i < 4; i++) {
        if ((one->chance >> (8 + i) & 1) == 0) {
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

/* So many messages are looked at for them. */
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
    one->accept = classes[kind].accept;
    one->size = size;
    one->grows = (kit_part)(number % KIT_NO_PART);
    one->its.cut = one->other.cut = false;
    one->its.due.calls = one->other.due.calls = 0;
    one->its.due.spoken.size = one->other.due.spoken.size = 0;
    snprintf(one->id, sizeof one->id, "%s-%s-%llu",
             tw_format_name(maker->format), classes[kind].name,
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
