/* SPDX-License-Identifier: MIT
 *
 * Cutting and joining strings: each byte keeps its origin.
 */
#include "template/values/string.h"

#include "core/ascii.h"
#include "core/sort.h"

/* ---- strings ------------------------------------------------------------ */

static bool is_ascii(const char *data, size_t size)
{
    uint64_t word = 0;
    uint64_t bits = 0;
    if (size < sizeof word) {
        for (size_t i = 0; i < size; i++) {
            bits |= (uint8_t)data[i];
        }
        return (bits & 0x80) == 0;
    }
    for (size_t i = 0; i < size - sizeof word; i += sizeof word) {
        memcpy(&word, data + i, sizeof word);
        bits |= word;
    }
    memcpy(&word, data + size - sizeof word, sizeof word);
    return ((bits | word) & 0x8080808080808080U) == 0;
}

/* Code points: bytes that do not go on with one. */
static size_t points_in(const char *data, size_t size)
{
    size_t points = 0;
    if (is_ascii(data, size)) { /* as most are */
        return size;
    }
    for (size_t i = 0; i < size; i++) {
        points += ((uint8_t)data[i] & 0xC0) != 0x80;
    }
    return points;
}

static tw_string *make(tw_arena *arena, const char *data, size_t size)
{
    tw_string *string = tw_arena_get(arena, sizeof *string);
    if (string != NULL) {
        string->data = size > 0 ? data : "";
        string->size = size;
        string->points = points_in(data, size);
        string->runs = &string->own;
        string->run_count = 0;
    }
    return string;
}

const tw_string *tw_string_of(tw_arena *arena, const char *data, size_t size)
{
    return make(arena, data, size);
}

static const tw_string *make_data(tw_arena *arena, const char *data,
                                  size_t size, const tw_value *of,
                                  uint64_t from)
{
    tw_string *string = make(arena, data, size);
    if (string != NULL && size > 0) {
        string->own = (tw_run){0, size, of, from};
        string->run_count = 1;
    }
    return string;
}

const tw_string *tw_string_of_value(tw_arena *arena, const tw_value *value)
{
    return make_data(arena, value->text, value->size, value, 0);
}

const tw_string *tw_string_of_key(tw_arena *arena, const tw_value *member)
{
    return make_data(arena, member->key, member->key_size, member, TW_RUN_KEY);
}

/* The first run of |string| that ends behind |place|. */
static size_t first_run(const tw_string *string, size_t place)
{
    tw_halves halves = {.high = string->run_count};
    while (tw_halve(&halves)) {
        tw_halves_take(&halves, string->runs[halves.middle].end <= place);
    }
    return halves.low;
}

/* What of |run| lies in [begin, end), seen from |begin|. */
static tw_run cut_run(const tw_run *run, size_t begin, size_t end)
{
    const size_t from = run->begin > begin ? run->begin : begin;
    const size_t to = run->end < end ? run->end : end;
    return (tw_run){from - begin, to - begin, run->of,
                    run->from + (from - run->begin)};
}

const tw_string *tw_string_part(tw_arena *arena, const tw_string *string,
                                size_t begin, size_t end)
{
    if (begin == 0 && end == string->size) {
        return string;
    }
    tw_string *part = tw_arena_get(arena, sizeof *part);
    if (part == NULL) {
        return NULL;
    }
    part->data = string->data + begin;
    part->size = end - begin;
    part->points = tw_string_is_ascii(string) ? part->size
                   : part->size < string->size / 2
                       ? points_in(part->data, part->size)
                       : string->points - points_in(string->data, begin) -
                             points_in(string->data + end, string->size - end);
    const size_t first = first_run(string, begin);
    size_t last = first;
    while (last < string->run_count && string->runs[last].begin < end) {
        last++;
    }
    part->run_count = last - first;
    tw_run *runs = &part->own;
    if (part->run_count > 1) {
        runs = tw_arena_get(arena, part->run_count * sizeof *runs);
    }
    if (runs == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < part->run_count; i++) {
        runs[i] = cut_run(&string->runs[first + i], begin, end);
    }
    part->runs = runs;
    return part;
}

