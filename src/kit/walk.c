/* SPDX-License-Identifier: MIT
 *
 * A grammar is read into nodes that know the size of their shortest text, so
 * that a walk always ends.
 */
#include "kit/walk.h"

#include <string.h>

#include "core/ascii.h"
#include "core/utf8.h"
#include "json/escape.h"
#include "kit/random.h"

typedef enum node_kind {
    CHARACTER,
    SET,
    CALL,
    SEQUENCE,
    CHOICE,
    REPEAT
} node_kind;

enum { ENDLESS = INT32_MAX, DEPTH = 300, NEVER = 1 << 30, TEXT = 1 << 20 };

typedef struct node {
    uint8_t kind;
    bool others;    /* SET: all but the ranges */
    uint32_t a;     /* CHARACTER: it; SET: the first range; CALL: the rule;
                       REPEAT: how often at least ... */
    uint32_t b;     /* ... and at most; SET: ranges */
    uint32_t first; /* its parts, one behind the other; 0: none */
    uint32_t last;
    uint32_t next;
    uint32_t least; /* characters of its shortest text */
} node;

typedef struct range {
    uint32_t least;
    uint32_t most;
} range;

typedef struct rule {
    const char *name;
    size_t size;
    uint32_t body; /* 0: none was read */
} rule;

/* ---- what is read ------------------------------------------------------- */

static node *node_at(const kit_walker *its, uint32_t i)
{
    return (node *)(void *)its->nodes.data + i;
}

static rule *rule_at(const kit_walker *its, uint32_t i)
{
    return (rule *)(void *)its->rules.data + i;
}

static uint32_t put_node(kit_walker *its, node_kind kind, uint32_t a,
                         uint32_t b)
{
    const node made = {.kind = (uint8_t)kind, .a = a, .b = b, .least = NEVER};
    const size_t count = its->nodes.size / sizeof made;
    its->failed |=
        !tw_buffer_append(&its->nodes, its->memory, &made, sizeof made);
    return its->failed ? 0 : (uint32_t)count;
}

static void add(kit_walker *its, uint32_t to, uint32_t part)
{
    if (its->failed) {
        return;
    }
    node *whole = node_at(its, to);
    if (whole->first == 0) {
        whole->first = part;
    } else {
        node_at(its, whole->last)->next = part;
    }
    whole->last = part;
}

/* Where the name stands in the table, or an empty place for it. */
static uint32_t *place_of(const kit_walker *its, const char *name, size_t size)
{
    uint32_t *places = (uint32_t *)(void *)its->places.data;
    const size_t room = its->places.size / sizeof *places;
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (uint8_t)name[i]) * UINT64_C(0x100000001B3);
    }
    size_t at = (size_t)hash % room;
    while (places[at] != 0 &&
           (rule_at(its, places[at] - 1)->size != size ||
            memcmp(rule_at(its, places[at] - 1)->name, name, size) != 0)) {
        at = (at + 1) % room;
    }
    return &places[at];
}

/* Room for one more name. */
static bool grow(kit_walker *its)
{
    enum { SMALLEST = 1024 };
    const size_t count = its->rules.size / sizeof(rule);
    const size_t room = its->places.size / sizeof(uint32_t);
    const size_t bytes = (room == 0 ? SMALLEST : room * 2) * sizeof(uint32_t);
    if (count * 2 < room) {
        return true;
    }
    its->places.size = 0;
    if (!tw_buffer_reserve(&its->places, its->memory, bytes)) {
        return false;
    }
    memset(its->places.data, 0, bytes);
    its->places.size = bytes;
    for (uint32_t i = 0; i < count; i++) {
        const rule *its_rule = rule_at(its, i);
        *place_of(its, its_rule->name, its_rule->size) = i + 1;
    }
    return true;
}

/* The rule of the name that stands here. */
static uint32_t read_name(kit_walker *its)
{
    const char *begin = its->at;
    while (its->at < its->end &&
           (tw_is_alnum((uint8_t)*its->at) || *its->at == '-')) {
        its->at++;
    }
    const rule made = {.name = begin, .size = (size_t)(its->at - begin)};
    its->failed |= made.size == 0 || !grow(its);
    if (its->failed) {
        return 0;
    }
    uint32_t *place = place_of(its, made.name, made.size);
    if (*place == 0) {
        its->failed |=
            !tw_buffer_append(&its->rules, its->memory, &made, sizeof made);
        *place = (uint32_t)(its->rules.size / sizeof made);
    }
    return *place - 1;
}

