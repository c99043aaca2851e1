/* SPDX-License-Identifier: MIT
 *
 * Whether what stands behind a head is the body that its format has.
 */
#include "naive_frame_text.h"
#include <string.h>

enum { PROSE = 64 };

/* --- what stands behind the pattern's head ----------------------------- */

static bool ends_block(const frame_reader *reader, size_t at)
{
    const char *close = frame_call_close_at(reader, at);

    return (close && close == frame_behind_fence(close)) ||
           frame_section_close_at(reader, at) || frame_stop_at(reader, at);
}

static bool begins(const frame_patterns *patterns, char c)
{
    bool found = false;

    for (size_t i = 0; i < patterns->count; i++) {
        const char *opener = frame_opener(&patterns->items[i]);
        const char *closer = frame_closer(&patterns->items[i], 0);

        found |= opener && *opener == c && !frame_is_common_fence(opener) &&
                 strcmp(opener, "call:") != 0; /* words alone are none */
        found |= closer && *closer == c;
    }
    return found;
}

/* Does a marker of the format begin with |c|? */
static bool begins_marker(const frame_reader *reader, char c)
{
    const frame_description *format = reader->format;
    bool found = begins(&format->call, c) || begins(&format->calls, c) ||
                 begins(&format->reasoning, c) || begins(&format->text, c);

    for (size_t i = 0; i < format->stops.count; i++)
        found |= format->stops.items[i][0] == c;
    return found;
}

/* Words before the object: up to 64 bytes if a line end follows the tag. */
static size_t skip_prose(const frame_reader *reader, size_t tag_end, size_t at)
{
    size_t begin = at;

    if (tag_end == reader->size ||
        (reader->text[tag_end] != '\n' && reader->text[tag_end] != '\r'))
        return begin;
    while (at < reader->size && at - begin <= PROSE &&
           !begins_marker(reader, reader->text[at]) && reader->text[at] != '{')
        at++;
    return at < reader->size && at - begin <= PROSE && reader->text[at] == '{'
               ? at
               : begin;
}

/* Is the open marker all that stands there? */
static bool is_one_piece(const frame_reader *reader, const frame_pattern *call,
                         const frame_head *head)
{
    const char *token = frame_first_token(reader, call, head->begin);

    return head->match.markers == 1 && frame_opener(call) &&
           frame_starts(reader, head->begin, frame_opener(call)) &&
           (!token || strcmp(token, frame_opener(call)) == 0);
}

/* Does a call that opens as this one end at a marker? */
static bool may_be_closed(const frame_description *format,
                          const frame_pattern *call)
{
    const char *opener = frame_opener(call);
    bool found = frame_closer(call, 0) != NULL;

    for (size_t i = 0; opener && i < format->call.count; i++) {
        const frame_pattern *other = &format->call.items[i];
        const frame_hole body = frame_body(other);

        found |= frame_opener(other) && frame_closer(other, 0) &&
                 strcmp(frame_opener(other), opener) == 0 &&
                 body >= HOLE_OBJECT && body <= HOLE_KEYED;
    }
    return found;
}

static bool has_stop_behind(const frame_reader *reader, size_t at)
{
    while (at < reader->size && !frame_stop_at(reader, at))
        at++;
    return at < reader->size;
}

