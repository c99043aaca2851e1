/* SPDX-License-Identifier: MIT
 *
 * Is the `{` of a call in view, and is the name in front of it one?  The head
 * is told from text here, before any of it is released.
 */
#include "formats/gemma4/head.h"

#include <string.h>

#include "core/ascii.h"
#include "core/utf8.h"
#include "formats/body/gemma/look.h"

static bool is_name(int c)
{
    return tw_is_gemma_word(c) || c == ':';
}

/* The bytes that begin `call:` or `:`; NULL: more are needed. */
static const uint8_t *head_word(const tw_gemma4_head_rules *rules,
                                const uint8_t *at, bool *called)
{
    const tw_answer word = tw_gemma_call_word(rules->window, at);
    *called = word == TW_YES;
    return word == TW_WAIT ? NULL
           : *called       ? at + TW_GEMMA_CALL_WORD_SIZE
           : *at == ':'    ? at + 1
                           : at;
}

/* What parts the word `call` at |at| from the name, where that is not just its
 * colon: the name behind it.  |at|: nothing does; NULL: more are needed. */
static const uint8_t *behind_call(const tw_gemma4_head_rules *rules,
                                  const uint8_t *at)
{
    const uint8_t *name = at + 4; /* head_word() has looked so far */
    size_t colons = 0;
    int c = tw_look(rules->window, name);
    while (name - at <= TW_HOLD_HEAD &&
           (tw_is_ws(c) || ((c == ':' || c == '=') && colons == 0))) {
        colons += !tw_is_ws(c);
        c = tw_look(rules->window, ++name);
    }
    return c == TW_LOOK_MORE ? NULL : name - at == 4 ? at : name;
}

bool tw_gemma4_is_declared(const tw_tools *tools, const tw_gemma4_head *found)
{
    const char *name = (const char *)found->name;
    const size_t size = (size_t)(found->name_end - found->name);
    return tw_tools_find(tools, name, size) != NULL ||
           tw_tools_find_in(tools, name, size) > 0;
}

static bool is_good_name(const uint8_t *from, const uint8_t *to)
{
    return from < to && (tw_gemma_starts_word(*from) || tw_is_digit(*from)) &&
           to[-1] != ':' && tw_utf8_valid(from, to) == to;
}

/* What stands in place of a name, right behind the opening marker. */
static tw_gemma4_head_kind head_at_marker(const tw_gemma4_head_rules *rules,
                                          const uint8_t *at)
{
    const tw_window *window = rules->window;
    size_t size;
    const tw_gemma_marker marker = tw_gemma4_marker_at(window, at, &size);
    if (marker == TW_GEMMA_MORE) {
        return TW_GEMMA4_HEAD_MORE;
    }
    if (marker == TW_GEMMA_CALL_END) {
        return TW_GEMMA4_HEAD_EMPTY;
    }
    if (tw_gemma_is_stop(marker)) {
        return TW_GEMMA4_HEAD_CUT;
    }
    return tw_gemma4_is_cut_close(window, at) ? TW_GEMMA4_HEAD_CUT
                                              : TW_GEMMA4_HEAD_NONE;
}

/* The end of the name, blanks behind it included. */
static tw_gemma4_head_kind head_end(const tw_gemma4_head_rules *rules,
                                    tw_gemma4_head *found, bool bare,
                                    bool called)
{
    const tw_window *window = rules->window;
    const uint8_t *at = found->name_end;
    while (!bare && at < window->limit && tw_is_ws(*at)) {
        at++;
    }
    const int c = tw_look(window, at);
    found->reach = at;
    if (c == TW_LOOK_MORE) {
        return TW_GEMMA4_HEAD_MORE;
    }
    const bool good = is_good_name(found->name, found->name_end);
    const bool bad = !good && at != found->name;
    if (c == TW_LOOK_END) {
        return bare || (bad && window->stopped) ? TW_GEMMA4_HEAD_NONE
                                                : TW_GEMMA4_HEAD_CUT;
    }
    found->loose |= at > found->name_end;
    found->paren = c == '(';
    found->body = at + 1;
    if (good && (c == '{' || (c == '(' && !bare))) {
        found->reach = found->body;
        return TW_GEMMA4_HEAD_CALL;
    }
    if (c != '<' || bare || bad) {
        return TW_GEMMA4_HEAD_NONE;
    }
    size_t size;
    const tw_gemma_marker marker = tw_gemma4_marker_at(window, at, &size);
    found->body = at;
    found->no_body = true;
    return marker == TW_GEMMA_MORE ? TW_GEMMA4_HEAD_MORE
           : tw_gemma_is_stop(marker) ||
                   (good && called && tw_gemma4_is_cut_close(window, at))
               ? TW_GEMMA4_HEAD_CUT
           : marker == TW_GEMMA_CALL_END && good && called
               ? TW_GEMMA4_HEAD_CALL
               : TW_GEMMA4_HEAD_NONE;
}

