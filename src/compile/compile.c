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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/list.h"
#include "compile/tables.h"
#include "compile/template.h"

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
    compile_row row = {0};
    row.loaded.description.name = name_of(path);
    compile_put_prompt(path, number, &row);
    free(row.prompt);
}

static bool is_template(const char *path)
{
    return strcmp(strrchr(path, '.'), ".jinja") == 0;
}

static bool compile(char *path, size_t format, compile_row *row)
{
    tw_loaded *loaded = &row->loaded;
    static tw_memory memory;
    memory = tw_memory_from(NULL);
    size_t size = 0;
    char *json = compile_read_file(path, &size);
    if (json == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return false;
    }
    const int error = tw_description_load(loaded, &memory, json, size);
    free(json);
    if (error != TW_OK) {
        fprintf(stderr, "%s: %s\n", path, loaded->message);
        return false;
    }
    const char *name = name_of(path);
    if (loaded->description.name[0] == 0) {
        loaded->description.name = name;
    }
    row->given = format;
    compile_put_prompt(path, format, row);
    compile_put_description(format, &loaded->description);
    return true;
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
    char **given = paths + 2;
    const int all = count - 2;
    int described = all;
    while (described > 0 && is_template(given[described - 1])) {
        described--;
    }
    compile_row *rows = calloc((size_t)described + 1, sizeof *rows);
    bool done = rows != NULL;
    printf("/* Made of the descriptions in grammar/ by src/compile. */\n"
           "#include \"formats/description.h\"\n"
           "#include \"formats/format.h\"\n");
    for (int i = 0; done && i < described; i++) {
        done = compile(given[i], (size_t)i, &rows[i]);
    }
    for (int i = described; i < all; i++) {
        put_lone_prompt(given[i], (size_t)i);
    }
    if (done) {
        compile_order_formats(rows, described);
        compile_put_formats(rows, described);
        done = compile_put_heads(rows, described);
    }
    for (int i = 0; rows != NULL && i < described; i++) {
        tw_description_free(&rows[i].loaded);
        free(rows[i].prompt);
    }
    free(rows);
    done = done && fflush(stdout) == 0 && ferror(stdout) == 0;
    return done ? 0 : fail(paths[1]);
}