const tw_string *tw_string_join(tw_arena *arena, const tw_string *left,
                                const tw_string *right)
{
    if (left->size == 0 || right->size == 0) {
        return left->size == 0 ? right : left;
    }
    const size_t count = left->run_count + right->run_count;
    tw_string *string = tw_arena_get(arena, sizeof *string);
    char *data = tw_arena_get(arena, left->size + right->size);
    tw_run *runs = count > 1        ? tw_arena_get(arena, count * sizeof *runs)
                   : string != NULL ? &string->own
                                    : NULL;
    if (string == NULL || data == NULL || runs == NULL) {
        return NULL;
    }
    memcpy(data, left->data, left->size);
    memcpy(data + left->size, right->data, right->size);
    memcpy(runs, left->runs, left->run_count * sizeof *runs);
    string->data = data;
    string->size = left->size + right->size;
    string->points = left->points + right->points;
    string->runs = runs;
    string->run_count = count;
    for (size_t i = 0; i < right->run_count; i++) {
        tw_run *run = &runs[left->run_count + i];
        *run = right->runs[i];
        run->begin += left->size;
        run->end += left->size;
    }
    return string;
}

bool tw_string_holds_data(const tw_string *string, size_t begin, size_t end)
{
    const size_t i = first_run(string, begin);
    return i < string->run_count && string->runs[i].begin < end;
}

size_t tw_string_place(const tw_string *string, size_t point)
{
    if (point >= string->points) {
        return string->size;
    }
    if (tw_string_is_ascii(string)) {
        return point;
    }
    size_t place = 0;
    for (; place < string->size; place++) {
        if (((uint8_t)string->data[place] & 0xC0) != 0x80 && point-- == 0) {
            break;
        }
    }
    return place;
}

size_t tw_string_points_before(const tw_string *string, size_t place)
{
    return tw_string_is_ascii(string) ? place : points_in(string->data, place);
}

/* A needle is looked for by a rolling sum (Karp and Rabin): no table, and no
 * byte is looked at again but where the sums are equal. */
enum { PRIME = 16777619 };

typedef struct sum {
    uint32_t value;
    uint32_t power; /* of PRIME, for the byte that leaves */
} sum;

static sum sum_of(const char *data, size_t size, bool backwards)
{
    sum result = {0, 1};
    for (size_t i = 0; i < size; i++) {
        const uint8_t byte = (uint8_t)data[backwards ? size - 1 - i : i];
        result.value = result.value * PRIME + byte;
        result.power *= i > 0 ? PRIME : 1;
    }
    return result;
}

size_t tw_string_find(const tw_string *string, size_t from,
                      const tw_string *part)
{
    const char *data = string->data;
    const size_t size = part->size;
    if (size > string->size || from > string->size - size) {
        return SIZE_MAX;
    }
    const char *first = size == 0 ? data + from
                                  : memchr(data + from, part->data[0],
                                           string->size - size + 1 - from);
    if (size <= 1 || first == NULL) {
        return first != NULL ? (size_t)(first - data) : SIZE_MAX;
    }
    from = (size_t)(first - data);
    const uint32_t wanted = sum_of(part->data, size, false).value;
    sum here = sum_of(data + from, size, false);
    for (size_t at = from;; at++) {
        if (here.value == wanted && memcmp(data + at, part->data, size) == 0) {
            return at;
        }
        if (at + size >= string->size) {
            return SIZE_MAX;
        }
        here.value = (here.value - (uint8_t)data[at] * here.power) * PRIME +
                     (uint8_t)data[at + size];
    }
}