/* The name at |found->name|, and what stands behind it. */
static void read_name(const tw_gemma4_head_rules *rules, tw_gemma4_head *found,
                      bool bare, bool called)
{
    const tw_window *window = rules->window;
    const uint8_t *end = found->name;
    while (end < window->limit && is_name(*end)) {
        end++;
        if ((size_t)(end - found->name) > rules->name_limit) {
            found->reach = end;
            found->kind =
                called && !bare ? TW_GEMMA4_HEAD_LONG : TW_GEMMA4_HEAD_NONE;
            return;
        }
    }
    found->name_end = found->reach = end;
    found->kind = tw_look(window, end) == TW_LOOK_MORE
                      ? TW_GEMMA4_HEAD_MORE
                      : head_end(rules, found, bare, called);
}

/* `call NAME{` at |at|, or with more than a colon in the blank's place, and
 * the name is declared.  False: it is none. */
static bool read_parted(const tw_gemma4_head_rules *rules, const uint8_t *at,
                        tw_gemma4_head *found)
{
    const uint8_t *name =
        rules->window->limit - at >= 4 && memcmp(at, "call", 4) == 0
            ? behind_call(rules, at)
            : at;
    if (name == at || (name == at + 5 && at[4] == ':')) {
        return false;
    }
    found->kind = TW_GEMMA4_HEAD_MORE;
    if (name != NULL) {
        found->loose = true;
        found->name = name;
        read_name(rules, found, false, true);
    }
    return found->kind == TW_GEMMA4_HEAD_MORE ||
           (found->kind == TW_GEMMA4_HEAD_CALL && !found->no_body &&
            tw_gemma4_is_declared(rules->tools, found));
}

/* `call:NAME{` at |from|, or a loose form of it. */
static tw_gemma4_head read_head(const tw_gemma4_head_rules *rules,
                                const uint8_t *from, bool bare)
{
    const tw_window *window = rules->window;
    tw_gemma4_head found = {0};
    found.from = from;
    const uint8_t *at = from;
    while (!bare && at < window->limit && tw_is_ws(*at)) {
        at++;
    }
    found.loose = at > from;
    found.reach = at;
    const int c = tw_look(window, at);
    if (c < 0) {
        found.kind = c == TW_LOOK_MORE ? TW_GEMMA4_HEAD_MORE
                     : bare            ? TW_GEMMA4_HEAD_NONE
                                       : TW_GEMMA4_HEAD_CUT;
        return found;
    }
    if (c == '<' && !bare) {
        found.kind = head_at_marker(rules, at);
        return found;
    }
    bool called;
    found.name = head_word(rules, at, &called);
    if (found.name == NULL || (bare && !called)) {
        found.kind =
            found.name == NULL ? TW_GEMMA4_HEAD_MORE : TW_GEMMA4_HEAD_NONE;
        return found;
    }
    tw_gemma4_head parted = found;
    if (!bare && rules->tools != NULL && read_parted(rules, at, &parted)) {
        return parted;
    }
    found.loose |= !called;
    read_name(rules, &found, bare, called);
    return found;
}

/* `call:NAME{` as the template writes it, whole in view and with an ASCII
 * name; false: read_head() must look. */
static bool read_canonical_head(const tw_gemma4_head_rules *rules,
                                const uint8_t *from, tw_gemma4_head *found)
{
    const uint8_t *limit = rules->window->limit;
    const uint8_t *name = from + TW_GEMMA_CALL_WORD_SIZE;
    if (limit - from < TW_GEMMA_CALL_WORD_SIZE + 2 ||
        memcmp(from, TW_GEMMA_CALL_WORD, TW_GEMMA_CALL_WORD_SIZE) != 0) {
        return false;
    }
    const uint8_t *at = name;
    while (at < limit && *at < 0x80 &&
           (tw_gemma_kinds[*at] & TW_GEMMA_WORD) != 0) {
        at++;
    }
    if (at == limit || *at != '{' || at == name || *name == '.' ||
        *name == '-' || (size_t)(at - name) > rules->name_limit) {
        return false;
    }
    memset(found, 0, sizeof *found);
    found->kind = TW_GEMMA4_HEAD_CALL;
    found->from = from;
    found->name = name;
    found->name_end = at;
    found->body = found->reach = at + 1;
    return true;
}

tw_gemma4_head tw_gemma4_head_at(const tw_gemma4_head_rules *rules,
                                 const uint8_t *from, bool bare)
{
    const size_t marker = TW_GEMMA4_SIZE(TW_GEMMA4_CALL);
    tw_gemma4_head found;
    if (!bare && read_canonical_head(rules, from, &found)) {
        return found;
    }
    found = read_head(rules, from, bare);
    const bool loose = found.kind == TW_GEMMA4_HEAD_CALL &&
                       (found.loose || found.paren || bare || found.no_body);
    const bool far =
        (size_t)(found.reach - from) + (bare ? 0 : marker) > TW_HOLD_HEAD;
    if ((bare && far) || (rules->strict && (far || loose))) {
        found.kind = TW_GEMMA4_HEAD_NONE;
    } else if (far) {
        found.kind = TW_GEMMA4_HEAD_FAR;
    }
    return found;
}
