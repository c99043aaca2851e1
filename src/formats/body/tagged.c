/* SPDX-License-Identifier: MIT
 *
 * Bodies of other families in the shared tag.  Qwen3-Coder:
 *
 *     <function=f> <parameter=k> LF v LF </parameter> </function>
 *
 * and GLM:
 *
 *     f <arg_key>k</arg_key> <arg_value>v</arg_value>
 *
 * There is no schema, so values are strings.  One line feed on each side of a
 * value is framing; a value ends at its first close tag.
 */
#include "formats/body/tagged.h"

#include <string.h>

#include "core/skip.h"
#include "core/utf8.h"

enum state { NAME, NEXT, KEY, VALUE_OPEN, VALUE };

typedef struct words {
    const char *open;
    const char *key_end;
    const char *value_open;
    const char *value_end;
    const char *end;
} words;

static const words coder = {"<parameter=", ">", "", "</parameter>",
                            "</function>"};
static const words glm = {"<arg_key>", "</arg_key>", "<arg_value>",
                          "</arg_value>", "</tool_call>"};

const char *tw_tagged_body_opener(void)
{
    return glm.open;
}

static const words *words_of(const tw_tagged_body *body)
{
    return body->glm ? &glm : &coder;
}

static tw_body_end broken(tw_tagged_body *body, uint32_t reason,
                          const uint8_t *at)
{
    body->common.reason = reason;
    body->common.reason_at = tw_window_offset(body->common.call->window, at);
    return TW_BODY_BROKEN;
}

/* How many bytes of |word| stand at |at|; *more: the window ends there. */
static size_t matches(const tw_window *window, const uint8_t *at,
                      const char *word, bool *more)
{
    size_t size = 0;
    while (word[size] != 0 && at + size < window->limit &&
           at[size] == (uint8_t)word[size]) {
        size++;
    }
    *more = word[size] != 0 && at + size == window->limit;
    return size;
}

static bool is_whole(const char *word, size_t size)
{
    return word[size] == 0;
}

static void emit(tw_tagged_body *body, const char *text, uint64_t offset)
{
    tw_arguments_text(&body->common.call->arguments, text, strlen(text),
                      offset, true);
}

static void begin(tw_tagged_body *body, uint64_t offset)
{
    if (!body->common.call->begun && body->common.call->fail == 0) {
        tw_open_call_begin(body->common.call);
        emit(body, "{", offset);
    }
}

/* Bytes of a key or a value, in one string. */
static size_t string_bytes(tw_tagged_body *body, const uint8_t *at,
                           size_t size, bool open)
{
    tw_arguments *arguments = &body->common.call->arguments;
    if (body->common.call->fail != 0 || arguments->fail != 0) {
        return size;
    }
    const size_t taken = tw_sink_arguments_raw(
        body->common.call->sink, body->common.call->index, at, size, open);
    if (body->common.call->sink->overflow) {
        arguments->fail = TW_DIAGNOSTIC_LIMIT_ARGUMENTS;
        arguments->fail_at = body->common.call->sink->overflow_at;
    }
    return taken;
}

void tw_tagged_body_init(tw_tagged_body *body, const tw_body *common)
{
    memset(body, 0, sizeof *body);
    body->common = *common;
    body->common.codec = &tw_tagged_codec;
}

/* For GLM the name was read already. */
static void start(tw_body *common)
{
    tw_tagged_body *body = (tw_tagged_body *)common;
    body->glm = common->call->has_name;
    body->any = false;
    body->state = body->glm ? KEY : NAME;
}

/* What cuts a call off. */
enum { CUTTERS = TW_AT_CALL | TW_AT_CALL_END | TW_AT_STOP };

/* A `<` where a part of the body is due: a stop marker ends the output there,
 * and so may its end. */
static tw_body_end no_part_at(tw_tagged_body *body, const uint8_t *at)
{
    tw_window *window = body->common.call->window;
    const tw_found found = tw_marker_at(body->common.marks, window, at);
    if (found.roles == TW_AT_MORE) {
        return TW_BODY_STARVED;
    }
    if ((found.roles & TW_AT_STOP) != 0) {
        tw_window_skip(window, (size_t)(at - window->at));
        return TW_BODY_STOPPED;
    }
    if (tw_marker_is_cut(body->common.marks, window, at, CUTTERS)) {
        return TW_BODY_CUT;
    }
    return broken(body, TW_DIAGNOSTIC_SYNTAX_ERROR, at);
}

