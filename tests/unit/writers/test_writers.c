/* SPDX-License-Identifier: MIT
 *
 * What all shapes of writers share: options, order, memory.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "writing.h"

/* ---- options and states ------------------------------------------------- */

Test(writer, of_no_shape)
{
    cr_assert_null(tw_writer_new((tw_shape)0, NULL));
    cr_assert_null(tw_writer_new((tw_shape)5, NULL));
}

Test(writer, null)
{
    const char *line;
    size_t size;
    const tw_event event = text(0, "x");
    tw_writer_free(NULL);
    tw_writer_reset(NULL);
    cr_assert_eq(tw_writer_set(NULL, TW_OPTION_CREATED, 1), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_writer_set_text(NULL, TW_TEXT_ID, "", 0),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_writer_event(NULL, &event), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_writer_take(NULL, &line, &size), TW_ERROR_ARGUMENT);
}

Test(writer, refuses_bad_options)
{
    tw_writer *writer = chunk_writer();
    static const struct {
        tw_option option;
        int64_t value;
    } cases[] = {{TW_OPTION_HOLD_CALLS, 2},      {TW_OPTION_HOLD_CALLS, -1},
                 {TW_OPTION_CUSTOM_FUNCTION, 2}, {TW_OPTION_CREATED, -1},
                 {TW_OPTION_CHOICE, -1},         {TW_OPTION_CHOICE, 1LL << 31},
                 {TW_OPTION_STRICT, 1},          {(tw_option)99, 0}};
    for (size_t i = 0; i < SIZE_OF(cases); i++) {
        cr_assert_eq(tw_writer_set(writer, cases[i].option, cases[i].value),
                     TW_ERROR_ARGUMENT);
    }
    GIVE(writer, begin_custom(0, "a", "f"), arguments(0, "x"));
    EXPECT(writer, ROLE, OPEN("0", "a", "f"), PIECE("0", "{\\'input\\':\\'x"));
    tw_writer_free(writer);
}

/* A piece of no bytes is no piece. */
Test(writer, empty_arguments)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, begin_custom(0, "a", "f"), arguments(0, ""),
         arguments(0, "x"), arguments(0, ""));
    EXPECT(writer, ROLE, OPEN("0", "a", "f"), PIECE("0", "{\\'input\\':\\'x"));
    tw_writer_free(writer);
}

Test(writer, refuses_bad_texts)
{
    tw_writer *writer = chunk_writer();
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_CALL_ID_PREFIX, "x", 1),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_FIELD, "x", 1),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_ID, NULL, 1),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_ID, "\xFF", 1),
                 TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_USAGE, "{", 1),
                 TW_ERROR_JSON);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_USAGE, "[]", 2),
                 TW_ERROR_JSON);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_USAGE, " ", 1),
                 TW_ERROR_JSON);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_USAGE, "{\"\xFF\":1}", 7),
                 TW_ERROR_ARGUMENT);
    GIVE(writer, framing());
    EXPECT(writer, ROLE);
    tw_writer_free(writer);
}

/* Of two members of one name most readers take the last. */
Test(writer, refuses_a_reasoning_key_that_the_message_has)
{
    static const char *const members[] = {
        "role",          "content",      "tool_calls", "toolwire",
        "refusal",       "name",         "audio",      "annotations",
        "function_call", "tool_call_id", "weight"};
    static const char *const fine[] = {"contents", "conten", "Content",
                                       "reasoning"};
    tw_writer *writer = message_writer();
    for (size_t i = 0; i < SIZE_OF(members); i++) {
        cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_REASONING_KEY,
                                        members[i], strlen(members[i])),
                     TW_ERROR_ARGUMENT, "%s", members[i]);
    }
    for (size_t i = 0; i < SIZE_OF(fine); i++) {
        cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_REASONING_KEY, fine[i],
                                        strlen(fine[i])),
                     TW_OK);
    }
    GIVE(writer, reasoning(0, "x"), text(1, "y"), over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':'y','reasoning':'x'}");
    tw_writer_free(writer);
}

