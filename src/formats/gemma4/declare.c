/* SPDX-License-Identifier: MIT
 *
 * Declarations of tools: a digest of their JSON schemas.  Of a property
 * stand, in this order, its description, `enum` (of strings) or `items` (of
 * arrays), `nullable`, `properties` and `required` (of objects), and its
 * type, in upper case; the rest is lost.
 */
#include "formats/gemma4/declare.h"

#include <string.h>

#include "messages/pytext.h"

/* A schema that is not written to its end.  Schemas are walked with a stack
 * of these, so that their depth costs no C stack. */
typedef enum place {
    IN_PROPERTIES, /* KEY:{..},KEY:{..} */
    IN_PROPERTY,   /* what stands in the braces of one */
    IN_ITEMS       /* ... of `items` */
} place;

/* What a schema says; NULL: nothing.  The last one where it says it twice. */
typedef struct says {
    const tw_value *about; /* its `description` */
    const tw_value *type;
    const tw_value *choice; /* its `enum` */
    const tw_value *items;
    const tw_value *nullable;
    const tw_value *properties;
    const tw_value *names; /* its `required` */
} says;

typedef struct frame {
    place where;
    uint8_t stage;           /* of a property: what comes next */
    bool keywords;           /* properties are those of a schema that has
                                none: its other keywords */
    bool used;               /* something was written */
    const tw_value *schema;  /* whose they are */
    says says;               /* of a property: its schema */
    const tw_value **sorted; /* its members; of a property NULL */
    size_t count;
    size_t done;
} frame;

enum { STAGE_HEAD, STAGE_MIDDLE, STAGE_END };

typedef struct declaration {
    tw_segments *out;
    const tw_gemma4_dialect *dialect;
    tw_buffer frames;
} declaration;

static frame *top_of(declaration *of)
{
    return (frame *)(void *)(of->frames.data + of->frames.size) - 1;
}

static void push(declaration *of, frame added)
{
    if (!tw_buffer_append(&of->frames, of->out->memory, &added,
                          sizeof added)) {
        tw_python_dictsort_free(of->out->memory, added.sorted, added.count);
        tw_gemma4_no_memory(of->out);
    }
}

static void push_sorted(declaration *of, place where, const tw_value *schema,
                        bool keywords)
{
    frame added = {0};
    added.where = where;
    added.schema = schema;
    added.keywords = keywords;
    if (tw_python_dictsort(schema, of->out->memory, &added.sorted,
                           &added.count)) {
        push(of, added);
    } else {
        tw_gemma4_no_memory(of->out);
    }
}

static void pop(declaration *of)
{
    const frame *top = top_of(of);
    tw_python_dictsort_free(of->out->memory, top->sorted, top->count);
    of->frames.size -= sizeof *top;
}

static void put_comma(declaration *of, frame *top)
{
    tw_out(of->out, top->used ? "," : "");
    top->used = true;
}

/* ---- what schemas say --------------------------------------------------- */

static bool is_keyword(const tw_value *member)
{
    return tw_value_has_key(member, "description") ||
           tw_value_has_key(member, "type") ||
           tw_value_has_key(member, "properties") ||
           tw_value_has_key(member, "required") ||
           tw_value_has_key(member, "nullable");
}

/* Is it the type |name|, which is in upper case? */
static bool is_type(const tw_value *type, const char *name)
{
    if (type == NULL || type->kind != TW_VALUE_STRING ||
        type->size != strlen(name)) {
        return false;
    }
    for (size_t i = 0; i < type->size; i++) {
        const char c = type->text[i];
        if ((c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c) != name[i]) {
            return false;
        }
    }
    return true;
}

