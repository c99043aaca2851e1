/* SPDX-License-Identifier: MIT
 *
 * Files as they come, or record by record, without the byte order mark that
 * some begin with.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/foreign.h"
#include "cli/files/io.h"
#include "cli/files/packed.h"
#include "cli/files/paths.h"
#include "cli/files/print.h"
#include "cli/files/signals.h"

enum { FIRST_CAPACITY = 64 * 1024 };

/* A text that was given where the name of its file is due? */
static bool is_text(const char *path)
{
    return strpbrk(path, "<{[ \n") != NULL;
}

int cli_input_open(cli_input *input, const char *path, cli_input_kind kind,
                   size_t most)
{
    const bool standard = cli_path_is_standard(path);
    memset(input, 0, sizeof *input);
    input->name = standard ? "-" : path;
    input->kind = kind;
    input->most = most;
    input->file = standard ? STDIN_FILENO : open(path, O_RDONLY);
    if (input->file < 0 && errno == EINTR && cli_signals_asked() != 0) {
        return CLI_STOPPED;
    }
    if (input->file < 0) {
        const int fault = errno;
        cli_say("%s: %s%s", input->name, strerror(fault),
                fault != EACCES && is_text(path)
                    ? " (a text comes by standard input: printf '%s' TEXT | "
                      "toolwire ...)"
                    : "");
        return CLI_IO;
    }
    if (standard && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1) {
        cli_say("what is typed is read, up to Ctrl-D; name a FILE, or end a "
                "pipe here, to read that");
    }
    return CLI_FINE;
}

int cli_input_code(cli_read read)
{
    return read == CLI_READ_FAILED    ? CLI_IO
           : read == CLI_READ_REFUSED ? CLI_REFUSED
           : read == CLI_READ_STOPPED ? CLI_STOPPED
                                      : CLI_FINE;
}

void cli_input_close(cli_input *input)
{
    if (input->file > STDIN_FILENO) {
        close(input->file); /* nothing was written: it cannot matter */
    }
    cli_packed_free(input->packed);
    input->packed = NULL;
    free(input->buffer);
    input->buffer = NULL;
}

/* What read(2) gives: as much as is there.  -1 if it fails: so do the two
 * below, and |state| says how.  What was begun of a long line is read. */
static ptrdiff_t read_file(cli_input *input, char *to, size_t size)
{
    for (;;) {
        if (!cli_signals_wait(input->file) && !input->rest) {
            input->state = CLI_READ_STOPPED;
            return -1;
        }
        const ssize_t got = read(input->file, to, size);
        if (got >= 0) {
            return got;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wait = {input->file, POLLIN, 0};
            (void)poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            cli_say("%s: %s", input->name, strerror(errno));
            input->state = CLI_READ_FAILED;
            return -1;
        }
    }
}

/* Records in front of the damage were given, so the line is told. */
static void say_damaged(const cli_input *input)
{
    const bool lines =
        input->kind == CLI_INPUT_RECORDS || input->kind == CLI_INPUT_LINES;
    char rest[80] = "";
    uint64_t at;
    const char *fault = cli_packed_fault(input->packed, &at);
    if (lines) {
        (void)snprintf(rest, sizeof rest,
                       "; line %llu and what follows was not read",
                       (unsigned long long)input->line + 1);
    }
    cli_say("%s: what is compressed is bad at its byte %llu: %s%s",
            input->name, (unsigned long long)at, fault, rest);
}

static ptrdiff_t read_packed(cli_input *input, char *to, size_t size)
{
    for (;;) {
        size_t given;
        size_t room;
        switch (cli_packed_take(input->packed, to, size, &given)) {
        case CLI_UNPACKED_SOME: return (ptrdiff_t)given;
        case CLI_UNPACKED_END: return 0;
        case CLI_UNPACKED_HUNGRY: break;
        default:
            say_damaged(input);
            input->state = CLI_READ_REFUSED;
            return -1;
        }
        char *const bytes = cli_packed_room(input->packed, &room);
        const ptrdiff_t got = read_file(input, bytes, room);
        if (got < 0) {
            return got;
        }
        cli_packed_add(input->packed, (size_t)got);
    }
}

static ptrdiff_t read_some(cli_input *input, char *to, size_t size)
{
    return input->packed != NULL ? read_packed(input, to, size)
                                 : read_file(input, to, size);
}

/* ---- the buffer --------------------------------------------------------- */

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

