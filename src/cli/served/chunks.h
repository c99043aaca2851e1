/* SPDX-License-Identifier: MIT
 *
 * A server's chat.completion.chunk objects, written again with other deltas:
 * whatever else stands in them stays.
 */
#ifndef TOOLWIRE_CLI_CHUNKS_H
#define TOOLWIRE_CLI_CHUNKS_H

#include "json/dump.h"

typedef struct cli_chunks {
    const tw_memory *memory;
    /* The data read last: a line of the caller's, or several, joined. */
    const char *data;
    size_t size;
    tw_json_out joined;
    bool part;               /* |joined| has no end yet */
    tw_tree read;            /* what the server sent last */
    tw_tree made;            /* what a tw_writer made */
    const tw_value *choices; /* of |read|; NULL: there are none */
    /* Of the last chunk that has choices: what stands in front of them and
     * behind them, but for the usage. */
    tw_json_out head;
    tw_json_out tail;
    tw_json_out delta;
    tw_json_out line;    /* what was written last */
    tw_json_out content; /* where it is not as it was sent */
} cli_chunks;

typedef enum cli_heard {
    CLI_HEARD_BAD = -1, /* *error says why */
    CLI_HEARD_PART,     /* the next line of the event's data goes on with it */
    CLI_HEARD_CHUNK,    /* with choices */
    CLI_HEARD_OTHER,    /* usage alone, or something foreign */
    CLI_HEARD_ERROR     /* {"error": ...} */
} cli_heard;

/* One choice of a chunk; its text lives until the next chunk is read. */
typedef struct cli_choice {
    uint64_t index;
    const tw_value *value; /* NULL: no chunk holds it */
    const char *content;
    size_t content_size;
    bool halves; /* it holds halves of surrogate pairs, as trees keep them */
    const char *finish; /* its finish_reason */
    size_t finish_size; /* 0: there is none */
} cli_choice;

/* What is wrong with calls in a stream. */
extern const char *const cli_chunks_split;

void cli_chunks_init(cli_chunks *self, const tw_memory *memory);
void cli_chunks_free(cli_chunks *self);
/* Something that was to be written, or read, was not. */
bool cli_chunks_failed(const cli_chunks *self);

/* Reads a line of an event's data: what stands behind "data:". */
cli_heard cli_chunks_read(cli_chunks *self, const char *line, size_t size,
                          tw_error *error);
/* The event is over: what is a part is all there is. */
cli_heard cli_chunks_end(cli_chunks *self, tw_error *error);
/* Of a chunk, the first choice; and the one behind a choice, or false. */
void cli_chunks_first(const cli_chunks *self, cli_choice *choice);
bool cli_choice_next(cli_choice *choice);

/* The first half of a surrogate pair, at the end of a choice's content: a
 * server that cuts text in UTF-16 has the other half in its next one. */
typedef struct cli_half {
    bool there;
    uint8_t bytes[3];
} cli_half;

/* The content's bytes: two halves that belong together are a character; one
 * alone is a byte that no UTF-8 has, which decoders replace and report.
 * |held| is that of the choice's last content. */
const char *cli_chunks_content(cli_chunks *self, const cli_choice *choice,
                               cli_half *held, size_t *size);
/* Nothing follows the half that is held: its byte, in |*size| 0 or 1 of them.
 */
const char *cli_half_alone(cli_half *held, size_t *size);

/* These write |line|; false: there is nothing to write.
 *
 * What the server's choice has besides its text and its finish_reason.  The
 * role stands where |first|, given or not, and nowhere else. */
bool cli_chunks_rest(cli_chunks *self, const cli_choice *choice, bool first);
/* A tw_writer's line, as a chunk of the server's.  Without a reason of the
 * server's to finish, none is written. */
bool cli_chunks_made(cli_chunks *self, const cli_choice *choice,
                     const char *line, size_t size);
/* The usage that stood beside choices: with none, as clients know it. */
bool cli_chunks_usage(cli_chunks *self);

#endif
