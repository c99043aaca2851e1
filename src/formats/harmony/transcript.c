/* SPDX-License-Identifier: MIT
 *
 * A Harmony transcript back to turns: the inverse of grammar/harmony.jinja.
 */
#include "formats/harmony/declared_type.h"
#include "formats/harmony/tokens.h"

/* ---- which message a part belongs to ------------------------------------ */

/* Of an assistant's message. */
typedef enum part_kind {
    PART_NONE, /* no assistant's */
    PART_REASONING,
    PART_COMMENTARY,
    PART_CALL,
    PART_ANSWER
} part_kind;

/* Is |part|, which stands behind |before|, of another message?  The template
 * puts reasoning, then text, then calls of one message, and an answer alone or
 * behind its reasoning. */
static bool begins_message(part_kind before, part_kind part)
{
    const bool open = before == PART_REASONING || before == PART_COMMENTARY;
    switch (part) {
    case PART_REASONING: return before != PART_COMMENTARY;
    case PART_CALL: return !open && before != PART_CALL;
    default: return !open;
    }
}

static part_kind part_of(tw_cursor header)
{
    tw_cursor channel = header;
    if (tw_cursor_find(&header, " to=") != NULL) {
        return PART_CALL;
    }
    channel.at = tw_cursor_find(&header, TW_HARMONY_CHANNEL_TEXT);
    if (channel.at != NULL) {
        tw_cursor_skip(&channel, TW_HARMONY_CHANNEL_TEXT);
        if (tw_cursor_is(channel, "analysis")) {
            return PART_REASONING;
        }
        if (tw_cursor_is(channel, "commentary")) {
            return PART_COMMENTARY;
        }
    }
    return PART_ANSWER;
}

/* ---- the developer's message -------------------------------------------- */

static const char tools_head[] =
    "# Tools\n\n## functions\n\nnamespace functions {\n\n";
static const char tools_end[] = "} // namespace functions";

/* The tools in the body of a developer's message, which loses them. */
static bool cut_tools(tw_cursor *body, bool text, tw_cursor *tools)
{
    const size_t end = sizeof tools_end - 1;
    *tools = *body;
    if (tw_cursor_size(*body) < end ||
        memcmp(body->end - end, tools_end, end) != 0) {
        return false;
    }
    if (text) {
        tools->at = tw_cursor_find(
            body, "\n\n# Tools\n\n## functions\n\nnamespace functions {\n\n");
        if (tools->at == NULL) {
            return false;
        }
        body->end = tools->at;
        tools->at += 2;
    }
    if (!tw_cursor_skip(tools, tools_head) || tw_cursor_size(*tools) < end) {
        return false;
    }
    tools->end -= end;
    return true;
}

size_t tw_harmony_find_tools(const char *text, size_t size)
{
    tw_cursor body = {text, text + size};
    tw_cursor tools;
    cut_tools(&body, true, &tools);
    return tw_cursor_size(body);
}

static void collect_developer(bool renderer, tw_transcript_reader *reader,
                              tw_cursor body)
{
    tw_cursor tools;
    const bool text = tw_cursor_skip(&body, "# Instructions\n\n");
    const bool some = cut_tools(&body, text, &tools);
    if (text && !some && !renderer && tw_cursor_size(body) >= 2 &&
        memcmp(body.end - 2, "\n\n", 2) == 0) {
        body.end -= 2;
    }
    if (text || !some) {
        tw_reader_turn(reader, TW_TURN_SYSTEM, body.at, tw_cursor_size(body));
    }
    if (some) {
        tw_harmony_read_tools(renderer, reader, tools.at,
                              tw_cursor_size(tools));
    }
}

/* ---- results ------------------------------------------------------------ */

/* The chat template writes a result as JSON: a string in its quotes. */
static void collect_json(tw_transcript_reader *reader, tw_cursor name,
                         tw_cursor body)
{
    tw_tree tree;
    tw_tree_init(&tree, reader->memory);
    const int result =
        tw_tree_read(&tree, body.at, tw_cursor_size(body), false);
    if (result == TW_ERROR_MEMORY) {
        reader->failed = true;
    } else if (result == TW_OK && tree.root->kind == TW_VALUE_STRING) {
        tw_reader_result(reader, name.at, tw_cursor_size(name),
                         tree.root->text, tree.root->size);
    } else {
        tw_reader_result(reader, name.at, tw_cursor_size(name), body.at,
                         tw_cursor_size(body));
    }
    tw_tree_free(&tree);
}

static void collect_result(bool renderer, tw_transcript_reader *reader,
                           tw_cursor name, tw_cursor body)
{
    if (tw_cursor_is(name, "tool")) {
        name.at = name.end; /* it has none */
    }
    tw_cursor_skip(&name, "functions.");
    if (!renderer && body.at < body.end && body.at[0] == '"') {
        collect_json(reader, name, body);
    } else {
        tw_reader_result(reader, name.at, tw_cursor_size(name), body.at,
                         tw_cursor_size(body));
    }
}

/* ---- messages ----------------------------------------------------------- */

typedef enum mark { MARK_NONE, MARK_START, MARK_MESSAGE, MARK_END } mark;

