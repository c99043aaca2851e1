/* SPDX-License-Identifier: MIT
 *
 * Messages of parts, as clients, tracers and agents keep them:
 *
 *     Bedrock's Converse   {"role", "content": [{"toolUse": {...}}]}
 *     AI SDK               {"role", "content": [{"type": "tool-call"}]}, and
 *                          {"role", "parts": [{"type": "tool-tide"}]}
 *     OpenTelemetry        {"role", "parts": [{"type": "tool_call"}]}
 *     pydantic-ai          {"kind", "parts": [{"part_kind": "tool-call"}]}
 *     Haystack             {"role", "content": [{"tool_call": {...}}]}
 *     Goose                {"role", "content": [{"type": "toolRequest"}]}
 *     OpenCode             {"info", "parts": [{"type": "tool", "state"}]}
 *     Semantic Kernel      {"role", "items": [{"content_type"}]}
 *     AutoGen              {"type", "content": [{"name", "arguments"}]}
 *     OpenHands            {"kind": "ActionEvent", "tool_call"}
 */
#include "records/apis/parts_halves.h"

/* A message that is being read, of which several may be made. */
typedef struct reading {
    tw_recoder *recoder;
    const tw_value *source;
    const char *role;
    tw_value *message; /* NULL: nothing was said since the last */
    tw_value *content; /* ... in it */
    tw_joint thoughts;
    const tw_value *answer; /* of which more may come, or NULL */
    bool event;             /* of a log */
    bool only_thought;
    bool called;
    bool answered; /* some of the calls have their results beside them */
} reading;

static void lose(reading *state, uint32_t code, const tw_value *where)
{
    tw_recoder_report_loss(state->recoder, code, where, NULL);
}

static void lose_rest(reading *state, tw_said *said)
{
    tw_said_lose_rest(state->recoder, said, state->event);
}

static bool is_assistant(const reading *state)
{
    return strcmp(state->role, "assistant") == 0;
}

/* ---- contents ----------------------------------------------------------- */

static tw_value *open_message(reading *state)
{
    if (state->message == NULL) {
        state->message =
            tw_read_message(state->recoder, state->role, state->source);
        state->content =
            tw_read_part(state->recoder, state->message, "content",
                         TW_VALUE_ARRAY, state->source);
    }
    return state->message;
}

static void end_message(reading *state)
{
    if (state->message != NULL) {
        tw_read_end_content(state->content, state->called);
        tw_read_reasoning(state->recoder, state->message, &state->thoughts);
    }
    const reading next = {.recoder = state->recoder,
                          .source = state->source,
                          .role = state->role,
                          .event = state->event};
    *state = next;
}

/* An image by its URL, or its bytes in base64 with their type.  False: the
 * part is none. */
static bool read_image(reading *state, tw_value *content, tw_said *said)
{
    static const char *const type_names[] = {
        "mediaType",  "mimeType",       "mime_type", "mime",
        "media_type", "image_mimetype", NULL};
    static const char *const data_names[] = {"url", "uri", "image", "data",
                                             NULL};
    const tw_value *type = tw_said_take(said, type_names);
    const tw_value *data = tw_said_take(said, data_names);
    if (!tw_value_is_a(data, TW_VALUE_STRING) ||
        (type != NULL && !tw_value_begins(type, "image/"))) {
        return false;
    }
    const bool url =
        tw_value_begins(data, "http") || tw_value_begins(data, "data:");
    if (!url && type == NULL) {
        return false;
    }
    tw_value *image =
        tw_read_image_part(state->recoder, content, said->source);
    if (url) {
        tw_read_member(state->recoder, image, "url", data);
    } else {
        tw_read_data_url(state->recoder, image, type, data);
    }
    lose_rest(state, said);
    return true;
}

static void read_texts(reading *state, tw_value *content,
                       const tw_value *text);

