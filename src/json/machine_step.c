/* SPDX-License-Identifier: MIT
 *
 * The machine: a state, a byte for each open container, and for each lexeme of
 * grammar/json.re what it means there and how it is repaired.
 */
#include "json/machine.h"

#include <string.h>

#include "core/utf8.h"
#include "json/machine_state.h"
#include "json/number.h"
#include "json/advance.h"
#include "json/write.h"

void tw_json_init(tw_json *json, const tw_memory *memory, size_t depth_limit,
                  bool repairs)
{
    memset(json, 0, sizeof *json);
    json->memory = memory;
    json->repairs = repairs;
    tw_json_reset(json, depth_limit);
}

void tw_json_free(tw_json *json)
{
    tw_buffer_free(&json->levels, json->memory);
}

void tw_json_reset(tw_json *json, size_t depth_limit)
{
    json->state = VALUE;
    json->in_key = json->swallow = json->doubled = false;
    json->look = json->depth = json->floor = 0;
    json->limit = depth_limit;
    json->levels.size = 0;
}

bool tw_json_done(const tw_json *json)
{
    return json->state == DONE;
}

bool tw_json_in_string(const tw_json *json)
{
    return json->state == STRING;
}

bool tw_json_in_number(const tw_json *json)
{
    return json->state == NUMBER;
}

bool tw_json_at_number_end(const tw_json *json)
{
    return json->state == NUMBER && json->depth == 0 &&
           tw_number_may_end(json->number);
}

bool tw_json_closable(const tw_json *json, bool terminator)
{
    return json->state == AFTER || (terminator && json->state == NUMBER &&
                                    tw_number_may_end(json->number));
}

static uint8_t *top(tw_json *json)
{
    return &json->levels.data[json->depth - 1];
}

/* A value that is no string. */
static void value_ended(tw_json *json)
{
    json->quote = 0;
    json->state = json->depth > 0 ? AFTER : DONE;
}

static void pop(tw_json *json)
{
    json->swallow = (*top(json) & DOUBLED) != 0;
    json->depth--;
    json->levels.size--;
    value_ended(json);
}

const char *tw_json_add_closer(tw_json *json)
{
    const char *closer = (*top(json) & OBJECT) != 0 ? "}" : "]";
    pop(json);
    json->swallow = false;
    return closer;
}

/* ---- steps -------------------------------------------------------------- */

static void step_error(tw_json_step *step, const uint8_t *at, uint32_t code)
{
    step->kind = TW_JSON_STEP_ERROR;
    step->from = at;
    step->from_size = 0;
    step->text_size = 0;
    step->code = code;
}

/* [from, at) as it is. */
static void step_verbatim(tw_json_step *step, tw_json_kind kind,
                          const uint8_t *from, const uint8_t *at)
{
    step->kind = kind;
    step->from = from;
    step->from_size = (size_t)(at - from);
    step->text = (const char *)from;
    step->text_size = step->from_size;
}

/* [from, at) rewritten as |text|. */
static void step_rewritten(tw_json_step *step, tw_json_kind kind,
                           const uint8_t *from, const uint8_t *at,
                           const char *text, size_t size)
{
    step->kind = kind;
    step->from = from;
    step->from_size = (size_t)(at - from);
    step->text = text;
    step->text_size = size;
}

static void step_dropped(tw_json_step *step, const uint8_t *from,
                         const uint8_t *at, uint32_t code)
{
    step_rewritten(step, TW_JSON_STEP_PIECE, from, at, "", 0);
    step->code = code;
}

/* A repair: refused where repairs are off. */
static bool repair(const tw_json *json, tw_json_step *step,
                   const uint8_t *from, uint32_t code)
{
    if (!json->repairs) {
        step_error(step, from, TW_DIAGNOSTIC_SYNTAX_ERROR);
        return false;
    }
    const bool python = code == TW_DIAGNOSTIC_SINGLE_QUOTED ||
                        code == TW_DIAGNOSTIC_PYTHON_LITERALS;
    step->code = python && json->python ? 0 : code;
    return true;
}

/* ---- strings ------------------------------------------------------------ */

static void set_value(tw_json_step *step, const char *value, size_t size)
{
    step->value = value;
    step->value_size = size;
}

