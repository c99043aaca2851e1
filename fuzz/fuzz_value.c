/* SPDX-License-Identifier: MIT
 *
 * Property: a message that a format carries without a report is written, and
 * read back as the same message, byte for byte in every string and number,
 * without a deviation but its own, a key that stands twice, however it is cut
 * (DESIGN E5).
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "message.h"

static void check_cut(tw_decoder *decoder, const char *name,
                      const event_log *whole, const char *text, size_t size,
                      size_t chunk)
{
    const feeding how = {chunk, NULL, 0};
    event_log cut = {0};
    event_log_run(&cut, decoder, text, size, &how, NULL, 0);
    if (!event_log_same(whole, &cut)) {
        fuzz_wrong("a cut changes the events", name, text, size, "", 0);
    }
    event_log_free(&cut);
}

static void check_events(const tw_format *format, const tw_value *message,
                         const char *text, size_t size, size_t chunk)
{
    const char *name = tw_format_name(format);
    const feeding all = {0, NULL, 0};
    event_log log = {0};
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    tw_decoder_set(decoder, TW_OPTION_FRAMING, 1);
    fuzz_start_inside(decoder, format, message, text, size);
    event_log_run(&log, decoder, text, size, &all, NULL, 0);
    const char *wrong = event_log_check(&log, size);
    for (size_t i = 0; i < log.count && wrong == NULL; i++) {
        if (log.events[i].type == TW_EVENT_DIAGNOSTIC &&
            log.events[i].code != TW_DIAGNOSTIC_DUPLICATE_PARAMETER &&
            (log.events[i].flags & TW_EVENT_WARNING) == 0) {
            wrong = "what was written is a deviation";
        }
    }
    if (wrong != NULL) {
        event_log_print(&log);
        fuzz_wrong(wrong, name, text, size, "", 0);
    }
    check_cut(decoder, name, &log, text, size, chunk);
    event_log_free(&log);
    tw_decoder_free(decoder);
}

static void check_back(const tw_format *format, const tw_value *message,
                       const char *text, size_t size)
{
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    const char *line;
    size_t line_size;
    tw_tree tree;
    fuzz_start_inside(decoder, format, message, text, size);
    if (tw_decode_message(decoder, writer, text, size, &line, &line_size) !=
        TW_OK) {
        abort();
    }
    fuzz_parse(&tree, line, line_size);
    if (!fuzz_same_message(message, tree.root)) {
        fuzz_wrong("it is read back as another", tw_format_name(format), text,
                   size, line, line_size);
    }
    tw_tree_free(&tree);
    tw_writer_free(writer);
    tw_decoder_free(decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_choices choices = {data, data + size};
    const tw_memory memory = tw_memory_from(NULL);
    const tw_format *format = fuzz_format(&choices);
    const size_t chunk = 1 + fuzz_choose(&choices, 16);
    tw_json_out json_out = {.memory = &memory};
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    const char *text;
    size_t text_size;
    fuzz_jot_message(&json_out, &choices);
    if (tw_encode_completion(encoder, (const char *)json_out.out.data,
                             json_out.out.size, &text, &text_size) == TW_OK &&
        !fuzz_loses(encoder)) {
        tw_tree tree;
        fuzz_parse(&tree, (const char *)json_out.out.data, json_out.out.size);
        if (!fuzz_has_twins(tree.root)) {
            check_events(format, tree.root, text, text_size, chunk);
            check_back(format, tree.root, text, text_size);
        }
        tw_tree_free(&tree);
    }
    tw_encoder_free(encoder);
    tw_buffer_free(&json_out.out, &memory);
    return 0;
}
