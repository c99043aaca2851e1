/* SPDX-License-Identifier: MIT
 *
 * The first bytes of a message's text, one after another: the name of a
 * declared tool and what stands behind names in calls, or a call's JSON.
 */
#include "decode/leading.h"

#include <string.h>

#include "core/bytes.h"
#include "formats/name_bytes.h"

enum {
    FRESH =
        0, /* nothing but blanks stands in the line, or a tag's beginning */
    WORD = TW_LEADING_LIKE + 1, /* the first of the line or tag */
    GAP,                        /* blanks behind a name */
    NEXT,      /* the next line, behind a name that was all of one */
    NEXT_WORD, /* its first word */
    SECOND,    /* the second word of the line */
    ATTRIBUTE, /* behind `name=` */
    ACTION,    /* behind `Action: ` */
    BRACE,     /* behind a word and a brace, without declared tools */
    LIST,      /* behind a bracket */
    PYTHON,    /* a word there */
    KEYWORD,   /* behind its parenthesis */
    CLOSED,    /* behind both of its parentheses */
    JSON,
    SKIP,     /* elsewhere in the line */
    SKIP_WORD /* a word there */
};

/* What began in front of a word: a tag, whose first word that is, or a tag, a
 * fence or an escape. */
enum { TAG = 1, TAG_NEW };

/* What a key is of a call, and what an object has of one. */
enum {
    KEY_OTHER = 0,
    KEY_BESIDE = 1,
    KEY_NAME = 2,
    KEY_ARGUMENTS = 4,
    KEY_BOTH = KEY_NAME | KEY_ARGUMENTS,
    KEY_AROUND = 128, /* the call stands under it */
    HAS_ODD = 8,      /* what no call has: a declared name must tell it */
    HAS_CALLED = 16,  /* ... which was seen */
    HAS_OBJECT = 32,
    HAS_ESCAPES = 64 /* backslashes stand in front of its quotes */
};

static bool is_one_of(const tw_leading *leading, const char *const *words)
{
    return tw_bytes_are_any(leading->word, leading->size, words);
}

static void decide(tw_leading *leading, bool like)
{
    leading->state = like ? TW_LEADING_LIKE : TW_LEADING_OVER;
}

static void put(tw_leading *leading, uint8_t c)
{
    if (leading->size < sizeof leading->word) {
        leading->word[leading->size] = (char)c;
    }
    leading->size += leading->size <= sizeof leading->word;
}

static void begin_word(tw_leading *leading, uint8_t state, uint8_t c)
{
    leading->state = state;
    leading->size = 0;
    if (tw_is_bare_name_byte(c)) {
        put(leading, c);
    }
}

/* ---- names -------------------------------------------------------------- */

static size_t word_size(const tw_leading *leading)
{
    return leading->size <= sizeof leading->word ? leading->size : 0;
}

static bool is_name(const tw_leading *leading, const tw_tools *tools)
{
    return tw_tools_has(tools, leading->word, word_size(leading));
}

/* Does a declared name begin or end the word, behind a namespace or not?  An
 * id, an index or a word of the frame may stand beside it. */
static bool holds_name(const tw_leading *leading, const tw_tools *tools)
{
    const char *word = leading->word;
    const size_t size = tw_tools_count(tools) > 0 ? word_size(leading) : 0;
    bool found = false;
    for (size_t from = 0; from < size && !found; from++) {
        const bool part = from == 0 || strchr(".:/", word[from - 1]) != NULL;
        for (size_t to = part ? from + 1 : size; to <= size && !found; to++) {
            found = tw_tools_find(tools, word + from, to - from) != NULL;
        }
    }
    return found;
}

/* Does a parameter of the tool begin what stands in the word from |from| on?
 * One of a single byte begins too much: it is all of a word. */
