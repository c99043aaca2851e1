/* SPDX-License-Identifier: MIT
 *
 * Strings that know where each of their bytes comes from, cut and joined.
 * They are UTF-8, but Python counts code points.
 */
#ifndef TOOLWIRE_TEMPLATE_STRING_H
#define TOOLWIRE_TEMPLATE_STRING_H

#include "core/utf8.h"
#include "template/values/item.h"

/* The template's own; |data| lives on. */
const tw_string *tw_string_of(tw_arena *arena, const char *data, size_t size);
static inline const tw_string *tw_string_word(tw_arena *arena,
                                              const char *word)
{
    return tw_string_of(arena, word, strlen(word));
}
/* All of a value's text, or its key. */
const tw_string *tw_string_of_value(tw_arena *arena, const tw_value *value);
const tw_string *tw_string_of_key(tw_arena *arena, const tw_value *member);

/* Bytes [begin, end) of it. */
const tw_string *tw_string_part(tw_arena *arena, const tw_string *string,
                                size_t begin, size_t end);

const tw_string *tw_string_join(tw_arena *arena, const tw_string *left,
                                const tw_string *right);

/* Does a byte of [begin, end) come from the request? */
bool tw_string_holds_data(const tw_string *string, size_t begin, size_t end);

static inline bool tw_string_is_ascii(const tw_string *string)
{
    return string->points == string->size;
}

/* Where its |point|-th code point begins; its size behind the last. */
size_t tw_string_place(const tw_string *string, size_t point);
/* How many code points stand in front of byte |place|. */
size_t tw_string_points_before(const tw_string *string, size_t place);

static inline bool tw_string_equals(const tw_string *left,
                                    const tw_string *right)
{
    return left->size == right->size &&
           memcmp(left->data, right->data, left->size) == 0;
}

static inline bool tw_string_is(const tw_string *string, const char *word)
{
    const size_t size = strlen(word);
    return string->size == size && memcmp(string->data, word, size) == 0;
}

/* Where |part| begins in |string| from byte |from| on; SIZE_MAX: nowhere.
 * Linear. */
size_t tw_string_find(const tw_string *string, size_t from,
                      const tw_string *part);
/* Where the last |part| that ends at |limit| or before begins; SIZE_MAX:
 * nowhere. */
size_t tw_string_find_last(const tw_string *string, size_t limit,
                           const tw_string *part);

/* ---- a string in the making --------------------------------------------- */

typedef struct tw_builder {
    tw_arena *arena; /* of the string that it becomes */
    tw_buffer text;
    tw_buffer runs; /* tw_run */
    size_t points;
    bool failed; /* no memory, or beyond the arena's limit */
} tw_builder;

void tw_builder_init(tw_builder *builder, tw_arena *arena);
void tw_builder_free(tw_builder *builder);
/* Empty, with its room. */
void tw_builder_reset(tw_builder *builder);

/* Words of the template. */
void tw_build_words(tw_builder *builder, const char *data, size_t size);
/* One byte of them, which is ASCII. */
static inline void tw_build_byte(tw_builder *builder, char byte)
{
    tw_buffer *text = &builder->text;
    if (builder->failed || text->size == text->capacity ||
        !tw_arena_charge(builder->arena, 1)) {
        tw_build_words(builder, &byte, 1);
        return;
    }
    text->data[text->size++] = (uint8_t)byte;
    builder->points++;
}
/* In decimal digits. */
void tw_build_int(tw_builder *out, int64_t number);
static inline void tw_build(tw_builder *builder, const char *words)
{
    tw_build_words(builder, words, strlen(words));
}
void tw_build_string(tw_builder *builder, const tw_string *string);
/* The string between double quotes. */
void tw_build_quoted(tw_builder *builder, const tw_string *string);
/* Bytes [begin, end) of it. */
void tw_build_part(tw_builder *builder, const tw_string *string, size_t begin,
                   size_t end);
/* |size| other bytes in the place of those from |place| on of |of|: their
 * origin stays. */
void tw_build_changed(tw_builder *builder, const tw_string *of, size_t place,
                      const char *data, size_t size);
/* What was built from byte |begin| on is made of a value as a whole. */
void tw_build_made(tw_builder *builder, size_t begin, const tw_value *of);
/* The string that was built, a copy in the arena. */
const tw_string *tw_builder_string(tw_builder *builder);
/* The string, or an empty one without memory; nothing is left to free. */
const tw_string *tw_builder_end(tw_builder *builder);

#endif