Test(writer, takes_options_before_the_first_event)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, framing());
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_CUSTOM_FUNCTION, 1),
                 TW_ERROR_STATE);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_ID, "x", 1),
                 TW_ERROR_STATE);
    cr_assert_eq(
        tw_writer_set_text(writer, TW_TEXT_SYSTEM_FINGERPRINT, "x", 1),
        TW_ERROR_STATE);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_FINISH_REASON, "x", 1),
                 TW_OK);
    GIVE(writer, over(TW_FINISH_STOP));
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_FINISH_REASON, "x", 1),
                 TW_ERROR_STATE);
    tw_writer_reset(writer);
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_CUSTOM_FUNCTION, 1), TW_OK);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_ID, "x", 1), TW_OK);
    tw_writer_free(writer);
}

Test(writer, keeps_options_over_resets)
{
    tw_writer *writer = message_writer();
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_CUSTOM_FUNCTION, 1), TW_OK);
    for (int i = 0; i < 2; i++) {
        tw_writer_reset(writer);
        GIVE(writer, begin_custom(0, "a", "f"), call_end(0, TW_CALL_COMPLETE),
             over(TW_FINISH_STOP));
        EXPECT(writer, "{'role':'assistant','content':null,'tool_calls':["
                       "{'id':'a','type':'function','function':{'name':'f',"
                       "'arguments':'{\\'input\\':\\'\\'}'}}]}");
    }
    tw_writer_free(writer);
}

#define SAYS(result, words)                                                 \
    do {                                                                    \
        const int given = result;                                           \
        cr_expect_eq(given, tw_writer_error(writer)->code);                 \
        cr_expect_not_null(strstr(tw_writer_error(writer)->message, words), \
                           "%s", tw_writer_error(writer)->message);         \
    } while (0)

/* Each refusal has its words, and what went well has none. */
Test(writer, says_what_is_wrong)
{
    const tw_error broken = {.code = TW_ERROR_LIMIT, .message = "too long"};
    const tw_event event = text(0, "x");
    const tw_event nothing = {0};
    const char *line;
    tw_writer *writer = message_writer();
    cr_expect_eq(tw_writer_error(NULL)->code, TW_ERROR_MEMORY);
    cr_expect_str_eq(tw_writer_error(writer)->message, "");
    SAYS(tw_writer_set(writer, TW_OPTION_HOLD_CALLS, 2), "neither 0 nor 1");
    SAYS(tw_writer_set(writer, TW_OPTION_SSE, 1), "this shape");
    SAYS(tw_writer_set_text(writer, TW_TEXT_ID, "x", 1), "this shape");
    SAYS(tw_writer_set_text(writer, TW_TEXT_REASONING_KEY, "\xFF", 1),
         "UTF-8");
    SAYS(tw_writer_set_text(writer, TW_TEXT_REASONING_KEY, "role", 4),
         "another member");
    SAYS(tw_writer_fail(writer, &broken), "streams have one");
    SAYS(tw_writer_fail(writer, NULL), "no message");
    SAYS(tw_writer_event(writer, NULL), "no event");
    SAYS(tw_writer_event(writer, &nothing), "no event");
    SAYS(tw_writer_take(writer, &line, NULL), "no place");
    tw_writer_free(writer);
    writer = chunk_writer();
    SAYS(tw_writer_set_text(writer, TW_TEXT_USAGE, "[]", 2), "usage");
    GIVE(writer, begin(0, "a", "f"));
    SAYS(tw_writer_set(writer, TW_OPTION_SSE, 1), "first event");
    SAYS(tw_writer_set_text(writer, TW_TEXT_ID, "x", 1), "first event");
    SAYS(tw_writer_event(writer, &event), "follow");
    SAYS(tw_writer_event(writer, &event), "reset");
    SAYS(tw_writer_set_text(writer, TW_TEXT_USAGE, "{}", 2), "reset");
    SAYS(tw_writer_fail(writer, &broken), "reset");
    tw_writer_free(writer);
}

