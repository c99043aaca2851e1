/* SPDX-License-Identifier: MIT
 *
 * A Harmony transcript back to turns: the inverse of harmony_encode.c.
 */
#include "formats/harmony/declared.h"

/* ---- which message a part belongs to ------------------------------------ */

/* The encoder puts reasoning, then text, then calls of one message, and an
 * answer alone or behind its reasoning. */
bool tw_harmony_begins_message(tw_harmony_part before, tw_harmony_part part)
{
    const bool open =
        before == TW_PART_REASONING || before == TW_PART_COMMENTARY;
    switch (part) {
    case TW_PART_REASONING: return before != TW_PART_COMMENTARY;
    case TW_PART_CALL: return !open && before != TW_PART_CALL;
    default: return !open;
    }
}

static tw_harmony_part part_of(tw_rest header)
{
    tw_rest channel = header;
    if (tw_rest_find(&header, " to=") != NULL) {
        return TW_PART_CALL;
    }
    channel.at = tw_rest_find(&header, "<|channel|>");
    if (channel.at != NULL) {
        tw_rest_skip(&channel, "<|channel|>");
        if (tw_rest_is(channel, "analysis")) {
            return TW_PART_REASONING;
        }
        if (tw_rest_is(channel, "commentary")) {
            return TW_PART_COMMENTARY;
        }
    }
    return TW_PART_ANSWER;
}

/* ---- the developer's message -------------------------------------------- */

static const char tools_head[] =
    "# Tools\n\n## functions\n\nnamespace functions {\n\n";
static const char tools_end[] = "} // namespace functions";

/* The tools in the body of a developer's message, which loses them. */
static bool cut_tools(tw_rest *body, bool text, tw_rest *tools)
{
    const size_t end = sizeof tools_end - 1;
    *tools = *body;
    if (tw_rest_size(*body) < end ||
        memcmp(body->end - end, tools_end, end) != 0) {
        return false;
    }
    if (text) {
        tools->at = tw_rest_find(
            body, "\n\n# Tools\n\n## functions\n\nnamespace functions {\n\n");
        if (tools->at == NULL) {
            return false;
        }
        body->end = tools->at;
        tools->at += 2;
    }
    if (!tw_rest_skip(tools, tools_head) || tw_rest_size(*tools) < end) {
        return false;
    }
    tools->end -= end;
    return true;
}

size_t tw_harmony_find_tools(const char *text, size_t size)
{
    tw_rest body = {text, text + size};
    tw_rest tools;
    cut_tools(&body, true, &tools);
    return tw_rest_size(body);
}

static void collect_developer(const tw_harmony_dialect *dialect,
                              tw_collect *collect, tw_rest body)
{
    tw_rest tools;
    const bool text = tw_rest_skip(&body, "# Instructions\n\n");
    const bool some = cut_tools(&body, text, &tools);
    if (text && !some && !dialect->renderer && tw_rest_size(body) >= 2 &&
        memcmp(body.end - 2, "\n\n", 2) == 0) {
        body.end -= 2;
    }
    if (text || !some) {
        tw_collect_turn(collect, TW_TURN_SYSTEM, body.at, tw_rest_size(body));
    }
    if (some) {
        tw_harmony_collect_tools(dialect, collect, tools.at,
                                 tw_rest_size(tools));
    }
}

/* ---- results ------------------------------------------------------------ */

/* The chat template writes a result as JSON: a string in its quotes. */
static void collect_json(tw_collect *collect, tw_rest name, tw_rest body)
{
    tw_tree tree;
    tw_tree_init(&tree, collect->memory);
    const int result = tw_tree_read(&tree, body.at, tw_rest_size(body), false);
    if (result == TW_ERROR_MEMORY) {
        collect->failed = true;
    } else if (result == TW_OK && tree.root->kind == TW_VALUE_STRING) {
        tw_collect_result(collect, name.at, tw_rest_size(name),
                          tree.root->text, tree.root->size);
    } else {
        tw_collect_result(collect, name.at, tw_rest_size(name), body.at,
                          tw_rest_size(body));
    }
    tw_tree_free(&tree);
}

static void collect_result(const tw_harmony_dialect *dialect,
                           tw_collect *collect, tw_rest name, tw_rest body)
{
    if (tw_rest_is(name, "tool")) {
        name.at = name.end; /* it has none */
    }
    tw_rest_skip(&name, "functions.");
    if (!dialect->renderer && body.at < body.end && body.at[0] == '"') {
        collect_json(collect, name, body);
    } else {
        tw_collect_result(collect, name.at, tw_rest_size(name), body.at,
                          tw_rest_size(body));
    }
}

/* ---- messages ----------------------------------------------------------- */

typedef enum mark { MARK_NONE, MARK_START, MARK_MESSAGE, MARK_END } mark;

