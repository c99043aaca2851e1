/* SPDX-License-Identifier: MIT
 *
 * The words that matter in values between tags (tags.h), made of the patterns
 * of a description.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/language/load_state.h"

/* The format's markers, and what opens and closes each |argument|. */
enum { WORDS = TW_MARKERS_MOST + 2 * TW_PATTERNS_MOST };

typedef struct word_list {
    const tw_description *format;
    tw_tagged_word words[WORDS];
    tw_tags tags;
} word_list;

static tw_tagged_word *word_of(word_list *list, const char *text, size_t size,
                               uint8_t token, uint8_t last)
{
    const size_t count = list->tags.count;
    for (size_t i = 0; i < count; i++) {
        tw_tagged_word *word = &list->words[i];
        if (word->size == size && memcmp(word->text, text, size) == 0) {
            return word;
        }
    }
    if (count == WORDS || size == 0) {
        return NULL; /* more than load_check.c lets through */
    }
    const uint8_t first = (uint8_t)text[0];
    list->words[count] = (tw_tagged_word){
        .text = text,
        .size = (uint8_t)size,
        .next = list->tags.first[first],
        .token = token,
        .last = last,
    };
    list->tags.first[first] = ++list->tags.count;
    return &list->words[count];
}

/* The literal |part| of a pattern, or of a tag its name. */
static tw_tagged_word *add_part(word_list *list, const tw_pattern *pattern,
                                size_t part, tw_tagged_role role)
{
    const tw_part *literal = &pattern->parts[part];
    tw_tagged_word *word = word_of(list, literal->text, literal->marker,
                                   literal->token, literal->last);
    if (word != NULL && role != TW_TAGGED_NOTHING) {
        word->roles |= tw_tagged_bit(role);
    }
    return word;
}

/* The last one in front of it. */
static size_t inner_opener_of(const tw_pattern *pattern)
{
    size_t last = pattern->count;
    for (size_t i = 0; i < pattern->hole; i++) {
        if (pattern->parts[i].kind == TW_PATTERN_LITERAL) {
            last = i;
            if (pattern->parts[i].marker < pattern->parts[i].size) {
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

static void add_call(word_list *list, size_t i)
{
    const tw_pattern *call = &list->format->call.all[i];
    size_t closers = 0;
    const size_t openers[] = {tw_pattern_opener(call), inner_opener_of(call)};
    if (!is_tagged(call)) {
        return;
    }
    for (size_t k = 0; k < 2; k++) {
        if (openers[k] < call->hole) {
            add_part(list, call, openers[k], TW_TAGGED_CALL);
        }
    }
    for (size_t k = (size_t)call->hole + 1; k < call->count; k++) {
        tw_tagged_word *word = call->parts[k].kind == TW_PATTERN_LITERAL
                                   ? add_part(list, call, k, TW_TAGGED_NOTHING)
                                   : NULL;
        if (word != NULL && closers++ == 0) {
            word->calls |= UINT32_C(1) << i;
        } else if (word != NULL) {
            word->tails |= UINT32_C(1) << i;
        }
    }
}

/* What stands around text or thoughts and is a token: no call goes on behind
 * it. */
static void add_outside(word_list *list)
{
    const tw_markers *markers = &list->format->markers;
    for (size_t i = 0; i < markers->count; i++) {
        const tw_mark_text *marker = &markers->all[i];
        tw_tagged_word *word =
            (marker->roles & TW_AT_OUTSIDE) != 0 && marker->token > 0
                ? word_of(list, marker->text, marker->size, marker->token,
                          marker->last)
                : NULL;
        if (word != NULL) {
            word->roles |= tw_tagged_bit(TW_TAGGED_OUTSIDE);
        }
    }
}

/* A token behind a call, which closes |calls|. */
static void add_end(word_list *list, const char *text, tw_tagged_role role,
                    uint32_t calls)
{
    const size_t size = strlen(text);
    tw_tagged_word *word = word_of(list, text, size, (uint8_t)size, 0);
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

static void add_all(word_list *list)
{
    const tw_description *format = list->format;
    for (size_t i = 0; i < format->argument.count; i++) {
        const tw_pattern *argument = &format->argument.all[i];
        tw_tagged_word *close = add_part(
            list, argument, tw_pattern_closer(argument), TW_TAGGED_NOTHING);
        if (close != NULL) {
            close->values |= UINT32_C(1) << i;
        }
        add_part(list, argument, tw_pattern_opener(argument),
                 TW_TAGGED_PARAMETER);
    }
    for (size_t i = 0; i < format->call.count; i++) {
        add_call(list, i);
    }
    for (size_t i = 0; i < format->calls.count; i++) {
        const tw_pattern *calls = &format->calls.all[i];
        add_part(list, calls, tw_pattern_opener(calls), TW_TAGGED_SECTION);
        add_part(list, calls, tw_pattern_closer(calls),
                 TW_TAGGED_SECTION_CLOSE);
    }
    const uint32_t open_calls = calls_without_close(format);
    if (open_calls != 0) {
        add_end(list, format->between, TW_TAGGED_NOTHING, open_calls);
    }
    for (size_t i = 0; format->stops[i] != NULL; i++) {
        add_end(list, format->stops[i], TW_TAGGED_STOP, open_calls);
    }
    add_outside(list);
    list->tags.prose = true;
    for (size_t i = 0; i < list->tags.count; i++) {
        const uint8_t c = (uint8_t)list->words[i].text[0];
        list->tags.prose &=
            c >= 0x80 || (tw_plain_kinds[c] & TW_PLAIN_PROSE) == 0;
    }
}

void tw_load_tags(tw_loader *loader)
{
    tw_description *d = &loader->to->description;
    if (d->argument.count == 0) {
        return;
    }
    word_list list = {.format = d};
    add_all(&list);
    const size_t size = list.tags.count * sizeof *list.words;
    tw_tags *tags = tw_load_room(loader, sizeof *tags);
    tw_tagged_word *words = tw_load_room(loader, size + 1);
    if (tags != NULL && words != NULL) {
        memcpy(words, list.words, size);
        list.tags.words = words;
        *tags = list.tags;
        d->tags = tags;
    }
}
