/* SPDX-License-Identifier: MIT
 *
 * Each allocation fails in turn where converters check calls, read elsewhere,
 * sort and write arguments of many kinds, and where templates are imported:
 * it is said, and nothing else is said or kept.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "allocator.h"

/* What is done with an allocator: TW_OK or TW_ERROR_MEMORY. */
typedef int deed(const tw_allocator *, const void *context);

static void sweep(deed *act, const void *context, const char *name)
{
    size_t fail_at = 1;
    bool failed = true;
    for (; failed; fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        const tw_allocator allocator = test_allocator(&memory);
        const int result = act(&allocator, context);
        failed = memory.count >= fail_at;
        cr_expect(result == TW_OK || (failed && result == TW_ERROR_MEMORY),
                  "%s, allocation %zu: %d", name, fail_at, result);
        cr_assert_eq(memory.live, 0, "%s, allocation %zu", name, fail_at);
    }
    cr_expect_gt(fail_at, 5, "%s", name);
}

/* ---- converters --------------------------------------------------------- */

typedef struct conversion {
    const char *from;
    const char *to;
    const char *record;
    const char *tools;    /* or NULL */
    const char *messages; /* where they are, or NULL */
    const char *wire;     /* of the texts in them, or NULL */
    bool completion;
} conversion;

static int set_all(tw_converter *converter, const conversion *its)
{
    int result = TW_OK;
    if (its->messages != NULL) {
        result = tw_converter_set_text(converter, TW_TEXT_MESSAGES,
                                       its->messages, strlen(its->messages));
    }
    if (result == TW_OK && its->wire != NULL) {
        result = tw_converter_set_wire(converter, tw_format_find(its->wire));
    }
    if (result == TW_OK && its->completion) {
        result = tw_converter_set(converter, TW_OPTION_UNIT_COMPLETION, 1);
    }
    if (result == TW_OK && its->tools != NULL) {
        result =
            tw_converter_set_tools(converter, its->tools, strlen(its->tools));
    }
    if (result == TW_OK && its->tools != NULL) {
        result = tw_converter_set(converter, TW_OPTION_VALIDATE,
                                  TW_VALIDATE_REPORT);
    }
    return result;
}

static int convert(const tw_allocator *allocator, const void *context)
{
    const conversion *its = context;
    const char *out;
    size_t size;
    tw_converter *converter = tw_converter_new(its->from, its->to, allocator);
    int result = TW_ERROR_MEMORY;
    if (converter != NULL) {
        result = set_all(converter, its);
    }
    if (converter != NULL && result == TW_OK) {
        char *record = strdup(its->record); /* so that nothing else is read */
        result = tw_converter_record(converter, record, strlen(record), &out,
                                     &size);
        free(record);
    }
    tw_converter_free(converter);
    return result;
}

#define CALLS(arguments)                                                   \
    "{\"role\":\"assistant\",\"content\":\"Hi.\",\"tool_calls\":[{\"id\":" \
    "\"call_0\",\"type\":\"function\",\"function\":{\"name\":\"f\","       \
    "\"arguments\":" arguments "}}]}"
#define ASKED(arguments)                                             \
    "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi.\"}," CALLS( \
        arguments) "]}"
#define WORDS                                                          \
    "\\\"a long word that needs room of its own, and more of it, and " \
    "still more: \\\""
#define DIGITS                                                            \
    "1234567890123456789012345678901234567890123456789012345678901234567" \
    "890123456789012345678901234567890.5"
/* Unsorted, nested, halves of pairs, numbers that Python does not hold. */
#define RICH                                                     \
    "\"{\\\"z\\\":1,\\\"b\\\":{\\\"y\\\":[1e400,0.1,2E3," DIGITS \
    "],\\\"x\\\":" WORDS "},\\\"a\\\":" WORDS ",\\\"c\\\":null}\""

/* Of all formats, of a third of them under sanitizers; longer than what is
 * kept beforehand. */
Test(out_of_memory, arguments)
{
    enum { STEP = TESTS_SHARE > 4 ? 3 : 1 };
    const tw_format *format;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i += STEP) {
        const conversion its = {.from = "openai",
                                .to = tw_format_name(format),
                                .record = ASKED(RICH),
                                .completion = true};
        sweep(convert, &its, its.to);
    }
}

