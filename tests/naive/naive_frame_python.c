/* SPDX-License-Identifier: MIT
 *
 * NAME(KEY=LITERAL, ...): lists and lines of calls (P2 to P7).
 */
#include "naive_frame_literal.h"

#include <string.h>

typedef struct python_list {
    frame_reader *reader;
    const frame_head *head;
    size_t at;
    size_t element; /* where `unparsed` would begin */
    bool marked;    /* something of the frame opened it, or closes it */
    bool builtin;   /* NAME.call(...) */
    bool listed, closed, comma, any, over;
} python_list;

static python_reader python_of(const frame_reader *reader, size_t at)
{
    return (python_reader){.frame = (frame_reader *)(uintptr_t)reader,
                           .text = reader->text,
                           .size = reader->size,
                           .at = at};
}

static int byte_at(const frame_reader *reader, size_t at)
{
    return at < reader->size ? (unsigned char)reader->text[at] : -1;
}

size_t frame_skip_python(const frame_reader *reader, size_t at)
{
    const python_reader python = python_of(reader, at);

    return python_skip(&python, at);
}

size_t frame_behind_bracket(const frame_reader *reader, size_t at)
{
    const size_t next = frame_skip_python(reader, at + 1);

    const size_t inner = frame_skip_python(reader, next + 1);

    return byte_at(reader, next) == '[' && byte_at(reader, inner) != ']' &&
                   byte_at(reader, inner) != '{'
               ? inner
               : next;
}

/* --- heads ------------------------------------------------------------- */

/* A keyword's name: its size, 0 if there is none. */
static size_t key_size(const frame_reader *reader, size_t at)
{
    size_t end = at;

    while (end < reader->size && frame_skip_python(reader, end) == end &&
           !frame_among("\"'()[]{}=,:#;<*`", reader->text[end]))
        if (++end - at > FRAME_NAME)
            return 0;
    return end - at;
}

/* KEY blanks `=`, but not `==`. */
static bool is_keyword(const frame_reader *reader, size_t at)
{
    size_t size = key_size(reader, at);
    size_t equals = frame_skip_python(reader, at + size);

    return size > 0 && byte_at(reader, equals) == '=' &&
           byte_at(reader, equals + 1) != '=';
}

static bool begins_name(const frame_reader *reader, size_t at)
{
    const int c = byte_at(reader, at);

    return c >= 0 && frame_skip_python(reader, at) == at &&
           python_is_alnum((char)c) &&
           (reader->format->blank_names || c < '0' || c > '9');
}

static frame_answer callee_at(const frame_reader *reader, size_t at, bool sure,
                              bool printed, size_t *name_size, size_t *body)
{
    const python_reader python = python_of(reader, at);
    size_t size, open, next;

    if (!begins_name(reader, at))
        return FRAME_NO;
    size = python_word(&python, at,
                       reader->format->blank_names ? ".-:/ " : ".-:/");
    if (at + size == reader->size)
        return FRAME_CUT;
    open = frame_skip_python(reader, at + size);
    while (size > 0 && reader->text[at + size - 1] == ' ')
        size--;
    if (byte_at(reader, open) != '(' || size > FRAME_NAME)
        return FRAME_NO;
    *name_size = size;
    *body = open + 1;
    if (!sure)
        return FRAME_YES;
    next = frame_skip_python(reader, open + 1);
    if (byte_at(reader, next) == ')') {
        next = frame_skip_python(reader, next + 1);
        return next == reader->size ||
                       python_is_one_of(byte_at(reader, next), ",];") ||
                       (printed && byte_at(reader, next) == ')') ||
                       frame_stop_at(reader, next)
                   ? FRAME_YES
                   : FRAME_NO;
    }
    return is_keyword(reader, next) ? FRAME_YES : FRAME_NO;
}

static bool counts(const frame_reader *reader, size_t at, size_t size)
{
    naive_bytes name = {0};
    bool declared;

    naive_add(&name, reader->text + at, size);
    declared = frame_tool(reader, &name) != NULL;
    naive_release(&name);
    return declared || !frame_has_tools(reader);
}

