/* SPDX-License-Identifier: MIT
 *
 * Is a parser's answer one that a case accepts, and if not, what differs?
 */
#ifndef TOOLWIRE_KIT_JUDGE_H
#define TOOLWIRE_KIT_JUDGE_H

#include "json/tree.h"

typedef enum kit_verdict {
    KIT_FINE,
    KIT_REFUSED, /* an error for what is legal */
    KIT_HANG,
    KIT_CRASH,
    KIT_SPLIT_VARIANCE,
    KIT_LOST_BYTES,  /* text or calls that are not there */
    KIT_FORGED_CALL, /* a call that nobody made */
    KIT_WRONG_ARGUMENTS,
    KIT_INVALID_JSON,
    KIT_PROTOCOL_ERROR, /* neither a message nor an error */
    KIT_WRONG_ID,       /* two calls have one, or it is empty */
    KIT_WRONG_FINISH,   /* the finish_reason is another */
    KIT_SLOW,           /* time grows faster than the wire */
    KIT_VERDICTS
} kit_verdict;

/* Which answers are fine, besides the message itself. */
typedef enum kit_accept {
    KIT_EXACT,     /* none */
    KIT_OR_LESS,   /* fewer calls: those that are given are right */
    KIT_PREFIX,    /* the first of the calls, and more text than is due */
    KIT_NO_FORGERY /* any, as long as no call is made up */
} kit_accept;

enum { KIT_WHAT = 48, KIT_FOUND = 6 };

/* Of a PREFIX: what is there in front of the cut. */
typedef struct kit_due {
    size_t calls;     /* so many are whole, each with a marker behind it */
    tw_buffer spoken; /* a message with the text and the reasoning that end in
                         front of it, as JSON; empty: neither is known */
} kit_due;

/* Findings that are alike differ in nothing here. */
typedef struct kit_finding {
    kit_verdict verdict;
    char what[KIT_WHAT]; /* differs, in words: "arguments: a number became a
                            string" */
} kit_finding;

typedef struct kit_findings {
    kit_finding all[KIT_FOUND]; /* no two are the same; more are not kept */
    size_t count;
} kit_findings;

const char *kit_verdict_name(kit_verdict verdict);
/* KIT_VERDICTS: there is no such verdict. */
kit_verdict kit_verdict_find(const char *name, size_t size);

void kit_find(kit_findings *findings, kit_verdict verdict, const char *part,
              const char *what);
bool kit_has_found(const kit_findings *findings, const kit_finding *one);

/* Is the answer {"id","message":{...}}, {"id","error"} or {"id","skip"}? */
bool kit_is_answer(const tw_value *answer);
/* Does the answer say that the parser was not asked? */
bool kit_is_skip(const tw_value *answer);
/* Is the answer an error? */
bool kit_is_error(const tw_value *answer);
/* Adds what is wrong with an answer to what means |message|, an assistant's
 * message as JSON, or empty: it is not known.  |due|: of a PREFIX, else it is
 * not looked at.  False: no memory. */
bool kit_judge(kit_findings *findings, kit_accept accept, const kit_due *due,
               const tw_buffer *message, const tw_value *answer,
               const tw_memory *memory);
/* Adds what is wrong with the ids of an answer's calls, and with its
 * finish_reason, where it has these.  |cut|: the output ended early. */
void kit_judge_server(kit_findings *findings, const tw_value *answer,
                      bool cut);
/* Adds how the answer to a wire that was cut differs from that to the whole
 * wire. */
void kit_compare(kit_findings *findings, const tw_value *whole,
                 const tw_value *cut);

#endif