Test(out_of_memory, halves_of_pairs)
{
    const conversion its = {
        .from = "openai",
        .to = "huggingface",
        .record =
            ASKED("\"{\\\"a\\\": \\\"\\ud83d\\\", \\\"b\\\": " WORDS "}\"")};
    sweep(convert, &its, "halves");
}

/* |path| has no room beside others. */
#define LONG_KEY \
    "a_member_whose_name_is_so_long_that_no_path_of_it_has_room_in_a_block"
#define FAR "{\"" LONG_KEY "\":{\"" LONG_KEY "\":"

Test(out_of_memory, checks)
{
    static const char *const tools[] = {
        "[{\"name\":\"f\",\"parameters\":{\"type\":\"object\",\"properties\":"
        "{\"a\":{\"type\":\"object\",\"properties\":{\"" LONG_KEY
        "\":{\"pattern\":\"^(a|b|c|d|e|f|g|h|i){2,9}[^xyz]+(k|l|m|n|o)$\"},"
        "\"b\":{\"type\":\"integer\"}}}},\"required\":[\"b\"]}}]",
        "[{\"name\":\"another\"}]",
        "[{\"name\":\"f\",\"parameters\":{"
        "\"properties\":{\"a\":{\"type\":\"string\"}}}}]"};
    for (size_t i = 0; i < 3; i++) {
        const conversion its = {
            .from = "openai",
            .to = "huggingface",
            .record = "{\"" LONG_KEY "\":{\"" LONG_KEY "\":[" CALLS(
                "{\"a\":{\"" LONG_KEY "\":\"aaaaabcxk\",\"b\":\"no\"}}") "]}}",
            .tools = tools[i],
            .messages = LONG_KEY "." LONG_KEY};
        sweep(convert, &its, tools[i]);
    }
}

Test(out_of_memory, texts_of_a_wire)
{
    static const char *const froms[] = {"openai", "sharegpt"};
    static const char *const records[] = {
        "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi.\"},{\"role\":"
        "\"assistant\",\"content\":\"Hi.<tool_call>{\\\"name\\\": \\\"f\\\", "
        "\\\"arguments\\\": {}}</tool_call>\"}]}",
        "{\"conversations\":[{\"from\":\"human\",\"value\":\"Hi.\"},{\"from\":"
        "\"gpt\",\"value\":\"Hi.<tool_call>{\\\"name\\\": \\\"f\\\", "
        "\\\"arguments\\\": {}}</tool_call>\"}]}"};
    for (size_t i = 0; i < 2; i++) {
        const conversion its = {.from = froms[i],
                                .to = "huggingface",
                                .record = records[i],
                                .wire = "hermes"};
        sweep(convert, &its, froms[i]);
    }
}

/* Both make the same of a record. */
static void expect_same(tw_converter *converter, tw_converter *other)
{
    static const char record[] =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi.\"},{\"role\":"
        "\"assistant\",\"content\":\"<tool_call>{\\\"name\\\": \\\"f\\\", "
        "\\\"arguments\\\": {}}</tool_call>\"}]}";
    const char *out, *other_out;
    size_t size, other_size;
    const int result = tw_converter_record(converter, record,
                                           sizeof record - 1, &out, &size);
    cr_expect_eq(result, tw_converter_record(other, record, sizeof record - 1,
                                             &other_out, &other_size));
    cr_expect_eq(size, other_size);
    if (size > 0 && size == other_size) { /* a failed one gives no address */
        cr_expect_arr_eq(out, other_out, size, "%.*s", (int)size, out);
    }
}

/* What could not be set is not set in part: the converter goes on without, or
 * is told again. */
Test(out_of_memory, wire_that_is_set_again)
{
    static const char *const ends[] = {"huggingface", "sharegpt"};
    const tw_format *wire = tw_format_find("hermes");
    for (size_t i = 0; i < 4; i++) {
        const char *to = ends[i / 2];
        const bool again = i % 2 == 1;
        int result = TW_ERROR_MEMORY;
        for (size_t fail = 1; result != TW_OK; fail++) {
            test_memory memory = {0};
            const tw_allocator allocator = test_allocator(&memory);
            tw_converter *converter =
                tw_converter_new("openai", to, &allocator);
            tw_converter *other = tw_converter_new("openai", to, NULL);
            memory.fail_at = memory.count + fail;
            result = tw_converter_set_wire(converter, wire);
            memory.fail_at = 0;
            if (result != TW_OK && again) {
                cr_expect_eq(tw_converter_set_wire(converter, wire), TW_OK,
                             "%s, allocation %zu", to, fail);
            }
            if (result == TW_OK || again) {
                tw_converter_set_wire(other, wire);
            }
            expect_same(converter, other);
            tw_converter_free(converter);
            tw_converter_free(other);
            cr_assert_eq(memory.live, 0);
        }
    }
}