/* `print(` in front of a call: where the call's name begins, else |at|. */
static size_t printed(const frame_reader *reader, size_t at)
{
    size_t size, body, name;

    if (callee_at(reader, at, false, false, &size, &body) != FRAME_YES ||
        size != 5 || memcmp(reader->text + at, "print", 5) != 0 ||
        (frame_has_tools(reader) && counts(reader, at, 5)))
        return at;
    name = frame_skip_python(reader, body);
    return callee_at(reader, name, false, false, &size, &body) ==
                           FRAME_YES &&
                   counts(reader, name, size)
               ? name
               : at;
}

frame_answer frame_callee(const frame_reader *reader, size_t at, bool sure,
                          size_t *name_size, size_t *body)
{
    const size_t name = printed(reader, at);

    return callee_at(reader, name, sure, name > at, name_size, body);
}
/* NAME.call */
static bool is_builtin(const frame_reader *reader, size_t at, size_t size)
{
    return size > 5 && memcmp(reader->text + at + size - 5, ".call", 5) == 0;
}

bool frame_one_call(const frame_reader *reader, size_t at, size_t size)
{
    const size_t name = printed(reader, at);
    size_t whole, body;

    return is_builtin(reader, name, size) ||
           (frame_has_tools(reader) && counts(reader, name, size) &&
            frame_callee(reader, at, true, &whole, &body) == FRAME_YES);
}

/* --- one call ---------------------------------------------------------- */

typedef enum call_end { CALL_WHOLE, CALL_CUT, CALL_BAD } call_end;

/* The output is over: it ends no call, as another argument could follow. */
static bool is_over(const python_reader *python, size_t at)
{
    return at == python->size || (python_ends(python, at) &&
                                  frame_marker_at(python->frame, at) == 0);
}

/* Half a marker; half of a close that is text like any other is none here. */
static bool is_half_marker(const frame_reader *reader, size_t at)
{
    frame_reader outside = *reader;

    outside.call = NULL;
    return frame_cut_marker_at(&outside, at);
}

/* The call's parenthesis at |at|, or a real terminator in its place (P2). */
static call_end close_call(python_reader *python, size_t at)
{
    const int c = byte_at(python->frame, at);
    size_t marker = c == ']' ? python_skip(python, at + 1) : at;

    if (c == ')') {
        const size_t second = python_skip(python, at + 1);

        python->at = (python->printed && byte_at(python->frame, second) == ')'
                          ? second
                          : at) + 1;
        return CALL_WHOLE;
    }
    if (!python_ends(python, marker) &&
        (c != ']' || python->frame->options->length ||
         !is_half_marker(python->frame, marker))) {
        python->at = at;
        python_fail(python, "syntax_error", false);
        return CALL_BAD;
    }
    frame_diagnose(python->frame, "missing_closer", at);
    python->at = at;
    return CALL_WHOLE;
}

static call_end bad(python_reader *python, size_t at, const char *reason,
                    bool in_step)
{
    python->at = at;
    python_fail(python, reason, in_step);
    return CALL_BAD;
}

/* What stands where a keyword is due. */
static call_end judge_argument(python_reader *python, size_t at)
{
    const frame_reader *reader = python->frame;
    const int c = byte_at(reader, at);
    size_t size, behind;

    if (c == '#')
        return bad(python, at, "comment", true);
    if (c == '*')
        return bad(python, at, "unpacking", true);
    size = key_size(reader, at);
    if (size == 0)
        return python_is_one_of(c, "\"'([{")
                   ? bad(python, at, "positional_argument", true)
                   : bad(python, at, "syntax_error", false);
    behind = python_skip(python, at + size);
    if (behind == reader->size) {
        python->at = behind;
        return CALL_CUT;
    }
    return is_keyword(reader, at)
               ? CALL_WHOLE
               : bad(python, at, "positional_argument", true);
}

static void add_key(python_reader *python, naive_tree *keys, size_t at,
                    size_t size)
{
    naive_bytes *out = python->out;

    for (size_t i = 0; i < keys->count; i++)
        if (keys->children[i].text.size == size &&
            memcmp(keys->children[i].text.data, python->text + at, size) == 0)
            python_say(python, "duplicate_parameter", at);
    keys->children =
        naive_grow(keys->children, (keys->count + 1) * sizeof *keys->children);
    keys->children[keys->count] = (naive_tree){.kind = NAIVE_STRING};
    naive_add(&keys->children[keys->count++].text, python->text + at, size);
    naive_add_text(out, out->size > 1 ? "," : "");
    frame_add_json_string(out, python->text + at, size);
    naive_add_text(out, ":");
    python->at = python_skip(python, at + size) + 1;
}

