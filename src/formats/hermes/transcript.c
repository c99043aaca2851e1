/* SPDX-License-Identifier: MIT
 *
 * A Hermes transcript back to turns: what the templates write.
 */
#include <string.h>

#include "formats/hermes/hermes.h"

/* ---- dialects ----------------------------------------------------------- */

/* Where a dialect's template differs from the others. */
typedef struct hermes_dialect {
    const char *name;           /* of the format */
    const char *system_begin;   /* always the first words of the system */
    const char *default_system; /* NULL: there need be no system turn */
    bool nous;  /* tools are described as Python signatures, in a turn of their
                   own; the line feed behind the last result stands in front
                   of its turn's end, and only where a message follows */
    bool llama; /* the turns are Llama 3's */
} hermes_dialect;

static const hermes_dialect dialects[] = {
    {.name = "hermes/qwen3", .system_begin = ""},
    {.name = "hermes/qwen2.5",
     .system_begin = "",
     .default_system = "You are Qwen, created by Alibaba Cloud. You are a "
                       "helpful assistant."},
    {.name = "hermes/nous", .system_begin = "", .nous = true},
    {.name = "hermes/rnj-1",
     .system_begin = "You are rnj-1, a foundation model trained by Essential "
                     "AI.\n\n",
     .default_system = "You are a helpful assistant.",
     .llama = true},
};

static const hermes_dialect *dialect_of(const tw_format *format)
{
    const hermes_dialect *at = dialects;
    while (strcmp(at->name, format->name) != 0) {
        at++;
    }
    return at;
}

/* ---- tools -------------------------------------------------------------- */

/* One JSON value a line. */
static void collect_tools(tw_transcript_reader *reader, tw_cursor lines)
{
    while (lines.at < lines.end) {
        const char *feed = memchr(lines.at, '\n', tw_cursor_size(lines));
        const tw_cursor line = {lines.at, feed != NULL ? feed : lines.end};
        tw_tree tree;
        tw_tree_init(&tree, reader->memory);
        if (line.at < line.end) {
            const int result =
                tw_tree_read(&tree, line.at, tw_cursor_size(line), false);
            if (result == TW_OK) {
                tw_json_put_value(tw_reader_tool(reader), tree.root);
            } else if (result == TW_ERROR_MEMORY) {
                reader->failed = true;
            } else {
                tw_reader_report_loss(reader, line);
            }
        }
        tw_tree_free(&tree);
        lines.at = feed != NULL ? feed + 1 : lines.end;
    }
}

/* What stands around the tools in the system turn of the Qwen templates; what
 * is in front of it is the system's text. */
static bool cut_tools(tw_transcript_reader *reader, tw_cursor *system)
{
    static const char head[] = "# Tools\n\nYou may call one or more functions";
    const char *at = tw_cursor_find(system, head);
    if (at == NULL) {
        return false;
    }
    tw_cursor tools = {at, system->end};
    const char *open = tw_cursor_find(&tools, "XML tags:\n<tools>\n");
    tools.at = open != NULL ? open + strlen("XML tags:\n<tools>\n") : at;
    const char *close = tw_cursor_find(&tools, "\n</tools>\n\nFor each ");
    if (open == NULL || close == NULL) {
        return false;
    }
    tools.end = close;
    collect_tools(reader, tools);
    system->end = at;
    tw_cursor_strip_end(system, "\n\n");
    return true;
}

static bool is_json(tw_transcript_reader *reader, tw_cursor text)
{
    tw_tree tree;
    tw_tree_init(&tree, reader->memory);
    const int result =
        tw_tree_read(&tree, text.at, tw_cursor_size(text), false);
    reader->failed |= result == TW_ERROR_MEMORY;
    tw_tree_free(&tree);
    return result == TW_OK;
}

static const char *find_last(tw_cursor text, const char *word)
{
    const char *last = NULL;
    for (const char *at; (at = tw_cursor_find(&text, word)) != NULL;
         text.at = at + 1) {
        last = at;
    }
    return last;
}

/* Hermes-2-Pro: the parameters are JSON, the description is in front of the
 * docstring that is made of them. */
