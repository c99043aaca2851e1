/* SPDX-License-Identifier: MIT
 *
 * What a pattern of a description says of its parts: which opens it, which
 * closes it, what stands behind another.
 */
#include <string.h>

#include "formats/description.h"

size_t tw_pattern_next(const tw_pattern *pattern, size_t part)
{
    part++;
    while (part < pattern->count &&
           pattern->parts[part].kind == TW_PATTERN_LAYOUT) {
        part++;
    }
    return part;
}

/* The blank in front of the first attribute (` NAME="`), or NULL.  A tag's own
 * name may hold blanks, such as `<a b c="`. */
static const char *first_attribute(const char *tag)
{
    const char *at = strchr(tag, ' ');
    while (at != NULL && at[1 + strcspn(at + 1, " =")] != '=') {
        at = strchr(at + 1, ' ');
    }
    return at;
}

size_t tw_pattern_marker(const tw_pattern *pattern, size_t part)
{
    const tw_part *literal = &pattern->parts[part];
    const char *attribute = first_attribute(literal->text);
    const bool tag =
        part + 2 < pattern->count && attribute != NULL && literal->size > 2 &&
        memcmp(literal->text + literal->size - 2, "=\"", 2) == 0 &&
        literal[1].kind != TW_PATTERN_LITERAL &&
        literal[1].kind != TW_PATTERN_LAYOUT &&
        literal[2].kind == TW_PATTERN_LITERAL && literal[2].text[0] == '"';
    return tag ? (size_t)(attribute - literal->text) : literal->size;
}

const char *tw_pattern_layout(const tw_pattern *pattern, size_t part)
{
    const tw_part *next = &pattern->parts[part + 1];
    return part + 1 < pattern->count && next->kind == TW_PATTERN_LAYOUT
               ? next->text
               : "";
}

bool tw_pattern_is_open(const tw_pattern *pattern)
{
    return tw_pattern_first(pattern) == pattern->hole;
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

size_t tw_pattern_first(const tw_pattern *pattern)
{
    const bool layout =
        pattern->count > 0 && pattern->parts[0].kind == TW_PATTERN_LAYOUT;
    return layout ? tw_pattern_next(pattern, 0) : 0;
}

const tw_part *tw_pattern_literal(const tw_pattern *pattern, size_t part)
{
    const bool is = part < pattern->count &&
                    pattern->parts[part].kind == TW_PATTERN_LITERAL;
    return is ? &pattern->parts[part] : NULL;
}

const tw_part *tw_pattern_open(const tw_pattern *pattern)
{
    return tw_pattern_literal(pattern, tw_pattern_first(pattern));
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
