/* SPDX-License-Identifier: MIT
 *
 * A Hermes transcript back to turns: the inverse of hermes_encode.c.
 */
#include <string.h>

#include "formats/prompts/hermes.h"

static size_t size_of(tw_rest rest)
{
    return (size_t)(rest.end - rest.at);
}

/* Is |rest| exactly |words|? */
static bool is(tw_rest rest, const char *words)
{
    return tw_rest_skip(&rest, words) && rest.at == rest.end;
}

static bool strip_end(tw_rest *rest, const char *words)
{
    const size_t size = strlen(words);
    if (size_of(*rest) < size || memcmp(rest->end - size, words, size) != 0) {
        return false;
    }
    rest->end -= size;
    return true;
}

/* ---- tools -------------------------------------------------------------- */

/* One JSON value a line. */
static void collect_tools(tw_collect *collect, tw_rest lines)
{
    while (lines.at < lines.end) {
        const char *feed = memchr(lines.at, '\n', size_of(lines));
        const tw_rest line = {lines.at, feed != NULL ? feed : lines.end};
        tw_tree tree;
        tw_tree_init(&tree, collect->memory);
        if (line.at < line.end) {
            const int result =
                tw_tree_read(&tree, line.at, size_of(line), false);
            if (result == TW_OK) {
                tw_jot_value(tw_collect_tool(collect), tree.root);
            } else if (result == TW_ERROR_MEMORY) {
                collect->failed = true;
            } else {
                tw_collect_lose(collect, line);
            }
        }
        tw_tree_free(&tree);
        lines.at = feed != NULL ? feed + 1 : lines.end;
    }
}

/* What stands around the tools in the system turn of the Qwen templates; what
 * is in front of it is the system's text. */
static bool cut_tools(tw_collect *collect, tw_rest *system)
{
    static const char head[] = "# Tools\n\nYou may call one or more functions";
    const char *at = tw_rest_find(system, head);
    if (at == NULL) {
        return false;
    }
    tw_rest tools = {at, system->end};
    const char *open = tw_rest_find(&tools, "XML tags:\n<tools>\n");
    tools.at = open != NULL ? open + strlen("XML tags:\n<tools>\n") : at;
    const char *close = tw_rest_find(&tools, "\n</tools>\n\nFor each ");
    if (open == NULL || close == NULL) {
        return false;
    }
    tools.end = close;
    collect_tools(collect, tools);
    system->end = at;
    strip_end(system, "\n\n");
    return true;
}

static bool is_json(tw_collect *collect, tw_rest text)
{
    tw_tree tree;
    tw_tree_init(&tree, collect->memory);
    const int result = tw_tree_read(&tree, text.at, size_of(text), false);
    collect->failed |= result == TW_ERROR_MEMORY;
    tw_tree_free(&tree);
    return result == TW_OK;
}

static const char *find_last(tw_rest text, const char *word)
{
    const char *last = NULL;
    for (const char *at; (at = tw_rest_find(&text, word)) != NULL;
         text.at = at + 1) {
        last = at;
    }
    return last;
}

/* Hermes-2-Pro: the parameters are JSON, the description is in front of the
 * docstring that is made of them. */
static void collect_signature(tw_collect *collect, tw_rest line)
{
    static const char behind[] = "\", \"parameters\": ";
    tw_rest name = line;
    const char *parameters = find_last(line, behind);
    const char *about = tw_rest_find(&line, ", \"description\": \"");
    if (parameters == NULL || about == NULL || about > parameters ||
        !tw_rest_skip(&name,
                      "{\"type\": \"function\", \"function\": {\"name\": ")) {
        tw_collect_lose(collect, line);
        return;
    }
    name.end = about;
    tw_rest text = {about, parameters};
    const char *dash = tw_rest_find(&text, ") - ");
    text.at = dash != NULL ? dash + 4 : parameters;
    tw_rest schema = {parameters + sizeof behind - 1, line.end};
    strip_end(&schema, "}");
    /* The docstring's own, if there are parameters; the description may have
     * one, too. */
    const char *args =
        size_of(schema) > 2 ? find_last(text, "\n\n    Args:\n") : NULL;
    text.end = args != NULL ? args : text.end;
    strip_end(&text, "\n\n");
    if (!is_json(collect, name) || !is_json(collect, schema)) {
        tw_collect_lose(collect, line);
        return;
    }
    tw_jotter *jotter = tw_collect_tool(collect);
    tw_jot(jotter, "{\"type\":\"function\",\"function\":{\"name\":");
    tw_jot_text(jotter, name.at, size_of(name));
    tw_jot(jotter, ",\"description\":");
    tw_jot_string(jotter, text.at, size_of(text));
    tw_jot(jotter, ",\"parameters\":");
    tw_jot_text(jotter, schema.at, size_of(schema));
    tw_jot(jotter, "}}");
}

