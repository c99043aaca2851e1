/* SPDX-License-Identifier: MIT
 *
 * Where calls in Python's form begin: the name and its parenthesis behind a
 * marker, and as much more of the call as tells it from prose where there is
 * none (docs/rules.md D2).
 */
#include "formats/body/python/head.h"

#include <string.h>

#include "core/ascii.h"
#include "events/tools.h"
#include "formats/body/python/python.h"
#include "formats/body/python/state.h"

/* A keyword, and a name; beyond it is none. */
enum { NAME_LIMIT = 256 };

/* Behind |*at| and white space: the byte there; 0: none, |*opens| is why. */
static uint8_t byte_at(const tw_window *window, const uint8_t **at,
                       tw_body_opens *opens)
{
    const uint8_t *from = *at;
    const tw_python_lexeme lexeme =
        tw_python_skip(at, window->limit, window->eof);
    if (*at - from > TW_HOLD_HEAD) { /* whatever follows: it is not held */
        *opens = TW_BODY_IS_NONE;
        return 0;
    }
    switch (lexeme) {
    case TW_PYTHON_MORE: *opens = TW_BODY_IS_MORE; return 0;
    case TW_PYTHON_END: *opens = TW_BODY_IS_CUT; return 0;
    default: *opens = TW_BODY_IS_HERE; return **at;
    }
}

static bool is_letter(uint8_t c)
{
    return tw_is_letter(c) || c == '_' || c >= 0x80;
}

/* ---- names -------------------------------------------------------------- */

/* Does white space of other alphabets stand at |at|?  Half of one may. */
static bool is_ws(const tw_window *window, const uint8_t *at, bool *more)
{
    const uint8_t *behind = at;
    const tw_python_lexeme lexeme =
        tw_python_scan(&behind, window->limit, window->eof);
    *more = lexeme == TW_PYTHON_MORE && *at >= 0x80;
    return lexeme == TW_PYTHON_WS;
}

static bool is_name_byte(uint8_t c, bool blanks)
{
    return is_letter(c) || tw_is_digit(c) || c == '.' || c == '-' ||
           c == ':' || c == '/' || (blanks && c == ' ');
}

/* The end of the name at |at|, as far as it is looked at. */
static const uint8_t *name_end(const tw_window *window, const uint8_t *at,
                               bool blanks, bool *more)
{
    const uint8_t *from = at;
    *more = false;
    while (at < window->limit && is_name_byte(*at, blanks) &&
           at - from <= TW_HOLD_HEAD && !*more) {
        if (*at >= 0x80 && is_ws(window, at, more)) {
            break;
        }
        at += !*more;
    }
    return at;
}

/* A marker with one of |roles|. */
static tw_body_opens marker_at(const tw_body *body, const uint8_t *at,
                               unsigned roles)
{
    const tw_window *window = body->call->window;
    const unsigned found = tw_marker_at(body->marks, window, at).roles;
    return found == TW_AT_MORE    ? TW_BODY_IS_MORE
           : (found & roles) != 0 ? TW_BODY_IS_HERE
                                  : TW_BODY_IS_NONE;
}

static tw_python_callee name_at(const tw_body *body, const uint8_t *at)
{
    const tw_window *window = body->call->window;
    const bool blanks = (body->format->quirks & TW_QUIRK_BLANK_NAMES) != 0;
    tw_python_callee callee = {TW_BODY_IS_NONE, 0, 0, at};
    bool more = false;
    if (at == window->limit) {
        callee.opens = window->eof ? TW_BODY_IS_CUT : TW_BODY_IS_MORE;
        return callee;
    }
    if (!is_letter(*at) && !(blanks && tw_is_digit(*at))) {
        return callee;
    }
    const uint8_t *end = name_end(window, at, blanks, &more);
    if (more || end == window->limit) {
        callee.opens = window->eof ? TW_BODY_IS_CUT : TW_BODY_IS_MORE;
        callee.behind = window->limit;
        return callee;
    }
    callee.behind = end;
    callee.opens = marker_at(body, end, TW_AT_STOP);
    if (callee.opens != TW_BODY_IS_NONE) { /* it ends the output */
        callee.opens =
            callee.opens == TW_BODY_IS_HERE ? TW_BODY_IS_CUT : TW_BODY_IS_MORE;
        return callee;
    }
    while (end > at && end[-1] == ' ') {
        end--;
    }
    callee.name_size = (size_t)(end - at);
    const uint8_t c = byte_at(window, &callee.behind, &callee.opens);
    if (callee.opens == TW_BODY_IS_CUT) {
        callee.opens = TW_BODY_IS_NONE;
    }
    if (callee.opens == TW_BODY_IS_HERE) {
        const bool called =
            c == '(' && callee.name_size > 0 && callee.name_size <= NAME_LIMIT;
        callee.opens = called ? TW_BODY_IS_HERE : TW_BODY_IS_NONE;
        callee.behind += called;
    }
    return callee;
}

