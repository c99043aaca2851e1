/* SPDX-License-Identifier: MIT
 *
 * Regular expressions as rules.  What matches anywhere in a string, as a
 * schema's pattern does, has any characters around it unless an anchor stands
 * there; anchors elsewhere, looks around and references back cannot be said.
 */
#include "grammars/make.h"
#include "schema/regex_code.h"

enum { GROUPS = 32, COUNT_MOST = 1000000 };

/* How many characters a part matches. */
typedef struct extent {
    uint32_t least;
    uint32_t most;
} extent;

/* An open group, or the whole. */
typedef struct group {
    uint32_t choice;
    uint32_t sequence; /* the last one of it */
    uint32_t last;     /* the part that a count would be of; 0: none */
    extent last_extent;
    extent before; /* of the branch without that part */
    extent all;    /* of the branches that ended */
    bool ended_one;
} group;

typedef struct pattern_reader {
    tw_grammar_maker *maker;
    const tw_value *pattern;
    tw_notation_kind notation;
    const char *at;
    const char *end;
    group groups[GROUPS];
    size_t depth;
    extent lengths; /* that are asked for */
    bool ended;     /* an anchor was read: nothing may follow in this branch */
    bool bad;
} pattern_reader;

static group *top(pattern_reader *reader)
{
    return &reader->groups[reader->depth];
}

/* ---- extents ------------------------------------------------------------ */

static uint32_t up_to(uint64_t number)
{
    return number < TW_RULE_ENDLESS ? (uint32_t)number : TW_RULE_ENDLESS;
}

static extent sum_of(extent left, extent right)
{
    const extent sum = {up_to((uint64_t)left.least + right.least),
                        up_to((uint64_t)left.most + right.most)};
    return sum;
}

static extent times(extent part, uint32_t least, uint32_t most)
{
    const extent all = {up_to((uint64_t)part.least * least),
                        part.most == 0 ? 0
                                       : up_to((uint64_t)part.most * most)};
    return all;
}

static void add_branch(group *group_now)
{
    const extent branch = sum_of(group_now->before, group_now->last_extent);
    extent *all = &group_now->all;
    if (!group_now->ended_one || branch.least < all->least) {
        all->least = branch.least;
    }
    if (!group_now->ended_one || branch.most > all->most) {
        all->most = branch.most;
    }
    group_now->ended_one = true;
}

/* ---- parts -------------------------------------------------------------- */

static uint32_t empty(pattern_reader *reader, tw_rule_kind kind)
{
    return tw_rule_put(&reader->maker->rules, kind, 0, 0, 0);
}

static void begin_branch(pattern_reader *reader)
{
    group *group_now = top(reader);
    group_now->sequence = empty(reader, TW_RULE_SEQUENCE);
    group_now->last = 0;
    group_now->before = group_now->last_extent = (extent){0, 0};
    tw_rule_add(&reader->maker->rules, group_now->choice, group_now->sequence);
    reader->ended = false;
    if (reader->depth == 0 &&
        (reader->at == reader->end || *reader->at != '^')) {
        group_now->before.most = TW_RULE_ENDLESS;
        tw_rule_add(&reader->maker->rules, group_now->sequence,
                    tw_rule_repeat(
                        &reader->maker->rules,
                        tw_grammar_character(reader->maker, reader->notation),
                        0, TW_RULE_ENDLESS));
    } else if (reader->depth == 0) {
        reader->at++;
    }
}

static void end_branch(pattern_reader *reader)
{
    if (reader->depth == 0 && !reader->ended) {
        top(reader)->before.most = TW_RULE_ENDLESS;
        tw_rule_add(&reader->maker->rules, top(reader)->sequence,
                    tw_grammar_from_size(reader->maker, reader->notation, 0));
    }
    add_branch(top(reader));
}

/* A part is put behind what is there, in a node of its own, so that a count
 * can still take its place. */
static void add_part(pattern_reader *reader, uint32_t part, extent size)
{
    group *group_now = top(reader);
    group_now->before = sum_of(group_now->before, group_now->last_extent);
    group_now->last_extent = size;
    tw_rules *rules = &reader->maker->rules;
    const uint32_t holder = empty(reader, TW_RULE_SEQUENCE);
    tw_rule_add(rules, holder, part);
    tw_rule_add(rules, top(reader)->sequence, holder);
    top(reader)->last = holder;
    reader->bad |= reader->ended;
}

static void open_group(pattern_reader *reader)
{
    reader->at++;
    if (reader->end - reader->at >= 2 && reader->at[0] == '?') {
        reader->bad |= reader->at[1] != ':';
        reader->at += 2;
    }
    if (reader->depth + 1 >= GROUPS || reader->ended) {
        reader->bad = true;
        return;
    }
    reader->depth++;
    top(reader)->ended_one = false;
    top(reader)->choice = empty(reader, TW_RULE_CHOICE);
    begin_branch(reader);
}

static void close_group(pattern_reader *reader)
{
    reader->at++;
    if (reader->depth == 0) {
        reader->bad = true;
        return;
    }
    end_branch(reader);
    const uint32_t choice = top(reader)->choice;
    const extent size = top(reader)->all;
    reader->depth--;
    add_part(reader, choice, size);
}

static bool read_digits(pattern_reader *reader, uint32_t *number)
{
    const char *from = reader->at;
    *number = 0;
    while (reader->at < reader->end && *reader->at >= '0' &&
           *reader->at <= '9' && *number < COUNT_MOST) {
        *number = *number * 10 + (uint32_t)(*reader->at++ - '0');
    }
    return reader->at > from;
}

