/* SPDX-License-Identifier: MIT
 *
 * The front door of writing.
 */
#include "writers/writer.h"

#include <string.h>

#include "core/options.h"
#include "core/utf8.h"
#include "json/write.h"

/* An element of the list of unparsed blocks. */
static void add_unparsed(tw_writer *writer, const tw_event *event)
{
    tw_buffer *list = &writer->unparsed;
    const tw_diagnostic *row = tw_diagnostic_get(event->code);
    const char *reason = row != NULL ? row->name : "unknown";
    tw_put_comma(writer, list);
    tw_put(writer, list, "{");
    if (event->size > 0) {
        tw_put(writer, list, "\"text\":");
        tw_put_string(writer, list, event->data, event->size);
        tw_put(writer, list, ",");
    }
    tw_put(writer, list, "\"reason\":");
    tw_put_string(writer, list, reason, strlen(reason));
    tw_put(writer, list, ",\"offset\":");
    tw_put_number(writer, list, event->offset);
    if (event->id_size > 0) {
        tw_put(writer, list, ",\"name\":");
        tw_put_string(writer, list, event->id, event->id_size);
    }
    tw_put(writer, list, "}");
}

/* ---- what is wrong ------------------------------------------------------ */

static int refuse(tw_writer *writer, int code, const char *message)
{
    writer->error = (tw_error){.code = code, .message = message};
    return code;
}

static int no_memory(tw_writer *writer)
{
    return refuse(writer, TW_ERROR_MEMORY, "no memory");
}

static const char is_over[] = "the END or an error was given: reset the "
                              "writer for the next message";

const tw_error *tw_writer_error(const tw_writer *writer)
{
    static const tw_error missing = {.code = TW_ERROR_MEMORY,
                                     .message = "no memory for a writer"};
    return writer != NULL ? &writer->error : &missing;
}

/* ---- lines -------------------------------------------------------------- */

static size_t line_count(const tw_writer *writer)
{
    return writer->ends.size / sizeof(size_t);
}

/* Where the i-th line ends. */
static size_t line_end(const tw_writer *writer, size_t i)
{
    return ((const size_t *)(const void *)writer->ends.data)[i];
}

int tw_writer_take(tw_writer *writer, const char **line, size_t *size)
{
    if (writer == NULL) {
        return TW_ERROR_ARGUMENT;
    }
    if (line == NULL || size == NULL) {
        return refuse(writer, TW_ERROR_ARGUMENT,
                      "there is no place for the line");
    }
    if (writer->taken == line_count(writer) &&
        writer->shape->does->close != NULL) {
        writer->shape->does->close(writer);
    }
    if (writer->taken == line_count(writer)) {
        return 0;
    }
    const size_t i = writer->taken++;
    const size_t begin = i > 0 ? line_end(writer, i - 1) : 0;
    *line = (const char *)writer->lines.data + begin;
    *size = line_end(writer, i) - begin;
    return 1;
}

/* So much of |lines| is lines that are ready. */
static size_t whole_lines(const tw_writer *writer)
{
    const size_t count = line_count(writer);
    return count > 0 ? line_end(writer, count - 1) : 0;
}

/* All lines were taken, and none is being written: the room is free again. */
static void recycle(tw_writer *writer)
{
    if (writer->taken > 0 && writer->taken == line_count(writer) &&
        writer->lines.size == whole_lines(writer)) {
        writer->lines.size = writer->ends.size = 0;
        writer->taken = 0;
    }
}

/* ---- life --------------------------------------------------------------- */

/* Nothing changes where there is no memory. */
static bool assign(tw_buffer *buffer, const tw_memory *memory,
                   const char *data, size_t size)
{
    if (size > buffer->size &&
        !tw_buffer_reserve(buffer, memory, size - buffer->size)) {
        return false;
    }
    buffer->size = 0;
    return tw_buffer_append(buffer, memory, data, size);
}

static bool assign_defaults(tw_writer *writer)
{
    static const char model[] = "toolwire";
    const char *id = writer->shape->id;
    const tw_memory *memory = &writer->memory;
    return assign(&writer->reasoning_key, memory, TW_REASONING_KEY,
                  sizeof TW_REASONING_KEY - 1) &&
           assign(&writer->id, memory, id, strlen(id)) &&
           assign(&writer->model, memory, model, sizeof model - 1);
}