/* Reads more behind what is there; false: from now on |state| says why. */
static bool fill(cli_input *input, cli_output *output)
{
    ptrdiff_t got = -1;
    if (input->begin > 0) {
        input->end -= input->begin;
        memmove(input->buffer, input->buffer + input->begin, input->end);
        input->solid =
            input->solid > input->begin ? input->solid - input->begin : 0;
        input->begin = 0;
    }
    if ((input->end < input->capacity || grow(input)) &&
        (output == NULL || cli_output_flush(output))) {
        got = read_some(input, input->buffer + input->end,
                        input->capacity - input->end);
    }
    if (got < 0) {
        input->state = input->state != 0 ? input->state : CLI_READ_FAILED;
        return false;
    }
    input->end += (size_t)got;
    input->ended = got == 0;
    return true;
}

static bool refuse(cli_input *input, const cli_foreign *found)
{
    cli_foreign_say(found, input->name);
    input->state = CLI_READ_REFUSED;
    return false;
}

/* From here on the file is unpacked, what was read of it first: that is no
 * more than a reader of packed bytes has room for. */
static bool unpack(cli_input *input, cli_packing packing)
{
    input->packed = cli_packed_new(packing);
    if (input->packed == NULL) {
        cli_no_memory();
        input->state = CLI_READ_FAILED;
        return false;
    }
    size_t room;
    char *const to = cli_packed_room(input->packed, &room);
    memcpy(to, input->buffer, input->end);
    cli_packed_add(input->packed, input->end);
    input->end = 0;
    input->ended = false;
    return true;
}

static bool find_foreign(cli_input *input, cli_output *output,
                         const cli_foreign **found)
{
    while (!cli_foreign_look(input->buffer, input->end, input->ended,
                             input->kind != CLI_INPUT_TEXT, found)) {
        if (!fill(input, output)) {
            return false;
        }
    }
    return true;
}

/* All lines may be one record, which the first one tells: a session's line, or
 * a brace alone and what follows it. */
static bool look_at_line(cli_input *input, cli_output *output)
{
    enum { SHORT = 16 * 1024, BRACE = 2 };
    size_t line = 0; /* without its end, as far as it was looked for */
    bool whole = false;
    while (!whole && !input->ended && line <= input->most) {
        const char *begin = input->buffer + input->begin;
        const size_t there = input->end - input->begin;
        const char *feed =
            there > line ? memchr(begin + line, '\n', there - line) : NULL;
        line = feed != NULL ? (size_t)(feed - begin) : there;
        whole = feed != NULL && (line > BRACE || there >= SHORT);
        if (!whole && !fill(input, output)) {
            return false;
        }
    }
    if (input->end > input->begin &&
        tw_record_is_file(input->shape, input->buffer + input->begin,
                          input->end - input->begin) != 0) {
        input->kind = CLI_INPUT_TEXT;
        if (!whole && input->ended) { /* a line without it is no file */
            input->buffer[input->end++] = '\n';
        }
    }
    return true;
}

/* A byte order mark is passed over. */
static bool look_at_first(cli_input *input, cli_output *output)
{
    const cli_foreign *found;
    if (!find_foreign(input, output, &found)) {
        return false;
    }
    if (found != NULL && cli_packing_known(found->packing) &&
        (!unpack(input, found->packing) ||
         !find_foreign(input, output, &found))) {
        return false;
    }
    input->begun = true;
    if (found != NULL && found->what != NULL) {
        return refuse(input, found);
    }
    input->begin = found != NULL ? found->size : 0;
    return input->shape == NULL || look_at_line(input, output);
}

ptrdiff_t cli_input_read(cli_input *input, char *to, size_t size)
{
    if (!input->begun && !look_at_first(input, NULL)) {
        return input->state;
    }
    const size_t there = input->end - input->begin;
    if (there == 0) {
        const ptrdiff_t got = input->ended ? 0 : read_some(input, to, size);
        return got < 0 ? input->state : got;
    }
    const size_t given = there < size ? there : size;
    memcpy(to, input->buffer + input->begin, given);
    input->begin += given;
    return (ptrdiff_t)given;
}

/* ---- records ------------------------------------------------------------ */

/* Is there anything but blanks from |from| on?  What was found is kept, so
 * that many blank lines are not looked through again for each; so is the end
 * of as many as a record may be long. */
static bool has_more(cli_input *input, cli_output *output, size_t from)
{
    size_t at = input->begin + from;
    if (input->solid > at) {
        return true;
    }
    for (;;) {
        while (at < input->end && cli_is_blank(input->buffer[at])) {
            at++;
        }
        if (at < input->end || input->end - input->begin > input->most) {
            input->solid = at < input->end ? at + 1 : input->end;
            return true;
        }
        if (input->ended) {
            return false;
        }
        at -= input->begin;
        if (!fill(input, output)) {
            return false;
        }
        at += input->begin;
    }
}

/* Is this line, |size| bytes long, the first of blank ones that end a file?
 * Or no more could be read. */
