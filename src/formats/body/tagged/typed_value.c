/* SPDX-License-Identifier: MIT
 *
 * What a value between tags is (docs/rules.md G3, G4): a string goes out as it
 * comes, so does a container that was announced, and anything else is held
 * until its end tells.
 */
#include "formats/body/tagged/typed.h"

#include <string.h>

#include "core/ascii.h"
#include "core/skip.h"
#include "core/utf8.h"
#include "formats/body/opening.h"
#include "formats/body/python/value.h"
#include "json/write.h"
#include "events/tools.h"

enum state { STRING, HELD, JSON, BROKEN };

enum {
    CONTAINERS = TW_TYPE_OBJECT | TW_TYPE_ARRAY | TW_TYPE_ANY,
    SCALARS = TW_TYPE_NUMBER | TW_TYPE_INTEGER | TW_TYPE_BOOLEAN
};

void tw_typed_init(tw_typed *value, tw_open_call *call,
                   const tw_description *format)
{
    memset(value, 0, sizeof *value);
    value->call = call;
    value->format = format;
    value->level = 1;
    tw_json_init(&value->json, call->memory, 1, true);
}

void tw_typed_free(tw_typed *value)
{
    tw_json_free(&value->json);
    tw_buffer_free(&value->hold, value->call->memory);
    tw_buffer_free(&value->text, value->call->memory);
}

static void keep(tw_typed *value, const uint8_t *from, size_t size)
{
    if (!tw_buffer_append(&value->hold, value->call->memory, from, size)) {
        tw_open_call_no_memory(value->call);
    }
}

/* ---- going out ---------------------------------------------------------- */

static void emit(tw_typed *value, const void *text, size_t size,
                 uint64_t offset)
{
    if (value->aside != NULL) {
        if (!tw_buffer_append(value->aside, value->call->memory, text, size)) {
            tw_open_call_no_memory(value->call);
        }
    } else if (value->call->fail == 0) {
        tw_arguments_text(&value->call->arguments, text, size, offset, true);
    }
}

static void diagnose(tw_typed *value, uint32_t code)
{
    tw_sink_diagnostic(value->call->sink, code, value->begin);
}

/* What is held is the string so far. */
static void emit_held(tw_typed *value)
{
    const char *data = (const char *)value->hold.data;
    if (!tw_utf8_is_valid(data, value->hold.size)) {
        diagnose(value, TW_DIAGNOSTIC_INVALID_UTF8);
    }
    value->text.size = 0;
    if (!tw_json_write_raw(&value->text, value->call->memory, data,
                           value->hold.size)) {
        tw_open_call_no_memory(value->call);
    }
    emit(value, value->text.data, value->text.size, value->begin);
    value->hold.size = 0;
}

/* The value is a string, of which some may be held. */
static void become_string(tw_typed *value)
{
    emit(value, "\"", 1, value->begin);
    emit_held(value);
    value->state = STRING;
}

static size_t put_string(tw_typed *value, const uint8_t *from, size_t size,
                         bool open)
{
    tw_open_call *call = value->call;
    if (call->arguments.fail != 0) {
        return size;
    }
    const size_t taken =
        tw_sink_arguments_raw(call->sink, call->index, from, size, open);
    if (call->sink->overflow) {
        call->arguments.fail = TW_DIAGNOSTIC_LIMIT_ARGUMENTS;
        call->arguments.fail_at = call->sink->overflow_at;
    }
    return taken;
}

/* ---- JSON that streams -------------------------------------------------- */

static void broken(tw_typed *value, uint32_t code, uint64_t offset)
{
    value->state = BROKEN;
    value->code = code;
    value->broken_at = offset;
    value->hold.size = 0;
}

/* A byte behind the whole value. */
static void read_behind(tw_typed *value, uint8_t c, uint64_t offset)
{
    const bool swallowed = value->json.swallow && c == '}';
    value->json.swallow = false;
    if (!swallowed && !tw_is_ws(c)) {
        broken(value, TW_DIAGNOSTIC_SYNTAX_ERROR, offset);
    }
}

/* Of the wire's own bytes, as many code points go out as the limit leaves,
 * wherever they lie. */
