/* SPDX-License-Identifier: MIT
 *
 * Another parser: a process that reads a line and answers with one.
 */
#ifndef TOOLWIRE_KIT_PEER_H
#define TOOLWIRE_KIT_PEER_H

#include <sys/types.h>

#include "core/memory.h"

typedef struct kit_peer {
    const char *command; /* for sh -c */
    pid_t process;       /* 0: none runs */
    int to;
    int from;
    int64_t patience; /* milliseconds */
    int64_t took;     /* microseconds until the last answer came */
    int64_t worked;   /* ... and how many of them the process was at work;
                       * |took| if others work for it */
    int status;       /* of the last that ended, as waitpid() says */
    bool answers;     /* there was one */
    bool says_more;   /* behind its last answer, more has come already */
    void (*watch)(pid_t process); /* told which process runs; 0: none */
    const tw_memory *memory;
    tw_buffer lines; /* read, not yet taken */
} kit_peer;

typedef enum kit_reply {
    KIT_ANSWERED,
    KIT_TIMED_OUT, /* it was killed */
    KIT_DIED,
    KIT_NO_MEMORY,
    KIT_CANNOT_START
} kit_reply;

void kit_peer_init(kit_peer *peer, const char *command, int64_t patience,
                   const tw_memory *memory);
/* Does a process run? */
bool kit_peer_runs(const kit_peer *peer);
/* Sends a line and waits, |patience| milliseconds, for the next one, which
 * lives until the next call.  A process that is gone is started again. */
kit_reply kit_peer_ask(kit_peer *peer, int64_t patience, const char *line,
                       size_t size, const char **answer, size_t *answer_size);
/* The next question goes to a new process. */
void kit_peer_restart(kit_peer *peer);
/* Ends the process, which is given its patience to do so. */
void kit_peer_free(kit_peer *peer);

#endif
