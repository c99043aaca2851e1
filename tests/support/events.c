/* SPDX-License-Identifier: MIT
 *
 * Collects events, joins adjacent pieces, checks what holds of every stream,
 * and compares two streams.
 */
#include "events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grow(void *block, size_t *capacity, size_t needed, size_t each)
{
    if (needed <= *capacity) {
        return block;
    }
    size_t room = *capacity < 64 ? 64 : *capacity;
    while (room < needed) {
        room *= 2;
    }
    block = realloc(block, room * each);
    if (block == NULL) {
        abort();
    }
    *capacity = room;
    return block;
}

static size_t add_bytes(event_log *log, const char *data, size_t size)
{
    const size_t at = log->size;
    log->bytes = grow(log->bytes, &log->room, log->size + size + 1, 1);
    if (size > 0) {
        memcpy(log->bytes + at, data, size);
    }
    log->size += size;
    return at;
}

void event_log_free(event_log *log)
{
    free(log->events);
    free(log->bytes);
    memset(log, 0, sizeof *log);
}

void event_log_clear(event_log *log)
{
    log->count = log->size = 0;
    log->error = 0;
    log->error_offset = 0;
}

static bool is_piece(uint32_t type)
{
    return type == TW_EVENT_TEXT || type == TW_EVENT_REASONING ||
           type == TW_EVENT_CALL_ARGUMENTS || type == TW_EVENT_FRAMING;
}

static void add_event(event_log *log, const tw_event *event)
{
    event_record *last =
        log->count > 0 ? &log->events[log->count - 1] : NULL;
    if (last != NULL && is_piece(event->type) && last->type == event->type &&
        last->index == event->index &&
        last->data + last->size == log->size) {
        add_bytes(log, event->data, event->size);
        last->size += event->size;
        last->span += event->span;
        return;
    }
    log->events = grow(log->events, &log->capacity, log->count + 1,
                       sizeof *log->events);
    event_record *record = &log->events[log->count++];
    memset(record, 0, sizeof *record);
    record->type = event->type;
    record->index = event->index;
    record->code = event->code;
    record->flags = event->flags;
    record->offset = event->offset;
    record->span = event->span;
    record->id = add_bytes(log, event->id, event->id_size);
    record->id_size = event->id_size;
    record->data = add_bytes(log, event->data, event->size);
    record->size = event->size;
}

void event_log_drain(event_log *log, tw_decoder *decoder)
{
    const tw_event *event;
    int result;
    while ((result = tw_decoder_next(decoder, &event)) == 1) {
        add_event(log, event);
    }
    if (result < 0) {
        log->error = result;
        log->error_offset = tw_decoder_error(decoder)->offset;
    }
}

static void feed(event_log *log, tw_decoder *decoder, const char *data,
                 size_t size)
{
    char *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) {
        abort();
    }
    if (size > 0) {
        memcpy(copy, data, size);
    }
    if (log->error == 0) {
        const int result =
            tw_decoder_feed(decoder, copy, size, TW_MARK_UNKNOWN);
        if (result < 0) {
            log->error = result;
            log->error_offset = tw_decoder_error(decoder)->offset;
        } else {
            event_log_drain(log, decoder);
        }
    }
    free(copy);
}

static void feed_all(event_log *log, tw_decoder *decoder, const char *text,
                     size_t size, const feeding *how)
{
    size_t at = 0;
    for (size_t i = 0; at < size; i++) {
        size_t end = size;
        if (how->chunk > 0 && size - at > how->chunk) {
            end = at + how->chunk;
        } else if (how->chunk == 0 && i < how->cut_count) {
            end = how->cuts[i];
        }
        feed(log, decoder, text + at, end - at);
        at = end;
    }
}

static void finish(event_log *log, tw_decoder *decoder, tw_finish by)
{
    if (log->error == 0) {
        tw_decoder_finish(decoder, by);
        event_log_drain(log, decoder);
    }
}

void event_log_run(event_log *log, tw_decoder *decoder, const char *text,
                   size_t size, const feeding *how, const char *prompt,
                   size_t prompt_size)
{
    event_log_clear(log);
    tw_decoder_reset(decoder);
    if (prompt != NULL) {
        tw_decoder_set_prompt(decoder, prompt, prompt_size);
    }
    feed_all(log, decoder, text, size, how);
    finish(log, decoder, TW_FINISH_STOP);
}

void event_log_run_to(event_log *log, tw_decoder *decoder, const char *text,
                      size_t size, const feeding *how, tw_finish by)
{
    event_log_clear(log);
    tw_decoder_reset(decoder);
    feed_all(log, decoder, text, size, how);
    finish(log, decoder, by);
}

