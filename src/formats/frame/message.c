/* SPDX-License-Identifier: MIT
 *
 * An assistant's message as a completion: the holes of a description's
 * canonical patterns, filled.
 */
#include <string.h>

#include "formats/body/tagged.h"
#include "formats/encode.h"
#include "formats/frame/frame.h"

typedef struct message_writer {
    const tw_description *description;
    const tw_conversation *conversation;
    const tw_message *message;
    tw_segments *out;
} message_writer;

/* Ids of `nine` formats: other sizes and letters are refused by those who
 * check them. */
enum { NINE = 9 };

static bool is_alphanumeric(uint8_t c)
{
    return tw_is_name_byte(c) && strchr("_-.:/", c) == NULL;
}

static bool is_all(const tw_value *text, bool (*is_one)(uint8_t))
{
    bool all = text->size > 0;
    for (size_t i = 0; i < text->size && all; i++) {
        all = is_one((uint8_t)text->text[i]);
    }
    return all;
}

/* ---- text --------------------------------------------------------------- */

/* Text without the blanks around it, and what is reported of them. */
static void put_stripped(tw_segments *out, const tw_value *text)
{
    const size_t begin = out->text.size;
    if (text == NULL || text->kind != TW_VALUE_STRING) {
        tw_encode_content(out, text);
        return;
    }
    tw_out_stripped(out, text);
    if (out->text.size - begin != text->size) {
        tw_encode_loss(out, TW_LOSS_OUTER_WHITESPACE, text, NULL);
    }
}

/* A line feed of the pattern follows: decoders take both for a line end. */
static void report_return(tw_segments *out, const tw_value *text,
                          const char *layout)
{
    if (layout[0] == '\n' && text != NULL && text->kind == TW_VALUE_STRING &&
        text->size > 0 && text->text[text->size - 1] == '\r') {
        tw_encode_loss(
            out, TW_LOSS_OUTER_WHITESPACE, text,
            "The carriage return at the end of the text does not read back.");
    }
}

/* Writes |text| into the pattern's hole; is there any? */
static bool put_text(tw_segments *out, const tw_pattern *pattern,
                     const tw_value *text)
{
    bool some = false;
    for (size_t i = 0; i < pattern->count; i++) {
        const tw_part *part = &pattern->parts[i];
        if (i != pattern->hole) {
            tw_out(out, part->text);
            continue;
        }
        const size_t begin = out->text.size;
        if (part->kind == TW_PATTERN_TEXT_TRIM) {
            put_stripped(out, text);
        } else {
            tw_encode_content(out, text);
            tw_encode_report_blank(out, text);
            report_return(out, text, tw_pattern_layout(pattern, i));
        }
        some = out->text.size > begin;
    }
    return some;
}

/* The first canonical pattern, or NULL. */
static const tw_pattern *canonical(const tw_patterns *patterns)
{
    const bool some = patterns->count > 0 && !patterns->all[0].loose;
    return some ? patterns->all : NULL;
}

static void put_reasoning(const message_writer *writer)
{
    const tw_value *reasoning = writer->message->reasoning;
    const tw_pattern *pattern = canonical(&writer->description->reasoning);
    if (!tw_encode_has_content(reasoning)) {
        tw_out(writer->out, writer->message->call_count > 0
                                ? writer->description->no_reasoning_of_call
                                : writer->description->no_reasoning);
    } else if (pattern != NULL) {
        put_text(writer->out, pattern, reasoning);
    } else {
        tw_encode_loss(writer->out, TW_LOSS_REASONING_DROPPED, reasoning,
                       NULL);
    }
}

static bool put_content(const message_writer *writer)
{
    static const tw_part bare_part = {"", 0, TW_PATTERN_TEXT, false};
    static const tw_pattern bare = {.parts = &bare_part, .count = 1};
    const tw_value *content = writer->message->content;
    const tw_pattern *pattern = canonical(&writer->description->text);
    if (!tw_encode_has_content(content)) {
        tw_out(writer->out, writer->description->no_text);
        tw_encode_content(writer->out, content);
        return false;
    }
    return put_text(writer->out, pattern != NULL ? pattern : &bare, content);
}

/* ---- calls -------------------------------------------------------------- */

static bool has_hole(const tw_pattern *pattern, uint8_t kind)
{
    bool found = false;
    for (size_t i = 0; i < pattern->count; i++) {
        found |= pattern->parts[i].kind == kind;
    }
    return found;
}

/* Has the call an id of its own that the format can write? */
static bool has_id(const message_writer *writer, const tw_call *call,
                   size_t number)
{
    return call->id != NULL && !tw_id_is_counted(call->id, number) &&
           (!writer->description->nine ||
            (call->id->size == NINE && is_all(call->id, is_alphanumeric)));
}

/* The first canonical pattern that the call fills. */
static const tw_pattern *pattern_for(const message_writer *writer,
                                     const tw_call *call, size_t number)
{
    const tw_patterns *calls = &writer->description->call;
    const bool id = has_id(writer, call, number);
    for (size_t i = 0; i < calls->count; i++) {
        const tw_pattern *pattern = &calls->all[i];
        if (!pattern->loose && (id || !has_hole(pattern, TW_PATTERN_ID))) {
            return pattern;
        }
    }
    return calls->all;
}

