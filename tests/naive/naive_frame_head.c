/* SPDX-License-Identifier: MIT
 *
 * Heads: does a call begin here? (R5, F3, F4, D2)
 */
#include "naive_frame.h"

#include <string.h>

void frame_head_release(frame_head *head)
{
    frame_match_release(&head->match);
    *head = (frame_head){0};
}

/* --- a call's head ----------------------------------------------------- */

/* Is the name in a tag that `>` ends? */
static bool ends_tag(const frame_pattern *call)
{
    for (size_t i = 0; i + 1 < call->hole; i++)
        if (call->parts[i].kind == FRAME_HOLE &&
            call->parts[i].hole == HOLE_NAME)
            return call->parts[i + 1].kind == FRAME_MARKER &&
                   call->parts[i + 1].text.data[0] == '>';
    return true; /* an attribute */
}

/* Behind what stands of the marker that was due: all but the token that it
 * ends with, and no other marker in front of the body is missing; or 0. */
static size_t behind_due(const frame_reader *reader, const frame_pattern *call,
                         const frame_match *match)
{
    const frame_part *due = &call->parts[match->due];
    const size_t size = frame_last_token(reader->format, due->text.data);
    naive_bytes front = {0};
    size_t at = match->due_at;
    bool last = due->kind == FRAME_MARKER;

    for (size_t i = match->due + 1; i < call->hole; i++)
        last &= call->parts[i].kind == FRAME_LAYOUT;
    naive_add(&front, due->text.data, size);
    last &= size == 0 || frame_starts(reader, at, front.data);
    at += size > 0 ? frame_size(reader, at, front.data) : 0;
    naive_release(&front);
    return last ? frame_skip(reader, at) : 0;
}

/* {name} where a marker is due: `{` ends the name. */
static void lacks_separator(frame_reader *reader, const frame_pattern *call,
                            frame_head *head)
{
    bool tagged = frame_is_tagged(reader->format, call);
    size_t at;

    if (head->match.answer == FRAME_YES || !head->match.has[HOLE_NAME] ||
        head->match.word_size == 0 || /* an attribute has it */
        (frame_body(call) != HOLE_ARGUMENTS &&
         frame_body(call) != HOLE_ARGUMENTS_JSON))
        return;
    at = behind_due(reader, call, &head->match);
    if (at == 0)
        return;
    if (tagged && ends_tag(call))
        return; /* a tag is read to its end (D4) */
    if (reader->format->argument.count &&
        !frame_has_letter(&head->match.holes[HOLE_NAME]))
        return;
    if (tagged ? !frame_is_parameter_marker(reader, at) &&
                     !frame_own_close_at(reader, call, at) &&
                     !frame_section_close_at(reader, at)
               : at >= reader->size || reader->text[at] != '{')
        return;
    head->match.note = "missing_args_marker";
    head->noted = at;
    head->answer = FRAME_YES;
    head->body = at;
}

/* Half an object is no text, and all else of an object is none either. */
static bool beats_text(const frame_head *head, const frame_head *text)
{
    const frame_hole body = frame_body(head->call);

    return head->answer >= text->answer ||
           (head->answer == FRAME_CUT &&
            (body == HOLE_OBJECT || body == HOLE_LIST ||
             body == HOLE_LIST_LINES || body == HOLE_KEYED));
}

/* More of the pattern is better; code without a form of its own is last. */
static bool is_better(const frame_head *head, const frame_head *best)
{
    const bool raw = frame_body(head->call) == HOLE_RAW;

    if (raw != (frame_body(best->call) == HOLE_RAW))
        return raw ? !beats_text(best, head) : beats_text(head, best);
    if (best->answer != head->answer)
        return head->answer > best->answer;
    if (head->answer == FRAME_CUT)
        return head->empty && !best->empty;
    return head->match.end > best->match.end;
}

static bool opens_with_tag(const frame_pattern *call)
{
    size_t first = 0;

    while (call->parts[first].kind == FRAME_LAYOUT)
        first++;
    return call->parts[first].kind == FRAME_TAG;
}

/* What |opener| has from its last tag on that a token begins, or stands in
 * front of. */
static const char *last_tag(const frame_words *tokens, const char *opener)
{
    for (size_t i = 0; i < tokens->count; i++) {
        const size_t size = strlen(tokens->items[i]);

        if (strncmp(opener, tokens->items[i], size) == 0 &&
            opener[size] == '<' && *opener != '<')
            return opener + size;
    }
    return opener;
}

/* Does a token stand at |at|, with which |opener| begins?  That of a tag is
 * part of its name. */
bool frame_begins_with_token(const frame_reader *reader,
                             const frame_pattern *call, size_t at)
{
    return frame_first_token(reader, call, at) != NULL;
}

