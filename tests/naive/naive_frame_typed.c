/* SPDX-License-Identifier: MIT
 *
 * What a tagged value is: by the declared schema, or by what it looks like
 * (G3).
 */
#include "naive_frame.h"

#include <stdio.h>
#include <string.h>

/* --- declared tools ---------------------------------------------------- */

bool frame_has_tools(const frame_reader *reader)
{
    return reader->options->tools && reader->options->tools->count > 0;
}

/* A declared tool: a function object or a plain string. */
static const naive_tree *function_of(const naive_tree *tool)
{
    const naive_tree *function = naive_tree_get(tool, "function");

    return function ? function : tool;
}

const char *frame_tool_name(const naive_tree *tool)
{
    const naive_tree *function = function_of(tool);

    return naive_tree_text(function->kind == NAIVE_STRING
                               ? function
                               : naive_tree_get(function, "name"));
}

const naive_tree *frame_tool(const frame_reader *reader,
                             const naive_bytes *name)
{
    const naive_tree *tools = reader->options->tools;

    for (size_t i = 0; tools && i < tools->count; i++) {
        const naive_tree *function = function_of(&tools->children[i]);
        const char *word = frame_tool_name(&tools->children[i]);

        if (word && name->data && strlen(word) == name->size &&
            memcmp(word, name->data, name->size) == 0)
            return function;
    }
    return NULL;
}

/* --- schemas ----------------------------------------------------------- */

enum {
    ANY_NUMBER = TYPE_NUMBER | TYPE_INTEGER,
    TYPES = TYPE_STRING | ANY_NUMBER | TYPE_BOOLEAN | TYPE_NULL | TYPE_ARRAY |
            TYPE_OBJECT,
    NO_NULL = 256 /* values are listed, null is none of them */
};

static unsigned type_named(const char *name)
{
    static const struct {
        const char *name;
        unsigned type;
    } types[] = {{"string", TYPE_STRING},   {"number", ANY_NUMBER},
                 {"integer", TYPE_INTEGER}, {"boolean", TYPE_BOOLEAN},
                 {"null", TYPE_NULL},       {"array", TYPE_ARRAY},
                 {"object", TYPE_OBJECT},   {"float", ANY_NUMBER},
                 {"double", ANY_NUMBER},    {"int", TYPE_INTEGER},
                 {"bool", TYPE_BOOLEAN},    {"dict", TYPE_OBJECT},
                 {"list", TYPE_ARRAY},      {"str", TYPE_STRING},
                 {"any", TYPES}};

    for (size_t i = 0; name && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0)
            return types[i].type;
    return 0;
}

static unsigned type_of_value(const naive_tree *value)
{
    static const unsigned types[] = {TYPE_NULL,   TYPE_BOOLEAN, TYPE_BOOLEAN,
                                     TYPE_NUMBER, TYPE_STRING,  TYPE_ARRAY,
                                     TYPE_OBJECT};

    return types[value->kind];
}

static int hex(char c)
{
    const char *digits = "0123456789abcdef0123456789ABCDEF";
    const char *found = c ? strchr(digits, c) : NULL;

    return found ? (int)(found - digits) % 16 : -1;
}

/* A part of a pointer: what a URI escapes, then what a pointer does. */
static void add_part(naive_bytes *key, const char *part, size_t size)
{
    naive_bytes plain = {0};

    naive_add(key, "", 0);
    for (size_t i = 0; i < size; i++) {
        char c = part[i];

        if (c == '%' && i + 2 < size && hex(part[i + 1]) >= 0 &&
            hex(part[i + 2]) >= 0) {
            c = (char)(hex(part[i + 1]) * 16 + hex(part[i + 2]));
            i += 2;
        }
        naive_add(&plain, &c, 1);
    }
    for (size_t i = 0; i < plain.size; i++) {
        bool escape = plain.data[i] == '~' && i + 1 < plain.size &&
                      frame_among("01", plain.data[i + 1]);

        i += escape;
        naive_add(key,
                  !escape                 ? plain.data + i
                  : plain.data[i] == '0' ? "~"
                                          : "/",
                  1);
    }
    naive_release(&plain);
}

/* No index into a list: no schema of the tests has one. */
static const naive_tree *follow(const naive_tree *root, const char *reference)
{
    const naive_tree *at = root;

    if (*reference++ != '#')
        return NULL;
    while (at && *reference) {
        size_t size = strcspn(reference + (*reference == '/'), "/");
        naive_bytes key = {0};

        if (*reference++ != '/')
            return NULL;
        add_part(&key, reference, size);
        at = naive_tree_get(at, key.data);
        naive_release(&key);
        reference += size;
    }
    return at;
}