static bool begins_parameter(const tw_leading *leading, const tw_tools *tools,
                             const tw_tool *tool, size_t from)
{
    const size_t size = word_size(leading);
    size_t to = size == from + 1 && from == 0 ? 1 : from + 2;
    bool found = false;
    for (; to <= size && !found; to++) {
        found = tw_tools_parameter(tools, tool, leading->word + from,
                                   to - from) != NULL;
    }
    return found;
}

/* Is the word a declared name with a parameter of that directly behind it? */
static bool joins_names(const tw_leading *leading, const tw_tools *tools)
{
    const size_t size = tw_tools_count(tools) > 0 ? word_size(leading) : 0;
    bool found = false;
    for (size_t to = 3; to < size && !found; to++) {
        const tw_tool *tool = tw_tools_find(tools, leading->word, to);
        found = tool != NULL && begins_parameter(leading, tools, tool, to);
    }
    return found;
}

/* Is the word a declared name and what Llama's built-in tools are called by?
 */
static bool is_called(const tw_leading *leading, const tw_tools *tools)
{
    static const char call[] = ".call";
    enum { SIZE = sizeof call - 1 };
    const size_t size = word_size(leading);
    return size > SIZE &&
           memcmp(leading->word + size - SIZE, call, SIZE) == 0 &&
           tw_tools_has(tools, leading->word, size - SIZE);
}

/* ---- JSON --------------------------------------------------------------- */

static uint8_t key_of(const tw_leading *leading, const tw_tools *tools)
{
    static const char *const names[] = {"name", "tool_name", NULL};
    static const char *const arguments[] = {"arguments", "parameters", "args",
                                            NULL};
    static const char *const beside[] = {"id", "index", "type", "tool_call_id",
                                         NULL};
    static const char *const both[] = {"function", "tool_calls", NULL};
    const uint8_t around = leading->behind ? KEY_AROUND : KEY_BOTH;
    return is_one_of(leading, names)       ? KEY_NAME
           : is_one_of(leading, arguments) ? KEY_ARGUMENTS
           : is_one_of(leading, beside)    ? KEY_BESIDE
           : is_one_of(leading, both)      ? around
           : is_name(leading, tools)       ? KEY_BOTH
                                           : KEY_OTHER;
}

/* A value of the object begins with |c|: is that one of a call? */
static void begin_value(tw_leading *leading, char c)
{
    const bool text = c == '"';
    const bool fits = leading->key == KEY_NAME        ? text
                      : leading->key == KEY_ARGUMENTS ? text || c == '{'
                                                      : true;
    if (leading->key == KEY_AROUND) {
        leading->depth -= !text;
        leading->valued = false;
        return;
    }
    /* `function` is a name, or an object that has one. */
    leading->has |= leading->key == KEY_BOTH && text ? KEY_NAME : leading->key;
    if (!fits) {
        decide(leading, false);
    }
}

static bool has_all(const tw_leading *leading, uint8_t parts)
{
    return (leading->has & parts) == parts;
}

static bool is_call(const tw_leading *leading)
{
    const uint8_t odd = HAS_CALLED | HAS_OBJECT;
    return has_all(leading, (leading->has & HAS_ODD) == 0 ? KEY_BOTH
                            : leading->behind             ? odd | KEY_ARGUMENTS
                                                          : odd);
}

/* A word of an odd object. */
static void read_odd(tw_leading *leading, const tw_tools *tools)
{
    if (leading->depth > 1) {
        return;
    }
    const tw_tool *tool =
        tw_tools_find(tools, leading->word, word_size(leading));
    if (tool != NULL) {
        leading->tool = tool;
        leading->has |= HAS_ODD | HAS_CALLED;
    } else if (leading->tool != NULL && !leading->valued &&
               tw_tools_parameter(tools, leading->tool, leading->word,
                                  word_size(leading)) != NULL) {
        leading->has |= HAS_OBJECT; /* beside the name */
    } else if (key_of(leading, tools) == KEY_ARGUMENTS) {
        leading->has |= KEY_ARGUMENTS;
    }
}