/* A text or an image of a content that is being made. */
static void read_said(reading *state, tw_value *content, tw_said *said)
{
    static const char *const names[] = {"text", "content", "Text", NULL};
    const tw_value *text =
        said->kind == TW_SAID_TEXT ? tw_said_take(said, names) : NULL;
    if (text != NULL) {
        lose_rest(state, said);
        read_texts(state, content, text);
    } else if (said->kind != TW_SAID_IMAGE ||
               !read_image(state, content, said)) {
        lose(state, TW_LOSS_PART_NOT_TEXT, said->source);
    }
}

/* A text, or a list of texts and of parts. */
static void read_texts(reading *state, tw_value *content, const tw_value *text)
{
    const bool list = text->kind == TW_VALUE_ARRAY;
    const tw_value *at = list ? text->first : text;
    for (; at != NULL; at = list ? at->next : NULL) {
        if (at->kind == TW_VALUE_STRING) {
            tw_read_text_part(state->recoder, content, at, at);
        } else if (at->kind == TW_VALUE_OBJECT && list) {
            tw_said said;
            tw_said_find(&said, at);
            read_said(state, content, &said);
        } else {
            lose(state, TW_LOSS_CONTENT_NOT_TEXT, at);
        }
    }
}

/* ---- results ------------------------------------------------------------ */

static bool is_text_part(const tw_value *part)
{
    tw_said said;
    tw_said_find(&said, part);
    return said.kind == TW_SAID_TEXT || said.kind == TW_SAID_IMAGE;
}

static bool are_text_parts(const tw_value *list)
{
    const tw_value *at =
        tw_value_is_a(list, TW_VALUE_ARRAY) ? list->first : NULL;
    const bool some = at != NULL;
    while (at != NULL && is_text_part(at)) {
        at = at->next;
    }
    return some && at == NULL;
}

/* What an output with a type says: {"type","value"}, or one part of Bedrock's
 * that is JSON.  It may be an error. */
static const tw_value *inner_output(reading *state, const tw_value *output)
{
    static const char *const known[] = {"type", "value", NULL};
    static const char *const outputs[] = {"text", "json", "content", NULL};
    static const char *const errors[] = {"error-text", "error-json", NULL};
    static const char *const twice[] = {"content", NULL};
    const tw_value *only = tw_value_is_a(output, TW_VALUE_ARRAY) &&
                                   output->first != NULL &&
                                   output->first == output->last
                               ? output->first
                               : NULL;
    const tw_value *json = tw_value_member(only, "json");
    const tw_value *type = tw_value_member(output, "type");
    const tw_value *value = tw_value_member(output, "value");
    if (tw_value_member(output, "content") != NULL &&
        tw_value_has_key(output->parent, "data")) { /* Copilot's */
        tw_losses_add_members(&state->recoder->losses, output, twice);
        return tw_value_member(output, "content");
    }
    if (json != NULL && only->first == only->last) {
        return json;
    }
    for (size_t i = 0; value != NULL && outputs[i] != NULL; i++) {
        const bool error = i < 2 && tw_value_is(type, errors[i]);
        if (error || tw_value_is(type, outputs[i])) {
            if (error) {
                lose(state, TW_LOSS_RESULT_ERROR_FLAG, type);
            }
            tw_losses_add_members(&state->recoder->losses, output, known);
            return value;
        }
    }
    return output;
}

/* Reports that a result is an error, which has no place. */
static void judge_error(reading *state, tw_said *said)
{
    static const char *const names[][2] = {
        {"\"state"}, {"\"status"},   {"?isError"}, {"?is_error"},
        {"?error"},  {"?exception"}, {"?success"}};
    static const char *const errors[] = {"error", "output-error", NULL};
    const tw_value *error = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const tw_value *word = tw_said_take(said, names[i]);
        const bool good = word != NULL && tw_value_has_key(word, "success");
        if (tw_value_is_a(word, good ? TW_VALUE_FALSE : TW_VALUE_TRUE) ||
            (word != NULL && tw_value_is_one_of(word, errors))) {
            error = error != NULL ? error : word;
        }
    }
    if (error != NULL) {
        lose(state, TW_LOSS_RESULT_ERROR_FLAG, error);
    }
}