static bool is_end(cli_input *input, cli_output *output, size_t size)
{
    const char *line = input->buffer + input->begin;
    size_t i = 0;
    while (i < size && cli_is_blank(line[i])) {
        i++;
    }
    return input->kind == CLI_INPUT_RECORDS && i == size &&
           !has_more(input, output, size);
}

/* Gives |size| bytes as a record and goes on behind |past| bytes. */
static cli_read give(cli_input *input, size_t size, size_t past,
                     const char **data, size_t *data_size)
{
    input->behind_return =
        past > size && input->buffer[input->begin + size] == '\r';
    *data = size > 0 ? input->buffer + input->begin : "";
    *data_size = size;
    input->begin += past;
    input->scanned = 0;
    input->line++;
    return size > input->most ? CLI_READ_TOO_LONG : CLI_READ_RECORD;
}

/* A line that ends at |size|, with a line feed or at the end of the file. */
static cli_read give_line(cli_input *input, cli_output *output, size_t size,
                          size_t feed, const char **data, size_t *data_size)
{
    const cli_foreign *found =
        input->kind == CLI_INPUT_RECORDS && input->line == 0
            ? cli_foreign_line(input->buffer + input->begin, size)
            : NULL;
    if (found != NULL) {
        refuse(input, found);
        return input->state;
    }
    return is_end(input, output, size)
               ? input->state
               : give(input, size, size + feed, data, data_size);
}

/* Where a line ends, or NULL.  In small steps, so that no line end is looked
 * for far behind the other one, again and again. */
static const char *find_end(const cli_input *input, const char *at,
                            size_t size)
{
    enum { STEP = 256 };
    if (input->kind != CLI_INPUT_LINES) {
        return memchr(at, '\n', size);
    }
    while (size > 0) {
        const size_t step = size < STEP ? size : STEP;
        const char *feed = memchr(at, '\n', step);
        const char *back =
            memchr(at, '\r', feed != NULL ? (size_t)(feed - at) : step);
        if (feed != NULL || back != NULL) {
            return back != NULL ? back : feed;
        }
        at += step;
        size -= step;
    }
    return NULL;
}

/* The line feed of a CRLF: its line was given when the CR came. */
static void skip_feed(cli_input *input)
{
    if (input->behind_return && input->end > input->begin) {
        input->begin += input->buffer[input->begin] == '\n' ? 1 : 0;
        input->behind_return = false;
    }
}

static cli_read next_line(cli_input *input, cli_output *output,
                          const char **data, size_t *size)
{
    for (;;) {
        skip_feed(input);
        const size_t there = input->end - input->begin;
        const char *begin = there > 0 ? input->buffer + input->begin : "";
        const char *end =
            find_end(input, begin + input->scanned, there - input->scanned);
        if (end != NULL) {
            return give_line(input, output, (size_t)(end - begin), 1, data,
                             size);
        }
        input->scanned = there;
        if (input->ended) {
            return there > 0 ? give_line(input, output, there, 0, data, size)
                             : CLI_READ_END;
        }
        if (there > input->most) {
            input->rest = true;
            return give(input, there, there, data, size);
        }
        if (!fill(input, output)) {
            return input->state;
        }
    }
}

static cli_read all_of_it(cli_input *input, const char **data, size_t *size)
{
    while (!input->ended && input->end - input->begin <= input->most) {
        if (!fill(input, NULL)) {
            return input->state;
        }
    }
    const size_t there = input->end - input->begin;
    return give(input, there, there, data, size);
}

uint64_t cli_input_rest(cli_input *input, cli_output *output, cli_output *to)
{
    uint64_t passed = 0;
    while (input->rest) {
        const size_t there = input->end - input->begin;
        const char *begin = there > 0 ? input->buffer + input->begin : "";
        const char *feed = find_end(input, begin, there);
        const size_t size = feed != NULL ? (size_t)(feed - begin) : there;
        if (to != NULL) {
            cli_put(to, begin, size);
        }
        passed += size;
        input->begin += size + (feed != NULL ? 1 : 0);
        input->behind_return = feed != NULL && *feed == '\r';
        input->rest = feed == NULL && !input->ended && fill(input, output);
    }
    return passed;
}

cli_read cli_input_record(cli_input *input, cli_output *output,
                          const char **data, size_t *size)
{
    cli_input_rest(input, output, NULL);
    if (input->state == 0 && cli_signals_asked() != 0) {
        input->state = CLI_READ_STOPPED;
    }
    if (input->state != 0 ||
        (!input->begun && !look_at_first(input, output))) {
        return input->state;
    }
    if (input->kind == CLI_INPUT_TEXT || input->kind == CLI_INPUT_JSON) {
        return input->line > 0 ? CLI_READ_END : all_of_it(input, data, size);
    }
    return next_line(input, output, data, size);
}
