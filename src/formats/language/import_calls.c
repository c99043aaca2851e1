/* SPDX-License-Identifier: MIT
 *
 * The field of a response_template that has the calls: how a call is put
 * together, and how its body is read.
 */
#include <string.h>

#include "formats/language/import_parts.h"

/* What a transform's string stands for: the NAME of "{NAME}" or, with |of|, of
 * "{OF.NAME}"; false: it is something else. */
static bool placeholder(const tw_value *value, const char *of,
                        const char **name, size_t *size)
{
    const size_t of_size = strlen(of);
    if (!tw_value_is_a(value, TW_VALUE_STRING) || value->size < of_size + 3 ||
        value->text[0] != '{' || value->text[value->size - 1] != '}' ||
        memcmp(value->text + 1, of, of_size) != 0) {
        return false;
    }
    *name = value->text + 1 + of_size;
    *size = value->size - 2 - of_size;
    return memchr(*name, '{', *size) == NULL &&
           memchr(*name, '.', *size) == NULL;
}

static void put_json_key(tw_importer *state, const char *key, const char *name,
                         size_t size)
{
    tw_import_put_key(state, key);
    tw_json_put_string(&state->out, name, size);
}

typedef struct transform {
    const tw_value *function; /* a string, or an object of the next two */
    const tw_value *name, *arguments, *id;
    bool each;
    char name_group[64]; /* the capture that is the name; empty: none */
    char id_group[64];
} transform;

static void copy_group(tw_importer *state, const tw_value *value,
                       char group[64])
{
    const char *name;
    size_t size;
    if (value == NULL) {
        return;
    }
    if (!placeholder(value, "", &name, &size) || size > 63) {
        tw_import_refuse(state, "a placeholder stands alone: \"{name}\"");
        return;
    }
    memcpy(group, name, size);
    group[size] = 0;
}

static void read_transform(tw_importer *state, const tw_value *field,
                           transform *found)
{
    static const char *const known[] = {"type", "id", "function", NULL};
    static const char *const inner[] = {"name", "arguments", NULL};
    const tw_value *each = tw_import_member(state, field, "transform_each");
    const tw_value *root = tw_import_member(state, field, "transform");
    memset(found, 0, sizeof *found);
    found->each = tw_value_is_a(each, TW_VALUE_TRUE);
    if (!tw_value_is_a(root, TW_VALUE_OBJECT)) {
        tw_import_refuse(state,
                         "missing: it says which part of a call is its name");
        return;
    }
    found->function = tw_value_member(root, "function");
    const bool is_plain = found->function == NULL;
    const tw_value *function = is_plain ? root : found->function;
    for (const tw_value *at = root->first; at != NULL; at = at->next) {
        if (!tw_value_is_named(at, known) &&
            !(is_plain && tw_value_is_named(at, inner))) {
            tw_load_refuse(state->loader, "a call has no member ", at->key,
                           at->key_size, "");
        }
    }
    if (function->kind == TW_VALUE_OBJECT) {
        found->name = tw_value_member(function, "name");
        found->arguments = tw_value_member(function, "arguments");
    }
    found->id = tw_value_member(root, "id");
}

/* The one text around strings, of JSON with bare keys; NULL: it is other
 * JSON. */
static const tw_value *gemma_mark(const tw_value *arguments)
{
    const tw_value *bare = tw_value_member(arguments, "unquoted_keys");
    const tw_value *delims = tw_value_member(arguments, "string_delims");
    const tw_value *pair = delims != NULL ? delims->first : NULL;
    const tw_value *mark = pair != NULL ? pair->first : NULL;
    const bool is_one =
        mark != NULL && pair->next == NULL && mark->kind == TW_VALUE_STRING &&
        mark->size > 0 && memchr(mark->text, '}', mark->size) == NULL &&
        mark->next != NULL && tw_value_is(mark->next, mark->text) &&
        mark->next->next == NULL;
    return is_one && tw_value_is_a(bare, TW_VALUE_TRUE) ? mark : NULL;
}

/* The hole of JSON that is read in a way of its own. */
static const char *gemma_hole(tw_importer *state, const tw_value *arguments)
{
    const tw_value *mark = gemma_mark(arguments);
    tw_text_piece hole = {.size = 0};
    if (mark == NULL || mark->size > TW_MARKER_LONGEST ||
        !tw_texts_append(&hole, "{gemma:", 7) ||
        !tw_texts_append(&hole, mark->text, mark->size) ||
        !tw_texts_append(&hole, "}", 1)) {
        tw_load_refuse(state->loader,
                       "JSON that is read so is told by no "
                       "description: ",
                       arguments->first->key, arguments->first->key_size, "");
        return "";
    }
    return tw_load_text(state->loader, hole.text, hole.size);
}

