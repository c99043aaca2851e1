/* SPDX-License-Identifier: MIT
 *
 * Wire text to conversations: a family's reader cuts turns, the decoder reads
 * those of the assistant, and results find their calls.
 */
#include "transcript.h"

#include <string.h>

void tw_transcript_init(tw_transcript *transcript, const tw_format *format,
                        const tw_memory *memory)
{
    memset(transcript, 0, sizeof *transcript);
    transcript->format = format;
    transcript->memory = transcript->json_out.memory = memory;
    tw_reader_init(&transcript->reader, memory);
    tw_answers_init(&transcript->answers, memory);
    tw_tree_init(&transcript->message, memory);
}

void tw_transcript_free(tw_transcript *transcript)
{
    tw_reader_free(&transcript->reader);
    tw_answers_free(&transcript->answers);
    tw_tree_free(&transcript->message);
    tw_buffer_free(&transcript->json_out.out, transcript->memory);
}

static const char *text_at(const tw_transcript *transcript, size_t begin)
{
    const tw_buffer *text = &transcript->reader.text;
    return text->size > 0 ? (const char *)text->data + begin : "";
}

static void jot_text(tw_transcript *transcript, const char *role,
                     const tw_turn *turn)
{
    tw_json_out *json_out = &transcript->json_out;
    tw_json_put(json_out, "{\"role\":\"");
    tw_json_put(json_out, role);
    if (turn->name_size > 0) {
        tw_json_put(json_out, "\",\"name\":");
        tw_json_put_string(json_out, text_at(transcript, turn->name_begin),
                           turn->name_size);
        tw_json_put(json_out, ",\"content\":");
    } else {
        tw_json_put(json_out, "\",\"content\":");
    }
    tw_json_put_string(json_out, text_at(transcript, turn->begin), turn->size);
    tw_json_put(json_out, "}");
}

/* The assistant's last one, or NULL. */
static const tw_value *last_message(tw_transcript *transcript)
{
    tw_json_out *json_out = &transcript->json_out;
    tw_tree *tree = &transcript->message;
    if (transcript->size == 0 || json_out->failed) {
        return NULL;
    }
    const char *text = (const char *)json_out->out.data + transcript->begin;
    json_out->failed |=
        tw_tree_read(tree, text, transcript->size, false) != TW_OK;
    return json_out->failed ? NULL : tree->root;
}

/* The first result behind a message: its calls. */
static void index_calls(tw_transcript *transcript)
{
    const tw_value *calls =
        tw_value_member(last_message(transcript), "tool_calls");
    const tw_value *call = calls != NULL ? calls->first : NULL;
    tw_answers *answers = &transcript->answers;
    bool good = true;
    tw_answers_reset(answers);
    for (; call != NULL && good; call = call->next) {
        const tw_value *function = tw_value_member(call, "function");
        const tw_value *name = tw_value_member(
            function != NULL ? function : tw_value_member(call, "custom"),
            "name");
        good = tw_answers_add(answers, name != NULL ? name->text : NULL,
                              name != NULL ? name->size : 0);
    }
    if (!good || !tw_answers_begin(answers)) {
        transcript->json_out.failed = true;
    }
}

/* The first of some results.  However often these come behind one message, it
 * is read once. */
static void begin_results(tw_transcript *transcript)
{
    if (transcript->indexed) {
        tw_answers_again(&transcript->answers);
    } else {
        transcript->indexed = true;
        index_calls(transcript);
    }
}

/* The number of the call that the result answers: of its function the next
 * one, else by its place behind the calls. */
static size_t answered(tw_transcript *transcript, const tw_turn *turn)
{
    if (transcript->place == 0) {
        begin_results(transcript);
    }
    return turn->name_size == 0 || transcript->json_out.failed
               ? transcript->place
               : tw_answers_next(&transcript->answers,
                                 text_at(transcript, turn->name_begin),
                                 turn->name_size, transcript->place);
}

static void jot_result(tw_transcript *transcript, const tw_turn *turn)
{
    tw_json_out *json_out = &transcript->json_out;
    tw_json_put(json_out, "{\"role\":\"tool\",\"tool_call_id\":\"call_");
    tw_json_put_number(json_out, answered(transcript, turn));
    tw_json_put(json_out, "\",\"content\":");
    tw_json_put_string(json_out, text_at(transcript, turn->begin), turn->size);
    tw_json_put(json_out, "}");
}

static int jot_turn(tw_transcript *transcript, const tw_turn *turn,
                    tw_message_reader *read, void *context)
{
    const char *line;
    size_t size;
    int result = TW_OK;
    switch (turn->kind) {
    case TW_TURN_SYSTEM: jot_text(transcript, "system", turn); break;
    case TW_TURN_USER: jot_text(transcript, "user", turn); break;
    case TW_TURN_RESULT: jot_result(transcript, turn); break;
    default:
        result =
            read(context, (uint64_t)(turn->source - transcript->text),
                 text_at(transcript, turn->begin), turn->size, &line, &size);
        if (result == TW_OK) {
            tw_json_out *json_out = &transcript->json_out;
            transcript->indexed = false;
            transcript->begin = json_out->out.size;
            tw_json_put_text(json_out, line, size);
            tw_json_put(json_out, "}");
            transcript->size = json_out->out.size - transcript->begin;
        }
        break;
    }
    return result;
}

int tw_transcript_read(tw_transcript *transcript, const char *text,
                       size_t size, tw_message_reader *read, void *context)
{
    tw_transcript_reader *reader = &transcript->reader;
    tw_json_out *json_out = &transcript->json_out;
    const tw_family *family = transcript->format->family;
    tw_reader_reset(reader);
    json_out->out.size = 0;
    json_out->failed = false;
    transcript->size = 0;
    transcript->indexed = false;
    transcript->text = text;
    family->read_transcript(transcript->format, reader, text, size);
    const tw_turn *turns = (const tw_turn *)(const void *)reader->turns.data;
    const size_t count = reader->turns.size / sizeof *turns;
    tw_json_put(json_out, "{\"messages\":[");
    int result = TW_OK;
    for (size_t i = 0; i < count && result == TW_OK; i++) {
        tw_json_put(json_out, i > 0 ? "," : "");
        transcript->place = i > 0 && turns[i].kind == TW_TURN_RESULT &&
                                    turns[i - 1].kind == TW_TURN_RESULT
                                ? transcript->place + 1
                                : 0;
        result = jot_turn(transcript, &turns[i], read, context);
    }
    tw_json_put(json_out, "]");
    transcript->tools = json_out->out.size;
    if (reader->tools.out.size > 0) {
        tw_json_put(json_out, ",\"tools\":[");
        if (!json_out->failed &&
            !tw_buffer_append(&json_out->out, json_out->memory,
                              reader->tools.out.data,
                              reader->tools.out.size)) {
            json_out->failed = true;
        }
        tw_json_put(json_out, "]");
    }
    tw_json_put(json_out, "}");
    if (result == TW_OK &&
        (reader->failed || reader->tools.failed || json_out->failed)) {
        result = TW_ERROR_MEMORY;
    }
    return result;
}
