/* SPDX-License-Identifier: MIT
 *
 * Tools that stand in a prompt as JSON: what the template writes in front of
 * them is learned from one tool, whose name stands nowhere else.
 */
#include <string.h>

#include "turns/turns.h"
#include "core/ascii.h"
#include "json/tree.h"

#define NAME "qtoolq"

#define OTHER "qotherq"

#define TOOL(name)                                                    \
    "{\"type\":\"function\",\"function\":{\"name\":\"" name           \
    "\",\"description\":\"It.\",\"parameters\":{\"type\":\"object\"," \
    "\"properties\":{\"at\":{\"type\":\"string\"}}}}}"
static const char tool[] = "[" TOOL(NAME) "]";
static const char two_tools[] = "[" TOOL(NAME) "," TOOL(OTHER) "]";
#define QUESTION "{\"role\":\"user\",\"content\":\"qaskedq\"}"
static const char question[] = QUESTION;
static const char with_system[] =
    "{\"role\":\"system\",\"content\":\"qsystemq\"}," QUESTION;

/* So much of what stands in front is looked for. */
enum { FRONT_MOST = 64 };

/* Reads the JSON value that |text| begins with; it ends where the reader does
 * not understand what follows.  NULL: there is none, or no memory. */
static const tw_value *read_front(tw_tree *tree, tw_cursor *text)
{
    const size_t size = (size_t)(text->end - text->at);
    tw_tree_begin(tree, false);
    if (tw_tree_feed(tree, text->at, size) == TW_OK) {
        text->at = text->end;
        return tw_tree_end(tree) == TW_OK ? tree->root : NULL;
    }
    const uint64_t whole = tree->offset;
    if (tree->error == TW_ERROR_MEMORY || whole > size ||
        tw_tree_read(tree, text->at, (size_t)whole, false) != TW_OK) {
        return NULL;
    }
    text->at += whole;
    return tree->root;
}

/* Where the outermost JSON value around |name| begins; NULL: around it is
 * none. */
static const char *begin_of(tw_tree *tree, tw_cursor prompt, const char *name)
{
    const char *begin = NULL;
    for (const char *at = name; at > prompt.at; at--) {
        tw_cursor value = {at - 1, prompt.end};
        if ((at[-1] == '{' || at[-1] == '[') &&
            read_front(tree, &value) != NULL && value.at > name) {
            begin = at - 1;
        }
    }
    return begin;
}

/* Puts what stands in front of the tools of a prompt into |front|; false: they
 * are no JSON, or not there. */
static bool put_front(tw_turns *turns, const char *messages, tw_buffer *front)
{
    tw_tree tree;
    tw_tree_init(&tree, turns->memory);
    const char *begin = NULL;
    if (tw_turns_render(turns, messages, tool, false, front)) {
        const tw_cursor all = {(const char *)front->data,
                               (const char *)front->data + front->size};
        const char *name = tw_cursor_find(&all, NAME);
        begin = name != NULL ? begin_of(&tree, all, name) : NULL;
        front->size = begin != NULL ? (size_t)(begin - all.at) : 0;
    }
    turns->failed |= tree.error == TW_ERROR_MEMORY;
    tw_tree_free(&tree);
    return begin != NULL;
}

/* Puts what stands between two tools into |gap|. */
static void learn_gap(tw_turns *turns, tw_buffer *prompt)
{
    tw_tree tree;
    turns->gap.size = 0;
    if (!tw_turns_render(turns, question, two_tools, false, prompt)) {
        return;
    }
    tw_tree_init(&tree, turns->memory);
    tw_cursor rest = tw_cursor_of(prompt);
    const char *name = tw_cursor_find(&rest, NAME);
    rest.at = name != NULL ? begin_of(&tree, rest, name) : NULL;
    if (rest.at != NULL && read_front(&tree, &rest) != NULL &&
        (name = tw_cursor_find(&rest, OTHER)) != NULL) {
        const char *begin = begin_of(&tree, rest, name);
        turns->failed |= begin != NULL &&
                         !tw_buffer_append(&turns->gap, turns->memory, rest.at,
                                           (size_t)(begin - rest.at));
    }
    turns->failed |= tree.error == TW_ERROR_MEMORY;
    tw_tree_free(&tree);
}

