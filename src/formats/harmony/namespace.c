/* SPDX-License-Identifier: MIT
 *
 * Functions as TypeScript, as openai/harmony declares them.
 */
#include "formats/harmony/encode.h"

#include <string.h>

/* What is open. */
enum {
    ITEMS,
    MEMBERS,
    VARIANTS, /* of a `oneOf` */
    CHOICES   /* of a property's `oneOf` */
};

static const tw_value *text_member(const tw_value *of, const char *key)
{
    const tw_value *text = tw_value_member(of, key);
    return text != NULL && text->kind == TW_VALUE_STRING ? text : NULL;
}

static const tw_value *list_member(const tw_value *of, const char *key)
{
    const tw_value *list = tw_value_member(of, key);
    return list != NULL && list->kind == TW_VALUE_ARRAY ? list : NULL;
}

static void put_indent(tw_segments *out, size_t indent)
{
    for (; indent > 0; indent--) {
        tw_out(out, " ");
    }
}

/* A line of its own. */
static void put_comment(tw_segments *out, size_t indent, const char *front,
                        const tw_value *text, const char *back)
{
    put_indent(out, indent);
    tw_out(out, front);
    if (text != NULL) {
        tw_out_text(out, text);
    }
    tw_out(out, back);
    tw_out(out, "\n");
}

/* A string stands in quotes, but one of an enum: there as it is, or as JSON
 * where |as_json|. */
static void put_default(tw_segments *out, const tw_value *schema,
                        const char *front, bool as_json)
{
    const tw_value *value = tw_value_member(schema, "default");
    const tw_value *values = list_member(schema, "enum");
    const bool limited = values != NULL && values->first != NULL;
    tw_out(out, front);
    if (value->kind != TW_VALUE_STRING || (limited && as_json)) {
        tw_out_value(out, value, &tw_dump_compact);
        return;
    }
    tw_out(out, limited ? "" : "\"");
    tw_out_text(out, value);
    tw_out(out, limited ? "" : "\"");
}

/* ---- types -------------------------------------------------------------- */

/* What is shown of a schema by the place where it stands. */
static unsigned shown_there(const tw_schema_walk *walk)
{
    static const unsigned comments = TW_SHOWN_DESCRIPTION | TW_SHOWN_DEFAULT;
    const tw_open_schema *open = tw_schema_top(walk);
    if (open == NULL || open->kind == ITEMS) {
        return 0;
    }
    return comments |
           (open->kind == MEMBERS ? TW_SHOWN_TITLE | TW_SHOWN_EXAMPLES : 0u);
}

static size_t indent_of(const tw_schema_walk *walk)
{
    static const size_t more[] = {
        [ITEMS] = 0, [MEMBERS] = 4, [VARIANTS] = 3, [CHOICES] = 3};
    const tw_open_schema *open = tw_schema_top(walk);
    return open != NULL ? open->indent + more[open->kind] : 0;
}

static void open_part(tw_schema_walk *walk, int kind, const tw_value *schema,
                      const tw_value *part)
{
    tw_open_schema added = {0};
    added.kind = kind;
    added.schema = schema;
    added.part = part;
    added.alone = kind == ITEMS;
    /* The variants of a property stand where the property does. */
    added.indent =
        kind == CHOICES ? tw_schema_top(walk)->indent : indent_of(walk);
    tw_schema_open(walk, &added,
                   kind == MEMBERS ? list_member(schema, "required") : NULL);
}

static void put_object(tw_schema_walk *walk, const tw_value *schema)
{
    const tw_value *about = text_member(schema, "description");
    const tw_value *properties = tw_value_member(schema, "properties");
    const size_t indent = indent_of(walk);
    tw_schema_report(walk, schema,
                     TW_SHOWN_TYPE | TW_SHOWN_PROPERTIES | TW_SHOWN_REQUIRED |
                         TW_SHOWN_DESCRIPTION);
    if (about != NULL) {
        put_comment(walk->out, indent, "// ", about, "");
    }
    if (properties == NULL) {
        tw_encode_loss(
            walk->out, TW_LOSS_TOOL_PART, schema,
            "A schema without properties reads back with empty ones.");
    }
    tw_out(walk->out, "{\n");
    if (properties != NULL && properties->kind == TW_VALUE_OBJECT &&
        properties->first != NULL) {
        open_part(walk, MEMBERS, schema, properties->first);
    } else {
        put_indent(walk->out, indent);
        tw_out(walk->out, "}");
    }
}

static void put_string(tw_schema_walk *walk, const tw_value *schema)
{
    const tw_value *values = list_member(schema, "enum");
    const tw_value *at = values != NULL ? values->first : NULL;
    bool some = false;
    bool all = true;
    for (; at != NULL; at = at->next) {
        if (at->kind != TW_VALUE_STRING) {
            all = false;
            continue;
        }
        tw_out(walk->out, some ? " | \"" : "\"");
        tw_out_text(walk->out, at);
        tw_out(walk->out, "\"");
        some = true;
    }
    tw_schema_report(walk, schema,
                     TW_SHOWN_TYPE | (some && all ? TW_SHOWN_ENUM : 0u));
    tw_out(walk->out, some ? "" : "string");
}

