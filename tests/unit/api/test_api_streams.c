/* SPDX-License-Identifier: MIT
 *
 * What writers of streams take and refuse, why a message ends in the words of
 * each API, usage, errors, custom calls, and the frames of server-sent events.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "writing.h"

static const tw_shape streams[] = {TW_SHAPE_CHUNKS, TW_SHAPE_RESPONSES,
                                   TW_SHAPE_ANTHROPIC};

/* All that is ready, a line feed behind each line. */
static const char *taken(tw_writer *writer)
{
    static char text[16384];
    const char *line;
    size_t size;
    size_t end = 0;
    while (tw_writer_take(writer, &line, &size) == 1) {
        cr_assert_lt(end + size + 2, sizeof text);
        memcpy(text + end, line, size);
        end += size;
        text[end++] = '\n';
    }
    text[end] = '\0';
    return text;
}

/* With ' for ". */
static bool has(const char *text, const char *part)
{
    char spelled[1024];
    size_t i = 0;
    for (; part[i] != '\0'; i++) {
        spelled[i] = part[i] == '\'' ? '"' : part[i];
    }
    spelled[i] = '\0';
    return strstr(text, spelled) != NULL;
}

#define HAS(text, part) cr_expect(has(text, part), "%s\nin %s", part, text)
#define LACKS(text, part) cr_expect(!has(text, part), "%s\nin %s", part, text)

static void give_call(tw_writer *writer, tw_call_status status)
{
    GIVE(writer, begin(0, "call_0", "f"), arguments(0, "{}"),
         call_end(0, status));
}

/* ---- options ------------------------------------------------------------ */

enum { NO = TW_ERROR_ARGUMENT };

static const tw_shape shapes[] = {TW_SHAPE_MESSAGE, TW_SHAPE_CHUNKS,
                                  TW_SHAPE_RESPONSES, TW_SHAPE_ANTHROPIC};

/* Nothing is taken that would have no effect. */
Test(api_streams, refuse_options_that_they_have_no_place_for)
{
    static const struct {
        tw_option option;
        int64_t value;
        int results[4];
    } cases[] = {
        {TW_OPTION_CHOICE, 1, {NO, TW_OK, NO, NO}},
        {TW_OPTION_CREATED, 1, {NO, TW_OK, TW_OK, NO}},
        {TW_OPTION_CUSTOM_FUNCTION, 0, {TW_OK, TW_OK, TW_OK, NO}},
        {TW_OPTION_CUSTOM_FUNCTION, 1, {TW_OK, TW_OK, TW_OK, TW_OK}},
        {TW_OPTION_REASONING_SUMMARY, 1, {NO, NO, TW_OK, NO}},
        {TW_OPTION_SSE, 0, {NO, TW_OK, TW_OK, TW_OK}},
        {TW_OPTION_SSE, 1, {NO, TW_OK, TW_OK, TW_OK}},
        {TW_OPTION_SSE, 2, {NO, TW_OK, NO, NO}},
        {TW_OPTION_SSE, 3, {NO, NO, NO, NO}},
        {TW_OPTION_HOLD_CALLS, 1, {TW_OK, TW_OK, TW_OK, TW_OK}},
        {TW_OPTION_JOIN_CHUNKS, 1, {NO, TW_OK, TW_OK, TW_OK}},
        {TW_OPTION_STRICT, 1, {NO, NO, NO, NO}},
        {TW_OPTION_LOSS, 1, {NO, NO, NO, NO}},
        {TW_OPTION_UNIT_COMPLETION, 1, {NO, NO, NO, NO}},
    };
    for (size_t i = 0; i < SIZE_OF(shapes); i++) {
        tw_writer *writer = tw_writer_new(shapes[i], NULL);
        for (size_t k = 0; k < SIZE_OF(cases); k++) {
            cr_expect_eq(
                tw_writer_set(writer, cases[k].option, cases[k].value),
                cases[k].results[i], "%zu %zu", i, k);
        }
        tw_writer_free(writer);
    }
}

