/* SPDX-License-Identifier: MIT
 *
 * A Gemma transcript back to turns: the inverse of gemma4_encode.c.  A turn
 * of the model holds several of its messages, and the results between them.
 */
#include "formats/gemma4/transcript.h"

#include <string.h>

#define TURN "<|turn>"
#define TURN_END "<turn|>"
#define CALL "<|tool_call>"
#define RESULT "<|tool_response>"
#define RESULT_END "<tool_response|>"
#define TOOL "<|tool>"
#define TOOL_END "<tool|>"

typedef struct reader {
    tw_collect *collect;
    tw_gemma4_notation notation;
    tw_rest rest;
} reader;

static size_t size_of(tw_rest rest)
{
    return (size_t)(rest.end - rest.at);
}

/* Is |rest| exactly |words|? */
static bool is(tw_rest rest, const char *words)
{
    return tw_rest_skip(&rest, words) && rest.at == rest.end;
}

/* Moves to the first of |words|, all of which begin with `<`; NULL: to the
 * end. */
static const char *find_any(tw_rest *rest, const char *const *words)
{
    while (rest->at < rest->end) {
        const char *less = memchr(rest->at, '<', size_of(*rest));
        rest->at = less != NULL ? less : rest->end;
        for (size_t i = 0; less != NULL && words[i] != NULL; i++) {
            tw_rest look = *rest;
            if (tw_rest_skip(&look, words[i])) {
                return words[i];
            }
        }
        rest->at += less != NULL;
    }
    return NULL;
}

/* What stands in front of |rest->at|, from |from| on, is nobody's. */
static void lose(reader *of, const char *from)
{
    tw_collect_lose(of->collect, (tw_rest){from, of->rest.at});
}

/* Behind a turn; false: another one begins before this one was closed. */
static bool end_turn(reader *of)
{
    const bool closed = tw_rest_skip(&of->rest, TURN_END);
    if (closed) {
        tw_rest_skip(&of->rest, "\n");
    }
    return closed;
}

/* ---- the system, users -------------------------------------------------- */

static const char *const plain_ends[] = {TURN_END, TURN, NULL};
static const char *const tool_ends[] = {TOOL, TURN_END, TURN, NULL};

static void read_plain(reader *of, tw_turn_kind kind)
{
    tw_rest text = of->rest;
    find_any(&of->rest, plain_ends);
    text.end = of->rest.at;
    if (end_turn(of) || text.at < text.end) {
        tw_collect_turn(of->collect, kind, text.at, size_of(text));
    }
}

/* The first turn: declarations stand behind the text.  Without text there was
 * no message if there is anything else that the turn was needed for. */
static void read_system(reader *of)
{
    bool needed = tw_rest_skip(&of->rest, "<|think|>\n");
    tw_rest text = of->rest;
    find_any(&of->rest, tool_ends);
    text.end = of->rest.at;
    const tw_rest look = of->rest;
    needed |= tw_rest_skip(&of->rest, TOOL);
    of->rest = look;
    if (!needed || text.at < text.end) {
        tw_collect_turn(of->collect, TW_TURN_SYSTEM, text.at, size_of(text));
    }
    while (of->rest.at < of->rest.end) {
        const char *from = of->rest.at;
        if (tw_rest_skip(&of->rest, TOOL) &&
            tw_gemma4_read_declaration(&of->notation, &of->rest)) {
            continue;
        }
        find_any(&of->rest, tool_ends);
        lose(of, from);
        tw_rest end = of->rest;
        if (!tw_rest_skip(&end, TOOL)) {
            break;
        }
    }
    end_turn(of);
}

/* ---- results ------------------------------------------------------------ */

/* A text is a result as it is, anything else as its JSON text. */
static void collect_value(reader *of, tw_rest object)
{
    tw_rest text = object;
    const tw_buffer *json = &of->notation.json.out;
    static const char front[] = "{\"value\":";
    if (tw_rest_skip(&text, "{value:") && of->notation.members == 1) {
        if (tw_rest_skip(&text, "<|\"|>")) {
            text.end = tw_gemma4_string_end(&text);
            tw_collect_result(of->collect, "", 0, text.at, size_of(text));
        } else if (!of->notation.json.failed) {
            tw_collect_result(of->collect, "", 0,
                              (const char *)json->data + sizeof front - 1,
                              json->size - sizeof front);
        }
    } else if (!of->notation.json.failed) {
        tw_collect_result(of->collect, "", 0, (const char *)json->data,
                          json->size);
    }
}

/* Media of a result: their markers say nothing of them. */
static void lose_media(reader *of)
{
    const char *from = of->rest.at;
    while (tw_rest_skip(&of->rest, "<|image|>") ||
           tw_rest_skip(&of->rest, "<|audio|>") ||
           tw_rest_skip(&of->rest, "<|video|>")) {
    }
    lose(of, from);
}