/* Those of a list of types that are strings; false: there are none. */
static bool put_union(tw_schema_walk *walk, const tw_value *schema,
                      const tw_value *types)
{
    bool some = false;
    bool all = true;
    for (const tw_value *at = types->first; at != NULL; at = at->next) {
        const bool integer = tw_value_is(at, "integer");
        all = all && !integer && at->kind == TW_VALUE_STRING;
        if (at->kind != TW_VALUE_STRING) {
            continue;
        }
        tw_out(walk->out, some ? " | " : "");
        if (integer) {
            tw_out(walk->out, "number");
        } else {
            tw_out_text(walk->out, at);
        }
        some = true;
    }
    if (some) {
        tw_schema_report(walk, schema, all ? TW_SHOWN_TYPE : 0u);
    }
    return some;
}

static void put_array(tw_schema_walk *walk, const tw_value *schema)
{
    const tw_value *items = tw_value_member(schema, "items");
    tw_schema_report(walk, schema, TW_SHOWN_TYPE | TW_SHOWN_ITEMS);
    if (items != NULL) {
        open_part(walk, ITEMS, schema, items);
    } else {
        tw_out(walk->out, "Array<any>");
    }
}

static void put_type(tw_schema_walk *walk, const tw_value *schema)
{
    const tw_value *type = tw_value_member(schema, "type");
    const tw_value *variants = list_member(schema, "oneOf");
    if (variants != NULL) {
        tw_schema_report(walk, schema, TW_SHOWN_ONE_OF);
        if (variants->first != NULL) {
            open_part(walk, VARIANTS, schema, variants->first);
        }
    } else if (type != NULL && type->kind == TW_VALUE_ARRAY &&
               put_union(walk, schema, type)) {
        return;
    } else if (tw_value_is(type, "object")) {
        put_object(walk, schema);
    } else if (tw_value_is(type, "string")) {
        put_string(walk, schema);
    } else if (tw_value_is(type, "array")) {
        put_array(walk, schema);
    } else {
        tw_schema_put_word(walk, schema, type);
    }
}

/* ---- properties --------------------------------------------------------- */

/* The lines above a property. */
static void put_comments(tw_segments *out, const tw_value *property,
                         size_t indent)
{
    const tw_value *title = text_member(property, "title");
    const tw_value *about = text_member(property, "description");
    const tw_value *examples = list_member(property, "examples");
    if (title != NULL) {
        put_comment(out, indent, "// ", title, "");
        put_comment(out, indent, "//", NULL, "");
    }
    if (about != NULL && tw_value_member(property, "oneOf") == NULL) {
        put_comment(out, indent, "// ", about, "");
    }
    if (examples == NULL || examples->first == NULL) {
        return;
    }
    put_comment(out, indent, "// Examples:", NULL, "");
    for (const tw_value *at = examples->first; at != NULL; at = at->next) {
        if (at->kind == TW_VALUE_STRING) {
            put_comment(out, indent, "// - \"", at, "\"");
        } else {
            tw_encode_loss(out, TW_LOSS_TOOL_PART, at, NULL);
        }
    }
}

static bool same_text(const tw_value *left, const tw_value *right)
{
    return left != NULL && right != NULL && left->size == right->size &&
           memcmp(left->text, right->text, left->size) == 0;
}

/* The property's description stands above it, unless the first variant has
 * the same. */
static const tw_value *about_choices(const tw_value *property)
{
    const tw_value *about = text_member(property, "description");
    const tw_value *choices = list_member(property, "oneOf");
    const tw_value *first = choices != NULL ? choices->first : NULL;
    return about != NULL && first != NULL &&
                   same_text(about, text_member(first, "description"))
               ? NULL
               : about;
}

static void put_name(const tw_schema_walk *walk, const tw_open_schema *object,
                     const tw_value *property, const char *colon)
{
    const bool needed =
        tw_schema_is_required(walk, object->required, property);
    put_indent(walk->out, object->indent);
    tw_out_key(walk->out, property);
    tw_out(walk->out, needed ? "" : "?");
    tw_out(walk->out, colon);
}

static void end_choices(tw_segments *out, size_t indent)
{
    put_indent(out, indent);
    tw_out(out, ",\n");
}

/* A property that is one of several. */
static void begin_choices(tw_schema_walk *walk, const tw_open_schema *object,
                          const tw_value *property, const tw_value *variants)
{
    tw_segments *out = walk->out;
    const tw_value *about = about_choices(property);
    if (about != NULL) {
        put_comment(out, object->indent, "// ", about, "");
    }
    if (tw_value_member(property, "default") != NULL) {
        put_indent(out, object->indent);
        put_default(out, property, "// default: ", false);
        tw_out(out, "\n");
    }
    put_name(walk, object, property, ":\n");
    tw_harmony_report_unshown(out, property,
                              TW_SHOWN_ONE_OF | TW_SHOWN_DESCRIPTION |
                                  TW_SHOWN_DEFAULT | TW_SHOWN_TITLE |
                                  TW_SHOWN_EXAMPLES);
    if (variants->first != NULL) {
        open_part(walk, CHOICES, property, variants->first);
    } else {
        end_choices(out, object->indent);
    }
}

