/* SPDX-License-Identifier: MIT
 *
 * toolwire stream: chunks or events, written while bytes still come.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/records/messages.h"
#include "cli/files/print.h"
#include "cli/options/same_file.h"
#include "cli/records/session.h"
#include "cli/served/repair.h"

enum { READ_SIZE = 64 * 1024 };

typedef struct stream_state {
    const cli_options *options;
    tw_decoder *decoder;
    tw_writer *writer;
    cli_input input;
    cli_output output;
    bool unparsed; /* a block was */
    cli_messages messages;
} stream_state;

/* ---- native events ------------------------------------------------------ */

static const char *type_name(uint32_t type)
{
    switch (type) {
    case TW_EVENT_TEXT: return "text";
    case TW_EVENT_REASONING: return "reasoning";
    case TW_EVENT_CALL_BEGIN: return "call_begin";
    case TW_EVENT_CALL_ARGUMENTS: return "call_arguments";
    case TW_EVENT_CALL_END: return "call_end";
    case TW_EVENT_UNPARSED: return "unparsed";
    case TW_EVENT_DIAGNOSTIC: return "diagnostic";
    case TW_EVENT_FRAMING: return "framing";
    case TW_EVENT_END: return "end";
    default: return "other";
    }
}

/* What |code| means depends on the type. */
static const char *code_name(const tw_event *event)
{
    static const char *const statuses[] = {NULL, "complete", "incomplete",
                                           "malformed"};
    const tw_diagnostic *diagnostic;
    switch (event->type) {
    case TW_EVENT_CALL_END:
        return event->code <= TW_CALL_MALFORMED ? statuses[event->code] : NULL;
    case TW_EVENT_END:
        return event->code == TW_FINISH_LENGTH ? "length" : "stop";
    case TW_EVENT_UNPARSED:
    case TW_EVENT_DIAGNOSTIC:
        diagnostic = tw_diagnostic_get(event->code);
        return diagnostic != NULL ? diagnostic->name : NULL;
    default: return NULL;
    }
}

static void put_flags(cli_output *output, uint32_t flags)
{
    static const struct {
        uint32_t flag;
        const char *name;
    } names[] = {{TW_EVENT_CUSTOM, "custom"},
                 {TW_EVENT_DROPPED, "dropped"},
                 {TW_EVENT_WARNING, "warning"}};
    const char *before = ",\"flags\":[\"";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if ((flags & names[i].flag) != 0) {
            cli_put_texts(output, before, names[i].name);
            before = "\",\"";
        }
    }
    cli_put_text(output, *before == ',' ? "" : "\"]");
}

static void put_event(cli_output *output, const tw_event *event)
{
    const char *code = code_name(event);
    cli_put_texts(output, "{\"type\":\"", type_name(event->type), "\"");
    if (event->index != TW_NO_INDEX) {
        cli_put_text(output, ",\"index\":");
        cli_put_number(output, event->index);
    }
    /* A diagnostic's data are its code's name: once is enough. */
    if (event->data != NULL && event->type != TW_EVENT_DIAGNOSTIC) {
        cli_put_text(output, ",\"data\":");
        cli_put_json(output, event->data, event->size);
    }
    if (code != NULL) {
        cli_put_text(output, ",\"code\":");
        cli_put_string(output, code);
    }
    if (event->id_size > 0) {
        cli_put_text(output, ",\"id\":");
        cli_put_json(output, event->id, event->id_size);
    }
    put_flags(output, event->flags);
    cli_put_text(output, ",\"offset\":");
    cli_put_number(output, event->offset);
    cli_put_text(output, ",\"span\":");
    cli_put_number(output, event->span);
    cli_put_text(output, "}");
}

/* ---- lines -------------------------------------------------------------- */

/* Server-sent events have their ends. */
static void write_lines(stream_state *state)
{
    const char *line;
    size_t size;
    while (tw_writer_take(state->writer, &line, &size) == 1) {
        cli_put(&state->output, line, size);
        cli_put_text(&state->output, state->options->sse ? "" : "\n");
    }
}

