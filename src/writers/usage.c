/* SPDX-License-Identifier: MIT
 *
 * The usage of a message in the words of an API.
 *
 * Chat and Responses count tokens that came out of a cache among those of the
 * prompt, and say beside how many these are.  Anthropic counts them apart:
 *
 *     {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 6}}
 *     {"input_tokens": 3, "cache_read_input_tokens": 6}
 */
#include <string.h>

#include "writers/stream.h"

/* What chat and the others name otherwise. */
static const char *const renamed[][2] = {
    {"prompt_tokens", "input_tokens"},
    {"prompt_tokens_details", "input_tokens_details"},
    {"completion_tokens", "output_tokens"},
    {"completion_tokens_details", "output_tokens_details"},
};

enum { NAME_PROMPT, NAME_DETAILS, NAME_OUTPUT };

static const char *name_of(const tw_stream *self, size_t row)
{
    return renamed[row][tw_stream_api(self)->counts_prompt ? 0 : 1];
}

/* The API's own name of a member that has the other one; NULL: it is no other.
 */
static const char *own_name(const tw_stream *self, const tw_value *member)
{
    const int own = tw_stream_api(self)->counts_prompt ? 0 : 1;
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        if (tw_value_has_key(member, renamed[i][1 - own])) {
            return renamed[i][own];
        }
    }
    return NULL;
}

/* By either name. */
static const tw_value *find_count(const tw_stream *self, const char *name)
{
    const tw_value *usage = self->base.usage.root;
    const tw_value *found = NULL;
    const tw_value *member = usage != NULL ? usage->first : NULL;
    for (; member != NULL; member = member->next) {
        const char *own = own_name(self, member);
        if (own != NULL ? strcmp(own, name) == 0
                        : tw_value_has_key(member, name)) {
            found = member;
        }
    }
    return found;
}

/* ---- tokens out of a cache ---------------------------------------------- */

/* Where the prompt is counted otherwise than the API does. */
typedef struct recount {
    bool due;
    uint64_t prompt;
    uint64_t cached; /* to be said beside it, if |says| */
    bool says;
} recount;

/* A whole number in digits alone; false: it is none, or a huge one. */
static bool number_of(const tw_value *value, uint64_t *number)
{
    enum { DIGITS = 15 };
    *number = 0;
    if (!tw_value_is_a(value, TW_VALUE_NUMBER) || value->size > DIGITS) {
        return false;
    }
    for (size_t i = 0; i < value->size; i++) {
        if (value->text[i] < '0' || value->text[i] > '9') {
            return false;
        }
        *number = *number * 10 + (uint64_t)(value->text[i] - '0');
    }
    return true;
}

static recount count_anew(const tw_stream *self)
{
    const tw_value *details = find_count(self, name_of(self, NAME_DETAILS));
    const tw_value *read_apart = find_count(self, "cache_read_input_tokens");
    uint64_t prompt, within, read, made;
    const bool known =
        number_of(find_count(self, name_of(self, NAME_PROMPT)), &prompt);
    const bool inside =
        number_of(tw_value_member(details, "cached_tokens"), &within);
    const bool reads = number_of(read_apart, &read);
    const bool makes =
        number_of(find_count(self, "cache_creation_input_tokens"), &made);
    recount anew = {false, prompt, within, false};
    if (!known) {
        return anew;
    }
    if (tw_stream_api(self)->counts_cached) {
        anew.due = !inside && (reads || makes);
        anew.prompt += read + made;
        anew.cached = read;
        anew.says = anew.due && details == NULL;
    } else if (inside && within + made <= prompt) {
        anew.due = within + made > 0;
        anew.prompt -= within + made;
        anew.says = anew.due && read_apart == NULL;
    }
    return anew;
}

/* ---- writing ------------------------------------------------------------ */

