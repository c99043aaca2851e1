/* SPDX-License-Identifier: MIT
 *
 * Functions as TypeScript, as the gpt-oss chat template declares them.
 */
#include "formats/harmony/encode.h"

#include <string.h>

/* What is open. */
enum { ITEMS, VARIANTS, MEMBERS };

/* The text of one member where that is a Python string, for a `+`. */
static const tw_value *text_member(tw_segments *out, const tw_value *of,
                                   const char *key)
{
    const tw_value *text = tw_value_member(of, key);
    if (!tw_value_is_true(text)) {
        return NULL;
    }
    if (text->kind != TW_VALUE_STRING) {
        tw_encode_defect(out, text, "The template fails here.");
        return NULL;
    }
    return text;
}

/* str() of a value. */
static void put_str(tw_segments *out, const tw_value *value)
{
    switch (value->kind) {
    case TW_VALUE_NULL: tw_out(out, "None"); break;
    case TW_VALUE_FALSE: tw_out(out, "False"); break;
    case TW_VALUE_TRUE: tw_out(out, "True"); break;
    case TW_VALUE_NUMBER:
    case TW_VALUE_STRING: tw_out_text(out, value); break;
    default:
        tw_encode_defect(out, value, "The template writes this as Python.");
        tw_out_json(out, value);
        break;
    }
}

/* What a Python list joins with |comma|. */
static void put_joined(tw_segments *out, const tw_value *list,
                       const char *comma)
{
    if (list->kind != TW_VALUE_ARRAY) {
        tw_encode_defect(out, list, "The template joins what is not a list.");
        put_str(out, list);
        return;
    }
    for (const tw_value *at = list->first; at != NULL; at = at->next) {
        if (at->kind != TW_VALUE_STRING) {
            tw_encode_loss(out, TW_LOSS_PARTS_JOINED, at,
                           "The content reads back as text.");
        }
        put_str(out, at);
        tw_out(out, at->next != NULL ? comma : "");
    }
}

/* `required` as a list. */
static const tw_value *required_of(tw_segments *out, const tw_value *schema)
{
    const tw_value *required = tw_value_member(schema, "required");
    if (!tw_value_is_true(required)) {
        return NULL;
    }
    if (required->kind != TW_VALUE_ARRAY) {
        tw_encode_defect(out, required, "The template needs a list here.");
        return NULL;
    }
    return required;
}

/* The first property of a schema; NULL: there is none. */
static const tw_value *properties_of(tw_segments *out, const tw_value *schema)
{
    const tw_value *properties = tw_value_member(schema, "properties");
    if (!tw_value_is_true(properties)) {
        return NULL;
    }
    if (properties->kind != TW_VALUE_OBJECT) {
        tw_encode_defect(out, properties,
                         "The template needs an object here.");
        return NULL;
    }
    return properties->first;
}

static void put_name(const tw_schema_walk *walk, const tw_value *member,
                     tw_required required)
{
    const bool needed = tw_schema_is_required(walk, required, member);
    tw_out_key(walk->out, member);
    tw_out(walk->out, needed ? ": " : "?: ");
}

/* ---- types -------------------------------------------------------------- */

/* What the place of a schema shows of it: a comment. */
static unsigned shown_there(const tw_schema_walk *walk)
{
    const tw_open_schema *open = tw_schema_top(walk);
    return open == NULL || open->kind == VARIANTS
               ? TW_SHOWN_DESCRIPTION | TW_SHOWN_DEFAULT
               : 0;
}

static void put_nullable(tw_schema_walk *walk, const tw_value *schema)
{
    if (tw_value_is_true(tw_value_member(schema, "nullable"))) {
        tw_out(walk->out, " | null");
    }
}

static void open_part(tw_schema_walk *walk, int kind, const tw_value *schema,
                      const tw_value *part)
{
    tw_open_schema added = {0};
    const tw_value *required = NULL;
    added.kind = kind;
    added.schema = schema;
    added.part = part;
    added.alone = kind == ITEMS;
    added.place = tw_segments_place(walk->out);
    if (kind == MEMBERS) {
        required = required_of(walk->out, schema);
        tw_out(walk->out, "{\n");
    }
    tw_schema_open(walk, &added, required);
}

