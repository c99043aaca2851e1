/* SPDX-License-Identifier: MIT
 *
 * A tool of the build, run where the project is built: reads the descriptions
 * of the formats that are built in, with the loader that also reads them at
 * run time, and prints them as C, as const tables without any number that
 * depends on this machine.
 *
 *     compile descriptions.c grammar/NAME.json ... grammar/NAME.jinja ...
 *
 * A description with a grammar/NAME.jinja beside it has prompts: that template
 * is what writes them.  Templates of formats without a description stand
 * behind all descriptions.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascii.h"
#include "formats/format.h"
#include "formats/description.h"

/* A C string; bytes beyond ASCII as octal escapes, which end by themselves. */
static void put_sized(const char *text, size_t size)
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

static void put_text(const char *text)
{
    put_sized(text, strlen(text));
}

static void put_texts(const char *member, size_t format,
                      const char *const *texts)
{
    printf("static const char *const %s_%zu[] = {", member, format);
    for (size_t i = 0; texts[i] != NULL; i++) {
        put_text(texts[i]);
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
            put_text(part->text);
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
        printf("    {%s_%zu_%zu, %u, %u, %d, %u, %d, %d, %d, %u, %d},\n",
               member, format, i, pattern->count, pattern->hole,
               pattern->loose, pattern->first, pattern->plain, pattern->fence,
               pattern->words, pattern->written, pattern->opened);
    }
    printf(patterns->count > 0 ? "};\n" : "");
}

static void put_markers(size_t format, const tw_description *d)
{
    printf("static const tw_mark_text marks_%zu[] = {\n", format);
    for (size_t i = 0; i < d->markers.count; i++) {
        const tw_mark_text *marker = &d->markers.all[i];
        printf("    {");
        put_text(marker->text);
        printf(", %u, %u, %u, %u, %u, %u},\n", marker->size, marker->next,
               marker->token, marker->token_at, marker->last, marker->roles);
    }
    printf("};\nstatic const tw_marker markers_%zu[] = {\n", format);
    for (size_t i = 0; i < d->public_count; i++) {
        const tw_marker *marker = &d->public_markers[i];
        printf("    {");
        put_text(marker->text);
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
        put_text(word->text);
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
    put_text(text);
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
    MEMBER(end_of_call),  MEMBER(raw_name), MEMBER(suffix)};

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

/* |kind| and the description's own name, for those that have more around
 * them. */
static void put_symbol(const char *kind, const tw_description *d)
{
    printf("tw_%s_", kind);
    for (const char *at = d->name; *at != 0; at++) {
        const bool plain = (*at >= 'a' && *at <= 'z') || tw_is_digit(*at);
        putchar(plain ? *at : '_');
    }
}

static void put_description(size_t format, const tw_description *d)
{
    printf("extern const tw_description ");
    put_symbol("described", d);
    printf(";\nconst tw_description ");
    put_symbol("described", d);
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

/* All of a file, to be freed, with room for a NUL; NULL: it cannot be read. */
static char *read_file(const char *path, size_t *size)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "rb");
    char *data = malloc(MOST + 1);
    if (file == NULL || data == NULL) {
        free(data);
        data = NULL;
    } else {
        *size = fread(data, 1, MOST, file);
    }
    if (file != NULL) {
        fclose(file);
    }
    return data;
}

/* What has no name has its file's: NAME of grammar/NAME.json. */
static const char *name_of(char *path)
{
    char *name = strrchr(path, '/');
    name = name != NULL ? name + 1 : path;
    char *end = strrchr(name, '.');
    if (end != NULL) {
        *end = 0;
    }
    return name;
}

/* ---- templates of prompts ----------------------------------------------- */

/* A format under way. */
typedef struct format_row {
    tw_loaded loaded;
    size_t prompt_size; /* 0: there is no template */
    bool has_settings;
} format_row;

/* A setting is told in the template's comments: a line of
 *
 *     --set NAME TYPE: what it is
 */
static const char *next_setting(const char *at)
{
    static const char mark[] = "\n--set ";
    const char *found = strstr(at, mark);
    return found != NULL ? found + sizeof mark - 1 : NULL;
}