/* The next marker that frames a message; *rest goes on behind it. */
static mark next_mark(tw_rest *rest, const char **at)
{
    static const char *const ends[] = {"<|end|>", "<|call|>", "<|return|>"};
    while (rest->at < rest->end &&
           (*at = memchr(rest->at, '<', tw_rest_size(*rest))) != NULL) {
        rest->at = *at;
        if (tw_rest_skip(rest, "<|start|>")) {
            return MARK_START;
        }
        if (tw_rest_skip(rest, "<|message|>")) {
            return MARK_MESSAGE;
        }
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
            if (tw_rest_skip(rest, ends[i])) {
                return MARK_END;
            }
        }
        rest->at++;
    }
    *at = rest->at = rest->end;
    return MARK_NONE;
}

typedef struct framed {
    const char *start; /* its <|start|> */
    tw_rest header;
    tw_rest body;
    const char *end; /* behind its last marker */
} framed;

/* Its author's own name, or nothing. */
static tw_rest cut_role(tw_rest *role)
{
    tw_rest name = {role->end, role->end};
    const char *colon = memchr(role->at, ':', tw_rest_size(*role));
    if (colon != NULL) {
        name.at = colon + 1;
        role->end = colon;
    }
    return name;
}

/* The calls, the text and the reasoning of one message are one completion,
 * which begins behind its author. */
static tw_harmony_part collect_part(tw_collect *collect, const framed *message,
                                    const char *behind_author,
                                    tw_harmony_part before)
{
    const tw_harmony_part part = part_of(message->header);
    if (tw_harmony_begins_message(before, part)) {
        tw_collect_turn(collect, TW_TURN_ASSISTANT, behind_author,
                        (size_t)(message->end - behind_author));
    } else {
        static const char head[] = "<|start|>assistant";
        tw_collect_more(collect, head, sizeof head - 1);
        tw_collect_more(collect, behind_author,
                        (size_t)(message->end - behind_author));
    }
    return part;
}

/* A word of a header ends at a blank or a marker. */
static tw_rest first_word(tw_rest header)
{
    tw_rest word = {header.at, header.at};
    while (word.end < header.end && *word.end != ' ' && *word.end != '<') {
        word.end++;
    }
    return word;
}

/* Returns what of an assistant's message comes to stand before the next. */
static tw_harmony_part collect_message(const tw_harmony_dialect *dialect,
                                       tw_collect *collect,
                                       const framed *message,
                                       tw_harmony_part before)
{
    const tw_rest author = first_word(message->header);
    tw_rest role = author;
    const tw_rest name = cut_role(&role);
    if (tw_rest_is(role, "assistant")) {
        return collect_part(collect, message, author.end, before);
    }
    if (tw_rest_is(role, "user")) {
        tw_collect_turn(collect, TW_TURN_USER, message->body.at,
                        tw_rest_size(message->body));
        tw_collect_name(collect, name.at, tw_rest_size(name));
    } else if (tw_rest_is(role, "developer")) {
        collect_developer(dialect, collect, message->body);
    } else if (tw_rest_is(role, "system")) {
        return TW_PART_NONE; /* settings */
    } else if (tw_rest_find(&message->header, " to=assistant") != NULL) {
        collect_result(dialect, collect, author, message->body);
    } else {
        tw_collect_lose(collect, (tw_rest){message->start, message->end});
    }
    return TW_PART_NONE;
}

/* From behind a <|start|> to behind the end; false: there is no body. */
static bool read_message(tw_rest *rest, framed *message)
{
    const char *at;
    message->header.at = rest->at;
    mark found = next_mark(rest, &at);
    message->header.end = message->end = at;
    if (found != MARK_MESSAGE) {
        rest->at = at;
        return false;
    }
    message->body.at = rest->at;
    do {
        found = next_mark(rest, &at);
    } while (found == MARK_MESSAGE);
    rest->at = found == MARK_START ? at : rest->at;
    message->body.end = at;
    message->end = rest->at;
    return true;
}

void tw_harmony_collect(const tw_format *format, tw_collect *collect,
                        const char *text, size_t size)
{
    const tw_harmony_dialect *dialect = format->row;
    tw_harmony_part before = TW_PART_NONE;
    tw_rest rest = {text, text + size};
    while (rest.at < rest.end && !collect->failed) {
        framed message = {0};
        const char *from = rest.at;
        const mark found = next_mark(&rest, &message.start);
        if (found != MARK_START) {
            tw_collect_lose(collect, (tw_rest){from, rest.at});
            continue;
        }
        tw_collect_lose(collect, (tw_rest){from, message.start});
        if (read_message(&rest, &message)) {
            before = collect_message(dialect, collect, &message, before);
        } else if (rest.at < rest.end ||
                   !tw_rest_is(message.header, "assistant")) {
            tw_collect_lose(collect, (tw_rest){message.start, rest.at});
        }
    }
}
