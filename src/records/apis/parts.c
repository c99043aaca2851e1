/* SPDX-License-Identifier: MIT
 *
 * Messages of parts, as clients and tracers keep them:
 *
 *     Bedrock's Converse   {"role", "content": [{"toolUse": {...}}]}
 *     AI SDK               {"role", "content": [{"type": "tool-call"}]}, and
 *                          {"role", "parts": [{"type": "tool-tide"}]}
 *     OpenTelemetry        {"role", "parts": [{"type": "tool_call"}]}
 *     pydantic-ai          {"kind", "parts": [{"part_kind": "tool-call"}]}
 *     Haystack             {"role", "content": [{"tool_call": {...}}]}
 */
#include "records/apis/choice.h"
#include "records/apis/parts_halves.h"

/* A message that is being read, of which several may be made. */
typedef struct reading {
    tw_recoder *recoder;
    const tw_value *source;
    const char *role;
    tw_value *message; /* NULL: nothing was said since the last */
    tw_value *content; /* ... in it */
    tw_joint thoughts;
    bool called;
    bool answered; /* some of the calls have their results beside them */
} reading;

static void lose(reading *state, uint32_t code, const tw_value *where)
{
    tw_recoder_report_loss(state->recoder, code, where, NULL);
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
                          .role = state->role};
    *state = next;
}

/* An image by its URL, or its bytes in base64 with their type.  False: the
 * part is none. */
static bool read_image(reading *state, tw_value *content, tw_said *said)
{
    static const char *const type_names[] = {"mediaType", "mimeType",
                                             "mime_type", NULL};
    static const char *const data_names[] = {"url", "image", "data", NULL};
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
    tw_said_lose_rest(state->recoder, said);
    return true;
}

static void read_texts(reading *state, tw_value *content,
                       const tw_value *text);

/* A text or an image of a content that is being made. */
static void read_said(reading *state, tw_value *content, tw_said *said)
{
    static const char *const names[] = {"text", "content", NULL};
    const tw_value *text =
        said->kind == TW_SAID_TEXT ? tw_said_take(said, names) : NULL;
    if (text != NULL) {
        tw_said_lose_rest(state->recoder, said);
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
    const tw_value *only = tw_value_is_a(output, TW_VALUE_ARRAY) &&
                                   output->first != NULL &&
                                   output->first == output->last
                               ? output->first
                               : NULL;
    const tw_value *json = tw_value_member(only, "json");
    const tw_value *type = tw_value_member(output, "type");
    const tw_value *value = tw_value_member(output, "value");
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
    static const char *const names[] = {"state",    "status", "isError",
                                        "is_error", "error",  NULL};
    const tw_value *word = tw_said_take(said, names);
    if (word != NULL &&
        (word->kind == TW_VALUE_TRUE || tw_value_is(word, "error") ||
         tw_value_is(word, "output-error"))) {
        lose(state, TW_LOSS_RESULT_ERROR_FLAG, word);
    }
}

static const char *const id_names[] = {"toolCallId", "toolUseId",
                                       "tool_call_id", "id", NULL};

static void read_result(reading *state, tw_said *said)
{
    tw_recoder *recoder = state->recoder;
    const tw_value *id = tw_said_take(said, id_names);
    const tw_value *name = tw_said_tool(recoder, said);
    const tw_value *output = tw_said_take(said, tw_said_results);
    tw_value *message = tw_read_message(recoder, "tool", said->source);
    if (id != NULL) {
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
    return said.kind == TW_SAID_CALL &&
           tw_said_take(&said, tw_said_results) != NULL;
}

static void read_call(reading *state, tw_said *said)
{
    static const char *const input_names[] = {"input", "args", "arguments",
                                              NULL};
    static const char *const state_name[] = {"state", NULL};
    tw_recoder *recoder = state->recoder;
    const tw_value *id = tw_said_take(said, id_names);
    const tw_value *name = tw_said_tool(recoder, said);
    tw_read_call(recoder, open_message(state), said->source, id, name,
                 tw_said_take(said, input_names));
    state->called = true;
    state->answered |= tw_said_take(said, tw_said_results) != NULL;
    tw_said_take(said, state_name);
    tw_said_lose_rest(recoder, said);
}

static void read_thought(reading *state, tw_said *part)
{
    static const char *const names[] = {"text", "content", "reasoning", NULL};
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
    tw_said_lose_rest(state->recoder, part);
}

/* A text of the system, which stands in what the user says. */
static void read_system_text(reading *state, tw_said *said)
{
    static const char *const names[] = {"content", NULL};
    const tw_value *text = tw_said_take(said, names);
    if (tw_value_is_a(text, TW_VALUE_STRING)) {
        tw_read_text(state->recoder, "system", said->source, text);
        tw_said_lose_rest(state->recoder, said);
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
    }
    switch (said.kind) {
    case TW_SAID_CALL: read_call(state, &said); break;
    case TW_SAID_THOUGHT: read_thought(state, &said); break;
    case TW_SAID_SYSTEM: read_system_text(state, &said); break;
    case TW_SAID_TEXT:
    case TW_SAID_IMAGE: read_text(state, &said); break;
    case TW_SAID_RESULT: state->answered = state->called; break;
    case TW_SAID_STEP: break;
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
            tw_said_lose_rest(state->recoder, &said);
            if (behind) {
                lose(state, TW_LOSS_CONTENT_MOVED, at);
            }
        } else if (has_result(at)) {
            read_result(state, &said);
        }
    }
}

/* The user's results come first, the model's behind the calls that they
 * answer. */
static void read_parts(reading *state, const tw_value *parts)
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
    end_message(state);
    if (assistant) {
        read_results(state, from, NULL);
    }
}