/* Behind an argument: its comma, or the end of the call. */
static call_end behind_argument(python_reader *python, bool *more)
{
    const frame_reader *reader = python->frame;
    size_t at = python_skip(python, python->at);
    const int c = byte_at(reader, at);
    size_t size = python_word(python, at, "");

    *more = false;
    if (is_over(python, at)) {
        python->at = at;
        return CALL_CUT;
    }
    if (python_ends(python, at) || c == ')' || c == ']')
        return close_call(python, at);
    if (c == ',') {
        *more = true;
        python->at = at + 1;
        return CALL_WHOLE;
    }
    if (c == '#')
        return bad(python, at, "comment", true);
    if (python_is_one_of(c, "+-*/%@&|^<>=.([!~") ||
        python_is_operator_word(python, at, size))
        return bad(python, at, "not_a_literal", true);
    return bad(python, at, "syntax_error", false);
}

/* From behind the parenthesis. */
static call_end read_arguments(python_reader *python)
{
    naive_tree keys = {.kind = NAIVE_ARRAY};
    call_end end = CALL_WHOLE;
    bool more = true;

    while (more && end == CALL_WHOLE) {
        size_t at = python_skip(python, python->at);
        const int c = byte_at(python->frame, at);

        if (is_over(python, at)) {
            python->at = at;
            end = CALL_CUT;
            break;
        }
        if (c == ')' || python_ends(python, at)) {
            end = close_call(python, at);
            break;
        }
        end = judge_argument(python, at);
        if (end != CALL_WHOLE)
            break;
        add_key(python, &keys, at, key_size(python->frame, at));
        if (!python_read_value(python)) {
            end = python->reason ? CALL_BAD : CALL_CUT;
            break;
        }
        end = behind_argument(python, &more);
    }
    naive_tree_release(&keys);
    return end;
}

/* --- bad calls (P5) ---------------------------------------------------- */

/* To the bad call's parenthesis, strings and brackets respected; false: out
 * of step after all. */
static bool skim(python_reader *python)
{
    while (python->at < python->size && !python_ends(python, python->at)) {
        const bool inside = python->quote != 0;
        const char c = inside ? python->quote : python->text[python->at];

        if (c == '"' || c == '\'') {
            const bool triple =
                inside ? python->triple
                       : byte_at(python->frame, python->at + 1) == c &&
                             byte_at(python->frame, python->at + 2) == c;
            size_t size = triple ? 3 : 1;
            size_t end = python->at + (inside ? 0 : size);

            python->quote = 0;

            while (end < python->size &&
                   !frame_marker_at(python->frame, end) &&
                   !(python->text[end] == c &&
                     (!triple || (byte_at(python->frame, end + 1) == c &&
                                  byte_at(python->frame, end + 2) == c))))
                end += python->text[end] == '\\' ? 2 : 1;
            if (end >= python->size || python->text[end] != c ||
                (!triple && !python_closes(python, end + 1, true, false)))
                return false;
            python->at = end + size;
            continue;
        }
        if (frame_among("([{", c)) {
            if (python->depth == FRAME_NEST)
                return false;
            python->stack[python->depth++] = c == '('   ? ')'
                                             : c == '[' ? ']'
                                                        : '}';
        } else if (frame_among(")]}", c)) {
            if (python->stack[--python->depth] != c)
                return false;
            if (python->depth == 0) {
                python->at++;
                return true;
            }
        }
        python->at++;
    }
    return false;
}

static void give_up(python_list *list, python_reader *python,
                    const naive_bytes *name)
{
    frame_reader *reader = list->reader;
    const char *reason = python->reason;
    bool neighbours;

    frame_diagnose(reader, reason, python->at);
    neighbours = python->in_step && skim(python);
    if (!neighbours) {
        size_t end = frame_bad_end(reader, python->at);
        const char *close = frame_call_close_at(reader, end);

        python->at = end + (close ? strlen(close) : 0);
        list->over = true;
    }
    frame_unparsed(reader, list->element, python->at, reason, name);
    list->at = list->element = python->at;
}