static void report_id(const message_writer *writer, const tw_call *call,
                      size_t number, bool written)
{
    if (!written && call->id != NULL && !tw_id_is_counted(call->id, number)) {
        tw_encode_loss(writer->out, TW_LOSS_CALL_ID, call->id,
                       writer->description->nine
                           ? "The format's ids are nine letters and digits."
                           : NULL);
    }
}

static void put_key(tw_segments *out, const char *before, const char *key)
{
    tw_out(out, before);
    tw_out(out, "\"");
    tw_out(out, key);
    tw_out(out, "\": ");
}

static void put_object(const message_writer *writer, const tw_call *call,
                       size_t number)
{
    const tw_description *description = writer->description;
    tw_segments *out = writer->out;
    const bool id =
        description->id_keys[0] != NULL && has_id(writer, call, number);
    put_key(out, "{", description->name_keys[0]);
    tw_encode_json_name(out, call->name);
    put_key(out, ", ", description->argument_keys[0]);
    tw_encode_arguments(out, call);
    if (id) {
        put_key(out, ", ", description->id_keys[0]);
        tw_encode_json_name(out, call->id);
    }
    tw_out(out, "}");
    report_id(writer, call, number, id);
}

static void put_name(const message_writer *writer, const tw_call *call)
{
    if (!is_all(call->name, tw_is_name_byte)) {
        tw_encode_refuse(writer->out, call->name,
                         "the format cannot write this name");
    }
    tw_out_text(writer->out, call->name);
}

static const tw_call *call_at(const message_writer *writer, size_t i)
{
    return tw_call_of(writer->conversation, writer->message, i);
}

static void put_list(const message_writer *writer)
{
    for (size_t i = 0; i < writer->message->call_count; i++) {
        tw_out(writer->out, i == 0 ? "[" : ", ");
        put_object(writer, call_at(writer, i), i);
    }
    tw_out(writer->out, "]");
}

static void put_call(const message_writer *writer, size_t number)
{
    const tw_call *call = call_at(writer, number);
    const tw_pattern *pattern = pattern_for(writer, call, number);
    for (size_t i = 0; i < pattern->count; i++) {
        const tw_part *part = &pattern->parts[i];
        switch (part->kind) {
        case TW_PATTERN_NAME: put_name(writer, call); break;
        case TW_PATTERN_ID: tw_out_text(writer->out, call->id); break;
        case TW_PATTERN_OBJECT: put_object(writer, call, number); break;
        case TW_PATTERN_LIST: put_list(writer); break;
        case TW_PATTERN_ARGUMENTS:
        case TW_PATTERN_JSON_ARGUMENTS:
            tw_encode_arguments(writer->out, call);
            break;
        default: tw_out(writer->out, part->text); break;
        }
    }
    if (has_hole(pattern, TW_PATTERN_NAME)) {
        report_id(writer, call, number, has_hole(pattern, TW_PATTERN_ID));
    }
}

/* What of `calls` stands in front of the calls, or behind them. */
static void put_around(const message_writer *writer, bool before)
{
    const tw_pattern *calls = canonical(&writer->description->calls);
    for (size_t i = 0; calls != NULL && i < calls->count; i++) {
        if (i != calls->hole && (i < calls->hole) == before) {
            tw_out(writer->out, calls->parts[i].text);
        }
    }
}

static void put_calls(const message_writer *writer)
{
    const tw_pattern *calls = canonical(&writer->description->calls);
    const bool each =
        calls != NULL && tw_pattern_hole(calls)->kind == TW_PATTERN_CALL;
    const bool list = tw_pattern_hole(writer->description->call.all)->kind ==
                      TW_PATTERN_LIST;
    const size_t count = list ? 1 : writer->message->call_count;
    for (size_t i = 0; i < count; i++) {
        tw_out(writer->out, i > 0 ? writer->description->between : "");
        if (i == 0 || each) {
            put_around(writer, true);
        }
        put_call(writer, i);
        if (i + 1 == count || each) {
            put_around(writer, false);
        }
    }
}

static bool has_free_text(const message_writer *writer)
{
    bool found = false;
    for (size_t i = 0; i < writer->message->call_count && !found; i++) {
        found = tw_encode_refuses_free_text(writer->out, call_at(writer, i));
    }
    return found;
}

void tw_frame_encode(const tw_format *format,
                     const tw_conversation *conversation, tw_segments *out)
{
    const tw_description *description = tw_format_description(format);
    const tw_message *message = tw_encode_only_message(conversation, out);
    const message_writer writer = {description, conversation, message, out};
    if (message == NULL || has_free_text(&writer)) {
        return;
    }
    put_reasoning(&writer);
    const bool some = put_content(&writer);
    if (message->call_count > 0) {
        tw_out(out, some ? description->gap : "");
        put_calls(&writer);
    }
    tw_out(out, message->call_count > 0 ? description->end_of_call
                                        : description->end);
}
