/* SPDX-License-Identifier: MIT
 *
 * The calls of an assistant's message, and their ids.
 */
#include <string.h>

#include "core/ascii.h"
#include "core/skip.h"
#include "formats/encode.h"
#include "formats/frame/message_writer.h"
#include "formats/name_bytes.h"

/* Ids of `nine` formats: others are refused by those who check them. */
enum { NINE = 9 };

static bool has_index(const tw_pattern *pattern)
{
    return tw_pattern_has(pattern, TW_PATTERN_INDEX) ||
           tw_pattern_has(pattern, TW_PATTERN_INDEX_FROM_1);
}

/* ---- ids ---------------------------------------------------------------- */

static bool is_nine(const tw_value *id)
{
    bool nine = id->size == NINE;
    for (size_t i = 0; i < id->size && nine; i++) {
        const char c = id->text[i];
        nine = tw_is_alnum(c);
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
        if (tw_pattern_is_index(&made->parts[i])) {
            const bool from_1 = made->parts[i].kind != TW_PATTERN_INDEX;
            good = read_number(id, &at, index) && *index >= from_1;
            *index -= good && from_1;
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
static tw_put_call call_at(const tw_message_writer *writer, size_t number)
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

/* Where a head holds an id, the template refuses those of another shape. */
static void check_id(const tw_message_writer *writer, const tw_put_call *put,
                     size_t number)
{
    const tw_description *description = writer->description;
    const tw_patterns *calls = &description->call;
    const tw_value *id = put->call->id;
    bool due = false;
    for (size_t i = 0; i < calls->count; i++) {
        due |= !calls->all[i].loose &&
               tw_pattern_has(&calls->all[i], TW_PATTERN_ID);
    }
    if (due && description->nine && id != NULL && !put->has_id &&
        !tw_id_is_counted(id, number)) {
        tw_encode_refuse(writer->out, id,
                         "the format's ids are nine letters and digits");
    }
}

/* Does white space stand at its ends, where layout may? */
static bool has_edges(const tw_value *id)
{
    return id->size > 0 && (tw_is_ws((uint8_t)id->text[0]) ||
                            tw_is_ws((uint8_t)id->text[id->size - 1]));
}

/* Reading gives another id than the call's: |made|, what stands for {name}
 * and {index} is read as one. */
static void report_id(const tw_message_writer *writer,
                      const tw_pattern *pattern, const tw_put_call *put,
                      size_t number)
{
    const tw_description *description = writer->description;
    const tw_value *id = put->call->id;
    uint64_t index;
    const bool made = description->id.count > 0 &&
                      (description->id_keys[0] != NULL ||
                       tw_pattern_has(pattern, TW_PATTERN_ID) ||
                       (has_index(pattern) && has_index(description->id.all)));
    const bool own =
        put->has_id &&
        (description->id_keys[0] != NULL ||
         (tw_pattern_has(pattern, TW_PATTERN_ID) && !has_edges(id)));
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

/* The first canonical pattern that the call fills; NULL: there is none.  Where
 * each has an {id}, any id fills it. */
static const tw_pattern *pattern_for(const tw_message_writer *writer,
                                     const tw_put_call *put)
{
    const tw_description *description = writer->description;
    const tw_patterns *calls = &description->call;
    const tw_pattern *with_id = NULL;
    for (size_t i = 0; i < calls->count; i++) {
        const tw_pattern *pattern = &calls->all[i];
        const bool raw = tw_pattern_hole(pattern)->kind == TW_PATTERN_RAW;
        if (pattern->loose || raw != (put->call->input != NULL)) {
            continue;
        }
        if (put->has_id || !tw_pattern_has(pattern, TW_PATTERN_ID)) {
            return pattern;
        }
        with_id = with_id != NULL ? with_id : pattern;
    }
    const bool any = description->id.count > 0 ||
                     (put->call->id != NULL && !description->nine);
    return any ? with_id : NULL;
}

static void put_raw(const tw_message_writer *writer, const tw_call *call)
{
    if (!tw_value_is(call->name, writer->description->raw_name)) {
        tw_encode_refuse(
            writer->out, call->name,
            "the format's calls with free text have another name");
    }
    tw_out_text(writer->out, call->input);
}

/* The body of |count| calls. */
static void put_body(const tw_message_writer *writer, const tw_part *hole,
                     const tw_put_call *calls, size_t count)
{
    const tw_putter *putter = &writer->putter;
    switch (hole->kind) {
    case TW_PATTERN_OBJECT: tw_put_object(putter, calls); break;
    case TW_PATTERN_LIST:
    case TW_PATTERN_LIST_LINES:
    case TW_PATTERN_KEYED: tw_put_list(putter, calls, count, hole->kind); break;
    case TW_PATTERN_RAW: put_raw(writer, calls->call); break;
    case TW_PATTERN_GEMMA: tw_put_gemma(putter, calls, hole->text); break;
    case TW_PATTERN_ELEMENTS:
        tw_put_elements(putter, calls, hole->text);
        break;
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

static void put_server(const tw_message_writer *writer, const tw_value *name,
                       const tw_part *part)
{
    const size_t size = tw_name_server(name->text, name->size);
    if (size == part->size && memcmp(name->text, part->text, size) == 0) {
        tw_encode_refuse(writer->out, name,
                         "the format's word for no server is this server's");
    }
    if (size > 0) {
        tw_out_part(writer->out, name, name->text, size, 0);
    } else {
        tw_out(writer->out, part->text);
    }
}

/* A name that ends where its bytes do; if |behind|, the part behind its
 * server's. */
static void put_name(const tw_message_writer *writer, const tw_value *name,
                     bool behind)
{
    const size_t server = behind ? tw_name_server(name->text, name->size) : 0;
    const size_t from = server > 0 ? server + 1 : 0;
    if (!tw_encode_takes_name(writer->description, name, behind)) {
        tw_encode_refuse(writer->out, name,
                         "the format cannot write this name");
    }
    if (from > 0) {
        tw_out_part(writer->out, name, name->text + from, name->size - from,
                    from);
    } else {
        tw_put_name(&writer->putter, name);
    }
}

/* The call's own id, unless the format makes them. */
static void put_id(const tw_putter *putter, const tw_put_call *put)
{
    if (putter->description->id.count > 0) {
        tw_put_made_id(putter, put);
    } else {
        tw_out_text(putter->out, put->call->id);
    }
}

/* Why no pattern takes the call. */
static const char *misfit_of(const tw_message_writer *writer,
                             const tw_put_call *put)
{
    const tw_patterns *calls = &writer->description->call;
    bool due = false;
    for (size_t i = 0; i < calls->count; i++) {
        due |= !calls->all[i].loose &&
               tw_pattern_has(&calls->all[i], TW_PATTERN_ID);
    }
    return put->call->input != NULL ? "the format has no calls with free text"
           : !due                   ? "the format has no such calls"
           : writer->description->nine
               ? "the format's calls have ids, of nine letters and digits"
               : "the format's calls have ids, and this one has none";
}

/* Parts [from, to) of a pattern, for |count| calls, of which the first one
 * fills what stands outside the body. */
static void fill_call(tw_message_writer *writer, const tw_pattern *pattern,
                      size_t from, size_t to, const tw_put_call *calls,
                      size_t count)
{
    const tw_putter *putter = &writer->putter;
    for (size_t i = from; i < to; i++) {
        const tw_part *part = &pattern->parts[i];
        switch (part->kind) {
        case TW_PATTERN_LITERAL:
        case TW_PATTERN_LAYOUT:
            tw_message_put_words(writer, part->text);
            break;
        case TW_PATTERN_NAME:
            put_name(writer, calls->call->name,
                     tw_pattern_has(pattern, TW_PATTERN_SERVER));
            break;
        case TW_PATTERN_SERVER:
            put_server(writer, calls->call->name, part);
            break;
        case TW_PATTERN_SKIP: /* a header that says whose the call is */
            if (i < pattern->hole &&
                !tw_pattern_has(pattern, TW_PATTERN_NAME)) {
                put_name(writer, calls->call->name, false);
            }
            break;
        case TW_PATTERN_ID: put_id(putter, calls); break;
        case TW_PATTERN_INDEX: tw_put_digits(putter, calls->index); break;
        case TW_PATTERN_INDEX_FROM_1:
            tw_put_digits(putter, calls->index + 1);
            break;
        default: put_body(writer, part, calls, count); break;
        }
    }
}

/* Of `calls`, what stands in front of the calls, or behind them. */
static void put_around(tw_message_writer *writer, bool before,
                       const tw_put_call *call)
{
    const tw_pattern *calls =
        tw_message_canonical(&writer->description->calls);
    if (calls != NULL) {
        fill_call(writer, calls, before ? 0 : calls->hole + 1,
                  before ? calls->hole : calls->count, call, 1);
    }
}

/* Has each call a section of its own? */
static bool has_sections(const tw_description *description)
{
    const tw_pattern *calls = tw_message_canonical(&description->calls);
    return calls != NULL && (tw_pattern_hole(calls)->kind == TW_PATTERN_CALL ||
                             tw_pattern_has(calls, TW_PATTERN_SKIP));
}

/* The call |number| of the message or, in a list, those from there on, |puts|;
 * returns how many. */
static size_t put_call(tw_message_writer *writer, const tw_put_call *puts,
                       size_t number)
{
    const size_t left = writer->message->call_count - number;
    const tw_pattern *pattern = pattern_for(writer, &puts[0]);
    size_t count = 1;
    if (pattern == NULL) {
        tw_segments_refuse(writer->out, TW_ERROR_CANNOT_CARRY,
                           puts[0].call->value, 0,
                           misfit_of(writer, &puts[0]));
        return left;
    }
    while (tw_part_holds_calls(tw_pattern_hole(pattern)->kind) &&
           count < left && pattern_for(writer, &puts[count]) == pattern) {
        count++;
    }
    fill_call(writer, pattern, 0, pattern->count, puts, count);
    for (size_t i = 0; i < count; i++) {
        check_id(writer, &puts[i], number + i);
        report_id(writer, pattern, &puts[i], number + i);
    }
    return count;
}

static void put_calls(tw_message_writer *writer, const tw_put_call *puts)
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
static void put_all_calls(tw_message_writer *writer)
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

void tw_message_put_calls(tw_message_writer *writer, bool text)
{
    if (writer->message->call_count > 0) {
        tw_message_put_words(writer, text ? writer->description->gap : "");
        put_all_calls(writer);
    }
}

const tw_pattern *tw_message_first_call(const tw_message_writer *writer)
{
    const tw_put_call first = call_at(writer, 0);
    return pattern_for(writer, &first);
}