/* In one look at its members. */
static says what_it_says(const tw_value *schema)
{
    const bool object = schema->kind == TW_VALUE_OBJECT;
    const tw_value *at = object ? schema->first : NULL;
    says its = {0};
    for (; at != NULL; at = at->next) {
        switch (at->key_size) {
        case 4:
            its.type = tw_value_has_key(at, "type") ? at : its.type;
            its.choice = tw_value_has_key(at, "enum") ? at : its.choice;
            break;
        case 5:
            its.items = tw_value_has_key(at, "items") ? at : its.items;
            break;
        case 8:
            its.nullable =
                tw_value_has_key(at, "nullable") ? at : its.nullable;
            its.names = tw_value_has_key(at, "required") ? at : its.names;
            break;
        case 10:
            its.properties =
                tw_value_has_key(at, "properties") ? at : its.properties;
            break;
        default:
            its.about = tw_value_has_key(at, "description") ? at : its.about;
            break;
        }
    }
    return its;
}

static bool is_some(const tw_value *value, tw_value_kind kind)
{
    return value != NULL && value->kind == kind && value->first != NULL;
}

static bool is_object(const tw_value *value)
{
    return value != NULL && value->kind == TW_VALUE_OBJECT;
}

/* Text or a number. */
static bool is_text(const tw_value *value)
{
    return value->kind == TW_VALUE_STRING || value->kind == TW_VALUE_NUMBER;
}

static bool is_lower(const tw_value *type)
{
    for (size_t i = 0; i < type->size; i++) {
        if (type->text[i] >= 'A' && type->text[i] <= 'Z') {
            return false;
        }
    }
    return type->kind == TW_VALUE_STRING;
}

/* A type, or a list of them, that is the same when it was written in upper
 * case; the quotes of a list are Python's, which escape nothing here. */
static bool is_same_type(const tw_value *type)
{
    if (type->kind != TW_VALUE_ARRAY) {
        return is_lower(type);
    }
    for (const tw_value *at = type->first; at != NULL; at = at->next) {
        if (!is_lower(at) || at->size == 0 ||
            memchr(at->text, '\'', at->size) != NULL) {
            return false;
        }
    }
    return type->first != NULL;
}

/* Does the declaration carry this member of the schema of a |type|? */
static bool is_carried(const tw_value *type, const tw_value *member)
{
    if (tw_value_has_key(member, "description")) {
        return member->kind == TW_VALUE_STRING && member->size > 0;
    }
    if (tw_value_has_key(member, "type")) {
        return is_same_type(member);
    }
    if (tw_value_has_key(member, "nullable")) {
        return member->kind == TW_VALUE_TRUE;
    }
    if (tw_value_has_key(member, "enum")) {
        return is_type(type, "STRING") && tw_value_is_true(member);
    }
    if (tw_value_has_key(member, "items")) {
        return is_type(type, "ARRAY") && is_some(member, TW_VALUE_OBJECT);
    }
    return is_type(type, "OBJECT") &&
           ((tw_value_has_key(member, "properties") &&
             is_some(member, TW_VALUE_OBJECT)) ||
            (tw_value_has_key(member, "required") &&
             is_some(member, TW_VALUE_ARRAY)));
}

static void report_losses(declaration *of, const tw_value *schema)
{
    const tw_value *type = tw_value_member(schema, "type");
    if (!is_object(schema)) {
        tw_encode_loss(
            of->out, TW_LOSS_TOOL_PART, schema,
            "The schema is not an object; the declaration does not show it.");
        return;
    }
    for (const tw_value *member = schema->first; member != NULL;
         member = member->next) {
        if (!is_carried(type, member)) {
            tw_encode_loss(of->out, TW_LOSS_TOOL_PART, member, NULL);
        }
    }
}

/* ---- words and lists ---------------------------------------------------- */

static void put_text(tw_segments *out, const tw_value *text)
{
    tw_out(out, TW_GEMMA4_QUOTE);
    if (text != NULL && is_text(text)) {
        tw_out_text(out, text);
    }
    tw_out(out, TW_GEMMA4_QUOTE);
}

static void put_description(tw_segments *out, const tw_value *text)
{
    tw_out(out, "description:");
    put_text(out, text);
}