Test(api_streams, refuse_texts_that_they_have_no_place_for)
{
    static const struct {
        tw_text text;
        int results[4];
    } cases[] = {
        {TW_TEXT_REASONING_KEY, {TW_OK, TW_OK, NO, NO}},
        {TW_TEXT_SYSTEM_FINGERPRINT, {NO, TW_OK, NO, NO}},
        {TW_TEXT_ID, {NO, TW_OK, TW_OK, TW_OK}},
        {TW_TEXT_MODEL, {NO, TW_OK, TW_OK, TW_OK}},
        {TW_TEXT_FINISH_REASON, {NO, TW_OK, TW_OK, TW_OK}},
        {TW_TEXT_USAGE, {NO, TW_OK, TW_OK, TW_OK}},
        {TW_TEXT_STOP_SEQUENCE, {NO, NO, NO, TW_OK}},
        {TW_TEXT_CALL_ID_PREFIX, {NO, NO, NO, NO}},
        {TW_TEXT_FIELD, {NO, NO, NO, NO}},
        {TW_TEXT_MESSAGES, {NO, NO, NO, NO}},
        {TW_TEXT_SETTINGS, {NO, NO, NO, NO}},
    };
    for (size_t i = 0; i < SIZE_OF(shapes); i++) {
        tw_writer *writer = tw_writer_new(shapes[i], NULL);
        for (size_t k = 0; k < SIZE_OF(cases); k++) {
            cr_expect_eq(tw_writer_set_text(writer, cases[k].text, "{}", 2),
                         cases[k].results[i], "%zu %zu", i, k);
        }
        tw_writer_free(writer);
    }
}

/* ---- why it ended ------------------------------------------------------- */

/* The words of chat, Responses and Anthropic where a message of a complete
 * call, or |cut| one that is not, ended so. */
static void expect_reason(const char *word, bool cut,
                          const char *const want[3])
{
    static const char *const members[] = {"'finish_reason':'", "'status':'",
                                          "'stop_reason':'"};
    for (size_t i = 0; i < SIZE_OF(streams); i++) {
        tw_writer *writer = tw_writer_new(streams[i], NULL);
        char part[128];
        tw_writer_set_text(writer, TW_TEXT_FINISH_REASON, word, strlen(word));
        give_call(writer, cut ? TW_CALL_INCOMPLETE : TW_CALL_COMPLETE);
        GIVE(writer, over(TW_FINISH_STOP));
        const bool incomplete = i == 1 && strcmp(want[i], "completed") != 0;
        snprintf(part, sizeof part, "%s%s'",
                 incomplete ? "'incomplete_details':{'reason':'" : members[i],
                 want[i]);
        HAS(taken(writer), part);
        tw_writer_free(writer);
    }
}

/* Of a message of a call, or cut: what Anthropic's stream says of its end. */
static void expect_stop(const char *reason, bool cut, const char *want)
{
    tw_writer *writer = tw_writer_new(TW_SHAPE_ANTHROPIC, NULL);
    tw_writer_set_text(writer, TW_TEXT_FINISH_REASON, reason, strlen(reason));
    give_call(writer, cut ? TW_CALL_INCOMPLETE : TW_CALL_COMPLETE);
    cr_assert_eq(tw_writer_set_text(writer, TW_TEXT_STOP_SEQUENCE, "\n##", 3),
                 TW_OK);
    GIVE(writer, over(TW_FINISH_STOP));
    HAS(taken(writer), want);
    cr_expect_eq(tw_writer_set_text(writer, TW_TEXT_STOP_SEQUENCE, "", 0),
                 TW_ERROR_STATE);
    tw_writer_reset(writer); /* forgets it */
    GIVE(writer, over(TW_FINISH_STOP));
    HAS(taken(writer), "'stop_sequence':null},'usage'");
    tw_writer_free(writer);
}

Test(api_streams, have_the_sequence_that_they_stopped_at)
{
    static const char at[] =
        "'delta':{'stop_reason':'stop_sequence','stop_sequence':'\\n##'}";
    expect_stop("", false, at);
    expect_stop("stop", false, at);
    expect_stop("stop_sequence", false, at);
    expect_stop("", true, "'stop_reason':'max_tokens','stop_sequence':null");
    expect_stop("content_filter", false,
                "'stop_reason':'refusal','stop_sequence':null");
}

/* Clients take the signature of the last such event. */
Test(api_streams, sign_whole_thinking_once)
{
    tw_writer *writer = tw_writer_new(TW_SHAPE_ANTHROPIC, NULL);
    GIVE(writer, reasoning(0, "why"), text(1, "so"), over(TW_FINISH_STOP));
    HAS(taken(writer),
        "'delta':{'type':'signature_delta','signature':''}}\n{'type':'content_"
        "block_stop','index':0}");
    tw_writer_free(writer);
}

