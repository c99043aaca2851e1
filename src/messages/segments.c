/* SPDX-License-Identifier: MIT
 *
 * The prompt's bytes, a note for each part of whose data they are, and the
 * search for markers that data would forge.
 */
#include "messages/segments.h"

#include <string.h>

#include "core/ascii.h"
#include "core/utf8.h"
#include "json/write.h"
#include "messages/pytext.h"

bool tw_marker_is_plain(const tw_marker *marker)
{
    const bool bracket = marker->text[0] == '<' || marker->text[0] == '[';
    return marker->literal &&
           ((!bracket && strstr(marker->text, "<|") == NULL) ||
            strspn(marker->text, "<>[]/\"'=: \n") == marker->size);
}

void tw_segments_init(tw_segments *segments, const tw_memory *memory,
                      const tw_marker *markers, size_t marker_count)
{
    memset(segments, 0, sizeof *segments);
    segments->memory = segments->losses.memory = memory;
    segments->markers = markers;
    segments->marker_count = marker_count;
    tw_segments_reset(segments);
    for (size_t i = 0; i < marker_count; i++) {
        const uint8_t lead = (uint8_t)markers[i].text[0];
        if (tw_marker_is_plain(&markers[i])) {
            continue;
        }
        segments->longest = markers[i].size > segments->longest
                                ? markers[i].size
                                : segments->longest;
        segments->many_leads |= segments->lead != 0 && segments->lead != lead;
        segments->lead = lead;
        segments->leads[lead] = true;
    }
}

void tw_segments_free(tw_segments *segments)
{
    tw_buffer_free(&segments->text, segments->memory);
    tw_buffer_free(&segments->runs, segments->memory);
    tw_buffer_free(&segments->losses.list, segments->memory);
}

void tw_segments_reset(tw_segments *segments)
{
    segments->text.size = segments->runs.size = 0;
    segments->losses.list.size = 0;
    segments->losses.failed = false;
    segments->given = segments->next_run = 0;
    segments->code = TW_OK;
    segments->message = "no error";
    segments->where = NULL;
    segments->offset = 0;
}

/* ---- errors and reports ------------------------------------------------- */

void tw_segments_refuse(tw_segments *segments, int32_t code,
                        const tw_value *where, uint64_t offset,
                        const char *message)
{
    if (segments->code == TW_OK) {
        segments->code = code;
        segments->where = where;
        segments->offset = offset;
        segments->message = message;
    }
}

static void no_memory(tw_segments *segments)
{
    tw_segments_refuse(segments, TW_ERROR_MEMORY, NULL, 0, "no memory");
}

void tw_segments_report(tw_segments *segments, uint32_t code,
                        const tw_value *where, const char *message)
{
    tw_losses_add(&segments->losses, code, where, 0, message);
}

static bool is_plain_key(const char *key, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char c = key[i];
        if (!(tw_is_alnum(c) || c == '_' || c == '-')) {
            return false;
        }
    }
    return size > 0;
}

static bool add_key(tw_buffer *out, const tw_memory *memory,
                    const tw_value *value)
{
    if (!is_plain_key(value->key, value->key_size)) {
        return tw_buffer_append(out, memory, "[", 1) &&
               tw_json_write_halves(out, memory, value->key,
                                    value->key_size) &&
               tw_buffer_append(out, memory, "]", 1);
    }
    return (out->size == 0 || tw_buffer_append(out, memory, ".", 1)) &&
           tw_buffer_append(out, memory, value->key, value->key_size);
}

static bool add_index(tw_buffer *out, const tw_memory *memory,
                      const tw_value *value)
{
    return tw_buffer_append(out, memory, "[", 1) &&
           tw_json_write_number(out, memory, value->index) &&
           tw_buffer_append(out, memory, "]", 1);
}

bool tw_value_path(tw_buffer *out, const tw_memory *memory,
                   const tw_value *value)
{
    enum { DEPTH = 256 }; /* more than a tree may be deep */
    const tw_value *steps[DEPTH];
    size_t count = 0;
    for (; value != NULL && count < DEPTH; value = value->parent) {
        while (value->origin != NULL) {
            value = value->origin;
        }
        /* The root of a text inside a string stands for that string. */
        if (value->parent != NULL && value->parent->kind != TW_VALUE_STRING) {
            steps[count++] = value;
        }
    }
    while (count-- > 0) {
        const tw_value *step = steps[count];
        if (!(step->parent->kind == TW_VALUE_OBJECT
                  ? add_key(out, memory, step)
                  : add_index(out, memory, step))) {
            return false;
        }
    }
    return true;
}

