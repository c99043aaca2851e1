/* SPDX-License-Identifier: MIT
 *
 * A small part of Python's regular expressions as patterns of a description:
 * literal text, white space, named groups, groups of alternatives.  Nothing is
 * ever matched with them; what has no pattern is refused by its name.
 */
#include <string.h>

#include "core/ascii.h"
#include "core/skip.h"
#include "formats/language/import_parts.h"

typedef struct regex {
    tw_loader *loader;
    tw_texts *to;
    const char *begin, *at, *end;
    size_t branch; /* the first of |to| that the alternative under way has */
    const tw_capture *captures;
    bool *captured;
} regex;

static void refuse(regex *state, const char *sentence)
{
    state->loader->in_pattern = true;
    state->loader->byte = (size_t)(state->at - state->begin);
    tw_load_refuse(state->loader, sentence, "", 0, "");
    state->loader->in_pattern = false;
    state->at = state->end;
}

static bool looks(const regex *state, const char *text)
{
    const size_t size = strlen(text);
    return size <= (size_t)(state->end - state->at) &&
           memcmp(state->at, text, size) == 0;
}

static bool skip(regex *state, const char *text)
{
    const bool found = looks(state, text);
    state->at += found ? strlen(text) : 0;
    return found;
}

static bool is_next(const regex *state, const char *bytes)
{
    return state->at < state->end && *state->at != 0 &&
           strchr(bytes, *state->at) != NULL;
}

/* ---- what is made ------------------------------------------------------- */

bool tw_texts_append(tw_text_piece *to, const char *text, size_t size)
{
    const bool fits = size <= sizeof to->text - to->size;
    if (fits) {
        memcpy(to->text + to->size, text, size);
        to->size += size;
    }
    return fits;
}

static void append_all(regex *state, const char *text, size_t size)
{
    bool fits = true;
    for (size_t i = state->branch; i < state->to->count; i++) {
        fits = tw_texts_append(&state->to->all[i], text, size) && fits;
    }
    if (!fits) {
        refuse(state, "too long");
    }
}

static void append_hole(regex *state, const char *name)
{
    append_all(state, "{", 1);
    append_all(state, name, strlen(name));
    append_all(state, "}", 1);
}

/* Braces are doubled in a pattern. */
static size_t escape(char c, char out[2])
{
    out[0] = out[1] = c;
    return c == '{' || c == '}' ? 2 : 1;
}

static tw_text_piece *add_text(regex *state)
{
    if (state->to->count == TW_TEXTS_MOST) {
        refuse(state, "more than 32 alternatives");
        return NULL;
    }
    tw_text_piece *made = &state->to->all[state->to->count++];
    made->size = 0;
    return made;
}

/* Each text of the branch goes on with each of |words|. */
static void multiply(regex *state, const tw_text_piece *words, size_t count)
{
    const size_t before = state->to->count;
    bool fits = true;
    for (size_t w = 1; w < count; w++) {
        for (size_t i = state->branch; i < before; i++) {
            tw_text_piece *made = add_text(state);
            if (made == NULL) {
                return;
            }
            *made = state->to->all[i];
            fits = tw_texts_append(made, words[w].text, words[w].size) && fits;
        }
    }
    for (size_t i = state->branch; i < before && count > 0; i++) {
        fits = tw_texts_append(&state->to->all[i], words[0].text,
                               words[0].size) &&
               fits;
    }
    if (!fits) {
        refuse(state, "too long");
    }
}

/* ---- one byte, or white space ------------------------------------------- */

typedef struct unit {
    char text[2];
    size_t size; /* 0: it stands for nothing */
    bool maybe;  /* or it is not there */
} unit;

/* White space of any length, or at most one: layout of a pattern. */
static bool skip_space_quantifier(regex *state)
{
    const bool found = is_next(state, "*+?");
    if (found) {
        state->at++;
        skip(state, "?"); /* lazy or not is the same */
    }
    return found;
}