static void string_end(tw_json *json, tw_json_step *step, const uint8_t *from,
                       const uint8_t *at)
{
    step_rewritten(step, TW_JSON_STEP_STRING_END, from, at, "\"", 1);
    if (*from == '"') {
        step->text = (const char *)from;
    }
    json->state = json->in_key ? COLON : json->depth > 0 ? AFTER : DONE;
}

static void string_unicode(tw_json *json, tw_json_step *step,
                           const uint8_t *from, bool pair)
{
    uint32_t code = tw_json_hex_value(from + 2);
    if (pair) {
        code = tw_pair(code, tw_json_hex_value(from + 8));
    }
    set_value(step, json->spelling, tw_point_put(json->spelling, code));
}

static void string_control(tw_json *json, tw_json_step *step,
                           const uint8_t *from, const uint8_t *at)
{
    if (!repair(json, step, from, TW_DIAGNOSTIC_RAW_CONTROL)) {
        return;
    }
    if (json->raw_seen) {
        step->code = 0;
    }
    json->raw_seen = true;
    step_rewritten(step, TW_JSON_STEP_PIECE, from, at, json->spelling,
                   tw_json_escape(*from, json->spelling));
    set_value(step, (const char *)from, 1);
}

/* Python's \x41 at |from|; false: it is no such escape. */
static bool string_python_escape(tw_json *json, tw_view *view,
                                 tw_json_step *step, const uint8_t *from)
{
    enum { SIZE = 4, TEXT = 6 };
    const uint8_t *at = from + 1;
    if (!json->python || at == view->limit || *at != 'x') {
        return false;
    }
    at++;
    while (at < view->limit && at < from + SIZE && tw_json_is_hex(*at)) {
        at++;
    }
    if (at < from + SIZE) {
        const bool more = at == view->limit && !view->eof;
        step->kind = more ? TW_JSON_STEP_MORE : step->kind;
        view->at = more ? from : view->at;
        return more;
    }
    view->at = at;
    memcpy(json->spelling, "\\u00", TEXT - 2);
    memcpy(json->spelling + TEXT - 2, from + 2, 2);
    step_rewritten(step, TW_JSON_STEP_PIECE, from, at, json->spelling, TEXT);
    char *meaning = json->spelling + TEXT; /* of two bytes at most */
    set_value(step, meaning,
              tw_point_put(meaning, tw_json_hex_value(
                                        (const uint8_t *)json->spelling + 2)));
    return true;
}

static void string_bad_escape(tw_json *json, tw_json_step *step,
                              const uint8_t *from, const uint8_t *at)
{
    if (repair(json, step, from, TW_DIAGNOSTIC_BAD_ESCAPE)) {
        step_rewritten(step, TW_JSON_STEP_PIECE, from, at, "\\\\", 2);
        set_value(step, "\\", 1);
    }
}

/* \' : the backslash goes; between apostrophes that is no fault. */
static void string_escaped_apostrophe(tw_json *json, tw_json_step *step,
                                      const uint8_t *from, const uint8_t *at)
{
    if (repair(json, step, from, TW_DIAGNOSTIC_BAD_ESCAPE)) {
        if (json->quote == '\'') {
            step->code = 0;
        }
        step_rewritten(step, TW_JSON_STEP_PIECE, from, at, "'", 1);
        set_value(step, "'", 1);
    }
}

