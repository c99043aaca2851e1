/* SPDX-License-Identifier: MIT
 *
 * What loads and is doubtful: each doubt is a question to a description, and a
 * sentence for its author.
 */
#include <string.h>

#include "formats/description.h"

static bool has_hole(const tw_patterns *patterns, uint8_t first, uint8_t last)
{
    bool found = false;
    for (size_t i = 0; i < patterns->count; i++) {
        for (size_t k = 0; k < patterns->all[i].count; k++) {
            const uint8_t kind = patterns->all[i].parts[k].kind;
            found |= kind >= first && kind <= last;
        }
    }
    return found;
}

static bool has_no_example(const tw_description *d)
{
    return d->example[0] == 0;
}

static bool has_no_stops(const tw_description *d)
{
    return d->stops[0] == NULL;
}

static bool has_no_turn(const tw_description *d)
{
    return d->turns[0] == NULL;
}

static bool begins_bare(const tw_description *d)
{
    bool bare = false;
    for (size_t i = 0; i < d->call.count; i++) {
        const tw_pattern *call = &d->call.all[i];
        const bool layout = call->parts[0].kind == TW_PATTERN_LAYOUT;
        const size_t first = layout ? tw_pattern_next(call, 0) : 0;
        bare |= !call->loose && first < call->count &&
                call->parts[first].kind != TW_PATTERN_LITERAL &&
                d->calls.count == 0;
    }
    return bare;
}

static bool ends_elsewhere(const tw_description *d)
{
    const char *end = d->end_of_call;
    bool stops = end[0] == 0 || d->stops[0] == NULL;
    for (size_t i = 0; d->stops[i] != NULL; i++) {
        stops |= strstr(end, d->stops[i]) != NULL;
    }
    return !stops;
}

static bool has_idle_argument(const tw_description *d)
{
    return d->argument.count > 0 &&
           !has_hole(&d->call, TW_PATTERN_ARGUMENTS, TW_PATTERN_ARGUMENTS);
}

static bool has_idle_values(const tw_description *d)
{
    return d->values != TW_VALUES_JSON && d->argument.count == 0 &&
           !has_hole(&d->call, TW_PATTERN_PYTHON, TW_PATTERN_PYTHON_CALL);
}

static bool hides_ends(const tw_description *d)
{
    bool hidden = false;
    for (size_t i = 0; i < d->call.count && d->argument.count > 0; i++) {
        const tw_pattern *call = &d->call.all[i];
        const size_t next = tw_pattern_next(call, call->hole);
        hidden |= tw_pattern_hole(call)->kind == TW_PATTERN_ARGUMENTS &&
                  next < call->count &&
                  call->parts[next].kind == TW_PATTERN_SKIP;
    }
    return hidden;
}

static bool begins_inside(const tw_description *d)
{
    bool inside = false;
    for (size_t i = 0; i < d->reasoning.count; i++) {
        inside |= tw_pattern_is_open(&d->reasoning.all[i]);
    }
    return inside;
}

static bool has_short_marker(const tw_description *d)
{
    bool found = false;
    for (size_t i = 0; i < d->markers.count; i++) {
        const tw_mark_text *marker = &d->markers.all[i];
        found |= !marker->token && marker->size < 3 &&
                 (marker->roles &
                  (TW_AT_CALL | TW_AT_SECTION | TW_AT_REASONING)) != 0;
    }
    return found;
}

/* A call's marker that JSON may hold between its tokens. */
static bool has_json_marker(const tw_description *d)
{
    bool found = false;
    for (size_t i = 0; i < d->markers.count; i++) {
        const tw_mark_text *marker = &d->markers.all[i];
        found |=
            marker->size == 1 && strchr("{}[],:\"", *marker->text) != NULL;
    }
    return found;
}

/* What is written between calls is text when it is read. */
static bool has_text_between(const tw_description *d)
{
    bool text = d->calls.count == 0 &&
                strspn(d->between, " \t\r\n,;") < strlen(d->between);
    for (size_t i = 0; d->tokens[i] != NULL; i++) {
        text &= strcmp(d->between, d->tokens[i]) != 0;
    }
    return text;
}

static const struct {
    bool (*is)(const tw_description *);
    const char *text;
} doubts[] = {
    {has_no_example, "example: missing: nothing shows that what the model "
                     "writes is read"},
    {has_no_stops, "stops: missing: what stands behind the end of the model's "
                   "turn would be text"},
    {has_no_turn, "turn: missing: the end of a prompt cannot tell where the "
                  "model's answer begins"},
    {begins_bare, "call: one begins without a marker: an answer that begins "
                  "alike is held back, and a call behind text is text"},
    {begins_inside, "reasoning: the output begins inside it: one that never "
                    "closes it is all reasoning"},
    {has_short_marker, "a marker that opens a call or reasoning is shorter "
                       "than three bytes and no token: prose may hold it"},
    {has_json_marker, "a marker is one byte that JSON may hold: arguments "
                      "that hold it break there"},
    {has_text_between, "between: it is neither white space nor a token: what "
                       "is written there is read as text"},
    {ends_elsewhere, "end: it holds none of the stops: what is written does "
                     "not end where the decoder stops"},
    {has_idle_argument, "argument: no call has {arguments}: it is never read"},
    {has_idle_values, "values: no call has values that it would shape"},
    {hides_ends, "call: {skip} behind {arguments}: a value's end marker in "
                 "the value ends it where another marker follows on the "
                 "line"},
};

const char *tw_description_doubt(const tw_description *d, size_t i)
{
    enum { COUNT = sizeof doubts / sizeof doubts[0] };
    for (size_t k = 0; k < COUNT; k++) {
        if (doubts[k].is(d) && i-- == 0) {
            return doubts[k].text;
        }
    }
    return NULL;
}
