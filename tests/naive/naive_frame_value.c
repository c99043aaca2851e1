/* SPDX-License-Identifier: MIT
 *
 * Where the value of a parameter between tags ends (G1 with the nest of
 * tagged 1).
 */
#include "naive_frame_text.h"

#include <string.h>

/* --- markers that matter in a value ------------------------------------ */

typedef enum value_role {
    ROLE_NONE,
    ROLE_VALUE_CLOSE,
    ROLE_LOOSE_CLOSE, /* the close without its `>` */
    ROLE_CALL_CLOSE,
    ROLE_SECTION_CLOSE,
    ROLE_PARAMETER,
    ROLE_OWN, /* the tag that the value's close would close */
    ROLE_CALL,
    ROLE_SECTION,
    ROLE_STOP
} value_role;

typedef struct value_reader {
    frame_reader *reader;
    const frame_parameter *parameter;
    const char *closer;
    size_t begin;
    value_role nest[FRAME_NEST];
    size_t depth;
    size_t due;       /* where a parameter of a quoted call opens, or 0 */
    size_t mentioned; /* tags of its own that open no parameter */
    bool doubt;       /* what ends a call or a message stands in it */
    bool is_cdata;
} value_reader;

static const char *parameter_opener(const frame_reader *reader, size_t at)
{
    const frame_patterns *arguments = &reader->format->argument;
    const char *best = NULL;

    for (size_t i = 0; i < arguments->count; i++) {
        const char *opener = frame_opener(&arguments->items[i]);

        if (frame_starts(reader, at, opener) &&
            (!best || strlen(opener) > strlen(best)))
            best = opener;
    }
    return best;
}

/* `<parameter` of `</parameter>`, where no name goes on. */
static bool is_own_tag(const value_reader *value, size_t at)
{
    const frame_reader *reader = value->reader;
    const frame_pattern *pattern = value->parameter->pattern;
    const char *close = frame_closer(pattern, 0);
    size_t size = strlen(close);

    return size > 3 && strncmp(close, "</", 2) == 0 &&
           close[size - 1] == '>' && reader->text[at] == '<' &&
           reader->size - at >= size - 2 &&
           memcmp(reader->text + at + 1, close + 2, size - 3) == 0 &&
           !(at + size - 2 < reader->size &&
             frame_is_name_byte(reader->text[at + size - 2]));
}

/* The close of the call that is being read. */
static const char *call_close_at(const value_reader *value, size_t at)
{
    const frame_pattern *call = value->parameter->head->call;
    const char *closer = frame_closer(call, 0);

    return closer && frame_starts(value->reader, at, closer)
               ? closer
               : frame_message_end_at(value->reader, call, at);
}

/* A close of its section; what else stands behind the call in its pattern is
 * one, too. */
static const char *section_close_at(const value_reader *value, size_t at)
{
    const char *best = frame_section_close_at(value->reader, at), *closer;

    for (size_t n = 1;
         (closer = frame_closer(value->parameter->head->call, n)); n++)
        if (frame_starts(value->reader, at, closer) &&
            (!best || strlen(closer) > strlen(best)))
            best = closer;
    return best;
}

/* Openers of tagged calls, those behind a section's among them. */
const char *frame_inner_opener(const frame_pattern *call)
{
    const char *best = NULL;

    for (size_t i = 0; i < call->hole; i++) {
        const frame_part *part = &call->parts[i];

        if (part->kind == FRAME_HOLE)
            break;
        if (part->kind != FRAME_LAYOUT)
            best = part->text.data;
    }
    return best;
}

static const char *call_open_at(const frame_reader *reader, size_t at)
{
    const frame_patterns *calls = &reader->format->call;
    const char *best = NULL;

    for (size_t i = 0; i < calls->count; i++) {
        const char *words[2] = {frame_inner_opener(&calls->items[i]),
                                frame_opener(&calls->items[i])};

        if (!frame_is_tagged(reader->format, &calls->items[i]))
            continue;
        for (int n = 0; n < 2; n++)
            if (words[n] && frame_starts(reader, at, words[n]) &&
                (!best || strlen(words[n]) > strlen(best)))
                best = words[n];
    }
    return best;
}