static bool takes(kit_walker *its, char c)
{
    const bool is = its->at < its->end && *its->at == c;
    its->at += is;
    return is;
}

static void skip(kit_walker *its)
{
    while (takes(its, ' ')) {
    }
}

/* |digits| of them; a number may be written for nothing. */
static uint32_t read_hex(kit_walker *its, unsigned digits)
{
    uint32_t value = 0;
    for (;
         digits > 0 && its->at < its->end && tw_json_is_hex((uint8_t)*its->at);
         digits--) {
        value = value << 4 | tw_json_digit((uint8_t)*its->at++);
    }
    its->failed |= digits > 0;
    return value;
}

/* A character, which may be escaped.  Text is UTF-8. */
static uint32_t read_point(kit_walker *its)
{
    if (its->at >= its->end) {
        its->failed = true;
        return 0;
    }
    if (takes(its, '\\')) {
        const char c = its->at < its->end ? *its->at++ : '\\';
        return c == 'n'   ? '\n'
               : c == 'r' ? '\r'
               : c == 't' ? '\t'
               : c == 'x' ? read_hex(its, 2)
               : c == 'U' ? read_hex(its, 8)
                          : (uint8_t)c;
    }
    size_t size;
    const uint32_t point = tw_point_at(its->at, its->end, &size);
    its->at += size;
    return point;
}

static uint32_t read_words(kit_walker *its)
{
    const uint32_t whole = put_node(its, SEQUENCE, 0, 0);
    while (!its->failed && !takes(its, '"')) {
        add(its, whole, put_node(its, CHARACTER, read_point(its), 0));
    }
    return whole;
}

static uint32_t read_set(kit_walker *its)
{
    const bool others = takes(its, '^');
    const size_t first = its->ranges.size / sizeof(range);
    while (!its->failed && !takes(its, ']')) {
        range made = {.least = read_point(its)};
        made.most = takes(its, '-') ? read_point(its) : made.least;
        its->failed |=
            !tw_buffer_append(&its->ranges, its->memory, &made, sizeof made);
    }
    const uint32_t set =
        put_node(its, SET, (uint32_t)first,
                 (uint32_t)(its->ranges.size / sizeof(range) - first));
    if (!its->failed) {
        node_at(its, set)->others = others;
    }
    return set;
}

static uint32_t read_number(kit_walker *its)
{
    uint64_t value = 0;
    its->failed |= its->at >= its->end || !tw_is_digit((uint8_t)*its->at);
    while (its->at < its->end && tw_is_digit((uint8_t)*its->at)) {
        value = value * 10 + (uint64_t)(*its->at++ - '0');
        value = value < ENDLESS ? value : ENDLESS - 1;
    }
    return (uint32_t)value;
}

/* |part|, as often as what stands behind it says. */
static uint32_t read_times(kit_walker *its, uint32_t part)
{
    uint32_t least = 0;
    uint32_t most = ENDLESS;
    if (takes(its, '{')) {
        least = most = read_number(its);
        if (takes(its, ',')) {
            most = takes(its, '}') ? ENDLESS : read_number(its);
            its->failed |= most != ENDLESS && !takes(its, '}');
        } else {
            its->failed |= !takes(its, '}');
        }
    } else if (takes(its, '?')) {
        most = 1;
    } else if (takes(its, '+')) {
        least = 1;
    } else if (!takes(its, '*')) {
        return part;
    }
    const uint32_t repeat = put_node(its, REPEAT, least, most);
    add(its, repeat, part);
    return repeat;
}

static uint32_t read_choice(kit_walker *its, unsigned depth);