/* The next marker that frames a message; *rest goes on behind it. */
static mark next_mark(tw_cursor *cursor, const char **at)
{
    static const char *const ends[] = {
        TW_HARMONY_END_TEXT, TW_HARMONY_CALL_TEXT, TW_HARMONY_RETURN_TEXT};
    while (cursor->at < cursor->end &&
           (*at = memchr(cursor->at, '<', tw_cursor_size(*cursor))) != NULL) {
        cursor->at = *at;
        if (tw_cursor_skip(cursor, TW_HARMONY_START_TEXT)) {
            return MARK_START;
        }
        if (tw_cursor_skip(cursor, TW_HARMONY_MESSAGE_TEXT)) {
            return MARK_MESSAGE;
        }
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
            if (tw_cursor_skip(cursor, ends[i])) {
                return MARK_END;
            }
        }
        cursor->at++;
    }
    *at = cursor->at = cursor->end;
    return MARK_NONE;
}

typedef struct framed {
    const char *start; /* its <|start|> */
    tw_cursor header;
    tw_cursor body;
    const char *end; /* behind its last marker */
} framed;

/* Cuts the author's own name off the role, or nothing. */
static tw_cursor cut_role(tw_cursor *role)
{
    tw_cursor name = {role->end, role->end};
    const char *colon = memchr(role->at, ':', tw_cursor_size(*role));
    if (colon != NULL) {
        name.at = colon + 1;
        role->end = colon;
    }
    return name;
}

/* The calls, the text and the reasoning of one message are one completion,
 * which begins behind its author. */
static part_kind collect_part(tw_transcript_reader *reader,
                              const framed *message, const char *behind_author,
                              part_kind before)
{
    const part_kind part = part_of(message->header);
    if (begins_message(before, part)) {
        tw_reader_turn(reader, TW_TURN_ASSISTANT, behind_author,
                       (size_t)(message->end - behind_author));
    } else {
        static const char head[] = TW_HARMONY_TURN_TEXT;
        tw_reader_more(reader, head, sizeof head - 1);
        tw_reader_more(reader, behind_author,
                       (size_t)(message->end - behind_author));
    }
    return part;
}

/* A word of a header ends at a blank or a marker. */
static tw_cursor first_word(tw_cursor header)
{
    tw_cursor word = {header.at, header.at};
    while (word.end < header.end && *word.end != ' ' && *word.end != '<') {
        word.end++;
    }
    return word;
}

/* Returns what of an assistant's message comes to stand before the next. */
static part_kind collect_message(bool renderer, tw_transcript_reader *reader,
                                 const framed *message, part_kind before)
{
    const tw_cursor author = first_word(message->header);
    tw_cursor role = author;
    const tw_cursor name = cut_role(&role);
    if (tw_cursor_is(role, "assistant")) {
        return collect_part(reader, message, author.end, before);
    }
    if (tw_cursor_is(role, "user")) {
        tw_reader_turn(reader, TW_TURN_USER, message->body.at,
                       tw_cursor_size(message->body));
        tw_reader_name(reader, name.at, tw_cursor_size(name));
    } else if (tw_cursor_is(role, "developer")) {
        collect_developer(renderer, reader, message->body);
    } else if (tw_cursor_is(role, "system")) {
        return PART_NONE; /* settings */
    } else if (tw_cursor_find(&message->header, " to=assistant") != NULL) {
        collect_result(renderer, reader, author, message->body);
    } else {
        tw_reader_report_loss(reader,
                              (tw_cursor){message->start, message->end});
    }
    return PART_NONE;
}

/* From behind a <|start|> to behind the end; false: there is no body. */
static bool read_message(tw_cursor *cursor, framed *message)
{
    const char *at;
    message->header.at = cursor->at;
    mark found = next_mark(cursor, &at);
    message->header.end = message->end = at;
    if (found != MARK_MESSAGE) {
        cursor->at = at;
        return false;
    }
    message->body.at = cursor->at;
    do {
        found = next_mark(cursor, &at);
    } while (found == MARK_MESSAGE);
    cursor->at = found == MARK_START ? at : cursor->at;
    message->body.end = at;
    message->end = cursor->at;
    return true;
}

void tw_harmony_read_transcript(const tw_format *format,
                                tw_transcript_reader *reader, const char *text,
                                size_t size)
{
    const bool renderer = tw_harmony_is_renderer(format);
    part_kind before = PART_NONE;
    tw_cursor cursor = {text, text + size};
    while (cursor.at < cursor.end && !reader->failed) {
        framed message = {0};
        const char *from = cursor.at;
        const mark found = next_mark(&cursor, &message.start);
        if (found != MARK_START) {
            tw_reader_report_loss(reader, (tw_cursor){from, cursor.at});
            continue;
        }
        tw_reader_report_loss(reader, (tw_cursor){from, message.start});
        if (read_message(&cursor, &message)) {
            before = collect_message(renderer, reader, &message, before);
        } else if (cursor.at < cursor.end ||
                   !tw_cursor_is(message.header, "assistant")) {
            tw_reader_report_loss(reader,
                                  (tw_cursor){message.start, cursor.at});
        }
    }
}