/* `{2}`, `{2,}`, `{2,5}` */
static bool read_counts(pattern_reader *reader, uint32_t *least,
                        uint32_t *most)
{
    reader->at++;
    if (!read_digits(reader, least)) {
        return false;
    }
    *most = *least;
    if (reader->at < reader->end && *reader->at == ',') {
        reader->at++;
        if (!read_digits(reader, most)) {
            *most = TW_RULE_ENDLESS;
        }
    }
    const bool good = reader->at < reader->end && *reader->at == '}' &&
                      *least <= *most && *least < 1000 &&
                      (*most <= 1000 || *most == TW_RULE_ENDLESS);
    reader->at += reader->at < reader->end;
    return good;
}

/* Is the part, a character, all between the anchors of the whole pattern?
 * Then lengths are counts of it. */
static bool is_all(const pattern_reader *reader, uint32_t part)
{
    const group *whole = &reader->groups[0];
    const tw_rules *rules = &reader->maker->rules;
    return reader->depth == 0 && !whole->ended_one &&
           whole->last_extent.least == 1 && whole->last_extent.most == 1 &&
           tw_rule_node_at(rules, whole->sequence)->first == part &&
           reader->end - reader->at == 1 && reader->at[0] == '$';
}

static void read_count(pattern_reader *reader, char c)
{
    tw_rules *rules = &reader->maker->rules;
    uint32_t least = c == '+';
    uint32_t most = c == '?' ? 1 : TW_RULE_ENDLESS;
    const uint32_t last = top(reader)->last;
    if (c != '{') {
        reader->at++;
    } else if (!read_counts(reader, &least, &most)) {
        reader->bad = true;
    }
    if (reader->at < reader->end && *reader->at == '?') {
        reader->at++; /* how much is taken does not matter */
    }
    group *group_now = top(reader);
    /* What may be nothing, again and again, is told apart by no target. */
    if (last == 0 || reader->bad || rules->code != TW_OK ||
        (group_now->last_extent.least == 0 && most > 1)) {
        reader->bad = true;
        return;
    }
    if (is_all(reader, last)) {
        least = least > reader->lengths.least ? least : reader->lengths.least;
        most = most < reader->lengths.most ? most : reader->lengths.most;
        reader->bad |= least > most;
    }
    group_now->last_extent = times(group_now->last_extent, least, most);
    const uint32_t part = tw_rule_node_at(rules, last)->first;
    tw_rule_node_at(rules, last)->first = 0;
    tw_rule_node_at(rules, last)->last = 0;
    if (most > 0) {
        tw_rule_add(rules, last, tw_rule_repeat(rules, part, least, most));
    }
    top(reader)->last = 0;
}

/* A character, an escape or a class. */
static void read_set(pattern_reader *reader)
{
    tw_regex scratch = {.memory = reader->maker->memory};
    tw_regex_op op = {0};
    const bool edge = reader->end - reader->at >= 2 && reader->at[0] == '\\' &&
                      strchr("bBkpP123456789", reader->at[1]) != NULL;
    if (edge || !tw_regex_read_set(&scratch, &reader->at, reader->end, &op)) {
        reader->bad = true;
        if (scratch.failed) {
            tw_rules_no_memory(&reader->maker->rules);
        }
    } else {
        const tw_rules *rules = &reader->maker->rules;
        const tw_rule_range *ranges =
            (const tw_rule_range *)(const void *)scratch.ranges.data;
        static const extent one = {1, 1};
        const uint32_t part = tw_grammar_one_of(
            reader->maker, reader->notation, op.a > 0 ? ranges + op.b : NULL,
            (size_t)op.a, op.negated);
        /* The class may be empty, or have only characters that stand nowhere
         * here. */
        reader->bad |= tw_rule_node_at(rules, part)->first == 0;
        add_part(reader, part, one);
    }
    tw_regex_free(&scratch);
}

static void read_one(pattern_reader *reader)
{
    const char c = *reader->at;
    switch (c) {
    case '(': open_group(reader); break;
    case ')': close_group(reader); break;
    case '|':
        end_branch(reader);
        reader->at++;
        begin_branch(reader);
        break;
    case '*':
    case '+':
    case '?':
    case '{': read_count(reader, c); break;
    case '^': reader->bad = true; break;
    case '$':
        reader->bad |= reader->depth > 0;
        reader->ended = true;
        reader->at++;
        break;
    default: read_set(reader); break;
    }
}

uint32_t tw_grammar_pattern(tw_grammar_maker *maker, const tw_value *pattern,
                            uint32_t least, uint32_t most,
                            tw_notation_kind notation)
{
    pattern_reader *reader = tw_memory_new(maker->memory, sizeof *reader);
    uint32_t choice = 0;
    if (reader == NULL) {
        tw_rules_no_memory(&maker->rules);
        return 0;
    }
    reader->maker = maker;
    reader->pattern = pattern;
    reader->notation = notation;
    reader->lengths = (extent){least, most};
    reader->bad = pattern->kind != TW_VALUE_STRING;
    if (!reader->bad) {
        reader->at = pattern->text;
        reader->end = pattern->text + pattern->size;
        choice = empty(reader, TW_RULE_CHOICE);
        reader->groups[0].choice = choice;
        begin_branch(reader);
        while (reader->at < reader->end && !reader->bad &&
               maker->rules.code == TW_OK) {
            read_one(reader);
        }
        end_branch(reader);
        reader->bad |= reader->depth > 0;
    }
    const extent *all = &reader->groups[0].all;
    if (reader->bad) {
        tw_grammar_cannot(maker, pattern, "no grammar says this pattern");
        choice = 0;
    } else if (all->least < least || all->most > most) {
        tw_grammar_cannot(maker, pattern,
                          "no grammar says both the pattern and the length");
    }
    tw_memory_free(maker->memory, reader, sizeof *reader);
    return choice;
}