/* Models that write code print what the tool answers. */
static bool is_print(const tw_tools *tools, const uint8_t *name, size_t size)
{
    static const char print[] = "print";
    return size == sizeof print - 1 && memcmp(name, print, size) == 0 &&
           tw_tools_find(tools, print, size) == NULL;
}

tw_python_callee tw_python_callee_at(const tw_body *body, const uint8_t *at)
{
    const tw_tools *tools = body->call->sink->tools;
    const tw_python_callee callee = name_at(body, at);
    if (callee.opens != TW_BODY_IS_HERE ||
        !is_print(tools, at, callee.name_size)) {
        return callee;
    }
    const uint8_t *from = callee.behind;
    tw_python_callee inside = {TW_BODY_IS_NONE, 0, 0, from};
    byte_at(body->call->window, &from, &inside.opens);
    if (inside.opens == TW_BODY_IS_HERE) {
        inside = name_at(body, from);
    }
    if (inside.opens == TW_BODY_IS_HERE && tw_tools_count(tools) > 0 &&
        tw_tools_find(tools, (const char *)from, inside.name_size) == NULL) {
        return callee;
    }
    inside.name_at = (size_t)(from - at);
    return inside.opens == TW_BODY_IS_HERE || inside.opens == TW_BODY_IS_MORE
               ? inside
               : callee;
}

size_t tw_python_key_size(const tw_window *window, const uint8_t *at,
                          bool *more)
{
    const uint8_t *end = at;
    *more = false;
    while (end < window->limit && *end != 0 && /* Python has no NUL */
           strchr("\"'()[]{}=,:#;<*`", *end) == NULL) {
        if (is_ws(window, end, more)) {
            break;
        }
        if (*more || ++end - at > NAME_LIMIT) {
            return 0;
        }
    }
    *more = end == window->limit && !window->eof;
    return (size_t)(end - at);
}

/* ---- heads -------------------------------------------------------------- */

/* KEY, white space, `=`, but not `==`. */
static tw_body_opens keyword_at(const tw_window *window, const uint8_t *at)
{
    bool more;
    tw_body_opens opens = TW_BODY_IS_NONE;
    const size_t size = tw_python_key_size(window, at, &more);
    const uint8_t *equals = at + size;
    if (more) {
        return TW_BODY_IS_MORE;
    }
    if (size == 0 || byte_at(window, &equals, &opens) != '=') {
        return opens == TW_BODY_IS_MORE ? opens : TW_BODY_IS_NONE;
    }
    if (window->limit - equals < 2) {
        return window->eof ? TW_BODY_IS_HERE : TW_BODY_IS_MORE;
    }
    return equals[1] != '=' ? TW_BODY_IS_HERE : TW_BODY_IS_NONE;
}

/* Behind `(`: is it a call, and no prose?  One of |ends| may follow it. */
static tw_body_opens is_sure(const tw_body *body,
                             const tw_python_callee *callee, unsigned ends)
{
    const tw_window *window = body->call->window;
    const uint8_t *at = callee->behind;
    tw_body_opens opens;
    uint8_t c = byte_at(window, &at, &opens);
    if (opens != TW_BODY_IS_HERE) {
        return opens == TW_BODY_IS_MORE ? opens : TW_BODY_IS_NONE;
    }
    if (c != ')') {
        return keyword_at(window, at);
    }
    at++;
    c = byte_at(window, &at, &opens);
    if (opens != TW_BODY_IS_HERE) {
        return opens == TW_BODY_IS_CUT ? TW_BODY_IS_HERE : opens;
    }
    return c == ',' || c == ']' || c == ';' ||
                   (c == ')' && callee->name_at > 0)
               ? TW_BODY_IS_HERE
               : marker_at(body, at, ends);
}