static uint32_t read_sequence(kit_walker *its, unsigned depth)
{
    const uint32_t whole = put_node(its, SEQUENCE, 0, 0);
    while (skip(its), !its->failed && its->at < its->end &&
                          strchr("\n|)", *its->at) == NULL) {
        uint32_t part;
        if (takes(its, '"')) {
            part = read_words(its);
        } else if (takes(its, '[')) {
            part = read_set(its);
        } else if (takes(its, '(')) {
            part = read_choice(its, depth + 1);
            its->failed |= !takes(its, ')');
        } else {
            part = put_node(its, CALL, read_name(its), 0);
        }
        add(its, whole, read_times(its, part));
    }
    return whole;
}

static uint32_t read_choice(kit_walker *its, unsigned depth)
{
    const uint32_t whole = put_node(its, CHOICE, 0, 0);
    its->failed |= depth > DEPTH;
    do {
        add(its, whole, read_sequence(its, depth));
    } while (!its->failed && takes(its, '|'));
    return whole;
}

static void read_line(kit_walker *its)
{
    static const char is[] = "::=";
    if (takes(its, '#')) {
        while (its->at < its->end && *its->at != '\n') {
            its->at++;
        }
        return;
    }
    const uint32_t name = read_name(its);
    skip(its);
    for (size_t i = 0; is[i] != '\0'; i++) {
        its->failed |= !takes(its, is[i]);
    }
    const uint32_t body = read_choice(its, 0);
    if (!its->failed) {
        rule_at(its, name)->body = body;
    }
}

/* ---- shortest texts ----------------------------------------------------- */

static uint32_t capped(uint64_t size)
{
    return size < NEVER ? (uint32_t)size : NEVER;
}

static uint32_t least_of(const kit_walker *its, const node *one)
{
    uint64_t sum = 0;
    uint32_t shortest = NEVER;
    for (uint32_t at = one->first; at != 0; at = node_at(its, at)->next) {
        const uint32_t size = node_at(its, at)->least;
        sum = capped(sum + size);
        shortest = size < shortest ? size : shortest;
    }
    switch ((node_kind)one->kind) {
    case CHARACTER:
    case SET: return 1;
    case CALL: return node_at(its, rule_at(its, one->a)->body)->least;
    case SEQUENCE: return capped(sum);
    case CHOICE: return shortest;
    default: return capped(sum * one->a);
    }
}

/* Parts stand behind their wholes, calls anywhere. */
static void measure(kit_walker *its)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = its->nodes.size / sizeof(node); i > 1; i--) {
            node *one = node_at(its, (uint32_t)i - 1);
            const uint32_t least = least_of(its, one);
            changed |= least < one->least;
            one->least = least;
        }
    }
}

/* ---- walks -------------------------------------------------------------- */

static bool holds(const kit_walker *its, const node *set, uint32_t point)
{
    const range *ranges = (const range *)(const void *)its->ranges.data;
    bool in = false;
    for (uint32_t i = 0; i < set->b && !in; i++) {
        in = ranges[set->a + i].least <= point &&
             point <= ranges[set->a + i].most;
    }
    return in != set->others;
}

/* A character of the set: mostly such as have a meaning somewhere. */
static uint32_t pick(const kit_walker *its, const node *set, uint64_t *state)
{
    static const char likely[] = "ab 1\n<|/>[{\"'\\:=tool_call";
    const range *ranges = (const range *)(const void *)its->ranges.data;
    for (int i = 0; i < 8; i++) {
        const uint32_t point =
            (uint8_t)likely[kit_below(state, sizeof likely - 1)];
        if (holds(its, set, point)) {
            return point;
        }
    }
    if (!set->others && set->b > 0) {
        const range *one = &ranges[set->a + kit_below(state, set->b)];
        const uint32_t room = one->most - one->least;
        return one->least + kit_below(state, (room < 1000 ? room : 1000) + 1);
    }
    uint32_t point = 0xE9;
    while (!holds(its, set, point) && point < 0xD7FF) {
        point++;
    }
    return point;
}

/* One of the parts that have texts; |short_|: of the shortest. */
static uint32_t choose(const kit_walker *its, const node *choice, bool short_,
                       uint64_t *state)
{
    const uint32_t most = short_ ? choice->least : NEVER - 1;
    uint32_t chosen = 0;
    uint32_t count = 0;
    for (uint32_t at = choice->first; at != 0; at = node_at(its, at)->next) {
        if (node_at(its, at)->least <= most &&
            kit_below(state, ++count) == 0) {
            chosen = at;
        }
    }
    return chosen;
}

