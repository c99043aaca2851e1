/* SPDX-License-Identifier: MIT
 *
 * Harbor's Agent Trajectory Interchange Format: steps of a user, an agent or
 * the system; an agent's has its calls and what they gave back.
 *
 *     {"schema_version":"ATIF-v1.6","agent":{...},"steps":[{"step_id":1,
 *      "source":"agent","message":"Let me see.","tool_calls":[{"tool_call_id",
 *      "function_name","arguments"}],"observation":{"results":[
 *      {"source_call_id","content"}]}}]}
 */
#include "records/shapes.h"

/* ---- reading ------------------------------------------------------------ */

/* A text, or a list of parts. */
static void read_content(tw_recoder *recoder, tw_value *message,
                         const tw_value *content, bool null)
{
    static const char *const known[] = {"\"type", "text", NULL};
    if (tw_value_is_a(content, TW_VALUE_STRING) &&
        (content->size > 0 || !null)) {
        tw_read_member(recoder, message, "content", content);
        return;
    }
    tw_value *made =
        tw_read_part(recoder, message, "content", TW_VALUE_ARRAY, content);
    const tw_value *at =
        tw_value_is_a(content, TW_VALUE_ARRAY) ? content->first : NULL;
    for (; at != NULL; at = at->next) {
        const tw_value *text = tw_value_member(at, "text");
        if (tw_value_is(tw_value_member(at, "type"), "text") &&
            tw_value_is_a(text, TW_VALUE_STRING)) {
            tw_read_text_part(recoder, made, at, text);
            tw_losses_add_members(&recoder->losses, at, known);
        } else {
            tw_recoder_report_loss(recoder, TW_LOSS_PART_NOT_TEXT, at, NULL);
        }
    }
    tw_read_end_content(made, null);
    if (content != NULL && content->kind != TW_VALUE_ARRAY &&
        content->kind != TW_VALUE_STRING && content->kind != TW_VALUE_NULL) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_NOT_TEXT, content,
                               NULL);
    }
}

static void read_call(tw_recoder *recoder, tw_value *message,
                      const tw_value *call)
{
    static const char *const known[] = {"tool_call_id", "function_name",
                                        "arguments", NULL};
    const tw_value *name = tw_value_member(call, "function_name");
    const tw_value *id = tw_value_member(call, "tool_call_id");
    tw_read_call(recoder, message, call, id, name,
                 tw_value_member(call, "arguments"));
    tw_losses_add_members(&recoder->losses, call, known);
}

/* What stands in a step's observation: of its calls, or of what the agent did
 * without some, which a user says then. */
static void read_result(tw_recoder *recoder, const tw_value *result,
                        bool has_calls)
{
    static const char *const known[] = {"source_call_id", "content", NULL};
    const tw_value *id = tw_value_member(result, "source_call_id");
    const bool named = id != NULL && !tw_value_is_void(id);
    const bool answers = named || has_calls;
    tw_value *message =
        tw_read_message(recoder, answers ? "tool" : "user", result);
    if (named) {
        tw_read_member(recoder, message, "tool_call_id", id);
    } else if (!answers) {
        tw_recoder_report_loss(recoder, TW_LOSS_ROLE_CHANGED, result,
                               "It answers no call: a user says it.");
    }
    read_content(recoder, message, tw_value_member(result, "content"), false);
    tw_losses_add_members(&recoder->losses, result, known);
}

