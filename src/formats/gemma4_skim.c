/* SPDX-License-Identifier: MIT */
#include "formats/gemma4_skim.h"

#include <string.h>

#include "core/skip.h"
#include "core/utf8.h"
#include "formats/gemma4_look.h"
#include "formats/gemma4_value.h"
#include "json/scalar.h"
#include "json/write.h"

/* What a byte may be behind a comma or closer; see gemma4_look.c. */
/* clang-format off */
const uint8_t tw_gemma4_kinds[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9, 0, 0, 1, 0, 0, /* 0x00 */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* 0x10 */
    1, 0, 8, 0, 0, 0, 0, 8, 8, 9, 0, 0, 8, 2, 2, 0, /* 0x20 */
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 8, 0, 0, 8, 0, 0, /* 0x30 */
    0, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0x40 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 8, 0, 9, 0, 6, /* 0x50 */
    8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0x60 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 8, 0, 9, 0, 0, /* 0x70 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0x80 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0x90 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0xA0 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0xB0 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0xC0 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0xD0 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0xE0 */
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* 0xF0 */
};
/* clang-format on */

/* ---- strings between delimiters ----------------------------------------- */

/* What one pass writes: small, for it is the decoder's only copy of content.
 */
enum {
    RUN_ROOM = 512,
    RUN_STEP = 16,
    PIECE_ROOM = 64,
    RUN_END = RUN_ROOM - PIECE_ROOM,
    LOOK = 64
};

/* What stands behind the comma is certainly no key: tw_gemma4_comma_key()
 * would say so of the same few bytes. */
static bool is_no_key(const uint8_t *comma, const uint8_t *limit)
{
    const uint8_t *far = limit - comma > LOOK ? comma + LOOK : limit;
    const uint8_t *from = comma + 1;
    while (from < far && tw_is_blank(*from)) {
        from++;
    }
    const uint8_t *at = from;
    if (from > comma + 1) { /* one word */
        if (at < far && (tw_gemma4_kinds[*at] & TW_GEMMA4_STARTS_WORD) != 0) {
            do {
                at++;
            } while (at < far && (tw_gemma4_kinds[*at] & TW_GEMMA4_WORD) != 0);
        }
        return at < far && *at != ':';
    }
    while (at < far && *at != '<' &&
           (tw_gemma4_kinds[*at] & TW_GEMMA4_ENDS_KEY) == 0) {
        at++;
    }
    return at < far && *at != ':' && *at != '<';
}

/* Behind the closers and blanks at |at|, if no `<` follows them: then they
 * are data.  NULL: they may not be. */
static const uint8_t *behind_closers(const uint8_t *at, const uint8_t *limit)
{
    const uint8_t *far = limit - at > LOOK ? at + LOOK : limit;
    while (at < far &&
           (tw_gemma4_kinds[*at] & TW_GEMMA4_CLOSER_OR_BLANK) != 0) {
        at++;
    }
    return at < far && *at != '<' ? at : NULL;
}

/* The delimiter and the close marker: no other counts in a string. */
static bool may_begin_marker(uint8_t behind_less)
{
    return behind_less == '|' || behind_less == 't';
}

/* Is the `<`, comma or closer at |at| certainly data?  Then so are all up to
 * |*clear|. */
static bool is_data(tw_gemma4_call *call, const uint8_t *at,
                    const uint8_t *limit, const uint8_t **clear)
{
    if (at < *clear) {
        return true;
    }
    if (*at == '<') {
        return limit - at > 1 && !may_begin_marker(at[1]);
    }
    if (*at == ',') {
        return tw_gemma4_in_array(call) || is_no_key(at, limit);
    }
    const uint8_t *behind = behind_closers(at, limit);
    if (behind == NULL) {
        return false;
    }
    *clear = behind;
    return true;
}

/* Writes the string's bytes from |at| on as JSON, as far as they are certain
 * and *out, which it moves, is not behind |end|; returns the end of what was
 * read. */
static const uint8_t *write_string(tw_gemma4_call *call, const uint8_t *at,
                                   const uint8_t *limit, uint8_t **room,
                                   const uint8_t *end)
{
    uint8_t *out = *room;
    const uint8_t *clear = at;
    while (at < limit && out <= end) {
        size_t size = tw_copy_delimited(out, at, limit);
        at += size;
        out += size;
        if (size == RUN_STEP || at == limit) {
            continue;
        }
        if ((tw_plain_kinds[*at] & TW_PLAIN_STRING) != 0) {
            if (!is_data(call, at, limit, &clear)) {
                break;
            }
            *out++ = *at++;
        } else if (*at < 0x80) {
            out += tw_json_escape(*at++, (char *)out);
        } else {
            if (tw_utf8_next(at, limit, &size) != TW_UTF8_GOOD) {
                break;
            }
            memcpy(out, at, size);
            at += size;
            out += size;
        }
    }
    *room = out;
    return at;
}

