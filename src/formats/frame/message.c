/* SPDX-License-Identifier: MIT
 *
 * An assistant's message as a completion: the holes of a description's
 * canonical patterns, filled, in the order reasoning, text, calls, end.  How
 * arguments are written is body/put.h's.
 */
#include "formats/frame/message.h"

#include <string.h>

#include "formats/body/put.h"
#include "formats/encode.h"
#include "formats/name_bytes.h"

/* Ids of `nine` formats: others are refused by those who check them. */
enum { NINE = 9 };

typedef struct message_writer {
    tw_putter putter;
    const tw_description *description;
    const tw_conversation *conversation;
    const tw_message *message;
    tw_segments *out;
    size_t skip; /* bytes of the first words, with which the prompt ends */
} message_writer;

static void put_words(message_writer *writer, const char *words)
{
    const size_t size = strlen(words);
    const size_t skip = writer->skip < size ? writer->skip : size;
    writer->skip -= skip;
    tw_out(writer->out, words + skip);
}

static bool is_blank(const tw_value *text)
{
    bool blank = true;
    for (size_t i = 0; i < text->size && blank; i++) {
        blank = strchr(" \t\r\n", text->text[i]) != NULL && text->text[i] != 0;
    }
    return blank;
}

/* The first canonical pattern, or NULL. */
static const tw_pattern *canonical(const tw_patterns *patterns)
{
    const bool some = patterns->count > 0 && !patterns->all[0].loose;
    return some ? patterns->all : NULL;
}

static bool has_hole(const tw_pattern *pattern, uint8_t kind)
{
    bool found = false;
    for (size_t i = 0; i < pattern->count; i++) {
        found |= pattern->parts[i].kind == kind;
    }
    return found;
}

/* ---- text --------------------------------------------------------------- */

/* Is there anything that the pattern, or one without markers, writes? */
static bool has_text(const tw_pattern *pattern, const tw_value *text)
{
    return tw_encode_has_content(text) &&
           (pattern == NULL ||
            tw_pattern_hole(pattern)->kind != TW_PATTERN_TEXT_TRIM ||
            text->kind != TW_VALUE_STRING || !is_blank(text));
}

static bool is_string(const tw_value *text)
{
    return text != NULL && text->kind == TW_VALUE_STRING;
}

