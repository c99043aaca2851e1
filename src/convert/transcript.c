/* SPDX-License-Identifier: MIT
 *
 * Wire text to conversations: a family's reader cuts turns, the decoder reads
 * those of the assistant, and results find their calls.
 */
#include "convert/transcript.h"

#include <string.h>

void tw_transcript_init(tw_transcript *transcript, const tw_format *format,
                        tw_recoder *recoder, const tw_memory *memory)
{
    memset(transcript, 0, sizeof *transcript);
    transcript->format = format;
    transcript->recoder = recoder;
    transcript->memory = memory;
    tw_reader_init(&transcript->reader, memory);
    tw_answers_init(&transcript->answers, memory);
}

void tw_transcript_free(tw_transcript *transcript)
{
    tw_reader_free(&transcript->reader);
    tw_answers_free(&transcript->answers);
    tw_buffer_free(&transcript->ids, transcript->memory);
}

static void make_text(const tw_transcript *transcript, tw_value *message,
                      const char *key, size_t begin, size_t size)
{
    const tw_buffer *text = &transcript->reader.text;
    tw_make_any(&transcript->recoder->made, message, key,
                text->size > 0 ? (const char *)text->data + begin : "", size);
}

static void read_text(const tw_transcript *transcript, const char *role,
                      const tw_turn *turn)
{
    tw_value *message = tw_read_message(transcript->recoder, role, NULL);
    if (turn->name_size > 0) {
        make_text(transcript, message, "name", turn->name_begin,
                  turn->name_size);
    }
    make_text(transcript, message, "content", turn->begin, turn->size);
}

/* ---- results ------------------------------------------------------------ */

/* However often results come behind one message, its calls are sorted
 * once. */
static void index_calls(tw_transcript *transcript)
{
    const tw_value *call =
        transcript->calls != NULL ? transcript->calls->first : NULL;
    tw_answers *answers = &transcript->answers;
    bool good = true;
    tw_answers_reset(answers);
    transcript->ids.size = 0;
    for (; call != NULL && good; call = call->next) {
        const tw_value *function = tw_value_member(call, "function");
        const tw_value *name = tw_value_member(
            function != NULL ? function : tw_value_member(call, "custom"),
            "name");
        const tw_value *id = tw_value_member(call, "id");
        good = tw_answers_add(answers, name != NULL ? name->text : NULL,
                              name != NULL ? name->size : 0) &&
               tw_buffer_append(&transcript->ids, transcript->memory, &id,
                                sizeof id);
    }
    transcript->failed |= !good || !tw_answers_begin(answers);
}

/* The id of the call of its function that the result answers; NULL: the call
 * is found later, as for all results without ids. */
static const tw_value *answered(tw_transcript *transcript, const tw_turn *turn)
{
    const char *text = (const char *)transcript->reader.text.data;
    const size_t number =
        turn->name_size > 0 && !transcript->failed
            ? tw_answers_next(&transcript->answers, text + turn->name_begin,
                              turn->name_size, SIZE_MAX)
            : SIZE_MAX;
    return number != SIZE_MAX ? ((const tw_value *const *)(const void *)
                                     transcript->ids.data)[number]
                              : NULL;
}

/* What the JSON string means whose inside the turn is; false: it is none. */
static bool make_quoted(tw_transcript *transcript, tw_value *message,
                        const tw_turn *turn)
{
    const char *text = (const char *)transcript->reader.text.data;
    tw_json_out string = {.memory = transcript->memory};
    tw_tree tree;
    tw_tree_init(&tree, transcript->memory);
    tw_json_put(&string, "\"");
    tw_json_put_text(&string, text + turn->begin, turn->size);
    tw_json_put(&string, "\"");
    const int result = string.failed
                           ? TW_ERROR_MEMORY
                           : tw_tree_read(&tree, (const char *)string.out.data,
                                          string.out.size, false);
    if (result == TW_OK) {
        tw_make_any(&transcript->recoder->made, message, "content",
                    tree.root->text, tree.root->size);
    }
    transcript->failed |= result == TW_ERROR_MEMORY;
    tw_tree_free(&tree);
    tw_buffer_free(&string.out, transcript->memory);
    return result == TW_OK;
}