const char *frame_first_token(const frame_reader *reader,
                              const frame_pattern *call, size_t at)
{
    const frame_words *tokens = &reader->format->tokens;
    const char *opener = frame_opener(call);
    const bool in_tag =
        !opener || (opens_with_tag(call) &&
                    !strchr(last_tag(tokens, opener) + 1, '<'));
    for (size_t i = 0; i < tokens->count && !in_tag; i++)
        if (frame_starts(reader, at, tokens->items[i]) &&
            strncmp(opener, tokens->items[i], strlen(tokens->items[i])) == 0 &&
            !frame_is_shared(reader->format, tokens->items[i]))
            return tokens->items[i];
    return NULL;
}

const char *frame_token_alone(const frame_reader *reader,
                              const frame_pattern *call, size_t at)
{
    const char *token = frame_first_token(reader, call, at);

    return token && !frame_is_shared(reader->format, token) ? token : NULL;
}

/* It opens with half of a tag that nobody writes, which alone is none. */
static bool opens_attribute(const frame_pattern *call)
{
    const char *opener = frame_opener(call);

    return call->loose && opener && *opener == '<' &&
           opener[strlen(opener) - 1] == '"';
}

/* The output ends in a head: is there enough of it to be one? */
static bool counts_if_cut(const frame_reader *reader, const frame_head *head,
                          size_t skip, bool in_section)
{
    const char *opener = frame_opener(head->call);

    const naive_bytes *name = &head->match.holes[HOLE_NAME];

    if (head->empty)
        return true;
    if (in_section && opener && opens_with_tag(head->call) &&
        frame_starts(reader, head->begin, opener) &&
        frame_skip(reader, head->begin + strlen(opener)) == reader->size)
        return true;
    if (skip && head->match.answer == FRAME_YES)
        return !frame_is_plain(opener);
    if (skip || (reader->format->argument.count && name->size &&
                 head->match.answer == FRAME_CUT && !ends_tag(head->call) &&
                 !frame_has_letter(name)))
        return false;
    if (opener && !frame_is_plain(opener) && !opens_with_tag(head->call) &&
        !opens_attribute(head->call) &&
        frame_starts(reader, head->begin, opener) &&
        (frame_skip(reader, head->begin + frame_size(reader, head->begin,
                                                     opener)) ==
             reader->size ||
         (head->match.answer == FRAME_YES && head->match.markers == 1 &&
          !head->match.has[HOLE_NAME] && head->body == reader->size)))
        return true;
    if (head->call->loose && head->match.markers < 2 &&
        (!opener || !frame_is_token(reader->format, opener)))
        return false; /* a tag and a word may be anything */
    if (head->match.answer != FRAME_CUT)
        return true;
    return !skip && opener && !frame_is_plain(opener) &&
           (in_section || !frame_is_cut(reader, head->begin, opener) ||
            frame_token_alone(reader, head->call, head->begin));
}

/* The output ends in the tag that |opener| ends with, or in front of that. */
static bool lacks_tag(const frame_reader *reader, const char *opener,
                      size_t at)
{
    const char *tag = opener ? strrchr(opener, '<') : NULL;
    naive_bytes front = {0};
    bool lacks;

    if (!tag || tag == opener || strchr(tag, '>'))
        return false;
    naive_add(&front, opener, (size_t)(tag - opener));
    lacks = frame_starts(reader, at, front.data);
    at = frame_skip(reader, at + frame_size(reader, at, front.data));
    lacks = lacks && (at == reader->size || frame_is_cut(reader, at, tag));
    naive_release(&front);
    return lacks;
}

/* An open marker and the close, or the end: a call with nothing in it (D15).
 */
static void judge_empty(frame_reader *reader, const frame_pattern *call,
                        frame_head *head)
{
    const char *token = frame_first_token(reader, call, head->begin), *close;
    const char *opener = token ? token : frame_opener(call);
    size_t at;

    if (opener && !frame_starts(reader, head->begin, opener))
        opener = frame_token_alone(reader, call, head->begin);
    if (lacks_tag(reader, frame_opener(call), head->begin))
        head->answer = FRAME_CUT;
    if (head->answer != FRAME_NO || !opener || frame_is_plain(opener) ||
        opens_attribute(call))
        return;
    at = head->begin + frame_size(reader, head->begin, opener);
    at = frame_body(call) == HOLE_OBJECT && frame_closer(call, 0) &&
                 call->parts[1].hole != HOLE_SKIP
             ? frame_skip_odd(reader, at, false)
             : frame_skip(reader, at);
    close = frame_last_close_at(reader, at);
    if ((close && close == frame_behind_fence(close)) ||
        frame_section_close_at(reader, at) || frame_stop_at(reader, at)) {
        head->answer = FRAME_CUT;
        head->empty = true;
        head->body = at;
    } else if (at == reader->size) {
        head->answer = FRAME_CUT;
    }
}

