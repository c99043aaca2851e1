/* SPDX-License-Identifier: MIT
 *
 * Text, numbers and JSON into an output's buffer; columns on stderr are
 * counted in characters.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/print.h"

void cli_put_text(cli_output *output, const char *text)
{
    cli_put(output, text, strlen(text));
}

void cli_put_list(cli_output *output, const char *const *texts)
{
    for (; *texts != NULL; texts++) {
        cli_put_text(output, *texts);
    }
}

void cli_put_number(cli_output *output, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    cli_put(output, digits + at, sizeof digits - at);
}

void cli_put_column(cli_output *output, const char *text, size_t width)
{
    cli_put_text(output, text);
    for (size_t i = strlen(text); i < width; i++) {
        cli_put_text(output, " ");
    }
}

/* ---- JSON --------------------------------------------------------------- */

static void put_escape(cli_output *output, unsigned char byte)
{
    static const char names[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    static const char hex[] = "0123456789abcdef";
    char text[] = "\\u0000";
    for (size_t i = 0; i < sizeof names - 1; i += 2) {
        if ((unsigned char)names[i] == byte) {
            text[1] = names[i + 1];
            cli_put(output, text, 2);
            return;
        }
    }
    text[4] = hex[byte >> 4];
    text[5] = hex[byte & 15];
    cli_put(output, text, 6);
}

/* Are the eight bytes at |at| plain?  A byte that is not sets its high bit. */
static bool are_plain(const unsigned char *at)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    const uint64_t quote = (bytes ^ ones * '"') - ones;
    const uint64_t slash = (bytes ^ ones * '\\') - ones;
    const uint64_t control = (bytes - ones * 0x20) | (bytes + ones);
    return ((bytes | quote | slash | control) & ones * 0x80) == 0;
}

/* Behind the ASCII at |i| that stands in JSON's strings, and in a terminal, as
 * it is. */
static size_t behind_plain(const unsigned char *at, size_t i, size_t size)
{
    while (i + 8 <= size && are_plain(at + i)) {
        i += 8;
    }
    while (i < size && at[i] >= 0x20 && at[i] < 0x7F && at[i] != '"' &&
           at[i] != '\\') {
        i++;
    }
    return i;
}

static void put_json(cli_output *output, const char *data, size_t size,
                     bool shown)
{
    const unsigned char *at = (const unsigned char *)data;
    size_t done = 0;
    cli_put_text(output, "\"");
    for (size_t i = behind_plain(at, 0, size), length; i < size;
         i = behind_plain(at, i + length, size)) {
        bool whole;
        length = cli_code_point(at + i, size - i, &whole);
        const bool command = whole && shown && cli_is_command(at + i);
        if (whole && !command && at[i] >= 0x20 && at[i] != '"' &&
            at[i] != '\\') {
            continue;
        }
        cli_put(output, at + done, i - done);
        done = i + length;
        if (whole) {
            put_escape(output, at[i + length - 1]); /* of C1 its number */
        } else {
            cli_put_text(output, "\xEF\xBF\xBD");
        }
    }
    if (done < size) {
        cli_put(output, at + done, size - done);
    }
    cli_put_text(output, "\"");
}

void cli_put_json(cli_output *output, const char *data, size_t size)
{
    put_json(output, data, size, false);
}

void cli_put_shown_json(cli_output *output, const char *data, size_t size)
{
    put_json(output, data, size, true);
}

void cli_put_string(cli_output *output, const char *text)
{
    cli_put_json(output, text, strlen(text));
}

/* ---- stderr ------------------------------------------------------------- */

/* If stderr cannot be written, there is nobody to tell. */
cli_output cli_standard_error(char *buffer, size_t size)
{
    const cli_output output = {.file = STDERR_FILENO,
                               .name = "standard error",
                               .buffer = buffer,
                               .capacity = size,
                               .silent = true};
    return output;
}

void cli_put_shown(cli_output *output, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    const size_t size = strlen(text);
    for (size_t i = 0, length; i < size; i += length) {
        char shown[CLI_SHOWN_MOST];
        cli_put(output, shown, cli_shown(at + i, size - i, shown, &length));
    }
}

/* See no-color.org: set and not empty means none. */
bool cli_has_colours(int file)
{
    const char *none = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return (none == NULL || *none == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0 && isatty(file) != 0;
}

void cli_put_at(cli_output *output, const char *file, uint64_t line,
                uint64_t offset, const char *code, const char *detail,
                const char *text)
{
    cli_put_shown(output, file);
    cli_put_text(output, ":");
    cli_put_number(output, line);
    cli_put_text(output, ": ");
    cli_put_number(output, offset);
    cli_put_text(output, ": ");
    const bool bold = cli_has_colours(STDERR_FILENO);
    cli_put_texts(output, bold ? "\033[1;33m" : "", code,
                  bold ? "\033[0m: " : ": ");
    if (detail != NULL && detail[0] != '\0') {
        cli_put_shown(output, detail);
        cli_put_text(output, ": ");
    }
    cli_put_shown(output, text);
    cli_put_text(output, "\n");
}