/* Of so many messages, some leave no room for the list behind them in a block
 * of values. */
Test(out_of_memory, second_lists)
{
    enum { MESSAGES = 40 };
    static const char sides[] =
        "],\"chosen\":[{\"role\":\"assistant\",\"content\":\"Yes.\"}],"
        "\"rejected\":[{\"role\":\"assistant\",\"content\":\"No.\"}]}";
    char record[MESSAGES * 64 + sizeof sides];
    conversion its = {
        .from = "openai", .to = "trl", .record = record, .wire = "hermes"};
    for (int count = 1; count <= MESSAGES; count++) {
        char *to = record + sprintf(record, "{\"messages\":[");
        for (int i = 0; i < count; i++) {
            to += sprintf(to, "%s{\"role\":\"user\",\"content\":\"%d\"}",
                          i > 0 ? "," : "", i);
        }
        strcpy(to, sides);
        sweep(convert, &its, "second lists");
    }
}

/* ---- descriptions ------------------------------------------------------- */

static int load(const tw_allocator *allocator, const void *context)
{
    const char *json = context;
    tw_format *format = NULL;
    tw_format_error error;
    const int result =
        tw_format_load(json, strlen(json), allocator, &format, &error);
    tw_format_free(format);
    return result;
}

Test(out_of_memory, descriptions)
{
    static const char template[] =
        "{\"response_template\":{\"defaults\":{\"role\":\"assistant\"},"
        "\"start_anchor\":\"<|turn|>model\\n\",\"fields\":{\"thinking\":{"
        "\"open\":\"<mind>\",\"close\":\"</mind>\"},\"tool_calls\":{\"open\":"
        "\"<use>\",\"close\":\"</use>\",\"repeats\":true,\"content\":\"json\","
        "\"transform\":{\"type\":\"function\",\"function\":\"{content}\"}},"
        "\"content\":{\"close\":[\"<|stop|>\",\"<|over|>\"]}}}}";
    static const char three[] =
        "{\"format\":1,\"name\":\"mine\",\"call\":[\"<a>{name}<b>{arguments}"
        "</a>\",\"<c>{name}<d>{arguments}</c>\",\"<e>{name}<f>{arguments}"
        "</e>\"],\"argument\":[\"<k>{key}<v>{value:text}</v>\",\"<k>{key}<w>"
        "{value:json}</w>\"],\"reasoning\":[\"<m>{text}</m>\",\"<n>{text}"
        "</n>\"],\"end\":\"<|stop|>\",\"stops\":\"<|stop|>\"}";
    sweep(load, template, "template");
    sweep(load, three, "three patterns");
}

/* What a description keeps lies in blocks: a longer |about| moves the place
 * where each of its texts has no more room, so each one fails in turn.  Only
 * with the sanitizers it shows who reads on. */
Test(out_of_memory, every_text_of_a_description)
{
    enum { BLOCK = 4096, STEP = 16 };
    static const char begin[] = "{\"format\":1,\"about\":\"";
    static const char end[] =
        "\",\"call\":[\"<tool_call><f={name}>{arguments}</f></tool_call>\","
        "\"<call>{name}<arguments>{arguments}</call>\"],\"argument\":\"<key="
        "{key} of>{value:text}</value>\",\"reasoning\":\"<think>{text}"
        "</think>\",\"text\":\"<say to=all>{text}</say>\",\"stops\":"
        "\"<|stop|>\",\"end\":\"<close><|stop|>\",\"tokens\":[\"<|stop|>\","
        "\"<call>\"]}";
    static char json[sizeof begin + BLOCK + sizeof end];
    for (size_t size = 0; size <= BLOCK; size += STEP) {
        memcpy(json, begin, sizeof begin - 1);
        memset(json + sizeof begin - 1, 'a', size);
        memcpy(json + sizeof begin - 1 + size, end, sizeof end);
        sweep(load, json, "every text");
    }
}

