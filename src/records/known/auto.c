/* SPDX-License-Identifier: MIT
 *
 * The shape that each record looks like: of what speaks for several shapes
 * nobody guesses.
 */
#include "records/shapes.h"

/* What is a request with its response says more than either half. */
static const tw_record_shape *detect(const tw_value *record,
                                     const tw_record_shape **other)
{
    *other = NULL;
    return tw_exchange_shape.fits(record) != TW_FIT_NONE
               ? &tw_exchange_shape
               : tw_record_detect(record, other);
}

/* Blocks and members that OpenAI's records do not have, and that would stay
 * unread in them: calls, results, instructions.  Or a message whose role has
 * another name. */
static bool has_other_marks(const tw_value *record)
{
    static const char *const types[] = {"tool_use", "tool_result", NULL};
    static const char *const roles[] = {"tool_call", "tool_response", NULL};
    const tw_value *messages = tw_value_member(record, "messages");
    const tw_value *at =
        tw_value_is_a(messages, TW_VALUE_ARRAY) ? messages->first : NULL;
    for (; at != NULL; at = at->next) {
        const tw_value *content = tw_value_member(at, "content");
        const tw_value *part =
            tw_value_is_a(content, TW_VALUE_ARRAY) ? content->first : NULL;
        const tw_value *role = tw_value_member(at, "role");
        if (role == NULL || tw_value_is(role, roles[0]) ||
            tw_value_is(role, roles[1]) || tw_parts_is_message(at)) {
            return true;
        }
        for (; part != NULL; part = part->next) {
            const tw_value *type = tw_value_member(part, "type");
            if (tw_value_is(type, types[0]) || tw_value_is(type, types[1])) {
                return true;
            }
        }
    }
    return tw_has_list_of(record, "tools", "input_schema");
}

const tw_record_shape *tw_record_other_shape(const tw_record_shape *named,
                                             const tw_value *record,
                                             bool refused)
{
    const tw_record_shape *other;
    if (named == &tw_auto_shape || (!refused && !has_other_marks(record)) ||
        (named->fits != NULL && named->fits(record) == TW_FIT_WELL)) {
        return NULL;
    }
    const tw_record_shape *found = detect(record, &other);
    const bool plain = found != NULL && found->fits(record) < TW_FIT_WELL;
    return other == NULL && found != named && !(plain && !refused) ? found
                                                                   : NULL;
}

static void refuse_two(tw_recoder *recoder, const tw_value *record,
                       const tw_record_shape *left,
                       const tw_record_shape *right)
{
    tw_json_out text = {.memory = recoder->memory};
    tw_json_put(&text, "two shapes fit the record: ");
    tw_json_put(&text, left->name);
    tw_json_put(&text, " and ");
    tw_json_put(&text, right->name);
    tw_recoder_refuse_made(recoder, record, &text);
}

/* Records that no shape reads, by members that they all have. */
typedef struct stranger {
    const char
        *name; /* ... and what makes records of them, if that is known */
    const char *members[3]; /* NULL-ended */
} stranger;

#define AGENTS_SDK "of OpenAI's Agents SDK"
#define VS_CODE                                                             \
    "a chat of Copilot in VS Code (-f auto reads transcripts of these, in " \
    "GitHub.copilot-chat/transcripts)"

