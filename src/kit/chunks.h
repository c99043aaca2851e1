/* SPDX-License-Identifier: MIT
 *
 * A server's chat.completion.chunk objects, written again with other deltas:
 * whatever else stands in them stays.
 */
#ifndef TOOLWIRE_KIT_CHUNKS_H
#define TOOLWIRE_KIT_CHUNKS_H

#include "json/dump.h"

typedef struct kit_chunks {
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
} kit_chunks;

typedef enum kit_heard {
    KIT_HEARD_BAD = -1, /* *error says why */
    KIT_HEARD_PART,     /* the next line of the event's data goes on with it */
    KIT_HEARD_CHUNK,    /* with choices */
    KIT_HEARD_OTHER,    /* usage alone, or something foreign */
    KIT_HEARD_ERROR     /* {"error": ...} */
} kit_heard;

/* One choice of a chunk; its text lives until the next chunk is read. */
typedef struct kit_choice {
    uint64_t index;
    const tw_value *value; /* NULL: no chunk holds it */
    const char *content;
    size_t content_size;
    bool halves; /* it holds halves of surrogate pairs, as trees keep them */
    const char *finish; /* its finish_reason */
    size_t finish_size; /* 0: there is none */
} kit_choice;

void kit_chunks_init(kit_chunks *, const tw_memory *);
void kit_chunks_free(kit_chunks *);
/* Something that was to be written, or read, was not. */
bool kit_chunks_failed(const kit_chunks *);

/* Reads a line of an event's data: what stands behind "data:". */
kit_heard kit_chunks_read(kit_chunks *, const char *line, size_t size,
                          tw_error *error);
/* The event is over: what is a part is all there is. */
kit_heard kit_chunks_end(kit_chunks *, tw_error *error);
/* Of a chunk, the first choice; and the one behind a choice, or false. */
void kit_chunks_first(const kit_chunks *, kit_choice *);
bool kit_choice_next(kit_choice *);

/* The first half of a surrogate pair, at the end of a choice's content: a
 * server that cuts text in UTF-16 has the other half in its next one. */
typedef struct kit_half {
    bool there;
    uint8_t bytes[3];
} kit_half;

/* The content's bytes: two halves that belong together are a character; one
 * alone is a byte that no UTF-8 has, which decoders replace and report.
 * |held| is that of the choice's last content. */
const char *kit_chunks_content(kit_chunks *, const kit_choice *,
                               kit_half *held, size_t *size);
/* Nothing follows the half that is held: its byte, in |*size| 0 or 1 of them.
 */
const char *kit_half_alone(kit_half *, size_t *size);

/* These write |line|; false: there is nothing to write.
 *
 * What the server's choice has besides its text and its finish_reason.  The
 * role stands where |first|, given or not, and nowhere else. */
bool kit_chunks_rest(kit_chunks *, const kit_choice *, bool first);
/* A tw_writer's line, as a chunk of the server's.  Without a reason of the
 * server's to finish, none is written. */
bool kit_chunks_made(kit_chunks *, const kit_choice *, const char *line,
                     size_t size);
/* The usage that stood beside choices: with none, as clients know it. */
bool kit_chunks_usage(kit_chunks *);

#endif