static void take(const char *word, value_role role, const char **best,
                 value_role *which)
{
    if (word && (!*best || strlen(word) > strlen(*best))) {
        *best = word;
        *which = role;
    }
}

static value_role role_at(const value_reader *value, size_t at, size_t *size)
{
    const frame_reader *reader = value->reader;
    const frame_pattern *pattern = value->parameter->pattern;
    size_t closer = strlen(value->closer);
    const char *best = NULL;
    value_role role = ROLE_NONE;

    if (frame_starts(reader, at, value->closer))
        take(value->closer, ROLE_VALUE_CLOSE, &best, &role);
    take(call_close_at(value, at), ROLE_CALL_CLOSE, &best, &role);
    take(section_close_at(value, at), ROLE_SECTION_CLOSE, &best, &role);
    take(parameter_opener(reader, at), ROLE_PARAMETER, &best, &role);
    take(call_open_at(reader, at), ROLE_CALL, &best, &role);
    take(frame_section_word_at(reader, at), ROLE_SECTION, &best, &role);
    take(frame_stop_at(reader, at), ROLE_STOP, &best, &role);
    *size = frame_size(reader, at, best);
    if (role == ROLE_NONE && pattern->parts[0].kind == FRAME_MARKER &&
        value->closer[closer - 1] == '>' &&
        memchr(pattern->parts[0].text.data, '=',
               pattern->parts[0].text.size) &&
        reader->size - at >= closer - 1 &&
        memcmp(reader->text + at, value->closer, closer - 1) == 0) {
        *size = closer - 1;
        role = ROLE_LOOSE_CLOSE;
    } else if (role == ROLE_NONE && !value->is_cdata &&
               is_own_tag(value, at)) {
        *size = 1;
        role = ROLE_OWN;
    }
    return role;
}

/* --- what follows a close ---------------------------------------------- */

static size_t skip(const frame_reader *reader, size_t at)
{
    size_t end = frame_skip(reader, at);

    return end - at > FRAME_LOOK ? at + FRAME_LOOK : end;
}

static bool is_expected(const value_reader *value, const naive_bytes *key)
{
    const frame_parameter *parameter = value->parameter;
    const naive_tree *properties =
        naive_tree_get(parameter->tool, "properties");

    if (!naive_tree_get(properties, key->data))
        return false;
    for (size_t i = 0; i < parameter->keys->count; i++)
        if (strcmp(parameter->keys->children[i].text.data, key->data) == 0)
            return false;
    return true;
}

/* The opening of a declared parameter that was not given yet. */
static bool expected_parameter_at(const value_reader *value, size_t at)
{
    const frame_pattern *which;
    frame_match match;
    bool expected;

    frame_match_parameter(value->reader, at, &which, &match);
    expected = match.answer == FRAME_YES &&
               is_expected(value, &match.holes[HOLE_KEY]);
    frame_match_release(&match);
    return expected;
}

/* The same of one that lacks the marker in front of its key. */
static bool bare_parameter_at(const value_reader *value, size_t at)
{
    const frame_pattern *which;
    frame_match match = {0};
    bool expected;

    frame_match_bare_key(value->reader, at, value->parameter->tool, &which,
                         &match);
    expected = match.answer == FRAME_YES &&
               is_expected(value, &match.holes[HOLE_KEY]);
    frame_match_release(&match);
    return expected;
}

static bool opens_at(const frame_reader *reader, size_t at)
{
    return frame_section_word_at(reader, at) || call_open_at(reader, at) ||
           frame_open_token_at(reader, at);
}

/* The whole end follows a close of the call: its section's, and the end, a
 * stop or, where |others|, another section. */