static tw_body_end read_name(tw_tagged_body *body)
{
    tw_window *window = body->common.call->window;
    const uint8_t *at = window->at;
    for (;; at++) {
        if (at == window->limit) {
            return window->eof ? TW_BODY_CUT : TW_BODY_STARVED;
        }
        if (*at == '>') {
            break;
        }
        if (*at == '<') {
            return no_part_at(body, at);
        }
        if (!tw_is_name_byte(*at)) {
            return broken(body, TW_DIAGNOSTIC_SYNTAX_ERROR, at);
        }
        if ((size_t)(at - window->at) >=
            body->common.call->sink->limits.name) {
            return broken(body, TW_DIAGNOSTIC_LIMIT_NAME, window->at);
        }
    }
    const size_t size = (size_t)(at - window->at);
    if (size == 0) {
        return broken(body, TW_DIAGNOSTIC_SYNTAX_ERROR, at);
    }
    body->common.call->has_name = true;
    if (!tw_buffer_append(&body->common.call->name, body->common.call->memory,
                          window->at, size)) {
        tw_sink_fail(body->common.call->sink, TW_ERROR_MEMORY, window->offset,
                     "no memory");
    }
    tw_window_skip(window, size + 1);
    body->state = NEXT;
    return TW_BODY_GOES_ON;
}

/* The body is complete. */
static tw_body_end end_body(tw_tagged_body *body, size_t size)
{
    tw_window *window = body->common.call->window;
    const uint64_t offset = window->offset + size - 1;
    begin(body, offset);
    tw_window_skip(window, size);
    tw_arguments_close(&body->common.call->arguments, offset);
    tw_open_call_end(body->common.call);
    return TW_BODY_DONE;
}

/* Skips blanks; TW_BODY_DONE: something else stands at the window. */
static tw_body_end skip_blanks(tw_tagged_body *body)
{
    tw_window *window = body->common.call->window;
    const uint8_t *at = window->at;
    while (at < window->limit && tw_is_ws(*at)) {
        at++;
    }
    tw_window_skip(window, (size_t)(at - window->at));
    if (at < window->limit) {
        return TW_BODY_DONE;
    }
    return window->eof ? TW_BODY_CUT : TW_BODY_STARVED;
}

static tw_body_end read_next(tw_tagged_body *body)
{
    tw_window *window = body->common.call->window;
    const words *word = words_of(body);
    const tw_body_end blanks = skip_blanks(body);
    if (blanks != TW_BODY_DONE) {
        return blanks;
    }
    bool open_more;
    bool end_more;
    const size_t open = matches(window, window->at, word->open, &open_more);
    const size_t end = matches(window, window->at, word->end, &end_more);
    if (is_whole(word->open, open)) {
        tw_window_skip(window, open);
        body->state = KEY;
        return TW_BODY_GOES_ON;
    }
    if (is_whole(word->end, end)) {
        return end_body(body, end);
    }
    if (open_more || end_more) {
        return window->eof ? TW_BODY_CUT : TW_BODY_STARVED;
    }
    return no_part_at(body, body->common.call->window->at);
}

static tw_body_end key_ended(tw_tagged_body *body, const uint8_t *end,
                             size_t mark)
{
    tw_window *window = body->common.call->window;
    const size_t size = (size_t)(end - window->at);
    const uint64_t offset = tw_window_offset(window, end) + (uint64_t)mark - 1;
    if (!tw_utf8_is_valid((const char *)window->at, size)) {
        return broken(body, TW_DIAGNOSTIC_SYNTAX_ERROR, end + mark - 1);
    }
    begin(body, offset);
    emit(body, body->any ? ",\"" : "\"", offset);
    string_bytes(body, window->at, size, false);
    emit(body, "\":", offset);
    body->any = true;
    tw_window_skip(window, size + mark);
    body->state = VALUE_OPEN;
    return TW_BODY_GOES_ON;
}

