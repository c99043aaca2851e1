/* SPDX-License-Identifier: MIT
 *
 * JSON-Schema-Test-Suite, which the project does not hold, put to src/schema:
 * how many cases pass, by file; which need what is not checked; which are
 * wrong.  Wrong are only those that are named below, with the reason.
 * Use: schema_suite [FOLDER]   (of the suite; else TOOLWIRE_SCHEMA_SUITE)
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schema/schema.h"

/* Groups, by the beginning of their names, that ask for what is not there. */
static const struct {
    const char *file;
    const char *group;
    const char *why;
} excused[] = {
    {"vocabulary.json", "schema that uses custom metaschema",
     "a metaschema of its own switches keywords off"},
    {NULL, NULL, NULL},
};

typedef struct tally {
    unsigned passed;
    unsigned unread;
    unsigned excused;
    unsigned wrong;
} tally;

static const char *excuse(const char *file, const char *group)
{
    for (size_t i = 0; excused[i].file != NULL; i++) {
        if (strcmp(excused[i].file, file) == 0 &&
            strncmp(excused[i].group, group, strlen(excused[i].group)) == 0) {
            return excused[i].why;
        }
    }
    return NULL;
}

static bool is_told(const tw_schema *checker, uint32_t code)
{
    bool told = false;
    for (size_t i = 0; i < tw_schema_fault_count(checker); i++) {
        told |= tw_schema_fault_at(checker, i)->code == code;
    }
    return told;
}

static void run_group(tw_schema *checker, const char *file,
                      const tw_value *group, tally *all)
{
    const char *name = tw_value_member(group, "description")->text;
    const tw_value *schema = tw_value_member(group, "schema");
    const tw_value *one = tw_value_member(group, "tests")->first;
    for (; one != NULL; one = one->next) {
        const bool wanted =
            tw_value_member(one, "valid")->kind == TW_VALUE_TRUE;
        tw_schema_begin(checker);
        const bool fits =
            tw_schema_check(checker, schema, tw_value_member(one, "data"));
        const bool unread = is_told(checker, TW_DIAGNOSTIC_SCHEMA_UNREAD);
        /* No schema of the suite is broken, or too much. */
        const bool good = fits == wanted &&
                          !is_told(checker, TW_DIAGNOSTIC_SCHEMA_BROKEN) &&
                          !is_told(checker, TW_DIAGNOSTIC_SCHEMA_LIMIT);
        const char *why = excuse(file, name);
        all->unread += unread;
        all->passed += good && !unread && why == NULL;
        all->excused += why != NULL && !unread;
        if (!good && !unread && why == NULL) {
            all->wrong++;
            printf("    WRONG %s: %s: %s\n", file, name,
                   tw_value_member(one, "description")->text);
        }
    }
}

static bool read_all(const char *path, tw_tree *tree)
{
    char part[4096];
    size_t size;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    tw_tree_begin(tree, false);
    while ((size = fread(part, 1, sizeof part, file)) > 0 &&
           tw_tree_feed(tree, part, size) == TW_OK) {
    }
    fclose(file);
    return tw_tree_end(tree) == TW_OK;
}

static bool run_file(const char *folder, const char *name, tally *all)
{
    const tw_memory memory = tw_memory_from(NULL);
    char path[4096];
    tw_schema checker;
    tw_tree tree;
    tally own = {0, 0, 0, 0};
    snprintf(path, sizeof path, "%s/tests/draft2020-12/%s", folder, name);
    tw_tree_init(&tree, &memory);
    tw_schema_init(&checker, &memory);
    const bool good = read_all(path, &tree);
    for (const tw_value *group = good ? tree.root->first : NULL; group != NULL;
         group = group->next) {
        tw_schema_forget(&checker);
        run_group(&checker, name, group, &own);
    }
    printf("%-28s %4u passed %3u not read %3u excused %3u wrong\n", name,
           own.passed, own.unread, own.excused, own.wrong);
    all->passed += own.passed;
    all->unread += own.unread;
    all->excused += own.excused;
    all->wrong += own.wrong;
    tw_schema_free(&checker);
    tw_tree_free(&tree);
    return good;
}

static int is_case(const struct dirent *entry)
{
    const size_t size = strlen(entry->d_name);
    return size > 5 && strcmp(entry->d_name + size - 5, ".json") == 0;
}

int main(int count, char **arguments)
{
    const char *folder =
        count > 1 ? arguments[1] : getenv("TOOLWIRE_SCHEMA_SUITE");
    char path[4096];
    struct dirent **names;
    tally all = {0, 0, 0, 0};
    bool good = true;
    if (folder == NULL || *folder == '\0') {
        fprintf(stderr, "\n*** SKIPPED: TOOLWIRE_SCHEMA_SUITE is not set: the "
                        "folder of JSON-Schema-Test-Suite ***\n\n");
        return 77;
    }
    snprintf(path, sizeof path, "%s/tests/draft2020-12", folder);
    const int files = scandir(path, &names, is_case, alphasort);
    if (files <= 0) {
        fprintf(stderr, "schema_suite: no cases in %s\n", path);
        return 2;
    }
    for (int i = 0; i < files; i++) {
        good &= run_file(folder, names[i]->d_name, &all);
        free(names[i]);
    }
    free(names);
    printf("%u passed of %u; %u ask for what is not read, %u for what is "
           "excused; %u wrong\n",
           all.passed, all.passed + all.unread + all.excused + all.wrong,
           all.unread, all.excused, all.wrong);
    return good && all.wrong == 0 && all.passed > 1150 ? 0 : 1;
}