void tw_hermes_collect_signatures(tw_collect *collect, const char *text,
                                  size_t size)
{
    static const char next[] = "\n{\"type\": \"function\", \"function\": ";
    tw_rest tools = {text, text + size};
    const char *close = tw_rest_find(&tools, " </tools>Use the following ");
    tools.end = close != NULL ? close : tools.end;
    while (tools.at < tools.end) {
        const char *feed = tw_rest_find(&tools, next);
        const tw_rest line = {tools.at, feed != NULL ? feed : tools.end};
        collect_signature(collect, line);
        tools.at = feed != NULL ? feed + 1 : tools.end;
    }
}

static void collect_signatures(tw_collect *collect, tw_rest system)
{
    static const char head[] = "available tools: <tools> ";
    const char *open = tw_rest_find(&system, head);
    if (open == NULL) {
        tw_collect_lose(collect, system);
        return;
    }
    open += sizeof head - 1;
    tw_hermes_collect_signatures(collect, open, (size_t)(system.end - open));
}

/* ---- turns -------------------------------------------------------------- */

static void collect_system(const tw_hermes_dialect *dialect,
                           tw_collect *collect, tw_rest text, bool first)
{
    if (first && dialect->signatures) {
        collect_signatures(collect, text);
        return;
    }
    if (first) {
        tw_rest_skip(&text, dialect->system_begin);
        const bool tools = cut_tools(collect, &text);
        if ((tools && text.at == text.end) ||
            (dialect->default_system != NULL &&
             is(text, dialect->default_system))) {
            return;
        }
    }
    tw_collect_turn(collect, TW_TURN_SYSTEM, text.at, size_of(text));
}

/* `<tool_response>` blocks, a line feed between them. */
static bool collect_results(tw_collect *collect, tw_rest text)
{
    static const char open[] = "<tool_response>\n";
    static const char close[] = "\n</tool_response>";
    tw_rest_skip(&text, "\n");
    tw_rest look = text;
    if (!tw_rest_skip(&look, open) || !strip_end(&look, close)) {
        return false;
    }
    for (;;) {
        const char *between =
            tw_rest_find(&look, "\n</tool_response>\n<tool_response>\n");
        const tw_rest one = {look.at, between != NULL ? between : look.end};
        tw_collect_result(collect, "", 0, one.at, size_of(one));
        if (between == NULL) {
            return true;
        }
        look.at = between + sizeof close + sizeof open - 1;
    }
}

/* One turn, without its frame. */
static void collect_turn(const tw_hermes_dialect *dialect, tw_collect *collect,
                         tw_rest role, tw_rest text, bool first)
{
    if (is(role, "system")) {
        collect_system(dialect, collect, text, first);
    } else if (is(role, "assistant")) {
        tw_collect_turn(collect, TW_TURN_ASSISTANT, text.at, size_of(text));
    } else if (is(role, "tool") || is(role, "user")) {
        tw_rest results = text;
        strip_end(&results, dialect->results_end_odd ? "\n" : "");
        if (!collect_results(collect, results)) {
            tw_collect_turn(collect, TW_TURN_USER, text.at, size_of(text));
        }
    } else {
        tw_collect_lose(collect, text);
    }
}

void tw_hermes_collect(const tw_format *format, tw_collect *collect,
                       const char *text, size_t size)
{
    const tw_hermes_dialect *dialect = format->row;
    const bool llama = dialect->turn_end[2] == 'e'; /* <|eot_id|> */
    const char *stop = llama ? "<|eot_id|>" : "<|im_end|>";
    tw_rest rest = {text, text + size};
    tw_rest_skip(&rest, dialect->begin);
    for (bool first = true; rest.at < rest.end; first = false) {
        const char *begin = tw_rest_find(&rest, dialect->turn);
        if (begin == NULL) {
            break;
        }
        tw_collect_lose(collect, (tw_rest){rest.at, begin});
        tw_rest role = {begin + strlen(dialect->turn), rest.end};
        const char *behind =
            tw_rest_find(&role, llama ? "<|end_header_id|>" : "\n");
        const char *tight = tw_rest_find(&role, "\n");
        role.end = behind != NULL ? behind : rest.end;
        tw_rest body = {tight != NULL ? tight + 1 : rest.end, rest.end};
        const char *end = tw_rest_find(&body, stop);
        body.end = end != NULL ? end : rest.end;
        /* A generation prompt is no turn. */
        if (end != NULL ||
            (body.at < body.end && !is(body, "<think>\n\n</think>\n\n"))) {
            collect_turn(dialect, collect, role, body, first);
        }
        rest.at = end != NULL ? end + strlen(stop) : rest.end;
        tw_rest_skip(&rest, "\n");
    }
    tw_collect_lose(collect, rest);
}