static void read_call(python_list *list, size_t at, size_t name_size,
                      size_t body)
{
    frame_reader *reader = list->reader;
    python_reader python = python_of(reader, body);
    naive_bytes name = {0}, out = {0};
    const size_t from = at;
    call_end end;

    at = printed(reader, at);
    python.printed = at > from;
    if (python.printed)
        frame_diagnose(reader, "loose_head", from);

    if (list->builtin && is_builtin(reader, at, name_size))
        name_size -= 5;
    naive_add_utf8(&name, reader->text + at, name_size);
    python.out = &out;
    python.stack[python.depth++] = ')';
    reader->message->begun++;
    if (frame_has_tools(reader) && !frame_tool(reader, &name))
        frame_diagnose(reader, "undeclared_tool", at);
    naive_add_text(&out, "{");
    end = read_arguments(&python);
    naive_add_text(&out, "}");
    if (end == CALL_WHOLE) {
        frame_add_call(reader, &name, NULL, &out);
        list->at = list->element = python.at;
    } else if (end == CALL_CUT) {
        frame_diagnose(reader, "truncated_call", reader->size);
        frame_unparsed(reader, list->element, reader->size, "truncated_call",
                       &name);
        list->at = reader->size;
        list->over = true;
    } else {
        give_up(list, &python, &name);
    }
    list->comma = false;
    list->any = true;
    naive_release(&name);
    naive_release(&out);
}

/* --- the list ---------------------------------------------------------- */

static bool close_follows(frame_reader *reader, size_t at)
{
    for (; at < reader->size; at++) {
        if (frame_call_close_at(reader, at))
            return true;
        if (frame_stop_at(reader, at) || frame_call_open_at(reader, at))
            return false;
    }
    return false;
}

/* LFM2 writes the list once more behind its close, with a second one (P7). */
static void skip_echo(python_list *list)
{
    frame_reader *reader = list->reader;
    size_t at = frame_skip_python(reader, list->at), size, body, end = at;

    if (!reader->format->echo || byte_at(reader, at) != '[' ||
        frame_callee(reader, frame_skip_python(reader, at + 1), false, &size,
                     &body) != FRAME_YES ||
        !close_follows(reader, at))
        return;
    while (!frame_call_close_at(reader, end))
        end++;
    end += strlen(frame_call_close_at(reader, end));
    frame_drop(reader, "echoed_call", at, end);
    list->at = end;
}

/* A marker of the frame, or the end, at |at|. */
static void end_list(python_list *list, size_t at)
{
    frame_reader *reader = list->reader;
    const char *close = frame_call_close_at(reader, at);

    if (list->listed && !list->closed)
        frame_diagnose(reader, "missing_closer", at);
    if (list->marked && !close && !list->builtin)
        frame_diagnose(reader, "missing_call_close", at);
    list->at = close ? at + strlen(close) : at;
    if (close)
        skip_echo(list);
    list->over = true;
}

/* Words in the section: dropped if a marker follows within 256 bytes. */
static void read_other(python_list *list, size_t at)
{
    frame_reader *reader = list->reader;
    size_t end = at;

    while (end < reader->size && !frame_marker_at(reader, end))
        end++;
    if (list->marked && end < reader->size && end - at <= FRAME_LOOK &&
        !frame_stop_at(reader, end)) {
        frame_drop(reader, "text_in_section", at, end);
        list->at = end;
        return;
    }
    if (list->marked || (list->listed && !list->closed))
        list->at = at;
    if (list->marked)
        frame_diagnose(reader, "missing_call_close", at);
    else if (list->listed && !list->closed)
        frame_diagnose(reader, "missing_closer", at);
    list->over = true;
}

static bool is_extra_closer(python_list *list, size_t at)
{
    const frame_reader *reader = list->reader;
    size_t behind = frame_skip_python(reader, at + 1);

    if (!python_is_one_of(byte_at(reader, at), ")]}"))
        return false;
    return list->marked || (list->listed && !list->closed) ||
           (reader->text[at] == ']' &&
            (behind == reader->size || frame_stop_at(reader, behind)));
}