Test(api_streams, say_why_they_end_in_their_own_words)
{
    static const struct {
        const char *given;
        const char *whole[3];
        const char *cut[3];
    } cases[] = {
        {"",
         {"tool_calls", "completed", "tool_use"},
         {"length", "max_output_tokens", "max_tokens"}},
        {"stop",
         {"tool_calls", "completed", "tool_use"},
         {"length", "max_output_tokens", "max_tokens"}},
        {"end_turn",
         {"tool_calls", "completed", "tool_use"},
         {"length", "max_output_tokens", "max_tokens"}},
        {"stop_sequence",
         {"tool_calls", "completed", "stop_sequence"},
         {"length", "max_output_tokens", "max_tokens"}},
        {"function_call",
         {"function_call", "completed", "tool_use"},
         {"length", "max_output_tokens", "max_tokens"}},
        {"max_tokens",
         {"length", "max_output_tokens", "max_tokens"},
         {"length", "max_output_tokens", "max_tokens"}},
        {"model_context_window_exceeded",
         {"length", "max_output_tokens", "model_context_window_exceeded"},
         {"length", "max_output_tokens", "model_context_window_exceeded"}},
        {"content_filter",
         {"content_filter", "content_filter", "refusal"},
         {"content_filter", "content_filter", "refusal"}},
        {"odd", {"odd", "odd", "odd"}, {"odd", "odd", "odd"}},
    };
    for (size_t i = 0; i < SIZE_OF(cases); i++) {
        expect_reason(cases[i].given, false, cases[i].whole);
        expect_reason(cases[i].given, true, cases[i].cut);
    }
}

/* ---- usage -------------------------------------------------------------- */

static const char *with_usage(tw_shape shape, const char *usage)
{
    tw_writer *writer = tw_writer_new(shape, NULL);
    cr_assert_eq(
        tw_writer_set_text(writer, TW_TEXT_USAGE, usage, strlen(usage)),
        TW_OK);
    GIVE(writer, over(TW_FINISH_STOP));
    const char *text = taken(writer);
    tw_writer_free(writer);
    return text;
}

Test(api_streams, name_the_usage_as_their_clients_do)
{
    static const char chat[] =
        "{\"prompt_tokens\":5,\"completion_tokens\":7.0,\"total_tokens\":12,"
        "\"completion_tokens_details\":{\"reasoning_tokens\":1}}";
    const char *text =
        with_usage(TW_SHAPE_CHUNKS, "{\"input_tokens\":5,\"x\\uD800\":1}");
    HAS(text, "'usage':{'prompt_tokens':5,'x\\ud800':1}");
    text = with_usage(TW_SHAPE_RESPONSES, chat);
    HAS(text, "'usage':{'input_tokens':5,'output_tokens':7.0,"
              "'total_tokens':12,'output_tokens_details':"
              "{'reasoning_tokens':1},"
              "'input_tokens_details':{'cached_tokens':0}}");
    text = with_usage(TW_SHAPE_ANTHROPIC, chat);
    HAS(text, "'usage':{'input_tokens':5,'output_tokens':0}}}");
    HAS(text, "'usage':{'input_tokens':5,'output_tokens':7.0,");
    text = with_usage(TW_SHAPE_ANTHROPIC, "{\"input_tokens\":3,\"x\":null}");
    HAS(text, "'usage':{'input_tokens':3,'output_tokens':0}}}");
    HAS(text, "'usage':{'input_tokens':3,'x':null,'output_tokens':0}");
    text = with_usage(TW_SHAPE_ANTHROPIC, "{}");
    HAS(text, "'usage':{'output_tokens':0}");
    text = with_usage(TW_SHAPE_RESPONSES, "{\"x\":1}");
    HAS(text, "'usage':{'x':1,'input_tokens':0,"
              "'input_tokens_details':{'cached_tokens':0},'output_tokens':0,"
              "'output_tokens_details':{'reasoning_tokens':0}}");
    text = with_usage(TW_SHAPE_RESPONSES,
                      "{\"prompt_tokens\":5,\"completion_tokens\":7}");
    HAS(text, "'output_tokens_details':{'reasoning_tokens':0},"
              "'total_tokens':12}");
    HAS(text, "'output':[],'parallel_tool_calls':true,'tool_choice':'auto',"
              "'tools':[],'usage':null");
}

