/* SPDX-License-Identifier: MIT
 *
 * An assistant's message as a completion: the holes of a description's
 * canonical patterns, filled, in the order reasoning, text, calls, end.  How
 * arguments are written is body/put.h's.
 */
#include "formats/frame/message.h"

#include <string.h>

#include "core/ascii.h"
#include "formats/encode.h"
#include "formats/frame/message_writer.h"

/* ---- text --------------------------------------------------------------- */

/* Nothing but ASCII's white space? */
static bool is_blank(const tw_value *text)
{
    bool blank = true;
    for (size_t i = 0; i < text->size && blank; i++) {
        blank = tw_is_ws((uint8_t)text->text[i]);
    }
    return blank;
}

/* Is there anything that the pattern, or one without markers, writes? */
static bool has_text(const tw_pattern *pattern, const tw_value *text)
{
    return tw_encode_has_content(text) &&
           (pattern == NULL ||
            tw_pattern_hole(pattern)->kind != TW_PATTERN_TEXT_TRIM ||
            !is_blank(text));
}

/* Text without the blanks around it, and what is reported of them. */
static void put_stripped(tw_segments *out, const tw_value *text)
{
    const size_t begin = out->text.size;
    tw_out_stripped(out, text);
    if (out->text.size - begin != text->size) {
        tw_encode_loss(out, TW_LOSS_OUTER_WHITESPACE, text, NULL);
    }
}

/* Of reasoning, {text:line} is the text without the line feeds around it. */
static void put_line(tw_segments *out, const tw_value *text)
{
    size_t from = 0;
    size_t to = text->size;
    while (from < to && text->text[from] == '\n') {
        from++;
    }
    while (to > from && text->text[to - 1] == '\n') {
        to--;
    }
    tw_out_part(out, text, text->text + from, to - from, from);
    if (to - from < text->size) {
        tw_encode_loss(out, TW_LOSS_OUTER_WHITESPACE, text, NULL);
    }
}

/* A few blanks alone are dropped by decoders. */
static void report_blank(tw_segments *out, const tw_value *text)
{
    if (text->size <= TW_HOLD_WS && is_blank(text)) {
        tw_encode_loss(
            out, TW_LOSS_OUTER_WHITESPACE, text,
            "The text is white space alone, which does not read back.");
    }
}

/* A line feed of the pattern follows: decoders take both for a line end. */
static void report_return(tw_segments *out, const tw_value *text,
                          const char *layout)
{
    if (layout[0] == '\n' && text->text[text->size - 1] == '\r') {
        tw_encode_loss(
            out, TW_LOSS_OUTER_WHITESPACE, text,
            "The carriage return at the end of the text does not read back.");
    }
}

static void fill_text(tw_message_writer *writer, const tw_pattern *pattern,
                      const tw_value *text)
{
    tw_segments *out = writer->out;
    for (size_t i = 0; i < pattern->count; i++) {
        const tw_part *part = &pattern->parts[i];
        if (i != pattern->hole) {
            tw_message_put_words(writer, part->text);
        } else if (part->kind == TW_PATTERN_TEXT_TRIM) {
            put_stripped(out, text);
        } else if (part->kind == TW_PATTERN_TEXT_JSON) {
            tw_out_json(out, text);
        } else {
            if (part->kind == TW_PATTERN_TEXT_LINE &&
                text == writer->message->reasoning) {
                put_line(out, text);
            } else {
                tw_out_text(out, text);
            }
            report_blank(out, text);
            report_return(out, text, tw_pattern_layout(pattern, i));
        }
    }
}

/* The text that is written, or NULL. */
static const tw_value *content_of(const tw_message_writer *writer)
{
    const bool left_out =
        writer->description->calls_alone && writer->message->call_count > 0;
    return left_out ? NULL : writer->message->content;
}

static bool has_reasoning(const tw_message_writer *writer)
{
    const tw_pattern *pattern =
        tw_message_canonical(&writer->description->reasoning);
    return pattern != NULL && has_text(pattern, writer->message->reasoning);
}

