/* SPDX-License-Identifier: MIT
 *
 * A description as C: const tables without any number that depends on this
 * machine.
 */
#include "compile/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/ascii.h"

/* Bytes beyond ASCII as octal escapes, which end by themselves. */
void compile_put_sized(const char *text, size_t size)
{
    putchar('"');
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c >= 127 || c == '"' || c == '\\' || c == '?') {
            printf("\\%03o", c);
        } else {
            putchar(c);
        }
    }
    putchar('"');
}

void compile_put_text(const char *text)
{
    compile_put_sized(text, strlen(text));
}

static void put_texts(const char *member, size_t format,
                      const char *const *texts)
{
    printf("static const char *const %s_%zu[] = {", member, format);
    for (size_t i = 0; texts[i] != NULL; i++) {
        compile_put_text(texts[i]);
        printf(", ");
    }
    printf("NULL};\n");
}

static void put_patterns(const char *member, size_t format,
                         const tw_patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        printf("static const tw_part %s_%zu_%zu[] = {\n", member, format, i);
        for (size_t k = 0; k < pattern->count; k++) {
            const tw_part *part = &pattern->parts[k];
            printf("    {");
            compile_put_text(part->text);
            printf(", %u, %u, %u, %u, %u, %u, %u},\n", part->size, part->kind,
                   part->token, part->inner, part->inner_at, part->last,
                   part->marker);
        }
        printf("};\n");
    }
    if (patterns->count > 0) {
        printf("static const tw_pattern %s_%zu[] = {\n", member, format);
    }
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        printf("    {%s_%zu_%zu, %u, %u, %d, %u, %d, %d, %d, %u, %d, %u},\n",
               member, format, i, pattern->count, pattern->hole,
               pattern->loose, pattern->first, pattern->plain, pattern->fence,
               pattern->words, pattern->written, pattern->opened,
               pattern->opens);
    }
    printf(patterns->count > 0 ? "};\n" : "");
}

static void put_markers(size_t format, const tw_description *d)
{
    printf("static const tw_mark_text marks_%zu[] = {\n", format);
    for (size_t i = 0; i < d->markers.count; i++) {
        const tw_mark_text *marker = &d->markers.all[i];
        printf("    {");
        compile_put_text(marker->text);
        printf(", %u, %u, %u, %u, %u, %u},\n", marker->size, marker->next,
               marker->token, marker->token_at, marker->last, marker->roles);
    }
    printf("};\nstatic const tw_marker markers_%zu[] = {\n", format);
    for (size_t i = 0; i < d->public_count; i++) {
        const tw_marker *marker = &d->public_markers[i];
        printf("    {");
        compile_put_text(marker->text);
        printf(", %zu, %u, %u, %u, %u, %u},\n", marker->size, marker->role,
               marker->token, marker->literal, marker->stop, marker->decoded);
    }
    printf("};\n");
}

static void put_bytes(const char *member, const uint8_t *bytes, size_t count)
{
    printf("        .%s = {", member);
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != 0) {
            printf("[%zu] = %u, ", i, bytes[i]);
        }
    }
    printf("},\n");
}

static void put_tags(size_t format, const tw_tags *tags)
{
    if (tags == NULL) {
        return;
    }
    printf("static const tw_tagged_word words_%zu[] = {\n", format);
    for (size_t i = 0; i < tags->count; i++) {
        const tw_tagged_word *word = &tags->words[i];
        printf("    {");
        compile_put_text(word->text);
        printf(", %u, %u, %u, %u, %u, %#" PRIx32 ", %#" PRIx32 ", %#" PRIx32
               "},\n",
               word->size, word->next, word->token, word->last, word->roles,
               word->values, word->calls, word->tails);
    }
    printf("};\nstatic const tw_tags tags_%zu = {\n"
           "    .words = words_%zu, .count = %u, .prose = %d,\n",
           format, format, tags->count, tags->prose);
    put_bytes("first", tags->first, sizeof tags->first);
    printf("};\n");
}

static void put_member_texts(const char *member, size_t format)
{
    printf("    .%s = %s_%zu,\n", member, member, format);
}

static void put_member_text(const char *member, const char *text)
{
    printf("    .%s = ", member);
    compile_put_text(text);
    printf(",\n");
}

static void put_member_patterns(const char *member, size_t format,
                                const tw_patterns *patterns)
{
    if (patterns->count > 0) {
        printf("    .%s = {%s_%zu, %u},\n", member, member, format,
               patterns->count);
    }
}