tw_writer *tw_writer_new(tw_shape shape, const tw_allocator *allocator)
{
    const tw_memory memory = tw_memory_from(allocator);
    static const tw_shape_row *const rows[] = {
        &tw_message_shape,
#ifndef TW_WITHOUT_STREAMS
        &tw_chunk_shape, &tw_responses_stream, &tw_anthropic_stream
#endif
    };
    const size_t place = (size_t)shape - TW_SHAPE_MESSAGE;
    if (place >= sizeof rows / sizeof *rows) {
        return NULL;
    }
    const tw_shape_row *row = rows[place];
    tw_writer *writer = tw_memory_new(&memory, row->size);
    if (writer == NULL) {
        return NULL;
    }
    writer->memory = memory;
    writer->shape = row;
    writer->error.message = "";
    tw_tree_init(&writer->usage, &writer->memory);
    writer->usage.keeps_lone = true;
    writer->custom_function = row->custom_function;
    if (!assign_defaults(writer)) {
        tw_writer_free(writer);
        return NULL;
    }
    return writer;
}

void tw_writer_free(tw_writer *writer)
{
    if (writer == NULL) {
        return;
    }
    const tw_memory memory = writer->memory;
    writer->shape->does->free(writer);
    tw_buffer_free(&writer->reasoning_key, &memory);
    tw_buffer_free(&writer->id, &memory);
    tw_buffer_free(&writer->model, &memory);
    tw_buffer_free(&writer->system_fingerprint, &memory);
    tw_buffer_free(&writer->finish_reason, &memory);
    tw_buffer_free(&writer->stop_sequence, &memory);
    tw_tree_free(&writer->usage);
    tw_buffer_free(&writer->lines, &memory);
    tw_buffer_free(&writer->ends, &memory);
    tw_buffer_free(&writer->unparsed, &memory);
    tw_buffer_free(&writer->scratch, &memory);
    tw_memory_free(&memory, writer, writer->shape->size);
}

void tw_writer_reset(tw_writer *writer)
{
    if (writer == NULL) {
        return;
    }
    writer->lines.size = writer->ends.size = 0;
    writer->unparsed.size = 0;
    writer->finish_reason.size = writer->stop_sequence.size = 0;
    writer->usage.root = NULL;
    writer->taken = writer->made = 0;
    writer->begun = writer->ended = writer->failed = false;
    writer->call_open = writer->call_seen = false;
    writer->reached = 0;
    writer->text_type = 0;
    writer->shape->does->reset(writer);
}

/* ---- options ------------------------------------------------------------ */

/* What of |takes| a value needs; 0: nothing. */
static unsigned needs(tw_option option, int64_t value)
{
    switch (option) {
    case TW_OPTION_CUSTOM_FUNCTION: return value == 0 ? TW_TAKES_CUSTOM : 0;
    case TW_OPTION_CREATED: return TW_TAKES_CREATED;
    case TW_OPTION_CHOICE: return TW_TAKES_CHOICE;
    case TW_OPTION_REASONING_SUMMARY: return TW_TAKES_SUMMARY;
    case TW_OPTION_JOIN_CHUNKS: return TW_TAKES_STREAM;
    case TW_OPTION_SSE: return value == 2 ? TW_TAKES_CHOICE : TW_TAKES_STREAM;
    default: return 0;
    }
}

/* A value in range. */
static bool set_option(tw_writer *writer, tw_option option, int64_t value)
{
    if ((needs(option, value) & ~writer->shape->takes) != 0) {
        return false;
    }
    switch (option) {
    case TW_OPTION_HOLD_CALLS: writer->hold_calls = value == 1; return true;
    case TW_OPTION_CUSTOM_FUNCTION:
        writer->custom_function = value == 1;
        return true;
    case TW_OPTION_JOIN_CHUNKS: writer->join_chunks = value == 1; return true;
    case TW_OPTION_SSE: writer->sse = value; return true;
    case TW_OPTION_REASONING_SUMMARY:
        writer->summary = value == 1;
        return true;
    case TW_OPTION_CREATED: writer->created = (uint64_t)value; return true;
    case TW_OPTION_CHOICE: writer->choice = (uint64_t)value; return true;
    default: return false;
    }
}

int tw_writer_set(tw_writer *writer, tw_option option, int64_t value)
{
    if (writer == NULL) {
        return TW_ERROR_ARGUMENT;
    }
    if (writer->begun) {
        return refuse(writer, TW_ERROR_STATE,
                      "the message has begun: options are set before its "
                      "first event");
    }
    const char *fault = tw_option_fault(option, value);
    if (fault != NULL) {
        return refuse(writer, TW_ERROR_ARGUMENT, fault);
    }
    return set_option(writer, option, value)
               ? TW_OK
               : refuse(writer, TW_ERROR_ARGUMENT,
                        "writers of this shape have no such option, or not "
                        "with this value");
}

