/* SPDX-License-Identifier: MIT
 *
 * A format's own template: its bytes, and what its comments tell of it, a line
 * each:
 *
 *     --set NAME TYPE: what it is              a setting that it reads
 *     --dialect NAME (MODEL, ...): what it is  another format, which it writes
 *                                              where `toolwire_format` is NAME
 *     --parts                                  it takes a content's parts as
 *                                              they are, not as one text
 *     --family NAME                            src/formats/NAME has functions
 *                                              of its own for the format
 */
#include "compile/template.h"

#include <stdio.h>
#include <string.h>

#include "compile/tables.h"

/* Behind the next such word of the template's comments; NULL: none. */
static const char *next_told(const char *at, const char *word)
{
    const char *found = strstr(at, word);
    return found != NULL ? found + strlen(word) : NULL;
}

static const char *next_setting(const char *at)
{
    return next_told(at, "\n--set ");
}

/* Prints what stands in front of |end|; returns what stands behind. */
static const char *put_field(const char *at, const char *end)
{
    const size_t size = strcspn(at, end);
    compile_put_sized(at, size);
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
        compile_put_sized(at, strcspn(at, "\n"));
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

/* The template with its settings, by a name of its own. */
static void put_own_prompt(size_t format, const compile_row *row)
{
    const tw_description *d = &row->loaded.description;
    printf("extern const tw_own_prompt ");
    compile_put_symbol("prompt", d);
    printf(";\nconst tw_own_prompt ");
    compile_put_symbol("prompt", d);
    printf(" = {(const char *)prompt_%zu, %zu, ", format, row->prompt_size);
    if (next_setting(row->prompt) != NULL) {
        printf("settings_%zu", format);
    } else {
        printf("NULL");
    }
    printf(", %d};\n", next_told(row->prompt, "\n--parts\n") != NULL);
}

void compile_put_prompt(const char *stem, size_t format, compile_row *row)
{
    char beside[FILENAME_MAX];
    snprintf(beside, sizeof beside, "%s.jinja", stem);
    row->prompt = compile_read_file(beside, &row->prompt_size);
    if (row->prompt != NULL) {
        row->prompt[row->prompt_size] = 0;
        put_template(format, row->prompt, row->prompt_size);
        put_settings(format, row->prompt);
        put_own_prompt(format, row);
        printf("extern const tw_family ");
        compile_put_family(row);
        printf(";\n");
    }
}

const char *compile_family_of(const compile_row *row)
{
    return row->prompt != NULL ? next_told(row->prompt, "\n--family ") : NULL;
}

void compile_put_family(const compile_row *row)
{
    const char *own = compile_family_of(row);
    const char *name = own != NULL ? own : "frame";
    printf("tw_%.*s_family", (int)strcspn(name, "\n"), name);
}

const char *compile_next_dialect(const char *at)
{
    return at != NULL ? next_told(at, "\n--dialect ") : NULL;
}