static bool push(const kit_walker *its, tw_buffer *left, uint32_t one)
{
    return tw_buffer_append(left, its->memory, &one, sizeof one);
}

/* The parts of |one| wait in their order. */
static bool push_parts(const kit_walker *its, tw_buffer *left, const node *one)
{
    const size_t from = left->size / sizeof(uint32_t);
    bool good = true;
    for (uint32_t at = one->first; at != 0 && good;
         at = node_at(its, at)->next) {
        good = push(its, left, at);
    }
    uint32_t *parts = (uint32_t *)(void *)left->data;
    size_t end = left->size / sizeof *parts;
    for (size_t i = from; good && i + 1 < end; i++) {
        const uint32_t kept = parts[i];
        parts[i] = parts[--end];
        parts[end] = kept;
    }
    return good;
}

static bool push_times(const kit_walker *its, tw_buffer *left, const node *one,
                       bool short_, uint64_t *state)
{
    enum { MORE = 6 };
    const uint32_t room = one->b - one->a;
    uint32_t times = one->a;
    if (!short_ && node_at(its, one->first)->least < NEVER) {
        times += kit_below(state, (room < MORE ? room : MORE) + 1);
    }
    bool good = times < TEXT;
    for (; times > 0 && good; times--) {
        good = push(its, left, one->first);
    }
    return good;
}

static bool put_point(const kit_walker *its, tw_buffer *out, uint32_t point)
{
    char bytes[4];
    return tw_buffer_append(out, its->memory, bytes,
                            tw_point_put(bytes, point));
}

static bool take(const kit_walker *its, const node *one, bool short_,
                 uint64_t *state, tw_buffer *left, tw_buffer *out)
{
    switch ((node_kind)one->kind) {
    case CHARACTER: return put_point(its, out, one->a);
    case SET: return put_point(its, out, pick(its, one, state));
    case CALL: return push(its, left, rule_at(its, one->a)->body);
    case SEQUENCE: return push_parts(its, left, one);
    case CHOICE: return push(its, left, choose(its, one, short_, state));
    default: return push_times(its, left, one, short_, state);
    }
}

bool kit_walk(const kit_walker *its, uint64_t *state, size_t most,
              tw_buffer *out)
{
    tw_buffer left = {0};
    const uint32_t root = rule_at(its, 0)->body;
    bool good = node_at(its, root)->least < TEXT && push(its, &left, root);
    while (good && left.size > 0) {
        uint32_t top;
        left.size -= sizeof top;
        memcpy(&top, left.data + left.size, sizeof top);
        const bool short_ = out->size + left.size / sizeof top > most;
        good = out->size < TEXT &&
               take(its, node_at(its, top), short_, state, &left, out);
    }
    tw_buffer_free(&left, its->memory);
    return good;
}

/* ---- the front door ----------------------------------------------------- */

void kit_walker_init(kit_walker *its, const tw_memory *memory)
{
    memset(its, 0, sizeof *its);
    its->memory = memory;
}

void kit_walker_free(kit_walker *its)
{
    tw_buffer_free(&its->nodes, its->memory);
    tw_buffer_free(&its->ranges, its->memory);
    tw_buffer_free(&its->rules, its->memory);
    tw_buffer_free(&its->places, its->memory);
}

bool kit_walker_read(kit_walker *its, const char *text, size_t size)
{
    its->nodes.size = its->ranges.size = its->rules.size = 0;
    its->places.size = 0;
    its->at = text;
    its->end = text + size;
    its->failed = false;
    put_node(its, SEQUENCE, 0, 0); /* 0 is no node */
    while (!its->failed && its->at < its->end) {
        read_line(its);
        its->failed |= its->at < its->end && !takes(its, '\n');
    }
    its->failed |= its->rules.size == 0;
    for (uint32_t i = 0; !its->failed && i < its->rules.size / sizeof(rule);
         i++) {
        its->failed |= rule_at(its, i)->body == 0;
    }
    if (!its->failed) {
        measure(its);
    }
    return !its->failed;
}
