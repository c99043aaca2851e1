/* SPDX-License-Identifier: MIT
 *
 * Is there a call behind `<tool_call>`, and of which family?
 */
#include "formats/hermes_head.h"

#include <string.h>

/* Prose in front of the object; only where a line end follows the tag. */
enum { PROSE_LIMIT = 64 };

typedef struct head_reader {
    const tw_hermes_wire *wire;
    const tw_window *window;
    tw_sink *sink; /* NULL: silent */
    const uint8_t *at;
    bool line_end; /* one follows the tag directly */
    bool first;    /* the byte behind the tag */
    tw_hermes_head head;
} head_reader;

static void diagnose(const head_reader *reader, uint32_t code,
                     const uint8_t *at)
{
    if (reader->sink != NULL) {
        tw_sink_diagnostic(reader->sink, code,
                           tw_window_offset(reader->window, at));
    }
}

static bool ends(head_reader *reader, tw_hermes_head_kind kind,
                 const uint8_t *body)
{
    reader->head.kind = kind;
    reader->head.body = body;
    return true;
}

/* The prose is a name and blanks: GLM writes that. */
static bool is_glm_name(head_reader *reader)
{
    const uint8_t *from = reader->head.junk;
    const uint8_t *to = reader->at;
    while (to > from && tw_hermes_is_blank(to[-1])) {
        to--;
    }
    for (const uint8_t *at = from; at < to; at++) {
        if (!tw_hermes_is_name(*at)) {
            return false;
        }
    }
    reader->head.name = from;
    reader->head.name_size = (size_t)(to - from);
    return true;
}

static bool read_tag(head_reader *reader)
{
    size_t size = 0;
    const bool prose = reader->head.junk != NULL;
    const bool glm = prose && is_glm_name(reader);
    const tw_hermes_tag tag =
        tw_hermes_tag_at(reader->wire, reader->window, reader->at, &size);
    const uint8_t *behind = reader->at + size;
    switch (tag) {
    case TW_HERMES_MORE: return ends(reader, TW_HERMES_HEAD_MORE, NULL);
    case TW_HERMES_ARG_KEY:
        return ends(reader, glm ? TW_HERMES_HEAD_GLM : TW_HERMES_HEAD_NONE,
                    behind);
    case TW_HERMES_FUNCTION:
        return ends(reader, prose ? TW_HERMES_HEAD_NONE : TW_HERMES_HEAD_CODER,
                    behind);
    case TW_HERMES_CALL_END:
        return ends(reader, prose ? TW_HERMES_HEAD_NONE : TW_HERMES_HEAD_EMPTY,
                    behind);
    case TW_HERMES_STOP:
        return ends(reader, prose ? TW_HERMES_HEAD_NONE : TW_HERMES_HEAD_CUT,
                    reader->at);
    case TW_HERMES_CALL:
        if (prose) {
            return ends(reader, TW_HERMES_HEAD_NONE, NULL);
        }
        diagnose(reader, TW_DIAGNOSTIC_DOUBLED_OPEN_TAG, reader->at);
        reader->head.loose = true;
        reader->line_end = false;
        reader->first = true;
        reader->at = reader->head.last = behind;
        return false;
    default: return ends(reader, TW_HERMES_HEAD_NONE, NULL);
    }
}

static bool read_object(head_reader *reader, const uint8_t *open)
{
    const uint8_t *junk = reader->head.junk;
    if (junk != NULL) {
        if (!reader->line_end) {
            return ends(reader, TW_HERMES_HEAD_NONE, NULL);
        }
        reader->head.fence =
            reader->at - junk >= 3 && memcmp(junk, "```", 3) == 0;
        reader->head.loose = true;
        diagnose(reader,
                 reader->head.fence ? TW_DIAGNOSTIC_CODE_FENCE
                                    : TW_DIAGNOSTIC_JUNK_BEFORE_OBJECT,
                 open);
    }
    return ends(reader, TW_HERMES_HEAD_JSON, reader->at);
}

/* A byte of prose, or an odd blank where none has begun. */
static bool read_prose(head_reader *reader)
{
    if (reader->head.junk == NULL) {
        size_t size;
        const tw_hermes_odd odd = tw_hermes_scan_odd(
            reader->at, reader->window->limit, reader->window->eof, &size);
        if (odd == TW_HERMES_ODD_MORE) {
            return ends(reader, TW_HERMES_HEAD_MORE, NULL);
        }
        if (odd != TW_HERMES_NOT_ODD) {
            diagnose(reader,
                     odd == TW_HERMES_BOM ? TW_DIAGNOSTIC_BOM
                                          : TW_DIAGNOSTIC_ODD_WHITESPACE,
                     reader->at);
            reader->head.loose = true;
            reader->at += size;
            return false;
        }
        reader->head.junk = reader->at;
    }
    reader->at++;
    const bool far = reader->at - reader->head.junk > PROSE_LIMIT;
    return (far || !(reader->line_end || is_glm_name(reader))) &&
           ends(reader, TW_HERMES_HEAD_NONE, NULL);
}

/* One step; true: it is decided. */
static bool read_byte(head_reader *reader, const uint8_t *open)
{
    const tw_window *window = reader->window;
    const bool prose = reader->head.junk != NULL;
    if (reader->at == window->limit) {
        return ends(reader,
                    !window->eof ? TW_HERMES_HEAD_MORE
                    : prose      ? TW_HERMES_HEAD_NONE
                                 : TW_HERMES_HEAD_CUT,
                    reader->at);
    }
    const uint8_t c = *reader->at;
    if (c == '<') {
        return read_tag(reader);
    }
    if (c == '{' || (c == '[' && !prose)) {
        return read_object(reader, open);
    }
    if (reader->first) {
        reader->line_end = c == '\n' || c == '\r';
        reader->first = false;
    }
    if (!prose && tw_hermes_is_blank(c)) {
        reader->at++;
        return false;
    }
    return read_prose(reader);
}

tw_hermes_head tw_hermes_head_at(const tw_hermes_wire *wire,
                                 const tw_window *window, const uint8_t *at,
                                 tw_sink *sink)
{
    const uint8_t *open = at - strlen(wire->open);
    head_reader reader = {wire, window, sink, at, false, true, {0}};
    bool decided = false;
    while (!decided && reader.at - open <= TW_HOLD_HEAD) {
        decided = read_byte(&reader, open);
    }
    if (!decided || (reader.head.kind == TW_HERMES_HEAD_NONE &&
                     reader.at - open > TW_HOLD_HEAD)) {
        ends(&reader, TW_HERMES_HEAD_FAR, reader.at);
    }
    reader.head.loose |= reader.head.kind == TW_HERMES_HEAD_CODER ||
                         reader.head.kind == TW_HERMES_HEAD_GLM;
    return reader.head;
}