/* Types are written as Python prints a list: ['STRING', 'NULL']. */
static void put_type_list(tw_segments *out, const tw_value *types)
{
    tw_out(out, "[");
    for (const tw_value *at = types->first; at != NULL; at = at->next) {
        if (at->kind == TW_VALUE_STRING) {
            tw_out(out, "'");
            tw_out_upper(out, at);
            tw_out(out, "'");
        } else if (at->kind == TW_VALUE_NULL) {
            tw_out(out, "NONE");
        }
        tw_out(out, at->next != NULL ? ", " : "");
    }
    tw_out(out, "]");
}

static void put_type(tw_segments *out, const tw_value *type)
{
    tw_out(out, "type:" TW_GEMMA4_QUOTE);
    if (type == NULL) {
        /* an empty type */
    } else if (type->kind == TW_VALUE_ARRAY) {
        put_type_list(out, type);
    } else if (is_text(type)) {
        tw_out_upper(out, type);
    } else if (type->kind == TW_VALUE_NULL) {
        tw_out(out, "NONE");
    }
    tw_out(out, TW_GEMMA4_QUOTE);
}

/* The names that `required` lists. */
static void put_names(tw_segments *out, const tw_value *names)
{
    tw_out(out, "required:[");
    for (const tw_value *at = names->first; at != NULL; at = at->next) {
        if (at->kind != TW_VALUE_STRING) {
            tw_encode_loss(
                out, TW_LOSS_TOOL_PART, at,
                "The name is not a string; the declaration does not show it.");
        }
        put_text(out, at);
        tw_out(out, at->next != NULL ? "," : "");
    }
    tw_out(out, "]");
}

/* ---- properties --------------------------------------------------------- */

static void step_properties(declaration *of)
{
    frame *top = top_of(of);
    if (top->done == top->count) {
        tw_out(of->out, "}");
        pop(of);
        return;
    }
    const tw_value *schema = top->sorted[top->done++];
    if (top->keywords && is_keyword(schema)) {
        return;
    }
    put_comma(of, top);
    tw_put_gemma_key(of->out, schema);
    tw_out(of->out, ":{");
    report_losses(of, schema);
    push(of, (frame){.where = IN_PROPERTY,
                     .schema = schema,
                     .says = what_it_says(schema)});
}

/* To the end of `enum` or `items`. */
static void put_head(declaration *of, frame *top)
{
    const says *its = &top->says;
    if (tw_value_is_true(its->about) && is_text(its->about)) {
        put_comma(of, top);
        put_description(of->out, its->about);
    }
    if (is_type(its->type, "STRING") && tw_value_is_true(its->choice)) {
        put_comma(of, top);
        tw_out(of->out, "enum:");
        tw_put_gemma_value(of->out, its->choice, TW_GEMMA4_QUOTE, true, NULL);
    } else if (is_type(its->type, "ARRAY") &&
               is_some(its->items, TW_VALUE_OBJECT)) {
        put_comma(of, top);
        tw_out(of->out, "items:{");
        push_sorted(of, IN_ITEMS, its->items, false);
    }
}

/* To the end of `properties`. */
static void put_middle(declaration *of, frame *top)
{
    const tw_value *schema = top->schema;
    const tw_value *properties = top->says.properties;
    if (tw_value_is_true(top->says.nullable)) {
        put_comma(of, top);
        tw_out(of->out, "nullable:true");
    }
    if (is_type(top->says.type, "OBJECT")) {
        const bool given = is_object(properties);
        put_comma(of, top);
        tw_out(of->out, "properties:{");
        push_sorted(of, IN_PROPERTIES, given ? properties : schema, !given);
    }
}

static void put_end(declaration *of, frame *top)
{
    const tw_value *names = top->says.names;
    const tw_value *type = top->says.type;
    if (is_type(type, "OBJECT") && is_some(names, TW_VALUE_ARRAY)) {
        put_comma(of, top);
        put_names(of->out, names);
    }
    if (of->dialect->needs_types ||
        (type != NULL && type->kind != TW_VALUE_NULL)) {
        put_comma(of, top);
        put_type(of->out, type);
    }
    tw_out(of->out, "}");
}

static void step_property(declaration *of)
{
    frame *top = top_of(of);
    switch (top->stage++) {
    case STAGE_HEAD: put_head(of, top); break;
    case STAGE_MIDDLE: put_middle(of, top); break;
    default:
        put_end(of, top);
        pop(of);
        break;
    }
}