static const stranger strangers[] = {
    {"a row of a session " AGENTS_SDK " (jq -s '{input: map(.message_data | "
     "fromjson)}' makes a record of -f responses of a session's rows)",
     {"message_data", NULL}},
    {"a span " AGENTS_SDK " (-f openai --messages span_data.input reads what "
     "one of the type `generation` was asked)",
     {"span_data", NULL}},
    {"a trace " AGENTS_SDK " (its spans have what was said)",
     {"workflow_name", "object", NULL}},
    {VS_CODE, {"requests", "responderUsername", NULL}},
    {VS_CODE, {"kind", "v", NULL}},
    {"a question of BFCL", {"question", "function", NULL}},
    {"an answer to BFCL's questions", {"result", "latency", NULL}},
    {"a run of LangSmith", {"inputs", "outputs", NULL}},
    {"a run of LangSmith", {"run_type", NULL}},
    {"an observation of Langfuse", {"traceId", NULL}},
    {"an observation of Langfuse", {"trace_id", "observations", NULL}},
    {"an export of OpenTelemetry", {"resourceSpans", NULL}},
    {"an export of OpenTelemetry", {"resource_spans", NULL}},
    {"a span of OpenTelemetry", {"spanId", NULL}},
    {"a span of OpenTelemetry", {"span_id", NULL}},
    {"a span of OpenTelemetry", {"attributes", "context", NULL}},
    {"a span of OpenTelemetry", {"context.span_id", NULL}},
    {"an event of a stream of Responses", {"type", "sequence_number", NULL}},
    {"an event of a stream of Anthropic's", {"type", "content_block", NULL}},
    {"an event of a stream of Anthropic's", {"type", "delta", NULL}},
};

static bool has_all(const tw_value *record, const char *const *members)
{
    while (*members != NULL && tw_value_member(record, *members) != NULL) {
        members++;
    }
    return *members == NULL;
}

/* What it is instead, if that is known. */
static const char *stranger_name(const tw_value *record)
{
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        if (has_all(record, strangers[i].members)) {
            return strangers[i].name;
        }
    }
    return tw_has_list_of(record, "messages", "parts")
               ? "a list of messages with `parts`, as user interfaces have it"
               : NULL;
}

/* By what its owner finds a way in. */
static void put_members(tw_json_out *text, const tw_value *record)
{
    enum { SHOWN = 8 };
    const bool object = record->kind == TW_VALUE_OBJECT;
    const tw_value *at = object ? record->first : NULL;
    if (at == NULL) {
        return;
    }
    tw_json_put(text, "; it has ");
    for (size_t i = 0; at != NULL && i < SHOWN; i++, at = at->next) {
        tw_json_put(text, i > 0 ? ", " : "");
        tw_json_put_text(text, at->key, at->key_size);
    }
    tw_json_put(text, at != NULL ? ", ..." : "");
    if (tw_has_text(tw_value_member(record, "role")) ||
        tw_parts_is_message(record)) {
        tw_json_put(text, "; of a file of messages, one a line, `jq -cs "
                          "'{messages: .}'` makes a record (jq before 1.7 "
                          "rounds numbers)");
        return;
    }
    tw_json_put(text, "; where a list of messages stands in it, name the list "
                      "(-f openai --messages PATH)");
}

/* |name|: what it is instead, or NULL. */
static void refuse_unknown(tw_recoder *recoder, const tw_value *record,
                           const char *name)
{
    tw_json_out text = {.memory = recoder->memory};
    if (name == NULL) {
        tw_json_put(&text, "the record is of no shape that is known");
        put_members(&text, record);
        tw_recoder_refuse_made(recoder, record, &text);
        return;
    }
    tw_json_put(&text, "the record is ");
    tw_json_put(&text, name);
    tw_json_put(&text, ", which no shape reads");
    tw_recoder_refuse_made(recoder, record, &text);
}

/* The shape has no use for a conversation that stands there. */
static bool has_unread_messages(const tw_value *record)
{
    const tw_value *messages = tw_value_member(record, "messages");
    return messages != NULL && !messages->used && !messages->partly_used &&
           tw_has_list_of(record, "messages", "role");
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_record_shape *other;
    const tw_record_shape *shape = detect(record, &other);
    if (shape == NULL) {
        refuse_unknown(recoder, record, stranger_name(record));
        return NULL;
    }
    if (other != NULL) {
        refuse_two(recoder, record, shape, other);
        return NULL;
    }
    recoder->from = shape;
    const tw_value *request = shape->read(recoder, record);
    if (request != NULL && has_unread_messages(record)) {
        refuse_two(recoder, record, shape, &tw_openai_shape);
        return NULL;
    }
    return request;
}

const tw_record_shape tw_auto_shape = {
    .name = "auto",
    .about = "read only: each record's shape is found by its members",
    .read = read,
};