/* ---- putting ------------------------------------------------------------ */

static void append(tw_segments *segments, const char *data, size_t size)
{
    if (segments->code == TW_OK &&
        !tw_buffer_append(&segments->text, segments->memory, data, size)) {
        no_memory(segments);
    }
}

void tw_out_words(tw_segments *segments, const char *words, size_t size)
{
    append(segments, words, size);
}

/* What was appended from |begin| on is data. */
static void mark(tw_segments *segments, size_t begin, const tw_value *of,
                 size_t from)
{
    const tw_run added = {begin, segments->text.size, of, from};
    if (segments->code == TW_OK && added.end > begin &&
        !tw_buffer_append(&segments->runs, segments->memory, &added,
                          sizeof added)) {
        no_memory(segments);
    }
}

static bool holds_half(const tw_value *of)
{
    return of->lone > 0 || of->lone_key;
}

/* What stands in [begin, end) is text on the wire, where half of a surrogate
 * pair has no place. */
static void replace_halves(tw_segments *segments, size_t begin, size_t end,
                           const tw_value *of, size_t from)
{
    if (segments->code != TW_OK) {
        return;
    }
    const size_t half =
        tw_replace_halves((char *)segments->text.data + begin, end - begin);
    if (half > 0) {
        tw_losses_add(&segments->losses, TW_LOSS_LONE_SURROGATE_LOST, of,
                      from + half - 1, NULL);
    }
}

void tw_out_part(tw_segments *segments, const tw_value *of, const char *data,
                 size_t size, size_t from)
{
    const size_t begin = segments->text.size;
    append(segments, data, size);
    if (holds_half(of)) {
        replace_halves(segments, begin, segments->text.size, of, from);
    }
    mark(segments, begin, of, from);
}

/* Puts a text or key of a tree, behind which 16 bytes can be read: a short one
 * is copied in one step. */
static void out_padded(tw_segments *segments, const tw_value *of,
                       const char *data, size_t size)
{
    tw_buffer *text = &segments->text;
    tw_buffer *runs = &segments->runs;
    if (size == 0 || size > TW_TEXT_PADDING || segments->code != TW_OK ||
        of->lone > 0 || of->lone_key ||
        text->capacity - text->size < TW_TEXT_PADDING ||
        runs->capacity - runs->size < sizeof(tw_run)) {
        tw_out_part(segments, of, data, size, 0);
        return;
    }
    const tw_run added = {text->size, text->size + size, of, 0};
    memcpy(text->data + text->size, data, TW_TEXT_PADDING);
    memcpy(runs->data + runs->size, &added, sizeof added);
    text->size += size;
    runs->size += sizeof added;
}

void tw_out_text(tw_segments *segments, const tw_value *of)
{
    if (of->kind == TW_VALUE_NUMBER && segments->python_numbers) {
        const size_t begin = segments->text.size;
        if (segments->code == TW_OK &&
            !tw_python_number(&segments->text, segments->memory, of->text,
                              of->size)) {
            no_memory(segments);
        }
        mark(segments, begin, of, 0);
        return;
    }
    out_padded(segments, of, of->text, of->size);
}

void tw_out_stripped(tw_segments *segments, const tw_value *of)
{
    const char *data = of->text;
    size_t size = of->size;
    tw_python_strip(&data, &size);
    tw_out_part(segments, of, data, size, (size_t)(data - of->text));
}

void tw_out_key(tw_segments *segments, const tw_value *member)
{
    out_padded(segments, member, member->key, member->key_size);
}

/* ---- markers ------------------------------------------------------------ */

/* The marker at |at|, or NULL. */
static const tw_marker *marker_at(const tw_segments *segments,
                                  const uint8_t *at, const uint8_t *limit)
{
    const size_t left = (size_t)(limit - at);
    for (size_t i = 0; i < segments->marker_count; i++) {
        const tw_marker *marker = &segments->markers[i];
        const size_t middle = marker->size / 2;
        if (marker->size <= left &&
            marker->text[marker->size > 1] == (char)at[marker->size > 1] &&
            marker->text[middle] == (char)at[middle] &&
            memcmp(at, marker->text, marker->size) == 0 &&
            !tw_marker_is_plain(marker)) {
            return marker;
        }
    }
    return NULL;
}

