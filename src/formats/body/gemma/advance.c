/* SPDX-License-Identifier: MIT
 *
 * Members of a Gemma call that are whole in view become JSON without a step
 * for each byte; at the first doubt the state stays where the steps can go on.
 */
#include "formats/body/gemma/advance.h"

#include <string.h>

#include "core/skip.h"
#include "formats/body/gemma/advance_string.h"
#include "formats/body/gemma/moves.h"
#include "json/scalar.h"

/* ---- arrays of scalars -------------------------------------------------- */

static bool open_container(tw_gemma_call *call, uint8_t closer)
{
    tw_buffer *frames = &call->frames;
    const size_t size = sizeof(tw_gemma_frame);
    if (frames->size / size >= call->sink->limits.depth) {
        return false;
    }
    if (frames->capacity - frames->size < size &&
        !tw_buffer_reserve(frames, call->sink->memory, size)) {
        tw_gemma_no_memory(call);
        return false;
    }
    tw_gemma_top(call)->used = true;
    tw_gemma_frame frame = {0};
    frame.closer = closer;
    memcpy(frames->data + frames->size, &frame, size);
    frames->size += size;
    call->state = closer == ']' ? TW_GEMMA_AT_VALUE : TW_GEMMA_AT_KEY;
    return true;
}

static bool close_array(tw_gemma_call *call)
{
    if (!tw_gemma_in_array(call)) {
        return false;
    }
    call->frames.size -= sizeof(tw_gemma_frame);
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
static const uint8_t *behind_elements(tw_gemma_call *call, const uint8_t *at,
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
        tw_gemma_top(call)->used = true;
        call->state = TW_GEMMA_AT_AFTER;
        behind = end;
        while (behind < limit && *behind == ']' && close_array(call)) {
            behind++;
        }
        if (behind == limit || *behind != ',' || !tw_gemma_in_array(call)) {
            break;
        }
        at = behind + 1;
    }
    return behind;
}

