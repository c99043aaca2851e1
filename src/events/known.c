/* SPDX-License-Identifier: MIT
 *
 * What schemas say of a value's types, and the schemas of a part: those that
 * all schemas of the whole have for it.
 */
#include "events/known.h"

#include <string.h>

#include "json/escape.h"

/* A schema that leads to more others says nothing: whatever it refers to, the
 * work for one parameter is bounded. */
enum { SCHEMAS_MOST = 64, VALUES_MOST = 4096 };

/* ---- what a schema says ------------------------------------------------- */

/* A schema under way. */
typedef struct asked {
    const tw_value *schema;
    const tw_value *part; /* that was asked last, or NULL */
    size_t keyword;       /* whose part it is */
    unsigned types;       /* that are allowed so far; 0: it does not say */
    unsigned sum;         /* ... by the parts of a choice */
    bool open;            /* ... one of which does not say */
} asked;

/* The schemas that one parameter's leads to. */
typedef struct schema_walk {
    const tw_value *root;
    asked stack[SCHEMAS_MOST];
    size_t depth;
    size_t count;  /* of schemas */
    size_t values; /* of enumerations */
    size_t *work;
    bool lost; /* it leads too far */
} schema_walk;

/* A number may be an integer. */
enum {
    ANY_NUMBER = TW_TYPE_NUMBER | TW_TYPE_INTEGER,
    ALL = TW_TYPE_STRING | ANY_NUMBER | TW_TYPE_BOOLEAN | TW_TYPE_NULL |
          TW_TYPE_ARRAY | TW_TYPE_OBJECT,
    LISTED = 256 /* the values are listed, and null is none of them */
};

/* JSON Schema's words, and others that stand in their place. */
static unsigned type_named(const tw_value *name)
{
    static const struct {
        const char *name;
        unsigned type;
    } types[] = {{"string", TW_TYPE_STRING},
                 {"number", ANY_NUMBER},
                 {"integer", TW_TYPE_INTEGER},
                 {"boolean", TW_TYPE_BOOLEAN},
                 {"null", TW_TYPE_NULL},
                 {"array", TW_TYPE_ARRAY},
                 {"object", TW_TYPE_OBJECT},
                 {"str", TW_TYPE_STRING},
                 {"float", ANY_NUMBER},
                 {"double", ANY_NUMBER},
                 {"int", TW_TYPE_INTEGER},
                 {"bool", TW_TYPE_BOOLEAN},
                 {"list", TW_TYPE_ARRAY},
                 {"dict", TW_TYPE_OBJECT},
                 {"any", ALL}};
    unsigned found = 0;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        found |= tw_value_is(name, types[i].name) ? types[i].type : 0;
    }
    return found;
}

static unsigned type_of(const tw_value *value)
{
    static const uint8_t types[] = {
        [TW_VALUE_NULL] = TW_TYPE_NULL,     [TW_VALUE_FALSE] = TW_TYPE_BOOLEAN,
        [TW_VALUE_TRUE] = TW_TYPE_BOOLEAN,  [TW_VALUE_NUMBER] = ANY_NUMBER,
        [TW_VALUE_STRING] = TW_TYPE_STRING, [TW_VALUE_ARRAY] = TW_TYPE_ARRAY,
        [TW_VALUE_OBJECT] = TW_TYPE_OBJECT};
    return types[value->kind];
}

/* The part of |value| that [at, to) of a pointer means, or NULL. */
static const tw_value *point(const tw_value *value, const char *at,
                             const char *to)
{
    enum { TOKEN = 256 };
    char token[TOKEN];
    size_t size = 0;
    while (at < to && size < TOKEN) {
        token[size++] = tw_json_pointer_byte(&at);
    }
    return at < to ? NULL : tw_value_part(value, token, size);
}

/* What references in |schema| begin at: the schema around it that has a name
 * of its own. */
static const tw_value *base_of(schema_walk *walk, const tw_value *schema)
{
    static const char *const maps[] = {"properties", "$defs", "definitions",
                                       NULL};
    while (schema != walk->root && schema != NULL) {
        const bool whole = schema->kind == TW_VALUE_OBJECT &&
                           !tw_value_is_named(schema, maps);
        const size_t members = whole ? 1 + tw_value_length(schema) : 1;
        const tw_value *name = whole ? tw_value_member(schema, "$id") : NULL;
        if (*walk->work < members) {
            return NULL;
        }
        *walk->work -= members;
        if (tw_value_is_a(name, TW_VALUE_STRING)) {
            return schema;
        }
        schema = schema->parent;
    }
    return schema;
}

