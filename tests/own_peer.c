/* SPDX-License-Identifier: MIT
 *
 * kit/peer.h with toolwire itself in the place of a process: questions are
 * answered here, with all that they say a server knows.  The command is what
 * happens at the second chunk of an output, or NULL: "cuts", it is not read;
 * "ends", the parser is gone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/dump.h"
#include "kit/ask/peer.h"
#include "toolwire.h"

/* An output that is read, and how far. */
typedef struct reading {
    tw_decoder *decoder;
    tw_writer *writer;
    const tw_value *next; /* chunk */
    size_t read;          /* chunks */
    tw_finish finish;
    bool over;
    bool cuts; /* it has this flaw */
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
        must(tw_decoder_feed(its->decoder, bytes,
                             its->cuts && its->read == 1 ? 0 : size,
                             TW_MARK_UNKNOWN) == TW_OK,
             "feed");
        take_events(its);
        its->next = its->next->next;
        its->read++;
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
    its->read = 0;
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

/* False: there was a second chunk. */
static bool answer_to(tw_json_out *answer, bool cuts, const char *text,
                      size_t size)
{
    reading its = {.cuts = cuts};
    reading beside = {.cuts = cuts};
    tw_tree tree;
    tw_tree_init(&tree, answer->memory);
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
    put_answer(answer, tree.root, &its);
    tw_decoder_free(its.decoder);
    tw_decoder_free(beside.decoder);
    tw_writer_free(its.writer);
    tw_writer_free(beside.writer);
    tw_tree_free(&tree);
    return its.read < 2 && beside.read < 2;
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
    const tw_memory memory = tw_memory_from(NULL);
    tw_json_out out = {.memory = &memory};
    (void)patience;
    const bool cuts =
        peer->command != NULL && strcmp(peer->command, "cuts") == 0;
    const bool ends = peer->command != NULL && !cuts;
    const bool whole = answer_to(&out, cuts, line, size);
    peer->answers = true;
    peer->lines.size = 0;
    const bool kept = tw_buffer_append(
        &peer->lines, peer->memory, (const char *)out.out.data, out.out.size);
    tw_buffer_free(&out.out, &memory);
    *answer = (const char *)peer->lines.data;
    *answer_size = peer->lines.size - 1;
    return ends && !whole ? KIT_DIED : kept ? KIT_ANSWERED : KIT_NO_MEMORY;
}

void kit_peer_restart(kit_peer *peer)
{
    peer->answers = false;
}

void kit_peer_free(kit_peer *peer)
{
    tw_buffer_free(&peer->lines, peer->memory);
}