static const char *const id_names[] = {
    "toolCallId", "toolUseId", "tool_call_id", "callID", "callId",
    "CallId",     "call_id",   "id",           "Id",     NULL};

static void read_result(reading *state, tw_said *said)
{
    tw_recoder *recoder = state->recoder;
    const tw_value *id = tw_said_take(said, id_names);
    const tw_value *name = tw_said_tool(recoder, said);
    const tw_value *output = tw_said_result(said);
    tw_value *message = tw_read_message(recoder, "tool", said->source);
    if (id != NULL && (id->kind != TW_VALUE_STRING || id->size > 0)) {
        tw_read_member(recoder, message, "tool_call_id", id);
    } else if (tw_value_is_a(name, TW_VALUE_STRING)) {
        tw_read_member(recoder, message, "name", name);
    }
    output = output != NULL ? inner_output(state, output) : NULL;
    if (are_text_parts(output)) {
        tw_value *content =
            tw_read_part(recoder, message, "content", TW_VALUE_ARRAY, output);
        read_texts(state, content, output);
        tw_read_end_content(content, false);
    } else if (output == NULL || output->kind == TW_VALUE_STRING) {
        static const tw_value none = {.kind = TW_VALUE_NULL};
        tw_read_member(recoder, message, "content",
                       output != NULL ? output : &none);
    } else {
        tw_read_packed(recoder, message, "content", output);
    }
    judge_error(state, said);
}

/* ---- parts -------------------------------------------------------------- */

/* Calls may have their results beside them, which stand behind all calls. */
static bool has_result(const tw_value *part)
{
    tw_said said;
    tw_said_find(&said, part);
    return said.kind == TW_SAID_CALL && tw_said_result(&said) != NULL;
}

static void read_call(reading *state, tw_said *said)
{
    static const char *const input_names[] = {
        "input",       "arguments", "args", "Arguments",
        "tool_kwargs", "action",    NULL};
    static const char *const state_names[][2] = {{"\"state"}, {"\"status"}};
    tw_recoder *recoder = state->recoder;
    const tw_value *id = tw_said_take(said, id_names);
    const tw_value *name = tw_said_tool(recoder, said);
    tw_read_call(recoder, open_message(state), said->source, id, name,
                 tw_said_take(said, input_names));
    state->called = true;
    state->answered |= tw_said_result(said) != NULL;
    tw_said_take(said, state_names[0]);
    tw_said_take(said, state_names[1]);
    lose_rest(state, said);
}

static void read_thought(reading *state, tw_said *part)
{
    static const char *const names[] = {"text",     "content", "reasoning",
                                        "thinking", "Text",    NULL};
    static const char *const known[] = {"state", NULL};
    const tw_value *text = tw_said_take(part, names);
    tw_said_take(part, known);
    open_message(state);
    if (!tw_value_is_a(text, TW_VALUE_STRING)) {
        lose(state, TW_LOSS_REASONING_DROPPED, part->source);
        return;
    }
    const bool said = state->content != NULL && state->content->first != NULL;
    if (text->size > 0 && (state->called || said)) {
        lose(state, state->called ? TW_LOSS_CALL_ORDER : TW_LOSS_CONTENT_MOVED,
             part->source);
    }
    tw_joint_add(&state->thoughts, state->recoder, text);
    lose_rest(state, part);
}

/* A text of the system, which stands in what the user says. */
static void read_system_text(reading *state, tw_said *said)
{
    static const char *const names[] = {"content", NULL};
    const tw_value *text = tw_said_take(said, names);
    if (tw_value_is_a(text, TW_VALUE_STRING)) {
        tw_read_text(state->recoder, "system", said->source, text);
        lose_rest(state, said);
    } else {
        lose(state, TW_LOSS_PART_NOT_TEXT, said->source);
    }
}

static void read_text(reading *state, tw_said *said)
{
    static const char *const state_name[] = {"state", NULL};
    tw_said_take(said, state_name);
    if (open_message(state) != NULL && state->called) {
        lose(state, TW_LOSS_CALL_ORDER, said->source);
    }
    read_said(state, state->content, said);
}

