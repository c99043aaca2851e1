/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/io.h"
#include "cli/print.h"

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

/* What a signal must remove: the output, what was rejected, a report; and end:
 * a parser under test.  A handler can reach nothing but globals. */
enum { TEMPORARIES = 3 };
static char *volatile doomed[TEMPORARIES];
static volatile pid_t doomed_group; /* 0: none; written in one piece */

static void remove_doomed(int number)
{
    for (size_t i = 0; i < TEMPORARIES; i++) {
        char *const name = doomed[i];
        if (name != NULL) {
            unlink(name);
        }
    }
    if (doomed_group != 0) {
        kill(-doomed_group, SIGKILL);
    }
    raise(number); /* SA_RESETHAND: now with the default action */
}

/* A signal that someone has set to be ignored stays ignored. */
static void handle_signals(bool remove)
{
    static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT,
                                  SIGPIPE, SIGTERM, SIGXFSZ};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = remove ? remove_doomed : SIG_DFL;
    action.sa_flags = remove ? (int)SA_RESETHAND : 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old;
        if (sigaction(numbers[i], NULL, &old) == 0 &&
            old.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}

static void replace_doomed(const char *old, char *name)
{
    size_t i = 0;
    while (i < TEMPORARIES && doomed[i] != old) {
        i++;
    }
    if (i < TEMPORARIES) {
        doomed[i] = name;
    }
}

static void doom(char *name)
{
    replace_doomed(NULL, name);
    handle_signals(true);
}

static void handle_what_is_left(void)
{
    bool some = doomed_group != 0;
    for (size_t i = 0; i < TEMPORARIES; i++) {
        some |= doomed[i] != NULL;
    }
    handle_signals(some);
}

static void spare(const char *name)
{
    replace_doomed(name, NULL);
    handle_what_is_left();
}

void cli_doom_group(pid_t group)
{
    doomed_group = group;
    handle_what_is_left();
}

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

/* |old| is the file that is there, or NULL. */
static bool open_temporary(cli_output *output, const char *path,
                           const struct stat *old)
{
    /* Behind a symbolic link, so that the link stays one. */
    output->target = old != NULL ? realpath(path, NULL) : strdup(path);
    if (output->target == NULL) {
        return false;
    }
    output->temporary = temporary_name(output->target);
    if (output->temporary == NULL) {
        return false;
    }
    output->file = mkstemp(output->temporary);
    if (output->file < 0) {
        free(output->temporary);
        output->temporary = NULL;
        return false;
    }
    fcntl(output->file, F_SETFD, FD_CLOEXEC); /* no parser's under test */
    doom(output->temporary);
    return set_mode(output->file, old);
}

/* ---- open, write, close ------------------------------------------------- */

static void forget(cli_output *output)
{
    if (output->temporary != NULL) {
        unlink(output->temporary);
        spare(output->temporary);
    }
    free(output->temporary);
    free(output->target);
    free(output->buffer);
    output->temporary = output->target = output->buffer = NULL;
}

static bool open_path(cli_output *output, const char *path)
{
    struct stat old;
    if (path == NULL || strcmp(path, "-") == 0) {
        output->file = STDOUT_FILENO;
        output->name = "standard output";
        return true;
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

static bool write_all(int file, const char *data, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(file, data, size);
        if (written >= 0) {
            data += written;
            size -= (size_t)written;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            /* Someone at the other end of our stdout made it non-blocking. */
            struct pollfd wait = {file, POLLOUT, 0};
            (void)poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

static void write_out(cli_output *output, const char *data, size_t size)
{
    if (!output->failed && !write_all(output->file, data, size)) {
        output->failed = true;
        if (!output->silent) {
            cli_say("%s: %s", output->name, strerror(errno));
        }
    }
}

bool cli_output_flush(cli_output *output)
{
    write_out(output, output->buffer, output->size);
    output->size = 0;
    return !output->failed;
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
    if (close(output->file) != 0 && fine) {
        cli_say("%s: %s", output->name, strerror(errno));
        fine = false;
    }
    if (fine && keep && output->temporary != NULL) {
        if (rename(output->temporary, output->target) == 0) {
            spare(output->temporary);
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
