/* SPDX-License-Identifier: MIT
 *
 * How Hermes-2-Pro is told of its tools: each as a Python signature with a
 * docstring, spliced as it is into what looks like a JSON string.
 */
#include <string.h>

#include "formats/prompts/hermes.h"

/* What stands for a type that has no parts; false: it has. */
static bool put_plain_type(tw_segments *out, const tw_value *type)
{
    /* The template takes an array's `items` for a type that is missing. */
    static const char *const names[][2] = {
        {"string", "str"},   {"number", "float"},        {"integer", "int"},
        {"boolean", "bool"}, {"array", "list[Union[]]"}, {"object", "dict"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (tw_value_is(type, names[i][0])) {
            tw_out(out, names[i][1]);
            return true;
        }
    }
    return false;
}

static void put_unknown_type(tw_segments *out, const tw_value *type)
{
    if (type->kind == TW_VALUE_STRING) {
        tw_encode_defect(out, type, "The template does not end here.");
    }
    tw_out(out, "Any");
}

/* The Python type of a schema. */
static void put_type(tw_segments *out, const tw_value *schema)
{
    size_t depth = 0;
    const tw_value *type = tw_value_member(schema, "type");
    const tw_value *more = tw_value_member(schema, "additionalProperties");
    for (; tw_value_is(type, "object") && more != NULL; depth++) {
        tw_out(out, "dict[str, ");
        type = tw_value_member(more, "type");
        more = tw_value_member(more, "additionalProperties");
    }
    if (type == NULL) {
        tw_out(out, "Union[]");
    } else if (type->kind == TW_VALUE_ARRAY) {
        tw_out(out, "Union[");
        for (const tw_value *at = type->first; at != NULL; at = at->next) {
            if (!put_plain_type(out, at)) {
                put_unknown_type(out, at);
            }
            tw_out(out, at->next != NULL ? "," : "");
        }
        tw_out(out, "]");
    } else if (!put_plain_type(out, type)) {
        put_unknown_type(out, type);
    }
    for (; depth > 0; depth--) {
        tw_out(out, "]");
    }
}

static void put_string(tw_segments *out, const tw_value *value)
{
    if (value != NULL && value->kind == TW_VALUE_STRING) {
        tw_out_text(out, value);
    }
}

static void put_parameters(tw_segments *out, const tw_value *properties)
{
    const tw_value *at = properties != NULL ? properties->first : NULL;
    for (; at != NULL; at = at->next) {
        tw_out_key(out, at);
        tw_out(out, ": ");
        put_type(out, at);
        tw_out(out, at->next != NULL ? ", " : "");
    }
}

static void put_docstring(tw_segments *out, const tw_value *function,
                          const tw_value *properties)
{
    const tw_value *returns = tw_value_member(function, "return");
    const tw_value *at = properties != NULL ? properties->first : NULL;
    tw_out(out, at != NULL ? "    Args:\n" : "");
    for (; at != NULL; at = at->next) {
        const tw_value *about = tw_value_member(at, "description");
        tw_out(out, "        ");
        tw_out_key(out, at);
        tw_out(out, "(");
        put_type(out, at);
        tw_out(out, "): ");
        if (about != NULL && about->kind == TW_VALUE_STRING) {
            tw_out_stripped(out, about);
        }
    }
    const tw_value *about =
        returns != NULL ? tw_value_member(returns, "description") : NULL;
    if (about != NULL) {
        tw_out(out, "\n    Returns:\n        ");
        put_string(out, about);
    }
}

static const char *const tool_words[] = {"type", "function", NULL};
static const char *const function_words[] = {"name", "description",
                                             "parameters", NULL};

/* The members that have no place; |words|: those that have. */
static void lose_members(tw_segments *out, const tw_value *object,
                         const char *const *words)
{
    const tw_value *at = object != NULL ? object->first : NULL;
    for (; at != NULL; at = at->next) {
        const char *const *word = words;
        while (word != NULL && *word != NULL && !tw_value_has_key(at, *word)) {
            word++;
        }
        if (word == NULL || *word == NULL) {
            tw_encode_loss(out, TW_LOSS_TOOL_PART, at, NULL);
        }
    }
}

static void put_signature(tw_segments *out, const tw_value *tool)
{
    const tw_value *function = tw_tool_function(tool);
    const tw_value *name = tw_value_member(function, "name");
    const tw_value *about = tw_value_member(function, "description");
    const tw_value *returns = tw_value_member(function, "return");
    const tw_value *parameters = tw_value_member(function, "parameters");
    const tw_value *properties =
        parameters != NULL ? tw_value_member(parameters, "properties") : NULL;
    if (properties != NULL && properties->kind != TW_VALUE_OBJECT) {
        properties = NULL;
    }
    tw_out(out, "{\"type\": \"function\", \"function\": {\"name\": ");
    tw_encode_json_name(out, name);
    tw_out(out, ", \"description\": \"");
    tw_out_text(out, name);
    tw_out(out, "(");
    put_parameters(out, properties);
    tw_out(out, ")");
    if (returns != NULL) {
        tw_out(out, " -> ");
        put_type(out, returns);
    }
    tw_out(out, " - ");
    if (about == NULL || about->kind != TW_VALUE_STRING) {
        tw_encode_defect(out, function,
                         "The template fails without a description.");
    }
    put_string(out, about);
    tw_out(out, "\n\n");
    put_docstring(out, function, properties);
    tw_out(out, "\", \"parameters\": ");
    if (properties != NULL && properties->first != NULL) {
        tw_out_json(out, parameters);
    } else {
        tw_out(out, "{}");
        lose_members(out, parameters, NULL);
    }
    tw_out(out, "}");
    lose_members(out, function, function_words);
    if (function != tool) {
        lose_members(out, tool, tool_words);
    }
}

/* What is spliced in unescaped may read back as another. */
static void note_read_back(tw_segments *out, const tw_value *tools,
                           tw_place place)
{
    tw_transcript_reader reader;
    if (tools == NULL || out->code != TW_OK) {
        return;
    }
    tw_reader_init(&reader, out->memory);
    tw_hermes_read_signatures(&reader,
                              (const char *)out->text.data + place.text,
                              out->text.size - place.text);
    tw_encode_report_read_back(out, tools, place, &reader);
    tw_reader_free(&reader);
}

void tw_hermes_put_signatures(tw_segments *out,
                              const tw_conversation *conversation)
{
    const tw_value *tool =
        conversation->tools != NULL ? conversation->tools->first : NULL;
    tw_out(out,
           "<|im_start|>system\n"
           "You are a function calling AI model. You are provided with "
           "function signatures within <tools></tools> XML tags. You may "
           "call one or more functions to assist with the user query. Don't "
           "make assumptions about what values to plug into functions. Here "
           "are the available tools: <tools> ");
    const tw_place place = tw_segments_place(out);
    for (; tool != NULL; tool = tool->next) {
        put_signature(out, tool);
        tw_out(out, tool->next != NULL ? "\n" : "");
    }
    tw_out(out,
           " </tools>Use the following pydantic model json schema for each "
           "tool call you will make: {\"properties\": {\"name\": {\"title\": "
           "\"Name\", \"type\": \"string\"}, \"arguments\": {\"title\": "
           "\"Arguments\", \"type\": \"object\"}}, \"required\": [\"name\", "
           "\"arguments\"], \"title\": \"FunctionCall\", \"type\": "
           "\"object\"}}\n"
           "For each function call return a json object with function name "
           "and arguments within <tool_call></tool_call> XML tags as "
           "follows:\n"
           "<tool_call>\n"
           "{\"name\": <function-name>, \"arguments\": <args-dict>}\n"
           "</tool_call><|im_end|>\n");
    note_read_back(out, conversation->tools, place);
}