/* `NAME{...}<tool_response|>`, behind `response:`; false: it is text of the
 * model, which stands behind a call without a result.  What is closed and yet
 * cannot be read is a result nevertheless, or those behind it would answer
 * other calls: its bytes are kept as they are. */
static bool read_result(reader *of)
{
    static const char *const ends[] = {RESULT_END, RESULT, TURN_END, TURN,
                                       NULL};
    tw_rest ahead = of->rest;
    tw_rest object = of->rest;
    tw_rest name;
    if (tw_gemma4_read_name(&ahead, &name)) {
        object = ahead;
        if (tw_gemma4_read_object(&of->notation, &ahead, TW_GEMMA4_PLAIN) &&
            tw_rest_skip(&ahead, RESULT_END)) {
            of->rest = ahead;
            collect_value(of, object);
            lose_media(of);
            return true;
        }
    }
    ahead = object;
    const char *found = find_any(&ahead, ends);
    if (found == NULL) { /* it was cut off */
        tw_collect_lose(of->collect, of->rest);
        of->rest.at = of->rest.end;
        return true;
    }
    if (found != ends[0]) {
        return false;
    }
    object.end = ahead.at;
    tw_rest_skip(&ahead, RESULT_END);
    of->rest = ahead;
    tw_collect_result(of->collect, "", 0, object.at, size_of(object));
    return true;
}

/* ---- the model ---------------------------------------------------------- */

/* Passes a call, so that markers in its strings are none.  A deviation is the
 * decoder's to read: it ends where a marker says so. */
static void skip_call(reader *of)
{
    tw_rest ahead = of->rest;
    tw_rest name;
    if (tw_rest_skip(&ahead, "call:") && tw_gemma4_read_name(&ahead, &name) &&
        tw_gemma4_read_object(&of->notation, &ahead, TW_GEMMA4_PLAIN)) {
        of->rest = ahead;
    }
}

static bool is_blank(tw_rest text)
{
    while (text.at < text.end && memchr(" \t\r\n", *text.at, 4) != NULL) {
        text.at++;
    }
    return text.at == text.end;
}

/* A message of the model, if it is more than what a generation prompt leaves
 * behind. */
static bool collect_message(reader *of, const char *from)
{
    const tw_rest text = {from, of->rest.at};
    const bool at_end = text.end == of->rest.end;
    if (is_blank(text) ||
        (at_end && (is(text, "<|channel>thought\n") ||
                    is(text, "<|channel>thought\n<channel|>")))) {
        return false;
    }
    tw_collect_turn(of->collect, TW_TURN_ASSISTANT, text.at, size_of(text));
    return true;
}

static void read_model(reader *of)
{
    static const char *const ends[] = {CALL, RESULT, TURN_END, TURN, NULL};
    const char *from = of->rest.at;
    bool some = false;
    for (;;) {
        const char *found = find_any(&of->rest, ends);
        if (found == ends[0]) {
            tw_rest_skip(&of->rest, CALL);
            skip_call(of);
            continue;
        }
        some |= collect_message(of, from);
        if (found != ends[1]) {
            break;
        }
        /* Alone it says that the call waits for its result. */
        tw_rest_skip(&of->rest, RESULT);
        from = of->rest.at;
        if (tw_rest_skip(&of->rest, "response:") && read_result(of)) {
            from = of->rest.at;
            some = true;
        }
    }
    if (end_turn(of) && !some) {
        tw_collect_turn(of->collect, TW_TURN_ASSISTANT, "", 0);
    }
}

/* ---- turns -------------------------------------------------------------- */

/* Behind its marker. */
static void read_turn(reader *of, bool first)
{
    const char *from = of->rest.at;
    const char *to = from;
    while (to < of->rest.end && *to != '\n' && *to != '<') {
        to++;
    }
    const tw_rest role = {from, to};
    of->rest.at = to;
    const bool whole = tw_rest_skip(&of->rest, "\n");
    if (whole && is(role, "model")) {
        read_model(of);
    } else if (whole && is(role, "user")) {
        read_plain(of, TW_TURN_USER);
    } else if (whole && first && is(role, "system")) {
        read_system(of);
    } else if (whole && (is(role, "system") || is(role, "developer"))) {
        read_plain(of, TW_TURN_SYSTEM);
    } else {
        of->rest.at = from;
        find_any(&of->rest, plain_ends);
        lose(of, from);
        end_turn(of);
    }
}

void tw_gemma4_collect(const tw_format *format, tw_collect *collect,
                       const char *text, size_t size)
{
    static const char *const turns[] = {TURN, NULL};
    reader of = {.collect = collect, .rest = {text, text + size}};
    (void)format;
    tw_gemma4_notation_init(&of.notation, collect);
    tw_rest_skip(&of.rest, "<bos>");
    for (bool first = true; of.rest.at < of.rest.end; first = false) {
        const char *from = of.rest.at;
        find_any(&of.rest, turns);
        lose(&of, from);
        if (tw_rest_skip(&of.rest, TURN)) {
            read_turn(&of, first);
        }
    }
    tw_gemma4_notation_free(&of.notation);
}