/* Prints what stands in front of |end|; returns what stands behind. */
static const char *put_field(const char *at, const char *end)
{
    const size_t size = strcspn(at, end);
    put_sized(at, size);
    printf(", ");
    return at + size + (at[size] != 0);
}

static void put_settings(size_t format, const char *prompt)
{
    const char *at = next_setting(prompt);
    if (at == NULL) {
        return;
    }
    printf("static const tw_setting settings_%zu[] = {\n", format);
    for (; at != NULL; at = next_setting(at)) {
        printf("    {");
        at = put_field(put_field(at, " "), ":");
        at += *at == ' ';
        put_sized(at, strcspn(at, "\n"));
        printf("},\n");
    }
    printf("    {NULL, NULL, NULL},\n};\n");
}

/* A string literal may not be as long as a template. */
static void put_template(size_t format, const char *prompt, size_t size)
{
    printf("static const unsigned char prompt_%zu[] = {", format);
    for (size_t i = 0; i < size; i++) {
        printf("%s%u,", i % 20 == 0 ? "\n    " : "", (unsigned char)prompt[i]);
    }
    printf("\n};\n");
}

/* The template beside the description |path|, if there is one. */
static void put_prompt(const char *path, size_t format, format_row *row)
{
    char beside[FILENAME_MAX];
    const int stem = (int)(strrchr(path, '.') - path);
    snprintf(beside, sizeof beside, "%.*s.jinja", stem, path);
    char *prompt = read_file(beside, &row->prompt_size);
    if (prompt == NULL) {
        return;
    }
    prompt[row->prompt_size] = 0;
    row->has_settings = next_setting(prompt) != NULL;
    put_template(format, prompt, row->prompt_size);
    put_settings(format, prompt);
    free(prompt);
}

/* The template with its settings, by a name of its own. */
static void put_own_prompt(size_t format, const format_row *row)
{
    const tw_description *d = &row->loaded.description;
    if (row->prompt_size == 0) {
        return;
    }
    printf("extern const tw_own_prompt ");
    put_symbol("prompt", d);
    printf(";\nconst tw_own_prompt ");
    put_symbol("prompt", d);
    printf(" = {(const char *)prompt_%zu, %zu, ", format, row->prompt_size);
    if (row->has_settings) {
        printf("settings_%zu};\n", format);
    } else {
        printf("NULL};\n");
    }
}

/* One without a description. */
static void put_lone_prompt(char *path, size_t number)
{
    format_row row = {0};
    put_prompt(path, number, &row);
    row.loaded.description.name = name_of(path);
    put_own_prompt(number, &row);
}

static bool is_template(const char *path)
{
    return strcmp(strrchr(path, '.'), ".jinja") == 0;
}

/* ---- all formats -------------------------------------------------------- */