/* ---- calls of a description --------------------------------------------- */

typedef struct output {
    const tw_format *format;
    const char *text;
    const char *id; /* of each call */
} output;

static int take_events(tw_decoder *decoder, const char *id)
{
    const tw_event *event;
    int result;
    while ((result = tw_decoder_next(decoder, &event)) == 1) {
        if (event->type == TW_EVENT_CALL_BEGIN) {
            cr_assert_eq(event->id_size, strlen(id));
            cr_assert_arr_eq(event->id, id, strlen(id));
        }
    }
    return result;
}

static int decode(const tw_allocator *allocator, const void *context)
{
    const output *its = context;
    tw_decoder *decoder = tw_decoder_new(its->format, allocator);
    int result = TW_ERROR_MEMORY;
    if (decoder != NULL) {
        result = tw_decoder_feed(decoder, its->text, strlen(its->text),
                                 TW_MARK_UNKNOWN);
    }
    if (result == TW_OK) {
        result = take_events(decoder, its->id);
    }
    if (result == TW_OK) {
        result = tw_decoder_finish(decoder, TW_FINISH_STOP);
    }
    if (result == TW_OK) {
        result = take_events(decoder, its->id);
    }
    tw_decoder_free(decoder);
    return result;
}

/* Ids that are made of what stands in the call, apart from each other. */
Test(out_of_memory, made_ids)
{
    static const char json[] =
        "{\"format\":1,\"name\":\"mine\",\"call\":\"<a>{index}<b>{name}<c>"
        "{arguments}</a>\",\"id\":\"the-call-of-{name}-with-number-{index}\"}";
    tw_format *format = NULL;
    tw_format_error error;
    cr_assert_eq(tw_format_load(json, strlen(json), NULL, &format, &error),
                 TW_OK, "%s", error.message);
    const output its = {format, "<a>0<b>f<c>{}</a>",
                        "the-call-of-f-with-number-0"};
    sweep(decode, &its, "made ids");
    tw_format_free(format);
}

/* What is broken in it is left out. */
Test(out_of_memory, sessions)
{
#define ITEM(rest) "{\"type\":\"response_item\",\"payload\":{" rest "}}\n"
#define SAID(text)                                               \
    ITEM("\"type\":\"message\",\"role\":\"user\",\"content\":[{" \
         "\"type\":\"input_text\",\"text\":\"" WORDS text "\"}]")
#define CALLED(arguments)                                         \
    ITEM("\"type\":\"function_call\",\"name\":\"f\",\"call_id\":" \
         "\"c\",\"arguments\":\"" arguments "\"")
#define ANSWERED                                                \
    ITEM("\"type\":\"function_call_output\",\"call_id\":\"c\"," \
         "\"output\":\"r\"")
#define TURN SAID("q") CALLED("{") CALLED("{}") ANSWERED ANSWERED "{\"type\n"
    static const conversion its = {.from = "codex",
                                   .to = "openai",
                                   .record = TURN TURN TURN TURN TURN TURN};
    sweep(convert, &its, its.from);
}

/* A message that grows, one that is taken back, and thoughts. */
Test(out_of_memory, sessions_of_messages)
{
#define GROWN(id, more)                                           \
    "{\"id\":\"" id "\",\"type\":\"gemini\",\"content\":\"" WORDS \
    "\",\"thoughts\":[{\"subject\":\"s\",\"description\":\"d\"}]" more "}\n"
#define GROWS(id)                                                         \
    GROWN(id, "")                                                         \
    GROWN(id, ",\"toolCalls\":[{\"id\":\"c\",\"name\":\"f\",\"args\":{}," \
              "\"result\":\"r\"}]")
    static const conversion its = {
        .from = "gemini-cli",
        .to = "openai",
        .record = "{\"sessionId\":\"s\",\"projectHash\":\"h\"}\n" GROWS("1")
            GROWS("2") GROWS("3") "{\"$rewindTo\":\"3\"}\n"};
    static const conversion thoughts = {
        .from = "openai",
        .to = "anthropic",
        .record = "{\"messages\":[{\"role\":\"assistant\",\"content\":[{"
                  "\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\","
                  "\"text\":\"" WORDS "\"}]},{\"type\":\"text\",\"text\":"
                  "\"a\"}]}]}"};
    sweep(convert, &its, its.from);
    sweep(convert, &thoughts, "thoughts");
}
