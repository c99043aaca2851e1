/* SPDX-License-Identifier: MIT
 *
 * Where a command writes: a file that appears only when all is written, or the
 * standard output, whose errors are said once.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/io.h"
#include "cli/files/pack.h"
#include "cli/files/paths.h"
#include "cli/files/say.h"
#include "cli/files/signals.h"

enum { BUFFER_SIZE = 64 * 1024 };

void cli_guard_standard_files(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        if (fcntl(file, F_GETFD) < 0) {
            (void)open("/dev/null",
                       file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

/* ---- the temporary file ------------------------------------------------- */

/* A name beside |target|: a rename works within one file system only. */
static char *temporary_name(const char *target)
{
    static const char last[] = ".toolwire.XXXXXX";
    const char *slash = strrchr(target, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - target) + 1 : 0;
    char *name = malloc(folder + sizeof last);
    if (name != NULL) {
        memcpy(name, target, folder);
        memcpy(name + folder, last, sizeof last);
    }
    return name;
}

/* mkstemp() makes files that nobody else can read: give the file the mode of
 * the one that it replaces, or of any new file. */
static bool set_mode(int file, const struct stat *old)
{
    const mode_t mask = umask(0);
    umask(mask);
    return fchmod(file, old != NULL ? old->st_mode & 07777
                                    : (mode_t)0666 & ~mask) == 0;
}

/* Makes and names the temporary file; a signal comes before or behind. */
static bool make_temporary(cli_output *output)
{
    sigset_t before;
    cli_signals_block(&before);
    output->file = mkstemp(output->temporary);
    if (output->file >= 0) {
        fcntl(output->file, F_SETFD, FD_CLOEXEC); /* no parser's under test */
        cli_doom(output->temporary);
    }
    cli_signals_restore(&before);
    return output->file >= 0;
}

/* |old| is the file that is there, or NULL. */
static bool open_temporary(cli_output *output, const char *path,
                           const struct stat *old)
{
    char target[PATH_MAX];
    /* Behind symbolic links, so that they stay links. */
    if (!cli_path_follow(path, target)) {
        return false;
    }
    output->target = strdup(target);
    if (output->target != NULL) {
        output->temporary = temporary_name(target);
    }
    if (output->temporary == NULL) {
        return false;
    }
    if (!make_temporary(output)) {
        free(output->temporary);
        output->temporary = NULL;
        return false;
    }
    return set_mode(output->file, old);
}

/* ---- open, write, close ------------------------------------------------- */

static void forget(cli_output *output)
{
    if (output->temporary != NULL) {
        unlink(output->temporary);
        cli_spare(output->temporary);
    }
    free(output->temporary);
    free(output->target);
    free(output->buffer);
    cli_packer_free(output->packer);
    output->temporary = output->target = output->buffer = NULL;
    output->packer = NULL;
}

static bool open_path(cli_output *output, const char *path)
{
    struct stat old;
    if (cli_path_is_standard(path)) {
        output->file = STDOUT_FILENO;
        output->name = "standard output";
        return true;
    }
    if (cli_packs(path)) {
        output->packer = cli_packer_new(path);
        if (output->packer == NULL) {
            errno = ENOMEM;
            return false;
        }
    }
    const bool exists = stat(path, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        output->file = open(path, O_WRONLY);
        return output->file >= 0;
    }
    return open_temporary(output, path, exists ? &old : NULL);
}

int cli_output_open(cli_output *output, const char *path)
{
    memset(output, 0, sizeof *output);
    output->file = -1;
    output->name = path != NULL ? path : "standard output";
    output->buffer = malloc(BUFFER_SIZE);
    output->capacity = BUFFER_SIZE;
    if (output->buffer != NULL && open_path(output, path)) {
        return CLI_FINE;
    }
    cli_say("%s: %s", output->name, strerror(errno));
    if (output->file >= 0) {
        close(output->file);
    }
    forget(output);
    return CLI_IO;
}

/* Packed, if it is to be.  |last|: what the packer holds back, too. */
static bool put_through(cli_output *output, const char *data, size_t size,
                        bool last)
{
    const char *packed;
    size_t count;
    if (output->packer == NULL) {
        return cli_write_all(output->file, data, size);
    }
    cli_packer_add(output->packer, data, size, last);
    while ((count = cli_packer_take(output->packer, &packed)) > 0) {
        if (!cli_write_all(output->file, packed, count)) {
            return false;
        }
    }
    errno = ENOMEM;
    return !cli_packer_failed(output->packer);
}

static void fail(cli_output *output)
{
    output->failed = true;
    if (!output->silent) {
        cli_say("%s: %s", output->name, strerror(errno));
    }
}

static void write_out(cli_output *output, const char *data, size_t size)
{
    if (output->silent && size > 0) {
        cli_end_open_line();
    }
    if (!output->failed && !put_through(output, data, size, false)) {
        fail(output);
    }
}

bool cli_output_flush(cli_output *output)
{
    write_out(output, output->buffer, output->size);
    output->size = 0;
    return !output->failed;
}

void cli_output_flush_open(cli_output *output)
{
    cli_line_is_open(false);
    cli_output_flush(output);
    cli_line_is_open(true);
}

void cli_output_collect(cli_output *output)
{
    memset(output, 0, sizeof *output);
    output->file = -1;
    output->name = "memory";
    output->memory = true;
}

/* Room for |size| more. */
static void grow(cli_output *output, size_t size)
{
    size_t capacity = output->capacity > 0 ? output->capacity : BUFFER_SIZE;
    while (capacity - output->size < size) {
        capacity *= 2;
    }
    char *grown = capacity > output->capacity
                      ? realloc(output->buffer, capacity)
                      : output->buffer;
    if (grown == NULL) {
        cli_say("no memory");
        output->failed = true;
        return;
    }
    output->buffer = grown;
    output->capacity = capacity;
}

void cli_output_pour(cli_output *to, cli_output *from)
{
    to->failed |= from->failed;
    cli_put(to, from->buffer, from->size);
    from->size = 0;
}

void cli_output_drop(cli_output *output)
{
    forget(output);
}

void cli_put(cli_output *output, const void *data, size_t size)
{
    if (output->memory) {
        grow(output, size);
        if (!output->failed && size > 0) {
            memcpy(output->buffer + output->size, data, size);
            output->size += size;
        }
        return;
    }
    if (size > output->capacity - output->size) {
        cli_output_flush(output);
    }
    if (size >= output->capacity) {
        write_out(output, data, size);
    } else if (size > 0) {
        memcpy(output->buffer + output->size, data, size);
        output->size += size;
    }
}

int cli_output_close(cli_output *output, bool keep)
{
    bool fine = cli_output_flush(output);
    if (fine && !put_through(output, "", 0, true)) {
        fail(output);
        fine = false;
    }
    if (close(output->file) != 0 && fine) {
        cli_say("%s: %s", output->name, strerror(errno));
        fine = false;
    }
    if (fine && keep && output->temporary != NULL) {
        if (rename(output->temporary, output->target) == 0) {
            cli_spare(output->temporary);
            free(output->temporary);
            output->temporary = NULL;
        } else {
            cli_say("%s: %s", output->name, strerror(errno));
            fine = false;
        }
    }
    forget(output);
    return fine ? CLI_FINE : CLI_IO;
}
