/* SPDX-License-Identifier: MIT
 *
 * What a pattern of a description says of its parts: which opens it, which
 * closes it, what stands behind another.
 */
#include <string.h>

#include "formats/description.h"

const char *tw_pattern_layout(const tw_pattern *pattern, size_t part)
{
    const tw_part *next = &pattern->parts[part + 1];
    return part + 1 < pattern->count && next->kind == TW_PATTERN_LAYOUT
               ? next->text
               : "";
}

bool tw_pattern_is_open(const tw_pattern *pattern)
{
    return pattern->first == pattern->hole;
}

bool tw_pattern_is_joined(const tw_pattern *pattern, size_t part)
{
    const tw_part *literal = &pattern->parts[part];
    if (part == 0 || part >= pattern->hole ||
        literal->kind != TW_PATTERN_LITERAL ||
        literal[-1].kind != TW_PATTERN_LITERAL) {
        return false;
    }
    return literal->token == 0 ||
           (literal[-1].token == 0 &&
            literal[-1].text[literal[-1].size - 1] != '>');
}

const tw_part *tw_pattern_close(const tw_pattern *pattern)
{
    for (size_t i = pattern->count; i-- > (size_t)pattern->hole + 1;) {
        if (pattern->parts[i].kind == TW_PATTERN_LITERAL) {
            return &pattern->parts[i];
        }
    }
    return NULL;
}

const tw_part *tw_pattern_literal(const tw_pattern *pattern, size_t part)
{
    const bool is = part < pattern->count &&
                    pattern->parts[part].kind == TW_PATTERN_LITERAL;
    return is ? &pattern->parts[part] : NULL;
}

size_t tw_pattern_opener(const tw_pattern *pattern)
{
    const size_t first = pattern->first;
    return first < pattern->count &&
                   pattern->parts[first].kind == TW_PATTERN_LITERAL
               ? first
               : pattern->count;
}

size_t tw_pattern_closer(const tw_pattern *pattern)
{
    size_t i = (size_t)pattern->hole + 1;
    while (i < pattern->count &&
           pattern->parts[i].kind != TW_PATTERN_LITERAL) {
        i++;
    }
    return i;
}

const tw_part *tw_pattern_open(const tw_pattern *pattern)
{
    return tw_pattern_literal(pattern, pattern->first);
}

bool tw_pattern_respells(const tw_pattern *pattern, const tw_patterns *all)
{
    const tw_part *open = tw_pattern_open(pattern);
    bool written = open == NULL || !pattern->loose;
    for (size_t i = 0; i < all->count && !written; i++) {
        const tw_pattern *one = &all->all[i];
        for (size_t k = 0; k < one->count && !one->loose && !written; k++) {
            const tw_part *part = tw_pattern_literal(one, k);
            written = part != NULL && strstr(part->text, open->text) != NULL;
        }
    }
    return !written;
}

bool tw_pattern_is_marked(const tw_pattern *pattern)
{
    bool literal = false;
    for (size_t i = 0; i < pattern->hole; i++) {
        const uint8_t kind = pattern->parts[i].kind;
        literal =
            kind == TW_PATTERN_LITERAL || (literal && kind != TW_PATTERN_NAME);
    }
    return literal;
}

bool tw_description_has_elements(const tw_description *description)
{
    bool found = false;
    for (size_t i = 0; i < description->call.count; i++) {
        found |= tw_pattern_hole(&description->call.all[i])->kind ==
                 TW_PATTERN_ELEMENTS;
    }
    return found;
}

bool tw_goes_into_cdata(const tw_description *description, const char *text,
                        size_t size)
{
    return (description->quirks & TW_QUIRK_CDATA) != 0 && size > 0 &&
           (memchr(text, '<', size) != NULL ||
            memchr(text, '&', size) != NULL ||
            memchr(text, '\n', size) != NULL);
}

bool tw_description_is_typed(const tw_description *description)
{
    return description->argument.count > 0 ||
           tw_description_has_elements(description);
}

bool tw_call_ends_message(const tw_description *d, const tw_pattern *call)
{
    bool token = false;
    for (size_t i = 0; d->tokens[i] != NULL; i++) {
        token |= strcmp(d->between, d->tokens[i]) == 0;
    }
    return token && d->calls.count == 0 && tw_pattern_close(call) == NULL &&
           tw_pattern_hole(call)->kind == TW_PATTERN_ARGUMENTS &&
           d->argument.count > 0;
}
