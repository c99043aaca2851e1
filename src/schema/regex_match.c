/* SPDX-License-Identifier: MIT
 *
 * A pattern is run on all its ways at once, code point by code point.
 */
#include "core/ascii.h"
#include "schema/regex_code.h"

void tw_match_room_free(tw_match_room *room, const tw_memory *memory)
{
    tw_buffer_free(&room->now, memory);
    tw_buffer_free(&room->next, memory);
    tw_buffer_free(&room->stack, memory);
    tw_buffer_free(&room->seen, memory);
}

/* Where the ways stand between two code points. */
typedef struct place {
    bool begin;
    bool end;
    bool edge; /* of a word */
} place;

typedef struct run {
    const tw_regex *pattern;
    const tw_regex_op *code;
    size_t count;
    uint32_t *seen;  /* of each op the step in which a way came to it */
    uint32_t *stack; /* a way is put there twice at most for each op */
    uint32_t *now;
    uint32_t *next;
    size_t now_count;
    size_t next_count;
    uint32_t step;
    uint64_t work;
} run;

/* Adds the ways from |op| on that need a code point.  True: one matches. */
static bool follow(run *self, uint32_t op, place at)
{
    size_t depth = 0;
    self->stack[depth++] = op;
    while (depth > 0) {
        const uint32_t i = self->stack[--depth];
        const tw_regex_op *code = &self->code[i];
        self->work++;
        if (self->seen[i] == self->step) {
            continue;
        }
        self->seen[i] = self->step;
        bool passes = false;
        switch (code->kind) {
        case TW_REGEX_MATCH: return true;
        case TW_REGEX_CLASS: self->next[self->next_count++] = i; break;
        case TW_REGEX_SPLIT:
            self->stack[depth++] = i + (uint32_t)code->b;
            self->stack[depth++] = i + (uint32_t)code->a;
            break;
        case TW_REGEX_JUMP:
            self->stack[depth++] = i + (uint32_t)code->a;
            break;
        case TW_REGEX_BEGIN: passes = at.begin; break;
        case TW_REGEX_END: passes = at.end; break;
        case TW_REGEX_EDGE: passes = at.edge; break;
        case TW_REGEX_NO_EDGE: passes = !at.edge; break;
        }
        if (passes) {
            self->stack[depth++] = i + 1;
        }
    }
    return false;
}

static bool takes(run *self, const tw_regex_op *op, uint32_t point)
{
    const tw_range *ranges =
        (const tw_range *)(const void *)self->pattern->ranges.data;
    bool found = false;
    /* There are no ranges at all where all that is read is `[^]`. */
    for (int32_t i = 0; i < op->a && !found; i++) {
        const tw_range *range = &ranges[op->b + i];
        found = point >= range->least && point <= range->most;
        self->work++;
    }
    return found != op->negated;
}

static bool is_word(uint32_t point)
{
    return tw_is_alnum((int)point) || point == '_';
}

static void take_turns(run *self)
{
    uint32_t *now = self->now;
    self->now = self->next;
    self->now_count = self->next_count;
    self->next = now;
    self->next_count = 0;
    self->step++;
}

static bool matches(run *self, const char *text, size_t size)
{
    const char *at = text;
    const char *end = text + size;
    bool before = false;
    for (;;) {
        size_t length = 0;
        const uint32_t point = at < end ? tw_regex_point(at, end, &length) : 0;
        const bool behind = at < end && is_word(point);
        const place here = {at == text, at == end, before != behind};
        take_turns(self);
        /* A match may begin anywhere.  The ways that took the last code point
         * stand as the operations behind theirs. */
        bool found = follow(self, 0, here);
        for (size_t i = 0; i < self->now_count && !found; i++) {
            found = follow(self, self->now[i] + 1, here);
        }
        if (found || at == end) {
            return found;
        }
        size_t kept = 0;
        for (size_t i = 0; i < self->next_count; i++) {
            if (takes(self, &self->code[self->next[i]], point)) {
                self->next[kept++] = self->next[i];
            }
        }
        self->next_count = kept;
        before = behind;
        at += length;
    }
}

static uint32_t *room_of(tw_buffer *buffer, const tw_memory *memory,
                         size_t count)
{
    buffer->size = 0;
    if (!tw_buffer_reserve(buffer, memory, count * sizeof(uint32_t))) {
        return NULL;
    }
    memset(buffer->data, 0, count * sizeof(uint32_t));
    return (uint32_t *)(void *)buffer->data;
}

bool tw_regex_matches(const tw_regex *pattern, tw_match_room *room,
                      const char *text, size_t size, uint64_t *work,
                      bool *failed)
{
    const size_t count = pattern->code.size / sizeof(tw_regex_op);
    const tw_memory *memory = pattern->memory;
    run self = {.pattern = pattern,
                .code = (const tw_regex_op *)(void *)pattern->code.data,
                .count = count,
                .seen = room_of(&room->seen, memory, count),
                .stack = room_of(&room->stack, memory, 2 * count + 2),
                .now = room_of(&room->now, memory, count),
                .next = room_of(&room->next, memory, count)};
    *failed = self.seen == NULL || self.stack == NULL || self.now == NULL ||
              self.next == NULL;
    const bool found = !*failed && matches(&self, text, size);
    *work += self.work + count;
    return found;
}
