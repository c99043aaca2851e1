/* SPDX-License-Identifier: MIT
 *
 * Messages of a record are collected until it is its turn; those of one code
 * are counted, and beyond some only counted.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/records/messages.h"
#include "cli/files/print.h"
#include "cli/records/session.h"

/* Of a line that was collected. */
typedef struct mark {
    int64_t code;
    size_t size;
} mark;

void cli_messages_init(cli_messages *messages, const cli_options *options)
{
    memset(messages, 0, sizeof *messages);
    messages->most = options->show;
    messages->lines =
        cli_standard_error(messages->buffer, sizeof messages->buffer);
}

void cli_messages_collect(cli_messages *messages, const cli_options *options)
{
    memset(messages, 0, sizeof *messages);
    messages->most = options->show;
    messages->collects = true;
    cli_output_collect(&messages->lines);
    cli_output_collect(&messages->marks);
}

void cli_messages_drop(cli_messages *messages)
{
    cli_output_drop(&messages->lines);
    cli_output_drop(&messages->marks);
}

/* ---- counts ------------------------------------------------------------- */

/* Codes behind those that have a row of their own share the last one. */
static cli_code_count *count_of(cli_messages *messages, int64_t code)
{
    size_t i = 0;
    while (i < CLI_CODES - 1 && i < messages->count &&
           messages->counts[i].code != code) {
        i++;
    }
    if (i == messages->count) {
        messages->counts[i] = (cli_code_count){code, 0, 0};
        messages->count++;
    }
    return &messages->counts[i];
}

static const char *name_of(int64_t code)
{
    const tw_diagnostic *diagnostic =
        code > 0 ? tw_diagnostic_get((uint32_t)code) : NULL;
    const char *name = code > 0 ? NULL : tw_error_name((int32_t)code);
    return diagnostic != NULL ? diagnostic->name : name != NULL ? name : "";
}

static void say_enough(cli_messages *messages, int64_t code)
{
    cli_output *lines = &messages->lines;
    cli_put_texts(lines, "toolwire: ", name_of(code), " was shown ");
    cli_put_number(lines, messages->most);
    cli_put_texts(lines, messages->most == 1 ? " time" : " times",
                  ": from here on it is only counted (--show N: N times)\n");
}

/* Counts a line; may it be said? */
static bool admit(cli_messages *messages, int64_t code)
{
    cli_code_count *its = count_of(messages, code);
    its->count++;
    if (its->count == messages->most + 1) {
        /* Of a worker's batch it marks the place; not all may be said. */
        const mark its_mark = {code, 0};
        if (messages->collects) {
            cli_put(&messages->marks, &its_mark, sizeof its_mark);
        } else {
            say_enough(messages, code);
        }
    }
    return its->count <= messages->most;
}

/* ---- lines -------------------------------------------------------------- */

static void end_line(cli_messages *messages, int64_t code, size_t before)
{
    const mark its = {code, messages->lines.size - before};
    if (messages->collects) {
        cli_put(&messages->marks, &its, sizeof its);
    } else {
        cli_output_flush(&messages->lines);
    }
}

void cli_messages_diagnostic(cli_messages *messages, const char *file,
                             uint64_t line, uint64_t offset, uint32_t code,
                             const char *format)
{
    const size_t before = messages->lines.size;
    if (admit(messages, code)) {
        cli_report_to(&messages->lines, file, line, offset, code, format);
        end_line(messages, code, before);
    }
}

void cli_messages_more(cli_messages *messages, uint32_t code, uint64_t count)
{
    count_of(messages, code)->more += count;
}

void cli_messages_error(cli_messages *messages, const char *file,
                        uint64_t line, const tw_error *error)
{
    const size_t before = messages->lines.size;
    if (admit(messages, error->code)) {
        cli_report_error_to(&messages->lines, file, line, error);
        end_line(messages, error->code, before);
    }
}

void cli_messages_pour(cli_messages *to, cli_messages *from)
{
    const char *line = from->lines.buffer;
    const size_t count = from->marks.size / sizeof(mark);
    for (size_t i = 0; i < count; i++) {
        mark its;
        memcpy(&its, from->marks.buffer + i * sizeof its, sizeof its);
        if (admit(to, its.code)) {
            cli_put(&to->lines, line, its.size);
        }
        line += its.size;
    }
    for (size_t i = 0; i < from->count; i++) {
        cli_code_count *its = count_of(to, from->counts[i].code);
        const uint64_t marked = from->most + 1;
        its->more += from->counts[i].more;
        if (from->counts[i].count > marked) {
            its->count += from->counts[i].count - marked;
        }
    }
    from->lines.size = from->marks.size = from->count = 0;
    from->lines.failed = from->marks.failed = false; /* it was said */
    cli_output_flush(&to->lines);
}

void cli_messages_end(cli_messages *messages)
{
    const char *before = "toolwire: in all: ";
    for (size_t i = 0; i < messages->count; i++) {
        const cli_code_count *its = &messages->counts[i];
        if (its->count + its->more > messages->most) {
            cli_put_texts(&messages->lines, before, name_of(its->code), " ");
            cli_put_number(&messages->lines, its->count + its->more);
            before = ", ";
        }
    }
    cli_put_text(&messages->lines, *before == ',' ? "\n" : "");
    cli_output_flush(&messages->lines);
}
