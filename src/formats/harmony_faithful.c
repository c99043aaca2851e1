/* SPDX-License-Identifier: MIT
 *
 * What of declared tools does not read back.  TypeScript holds their texts
 * unescaped, so that a description may look like a property: what no simple
 * look tells is read back, and what differs is reported.
 */
#include <string.h>

#include "formats/harmony_encode.h"

/* Below |root| in the order of the text; NULL: there is no more.  |*depth|:
 * how deep. */
static const tw_value *next_value(const tw_value *at, const tw_value *root,
                                  size_t *depth)
{
    if (at->first != NULL) {
        ++*depth;
        return at->first;
    }
    while (at != root && at->next == NULL) {
        at = at->parent;
        --*depth;
    }
    return at != root ? at->next : NULL;
}

/* ---- what can only be read in one way ----------------------------------- */

static bool is_text(const tw_value *at)
{
    return at->kind == TW_VALUE_STRING && at->size > 0;
}

/* Letters, digits and a few signs that no type is made of. */
static bool is_word(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (c >= '0' && c <= '9') || (c & 0x80) != 0 ||
              (c != 0 && strchr("_-.$", c) != NULL))) {
            return false;
        }
    }
    return size > 0;
}

/* One line that is none of a declaration's own. */
static bool is_line(const tw_value *at)
{
    return is_text(at) && memchr(at->text, '\n', at->size) == NULL &&
           !tw_value_is(at, "Examples:");
}