/* ---- items -------------------------------------------------------------- */

static void put_item_type(tw_segments *out, const tw_value *type)
{
    tw_out(out, "type:");
    if (type->kind == TW_VALUE_STRING) {
        tw_out(out, TW_GEMMA4_QUOTE);
        tw_out_upper(out, type);
        tw_out(out, TW_GEMMA4_QUOTE);
        return;
    }
    if (type->kind != TW_VALUE_ARRAY) {
        tw_encode_defect(out, type, "The template fails on such a type.");
    }
    tw_out(out, "[");
    for (const tw_value *at = type->first; at != NULL; at = at->next) {
        tw_out(out, TW_GEMMA4_QUOTE);
        if (is_text(at)) {
            tw_out_upper(out, at);
        } else {
            tw_encode_loss(
                out, TW_LOSS_TOOL_PART, at,
                "The type is not a string; the declaration does not show it.");
        }
        tw_out(out, at->next != NULL ? TW_GEMMA4_QUOTE "," : TW_GEMMA4_QUOTE);
    }
    tw_out(out, "]");
}

static void put_item_properties(declaration *of, const tw_value *properties)
{
    tw_out(of->out, "properties:{");
    if (is_object(properties)) {
        push_sorted(of, IN_PROPERTIES, properties, false);
    } else {
        tw_encode_loss(of->out, TW_LOSS_TOOL_PART, properties,
                       "The properties are not an object; the declaration "
                       "does not show them.");
        tw_out(of->out, "}");
    }
}

static void step_items(declaration *of)
{
    frame *top = top_of(of);
    if (top->done == top->count) {
        tw_out(of->out, "}");
        pop(of);
        return;
    }
    const tw_value *member = top->sorted[top->done++];
    if (member->kind == TW_VALUE_NULL) {
        tw_encode_loss(of->out, TW_LOSS_TOOL_PART, member, NULL);
        return;
    }
    put_comma(of, top);
    if (tw_value_has_key(member, "properties")) {
        put_item_properties(of, member);
    } else if (tw_value_has_key(member, "required")) {
        if (member->kind != TW_VALUE_ARRAY) {
            tw_encode_loss(
                of->out, TW_LOSS_TOOL_PART, member,
                "The list holds no names; the declaration does not show it.");
        }
        put_names(of->out, member);
    } else if (tw_value_has_key(member, "type")) {
        if (member->kind == TW_VALUE_STRING && !is_lower(member)) {
            tw_encode_loss(of->out, TW_LOSS_TOOL_PART, member,
                           "The declaration writes the type in capitals.");
        }
        put_item_type(of->out, member);
    } else {
        tw_put_gemma_key(of->out, member);
        tw_out(of->out, ":");
        tw_put_gemma_value(of->out, member, TW_GEMMA4_QUOTE, true, NULL);
    }
}

static void put_properties(declaration *of, const tw_value *properties)
{
    tw_out(of->out, "properties:{");
    push_sorted(of, IN_PROPERTIES, properties, false);
    while (of->frames.size > 0) {
        if (of->out->code != TW_OK) {
            pop(of);
            continue;
        }
        switch (top_of(of)->where) {
        case IN_PROPERTIES: step_properties(of); break;
        case IN_PROPERTY: step_property(of); break;
        default: step_items(of); break;
        }
    }
    tw_buffer_free(&of->frames, of->out->memory);
}

/* ---- the whole ---------------------------------------------------------- */

/* Reports each member but the named ones, as far as those are |carried|. */
static void report_others(tw_segments *out, const tw_value *object,
                          const char *const *names, const bool *carried)
{
    for (const tw_value *member = object->first; member != NULL;
         member = member->next) {
        size_t i = 0;
        while (names[i] != NULL && !tw_value_has_key(member, names[i])) {
            i++;
        }
        if (names[i] == NULL || !carried[i]) {
            tw_encode_loss(out, TW_LOSS_TOOL_PART, member, NULL);
        }
    }
}