/* The object has what no call has.  Declared tools may tell it all the same,
 * unless they are described there. */
static void find_odd(tw_leading *leading, const tw_tools *tools)
{
    static const char *const described[] = {"description", NULL};
    const bool call = is_call(leading);
    if (tw_tools_count(tools) == 0 || is_one_of(leading, described)) {
        decide(leading, false);
    } else if (leading->depth == 1 && leading->lost && leading->has == 0) {
        leading->state = SKIP; /* words in quotes */
        leading->behind = true;
    } else {
        leading->has |= call ? HAS_ODD | HAS_CALLED : HAS_ODD;
        read_odd(leading, tools);
    }
}

/* The value of a name's key is over.  A declared one needs no arguments, and
 * behind prose no other one counts: that may show how one calls. */
static void end_name(tw_leading *leading, const tw_tools *tools)
{
    leading->tool = tw_tools_find(tools, leading->word, word_size(leading));
    if (leading->tool != NULL) {
        leading->has |= KEY_BOTH;
    } else if (leading->behind) {
        decide(leading, false);
    }
}

static void read_string(tw_leading *leading, const tw_tools *tools, uint8_t c)
{
    if (c == '\\' && has_all(leading, HAS_ESCAPES)) {
        return;
    }
    if (leading->escaped || c != (uint8_t)leading->quote) {
        leading->escaped = !leading->escaped && c == '\\';
        put(leading, c);
        return;
    }
    leading->quote = 0;
    if (has_all(leading, HAS_ODD)) {
        read_odd(leading, tools);
    } else if (leading->depth == 1 && !leading->valued) {
        leading->key = key_of(leading, tools);
        if (leading->key == KEY_OTHER) {
            find_odd(leading, tools);
        }
    } else if (leading->depth == 1 && leading->key == KEY_NAME) {
        end_name(leading, tools);
    }
}

/* A byte of the object that stands in no string. */
static void read_json(tw_leading *leading, const tw_tools *tools, uint8_t c)
{
    const bool quote = c == '"' || c == '\'';
    const bool opens = c == '{' || c == '[';
    if (tw_is_bare_name_byte(c) && c != ':') {
        leading->size = leading->bare ? leading->size : 0;
        leading->bare = true;
        put(leading, c);
        return;
    }
    if (leading->bare) {
        leading->bare = false;
        read_odd(leading, tools);
        if (quote) { /* the one in front is missing */
            leading->has |= HAS_ODD;
            return;
        }
    }
    if (leading->depth == 1 && !leading->valued && c == '{') {
        return; /* doubled, or in a list */
    }
    if (leading->depth == 1 && leading->valued && (quote || opens)) {
        begin_value(leading, quote ? '"' : (char)c);
    }
    leading->has |= c == '{' ? HAS_OBJECT : c == '\\' ? HAS_ESCAPES : 0;
    if (quote) {
        leading->quote = (char)c;
        leading->escaped = false;
        leading->size = 0;
    } else if (opens) {
        leading->depth++;
    } else if (c == '}' || c == ']') {
        leading->depth--;
    } else if (leading->depth == 1 && (c == ':' || c == ',')) {
        leading->valued = c == ':';
    }
    if (leading->depth == 0) {
        decide(leading, is_call(leading));
    }
}

/* An object or a list begins, or a key whose brace was lost. */
static void begin_json(tw_leading *leading, uint8_t c)
{
    leading->state = c == '[' ? LIST : JSON;
    leading->depth = 1;
    leading->valued = leading->bare = false;
    leading->lost = c == '"';
    leading->quote = leading->lost ? '"' : 0;
    leading->escaped = false;
    leading->has = 0;
    leading->size = 0;
    leading->tool = NULL;
}

/* ---- lines -------------------------------------------------------------- */

/* Elsewhere than at a line's beginning.  Text without declared tools is a call
 * as a whole, or none. */