/* Is the key one that OpenAI's messages or deltas have?  Reasoning under such
 * a key would be a second member of that name, or be taken for the first. */
static bool is_member(const char *key, size_t size)
{
    static const char *const members[] = {
        "role",          "content",      "tool_calls", "toolwire",
        "refusal",       "name",         "audio",      "annotations",
        "function_call", "tool_call_id", "weight"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (strlen(members[i]) == size && memcmp(members[i], key, size) == 0) {
            return true;
        }
    }
    return false;
}

/* What of |takes| a text needs; 0: writers have no such text. */
static unsigned text_needs(tw_text text)
{
    switch (text) {
    case TW_TEXT_REASONING_KEY: return TW_TAKES_REASONING_KEY;
    case TW_TEXT_SYSTEM_FINGERPRINT: return TW_TAKES_FINGERPRINT;
    case TW_TEXT_STOP_SEQUENCE: return TW_TAKES_STOP_SEQUENCE;
    case TW_TEXT_ID:
    case TW_TEXT_MODEL:
    case TW_TEXT_FINISH_REASON:
    case TW_TEXT_USAGE: return TW_TAKES_STREAM;
    default: return 0;
    }
}

static tw_buffer *place_of(tw_writer *writer, tw_text text)
{
    switch (text) {
    case TW_TEXT_REASONING_KEY: return &writer->reasoning_key;
    case TW_TEXT_ID: return &writer->id;
    case TW_TEXT_MODEL: return &writer->model;
    case TW_TEXT_SYSTEM_FINGERPRINT: return &writer->system_fingerprint;
    case TW_TEXT_STOP_SEQUENCE: return &writer->stop_sequence;
    default: return &writer->finish_reason;
    }
}

static int set_usage(tw_writer *writer, const char *json, size_t size)
{
    tw_tree *usage = &writer->usage;
    usage->root = NULL;
    const int result =
        size > 0 ? tw_tree_read(usage, json, size, false) : TW_OK;
    if (result == TW_ERROR_MEMORY) {
        return no_memory(writer);
    }
    if (result != TW_OK ||
        (usage->root != NULL && usage->root->kind != TW_VALUE_OBJECT)) {
        usage->root = NULL;
        return refuse(writer, TW_ERROR_JSON, "the usage is no JSON object");
    }
    return TW_OK;
}

/* NULL: the text may be set. */
static const char *text_fault(const tw_writer *writer, tw_text text,
                              const char *data, size_t size)
{
    if ((text_needs(text) & writer->shape->takes) == 0) {
        return "writers of this shape have no such text";
    }
    if ((data == NULL && size > 0) || !tw_utf8_is_valid(data, size)) {
        return "the text is no UTF-8";
    }
    return text == TW_TEXT_REASONING_KEY && is_member(data, size)
               ? "messages have another member of this name"
               : NULL;
}

int tw_writer_set_text(tw_writer *writer, tw_text text, const char *data,
                       size_t size)
{
    const bool usage = text == TW_TEXT_USAGE;
    if (writer == NULL) {
        return TW_ERROR_ARGUMENT;
    }
    const char *fault = text_fault(writer, text, data, size);
    if (fault != NULL) {
        return refuse(writer, TW_ERROR_ARGUMENT, fault);
    }
    const bool late = usage || text == TW_TEXT_FINISH_REASON ||
                      text == TW_TEXT_STOP_SEQUENCE;
    if (late ? writer->ended : writer->begun) {
        return refuse(writer, TW_ERROR_STATE,
                      late ? is_over
                           : "the message has begun: this text is set before "
                             "its first event");
    }
    if (usage) {
        return set_usage(writer, data, size);
    }
    if (!assign(place_of(writer, text), &writer->memory, data, size)) {
        writer->failed = true;
    }
    return writer->failed ? no_memory(writer) : TW_OK;
}

/* ---- events ------------------------------------------------------------- */

static bool is_event(const tw_event *event)
{
    return event->type >= TW_EVENT_TEXT && event->type <= TW_EVENT_END &&
           (event->data != NULL || event->size == 0) &&
           (event->id != NULL || event->id_size == 0);
}

/* What follows notes an event, unless it cannot follow those before it: then
 * it is of another message, as when the decoder was reset and the writer was
 * not. */

/* Are its bytes behind those that are accounted for?  An event that no decoder
 * made accounts for none. */