static void collect_signature(tw_transcript_reader *reader, tw_cursor line)
{
    static const char behind[] = "\", \"parameters\": ";
    tw_cursor name = line;
    const char *parameters = find_last(line, behind);
    const char *about = tw_cursor_find(&line, ", \"description\": \"");
    if (parameters == NULL || about == NULL || about > parameters ||
        !tw_cursor_skip(
            &name, "{\"type\": \"function\", \"function\": {\"name\": ")) {
        tw_reader_report_loss(reader, line);
        return;
    }
    name.end = about;
    tw_cursor text = {about, parameters};
    const char *dash = tw_cursor_find(&text, ") - ");
    text.at = dash != NULL ? dash + 4 : parameters;
    tw_cursor schema = {parameters + sizeof behind - 1, line.end};
    tw_cursor_strip_end(&schema, "}");
    /* The docstring's own, if there are parameters; the description may have
     * one, too. */
    const char *args =
        tw_cursor_size(schema) > 2 ? find_last(text, "\n\n    Args:\n") : NULL;
    text.end = args != NULL ? args : text.end;
    tw_cursor_strip_end(&text, "\n\n");
    if (!is_json(reader, name) || !is_json(reader, schema)) {
        tw_reader_report_loss(reader, line);
        return;
    }
    tw_json_out *json_out = tw_reader_tool(reader);
    tw_json_put(json_out, "{\"type\":\"function\",\"function\":{\"name\":");
    tw_json_put_text(json_out, name.at, tw_cursor_size(name));
    tw_json_put(json_out, ",\"description\":");
    tw_json_put_string(json_out, text.at, tw_cursor_size(text));
    tw_json_put(json_out, ",\"parameters\":");
    tw_json_put_text(json_out, schema.at, tw_cursor_size(schema));
    tw_json_put(json_out, "}}");
}

void tw_hermes_read_signatures(tw_transcript_reader *reader, const char *text,
                               size_t size)
{
    static const char next[] = "\n{\"type\": \"function\", \"function\": ";
    tw_cursor tools = {text, text + size};
    const char *close = tw_cursor_find(&tools, " </tools>Use the following ");
    tools.end = close != NULL ? close : tools.end;
    while (tools.at < tools.end) {
        const char *feed = tw_cursor_find(&tools, next);
        const tw_cursor line = {tools.at, feed != NULL ? feed : tools.end};
        collect_signature(reader, line);
        tools.at = feed != NULL ? feed + 1 : tools.end;
    }
}

static void collect_signatures(tw_transcript_reader *reader, tw_cursor system)
{
    const char *open = tw_cursor_find(&system, TW_HERMES_SIGNATURES);
    if (open == NULL) {
        tw_reader_report_loss(reader, system);
        return;
    }
    open += sizeof TW_HERMES_SIGNATURES - 1;
    tw_hermes_read_signatures(reader, open, (size_t)(system.end - open));
}

/* ---- turns -------------------------------------------------------------- */

static void collect_system(const hermes_dialect *dialect,
                           tw_transcript_reader *reader, tw_cursor text,
                           bool first)
{
    if (first && dialect->nous) {
        collect_signatures(reader, text);
        return;
    }
    if (first) {
        tw_cursor_skip(&text, dialect->system_begin);
        const bool tools = cut_tools(reader, &text);
        if ((tools && text.at == text.end) ||
            (dialect->default_system != NULL &&
             tw_cursor_is(text, dialect->default_system))) {
            return;
        }
    }
    tw_reader_turn(reader, TW_TURN_SYSTEM, text.at, tw_cursor_size(text));
}

/* `<tool_response>` blocks, a line feed between them. */
static bool collect_results(tw_transcript_reader *reader, tw_cursor text)
{
    static const char open[] = "<tool_response>\n";
    static const char close[] = "\n</tool_response>";
    tw_cursor_skip(&text, "\n");
    tw_cursor look = text;
    if (!tw_cursor_skip(&look, open) || !tw_cursor_strip_end(&look, close)) {
        return false;
    }
    for (;;) {
        const char *between =
            tw_cursor_find(&look, "\n</tool_response>\n<tool_response>\n");
        const tw_cursor one = {look.at, between != NULL ? between : look.end};
        tw_reader_result(reader, "", 0, one.at, tw_cursor_size(one));
        if (between == NULL) {
            return true;
        }
        look.at = between + sizeof close + sizeof open - 1;
    }
}

