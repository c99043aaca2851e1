/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/io.h"
#include "cli/paths.h"
#include "cli/print.h"

enum { FIRST_CAPACITY = 64 * 1024 };

int cli_input_open(cli_input *input, const char *path, bool whole, size_t most)
{
    const bool standard = cli_path_is_standard(path);
    memset(input, 0, sizeof *input);
    input->name = standard ? "-" : path;
    input->whole = whole;
    input->most = most;
    input->file = standard ? STDIN_FILENO : open(path, O_RDONLY);
    if (input->file < 0) {
        cli_say("%s: %s", input->name, strerror(errno));
        return CLI_IO;
    }
    return CLI_FINE;
}

void cli_input_close(cli_input *input)
{
    if (input->file > STDIN_FILENO) {
        close(input->file); /* nothing was written: it cannot matter */
    }
    free(input->buffer);
    input->buffer = NULL;
}

ptrdiff_t cli_input_read(cli_input *input, char *to, size_t size)
{
    for (;;) {
        const ssize_t got = read(input->file, to, size);
        if (got >= 0) {
            return got;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wait = {input->file, POLLIN, 0};
            (void)poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            cli_say("%s: %s", input->name, strerror(errno));
            return -1;
        }
    }
}

/* ---- records ------------------------------------------------------------ */

static bool grow(cli_input *input)
{
    const size_t capacity =
        input->capacity > 0 ? input->capacity * 2 : FIRST_CAPACITY;
    char *buffer = realloc(input->buffer, capacity);
    if (buffer == NULL) {
        cli_say("%s: %s", input->name, strerror(errno));
        return false;
    }
    input->buffer = buffer;
    input->capacity = capacity;
    return true;
}

/* Reads more behind what is there. */
static bool fill(cli_input *input, cli_output *output)
{
    if (input->begin > 0) {
        input->end -= input->begin;
        memmove(input->buffer, input->buffer + input->begin, input->end);
        input->begin = 0;
    }
    if (input->end == input->capacity && !grow(input)) {
        return false;
    }
    if (output != NULL && !cli_output_flush(output)) {
        return false;
    }
    const ptrdiff_t got = cli_input_read(input, input->buffer + input->end,
                                         input->capacity - input->end);
    if (got >= 0) {
        input->end += (size_t)got;
        input->ended = got == 0;
    }
    return got >= 0;
}

/* Gives |size| bytes as a record and goes on behind |past| bytes. */
static cli_read give(cli_input *input, size_t size, size_t past,
                     const char **data, size_t *data_size)
{
    const bool too_long = input->skipping || size > input->most;
    *data = size > 0 ? input->buffer + input->begin : "";
    *data_size = size;
    input->begin += past;
    input->scanned = 0;
    input->skipping = false;
    input->line++;
    return too_long ? CLI_READ_TOO_LONG : CLI_READ_RECORD;
}

cli_read cli_input_record(cli_input *input, cli_output *output,
                          const char **data, size_t *size)
{
    if (input->whole && input->line > 0) {
        return CLI_READ_END;
    }
    for (;;) {
        const size_t there = input->end - input->begin;
        const char *begin = there > 0 ? input->buffer + input->begin : "";
        const char *feed = input->whole ? NULL
                                        : memchr(begin + input->scanned, '\n',
                                                 there - input->scanned);
        if (feed != NULL) {
            const size_t length = (size_t)(feed - begin);
            return give(input, length, length + 1, data, size);
        }
        input->scanned = there;
        const bool too_long = there > input->most;
        if (input->whole ? input->ended || too_long
                         : input->ended && (there > 0 || input->skipping)) {
            return give(input, there, there, data, size);
        }
        if (input->ended) {
            return CLI_READ_END;
        }
        if (too_long) {
            input->skipping = true;
            input->begin = input->end = input->scanned = 0;
        }
        if (!fill(input, output)) {
            return CLI_READ_FAILED;
        }
    }
}