/* What the user says when no call is to blame. */
static bool is_retry_of_nothing(const tw_value *part)
{
    return tw_value_is(tw_value_member(part, "part_kind"), "retry-prompt") &&
           !tw_has_text(tw_value_member(part, "tool_name"));
}

/* Is the part a result by itself? */
static bool is_alone(const tw_value *part)
{
    tw_said said;
    tw_said_find(&said, part);
    return said.kind == TW_SAID_RESULT && !is_retry_of_nothing(part);
}

static void read_part(reading *state, const tw_value *part)
{
    tw_said said;
    tw_said_find(&said, part);
    if (is_retry_of_nothing(part)) {
        said.kind = TW_SAID_TEXT;
    } else if (part->kind == TW_VALUE_STRING) {
        tw_read_text_part(state->recoder,
                          open_message(state) != NULL ? state->content : NULL,
                          part, part);
        return;
    }
    switch (said.kind) {
    case TW_SAID_CALL: read_call(state, &said); break;
    case TW_SAID_THOUGHT: read_thought(state, &said); break;
    case TW_SAID_SYSTEM: read_system_text(state, &said); break;
    case TW_SAID_TEXT:
    case TW_SAID_IMAGE: read_text(state, &said); break;
    case TW_SAID_RESULT: state->answered = state->called; break;
    case TW_SAID_STEP: break;
    case TW_SAID_NOTHING:
        tw_recoder_lose_once(state->recoder, part, "type", 4);
        break;
    default: lose(state, TW_LOSS_PART_NOT_TEXT, part); break;
    }
}

/* Does another message begin with the part?  The model has the results then.
 */
static bool begins_message(const reading *state, const tw_value *part)
{
    tw_said said;
    tw_said_find(&said, part);
    return said.kind == TW_SAID_STEP ||
           (state->answered &&
            (said.kind == TW_SAID_TEXT || said.kind == TW_SAID_THOUGHT));
}

/* The results that stand in the parts from |from| up to |end|, each by itself
 * or beside its call. */
static void read_results(reading *state, const tw_value *from,
                         const tw_value *end)
{
    bool behind = false; /* a text of the user */
    for (const tw_value *at = from; at != end; at = at->next) {
        tw_said said;
        tw_said_find(&said, at);
        behind |= said.kind == TW_SAID_TEXT && !is_assistant(state);
        if (is_alone(at)) {
            read_result(state, &said);
            lose_rest(state, &said);
            if (behind) {
                lose(state, TW_LOSS_CONTENT_MOVED, at);
            }
        } else if (has_result(at)) {
            read_result(state, &said);
        }
    }
}

/* The user's results come first, the model's behind the calls that they
 * answer: those that the parts from the returned one on have. */
static const tw_value *read_parts(reading *state, const tw_value *parts)
{
    const bool assistant = is_assistant(state);
    const tw_value *from = parts->first;
    if (!assistant) {
        read_results(state, from, NULL);
    }
    for (const tw_value *at = from; at != NULL; at = at->next) {
        if (assistant && begins_message(state, at)) {
            end_message(state);
            read_results(state, from, at);
            from = at;
        }
        read_part(state, at);
    }
    if (parts->first == NULL) {
        open_message(state);
    }
    return assistant ? from : NULL;
}

/* ---- messages ----------------------------------------------------------- */

/* An agent that writes code has the code as what it calls with. */
static const tw_value *arguments_of(reading *state, const tw_value *function)
{
    const tw_value *given = tw_value_member(function, "arguments");
    if (!state->event || !tw_has_text(given) ||
        tw_read_inner(state->recoder, given) != NULL) {
        return given;
    }
    tw_value *made =
        tw_make(&state->recoder->texts, NULL, NULL, TW_VALUE_OBJECT);
    tw_make_copy(&state->recoder->texts, made, "code", given);
    tw_recoder_report_loss(state->recoder, TW_LOSS_CALL_FORM, given,
                           "The code is an argument `code`.");
    return made;
}

