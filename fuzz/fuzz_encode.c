/* SPDX-License-Identifier: MIT
 *
 * Property: nothing in a request forges structure.  However its texts look, a
 * prompt that is not refused reads back with the request's messages in their
 * order, and with its calls; and no marker stands in a segment of data.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "message.h"
#include "support/segments.h"

static bool loses_messages(tw_encoder *encoder)
{
    const tw_error *report;
    for (size_t i = 0; tw_encoder_report(encoder, i, &report) == 1; i++) {
        if (report->detail != TW_LOSS_BROKEN_MARKER) {
            return true;
        }
    }
    return false;
}

static size_t call_count(const tw_value *message)
{
    const tw_value *calls = tw_value_member(message, "tool_calls");
    return calls != NULL && calls->last != NULL ? calls->last->index + 1 : 0;
}

/* The roles of the messages, and how many calls each has. */
static bool same_skeleton(const tw_value *a, const tw_value *b)
{
    const tw_value *x = tw_value_member(a, "messages")->first;
    const tw_value *y = tw_value_member(b, "messages")->first;
    for (; x != NULL && y != NULL; x = x->next, y = y->next) {
        const tw_value *role = tw_value_member(x, "role");
        const tw_value *other = tw_value_member(y, "role");
        if (role->size != other->size ||
            memcmp(role->text, other->text, role->size) != 0 ||
            call_count(x) != call_count(y)) {
            return false;
        }
    }
    return x == NULL && y == NULL;
}

static void check_back(const tw_format *format, const tw_json_out *request,
                       const char *text, size_t size)
{
    const char *name = tw_format_name(format);
    tw_converter *converter = tw_converter_new(name, "openai", NULL);
    const char *json;
    size_t json_size;
    tw_tree before;
    tw_tree after;
    if (tw_decode_transcript(converter, text, size, &json, &json_size) !=
        TW_OK) {
        fuzz_wrong("it is not read back", name, text, size, "", 0);
    }
    fuzz_parse(&before, (const char *)request->out.data, request->out.size);
    fuzz_parse(&after, json, json_size);
    if (!same_skeleton(before.root, after.root)) {
        fuzz_wrong("forged", name, (const char *)request->out.data,
                   request->out.size, text, size);
    }
    tw_tree_free(&before);
    tw_tree_free(&after);
    tw_converter_free(converter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_choices choices = {data, data + size};
    const tw_memory memory = tw_memory_from(NULL);
    const tw_format *format = fuzz_prompt_format(&choices);
    tw_json_out request = {.memory = &memory};
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    const char *text;
    size_t text_size;
    tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT,
                   fuzz_choose(&choices, 2) == 0 ? TW_CONTROL_TEXT_REJECT
                                                 : TW_CONTROL_TEXT_BREAK);
    fuzz_jot_request(&request, &choices);
    const int result = tw_encode(encoder, (const char *)request.out.data,
                                 request.out.size, &text, &text_size);
    if (result == TW_OK) {
        const char *fault =
            segments_fault(encoder, format, text, text_size, false);
        if (fault != NULL) {
            fuzz_wrong(fault, tw_format_name(format), text, text_size, "", 0);
        }
        if (tw_format_reads_transcripts(format) && !loses_messages(encoder)) {
            check_back(format, &request, text, text_size);
        }
    } else if (result != TW_ERROR_TEMPLATE &&
               result != TW_ERROR_CONTROL_TEXT &&
               result != TW_ERROR_CANNOT_CARRY) {
        fuzz_wrong(tw_error_name(result), tw_format_name(format),
                   (const char *)request.out.data, request.out.size, "", 0);
    }
    tw_encoder_free(encoder);
    tw_buffer_free(&request.out, &memory);
    return 0;
}