static bool whole_tail(const value_reader *value, size_t at, bool others)
{
    const frame_reader *reader = value->reader;
    const char *close;

    for (int i = 0; i < 2; i++) {
        at = skip(reader, at);
        close = section_close_at(value, at);
        at += frame_size(reader, at, close);
    }
    at = skip(reader, at);
    at += frame_end_marker_at(reader, at);
    at = skip(reader, at);
    return at == reader->size || frame_stop_at(reader, at) ||
           (others && opens_at(reader, at));
}

/* The value's own close follows in reach behind |at|, and nothing that ends the
 * call stands in front of that. */
static bool is_quoted(const value_reader *value, size_t at)
{
    const size_t from = at;
    size_t size;

    for (; at < value->reader->size && at - from <= FRAME_HEAD; at++)
        switch (role_at(value, at, &size)) {
        case ROLE_VALUE_CLOSE: return true;
        case ROLE_CALL_CLOSE:
        case ROLE_SECTION_CLOSE:
        case ROLE_CALL:
        case ROLE_SECTION:
        case ROLE_STOP: return false;
        default: break;
        }
    return false;
}

/* Does what stands behind a close show that it closed the value? */
static bool closes(const value_reader *value, size_t at, bool nested, bool own)
{
    const frame_reader *reader = value->reader;

    at = skip(reader, at);
    if (at == reader->size || frame_stop_at(reader, at))
        return true;
    if (call_close_at(value, at))
        return !nested ||
               whole_tail(value,
                          at + frame_size(reader, at,
                                          call_close_at(value, at)),
                          !own);
    if (section_close_at(value, at))
        return !nested || !own;
    if (nested)
        return !own && expected_parameter_at(value, at);
    return parameter_opener(reader, at) || opens_at(reader, at) ||
           (frame_outside_at(reader, at) && !is_quoted(value, at)) ||
           bare_parameter_at(value, at);
}

/* The same of a close that is spelled loosely: a repair must be certain. */
static bool closes_surely(const value_reader *value, size_t at)
{
    const frame_reader *reader = value->reader;
    const size_t next = skip(reader, at);
    const char *close = call_close_at(value, next);
    const frame_pattern *which;
    frame_match match = {0};
    bool found;

    if (close) {
        at = skip(reader, next + frame_size(reader, next, close));
        return at == reader->size || frame_stop_at(reader, at) ||
               section_close_at(value, at) || opens_at(reader, at) ||
               frame_outside_at(reader, at);
    }
    if (!parameter_opener(reader, next))
        return closes(value, at, false, false);
    frame_match_parameter(reader, next, &which, &match);
    found = match.answer == FRAME_YES;
    frame_match_release(&match);
    return found;
}

/* --- the end of a value ------------------------------------------------ */

static bool writes_lines(const value_reader *value)
{
    const frame_pattern *pattern = value->parameter->pattern;
    const frame_pattern *call = value->reader->call;

    return strchr(frame_layout(pattern, pattern->count - 1), '\n') ||
           (call->hole > 0 &&
            strchr(frame_layout(call, call->hole - 1), '\n'));
}

/* Where the format writes its tags: at a line's begin, or anywhere if they
 * are tokens or it has no line feeds. */
static bool stands_well(const value_reader *value, size_t at)
{
    const frame_description *format = value->reader->format;
    const frame_pattern *pattern = value->parameter->pattern;

    if (frame_is_token(format, frame_opener(pattern)) || !writes_lines(value))
        return true;
    return at == value->begin || value->reader->text[at - 1] == '\n';
}

static bool push(value_reader *value, value_role role)
{
    if (value->depth < FRAME_NEST)
        value->nest[value->depth++] = role;
    return false;
}

static bool found(frame_value_end *out, size_t end, size_t next,
                  const char *note)
{
    *out = (frame_value_end){true, end, next, note};
    return true;
}

static bool mention(value_reader *value, size_t at)
{
    value->mentioned += !value->is_cdata && is_own_tag(value, at);
    return false;
}

/* A close of the call stands in front of the next close of a value, in reach
 * behind |at|. */
