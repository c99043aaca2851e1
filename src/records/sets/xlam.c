/* SPDX-License-Identifier: MIT
 *
 * xLAM: {"query", "answers", "tools"}, the last two JSON text.  Parameters of
 * tools are a table of Python's types, or a schema.
 */
#include "records/sets/xlam_halves.h"

#include "core/bytes.h"

/* ---- reading ------------------------------------------------------------ */

/* A type's name, without its blanks. */
typedef struct word {
    const char *at;
    size_t size;
} word;

static word trimmed(const char *at, size_t size)
{
    while (size > 0 && *at == ' ') {
        at++;
        size--;
    }
    while (size > 0 && at[size - 1] == ' ') {
        size--;
    }
    return (word){at, size};
}

/* What a schema says for a name; NULL: nothing.  |exact|: it says the same. */
static const char *schema_type(word name, bool *exact)
{
    static const struct {
        const char *name;
        const char *type;
        bool exact;
    } types[] = {{"str", "string", true},   {"string", "string", true},
                 {"int", "integer", true},  {"integer", "integer", true},
                 {"float", "number", true}, {"number", "number", true},
                 {"bool", "boolean", true}, {"boolean", "boolean", true},
                 {"list", "array", true},   {"List", "array", true},
                 {"array", "array", true},  {"dict", "object", true},
                 {"Dict", "object", true},  {"object", "object", true},
                 {"tuple", "array", false}, {"Tuple", "array", false},
                 {"set", "array", false},   {"Set", "array", false}};
    *exact = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (tw_bytes_are(name.at, name.size, types[i].name)) {
            *exact = types[i].exact;
            return types[i].type;
        }
    }
    return NULL;
}

/* `type` and, of List[X], `items`, level by level; false: not all is said. */
static bool read_type(tw_recoder *recoder, tw_value *property, word text)
{
    bool exact = true;
    while (exact) {
        const char *open = memchr(text.at, '[', text.size);
        const word name = trimmed(
            text.at, open != NULL ? (size_t)(open - text.at) : text.size);
        const char *type = schema_type(name, &exact);
        if (type == NULL) {
            return false;
        }
        tw_make_word(&recoder->made, property, "type", type);
        if (open == NULL || !exact) {
            break;
        }
        if (strcmp(type, "array") != 0) {
            return false; /* of what a table is stays unsaid */
        }
        if (text.at[text.size - 1] != ']') {
            return false;
        }
        text = trimmed(open + 1, text.size - (size_t)(open - text.at) - 2);
        property = tw_make(&recoder->made, property, "items", TW_VALUE_OBJECT);
    }
    return exact;
}

/* Returns whether the parameter is required. */
static bool read_parameter(tw_recoder *recoder, tw_value *properties,
                           const tw_value *parameter)
{
    static const char *const known[] = {"type", NULL};
    static const char optional[] = "optional";
    enum { OPTIONAL = sizeof optional - 1 };
    const tw_value *type = tw_value_member(parameter, "type");
    bool required = tw_value_member(parameter, "default") == NULL;
    tw_value *property =
        tw_make_copy(&recoder->made, properties, NULL, parameter);
    if (property == NULL || parameter->kind != TW_VALUE_OBJECT) {
        return required;
    }
    property->first = property->last = NULL;
    property->marks = 0;
    tw_make_others(&recoder->made, property, parameter, known);
    if (!tw_value_is_a(type, TW_VALUE_STRING)) {
        return required;
    }
    word text = trimmed(type->text, type->size);
    if (text.size > OPTIONAL &&
        memcmp(text.at + text.size - OPTIONAL, optional, OPTIONAL) == 0) {
        word rest = trimmed(text.at, text.size - OPTIONAL);
        if (rest.size > 0 && rest.at[rest.size - 1] == ',') {
            text = trimmed(rest.at, rest.size - 1);
            required = false;
        }
    }
    if (!read_type(recoder, property, text)) {
        tw_recoder_report_loss(recoder, TW_LOSS_TOOL_PART, type,
                               "A schema has no such type.");
    }
    return required;
}

static void read_parameters(tw_recoder *recoder, tw_value *function,
                            const tw_value *parameters)
{
    tw_tree *made = &recoder->made;
    tw_value *schema = tw_read_part(recoder, function, "parameters",
                                    TW_VALUE_OBJECT, parameters);
    tw_make_word(made, schema, "type", "object");
    tw_value *properties =
        tw_make(made, schema, "properties", TW_VALUE_OBJECT);
    tw_value *required = NULL;
    for (const tw_value *at = parameters->first; at != NULL; at = at->next) {
        if (!read_parameter(recoder, properties, at)) {
            continue;
        }
        if (required == NULL) {
            required = tw_make(made, schema, "required", TW_VALUE_ARRAY);
        }
        tw_value *name =
            tw_make_text(made, required, NULL, at->key, at->key_size);
        if (name != NULL && at->lone_key) {
            name->lone = 1;
        }
    }
}

static void read_tool(tw_recoder *recoder, const tw_value *tool)
{
    static const char *const apart[] = {"parameters", NULL};
    const tw_value *parameters = tw_value_member(tool, "parameters");
    const bool table = tw_value_is_a(parameters, TW_VALUE_OBJECT) &&
                       !tw_xlam_is_schema(parameters);
    tw_value *function = tw_read_tool(recoder, tool);
    tw_make_others(&recoder->made, function, tool, apart);
    if (table) {
        read_parameters(recoder, function, parameters);
    } else if (parameters != NULL) {
        tw_read_member(recoder, function, "parameters", parameters);
    }
}

/* A list, as it is or in a text. */
static const tw_value *read_list(tw_recoder *recoder, const tw_value *value,
                                 const char *message)
{
    const tw_value *list = tw_read_inner(recoder, value);
    if (!tw_value_is_a(list, TW_VALUE_ARRAY)) {
        tw_recoder_refuse(recoder, value, message);
        return NULL;
    }
    return list;
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *query = tw_use_member(record, "query");
    const tw_value *answers = tw_use_member(record, "answers");
    const tw_value *tools = tw_use_member(record, "tools");
    if (!tw_value_is_a(query, TW_VALUE_STRING) || answers == NULL) {
        tw_recoder_refuse(recoder, record, "`query` or `answers` is missing");
        return NULL;
    }
    tw_read_begin(recoder, record);
    tw_read_text(recoder, "user", query, query);
    tw_value *message = tw_read_message(recoder, "assistant", answers);
    tw_make(&recoder->made, message, "content", TW_VALUE_NULL);
    const tw_value *list =
        read_list(recoder, answers, "`answers` is not a list of calls");
    for (const tw_value *at = list != NULL ? list->first : NULL; at != NULL;
         at = at->next) {
        tw_read_described(recoder, message, at);
    }
    list = tools != NULL ? read_list(recoder, tools, "`tools` is not a list")
                         : NULL;
    for (const tw_value *at = list != NULL ? list->first : NULL; at != NULL;
         at = at->next) {
        read_tool(recoder, at);
    }
    return recoder->request;
}

static const char *const members[] = {"query", "answers", "tools", NULL};

static tw_fit fits(const tw_value *record)
{
    return tw_fit_well(tw_value_member(record, "query") != NULL &&
                       tw_value_member(record, "answers") != NULL &&
                       tw_value_member(record, "tools") != NULL);
}

const tw_record_shape tw_xlam_shape = {
    .name = "xlam",
    .about = "{\"query\", \"answers\", \"tools\"}, one question and its calls",
    .members = members,
    .fits = fits,
    .read = read,
    .write = tw_xlam_write,
};
