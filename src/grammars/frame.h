/* SPDX-License-Identifier: MIT
 *
 * What the parts of a message share: how it is opened, what free text does not
 * hold, how it ends.
 */
#ifndef TOOLWIRE_GRAMMARS_FRAME_H
#define TOOLWIRE_GRAMMARS_FRAME_H

#include "grammars/make.h"

/* What a message is made of. */
typedef struct tw_grammar_frame {
    tw_grammar_calls calls[TW_PATTERNS_MOST];
    size_t count;
    uint32_t free;                    /* what text and reasoning do not hold */
    uint32_t rests[TW_PATTERNS_MOST]; /* rules of the calls */
    uint32_t end;                     /* the rule of what stands behind them */
    bool first;  /* nothing stands before what is being made */
    bool marked; /* all calls have something that opens them */
    bool starts_inside;
    bool none; /* no calls */
    bool due;  /* at least one */
} tw_grammar_frame;

/* The first pattern that is written, or NULL. */
static inline const tw_pattern *
tw_grammar_canonical(const tw_patterns *patterns)
{
    return patterns->count > 0 && !patterns->all[0].loose ? patterns->all
                                                          : NULL;
}

/* ---- forbid.c ----------------------------------------------------------- */

/* Makes what text and reasoning do not hold, and values between tags. */
void tw_grammar_find_free(tw_grammar_maker *maker, tw_grammar_frame *all);
void tw_grammar_find_tags(tw_grammar_maker *maker);

/* ---- opening.c ---------------------------------------------------------- */

/* How much of |words|, which begin a message, the format's prompt ends with.
 */
size_t tw_grammar_written(const tw_grammar_maker *maker, const char *words,
                          size_t size);
/* Words that begin something, with their layout |front|, which may be missing.
 * |first|: what the prompt has of them may be, too. */
uint32_t tw_grammar_opener(tw_grammar_maker *maker,
                           const tw_grammar_frame *all, const char *front,
                           const char *words, size_t size, bool first);
/* The first character of a text that is no call, which nothing marks. */
uint32_t tw_grammar_plain_first(tw_grammar_maker *maker, uint32_t free);
/* Free text up to and with |words|; not |marked|: it does not begin as calls
 * do. */
uint32_t tw_grammar_text_to(tw_grammar_maker *maker, uint32_t free,
                            const char *words, size_t size, bool marked);
/* Parts [from, to) of a pattern, of which only words are written. */
uint32_t tw_grammar_parts(tw_grammar_maker *maker, const tw_pattern *pattern,
                          size_t from, size_t to);
/* The words of a pattern up to its hole; |begins|: they begin the message. */
uint32_t tw_grammar_front(tw_grammar_maker *maker, const tw_grammar_frame *all,
                          const tw_pattern *pattern, bool begins);

/* ---- ending.c ----------------------------------------------------------- */

/* |words| without white space around them, or a stop; 0: there is neither. */
uint32_t tw_grammar_stops(tw_grammar_maker *maker, const char *words);
/* The white space behind the last word. */
const char *tw_grammar_tail(const char *words);
bool tw_grammar_is_stop(const tw_grammar_maker *maker, const tw_part *close);
/* Behind calls; 0: nothing may stand there. */
uint32_t tw_grammar_end_of_calls(tw_grammar_maker *maker);
/* Behind calls, where text may stand. */
uint32_t tw_grammar_text_behind(tw_grammar_maker *maker,
                                const tw_grammar_frame *all);
/* Adds text that is the last of its message, with what ends it. */
void tw_grammar_add_last_text(tw_grammar_maker *maker, uint32_t choice,
                              uint32_t free, bool marked);

#endif
