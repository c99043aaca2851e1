/* SPDX-License-Identifier: MIT
 *
 * The line is written a few times a second, on a terminal alone.
 */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/foreign.h"
#include "cli/files/paths.h"
#include "cli/files/print.h"
#include "cli/records/progress.h"

/* A line at least so many milliseconds behind the last one; at the end also if
 * there were so many records. */
enum { PAUSE = 200, MANY = 10000 };

/* Is the regular file |file| compressed from |at| on? */
static bool is_packed(int file, off_t at)
{
    char first[16];
    const cli_foreign *found = NULL;
    const ssize_t got = pread(file, first, sizeof first, at);
    return got > 0 &&
           cli_foreign_look(first, (size_t)got, true, false, &found) &&
           found != NULL && found->packing != CLI_PLAIN;
}

/* How many bytes |file| is of; false: nobody knows. */
static bool add_file(uint64_t *total, int file)
{
    struct stat its;
    if (fstat(file, &its) != 0 || !S_ISREG(its.st_mode)) {
        return false;
    }
    const off_t at = lseek(file, 0, SEEK_CUR);
    *total += at < its.st_size ? (uint64_t)(its.st_size - at) : 0;
    return !is_packed(file, at);
}

/* Adds how many bytes are to be read; false: nobody knows.  No pipe is
 * opened: its writer would see a reader come and go. */
static bool add_size(uint64_t *total, const char *path)
{
    struct stat its;
    if (cli_path_is_standard(path)) {
        return add_file(total, STDIN_FILENO);
    }
    if (stat(path, &its) != 0 || !S_ISREG(its.st_mode)) {
        return false;
    }
    const int file = open(path, O_RDONLY);
    const bool known = file >= 0 && add_file(total, file);
    if (file >= 0) {
        close(file);
    }
    return known;
}

void cli_progress_begin(cli_progress *progress, const cli_options *options)
{
    memset(progress, 0, sizeof *progress);
    progress->on =
        isatty(STDERR_FILENO) == 1 &&
        (!cli_path_is_standard(options->output) || isatty(STDOUT_FILENO) != 1);
    if (!progress->on) {
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &progress->begun);
    progress->last = progress->begun;
    bool known = true;
    const int count = options->operand_count;
    for (int i = 0; i < (count > 0 ? count : 1); i++) {
        known &= add_size(&progress->total,
                          count > 0 ? options->operands[i] : NULL);
    }
    progress->total = known ? progress->total : 0;
}

static uint64_t milliseconds(const struct timespec *from,
                             const struct timespec *to)
{
    return (uint64_t)((to->tv_sec - from->tv_sec) * 1000 +
                      (to->tv_nsec - from->tv_nsec) / 1000000);
}

static void put(cli_output *line, const char *before, uint64_t number,
                const char *behind)
{
    cli_put_text(line, before);
    cli_put_number(line, number);
    cli_put_text(line, behind);
}

static void put_digits(cli_output *line, uint64_t number)
{
    const char digits[] = {(char)('0' + number / 10 % 10),
                           (char)('0' + number % 10), '\0'};
    cli_put_text(line, digits);
}

/* Hours if there are any, minutes and seconds. */
static void put_time(cli_output *line, uint64_t seconds)
{
    const uint64_t hours = seconds / 3600;
    const uint64_t minutes = seconds / 60 % 60;
    cli_put_text(line, ", ");
    cli_put_number(line, hours > 0 ? hours : minutes);
    if (hours > 0) {
        cli_put_text(line, ":");
        put_digits(line, minutes);
    }
    cli_put_text(line, ":");
    put_digits(line, seconds % 60);
}

/* How much of the bytes was read, and how long the others take if they take as
 * long as these. */
static void put_share(cli_output *line, const cli_progress *progress,
                      uint64_t spent)
{
    const uint64_t total = progress->total;
    const uint64_t done = progress->done < total ? progress->done : total;
    put(line, ", ", done * 100 / total, " %");
    if (!progress->ended && done > 0) {
        put_time(line, (uint64_t)((double)spent * (double)(total - done) /
                                  (double)done / 1000));
        cli_put_text(line, " left");
    }
}

static void show(cli_progress *progress, const struct timespec *now)
{
    char buffer[256];
    cli_output line = cli_standard_error(buffer, sizeof buffer);
    const uint64_t spent = milliseconds(&progress->begun, now);
    put(&line, "\r", progress->records, " records");
    put(&line, ", ", progress->records * 1000 / (spent > 0 ? spent : 1),
        " a second");
    if (progress->total > 0) {
        put_share(&line, progress, spent);
    }
    if (progress->ended) {
        put_time(&line, spent / 1000);
    }
    const size_t width = line.size;
    for (size_t i = width; i < progress->width; i++) {
        cli_put_text(&line, " ");
    }
    progress->width = width;
    progress->last = *now;
    progress->shown = true;
    cli_output_flush_open(&line);
}

void cli_progress_add(cli_progress *progress, uint64_t records, uint64_t bytes)
{
    struct timespec now;
    progress->records += records;
    progress->done += bytes;
    if (!progress->on) {
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (milliseconds(&progress->last, &now) >= PAUSE) {
        show(progress, &now);
    }
}

void cli_progress_end(cli_progress *progress, bool whole)
{
    struct timespec now;
    progress->ended = true;
    progress->done = whole ? progress->total : progress->done;
    if (progress->on && (progress->shown || progress->records >= MANY)) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        show(progress, &now);
        cli_end_open_line();
    }
}