static bool is_unclosed(value_reader *value, size_t at)
{
    const size_t from = at;
    size_t size;

    for (; at < value->reader->size && at - from <= FRAME_HEAD; at++) {
        value_role role = role_at(value, at, &size);

        if (role == ROLE_VALUE_CLOSE)
            return false;
        if (role == ROLE_CALL_CLOSE || role == ROLE_SECTION_CLOSE)
            return true;
    }
    return false;
}

/* Another parameter opens where the value's close is missing. */
static bool ends_value(value_reader *value, const frame_pattern *which,
                       size_t at, size_t behind)
{
    const frame_words *tokens = &value->reader->format->tokens;
    const naive_tree *declared =
        naive_tree_get(value->parameter->tool, "properties");

    if (value->depth || value->is_cdata)
        return false;
    if (declared && declared->count > 0)
        return expected_parameter_at(value, at);
    for (size_t i = 0; i < tokens->count; i++)
        if (strcmp(tokens->items[i], frame_opener(which)) == 0)
            return true;
    return is_unclosed(value, behind);
}

/* A parameter of a quoted call follows at |at|: it counts wherever it stands.
 */
static bool look_due(value_reader *value, size_t at)
{
    size_t size;

    at = skip(value->reader, at);
    value->due =
        at < value->reader->size && role_at(value, at, &size) == ROLE_PARAMETER
            ? at
            : 0;
    return value->due > 0;
}

static bool judge_parameter(value_reader *value, size_t at, size_t size,
                            frame_value_end *out, size_t *passed)
{
    const frame_pattern *which;
    frame_match match;
    bool opens;

    if (!stands_well(value, at) && at != value->due)
        return mention(value, at);
    frame_match_parameter(value->reader, at, &which, &match);
    opens = match.answer == FRAME_YES &&
            (!value->is_cdata ||
             frame_starts(value->reader, match.end, "<![CDATA["));
    *passed = opens ? match.end - at : size;
    frame_match_release(&match);
    if (!opens)
        return mention(value, at);
    if (ends_value(value, which, at, at + *passed))
        return found(out, at, at, "missing_value_close");
    return push(value, ROLE_VALUE_CLOSE);
}

static bool judge_opener(value_reader *value, value_role role, size_t at,
                         size_t size)
{
    frame_reader *reader = value->reader;
    frame_head head;
    bool opens;

    frame_read_head(reader,
                    role == ROLE_SECTION ? frame_skip(reader, at + size) : at,
                    true, &head);
    opens = head.answer == FRAME_YES && frame_opener(head.call);
    if (opens && !look_due(value, head.body))
        opens = stands_well(value, at);
    frame_head_release(&head);
    if (opens)
        push(value, role == ROLE_CALL ? ROLE_CALL_CLOSE : ROLE_SECTION_CLOSE);
    return false;
}

/* `</parameter` and at most 16 bytes, then `>` or a line end. */
static bool judge_loose(value_reader *value, size_t at, size_t size,
                        frame_value_end *out)
{
    const frame_reader *reader = value->reader;
    size_t end = at + size;

    while (end < reader->size && end - at - size < 16 &&
           ((frame_is_name_byte(reader->text[end]) &&
             !strchr("-.:", reader->text[end])) ||
            reader->text[end] == ' '))
        end++;
    if (end < reader->size && reader->text[end] == '>')
        end++;
    else if (end == reader->size ||
             (reader->text[end] != '\r' && reader->text[end] != '\n'))
        return false;
    return closes(value, end, false, false) &&
           found(out, at, end, "loose_marker");
}