static bool has_content(const tw_message_writer *writer)
{
    return has_text(tw_message_canonical(&writer->description->text),
                    content_of(writer));
}

/* What stands in the place of reasoning. */
static const char *no_reasoning(const tw_message_writer *writer)
{
    return writer->message->call_count > 0 && !has_content(writer)
               ? writer->description->no_reasoning_of_call
               : writer->description->no_reasoning;
}

static void put_empty(tw_message_writer *writer, const tw_pattern *pattern)
{
    for (size_t i = 0; i < pattern->count; i++) {
        if (i != pattern->hole) {
            tw_message_put_words(writer, pattern->parts[i].text);
        }
    }
}

/* Is reasoning that the prompt has opened closed at once? */
static bool closes_reasoning(const tw_message_writer *writer)
{
    return !has_reasoning(writer) && no_reasoning(writer)[0] == 0 &&
           tw_frame_starts_inside(writer->description);
}

static void put_reasoning(tw_message_writer *writer)
{
    const tw_value *reasoning = writer->message->reasoning;
    const tw_pattern *pattern =
        tw_message_canonical(&writer->description->reasoning);
    if (has_reasoning(writer)) {
        fill_text(writer, pattern, reasoning);
        return;
    }
    if (closes_reasoning(writer)) {
        put_empty(writer, pattern);
    }
    tw_message_put_words(writer, no_reasoning(writer));
    if (tw_encode_has_content(reasoning)) {
        tw_encode_loss(writer->out,
                       pattern != NULL ? TW_LOSS_OUTER_WHITESPACE
                                       : TW_LOSS_REASONING_DROPPED,
                       reasoning, NULL);
    }
}

static void put_content(tw_message_writer *writer)
{
    static const tw_part bare_part = {.text = "", .kind = TW_PATTERN_TEXT};
    static const tw_pattern bare = {.parts = &bare_part, .count = 1};
    const tw_value *content = content_of(writer);
    const tw_pattern *pattern =
        tw_message_canonical(&writer->description->text);
    if (content != writer->message->content &&
        tw_encode_has_content(writer->message->content)) {
        tw_encode_loss(writer->out, TW_LOSS_CONTENT_DROPPED,
                       writer->message->content,
                       "The template leaves out content beside calls.");
    }
    if (has_content(writer)) {
        fill_text(writer, pattern != NULL ? pattern : &bare, content);
        return;
    }
    tw_message_put_words(writer, writer->description->no_text);
    if (tw_value_is_a(content, TW_VALUE_STRING) && content->size > 0) {
        tw_encode_loss(writer->out, TW_LOSS_OUTER_WHITESPACE, content, NULL);
    } else {
        tw_encode_content(writer->out, content);
    }
}

/* ---- the message -------------------------------------------------------- */

/* The words that are written first, up to a hole, are |parts|, or one text. */
static const tw_pattern *first_pattern(const tw_message_writer *writer)
{
    const tw_description *description = writer->description;
    if (has_reasoning(writer) || closes_reasoning(writer)) {
        return tw_message_canonical(&description->reasoning);
    }
    if (no_reasoning(writer)[0] != 0) {
        return NULL;
    }
    if (has_content(writer)) {
        return tw_message_canonical(&description->text);
    }
    if (description->no_text[0] != 0 || writer->message->call_count == 0) {
        return NULL;
    }
    return tw_message_canonical(&description->calls) != NULL
               ? tw_message_canonical(&description->calls)
               : tw_message_first_call(writer);
}

/* How much of |words|, which are more than white space, |prompt| ends with. */
static size_t overlap(const char *prompt, const char *words)
{
    const size_t size = strlen(prompt);
    const size_t blank = strspn(words, " \t\r\n");
    for (size_t n = strlen(words); n > blank; n--) {
        if (n <= size && memcmp(prompt + size - n, words, n) == 0) {
            return n;
        }
    }
    return 0;
}

