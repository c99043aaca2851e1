/* SPDX-License-Identifier: MIT
 *
 * What a format makes of messages, and reads of what it made.
 */
#include "kit/make/maker.h"

#include <string.h>

#include "kit/tools.h"

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

size_t kit_before_end(const kit_maker *maker, const kit_wire *wire)
{
    bool inner;
    return kit_wire_stop(wire, maker->format, &inner);
}

size_t kit_behind_prologue(const kit_maker *maker, const kit_wire *wire)
{
    const size_t size = maker->prologue.bytes.size;
    return tw_buffer_shared(&wire->bytes, &maker->prologue.bytes) == size
               ? size
               : 0;
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
    kit_jot_turn_tools(&tools, &tree, turn);
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
                                  tw_buffer_shared(&one.bytes, &two.bytes));
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