static bool judge_value_close(value_reader *value, size_t at, size_t size,
                              frame_value_end *out)
{
    value_role top = value->depth ? value->nest[value->depth - 1] : ROLE_NONE;
    size_t next = skip(value->reader, at + size);
    const bool loose = size > strlen(value->closer) && value->depth == 0;

    if (loose ? closes_surely(value, at + size)
              : closes(value, at + size, value->depth > 0,
                       top == ROLE_VALUE_CLOSE))
        return found(out, at, at + size, NULL);
    if (value->depth == 0 && value->mentioned == 0 &&
        frame_starts(value->reader, next, value->closer) &&
        closes(value, next + frame_size(value->reader, next, value->closer),
               false, false))
        return found(out, at, at + size, NULL); /* written twice (D4) */
    if (top == ROLE_VALUE_CLOSE) {
        value->depth--;
        look_due(value, at + size);
    } else if (value->depth == 0 && value->mentioned) {
        value->mentioned--;
    }
    frame_diagnose(value->reader, "closer_in_value", at);
    return false;
}

/* A close of call or section in a value that was not closed. */
static bool judge_outer_close(value_reader *value, value_role role, size_t at,
                              size_t size, frame_value_end *out)
{
    if (value->depth && value->nest[value->depth - 1] == role) {
        value->depth--;
        return false;
    }
    if (value->depth)
        return false;
    if (!value->doubt && whole_tail(value, at + size, false))
        return found(out, at, at, "missing_value_close");
    value->doubt = true;
    return false;
}

/* Does a message of its own begin, where those of calls have no other end? */
static bool begins_message(const value_reader *value, size_t at)
{
    const frame_description *format = value->reader->format;

    return !frame_closer(value->parameter->head->call, 0) &&
           format->calls.count == 0 &&
           frame_is_token(format, format->between) &&
           frame_outside_at(value->reader, at);
}

/* A tag behind the tokens of an opener opens by itself, too. */
static size_t first_marker(const frame_reader *reader, size_t at, size_t size)
{
    const frame_words *tokens = &reader->format->tokens;

    for (size_t i = 1; i < size; i++) {
        bool tag = reader->text[at + i] == '<';

        for (size_t n = 0; n < tokens->count; n++)
            tag = tag && !frame_starts(reader, at + i, tokens->items[n]);
        if (tag)
            return i;
    }
    return size;
}

/* |*passed|: how much of a value that goes on is passed. */
static bool judge(value_reader *value, value_role role, size_t at,
                  size_t *passed, frame_value_end *out)
{
    const size_t size = *passed;

    switch (role) {
    case ROLE_VALUE_CLOSE: return judge_value_close(value, at, size, out);
    case ROLE_LOOSE_CLOSE: return judge_loose(value, at, size, out);
    case ROLE_CALL_CLOSE:
    case ROLE_SECTION_CLOSE:
        return judge_outer_close(value, role, at, size, out);
    case ROLE_PARAMETER:
        return judge_parameter(value, at, size, out, passed);
    case ROLE_OWN: return mention(value, at);
    case ROLE_CALL: *passed = first_marker(value->reader, at, size);
    /* fall through */
    case ROLE_SECTION: return judge_opener(value, role, at, size);
    default: return false; /* a stop in a value is text */
    }
}

frame_value_end frame_find_value_end(frame_reader *reader,
                                     const frame_parameter *parameter,
                                     size_t at, const char *closer)
{
    value_reader value = {.reader = reader,
                          .parameter = parameter,
                          .closer = closer,
                          .begin = at,
                          .is_cdata = closer[0] == ']'};
    frame_value_end out = {false, reader->size, reader->size, NULL};

    while (at < reader->size) {
        size_t size;
        value_role role = role_at(&value, at, &size);

        bool begins = begins_message(&value, at);

        if ((role != ROLE_NONE || begins) &&
            frame_is_quoted(reader, parameter->types, value.begin, at,
                            role != ROLE_OWN && role != ROLE_LOOSE_CLOSE)) {
            if (role == ROLE_VALUE_CLOSE)
                frame_diagnose(reader, "closer_in_value", at);
            at += role == ROLE_NONE ? 1 : size;
            continue;
        }
        value.doubt |= value.depth == 0 && (begins || role == ROLE_STOP);
        if (role != ROLE_NONE && judge(&value, role, at, &size, &out))
            return out;
        at += role == ROLE_NONE ? 1 : size;
    }
    reader->in_value = true;
    return out;
}