static unit space(regex *state, char c)
{
    unit made = {{c, 0}, 1, false};
    if (skip_space_quantifier(state)) {
        made.text[0] = '\n';
    }
    return made;
}

static unit escaped(regex *state)
{
    static const char letters[] = "ntrfv", meant[] = "\n\t\r\f\v";
    const unit nothing = {{0, 0}, 0, false};
    const char c = state->at + 1 < state->end ? state->at[1] : 'a';
    const char *letter = strchr(letters, c);
    if (c == 's') {
        state->at += 2;
        if (!skip_space_quantifier(state)) {
            refuse(state, "\\s without * or +");
        }
        const unit made = {{'\n', 0}, 1, false};
        return made;
    }
    if (c != 0 && letter != NULL) {
        state->at += 2;
        return space(state, meant[letter - letters]);
    }
    if (c == 'b' || (c == 'Z' && state->at + 2 == state->end)) {
        state->at += 2;
        return nothing;
    }
    if (tw_is_alnum(c)) {
        refuse(state, "this class is told by no pattern");
        return nothing;
    }
    unit made = {{0, 0}, 0, false};
    made.size = escape(c, made.text);
    state->at += 2;
    return made;
}

static const char *behind_digits(const char *at, const char *end)
{
    while (at < end && tw_is_digit(*at)) {
        at++;
    }
    return at;
}

/* `{2}`, `{2,}`, `{,2}`, `{2,3}`, `{,}`: other braces are text in Python. */
static bool is_count(const char *at, const char *end)
{
    if (at == end || *at != '{') {
        return false;
    }
    const char *to = behind_digits(at + 1, end);
    to = to < end && *to == ',' ? behind_digits(to + 1, end) : to;
    return to > at + 1 && to < end && *to == '}';
}

static unit read_unit(regex *state)
{
    unit made = {{0, 0}, 0, false};
    const char c = *state->at;
    if (c == '\\') {
        made = escaped(state);
    } else if (tw_is_ws((uint8_t)c)) {
        state->at++;
        made = space(state, c);
    } else if (is_next(state, "()[]*+?.^$|")) {
        refuse(state, "this is told by no pattern");
    } else {
        made.size = escape(c, made.text);
        state->at++;
    }
    if (state->at < state->end && *state->at == '?' && made.size > 0 &&
        (uint8_t)c < 0x80) {
        state->at++;
        made.maybe = true;
    } else if (is_count(state->at, state->end)) {
        refuse(state, "a count is told by no pattern");
    }
    return made;
}

/* ---- groups ------------------------------------------------------------- */

/* The alternatives of a group, which hold no other one. */
static void read_alternatives(regex *state)
{
    tw_text_piece words[8];
    size_t count = 1;
    words[0].size = 0;
    while (state->at < state->end && *state->at != ')') {
        if (*state->at == '|') {
            state->at++;
            if (count + 1 == sizeof words / sizeof words[0]) {
                refuse(state, "too many alternatives");
                return;
            }
            words[count++].size = 0;
            continue;
        }
        const unit made = read_unit(state);
        if (made.maybe) {
            refuse(state, "an option inside a group");
        } else if (!tw_texts_append(&words[count - 1], made.text, made.size)) {
            refuse(state, "too long");
        }
    }
    if (!skip(state, ")")) {
        refuse(state, "a group is not closed");
        return;
    }
    if (skip(state, "?")) {
        words[count++].size = 0;
    }
    multiply(state, words, count);
}

/* `(?:^|<think>\s*)`: the text may begin behind it. */
static void read_begin(regex *state)
{
    if (state->to->all[state->branch].size > 0) {
        refuse(state, "^ behind other text");
    }
    state->to->begins = true;
    read_alternatives(state);
}