/* What is refused changes nothing. */
Test(writer, refuses_what_is_no_event)
{
    tw_writer *writer = message_writer();
    tw_event events[] = {text(0, "x"), text(0, "x"), begin(0, "a", "f"),
                         text(0, "x")};
    events[0].type = 0;
    events[1].data = NULL;
    events[2].id = NULL;
    events[3].type = TW_EVENT_END + 1;
    cr_assert_eq(tw_writer_event(writer, NULL), TW_ERROR_ARGUMENT);
    for (size_t i = 0; i < SIZE_OF(events); i++) {
        cr_assert_eq(tw_writer_event(writer, &events[i]), TW_ERROR_ARGUMENT);
    }
    GIVE(writer, begin(0, "a", "f"), arguments(0, "{}"),
         call_end(0, TW_CALL_COMPLETE), over(TW_FINISH_STOP));
    EXPECT(writer, "{'role':'assistant','content':null,'tool_calls':["
                   "{'id':'a','type':'function','function':{'name':'f',"
                   "'arguments':'{}'}}]}");
    tw_writer_free(writer);
}

/* |event| cannot follow what |writer| has had, and nothing can follow it. */
static void expect_disorder(tw_writer *writer, tw_event event)
{
    const tw_event last = over(TW_FINISH_STOP);
    cr_assert_eq(tw_writer_event(writer, &event), TW_ERROR_STATE);
    cr_assert_eq(tw_writer_event(writer, &last), TW_ERROR_STATE);
    tw_writer_reset(writer);
}

static tw_event at(tw_event event, uint64_t offset, uint64_t span)
{
    event.offset = offset;
    event.span = span;
    return event;
}

Test(writer, refuses_events_out_of_order)
{
    tw_writer *writer = chunk_writer();
    const tw_event first = begin(0, "a", "f");
    const tw_event in_call[] = {text(0, "x"),
                                reasoning(0, "x"),
                                begin(1, "b", "g"),
                                arguments(1, "x"),
                                call_end(1, TW_CALL_COMPLETE),
                                unparsed(TW_DIAGNOSTIC_NO_KEY, 0, "x", "f")};
    const tw_event behind_call[] = {arguments(0, "x"),
                                    call_end(0, TW_CALL_COMPLETE), first};
    expect_disorder(writer, arguments(0, "x"));
    expect_disorder(writer, call_end(0, TW_CALL_COMPLETE));
    for (size_t i = 0; i < SIZE_OF(in_call); i++) {
        GIVE(writer, first);
        expect_disorder(writer, in_call[i]);
    }
    for (size_t i = 0; i < SIZE_OF(behind_call); i++) {
        GIVE(writer, first, call_end(0, TW_CALL_COMPLETE));
        expect_disorder(writer, behind_call[i]);
    }
    tw_writer_free(writer);
}

/* Bytes are accounted for once, and segments numbered upwards. */
Test(writer, refuses_offsets_and_segments_that_go_back)
{
    tw_writer *writer = chunk_writer();
    const tw_event back[] = {
        at(text(4, "x"), 9, 1),
        at(text(5, "x"), 9, 1),
        at(reasoning(5, "x"), 0, 1),
        at(begin(0, "a", "f"), 9, 0),
        at(over(TW_FINISH_STOP), 9, 0),
        at(unparsed(TW_DIAGNOSTIC_NO_KEY, 0, "x", "f"), 9, 1),
        at(text(3, "x"), 10, 1),
        at(reasoning(4, "x"), 10, 1)};
    for (size_t i = 0; i < SIZE_OF(back); i++) {
        GIVE(writer, at(text(4, "0123456789"), 0, 10));
        expect_disorder(writer, back[i]);
    }
    GIVE(writer, at(text(4, "0123456789"), 0, 10), at(text(4, "x"), 10, 1),
         at(reasoning(5, "x"), 11, 1), at(begin(0, "a", "f"), 12, 0),
         at(arguments(0, "{}"), 3, 0),
         at(call_end(0, TW_CALL_COMPLETE), 12, 8));
    expect_disorder(writer, at(text(6, "x"), 19, 1));
    /* One that no decoder made stands nowhere. */
    GIVE(writer, at(text(0, "0123456789"), 0, 10), text(0, "x"));
    EXPECT(writer, ROLE, CONTENT("0123456789"), CONTENT("x"));
    tw_writer_free(writer);
}

/* Hands on what the decoder has; the writer's answer to the last event. */
static int hand_on(tw_decoder *decoder, tw_writer *writer)
{
    const tw_event *event;
    int result = TW_OK;
    while (tw_decoder_next(decoder, &event) == 1) {
        result = tw_writer_event(writer, event);
    }
    return result;
}