static int compile(char *path, size_t format, format_row *row)
{
    tw_loaded *loaded = &row->loaded;
    static tw_memory memory;
    memory = tw_memory_from(NULL);
    size_t size = 0;
    char *json = read_file(path, &size);
    if (json == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    const int error = tw_description_load(loaded, &memory, json, size);
    free(json);
    if (error != TW_OK) {
        fprintf(stderr, "%s: %s\n", path, loaded->message);
        return 1;
    }
    put_prompt(path, format, row);
    if (loaded->description.name[0] == 0) {
        loaded->description.name = name_of(path);
    }
    put_own_prompt(format, row);
    put_tables(format, &loaded->description);
    put_description(format, &loaded->description);
    return 0;
}

static void put_format(int format, const format_row *row)
{
    const tw_description *d = &row->loaded.description;
    printf("    {.name = ");
    put_text(d->name);
    printf(",\n     .alias = ");
    if (d->alias[0] != 0) {
        put_text(d->alias);
    } else {
        printf("NULL");
    }
    printf(",\n     .about = ");
    put_text(d->about);
    printf(",\n     .models = ");
    for (const char *const *at = d->models; *at != NULL; at++) {
        put_text(*at);
        printf(" \"\\0\" ");
    }
    printf("\"\",\n     .family = &tw_frame_family, .markers = markers_%d,\n"
           "     .turn_heads = turns_%d, .call_heads = heads_%d,\n"
           "     .completions_only = true, .marker_count = &",
           format, format, format);
    put_symbol("described", d);
    printf(".public_count,\n");
    if (row->prompt_size > 0) {
        printf("     .prompt = TW_ENCODES(&");
        put_symbol("prompt", d);
        printf("),\n");
    }
    printf("     .description = &");
    put_symbol("described", d);
    printf("},\n");
}

typedef struct head {
    const char *text;
    int format;
} head;

static int by_bytes(const void *a, const void *b)
{
    const head *x = a;
    const head *y = b;
    const int order = strcmp(x->text, y->text);
    return order != 0 ? order : x->format - y->format;
}

static size_t count_heads(const format_row *rows, int count)
{
    size_t heads = 0;
    for (int i = 2; i < count; i++) {
        const char *const *at = rows[i].loaded.description.heads;
        for (; *at != NULL; at++) {
            heads++;
        }
    }
    return heads;
}

/* Do its first bytes tell a head apart, and is text looked at from them on? */
static bool has_lead(const char *text)
{
    bool has = text[0] == '<' || text[0] == '[';
    for (size_t i = 1; has && i < TW_HEAD_LEAD; i++) {
        has = text[i] != 0 && text[i] != ' ' && text[i] != '*';
    }
    return has;
}

/* How calls begin, of all formats, each text once. */
static bool put_heads(const format_row *rows, int count)
{
    const size_t most = count_heads(rows, count);
    head *heads = calloc(most + 1, sizeof *heads);
    size_t size = 0;
    for (int i = 2; heads != NULL && i < count; i++) {
        const char *const *at = rows[i].loaded.description.heads;
        for (; *at != NULL; at++) {
            heads[size++] = (head){*at, i - 2};
        }
    }
    size_t shown = 0;
    printf("\nconst tw_call_head tw_framed_heads[] = {\n");
    qsort(heads, size, sizeof *heads, by_bytes);
    for (size_t i = 0; i < size; i++) {
        if (has_lead(heads[i].text) &&
            (i == 0 || strcmp(heads[i].text, heads[i - 1].text) != 0)) {
            printf("    {");
            put_text(heads[i].text);
            printf(", &tw_framed_formats[%d]},\n", heads[i].format);
            shown++;
        }
    }
    printf("    {NULL, NULL},\n};\n"
           "const size_t tw_framed_head_count = %zu;\n",
           shown);
    free(heads);
    return size == most;
}

/* A file that is half written is not left behind. */
static int fail(const char *out)
{
    fprintf(stderr, "%s: not written\n", out);
    remove(out);
    return 1;
}

int main(int count, char **paths)
{
    if (count < 2 || freopen(paths[1], "wb", stdout) == NULL) {
        fprintf(stderr, "use: compile OUT DESCRIPTION ... TEMPLATE ...\n");
        return 2;
    }
    const int all = count;
    while (count > 2 && is_template(paths[count - 1])) {
        count--;
    }
    format_row *rows = calloc((size_t)count, sizeof *rows);
    if (rows == NULL) {
        return fail(paths[1]);
    }
    printf("/* Made of the descriptions in grammar/ by compile.c. */\n"
           "#include \"formats/description.h\"\n"
           "#include \"formats/format.h\"\n");
    for (int i = 2; i < count; i++) {
        if (compile(paths[i], (size_t)i, &rows[i]) != 0) {
            return fail(paths[1]);
        }
    }
    for (int i = count; i < all; i++) {
        put_lone_prompt(paths[i], (size_t)i);
    }
    printf("\nconst tw_format tw_framed_formats[] = {\n");
    for (int i = 2; i < count; i++) {
        put_format(i, &rows[i]);
    }
    printf("    {.name = NULL},\n};\n");
    const bool whole = put_heads(rows, count);
    for (int i = 2; i < count; i++) {
        tw_description_free(&rows[i].loaded);
    }
    free(rows);
    return whole && fflush(stdout) == 0 && ferror(stdout) == 0
               ? 0
               : fail(paths[1]);
}