static void emit_step(tw_typed *value, const tw_json_step *step,
                      uint64_t offset, bool held)
{
    tw_arguments *arguments = &value->call->arguments;
    const bool run = step->text == (const char *)step->from;
    size_t size = step->text_size;
    if (held && run && size > tw_sink_arguments_left(value->call->sink)) {
        size = (size_t)tw_sink_arguments_left(value->call->sink);
        while (size > 0 && ((uint8_t)step->text[size] & 0xC0) == 0x80) {
            size--;
        }
        tw_arguments_text(arguments, step->text, size, offset, true);
        if (arguments->fail == 0) {
            arguments->fail = TW_DIAGNOSTIC_LIMIT_ARGUMENTS;
            arguments->fail_at = offset + size;
        }
        return;
    }
    tw_arguments_text(arguments, step->text, size, offset, held || !run);
}

/* Is this repair how the template spells containers, Python's repr()? */
static bool is_spelling(const tw_typed *value, uint32_t code)
{
    return value->format->values == TW_VALUES_REPR &&
           (code == TW_DIAGNOSTIC_SINGLE_QUOTED ||
            code == TW_DIAGNOSTIC_PYTHON_LITERALS);
}

/* As many bytes as make lexemes; returns how many. */
static size_t read_json(tw_typed *value, const uint8_t *from, size_t size,
                        uint64_t offset, bool held)
{
    tw_view view = {from, from + size, false};
    while (view.at < view.limit && value->state == JSON) {
        const uint64_t at = offset + (uint64_t)(view.at - from);
        tw_json_step step;
        if (tw_json_done(&value->json)) {
            read_behind(value, *view.at, at);
            view.at++;
            continue;
        }
        tw_json_next(&value->json, &view, &step);
        if (step.kind == TW_JSON_STEP_MORE || step.kind == TW_JSON_STEP_END) {
            break;
        }
        if (step.kind < TW_JSON_STEP_PIECE) {
            const bool error = step.kind == TW_JSON_STEP_ERROR;
            if (error && step.code == 0) {
                tw_open_call_no_memory(value->call);
            }
            broken(value,
                   error && step.code != 0 ? step.code
                                           : TW_DIAGNOSTIC_SYNTAX_ERROR,
                   at);
            break;
        }
        if (step.code != 0 && !is_spelling(value, step.code)) {
            tw_sink_diagnostic(value->call->sink, step.code, at);
        }
        emit_step(value, &step, offset + (uint64_t)(step.from - from), held);
    }
    return value->state == JSON ? (size_t)(view.at - from) : size;
}

static void put_json(tw_typed *value, const uint8_t *from, size_t size)
{
    if (value->hold.size == 0) {
        const uint64_t offset = tw_window_offset(value->call->window, from);
        const size_t read = read_json(value, from, size, offset, false);
        value->hold_at = offset + read;
        keep(value, from + read, size - read);
        return;
    }
    keep(value, from, size);
    const size_t read = read_json(value, value->hold.data, value->hold.size,
                                  value->hold_at, true);
    value->hold_at += read;
    if (value->state == JSON) {
        tw_buffer_drop(&value->hold, read);
    }
}

/* What is held begins with the container, behind |blanks|. */
static void become_json(tw_typed *value, size_t blanks)
{
    tw_json_reset(&value->json,
                  value->call->sink->limits.depth - value->level);
    value->state = JSON;
    tw_buffer_drop(&value->hold, blanks);
    value->hold_at = value->begin + blanks;
    const size_t read = read_json(value, value->hold.data, value->hold.size,
                                  value->hold_at, true);
    value->hold_at += read;
    if (value->state == JSON) {
        tw_buffer_drop(&value->hold, read);
    }
}

/* ---- what is held ------------------------------------------------------- */

/* Where the white space around what is held lies; each byte is looked at
 * once. */
static void measure(tw_typed *value)
{
    for (; value->seen < value->hold.size; value->seen++) {
        if (!tw_is_ws(value->hold.data[value->seen])) {
            value->last = value->seen + 1;
        }
        value->blanks += value->last == 0;
    }
}

static bool begins_word(const uint8_t *text, size_t size, const char *word)
{
    return size <= strlen(word) && memcmp(text, word, size) == 0;
}

/* What is held without the white space around it. */
static tw_piece inner_of(const tw_typed *value)
{
    return value->last == 0 ? (tw_piece){(const uint8_t *)"", 0}
                            : (tw_piece){value->hold.data + value->blanks,
                                         value->last - value->blanks};
}