static tw_body_end read_key(tw_tagged_body *body)
{
    const tw_window *window = body->common.call->window;
    const char *end = words_of(body)->key_end;
    const size_t mark = strlen(end);
    for (const uint8_t *at = window->at; at < window->limit; at++) {
        bool more = false;
        if (*at == (uint8_t)end[0] &&
            is_whole(end, matches(window, at, end, &more))) {
            return key_ended(body, at, mark);
        }
        if (more && !window->eof) {
            break;
        }
        if ((size_t)(at - window->at) >=
            body->common.call->sink->limits.name) {
            return broken(body, TW_DIAGNOSTIC_SYNTAX_ERROR, at);
        }
    }
    return window->eof ? TW_BODY_CUT : TW_BODY_STARVED;
}

static tw_body_end read_value_open(tw_tagged_body *body)
{
    tw_window *window = body->common.call->window;
    const char *word = words_of(body)->value_open;
    if (word[0] != 0) {
        const tw_body_end blanks = skip_blanks(body);
        if (blanks != TW_BODY_DONE) {
            return blanks;
        }
    }
    bool more;
    const size_t size = matches(window, window->at, word, &more);
    if (more) {
        return window->eof ? TW_BODY_CUT : TW_BODY_STARVED;
    }
    if (!is_whole(word, size)) {
        return no_part_at(body, body->common.call->window->at);
    }
    tw_window_skip(window, size);
    emit(body, "\"", window->offset - 1);
    body->first = true;
    body->state = VALUE;
    return TW_BODY_GOES_ON;
}

/* [LF] and the value's close tag at |at|?  Its size; 0: no. */
static size_t value_end(const tw_tagged_body *body, const uint8_t *at,
                        bool *more)
{
    const tw_window *window = body->common.call->window;
    const char *word = words_of(body)->value_end;
    const size_t feed = *at == '\n' ? 1 : 0;
    const size_t size = matches(window, at + feed, word, more);
    return is_whole(word, size) ? size + feed : 0;
}

static tw_body_end read_value(tw_tagged_body *body)
{
    tw_window *window = body->common.call->window;
    const uint8_t *at = window->at;
    if (at == window->limit) {
        return window->eof ? TW_BODY_CUT : TW_BODY_STARVED;
    }
    if (body->first) {
        body->first = false;
        tw_window_skip(window, *at == '\n' ? 1 : 0);
        return TW_BODY_GOES_ON;
    }
    bool more = false;
    const bool special = *at == '\n' || *at == '<';
    const size_t end = special ? value_end(body, at, &more) : 0;
    if (more && !window->eof) {
        return TW_BODY_STARVED;
    }
    if (end > 0) {
        tw_window_skip(window, end);
        emit(body, "\"", window->offset - 1);
        body->state = NEXT;
        return TW_BODY_GOES_ON;
    }
    const uint8_t *to = at + 1;
    const uint8_t *reach = tw_window_reach(window, to);
    while (to < reach && *to != '\n' && *to != '<') {
        to++;
    }
    const size_t taken =
        string_bytes(body, at, (size_t)(to - at), to == window->limit);
    tw_window_skip(window, taken);
    return taken > 0     ? TW_BODY_GOES_ON
           : window->eof ? TW_BODY_CUT
                         : TW_BODY_STARVED;
}

static tw_body_end read_on(tw_tagged_body *body)
{
    switch (body->state) {
    case NAME: return read_name(body);
    case NEXT: return read_next(body);
    case KEY: return read_key(body);
    case VALUE_OPEN: return read_value_open(body);
    default: return read_value(body);
    }
}

static tw_body_end step(tw_body *common)
{
    tw_tagged_body *body = (tw_tagged_body *)common;
    const tw_body_end end = read_on(body);
    if (end == TW_BODY_GOES_ON) {
        tw_open_call_fail_arguments(common->call);
    }
    return end == TW_BODY_DONE && body->glm ? TW_BODY_CLOSED : end;
}

const tw_body_codec tw_tagged_codec = {
    .start = start,
    .step = step,
};