bool event_log_same(const event_log *a, const event_log *b)
{
    if (a->count != b->count || a->error != b->error ||
        a->error_offset != b->error_offset) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        const event_record *x = &a->events[i];
        const event_record *y = &b->events[i];
        if (x->type != y->type || x->index != y->index ||
            x->code != y->code || x->flags != y->flags ||
            x->offset != y->offset || x->span != y->span ||
            x->size != y->size || x->id_size != y->id_size ||
            (x->size > 0 && memcmp(a->bytes + x->data, b->bytes + y->data,
                                   x->size) != 0) ||
            (x->id_size > 0 && memcmp(a->bytes + x->id, b->bytes + y->id,
                                      x->id_size) != 0)) {
            return false;
        }
    }
    return true;
}

void event_log_print(const event_log *log)
{
    static const char *const names[] = {
        "?",         "text",        "reasoning", "call_begin", "arguments",
        "call_end", "unparsed",    "diagnostic", "framing",    "end"};
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        fprintf(stderr, "  %s", names[event->type]);
        if (event->index != TW_NO_INDEX) {
            fprintf(stderr, " index=%u", event->index);
        }
        fprintf(stderr, " code=%u flags=%u off=%llu span=%llu \"",
                event->code, event->flags,
                (unsigned long long)event->offset,
                (unsigned long long)event->span);
        for (size_t at = 0; at < event->size; at++) {
            const unsigned char c =
                (unsigned char)log->bytes[event->data + at];
            if (c < 32 || c >= 127) {
                fprintf(stderr, "\\x%02x", c);
            } else {
                fputc(c, stderr);
            }
        }
        fprintf(stderr, "\"\n");
    }
    fprintf(stderr, "  error %d at %llu\n", log->error,
            (unsigned long long)log->error_offset);
}

/* ---- what must hold ------------------------------------------------------ */

static size_t code_point(const unsigned char *at, size_t left)
{
    const unsigned char c = at[0];
    const size_t size = c < 0x80                ? 1
                        : c >= 0xC2 && c < 0xE0 ? 2
                        : c >= 0xE0 && c < 0xF0 ? 3
                        : c >= 0xF0 && c < 0xF5 ? 4
                                                : 0;
    if (size == 0 || size > left) {
        return 0;
    }
    for (size_t i = 1; i < size; i++) {
        if (at[i] < 0x80 || at[i] > 0xBF) {
            return 0;
        }
    }
    if ((c == 0xE0 && at[1] < 0xA0) || (c == 0xED && at[1] > 0x9F) ||
        (c == 0xF0 && at[1] < 0x90) || (c == 0xF4 && at[1] > 0x8F)) {
        return 0;
    }
    return size;
}

static bool is_utf8(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        const size_t step =
            code_point((const unsigned char *)text + at, size - at);
        if (step == 0) {
            return false;
        }
        at += step;
    }
    return true;
}

static const char *check_arguments(const event_log *log, uint32_t index,
                                   size_t end)
{
    char *text = NULL;
    size_t size = 0;
    size_t room = 0;
    bool custom = false;
    for (size_t i = 0; i < end; i++) {
        const event_record *event = &log->events[i];
        if (event->index != index) {
            continue;
        }
        if (event->type == TW_EVENT_CALL_BEGIN) {
            custom = (event->flags & TW_EVENT_CUSTOM) != 0;
        }
        if (event->type == TW_EVENT_CALL_ARGUMENTS) {
            text = grow(text, &room, size + event->size, 1);
            memcpy(text + size, log->bytes + event->data, event->size);
            size += event->size;
        }
    }
    const bool object = size > 0 && is_json_object(text, size);
    free(text);
    const bool complete = log->events[end].code == TW_CALL_COMPLETE;
    if (custom || object == complete) {
        return NULL;
    }
    return complete ? "a complete call's arguments are no JSON object"
                    : "a bad call's arguments are a JSON object";
}

