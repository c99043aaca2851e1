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
#include <string.h>

#include "core/utf8.h"
#include "formats/hermes.h"

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

static const words *words_of(const tw_hermes_call *call)
{
    return call->glm ? &glm : &coder;
}

static tw_hermes_end broken(tw_hermes_call *call, uint32_t reason,
                            const uint8_t *at)
{
    call->reason = reason;
    call->reason_at = tw_window_offset(call->window, at);
    return TW_HERMES_BROKEN;
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

static void emit(tw_hermes_call *call, const char *text, uint64_t offset)
{
    tw_arguments_text(&call->arguments, text, strlen(text), offset, true);
}

static void begin(tw_hermes_call *call, uint64_t offset)
{
    if (!call->begun && call->fail == 0) {
        tw_hermes_call_begin(call);
        emit(call, "{", offset);
    }
}

/* Bytes of a key or a value, in one string. */
static size_t string_bytes(tw_hermes_call *call, const uint8_t *at,
                           size_t size, bool open)
{
    tw_arguments *arguments = &call->arguments;
    if (call->fail != 0 || arguments->fail != 0) {
        return size;
    }
    const size_t taken =
        tw_sink_arguments_raw(call->sink, call->index, at, size, open);
    if (call->sink->overflow) {
        arguments->fail = TW_DIAGNOSTIC_LIMIT_ARGUMENTS;
        arguments->fail_at = call->sink->overflow_at;
    }
    return taken;
}

void tw_hermes_tag_body_start(tw_hermes_call *call, uint64_t begin_at,
                              bool is_glm, const uint8_t *name,
                              size_t name_size)
{
    tw_hermes_call_start(call, begin_at);
    call->glm = is_glm;
    call->any = false;
    call->state = is_glm ? KEY : NAME;
    call->has_name = is_glm;
    if (is_glm &&
        !tw_buffer_append(&call->name, call->memory, name, name_size)) {
        tw_sink_fail(call->sink, TW_ERROR_MEMORY, begin_at, "no memory");
    }
}

/* A `<` inside the name: a stop token ends the output there. */
static tw_hermes_end name_cut(tw_hermes_call *call, const uint8_t *at)
{
    size_t size;
    const tw_hermes_tag tag =
        tw_hermes_tag_at(call->wire, call->window, at, &size);
    if (tag == TW_HERMES_MORE) {
        return TW_HERMES_STARVED;
    }
    if (tag == TW_HERMES_STOP) {
        tw_window_skip(call->window, (size_t)(at - call->window->at));
        return TW_HERMES_STOPPED;
    }
    if (tw_hermes_is_cut_tag(call->wire, call->window, at)) {
        return TW_HERMES_CUT;
    }
    return broken(call, TW_DIAGNOSTIC_SYNTAX_ERROR, at);
}

static tw_hermes_end read_name(tw_hermes_call *call)
{
    tw_window *window = call->window;
    const uint8_t *at = window->at;
    for (;; at++) {
        if (at == window->limit) {
            return window->eof ? TW_HERMES_CUT : TW_HERMES_STARVED;
        }
        if (*at == '>') {
            break;
        }
        if (*at == '<') {
            return name_cut(call, at);
        }
        if (!tw_hermes_is_name(*at)) {
            return broken(call, TW_DIAGNOSTIC_SYNTAX_ERROR, at);
        }
        if ((size_t)(at - window->at) >= call->sink->limits.name) {
            return broken(call, TW_DIAGNOSTIC_LIMIT_NAME, window->at);
        }
    }
    const size_t size = (size_t)(at - window->at);
    if (size == 0) {
        return broken(call, TW_DIAGNOSTIC_SYNTAX_ERROR, at);
    }
    call->has_name = true;
    if (!tw_buffer_append(&call->name, call->memory, window->at, size)) {
        tw_sink_fail(call->sink, TW_ERROR_MEMORY, window->offset, "no memory");
    }
    tw_window_skip(window, size + 1);
    call->state = NEXT;
    return TW_HERMES_GOES_ON;
}

/* The body is complete. */
static tw_hermes_end end_body(tw_hermes_call *call, size_t size)
{
    tw_window *window = call->window;
    const uint64_t offset = window->offset + size - 1;
    begin(call, offset);
    tw_window_skip(window, size);
    tw_arguments_close(&call->arguments, offset);
    tw_arguments_finish(&call->arguments);
    if (call->arguments.fail != 0) {
        tw_hermes_call_fail(call, call->arguments.fail,
                            call->arguments.fail_at);
    }
    if (call->fail != 0) {
        tw_hermes_call_reject(call, call->fail, TW_CALL_MALFORMED);
    } else {
        tw_sink_call_end(call->sink, call->index, TW_CALL_COMPLETE,
                         call->begin, window->offset);
    }
    return TW_HERMES_DONE;
}

/* Skips blanks; TW_HERMES_DONE: something else stands at the window. */
static tw_hermes_end skip_blanks(tw_hermes_call *call)
{
    tw_window *window = call->window;
    const uint8_t *at = window->at;
    while (at < window->limit && tw_hermes_is_blank(*at)) {
        at++;
    }
    tw_window_skip(window, (size_t)(at - window->at));
    if (at < window->limit) {
        return TW_HERMES_DONE;
    }
    return window->eof ? TW_HERMES_CUT : TW_HERMES_STARVED;
}

/* Something else stands where a part of the body is due. */
static tw_hermes_end no_part(tw_hermes_call *call)
{
    size_t size;
    const tw_hermes_tag tag = *call->window->at == '<'
                                  ? tw_hermes_tag_at(call->wire, call->window,
                                                     call->window->at, &size)
                                  : TW_HERMES_NONE;
    if (tag == TW_HERMES_MORE) {
        return TW_HERMES_STARVED;
    }
    if (tag == TW_HERMES_STOP) {
        return TW_HERMES_STOPPED;
    }
    if (*call->window->at == '<' &&
        tw_hermes_is_cut_tag(call->wire, call->window, call->window->at)) {
        return TW_HERMES_CUT;
    }
    return broken(call, TW_DIAGNOSTIC_SYNTAX_ERROR, call->window->at);
}

static tw_hermes_end read_next(tw_hermes_call *call)
{
    tw_window *window = call->window;
    const words *word = words_of(call);
    const tw_hermes_end blanks = skip_blanks(call);
    if (blanks != TW_HERMES_DONE) {
        return blanks;
    }
    bool open_more;
    bool end_more;
    const size_t open = matches(window, window->at, word->open, &open_more);
    const size_t end = matches(window, window->at, word->end, &end_more);
    if (is_whole(word->open, open)) {
        tw_window_skip(window, open);
        call->state = KEY;
        return TW_HERMES_GOES_ON;
    }
    if (is_whole(word->end, end)) {
        return end_body(call, end);
    }
    if (open_more || end_more) {
        return window->eof ? TW_HERMES_CUT : TW_HERMES_STARVED;
    }
    return no_part(call);
}

static tw_hermes_end key_ended(tw_hermes_call *call, const uint8_t *end,
                               size_t mark)
{
    tw_window *window = call->window;
    const size_t size = (size_t)(end - window->at);
    const uint64_t offset = tw_window_offset(window, end) + (uint64_t)mark - 1;
    if (!tw_utf8_is_valid((const char *)window->at, size)) {
        return broken(call, TW_DIAGNOSTIC_SYNTAX_ERROR, end + mark - 1);
    }
    begin(call, offset);
    emit(call, call->any ? ",\"" : "\"", offset);
    string_bytes(call, window->at, size, false);
    emit(call, "\":", offset);
    call->any = true;
    tw_window_skip(window, size + mark);
    call->state = VALUE_OPEN;
    return TW_HERMES_GOES_ON;
}

static tw_hermes_end read_key(tw_hermes_call *call)
{
    const tw_window *window = call->window;
    const char *end = words_of(call)->key_end;
    const size_t mark = strlen(end);
    for (const uint8_t *at = window->at; at < window->limit; at++) {
        bool more = false;
        if (*at == (uint8_t)end[0] &&
            is_whole(end, matches(window, at, end, &more))) {
            return key_ended(call, at, mark);
        }
        if (more && !window->eof) {
            break;
        }
        if ((size_t)(at - window->at) >= call->sink->limits.name) {
            return broken(call, TW_DIAGNOSTIC_SYNTAX_ERROR, at);
        }
    }
    return window->eof ? TW_HERMES_CUT : TW_HERMES_STARVED;
}

static tw_hermes_end read_value_open(tw_hermes_call *call)
{
    tw_window *window = call->window;
    const char *word = words_of(call)->value_open;
    if (word[0] != 0) {
        const tw_hermes_end blanks = skip_blanks(call);
        if (blanks != TW_HERMES_DONE) {
            return blanks;
        }
    }
    bool more;
    const size_t size = matches(window, window->at, word, &more);
    if (more) {
        return window->eof ? TW_HERMES_CUT : TW_HERMES_STARVED;
    }
    if (!is_whole(word, size)) {
        return no_part(call);
    }
    tw_window_skip(window, size);
    emit(call, "\"", window->offset - 1);
    call->first = true;
    call->state = VALUE;
    return TW_HERMES_GOES_ON;
}

/* [LF] and the value's close tag at |at|?  Its size; 0: no. */
static size_t value_end(const tw_hermes_call *call, const uint8_t *at,
                        bool *more)
{
    const tw_window *window = call->window;
    const char *word = words_of(call)->value_end;
    const size_t feed = *at == '\n' ? 1 : 0;
    const size_t size = matches(window, at + feed, word, more);
    return is_whole(word, size) ? size + feed : 0;
}

static tw_hermes_end read_value(tw_hermes_call *call)
{
    tw_window *window = call->window;
    const uint8_t *at = window->at;
    if (at == window->limit) {
        return window->eof ? TW_HERMES_CUT : TW_HERMES_STARVED;
    }
    if (call->first) {
        call->first = false;
        tw_window_skip(window, *at == '\n' ? 1 : 0);
        return TW_HERMES_GOES_ON;
    }
    bool more = false;
    const bool special = *at == '\n' || *at == '<';
    const size_t end = special ? value_end(call, at, &more) : 0;
    if (more && !window->eof) {
        return TW_HERMES_STARVED;
    }
    if (end > 0) {
        tw_window_skip(window, end);
        emit(call, "\"", window->offset - 1);
        call->state = NEXT;
        return TW_HERMES_GOES_ON;
    }
    const uint8_t *to = at + 1;
    const uint8_t *reach = tw_window_reach(window, to);
    while (to < reach && *to != '\n' && *to != '<') {
        to++;
    }
    const size_t taken =
        string_bytes(call, at, (size_t)(to - at), to == window->limit);
    tw_window_skip(window, taken);
    return taken > 0     ? TW_HERMES_GOES_ON
           : window->eof ? TW_HERMES_CUT
                         : TW_HERMES_STARVED;
}

static tw_hermes_end read_on(tw_hermes_call *call)
{
    switch (call->state) {
    case NAME: return read_name(call);
    case NEXT: return read_next(call);
    case KEY: return read_key(call);
    case VALUE_OPEN: return read_value_open(call);
    default: return read_value(call);
    }
}

tw_hermes_end tw_hermes_tag_body_step(tw_hermes_call *call)
{
    const tw_hermes_end end = read_on(call);
    if (end == TW_HERMES_GOES_ON && call->arguments.fail != 0) {
        tw_hermes_call_fail(call, call->arguments.fail,
                            call->arguments.fail_at);
    }
    return end;
}