void tw_turns_learn_tools(tw_turns *turns)
{
    tw_buffer one = {0};
    tw_buffer other = {0};
    size_t same = 0;
    turns->front.size = 0;
    if (put_front(turns, question, &one)) {
        same = one.size < FRONT_MOST ? one.size : FRONT_MOST;
    }
    /* A system's text may stand in front of that. */
    if (same > 0 && put_front(turns, with_system, &other)) {
        const size_t most = same < other.size ? same : other.size;
        same = 0;
        while (same < most && one.data[one.size - same - 1] ==
                                  other.data[other.size - same - 1]) {
            same++;
        }
    }
    turns->failed |=
        same > 0 && (!tw_buffer_append(&turns->front, turns->memory,
                                       one.data + one.size - same, same) ||
                     !tw_buffer_append(&turns->front, turns->memory, "", 1));
    learn_gap(turns, &one);
    tw_buffer_free(&one, turns->memory);
    tw_buffer_free(&other, turns->memory);
}

/* A function without the members that only its template has. */
static void put_function(tw_json_out *out, const tw_value *function)
{
    static const char *const known[] = {"name", "description", "parameters",
                                        "strict", NULL};
    bool first = true;
    tw_json_put(out, "{\"type\":\"function\",\"function\":{");
    for (const tw_value *at = function->first; at != NULL; at = at->next) {
        if (tw_value_is_named(at, known)) {
            tw_json_put_member(out, at, first);
            first = false;
        }
    }
    tw_json_put(out, "}}");
}

/* A tool of OpenAI's, or its function alone; false: neither. */
static bool put_tool(tw_json_out *out, const tw_value *value)
{
    const tw_value *function = tw_value_member(value, "function");
    const bool bare = !tw_value_is_a(function, TW_VALUE_OBJECT);
    const tw_value *name = tw_value_member(bare ? value : function, "name");
    if (!tw_value_is_a(name, TW_VALUE_STRING)) {
        return false;
    }
    tw_json_put(out, out->out.size > 0 ? "," : "");
    (bare ? put_function : tw_json_put_value)(out, value);
    return true;
}

/* One of them, or a list. */
static bool put_tools(tw_json_out *out, const tw_value *value)
{
    if (value->kind == TW_VALUE_OBJECT) {
        return put_tool(out, value);
    }
    bool good = value->kind == TW_VALUE_ARRAY && value->first != NULL;
    for (const tw_value *at = value->first; at != NULL && good;
         at = at->next) {
        good = at->kind == TW_VALUE_OBJECT && put_tool(out, at);
    }
    return good;
}

/* Over what stands between two tools. */
static void skip_gap(const tw_turns *turns, tw_cursor *text)
{
    const tw_cursor gap = tw_cursor_of(&turns->gap);
    const size_t size = tw_cursor_size(gap);
    if (size > 0 && tw_cursor_size(tw_cursor_shared(gap, *text)) == size) {
        text->at += size;
        return;
    }
    while (text->at < text->end && (tw_is_ws(*text->at) || *text->at == ',')) {
        text->at++;
    }
}

void tw_turns_find_tools(tw_turns *turns, const char *text, size_t size)
{
    tw_cursor all = {text, text + size};
    tw_tree tree;
    tw_json_out *found = &turns->found;
    found->out.size = 0;
    const char *at = turns->front.size > 0
                         ? tw_cursor_find(&all, (char *)turns->front.data)
                         : NULL;
    if (at == NULL) {
        return;
    }
    tw_tree_init(&tree, turns->memory);
    all.at = at + turns->front.size - 1;
    const tw_value *value;
    while ((value = read_front(&tree, &all)) != NULL &&
           put_tools(found, value)) {
        skip_gap(turns, &all);
    }
    turns->failed |= tree.error == TW_ERROR_MEMORY || found->failed;
    tw_tree_free(&tree);
}
