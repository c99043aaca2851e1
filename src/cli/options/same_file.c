/* SPDX-License-Identifier: MIT
 *
 * Are two of a command's files one?  Folders are asked, before anything is
 * opened.
 */
#define _XOPEN_SOURCE 700

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/pack.h"
#include "cli/files/paths.h"
#include "cli/files/print.h"
#include "cli/options/format_file.h"
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

static int check_input(const cli_options *options, const char *what,
                       const char *path, const place found[OUTPUTS])
{
    const place input = find_place(what, path, STDIN_FILENO);
    for (int i = OUTPUT; i <= REPORT; i++) {
        if (found[i].what != NULL && are_same(&input, &found[i])) {
            return refuse(options, &input, &found[i]);
        }
    }
    return CLI_FINE;
}

/* What is read before all else: tools, and formats that are described. */
static int check_settings(const cli_options *options,
                          const place found[OUTPUTS])
{
    static const char *const ends[CLI_LOADED] = {"-f", "-t", "--wire"};
    int result = options->tools != NULL
                     ? check_input(options, "--tools", options->tools, found)
                     : CLI_FINE;
    for (size_t i = 0; result == CLI_FINE && i < CLI_LOADED; i++) {
        if (options->loaded[i] != NULL) {
            result = check_input(options, ends[i], options->loaded_from[i],
                                 found);
        }
    }
    return result;
}

/* The i-th input, at least one; NULL: stdin. */
static const char *input_at(const cli_options *options, int i)
{
    return i < options->operand_count ? options->operands[i] : NULL;
}

static int input_count(const cli_options *options)
{
    return options->operand_count > 0 ? options->operand_count : 1;
}

/* A name that promises what is not done. */
static int check_name(const cli_options *options, const char *path)
{
    const char *program = cli_pack_program(path);
    if (program == NULL || cli_packs(path)) {
        return CLI_FINE;
    }
    cli_say("%s: %s: this command does not compress so: `toolwire ... | %s "
            ">%s`, or another name",
            options->command->name, path, program, path);
    return CLI_USAGE;
}

static int check_names(const cli_options *options)
{
    const char *const paths[] = {options->output, options->rejects,
                                 options->report};
    int result = CLI_FINE;
    for (size_t i = 0; result == CLI_FINE && i < 3; i++) {
        result = check_name(options, paths[i]);
    }
    return result;
}

int cli_paths_check(const cli_options *options)
{
    place found[OUTPUTS];
    const unsigned bit = options->command->bit;
    const char *operand = cli_operand(options);
    find_outputs(options, found);
    int result = check_names(options);
    if (result == CLI_FINE) {
        result = check_outputs(options, found);
    }
    if (result == CLI_FINE) {
        result = check_settings(options, found);
    }
    if (operand != NULL &&
        (bit == CLI_CHECK_FORMAT ||
         (bit == CLI_FORMATS && cli_is_format_file(operand)))) {
        return result == CLI_FINE
                   ? check_input(options, "the description", operand, found)
                   : result;
    }
    if ((bit & CLI_READS_FILES) == 0) {
        return result;
    }
    /* What is made of the whole input may take its place, when all is read;
     * into stdout is written at once. */
    if ((bit & CLI_REWRITES) != 0 && found[OUTPUT].path != NULL) {
        found[OUTPUT].what = NULL;
    }
    for (int i = 0; result == CLI_FINE && i < input_count(options); i++) {
        result =
            check_input(options, "the input", input_at(options, i), found);
    }
    return result;
}

bool cli_may_replace(const cli_options *options, int result)
{
    const bool has_all =
        result == CLI_FINE || (result == CLI_BAD && options->rejects != NULL);
    if (has_all || result >= CLI_REFUSED ||
        cli_path_is_standard(options->output)) {
        return result < CLI_REFUSED;
    }
    const place output = find_place("-o", options->output, STDOUT_FILENO);
    for (int i = 0; i < input_count(options); i++) {
        const place input =
            find_place("the input", input_at(options, i), STDIN_FILENO);
        if (are_same(&input, &output)) {
            cli_say("%s: %s is the input, and something in it was bad: it "
                    "stays as it was (-o another file)",
                    options->command->name, options->output);
            return false;
        }
    }
    return true;
}
