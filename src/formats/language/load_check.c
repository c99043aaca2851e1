/* SPDX-License-Identifier: MIT
 *
 * What must hold between the parts of a description.
 */
#include <string.h>

#include "formats/language/load_state.h"
#include "formats/name_bytes.h"

static const char as_body[] =
    "the body of a call may begin as the marker does";

static void refuse(tw_loader *loader, const char *sentence)
{
    tw_load_refuse(loader, sentence, "", 0, "");
}

/* Holes that end by their own structure may stand behind another one. */
static bool ends_by_itself(uint8_t kind)
{
    return kind == TW_PATTERN_LITERAL || kind == TW_PATTERN_LAYOUT ||
           (tw_part_is_body(kind) && kind != TW_PATTERN_RAW);
}

/* Does the literal at |mark| end a name? */
static bool ends_name(const tw_pattern *pattern, size_t name, size_t mark)
{
    const tw_part *literal = tw_pattern_literal(pattern, mark);
    const size_t index = tw_pattern_next(pattern, mark);
    size_t size = 0;
    while (literal != NULL && size < literal->size &&
           tw_is_bare_name_byte((uint8_t)literal->text[size])) {
        size++;
    }
    return size == 0 || name + 1 < mark ||
           (size == literal->size && index < pattern->count &&
            tw_pattern_is_index(&pattern->parts[index]));
}

/* Holes that go on to what stands behind them must come to an end there. */
static void check_end(tw_loader *loader, const tw_pattern *pattern,
                      size_t hole, size_t next)
{
    const uint8_t kind = pattern->parts[hole].kind;
    if ((kind == TW_PATTERN_ID || kind == TW_PATTERN_SKIP ||
         kind == TW_PATTERN_SERVER) &&
        hole < pattern->hole && tw_pattern_literal(pattern, next) == NULL) {
        refuse(loader, kind == TW_PATTERN_ID     ? "no marker ends {id}"
                       : kind == TW_PATTERN_SKIP ? "no marker ends {skip}"
                                                 : "no marker ends {server:}");
    }
    if (kind == TW_PATTERN_NAME && hole < pattern->hole &&
        !ends_name(pattern, hole, next)) {
        refuse(loader, "what stands behind {name} may be part of a name, as "
                       "letters, digits and _-.:/ are");
    }
}

/* A name ends at its last letter, and what a {skip} begins with is none. */
static bool is_passed_over(const tw_pattern *pattern, size_t hole, size_t next)
{
    return pattern->parts[hole].kind == TW_PATTERN_NAME &&
           pattern->parts[next].kind == TW_PATTERN_SKIP;
}

static void check_holes(tw_loader *loader, const tw_pattern *pattern)
{
    for (size_t i = pattern->first; i < pattern->count;
         i = tw_pattern_next(pattern, i)) {
        const size_t next = tw_pattern_next(pattern, i);
        if (next < pattern->count && !ends_by_itself(pattern->parts[i].kind) &&
            !ends_by_itself(pattern->parts[next].kind) &&
            !is_passed_over(pattern, i, next)) {
            const char *hole = tw_hole_name(pattern->parts[i].kind);
            tw_load_refuse(loader, "no marker stands behind {", hole,
                           strlen(hole),
                           "}, where another hole begins (white space there "
                           "is layout)");
        }
        check_end(loader, pattern, i, next);
        if (i > pattern->hole && tw_pattern_literal(pattern, i) == NULL &&
            pattern->parts[i].kind != TW_PATTERN_SKIP) {
            tw_load_refuse(loader, "{", tw_hole_name(pattern->parts[i].kind),
                           strlen(tw_hole_name(pattern->parts[i].kind)),
                           "} stands behind what it belongs to, where nothing "
                           "reads it");
        }
    }
}

static bool is_tagged(const tw_description *d, const tw_pattern *call)
{
    return tw_pattern_hole(call)->kind == TW_PATTERN_ARGUMENTS &&
           d->argument.count > 0;
}

/* Free text has nothing in it that could name a call, or end one (D9). */
static void check_raw(tw_loader *loader, const tw_pattern *call)
{
    if (loader->to->description.raw_name[0] == '\0') {
        refuse(loader, "{raw} without raw_name, which names its calls");
    }
    if (tw_pattern_has(call, TW_PATTERN_NAME)) {
        refuse(loader, "{name} in front of {raw}, which raw_name names");
    }
    if (tw_pattern_close(call) != NULL) {
        refuse(loader, "a marker behind {raw}, which goes on to the end");
    }
}