static void read_skip(tw_leading *leading, const tw_tools *tools, uint8_t c,
                      uint64_t offset)
{
    leading->behind = true;
    leading->tag = 0;
    leading->tool = NULL;
    leading->state = SKIP;
    if (tw_tools_count(tools) == 0) {
        decide(leading, false);
    } else if (c == '\n') {
        leading->state = FRESH;
    } else if (c == '{' || c == '[') {
        leading->at = offset;
        begin_json(leading, c);
    } else if (tw_is_bare_name_byte(c)) {
        leading->at = offset;
        begin_word(leading, SKIP_WORD, c);
    }
}

static void read_fresh(tw_leading *leading, const tw_tools *tools, uint8_t c,
                       uint64_t offset)
{
    if (c != 0 && strchr("<`&\\", c) != NULL) { /* `&lt;`, `\u003c` */
        leading->at = offset;
        leading->tag = c == '<' ? TAG_NEW : TAG;
    } else if (tw_is_bare_name_byte(c)) {
        leading->at = leading->tag ? leading->at : offset;
        begin_word(leading, WORD, c);
    } else if (c == '{' || c == '[' || (c == '"' && !leading->behind)) {
        leading->at = offset;
        begin_json(leading, c);
    } else if (!tw_is_ws(c) && c != '>' && c != '|') { /* a marker's rest */
        read_skip(leading, tools, c, offset);
    }
}

/* |c| stands behind a name, or behind what holds one, in front of the line's
 * end. */
static void read_gap(tw_leading *leading, const tw_tools *tools, uint8_t c,
                     uint64_t offset)
{
    if (c == '\n') {
        leading->state = NEXT;
    } else if (c == '{') {
        decide(leading, true);
    } else if (c == '(') {
        begin_word(leading, KEYWORD, 0);
    } else if (!tw_is_ws(c)) {
        read_skip(leading, tools, c, offset);
    }
}

static void read_next(tw_leading *leading, const tw_tools *tools, uint8_t c,
                      uint64_t offset)
{
    if (c != 0 && strchr("{`<&\\", c) != NULL) {
        decide(leading, true);
    } else if (leading->tool != NULL && tw_is_bare_name_byte(c)) {
        begin_word(leading, NEXT_WORD, c);
    } else if (!tw_is_ws(c)) {
        read_skip(leading, tools, c, offset);
    }
}

static void read_list(tw_leading *leading, const tw_tools *tools, uint8_t c)
{
    if (c == '{' || c == '"') {
        begin_json(leading, c);
        leading->lost = false;
    } else if (c == '[' && tw_tools_count(tools) > 0) {
        return; /* doubled */
    } else if (tw_is_bare_name_byte(c) && !tw_is_digit(c)) {
        begin_word(leading, PYTHON, c);
    } else if (!tw_is_ws(c)) {
        decide(leading, false);
    }
}

/* ---- words -------------------------------------------------------------- */