/* Both are asked for; what says nothing, or leaves nothing, does not count. */
static unsigned both(unsigned a, unsigned b)
{
    if (!a)
        return b;
    return a & b & TYPES ? (a & b & TYPES) | ((a | b) & NO_NULL) : a;
}

static unsigned either(unsigned a, unsigned b)
{
    return a && b ? ((a | b) & TYPES) | (a & b & NO_NULL) : a | b;
}

static unsigned named(const naive_tree *type)
{
    unsigned found = type_named(naive_tree_text(type));

    for (size_t i = 0; type && i < type->count; i++)
        found |= type_named(naive_tree_text(&type->children[i]));
    return found;
}

static unsigned of_listed(const naive_tree *values, size_t count)
{
    unsigned found = 0;

    for (size_t i = 0; i < count; i++)
        found |= type_of_value(&values[i]) == TYPE_NUMBER
                     ? (unsigned)ANY_NUMBER
                     : type_of_value(&values[i]);
    return !found || found & TYPE_NULL ? found : found | NO_NULL;
}

static unsigned types_of(const naive_tree *schema, const naive_tree *root,
                         int depth)
{
    static const char *const choices[] = {"anyOf", "oneOf"};
    const naive_tree *values = naive_tree_get(schema, "enum");
    const naive_tree *nullable = naive_tree_get(schema, "nullable");
    const naive_tree *constant = naive_tree_get(schema, "const");
    const naive_tree *all = naive_tree_get(schema, "allOf");
    const naive_tree *denied = naive_tree_get(schema, "not");
    const char *reference = naive_tree_text(naive_tree_get(schema, "$ref"));
    unsigned found;

    if (!schema || schema->kind != NAIVE_OBJECT || depth > 16)
        return 0;
    found = named(naive_tree_get(schema, "type"));
    if (values && values->kind == NAIVE_ARRAY)
        found = both(found, of_listed(values->children, values->count));
    if (constant)
        found = both(found, of_listed(constant, 1));
    if (reference)
        found = both(found,
                     types_of(follow(root, reference), root, depth + 1));
    for (size_t i = 0; all && i < all->count; i++)
        found = both(found, types_of(&all->children[i], root, depth + 1));
    for (size_t c = 0; c < sizeof choices / sizeof *choices; c++) {
        const naive_tree *options = naive_tree_get(schema, choices[c]);
        unsigned sum = 0;

        for (size_t i = 0; options && i < options->count; i++)
            sum = either(sum, types_of(&options->children[i], root, depth + 1));
        found = both(found, sum);
    }
    if (denied && denied->count == 1)
        found =
            both(found, found & ~named(naive_tree_get(denied, "type")));
    if (found && nullable && nullable->kind == NAIVE_TRUE &&
        !(found & NO_NULL))
        found |= TYPE_NULL;
    return found;
}

static unsigned plain(unsigned types)
{
    return types & TYPES &
           ~(types & TYPE_NUMBER ? (unsigned)TYPE_INTEGER : 0U);
}

unsigned frame_types(const naive_tree *parameters, const char *key)
{
    return plain(types_of(
        naive_tree_get(naive_tree_get(parameters, "properties"), key),
        parameters, 0));
}

unsigned frame_schemas_types(const frame_schemas *schemas,
                             const naive_tree *root)
{
    unsigned found = 0;

    for (size_t i = 0; i < schemas->count; i++)
        found = either(found, plain(types_of(schemas->all[i], root, 0)));
    return found & TYPES;
}

static void add_schema(frame_schemas *to, const naive_tree *schema)
{
    if (schema && schema->kind == NAIVE_OBJECT && to->count < 8)
        to->all[to->count++] = schema;
}

/* The part in |schema| and in all that it leads to; of members that are not
 * named what is said of others, in |rest|. */
static void add_parts(const naive_tree *schema, const naive_tree *root,
                      const char *key, int depth, frame_schemas *to,
                      frame_schemas *rest)
{
    static const char *const lists[] = {"allOf", "anyOf", "oneOf"};
    const char *reference = naive_tree_text(naive_tree_get(schema, "$ref"));
    const naive_tree *named;

    if (!schema || schema->kind != NAIVE_OBJECT || depth > 16)
        return;
    if (!key) {
        add_schema(to, naive_tree_get(schema, "items"));
    } else {
        named = naive_tree_get(naive_tree_get(schema, "properties"), key);
        add_schema(to, named);
        if (!named)
            add_schema(rest, naive_tree_get(schema, "additionalProperties"));
    }
    if (reference)
        add_parts(follow(root, reference), root, key, depth + 1, to, rest);
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        const naive_tree *list = naive_tree_get(schema, lists[l]);

        for (size_t i = 0; list && list->kind == NAIVE_ARRAY && i < list->count;
             i++)
            add_parts(&list->children[i], root, key, depth + 1, to, rest);
    }
}

