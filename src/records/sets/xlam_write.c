/* SPDX-License-Identifier: MIT
 *
 * One question and its calls in xLAM's shape.
 */
#include "records/sets/xlam_halves.h"

/* ---- parameters --------------------------------------------------------- */

/* Python's name of a property's type; NULL: it has none.  One without a type
 * takes any. */
static const char *python_type(const tw_value *property)
{
    static const char *const types[][2] = {
        {"string", "str"},   {"integer", "int"}, {"number", "float"},
        {"boolean", "bool"}, {"array", "list"},  {"object", "dict"}};
    const tw_value *type = tw_value_member(property, "type");
    if (type == NULL && property->kind == TW_VALUE_OBJECT) {
        return "Any";
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (tw_value_is(type, types[i][0])) {
            return types[i][1];
        }
    }
    return NULL;
}

/* `List[` as often as arrays stand in arrays, the last type and their ends. */
static void put_type(tw_json_out *text, const tw_value *property,
                     bool optional)
{
    size_t depth = 0;
    const tw_value *items = tw_value_member(property, "items");
    tw_json_put(text, "\"");
    while (tw_value_is(tw_value_member(property, "type"), "array") &&
           items != NULL && python_type(items) != NULL) {
        tw_json_put(text, "List[");
        depth++;
        property = items;
        items = tw_value_member(property, "items");
    }
    tw_json_put(text, python_type(property));
    for (; depth > 0; depth--) {
        tw_json_put(text, "]");
    }
    tw_json_put(text, optional ? ", optional\"" : "\"");
}

static bool is_required(const tw_value *schema, const tw_value *property)
{
    const tw_value *required = tw_value_member(schema, "required");
    const tw_value *at = required != NULL ? required->first : NULL;
    while (at != NULL &&
           !(at->kind == TW_VALUE_STRING && at->size == property->key_size &&
             memcmp(at->text, property->key, at->size) == 0)) {
        at = at->next;
    }
    return at != NULL;
}

/* Does the schema of items say a type alone? */
static bool is_plain_type(const tw_value *items)
{
    while (items != NULL && python_type(items) != NULL) {
        const tw_value *inner = tw_value_member(items, "items");
        const size_t typed = tw_value_member(items, "type") != NULL ? 1U : 0U;
        const size_t count = items->last != NULL ? items->last->index + 1 : 0;
        if (count != typed + (inner != NULL ? 1U : 0U)) {
            return false;
        }
        if (inner == NULL) {
            return true;
        }
        items = inner;
    }
    return false;
}

bool tw_xlam_is_schema(const tw_value *parameters)
{
    const tw_value *properties = tw_value_member(parameters, "properties");
    return tw_value_is(tw_value_member(parameters, "type"), "object") &&
           (properties == NULL || properties->kind == TW_VALUE_OBJECT);
}

/* Is the schema no more than a table of typed parameters, as one of type
 * `object` is? */
static bool is_table(const tw_value *schema)
{
    static const char *const known[] = {"type", "properties", "[required",
                                        NULL};
    static const char *const simple[] = {"type",  "description", "default",
                                         "items", "enum",        NULL};
    const tw_value *properties = tw_value_member(schema, "properties");
    const tw_value *type = tw_value_member(schema, "type");
    if ((type != NULL && !tw_value_is(type, "object")) ||
        (properties != NULL && properties->kind != TW_VALUE_OBJECT)) {
        return false;
    }
    for (const tw_value *at = schema->first; at != NULL; at = at->next) {
        if (!tw_losses_is_known(at, known)) {
            return false;
        }
    }
    for (const tw_value *at = properties != NULL ? properties->first : NULL;
         at != NULL; at = at->next) {
        const tw_value *items = tw_value_member(at, "items");
        if (python_type(at) == NULL ||
            (items != NULL &&
             (!tw_value_is(tw_value_member(at, "type"), "array") ||
              !is_plain_type(items)))) {
            return false;
        }
        for (const tw_value *part = at->first; part != NULL;
             part = part->next) {
            if (!tw_value_is_named(part, simple)) {
                return false;
            }
        }
    }
    return true;
}

static void put_value(tw_json_out *text, const tw_value *value)
{
    text->failed |= text->failed || !tw_value_dump(&text->out, text->memory,
                                                   value, &tw_dump_spaced);
}

static void put_parameter(tw_json_out *text, const tw_value *property,
                          bool required)
{
    tw_json_put_member_key(text, property);
    tw_json_put(text, " {");
    for (const tw_value *at = property->first; at != NULL; at = at->next) {
        if (!tw_value_has_key(at, "type") && !tw_value_has_key(at, "items")) {
            tw_json_put_member_key(text, at);
            tw_json_put(text, " ");
            put_value(text, at);
            tw_json_put(text, ", ");
        }
    }
    tw_json_put(text, "\"type\": ");
    put_type(text, property,
             !required && tw_value_member(property, "default") == NULL);
    tw_json_put(text, "}");
}

/* What has a default is not required, nor is what there is not. */
static void report_required(tw_recoder *recoder, const tw_value *schema)
{
    const tw_value *properties = tw_value_member(schema, "properties");
    const tw_value *required = tw_value_member(schema, "required");
    for (const tw_value *at = required != NULL ? required->first : NULL;
         at != NULL; at = at->next) {
        const tw_value *property =
            properties != NULL && at->kind == TW_VALUE_STRING
                ? tw_value_member_sized(properties, at->text, at->size)
                : NULL;
        if (property == NULL || tw_value_member(property, "default") != NULL) {
            tw_recoder_report_loss(recoder, TW_LOSS_TOOL_PART, at, NULL);
        }
    }
}

