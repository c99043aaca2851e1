/* SPDX-License-Identifier: MIT */
#include "transcript.h"

#include <string.h>

void tw_transcript_init(tw_transcript *transcript, const tw_format *format,
                        const tw_memory *memory)
{
    memset(transcript, 0, sizeof *transcript);
    transcript->format = format;
    transcript->memory = transcript->jotter.memory = memory;
    tw_collect_init(&transcript->collect, memory);
    tw_answers_init(&transcript->answers, memory);
    tw_tree_init(&transcript->message, memory);
}

void tw_transcript_free(tw_transcript *transcript)
{
    tw_collect_free(&transcript->collect);
    tw_answers_free(&transcript->answers);
    tw_tree_free(&transcript->message);
    tw_buffer_free(&transcript->jotter.out, transcript->memory);
}

static const char *text_at(const tw_transcript *transcript, size_t begin)
{
    const tw_buffer *text = &transcript->collect.text;
    return text->size > 0 ? (const char *)text->data + begin : "";
}

static void jot_text(tw_transcript *transcript, const char *role,
                     const tw_turn *turn)
{
    tw_jotter *jotter = &transcript->jotter;
    tw_jot(jotter, "{\"role\":\"");
    tw_jot(jotter, role);
    if (turn->name_size > 0) {
        tw_jot(jotter, "\",\"name\":");
        tw_jot_string(jotter, text_at(transcript, turn->name_begin),
                      turn->name_size);
        tw_jot(jotter, ",\"content\":");
    } else {
        tw_jot(jotter, "\",\"content\":");
    }
    tw_jot_string(jotter, text_at(transcript, turn->begin), turn->size);
    tw_jot(jotter, "}");
}

/* The assistant's last one, or NULL. */
static const tw_value *last_message(tw_transcript *transcript)
{
    tw_jotter *jotter = &transcript->jotter;
    tw_tree *tree = &transcript->message;
    if (transcript->size == 0 || jotter->failed) {
        return NULL;
    }
    const char *text = (const char *)jotter->out.data + transcript->begin;
    jotter->failed |=
        tw_tree_read(tree, text, transcript->size, false) != TW_OK;
    return jotter->failed ? NULL : tree->root;
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
        transcript->jotter.failed = true;
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
    return turn->name_size == 0 || transcript->jotter.failed
               ? transcript->place
               : tw_answers_next(&transcript->answers,
                                 text_at(transcript, turn->name_begin),
                                 turn->name_size, transcript->place);
}

static void jot_result(tw_transcript *transcript, const tw_turn *turn)
{
    tw_jotter *jotter = &transcript->jotter;
    tw_jot(jotter, "{\"role\":\"tool\",\"tool_call_id\":\"call_");
    tw_jot_number(jotter, answered(transcript, turn));
    tw_jot(jotter, "\",\"content\":");
    tw_jot_string(jotter, text_at(transcript, turn->begin), turn->size);
    tw_jot(jotter, "}");
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
            tw_jotter *jotter = &transcript->jotter;
            transcript->indexed = false;
            transcript->begin = jotter->out.size;
            tw_jot_text(jotter, line, size);
            tw_jot(jotter, "}");
            transcript->size = jotter->out.size - transcript->begin;
        }
        break;
    }
    return result;
}

int tw_transcript_read(tw_transcript *transcript, const char *text,
                       size_t size, tw_message_reader *read, void *context)
{
    tw_collect *collect = &transcript->collect;
    tw_jotter *jotter = &transcript->jotter;
    const tw_family *family = transcript->format->family;
    tw_collect_reset(collect);
    jotter->out.size = 0;
    jotter->failed = false;
    transcript->size = 0;
    transcript->indexed = false;
    transcript->text = text;
    family->collect(transcript->format, collect, text, size);
    const tw_turn *turns = (const tw_turn *)(const void *)collect->turns.data;
    const size_t count = collect->turns.size / sizeof *turns;
    tw_jot(jotter, "{\"messages\":[");
    int result = TW_OK;
    for (size_t i = 0; i < count && result == TW_OK; i++) {
        tw_jot(jotter, i > 0 ? "," : "");
        transcript->place = i > 0 && turns[i].kind == TW_TURN_RESULT &&
                                    turns[i - 1].kind == TW_TURN_RESULT
                                ? transcript->place + 1
                                : 0;
        result = jot_turn(transcript, &turns[i], read, context);
    }
    tw_jot(jotter, "]");
    transcript->tools = jotter->out.size;
    if (collect->tools.out.size > 0) {
        tw_jot(jotter, ",\"tools\":[");
        if (!jotter->failed && !tw_buffer_append(&jotter->out, jotter->memory,
                                                 collect->tools.out.data,
                                                 collect->tools.out.size)) {
            jotter->failed = true;
        }
        tw_jot(jotter, "]");
    }
    tw_jot(jotter, "}");
    if (result == TW_OK &&
        (collect->failed || collect->tools.failed || jotter->failed)) {
        result = TW_ERROR_MEMORY;
    }
    return result;
}