static void judge_json(frame_reader *reader, const frame_pattern *call,
                       bool in_section, frame_head *head)
{
    const char *opener = frame_opener(call);
    size_t end = head->match.end, at;
    bool plain = opener ? frame_is_plain(opener) : false, is_cut;
    const bool one = is_one_piece(reader, call, head);
    const bool closed = may_be_closed(reader->format, call);
    const bool odd = closed && one && !plain;

    while (opener && frame_is_blank(reader->text[end - 1]))
        end--;
    at = odd ? frame_skip_odd(reader, head->match.end, false)
             : frame_skip(reader, head->match.end);
    while (!in_section && opener && !plain && one &&
           frame_starts(reader, at, opener)) {
        end = at + frame_size(reader, at, opener);
        at =
            odd ? frame_skip_odd(reader, end, false) : frame_skip(reader, end);
        head->match.note = "doubled_open_tag";
    }
    head->answer = FRAME_NO;
    if (plain) {
        if (frame_plain_json_head(reader, at, frame_body(call), false,
                                  &is_cut))
            head->answer = FRAME_YES;
    } else if (at == reader->size) {
        head->answer = FRAME_CUT;
    } else if (!opener && reader->text[at] != '{' && reader->text[at] != '[') {
        head->answer = FRAME_NO;
    } else if ((reader->text[at] == '{' || reader->text[at] == '[') &&
               !frame_call_open_at(reader, at) &&
               !frame_call_close_at(reader, at) &&
               !frame_closed_by(reader, &reader->format->reasoning, at)) {
        head->answer =
            !*reader->format->raw_name ||
                    frame_plain_json_head(reader, at, frame_body(call), false,
                                          &is_cut)
                ? FRAME_YES
            : !is_cut                     ? FRAME_NO
            : has_stop_behind(reader, at) ? FRAME_CUT
                                          : FRAME_YES;
    } else if (opener && ends_block(reader, at)) {
        head->answer = FRAME_CUT;
        head->empty = true;
    } else if (opener && closed && one && frame_body(call) != HOLE_KEYED) {
        size_t object = skip_prose(reader, end, at);

        head->answer = object > at ? FRAME_YES : FRAME_NO;
        head->fenced = frame_starts(reader, at, "```");
        if (object > at)
            head->match.note =
                head->fenced ? "code_fence" : "junk_before_object";
        at = object;
    }
    head->body = at;
}

bool frame_has_letter(const naive_bytes *name)
{
    for (size_t i = 0; i < name->size; i++)
        if (frame_is_name_byte(name->data[i]) &&
            !strchr("-.:/", name->data[i]))
            return true;
    return false;
}

/* JSON arguments behind a name: a marker between the two is enough. */
static void judge_arguments(frame_reader *reader, const frame_pattern *call,
                            frame_head *head)
{
    const char *opener = frame_opener(call);
    bool marked = false;
    size_t at = opener && frame_is_plain(opener)
                    ? frame_skip(reader, head->match.end)
                    : frame_skip_odd(reader, head->match.end, false);

    for (size_t i = call->hole;
         i > 0 && !(call->parts[i - 1].kind == FRAME_HOLE &&
                    call->parts[i - 1].hole == HOLE_NAME);
         i--)
        marked = marked || call->parts[i - 1].kind == FRAME_MARKER ||
                 call->parts[i - 1].kind == FRAME_TAG;
    head->body = head->match.end;
    if (reader->format->argument.count) { /* beside a tagged body */
        at = frame_skip(reader, head->match.end);
        if ((head->match.word_size == 0 ||
             frame_has_letter(&head->match.holes[HOLE_NAME])) &&
            head->match.holes[HOLE_NAME].size && at < reader->size &&
            reader->text[at] == '{' && !head->match.closed) {
            head->match.end = at + 1;
            head->answer = FRAME_YES;
        } else {
            head->answer = FRAME_NO;
        }
        return;
    }
    const naive_bytes *name = &head->match.holes[HOLE_NAME];
    const char *raw = reader->format->raw_name;
    bool text = *raw && name->size == strlen(raw) &&
                memcmp(name->data, raw, name->size) == 0;
    const char *first = text ? "{" : "{[\""; /* of code, too, but an object */
    if (marked || (at < reader->size && frame_among(first, reader->text[at])))
        head->answer = FRAME_YES;
    else
        head->answer = at == reader->size && opener && !frame_is_plain(opener)
                           ? FRAME_CUT
                           : FRAME_NO;
}

/* A close of the call's own. */
bool frame_own_close_at(const frame_reader *reader, const frame_pattern *call,
                         size_t at)
{
    const char *closer;
    bool found = false;

    for (size_t n = 0; (closer = frame_closer(call, n)); n++)
        found |= frame_starts(reader, at, closer);
    return found;
}

/* The output ends within what closes the call, or its section. */
static bool close_is_cut(const frame_reader *reader, const frame_pattern *call,
                         size_t at)
{
    const frame_patterns *calls = &reader->format->calls;
    const char *closer;
    bool found = false;

    for (size_t n = 0; (closer = frame_closer(call, n)); n++)
        found |= frame_is_cut(reader, at, closer);
    for (size_t i = 0; i < calls->count; i++)
        if ((closer = frame_closer(&calls->items[i], 0)))
            found |= frame_is_cut(reader, at, closer);
    return found;
}

