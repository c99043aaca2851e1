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

/* What one pass writes of a string: small, for it is the decoder's only copy
 * of content. */
enum { RUN_ROOM = 512, RUN_STEP = 16, RUN_END = RUN_ROOM - 32, LOOK = 64 };

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
 * and there is room; returns the end of what was read. */
static const uint8_t *write_string(tw_gemma4_call *call, const uint8_t *at,
                                   const uint8_t *limit, uint8_t *out,
                                   size_t *written)
{
    uint8_t *const begin = out;
    uint8_t *const end = out + RUN_END;
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
    *written = (size_t)(out - begin);
    return at;
}

static const uint8_t *pass_string(tw_gemma4_call *call, tw_passed *passed)
{
    const tw_window *window = call->window;
    tw_buffer *run = &call->run;
    run->size = 0;
    if (tw_sink_arguments_left(call->sink) < RUN_ROOM) {
        return window->at;
    }
    if (!tw_buffer_reserve(run, call->sink->memory, RUN_ROOM)) {
        tw_sink_fail(call->sink, TW_ERROR_MEMORY, window->offset, "no memory");
        return window->at;
    }
    size_t written;
    const uint8_t *to =
        write_string(call, window->at, window->limit, run->data, &written);
    passed->data = run->data;
    passed->size = written;
    passed->steady = to == window->limit ? TW_PLAIN_DELIMITED : 0;
    return to;
}

/* ---- arrays of scalars -------------------------------------------------- */

static bool open_array(tw_gemma4_call *call)
{
    tw_buffer *frames = &call->frames;
    const size_t size = sizeof(tw_gemma4_frame);
    if (frames->size / size >= call->sink->limits.depth ||
        frames->capacity - frames->size < size) {
        return false;
    }
    tw_gemma4_top(call)->used = true;
    tw_gemma4_frame frame = {0};
    frame.closer = ']';
    memcpy(frames->data + frames->size, &frame, size);
    frames->size += size;
    call->state = TW_GEMMA4_AT_VALUE;
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
            if (!open_array(call)) {
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

const uint8_t *tw_gemma4_call_pass(tw_gemma4_call *call, tw_passed *passed)
{
    passed->type = TW_EVENT_CALL_ARGUMENTS;
    passed->index = call->index;
    switch (call->state) {
    case TW_GEMMA4_AT_STRING: return pass_string(call, passed);
    case TW_GEMMA4_AT_VALUE:
    case TW_GEMMA4_AT_AFTER: return pass_elements(call);
    default: return call->window->at;
    }
}