/* The schema that `#` or `#/KEY/KEY` means, or NULL. */
static const tw_value *follow(schema_walk *walk, const tw_value *reference)
{
    const tw_value *schema = base_of(walk, reference->parent);
    if (reference->kind != TW_VALUE_STRING || reference->size == 0 ||
        reference->text[0] != '#') {
        return NULL;
    }
    const char *at = reference->text + 1;
    const char *end = reference->text + reference->size;
    while (at < end && schema != NULL) {
        const char *from = at + 1;
        const char *slash = memchr(from, '/', (size_t)(end - from));
        const size_t members = 1 + tw_value_length(schema);
        if (*at != '/' || *walk->work < members) {
            return NULL;
        }
        *walk->work -= members;
        at = slash != NULL ? slash : end;
        schema = point(schema, from, at);
    }
    return schema;
}

static unsigned types_of_values(schema_walk *walk, const tw_value *values)
{
    unsigned found = 0;
    for (const tw_value *value = values->first; value != NULL;
         value = value->next) {
        if (++walk->values > VALUES_MOST) {
            walk->lost = true;
            break;
        }
        found |= type_of(value);
    }
    return found;
}

/* What says nothing changes nothing, nor does what leaves no type. */
static unsigned narrowed(unsigned types, unsigned by)
{
    const unsigned left = types & by & ALL;
    return types == 0  ? by
           : left != 0 ? left | ((types | by) & LISTED)
                       : types;
}

static unsigned widened(unsigned types, unsigned by)
{
    return types == 0 || by == 0 ? types | by
                                 : ((types | by) & ALL) | (types & by);
}

/* Of `type`, one or a list; unknown words are none. */
static unsigned types_named(schema_walk *walk, const tw_value *type)
{
    unsigned found = 0;
    if (!tw_value_is_a(type, TW_VALUE_ARRAY)) {
        return type != NULL ? type_named(type) : 0;
    }
    for (const tw_value *one = type->first; one != NULL; one = one->next) {
        found |= ++walk->values <= VALUES_MOST ? type_named(one) : 0;
    }
    return found;
}

static unsigned listed(unsigned types)
{
    return types == 0 || (types & TW_TYPE_NULL) != 0 ? types : types | LISTED;
}

/* By `type`, `enum` and `const`. */
static unsigned own_types(schema_walk *walk, const tw_value *schema)
{
    const tw_value *values =
        tw_value_if(tw_value_member(schema, "enum"), TW_VALUE_ARRAY);
    const tw_value *constant = tw_value_member(schema, "const");
    const unsigned types =
        narrowed(types_named(walk, tw_value_member(schema, "type")),
                 values != NULL ? listed(types_of_values(walk, values)) : 0);
    return narrowed(types, constant != NULL ? listed(type_of(constant)) : 0);
}

/* By a `not` that says a type, or null, and no more. */
static unsigned types_denied(schema_walk *walk, const tw_value *schema)
{
    const tw_value *denied = tw_value_member(schema, "not");
    const tw_value *only = denied != NULL ? denied->first : NULL;
    if (!tw_value_is_a(denied, TW_VALUE_OBJECT) || only == NULL ||
        only->next != NULL) {
        return 0;
    }
    return tw_value_has_key(only, "type") ? types_named(walk, only)
           : tw_value_has_key(only, "const") && only->kind == TW_VALUE_NULL
               ? TW_TYPE_NULL
               : 0;
}

/* Keywords whose parts are schemas: a value fits all of them, or one. */
static const struct {
    const char *name;
    bool choice;
} applied[] = {
    {"$ref", false}, {"allOf", false}, {"anyOf", true}, {"oneOf", true}};

/* False: it is not asked.  A schema that is under way already says nothing
 * more. */
static bool ask(schema_walk *walk, const tw_value *schema)
{
    if (!tw_value_is_a(schema, TW_VALUE_OBJECT)) {
        return false;
    }
    for (size_t i = 0; i < walk->depth; i++) {
        if (walk->stack[i].schema == schema) {
            return false;
        }
    }
    if (walk->count++ == SCHEMAS_MOST) {
        walk->lost = true;
        return false;
    }
    const asked one = {.schema = schema, .types = own_types(walk, schema)};
    walk->stack[walk->depth++] = one;
    return true;
}

/* The next part to be asked; NULL: that was the last. */
static const tw_value *next_part(schema_walk *walk, asked *one)
{
    enum { REFERENCE, COUNT = sizeof applied / sizeof applied[0] };
    while (one->keyword < COUNT) {
        const char *name = applied[one->keyword].name;
        if (one->keyword == REFERENCE) {
            const tw_value *to = tw_value_member(one->schema, name);
            one->part =
                one->part == NULL && to != NULL ? follow(walk, to) : NULL;
        } else if (one->part == NULL) {
            const tw_value *list = tw_value_if(
                tw_value_member(one->schema, name), TW_VALUE_ARRAY);
            one->part = list != NULL ? list->first : NULL;
        } else {
            one->part = one->part->next;
        }
        if (one->part != NULL) {
            return one->part;
        }
        /* What does not say beside what does: any type may be. */
        one->types =
            narrowed(one->types, one->open && one->sum != 0 ? ALL : one->sum);
        one->sum = 0;
        one->open = false;
        one->keyword++;
    }
    return NULL;
}