static void no_memory(tw_gemma4_call *call)
{
    tw_sink_fail(call->sink, TW_ERROR_MEMORY, call->window->offset,
                 "no memory");
}

/* ---- arrays of scalars -------------------------------------------------- */

static bool open_container(tw_gemma4_call *call, uint8_t closer)
{
    tw_buffer *frames = &call->frames;
    const size_t size = sizeof(tw_gemma4_frame);
    if (frames->size / size >= call->sink->limits.depth) {
        return false;
    }
    if (frames->capacity - frames->size < size &&
        !tw_buffer_reserve(frames, call->sink->memory, size)) {
        no_memory(call);
        return false;
    }
    tw_gemma4_top(call)->used = true;
    tw_gemma4_frame frame = {0};
    frame.closer = closer;
    memcpy(frames->data + frames->size, &frame, size);
    frames->size += size;
    call->state = closer == ']' ? TW_GEMMA4_AT_VALUE : TW_GEMMA4_AT_KEY;
    return true;
}

static bool close_array(tw_gemma4_call *call)
{
    if (!tw_gemma4_in_array(call)) {
        return false;
    }
    call->frames.size -= sizeof(tw_gemma4_frame);
    return true;
}

/* A scalar is one whatever follows its comma; before a closer the byte behind
 * it decides. */
static bool ends_scalar(const uint8_t *end, const uint8_t *limit)
{
    return *end == ',' || (*end == ']' && limit - end > 1 &&
                           (end[1] == ',' || end[1] == ']' || end[1] == '}' ||
                            end[1] == ')'));
}

/* Elements without blanks from |at| on, where one is due in an array; behind
 * the last of them. */
static const uint8_t *behind_elements(tw_gemma4_call *call, const uint8_t *at,
                                      const uint8_t *limit)
{
    const uint8_t *behind = call->window->at;
    while (at < limit) {
        if (*at == '[') {
            if (!open_container(call, ']')) {
                break;
            }
            behind = ++at;
            continue;
        }
        const uint8_t *end = tw_json_scalar_end(at, limit);
        if (end == NULL || !ends_scalar(end, limit)) {
            break;
        }
        tw_gemma4_top(call)->used = true;
        call->state = TW_GEMMA4_AT_AFTER;
        behind = end;
        while (behind < limit && *behind == ']' && close_array(call)) {
            behind++;
        }
        if (behind == limit || *behind != ',' || !tw_gemma4_in_array(call)) {
            break;
        }
        at = behind + 1;
    }
    return behind;
}

static const uint8_t *pass_elements(tw_gemma4_call *call)
{
    const tw_window *window = call->window;
    const tw_gemma4_frame *frame = tw_gemma4_top(call);
    if (!tw_gemma4_in_array(call) ||
        tw_window_size(window) > tw_sink_arguments_left(call->sink)) {
        return window->at;
    }
    if (call->state == TW_GEMMA4_AT_AFTER) {
        return *window->at == ','
                   ? behind_elements(call, window->at + 1, window->limit)
                   : window->at;
    }
    return frame->used /* the comma in front is not written yet */
               ? window->at
               : behind_elements(call, window->at, window->limit);
}

/* ---- pairs -------------------------------------------------------------- */

/* Each of these writes one piece and what belongs to it, and says whether it
 * could.  There is at least one byte, and room for PIECE_ROOM. */

enum { KEY_LIMIT = 32, CLOSE_SIZE = 12, DELIMITER_SIZE = 5 };

/* What is written, and what of: up to |end| another piece may begin. */
typedef struct run {
    tw_gemma4_call *call;
    const uint8_t *at;
    const uint8_t *limit;
    uint8_t *out;
    uint8_t *end;
} run;

static void put(run *its, uint8_t c)
{
    *its->out++ = c;
    its->at++;
}

/* The size of the key `word:` at |at|, the colon left out; 0: it is another
 * one, or not whole in view. */
static size_t key_size(const uint8_t *at, const uint8_t *limit)
{
    const size_t left = (size_t)(limit - at);
    size_t size = 0;
    while (size < left && size < KEY_LIMIT && at[size] < 0x80 &&
           (tw_gemma4_kinds[at[size]] & TW_GEMMA4_WORD) != 0) {
        size++;
    }
    return size < left && at[size] == ':' ? size : 0;
}