static void read_result(tw_transcript *transcript, const tw_turn *turn,
                        bool first)
{
    tw_recoder *recoder = transcript->recoder;
    if (!transcript->indexed) {
        transcript->indexed = true;
        index_calls(transcript);
    } else if (first) {
        tw_answers_again(&transcript->answers);
    }
    tw_value *message = tw_read_message(recoder, "tool", NULL);
    const tw_value *id = answered(transcript, turn);
    if (id != NULL) {
        tw_read_member(recoder, message, "tool_call_id", id);
    }
    if (transcript->turns == NULL || !transcript->turns->quoted ||
        !make_quoted(transcript, message, turn)) {
        make_text(transcript, message, "content", turn->begin, turn->size);
    }
}

/* ---- turns -------------------------------------------------------------- */

static int read_turn(tw_transcript *transcript, const tw_turn *turn,
                     bool first, tw_message_reader *read, void *context)
{
    const char *text = (const char *)transcript->reader.text.data;
    int result = TW_OK;
    switch (turn->kind) {
    case TW_TURN_SYSTEM: read_text(transcript, "system", turn); break;
    case TW_TURN_USER: read_text(transcript, "user", turn); break;
    case TW_TURN_RESULT: read_result(transcript, turn, first); break;
    default:
        result = read(context, (uint64_t)(turn->source - transcript->text),
                      text != NULL ? text + turn->begin : "", turn->size);
        transcript->indexed = false;
        transcript->calls =
            result == TW_OK
                ? tw_value_member(transcript->recoder->messages->last,
                                  "tool_calls")
                : NULL;
        break;
    }
    return result;
}

/* The tools are JSON text of the format's making. */
static int read_tools(const tw_transcript *transcript)
{
    tw_recoder *recoder = transcript->recoder;
    const tw_buffer *tools = &transcript->reader.tools.out;
    tw_json_out list = {.memory = transcript->memory};
    tw_json_put(&list, "[");
    tw_json_put_text(&list, (const char *)tools->data, tools->size);
    tw_json_put(&list, "]");
    const int result =
        list.failed
            ? TW_ERROR_MEMORY
            : tw_tree_read_more(&recoder->texts, (const char *)list.out.data,
                                list.out.size);
    if (result == TW_OK) {
        tw_read_member(recoder, recoder->request, "tools",
                       recoder->texts.root);
    }
    tw_buffer_free(&list.out, transcript->memory);
    return result;
}

int tw_transcript_read(tw_transcript *transcript, const char *text,
                       size_t size, tw_message_reader *read, void *context)
{
    tw_transcript_reader *reader = &transcript->reader;
    tw_reader_reset(reader);
    transcript->calls = NULL;
    transcript->indexed = transcript->failed = false;
    transcript->text = text;
    if (transcript->turns != NULL) {
        tw_turns_cut(transcript->turns, reader, text, size);
    } else {
        transcript->format->family->read_transcript(transcript->format, reader,
                                                    text, size);
    }
    const tw_turn *turns = (const tw_turn *)(const void *)reader->turns.data;
    const size_t count = reader->turns.size / sizeof *turns;
    int result = TW_OK;
    for (size_t i = 0; i < count && result == TW_OK; i++) {
        const bool first = i == 0 || turns[i - 1].kind != TW_TURN_RESULT;
        result = read_turn(transcript, &turns[i], first, read, context);
    }
    if (result == TW_OK &&
        (reader->failed || reader->tools.failed || transcript->failed)) {
        result = TW_ERROR_MEMORY;
    }
    if (result == TW_OK && reader->tools.out.size > 0) {
        result = read_tools(transcript);
    }
    return result;
}