/* Calls beside the content, as OpenAI has them. */
static void read_calls(reading *state, const tw_value *list)
{
    static const char *const known[] = {
        "id", "toolCallId", "\"type", "name", "arguments", "{function", NULL};
    static const char *const inside[] = {"name", "arguments", NULL};
    const tw_value *at =
        tw_value_is_a(list, TW_VALUE_ARRAY) ? list->first : NULL;
    for (; at != NULL; at = at->next) {
        const tw_value *function = tw_value_member(at, "function");
        const tw_value *from = function != NULL ? function : at;
        const tw_value *id = tw_value_member(at, "id");
        tw_read_call(state->recoder, open_message(state), at,
                     id != NULL ? id : tw_value_member(at, "toolCallId"),
                     tw_value_member(from, "name"), arguments_of(state, from));
        tw_losses_add_members(&state->recoder->losses, at, known);
        if (function != NULL) {
            tw_losses_add_members(&state->recoder->losses, function, inside);
        }
        state->called = true;
    }
}

/* What smolagents saw of all calls of a step is one text, which is a result
 * where there was one call. */
static void read_observed(reading *state, const tw_value *step)
{
    tw_recoder *recoder = state->recoder;
    const tw_value *calls = tw_value_member(step, "tool_calls");
    const tw_value *only =
        tw_value_is_a(calls, TW_VALUE_ARRAY) && calls->first == calls->last
            ? calls->first
            : NULL;
    static const char *const known[] = {"\"message", NULL};
    const tw_value *fault = tw_value_member(step, "error");
    const tw_value *error = tw_value_member(fault, "message");
    const tw_value *seen = tw_value_member(step, "observations");
    const tw_value *text = tw_has_text(seen) ? seen : error;
    if (tw_has_text(error)) {
        lose(state, TW_LOSS_RESULT_ERROR_FLAG, error);
    }
    tw_recoder_lose_others(recoder, fault, known);
    if (!tw_has_text(text)) {
        return;
    }
    tw_value *message =
        tw_read_text(recoder, only != NULL ? "tool" : "user", step, text);
    if (only == NULL) {
        lose(state, TW_LOSS_ROLE_CHANGED, text);
    } else if (tw_value_member(only, "id") != NULL) {
        tw_read_member(recoder, message, "tool_call_id",
                       tw_value_member(only, "id"));
    }
    if (tw_has_text(error) && text != error) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_DROPPED, error, NULL);
    }
}

/* What a message says beside its content. */
static void read_beside(reading *state, const tw_said_turn *turn,
                        const tw_value *source)
{
    static const char *const thoughts[] = {"reasoning_content", "thought",
                                           "reasoningText", NULL};
    static const char *const calls[] = {"tool_calls", "toolCalls",
                                        "toolRequests", NULL};
    for (size_t i = 0; i < TW_SAID_HOLDERS; i++) {
        const tw_value *holder = tw_said_turn_holder(source, i);
        for (const char *const *name = thoughts; *name != NULL; name++) {
            const tw_value *text = tw_value_member(holder, *name);
            if (tw_has_text(text) && text != turn->content) {
                open_message(state);
                tw_joint_add(&state->thoughts, state->recoder, text);
            }
        }
        for (const char *const *name = calls;
             *name != NULL && turn->kind != TW_SAID_CALL; name++) {
            read_calls(state, tw_value_member(holder, *name));
        }
    }
}

/* The message is a part itself. */
static void read_itself(reading *state, const tw_said_turn *turn,
                        const tw_value *source)
{
    static const char *const known[][2] = {
        {"role"},      {"\"kind"},  {"\"type"}, {"\"reasoning_content"},
        {"\"thought"}, {"[thought"}};
    tw_said said;
    tw_said_find_itself(&said, source, turn->kind);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        tw_said_take(&said, known[i]);
    }
    if (turn->kind == TW_SAID_CALL) {
        read_call(state, &said);
    } else {
        read_result(state, &said);
        lose_rest(state, &said);
    }
}

