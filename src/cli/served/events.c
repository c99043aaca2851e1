/* SPDX-License-Identifier: MIT
 *
 * What an event of any of three APIs says of the message: its envelope, what
 * the model wrote, why it ended.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/served/served.h"

const char *const served_cut = "the stream ends without a finish_reason";

bool served_is_whole(const char *finish, size_t size)
{
    static const char *const reasons[] = {
        "stop",      "tool_calls", "function_call", "end_turn",
        "completed", "tool_use",   "stop_sequence"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (size == strlen(reasons[i]) &&
            memcmp(finish, reasons[i], size) == 0) {
            return true;
        }
    }
    return false;
}

/* NULL, unless it is one. */
static const tw_value *text_of(const tw_value *of, const char *key)
{
    const tw_value *value = tw_value_member(of, key);
    return tw_value_is_a(value, TW_VALUE_STRING) ? value : NULL;
}

static bool begins(const tw_value *text, const char *word)
{
    const size_t size = strlen(word);
    return text != NULL && text->size >= size &&
           memcmp(text->text, word, size) == 0;
}

tw_shape served_api_of(const tw_value *event)
{
    const tw_value *type = text_of(event, "type");
    if (tw_value_member(event, "choices") != NULL) {
        return TW_SHAPE_CHUNKS;
    }
    return begins(type, "response.")            ? TW_SHAPE_RESPONSES
           : tw_value_is(type, "message_start") ? TW_SHAPE_ANTHROPIC
                                                : (tw_shape)0;
}

static void read_envelope(const tw_value *of, const char *created,
                          served_said *said)
{
    said->id = text_of(of, "id");
    said->model = text_of(of, "model");
    said->created = tw_value_member(of, created);
    said->usage = tw_value_member(of, "usage");
}

/* ---- chat --------------------------------------------------------------- */

/* Reads a chunk, whose choices were looked at when it was read. */
static void read_chunk(const tw_value *event, served_said *said)
{
    const tw_value *choice = tw_value_member(event, "choices")->first;
    const tw_value *delta = tw_value_member(choice, "delta");
    const tw_value *index = tw_value_member(choice, "index");
    read_envelope(event, "created", said);
    if (choice == NULL) {
        return;
    }
    if (choice->next != NULL ||
        (index != NULL && (index->size != 1 || index->text[0] != '0'))) {
        said->wrong = "choices";
        said->why = "this API's stream has one choice: ask for one (n=1), or "
                    "leave chat what it is (--api chat)";
        return;
    }
    said->text = text_of(delta, "content");
    said->reasoning = text_of(delta, "reasoning_content");
    if (said->reasoning == NULL) {
        said->reasoning = text_of(delta, "reasoning");
    }
    said->finish = text_of(choice, "finish_reason");
}

/* ---- Responses ---------------------------------------------------------- */

static void read_end(const tw_value *response, served_said *said)
{
    said->finish =
        text_of(tw_value_member(response, "incomplete_details"), "reason");
    if (said->finish == NULL) {
        said->finish = text_of(response, "status");
    }
    said->ends = true;
}

static void read_response(const tw_value *event, served_said *said)
{
    const tw_value *type = text_of(event, "type");
    const tw_value *response = tw_value_member(event, "response");
    const tw_value *item = text_of(tw_value_member(event, "item"), "type");
    read_envelope(response, "created_at", said);
    if (tw_value_is(type, "response.output_text.delta")) {
        said->text = text_of(event, "delta");
    } else if (tw_value_is(type, "response.reasoning_text.delta") ||
               tw_value_is(type, "response.reasoning_summary_text.delta")) {
        said->reasoning = text_of(event, "delta");
    } else if (tw_value_is(type, "response.output_item.added") &&
               !tw_value_is(item, "message") &&
               !tw_value_is(item, "reasoning")) {
        said->wrong = "item.type";
        said->why = cli_chunks_split;
    } else if (begins(type, "response.refusal.")) {
        said->wrong = "type";
    } else if (tw_value_is(type, "response.completed") ||
               tw_value_is(type, "response.incomplete")) {
        read_end(response, said);
    } else if (tw_value_is(type, "response.failed")) {
        said->failed = true;
        said->error = text_of(tw_value_member(response, "error"), "message");
    }
}

/* ---- Anthropic ---------------------------------------------------------- */

static void read_block(const tw_value *event, served_said *said)
{
    const tw_value *block = tw_value_member(event, "content_block");
    const tw_value *type = text_of(block, "type");
    said->text = text_of(block, "text");
    said->reasoning = text_of(block, "thinking");
    if (!tw_value_is(type, "text") && !tw_value_is(type, "thinking")) {
        said->wrong = "content_block.type";
        said->why =
            tw_value_is(type, "tool_use") ? cli_chunks_split : said->why;
    }
}

/* Signatures and citations are of blocks that are written anew. */
static void read_delta(const tw_value *delta, served_said *said)
{
    said->text = text_of(delta, "text");
    said->reasoning = text_of(delta, "thinking");
    if (text_of(delta, "partial_json") != NULL) {
        said->wrong = "delta.partial_json";
        said->why = cli_chunks_split;
    }
}

static void read_message(const tw_value *event, served_said *said)
{
    const tw_value *type = text_of(event, "type");
    if (tw_value_is(type, "message_start")) {
        read_envelope(tw_value_member(event, "message"), "created", said);
    } else if (tw_value_is(type, "content_block_start")) {
        read_block(event, said);
    } else if (tw_value_is(type, "content_block_delta")) {
        read_delta(tw_value_member(event, "delta"), said);
    } else if (tw_value_is(type, "message_delta")) {
        said->usage = tw_value_member(event, "usage");
        said->finish = text_of(tw_value_member(event, "delta"), "stop_reason");
    } else if (tw_value_is(type, "message_stop")) {
        said->ends = true;
    } else if (tw_value_is(type, "ping")) {
        said->lives = true;
    }
}

void served_read(const tw_value *event, served_said *said)
{
    const tw_value *error = tw_value_member(event, "error");
    memset(said, 0, sizeof *said);
    said->why = "not what a stream of raw text has there";
    if (tw_value_member(event, "choices") != NULL) {
        read_chunk(event, said);
    } else if (begins(text_of(event, "type"), "response.")) {
        read_response(event, said);
    } else if ((error != NULL && error->kind != TW_VALUE_NULL) ||
               tw_value_is(text_of(event, "type"), "error")) {
        said->failed = true;
        said->error = text_of(error != NULL ? error : event, "message");
    } else {
        read_message(event, said);
    }
}