/* A client goes away, the decoder is reset, and the writer is forgotten: the
 * next client gets nothing of the first one's message. */
Test(writer, of_two_messages)
{
    static const struct {
        const char *first;
        const char *second;
    } rows[] = {
        {"Hello", "Second"},
        {"Hello", ""},
        {"<think>Hm", "<think>Second"},
        {"<think>Hm, Hm", "Second"},
        {"A<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\"b", "Second"},
        {"<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\"b",
         "<tool_call>{\"name\":\"g\",\"arguments\":{\"c\":1}}</tool_call>"},
        {"<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>",
         "<tool_call>{\"name\":\"g\",\"arguments\":{}}</tool_call>"},
    };
    tw_decoder *decoder = tw_decoder_new(tw_format_find("hermes"), NULL);
    for (size_t i = 0; i < 2 * SIZE_OF(rows); i++) {
        const char *first = rows[i / 2].first;
        const char *second = rows[i / 2].second;
        tw_writer *writer = i % 2 == 0 ? chunk_writer() : message_writer();
        const char *line;
        size_t size;
        tw_decoder_feed(decoder, first, strlen(first), TW_MARK_UNKNOWN);
        cr_assert_eq(hand_on(decoder, writer), TW_OK);
        while (tw_writer_take(writer, &line, &size) == 1) {
        }
        tw_decoder_reset(decoder);
        tw_decoder_feed(decoder, second, strlen(second), TW_MARK_UNKNOWN);
        hand_on(decoder, writer);
        tw_decoder_finish(decoder, TW_FINISH_STOP);
        cr_assert_eq(hand_on(decoder, writer), TW_ERROR_STATE, "%s", second);
        expect_nothing(writer);
        tw_decoder_reset(decoder);
        tw_writer_free(writer);
    }
    tw_decoder_free(decoder);
}

Test(writer, takes_nothing_behind_the_end)
{
    tw_writer *writer = message_writer();
    const tw_event late = text(0, "x");
    GIVE(writer, over(TW_FINISH_STOP));
    cr_assert_eq(tw_writer_event(writer, &late), TW_ERROR_STATE);
    EXPECT(writer, "{'role':'assistant','content':null}");
    cr_assert_eq(tw_writer_event(writer, &late), TW_ERROR_STATE);
    tw_writer_free(writer);
}

Test(writer, forgets_what_was_not_taken)
{
    tw_writer *writer = chunk_writer();
    GIVE(writer, text(0, "a"), begin(0, "a", "f"), arguments(0, "{"));
    tw_writer_reset(writer);
    expect_nothing(writer);
    GIVE(writer, text(0, "b"));
    EXPECT(writer, ROLE, CONTENT("b"));
    tw_writer_free(writer);
}

/* Lines stay in order where events come between takes. */
Test(writer, queues_lines)
{
    tw_writer *writer = chunk_writer();
    const char *line;
    size_t size;
    GIVE(writer, text(0, "a"));
    cr_assert_eq(tw_writer_take(writer, &line, &size), 1);
    cr_assert(is_line(ROLE, line, size));
    GIVE(writer, text(0, "b"));
    EXPECT(writer, CONTENT("a"), CONTENT("b"));
    tw_writer_free(writer);
}

/* ---- memory ------------------------------------------------------------- */

enum { SCRIPT_SIZE = 17 };

static void make_script(tw_event script[SCRIPT_SIZE])
{
    const tw_event events[SCRIPT_SIZE] = {
        framing(),
        reasoning(0, "thinking of \"this\" and that, for a long time"),
        text(1, "some text that is longer than a small buffer, and a half "
                "more, so that growing is needed"),
        text(2, "more\n"),
        begin(0, "call_0", "first"),
        arguments(0, "{\"a\":\"a value of some length\""),
        arguments(0, "}"),
        call_end(0, TW_CALL_COMPLETE),
        diagnostic(TW_DIAGNOSTIC_BOM, 3, 0),
        begin_custom(1, "call_1", "second"),
        arguments(1, "print(\"hello\")\n"),
        call_end(1, TW_CALL_COMPLETE),
        begin(2, "call_2", "third"),
        arguments(2, "{\"b\":["),
        call_end(2, TW_CALL_MALFORMED),
        unparsed(TW_DIAGNOSTIC_SYNTAX_ERROR, 99, "<tool_call>\xFF", "third"),
        over(TW_FINISH_STOP)};
    memcpy(script, events, sizeof events);
}