static int write_event(stream_state *state, const tw_event *event)
{
    if (state->options->events) {
        cli_put_text(&state->output, state->options->sse ? "data: " : "");
        put_event(&state->output, event);
        cli_put_text(&state->output, state->options->sse ? "\n\n" : "\n");
        return CLI_FINE;
    }
    if (event->type == TW_EVENT_DIAGNOSTIC) {
        cli_messages_diagnostic(&state->messages, state->input.name, 1,
                                event->offset, event->code, event->id);
    }
    if (tw_writer_event(state->writer, event) != TW_OK) {
        return cli_no_memory();
    }
    if (!state->options->join) {
        write_lines(state);
    }
    return CLI_FINE;
}

/* The stream breaks off. */
static void write_error(stream_state *state, const tw_error *error)
{
    if (!state->options->events) {
        (void)tw_writer_fail(state->writer, error);
    }
    write_lines(state);
}

/* Everything that the decoder has goes out, also before an error. */
static int drain(stream_state *state)
{
    const tw_event *event;
    int next;
    int result = CLI_FINE;
    while (result == CLI_FINE &&
           (next = tw_decoder_next(state->decoder, &event)) != 0) {
        if (next < 0) {
            write_error(state, tw_decoder_error(state->decoder));
            cli_output_flush(&state->output);
            cli_messages_error(&state->messages, state->input.name, 1,
                               tw_decoder_error(state->decoder));
            result = CLI_BAD;
        } else {
            state->unparsed |= event->type == TW_EVENT_UNPARSED;
            result = write_event(state, event);
        }
    }
    write_lines(state);
    return cli_output_flush(&state->output) ? result : CLI_IO;
}

/* ---- input -------------------------------------------------------------- */

/* With --chunk exactly so many bytes, else what is there. */
static ptrdiff_t read_some(stream_state *state, char *buffer, size_t size)
{
    size_t there = 0;
    ptrdiff_t got;
    do {
        got = cli_input_read(&state->input, buffer + there, size - there);
        there += got > 0 ? (size_t)got : 0;
    } while (got > 0 && state->options->chunk > 0 && there < size);
    return got < 0 ? got : (ptrdiff_t)there;
}

static int pump(stream_state *state, char *buffer, size_t size)
{
    ptrdiff_t got;
    while ((got = read_some(state, buffer, size)) > 0) {
        /* An error of the feed comes from the drain, behind the events. */
        (void)tw_decoder_feed(state->decoder, buffer, (size_t)got,
                              TW_MARK_UNKNOWN);
        const int result = drain(state);
        if (result != CLI_FINE) {
            return result;
        }
    }
    if (got < 0) {
        return cli_input_code((cli_read)got);
    }
    tw_decoder_finish(state->decoder, state->options->finish);
    const int result = drain(state);
    if (result == CLI_FINE && state->options->sse && state->options->events) {
        cli_put_text(&state->output, "data: [DONE]\n\n");
    }
    return result;
}

static int run(stream_state *state, const char *path)
{
    const size_t chunk = state->options->chunk;
    const size_t size = chunk > 0 ? chunk : READ_SIZE;
    char *buffer = malloc(size);
    if (buffer == NULL) {
        return cli_no_memory();
    }
    int result = cli_input_open(&state->input, path, CLI_INPUT_TEXT, 0);
    if (result == CLI_FINE) {
        cli_messages_init(&state->messages, state->options);
        result = pump(state, buffer, size);
        cli_messages_end(&state->messages);
        cli_input_close(&state->input);
    }
    free(buffer);
    return result;
}

static int make(stream_state *state)
{
    cli_tools tools;
    int result = cli_tools_open(state->options, &tools);
    if (result == CLI_FINE) {
        result = cli_make_stream(state->options, &tools, &state->decoder,
                                 &state->writer);
        cli_tools_close(&tools);
    }
    return result;
}

int cli_stream(const cli_options *options)
{
    stream_state state = {.options = options};
    if (options->from_sse) {
        return cli_repair(options);
    }
    int result = make(&state);
    if (result != CLI_FINE) {
        return result;
    }
    result = cli_output_open(&state.output, options->output);
    if (result == CLI_FINE) {
        result = run(&state, cli_operand(options));
        const bool bad = state.unparsed && result == CLI_FINE;
        const bool keep = result == CLI_FINE &&
                          cli_may_replace(options, bad ? CLI_BAD : result);
        const int closed = cli_output_close(&state.output, keep);
        result = closed > result ? closed : result;
    }
    tw_decoder_free(state.decoder);
    tw_writer_free(state.writer);
    return result == CLI_FINE && state.unparsed ? CLI_BAD : result;
}