size_t tw_string_find_last(const tw_string *string, size_t limit,
                           const tw_string *part)
{
    const char *data = string->data;
    const size_t size = part->size;
    if (size > limit) {
        return SIZE_MAX;
    }
    if (size == 0) {
        return limit;
    }
    const uint32_t wanted = sum_of(part->data, size, true).value;
    size_t at = limit - size;
    sum here = sum_of(data + at, size, true);
    for (;; at--) {
        if (here.value == wanted && memcmp(data + at, part->data, size) == 0) {
            return at;
        }
        if (at == 0) {
            return SIZE_MAX;
        }
        here.value =
            (here.value - (uint8_t)data[at + size - 1] * here.power) * PRIME +
            (uint8_t)data[at - 1];
    }
}

/* ---- builders ----------------------------------------------------------- */

void tw_builder_init(tw_builder *builder, tw_arena *arena)
{
    memset(builder, 0, sizeof *builder);
    builder->arena = arena;
    if (arena->room_count > 0) {
        const tw_arena_room *room = &arena->rooms[--arena->room_count];
        builder->text = room->text;
        builder->runs = room->runs;
    }
}

void tw_builder_free(tw_builder *builder)
{
    tw_arena *arena = builder->arena;
    tw_builder_reset(builder);
    if (arena->room_count < TW_ARENA_ROOMS) {
        arena->rooms[arena->room_count++] =
            (tw_arena_room){builder->text, builder->runs};
    } else {
        tw_buffer_free(&builder->text, arena->memory);
        tw_buffer_free(&builder->runs, arena->memory);
    }
}

void tw_builder_reset(tw_builder *builder)
{
    builder->text.size = 0;
    builder->runs.size = 0;
    builder->points = 0;
    builder->failed = false;
}

/* Where |size| bytes more stand in |to|; NULL: the builder has failed.  A
 * buffer that is outside of the arena has its bytes within its limit. */
static inline uint8_t *room_for(tw_builder *builder, tw_buffer *to,
                                size_t size)
{
    tw_arena *arena = builder->arena;
    if (builder->failed) {
        return NULL;
    }
    if (!tw_arena_charge(arena, size)) {
        builder->failed = true;
        return NULL;
    }
    if (size >= to->capacity - to->size &&
        !tw_buffer_reserve(to, arena->memory, size + 1)) {
        arena->state = TW_ARENA_NO_MEMORY;
        builder->failed = true;
        return NULL;
    }
    uint8_t *room = to->data + to->size;
    to->size += size;
    return room;
}

static inline void append(tw_builder *builder, const char *data, size_t size,
                          size_t points)
{
    uint8_t *room = room_for(builder, &builder->text, size);
    if (room != NULL) {
        memcpy(room, data, size);
        builder->points += points;
    }
}

/* Bytes [begin, end) are |of|'s from |from| on. */
static inline void mark(tw_builder *builder, size_t begin, size_t end,
                        const tw_value *of, uint64_t from)
{
    tw_buffer *runs = &builder->runs;
    if (builder->failed || begin == end) {
        return;
    }
    if (runs->size > 0) {
        tw_run *last = (tw_run *)(void *)(runs->data + runs->size) - 1;
        if (last->of == of && last->end == begin &&
            last->from + (begin - last->begin) == from) {
            last->end = end;
            return;
        }
    }
    tw_run *run = (tw_run *)(void *)room_for(builder, runs, sizeof *run);
    if (run != NULL) {
        *run = (tw_run){begin, end, of, from};
    }
}

void tw_build_words(tw_builder *builder, const char *data, size_t size)
{
    append(builder, data, size, points_in(data, size));
}

/* All of |string| stands from byte |at| on. */
static inline void mark_all(tw_builder *builder, size_t at,
                            const tw_string *string)
{
    for (size_t i = 0; i < string->run_count; i++) {
        const tw_run *run = &string->runs[i];
        mark(builder, at + run->begin, at + run->end, run->of, run->from);
    }
}