static void next_in_string(tw_json *json, tw_view *view, tw_json_step *step)
{
    const uint8_t *from = view->at;
    const tw_json_lexeme lexeme =
        tw_json_scan_string(&view->at, view->limit, view->eof);
    step_verbatim(step, TW_JSON_STEP_PIECE, from, view->at);
    set_value(step, step->text, step->text_size);
    switch (lexeme) {
    case TW_JSON_MORE: step->kind = TW_JSON_STEP_MORE; return;
    case TW_JSON_NOTHING: step->kind = TW_JSON_STEP_END; return;
    case TW_JSON_QUOTE:
    case TW_JSON_APOSTROPHE:
        if (*from == json->quote) {
            string_end(json, step, from, view->at);
        } else if (*from == '"') {
            step_rewritten(step, TW_JSON_STEP_PIECE, from, view->at, "\\\"",
                           2);
        }
        return;
    case TW_JSON_ESCAPE:
        json->spelling[0] = (char)tw_json_meanings[from[1]];
        set_value(step, json->spelling, 1);
        return;
    case TW_JSON_UNICODE: string_unicode(json, step, from, false); return;
    case TW_JSON_PAIR: string_unicode(json, step, from, true); return;
    case TW_JSON_LONE:
        step->code = TW_DIAGNOSTIC_LONE_SURROGATE;
        step->lone = true;
        return;
    case TW_JSON_CONTROL: string_control(json, step, from, view->at); break;
    case TW_JSON_BAD_ESCAPE:
        if (string_python_escape(json, view, step, from)) {
            return;
        }
        string_bad_escape(json, step, from, view->at);
        break;
    case TW_JSON_ESCAPED_APOSTROPHE:
        string_escaped_apostrophe(json, step, from, view->at);
        break;
    case TW_JSON_ILL_FORMED:
        if (repair(json, step, from, TW_DIAGNOSTIC_INVALID_UTF8)) {
            step_rewritten(step, TW_JSON_STEP_PIECE, from, view->at,
                           TW_REPLACEMENT, TW_REPLACEMENT_SIZE);
            set_value(step, TW_REPLACEMENT, TW_REPLACEMENT_SIZE);
        }
        break;
    default: return; /* a run */
    }
    if (step->kind == TW_JSON_STEP_ERROR) {
        view->at = from;
    }
}

/* ---- numbers ------------------------------------------------------------ */

static void next_in_number(tw_json *json, tw_view *view, tw_json_step *step)
{
    const uint8_t *from = view->at;
    bool ended = false;
    while (view->at < view->limit && !ended) {
        uint8_t number = json->number;
        ended = !tw_number_takes(&number, *view->at);
        if (!ended) {
            json->number = number;
            view->at++;
        }
    }
    if (view->at > from) {
        step_verbatim(step, TW_JSON_STEP_PIECE, from, view->at);
    } else if (!ended) {
        step->kind = view->eof ? TW_JSON_STEP_END : TW_JSON_STEP_MORE;
    } else if (tw_number_may_end(json->number)) {
        step_verbatim(step, TW_JSON_STEP_NUMBER_END, from, from);
        value_ended(json);
    } else {
        step_error(step, from, TW_DIAGNOSTIC_SYNTAX_ERROR);
    }
}

/* ---- between tokens ----------------------------------------------------- */

typedef enum follow {
    FOLLOW_MORE,
    FOLLOW_CLOSER,
    FOLLOW_OTHER,
    FOLLOW_FAR /* too many blanks to wait for it */
} follow;

/* What comes behind the comma at |at|, blanks of all kinds aside. */
static follow behind_comma(tw_json *json, const tw_view *view)
{
    const uint8_t *look = view->at + 1 + json->look;
    for (;;) {
        switch (tw_json_scan(&look, view->limit, view->eof)) {
        case TW_JSON_WS:
        case TW_JSON_NONSTANDARD_WS:
        case TW_JSON_BOM:
        case TW_JSON_LITERAL_WS:
            if (look - view->at > COMMA_HOLD) {
                return FOLLOW_FAR;
            }
            json->look = (size_t)(look - view->at) - 1;
            break;
        case TW_JSON_MORE: return FOLLOW_MORE;
        case TW_JSON_CLOSE_OBJECT:
            return (*top(json) & OBJECT) != 0 ? FOLLOW_CLOSER : FOLLOW_OTHER;
        case TW_JSON_CLOSE_ARRAY:
            return (*top(json) & ARRAY) != 0 ? FOLLOW_CLOSER : FOLLOW_OTHER;
        default: return FOLLOW_OTHER;
        }
    }
}

/* The comma at |at|.  Where it is a trailing one, the state stays AFTER. */
static void next_comma(tw_json *json, tw_view *view, tw_json_step *step)
{
    const follow found =
        json->repairs ? behind_comma(json, view) : FOLLOW_OTHER;
    if (found == FOLLOW_MORE) {
        step->kind = TW_JSON_STEP_MORE;
        return;
    }
    const uint8_t *from = view->at++;
    json->look = 0;
    if (found == FOLLOW_CLOSER) {
        step_dropped(step, from, view->at, TW_DIAGNOSTIC_TRAILING_COMMA);
        return;
    }
    step_verbatim(step, TW_JSON_STEP_PIECE, from, view->at);
    if (found == FOLLOW_FAR) {
        step->code = TW_DIAGNOSTIC_REPAIR_GIVEN_UP;
    }
    json->state = (*top(json) & OBJECT) != 0 ? KEY : VALUE;
}