static bool is_number_byte(uint8_t c)
{
    return tw_is_digit(c) || c == '-' || c == '+' || c == '.' ||
           (c | 0x20) == 'e';
}

/* May it become JSON of one of the types that are no string? */
static bool may_be_json(const tw_typed *value)
{
    const unsigned types = value->types;
    const bool any = (types & TW_TYPE_ANY) != 0;
    const uint8_t *text = value->hold.data;
    const size_t size = value->hold.size;
    switch (text[0]) {
    case '{': return any || (types & TW_TYPE_OBJECT) != 0;
    case '[': return any || (types & TW_TYPE_ARRAY) != 0;
    case 'n':
        return (any || (types & TW_TYPE_NULL) != 0) &&
               begins_word(text, size, "null");
    case 't':
    case 'f':
        return (any || (types & TW_TYPE_BOOLEAN) != 0) &&
               begins_word(text, size, text[0] == 't' ? "true" : "false");
    default:
        return (any || (types & (TW_TYPE_NUMBER | TW_TYPE_INTEGER)) != 0) &&
               (text[0] == '-' || tw_is_digit(text[0])) &&
               is_number_byte(text[size - 1]);
    }
}

/* Decides what the held bytes are, if they tell. */
static void look(tw_typed *value)
{
    measure(value);
    const size_t blanks = value->blanks;
    const uint8_t first = value->last == 0 ? 0 : value->hold.data[blanks];
    if (value->hold.size > TW_HOLD_VALUE) {
        diagnose(value, TW_DIAGNOSTIC_REPAIR_GIVEN_UP);
        become_string(value);
    } else if (value->hold.size == 0) {
        return;
    } else if ((value->types & TW_TYPE_STRING) != 0) {
        const tw_piece inner = inner_of(value);
        if (!may_be_json(value) &&
            !tw_typed_may_be_word(value, inner.from, inner.size)) {
            become_string(value);
        }
    } else if ((first == '{' || first == '[') &&
               (value->types & CONTAINERS) != 0 &&
               (value->types & SCALARS) == 0 &&
               value->format->entities != TW_ENTITIES_ALL) {
        become_json(value, blanks);
    }
}

static size_t put_held(tw_typed *value, const uint8_t *from, size_t size,
                       bool open)
{
    size_t whole = size;
    /* Only whole code points are held, so that the string may go on behind. */
    if (open) {
        const uint8_t *at = from + size;
        const uint8_t *least = size > 3 ? at - 3 : from;
        while (at > least && (at[-1] & 0xC0) == 0x80) {
            at--;
        }
        size_t last;
        if (at > least &&
            tw_utf8_next(at - 1, from + size, &last) == TW_UTF8_INCOMPLETE) {
            whole = (size_t)(at - 1 - from);
        }
    }
    /* A code point at a time, as it may come: how much is held when it is
     * decided must not be a matter of cuts. */
    size_t taken = 0;
    while (taken < whole && value->state == HELD) {
        size_t next;
        tw_utf8_next(from + taken, from + whole, &next);
        keep(value, from + taken, next);
        look(value);
        taken += next;
    }
    return taken;
}

/* ---- the value's end ---------------------------------------------------- */

/* The type of the text if all of it is strict JSON; 0: it is not. */
static unsigned json_type(tw_typed *value, const uint8_t *text, size_t size)
{
    tw_view view = {text, text + size, true};
    tw_json_step step = {.kind = TW_JSON_STEP_PIECE};
    tw_json *json = &value->json;
    if (size == 0) {
        return 0;
    }
    tw_json_reset(json, value->call->sink->limits.depth - value->level);
    json->repairs = false;
    while (step.kind >= TW_JSON_STEP_PIECE && !tw_json_done(json)) {
        tw_json_next(json, &view, &step);
    }
    if (step.kind == TW_JSON_STEP_ERROR && step.code == 0) {
        tw_open_call_no_memory(value->call);
    }
    const bool whole = (tw_json_done(json) || tw_json_at_number_end(json)) &&
                       view.at == view.limit;
    json->repairs = true;
    if (!whole) {
        return 0;
    }
    switch (text[0]) {
    case '{': return TW_TYPE_OBJECT;
    case '[': return TW_TYPE_ARRAY;
    case '"': return TW_TYPE_STRING;
    case 'n': return TW_TYPE_NULL;
    case 't':
    case 'f': return TW_TYPE_BOOLEAN;
    default: break;
    }
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '.' || (text[i] | 0x20) == 'e') {
            return TW_TYPE_NUMBER;
        }
    }
    return TW_TYPE_NUMBER | TW_TYPE_INTEGER;
}