static bool is_ahead(const tw_writer *writer, const tw_event *event)
{
    return event->offset >= writer->reached || event->span == 0;
}

static bool note_text(tw_writer *writer, const tw_event *text)
{
    if (writer->call_open || !is_ahead(writer, text)) {
        return false;
    }
    if (text->index == writer->segment && text->type == writer->text_type) {
        return true;
    }
    if (writer->text_type != 0 && text->index <= writer->segment) {
        return false;
    }
    writer->segment = text->index;
    writer->text_type = text->type;
    return true;
}

static bool note_begin(tw_writer *writer, const tw_event *begin)
{
    const bool custom = (begin->flags & TW_EVENT_CUSTOM) != 0;
    if (writer->call_open || begin->offset < writer->reached ||
        (writer->call_seen && begin->index <= writer->call_index)) {
        return false;
    }
    writer->call_open = writer->call_seen = true;
    writer->call_index = begin->index;
    writer->call_style = !custom                   ? TW_CALL_FUNCTION
                         : writer->custom_function ? TW_CALL_WRAPPED
                                                   : TW_CALL_CUSTOM;
    return true;
}

static bool is_in_call(const tw_writer *writer, const tw_event *event)
{
    return writer->call_open && event->index == writer->call_index;
}

static bool note_call_end(tw_writer *writer, const tw_event *event)
{
    const bool due = is_in_call(writer, event);
    writer->call_open = writer->call_open && !due;
    return due;
}

static bool note_unparsed(tw_writer *writer, const tw_event *event)
{
    if (writer->call_open || !is_ahead(writer, event)) {
        return false;
    }
    add_unparsed(writer, event);
    return true;
}

/* The end ends a call that is still open, too. */
static bool note_end(tw_writer *writer, const tw_event *event)
{
    if (event->offset < writer->reached) {
        return false;
    }
    if (writer->call_open) {
        tw_event open = {0};
        open.type = TW_EVENT_CALL_END;
        open.index = writer->call_index;
        open.code = TW_CALL_INCOMPLETE;
        writer->shape->does->event(writer, &open);
    }
    writer->ended = true;
    return true;
}

static bool note(tw_writer *writer, const tw_event *event)
{
    switch (event->type) {
    case TW_EVENT_TEXT:
    case TW_EVENT_REASONING: return note_text(writer, event);
    case TW_EVENT_CALL_BEGIN: return note_begin(writer, event);
    case TW_EVENT_CALL_ARGUMENTS: return is_in_call(writer, event);
    case TW_EVENT_CALL_END: return note_call_end(writer, event);
    case TW_EVENT_UNPARSED: return note_unparsed(writer, event);
    case TW_EVENT_END: return note_end(writer, event);
    default: return true;
    }
}

int tw_writer_event(tw_writer *writer, const tw_event *event)
{
    if (writer == NULL) {
        return TW_ERROR_ARGUMENT;
    }
    if (writer->failed) {
        return no_memory(writer);
    }
    if (writer->ended && event != NULL) {
        return refuse(writer, TW_ERROR_STATE, is_over);
    }
    if (event == NULL || !is_event(event)) {
        return refuse(writer, TW_ERROR_ARGUMENT,
                      "this is no event of a decoder");
    }
    recycle(writer);
    writer->begun = true;
    if (!note(writer, event)) {
        writer->ended = true; /* nothing of two messages is joined */
        return refuse(writer, TW_ERROR_STATE,
                      "the event does not follow those before: the writer is "
                      "reset whenever its decoder is");
    }
    if (event->span > 0) {
        writer->reached = event->offset + event->span;
    }
    writer->shape->does->event(writer, event);
    return writer->failed ? no_memory(writer) : TW_OK;
}

int tw_writer_fail(tw_writer *writer, const tw_error *error)
{
    if (writer == NULL) {
        return TW_ERROR_ARGUMENT;
    }
    if (error == NULL || error->message == NULL) {
        return refuse(writer, TW_ERROR_ARGUMENT, "the error has no message");
    }
    if (writer->shape->does->fail == NULL) {
        return refuse(writer, TW_ERROR_ARGUMENT,
                      "a message has no error event: streams have one");
    }
    const bool cut = writer->failed;
    if (writer->ended && !cut) {
        return refuse(writer, TW_ERROR_STATE, is_over);
    }
    if (cut) {
        writer->failed = false;
        writer->lines.size = whole_lines(writer);
    }
    recycle(writer);
    writer->begun = writer->ended = true;
    writer->shape->does->fail(writer, error, cut);
    return writer->failed ? no_memory(writer) : TW_OK;
}