/* The end of a group's inside; brackets hold no groups. */
static const char *group_end(const regex *state)
{
    const char *at = state->at;
    bool in_class = false;
    for (; at < state->end && (in_class || *at != ')'); at++) {
        if (*at == '\\' && at + 1 < state->end) {
            at++;
        } else if (*at == '(' && !in_class) {
            return NULL;
        } else if (*at == '[' || *at == ']') {
            in_class = *at == '[';
        }
    }
    return at < state->end ? at : NULL;
}

/* `(?P<name>CLASS+)`: a hole; behind the `(?P<`. */
static void read_capture(regex *state)
{
    const char *name = state->at;
    const char *name_end = memchr(name, '>', (size_t)(state->end - name));
    if (name_end == NULL) {
        refuse(state, "a group is not closed");
        return;
    }
    state->at = name_end + 1;
    const char *end = group_end(state);
    if (end == NULL) {
        refuse(state, "a named group is closed and holds no other");
        return;
    }
    const tw_capture *capture = state->captures;
    while (capture->name != NULL &&
           (strlen(capture->name) != (size_t)(name_end - name) ||
            memcmp(capture->name, name, (size_t)(name_end - name)) != 0)) {
        capture++;
    }
    const bool is_any = skip(state, ".*?") || skip(state, "[\\s\\S]*?");
    if (strncmp(capture->hole, "value", 5) == 0 &&
        (!is_any || state->at != end)) {
        refuse(state, "a value is .*?");
        return;
    }
    state->at = end + 1;
    if (is_next(state, "*+?{")) {
        refuse(state, "a named group stands once");
        return;
    }
    *state->captured = true;
    append_hole(state, capture->hole);
}

static void read_group(regex *state)
{
    if (looks(state, "(?=") || looks(state, "(?!") || looks(state, "(?<")) {
        refuse(state, "look-around is told by no pattern");
    } else if (skip(state, "(?P<")) {
        read_capture(state);
    } else if (skip(state, "(?:^|")) {
        read_begin(state);
    } else if (skip(state, "(?:") ||
               (!looks(state, "(?") && skip(state, "("))) {
        read_alternatives(state);
    } else {
        refuse(state, "a group of this kind is told by no pattern");
    }
}

/* ---- all of it ---------------------------------------------------------- */

/* `[^x]*` and the like: what is passed over. */
static bool skip_class(regex *state)
{
    const char *at = state->at;
    if (!looks(state, "[^") && !looks(state, "[\\s\\S]*?")) {
        return false;
    }
    for (at += 2; at < state->end && *at != ']'; at++) {
        at += *at == '\\' && at + 1 < state->end;
    }
    if (at + 1 >= state->end || (at[1] != '*' && at[1] != '+')) {
        return false;
    }
    state->at = at + 2;
    skip(state, "?");
    return true;
}

static void read_piece(regex *state)
{
    const char c = *state->at;
    const bool last = state->at + 1 == state->end || state->at[1] == '|';
    if (c == '(') {
        read_group(state);
    } else if (skip(state, ".*?") || skip_class(state)) {
        append_hole(state, "skip");
    } else if (c == '|') {
        state->at++;
        state->branch = state->to->count;
        add_text(state);
    } else if (c == '$' && last) {
        state->at++;
    } else {
        const unit made = read_unit(state);
        tw_text_piece words[2] = {{.size = 0}, {.size = 0}};
        tw_texts_append(&words[0], made.text, made.size);
        multiply(state, words, made.maybe ? 2 : 1);
    }
}

bool tw_load_regex(tw_loader *loader, tw_texts *to, const tw_value *value,
                   const tw_capture *captures)
{
    bool captured = false;
    regex state = {
        loader, to,       value->text, value->text, value->text + value->size,
        0,      captures, &captured};
    to->begins = false;
    to->count = 1;
    to->all[0].size = 0;
    while (state.at < state.end && loader->to->error == TW_OK) {
        read_piece(&state);
    }
    return captured;
}