/* The words of a pattern up to its first hole.  True: that is the one that the
 * pattern is for. */
enum { FRONT = 512 };

static bool put_front(const tw_pattern *pattern, char front[FRONT])
{
    size_t size = 0;
    size_t i = 0;
    front[0] = 0;
    for (; i < pattern->hole; i++) {
        const tw_part *part = &pattern->parts[i];
        const bool words = part->kind == TW_PATTERN_LITERAL ||
                           part->kind == TW_PATTERN_LAYOUT;
        if (!words || size + part->size >= FRONT) {
            break;
        }
        memcpy(front + size, part->text, part->size + 1U);
        size += part->size;
    }
    return i == pattern->hole;
}

/* What of the first words the prompt of the format ends with: it is not
 * written twice. */
static size_t find_written(const tw_message_writer *writer)
{
    char front[FRONT];
    const char *prompt = writer->description->turns[0];
    const tw_pattern *pattern = first_pattern(writer);
    if (prompt == NULL) {
        return 0;
    }
    if (pattern == NULL) {
        return overlap(prompt, no_reasoning(writer));
    }
    (void)put_front(pattern, front);
    return overlap(prompt, front);
}

bool tw_frame_closes_first(const tw_description *description, const char *text,
                           size_t size)
{
    const tw_pattern *reasoning =
        tw_message_canonical(&description->reasoning);
    const tw_part *close =
        reasoning != NULL ? tw_pattern_close(reasoning) : NULL;
    size_t at = 0;
    while (at < size && strchr(" \t\r\n", text[at]) != NULL && text[at] != 0) {
        at++;
    }
    return close != NULL && size - at >= close->size &&
           memcmp(text + at, close->text, close->size) == 0;
}

size_t tw_frame_opens_reasoning(const tw_description *description,
                                const char *turn)
{
    char front[FRONT];
    const tw_pattern *reasoning =
        tw_message_canonical(&description->reasoning);
    if (reasoning == NULL || !put_front(reasoning, front)) {
        return 0;
    }
    size_t size = strlen(front);
    while (size > 0 && strchr(" \t\r\n", front[size - 1]) != NULL) {
        size--;
    }
    const size_t there = overlap(turn, front);
    return size > 0 && there >= size ? there : 0;
}

bool tw_frame_starts_inside(const tw_description *description)
{
    const char *turn = description->turns[0];
    bool open = false;
    for (size_t i = 0; i < description->reasoning.count; i++) {
        open |= tw_pattern_is_open(&description->reasoning.all[i]);
    }
    return open ||
           (turn != NULL && tw_frame_opens_reasoning(description, turn) > 0);
}

static tw_message_writer writer_of(const tw_description *description,
                                   const tw_conversation *conversation,
                                   const tw_message *message, tw_segments *out)
{
    const tw_message_writer writer = {tw_putter_of(description, out),
                                      description,
                                      conversation,
                                      message,
                                      out,
                                      0};
    return writer;
}

void tw_frame_put_calls(const tw_format *format,
                        const tw_conversation *conversation,
                        const tw_message *message, tw_segments *out)
{
    tw_message_writer writer =
        writer_of(format->description, conversation, message, out);
    tw_message_put_calls(&writer, false);
}

/* Writes what the model would have written behind its turn's head, and
 * reports what is lost. */
static void put_message(const tw_description *description,
                        const tw_conversation *conversation,
                        const tw_message *message, tw_segments *out)
{
    tw_message_writer writer =
        writer_of(description, conversation, message, out);
    writer.skip = find_written(&writer);
    put_reasoning(&writer);
    put_content(&writer);
    tw_message_put_calls(&writer, has_content(&writer));
    tw_out(out, message->call_count > 0 ? description->end_of_call
                                        : description->end);
}

void tw_frame_encode(const tw_format *format,
                     const tw_conversation *conversation, tw_segments *out)
{
    const tw_message *message = tw_encode_only_message(conversation, out);
    if (message != NULL) {
        put_message(format->description, conversation, message, out);
    }
}
