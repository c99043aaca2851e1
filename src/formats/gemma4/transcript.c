/* SPDX-License-Identifier: MIT
 *
 * A Gemma transcript back to turns: the inverse of grammar/gemma4.jinja.  A
 * turn of the model holds several of its messages, and the results between
 * them.
 */
#include "formats/gemma4/gemma4.h"

#include <string.h>

#include "formats/body/gemma/word.h"
#include "formats/gemma4/declared.h"

typedef struct gemma4_reader {
    tw_transcript_reader *reader;
    tw_gemma4_notation notation;
    tw_cursor cursor;
} gemma4_reader;

/* Moves to the first of |words|, all of which begin with `<`; NULL: to the
 * end. */
static const char *find_any(tw_cursor *cursor, const char *const *words)
{
    while (cursor->at < cursor->end) {
        const char *less = memchr(cursor->at, '<', tw_cursor_size(*cursor));
        cursor->at = less != NULL ? less : cursor->end;
        for (size_t i = 0; less != NULL && words[i] != NULL; i++) {
            tw_cursor look = *cursor;
            if (tw_cursor_skip(&look, words[i])) {
                return words[i];
            }
        }
        cursor->at += less != NULL;
    }
    return NULL;
}

/* What stands in front of |cursor->at|, from |from| on, is nobody's. */
static void lose(gemma4_reader *of, const char *from)
{
    tw_reader_report_loss(of->reader, (tw_cursor){from, of->cursor.at});
}

/* Behind a turn; false: another one begins before this one was closed. */
static bool end_turn(gemma4_reader *of)
{
    const bool closed = tw_cursor_skip(&of->cursor, TW_GEMMA4_TURN_END);
    if (closed) {
        tw_cursor_skip(&of->cursor, "\n");
    }
    return closed;
}

/* ---- the system, users -------------------------------------------------- */

static const char *const plain_ends[] = {TW_GEMMA4_TURN_END, TW_GEMMA4_TURN,
                                         NULL};
static const char *const tool_ends[] = {TW_GEMMA4_TOOL, TW_GEMMA4_TURN_END,
                                        TW_GEMMA4_TURN, NULL};

static void read_plain(gemma4_reader *of, tw_turn_kind kind)
{
    tw_cursor text = of->cursor;
    find_any(&of->cursor, plain_ends);
    text.end = of->cursor.at;
    if (end_turn(of) || text.at < text.end) {
        tw_reader_turn(of->reader, kind, text.at, tw_cursor_size(text));
    }
}

/* The first turn: declarations stand behind the text.  Without text there was
 * no message if there is anything else that the turn was needed for. */
static void read_system(gemma4_reader *of)
{
    bool needed = tw_cursor_skip(&of->cursor, TW_GEMMA4_THINK "\n");
    tw_cursor text = of->cursor;
    find_any(&of->cursor, tool_ends);
    text.end = of->cursor.at;
    const tw_cursor look = of->cursor;
    needed |= tw_cursor_skip(&of->cursor, TW_GEMMA4_TOOL);
    of->cursor = look;
    if (!needed || text.at < text.end) {
        tw_reader_turn(of->reader, TW_TURN_SYSTEM, text.at,
                       tw_cursor_size(text));
    }
    while (of->cursor.at < of->cursor.end) {
        const char *from = of->cursor.at;
        if (tw_cursor_skip(&of->cursor, TW_GEMMA4_TOOL) &&
            tw_gemma4_read_declaration(&of->notation, &of->cursor)) {
            continue;
        }
        find_any(&of->cursor, tool_ends);
        lose(of, from);
        tw_cursor end = of->cursor;
        if (!tw_cursor_skip(&end, TW_GEMMA4_TOOL)) {
            break;
        }
    }
    end_turn(of);
}

/* ---- results ------------------------------------------------------------ */

/* A text is a result as it is, anything else as its JSON text. */
static void collect_value(gemma4_reader *of, tw_cursor name, tw_cursor object)
{
    const size_t name_size = tw_cursor_size(name);
    tw_cursor text = object;
    const tw_buffer *json = &of->notation.json.out;
    static const char front[] = "{\"value\":";
    if (tw_cursor_skip(&text, "{value:") && of->notation.members == 1) {
        if (tw_cursor_skip(&text, TW_GEMMA4_QUOTE)) {
            text.end = tw_gemma4_string_end(&text);
            tw_reader_result(of->reader, name.at, name_size, text.at,
                             tw_cursor_size(text));
        } else if (!of->notation.json.failed) {
            tw_reader_result(of->reader, name.at, name_size,
                             (const char *)json->data + sizeof front - 1,
                             json->size - sizeof front);
        }
    } else if (!of->notation.json.failed) {
        tw_reader_result(of->reader, name.at, name_size,
                         (const char *)json->data, json->size);
    }
}

/* Media of a result: their markers say nothing of them. */
static void lose_media(gemma4_reader *of)
{
    const char *from = of->cursor.at;
    while (tw_cursor_skip(&of->cursor, TW_GEMMA4_IMAGE) ||
           tw_cursor_skip(&of->cursor, TW_GEMMA4_AUDIO) ||
           tw_cursor_skip(&of->cursor, TW_GEMMA4_VIDEO)) {
    }
    lose(of, from);
}

/* `NAME{...}<tool_response|>`, behind `response:`; false: it is text of the
 * model, which stands behind a call without a result.  What is closed and yet
 * cannot be read is a result nevertheless, or those behind it would answer
 * other calls: its bytes are kept as they are. */