static void read_json_element(python_list *list, size_t at)
{
    frame_reader *reader = list->reader;
    size_t end;

    frame_diagnose(reader, "json_body", at);
    list->element = list->any ? at : list->element;
    /* In front of a close an object without a list has no neighbours to spare.
     */
    if (!frame_read_object(reader, list->head, list->element, at,
                           frame_next_marker(reader, at),
                           list->listed || !frame_closer(list->head->call, 0),
                           &end))
        list->closed = list->over = true;
    list->at = list->element = end;
    list->comma = false;
    list->any = true;
}

/* One more list behind the one that was closed. */
static bool begins_again(python_list *list)
{
    frame_reader *reader = list->reader;
    size_t at = frame_skip_python(reader, list->at), size, body;

    if (byte_at(reader, at) == ',' || byte_at(reader, at) == ';')
        at = frame_skip_python(reader, at + 1);
    if (at - list->at > FRAME_LOOK || byte_at(reader, at) != '[' ||
        frame_callee(reader, frame_skip_python(reader, at + 1), !list->marked,
                     &size, &body) != FRAME_YES)
        return false;
    list->at = at + 1;
    list->closed = list->comma = false;
    return true;
}

static void read_next(python_list *list)
{
    frame_reader *reader = list->reader;
    size_t at, callee, size, body;
    int c;

    if (list->closed && begins_again(list))
        return;
    at = frame_skip_python(reader, list->at);
    c = byte_at(reader, at);
    if (list->closed && !list->marked &&
        (c != ']' || at - list->at > FRAME_LOOK ||
         !is_extra_closer(list, at))) {
        list->over = true;
        return;
    }
    if (c >= 0 && (list->marked || (list->listed && !list->closed)) &&
        frame_cut_marker_at(reader, at))
        at = reader->size;
    if (at == reader->size || frame_marker_at(reader, at) ||
        (list->any && (!list->listed || list->closed) &&
         frame_head_opens(reader, at))) {
        end_list(list, at);
    } else if ((c == ',' && !list->closed) || (c == ';' && !list->listed)) {
        list->at = list->element = at + 1;
        list->comma = true;
    } else if (c == ']' && list->listed && !list->closed) {
        list->at = at + 1;
        list->closed = true;
    } else if (is_extra_closer(list, at)) {
        frame_diagnose(reader, "extra_closer", at);
        list->at = at + 1;
    } else {
        callee = at;
        if ((list->marked || !list->closed) &&
            (list->marked || list->comma || list->listed) &&
            frame_callee(reader, callee, false, &size, &body) == FRAME_YES &&
            (!list->builtin || frame_one_call(reader, callee, size))) {
            if (!list->comma && (list->listed || !list->marked) &&
                frame_body(list->head->call) != HOLE_PYTHON_LINES)
                frame_diagnose(reader, "missing_comma", at);
            list->element = list->any ? callee : list->element;
            read_call(list, callee, size, body);
        } else if (c == '{' && !list->closed) {
            read_json_element(list, at);
        } else {
            read_other(list, at);
        }
    }
}

void frame_read_python(frame_reader *reader, frame_head *head, size_t start)
{
    const frame_pattern *call = head->call;
    bool listed = byte_at(reader, head->body) == '[';
    size_t inner = frame_skip_python(reader, head->body + 1);
    bool doubled = listed && byte_at(reader, inner) == '[';
    python_list list = {.reader = reader,
                        .head = head,
                        .at = doubled ? inner + 1 : head->body + listed,
                        .element = start,
                        .marked = frame_opener(call) || frame_closer(call, 0),
                        .builtin = frame_body(call) == HOLE_PYTHON_CALL,
                        .listed = listed,
                        .comma = true};

    if (frame_body(call) == HOLE_PYTHON_LINES && listed)
        frame_diagnose(reader, "list_in_lines", head->body);
    if (frame_body(call) == HOLE_PYTHON && !listed)
        frame_diagnose(reader, "no_list", head->body);
    if (doubled)
        frame_diagnose(reader, "doubled_open_tag", inner);
    while (!list.over)
        read_next(&list);
    reader->at = list.at;
}