/* Chat and Responses count what was cached in the prompt, Anthropic apart. */
Test(api_streams, count_cached_tokens_as_the_api_does)
{
    static const char chat[] =
        "{\"prompt_tokens\":9,\"completion_tokens\":2,"
        "\"prompt_tokens_details\":{\"cached_tokens\":6}}";
    static const char other[] =
        "{\"input_tokens\":3,\"cache_read_input_tokens\":6,"
        "\"cache_creation_input_tokens\":4,\"output_tokens\":2}";
    const char *text = with_usage(TW_SHAPE_ANTHROPIC, chat);
    HAS(text, "'usage':{'input_tokens':3,'output_tokens':0}}}");
    HAS(text, "'usage':{'input_tokens':3,'output_tokens':2,"
              "'input_tokens_details':{'cached_tokens':6},"
              "'cache_read_input_tokens':6}");
    text = with_usage(TW_SHAPE_CHUNKS, other);
    HAS(text, "'usage':{'prompt_tokens':13,'cache_read_input_tokens':6,"
              "'cache_creation_input_tokens':4,'completion_tokens':2,"
              "'prompt_tokens_details':{'cached_tokens':6}}");
    text = with_usage(TW_SHAPE_RESPONSES, other);
    HAS(text, "'usage':{'input_tokens':13,'cache_read_input_tokens':6,"
              "'cache_creation_input_tokens':4,'output_tokens':2,"
              "'input_tokens_details':{'cached_tokens':6},"
              "'output_tokens_details':{'reasoning_tokens':0},"
              "'total_tokens':15}");
    text = with_usage(TW_SHAPE_ANTHROPIC, other);
    HAS(text, "'usage':{'input_tokens':3,'cache_read_input_tokens':6,"
              "'cache_creation_input_tokens':4,'output_tokens':2}");
    /* There and back. */
    text = with_usage(TW_SHAPE_ANTHROPIC,
                      "{\"prompt_tokens\":13,\"cache_read_input_tokens\":6,"
                      "\"cache_creation_input_tokens\":4,"
                      "\"prompt_tokens_details\":{\"cached_tokens\":6}}");
    HAS(text, "'usage':{'input_tokens':3,'cache_read_input_tokens':6,");
    /* Numbers that do not fit each other, or are none, stay. */
    text = with_usage(TW_SHAPE_ANTHROPIC,
                      "{\"prompt_tokens\":5,"
                      "\"prompt_tokens_details\":{\"cached_tokens\":6}}");
    HAS(text, "'usage':{'input_tokens':5,'input_tokens_details':"
              "{'cached_tokens':6},'output_tokens':0}");
    text = with_usage(TW_SHAPE_CHUNKS, "{\"input_tokens\":1.5,"
                                       "\"cache_read_input_tokens\":6}");
    HAS(text, "'usage':{'prompt_tokens':1.5,'cache_read_input_tokens':6}");
    text = with_usage(TW_SHAPE_CHUNKS, "{\"input_tokens\":3,"
                                       "\"cache_read_input_tokens\":null}");
    HAS(text, "'usage':{'prompt_tokens':3,'cache_read_input_tokens':null}");
}

Test(api_streams, make_up_no_usage_of_responses)
{
    tw_writer *writer = tw_writer_new(TW_SHAPE_RESPONSES, NULL);
    GIVE(writer, over(TW_FINISH_STOP));
    LACKS(taken(writer), "'usage':{");
    tw_writer_free(writer);
}

/* ---- errors ------------------------------------------------------------- */

static const tw_error bad = {TW_ERROR_LIMIT, 0, 7, "too \"long\"", NULL};

Test(api_streams, break_off_with_the_error_of_their_api)
{
    static const char *const want[] = {
        "{'error':{'code':'TW_ERROR_LIMIT','offset':7,"
        "'message':'too \\'long\\''}}\n",
        "'status':'failed','error':{'code':'server_error',"
        "'message':'too \\'long\\''},'incomplete_details':null,",
        "{'type':'error','error':{'type':'api_error',"
        "'message':'too \\'long\\''}}\n",
    };
    for (size_t i = 0; i < SIZE_OF(streams); i++) {
        tw_writer *writer = tw_writer_new(streams[i], NULL);
        const tw_event event = text(1, "x");
        GIVE(writer, text(0, "Hi"));
        cr_assert_eq(tw_writer_fail(writer, &bad), TW_OK);
        const char *lines = taken(writer);
        HAS(lines, want[i]);
        LACKS(lines, "finish_reason':'");
        LACKS(lines, "message_stop");
        cr_assert_eq(tw_writer_fail(writer, &bad), TW_ERROR_STATE);
        cr_assert_eq(tw_writer_event(writer, &event), TW_ERROR_STATE);
        tw_writer_reset(writer);
        cr_assert_eq(tw_writer_fail(writer, &bad), TW_OK);
        cr_expect_neq(strchr(taken(writer), '\n')[1], '\0',
                      "an error stands behind the stream's beginning");
        tw_writer_free(writer);
    }
}