/* A function ends what stands above it: other lines may stand there, too. */
static bool is_about_function(const tw_value *at)
{
    const char *line = at->text;
    const char *end = line + at->size;
    if (!is_text(at) || end[-1] == '\n' ||
        memchr(line, '\r', at->size) != NULL) {
        return false;
    }
    while ((line = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        line++;
        if (strncmp(line, "type ", 5) == 0) {
            return false;
        }
    }
    return true;
}

static bool is_list_of_texts(const tw_value *list)
{
    const tw_value *at = list->first;
    while (at != NULL && is_text(at)) {
        at = at->next;
    }
    return list->kind == TW_VALUE_ARRAY && list->first != NULL && at == NULL;
}

/* Of a schema, or of what declares a function. */
static bool is_certain_member(const tw_value *at)
{
    if (tw_value_has_key(at, "description")) {
        return tw_value_has_key(at->parent, "function")
                   ? is_about_function(at)
                   : at->kind == TW_VALUE_OBJECT || is_line(at);
    }
    if (tw_value_has_key(at, "title")) {
        return at->kind == TW_VALUE_OBJECT || is_line(at);
    }
    if (tw_value_has_key(at, "name")) {
        return at->kind == TW_VALUE_OBJECT || is_word(at->text, at->size);
    }
    if (tw_value_has_key(at, "parameters")) {
        return tw_value_is(tw_value_member(at, "type"), "object");
    }
    if (tw_value_has_key(at, "properties") || tw_value_has_key(at, "items") ||
        tw_value_has_key(at->parent, "properties")) {
        return at->kind == TW_VALUE_OBJECT;
    }
    if (tw_value_has_key(at, "enum") || tw_value_has_key(at, "examples")) {
        return is_list_of_texts(at);
    }
    if (tw_value_has_key(at, "default")) {
        return tw_value_member(at->parent, "enum") == NULL;
    }
    return !tw_value_has_key(at, "nullable") &&
           !tw_value_has_key(at, "oneOf") &&
           (!tw_value_has_key(at, "type") || at->kind != TW_VALUE_ARRAY);
}

static bool is_certain_text(const tw_value *at)
{
    return tw_value_has_key(at, "description") ||
           tw_value_has_key(at, "title") ||
           (is_line(at) && memchr(at->text, '"', at->size) == NULL);
}

/* Is all of |tools| known to read back, but for what was reported? */
static bool is_certain(const tw_segments *out, const tw_value *tools)
{
    enum { DEPTH = 64 };
    const tw_value *at = tools;
    for (size_t depth = 0; at != NULL && depth <= DEPTH;
         at = next_value(at, tools, &depth)) {
        if ((at->key != NULL && at->parent->kind == TW_VALUE_OBJECT &&
             (!is_word(at->key, at->key_size) || !is_certain_member(at))) ||
            (at->kind == TW_VALUE_STRING && !is_certain_text(at)) ||
            (at->kind == TW_VALUE_NUMBER && out->python_numbers)) {
            return false;
        }
    }
    return at == NULL;
}

/* ---- what differs ------------------------------------------------------- */

static bool has_same_key(const tw_value *left, const tw_value *right)
{
    return left->key_size == right->key_size &&
           (left->key_size == 0 ||
            memcmp(left->key, right->key, left->key_size) == 0);
}

/* Objects of many members, which are no schemas, are read in their order:
 * looking for each of them would take too long. */
static bool is_large(const tw_value *object)
{
    enum { FEW = 16 };
    return object->last != NULL && object->last->index >= FEW;
}

/* Has |back| members of its own? */
static bool has_more(const tw_value *given, const tw_value *back)
{
    const tw_value *at = back->first;
    if (given->kind == TW_VALUE_ARRAY || is_large(back)) {
        const tw_value *other = given->first;
        while (at != NULL && other != NULL && has_same_key(at, other)) {
            at = at->next;
            other = other->next;
        }
        return at != NULL || other != NULL;
    }
    while (at != NULL &&
           tw_value_member_sized(given, at->key, at->key_size) != NULL) {
        at = at->next;
    }
    return at != NULL;
}

/* Reports |given| if it came back as another; true: its parts are still to be
 * looked at. */
static bool note_difference(tw_segments *out, const tw_value *given,
                            const tw_value *back)
{
    if (back == NULL) {
        tw_encode_loss(out, given, "the declaration does not show it");
        return false;
    }
    if (given->kind != back->kind || given->size != back->size ||
        (given->size > 0 &&
         memcmp(given->text, back->text, given->size) != 0)) {
        tw_encode_loss(out, given, "it is read back as another");
        return false;
    }
    if (has_more(given, back)) {
        tw_encode_loss(out, given, "it is read back with other parts");
        return given->kind == TW_VALUE_OBJECT && !is_large(back);
    }
    return given->first != NULL;
}

/* What |given|, a part of what came back as |whole|, came back as; the one in
 * front of it did as |before|. */
static const tw_value *counterpart(const tw_value *given,
                                   const tw_value *whole,
                                   const tw_value *before)
{
    if (whole->kind == TW_VALUE_OBJECT && !is_large(whole)) {
        return tw_value_member_sized(whole, given->key, given->key_size);
    }
    return given->index == 0 ? whole->first : before->next;
}

/* All below |root| that differs from |whole|, and |root| if it does. */
static void note_differences(tw_segments *out, const tw_value *root,
                             const tw_value *whole)
{
    const tw_value *at = root;
    const tw_value *back = whole;
    while (at != NULL && out->code == TW_OK) {
        if (note_difference(out, at, back)) {
            whole = back;
            at = at->first;
            back = at != NULL ? counterpart(at, whole, NULL) : NULL;
            continue;
        }
        while (at != root && at->next == NULL) {
            at = at->parent;
            back = whole;
            whole = whole->parent;
        }
        at = at != root ? at->next : NULL;
        back = at != NULL ? counterpart(at, whole, back) : NULL;
    }
}

/* ---- tools -------------------------------------------------------------- */

/* A bare function is one in a wrapper. */
static void note_tool(tw_segments *out, const tw_value *tool,
                      const tw_value *back)
{
    const tw_value *function = tw_tool_function(tool);
    const tw_value *other = tw_value_member(back, "function");
    if (back == NULL) {
        tw_encode_loss(out, tool, "it is not read back");
        return;
    }
    tw_harmony_note_wrapper(out, tool);
    if (function != tool) {
        note_differences(out, function, other);
        return;
    }
    if (has_more(function, other)) {
        tw_encode_loss(out, function, "it is read back with other parts");
    }
    for (const tw_value *at = tool->first; at != NULL; at = at->next) {
        if (!tw_value_has_key(at, "type")) {
            note_differences(
                out, at, tw_value_member_sized(other, at->key, at->key_size));
        }
    }
}

/* Takes back the losses that were reported from |place| on. */
static void drop_losses(tw_segments *out, tw_place place)
{
    tw_noted *noted = (tw_noted *)(void *)out->reports.data;
    const size_t count = out->reports.size / sizeof *noted;
    size_t kept = place.reports / sizeof *noted;
    for (size_t i = kept; i < count; i++) {
        if (noted[i].kind != TW_REPORT_LOSS) {
            noted[kept++] = noted[i];
        }
    }
    out->reports.size = kept * sizeof *noted;
}

static void no_memory(tw_segments *out)
{
    tw_segments_refuse(out, TW_ERROR_MEMORY, NULL, 0, "no memory");
}

/* |elements|: of the array that came back. */
static int read_array(tw_tree *tree, const tw_buffer *elements)
{
    int result;
    tw_tree_begin(tree, false);
    if ((result = tw_tree_feed(tree, "[", 1)) != TW_OK ||
        (elements->size > 0 &&
         (result = tw_tree_feed(tree, (const char *)elements->data,
                                elements->size)) != TW_OK) ||
        (result = tw_tree_feed(tree, "]", 1)) != TW_OK) {
        return result;
    }
    return tw_tree_end(tree);
}

static void note_all(tw_segments *out, const tw_value *tools,
                     const tw_buffer *elements)
{
    tw_tree tree;
    tw_tree_init(&tree, out->memory);
    const int result = read_array(&tree, elements);
    if (result == TW_ERROR_MEMORY) {
        no_memory(out);
    } else if (result != TW_OK) {
        tw_encode_loss(out, tools, "the declarations do not read back");
    } else {
        const tw_value *back = tree.root->first;
        for (const tw_value *at = tools->first; at != NULL; at = at->next) {
            note_tool(out, at, back);
            back = back != NULL ? back->next : NULL;
        }
        if (back != NULL) {
            tw_encode_loss(out, tools, "more tools are read back");
        }
    }
    tw_tree_free(&tree);
}

void tw_harmony_note_unfaithful(tw_segments *out,
                                const tw_harmony_dialect *dialect,
                                const tw_value *tools, tw_place place)
{
    tw_collect collect;
    if (out->code != TW_OK || is_certain(out, tools)) {
        return;
    }
    tw_collect_init(&collect, out->memory);
    tw_harmony_collect_tools(dialect, &collect,
                             (const char *)out->text.data + place.text,
                             out->text.size - place.text);
    if (collect.failed || collect.tools.failed) {
        no_memory(out);
    } else {
        drop_losses(out, place);
        note_all(out, tools, &collect.tools.out);
    }
    tw_collect_free(&collect);
}
