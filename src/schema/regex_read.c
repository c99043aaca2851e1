/* SPDX-License-Identifier: MIT
 *
 * A regular expression is read to a program whose parts lie one behind the
 * other and jump relative to themselves: to repeat a part is to copy it.
 */
#include "schema/regex.h"

#include "core/ascii.h"
#include "core/utf8.h"
#include "schema/regex_code.h"

enum { CODE_MOST = 4096, GROUPS_MOST = 256, TIMES_MOST = 1000 };

/* A group that is open. */
typedef struct group {
    size_t begin;
    size_t branch; /* where its last alternative begins */
} group;

typedef struct reader {
    tw_regex *pattern;
    const char *at;
    const char *end;
    group groups[GROUPS_MOST];
    size_t depth;
    size_t atom; /* where what a quantifier repeats begins */
    bool unread;
} reader;

/* ---- code --------------------------------------------------------------- */

static size_t here(const reader *self)
{
    return self->pattern->code.size / sizeof(tw_regex_op);
}

static tw_regex_op *op_at(const reader *self, size_t i)
{
    return (tw_regex_op *)(void *)self->pattern->code.data + i;
}

static void put(reader *self, tw_regex_op op)
{
    tw_regex *pattern = self->pattern;
    if (here(self) >= CODE_MOST) {
        self->unread = true;
    } else if (!tw_buffer_append(&pattern->code, pattern->memory, &op,
                                 sizeof op)) {
        pattern->failed = true;
    }
}

static bool is_bad(const reader *self)
{
    return self->unread || self->pattern->failed;
}

/* In front of what stands from |at| on. */
static void insert(reader *self, size_t at, tw_regex_op op)
{
    put(self, op);
    if (!is_bad(self)) {
        memmove(op_at(self, at + 1), op_at(self, at),
                (here(self) - 1 - at) * sizeof op);
        *op_at(self, at) = op;
    }
}

/* Once more what stands in [from, to). */
static void repeat(reader *self, size_t from, size_t to)
{
    for (size_t i = from; i < to && !is_bad(self); i++) {
        put(self, *op_at(self, i));
    }
}

static tw_regex_op split(int32_t one, int32_t other)
{
    const tw_regex_op op = {.kind = TW_REGEX_SPLIT, .a = one, .b = other};
    return op;
}

static tw_regex_op jump(int32_t to)
{
    const tw_regex_op op = {.kind = TW_REGEX_JUMP, .a = to};
    return op;
}

/* ---- quantifiers -------------------------------------------------------- */

/* [from, to) stands at the end. */
static void make_optional(reader *self, size_t from)
{
    insert(self, from, split(1, (int32_t)(here(self) - from) + 1));
}

static void make_star(reader *self, size_t from)
{
    const int32_t size = (int32_t)(here(self) - from);
    insert(self, from, split(1, size + 2));
    put(self, jump(-(size + 1)));
}

/* |most| SIZE_MAX: any number. */
static void repeat_atom(reader *self, size_t least, size_t most)
{
    const size_t from = self->atom;
    const size_t to = here(self);
    if (most == 0) {
        self->pattern->code.size = from * sizeof(tw_regex_op);
        return;
    }
    for (size_t i = 1; i < least && !is_bad(self); i++) {
        repeat(self, from, to);
    }
    if (least == 0 && most == SIZE_MAX) {
        make_star(self, from);
        return;
    }
    if (least == 0) {
        make_optional(self, from);
    }
    const size_t first = least == 0 ? from + 1 : from;
    if (most == SIZE_MAX) {
        const size_t again = here(self);
        repeat(self, first, first + (to - from));
        make_star(self, again);
        return;
    }
    for (size_t i = least > 0 ? least : 1; i < most && !is_bad(self); i++) {
        const size_t again = here(self);
        repeat(self, first, first + (to - from));
        make_optional(self, again);
    }
}

static bool is_next(const reader *self, char c)
{
    return self->at < self->end && *self->at == c;
}

static bool read_number(reader *self, size_t *number)
{
    const char *from = self->at;
    *number = 0;
    for (; self->at < self->end && tw_is_digit(*self->at); self->at++) {
        *number = *number <= TIMES_MOST
                      ? 10 * *number + (size_t)(*self->at - '0')
                      : *number;
    }
    return self->at > from;
}

/* `{n}`, `{n,}`, `{n,m}`.  False: it is none, and a brace is itself. */
static bool read_times(reader *self, size_t *least, size_t *most)
{
    const char *from = self->at++;
    bool good = read_number(self, least);
    *most = *least;
    if (good && is_next(self, ',')) {
        self->at++;
        if (!read_number(self, most)) {
            *most = SIZE_MAX;
        }
    }
    good &= is_next(self, '}');
    self->at = good ? self->at + 1 : from;
    if (good && (*least > TIMES_MOST || *least > *most ||
                 (*most > TIMES_MOST && *most != SIZE_MAX))) {
        self->unread = true;
    }
    return good;
}