static void read_step(tw_recoder *recoder, const tw_value *step)
{
    static const char *const known[] = {
        "step_id",     "source",       "message",
        "[tool_calls", "{observation", "\"reasoning_content",
        NULL};
    static const char *const observed[] = {"[results", NULL};
    const tw_value *source = tw_value_member(step, "source");
    const tw_value *calls = tw_value_member(step, "tool_calls");
    const tw_value *thought = tw_value_member(step, "reasoning_content");
    const tw_value *said = tw_value_member(step, "message");
    const tw_value *seen = tw_value_member(step, "observation");
    const bool agent = tw_value_is(source, "agent");
    const bool silent = said == NULL || tw_value_is_void(said);
    if (!agent && !tw_value_is(source, "user") &&
        !tw_value_is(source, "system")) {
        tw_recoder_refuse(recoder, step,
                          "the source of the step is not known");
        return;
    }
    if (agent || !silent || seen == NULL) {
        tw_value *message =
            tw_read_message(recoder, agent ? "assistant" : source->text, step);
        read_content(recoder, message, said, agent);
        if (agent && tw_has_text(thought)) {
            tw_read_member(recoder, message, "reasoning_content", thought);
        } else if (tw_has_text(thought)) {
            tw_recoder_report_loss(recoder, TW_LOSS_REASONING_DROPPED, thought,
                                   NULL);
        }
        const tw_value *at = agent && calls != NULL ? calls->first : NULL;
        for (; at != NULL; at = at->next) {
            read_call(recoder, message, at);
        }
    }
    if (!agent && calls != NULL && !tw_value_is_void(calls)) {
        tw_recoder_report_loss(recoder, TW_LOSS_CALL_DROPPED, calls,
                               "Only an agent calls tools.");
    }
    const tw_value *results = tw_value_member(seen, "results");
    const bool has_calls = agent && calls != NULL && calls->first != NULL;
    for (const tw_value *at = results != NULL ? results->first : NULL;
         at != NULL; at = at->next) {
        read_result(recoder, at, has_calls);
    }
    if (seen != NULL) {
        tw_losses_add_members(&recoder->losses, seen, observed);
    }
    tw_losses_add_members(&recoder->losses, step, known);
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *steps = tw_use_member(record, "steps");
    const tw_value *agent = tw_value_member(record, "agent");
    const tw_value *tools = tw_value_member(agent, "tool_definitions");
    if (!tw_value_is_a(steps, TW_VALUE_ARRAY)) {
        tw_recoder_refuse(recoder, record,
                          "`steps` is missing or is not a list");
        return NULL;
    }
    tw_read_begin(recoder, record);
    for (const tw_value *at = steps->first; at != NULL; at = at->next) {
        read_step(recoder, at);
    }
    if (tools != NULL && tools->kind != TW_VALUE_NULL) {
        tw_use(tools);
        tw_read_tools(recoder, tools);
    }
    return recoder->request;
}

/* ---- writing ------------------------------------------------------------ */

typedef struct atif_writer {
    tw_recoder *recoder;
    const tw_conversation *conversation;
    size_t steps;
} atif_writer;

static void put(atif_writer *out, const char *text)
{
    tw_json_put(&out->recoder->json_out, text);
}

/* A text, or the parts that are text. */
static void put_content(atif_writer *out, const tw_message *message)
{
    static const char *const known[] = {"\"type", "text", NULL};
    tw_recoder *recoder = out->recoder;
    const tw_value *content = message->content;
    bool first = true;
    if (!tw_value_is_a(content, TW_VALUE_ARRAY)) {
        tw_json_put_content(recoder, content);
        return;
    }
    put(out, "[");
    for (const tw_value *at = content->first; at != NULL; at = at->next) {
        const tw_value *text = tw_part_text(at);
        if (text == NULL) {
            tw_recoder_report_loss(recoder, TW_LOSS_PART_NOT_TEXT, at, NULL);
            continue;
        }
        put(out, first ? "{\"type\":\"text\",\"text\":"
                       : ",{\"type\":\"text\",\"text\":");
        tw_json_put_value(&recoder->json_out, text);
        put(out, "}");
        first = false;
        if (at->kind == TW_VALUE_OBJECT) {
            tw_losses_add_members(&recoder->losses, at, known);
        }
    }
    put(out, "]");
}

static void put_calls(atif_writer *out, const tw_message *message)
{
    tw_recoder *recoder = out->recoder;
    for (size_t i = 0; i < message->call_count; i++) {
        const tw_call *call = tw_call_of(out->conversation, message, i);
        put(out, i > 0 ? "," : ",\"tool_calls\":[");
        put(out, "{\"tool_call_id\":");
        tw_json_put_value(
            &recoder->json_out,
            tw_pairs_call_id(&recoder->pairs, message->first_call + i));
        put(out, ",\"function_name\":");
        tw_json_put_value(&recoder->json_out, call->name);
        put(out, ",\"arguments\":");
        tw_recoder_put_arguments(recoder, call);
        put(out, "}");
    }
    put(out, message->call_count > 0 ? "]" : "");
}

/* The results that follow message |at|; how many. */
static size_t put_results(atif_writer *out, size_t at)
{
    tw_recoder *recoder = out->recoder;
    const size_t count = tw_message_count(out->conversation);
    size_t results = 0;
    for (size_t i = at; i < count; i++, results++) {
        const tw_message *message = tw_message_at(out->conversation, i);
        if (message->role != TW_ROLE_TOOL) {
            break;
        }
        const tw_value *id = tw_pairs_result_id(&recoder->pairs, i);
        put(out, results > 0 ? ",{" : ",\"observation\":{\"results\":[{");
        if (id != NULL) {
            put(out, "\"source_call_id\":");
            tw_json_put_value(&recoder->json_out, id);
            put(out, ",");
        }
        put(out, "\"content\":");
        put_content(out, message);
        put(out, "}");
    }
    put(out, results > 0 ? "]}" : "");
    return results;
}