/* A string is possible, too: exactly the other, or a string. */
static void end_either(tw_typed *value, const uint8_t *text, size_t size)
{
    const tw_word_pair *word =
        tw_typed_reads_words(value) ? tw_word_pair_of(text, size) : NULL;
    if (word != NULL && (value->types & word->type) != 0) {
        if (!tw_typed_is_python(value)) {
            diagnose(value, TW_DIAGNOSTIC_PYTHON_LITERALS);
        }
        emit(value, word->json, strlen(word->json), value->begin);
        return;
    }
    const unsigned type =
        size == value->hold.size ? json_type(value, text, size) : 0;
    const unsigned wanted = type | (type != 0 ? TW_TYPE_ANY : 0);
    if (type != TW_TYPE_STRING && (value->types & wanted) != 0) {
        emit(value, text, size, value->begin);
        return;
    }
    become_string(value);
    emit(value, "\"", 1, value->begin);
}

/* Where digits end, from |at| on. */
static size_t skip_digits(const uint8_t *text, size_t size, size_t at)
{
    while (at < size && tw_is_digit(text[at])) {
        at++;
    }
    return at;
}

static bool is_sign(const uint8_t *text, size_t size, size_t at)
{
    return at < size && (text[at] == '-' || text[at] == '+');
}

/* Puts `+5`, `007` or `.5` as JSON has it; false: the text is no number. */
static bool put_number(tw_typed *value, const uint8_t *text, size_t size)
{
    size_t from = is_sign(text, size, 0);
    const size_t point = skip_digits(text, size, from);
    size_t to = point;
    while (from + 1 < point && text[from] == '0') {
        from++;
    }
    if (to < size && text[to] == '.') {
        to = skip_digits(text, size, to + 1);
    }
    const bool whole = point > from;
    const bool digits = whole ? to != point + 1 : to > point + 1;
    if (digits && to < size && (text[to] | 0x20) == 'e') {
        const size_t exponent = to + 1 + is_sign(text, size, to + 1);
        to = skip_digits(text, size, exponent);
        to = to > exponent ? to : 0;
    }
    if (!digits || to != size) {
        return false;
    }
    diagnose(value, TW_DIAGNOSTIC_LOOSE_LITERAL);
    const char *front = text[0] == '-' ? "-0" : "0";
    const size_t zero = !whole; /* in front of the point */
    emit(value, front, strlen(front) - 1 + zero, value->begin);
    emit(value, text + from, size - from, value->begin);
    return true;
}

/* Puts the constant that a word in capitals is; false: the word is none. */
static bool put_capitals(tw_typed *value, const uint8_t *text, size_t size)
{
    static const char *const literals[][2] = {
        {"TRUE", "true"}, {"FALSE", "false"}, {"NULL", "null"}};
    for (size_t i = 0; i < sizeof literals / sizeof literals[0]; i++) {
        const char *json = literals[i][1];
        if (strlen(json) == size && memcmp(literals[i][0], text, size) == 0) {
            diagnose(value, TW_DIAGNOSTIC_LOOSE_LITERAL);
            emit(value, json, size, value->begin);
            return true;
        }
    }
    return false;
}

/* False: it is no Python literal. */
static bool emit_python(tw_typed *value, const uint8_t *text, size_t size)
{
    value->text.size = 0;
    const tw_python_literal_end found = tw_python_literal(
        &value->text, value->call->memory, (const char *)text, size,
        value->call->sink->limits.depth - value->level);
    if (found == TW_PYTHON_NO_MEMORY) {
        tw_open_call_no_memory(value->call);
    }
    if (found != TW_PYTHON_IS_LITERAL) {
        return false;
    }
    diagnose(value, TW_DIAGNOSTIC_PYTHON_LITERALS);
    emit(value, value->text.data, value->text.size, value->begin);
    return true;
}