typedef struct member {
    const char *name;
    size_t at;
} member;

#define MEMBER(name)                          \
    {                                         \
#name, offsetof(tw_description, name) \
    }

static const member text_members[] = {
    MEMBER(name),         MEMBER(alias),
    MEMBER(about),        MEMBER(example),
    MEMBER(between),      MEMBER(gap),
    MEMBER(no_reasoning), MEMBER(no_reasoning_of_call),
    MEMBER(no_text),      MEMBER(end),
    MEMBER(end_of_call),  MEMBER(raw_name),
    MEMBER(suffix)};

static const member texts_members[] = {
    MEMBER(models),    MEMBER(turns),         MEMBER(stops),   MEMBER(tokens),
    MEMBER(name_keys), MEMBER(argument_keys), MEMBER(id_keys), MEMBER(heads)};

static const member pattern_members[] = {MEMBER(call),     MEMBER(calls),
                                         MEMBER(argument), MEMBER(reasoning),
                                         MEMBER(text),     MEMBER(id)};

enum {
    TEXT_COUNT = sizeof text_members / sizeof text_members[0],
    TEXTS_COUNT = sizeof texts_members / sizeof texts_members[0],
    PATTERN_COUNT = sizeof pattern_members / sizeof pattern_members[0]
};

static const char *text_of(const tw_description *d, const member *member)
{
    const void *at = (const char *)d + member->at;
    return *(const char *const *)at;
}

static const char *const *texts_of(const tw_description *d,
                                   const member *member)
{
    const void *at = (const char *)d + member->at;
    return *(const char *const *const *)at;
}

static const tw_patterns *patterns_of(const tw_description *d,
                                      const member *member)
{
    const void *at = (const char *)d + member->at;
    return at;
}

static void put_tables(size_t format, const tw_description *d)
{
    printf("\n/* %s */\n", d->name);
    for (size_t i = 0; i < TEXTS_COUNT; i++) {
        put_texts(texts_members[i].name, format,
                  texts_of(d, &texts_members[i]));
    }
    for (size_t i = 0; i < PATTERN_COUNT; i++) {
        put_patterns(pattern_members[i].name, format,
                     patterns_of(d, &pattern_members[i]));
    }
    put_markers(format, d);
    put_tags(format, d->tags);
}

void compile_put_symbol(const char *kind, const tw_description *d)
{
    printf("tw_%s_", kind);
    for (const char *at = d->name; *at != 0; at++) {
        const bool plain = (*at >= 'a' && *at <= 'z') || tw_is_digit(*at);
        putchar(plain ? *at : '_');
    }
}

void compile_put_description(size_t format, const tw_description *d)
{
    put_tables(format, d);
    printf("extern const tw_description ");
    compile_put_symbol("described", d);
    printf(";\nconst tw_description ");
    compile_put_symbol("described", d);
    printf(" = {\n");
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        put_member_text(text_members[i].name, text_of(d, &text_members[i]));
    }
    for (size_t i = 0; i < TEXTS_COUNT; i++) {
        put_member_texts(texts_members[i].name, format);
    }
    for (size_t i = 0; i < PATTERN_COUNT; i++) {
        put_member_patterns(pattern_members[i].name, format,
                            patterns_of(d, &pattern_members[i]));
    }
    printf("    .nine = %d, .json = %u, .sorted = %d, .values = %u,\n"
           "    .entities = %u, .quirks = %u, .calls_alone = %d,\n"
           "    .id_first = %d,\n",
           d->nine, d->json, d->sorted, d->values, d->entities, d->quirks,
           d->calls_alone, d->id_first);
    printf("    .markers = {\n"
           "        .all = marks_%zu, .count = %u, .longest = %u,\n"
           "        .angles = %d, .prose = %d, .apart = %d,\n",
           format, d->markers.count, d->markers.longest, d->markers.angles,
           d->markers.prose, d->markers.apart);
    put_bytes("first", d->markers.first, sizeof d->markers.first);
    put_bytes("second", d->markers.second, sizeof d->markers.second);
    printf("    },\n    .public_markers = markers_%zu, .public_count = %zu,\n",
           format, d->public_count);
    if (d->tags != NULL) {
        printf("    .tags = &tags_%zu,\n", format);
    }
    printf("};\n");
}