/* ---- messages ----------------------------------------------------------- */

static const char *role_of(const tw_value *message)
{
    static const char *const roles[][2] = {
        {"user", "user"},           {"assistant", "assistant"},
        {"system", "system"},       {"tool", "tool"},
        {"developer", "developer"}, {"request", "user"},
        {"response", "assistant"}};
    const tw_value *role = tw_value_member(message, "role");
    role = role != NULL ? role : tw_value_member(message, "kind");
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (tw_value_is(role, roles[i][0])) {
            return roles[i][1];
        }
    }
    return NULL;
}

/* Does a text among the parts say what the content says? */
static bool is_repeated(const tw_value *content, const tw_value *parts)
{
    const tw_value *at = parts->first;
    while (at != NULL &&
           !tw_value_is_same_text(tw_value_member(at, "text"), content)) {
        at = at->next;
    }
    return at != NULL;
}

/* What the system says beside the messages of pydantic-ai, each time anew. */
static const tw_value *instructions_of(const tw_value *message)
{
    return tw_value_member(message, "instructions");
}

/* Members beside the parts that say nothing more. */
static void lose_rest(tw_recoder *recoder, const tw_value *source,
                      const tw_value *parts)
{
    static const char *const known[] = {"role", "kind", "parts", NULL};
    const tw_value *content = tw_value_member(source, "content");
    const tw_value *own = instructions_of(source);
    const tw_value *all =
        source->parent != NULL ? instructions_of(source->parent->first) : NULL;
    for (const tw_value *at = source->first; at != NULL; at = at->next) {
        if (at == content && at != parts && tw_has_text(at) &&
            !is_repeated(at, parts)) {
            tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_DROPPED, at, NULL);
        } else if (at != parts && at != content &&
                   !(at == own && tw_value_is_same_text(own, all))) {
            tw_losses_add_member(&recoder->losses, at, known);
        }
    }
}

static void read_message(tw_recoder *recoder, const tw_value *source)
{
    reading state = {
        .recoder = recoder, .source = source, .role = role_of(source)};
    const tw_value *parts = tw_value_member(source, "parts");
    parts = tw_value_is_a(parts, TW_VALUE_ARRAY)
                ? parts
                : tw_value_member(source, "content");
    if (state.role == NULL) {
        tw_recoder_refuse(recoder, source, "the role is not known");
    } else if (tw_value_is_a(parts, TW_VALUE_ARRAY)) {
        read_parts(&state, parts);
    } else if (tw_value_is_a(parts, TW_VALUE_STRING)) {
        tw_read_text(recoder, state.role, source, parts);
    } else {
        tw_recoder_refuse(recoder, source, "there are no parts");
    }
    if (recoder->code == TW_OK) {
        lose_rest(recoder, source, parts);
    }
}

static void read_messages(tw_recoder *recoder, const tw_value *list)
{
    const tw_value *read = list != NULL ? tw_read_inner(recoder, list) : NULL;
    if (list != NULL) {
        tw_use(list);
    }
    if (list != NULL && !tw_value_is_a(read, TW_VALUE_ARRAY)) {
        tw_recoder_refuse(recoder, list, "it is no list of messages");
        return;
    }
    const tw_value *at = read != NULL ? read->first : NULL;
    if (at != NULL) {
        tw_read_system(recoder, instructions_of(at));
    }
    for (; at != NULL; at = at->next) {
        read_message(recoder, at);
    }
}

/* What the system says stands apart. */
static void read_system(tw_recoder *recoder, const tw_value *system)
{
    const tw_value *read =
        system != NULL ? tw_read_inner(recoder, system) : NULL;
    reading state = {.recoder = recoder, .source = system, .role = "system"};
    if (tw_value_is_a(read, TW_VALUE_ARRAY)) {
        read_parts(&state, read);
    } else {
        tw_read_system(recoder, system);
    }
}

