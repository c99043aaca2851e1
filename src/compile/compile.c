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
#include "compile/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/skip.h"
#include "formats/format.h"

char *read_file(const char *path, size_t *size)
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

/* What has no name has its file's: NAME of grammar/NAME.json, off which the
 * ending is cut. */
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

/* One without a description. */
static void put_lone_prompt(char *path, size_t number)
{
    format_row row = {0};
    row.loaded.description.name = name_of(path);
    put_prompt(path, number, &row);
    free(row.prompt);
}

static bool is_template(const char *path)
{
    return strcmp(strrchr(path, '.'), ".jinja") == 0;
}

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
    const char *name = name_of(path);
    if (loaded->description.name[0] == 0) {
        loaded->description.name = name;
    }
    row->given = format;
    put_prompt(path, format, row);
    put_description(format, &loaded->description);
    return 0;
}

/* What a row has behind its models. */
static void put_shared(const format_row *row)
{
    const size_t format = row->given;
    const tw_description *d = &row->loaded.description;
    printf("\"\",\n     .family = &");
    put_family(row);
    printf(", .markers = markers_%zu,\n"
           "     .turn_heads = turns_%zu, .call_heads = heads_%zu,\n"
           "     .marker_count = &",
           format, format, format);
    put_symbol("described", d);
    printf(".public_count,\n");
    if (row->prompt != NULL) {
        printf("     .prompt = TW_ENCODES(&");
        put_symbol("prompt", d);
        printf("),\n");
    }
    printf("     .description = &");
    put_symbol("described", d);
    printf("},\n");
}

/* Puts |at| up to |end| as one of a format's models. */
static const char *put_model(const char *at, const char *end)
{
    const size_t size = strcspn(at, end);
    put_sized(at, size);
    printf(" \"\\0\" ");
    return at + size;
}

static void put_format(const format_row *row)
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
        put_model(*at, "");
    }
    put_shared(row);
}

/* The dialect whose name is at |at|: NAME (MODEL, ...): what it is. */
static void put_dialect(const format_row *row, const char *at)
{
    const char *models = at + strcspn(at, "(");
    const char *about = strstr(at, "): ") + 3;
    printf("    {.name = ");
    put_sized(at, strcspn(at, " "));
    printf(",\n     .alias = NULL,\n     .about = ");
    put_sized(about, strcspn(about, "\n"));
    printf(",\n     .models = ");
    while (*models != ')') {
        models = put_model(models + 1 + (*models == ','), ",)");
    }
    put_shared(row);
}

/* How well known a format is: 0 is the first of a family with functions of its
 * own, 1 another one of it. */
static int rank_of(const format_row *row)
{
    return family_of(row) == NULL                  ? 2
           : row->loaded.description.alias[0] == 0 ? 1
                                                   : 0;
}

static int by_rank(const void *a, const void *b)
{
    const format_row *x = a;
    const format_row *y = b;
    const int order = rank_of(x) - rank_of(y);
    return order != 0 ? order : x->given < y->given ? -1 : 1;
}

/* Where a text could be of several formats, the first of the list is named:
 * what is best known stands in front.  Each is numbered with its dialects. */
static void order_formats(format_row *rows, int count)
{
    size_t number = 0;
    qsort(rows + 2, (size_t)count - 2, sizeof *rows, by_rank);
    for (int i = 2; i < count; i++) {
        const char *at = rows[i].prompt;
        rows[i].number = number++;
        while ((at = next_dialect(at)) != NULL) {
            number++;
        }
    }
}

static void put_formats(const format_row *rows, int count)
{
    printf("\nconst tw_format tw_framed_formats[] = {\n");
    for (int i = 2; i < count; i++) {
        const char *at = rows[i].prompt;
        put_format(&rows[i]);
        while ((at = next_dialect(at)) != NULL) {
            put_dialect(&rows[i], at);
        }
    }
    printf("    {.name = NULL},\n};\n");
}

typedef struct head {
    const char *text;
    const format_row *row;
    bool loose; /* it is read, and not written */
} head;

static int models_of(const format_row *row)
{
    const char *const *models = row->loaded.description.models;
    int count = 0;
    while (models[count] != NULL) {
        count++;
    }
    return count;
}

/* Of formats that read one text the first is its family's first, then one that
 * writes it, then the one of most models. */
static int by_bytes(const void *a, const void *b)
{
    const head *x = a;
    const head *y = b;
    const bool first = x->row->loaded.description.alias[0] != 0;
    const int keys[] = {strcmp(x->text, y->text),
                        (y->row->loaded.description.alias[0] != 0) - first,
                        x->loose - y->loose,
                        models_of(y->row) - models_of(x->row),
                        x->row->number < y->row->number ? -1 : 1};
    int i = 0;
    while (i < 4 && keys[i] == 0) {
        i++;
    }
    return keys[i];
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
    bool has = tw_may_begin_marker((const uint8_t *)text);
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
        const tw_description *d = &rows[i].loaded.description;
        for (size_t k = 0; d->heads[k] != NULL; k++) {
            heads[size++] =
                (head){d->heads[k], &rows[i], k >= d->written_heads};
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
            printf(", &tw_framed_formats[%zu]},\n", heads[i].row->number);
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
    order_formats(rows, count);
    put_formats(rows, count);
    const bool whole = put_heads(rows, count);
    for (int i = 2; i < count; i++) {
        tw_description_free(&rows[i].loaded);
        free(rows[i].prompt);
    }
    free(rows);
    return whole && fflush(stdout) == 0 && ferror(stdout) == 0
               ? 0
               : fail(paths[1]);
}