/* The first byte in [at, limit) that a marker may begin with, or |limit|. */
static const uint8_t *find_lead(const tw_segments *segments, const uint8_t *at,
                                const uint8_t *limit)
{
    if (!segments->many_leads) {
        at = at < limit ? memchr(at, segments->lead, (size_t)(limit - at))
                        : NULL;
        return at != NULL ? at : limit;
    }
    while (at < limit && !segments->leads[*at]) {
        at++;
    }
    return at;
}

/* The first marker in [at, limit). */
static const uint8_t *find_marker(const tw_segments *segments,
                                  const uint8_t *at, const uint8_t *limit,
                                  const tw_marker **marker)
{
    while ((at = find_lead(segments, at, limit)) < limit) {
        *marker = marker_at(segments, at, limit);
        if (*marker != NULL) {
            return at;
        }
        at++;
    }
    *marker = NULL;
    return limit;
}

static bool append_escape(tw_segments *segments, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";
    const char escape[] = {'\\',
                           'u',
                           digits[unit >> 12 & 15],
                           digits[unit >> 8 & 15],
                           digits[unit >> 4 & 15],
                           digits[unit & 15]};
    return tw_buffer_append(&segments->text, segments->memory, escape,
                            sizeof escape);
}

/* The escape, such as `\u003c`, of the code point of |size| bytes at |at|. */
static bool append_point(tw_segments *segments, const uint8_t *at, size_t size)
{
    const char *text = (const char *)at;
    const uint32_t point = tw_point_at(text, text + size, &size);
    return point < 0x10000 ? append_escape(segments, point)
                           : append_escape(segments, tw_high_of(point)) &&
                                 append_escape(segments, tw_low_of(point));
}

/* Of the JSON from |begin| on a copy takes the place in which each marker has
 * an escape for its first code point. */
static void escape_markers(tw_segments *segments, size_t begin)
{
    tw_buffer *text = &segments->text;
    const tw_memory *memory = segments->memory;
    const tw_marker *marker;
    tw_buffer json = {0};
    bool good = true;
    find_marker(segments, text->data + begin, text->data + text->size,
                &marker);
    if (marker == NULL) {
        return;
    }
    if (!tw_buffer_append(&json, memory, text->data + begin,
                          text->size - begin)) {
        no_memory(segments);
        return;
    }
    text->size = begin;
    const uint8_t *from = json.data;
    const uint8_t *limit = from + json.size;
    while (good && from < limit) {
        const uint8_t *found = find_marker(segments, from, limit, &marker);
        size_t point = 0;
        if (marker != NULL) {
            tw_utf8_next(found, limit, &point);
        }
        good = tw_buffer_append(text, memory, from, (size_t)(found - from)) &&
               (marker == NULL || append_point(segments, found, point));
        from = found + point;
    }
    if (!good) {
        no_memory(segments);
    }
    tw_buffer_free(&json, memory);
}

/* JSON stands from |begin| on. */
static void end_json(tw_segments *segments, size_t begin, const tw_value *of)
{
    if (segments->code == TW_OK && begin < segments->text.size &&
        segments->control_text != TW_CONTROL_TEXT_ALLOW) {
        escape_markers(segments, begin);
    }
    mark(segments, begin, of, 0);
}

void tw_out_value(tw_segments *segments, const tw_value *value,
                  const tw_dump_style *style)
{
    const size_t begin = segments->text.size;
    if (segments->code == TW_OK &&
        !tw_python_dump(&segments->text, segments->memory, value, style,
                        segments->python_numbers)) {
        no_memory(segments);
    }
    if (style->string != NULL) { /* it is no JSON, which has an escape */
        replace_halves(segments, begin, segments->text.size, value, 0);
    }
    end_json(segments, begin, value);
}

void tw_out_json(tw_segments *segments, const tw_value *value)
{
    tw_out_value(segments, value, &tw_dump_spaced);
}

