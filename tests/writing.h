/* SPDX-License-Identifier: MIT
 *
 * Hand-made events for writers, and the lines that they become.
 */
#ifndef TESTS_WRITING_H
#define TESTS_WRITING_H

#include "json_lines.h"
#include "toolwire.h"

/* ---- events ------------------------------------------------------------- */

static inline tw_event event_of(tw_event_type type, uint32_t index,
                                const char *data)
{
    tw_event event = {0};
    event.type = type;
    event.index = index;
    event.data = data;
    event.size = data != NULL ? strlen(data) : 0;
    return event;
}

static inline tw_event text(uint32_t segment, const char *data)
{
    return event_of(TW_EVENT_TEXT, segment, data);
}

static inline tw_event reasoning(uint32_t segment, const char *data)
{
    return event_of(TW_EVENT_REASONING, segment, data);
}

static inline tw_event named(tw_event event, const char *id)
{
    event.id = id;
    event.id_size = id != NULL ? strlen(id) : 0;
    return event;
}

static inline tw_event begin(uint32_t index, const char *id, const char *name)
{
    return named(event_of(TW_EVENT_CALL_BEGIN, index, name), id);
}

static inline tw_event begin_custom(uint32_t index, const char *id,
                                    const char *name)
{
    tw_event event = begin(index, id, name);
    event.flags = TW_EVENT_CUSTOM;
    return event;
}

static inline tw_event arguments(uint32_t index, const char *data)
{
    return event_of(TW_EVENT_CALL_ARGUMENTS, index, data);
}

static inline tw_event call_end(uint32_t index, tw_call_status status)
{
    tw_event event = event_of(TW_EVENT_CALL_END, index, NULL);
    event.code = status;
    return event;
}

static inline tw_event unparsed(uint32_t code, uint64_t offset,
                                const char *raw, const char *name)
{
    tw_event event =
        named(event_of(TW_EVENT_UNPARSED, TW_NO_INDEX, raw), name);
    event.code = code;
    event.offset = offset;
    return event;
}

static inline tw_event diagnostic(uint32_t code, uint64_t offset,
                                  uint64_t span)
{
    tw_event event = event_of(TW_EVENT_DIAGNOSTIC, TW_NO_INDEX,
                              tw_diagnostic_get(code)->name);
    event.code = code;
    event.offset = offset;
    event.span = span;
    return event;
}

static inline tw_event framing(void)
{
    return event_of(TW_EVENT_FRAMING, TW_NO_INDEX, NULL);
}

static inline tw_event over(tw_finish finish)
{
    tw_event event = event_of(TW_EVENT_END, TW_NO_INDEX, NULL);
    event.code = finish;
    return event;
}

#define SIZE_OF(list) (sizeof(list) / sizeof *(list))

static inline void give_all(tw_writer *writer, const tw_event *events,
                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(tw_writer_event(writer, &events[i]), TW_OK);
    }
}

#define GIVE(writer, ...)                        \
    do {                                         \
        const tw_event given[] = {__VA_ARGS__};  \
        give_all(writer, given, SIZE_OF(given)); \
    } while (0)

/* ---- lines -------------------------------------------------------------- */

static inline void expect_all(tw_writer *writer, const char *const *lines)
{
    const char *line;
    size_t size;
    for (; *lines != NULL; lines++) {
        cr_assert_eq(tw_writer_take(writer, &line, &size), 1,
                     "no line, not %s", *lines);
        expect_line(*lines, line, size);
    }
    cr_assert_eq(tw_writer_take(writer, &line, &size), 0);
}

#define EXPECT(writer, ...)                                       \
    do {                                                          \
        const char *const expected_lines[] = {__VA_ARGS__, NULL}; \
        expect_all(writer, expected_lines);                       \
    } while (0)

static inline void expect_nothing(tw_writer *writer)
{
    const char *line;
    size_t size;
    cr_assert_eq(tw_writer_take(writer, &line, &size), 0);
}

#define CHUNK(delta, finish, behind)                                   \
    "{'id':'chatcmpl-0','object':'chat.completion.chunk','created':0," \
    "'model':'toolwire','choices':[{'index':0,'delta':{" delta         \
    "},'finish_reason':" finish "}]" behind "}"
#define DELTA(delta) CHUNK(delta, "null", "")
#define ROLE DELTA("'role':'assistant'")
#define CONTENT(piece) DELTA("'content':'" piece "'")
#define CALL(rest) DELTA("'tool_calls':[{" rest "}]")
#define OPEN(index, id, name)          \
    CALL("'index':" index ",'id':'" id \
         "','type':'function','function':{'name':'" name "','arguments':''}")
#define PIECE(index, piece) \
    CALL("'index':" index ",'function':{'arguments':'" piece "'}")
#define FINISH(reason) CHUNK("", "'" reason "'", "")

static inline tw_writer *message_writer(void)
{
    return tw_writer_new(TW_SHAPE_MESSAGE, NULL);
}

static inline tw_writer *chunk_writer(void)
{
    return tw_writer_new(TW_SHAPE_CHUNKS, NULL);
}

#endif