/* |c| ends the first word of a line or of a tag. */
static void end_word(tw_leading *leading, const tw_tools *tools, uint8_t c,
                     uint64_t offset)
{
    static const char *const argument[] = {"parameter", "arg_key", NULL};
    static const char *const naming[] = {
        "name", "tool", "to", "function", "tool_name", "function_name", NULL};
    static const char *const action[] = {
        "Action:", "Tool:",     "Function:", "action:",
        "tool:",   "function:", NULL};
    static const char *const shown[] = {"print", NULL};
    static const char *const escaped[] = {"lt", "gt", NULL};
    const bool escapes = leading->tag && (c == '&' || c == '\\');
    const bool name = is_name(leading, tools);
    if (c == '{' && tw_tools_count(tools) == 0) {
        leading->state = BRACE;
    } else if (leading->tag && !leading->behind &&
               is_one_of(leading, argument)) {
        decide(leading, c == '=' || c == '>' || c == ' ');
    } else if (leading->tag && c == ';' && is_one_of(leading, escaped)) {
        leading->state = FRESH;
    } else if ((name && (c == '>' || c == '"' || escapes ||
                         (leading->tag == TAG_NEW && c == ' '))) ||
               joins_names(leading, tools)) {
        decide(leading, true);
    } else if ((c == '=' || (leading->tag && c == '>')) &&
               is_one_of(leading, naming)) {
        leading->behind |= c == '>';
        begin_word(leading, ATTRIBUTE, 0);
    } else if (c == ' ' && is_one_of(leading, action)) {
        begin_word(leading, ACTION, 0);
    } else if (c == '(' && is_one_of(leading, shown)) {
        leading->state = FRESH;
    } else if (leading->tag && !name && c != 0 &&
               strchr(" >\n|&\\", c) != NULL) {
        leading->tag = c == ' ' || c == '|' || escapes ? TAG : 0;
        leading->behind |= c == '>'; /* a tag with another word is over */
        leading->state = FRESH;
    } else if (name || (c != 0 && strchr("\n{(", c) != NULL &&
                        holds_name(leading, tools))) {
        leading->tool =
            tw_tools_find(tools, leading->word, word_size(leading));
        leading->state = GAP;
        read_gap(leading, tools, c, offset);
    } else if (c == '[' && !leading->behind && tw_tools_count(tools) > 0) {
        begin_json(leading, c);
    } else if (c == ' ' && tw_tools_count(tools) > 0) {
        begin_word(leading, SECOND, 0);
    } else {
        read_skip(leading, tools, c, offset);
    }
}

static void end_keyword(tw_leading *leading, const tw_tools *tools, uint8_t c,
                        uint64_t offset)
{
    const bool declared = tw_tools_count(tools) > 0;
    /* NAME({...}), NAME((KEY=...)) */
    const bool object =
        declared && (c == '{' || (c == '(' && leading->tool != NULL));
    if (leading->size > 0 ? c == '=' : object) {
        decide(leading, true);
    } else if (c == ')' && leading->size == 0 && declared) {
        leading->state = CLOSED;
    } else if (!tw_is_ws(c)) {
        read_skip(leading, tools, c, offset);
    }
}

/* |c| ends a word that stands elsewhere. */
static void end_other(tw_leading *leading, const tw_tools *tools, uint8_t c,
                      uint64_t offset)
{
    static const char *const naming[] = {"tool", "to", "name", NULL};
    bool like = false;
    switch (leading->state) {
    case NEXT_WORD:
        like = is_name(leading, tools) ||
               begins_parameter(leading, tools, leading->tool, 0);
        break;
    case ATTRIBUTE:
        if (leading->size == 0 && (c == '"' || c == '\\')) {
            return;
        }
        if (leading->size == 0) {
            leading->tag = 0;
            leading->state = FRESH;
            read_fresh(leading, tools, c, offset);
            return;
        }
        like = holds_name(leading, tools);
        break;
    case SECOND:
        if (c == '=' && is_one_of(leading, naming)) {
            begin_word(leading, ATTRIBUTE, 0);
            return;
        }
        like = c == '{' && holds_name(leading, tools);
        break;
    case ACTION: like = c == '\n' && is_name(leading, tools); break;
    case PYTHON:
        if (c == '(' &&
            (tw_tools_count(tools) == 0 || holds_name(leading, tools))) {
            leading->tool =
                tw_tools_find(tools, leading->word, word_size(leading));
            begin_word(leading, KEYWORD, 0);
            return;
        }
        if (c == ']' && !leading->behind) { /* a marker */
            leading->state = FRESH;
            return;
        }
        if (c == ' ' && tw_tools_count(tools) > 0) {
            leading->state = LIST; /* `[Calling NAME(...)]` */
            return;
        }
        like = joins_names(leading, tools);
        break;
    case KEYWORD: end_keyword(leading, tools, c, offset); return;
    default: /* SKIP_WORD */
        like = (c == '{' && holds_name(leading, tools)) ||
               (c == '(' && is_called(leading, tools));
    }
    if (like) {
        decide(leading, true);
    } else {
        read_skip(leading, tools, c, offset);
    }
}

