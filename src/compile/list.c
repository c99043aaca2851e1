/* SPDX-License-Identifier: MIT
 *
 * Formats stand in the list in the order in which they are named.
 */
#include "compile/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/tables.h"
#include "compile/template.h"
#include "core/skip.h"
#include "formats/format.h"

/* What a row has behind its models. */
static void put_shared(const compile_row *row)
{
    const size_t format = row->given;
    const tw_description *d = &row->loaded.description;
    printf("\"\",\n     .family = &");
    compile_put_family(row);
    printf(", .markers = markers_%zu,\n"
           "     .turn_heads = turns_%zu, .call_heads = heads_%zu,\n"
           "     .marker_count = &",
           format, format, format);
    compile_put_symbol("described", d);
    printf(".public_count,\n");
    if (row->prompt != NULL) {
        printf("     .prompt = TW_ENCODES(&");
        compile_put_symbol("prompt", d);
        printf("),\n");
    }
    printf("     .description = &");
    compile_put_symbol("described", d);
    printf("},\n");
}

/* Puts |at| up to |end| as one of a format's models. */
static const char *put_model(const char *at, const char *end)
{
    const size_t size = strcspn(at, end);
    compile_put_sized(at, size);
    printf(" \"\\0\" ");
    return at + size;
}

static void put_format(const compile_row *row)
{
    const tw_description *d = &row->loaded.description;
    printf("    {.name = ");
    compile_put_text(d->name);
    printf(",\n     .alias = ");
    if (d->alias[0] != 0) {
        compile_put_text(d->alias);
    } else {
        printf("NULL");
    }
    printf(",\n     .about = ");
    compile_put_text(d->about);
    printf(",\n     .models = ");
    for (const char *const *at = d->models; *at != NULL; at++) {
        put_model(*at, "");
    }
    put_shared(row);
}

/* The dialect whose name is at |at|: NAME (MODEL, ...): what it is. */
static void put_dialect(const compile_row *row, const char *at)
{
    const char *models = at + strcspn(at, "(");
    const char *about = strstr(at, "): ") + 3;
    printf("    {.name = ");
    compile_put_sized(at, strcspn(at, " "));
    printf(",\n     .alias = NULL,\n     .about = ");
    compile_put_sized(about, strcspn(about, "\n"));
    printf(",\n     .models = ");
    while (*models != ')') {
        models = put_model(models + 1 + (*models == ','), ",)");
    }
    put_shared(row);
}

/* How well known a format is: 0 is the first of a family with functions of its
 * own, 1 another one of it. */
static int rank_of(const compile_row *row)
{
    return compile_family_of(row) == NULL          ? 2
           : row->loaded.description.alias[0] == 0 ? 1
                                                   : 0;
}

static int by_rank(const void *a, const void *b)
{
    const compile_row *x = a;
    const compile_row *y = b;
    const int order = rank_of(x) - rank_of(y);
    return order != 0 ? order : x->given < y->given ? -1 : 1;
}

void compile_order_formats(compile_row *rows, int count)
{
    size_t number = 0;
    qsort(rows, (size_t)count, sizeof *rows, by_rank);
    for (int i = 0; i < count; i++) {
        const char *at = rows[i].prompt;
        rows[i].number = number++;
        while ((at = compile_next_dialect(at)) != NULL) {
            number++;
        }
    }
}

void compile_put_formats(const compile_row *rows, int count)
{
    printf("\nconst tw_format tw_framed_formats[] = {\n");
    for (int i = 0; i < count; i++) {
        const char *at = rows[i].prompt;
        put_format(&rows[i]);
        while ((at = compile_next_dialect(at)) != NULL) {
            put_dialect(&rows[i], at);
        }
    }
    printf("    {.name = NULL},\n};\n");
}

typedef struct head {
    const char *text;
    const compile_row *row;
    bool loose; /* it is read, and not written */
} head;

static int models_of(const compile_row *row)
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

static size_t count_heads(const compile_row *rows, int count)
{
    size_t heads = 0;
    for (int i = 0; i < count; i++) {
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

bool compile_put_heads(const compile_row *rows, int count)
{
    const size_t most = count_heads(rows, count);
    head *heads = calloc(most + 1, sizeof *heads);
    size_t size = 0;
    for (int i = 0; heads != NULL && i < count; i++) {
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
            compile_put_text(heads[i].text);
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