/* Behind each part but the type stands a comma.  The official template closes
 * the braces together with the type; without one they stay open. */
static void put_outer_type(declaration *of, const tw_value *of_what,
                           const tw_value *type, bool written, bool comma)
{
    const bool official = of->dialect->needs_types;
    if (written) {
        tw_out(of->out, comma ? "," : "");
        put_type(of->out, type);
    } else if (official) {
        tw_encode_defect(
            of->out, of_what,
            "The template leaves a brace open where there is no type.");
    } else if (comma) {
        tw_out(of->out, ",");
    }
    tw_out(of->out, "}");
}

static void put_parameters(declaration *of, const tw_value *parameters)
{
    static const char *const names[] = {"properties", "required", "type",
                                        NULL};
    tw_segments *out = of->out;
    const tw_value *properties = tw_value_member(parameters, names[0]);
    const tw_value *required = tw_value_member(parameters, names[1]);
    const tw_value *type = tw_value_member(parameters, names[2]);
    const bool has_type = type != NULL && (of->dialect->needs_types
                                               ? tw_value_is_true(type)
                                               : type->kind != TW_VALUE_NULL);
    const bool carried[] = {is_some(properties, TW_VALUE_OBJECT),
                            is_some(required, TW_VALUE_ARRAY),
                            has_type && is_same_type(type)};
    tw_out(out, ",parameters:{");
    report_others(out, parameters, names, carried);
    if (carried[0]) {
        put_properties(of, properties);
    }
    if (carried[1]) {
        tw_out(out, carried[0] ? "," : "");
        put_names(out, required);
    }
    put_outer_type(of, parameters, type, has_type, carried[0] || carried[1]);
}

static void put_response(declaration *of, const tw_value *response)
{
    static const char *const names[] = {"description", "type", NULL};
    const tw_value *about = tw_value_member(response, names[0]);
    const tw_value *type = tw_value_member(response, names[1]);
    const bool carried[] = {tw_value_is_true(about) && is_text(about),
                            is_type(type, "OBJECT")};
    tw_out(of->out, ",response:{");
    if (is_object(response)) {
        report_others(of->out, response, names, carried);
    } else {
        tw_encode_loss(of->out, TW_LOSS_TOOL_PART, response,
                       "The response is not an object; the declaration does "
                       "not show it.");
    }
    if (carried[0]) {
        put_description(of->out, about);
    }
    put_outer_type(of, response, type, carried[1], carried[0]);
}

void tw_gemma4_declare(tw_segments *out, const tw_gemma4_dialect *dialect,
                       const tw_value *tool)
{
    static const char *const names[] = {"name", "description", "parameters",
                                        "response", NULL};
    const tw_value *function = tw_tool_function(tool);
    const tw_value *name = tw_value_member(function, names[0]);
    const tw_value *about = tw_value_member(function, names[1]);
    const tw_value *parameters = tw_value_member(function, names[2]);
    const tw_value *response = tw_value_member(function, names[3]);
    const bool has_parameters = is_some(parameters, TW_VALUE_OBJECT);
    const bool carried[] = {true, about != NULL && is_text(about),
                            has_parameters, true};
    declaration of = {out, dialect, {0}};
    if (function == tool) {
        tw_encode_defect(out, tool, "The template needs a `function` here.");
    } else {
        report_others(out, tool, (const char *const[]){"type", "function", 0},
                      (const bool[]){true, true});
    }
    report_others(out, function, names, carried);
    if (about == NULL) {
        tw_encode_loss(
            out, TW_LOSS_TOOL_PART, function,
            "A tool without a description reads back with an empty one.");
    } else if (about->kind == TW_VALUE_NULL) {
        tw_encode_defect(out, about, "The template writes `None` here.");
    }
    tw_out(out, TW_GEMMA4_TOOL "declaration:");
    tw_put_gemma_name(out, name);
    tw_out(out, "{");
    put_description(out, about);
    if (has_parameters) {
        put_parameters(&of, parameters);
    }
    if (response != NULL) {
        put_response(&of, response);
    }
    tw_out(out, "}" TW_GEMMA4_TOOL_END);
}