/* The server's name is a part of the call's, unless that was declared without
 * it, or the pattern says that there is none. */
static void join_server(const frame_reader *reader, const frame_pattern *call,
                        frame_match *match)
{
    naive_bytes *name = &match->holes[HOLE_NAME];
    naive_bytes joined = {0};
    const naive_bytes *server = &match->holes[HOLE_SERVER];

    for (size_t i = 0; i < call->hole; i++)
        if (call->parts[i].hole == HOLE_SERVER && server->size > 0 &&
            strcmp(call->parts[i].text.data, server->data) != 0) {
            naive_add_utf8(&joined, server->data, server->size);
            naive_add_text(&joined, ".");
            naive_add(&joined, name->data, name->size);
        }
    if (joined.size > 0 && name->size > 0 &&
        (frame_tool(reader, &joined) || !frame_tool(reader, name))) {
        naive_release(name);
        *name = joined;
        return;
    }
    naive_release(&joined);
}

static void try_call(frame_reader *reader, const frame_pattern *call,
                     size_t skip, size_t at, bool in_section, frame_head *best)
{
    const frame_pattern *outer = reader->call;
    frame_head head = {.call = call, .begin = at, .noted = at};

    frame_match_parts(reader, call, 0, call->hole, skip, at, &head.match);
    if (head.match.answer == FRAME_YES)
        join_server(reader, call, &head.match);
    head.answer = head.match.answer;
    if (head.match.answer == FRAME_YES) {
        reader->call = call;
        frame_judge(reader, call, in_section, &head);
        reader->call = outer;
    } else {
        lacks_separator(reader, call, &head);
        if (head.answer == FRAME_YES)
            join_server(reader, call, &head.match);
    }
    if (head.match.answer != FRAME_YES ||
        frame_is_tagged(reader->format, call))
        judge_empty(reader, call, &head);
    if (head.answer == FRAME_CUT && !head.empty &&
        !counts_if_cut(reader, &head, skip, in_section))
        head.answer = FRAME_NO;
    if (head.answer != FRAME_NO &&
        (best->answer == FRAME_NO || is_better(&head, best))) {
        frame_head_release(best);
        *best = head;
        return;
    }
    frame_head_release(&head);
}

/* An open marker that stands there twice, if an object may follow it. */
static void read_repeated(frame_reader *reader, size_t at, bool in_section,
                          frame_head *best)
{
    const frame_patterns *calls = &reader->format->call;
    frame_head found = {0};

    for (size_t i = 0; i < calls->count && found.answer == FRAME_NO; i++) {
        const char *opener = frame_opener(&calls->items[i]);
        const frame_hole hole = frame_body(&calls->items[i]);
        size_t next;

        if ((hole != HOLE_OBJECT && hole != HOLE_LIST &&
             hole != HOLE_LIST_LINES && hole != HOLE_KEYED) ||
            !opener || frame_is_plain(opener) ||
            !frame_starts(reader, at, opener))
            continue;
        next = frame_skip(reader, at + frame_size(reader, at, opener));
        if (next - at > FRAME_HEAD || !frame_starts(reader, next, opener))
            continue;
        frame_read_head(reader, next, in_section, &found);
    }
    if (found.answer != FRAME_NO) {
        frame_head_release(best);
        *best = found;
        best->begin = at;
    }
}

void frame_read_head(frame_reader *reader, size_t at, bool in_section,
                     frame_head *best)
{
    const frame_patterns *calls = &reader->format->call;
    size_t end;

    *best = (frame_head){0};
    for (size_t i = 0; i < calls->count; i++) {
        const char *opener = frame_opener(&calls->items[i]);
        const size_t overlap = frame_skip(reader, 0) >= at
                                   ? frame_prompt_overlap(reader, opener)
                                   : 0;

        if (opener ? !frame_is_common_fence(opener)
                   : in_section && !calls->items[i].stripped)
            try_call(reader, &calls->items[i], 0, at, in_section, best);
        if (overlap)
            try_call(reader, &calls->items[i], overlap, at, in_section, best);
    }
    if (best->answer == FRAME_NO || frame_body(best->call) == HOLE_RAW ||
        (best->match.note &&
         strcmp(best->match.note, "junk_before_object") == 0))
        read_repeated(reader, at, in_section, best);
    end = best->body > best->match.end ? best->body : best->match.end;
    if (best->answer != FRAME_NO && end - at > FRAME_HEAD) {
        frame_diagnose(reader, "repair_given_up", at);
        frame_head_release(best);
    }
}
