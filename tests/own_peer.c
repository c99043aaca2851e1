/* SPDX-License-Identifier: MIT
 *
 * kit/peer.h with toolwire itself in the place of a process: questions are
 * answered here, with all that they say a server knows.
 */
#include <stdio.h>
#include <stdlib.h>

#include "json/dump.h"
#include "kit/peer.h"
#include "toolwire.h"

/* An output that is read, and how far. */
typedef struct reading {
    tw_decoder *decoder;
    tw_writer *writer;
    const tw_value *next; /* chunk */
    tw_finish finish;
    bool over;
} reading;

static void must(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "own peer: %s\n", what);
        abort();
    }
}

static unsigned digit(char c)
{
    return c >= 'A' && c <= 'Z'   ? (unsigned)(c - 'A')
           : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 26
           : c >= '0' && c <= '9' ? (unsigned)(c - '0') + 52
           : c == '+'             ? 62
                                  : 63;
}

/* |to| has room for it. */
static size_t from_base64(const tw_value *text, char *to)
{
    size_t size = 0;
    for (size_t i = 0; i + 3 < text->size; i += 4) {
        const char *four = text->text + i;
        const unsigned bits = digit(four[0]) << 18 | digit(four[1]) << 12 |
                              digit(four[2]) << 6 | digit(four[3]);
        to[size++] = (char)(bits >> 16);
        if (four[2] != '=') {
            to[size++] = (char)(bits >> 8 & 255);
        }
        if (four[3] != '=') {
            to[size++] = (char)(bits & 255);
        }
    }
    return size;
}

static void take_events(reading *its)
{
    const tw_event *event;
    while (tw_decoder_next(its->decoder, &event) == 1) {
        must(tw_writer_event(its->writer, event) == TW_OK, "event");
    }
}

/* One more chunk, or the end. */
static void go_on(reading *its)
{
    if (its->next != NULL) {
        char *bytes = malloc(its->next->size + 4);
        must(bytes != NULL, "memory");
        const size_t size = from_base64(its->next, bytes);
        must(tw_decoder_feed(its->decoder, bytes, size, TW_MARK_UNKNOWN) ==
                 TW_OK,
             "feed");
        take_events(its);
        its->next = its->next->next;
        free(bytes);
    } else if (!its->over) {
        must(tw_decoder_finish(its->decoder, its->finish) == TW_OK, "finish");
        take_events(its);
        its->over = true;
    }
}

static void begin(reading *its, const tw_value *question)
{
    const tw_value *format = tw_value_member(question, "format");
    const tw_value *finish = tw_value_member(question, "finish");
    const tw_memory memory = tw_memory_from(NULL);
    tw_buffer tools = {0};
    if (its->decoder == NULL) {
        its->decoder = tw_decoder_new(tw_format_find(format->text), NULL);
        its->writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
        must(its->decoder != NULL && its->writer != NULL, "decoder");
    }
    tw_decoder_reset(its->decoder);
    tw_writer_reset(its->writer);
    must(tw_value_dump(&tools, &memory, tw_value_member(question, "tools"),
                       &tw_dump_compact),
         "tools");
    must(tw_decoder_set_tools(its->decoder, (const char *)tools.data,
                              tools.size) == TW_OK &&
             tw_decoder_set(its->decoder, TW_OPTION_START_REASONING,
                            tw_value_member(question, "start") != NULL) ==
                 TW_OK,
         "settings");
    tw_buffer_free(&tools, &memory);
    its->next = tw_value_member(question, "chunks")->first;
    its->finish =
        tw_value_is(finish, "stop") ? TW_FINISH_STOP : TW_FINISH_LENGTH;
    its->over = false;
}

static void put_answer(tw_json_out *answer, const tw_value *question,
                       reading *its)
{
    const char *line;
    size_t size;
    must(tw_writer_take(its->writer, &line, &size) == 1, "no message");
    tw_json_put(answer, "{\"id\":");
    tw_json_put_value(answer, tw_value_member(question, "id"));
    tw_json_put(answer, ",\"message\":");
    tw_json_put_text(answer, line, size);
    tw_json_put(answer, "}\n");
    must(!answer->failed, "memory");
}

static void answer_to(tw_buffer *to, const tw_memory *memory, const char *text,
                      size_t size)
{
    tw_json_out answer = {.out = *to, .memory = memory};
    reading its = {.decoder = NULL};
    reading beside = {.decoder = NULL};
    tw_tree tree;
    tw_tree_init(&tree, memory);
    must(tw_tree_read(&tree, text, size, false) == TW_OK, "question");
    const tw_value *before = tw_value_member(tree.root, "before");
    const tw_value *other = tw_value_member(tree.root, "beside");
    if (before != NULL) {
        begin(&its, before);
        while (!its.over) {
            go_on(&its);
        }
    }
    begin(&its, tree.root);
    if (other != NULL) {
        begin(&beside, other);
    }
    while (!its.over) {
        go_on(&its);
        if (other != NULL) {
            go_on(&beside);
        }
    }
    answer.out.size = 0;
    put_answer(&answer, tree.root, &its);
    *to = answer.out;
    tw_decoder_free(its.decoder);
    tw_decoder_free(beside.decoder);
    tw_writer_free(its.writer);
    tw_writer_free(beside.writer);
    tw_tree_free(&tree);
}

/* ---- what kit/peer.h declares ------------------------------------------- */

void kit_peer_init(kit_peer *peer, const char *command, int64_t patience,
                   const tw_memory *memory)
{
    *peer =
        (kit_peer){.command = command, .patience = patience, .memory = memory};
}

bool kit_peer_runs(const kit_peer *peer)
{
    return peer->answers;
}

kit_reply kit_peer_ask(kit_peer *peer, int64_t patience, const char *line,
                       size_t size, const char **answer, size_t *answer_size)
{
    (void)patience;
    answer_to(&peer->lines, peer->memory, line, size);
    peer->answers = true;
    *answer = (const char *)peer->lines.data;
    *answer_size = peer->lines.size - 1;
    return KIT_ANSWERED;
}

void kit_peer_restart(kit_peer *peer)
{
    peer->answers = false;
}

void kit_peer_free(kit_peer *peer)
{
    tw_buffer_free(&peer->lines, peer->memory);
}
