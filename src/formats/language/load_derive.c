/* SPDX-License-Identifier: MIT
 *
 * What a pattern is beside the others: an open marker that is text like any
 * other, a common code fence, and how much of it the prompt has written.
 */
#include <string.h>

#include "core/ascii.h"
#include "core/skip.h"
#include "formats/language/load_state.h"

/* The literals with which a pattern begins, nothing between them. */
static size_t opener_of(const tw_pattern *pattern, char *text, size_t most)
{
    size_t size = 0;
    size_t i = pattern->parts[0].kind == TW_PATTERN_LAYOUT;
    for (;
         i < pattern->count && pattern->parts[i].kind == TW_PATTERN_LITERAL &&
         size + pattern->parts[i].size <= most;
         i++) {
        memcpy(text + size, pattern->parts[i].text, pattern->parts[i].size);
        size += pattern->parts[i].size;
    }
    text[size] = 0;
    return size;
}

/* Of |opener|, how many bytes a prompt ends with, white space aside. */
static size_t written_of(const tw_description *d, const char *opener,
                         size_t size)
{
    size_t most = 0;
    for (size_t i = 0; d->turns[i] != NULL; i++) {
        const char *turn = d->turns[i];
        size_t end = strlen(turn);
        while (end > 0 && tw_is_ws((uint8_t)turn[end - 1])) {
            end--;
        }
        for (size_t n = size < end ? size : end; n > most; n--) {
            if (memcmp(turn + end - n, opener, n) == 0) {
                most = n;
            }
        }
    }
    return most;
}

static bool is_common_fence(const char *opener)
{
    return strcmp(opener, "```") == 0 || strcmp(opener, "```json") == 0 ||
           strcmp(opener, "```python") == 0;
}

/* Is a loose pattern's head words alone, as in `call:{name}`? */
static bool is_words(const tw_pattern *pattern)
{
    bool words = pattern->loose && pattern->plain && !pattern->fence &&
                 tw_is_letter(pattern->parts[0].text[0]);
    for (size_t i = 0; i < pattern->hole; i++) {
        words &= pattern->parts[i].token == 0 && pattern->parts[i].inner == 0;
    }
    return words;
}

/* Nothing but the opener and layout stands in front of text. */
static bool is_only_opener(const tw_pattern *pattern)
{
    bool only = !tw_part_is_body(tw_pattern_hole(pattern)->kind);
    for (size_t i = 0; i < pattern->hole; i++) {
        const uint8_t kind = pattern->parts[i].kind;
        const bool inner = i > 1 && kind == TW_PATTERN_LITERAL &&
                           pattern->parts[i - 1].kind == TW_PATTERN_LAYOUT;
        only &= kind <= TW_PATTERN_LAYOUT && !inner;
    }
    return only;
}

/* What may stand behind the open marker, if there is one. */
static uint8_t opens_of(const tw_pattern *pattern)
{
    const size_t first = pattern->first;
    const tw_part *open = tw_pattern_open(pattern);
    if (open == NULL) {
        return 0;
    }
    const uint8_t kind = tw_pattern_hole(pattern)->kind;
    const bool tag = tw_is_tag(pattern, first);
    const bool skips = pattern->parts[tw_pattern_next(pattern, first)].kind ==
                       TW_PATTERN_SKIP;
    const bool whole =
        tag || open->token > 0 || open[1].kind != TW_PATTERN_LITERAL;
    const bool object = kind >= TW_PATTERN_OBJECT && kind <= TW_PATTERN_KEYED;
    const bool closed = object && tw_pattern_close(pattern) != NULL && !skips;
    const bool keyed = kind == TW_PATTERN_KEYED;
    const bool entire = !tw_pattern_is_joined(pattern, first + 1);
    const bool cut = !pattern->loose || !tag || open->token > 0;
    return (uint8_t)((whole ? TW_OPENS_WHOLE : 0) |
                     (entire ? TW_OPENS_ENTIRE : 0) |
                     (pattern->plain ? TW_OPENS_PLAIN : 0) |
                     (object ? TW_OPENS_OBJECT : 0) |
                     (closed ? TW_OPENS_CLOSED : 0) |
                     (keyed ? TW_OPENS_KEYED : 0) | (cut ? TW_OPENS_CUT : 0));
}

static void derive(const tw_description *d, tw_pattern *pattern)
{
    enum { LONGEST = 255 };
    char opener[LONGEST + 1];
    const size_t size = opener_of(pattern, opener, LONGEST);
    pattern->plain =
        size > 0 &&
        ((opener[0] != '<' && opener[0] != '[' &&
          strstr(opener, "<|") == NULL && !pattern->parts[0].token) ||
         opener[size - 1] == ' '); /* a tag with a name in it */
    pattern->fence = is_common_fence(opener);
    pattern->words = is_words(pattern);
    pattern->written = (uint8_t)written_of(d, opener, size);
    pattern->opened =
        pattern->written == size && size > 0 && is_only_opener(pattern);
    pattern->opens = opens_of(pattern);
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

static size_t marker_of(const tw_pattern *pattern, size_t part)
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

/* What follows from a pattern alone. */
static void derive_parts(tw_pattern *pattern)
{
    tw_part *parts = (tw_part *)(uintptr_t)pattern->parts;
    for (size_t i = 0; i < pattern->count; i++) {
        parts[i].marker = (uint8_t)marker_of(pattern, i);
    }
    const bool layout =
        pattern->count > 0 && parts[0].kind == TW_PATTERN_LAYOUT;
    pattern->first = layout ? (uint8_t)tw_pattern_next(pattern, 0) : 0;
}

void tw_load_derive(tw_loader *loader)
{
    const tw_description *d = &loader->to->description;
    const tw_patterns *all[] = {&d->argument, &d->id,        &d->call,
                                &d->calls,    &d->reasoning, &d->text};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        /* The loader's own, not yet anybody else's. */
        tw_pattern *patterns = (tw_pattern *)(uintptr_t)all[i]->all;
        for (size_t k = 0; k < all[i]->count; k++) {
            derive_parts(&patterns[k]);
            if (i > 1) {
                derive(d, &patterns[k]);
            }
        }
    }
}