void tw_out_json_string(tw_segments *segments, const tw_value *of,
                        const char *data, size_t size)
{
    const size_t begin = segments->text.size;
    if (segments->code == TW_OK &&
        !tw_json_write_halves(&segments->text, segments->memory, data, size)) {
        no_memory(segments);
    }
    end_json(segments, begin, of);
}

void tw_out_json_text(tw_segments *segments, const tw_value *of)
{
    const size_t begin = segments->text.size;
    if (segments->code == TW_OK &&
        !tw_json_escape_halves(&segments->text, segments->memory, of->text,
                               of->size, false)) {
        no_memory(segments);
    }
    end_json(segments, begin, of);
}

/* ---- what is written elsewhere ------------------------------------------ */

/* As keys they are no data: templates make tags of those that every schema
 * has, such as `<required>`. */
static const char *const keywords[] = {"default", "description", "enum",
                                       "items",   "properties",  "required",
                                       "type",    NULL};

void tw_out_runs(tw_segments *segments, const void *data, size_t size,
                 const tw_run *runs, size_t count)
{
    const size_t begin = segments->text.size;
    append(segments, data, size);
    for (size_t i = 0; i < count && segments->code == TW_OK; i++) {
        if ((runs[i].from & TW_RUN_KEY) != 0 &&
            tw_value_is_named(runs[i].of, keywords)) {
            continue;
        }
        const tw_run added = {begin + runs[i].begin, begin + runs[i].end,
                              runs[i].of, runs[i].from & ~TW_RUN_KEY};
        if (!tw_buffer_append(&segments->runs, segments->memory, &added,
                              sizeof added)) {
            no_memory(segments);
        }
        if (holds_half(added.of)) {
            replace_halves(segments, added.begin, added.end, added.of,
                           (size_t)added.from);
        }
    }
}

const char *tw_segments_marker(const tw_segments *segments, const char *from,
                               const char *limit, size_t *size)
{
    const tw_marker *marker;
    const uint8_t *found = find_marker(segments, (const uint8_t *)from,
                                       (const uint8_t *)limit, &marker);
    *size = marker != NULL ? marker->size : 0;
    return marker != NULL ? (const char *)found : NULL;
}

/* ---- going back --------------------------------------------------------- */

tw_place tw_segments_place(const tw_segments *segments)
{
    return (tw_place){segments->text.size, segments->runs.size,
                      segments->losses.list.size};
}

void tw_segments_back(tw_segments *segments, tw_place place)
{
    if (segments->code == TW_OK) {
        segments->text.size = place.text;
        segments->runs.size = place.runs;
        segments->losses.list.size = place.reports;
    }
}

/* ---- the end ------------------------------------------------------------ */

/* The first run, from |*next| on, that has a byte in [begin, end). */
static const tw_run *data_in(const tw_segments *segments, size_t begin,
                             size_t end, size_t *next)
{
    const tw_run *runs = (const tw_run *)(void *)segments->runs.data;
    const size_t count = segments->runs.size / sizeof *runs;
    while (*next < count && runs[*next].end <= begin) {
        ++*next;
    }
    return *next < count && runs[*next].begin < end ? &runs[*next] : NULL;
}

static uint64_t place_in(const tw_run *data, size_t at)
{
    return data->from + (at > data->begin ? at - data->begin : 0);
}

/* Inserts a break at each place in |breaks|. */
static void break_markers(tw_segments *segments, const tw_buffer *breaks)
{
    const size_t *places = (const size_t *)(void *)breaks->data;
    const size_t count = breaks->size / sizeof *places;
    const size_t more = sizeof TW_BREAK - 1;
    tw_buffer broken = {0};
    size_t done = 0;
    bool good = tw_buffer_reserve(&broken, segments->memory,
                                  segments->text.size + count * more);
    for (size_t i = 0; i < count && good; i++) {
        const size_t to = places[i];
        good = tw_buffer_append(&broken, segments->memory,
                                segments->text.data + done, to - done) &&
               tw_buffer_append(&broken, segments->memory, TW_BREAK, more);
        done = to;
    }
    good = good && tw_buffer_append(&broken, segments->memory,
                                    segments->text.data + done,
                                    segments->text.size - done);
    if (!good) {
        no_memory(segments);
        tw_buffer_free(&broken, segments->memory);
        return;
    }
    tw_buffer_free(&segments->text, segments->memory);
    segments->text = broken;
}