static const uint8_t *pass_elements(tw_gemma_call *call)
{
    const tw_window *window = call->window;
    const tw_gemma_frame *frame = tw_gemma_top(call);
    if (!tw_gemma_in_array(call) ||
        tw_window_size(window) > tw_sink_arguments_left(call->sink)) {
        return window->at;
    }
    if (call->state == TW_GEMMA_AT_AFTER) {
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
 * could.  There is at least one byte, and room for TW_GEMMA_PIECE_ROOM. */

enum { KEY_LIMIT = 32 };

/* What is written, and what of: up to |end| another piece may begin. */
typedef struct run {
    tw_gemma_call *call;
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
 * one, which may be a call's head, or not whole in view. */
static size_t key_size(const uint8_t *at, const uint8_t *limit)
{
    const size_t left = (size_t)(limit - at);
    size_t size = 0;
    while (size < left && size < KEY_LIMIT && at[size] < 0x80 &&
           (tw_gemma_kinds[at[size]] & TW_GEMMA_WORD) != 0) {
        size++;
    }
    return size < left && at[size] == ':' &&
                   (size != 4 || memcmp(at, "call", 4) != 0)
               ? size
               : 0;
}

static void put_key(run *its, const uint8_t *from, size_t size)
{
    tw_gemma_frame *frame = tw_gemma_top(its->call);
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
    its->call->state = TW_GEMMA_AT_VALUE;
}

static bool write_key(run *its, const uint8_t *from)
{
    const size_t size = key_size(from, its->limit);
    if (size > 0) {
        put_key(its, from, size);
    }
    return size > 0;
}

/* Does |text| stand at |at|? */
static bool stands_at(const uint8_t *at, const uint8_t *limit,
                      const char *text, size_t size)
{
    return (size_t)(limit - at) >= size && memcmp(at, text, size) == 0;
}

static bool is_delimiter(const run *its)
{
    const tw_gemma_wire *wire = its->call->wire;
    return stands_at(its->at, its->limit, wire->delimiter,
                     wire->delimiter_size);
}

/* Does the call's close marker stand behind the brace at |at|? */
static bool ends_call(const run *its, const uint8_t *at)
{
    const tw_gemma_wire *wire = its->call->wire;
    return at < its->limit &&
           stands_at(at + 1, its->limit, wire->close, wire->close_size);
}

static bool write_open_string(run *its)
{
    if (!is_delimiter(its)) {
        return false;
    }
    tw_gemma_top(its->call)->used = true;
    *its->out++ = '"';
    its->at += its->call->wire->delimiter_size;
    its->call->quotes_marker = its->call->quotes_head = false;
    its->call->state = TW_GEMMA_AT_STRING;
    return true;
}

/* A string's end, if that is certain. */
static bool write_end_of_string(run *its)
{
    const uint8_t *behind = its->at + its->call->wire->delimiter_size;
    if (!is_delimiter(its) || behind == its->limit ||
        (*behind != ',' && *behind != '}' && *behind != ']') ||
        tw_window_is_marked(its->call->window)) {
        return false;
    }
    *its->out++ = '"';
    its->at = behind;
    its->call->state = TW_GEMMA_AT_AFTER;
    return true;
}

static bool write_open(run *its, uint8_t closer)
{
    tw_gemma_call *call = its->call;
    const bool opened = open_container(call, closer);
    if (opened) {
        put(its, *its->at);
    }
    return opened;
}

/* Not the root: its closer comes with the end of the call. */
static bool write_close(run *its)
{
    tw_gemma_call *call = its->call;
    const bool may = *its->at == tw_gemma_top(call)->closer &&
                     call->frames.size > sizeof(tw_gemma_frame);
    if (may) {
        call->frames.size -= sizeof(tw_gemma_frame);
        call->state = TW_GEMMA_AT_AFTER;
        put(its, *its->at);
    }
    return may;
}

/* The closer behind a member's scalar ends it whatever comes later. */
static bool ends_member(const run *its, const uint8_t *end)
{
    if ((*end != '}' && *end != ']') || its->limit - end < 2) {
        return false;
    }
    return end[1] == ',' || end[1] == '}' || end[1] == ']' ||
           ends_call(its, end);
}

/* Only the key behind its comma tells that a member's scalar is one. */
static bool write_scalar(run *its)
{
    tw_gemma_call *call = its->call;
    const bool array = tw_gemma_in_array(call);
    const uint8_t *end = tw_json_scalar_end(its->at, its->limit);
    size_t key = 0;
    if (end == NULL) {
        return false;
    }
    if (!array && *end == ',') {
        key = key_size(end + 1, its->limit);
    }
    if (key == 0 &&
        !(array ? ends_scalar(end, its->limit) : ends_member(its, end))) {
        return false;
    }
    const size_t size = (size_t)(end - its->at);
    memcpy(its->out, its->at, size);
    its->out += size;
    its->at = end;
    tw_gemma_top(call)->used = true;
    call->state = TW_GEMMA_AT_AFTER;
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
    tw_gemma_call *call = its->call;
    if (!tw_gemma_in_array(call)) {
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
    tw_gemma_call *call = its->call;
    const tw_gemma_frame *frame = tw_gemma_top(call);
    const uint8_t c = *its->at;
    if (call->state == TW_GEMMA_AT_STRING) {
        return write_end_of_string(its);
    }
    if (frame->comma > 0 || tw_window_is_marked(call->window)) {
        return false;
    }
    if (call->state == TW_GEMMA_AT_AFTER) {
        return c == ',' ? write_comma(its) : write_close(its);
    }
    if (call->state == TW_GEMMA_AT_KEY) {
        return !frame->used &&
               (c == '}' ? write_close(its) : write_key(its, its->at));
    }
    return c == ']' ? !frame->used && write_close(its) : write_value(its);
}

/* As many as there are; true: a string begins. */
static bool write_pieces(run *its)
{
    const tw_gemma_call *call = its->call;
    bool more = write_piece(its);
    while (more && call->state != TW_GEMMA_AT_STRING && its->at < its->limit &&
           its->out <= its->end) {
        more = write_piece(its);
    }
    return more;
}

static bool may_write(tw_gemma_call *call)
{
    tw_buffer *room = &call->run;
    room->size = 0;
    if (tw_sink_arguments_left(call->sink) < TW_GEMMA_RUN_ROOM) {
        return false;
    }
    if (room->capacity < TW_GEMMA_RUN_ROOM &&
        !tw_buffer_reserve(room, call->sink->memory, TW_GEMMA_RUN_ROOM)) {
        tw_gemma_no_memory(call);
        return false;
    }
    return true;
}

/* Keys and values without blanks between them, as the template writes them;
 * or what may be written of one string. */
static void write_run(run *its)
{
    tw_gemma_call *call = its->call;
    do {
        if (call->state == TW_GEMMA_AT_STRING) {
            its->at = tw_gemma_write_string(call, its->at, its->limit,
                                            &its->out, its->end);
        }
    } while (its->at < its->limit && its->out <= its->end &&
             write_pieces(its));
}

static const uint8_t *pass_run(tw_gemma_call *call, tw_advanced *advanced)
{
    const tw_window *window = call->window;
    if (!may_write(call)) {
        return window->at;
    }
    uint8_t *data = call->run.data;
    run its = {call, window->at, window->limit, data, data + TW_GEMMA_RUN_END};
    write_run(&its);
    advanced->data = data;
    advanced->size = (size_t)(its.out - data);
    advanced->starved = its.at == window->at &&
                        call->state == TW_GEMMA_AT_STRING &&
                        tw_gemma_is_half(call, its.at, its.limit);
    return its.at;
}

const uint8_t *tw_gemma_write_body(tw_gemma_call *call, const uint8_t *at)
{
    if (tw_window_is_marked(call->window) || !may_write(call)) {
        return NULL;
    }
    uint8_t *data = call->run.data;
    run its = {call, at, call->window->limit, data, data + TW_GEMMA_RUN_END};
    *its.out++ = '{';
    write_run(&its);
    const bool root = call->frames.size == sizeof(tw_gemma_frame) &&
                      (call->state == TW_GEMMA_AT_AFTER ||
                       (call->state == TW_GEMMA_AT_KEY && its.at == at));
    if (!root || !ends_call(&its, its.at) || *its.at != '}') {
        return NULL;
    }
    *its.out++ = '}';
    call->run.size = (size_t)(its.out - data);
    return its.at;
}

/* In an array: is it worth a run?  Rows of scalars are none. */
static bool is_member(tw_gemma_call *call)
{
    const tw_window *window = call->window;
    const uint8_t *at = window->at + (*window->at == ',');
    return !tw_gemma_in_array(call) ||
           (at < window->limit && (*at == '<' || *at == '{' || *at == ']'));
}

/* Between strings. */
static const uint8_t *pass_members(tw_gemma_call *call, tw_advanced *advanced)
{
    const uint8_t *at = call->window->at;
    if (call->state > TW_GEMMA_AT_AFTER) {
        return at;
    }
    if (call->state != TW_GEMMA_AT_KEY) {
        const uint8_t *to = pass_elements(call);
        if (to > at || !is_member(call)) {
            return to;
        }
    }
    return pass_run(call, advanced);
}

const uint8_t *tw_gemma_call_advance(tw_gemma_call *call,
                                     tw_advanced *advanced)
{
    advanced->type = TW_EVENT_CALL_ARGUMENTS;
    advanced->index = call->index;
    const uint8_t *to = call->state == TW_GEMMA_AT_STRING
                            ? pass_run(call, advanced)
                            : pass_members(call, advanced);
    if (to == call->window->limit && call->state == TW_GEMMA_AT_STRING) {
        advanced->run_class = TW_PLAIN_DELIMITED;
    }
    return to;
}