static void put_array(tw_schema_walk *walk, const tw_value *schema)
{
    static const char *const plain[][2] = {{"string", "string[]"},
                                           {"number", "number[]"},
                                           {"integer", "number[]"},
                                           {"boolean", "boolean[]"}};
    const tw_value *items = tw_value_member(schema, "items");
    const tw_value *type = tw_value_member(items, "type");
    if (!tw_value_is_true(items)) {
        tw_schema_report(walk, schema, TW_SHOWN_TYPE);
        tw_out(walk->out, "any[]");
        put_nullable(walk, schema);
        return;
    }
    tw_schema_report(walk, schema, TW_SHOWN_TYPE | TW_SHOWN_ITEMS);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (tw_value_is(type, plain[i][0])) {
            const bool integer = tw_value_is(type, "integer");
            tw_harmony_report_unshown(walk->out, items,
                                      integer ? 0u : TW_SHOWN_TYPE);
            tw_out(walk->out, plain[i][1]);
            put_nullable(walk, schema);
            return;
        }
    }
    open_part(walk, ITEMS, schema, items);
}

static void put_string(tw_schema_walk *walk, const tw_value *schema)
{
    const tw_value *values = tw_value_member(schema, "enum");
    if (tw_value_is_true(values)) {
        tw_schema_report(walk, schema, TW_SHOWN_TYPE | TW_SHOWN_ENUM);
        tw_out(walk->out, "\"");
        put_joined(walk->out, values, "\" | \"");
        tw_out(walk->out, "\"");
        return;
    }
    tw_schema_report(walk, schema, TW_SHOWN_TYPE);
    tw_out(walk->out, "string");
    put_nullable(walk, schema);
}

static void put_object(tw_schema_walk *walk, const tw_value *schema)
{
    const tw_value *property = properties_of(walk->out, schema);
    if (property == NULL) {
        tw_schema_report(walk, schema, TW_SHOWN_TYPE);
        tw_out(walk->out, "object");
        return;
    }
    tw_schema_report(walk, schema,
                     TW_SHOWN_TYPE | TW_SHOWN_PROPERTIES | TW_SHOWN_REQUIRED);
    open_part(walk, MEMBERS, schema, property);
}

/* The variants of a schema, or NULL. */
static const tw_value *variants_of(tw_segments *out, const tw_value *schema)
{
    const tw_value *variants = tw_value_member(schema, "oneOf");
    if (!tw_value_is_true(variants)) {
        return NULL;
    }
    if (variants->kind != TW_VALUE_ARRAY) {
        tw_encode_defect(out, variants, "The template needs a list here.");
        return NULL;
    }
    return variants->first;
}

static void put_type(tw_schema_walk *walk, const tw_value *schema)
{
    const tw_value *type = tw_value_member(schema, "type");
    const tw_value *variant;
    if (tw_value_is(type, "array")) {
        put_array(walk, schema);
    } else if (type != NULL && type->kind == TW_VALUE_ARRAY &&
               type->first != NULL) {
        tw_schema_report(walk, schema, TW_SHOWN_TYPE);
        put_joined(walk->out, type, " | ");
    } else if ((variant = variants_of(walk->out, schema)) != NULL) {
        tw_schema_report(walk, schema, TW_SHOWN_ONE_OF);
        open_part(walk, VARIANTS, schema, variant);
    } else if (tw_value_is(type, "string")) {
        put_string(walk, schema);
    } else if (tw_value_is(type, "object")) {
        put_object(walk, schema);
    } else {
        tw_schema_put_word(walk, schema, type);
    }
}

/* ---- the walk ----------------------------------------------------------- */

static void begin_part(tw_schema_walk *walk, const tw_value *part)
{
    const tw_open_schema *top = tw_schema_top(walk);
    if (top != NULL && top->kind == MEMBERS) {
        put_name(walk, part, top->required);
        tw_out(walk->out, "\n                ");
    }
    put_type(walk, part);
}

static void end_part(tw_schema_walk *walk, const tw_open_schema *open)
{
    tw_segments *out = walk->out;
    const tw_value *part = open->part;
    if (open->kind == MEMBERS) {
        tw_out(out, part->next != NULL ? ", " : "");
    } else if (open->kind == VARIANTS) {
        const tw_value *about = text_member(out, part, "description");
        const tw_value *value = tw_value_member(part, "default");
        if (about != NULL) {
            tw_out(out, "// ");
            tw_out_text(out, about);
        }
        if (value != NULL) {
            tw_out(out, walk->dialect->variant_default);
            tw_out(out, "// default: ");
            tw_out_json(out, value);
        }
        tw_out(out, part->next != NULL ? " | \n" : "");
    }
}