const char *event_log_check(const event_log *log, size_t input_size)
{
    uint64_t at = 0;
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        const char *data = log->bytes + event->data;
        if (event->type != TW_EVENT_UNPARSED && event->size > 0 &&
            !is_utf8(data, event->size)) {
            return "not UTF-8";
        }
        if (event->type == TW_EVENT_UNPARSED && event->size > 0 &&
            event->size != event->span) {
            return "the raw text of a block is not its span";
        }
        if (event->span > 0) {
            if (event->offset != at) {
                return "the spans have a gap or overlap";
            }
            at += event->span;
        }
        if (event->type == TW_EVENT_CALL_END) {
            const char *wrong = check_arguments(log, event->index, i);
            if (wrong != NULL) {
                return wrong;
            }
        }
    }
    if (log->error != 0) {
        return NULL;
    }
    const event_record *last =
        log->count > 0 ? &log->events[log->count - 1] : NULL;
    if (last == NULL || last->type != TW_EVENT_END) {
        return "no END";
    }
    return last->offset == input_size && at == input_size
               ? NULL
               : "the spans do not add up to the input";
}

bool event_log_extends(const event_log *prefix, const event_log *whole)
{
    for (size_t i = 0; i < prefix->count; i++) {
        const event_record *x = &prefix->events[i];
        const event_record *y = &whole->events[i];
        if (i >= whole->count || x->type != y->type ||
            x->index != y->index || x->offset != y->offset) {
            return false;
        }
        const bool last = i + 1 == prefix->count && is_piece(x->type);
        if ((last ? x->size > y->size : x->size != y->size) ||
            memcmp(prefix->bytes + x->data, whole->bytes + y->data,
                   x->size) != 0) {
            return false;
        }
    }
    return true;
}

/* ---- JSON, by recursion -------------------------------------------------- */

typedef struct reader {
    const char *at;
    const char *end;
} reader;

static void blanks(reader *json)
{
    while (json->at < json->end &&
           (*json->at == ' ' || *json->at == '\t' || *json->at == '\r' ||
            *json->at == '\n')) {
        json->at++;
    }
}

static bool take(reader *json, char c)
{
    if (json->at < json->end && *json->at == c) {
        json->at++;
        return true;
    }
    return false;
}

static bool word(reader *json, const char *text)
{
    const size_t size = strlen(text);
    if ((size_t)(json->end - json->at) < size ||
        memcmp(json->at, text, size) != 0) {
        return false;
    }
    json->at += size;
    return true;
}

static bool string(reader *json)
{
    if (!take(json, '"')) {
        return false;
    }
    while (json->at < json->end && *json->at != '"') {
        const unsigned char c = (unsigned char)*json->at++;
        if (c < 0x20) {
            return false;
        }
        if (c != '\\') {
            continue;
        }
        if (json->at == json->end) {
            return false;
        }
        const char escape = *json->at++;
        if (escape == 'u') {
            for (int i = 0; i < 4; i++, json->at++) {
                if (json->at == json->end ||
                    strchr("0123456789abcdefABCDEF", *json->at) == NULL ||
                    *json->at == 0) {
                    return false;
                }
            }
        } else if (escape == 0 || strchr("\"\\/bfnrt", escape) == NULL) {
            return false;
        }
    }
    return take(json, '"');
}

static bool digits(reader *json)
{
    const char *from = json->at;
    while (json->at < json->end && *json->at >= '0' && *json->at <= '9') {
        json->at++;
    }
    return json->at > from;
}

static bool number(reader *json)
{
    take(json, '-');
    if (!take(json, '0') && !digits(json)) {
        return false;
    }
    if (take(json, '.') && !digits(json)) {
        return false;
    }
    if (take(json, 'e') || take(json, 'E')) {
        if (!take(json, '+')) {
            take(json, '-');
        }
        return digits(json);
    }
    return true;
}

static bool value(reader *json);

static bool container(reader *json, bool object)
{
    json->at++;
    blanks(json);
    if (take(json, object ? '}' : ']')) {
        return true;
    }
    do {
        blanks(json);
        if (object) {
            if (!string(json)) {
                return false;
            }
            blanks(json);
            if (!take(json, ':')) {
                return false;
            }
        }
        if (!value(json)) {
            return false;
        }
        blanks(json);
    } while (take(json, ','));
    return take(json, object ? '}' : ']');
}

static bool value(reader *json)
{
    blanks(json);
    if (json->at == json->end) {
        return false;
    }
    switch (*json->at) {
    case '{': return container(json, true);
    case '[': return container(json, false);
    case '"': return string(json);
    case 't': return word(json, "true");
    case 'f': return word(json, "false");
    case 'n': return word(json, "null");
    default: return number(json);
    }
}

bool is_json_object(const char *text, size_t size)
{
    reader json = {text, text + size};
    blanks(&json);
    if (json.at == json.end || *json.at != '{' || !value(&json)) {
        return false;
    }
    blanks(&json);
    return json.at == json.end;
}
