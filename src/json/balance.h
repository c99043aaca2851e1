/* SPDX-License-Identifier: MIT
 *
 * Where an element of a list ends that is no good JSON: its brackets balance
 * there, outside of its strings.  Nothing tells where a string ends behind
 * which JSON could not go on: such an element has no end of its own.
 */
#ifndef TOOLWIRE_JSON_BALANCE_H
#define TOOLWIRE_JSON_BALANCE_H

#include "json/machine.h"

enum { TW_BALANCE_DEPTH = 256 };

typedef struct tw_balance {
    uint8_t closers[TW_BALANCE_DEPTH]; /* of the brackets that are open */
    size_t depth;
    uint8_t quote; /* of the string that is open, or 0 */
    uint8_t last;  /* the last byte that is no white space */
    bool escaped;  /* a backslash stands in front, in a string */
    bool flat;     /* no bracket began it: a comma or a bracket ends it */
} tw_balance;

typedef enum tw_balanced {
    TW_BALANCE_OPEN,
    TW_BALANCE_ENDED, /* an object ends behind its bracket, any other element
                         in front of the comma or bracket */
    TW_BALANCE_LOST
} tw_balanced;

/* At the first byte of an element that is no object. */
void tw_balance_start(tw_balance *its);
/* Where the machine came upon an error in an object.  False: that is lost. */
bool tw_balance_go_on(tw_balance *its, const tw_json *json);
/* From |*at| on, which moves. */
tw_balanced tw_balance_run(tw_balance *its, const uint8_t **at,
                           const uint8_t *limit);

#endif
