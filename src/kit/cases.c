/* SPDX-License-Identifier: MIT
 *
 * A case is a random message, encoded, then spoilt as its class says and cut.
 */
#include "kit/cases.h"

#include <stdio.h>
#include <string.h>

#include "kit/message.h"
#include "kit/random.h"
#include "kit/typo.h"

/* So many messages are tried; from FOREIGN on, only what markers of other
 * formats may do is, and the LAST are plain: every format carries those. */
enum { TRIES = 64, FOREIGN = 8, LAST = 8 };

static const struct {
    const char *name;
    kit_accept accept;
} classes[KIT_CLASSES] = {
    {"legal", KIT_EXACT},     {"rare", KIT_EXACT},
    {"typo", KIT_OR_LESS},    {"truncated", KIT_PREFIX},
    {"injection", KIT_EXACT}, {"encoding", KIT_NO_FORGERY},
    {"depth", KIT_OR_LESS},
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

const char *kit_accept_name(kit_accept accept)
{
    static const char *const names[] = {"exact", "or_less", "prefix",
                                        "no_forgery"};
    return names[accept];
}

/* ---- making ------------------------------------------------------------- */

bool kit_maker_init(kit_maker *maker, const tw_memory *memory,
                    const tw_format *format, uint64_t seed)
{
    maker->memory = memory;
    maker->format = format;
    maker->state = seed;
    maker->failed = false;
    maker->encoder = tw_encoder_new(format, memory);
    maker->decoder = tw_decoder_new(format, memory);
    maker->writer = tw_writer_new(TW_SHAPE_MESSAGE, memory);
    return maker->encoder != NULL && maker->decoder != NULL &&
           maker->writer != NULL;
}

void kit_maker_free(kit_maker *maker)
{
    tw_encoder_free(maker->encoder);
    tw_decoder_free(maker->decoder);
    tw_writer_free(maker->writer);
}

void kit_case_free(kit_case *one, const tw_memory *memory)
{
    tw_buffer_free(&one->message, memory);
    tw_buffer_free(&one->wire, memory);
}

/* Bytes that are no UTF-8, put in front of a byte that is one by itself. */
static bool put_bad_bytes(kit_case *one, const tw_memory *memory,
                          uint64_t *state)
{
    static const char *const bad[] = {"\xFF", "\xC3", "\xE2\x82",
                                      "\xED\xA0\x80", "\xC0\xAF"};
    const char *bytes = bad[kit_below(state, 5)];
    const size_t size = strlen(bytes);
    const size_t at = kit_below(state, (uint32_t)one->wire.size + 1);
    const bool good = tw_buffer_append(&one->wire, memory, bytes, size);
    if (good) {
        memmove(one->wire.data + at + size, one->wire.data + at,
                one->wire.size - size - at);
        memcpy(one->wire.data + at, bytes, size);
    }
    return good;
}

/* Are the format's tags text that a JSON string may hold as it is? */
static bool has_literal_tags(const tw_format *format)
{
    const tw_marker *marker;
    return tw_format_marker(format, 0, &marker) == 1 && marker->literal == 1;
}

/* Tags in JSON strings as templates write them, not escaped as encoders do:
 * only a parser that does not know JSON is misled. */
static void bare_tags(tw_buffer *wire)
{
    static const char escape[] = "\\u003c";
    const size_t size = sizeof escape - 1;
    size_t to = 0;
    for (size_t at = 0; at < wire->size; to++) {
        const bool found = wire->size - at >= size &&
                           memcmp(wire->data + at, escape, size) == 0;
        wire->data[to] = found ? '<' : wire->data[at];
        at += found ? size : 1;
    }
    wire->size = to;
}

/* A broken template is no loss: what is written is whole.  Nor is an id: no
 * answer is judged by its ids. */
static bool is_whole(tw_encoder *encoder)
{
    const tw_error *report;
    for (size_t i = 0; tw_encoder_report(encoder, i, &report) == 1; i++) {
        if (report->detail != TW_LOSS_TEMPLATE_DEFECT &&
            report->detail != TW_LOSS_CALL_ID) {
            return false;
        }
    }
    return true;
}

/* False: no memory. */
static bool spoil(kit_maker *maker, kit_case *one)
{
    uint64_t state = one->chance;
    switch (one->kind) {
    case KIT_TYPO: return kit_slip(&one->wire, maker->memory, &state);
    case KIT_ENCODING: return put_bad_bytes(one, maker->memory, &state);
    case KIT_TRUNCATED:
        one->wire.size = kit_below(&state, (uint32_t)one->wire.size);
        return true;
    case KIT_INJECTION:
        if (has_literal_tags(one->format)) {
            bare_tags(&one->wire);
        }
        return true;
    default: return true;
    }
}

static bool has(const char *text, size_t size, const char *word)
{
    const size_t length = strlen(word);
    bool found = false;
    for (size_t at = 0; at + length <= size && !found; at++) {
        found = memcmp(text + at, word, length) == 0;
    }
    return found;
}

/* Is the message's reasoning read only by who knows that the prompt began
 * it? */
static bool goes_on_inside(kit_maker *maker, const kit_case *one)
{
    static const char member[] = "\"reasoning_content\":\"";
    const char *line;
    size_t size;
    if (!has((const char *)one->message.data, one->message.size, member)) {
        return false;
    }
    tw_decoder_reset(maker->decoder);
    const int result = tw_decode_message(maker->decoder, maker->writer,
                                         (const char *)one->wire.data,
                                         one->wire.size, &line, &size);
    maker->failed |= result == TW_ERROR_MEMORY;
    return result == TW_OK && !has(line, size, member);
}

bool kit_write(kit_maker *maker, kit_case *one)
{
    const char *text;
    size_t size;
    /* Injected markers are written as data, where the format has a way. */
    const int result =
        tw_encode_completion(maker->encoder, (const char *)one->message.data,
                             one->message.size, &text, &size);
    one->wire.size = 0;
    if (result != TW_OK || !is_whole(maker->encoder)) {
        maker->failed |= result == TW_ERROR_MEMORY;
        return false;
    }
    bool good = tw_buffer_append(&one->wire, maker->memory, text, size);
    one->inside = good && goes_on_inside(maker, one);
    good = good && spoil(maker, one);
    maker->failed |= !good;
    return good;
}

/* A message that the format carries whole. */
static bool make_message(kit_maker *maker, kit_case *one, uint64_t *state)
{
    tw_json_out json_out = {.memory = maker->memory};
    for (int i = 0; i < TRIES && !maker->failed; i++) {
        json_out.out.size = 0;
        kit_jot_message(&json_out, state,
                        i < TRIES - LAST ? one->kind : KIT_LEGAL, one->format,
                        i >= FOREIGN);
        if (json_out.failed) {
            break;
        }
        tw_buffer_free(&one->message, maker->memory);
        one->message = json_out.out;
        memset(&json_out.out, 0, sizeof json_out.out);
        if (kit_write(maker, one)) {
            return true;
        }
    }
    tw_buffer_free(&json_out.out, maker->memory);
    return false;
}

static void cut(kit_case *one, uint64_t *state)
{
    size_t at = 0;
    one->cut_count = 0;
    while (one->cut_count < KIT_CUTS && at + 1 < one->wire.size) {
        const size_t rest = one->wire.size - at - 1;
        at += 1 + kit_below(state, (uint32_t)(rest < 40 ? rest : 40) + 1);
        if (at < one->wire.size) {
            one->cuts[one->cut_count++] = at;
        }
    }
}

bool kit_make(kit_maker *maker, kit_case *one, kit_class kind, uint64_t number)
{
    uint64_t state = maker->state + ((uint64_t)kind << 56) +
                     number * UINT64_C(0x632BE59BD9B4E019);
    kit_random(&state);
    one->chance = ~state;
    one->kind = kind;
    one->format = maker->format;
    one->accept = classes[kind].accept;
    snprintf(one->id, sizeof one->id, "%s-%s-%llu",
             tw_format_name(maker->format), classes[kind].name,
             (unsigned long long)number);
    if (!make_message(maker, one, &state)) {
        return false;
    }
    cut(one, &state);
    return true;
}

/* ---- printing ----------------------------------------------------------- */

static void jot_base64(tw_json_out *json_out, const uint8_t *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
                                 "qrstuvwxyz0123456789+/";
    tw_json_put(json_out, "\"");
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t bits = (uint32_t)data[i] << 16 |
                              (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                              (left > 2 ? data[i + 2] : 0u);
        const char four[] = {digits[bits >> 18], digits[bits >> 12 & 63],
                             left > 1 ? digits[bits >> 6 & 63] : '=',
                             left > 2 ? digits[bits & 63] : '='};
        tw_json_put_text(json_out, four, sizeof four);
    }
    tw_json_put(json_out, "\"");
}

void kit_jot_chunks(tw_json_out *json_out, const tw_buffer *wire,
                    const size_t *cuts, size_t cut_count)
{
    size_t from = 0;
    tw_json_put(json_out, "[");
    for (size_t i = 0; i <= cut_count; i++) {
        const size_t to = i < cut_count ? cuts[i] : wire->size;
        tw_json_put(json_out, i > 0 ? "," : "");
        /* A case that was made small may have no bytes. */
        jot_base64(json_out, to > from ? wire->data + from : NULL, to - from);
        from = to;
    }
    tw_json_put(json_out, "]");
}

void kit_jot_start(tw_json_out *json_out, const kit_case *one)
{
    tw_json_put(json_out, one->inside ? ",\"start\":\"reasoning\"" : "");
}

/* Of any bytes. */
#define MUST_NOT "\"hang\",\"crash\",\"split_variance\",\"invalid_json\""

void kit_jot_case(tw_json_out *json_out, const kit_case *one)
{
    const char *format = tw_format_name(one->format);
    tw_json_put(json_out, "{\"id\":");
    tw_json_put_string(json_out, one->id, strlen(one->id));
    tw_json_put(json_out, ",\"format\":");
    tw_json_put_string(json_out, format, strlen(format));
    tw_json_put(json_out, ",\"class\":\"");
    tw_json_put(json_out, kit_class_name(one->kind));
    tw_json_put(json_out, "\"");
    kit_jot_start(json_out, one);
    tw_json_put(json_out, ",\"wire\":");
    tw_json_put_string(json_out, (const char *)one->wire.data, one->wire.size);
    tw_json_put(json_out, ",\"wire_b64\":");
    jot_base64(json_out, one->wire.data, one->wire.size);
    tw_json_put(json_out, ",\"cuts\":[");
    for (size_t i = 0; i < one->cut_count; i++) {
        tw_json_put(json_out, i > 0 ? "," : "");
        tw_json_put_number(json_out, one->cuts[i]);
    }
    tw_json_put(json_out, "],\"message\":");
    if (one->message.size == 0) {
        tw_json_put(json_out,
                    "null,\"accept\":null,\"must_not\":[" MUST_NOT "]}");
        return;
    }
    tw_json_put_text(json_out, (const char *)one->message.data,
                     one->message.size);
    tw_json_put(json_out, ",\"accept\":\"");
    tw_json_put(json_out, kit_accept_name(one->accept));
    tw_json_put(json_out, "\",\"must_not\":[" MUST_NOT ",\"forged_call\"");
    tw_json_put(json_out, one->accept != KIT_NO_FORGERY
                              ? ",\"lost_bytes\",\"wrong_arguments\""
                              : "");
    tw_json_put(json_out, one->accept == KIT_EXACT ? ",\"refused\"]}" : "]}");
}
