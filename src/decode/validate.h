/* SPDX-License-Identifier: MIT
 *
 * Calls against the schemas of their tools, event by event: arguments are
 * collected, and mended where that was asked; what is wrong with them is told
 * in front of the call's end.
 */
#ifndef TOOLWIRE_DECODE_VALIDATE_H
#define TOOLWIRE_DECODE_VALIDATE_H

#include "decode/mend.h"
#include "events/tools.h"

typedef struct tw_validation {
    const tw_memory *memory;
    uint32_t policy; /* tw_validate */
    tw_tree tools;   /* the list that was declared; no root: none was */
    tw_tools names;  /* of these */
    tw_schema checker;
    tw_tree value;        /* the arguments of the last call */
    tw_buffer arguments;  /* of the open call, so far, as they go out */
    tw_mend mend;         /* ... and what is held of them */
    size_t given;         /* how much of them is out */
    tw_event piece;       /* the next of them */
    bool runs;            /* the last event was of arguments; */
    bool out;             /* ... a piece went out since such a run began, */
    uint64_t run;         /* ... which was here */
    const tw_value *schema; /* of its tool; NULL: nothing is asked of it */
    uint32_t index;
    uint64_t offset;
    bool undeclared; /* the open call is none of a tool, and refused for it */
    bool checked;
    bool fits;
    bool unchecked;   /* it was told that there are no tools */
    tw_buffer faults; /* of validate.c, not all of them told yet */
    size_t next_fault;
    tw_buffer paths;      /* of these */
    tw_buffer path;       /* room for one */
    tw_buffer said;       /* const tw_value *: unread keywords */
    const tw_event *held; /* comes behind the faults */
    tw_event event;
} tw_validation;

void tw_validation_init(tw_validation *validation, const tw_memory *memory);
void tw_validation_free(tw_validation *validation);
/* Ready for the next message. */
void tw_validation_reset(tw_validation *validation);
/* A tw_validate.  NULL, or why it cannot be: of this build. */
const char *tw_validation_set_policy(tw_validation *validation,
                                     uint32_t policy);
/* Other tools, which become |tools|; NULL: there are none.  Else as
 * tw_tools_read(). */
int tw_validation_set_tools(tw_validation *validation, const char *json,
                            size_t size, const tw_value **where);
/* Tools of a list in the caller's tree, which has to live until they are set
 * again.  False: no memory. */
bool tw_validation_use_tools(tw_validation *validation, const tw_value *list);

/* The decoder's next event; false: no memory. */
bool tw_validation_see(tw_validation *validation, const tw_event *event);
/* All arguments of the open call were seen: they are checked, once. */
bool tw_validation_check(tw_validation *validation);
/* The first fault that the schema does not allow; 0: the call fits.  *path is
 * where it is. */
uint32_t tw_validation_refused(const tw_validation *validation,
                               const char **path);

/* What goes out of the arguments in place of such an event, which was seen;
 * NULL: nothing yet. */
const tw_event *tw_validation_pass(tw_validation *validation,
                                   const tw_event *event);

/* The next event that is to be told before others; NULL: there is none. */
const tw_event *tw_validation_take(tw_validation *validation);

#endif
