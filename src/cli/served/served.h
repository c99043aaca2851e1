/* SPDX-License-Identifier: MIT
 *
 * A server's stream, whose text is what the model wrote, made one with
 * reasoning and calls split out of it.
 *
 * lines.c reads server-sent events.  What becomes of them is one of two ways:
 * chat.c writes the same chunks again with other deltas, so that all else in
 * them stays; anew.c writes the stream of any API from what events.c finds in
 * those of any other.
 */
#ifndef TOOLWIRE_CLI_SERVED_H
#define TOOLWIRE_CLI_SERVED_H

#include "cli/options/options.h"
#include "cli/records/messages.h"
#include "cli/records/session.h"
#include "cli/served/chunks.h"

typedef struct served served;

typedef struct served_way {
    /* A JSON text is whole: |chunks.read|, whose text is |now|. */
    int (*heard)(served *, cli_heard);
    /* [DONE] */
    int (*done)(served *);
    /* Data that cannot be read: from here on nothing is decoded, since a call
     * that is pieced together around them could be another one. */
    int (*lose)(served *, const tw_error *);
    /* Nothing more comes. */
    int (*end)(served *);
    /* A line that holds no data; of size 0 it ends an event. */
    void (*line)(served *, const char *line, size_t size);
    void (*free)(served *);
} served_way;

extern const served_way served_chat;
extern const served_way served_anew;

/* What a line may be that is said of by itself, and as often as a code is. */
typedef enum served_fault {
    SERVED_NO_FIELD,
    SERVED_FAILURE,
    SERVED_FAULTS
} served_fault;

struct served {
    const cli_options *options;
    const served_way *way;
    bool decided;      /* no event can change the way any more */
    cli_options other; /* those of a stream that is written anew */
    cli_tools tools;
    tw_memory memory;
    cli_chunks chunks;
    cli_input input;
    cli_output output;
    cli_messages messages;
    uint64_t line;   /* where the data that are being read begin */
    const char *now; /* they, or NULL */
    size_t now_size;
    tw_json_out told; /* of lost.c: paths that were said, each with a line
                         feed */
    tw_json_out held; /* lines in front of the data that will decide */
    bool lines;       /* some of an event were written, which is not ended */
    bool data;        /* ... and one of them has data */
    bool lost;        /* something was: see |lose| */
    bool done;        /* [DONE] was read */
    bool bad;         /* something was, and was said */
    uint64_t faults[SERVED_FAULTS];
    struct served_branch *branches; /* of chat.c: a choice each */
    size_t count;
    struct served_stream *stream; /* of anew.c, or NULL */
};

/* The server ended by itself, for this reason of any API; any other may have
 * cut a call in two. */
bool served_is_whole(const char *finish, size_t size);

/* ---- faults.c ----------------------------------------------------------- */

/* Says it of |line|. */
void served_say(served *self, served_fault fault, uint64_t line);
/* How often each was, where not all were said. */
void served_say_counts(const served *self);

/* ---- out.c: events out -------------------------------------------------- */

void served_end_event(served *self);
void served_put_line(served *self, const char *line, size_t size);
/* An event's, in as many lines as they have. */
void served_put_data(served *self, const char *data, size_t size);
/* As servers put errors into streams. */
void served_put_error(served *self, const tw_error *error);

/* ---- lost.c: what has no place ------------------------------------------ */

/* Of an event that is written anew. */
void served_lose_members(served *self, const tw_value *event);

/* ---- events.c: what an event says --------------------------------------- */

/* Each NULL where it says nothing of the kind. */
typedef struct served_said {
    const tw_value *id;
    const tw_value *model;
    const tw_value *created;
    const tw_value *usage;
    const tw_value *finish;    /* a string */
    const tw_value *text;      /* what the model wrote: a string */
    const tw_value *reasoning; /* that the server has split out: a string */
    const tw_value *error;     /* its message, if it has one */
    const char *wrong; /* the path of what is no raw text, nor all around it */
    const char *why;   /* ... and what to do about it */
    bool failed;       /* the server says so */
    bool ends;         /* nothing more comes */
    bool lives;        /* the server says no more than this */
} served_said;

/* A stream that the server did not end. */
extern const char *const served_cut;

/* The API whose event it is; 0: that of none, or of any. */
tw_shape served_api_of(const tw_value *event);
void served_read(const tw_value *event, served_said *said);

#endif