/* What was said of an item stays, and so does what is not said: that it is
 * whole. */
Test(api_streams, break_off_inside_an_item)
{
    tw_writer *writer = tw_writer_new(TW_SHAPE_RESPONSES, NULL);
    GIVE(writer, begin(0, "a", "f"), arguments(0, "{\"x\":"));
    cr_assert_eq(tw_writer_fail(writer, &bad), TW_OK);
    const char *lines = taken(writer);
    HAS(lines, "'output':[{'id':'fc_0_0','type':'function_call',"
               "'status':'incomplete','call_id':'a','name':'f',"
               "'arguments':'{\\'x\\':'}]");
    LACKS(lines, "arguments.done");
    tw_writer_free(writer);
}

Test(api_streams, refuse_errors_that_are_none)
{
    tw_writer *message = message_writer();
    tw_writer *writer = chunk_writer();
    const tw_error no_text = {TW_ERROR_LIMIT, 0, 0, NULL, NULL};
    cr_assert_eq(tw_writer_fail(NULL, &bad), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_writer_fail(writer, NULL), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_writer_fail(writer, &no_text), TW_ERROR_ARGUMENT);
    cr_assert_eq(tw_writer_fail(message, &bad), TW_ERROR_ARGUMENT);
    tw_writer_free(message);
    tw_writer_free(writer);
}

/* ---- calls and reasoning ------------------------------------------------ */

Test(api_streams, custom_calls)
{
    tw_writer *writer = tw_writer_new(TW_SHAPE_RESPONSES, NULL);
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_CUSTOM_FUNCTION, 0), TW_OK);
    GIVE(writer, begin_custom(0, "a", "f"), arguments(0, "x\""),
         call_end(0, TW_CALL_COMPLETE), over(TW_FINISH_STOP));
    const char *lines = taken(writer);
    HAS(lines, "'item':{'id':'ctc_0_0','type':'custom_tool_call',"
               "'status':'in_progress','call_id':'a','name':'f','input':''}");
    HAS(lines, "{'type':'response.custom_tool_call_input.delta',"
               "'sequence_number':3,'item_id':'ctc_0_0','output_index':0,"
               "'delta':'x\\\"'}");
    HAS(lines, "'status':'completed','call_id':'a','name':'f',"
               "'input':'x\\\"'}");
    tw_writer_reset(writer);
    tw_writer_set(writer, TW_OPTION_CUSTOM_FUNCTION, 1);
    GIVE(writer, begin_custom(0, "a", "f"), arguments(0, "x"),
         call_end(0, TW_CALL_COMPLETE), over(TW_FINISH_STOP));
    HAS(taken(writer), "'arguments':'{\\'input\\':\\'x\\'}'");
    tw_writer_free(writer);
    writer = tw_writer_new(TW_SHAPE_ANTHROPIC, NULL);
    GIVE(writer, begin_custom(0, "a", "f"), arguments(0, "x"),
         call_end(0, TW_CALL_COMPLETE), over(TW_FINISH_STOP));
    lines = taken(writer);
    HAS(lines, "'partial_json':'{\\'input\\':\\'x'");
    HAS(lines, "'partial_json':'\\'}'");
    tw_writer_free(writer);
}

Test(api_streams, reasoning_as_a_summary)
{
    tw_writer *writer = tw_writer_new(TW_SHAPE_RESPONSES, NULL);
    tw_writer_set(writer, TW_OPTION_REASONING_SUMMARY, 1);
    GIVE(writer, reasoning(0, "Hm"), over(TW_FINISH_STOP));
    const char *lines = taken(writer);
    HAS(lines, "'response.reasoning_summary_part.added'");
    HAS(lines, "'summary_index':0,'delta':'Hm'}");
    HAS(lines, "'summary':[{'type':'summary_text','text':'Hm'}]}");
    LACKS(lines, "reasoning_text");
    tw_writer_free(writer);
}