static void end_property(tw_segments *out, const tw_value *property)
{
    tw_out(out, ",");
    if (tw_value_member(property, "oneOf") == NULL &&
        tw_value_member(property, "default") != NULL) {
        put_default(out, property, " // default: ", false);
    }
    tw_out(out, "\n");
}

/* Behind a variant: its description and its default. */
static void end_variant(tw_segments *out, const tw_open_schema *open)
{
    const tw_value *variant = open->part;
    const tw_value *about = text_member(variant, "description");
    if (open->kind == CHOICES) {
        const tw_value *above = about_choices(open->schema);
        const bool first = variant->parent->first == variant;
        if ((first && above != NULL) ||
            same_text(about, text_member(open->schema, "description"))) {
            about = NULL;
        }
    }
    if (about != NULL) {
        tw_out(out, " // ");
        tw_out_text(out, about);
    }
    if (tw_value_member(variant, "default") != NULL) {
        put_default(out, variant,
                    about != NULL ? " default: " : " // default: ",
                    open->kind == VARIANTS);
    }
}

/* ---- the walk ----------------------------------------------------------- */

static void begin_part(tw_schema_walk *walk, const tw_value *part)
{
    tw_segments *out = walk->out;
    tw_open_schema *top = tw_schema_top(walk);
    if (top != NULL && top->kind == MEMBERS) {
        const tw_value *variants = list_member(part, "oneOf");
        put_comments(out, part, top->indent);
        if (variants != NULL) {
            begin_choices(walk, top, part, variants);
            return;
        }
        put_name(walk, top, part, ": ");
    } else if (top != NULL && top->kind != ITEMS) {
        tw_out(out, top->kind == VARIANTS ? "\n" : "");
        put_indent(out, top->indent);
        tw_out(out, " | ");
    }
    if (top != NULL) {
        top->part_text = out->text.size;
    }
    put_type(walk, part);
}

static void end_part(tw_schema_walk *walk, const tw_open_schema *open)
{
    tw_segments *out = walk->out;
    const tw_value *nullable = tw_value_member(open->part, "nullable");
    if (open->kind == ITEMS ||
        (open->kind == MEMBERS && list_member(open->part, "oneOf") != NULL)) {
        return;
    }
    if (nullable != NULL && nullable->kind == TW_VALUE_TRUE &&
        !tw_schema_says_null(walk, open->part_text)) {
        tw_out(out, " | null");
    }
    if (open->kind == MEMBERS) {
        end_property(out, open->part);
        return;
    }
    end_variant(out, open);
    tw_out(out, open->kind == CHOICES ? "\n" : "");
}

static void close_schema(tw_schema_walk *walk, const tw_open_schema *open)
{
    switch (open->kind) {
    case ITEMS: tw_out(walk->out, "[]"); break;
    case MEMBERS:
        put_indent(walk->out, open->indent);
        tw_out(walk->out, "}");
        break;
    case CHOICES: end_choices(walk->out, open->indent); break;
    default: break;
    }
}

/* ---- functions ---------------------------------------------------------- */

/* Each line as Rust's lines() cuts them: without its `\r`, and none behind
 * the last line feed. */
static void put_lines(tw_segments *out, const tw_value *text)
{
    const char *at = text->text;
    const char *limit = at + text->size;
    while (at < limit) {
        const char *feed = memchr(at, '\n', (size_t)(limit - at));
        const char *next = feed != NULL ? feed + 1 : limit;
        const char *to = feed != NULL ? feed : limit;
        to -= feed != NULL && to > at && to[-1] == '\r' ? 1 : 0;
        tw_out(out, "// ");
        tw_out_part(out, text, at, (size_t)(to - at),
                    (size_t)(at - text->text));
        tw_out(out, "\n");
        at = next;
    }
}

static void put_function(tw_schema_walk *walk, const tw_value *tool)
{
    tw_segments *out = walk->out;
    const tw_value *function = tw_tool_function(tool);
    const tw_value *about = tw_value_member(function, "description");
    const tw_value *parameters = tw_value_member(function, "parameters");
    tw_harmony_report_unshown_tool(out, tool);
    if (about != NULL && about->kind == TW_VALUE_STRING) {
        put_lines(out, about);
    }
    tw_out(out, "type ");
    tw_out_text(out, tw_value_member(function, "name"));
    if (parameters != NULL && parameters->kind != TW_VALUE_NULL) {
        tw_out(out, " = (_: ");
        tw_schema_put(walk, parameters);
        tw_out(out, ") => any;\n\n");
    } else {
        tw_out(out, " = () => any;\n\n");
    }
}

void tw_harmony_put_namespace(tw_segments *out,
                              const tw_harmony_dialect *dialect,
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