static void put_parameters(tw_recoder *recoder, tw_json_out *text,
                           const tw_value *schema)
{
    const tw_value *properties = tw_value_member(schema, "properties");
    if (!tw_value_is_a(schema, TW_VALUE_OBJECT)) {
        if (schema != NULL && !tw_value_is_void(schema)) {
            tw_recoder_report_loss(recoder, TW_LOSS_TOOL_PART, schema, NULL);
        }
        tw_json_put(text, "{}");
        return;
    }
    if (!is_table(schema)) {
        if (!tw_xlam_is_schema(schema)) {
            tw_recoder_report_loss(recoder, TW_LOSS_TOOL_PART, schema,
                                   "It reads back as a table of parameters.");
        }
        put_value(text, schema);
        return;
    }
    report_required(recoder, schema);
    tw_json_put(text, "{");
    for (const tw_value *at = properties != NULL ? properties->first : NULL;
         at != NULL; at = at->next) {
        put_parameter(text, at, is_required(schema, at));
        tw_json_put(text, at->next != NULL ? ", " : "");
    }
    tw_json_put(text, "}");
}

static void put_tool(tw_recoder *recoder, tw_json_out *text,
                     const tw_value *tool)
{
    static const char *const known[] = {"type", "name", "description",
                                        "parameters", NULL};
    const tw_value *function = tw_tool_function(tool);
    const tw_value *about = tw_value_member(function, "description");
    tw_json_put(text, "{\"name\": ");
    put_value(text, tw_value_member(function, "name"));
    if (about != NULL) {
        tw_json_put(text, ", \"description\": ");
        put_value(text, about);
    }
    tw_json_put(text, ", \"parameters\": ");
    put_parameters(recoder, text, tw_value_member(function, "parameters"));
    tw_json_put(text, "}");
    tw_losses_add_members(&recoder->losses, function, known);
    tw_report_lost_wrapper(recoder, tool);
}

/* ---- records ------------------------------------------------------------ */

static void put_string(tw_recoder *recoder, const char *key, tw_json_out *text)
{
    tw_json_put_key(&recoder->json_out, key, false);
    tw_json_put_string(&recoder->json_out, (const char *)text->out.data,
                       text->out.size);
    recoder->json_out.failed |= text->failed;
    tw_buffer_free(&text->out, recoder->memory);
}

static void put_answers(tw_recoder *recoder,
                        const tw_conversation *conversation,
                        const tw_message *message)
{
    tw_json_out text = {.memory = recoder->memory};
    tw_json_put(&text, "[");
    for (size_t i = 0; message != NULL && i < message->call_count; i++) {
        tw_json_put(&text, i > 0 ? ", " : "");
        tw_json_put_described(
            recoder, &text, tw_call_of(conversation, message, i), message, i);
    }
    tw_json_put(&text, "]");
    put_string(recoder, "answers", &text);
}

/* All of it: other shapes have parts of a message in several places. */
static void drop_message(tw_recoder *recoder,
                         const tw_conversation *conversation,
                         const tw_message *message)
{
    static const char why[] = "The target has one question and its calls.";
    tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_DROPPED, message->value,
                           why);
    if (tw_has_text(message->content)) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_DROPPED,
                               message->content, why);
    }
    for (size_t i = 0; i < message->call_count; i++) {
        tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_DROPPED,
                               tw_call_of(conversation, message, i)->value,
                               why);
    }
}

/* The first question and what calls answer it; all else has no place. */
void tw_xlam_write(tw_recoder *recoder, const tw_conversation *conversation)
{
    static const char *const none[] = {NULL};
    const tw_message *query = NULL;
    const tw_message *answer = NULL;
    for (size_t i = 0; i < tw_message_count(conversation); i++) {
        const tw_message *message = tw_message_at(conversation, i);
        if (query == NULL && message->role == TW_ROLE_USER) {
            query = message;
        } else if (query != NULL && answer == NULL &&
                   message->role == TW_ROLE_ASSISTANT) {
            answer = message;
            if (tw_has_text(message->content)) {
                tw_recoder_report_loss(recoder, TW_LOSS_CONTENT_DROPPED,
                                       message->content, NULL);
            }
        } else {
            drop_message(recoder, conversation, message);
        }
    }
    if (query == NULL) {
        tw_recoder_refuse(recoder, conversation->root,
                          "there is no question of a user");
        return;
    }
    tw_json_put_key(&recoder->json_out, "query", true);
    tw_json_put_content(recoder, query->content);
    put_answers(recoder, conversation, answer);
    tw_json_out text = {.memory = recoder->memory};
    tw_json_put(&text, "[");
    for (const tw_value *at =
             conversation->tools != NULL ? conversation->tools->first : NULL;
         at != NULL; at = at->next) {
        put_tool(recoder, &text, at);
        tw_json_put(&text, at->next != NULL ? ", " : "");
    }
    tw_json_put(&text, "]");
    put_string(recoder, "tools", &text);
    tw_report_lost_reasoning(recoder, conversation);
    tw_report_unread(recoder, conversation, none);
}