/* A close that begins as those of elements do. */
static bool ends_elements(const tw_pattern *call)
{
    const tw_part *close = tw_pattern_close(call);
    const size_t size = tw_pattern_hole(call)->size;
    return close != NULL && close->size > size + 2 &&
           memcmp(close->text, tw_pattern_hole(call)->text, size) == 0 &&
           memcmp(close->text + size, "</", 2) == 0;
}

static void check_call(tw_loader *loader, const tw_pattern *call)
{
    const uint8_t body = tw_pattern_hole(call)->kind;
    const bool behind_name = body == TW_PATTERN_ARGUMENTS ||
                             body == TW_PATTERN_JSON_ARGUMENTS ||
                             body == TW_PATTERN_GEMMA ||
                             body == TW_PATTERN_ELEMENTS;
    const tw_part *first = &call->parts[call->first];
    if (call->first < call->count && !tw_part_is_body(first->kind) &&
        first->kind != TW_PATTERN_LITERAL && !call->loose &&
        loader->to->description.quirks == 0) {
        refuse(loader, "it begins without a marker");
    }
    if (tw_part_holds_calls(body) &&
        (tw_pattern_has(call, TW_PATTERN_ID) ||
         tw_pattern_has(call, TW_PATTERN_INDEX) ||
         tw_pattern_has(call, TW_PATTERN_INDEX_FROM_1))) {
        refuse(loader, "{id} and {index} are of one call, and the body holds "
                       "several");
    }
    if (behind_name && !tw_pattern_has(call, TW_PATTERN_NAME)) {
        refuse(loader, body == TW_PATTERN_GEMMA ? "{gemma:} without {name}"
                       : body == TW_PATTERN_ELEMENTS
                           ? "{elements:} without {name}"
                           : "{arguments} without {name}");
    }
    if (tw_pattern_has(call, TW_PATTERN_SERVER) &&
        (!behind_name || !tw_pattern_has(call, TW_PATTERN_NAME))) {
        refuse(loader, "{server:} without {name} and {arguments}");
    }
    if (body == TW_PATTERN_RAW) {
        check_raw(loader, call);
    }
    if (body == TW_PATTERN_GEMMA && (tw_pattern_close(call) == NULL ||
                                     tw_pattern_close(call)->text[0] != '<' ||
                                     tw_pattern_hole(call)->text[0] != '<')) {
        refuse(loader,
               "what {gemma:} names, and a marker behind it, begin with <");
    }
    if (body == TW_PATTERN_ELEMENTS && !ends_elements(call)) {
        refuse(loader, "no </ with what {elements:} names in front ends it");
    }
    if (is_tagged(&loader->to->description, call) &&
        tw_pattern_close(call) == NULL &&
        loader->to->description.calls.count == 0 &&
        !tw_call_ends_message(&loader->to->description, call)) {
        refuse(loader, "no marker ends the arguments");
    }
}

static void check_argument(tw_loader *loader, const tw_pattern *argument)
{
    if (!tw_pattern_has(argument, TW_PATTERN_KEY)) {
        refuse(loader, "{key} is due");
    }
    if (tw_pattern_open(argument) == NULL) {
        refuse(loader, "it begins without a marker");
    }
    if (tw_pattern_close(argument) == NULL) {
        refuse(loader, "no marker ends {value}");
    }
}

/* Could a call's body begin so?  Where one is due, nothing would tell which
 * it is.  A text of one byte ends in the zero that strchr() finds. */
static bool begins_body(const char *text)
{
    return (text[0] == '{' && strchr("\" \t\r\n}", text[1]) != NULL) ||
           (text[0] == '[' && strchr("{] \t\r\n", text[1]) != NULL);
}

static void check_opener(tw_loader *loader, const tw_pattern *pattern)
{
    const tw_part *open = tw_pattern_open(pattern);
    if (open != NULL && begins_body(open->text)) {
        refuse(loader, as_body);
    }
}

static void check_reasoning(tw_loader *loader, const tw_pattern *reasoning)
{
    check_opener(loader, reasoning);
    const size_t first = reasoning->first;
    if (tw_pattern_literal(reasoning, first) == NULL &&
        first != reasoning->hole) {
        refuse(loader, "it begins without a marker");
    }
    if (tw_pattern_close(reasoning) == NULL) {
        refuse(loader, "no marker ends {text}");
    }
}