/* A limit cut the text: its item is no whole one. */
Test(api_streams, text_that_was_cut_off)
{
    tw_writer *writer = tw_writer_new(TW_SHAPE_RESPONSES, NULL);
    GIVE(writer, text(0, "Hi"), over(TW_FINISH_LENGTH));
    const char *lines = taken(writer);
    HAS(lines, "'type':'response.output_text.done'");
    HAS(lines, "'type':'message','status':'incomplete'");
    HAS(lines, "'type':'response.incomplete'");
    tw_writer_free(writer);
}

/* ---- ids and frames ----------------------------------------------------- */

Test(api_streams, items_have_ids_of_their_response)
{
    static const char *const ids[][2] = {{"resp_ab", "msg_ab_0"},
                                         {"x\"y", "msg_x\\\"y_0"},
                                         {"resp", "msg_resp_0"}};
    for (size_t i = 0; i < SIZE_OF(ids); i++) {
        tw_writer *writer = tw_writer_new(TW_SHAPE_RESPONSES, NULL);
        char part[64];
        tw_writer_set_text(writer, TW_TEXT_ID, ids[i][0], strlen(ids[i][0]));
        GIVE(writer, text(0, "Hi"), over(TW_FINISH_STOP));
        snprintf(part, sizeof part, "\"item_id\":\"%s\"", ids[i][1]);
        cr_expect_not_null(strstr(taken(writer), part), "%s", part);
        tw_writer_free(writer);
    }
}

/* Of several choices only the last one that ends may say so. */
Test(api_streams, choices_share_one_end)
{
    tw_writer *writer = tw_writer_new(TW_SHAPE_CHUNKS, NULL);
    cr_assert_eq(tw_writer_set(writer, TW_OPTION_SSE, 2), TW_OK);
    GIVE(writer, text(0, "Hi"), over(TW_FINISH_STOP));
    const char *lines = taken(writer);
    HAS(lines, "data: {");
    HAS(lines, "'finish_reason':'stop'}]}\n\n");
    LACKS(lines, "[DONE]");
    tw_writer_free(writer);
}

/* A call that was refused: what is wrong, and where. */
Test(api_streams, say_what_was_refused)
{
    static const tw_error refused = {TW_ERROR_DEVIATION,
                                     TW_DIAGNOSTIC_MISSING_PARAMETER, 3,
                                     "It is gone.", "port"};
    static const char *const want[] = {
        "'diagnostic':'missing_parameter','path':'port','offset':3,"
        "'message':'It is gone.'}}",
        "'message':'missing_parameter: port: It is gone.'}",
        "'message':'missing_parameter: port: It is gone.'}}",
    };
    for (size_t i = 0; i < SIZE_OF(streams); i++) {
        tw_writer *writer = tw_writer_new(streams[i], NULL);
        cr_assert_eq(tw_writer_fail(writer, &refused), TW_OK);
        HAS(taken(writer), want[i]);
        tw_writer_free(writer);
    }
}

/* Each line is an event: its name where the API has names, its data, a blank
 * line. */
Test(api_streams, frames)
{
    for (size_t i = 0; i < SIZE_OF(streams); i++) {
        tw_writer *writer = tw_writer_new(streams[i], NULL);
        const char *line;
        size_t size;
        tw_writer_set(writer, TW_OPTION_SSE, 1);
        GIVE(writer, text(0, "Hi"), over(TW_FINISH_STOP));
        while (tw_writer_take(writer, &line, &size) == 1) {
            char name[64];
            char type[64];
            cr_assert_eq(memcmp(line + size - 2, "\n\n", 2), 0);
            const int found = sscanf(
                line, "event: %63s\ndata: {\"type\":\"%63[^\"]", name, type);
            cr_assert_eq(found, i == 0 ? 0 : 2, "%.*s", (int)size, line);
            cr_assert(i == 0 ? memcmp(line, "data: ", 6) == 0
                             : strcmp(name, type) == 0);
        }
        tw_writer_reset(writer);
        GIVE(writer, over(TW_FINISH_STOP));
        const char *lines = taken(writer);
        cr_assert_eq(strstr(lines, "data: [DONE]\n\n") != NULL, i == 0);
        tw_writer_free(writer);
    }
}