/* Text without the blanks around it, and what is reported of them. */
static void put_stripped(tw_segments *out, const tw_value *text)
{
    const size_t begin = out->text.size;
    if (!is_string(text)) {
        tw_encode_content(out, text);
        return;
    }
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

/* A line feed of the pattern follows: decoders take both for a line end. */
static void report_return(tw_segments *out, const tw_value *text,
                          const char *layout)
{
    if (layout[0] == '\n' && is_string(text) && text->size > 0 &&
        text->text[text->size - 1] == '\r') {
        tw_encode_loss(
            out, TW_LOSS_OUTER_WHITESPACE, text,
            "The carriage return at the end of the text does not read back.");
    }
}

static void fill_text(message_writer *writer, const tw_pattern *pattern,
                      const tw_value *text)
{
    tw_segments *out = writer->out;
    for (size_t i = 0; i < pattern->count; i++) {
        const tw_part *part = &pattern->parts[i];
        if (i != pattern->hole) {
            put_words(writer, part->text);
        } else if (part->kind == TW_PATTERN_TEXT_TRIM) {
            put_stripped(out, text);
        } else {
            if (part->kind == TW_PATTERN_TEXT_LINE && is_string(text) &&
                text == writer->message->reasoning) {
                put_line(out, text);
            } else {
                tw_encode_content(out, text);
            }
            tw_encode_report_blank(out, text);
            report_return(out, text, tw_pattern_layout(pattern, i));
        }
    }
}

/* The text that is written, or NULL. */
static const tw_value *content_of(const message_writer *writer)
{
    const bool left_out =
        writer->description->calls_alone && writer->message->call_count > 0;
    return left_out ? NULL : writer->message->content;
}

static bool has_reasoning(const message_writer *writer)
{
    const tw_pattern *pattern = canonical(&writer->description->reasoning);
    return pattern != NULL && has_text(pattern, writer->message->reasoning);
}

static bool has_content(const message_writer *writer)
{
    return has_text(canonical(&writer->description->text), content_of(writer));
}

/* What stands in the place of reasoning. */
static const char *no_reasoning(const message_writer *writer)
{
    return writer->message->call_count > 0 && !has_content(writer)
               ? writer->description->no_reasoning_of_call
               : writer->description->no_reasoning;
}

static void put_reasoning(message_writer *writer)
{
    const tw_value *reasoning = writer->message->reasoning;
    const tw_pattern *pattern = canonical(&writer->description->reasoning);
    if (has_reasoning(writer)) {
        fill_text(writer, pattern, reasoning);
        return;
    }
    put_words(writer, no_reasoning(writer));
    if (tw_encode_has_content(reasoning)) {
        tw_encode_loss(writer->out,
                       pattern != NULL ? TW_LOSS_OUTER_WHITESPACE
                                       : TW_LOSS_REASONING_DROPPED,
                       reasoning, NULL);
    }
}

static void put_content(message_writer *writer)
{
    static const tw_part bare_part = {"", 0, TW_PATTERN_TEXT, false};
    static const tw_pattern bare = {.parts = &bare_part, .count = 1};
    const tw_value *content = content_of(writer);
    const tw_pattern *pattern = canonical(&writer->description->text);
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
    put_words(writer, writer->description->no_text);
    if (is_string(content) && content->size > 0) {
        tw_encode_loss(writer->out, TW_LOSS_OUTER_WHITESPACE, content, NULL);
    } else {
        tw_encode_content(writer->out, content);
    }
}

/* ---- ids ---------------------------------------------------------------- */

static bool is_nine(const tw_value *id)
{
    bool nine = id->size == NINE;
    for (size_t i = 0; i < id->size && nine; i++) {
        const char c = id->text[i];
        nine = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
               (c >= 'a' && c <= 'z');
    }
    return nine;
}

/* The number that stands at |*at|, which moves behind it; false: none that
 * would be written so. */
static bool read_number(const tw_value *text, size_t *at, uint64_t *number)
{
    enum { DIGITS = 18 };
    const size_t from = *at;
    *number = 0;
    while (*at < text->size && text->text[*at] >= '0' &&
           text->text[*at] <= '9' && *at - from < DIGITS) {
        *number = *number * 10 + (uint64_t)(text->text[*at] - '0');
        ++*at;
    }
    return *at > from && (*at - from == 1 || text->text[from] != '0');
}

/* The call's id is what the description makes of its name and |*index|. */
static bool is_made_id(const tw_description *description, const tw_call *call,
                       uint64_t *index)
{
    const tw_pattern *made = description->id.all;
    const tw_value *id = call->id;
    size_t at = 0;
    bool good = description->id.count > 0 && id != NULL;
    for (size_t i = 0; good && i < made->count; i++) {
        const bool name = made->parts[i].kind == TW_PATTERN_NAME;
        const size_t size = name ? call->name->size : made->parts[i].size;
        if (made->parts[i].kind == TW_PATTERN_INDEX) {
            good = read_number(id, &at, index);
        } else {
            good = id->size - at >= size &&
                   memcmp(id->text + at,
                          name ? call->name->text : made->parts[i].text,
                          size) == 0;
            at += size;
        }
    }
    return good && at == id->size;
}

/* A call, as the |number|-th of its message. */
static tw_put_call call_at(const message_writer *writer, size_t number)
{
    const tw_description *description = writer->description;
    const tw_call *call =
        tw_call_of(writer->conversation, writer->message, number);
    tw_put_call put = {call, number, false};
    if (description->id.count == 0) {
        put.has_id = call->id != NULL && !tw_id_is_counted(call->id, number) &&
                     (!description->nine || is_nine(call->id));
    } else if (!is_made_id(description, call, &put.index)) {
        put.index = number;
    }
    return put;
}

/* Reading gives another id than the call's: |made|, what stands for {name}
 * and {index} is read as one. */
static void report_id(const message_writer *writer, const tw_pattern *pattern,
                      const tw_put_call *put, size_t number)
{
    const tw_description *description = writer->description;
    const tw_value *id = put->call->id;
    uint64_t index;
    const bool made =
        description->id.count > 0 && (description->id_keys[0] != NULL ||
                                      has_hole(pattern, TW_PATTERN_INDEX));
    const bool own = put->has_id && (description->id_keys[0] != NULL ||
                                     has_hole(pattern, TW_PATTERN_ID));
    if (id != NULL && !own &&
        (made ? !is_made_id(description, put->call, &index)
              : !tw_id_is_counted(id, number))) {
        tw_encode_loss(writer->out, TW_LOSS_CALL_ID, id,
                       description->nine
                           ? "The format's ids are nine letters and digits."
                           : NULL);
    }
}

/* ---- calls -------------------------------------------------------------- */

/* The first canonical pattern that the call fills; NULL: there is none. */
static const tw_pattern *pattern_for(const message_writer *writer,
                                     const tw_put_call *put)
{
    const tw_patterns *calls = &writer->description->call;
    for (size_t i = 0; i < calls->count; i++) {
        const tw_pattern *pattern = &calls->all[i];
        const bool raw = tw_pattern_hole(pattern)->kind == TW_PATTERN_RAW;
        if (!pattern->loose && raw == (put->call->input != NULL) &&
            (put->has_id || !has_hole(pattern, TW_PATTERN_ID))) {
            return pattern;
        }
    }
    return NULL;
}

/* Does the pattern take several calls? */
static bool is_list(const tw_pattern *pattern)
{
    const uint8_t kind = tw_pattern_hole(pattern)->kind;
    return kind == TW_PATTERN_LIST || kind == TW_PATTERN_KEYED ||
           kind == TW_PATTERN_PYTHON || kind == TW_PATTERN_PYTHON_LINES;
}

static void put_raw(const message_writer *writer, const tw_call *call)
{
    if (!tw_value_is(call->name, writer->description->raw_name)) {
        tw_encode_refuse(
            writer->out, call->name,
            "the format's calls with free text have another name");
    }
    tw_out_text(writer->out, call->input);
}

/* The body of |count| calls. */
static void put_body(const message_writer *writer, const tw_part *hole,
                     const tw_put_call *calls, size_t count)
{
    const tw_putter *putter = &writer->putter;
    switch (hole->kind) {
    case TW_PATTERN_OBJECT: tw_put_object(putter, calls); break;
    case TW_PATTERN_LIST: tw_put_list(putter, calls, count, false); break;
    case TW_PATTERN_KEYED: tw_put_list(putter, calls, count, true); break;
    case TW_PATTERN_RAW: put_raw(writer, calls->call); break;
    case TW_PATTERN_GEMMA: tw_put_gemma(putter, calls, hole->text); break;
    case TW_PATTERN_ARGUMENTS:
        if (writer->description->argument.count > 0) {
            tw_put_tagged(putter, calls);
            break;
        }
        tw_put_json_arguments(putter, calls);
        break;
    case TW_PATTERN_JSON_ARGUMENTS:
        tw_put_json_arguments(putter, calls);
        break;
    default: tw_put_python(putter, calls, count, hole->kind); break;
    }
}

/* A name that ends where its bytes do. */
static void put_name(const message_writer *writer, const tw_value *name)
{
    const bool blanks =
        (writer->description->quirks & TW_QUIRK_BLANK_NAMES) != 0;
    bool good = name->size > 0;
    for (size_t i = 0; i < name->size && good; i++) {
        const uint8_t c = (uint8_t)name->text[i];
        good = tw_is_name_byte(c) || (blanks && c == ' ');
    }
    if (!good) {
        tw_encode_refuse(writer->out, name,
                         "the format cannot write this name");
    }
    tw_put_name(&writer->putter, name);
}

/* Parts [from, to) of a pattern, for |count| calls, of which the first one
 * fills what stands outside the body. */
static void fill_call(message_writer *writer, const tw_pattern *pattern,
                      size_t from, size_t to, const tw_put_call *calls,
                      size_t count)
{
    const tw_putter *putter = &writer->putter;
    for (size_t i = from; i < to; i++) {
        const tw_part *part = &pattern->parts[i];
        switch (part->kind) {
        case TW_PATTERN_LITERAL:
        case TW_PATTERN_LAYOUT: put_words(writer, part->text); break;
        case TW_PATTERN_NAME:
        case TW_PATTERN_SKIP: /* a header that says whose the call is */
            put_name(writer, calls->call->name);
            break;
        case TW_PATTERN_ID: tw_out_text(putter->out, calls->call->id); break;
        case TW_PATTERN_INDEX: tw_put_digits(putter, calls->index); break;
        case TW_PATTERN_INDEX_FROM_1:
            tw_put_digits(putter, calls->index + 1);
            break;
        default: put_body(writer, part, calls, count); break;
        }
    }
}

/* Of `calls`, what stands in front of the calls, or behind them. */
static void put_around(message_writer *writer, bool before,
                       const tw_put_call *call)
{
    const tw_pattern *calls = canonical(&writer->description->calls);
    if (calls != NULL) {
        fill_call(writer, calls, before ? 0 : calls->hole + 1,
                  before ? calls->hole : calls->count, call, 1);
    }
}

/* Has each call a section of its own? */
static bool has_sections(const tw_description *description)
{
    const tw_pattern *calls = canonical(&description->calls);
    return calls != NULL && (tw_pattern_hole(calls)->kind == TW_PATTERN_CALL ||
                             has_hole(calls, TW_PATTERN_SKIP));
}

/* The call |number| of the message or, in a list, those from there on, |puts|;
 * returns how many. */
static size_t put_call(message_writer *writer, const tw_put_call *puts,
                       size_t number)
{
    const size_t left = writer->message->call_count - number;
    const tw_pattern *pattern = pattern_for(writer, &puts[0]);
    size_t count = 1;
    if (pattern == NULL) {
        tw_segments_refuse(writer->out, TW_ERROR_CANNOT_CARRY,
                           puts[0].call->value, 0,
                           puts[0].call->input != NULL
                               ? "the format has no calls with free text"
                               : "the format has no such calls");
        return left;
    }
    while (is_list(pattern) && count < left &&
           pattern_for(writer, &puts[count]) == pattern) {
        count++;
    }
    fill_call(writer, pattern, 0, pattern->count, puts, count);
    for (size_t i = 0; i < count; i++) {
        report_id(writer, pattern, &puts[i], number + i);
    }
    return count;
}

static void put_calls(message_writer *writer, const tw_put_call *puts)
{
    const size_t count = writer->message->call_count;
    const bool each = has_sections(writer->description);
    for (size_t i = 0; i < count;) {
        tw_out(writer->out, i > 0 ? writer->description->between : "");
        if (each || i == 0) {
            put_around(writer, true, &puts[i]);
        }
        const size_t done = put_call(writer, &puts[i], i);
        if (each || i + done >= count) {
            put_around(writer, false, &puts[i]);
        }
        i += done;
    }
}

/* Makes the list of the message's calls, and writes them. */
static void put_all_calls(message_writer *writer)
{
    const size_t count = writer->message->call_count;
    const tw_memory *memory = writer->out->memory;
    tw_buffer puts = {0};
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        const tw_put_call put = call_at(writer, i);
        good = tw_buffer_append(&puts, memory, &put, sizeof put);
    }
    if (good) {
        put_calls(writer, (const tw_put_call *)(void *)puts.data);
    } else {
        tw_segments_refuse(writer->out, TW_ERROR_MEMORY, NULL, 0, "no memory");
    }
    tw_buffer_free(&puts, memory);
}