frame_schemas frame_schemas_part(const frame_schemas *whole,
                                 const naive_tree *root, const char *key)
{
    frame_schemas found = {0}, rest = {0};

    for (size_t i = 0; i < whole->count; i++)
        add_parts(whole->all[i], root, key, 0, &found, &rest);
    return found.count ? found : rest;
}

/* --- text -------------------------------------------------------------- */

void frame_add_json_string(naive_bytes *out, const char *data, size_t size)
{
    naive_bytes clean = {0};

    naive_add_utf8(&clean, data, size);
    naive_add_text(out, "\"");
    for (size_t i = 0; i < clean.size; i++) {
        const unsigned char c = (unsigned char)clean.data[i];
        char text[8];

        if (c == '"' || c == '\\')
            snprintf(text, sizeof text, "\\%c", c);
        else if (c >= 8 && c <= 13 && c != 11)
            snprintf(text, sizeof text, "\\%c", "btn.fr"[c - 8]);
        else if (c < 0x20)
            snprintf(text, sizeof text, "\\u%04x", c);
        else
            snprintf(text, sizeof text, "%c", c);
        naive_add(out, text, c ? strlen(text) : 6);
    }
    naive_add_text(out, "\"");
    naive_release(&clean);
}

void frame_decode_entities(naive_bytes *bytes)
{
    static const char *const entities[][2] = {{"&lt;", "<"},
                                              {"&gt;", ">"},
                                              {"&quot;", "\""},
                                              {"&apos;", "'"},
                                              {"&amp;", "&"}};
    naive_bytes out = {0};

    naive_add(&out, "", 0);
    for (size_t i = 0; i < bytes->size;) {
        size_t size = 1;
        const char *word = NULL;

        for (size_t e = 0; e < 5; e++) {
            if (strncmp(bytes->data + i, entities[e][0],
                        strlen(entities[e][0])) == 0) {
                word = entities[e][1];
                size = strlen(entities[e][0]);
            }
        }
        naive_add(&out, word ? word : bytes->data + i, 1);
        i += size;
    }
    naive_release(bytes);
    *bytes = out;
}

/* --- values ------------------------------------------------------------ */

static bool is_word(const naive_bytes *text, const char *word)
{
    return text->size == strlen(word) &&
           memcmp(text->data, word, text->size) == 0;
}

/* True, False or None as JSON; NULL if it is none of them. */
static const char *python_word(const naive_bytes *text)
{
    static const char *const words[][2] = {
        {"True", "true"}, {"False", "false"}, {"None", "null"}};

    for (size_t i = 0; i < 3; i++)
        if (is_word(text, words[i][0]))
            return words[i][1];
    return NULL;
}

/* Does the template write values by Python's str()? */
static bool is_python(const frame_reader *reader)
{
    return strcmp(reader->format->values, "str") == 0 ||
           strcmp(reader->format->values, "repr") == 0;
}

/* What was said since, but not of apostrophes and words, if Python's repr()
 * spells containers. */
static void drop_spelling(frame_reader *reader, size_t said)
{
    naive_message *message = reader->message;
    size_t kept = said;

    for (size_t i = said; i < message->diagnostic_count; i++)
        if (strcmp(reader->format->values, "repr") != 0 ||
            (strcmp(message->diagnostics[i].code, "single_quoted") != 0 &&
             strcmp(message->diagnostics[i].code, "python_literals") != 0))
            message->diagnostics[kept++] = message->diagnostics[i];
    message->diagnostic_count = kept;
}

/* JSON with the repairs of R14, all of it; its text goes to |out|. */
static bool repaired_json(frame_reader *reader, const naive_bytes *text,
                          naive_bytes *out)
{
    naive_bytes whole = {0};
    naive_reader json = {.message = reader->message,
                         .text = text->data,
                         .limit = text->size,
                         .out = &whole};
    const size_t said = reader->message->diagnostic_count;
    bool good = naive_read_value(&json) && json.at == text->size;

    if (good)
        naive_add(out, whole.data, whole.size);
    else
        reader->message->diagnostic_count = said;
    drop_spelling(reader, said);
    naive_release(&whole);
    return good;
}

static bool strict_json(const naive_bytes *text, unsigned *type)
{
    naive_tree tree;

    if (!naive_tree_read(text->data, text->size, &tree))
        return false;
    *type = type_of_value(&tree);
    if (tree.kind == NAIVE_NUMBER &&
        strcspn(tree.text.data, ".eE") == tree.text.size)
        *type |= TYPE_INTEGER;
    naive_tree_release(&tree);
    return true;
}

/* A word in capitals, or a number with a plus, more zeros in front or nothing
 * in front of its point. */
