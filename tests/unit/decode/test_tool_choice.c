/* SPDX-License-Identifier: MIT
 *
 * A request's tool_choice.  With "none" no call leaves, in no format and
 * however the text is cut: what the model wrote is text, byte for byte, and
 * every byte is still accounted for once.  A call that was asked for and did
 * not come is told.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "each_format.h"
#include "support/cases.h"
#include "support/events.h"

typedef struct said {
    char *text; /* of TEXT events */
    size_t size;
    uint64_t spans;
    uint32_t number; /* of the last segment */
} said;

static void see(said *what, const tw_event *event, const char *id)
{
    cr_assert(event->type < TW_EVENT_CALL_BEGIN ||
                  event->type > TW_EVENT_UNPARSED,
              "%s: event %u", id, event->type);
    what->spans += event->span;
    if (event->type <= TW_EVENT_REASONING) {
        cr_assert(event->index == what->number ||
                      event->index == what->number + 1,
                  "%s: segment %u behind %u", id, event->index, what->number);
        what->number = event->index;
    }
    if (event->type == TW_EVENT_TEXT) {
        memcpy(what->text + what->size, event->data, event->size);
        what->size += event->size;
    }
}

/* The text of |example|, fed |step| bytes at a time. */
static said say(const conformance_case *example, size_t step)
{
    said what = {malloc(3 * example->size + 1), 0, 0, UINT32_MAX};
    tw_decoder *decoder = case_decoder(example, false);
    const tw_event *event;
    cr_assert_eq(tw_decoder_set(decoder, TW_OPTION_FRAMING, 1), TW_OK);
    cr_assert_eq(tw_decoder_set_text(decoder, TW_TEXT_TOOL_CHOICE, "none", 4),
                 TW_OK);
    for (size_t at = 0; at < example->size; at += step) {
        const size_t left = example->size - at;
        cr_assert_eq(tw_decoder_feed(decoder, example->text + at,
                                     left < step ? left : step,
                                     TW_MARK_UNKNOWN),
                     TW_OK);
        while (tw_decoder_next(decoder, &event) == 1) {
            see(&what, event, example->id);
        }
    }
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    while (tw_decoder_next(decoder, &event) == 1) {
        see(&what, event, example->id);
    }
    cr_assert_eq(tw_decoder_error(decoder)->code, TW_OK);
    tw_decoder_free(decoder);
    return what;
}

EachFormat(tool_choice, none, "decode")
{
    conformance set = conformance_read(CONFORMANCE_FOLDER, format->text);
    for (size_t i = 0; i < set.count; i++) {
        const conformance_case *example = &set.cases[i];
        static const size_t steps[] = {1, 7};
        said whole = say(example, example->size + 1);
        cr_expect_eq(whole.spans, example->size, "%s: %zu of %zu bytes",
                     example->id, (size_t)whole.spans, example->size);
        for (size_t k = 0; k < 2; k++) {
            said cut = say(example, steps[k]);
            cr_expect(cut.size == whole.size &&
                          memcmp(cut.text, whole.text, cut.size) == 0,
                      "%s: by %zu: %.*s", example->id, steps[k], (int)cut.size,
                      cut.text);
            free(cut.text);
        }
        free(whole.text);
    }
    conformance_free(&set);
}

/* ---- every format ------------------------------------------------------- */

static bool holds(const said *what, const char *word)
{
    const size_t size = strlen(word);
    for (size_t at = 0; at + size <= what->size; at++) {
        if (memcmp(what->text + at, word, size) == 0) {
            return true;
        }
    }
    return false;
}

/* What each format writes of a message with two calls. */
Test(tool_choice, every_format)
{
    static const char message[] =
        "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":"
        "\"functions.wx:0\",\"type\":\"function\",\"function\":{\"name\":"
        "\"wx\",\"arguments\":\"{\\\"city\\\": \\\"Oslo\\\"}\"}},{\"id\":"
        "\"functions.tide:1\",\"type\":\"function\",\"function\":{\"name\":"
        "\"tide\",\"arguments\":\"{\\\"at\\\": \\\"Brest\\\"}\"}}]}";
    const tw_format *format;
    size_t asked = 0;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        const char *text;
        size_t size;
        if (tw_encode_completion(encoder, message, sizeof message - 1, &text,
                                 &size) == TW_OK) {
            const conformance_case example = {.id = tw_format_name(format),
                                              .text = (char *)text,
                                              .size = size,
                                              .format = format};
            said what = say(&example, 5);
            cr_expect(holds(&what, "wx") && holds(&what, "Brest") &&
                          holds(&what, "tide") && holds(&what, "Oslo"),
                      "%s: %.*s", example.id, (int)what.size, what.text);
            free(what.text);
            asked++;
        }
        tw_encoder_free(encoder);
    }
    cr_expect_gt(asked, 60);
}