void tw_stream_put_count(tw_stream *self, const char *name)
{
    tw_writer *writer = &self->base;
    const tw_value *found = find_count(self, name);
    const recount anew = count_anew(self);
    if (anew.due && strcmp(name, name_of(self, NAME_PROMPT)) == 0) {
        tw_put_number(writer, &writer->lines, anew.prompt);
    } else if (tw_value_is_a(found, TW_VALUE_NUMBER)) {
        tw_put_value(writer, &writer->lines, found);
    } else {
        tw_put(writer, &writer->lines, "0");
    }
}

static void put_key(tw_stream *self, const tw_value *member, bool first)
{
    tw_writer *writer = &self->base;
    const char *own = own_name(self, member);
    const tw_value key = {.kind = TW_VALUE_STRING,
                          .text = member->key,
                          .size = member->key_size,
                          .lone = member->lone_key ? 1 : 0};
    tw_put(writer, &writer->lines, first ? "" : ",");
    if (own == NULL) {
        tw_put_value(writer, &writer->lines, &key);
        return;
    }
    tw_put(writer, &writer->lines, "\"");
    tw_put(writer, &writer->lines, own);
    tw_put(writer, &writer->lines, "\"");
}

static void put_cached(tw_stream *self, const recount *anew)
{
    tw_writer *writer = &self->base;
    const bool counts = tw_stream_api(self)->counts_cached;
    tw_put(writer, &writer->lines, ",\"");
    tw_put(writer, &writer->lines,
           counts ? name_of(self, NAME_DETAILS) : "cache_read_input_tokens");
    tw_put(writer, &writer->lines, counts ? "\":{\"cached_tokens\":" : "\":");
    tw_put_number(writer, &writer->lines, anew->cached);
    tw_put(writer, &writer->lines, counts ? "}" : "");
}

/* Of the numbers that are there: clients of Responses want the sum. */
static bool sum_of(const tw_stream *self, const recount *anew, uint64_t *sum)
{
    uint64_t prompt, output;
    const bool known =
        number_of(find_count(self, name_of(self, NAME_PROMPT)), &prompt) &&
        number_of(find_count(self, name_of(self, NAME_OUTPUT)), &output);
    *sum = known ? (anew->due ? anew->prompt : prompt) + output : 0;
    return known;
}

/* What clients cannot do without, and is not there. */
static void put_needed(tw_stream *self, const tw_needed *needed,
                       const recount *anew, bool first)
{
    tw_writer *writer = &self->base;
    for (; needed->name != NULL; needed++) {
        uint64_t sum = 0;
        const bool said =
            anew->says &&
            strcmp(needed->name, name_of(self, NAME_DETAILS)) == 0;
        if (said || find_count(self, needed->name) != NULL ||
            (needed->value == NULL && !sum_of(self, anew, &sum))) {
            continue;
        }
        tw_put(writer, &writer->lines, first ? "\"" : ",\"");
        tw_put(writer, &writer->lines, needed->name);
        tw_put(writer, &writer->lines, "\":");
        if (needed->value != NULL) {
            tw_put(writer, &writer->lines, needed->value);
        } else {
            tw_put_number(writer, &writer->lines, sum);
        }
        first = false;
    }
}

void tw_stream_put_usage(tw_stream *self, const tw_needed *needed)
{
    tw_writer *writer = &self->base;
    const tw_value *usage = writer->usage.root;
    const tw_value *member = usage != NULL ? usage->first : NULL;
    const recount anew = count_anew(self);
    const tw_value *prompt = find_count(self, name_of(self, NAME_PROMPT));
    bool first = true;
    tw_put(writer, &writer->lines, "{");
    for (; member != NULL; member = member->next) {
        put_key(self, member, first);
        tw_put(writer, &writer->lines, ":");
        if (anew.due && member == prompt) {
            tw_put_number(writer, &writer->lines, anew.prompt);
        } else {
            tw_put_value(writer, &writer->lines, member);
        }
        first = false;
    }
    if (anew.says) {
        put_cached(self, &anew);
    }
    put_needed(self, needed, &anew, first);
    tw_put(writer, &writer->lines, "}");
}
