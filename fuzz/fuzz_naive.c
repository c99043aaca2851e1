/* SPDX-License-Identifier: MIT
 *
 * Property: the library says what the naive decoder of tests/naive says, in
 * content, reasoning, calls, unparsed blocks and diagnostics (but for
 * undeclared_tool, whose offset no rule states).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "support/agree.h"

/* The naive decoder is slow and recursive. */
enum { TEXT_LIMIT = 8192 };

static void forget_undeclared(event_log *log, naive_message *message)
{
    size_t kept = 0;
    for (size_t i = 0; i < log->count; i++) {
        if (log->events[i].type != TW_EVENT_DIAGNOSTIC ||
            log->events[i].code != TW_DIAGNOSTIC_UNDECLARED_TOOL) {
            log->events[kept++] = log->events[i];
        }
    }
    log->count = kept;
    kept = 0;
    for (size_t i = 0; i < message->diagnostic_count; i++) {
        if (strcmp(message->diagnostics[i].code, "undeclared_tool") != 0) {
            message->diagnostics[kept++] = message->diagnostics[i];
        }
    }
    message->diagnostic_count = kept;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;
    if (!fuzz_read(&input, data, size) || input.size > TEXT_LIMIT ||
        input.set->naive == NULL) {
        return 0;
    }
    const bool tools = (input.options & FUZZ_TOOLS) != 0;
    const bool own = input.set->tools != NULL;
    naive_options options = {0};
    options.start_reasoning = input.set->reasoning;
    options.recover_stripped = input.set->stripped;
    options.has_tools = tools;
    options.tools = own ? input.set->tool_names : fuzz_tool_names;
    options.tool_count = !tools ? 0 : own ? input.set->tool_count : 5;
    options.declared = fuzz_declared(input.set);
    tw_decoder *decoder = fuzz_decoder(&input, tools ? FUZZ_TOOLS : 0);
    if (decoder == NULL) {
        return 0;
    }
    const feeding chunks = {input.chunk, NULL, 0};
    event_log log = {0};
    naive_message message = {0};
    event_log_run(&log, decoder, input.text, input.size, &chunks, NULL, 0);
    naive_decode(input.set->naive, &options, input.text, input.size, &message);
    forget_undeclared(&log, &message);
    const char *wrong = disagreement(&log, &message);
    if (wrong != NULL && !message.unsure) {
        fprintf(stderr, "they differ in: %s (%s)\n", wrong,
                tw_format_name(input.set->format));
        event_log_print(&log);
        naive_message_print(&message);
        abort();
    }
    naive_message_release(&message);
    event_log_free(&log);
    tw_decoder_free(decoder);
    return 0;
}