void tw_build_string(tw_builder *builder, const tw_string *string)
{
    if (string != NULL) {
        const size_t at = builder->text.size;
        append(builder, string->data, string->size, string->points);
        mark_all(builder, at, string);
    }
}

void tw_build_quoted(tw_builder *builder, const tw_string *string)
{
    const size_t size = string->size;
    const size_t at = builder->text.size + 1;
    uint8_t *room = room_for(builder, &builder->text, size + 2);
    if (room != NULL) {
        room[0] = room[size + 1] = '"';
        memcpy(room + 1, string->data, size);
        builder->points += string->points + 2;
        mark_all(builder, at, string);
    }
}

void tw_build_part(tw_builder *builder, const tw_string *string, size_t begin,
                   size_t end)
{
    const size_t at = builder->text.size;
    if (begin == end) {
        return;
    }
    if (begin == 0 && end == string->size) {
        tw_build_string(builder, string);
        return;
    }
    append(builder, string->data + begin, end - begin,
           tw_string_is_ascii(string)
               ? end - begin
               : points_in(string->data + begin, end - begin));
    for (size_t i = first_run(string, begin);
         i < string->run_count && string->runs[i].begin < end; i++) {
        const tw_run run = cut_run(&string->runs[i], begin, end);
        mark(builder, at + run.begin, at + run.end, run.of, run.from);
    }
}

void tw_build_changed(tw_builder *builder, const tw_string *of, size_t place,
                      const char *data, size_t size)
{
    const size_t begin = builder->text.size;
    append(builder, data, size, points_in(data, size));
    const size_t i = first_run(of, place);
    if (i == of->run_count || of->runs[i].begin > place) {
        return;
    }
    const tw_run *run = &of->runs[i];
    for (size_t at = 0; at < size; at++) { /* each comes from that one place */
        mark(builder, begin + at, begin + at + 1, run->of,
             run->from + (place - run->begin));
    }
}

void tw_build_made(tw_builder *builder, size_t begin, const tw_value *of)
{
    if (of != NULL) {
        mark(builder, begin, builder->text.size, of, 0);
    }
}

tw_item tw_item_string(const tw_string *string)
{
    static const tw_string none = {.data = ""};
    return (tw_item){.kind = TW_ITEM_STRING,
                     .of.string = string != NULL ? string : &none};
}

const tw_string *tw_builder_string(tw_builder *builder)
{
    tw_arena *arena = builder->arena;
    const size_t size = builder->text.size;
    const size_t run_size = builder->runs.size;
    if (builder->failed) {
        return NULL;
    }
    tw_string *string = tw_arena_get(arena, sizeof *string);
    char *data = size > 0 ? tw_arena_get(arena, size) : NULL;
    tw_run *runs = run_size > sizeof(tw_run) ? tw_arena_get(arena, run_size)
                   : string != NULL          ? &string->own
                                             : NULL;
    if (string == NULL || (size > 0 && data == NULL) || runs == NULL) {
        return NULL;
    }
    if (size > 0) {
        memcpy(data, builder->text.data, size);
    }
    if (run_size > 0) {
        memcpy(runs, builder->runs.data, run_size);
    }
    string->data = size > 0 ? data : "";
    string->size = size;
    string->points = builder->points;
    string->runs = runs;
    string->run_count = run_size / sizeof *runs;
    return string;
}

const tw_string *tw_builder_end(tw_builder *builder)
{
    const tw_string *string = tw_builder_string(builder);
    tw_builder_free(builder);
    return tw_item_string(string).of.string;
}

void tw_build_int(tw_builder *out, int64_t number)
{
    char digits[TW_DIGITS + 1];
    char *const end = digits + sizeof digits;
    char *at =
        tw_spell(end, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
    if (number < 0) {
        *--at = '-';
    }
    tw_build_words(out, at, (size_t)(end - at));
}