/* ---- the message -------------------------------------------------------- */

/* The words that are written first, up to a hole, are |parts|, or one text. */
static const tw_pattern *first_pattern(const message_writer *writer)
{
    const tw_description *description = writer->description;
    if (has_reasoning(writer)) {
        return canonical(&description->reasoning);
    }
    if (no_reasoning(writer)[0] != 0) {
        return NULL;
    }
    if (has_content(writer)) {
        return canonical(&description->text);
    }
    if (description->no_text[0] != 0 || writer->message->call_count == 0) {
        return NULL;
    }
    const tw_put_call first = call_at(writer, 0);
    return canonical(&description->calls) != NULL
               ? canonical(&description->calls)
               : pattern_for(writer, &first);
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

/* The words of a pattern up to its first hole. */
enum { FRONT = 512 };

static void put_front(const tw_pattern *pattern, char front[FRONT])
{
    size_t size = 0;
    front[0] = 0;
    for (size_t i = 0; i < pattern->hole; i++) {
        const tw_part *part = &pattern->parts[i];
        const bool words = part->kind == TW_PATTERN_LITERAL ||
                           part->kind == TW_PATTERN_LAYOUT;
        if (!words || size + part->size >= FRONT) {
            break;
        }
        memcpy(front + size, part->text, part->size + 1U);
        size += part->size;
    }
}

/* What of the first words the prompt of the format ends with: it is not
 * written twice. */
static size_t find_written(const message_writer *writer)
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
    put_front(pattern, front);
    return overlap(prompt, front);
}