static void put_key(run *its, const uint8_t *from, size_t size)
{
    tw_gemma4_frame *frame = tw_gemma4_top(its->call);
    if (frame->used) {
        *its->out++ = ',';
    }
    *its->out++ = '"';
    memcpy(its->out, from, size);
    its->out += size;
    *its->out++ = '"';
    *its->out++ = ':';
    its->at = from + size + 1;
    frame->used = true;
    frame->separator = ':';
    its->call->state = TW_GEMMA4_AT_VALUE;
}

static bool write_key(run *its, const uint8_t *from)
{
    const size_t size = key_size(from, its->limit);
    if (size > 0) {
        put_key(its, from, size);
    }
    return size > 0;
}

static bool is_delimiter(const uint8_t *at, const uint8_t *limit)
{
    return limit - at >= DELIMITER_SIZE &&
           memcmp(at, "<|\"|>", DELIMITER_SIZE) == 0;
}

static bool write_open_string(run *its)
{
    if (!is_delimiter(its->at, its->limit)) {
        return false;
    }
    tw_gemma4_top(its->call)->used = true;
    *its->out++ = '"';
    its->at += DELIMITER_SIZE;
    its->call->state = TW_GEMMA4_AT_STRING;
    return true;
}

/* A string's end, if that is certain. */
static bool write_end_of_string(run *its)
{
    const uint8_t *behind = its->at + DELIMITER_SIZE;
    if (!is_delimiter(its->at, its->limit) || behind == its->limit ||
        (*behind != ',' && *behind != '}' && *behind != ']') ||
        tw_is_marked(its->call->window)) {
        return false;
    }
    *its->out++ = '"';
    its->at = behind;
    its->call->state = TW_GEMMA4_AT_AFTER;
    return true;
}

static bool write_open(run *its, uint8_t closer)
{
    tw_gemma4_call *call = its->call;
    const bool opened = open_container(call, closer);
    if (opened) {
        put(its, *its->at);
    }
    return opened;
}

/* Not the root: its closer comes with the end of the call. */
static bool write_close(run *its)
{
    tw_gemma4_call *call = its->call;
    const bool may = *its->at == tw_gemma4_top(call)->closer &&
                     call->frames.size > sizeof(tw_gemma4_frame);
    if (may) {
        call->frames.size -= sizeof(tw_gemma4_frame);
        call->state = TW_GEMMA4_AT_AFTER;
        put(its, *its->at);
    }
    return may;
}

/* The closer behind a member's scalar ends it whatever comes later. */
static bool ends_member(const uint8_t *end, const uint8_t *limit)
{
    if ((*end != '}' && *end != ']') || limit - end < 2) {
        return false;
    }
    return end[1] == ',' || end[1] == '}' || end[1] == ']' ||
           (limit - end > CLOSE_SIZE &&
            memcmp(end + 1, "<tool_call|>", CLOSE_SIZE) == 0);
}

/* Only the key behind its comma tells that a member's scalar is one. */
static bool write_scalar(run *its)
{
    tw_gemma4_call *call = its->call;
    const bool array = tw_gemma4_in_array(call);
    const uint8_t *end = tw_json_scalar_end(its->at, its->limit);
    size_t key = 0;
    if (end == NULL) {
        return false;
    }
    if (!array && *end == ',') {
        key = key_size(end + 1, its->limit);
    }
    if (key == 0 && !(array ? ends_scalar(end, its->limit)
                            : ends_member(end, its->limit))) {
        return false;
    }
    const size_t size = (size_t)(end - its->at);
    memcpy(its->out, its->at, size);
    its->out += size;
    its->at = end;
    tw_gemma4_top(call)->used = true;
    call->state = TW_GEMMA4_AT_AFTER;
    if (key > 0) {
        put_key(its, end + 1, key);
    }
    return true;
}

static bool write_value(run *its)
{
    switch (*its->at) {
    case '<': return write_open_string(its);
    case '{': return write_open(its, '}');
    case '[': return write_open(its, ']');
    default: return write_scalar(its);
    }
}

/* A comma, with the key or value behind it. */
static bool write_comma(run *its)
{
    tw_gemma4_call *call = its->call;
    if (!tw_gemma4_in_array(call)) {
        return write_key(its, its->at + 1);
    }
    const run before = *its;
    put(its, ',');
    const bool written = its->at < its->limit && write_value(its);
    if (!written) {
        *its = before;
    }
    return written;
}