/* ---- what is text, and what is told ------------------------------------- */

static void expect(const char *format, const char *choice, const char *text,
                   const char *line)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find(format), NULL);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    const char *message;
    size_t size;
    cr_assert_eq(tw_decoder_set_text(decoder, TW_TEXT_TOOL_CHOICE, choice,
                                     strlen(choice)),
                 TW_OK);
    cr_assert_eq(tw_decode_message(decoder, writer, text, strlen(text),
                                   &message, &size),
                 TW_OK);
    cr_expect(strlen(line) == size && memcmp(line, message, size) == 0,
              "%s, %s: %.*s", format, choice, (int)size, message);
    tw_decoder_free(decoder);
    tw_writer_free(writer);
}

#define CALL "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"
#define AS_TEXT                                                   \
    "<tool_call>\\n{\\\"name\\\": \\\"f\\\", \\\"arguments\\\": " \
    "{}}\\n</tool_call>"

Test(tool_choice, text)
{
    expect("hermes", "none",
           "<think>\nHm.\n</think>\n\nHi\n" CALL "\n" CALL "<|im_end|>",
           "{\"role\":\"assistant\",\"content\":\"Hi\\n" AS_TEXT "\\n" AS_TEXT
           "\",\"reasoning_content\":\"Hm.\"}");
    expect("hermes", "none", "<tool_call>\n{\"name\": \"f\", \"argu",
           "{\"role\":\"assistant\",\"content\":\"<tool_call>\\n{\\\"name\\\":"
           " \\\"f\\\", \\\"argu\"}");
    expect("hermes", "none", CALL " then \xff" CALL,
           "{\"role\":\"assistant\",\"content\":\"" AS_TEXT
           " then \xef\xbf\xbd" AS_TEXT "\",\"toolwire\":{\"diagnostics\":"
           "[{\"code\":\"invalid_utf8\",\"offset\":61,\"size\":0}]}}");
}

#define UNMET                                                          \
    ",\"toolwire\":{\"diagnostics\":[{\"code\":\"tool_choice_unmet\"," \
    "\"offset\":"

Test(tool_choice, unmet)
{
    static const char call[] =
        "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":"
        "\"call_0\",\"type\":\"function\",\"function\":{\"name\":\"f\","
        "\"arguments\":\"{}\"}}]}";
    expect("hermes", "auto", "Hi",
           "{\"role\":\"assistant\",\"content\":\"Hi\"}");
    expect("hermes", "required", CALL, call);
    expect("hermes", "f", CALL, call);
    expect("hermes", "required", "Hi",
           "{\"role\":\"assistant\",\"content\":\"Hi\"" UNMET
           "2,\"size\":0}]}}");
    expect("hermes", "g", CALL,
           "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":"
           "\"call_0\",\"type\":\"function\",\"function\":{\"name\":\"f\","
           "\"arguments\":\"{}\"}}]" UNMET "55,\"size\":0}]}}");
}

/* It is an option of decoders, and of converters that have one. */
Test(tool_choice, who_takes_it)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find("hermes"), NULL);
    tw_writer *writer = tw_writer_new(TW_SHAPE_CHUNKS, NULL);
    tw_converter *converter = tw_converter_new("hermes", "openai", NULL);
    tw_converter *shapes = tw_converter_new("anthropic", "openai", NULL);
    cr_expect_eq(tw_decoder_set_text(decoder, TW_TEXT_TOOL_CHOICE, NULL, 0),
                 TW_OK);
    cr_expect_eq(tw_writer_set_text(writer, TW_TEXT_TOOL_CHOICE, "none", 4),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(
        tw_converter_set_text(converter, TW_TEXT_TOOL_CHOICE, "none", 4),
        TW_OK);
    cr_expect_eq(tw_converter_set_text(shapes, TW_TEXT_TOOL_CHOICE, "none", 4),
                 TW_ERROR_ARGUMENT);
    static const char object[] =
        "{\"type\":\"function\",\"function\":{\"name\":\"tide\"}}";
    cr_expect_eq(tw_decoder_set_text(decoder, TW_TEXT_TOOL_CHOICE, object,
                                     sizeof object - 1),
                 TW_ERROR_ARGUMENT);
    cr_expect_str_eq(tw_decoder_error(decoder)->message,
                     "of an object the name of its tool is wanted alone");
    tw_decoder_feed(decoder, "x", 1, TW_MARK_UNKNOWN);
    cr_expect_eq(tw_decoder_set_text(decoder, TW_TEXT_TOOL_CHOICE, "none", 4),
                 TW_ERROR_STATE);
    tw_converter_free(shapes);
    tw_converter_free(converter);
    tw_writer_free(writer);
    tw_decoder_free(decoder);
}