static bool read_result(gemma4_reader *of)
{
    static const char *const ends[] = {TW_GEMMA4_RESULT_END, TW_GEMMA4_RESULT,
                                       TW_GEMMA4_TURN_END, TW_GEMMA4_TURN,
                                       NULL};
    tw_cursor ahead = of->cursor;
    tw_cursor object = of->cursor;
    tw_cursor name;
    if (tw_gemma4_read_name(&ahead, &name)) {
        object = ahead;
        if (tw_gemma4_read_object(&of->notation, &ahead, TW_GEMMA4_PLAIN) &&
            tw_cursor_skip(&ahead, TW_GEMMA4_RESULT_END)) {
            of->cursor = ahead;
            collect_value(of, name, object);
            lose_media(of);
            return true;
        }
    }
    ahead = object;
    const char *found = find_any(&ahead, ends);
    if (found == NULL) { /* it was cut off */
        tw_reader_report_loss(of->reader, of->cursor);
        of->cursor.at = of->cursor.end;
        return true;
    }
    if (found != ends[0]) {
        return false;
    }
    object.end = ahead.at;
    tw_cursor_skip(&ahead, TW_GEMMA4_RESULT_END);
    of->cursor = ahead;
    tw_reader_result(of->reader, name.at, tw_cursor_size(name), object.at,
                     tw_cursor_size(object));
    return true;
}

/* ---- the model ---------------------------------------------------------- */

/* Passes a call, so that markers in its strings are none.  A deviation is the
 * decoder's to read: it ends where a marker says so. */
static void skip_call(gemma4_reader *of)
{
    tw_cursor ahead = of->cursor;
    tw_cursor name;
    if (tw_cursor_skip(&ahead, TW_GEMMA_CALL_WORD) &&
        tw_gemma4_read_name(&ahead, &name) &&
        tw_gemma4_read_object(&of->notation, &ahead, TW_GEMMA4_PLAIN)) {
        of->cursor = ahead;
    }
}

static bool is_blank(tw_cursor text)
{
    while (text.at < text.end && memchr(" \t\r\n", *text.at, 4) != NULL) {
        text.at++;
    }
    return text.at == text.end;
}

/* A message of the model, if it is more than what a generation prompt leaves
 * behind. */
static bool collect_message(gemma4_reader *of, const char *from)
{
    const tw_cursor text = {from, of->cursor.at};
    const bool at_end = text.end == of->cursor.end;
    if (is_blank(text) ||
        (at_end &&
         (tw_cursor_is(text, TW_GEMMA4_THOUGHT) ||
          tw_cursor_is(text, TW_GEMMA4_THOUGHT TW_GEMMA4_CHANNEL_END)))) {
        return false;
    }
    tw_reader_turn(of->reader, TW_TURN_ASSISTANT, text.at,
                   tw_cursor_size(text));
    return true;
}

static void read_model(gemma4_reader *of)
{
    static const char *const ends[] = {TW_GEMMA4_CALL, TW_GEMMA4_RESULT,
                                       TW_GEMMA4_TURN_END, TW_GEMMA4_TURN,
                                       NULL};
    const char *from = of->cursor.at;
    bool some = false;
    for (;;) {
        const char *found = find_any(&of->cursor, ends);
        if (found == ends[0]) {
            tw_cursor_skip(&of->cursor, TW_GEMMA4_CALL);
            skip_call(of);
            continue;
        }
        some |= collect_message(of, from);
        if (found != ends[1]) {
            break;
        }
        /* Alone it says that the call waits for its result. */
        tw_cursor_skip(&of->cursor, TW_GEMMA4_RESULT);
        from = of->cursor.at;
        if (tw_cursor_skip(&of->cursor, "response:") && read_result(of)) {
            from = of->cursor.at;
            some = true;
        }
    }
    if (end_turn(of) && !some) {
        tw_reader_turn(of->reader, TW_TURN_ASSISTANT, "", 0);
    }
}

/* ---- turns -------------------------------------------------------------- */

/* Behind its marker. */
static void read_turn(gemma4_reader *of, bool first)
{
    const char *from = of->cursor.at;
    const char *to = from;
    while (to < of->cursor.end && *to != '\n' && *to != '<') {
        to++;
    }
    const tw_cursor role = {from, to};
    of->cursor.at = to;
    const bool whole = tw_cursor_skip(&of->cursor, "\n");
    if (whole && tw_cursor_is(role, "model")) {
        read_model(of);
    } else if (whole && tw_cursor_is(role, "user")) {
        read_plain(of, TW_TURN_USER);
    } else if (whole && first && tw_cursor_is(role, "system")) {
        read_system(of);
    } else if (whole && (tw_cursor_is(role, "system") ||
                         tw_cursor_is(role, "developer"))) {
        read_plain(of, TW_TURN_SYSTEM);
    } else {
        of->cursor.at = from;
        find_any(&of->cursor, plain_ends);
        lose(of, from);
        end_turn(of);
    }
}

void tw_gemma4_read_transcript(const tw_format *format,
                               tw_transcript_reader *reader, const char *text,
                               size_t size)
{
    static const char *const turns[] = {TW_GEMMA4_TURN, NULL};
    gemma4_reader of = {.reader = reader, .cursor = {text, text + size}};
    (void)format;
    tw_gemma4_notation_init(&of.notation, reader);
    tw_cursor_skip(&of.cursor, TW_GEMMA4_BOS);
    for (bool first = true; of.cursor.at < of.cursor.end; first = false) {
        const char *from = of.cursor.at;
        find_any(&of.cursor, turns);
        lose(&of, from);
        if (tw_cursor_skip(&of.cursor, TW_GEMMA4_TURN)) {
            read_turn(&of, first);
        }
    }
    tw_gemma4_notation_free(&of.notation);
}