static bool loose_literal(const naive_bytes *text, naive_bytes *out)
{
    static const char *const words[][2] = {
        {"TRUE", "true"}, {"FALSE", "false"}, {"NULL", "null"}};
    naive_bytes number = {0};
    size_t at = 0;
    unsigned type;
    bool good;

    for (size_t i = 0; i < 3; i++) {
        if (is_word(text, words[i][0])) {
            naive_add_text(out, words[i][1]);
            return true;
        }
    }
    if (text->size && frame_among("+-", text->data[0]))
        at = 1;
    if (at && text->data[0] == '-')
        naive_add_text(&number, "-");
    while (at + 1 < text->size && text->data[at] == '0' &&
           frame_among("0123456789", text->data[at + 1]))
        at++;
    if (at < text->size && text->data[at] == '.')
        naive_add_text(&number, "0");
    naive_add(&number, text->data + at, text->size - at);
    good = strict_json(&number, &type) && type & TYPE_NUMBER;
    if (good)
        naive_add(out, number.data, number.size);
    naive_release(&number);
    return good;
}

bool frame_streams(const frame_reader *reader, unsigned types, char first)
{
    return frame_among("{[", first) &&
           (types & (TYPE_OBJECT | TYPE_ARRAY | TYPE_ANY)) &&
           !(types & (TYPE_STRING | TYPE_NUMBER | TYPE_INTEGER |
                      TYPE_BOOLEAN)) &&
           strcmp(reader->format->entities, "all") != 0;
}

/* The value cannot be a string. */
static bool convert_other(frame_reader *reader, unsigned types,
                          const naive_bytes *text, const naive_bytes *raw,
                          size_t at, naive_bytes *out)
{
    const char *word = python_word(text);
    bool container = text->size > 0 && frame_among("{[", text->data[0]);
    unsigned type;

    if (container && (types & (TYPE_OBJECT | TYPE_ARRAY | TYPE_ANY)) &&
        !(types & (TYPE_NUMBER | TYPE_INTEGER | TYPE_BOOLEAN)))
        return repaired_json(reader, text, out);
    if (raw->size > FRAME_HELD) {
        frame_diagnose(reader, "repair_given_up", at);
        frame_add_json_string(out, raw->data, raw->size);
        return true;
    }
    if (strict_json(text, &type)) {
        naive_add(out, text->data, text->size);
        return true;
    }
    if (word) {
        if (!is_python(reader))
            frame_diagnose(reader, "python_literal", at);
        naive_add_text(out, word);
        return true;
    }
    if (text->size && frame_among("'\"(", text->data[0]) &&
        frame_python_literal(text->data, text->size, out)) {
        frame_diagnose(reader, "python_literal", at);
        return true;
    }
    if (loose_literal(text, out)) {
        frame_diagnose(reader, "loose_literal", at);
        return true;
    }
    frame_diagnose(reader, "type_mismatch", at);
    frame_add_json_string(out, raw->data, raw->size);
    return true;
}

/* A string is possible, and something else: exactly that, or a string. */
static void convert_either(frame_reader *reader, unsigned types,
                           const naive_bytes *text, const naive_bytes *raw,
                           size_t at, naive_bytes *out)
{
    const bool python = is_python(reader);
    const char *word =
        python || (types & TYPE_ANY) ? python_word(text) : NULL;
    unsigned wanted, type;

    if (word) {
        wanted = strcmp(word, "null") == 0 ? TYPE_NULL : TYPE_BOOLEAN;
        if (types & wanted) {
            if (!python)
                frame_diagnose(reader, "python_literal", at);
            naive_add_text(out, word);
            return;
        }
    }
    if (text->size == raw->size && raw->size <= FRAME_HELD &&
        strict_json(text, &type) && type != TYPE_STRING &&
        (types & (type | TYPE_ANY))) {
        naive_add(out, text->data, text->size);
        return;
    }
    frame_add_json_string(out, raw->data, raw->size);
}

bool frame_convert(frame_reader *reader, unsigned types,
                   const naive_bytes *raw, size_t at, naive_bytes *out)
{
    naive_bytes text = {0};
    size_t begin = 0, end = raw->size;
    bool good = true;

    while (begin < end && frame_is_blank(raw->data[begin]))
        begin++;
    while (end > begin && frame_is_blank(raw->data[end - 1]))
        end--;
    naive_add(&text, raw->size ? raw->data + begin : "", end - begin);
    if (types == TYPE_STRING)
        frame_add_json_string(out, raw->data, raw->size);
    else if (types & TYPE_STRING)
        convert_either(reader, types, &text, raw, at, out);
    else
        good = convert_other(reader, types, &text, raw, at, out);
    naive_release(&text);
    return good;
}
