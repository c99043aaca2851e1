/* SPDX-License-Identifier: MIT
 *
 * A line on stderr, whatever its words hold.  An output says its own failures
 * so: this file knows no outputs.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/files/say.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/io.h"

bool cli_write_all(int file, const char *data, size_t size)
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

/* Stands the cursor of the terminal behind a line of progress? */
static atomic_bool line_is_open;

void cli_line_is_open(bool open)
{
    atomic_store(&line_is_open, open);
}

void cli_end_open_line(void)
{
    if (atomic_exchange(&line_is_open, false)) {
        (void)cli_write_all(STDERR_FILENO, "\n", 1);
    }
}

/* ---- what people are shown ---------------------------------------------- */

static bool within(unsigned char byte, unsigned least, unsigned most)
{
    return byte >= least && byte <= most;
}

size_t cli_code_point(const unsigned char *at, size_t size, bool *whole)
{
    const unsigned lead = at[0];
    const size_t length = lead < 0x80                 ? 1
                          : within(at[0], 0xC2, 0xDF) ? 2
                          : within(at[0], 0xE0, 0xEF) ? 3
                          : within(at[0], 0xF0, 0xF4) ? 4
                                                      : 0;
    unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    size_t got = 1;
    while (got < length && got < size && within(at[got], least, most)) {
        got++;
        least = 0x80;
        most = 0xBF;
    }
    *whole = got == length;
    return got;
}

bool cli_is_command(const unsigned char *at)
{
    return at[0] == 0x7F || (at[0] == 0xC2 && at[1] < 0xA0);
}

size_t cli_shown(const unsigned char *at, size_t size,
                 char shown[CLI_SHOWN_MOST], size_t *length)
{
    static const char hex[] = "0123456789abcdef";
    bool whole;
    *length = cli_code_point(at, size, &whole);
    if (whole && at[0] >= 0x20 && !cli_is_command(at)) {
        memcpy(shown, at, *length);
        return *length;
    }
    for (size_t i = 0; i < *length; i++) {
        const char escaped[] = {'\\', 'x', hex[at[i] >> 4], hex[at[i] & 15]};
        memcpy(shown + i * sizeof escaped, escaped, sizeof escaped);
    }
    return *length * 4;
}

void cli_say(const char *format, ...)
{
    static const char before[] = "toolwire: ";
    char text[8192]; /* a path and more */
    char line[sizeof before + 4 * sizeof text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t size = strlen(text);
    size_t put = sizeof before - 1;
    memcpy(line, before, put);
    for (size_t i = 0, length; i < size; i += length) {
        put += cli_shown((const unsigned char *)text + i, size - i, line + put,
                         &length);
    }
    line[put++] = '\n';
    cli_end_open_line();
    /* If stderr cannot be written, there is nobody to tell. */
    (void)cli_write_all(STDERR_FILENO, line, put);
}

int cli_no_memory(void)
{
    cli_say("no memory");
    return CLI_BAD;
}
