/* SPDX-License-Identifier: MIT
 *
 * Heads of calls that no marker opens. (F4, D2)
 */
#include "naive_frame.h"

#include <string.h>

/* A fence without a word of its own opens only where an unmarked head may
 * stand (D2). */
bool frame_is_common_fence(const char *opener)
{
    static const char *const fences[] = {"```", "```python", "```json"};

    for (size_t i = 0; opener && i < sizeof fences / sizeof *fences; i++)
        if (strcmp(opener, fences[i]) == 0)
            return true;
    return false;
}

/* In a fence the closing fence may follow `)`, too. */
static bool ends_in_fence(const frame_reader *reader, size_t at)
{
    size_t size, body;

    if (frame_callee(reader, at, false, &size, &body) != FRAME_YES)
        return false;
    body = frame_skip(reader, body);
    return frame_starts(reader, body, ")") &&
           frame_starts(reader, frame_skip(reader, body + 1), "```");
}

static frame_answer unmarked_python(const frame_reader *reader,
                                    const frame_pattern *call, size_t from)
{
    const size_t at = frame_skip_python(reader, from);
    size_t size, body;
    bool fence = frame_is_common_fence(frame_opener(call));
    bool listed = at < reader->size && reader->text[at] == '[';
    size_t callee = listed ? frame_behind_bracket(reader, at) : at;

    if (!listed && !fence && frame_body(call) != HOLE_PYTHON_LINES)
        return FRAME_NO;
    return frame_callee(reader, callee, true, &size, &body) == FRAME_YES ||
                   (fence && ends_in_fence(reader, callee))
               ? FRAME_YES
               : FRAME_NO;
}

/* Nothing stands in front but reasoning's markers. */
static bool first_seen(const frame_reader *reader, size_t at)
{
    return at == frame_skip(reader, reader->begin) && !reader->wrapper &&
           reader->message->diagnostic_count == 0;
}

/* The second of two braces at |at|: they may be doubled. */
static size_t behind_brace(const frame_reader *reader, size_t at)
{
    const size_t next = frame_skip(reader, at + 1);

    return frame_starts(reader, at, "{") && frame_starts(reader, next, "{")
               ? next
               : at;
}

static void try_unmarked(frame_reader *reader, const frame_pattern *call,
                         size_t at, bool more, frame_head *best)
{
    frame_head head = {
        .call = call, .begin = at, .noted = at, .bare = true, .body = at};
    frame_hole hole = frame_body(call);
    bool is_cut = false;

    frame_match_parts(reader, call, 0, call->hole, 0, at, &head.match);
    if (head.match.answer == FRAME_YES) {
        head.body = frame_skip(reader, head.match.end);
        if (hole == HOLE_PYTHON || hole == HOLE_PYTHON_LINES)
            head.answer = unmarked_python(
                reader, call,
                head.body = frame_skip_python(reader, head.body));
        else if (hole == HOLE_OBJECT && frame_closer(call, 0) &&
                 !frame_opener(call))
            head.answer = first_seen(reader, at) &&
                                  frame_json_head(
                                      reader, behind_brace(reader, head.body),
                                      false, &is_cut)
                              ? FRAME_YES
                              : FRAME_NO; /* the close tells */
        else if (hole == HOLE_OBJECT || hole == HOLE_LIST ||
                 hole == HOLE_LIST_LINES)
            head.answer =
                frame_plain_json_head(reader, head.body, hole, true, &is_cut)
                    ? FRAME_YES
                    : FRAME_NO;
        if (is_cut && more)
            head.answer = FRAME_CUT;
    }
    if (head.answer != FRAME_NO && best->answer == FRAME_NO)
        *best = head;
    else
        frame_head_release(&head);
}

/* The open marker of an object may be lost where the output begins with that:
 * behind reasoning, or a close that nothing opened, it does not. */
static bool may_stand(const frame_reader *reader, const frame_pattern *call)
{
    return call->stripped
               ? !(reader->opened || reader->options->start_reasoning ||
                   reader->orphaned)
               : reader->format->calls.count == 0;
}

void frame_read_unmarked(frame_reader *reader, size_t at, bool more,
                         frame_head *best)
{
    const frame_patterns *calls = &reader->format->call;

    *best = (frame_head){0};
    if (frame_skip(reader, at) > at)
        return;
    for (size_t i = 0; i < calls->count; i++) {
        const char *opener = frame_opener(&calls->items[i]);

        if (((!opener && calls->items[i].hole == 0) ||
             frame_is_common_fence(opener)) &&
            may_stand(reader, &calls->items[i]))
            try_unmarked(reader, &calls->items[i], at, more, best);
    }
}

/* What of a close stands behind the end of its fence. */
const char *frame_behind_fence(const char *closer)
{
    return strncmp(closer, "```", 3) == 0 && closer[3] ? closer + 3 : closer;
}