static void begin_step(atif_writer *out, const char *source)
{
    put(out, out->steps > 0 ? ",{\"step_id\":" : "{\"step_id\":");
    tw_json_put_number(&out->recoder->json_out, ++out->steps);
    put(out, ",\"source\":\"");
    put(out, source);
    put(out, "\",\"message\":");
}

/* A message, and what answers it; returns how many these are. */
static size_t put_step(atif_writer *out, size_t at)
{
    const tw_message *message = tw_message_at(out->conversation, at);
    size_t taken = 1;
    if (message->role == TW_ROLE_TOOL) {
        begin_step(out, "system"); /* of a call elsewhere */
        put(out, "\"\"");
        taken = put_results(out, at);
    } else if (message->role == TW_ROLE_ASSISTANT) {
        begin_step(out, "agent");
        put_content(out, message);
        if (message->reasoning != NULL) {
            put(out, ",\"reasoning_content\":");
            tw_json_put_value(&out->recoder->json_out, message->reasoning);
        }
        put_calls(out, message);
        taken += put_results(out, at + 1);
    } else if (message->role == TW_ROLE_OTHER) {
        tw_recoder_refuse(out->recoder, message->value,
                          "the shape has no place for this role");
    } else {
        begin_step(out, message->role == TW_ROLE_USER ? "user" : "system");
        put_content(out, message);
        tw_report_lost_developer(out->recoder, message);
    }
    put(out, "}");
    return taken;
}

/* A string of the record or, where it has none, |otherwise|. */
static void put_own(atif_writer *out, const char *key, const char *otherwise)
{
    const tw_value *own = tw_value_member(out->recoder->record, key);
    tw_json_put_key(&out->recoder->json_out, key, false);
    if (tw_value_is_a(own, TW_VALUE_STRING) && !own->used) {
        tw_use(own);
        tw_json_put_value(&out->recoder->json_out, own);
    } else {
        tw_json_put_string(&out->recoder->json_out, otherwise,
                           strlen(otherwise));
    }
}

static void put_agent(atif_writer *out)
{
    static const char *const taken[] = {"tool_definitions", NULL};
    tw_recoder *recoder = out->recoder;
    tw_json_out *json_out = &recoder->json_out;
    const tw_value *own = tw_value_member(recoder->record, "agent");
    const tw_value *tools = out->conversation->tools;
    const bool object = tw_value_is_a(own, TW_VALUE_OBJECT);
    const char *const needed[] = {"name", "version"};
    put(out, ",\"agent\":{");
    bool first = true;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (!object || tw_value_member(own, needed[i]) == NULL) {
            tw_json_put_key(json_out, needed[i], first);
            put(out, "\"unknown\"");
            first = false;
        }
    }
    if (object) {
        first = tw_json_put_unused(recoder, own, taken, first);
        tw_use(own);
    }
    if (tools != NULL && tools->first != NULL) {
        tw_json_put_key(json_out, "tool_definitions", first);
        put(out, "[");
        for (const tw_value *at = tools->first; at != NULL; at = at->next) {
            put(out, at != tools->first ? "," : "");
            tw_json_put_tool(json_out, at);
        }
        put(out, "]");
    }
    put(out, "}");
}

static void write(tw_recoder *recoder, const tw_conversation *conversation)
{
    static const char *const none[] = {NULL};
    atif_writer out = {recoder, conversation, 0};
    const size_t count = tw_message_count(conversation);
    const tw_value *version =
        tw_value_member(recoder->record, "schema_version");
    tw_json_put_key(&recoder->json_out, "schema_version", true);
    if (tw_has_text(version) && !version->used) {
        tw_use(version);
        tw_json_put_value(&recoder->json_out, version);
    } else {
        put(&out, "\"ATIF-v1.6\"");
    }
    put_own(&out, "session_id", "unknown");
    put_agent(&out);
    put(&out, ",\"steps\":[");
    for (size_t i = 0; i < count;) {
        i += put_step(&out, i);
    }
    put(&out, "]");
    tw_report_unread(recoder, conversation, none);
}

static const char *const members[] = {"schema_version", "session_id", "agent",
                                      "steps", NULL};

static tw_fit fits(const tw_value *record)
{
    const tw_value *version = tw_value_member(record, "schema_version");
    return tw_fit_well((tw_value_is_a(version, TW_VALUE_STRING) &&
                        version->size > 4 &&
                        memcmp(version->text, "ATIF", 4) == 0) ||
                       tw_has_list_of(record, "steps", "step_id"));
}

const tw_record_shape tw_atif_shape = {
    .name = "atif",
    .about = "{\"agent\", \"steps\"}: Harbor's trajectories, ATIF",
    .members = members,
    .takes_parts = true,
    .fits = fits,
    .read = read,
    .write = write,
};
