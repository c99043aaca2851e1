/* SPDX-License-Identifier: MIT
 *
 * Tokens that are no marker by themselves: Kimi K3's `<|open|>` begins every
 * tag, and DeepSeek's `｜DSML｜` stands inside each.  Such a token and the
 * literals around it are one marker.
 */
#include <string.h>

#include "formats/language/load_state.h"

/* How many different texts may stand behind a token that patterns share. */
enum { SHARED = 3, KEYS = 5 };

typedef struct joiner {
    tw_loader *loader;
    const tw_patterns *keys[KEYS];
    const char *shared[TW_PATTERNS_MOST];
    size_t count;
} joiner;

static bool is_literal(const tw_pattern *pattern, size_t part)
{
    return part < pattern->count &&
           pattern->parts[part].kind == TW_PATTERN_LITERAL;
}

static bool is_text(const tw_pattern *pattern, size_t part)
{
    return is_literal(pattern, part) && pattern->parts[part].token == 0;
}

/* Texts that stand behind |token|, up to as many as count. */
static size_t count_behind(const joiner *join, const char *token)
{
    const char *found[SHARED];
    size_t count = 0;
    for (size_t key = 0; key < KEYS; key++) {
        for (size_t i = 0; i < join->keys[key]->count; i++) {
            const tw_pattern *pattern = &join->keys[key]->all[i];
            for (size_t part = 0; part + 1 < pattern->count; part++) {
                bool known = !is_text(pattern, part + 1) ||
                             strcmp(pattern->parts[part].text, token) != 0;
                for (size_t k = 0; !known && k < count; k++) {
                    known =
                        strcmp(found[k], pattern->parts[part + 1].text) == 0;
                }
                if (!known && count < SHARED) {
                    found[count++] = pattern->parts[part + 1].text;
                }
            }
        }
    }
    return count;
}

static bool is_shared(const joiner *join, const tw_part *part)
{
    bool found = false;
    for (size_t i = 0; i < join->count; i++) {
        found |= part->kind == TW_PATTERN_LITERAL &&
                 strcmp(part->text, join->shared[i]) == 0;
    }
    return found;
}

/* Does a run of literals that is one marker begin with |part|? */
static bool begins(const joiner *join, const tw_pattern *pattern, size_t part)
{
    const tw_part *at = &pattern->parts[part];
    const bool ends_tag = part > 0 && is_text(pattern, part) &&
                          !is_literal(pattern, part - 1) && at->text[0] == '"';
    return ends_tag || is_shared(join, at) ||
           (is_text(pattern, part) && is_literal(pattern, part + 1) &&
            is_shared(join, &at[1]));
}

/* How many parts that run has. */
static size_t run_of(const joiner *join, const tw_pattern *pattern,
                     size_t part)
{
    size_t end = part + 1;
    /* A text in front of the token belongs to it. */
    bool token = is_shared(join, &pattern->parts[part]) ||
                 !is_literal(pattern, part + 1) ||
                 !is_shared(join, &pattern->parts[part + 1]);
    while (is_literal(pattern, end) &&
           (!token || !is_shared(join, &pattern->parts[end]))) {
        token |= is_shared(join, &pattern->parts[end]);
        end++;
    }
    return end - part;
}

static void join_run(joiner *join, const tw_part *from, size_t count,
                     tw_part *to)
{
    char text[2 * TW_MARKER_LONGEST];
    tw_part inner = {0};
    size_t inner_at = 0;
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        if (size + from[i].size > TW_MARKER_LONGEST) {
            tw_load_refuse(join->loader, "a text is longer than 255 bytes", "",
                           0, "");
            return;
        }
        if (i > 0 && from[i].token > 0 && inner.token == 0) {
            inner = from[i];
            inner_at = size;
        }
        memcpy(text + size, from[i].text, from[i].size);
        size += from[i].size;
    }
    *to = from[0];
    to->inner = to->token > 0 ? 0 : inner.token;
    to->inner_at = to->token > 0 ? 0 : (uint8_t)inner_at;
    to->size = (uint8_t)size;
    const tw_part *last = &from[count - 1];
    const bool both = count > 1 && to->token > 0 && last->token > 0;
    to->last = (uint8_t)(both ? size - last->size : 0);
    to->text = tw_load_text(join->loader, text, size);
}

static void join_pattern(joiner *join, tw_pattern *pattern)
{
    tw_part *parts =
        tw_load_room(join->loader, pattern->count * sizeof *parts + 1);
    size_t count = 0;
    size_t hole = 0;
    for (size_t part = 0; parts != NULL && part < pattern->count;) {
        const size_t run =
            begins(join, pattern, part) ? run_of(join, pattern, part) : 1;
        hole = part == pattern->hole ? count : hole;
        join_run(join, &pattern->parts[part], run, &parts[count++]);
        part += run;
    }
    if (parts != NULL) {
        pattern->parts = parts;
        pattern->count = (uint8_t)count;
        pattern->hole = (uint8_t)hole;
    }
}

void tw_load_join(tw_loader *loader)
{
    const tw_description *d = &loader->to->description;
    joiner join = {
        .loader = loader,
        .keys = {&d->call, &d->calls, &d->argument, &d->reasoning, &d->text}};
    for (size_t i = 0; d->tokens[i] != NULL && join.count < TW_PATTERNS_MOST;
         i++) {
        if (count_behind(&join, d->tokens[i]) == SHARED) {
            join.shared[join.count++] = d->tokens[i];
        }
    }
    if (join.count == 0 && d->argument.count == 0) {
        return;
    }
    for (size_t key = 0; key < KEYS; key++) {
        for (size_t i = 0; i < join.keys[key]->count; i++) {
            tw_pattern *all = (tw_pattern *)(uintptr_t)join.keys[key]->all;
            join_pattern(&join, &all[i]);
        }
    }
}