static bool has_results(const tw_value *list)
{
    const tw_value *at =
        tw_value_is_a(list, TW_VALUE_ARRAY) ? list->first : NULL;
    while (at != NULL && !is_alone(at)) {
        at = at->next;
    }
    return at != NULL;
}

static const tw_value *read_content(reading *state, const tw_said_turn *turn)
{
    const tw_value *content = turn->content;
    if (tw_value_is_a(content, TW_VALUE_ARRAY)) {
        return read_parts(state, content);
    }
    if (turn->kind == TW_SAID_THOUGHT &&
        tw_value_is_a(content, TW_VALUE_STRING)) {
        open_message(state);
        tw_joint_add(&state->thoughts, state->recoder, content);
        state->only_thought = true;
    } else if (tw_value_is_a(content, TW_VALUE_STRING) &&
               state->message == NULL && turn->kind == TW_SAID_OTHER) {
        state->message =
            tw_read_text(state->recoder, turn->role, state->source, content);
    } else if (tw_value_is_a(content, TW_VALUE_STRING)) {
        open_message(state);
        if (content->size > 0) {
            tw_read_text_part(state->recoder, state->content, content,
                              content);
        }
    } else if (content != NULL) {
        read_part(state, content);
    } else if (tw_recoder_reads_session(state->recoder)) {
        open_message(state);
    } else if (turn->kind == TW_SAID_OTHER) {
        tw_recoder_refuse(state->recoder, state->source, "there are no parts");
    }
    return NULL;
}

/* Does the message go on?  An answer may be several events, and what was
 * thought stand in front. */
static bool goes_on(const reading *state, const tw_said_turn *turn)
{
    return state->message != NULL && is_assistant(state) &&
           strcmp(turn->role, "assistant") == 0 &&
           (state->only_thought ||
            (tw_value_is_a(turn->answer, TW_VALUE_STRING) &&
             tw_value_is_same_text(state->answer, turn->answer)));
}

static void read_message(reading *state, const tw_value *source)
{
    tw_recoder *recoder = state->recoder;
    tw_said_turn turn;
    if (!tw_said_turn_find(&turn, source)) {
        tw_said_turn_lose_event(recoder, source);
        return;
    }
    turn.event = turn.event || tw_recoder_reads_session(recoder);
    if (!goes_on(state, &turn)) {
        end_message(state);
    }
    state->source = source;
    state->role = turn.role;
    state->event = turn.event;
    state->only_thought = false;
    if (turn.kind == TW_SAID_RESULT && !has_results(turn.content)) {
        read_itself(state, &turn, source);
        return;
    }
    const tw_value *from = read_content(state, &turn);
    read_beside(state, &turn, source);
    if (turn.kind == TW_SAID_CALL) {
        read_itself(state, &turn, source);
        state->answer = turn.answer;
    } else if (!state->only_thought) {
        end_message(state);
        read_results(state, from, NULL);
    }
    if (turn.kind == TW_SAID_STEP) {
        read_observed(state, source);
    }
    if (recoder->code == TW_OK && !turn.event) {
        tw_said_turn_lose_others(recoder, source, turn.content);
    } else if (recoder->code == TW_OK && turn.kind != TW_SAID_CALL) {
        tw_said_turn_lose_event_members(recoder, &turn, source);
    }
}

void tw_parts_read_messages(tw_recoder *recoder, const tw_value *list)
{
    reading state = {.recoder = recoder, .role = ""};
    const tw_value *at = list->kind == TW_VALUE_ARRAY ? list->first : list;
    tw_read_system(recoder, tw_said_turn_instructions(at));
    for (; at != NULL; at = list->kind == TW_VALUE_ARRAY ? at->next : NULL) {
        read_message(&state, at);
    }
    end_message(&state);
}

void tw_parts_read_system(tw_recoder *recoder, const tw_value *system)
{
    reading state = {.recoder = recoder, .source = system, .role = "system"};
    read_parts(&state, system);
    end_message(&state);
}
