/* SPDX-License-Identifier: MIT
 *
 * The words that matter in values between tags: what the patterns of a
 * description open and close with.
 */
#include "formats/body/tagged/words.h"

#include <string.h>

#include "core/skip.h"

static tw_tagged_word *word_of(tw_tagged_body *body, const char *text,
                               size_t size, uint8_t token, uint8_t last)
{
    const size_t count = tw_tagged_word_count(body);
    for (size_t i = 0; i < count; i++) {
        tw_tagged_word *word = tw_tagged_word_at(body, i);
        if (word->size == size && memcmp(word->text, text, size) == 0) {
            return word;
        }
    }
    if (count == TW_TAGGED_WORDS || size == 0) {
        return NULL; /* more than load_check.c lets through */
    }
    const uint8_t first = (uint8_t)text[0];
    const tw_tagged_word made = {
        .text = text,
        .size = (uint8_t)size,
        .next = body->first[first],
        .token = token,
        .last = last,
    };
    if (!tw_buffer_append(&body->words, body->common.call->memory, &made,
                          sizeof made)) {
        body->failed = true;
        return NULL;
    }
    body->first[first] = (uint8_t)(count + 1);
    return tw_tagged_word_at(body, count);
}

/* The literal |part| of a pattern, or of a tag its name. */
static tw_tagged_word *add_part(tw_tagged_body *body,
                                const tw_pattern *pattern, size_t part,
                                tw_tagged_role role)
{
    const tw_part *literal = &pattern->parts[part];
    tw_tagged_word *word =
        word_of(body, literal->text, tw_pattern_marker(pattern, part),
                literal->token, literal->last);
    if (word != NULL && role != TW_TAGGED_NOTHING) {
        word->roles |= tw_tagged_bit(role);
    }
    return word;
}

size_t tw_tagged_opener(const tw_pattern *pattern)
{
    const size_t first = tw_pattern_first(pattern);
    return first < pattern->count &&
                   pattern->parts[first].kind == TW_PATTERN_LITERAL
               ? first
               : pattern->count;
}

/* The last one in front of it. */
static size_t inner_opener_of(const tw_pattern *pattern)
{
    size_t last = pattern->count;
    for (size_t i = 0; i < pattern->hole; i++) {
        if (pattern->parts[i].kind == TW_PATTERN_LITERAL) {
            last = i;
            if (tw_is_tag(pattern, i)) {
                break;
            }
        } else if (pattern->parts[i].kind != TW_PATTERN_LAYOUT) {
            break;
        }
    }
    return last;
}

static bool is_tagged(const tw_pattern *call)
{
    return tw_pattern_hole(call)->kind == TW_PATTERN_ARGUMENTS;
}

static void add_call(tw_tagged_body *body, size_t i)
{
    const tw_pattern *call = &body->common.format->call.all[i];
    size_t closers = 0;
    const size_t openers[] = {tw_tagged_opener(call), inner_opener_of(call)};
    if (!is_tagged(call)) {
        return;
    }
    for (size_t k = 0; k < 2; k++) {
        if (openers[k] < call->hole) {
            add_part(body, call, openers[k], TW_TAGGED_CALL);
        }
    }
    for (size_t k = (size_t)call->hole + 1; k < call->count; k++) {
        tw_tagged_word *word = call->parts[k].kind == TW_PATTERN_LITERAL
                                   ? add_part(body, call, k, TW_TAGGED_NOTHING)
                                   : NULL;
        if (word != NULL && closers++ == 0) {
            word->calls |= UINT32_C(1) << i;
        } else if (word != NULL) {
            word->tails |= UINT32_C(1) << i;
        }
    }
}

size_t tw_tagged_closer(const tw_pattern *pattern)
{
    size_t i = (size_t)pattern->hole + 1;
    while (i < pattern->count &&
           pattern->parts[i].kind != TW_PATTERN_LITERAL) {
        i++;
    }
    return i;
}

/* What stands around text or thoughts and is a token: no call goes on behind
 * it. */
static void add_outside(tw_tagged_body *body)
{
    const tw_markers *markers = &body->common.format->markers;
    for (size_t i = 0; i < markers->count; i++) {
        const tw_mark_text *marker = &markers->all[i];
        tw_tagged_word *word =
            (marker->roles & TW_AT_OUTSIDE) != 0 && marker->token > 0
                ? word_of(body, marker->text, marker->size, marker->token,
                          marker->last)
                : NULL;
        if (word != NULL) {
            word->roles |= tw_tagged_bit(TW_TAGGED_OUTSIDE);
        }
    }
}

/* A token behind a call, which closes |calls|. */
static void add_end(tw_tagged_body *body, const char *text,
                    tw_tagged_role role, uint32_t calls)
{
    const size_t size = strlen(text);
    tw_tagged_word *word = word_of(body, text, size, (uint8_t)size, 0);
    if (word != NULL) {
        word->roles |= role != TW_TAGGED_NOTHING ? tw_tagged_bit(role) : 0;
        word->calls |= calls;
    }
}

/* The calls that the end of their message closes: a bit for each. */
static uint32_t calls_without_close(const tw_description *format)
{
    uint32_t calls = 0;
    for (size_t i = 0; i < format->call.count; i++) {
        calls |= (uint32_t)tw_call_ends_message(format, &format->call.all[i])
                 << i;
    }
    return calls;
}

bool tw_tagged_make_words(tw_tagged_body *body)
{
    const tw_description *format = body->common.format;
    for (size_t i = 0; i < format->argument.count; i++) {
        const tw_pattern *argument = &format->argument.all[i];
        tw_tagged_word *close =
            add_part(body, argument, tw_tagged_closer(argument), TW_TAGGED_NOTHING);
        if (close != NULL) {
            close->values |= UINT32_C(1) << i;
        }
        add_part(body, argument, tw_tagged_opener(argument), TW_TAGGED_PARAMETER);
    }
    for (size_t i = 0; i < format->call.count; i++) {
        add_call(body, i);
    }
    for (size_t i = 0; i < format->calls.count; i++) {
        const tw_pattern *calls = &format->calls.all[i];
        add_part(body, calls, tw_tagged_opener(calls), TW_TAGGED_SECTION);
        add_part(body, calls, tw_tagged_closer(calls), TW_TAGGED_SECTION_CLOSE);
    }
    const uint32_t open_calls = calls_without_close(format);
    if (open_calls != 0) {
        add_end(body, format->between, TW_TAGGED_NOTHING, open_calls);
    }
    for (size_t i = 0; format->stops[i] != NULL; i++) {
        add_end(body, format->stops[i], TW_TAGGED_STOP, open_calls);
    }
    add_outside(body);
    body->prose = true;
    for (size_t i = 0; i < tw_tagged_word_count(body); i++) {
        const uint8_t c = (uint8_t)tw_tagged_word_at(body, i)->text[0];
        body->prose &= c >= 0x80 || (tw_plain_kinds[c] & TW_PLAIN_PROSE) == 0;
    }
    return !body->failed;
}