/* No string is possible. */
static bool end_other(tw_typed *value, const uint8_t *text, size_t size)
{
    const tw_word_pair *word = tw_word_pair_of(text, size);
    if (json_type(value, text, size) != 0) {
        emit(value, text, size, value->begin);
        return true;
    }
    if (word != NULL) {
        if (!tw_typed_is_python(value)) {
            diagnose(value, TW_DIAGNOSTIC_PYTHON_LITERALS);
        }
        emit(value, word->json, strlen(word->json), value->begin);
        return true;
    }
    if (size > 0 && strchr("'\"(", text[0]) != NULL &&
        emit_python(value, text, size)) {
        return true;
    }
    if (put_number(value, text, size) || put_capitals(value, text, size)) {
        return true;
    }
    diagnose(value, TW_DIAGNOSTIC_TYPE_MISMATCH);
    become_string(value);
    emit(value, "\"", 1, value->begin);
    return true;
}

static bool end_held(tw_typed *value)
{
    const tw_piece inner = inner_of(value);
    const uint8_t *text = inner.from;
    const size_t size = inner.size;
    if ((value->types & TW_TYPE_STRING) != 0) {
        end_either(value, text, size);
        return true;
    }
    /* A container whose entities had to be decoded first. */
    if (size > 0 && (text[0] == '{' || text[0] == '[') &&
        (value->types & CONTAINERS) != 0 && (value->types & SCALARS) == 0) {
        become_json(value, value->blanks);
        return tw_typed_end(value, value->begin);
    }
    return end_other(value, text, size);
}

/* ---- from outside ------------------------------------------------------- */

void tw_typed_start(tw_typed *value, unsigned types, uint64_t begin)
{
    value->types = (uint8_t)types;
    value->begin = begin;
    value->hold.size = value->seen = value->blanks = value->last = 0;
    value->state = HELD;
    if (types == TW_TYPE_STRING) {
        become_string(value);
    }
}

void tw_typed_start_string(tw_typed *value, const void *text, size_t size,
                           uint64_t begin)
{
    value->types = TW_TYPE_STRING;
    value->begin = begin;
    value->hold.size = value->seen = value->blanks = value->last = 0;
    keep(value, text, size);
    become_string(value);
}

bool tw_typed_whole(tw_typed *value, unsigned types, const void *text,
                    size_t size, uint64_t begin)
{
    value->types = (uint8_t)types;
    value->begin = begin;
    value->hold.size = value->seen = value->blanks = value->last = 0;
    value->state = HELD;
    keep(value, text, size);
    measure(value);
    if (types == TW_TYPE_STRING) {
        become_string(value);
    }
    return tw_typed_end(value, begin);
}

bool tw_typed_is_text(const tw_typed *value)
{
    return value->state == STRING && value->call->fail == 0 &&
           value->call->arguments.fail == 0;
}

uint8_t tw_typed_in_string(const tw_typed *value)
{
    return value->state == JSON && value->call->fail == 0 &&
                   tw_json_in_string(&value->json)
               ? value->json.quote
               : 0;
}

size_t tw_typed_put(tw_typed *value, const uint8_t *from, size_t size,
                    bool open)
{
    if (value->call->fail != 0) {
        return size;
    }
    const size_t held =
        value->state == HELD ? put_held(value, from, size, open) : 0;
    from += held;
    size -= held;
    switch (size > 0 ? value->state : HELD) {
    case STRING: return held + put_string(value, from, size, open);
    case HELD: return held; /* what is left is half a code point */
    case JSON: put_json(value, from, size); break;
    default: break;
    }
    return held + size;
}

void tw_typed_put_byte(tw_typed *value, uint8_t c, uint64_t offset)
{
    char escaped[TW_JSON_ESCAPE_SIZE] = {(char)c};
    const size_t size = tw_json_escape(c, escaped);
    if (value->call->fail != 0) {
        return;
    }
    if (value->state == STRING) {
        escaped[0] = size > 0 ? escaped[0] : (char)c;
        emit(value, escaped, size > 0 ? size : 1, offset);
    } else if (value->state == HELD) {
        keep(value, &c, 1);
        look(value);
    }
}

bool tw_typed_end(tw_typed *value, uint64_t offset)
{
    if (value->call->fail != 0) {
        return true;
    }
    switch (value->state) {
    case STRING: emit(value, "\"", 1, offset); return true;
    case HELD: return end_held(value);
    case JSON:
        if (!tw_json_done(&value->json) || value->hold.size > 0) {
            broken(value, TW_DIAGNOSTIC_SYNTAX_ERROR, offset);
        }
        return value->state == JSON;
    default: return false;
    }
}