/* The next marker from |*at| on that has a byte of data in it: *at is where
 * it begins, *next its run.  NULL: there is none.  What stands too far in
 * front of data is not looked at. */
static const tw_marker *next_in_data(const tw_segments *segments, size_t *at,
                                     size_t *next)
{
    if (segments->text.size == 0) {
        return NULL;
    }
    const uint8_t *text = segments->text.data;
    const uint8_t *limit = text + segments->text.size;
    const tw_run *runs = (const tw_run *)(void *)segments->runs.data;
    const size_t count = segments->runs.size / sizeof *runs;
    while (*next < count) {
        const tw_run *data = &runs[*next];
        const size_t reach = segments->longest - 1;
        const size_t from = data->begin > reach ? data->begin - reach : 0;
        *at = from > *at ? from : *at;
        while (*at < data->end) {
            const uint8_t *found =
                find_lead(segments, text + *at, text + data->end);
            *at = (size_t)(found - text);
            if (*at == data->end) { /* where the next run may begin */
                break;
            }
            const tw_marker *marker = marker_at(segments, found, limit);
            if (marker != NULL && *at + marker->size > data->begin) {
                return marker;
            }
            ++*at;
        }
        ++*next;
    }
    return NULL;
}

/* Where a marker at |at| is broken: behind its first character, but not within
 * a word of the template. */
static size_t break_in(const tw_segments *segments, const tw_run *data,
                       size_t at)
{
    const uint8_t *text = segments->text.data;
    size_t size = 1;
    tw_utf8_next(text + at, text + segments->text.size, &size);
    return at + size > data->begin ? at + size : data->begin;
}

int32_t tw_segments_end(tw_segments *segments)
{
    size_t place = 0;
    size_t next = 0;
    tw_buffer breaks = {0};
    while (segments->code == TW_OK &&
           segments->control_text != TW_CONTROL_TEXT_ALLOW &&
           next_in_data(segments, &place, &next) != NULL) {
        const tw_run *data =
            (const tw_run *)(void *)segments->runs.data + next;
        const size_t to = break_in(segments, data, place);
        if (segments->control_text == TW_CONTROL_TEXT_REJECT) {
            tw_segments_refuse(segments, TW_ERROR_CONTROL_TEXT, data->of,
                               place_in(data, place),
                               "a marker of the format");
        } else if (tw_buffer_append(&breaks, segments->memory, &to,
                                    sizeof to)) {
            tw_losses_add(&segments->losses, TW_LOSS_BROKEN_MARKER, data->of,
                          place_in(data, place), NULL);
        } else {
            no_memory(segments);
        }
        place++;
    }
    if (breaks.size > 0 && segments->code == TW_OK) {
        break_markers(segments, &breaks);
        segments->runs.size = 0; /* there is no marker left in data */
    }
    tw_buffer_free(&breaks, segments->memory);
    return segments->code;
}

size_t tw_breaks_place(tw_breaks *done, size_t at)
{
    const size_t size = sizeof TW_BREAK - 1;
    for (; done->at < at && done->broken->size > done->size + done->more;
         done->at++) {
        const uint8_t *there = done->broken->data + done->at + done->more;
        if (memcmp(there, TW_BREAK, size) == 0 &&
            (done->size - done->at < size ||
             memcmp(done->text + done->at, TW_BREAK, size) != 0)) {
            done->more += size;
        }
    }
    return at + done->more;
}

bool tw_segments_next(tw_segments *segments, bool *control, const char **data,
                      size_t *size)
{
    if (segments->given == segments->text.size) {
        return false;
    }
    const uint8_t *begin = segments->text.data;
    const uint8_t *limit = begin + segments->text.size;
    const uint8_t *from = begin + segments->given;
    const uint8_t *at = from;
    const tw_marker *marker = NULL;
    for (;; at++) {
        at = find_marker(segments, at, limit, &marker);
        const size_t place = (size_t)(at - begin);
        if (marker == NULL || data_in(segments, place, place + marker->size,
                                      &segments->next_run) == NULL) {
            break;
        }
    }
    *control = marker != NULL && at == from;
    *data = (const char *)from;
    *size = marker != NULL && at == from ? marker->size : (size_t)(at - from);
    segments->given += *size;
    return true;
}
