/* SPDX-License-Identifier: MIT
 *
 * A case put to another parser in several ways.
 */
#ifndef TOOLWIRE_KIT_TRIAL_H
#define TOOLWIRE_KIT_TRIAL_H

#include "kit/make/cases.h"
#include "kit/ask/peer.h"

/* Of a question on which something was wrong. */
typedef struct kit_evidence {
    tw_buffer line;  /* what was sent */
    tw_buffer got;   /* what was answered, a line without its end */
    tw_buffer whole; /* the answer to the uncut wire */
    char ended[24];  /* how the command ended if it did, else empty */
} kit_evidence;

/* The whole wire, and the same cut. */
enum { KIT_WHOLE, KIT_CUT, KIT_WAYS };

typedef struct kit_trial {
    kit_maker *maker;
    kit_peer *peer;
    const tw_memory *memory;
    unsigned long long questions;
    char id[KIT_ID + 24]; /* of the last question */
    tw_json_out line;     /* what was sent last */
    tw_buffer got;        /* what was answered last */
    tw_buffer whole;      /* the answer to the whole wire, in words ... */
    tw_tree first;        /* ... and read */
    tw_tree other;        /* the answer to one that was cut */
    tw_tree scratch;      /* messages are read into it */
    char ended[24];       /* how the command ended if it did, else empty */
    char why_text[96];    /* |why|, where it is made of parts */
    int64_t usual;        /* milliseconds: the longest that an answer took */
    bool hasty;           /* what hangs is asked once, and not for long */
    int hangs;            /* while it is made smaller */
    int hung;             /* in all, but for those */
    kit_evidence evidence[KIT_WAYS]; /* of the last case that was put */
    kit_findings findings;           /* what is wrong with it */
    uint8_t ways[KIT_FOUND];         /* on which evidence */
    bool skipped;  /* the parser does not read what was asked */
    bool declined; /* it is an error, and that is fine */
    bool exact;    /* the answer is the message itself */
    bool failed;   /* it cannot go on: |why| */
    const char *why;
} kit_trial;

void kit_trial_init(kit_trial *trial, kit_maker *maker, kit_peer *peer,
                    const tw_memory *memory);
void kit_trial_free(kit_trial *trial);
/* Puts the case: whole, cut behind tokens, by its cuts, byte by byte.  Is
 * anything wrong?  |findings| says what. */
bool kit_try(kit_trial *trial, kit_case *one);
/* Puts the case with its wire cut at |at| alone: does the answer differ? */
bool kit_try_cut(kit_trial *trial, kit_case *one, size_t at);
/* Puts long arguments, each twice as long as the one before: does the time
 * grow much faster?  |number| is that of the case. */
void kit_try_times(kit_trial *trial, uint64_t number);
/* Asks which formats are read: the answer's member is `formats`, which lives
 * until the next question.  NULL: there is none. */
const tw_value *kit_ask_formats(kit_trial *trial);
/* The test cannot go on. */
void kit_give_up(kit_trial *trial, const char *why);

#endif