bool tw_frame_starts_inside(const tw_description *description)
{
    char front[FRONT];
    const tw_pattern *reasoning = canonical(&description->reasoning);
    if (reasoning == NULL || description->turns[0] == NULL) {
        return false;
    }
    put_front(reasoning, front);
    return overlap(description->turns[0], front) > 0;
}

static message_writer writer_of(const tw_description *description,
                                const tw_conversation *conversation,
                                const tw_message *message, tw_segments *out)
{
    const message_writer writer = {tw_putter_of(description, out),
                                   description,
                                   conversation,
                                   message,
                                   out,
                                   0};
    return writer;
}

static void put_calls_behind(message_writer *writer, bool text)
{
    if (writer->message->call_count > 0) {
        put_words(writer, text ? writer->description->gap : "");
        put_all_calls(writer);
    }
}

void tw_frame_put_calls(const tw_description *description,
                        const tw_conversation *conversation,
                        const tw_message *message, bool behind_text,
                        tw_segments *out)
{
    message_writer writer = writer_of(description, conversation, message, out);
    put_calls_behind(&writer, behind_text);
}

void tw_frame_put_message(const tw_description *description,
                          const tw_conversation *conversation,
                          const tw_message *message, tw_segments *out)
{
    message_writer writer = writer_of(description, conversation, message, out);
    writer.skip = find_written(&writer);
    put_reasoning(&writer);
    put_content(&writer);
    put_calls_behind(&writer, has_content(&writer));
    tw_out(out, message->call_count > 0 ? description->end_of_call
                                        : description->end);
}

void tw_frame_encode(const tw_format *format,
                     const tw_conversation *conversation, tw_segments *out)
{
    const tw_message *message = tw_encode_only_message(conversation, out);
    if (message != NULL) {
        tw_frame_put_message(tw_format_description(format), conversation,
                             message, out);
    }
}