/* One turn, without its frame. */
static void collect_turn(const hermes_dialect *dialect,
                         tw_transcript_reader *reader, tw_cursor role,
                         tw_cursor text, bool first)
{
    if (tw_cursor_is(role, "system")) {
        collect_system(dialect, reader, text, first);
    } else if (tw_cursor_is(role, "assistant")) {
        tw_reader_turn(reader, TW_TURN_ASSISTANT, text.at,
                       tw_cursor_size(text));
    } else if (tw_cursor_is(role, "tool") || tw_cursor_is(role, "user")) {
        tw_cursor results = text;
        tw_cursor_strip_end(&results, dialect->nous ? "\n" : "");
        if (!collect_results(reader, results)) {
            tw_reader_turn(reader, TW_TURN_USER, text.at,
                           tw_cursor_size(text));
        }
    } else {
        tw_reader_report_loss(reader, text);
    }
}

void tw_hermes_read_transcript(const tw_format *format,
                               tw_transcript_reader *reader, const char *text,
                               size_t size)
{
    const hermes_dialect *dialect = dialect_of(format);
    const bool llama = dialect->llama;
    const char *turn = llama ? "<|start_header_id|>" : "<|im_start|>";
    const char *stop = llama ? "<|eot_id|>" : "<|im_end|>";
    tw_cursor cursor = {text, text + size};
    tw_cursor_skip(&cursor, "<|begin_of_text|>");
    for (bool first = true; cursor.at < cursor.end; first = false) {
        const char *begin = tw_cursor_find(&cursor, turn);
        if (begin == NULL) {
            break;
        }
        tw_reader_report_loss(reader, (tw_cursor){cursor.at, begin});
        tw_cursor role = {begin + strlen(turn), cursor.end};
        const char *behind =
            tw_cursor_find(&role, llama ? "<|end_header_id|>" : "\n");
        const char *tight = tw_cursor_find(&role, "\n");
        role.end = behind != NULL ? behind : cursor.end;
        tw_cursor body = {tight != NULL ? tight + 1 : cursor.end, cursor.end};
        const char *end = tw_cursor_find(&body, stop);
        body.end = end != NULL ? end : cursor.end;
        /* A generation prompt is no turn. */
        if (end != NULL || (body.at < body.end &&
                            !tw_cursor_is(body, "<think>\n\n</think>\n\n"))) {
            collect_turn(dialect, reader, role, body, first);
        }
        cursor.at = end != NULL ? end + strlen(stop) : cursor.end;
        tw_cursor_skip(&cursor, "\n");
    }
    tw_reader_report_loss(reader, cursor);
}

/* ---- a turn whose frame is gone ----------------------------------------- */

/* The elements of a list, or what follows each other. */
static void collect_declared(tw_transcript_reader *reader, tw_cursor text)
{
    tw_tree tree;
    tw_tree_init(&tree, reader->memory);
    const int result =
        tw_tree_read(&tree, text.at, tw_cursor_size(text), true);
    const tw_value *root = result == TW_OK ? tree.root : NULL;
    if (result == TW_ERROR_MEMORY) {
        reader->failed = true;
    } else if (root == NULL) {
        collect_tools(reader, text);
    } else if (root->kind == TW_VALUE_OBJECT) {
        tw_json_put_value(tw_reader_tool(reader), root);
    } else if (root->kind == TW_VALUE_ARRAY) {
        for (const tw_value *at = root->first; at != NULL; at = at->next) {
            tw_json_put_value(tw_reader_tool(reader), at);
        }
    }
    tw_tree_free(&tree);
}

/* Whoever wrote it: logs have other words around the tags than the templates.
 * `<tools></tools>` are such words. */
static void collect_tagged(tw_transcript_reader *reader, tw_cursor text)
{
    static const char open[] = "<tools>";
    static const char close[] = "</tools>";
    const char *end;
    while ((end = tw_cursor_find(&text, close)) != NULL) {
        tw_cursor tools = {text.at, end};
        for (const char *at; (at = tw_cursor_find(&tools, open)) != NULL;) {
            tools.at = at + sizeof open - 1;
        }
        if (tools.at > text.at && reader->tools.out.size == 0) {
            collect_declared(reader, tools);
        }
        text.at = end + sizeof close - 1;
    }
}

void tw_hermes_read_turn(const tw_format *format, tw_transcript_reader *reader,
                         tw_turn_kind kind, const char *text, size_t size)
{
    tw_cursor turn = {text, text + size};
    (void)format;
    if (kind == TW_TURN_SYSTEM) {
        collect_tagged(reader, turn);
    } else {
        tw_cursor_strip_end(&turn, "\n");
        collect_results(reader, turn);
    }
}