static void check_text(tw_loader *loader, const tw_pattern *text)
{
    if (tw_pattern_hole(text)->kind == TW_PATTERN_TEXT_JSON) {
        if (tw_pattern_open(text) == NULL || tw_pattern_close(text) == NULL) {
            refuse(loader, "marker {text:json} marker is due");
        }
        return; /* as calls of the format begin, within an object's members */
    }
    check_opener(loader, text);
    if (tw_pattern_close(text) != NULL && tw_pattern_open(text) == NULL) {
        refuse(loader, "it begins without a marker");
    }
    if (tw_pattern_hole(text)->kind == TW_PATTERN_UNREAD &&
        (tw_pattern_close(text) == NULL || !text->loose)) {
        refuse(loader, "marker {unread} marker is due, in `loose`");
    }
}

static void check_calls(tw_loader *loader, const tw_pattern *calls)
{
    if (tw_pattern_open(calls) == NULL || tw_pattern_close(calls) == NULL) {
        refuse(loader, "marker {calls} marker is due");
    }
}

static void check_each(tw_loader *loader, const char *key,
                       const tw_patterns *patterns,
                       void (*check)(tw_loader *, const tw_pattern *))
{
    size_t canonical = 0;
    while (canonical < patterns->count && !patterns->all[canonical].loose) {
        canonical++;
    }
    loader->key = key;
    loader->key_size = strlen(key);
    loader->in_pattern = false;
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        const size_t first = pattern->loose ? canonical : 0;
        const size_t last = pattern->loose ? patterns->count : canonical;
        loader->loose = pattern->loose;
        loader->index = i - first;
        loader->listed = last - first > 1;
        check_holes(loader, pattern);
        check(loader, pattern);
    }
    loader->loose = loader->listed = false;
}

static void check_stops(tw_loader *loader)
{
    const tw_description *d = &loader->to->description;
    loader->key = "stops";
    loader->key_size = strlen(loader->key);
    for (size_t i = 0; d->stops[i] != NULL; i++) {
        for (size_t k = 0; k < d->call.count; k++) {
            const tw_pattern *call = &d->call.all[k];
            const size_t first = call->first;
            const tw_part *open = tw_pattern_literal(call, first);
            if (open != NULL && strcmp(open->text, d->stops[i]) == 0 &&
                tw_pattern_literal(call, tw_pattern_next(call, first)) ==
                    NULL) {
                tw_load_refuse(loader, "", d->stops[i], strlen(d->stops[i]),
                               " also begins a call");
            }
        }
        if (strlen(d->stops[i]) > TW_MARKER_LONGEST) {
            refuse(loader, "a marker is longer than 255 bytes");
        }
        if (begins_body(d->stops[i])) {
            refuse(loader, as_body);
        }
    }
}

/* One text for every call would be no id. */
static void check_id(tw_loader *loader)
{
    const tw_patterns *ids = &loader->to->description.id;
    loader->key = "id";
    loader->key_size = strlen(loader->key);
    for (size_t i = 0; i < ids->count; i++) {
        if (!tw_pattern_has(&ids->all[i], TW_PATTERN_NAME) &&
            !tw_pattern_has(&ids->all[i], TW_PATTERN_INDEX)) {
            refuse(loader, "{name} or {index} is due, or the word nine");
        }
    }
}

/* Behind a byte that no name has, so that the suffix has a begin. */
static void check_suffix(tw_loader *loader)
{
    const char *suffix = loader->to->description.suffix;
    size_t size = suffix[0] != 0;
    while (suffix[size] != 0 && tw_is_inner_byte((uint8_t)suffix[size])) {
        size++;
    }
    loader->key = "suffix";
    loader->key_size = strlen(loader->key);
    if (size == 1 || suffix[size] != 0 || size > TW_SUFFIX_MOST ||
        (size > 0 && (tw_is_inner_byte((uint8_t)suffix[0]) ||
                      strchr("\"\\<>{} \t\r\n", suffix[0]) != NULL))) {
        refuse(loader, "a separator and up to 63 letters, digits and _-. are "
                       "due");
    }
}

void tw_load_check(tw_loader *loader)
{
    const tw_description *d = &loader->to->description;
    check_each(loader, "call", &d->call, check_call);
    check_each(loader, "argument", &d->argument, check_argument);
    check_each(loader, "reasoning", &d->reasoning, check_reasoning);
    check_each(loader, "text", &d->text, check_text);
    check_each(loader, "calls", &d->calls, check_calls);
    check_id(loader);
    check_suffix(loader);
    check_stops(loader);
    /* What thinks and calls nothing is a format, too. */
    if (d->call.count == 0 && (d->reasoning.count == 0 || d->calls.count > 0 ||
                               d->argument.count > 0)) {
        loader->key = "call";
        loader->key_size = strlen(loader->key);
        refuse(loader, "missing");
    }
}