static void read_quantifier(reader *self)
{
    size_t least = 0;
    size_t most = SIZE_MAX;
    if (self->at == self->end || memchr("*+?{", *self->at, 4) == NULL) {
        return;
    }
    if (*self->at == '{') {
        if (!read_times(self, &least, &most)) {
            return;
        }
    } else {
        least = *self->at == '+' ? 1 : 0;
        most = *self->at == '?' ? 1 : SIZE_MAX;
        self->at++;
    }
    self->at += is_next(self, '?') ? 1 : 0; /* lazy: the same is matched */
    if (!is_bad(self)) {
        repeat_atom(self, least, most);
    }
}

/* ---- groups ------------------------------------------------------------- */

static void open_group(reader *self)
{
    static const char *const heads[] = {"?:", "?<"};
    self->at++;
    if (is_next(self, '?')) {
        const size_t left = (size_t)(self->end - self->at);
        const bool plain = left > 1 && memcmp(self->at, heads[0], 2) == 0;
        const bool named = left > 2 && memcmp(self->at, heads[1], 2) == 0 &&
                           self->at[2] != '=' && self->at[2] != '!';
        const char *close = named ? memchr(self->at, '>', left) : self->at + 1;
        if ((!plain && !named) || close == NULL) {
            self->unread = true; /* look-around, or nothing known */
            return;
        }
        self->at = close + 1;
    }
    if (self->depth + 1 >= GROUPS_MOST) {
        self->unread = true;
        return;
    }
    const group fresh = {here(self), here(self)};
    self->groups[++self->depth] = fresh;
}

static void next_branch(reader *self)
{
    group *open = &self->groups[self->depth];
    self->at++;
    insert(self, open->branch,
           split(1, (int32_t)(here(self) - open->branch) + 2));
    put(self, jump(0)); /* to the group's end, which is not known yet */
    open->branch = here(self);
}

/* A jump to nowhere is none that a quantifier made. */
static void end_group(reader *self, const group *open)
{
    const size_t end = here(self);
    for (size_t i = open->begin; i < end && !is_bad(self); i++) {
        tw_regex_op *op = op_at(self, i);
        if (op->kind == TW_REGEX_JUMP && op->a == 0) {
            op->a = (int32_t)(end - i);
        }
    }
}

static void close_group(reader *self)
{
    self->at++;
    if (self->depth == 0) {
        self->unread = true;
        return;
    }
    const group *open = &self->groups[self->depth--];
    end_group(self, open);
    self->atom = open->begin;
}

/* ---- atoms -------------------------------------------------------------- */

static void read_assertion(reader *self, tw_regex_kind kind, size_t size)
{
    const tw_regex_op op = {.kind = kind};
    self->at += size;
    put(self, op);
}

static void read_atom(reader *self)
{
    tw_regex_op op = {.kind = TW_REGEX_CLASS};
    self->atom = here(self);
    if (!tw_regex_read_set(self->pattern, &self->at, self->end, &op)) {
        self->unread |= !self->pattern->failed;
    }
    put(self, op);
}

static void read_next(reader *self)
{
    const char c = *self->at;
    const char second = self->end - self->at > 1 ? self->at[1] : '\0';
    size_t least;
    size_t most;
    switch (c) {
    case '(': open_group(self); return;
    case '|': next_branch(self); return;
    case '^': read_assertion(self, TW_REGEX_BEGIN, 1); return;
    case '$': read_assertion(self, TW_REGEX_END, 1); return;
    case ')': close_group(self); break;
    case '*':
    case '+':
    case '?': self->unread = true; return;
    case '{':
        /* A count of nothing is no text. */
        self->unread = read_times(self, &least, &most);
        if (!self->unread) {
            read_atom(self);
        }
        break;
    default:
        if (c == '\\' && (second == 'b' || second == 'B')) {
            read_assertion(
                self, second == 'b' ? TW_REGEX_EDGE : TW_REGEX_NO_EDGE, 2);
            return;
        }
        read_atom(self);
        break;
    }
    if (!is_bad(self)) {
        read_quantifier(self);
    }
}

bool tw_regex_read(tw_regex *pattern, const tw_memory *memory,
                   const char *text, size_t size)
{
    const tw_regex fresh = {.memory = memory};
    const tw_regex_op match = {.kind = TW_REGEX_MATCH};
    *pattern = fresh;
    reader *self = tw_memory_new(memory, sizeof *self);
    if (self == NULL) {
        pattern->failed = true;
        return false;
    }
    self->pattern = pattern;
    self->at = text;
    self->end = text + size;
    while (self->at < self->end && !is_bad(self)) {
        read_next(self);
    }
    self->unread |= self->depth > 0;
    if (!is_bad(self)) {
        end_group(self, &self->groups[0]);
        put(self, match);
    }
    const bool good = !is_bad(self);
    tw_memory_free(memory, self, sizeof *self);
    if (!good) {
        const bool failed = pattern->failed;
        tw_regex_free(pattern);
        pattern->failed = failed;
    }
    return good;
}

void tw_regex_free(tw_regex *pattern)
{
    if (pattern->memory != NULL) {
        tw_buffer_free(&pattern->code, pattern->memory);
        tw_buffer_free(&pattern->ranges, pattern->memory);
    }
}