static void next_open(tw_json *json, tw_view *view, tw_json_step *step,
                      uint8_t level)
{
    const uint8_t *from = view->at;
    if (json->state == FIRST_KEY && level == OBJECT && json->repairs &&
        (*top(json) & DOUBLED) == 0) {
        *top(json) |= DOUBLED;
        json->doubled = true;
        view->at++;
        step_dropped(step, from, view->at, TW_DIAGNOSTIC_DOUBLED_BRACES);
        return;
    }
    if (json->state != VALUE && json->state != FIRST_ELEMENT) {
        step_error(step, from, TW_DIAGNOSTIC_SYNTAX_ERROR);
        return;
    }
    if (json->depth >= json->limit) {
        step_error(step, from, TW_DIAGNOSTIC_LIMIT_DEPTH);
        return;
    }
    if (!tw_buffer_append(&json->levels, json->memory, &level, 1)) {
        step_error(step, from, TW_DIAGNOSTIC_NONE);
        return;
    }
    json->depth++;
    json->state = level == OBJECT ? FIRST_KEY : FIRST_ELEMENT;
    view->at++;
    step_verbatim(step, TW_JSON_STEP_OPEN, from, view->at);
}

static void next_close(tw_json *json, tw_view *view, tw_json_step *step,
                       uint8_t level)
{
    const bool due =
        json->state == AFTER ||
        json->state == (level == OBJECT ? FIRST_KEY : FIRST_ELEMENT);
    if (!due || json->depth == 0 || (*top(json) & level) == 0) {
        step_error(step, view->at, TW_DIAGNOSTIC_SYNTAX_ERROR);
        return;
    }
    const uint8_t *from = view->at++;
    pop(json);
    step_verbatim(step, TW_JSON_STEP_CLOSE, from, view->at);
}

static void next_string(tw_json *json, tw_view *view, tw_json_step *step)
{
    const uint8_t *from = view->at;
    json->in_key = json->state == KEY || json->state == FIRST_KEY;
    if (!json->in_key && json->state != VALUE &&
        json->state != FIRST_ELEMENT) {
        step_error(step, from, TW_DIAGNOSTIC_SYNTAX_ERROR);
        return;
    }
    if (*from == '\'' &&
        !repair(json, step, from, TW_DIAGNOSTIC_SINGLE_QUOTED)) {
        return;
    }
    view->at++;
    json->quote = *from;
    json->state = STRING;
    json->raw_seen = false;
    const uint32_t code = step->code;
    step_rewritten(step, TW_JSON_STEP_STRING, from, view->at, "\"", 1);
    if (*from == '"') {
        step->text = (const char *)from;
    }
    step->code = code;
}

static void next_literal(tw_json *json, tw_view *view, tw_json_step *step,
                         const uint8_t *from, const char *python)
{
    step_verbatim(step, TW_JSON_STEP_LITERAL, from, view->at);
    if (python != NULL) {
        if (!repair(json, step, from, TW_DIAGNOSTIC_PYTHON_LITERALS)) {
            view->at = from;
            return;
        }
        step->text = python;
        step->text_size = strlen(python);
    }
    value_ended(json);
}

static void next_blank(tw_json *json, tw_view *view, tw_json_step *step,
                       const uint8_t *from, uint32_t code)
{
    if (repair(json, step, from, code)) {
        step_dropped(step, from, view->at, code);
    } else {
        view->at = from;
    }
}