/* ---- tools -------------------------------------------------------------- */

/* {"toolSpec":{"name","description","inputSchema":{"json"}}}. */
static void read_tool(tw_recoder *recoder, const tw_value *tool)
{
    static const char *const around[] = {"toolSpec", NULL};
    static const char *const schema[] = {"inputSchema", NULL};
    const tw_value *spec = tw_value_member(tool, "toolSpec");
    const tw_value *input =
        tw_value_member(tw_value_member(spec, "inputSchema"), "json");
    if (spec == NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_TOOL_DROPPED, tool, NULL);
        return;
    }
    tw_value *function = tw_read_tool(recoder, tool);
    tw_make_others(&recoder->made, function, spec, schema);
    if (input != NULL) {
        tw_read_member(recoder, function, "parameters", input);
    }
    tw_losses_add_members(&recoder->losses, tool, around);
}

static void read_choice(tw_recoder *recoder, const tw_value *choice)
{
    const tw_value *only = choice->first;
    const tw_value *name = tw_value_member(only, "name");
    const tw_value word = {.kind = TW_VALUE_STRING,
                           .text = only != NULL ? only->key : "",
                           .origin = choice,
                           .size = only != NULL ? only->key_size : 0};
    if (only != NULL && tw_value_has_key(only, "tool") && name != NULL) {
        tw_read_choice_name(recoder, name);
    } else if (!tw_read_choice_word(recoder, &word, TW_CHOICE_ANTHROPIC)) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, choice, NULL);
    }
}

static void read_config(tw_recoder *recoder, const tw_value *config)
{
    const tw_value *tools = tw_use_member(config, "tools");
    const bool chooses = recoder->to != NULL && recoder->to->choices != NULL;
    const tw_value *choice =
        chooses ? tw_use_member(config, "toolChoice") : NULL;
    const tw_value *at =
        tw_value_is_a(tools, TW_VALUE_ARRAY) ? tools->first : NULL;
    for (; at != NULL; at = at->next) {
        read_tool(recoder, at);
    }
    if (choice != NULL) {
        read_choice(recoder, choice);
    }
}

/* ---- records ------------------------------------------------------------ */

static const char *const lists[] = {"messages", "gen_ai.input.messages",
                                    "gen_ai.output.messages", NULL};

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    static const char *const systems[] = {"system",
                                          "gen_ai.system_instructions", NULL};
    static const char *const tools[] = {"tools", "gen_ai.tool.definitions",
                                        NULL};
    const tw_value *output = tw_value_member(record, "output");
    const tw_value *answer = tw_value_member(output, "message");
    tw_read_begin(recoder, record);
    for (const char *const *name = systems; *name != NULL; name++) {
        read_system(recoder, tw_use_member(record, *name));
    }
    for (const char *const *name = lists; *name != NULL; name++) {
        read_messages(recoder, tw_value_member(record, *name));
    }
    if (answer != NULL) {
        tw_use(answer);
        read_message(recoder, answer);
    }
    for (const char *const *name = tools; *name != NULL; name++) {
        const tw_value *list = tw_use_member(record, *name);
        if (list != NULL) {
            tw_read_tools(recoder, list);
        }
    }
    read_config(recoder, tw_value_member(record, "toolConfig"));
    return recoder->request;
}

/* Has a message parts in such words?  |plain|: texts without a type. */
static bool is_own(const tw_value *message, bool plain)
{
    const tw_value *parts = tw_value_member(message, "parts");
    const tw_value *first =
        tw_value_is_a(parts, TW_VALUE_ARRAY) ? parts->first : NULL;
    return tw_said_is_content(tw_value_member(message, "content"), plain) ||
           tw_value_member(first, "type") != NULL ||
           tw_value_member(first, "part_kind") != NULL;
}

bool tw_parts_is_message(const tw_value *message)
{
    return is_own(message, false);
}

static tw_fit fits(const tw_value *record)
{
    const tw_value *messages = tw_value_member(record, "messages");
    const tw_value *output = tw_value_member(record, "output");
    const tw_value *system = tw_value_member(record, "system");
    const tw_value *at =
        tw_value_is_a(messages, TW_VALUE_ARRAY) ? messages->first : NULL;
    while (at != NULL && !is_own(at, true)) {
        at = at->next;
    }
    return tw_fit_well(at != NULL || tw_said_is_content(system, true) ||
                       is_own(tw_value_member(output, "message"), true) ||
                       tw_value_member(record, lists[1]) != NULL ||
                       tw_value_member(record, lists[2]) != NULL);
}

static const char *const choices[] = {NULL};

const tw_record_shape tw_parts_shape = {
    .name = "parts",
    .about = "read only: messages of Bedrock, the AI SDK, OTel, pydantic-ai",
    .choices = choices,
    .fits = fits,
    .read = read,
};