static void read_word(tw_leading *leading, const tw_tools *tools, uint8_t c,
                      uint64_t offset)
{
    static const char *const escaped[] = {"u003c", "u003e", NULL};
    if (tw_is_bare_name_byte(c)) {
        put(leading, c);
        leading->size = is_one_of(leading, escaped) ? 0 : leading->size;
    } else if (leading->state == WORD) {
        end_word(leading, tools, c, offset);
    } else {
        end_other(leading, tools, c, offset);
    }
}

static void read_byte(tw_leading *leading, const tw_tools *tools, uint8_t c,
                      uint64_t offset)
{
    switch (leading->state) {
    case FRESH: read_fresh(leading, tools, c, offset); break;
    case GAP: read_gap(leading, tools, c, offset); break;
    case NEXT: read_next(leading, tools, c, offset); break;
    case BRACE: decide(leading, c == '"'); break;
    case LIST: read_list(leading, tools, c); break;
    case CLOSED: decide(leading, c == '\n' || c == ',' || c == ']'); break;
    case JSON:
        if (leading->quote != 0) {
            read_string(leading, tools, c);
        } else {
            read_json(leading, tools, c);
        }
        break;
    case SKIP: read_skip(leading, tools, c, offset); break;
    default: read_word(leading, tools, c, offset);
    }
}

/* ---- life --------------------------------------------------------------- */

void tw_leading_reset(tw_leading *leading)
{
    memset(leading, 0, sizeof *leading);
}

/* May |c| begin something behind prose, or end a word that does? */
static bool breaks_prose(char c)
{
    return c == '{' || c == '[' || c == '(' || c == '\n';
}

/* How many bytes of a line's prose begin nothing.  A word at their end may. */
static size_t prose_at(const tw_leading *leading, const char *text,
                       size_t size)
{
    const size_t left = TW_LEADING_SIZE - (size_t)leading->seen;
    size_t to = 0;
    while (to < size && to < left && !breaks_prose(text[to])) {
        to++;
    }
    while (to > 0 && tw_is_bare_name_byte((uint8_t)text[to - 1])) {
        to--;
    }
    return to;
}

void tw_leading_text(tw_leading *leading, const tw_tools *tools,
                     const tw_event *event)
{
    for (size_t i = 0; i < event->size && tw_leading_waits(leading); i++) {
        if (leading->state == SKIP) {
            const size_t prose =
                prose_at(leading, event->data + i, event->size - i);
            leading->seen = (uint8_t)(leading->seen + prose);
            i += prose;
            if (i == event->size) {
                break;
            }
        }
        const bool call = leading->state == JSON;
        if ((!call || has_all(leading, HAS_ODD)) &&
            leading->seen++ == TW_LEADING_SIZE) {
            decide(leading, call && is_call(leading));
        } else {
            read_byte(leading, tools, (uint8_t)event->data[i],
                      event->offset + i);
        }
    }
}

bool tw_leading_end(tw_leading *leading, const tw_tools *tools)
{
    if (tw_leading_waits(leading)) {
        read_byte(leading, tools, '\n', 0);
    }
    if (tw_leading_waits(leading)) {
        decide(leading, (leading->state == NEXT && leading->tool != NULL) ||
                            (leading->state == JSON && is_call(leading)));
    }
    return leading->state == TW_LEADING_LIKE;
}

void tw_leading_other(tw_leading *leading, const tw_tools *tools,
                      const tw_event *event)
{
    if (event->type == TW_EVENT_CALL_END && !tw_leading_end(leading, tools)) {
        tw_leading_reset(leading);
    }
}
