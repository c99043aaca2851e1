/* SPDX-License-Identifier: MIT
 *
 * Hermes, one call whose body is made of tags: Qwen3-Coder and GLM models
 * write them into <tool_call>.  They are read as those formats are (framed.md
 * D13), by the naive decoder of descriptions.
 */
#include "naive_frame.h"
#include "naive_hermes.h"

#include <stdlib.h>
#include <string.h>

static const char description[] =
    "{\"format\":1,\"call\":\"<tool_call>\\n{object}\\n</tool_call>\","
    "\"loose\":{\"call\":["
    "\"<tool_call>\\n<function={name}>\\n{arguments}</function>\\n"
    "</tool_call>\",\"<tool_call>{name}\\n{arguments}</tool_call>\"],"
    "\"argument\":[\"<parameter={key}>\\n{value}\\n</parameter>\\n\","
    "\"<arg_key>{key}</arg_key>\\n<arg_value>{value}</arg_value>\\n\"]},"
    "\"stops\":[\"<|im_end|>\",\"<|endoftext|>\",\"<|eot_id|>\"],"
    "\"tokens\":[\"<|im_end|>\",\"<|endoftext|>\",\"<|eot_id|>\"]}";

static const char *reason_of(const char *reason, bool is_named)
{
    if (strcmp(reason, "no_name") == 0 && is_named)
        return "limit_name";
    return strcmp(reason, "junk_in_call") == 0 ? "syntax_error" : reason;
}

static bool is_declared(const naive_options *options, const char *name,
                        size_t size)
{
    for (size_t i = 0; i < options->tool_count; i++)
        if (strlen(options->tools[i]) == size &&
            memcmp(options->tools[i], name, size) == 0)
            return true;
    return !options->has_tools;
}

/* What was read of the call is the message's. */
static void take_over(hermes_decoder *decoder, naive_message *read,
                      size_t start, bool is_named)
{
    naive_message *message = decoder->message;

    for (size_t i = 0; i < read->call_count; i++)
        *naive_call_add(message) = read->calls[i];
    read->call_count = 0;
    for (size_t i = 0; i < read->diagnostic_count; i++) {
        const char *code = reason_of(read->diagnostics[i].code, is_named);

        naive_diagnose(message, code,
                       strcmp(code, "limit_name") == 0 ||
                               strcmp(code, "no_name") == 0
                           ? start
                           : read->diagnostics[i].offset);
        if (strcmp(code, "missing_call_close") == 0)
            decoder->unclosed = true;
    }
    for (size_t i = 0; i < read->unparsed_count; i++) {
        naive_unparsed *bad = &read->unparsed[i];
        const char *reason = reason_of(bad->reason, is_named);

        hermes_unparsed(decoder, bad->offset, bad->offset + bad->size, reason,
                        strcmp(reason, "limit_name") ? &bad->name : NULL);
    }
    message->begun = read->begun;
}

bool hermes_opens_parameter(const hermes_decoder *decoder, size_t at)
{
    frame_description format;
    const char *error;
    const frame_options options = {.length = true};
    const frame_pattern *which;
    frame_match match;
    bool opens;

    if (!frame_load(description, strlen(description), &format, &error))
        abort();
    const frame_reader reader = {.format = &format,
                                 .options = &options,
                                 .text = decoder->text,
                                 .size = decoder->limit};
    frame_match_parameter(&reader, at, &which, &match);
    opens = match.answer == FRAME_YES;
    frame_match_release(&match);
    frame_release(&format);
    return opens;
}

size_t hermes_read_tags(hermes_decoder *decoder, size_t start, size_t kind,
                        const char *name, size_t name_size, size_t at)
{
    frame_description format;
    const char *error;
    const frame_options options = {.length = decoder->options->length};
    naive_message read = {.begun = decoder->message->begun};
    frame_reader reader = {.format = &format,
                           .options = &options,
                           .message = &read,
                           .text = decoder->text,
                           .size = decoder->limit,
                           .at = at};

    if (!frame_load(description, strlen(description), &format, &error))
        abort();
    frame_head head = {.answer = FRAME_YES,
                       .call = &format.call.items[1 + kind],
                       .begin = start,
                       .body = at};
    reader.call = head.call;
    naive_add(&head.match.holes[HOLE_NAME], name, name_size);
    naive_diagnose(decoder->message,
                   kind == 0 ? "qwen3_coder_body" : "glm_body", start);
    if (name_size <= FRAME_NAME &&
        !is_declared(decoder->options, name, name_size))
        naive_diagnose(decoder->message, "undeclared_tool", start);
    frame_read_tagged(&reader, &head, start);
    take_over(decoder, &read, start, name_size > 0);
    frame_head_release(&head);
    naive_message_release(&read);
    frame_release(&format);
    return reader.at;
}