typedef struct lines {
    char data[16384];
    size_t size;
} lines;

static void take_lines(tw_writer *writer, lines *out)
{
    const char *line;
    size_t size;
    while (tw_writer_take(writer, &line, &size) == 1) {
        cr_assert_leq(out->size + size + 1, sizeof out->data);
        memcpy(out->data + out->size, line, size);
        out->size += size;
        out->data[out->size++] = '\n';
    }
}

/* Gives the script until an event is refused; every later one must be, too. */
static int run_script(tw_writer *writer, lines *out)
{
    static const char usage[] = "{\"completion_tokens\":7,\"details\":[{}]}";
    tw_event script[SCRIPT_SIZE];
    make_script(script);
    out->size = 0;
    int set =
        tw_writer_set_text(writer, TW_TEXT_USAGE, usage, sizeof usage - 1);
    set = set == TW_ERROR_ARGUMENT ? TW_OK : set; /* a message has none */
    int result = TW_OK;
    cr_assert(set == TW_OK || set == TW_ERROR_MEMORY);
    for (size_t i = 0; i < SCRIPT_SIZE; i++) {
        const int given = tw_writer_event(writer, &script[i]);
        cr_assert(given == TW_OK || given == TW_ERROR_MEMORY);
        cr_assert(result == TW_OK || given == TW_ERROR_MEMORY);
        result = given;
        take_lines(writer, out);
    }
    if (set != TW_OK) {
        out->size = 0; /* without the usage, other lines are right */
    }
    return set != TW_OK ? set : result;
}

static bool begins_with(const lines *all, const lines *begin_lines)
{
    return begin_lines->size <= all->size &&
           memcmp(all->data, begin_lines->data, begin_lines->size) == 0;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        count++;
    }
    return count;
}

/* Once there is memory again, the error event goes on where the lines ended:
 * nothing begins twice, and no number is left out. */
static void expect_goes_on(tw_writer *writer, lines *out)
{
    static const char number[] = "\"sequence_number\":";
    const tw_error error = {TW_ERROR_MEMORY, 0, 0, "no memory", NULL};
    cr_assert_eq(tw_writer_fail(writer, &error), TW_OK);
    cr_assert_eq(tw_writer_fail(writer, &error), TW_ERROR_STATE);
    take_lines(writer, out);
    cr_assert_lt(out->size, sizeof out->data);
    out->data[out->size] = '\0';
    cr_expect_leq(count_of(out->data, "{\"type\":\"message_start\""), 1);
    cr_expect_leq(count_of(out->data, "{\"type\":\"response.created\""), 1);
    cr_expect_eq(count_of(out->data, "\"message\":\"no memory\""), 1);
    unsigned long next = 0;
    for (const char *at = out->data; (at = strstr(at, number)) != NULL;) {
        at += sizeof number - 1;
        cr_expect_eq(strtoul(at, NULL, 10), next++);
    }
}

/* Returns whether nothing failed. */
static bool survives(tw_shape shape, tw_option option, size_t fail_at,
                     bool for_ever, const lines *expected)
{
    static lines got;
    test_memory memory = {.fail_at = fail_at, .for_ever = for_ever};
    const tw_allocator allocator = test_allocator(&memory);
    tw_writer *writer = tw_writer_new(shape, &allocator);
    bool unharmed = false;
    if (writer != NULL) {
        tw_writer_set(writer, option, 1);
        unharmed = run_script(writer, &got) == TW_OK;
        cr_assert(begins_with(expected, &got));
        cr_assert(!unharmed || got.size == expected->size);
        memory.fail_at = 0;
        const tw_event more = framing();
        if (shape != TW_SHAPE_MESSAGE &&
            tw_writer_event(writer, &more) == TW_ERROR_MEMORY) {
            expect_goes_on(writer, &got);
        }
        tw_writer_reset(writer);
        cr_assert_eq(run_script(writer, &got), TW_OK);
        cr_assert_eq(got.size, expected->size);
        cr_assert(begins_with(expected, &got));
    }
    tw_writer_free(writer);
    cr_assert_eq(memory.live, 0);
    return unharmed;
}