/* A tag around the key, which goes with a bare name: not `<parameter=`. */
static bool has_key_tag(const frame_pattern *argument)
{
    const char *opener = frame_opener(argument);

    return opener && opener[strlen(opener) - 1] == '>';
}

/* The output ends within a marker of parameters. */
bool frame_parameter_is_cut(const frame_reader *reader, size_t at, bool loose)
{
    const frame_patterns *arguments = &reader->format->argument;
    bool found = false;

    for (size_t i = 0; i < arguments->count; i++)
        for (size_t n = 0; n < arguments->items[i].count; n++) {
            const frame_part *part = &arguments->items[i].parts[n];

            if (loose && !has_key_tag(&arguments->items[i]))
                break;
            found |= (part->kind == FRAME_MARKER || part->kind == FRAME_TAG) &&
                     frame_is_cut(reader, at, part->text.data);
        }
    return found;
}

static bool has_json(const frame_description *format)
{
    bool found = false;

    for (size_t i = 0; i < format->call.count; i++)
        found |= frame_body(&format->call.items[i]) == HOLE_ARGUMENTS_JSON;
    return found;
}

/* What opens a call stands where a declared parameter of the tool's does. */
static bool odd_parameter_at(const frame_reader *reader,
                             const naive_bytes *name, size_t at)
{
    const naive_tree *tool = frame_tool(reader, name);
    const frame_pattern *which;
    frame_match match = {0};
    bool found;

    if (!tool || !frame_opener_at(reader, at))
        return false;
    frame_match_bare_key(reader, at, naive_tree_get(tool, "parameters"), &which,
                         &match);
    found = match.answer == FRAME_YES;
    frame_match_release(&match);
    return found;
}

/* A name that no marker ends: what follows must be the format's. */
static void judge_tagged(frame_reader *reader, const frame_pattern *call,
                         frame_head *head)
{
    const frame_part *before =
        call->hole ? &call->parts[call->hole - 1] : NULL;
    const naive_bytes *name = &head->match.holes[HOLE_NAME];
    const frame_pattern *which = NULL;
    frame_match parameter = {0};
    size_t at = head->match.end, end = at;

    while (before && before->kind == FRAME_LAYOUT && before > call->parts)
        before--;
    head->body = head->match.end;
    head->answer = FRAME_YES;
    if (frame_opener(call) && frame_is_bare_tag(frame_opener(call)) &&
        !frame_tool(reader, name))
        head->answer = FRAME_NO;
    if (before && before->kind == FRAME_MARKER && has_json(reader->format) &&
        before->text.data[before->text.size - 1] == '{' &&
        (frame_starts(reader, frame_skip(reader, head->match.end), "\"") ||
         frame_starts(reader, frame_skip(reader, head->match.end), "{")))
        head->answer = FRAME_NO; /* the brace is an object's */
    else if (before && before->kind == FRAME_MARKER &&
             has_json(reader->format) &&
             before->text.data[before->text.size - 1] == '{')
        head->match.end++; /* it is not */
    if (!before || before->kind != FRAME_HOLE)
        return;
    end = head->match.word + head->match.word_size;
    at = frame_skip(reader, end);
    frame_match_parameter(reader, at, &which, &parameter);
    if (call->loose && which && !has_key_tag(which))
        parameter.answer = FRAME_NO;
    if (name->size && !frame_has_letter(name))
        head->answer = FRAME_NO;
    else if (at == reader->size && !(frame_tool(reader, name) && at > end))
        head->answer = FRAME_CUT;
    else if (name->size == 0 || name->size > FRAME_NAME)
        head->answer =
            parameter.answer != FRAME_NO && frame_opener(call) &&
                    frame_is_token(reader->format, frame_opener(call))
                ? FRAME_YES
                : FRAME_NO;
    else if (parameter.answer == FRAME_CUT)
        head->answer = FRAME_CUT;
    else if (frame_parameter_is_cut(reader, at, call->loose) &&
             (call->loose || !(frame_tool(reader, name) && at > end)))
        head->answer = FRAME_CUT;
    else if (call->loose && parameter.answer == FRAME_NO && at < reader->size)
        head->answer = FRAME_NO; /* not canonical: a name is not enough */
    else if (odd_parameter_at(reader, name, at) ||
             (frame_tool(reader, name) && at > end))
        head->answer = FRAME_YES;
    else if (close_is_cut(reader, call, at))
        head->answer = FRAME_CUT;
    else if (!frame_is_parameter_marker(reader, at) &&
             !frame_own_close_at(reader, call, at) &&
             !frame_section_close_at(reader, at))
        head->answer = FRAME_NO;
    frame_match_release(&parameter);
}