static void next_token(tw_json *json, tw_view *view, tw_json_step *step)
{
    const uint8_t *from = view->at;
    const bool value_due =
        json->state == VALUE || json->state == FIRST_ELEMENT;
    if (!value_due && from < view->limit && *from >= 'A' && *from <= 'z' &&
        *from != '[' && *from != ']' && *from != '\\') {
        /* A word where none can stand, though it may not be whole. */
        step_error(step, from, TW_DIAGNOSTIC_SYNTAX_ERROR);
        return;
    }
    tw_json_lexeme lexeme = tw_json_scan(&view->at, view->limit, view->eof);
    switch (lexeme) {
    case TW_JSON_MORE: step->kind = TW_JSON_STEP_MORE; return;
    case TW_JSON_NOTHING: step->kind = TW_JSON_STEP_END; return;
    case TW_JSON_LT: step->kind = TW_JSON_STEP_LT; return;
    case TW_JSON_WS:
        step_verbatim(step, TW_JSON_STEP_PIECE, from, view->at);
        return;
    case TW_JSON_NONSTANDARD_WS:
        next_blank(json, view, step, from, TW_DIAGNOSTIC_ODD_WHITESPACE);
        return;
    case TW_JSON_BOM:
        next_blank(json, view, step, from, TW_DIAGNOSTIC_BOM);
        return;
    case TW_JSON_LITERAL_WS:
        next_blank(json, view, step, from, TW_DIAGNOSTIC_LITERAL_BACKSLASH_N);
        return;
    case TW_JSON_BOOLEAN:
    case TW_JSON_NULL: next_literal(json, view, step, from, NULL); return;
    case TW_JSON_PYTHON_TRUE:
        next_literal(json, view, step, from, "true");
        return;
    case TW_JSON_PYTHON_FALSE:
        next_literal(json, view, step, from, "false");
        return;
    case TW_JSON_PYTHON_NONE:
        next_literal(json, view, step, from, "null");
        return;
    default: break;
    }
    view->at = from;
    if (lexeme == TW_JSON_OPEN_OBJECT) {
        next_open(json, view, step, OBJECT);
    } else if (lexeme == TW_JSON_OPEN_ARRAY) {
        next_open(json, view, step, ARRAY);
    } else if (lexeme == TW_JSON_CLOSE_OBJECT) {
        next_close(json, view, step, OBJECT);
    } else if (lexeme == TW_JSON_CLOSE_ARRAY) {
        next_close(json, view, step, ARRAY);
    } else if (lexeme == TW_JSON_QUOTE || lexeme == TW_JSON_APOSTROPHE) {
        next_string(json, view, step);
    } else if (lexeme == TW_JSON_COMMA && json->state == AFTER) {
        next_comma(json, view, step);
    } else if (lexeme == TW_JSON_COLON && json->state == COLON) {
        view->at++;
        json->state = VALUE;
        step_verbatim(step, TW_JSON_STEP_PIECE, from, view->at);
    } else if (lexeme == TW_JSON_NUMBER && value_due) {
        json->state = NUMBER;
        json->number = TW_NUMBER_BEGIN;
        step_verbatim(step, TW_JSON_STEP_NUMBER, from, from);
    } else {
        step_error(step, from, TW_DIAGNOSTIC_SYNTAX_ERROR);
    }
}

static void next_one(tw_json *json, tw_view *view, tw_json_step *step)
{
    step->code = 0;
    step->lone = false;
    step->value_size = 0;
    step->text_size = 0;
    if (json->swallow) {
        if (view->at == view->limit) {
            step->kind = view->eof ? TW_JSON_STEP_END : TW_JSON_STEP_MORE;
            return;
        }
        json->swallow = false;
        if (*view->at == '}') {
            const uint8_t *from = view->at++;
            step_dropped(step, from, view->at, 0);
            return;
        }
    }
    if (json->state == STRING) {
        next_in_string(json, view, step);
    } else if (json->state == NUMBER) {
        next_in_number(json, view, step);
    } else {
        next_token(json, view, step);
    }
}

static bool is_verbatim(const tw_json_step *step)
{
    return step->kind >= TW_JSON_STEP_PIECE && step->code == 0 &&
           step->text == (const char *)step->from &&
           step->text_size == step->from_size;
}

void tw_json_next(tw_json *json, tw_view *view, tw_json_step *step)
{
    const uint8_t *begin = view->at;
    do {
        view->at = tw_json_advance(json, view->at, view->limit);
        next_one(json, view, step);
    } while (tw_json_in_bulk(json) && is_verbatim(step));
    const uint8_t *end =
        step->kind < TW_JSON_STEP_PIECE ? view->at : step->from;
    step->before = begin;
    step->before_size = (size_t)(end - begin);
}