static void sweep(tw_shape shape, tw_option option)
{
    static lines expected;
    tw_writer *writer = tw_writer_new(shape, NULL);
    tw_writer_set(writer, option, 1);
    cr_assert_eq(run_script(writer, &expected), TW_OK);
    tw_writer_free(writer);
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        size_t n = 1;
        while (!survives(shape, option, n, for_ever == 1, &expected)) {
            n++;
        }
        cr_assert_gt(n, 10);
    }
}

Test(memory, failing_message)
{
    sweep(TW_SHAPE_MESSAGE, TW_OPTION_CREATED);
}

Test(memory, failing_chunks)
{
    sweep(TW_SHAPE_CHUNKS, TW_OPTION_CREATED);
    sweep(TW_SHAPE_CHUNKS, TW_OPTION_HOLD_CALLS);
    sweep(TW_SHAPE_CHUNKS, TW_OPTION_JOIN_CHUNKS);
}

Test(memory, failing_streams)
{
    sweep(TW_SHAPE_RESPONSES, TW_OPTION_REASONING_SUMMARY);
    sweep(TW_SHAPE_RESPONSES, TW_OPTION_SSE);
    sweep(TW_SHAPE_ANTHROPIC, TW_OPTION_HOLD_CALLS);
    sweep(TW_SHAPE_ANTHROPIC, TW_OPTION_SSE);
}

Test(memory, failing_texts)
{
    test_memory memory = {0};
    const tw_allocator allocator = test_allocator(&memory);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, &allocator);
    char key[200];
    memset(key, 'k', sizeof key);
    const tw_event event = framing();
    memory.fail_at = memory.count + 1;
    cr_assert_eq(
        tw_writer_set_text(writer, TW_TEXT_REASONING_KEY, key, sizeof key),
        TW_ERROR_MEMORY);
    cr_assert_eq(tw_writer_event(writer, &event), TW_ERROR_MEMORY);
    tw_writer_reset(writer);
    GIVE(writer, reasoning(0, "x"), over(TW_FINISH_STOP));
    EXPECT(writer,
           "{'role':'assistant','content':null,'reasoning_content':'x'}");
    tw_writer_free(writer);
    cr_assert_eq(memory.live, 0);
}

/* There is still no memory when the error is to be told. */
Test(memory, failing_failures)
{
    static lines got;
    test_memory memory = {0};
    const tw_allocator allocator = test_allocator(&memory);
    const tw_error error = {TW_ERROR_MEMORY, 0, 0, "no memory", NULL};
    tw_writer *writer = tw_writer_new(TW_SHAPE_RESPONSES, &allocator);
    memory.fail_at = memory.count + 1;
    memory.for_ever = true;
    cr_assert_eq(tw_writer_fail(writer, &error), TW_ERROR_MEMORY);
    cr_assert_eq(tw_writer_fail(writer, &error), TW_ERROR_MEMORY);
    memory.fail_at = 0;
    got.size = 0;
    expect_goes_on(writer, &got);
    cr_expect_eq(count_of(got.data, "{\"type\":\"response.created\""), 1);
    tw_writer_free(writer);
    cr_assert_eq(memory.live, 0);
}

Test(memory, second_message_allocates_nothing)
{
    static const tw_shape shapes[] = {TW_SHAPE_MESSAGE, TW_SHAPE_CHUNKS,
                                      TW_SHAPE_CHUNKS, TW_SHAPE_RESPONSES,
                                      TW_SHAPE_ANTHROPIC};
    static lines got;
    for (size_t i = 0; i < SIZE_OF(shapes); i++) {
        test_memory memory = {0};
        const tw_allocator allocator = test_allocator(&memory);
        tw_writer *writer = tw_writer_new(shapes[i], &allocator);
        tw_writer_set(writer, TW_OPTION_HOLD_CALLS, i == 2);
        cr_assert_eq(run_script(writer, &got), TW_OK);
        const size_t before = memory.count;
        tw_writer_reset(writer);
        cr_assert_eq(run_script(writer, &got), TW_OK);
        cr_assert_eq(memory.count, before);
        tw_writer_free(writer);
        cr_assert_eq(memory.live, 0);
    }
}