/* More than 50 code points? */
static bool is_long(const tw_segments *out, size_t begin)
{
    size_t count = 0;
    for (size_t i = begin; i < out->text.size && count <= 50; i++) {
        count += (out->text.data[i] & 0xC0) != 0x80;
    }
    return count > 50;
}

static bool is_union_of_objects(const tw_segments *out, size_t begin)
{
    static const char text[] = "object | object";
    return out->text.size - begin == sizeof text - 1 &&
           memcmp(out->text.data + begin, text, sizeof text - 1) == 0;
}

static void close_schema(tw_schema_walk *walk, const tw_open_schema *open)
{
    tw_segments *out = walk->out;
    if (open->kind == MEMBERS) {
        tw_out(out, "}");
        return;
    }
    if (open->kind != ITEMS) {
        return;
    }
    const size_t begin = open->place.text;
    if (is_long(out, begin) || is_union_of_objects(out, begin)) {
        tw_segments_back(out, open->place);
        tw_encode_loss(out, TW_LOSS_TOOL_PART, open->part, NULL);
        tw_out(out, "any");
    }
    tw_out(out, "[]");
    put_nullable(walk, open->schema);
}

/* ---- functions ---------------------------------------------------------- */

static void put_default(tw_segments *out, const tw_value *schema)
{
    const tw_value *value = tw_value_member(schema, "default");
    const bool values = tw_value_is_true(tw_value_member(schema, "enum"));
    const bool variants = tw_value_is_true(tw_value_member(schema, "oneOf"));
    if (value == NULL) {
        return;
    }
    tw_out(out, values || !variants ? ", // default: " : "// default: ");
    if (!values && !variants) {
        tw_out_json(out, value);
    } else if (value->kind == TW_VALUE_STRING) {
        tw_out_text(out, value);
    } else {
        tw_encode_defect(out, value, "The template fails here.");
        tw_out_json(out, value);
    }
}

static void put_parameters(tw_schema_walk *walk, const tw_value *parameters,
                           const tw_value *property)
{
    tw_segments *out = walk->out;
    const tw_required required =
        tw_schema_require(walk, required_of(out, parameters));
    const bool object =
        tw_value_is(tw_value_member(parameters, "type"), "object");
    tw_harmony_report_unshown(out, parameters,
                              TW_SHOWN_PROPERTIES | TW_SHOWN_REQUIRED |
                                  (object ? TW_SHOWN_TYPE : 0u));
    tw_out(out, "(_: {\n");
    for (const tw_value *at = property; at != NULL; at = at->next) {
        const tw_value *about = text_member(out, at, "description");
        if (about != NULL) {
            tw_out(out, "// ");
            tw_out_text(out, about);
            tw_out(out, "\n");
        }
        put_name(walk, at, required);
        tw_schema_put(walk, at);
        put_default(out, at);
        tw_out(out, ",\n");
    }
    tw_out(out, "})");
    walk->names.size = required.begin;
}

static void put_function(tw_schema_walk *walk, const tw_value *tool)
{
    tw_segments *out = walk->out;
    const tw_value *function = tw_tool_function(tool);
    const tw_value *about = tw_value_member(function, "description");
    const tw_value *parameters = tw_value_member(function, "parameters");
    const tw_value *property = properties_of(out, parameters);
    if (function == tool) {
        tw_encode_defect(out, tool, "The template needs a `function` here.");
    }
    tw_harmony_report_unshown_tool(out, tool);
    if (about != NULL && about->kind == TW_VALUE_STRING) {
        tw_out(out, "// ");
        tw_out_text(out, about);
        tw_out(out, "\n");
    } else {
        tw_encode_defect(out, about != NULL ? about : function,
                         "The template fails without a description.");
    }
    tw_out(out, "type ");
    tw_out_text(out, tw_value_member(function, "name"));
    tw_out(out, " = ");
    if (property != NULL) {
        put_parameters(walk, parameters, property);
    } else {
        if (parameters != NULL) {
            tw_encode_loss(
                out, TW_LOSS_TOOL_PART, parameters,
                "The declaration shows no schema without properties.");
        }
        tw_out(out, "()");
    }
    tw_out(out, " => any;\n\n");
}

void tw_harmony_put_types(tw_segments *out, const tw_harmony_dialect *dialect,
                          const tw_value *tools)
{
    tw_schema_walk walk = {0};
    walk.out = out;
    walk.dialect = dialect;
    walk.begin = begin_part;
    walk.end = end_part;
    walk.shown_there = shown_there;
    walk.close = close_schema;
    tw_schema_put_namespace(&walk, tools, put_function);
}
