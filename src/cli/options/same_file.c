/* SPDX-License-Identifier: MIT
 *
 * Are two of a command's files one?  Folders are asked, before anything is
 * opened.
 */
#define _XOPEN_SOURCE 700

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/paths.h"
#include "cli/files/print.h"
#include "cli/options/same_file.h"

/* A file that is there, or (with a name) one that is to be in a folder. */
typedef struct place {
    const char *what; /* in a message; NULL: there is no such file */
    const char *path; /* NULL: a standard file */
    bool known;
    struct stat its;
    char name[NAME_MAX + 1];
} place;

static void find_new(place *found)
{
    char target[PATH_MAX];
    if (!cli_path_follow(found->path, target)) {
        return;
    }
    const size_t folder = cli_path_folder(target);
    const size_t size = strlen(target + folder);
    if (size == 0 || size > NAME_MAX) {
        return;
    }
    memcpy(found->name, target + folder, size + 1);
    target[folder] = '\0';
    found->known = stat(folder > 0 ? target : ".", &found->its) == 0;
}

/* |path| as it was given, or (standard) the open |file|. */
static place find_place(const char *what, const char *path, int file)
{
    const bool standard = cli_path_is_standard(path);
    place found = {.what = what, .path = standard ? NULL : path};
    found.known =
        standard ? fstat(file, &found.its) == 0 : stat(path, &found.its) == 0;
    if (!found.known && !standard) {
        find_new(&found);
    }
    return found;
}

/* May two write there?  A device takes what comes in turn, and so does what
 * else a shell may make standard output of. */
static bool may_share(const place *one, const place *other)
{
    const bool standard = one->path == NULL || other->path == NULL;
    return one->name[0] == '\0' && (S_ISCHR(one->its.st_mode) ||
                                    (standard && !S_ISREG(one->its.st_mode)));
}

static bool are_same(const place *one, const place *other)
{
    return one->known && other->known &&
           one->its.st_dev == other->its.st_dev &&
           one->its.st_ino == other->its.st_ino &&
           strcmp(one->name, other->name) == 0 && !may_share(one, other);
}

static const char *path_of(const place *one, const place *other)
{
    return one->path != NULL ? one->path : other->path;
}

/* ---- outputs and inputs ------------------------------------------------- */

enum { OUTPUT, REJECTS, REPORT, MESSAGES, OUTPUTS };

static void find_outputs(const cli_options *options, place found[OUTPUTS])
{
    memset(found, 0, OUTPUTS * sizeof *found);
    found[OUTPUT] = find_place("the output", options->output, STDOUT_FILENO);
    if (options->rejects != NULL) {
        found[REJECTS] =
            find_place("--rejects", options->rejects, STDOUT_FILENO);
    }
    if (options->report != NULL) {
        found[REPORT] = find_place("--report", options->report, STDOUT_FILENO);
    }
    found[MESSAGES] = find_place("standard error", NULL, STDERR_FILENO);
}

static int refuse(const cli_options *options, const place *one,
                  const place *other)
{
    const char *path = path_of(one, other);
    cli_say("%s: %s and %s are one file, %s: each needs a file of its own",
            options->command->name, one->what, other->what,
            path != NULL ? path : "standard output");
    return CLI_USAGE;
}

static int check_outputs(const cli_options *options,
                         const place found[OUTPUTS])
{
    for (int i = OUTPUT; i < OUTPUTS; i++) {
        for (int k = i + 1; found[i].what != NULL && k < OUTPUTS; k++) {
            const bool standard =
                found[i].path == NULL && found[k].path == NULL;
            /* A shell may have made stdout and stderr one on purpose. */
            if (found[k].what == NULL || (standard && k == MESSAGES)) {
                continue;
            }
            if (standard || are_same(&found[i], &found[k])) {
                return refuse(options, &found[i], &found[k]);
            }
        }
    }
    return CLI_FINE;
}

/* The file that is named with -o is written when all is read: it may be the
 * input.  Into stdout is written at once. */
static int check_input(const cli_options *options, const char *what,
                       const char *path, const place found[OUTPUTS])
{
    const place input = find_place(what, path, STDIN_FILENO);
    for (int i = OUTPUT; i <= REPORT; i++) {
        if ((i != OUTPUT || found[i].path == NULL) &&
            are_same(&input, &found[i])) {
            return refuse(options, &input, &found[i]);
        }
    }
    return CLI_FINE;
}

int cli_paths_check(const cli_options *options)
{
    place found[OUTPUTS];
    find_outputs(options, found);
    int result = check_outputs(options, found);
    if ((options->command->bit & CLI_READS_FILES) == 0) {
        return result;
    }
    if (result == CLI_FINE && options->operand_count == 0) {
        result = check_input(options, "the input", NULL, found);
    }
    for (int i = 0; result == CLI_FINE && i < options->operand_count; i++) {
        result =
            check_input(options, "the input", options->operands[i], found);
    }
    if (result == CLI_FINE && options->tools != NULL) {
        result = check_input(options, "--tools", options->tools, found);
    }
    return result;
}