/* Where the body is JSON: its hole, and which keys it has. */
static const char *json_hole(tw_importer *state, const tw_value *field,
                             transform *how)
{
    const char *names[2];
    size_t sizes[2];
    const tw_value *arguments = tw_import_member(state, field, "content_args");
    const bool plain = arguments == NULL || arguments->first == NULL;
    const char *hole = plain ? "{arguments}" : gemma_hole(state, arguments);
    tw_import_go_to(state, "transform");
    if (plain && tw_value_is(how->function, "{content}") && !how->each) {
        return "{object}";
    }
    const bool dotted =
        placeholder(how->name, "content.", &names[0], &sizes[0]) &&
        placeholder(how->arguments, "content.", &names[1], &sizes[1]);
    const bool elements =
        how->each && placeholder(how->name, "", &names[0], &sizes[0]) &&
        placeholder(how->arguments, "", &names[1], &sizes[1]);
    if (plain && ((dotted && !how->each) || elements)) {
        put_json_key(state, "name_key", names[0], sizes[0]);
        put_json_key(state, "arguments_key", names[1], sizes[1]);
        how->name = NULL;
        return elements ? "{list}" : "{object}";
    }
    if (!tw_value_is(how->arguments, "{content}") || how->each) {
        tw_import_refuse(state,
                         "this is told by no description: the function is "
                         "\"{content}\", or has a name and arguments that are "
                         "each a placeholder");
    }
    return hole;
}

/* The hole for values by what parses them. */
static const char *value_hole(tw_importer *state, const tw_value *parser)
{
    if (parser == NULL) {
        return "value:trim";
    }
    const tw_value *arguments = tw_value_member(parser, "args");
    const tw_value *lax = arguments != NULL
                              ? tw_value_member(arguments, "allow_non_json")
                              : NULL;
    if (parser->kind != TW_VALUE_OBJECT ||
        !tw_value_is(tw_value_member(parser, "name"), "json") ||
        (arguments != NULL && arguments->first != lax) ||
        (lax != NULL && lax->next != NULL)) {
        tw_import_refuse(state,
                         "this parser of values is told by no description");
    }
    return tw_value_is_a(lax, TW_VALUE_TRUE) ? "value:guess" : "value:json";
}

/* Where the body is tags: `argument` is put. */
static const char *tags_hole(tw_importer *state, const tw_value *field)
{
    const tw_value *arguments = tw_import_member(state, field, "content_args");
    const tw_value *tag =
        arguments != NULL ? tw_value_member(arguments, "tag_pattern") : NULL;
    const tw_value *parser =
        arguments != NULL ? tw_value_member(arguments, "value_parser") : NULL;
    for (const tw_value *at = arguments != NULL ? arguments->first : NULL;
         at != NULL; at = at->next) {
        if (at != tag && at != parser) {
            tw_load_refuse(state->loader, "told by no description: ", at->key,
                           at->key_size, "");
        }
    }
    const tw_capture captures[] = {
        {"key", "key"}, {"value", value_hole(state, parser)}, {NULL, "skip"}};
    tw_import_go_to(state, "content_args.tag_pattern");
    if (!tw_value_is_a(tag, TW_VALUE_STRING)) {
        tw_import_refuse(state, "missing");
        return "";
    }
    tw_load_regex(state->loader, state->open, tag, captures);
    state->close->count = 0;
    if (!tw_import_failed(state)) {
        const tw_value *anchor = state->anchor;
        state->anchor = NULL;
        tw_import_put_patterns(state, "argument", "");
        state->anchor = anchor;
    }
    return "{arguments}{skip}";
}

void tw_import_calls(tw_importer *state, const tw_value *field)
{
    transform how;
    const char *hole = "";
    read_transform(state, field, &how);
    const tw_value *content = tw_import_member(state, field, "content");
    if (tw_import_failed(state)) {
        return;
    }
    if (tw_value_is(content, "json")) {
        hole = json_hole(state, field, &how);
    } else if (tw_value_is(content, "xml-inline")) {
        hole = tags_hole(state, field);
    } else {
        tw_import_go_to(state, "content");
        tw_import_refuse(state, "of calls it is json or xml-inline");
    }
    tw_import_go_to(state, "transform");
    copy_group(state, how.name, how.name_group);
    copy_group(state, how.id, how.id_group);
    const tw_capture captures[] = {
        {how.name_group, "name"}, {how.id_group, "id"}, {NULL, "skip"}};
    if (!tw_import_marker(state, state->open, field, "open", "open_pattern",
                          captures)) {
        tw_import_go_to(state, "open");
        tw_import_refuse(state, "missing; only content takes what is left");
    }
    tw_import_marker(state, state->close, field, "close", "close_pattern",
                     tw_import_no_captures);
    tw_import_drop_empty(state->close);
    if (!tw_import_failed(state)) {
        tw_import_go_to(state, "open");
        tw_import_put_patterns(state, "call", hole);
    }
}