static bool write_piece(run *its)
{
    tw_gemma4_call *call = its->call;
    const tw_gemma4_frame *frame = tw_gemma4_top(call);
    const uint8_t c = *its->at;
    if (call->state == TW_GEMMA4_AT_STRING) {
        return write_end_of_string(its);
    }
    if (frame->comma > 0 || tw_is_marked(call->window)) {
        return false;
    }
    if (call->state == TW_GEMMA4_AT_AFTER) {
        return c == ',' ? write_comma(its) : write_close(its);
    }
    if (call->state == TW_GEMMA4_AT_KEY) {
        return !frame->used &&
               (c == '}' ? write_close(its) : write_key(its, its->at));
    }
    return c == ']' ? !frame->used && write_close(its) : write_value(its);
}

/* As many as there are; true: a string begins. */
static bool write_pieces(run *its)
{
    const tw_gemma4_call *call = its->call;
    bool more = write_piece(its);
    while (more && call->state != TW_GEMMA4_AT_STRING &&
           its->at < its->limit && its->out <= its->end) {
        more = write_piece(its);
    }
    return more;
}

static bool may_write(tw_gemma4_call *call)
{
    tw_buffer *room = &call->run;
    room->size = 0;
    if (tw_sink_arguments_left(call->sink) < RUN_ROOM) {
        return false;
    }
    if (room->capacity < RUN_ROOM &&
        !tw_buffer_reserve(room, call->sink->memory, RUN_ROOM)) {
        no_memory(call);
        return false;
    }
    return true;
}

/* Keys and values without blanks between them, as the template writes them;
 * or what may be written of one string. */
static void write_run(run *its)
{
    tw_gemma4_call *call = its->call;
    do {
        if (call->state == TW_GEMMA4_AT_STRING) {
            its->at =
                write_string(call, its->at, its->limit, &its->out, its->end);
        }
    } while (its->at < its->limit && its->out <= its->end &&
             write_pieces(its));
}

static const uint8_t *pass_run(tw_gemma4_call *call, tw_passed *passed)
{
    const tw_window *window = call->window;
    if (!may_write(call)) {
        return window->at;
    }
    uint8_t *data = call->run.data;
    run its = {call, window->at, window->limit, data, data + RUN_END};
    write_run(&its);
    passed->data = data;
    passed->size = (size_t)(its.out - data);
    return its.at;
}

const uint8_t *tw_gemma4_write_body(tw_gemma4_call *call, const uint8_t *at)
{
    if (tw_is_marked(call->window) || !may_write(call)) {
        return NULL;
    }
    uint8_t *data = call->run.data;
    run its = {call, at, call->window->limit, data, data + RUN_END};
    *its.out++ = '{';
    write_run(&its);
    const bool root = call->frames.size == sizeof(tw_gemma4_frame) &&
                      (call->state == TW_GEMMA4_AT_AFTER ||
                       (call->state == TW_GEMMA4_AT_KEY && its.at == at));
    if (!root || its.limit - its.at <= CLOSE_SIZE || *its.at != '}' ||
        memcmp(its.at + 1, "<tool_call|>", CLOSE_SIZE) != 0) {
        return NULL;
    }
    *its.out++ = '}';
    call->run.size = (size_t)(its.out - data);
    return its.at;
}

/* In an array: is it worth a run?  Rows of scalars are none. */
static bool is_member(tw_gemma4_call *call)
{
    const tw_window *window = call->window;
    const uint8_t *at = window->at + (*window->at == ',');
    return !tw_gemma4_in_array(call) ||
           (at < window->limit && (*at == '<' || *at == '{' || *at == ']'));
}

/* What a token brings of a string, if it is the same in JSON. */
static inline bool is_plain_token(const tw_gemma4_call *call)
{
    const tw_window *window = call->window;
    return window->limit - window->at < RUN_STEP &&
           tw_sink_arguments_left(call->sink) >= RUN_STEP &&
           tw_skip_plain(window->at, window->limit, TW_PLAIN_DELIMITED) ==
               window->limit;
}

/* Between strings. */
static const uint8_t *pass_members(tw_gemma4_call *call, tw_passed *passed)
{
    const uint8_t *at = call->window->at;
    if (call->state > TW_GEMMA4_AT_AFTER) {
        return at;
    }
    if (call->state != TW_GEMMA4_AT_KEY) {
        const uint8_t *to = pass_elements(call);
        if (to > at || !is_member(call)) {
            return to;
        }
    }
    return pass_run(call, passed);
}

const uint8_t *tw_gemma4_call_pass(tw_gemma4_call *call, tw_passed *passed)
{
    passed->type = TW_EVENT_CALL_ARGUMENTS;
    passed->index = call->index;
    if (call->state != TW_GEMMA4_AT_STRING) {
        return pass_members(call, passed);
    }
    return is_plain_token(call) ? call->window->limit : pass_run(call, passed);
}