/* `]` at |at|: a marker or the end makes of it a list without calls. */
static tw_body_opens is_empty_list(const tw_body *body, const uint8_t *at)
{
    tw_body_opens opens;
    at++;
    byte_at(body->call->window, &at, &opens);
    return opens == TW_BODY_IS_CUT    ? TW_BODY_IS_HERE
           : opens == TW_BODY_IS_HERE ? marker_at(body, at, TW_PYTHON_ENDS)
                                      : opens;
}

size_t tw_python_suffix(const uint8_t *name, size_t size)
{
    static const char call[] = ".call";
    const size_t most = sizeof call - 1;
    return size > most && memcmp(name + size - most, call, most) == 0 ? most
                                                                      : 0;
}

tw_body_opens tw_python_one_call(const tw_body *body,
                                 const tw_python_callee *callee,
                                 const uint8_t *at)
{
    const tw_tools *tools = body->call->sink->tools;
    const uint8_t *name = at + callee->name_at;
    if (callee->opens != TW_BODY_IS_HERE ||
        tw_python_suffix(name, callee->name_size) > 0) {
        return callee->opens;
    }
    return tw_tools_find(tools, (const char *)name, callee->name_size) != NULL
               ? is_sure(body, callee, TW_AT_STOP)
               : TW_BODY_IS_NONE;
}

tw_body_opens tw_python_opens(const tw_body *body, const tw_body_head *head,
                              const uint8_t *at)
{
    const tw_window *window = body->call->window;
    const uint8_t kind = tw_pattern_hole(head->pattern)->kind;
    const uint8_t *from = at;
    tw_body_opens opens;
    uint8_t c = byte_at(window, &at, &opens);
    const bool listed = c == '[';
    if (listed) {
        at++;
        c = byte_at(window, &at, &opens);
    }
    const bool doubled = listed && c == '[';
    if (doubled) {
        at++;
        c = byte_at(window, &at, &opens);
    }
    if (!listed && head->proof == TW_PROOF_HEAD && kind == TW_PATTERN_PYTHON &&
        !head->pattern->fence && opens == TW_BODY_IS_HERE) {
        return TW_BODY_IS_NONE; /* only a list is as clear as that */
    }
    if (opens != TW_BODY_IS_HERE) {
        return opens;
    }
    opens = marker_at(body, at, TW_AT_STOP);
    if (opens != TW_BODY_IS_NONE) {
        return opens == TW_BODY_IS_HERE ? TW_BODY_IS_CUT : opens;
    }
    if (doubled && (c == ']' || c == '{')) { /* in front of a name alone */
        return TW_BODY_IS_NONE;
    }
    if (listed && c == ']' && head->proof == TW_PROOF_NONE) {
        return is_empty_list(body, at);
    }
    if (c == '{' && head->proof == TW_PROOF_NONE) {
        return TW_BODY_IS_HERE;
    }
    if (c == '{' && head->proof != TW_PROOF_HEAD) {
        return body->codec->opens(body, head, at); /* it is JSON's */
    }
    const tw_python_callee callee = tw_python_callee_at(body, at);
    if (callee.behind - from > TW_HOLD_HEAD) {
        return TW_BODY_IS_NONE;
    }
    if (kind == TW_PATTERN_PYTHON_CALL) {
        return tw_python_one_call(body, &callee, at);
    }
    return callee.opens == TW_BODY_IS_HERE && head->proof == TW_PROOF_HEAD
               ? is_sure(body, &callee,
                         TW_AT_STOP |
                             (head->pattern->fence ? TW_AT_PLAIN_END : 0))
               : callee.opens;
}