/* What a part allows is known; |was_asked|: by asking it. */
static void take(asked *one, unsigned types, bool was_asked)
{
    if (applied[one->keyword].choice) {
        one->open |=
            (was_asked && types == 0) || one->part->kind == TW_VALUE_TRUE;
        one->sum = widened(one->sum, types);
    } else {
        one->types = narrowed(one->types, types);
    }
}

/* All parts were asked. */
static unsigned end(schema_walk *walk, const asked *one)
{
    const tw_value *nullable = tw_value_member(one->schema, "nullable");
    const unsigned types =
        narrowed(one->types, one->types & ~types_denied(walk, one->schema));
    return types != 0 && (types & LISTED) == 0 &&
                   tw_value_is_a(nullable, TW_VALUE_TRUE)
               ? types | TW_TYPE_NULL
               : types;
}

void tw_known_visit(const tw_value *schema, const tw_value *root, size_t *work,
                    tw_known_visitor *visit, void *context)
{
    schema_walk walk = {.root = root, .work = work};
    ask(&walk, schema);
    for (size_t depth = 0; walk.depth > 0 && !walk.lost;) {
        asked *one = &walk.stack[walk.depth - 1];
        if (walk.depth > depth) {
            visit(context, one->schema, work);
        }
        depth = walk.depth;
        const tw_value *part = next_part(&walk, one);
        walk.depth -= part == NULL;
        depth -= part == NULL;
        ask(&walk, part);
    }
}

unsigned tw_known_types(const tw_value *schema, const tw_value *root,
                        size_t *work)
{
    schema_walk walk = {.root = root, .work = work};
    unsigned types = 0;
    bool answered = true;
    ask(&walk, schema);
    while (walk.depth > 0 && !walk.lost) {
        asked *one = &walk.stack[walk.depth - 1];
        if (one->part != NULL) {
            take(one, types, answered);
        }
        const tw_value *part = next_part(&walk, one);
        types = part == NULL ? end(&walk, one) : 0;
        walk.depth -= part == NULL;
        answered = ask(&walk, part) || part == NULL;
    }
    const bool any = (types & TW_TYPE_NUMBER) != 0; /* an integer is one */
    return walk.lost ? 0 : types & ALL & ~(any ? TW_TYPE_INTEGER : 0U);
}

/* ---- parts ------------------------------------------------------------- */

/* A part that is asked for. */
typedef struct asked_part {
    const char *key; /* of a member; NULL: an element */
    size_t size;
    tw_known found;
    tw_known others; /* what is said of members that are not named */
} asked_part;

static void add(tw_known *known, const tw_value *schema)
{
    if (tw_value_is_a(schema, TW_VALUE_OBJECT) &&
        known->count < TW_KNOWN_SCHEMAS) {
        known->all[known->count++] = schema;
    }
}

static void add_parts(void *context, const tw_value *schema, size_t *work)
{
    asked_part *part = context;
    const tw_value *members = tw_value_member(schema, "properties");
    const tw_value *named = NULL;
    if (part->key == NULL) {
        add(&part->found, tw_value_member(schema, "items"));
        return;
    }
    const size_t cost = members != NULL ? 1 + tw_value_length(members) : 1;
    if (cost <= *work && tw_value_is_a(members, TW_VALUE_OBJECT)) {
        named = tw_value_member_sized(members, part->key, part->size);
    }
    *work -= cost <= *work ? cost : *work;
    add(&part->found, named);
    if (named == NULL) {
        add(&part->others, tw_value_member(schema, "additionalProperties"));
    }
}

tw_known tw_known_arguments(const tw_value *schema)
{
    tw_known known = {.root = schema, .types = TW_TYPE_OBJECT};
    add(&known, schema);
    return known;
}

tw_known tw_known_part(const tw_known *whole, const char *key, size_t size,
                       size_t *work)
{
    asked_part part = {.key = key,
                       .size = size,
                       .found = {.root = whole->root},
                       .others = {.root = whole->root}};
    for (size_t i = 0; i < whole->count; i++) {
        tw_known_visit(whole->all[i], whole->root, work, add_parts, &part);
    }
    tw_known known = part.found.count > 0 ? part.found : part.others;
    for (size_t i = 0; i < known.count; i++) {
        known.types |= (uint8_t)tw_known_types(known.all[i], known.root, work);
    }
    return known;
}
