/* SPDX-License-Identifier: MIT
 *
 * Is a parser's answer one that a case accepts?
 */
#ifndef TOOLWIRE_KIT_JUDGE_H
#define TOOLWIRE_KIT_JUDGE_H

#include "kit/cases.h"

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
    KIT_VERDICTS
} kit_verdict;

const char *kit_verdict_name(kit_verdict);

/* Is it {"id","message":{...}} or {"id","error"}? */
bool kit_is_answer(const tw_value *answer);
/* Of what is an answer.  KIT_VERDICTS: no memory. */
kit_verdict kit_judge(const kit_case *, const tw_value *answer,
                      const tw_memory *);
/* Two answers of the same bytes that were cut in another way. */
bool kit_same_answer(const tw_value *, const tw_value *);

#endif