/* A stop cuts the name at |at| as the end of output does. */
static bool name_is_stopped(const frame_reader *reader, size_t at)
{
    const size_t begin = at;
    const char *others =
        reader->format->blank_names ? "-.:/" : "-.:/0123456789";

    if (frame_among(others, reader->text[at]))
        return false;
    while (at < reader->size && frame_is_name_byte(reader->text[at]) &&
           frame_skip_python(reader, at) == at)
        at++;
    return at > begin && frame_stop_at(reader, at);
}

static void judge_python(frame_reader *reader, const frame_pattern *call,
                         frame_head *head)
{
    size_t at = frame_skip_python(reader, head->match.end), size, body;
    bool listed = at < reader->size && reader->text[at] == '[';
    const bool odd = at > frame_skip(reader, head->match.end);
    const char *opener = frame_opener(call);

    head->body = at;
    if (listed)
        at = frame_behind_bracket(reader, at);
    head->answer = frame_callee(reader, at, false, &size, &body);
    if (frame_body(call) == HOLE_PYTHON_CALL) {
        bool called =
            head->answer == FRAME_YES && frame_one_call(reader, at, size);

        head->answer = called ? FRAME_YES : FRAME_NO;
        return;
    }
    if (head->answer == FRAME_YES)
        return;
    if (!opener || frame_is_plain(opener)) {
        head->answer = FRAME_NO;
        return;
    }
    if (at == reader->size || name_is_stopped(reader, at) ||
        ((listed || odd) && frame_stop_at(reader, at))) {
        head->answer = FRAME_CUT;
    } else if ((!listed && !odd && ends_block(reader, at)) ||
               (listed && reader->text[at] == ']' &&
                (frame_skip_python(reader, at + 1) == reader->size ||
                 frame_marker_at(reader,
                                 frame_skip_python(reader, at + 1))))) {
        head->answer = FRAME_CUT;
        head->empty = true;
    } else if (reader->text[at] == '{') {
        head->answer = FRAME_YES;
    }
}

/* An object is none of elements, where the format reads it, too. */
static void judge_elements(const frame_reader *reader, frame_head *head)
{
    const frame_patterns *calls = &reader->format->call;
    const size_t at = frame_skip(reader, head->match.end);
    bool json = false;

    for (size_t i = 0; i < calls->count; i++)
        json |= frame_body(&calls->items[i]) == HOLE_ARGUMENTS_JSON;
    head->body = at;
    head->answer = json && at < reader->size && reader->text[at] == '{'
                       ? FRAME_NO
                       : FRAME_YES;
}

void frame_judge(frame_reader *reader, const frame_pattern *call,
                  bool in_section, frame_head *head)
{
    switch (frame_body(call)) {
    case HOLE_OBJECT:
    case HOLE_LIST:
    case HOLE_LIST_LINES:
    case HOLE_KEYED: judge_json(reader, call, in_section, head); break;
    case HOLE_ARGUMENTS:
        if (frame_is_tagged(reader->format, call)) {
            judge_tagged(reader, call, head);
            break;
        }
        judge_arguments(reader, call, head);
        break;
    case HOLE_ARGUMENTS_JSON: judge_arguments(reader, call, head); break;
    case HOLE_ELEMENTS: judge_elements(reader, head); break;
    case HOLE_GEMMA: head->answer = FRAME_NO; break; /* another reads it */
    case HOLE_PYTHON:
    case HOLE_PYTHON_LINES:
    case HOLE_PYTHON_CALL: judge_python(reader, call, head); break;
    default:
        head->body = head->match.end;
        head->answer = frame_opener(call) && /* D15 */
                               frame_is_plain(frame_opener(call)) &&
                               frame_skip(reader, head->body) == reader->size
                           ? FRAME_NO
                           : FRAME_YES;
    }
}
