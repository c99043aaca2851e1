/* SPDX-License-Identifier: MIT
 *
 * Whose the bytes of a prompt are, and which of them the model would have
 * sampled.
 */
#ifndef TOOLWIRE_TEMPLATE_SPANS_H
#define TOOLWIRE_TEMPLATE_SPANS_H

#include "messages/segments.h"
#include "template/loaded.h"

typedef struct tw_spans {
    tw_buffer list;    /* tw_span, of what was made last */
    tw_buffer atoms;   /* data of messages and tools */
    tw_buffer tokens;  /* tw_generated: special tokens that were given */
    tw_buffer pieces;  /* what the list is made of */
    tw_buffer sampled; /* tw_generated */
    tw_buffer prompt;  /* a shorter one */
    tw_buffer usual;   /* the first generation prompt that was found */
    tw_rendering trial;
} tw_spans;

void tw_spans_init(tw_spans *spans, const struct tw_template *template_);
/* Of prompts that no template wrote; for the functions of a tw_last_turn alone. */
void tw_spans_init_plain(tw_spans *spans, const tw_memory *memory);
void tw_spans_free(tw_spans *spans);

/* What of that a trainer takes. */
typedef struct tw_sampling {
    bool last;         /* the last turn alone */
    bool no_reasoning; /* all but reasoning */
    bool by_weight;    /* no message whose `weight` is 0 */
} tw_sampling;

/* What spans are of. */
typedef struct tw_prompt {
    const struct tw_template *template_;
    const tw_conversation *conversation;
    const tw_segments *segments; /* its markers, and its text with breaks */
    const tw_buffer *text;       /* ... as it was written */
    const tw_buffer *runs;       /* tw_run */
    const tw_buffer *turns;      /* tw_turn_mark */
    const tw_buffer *generated;  /* tw_generated */
    tw_sampling sampling;
    int64_t now;        /* that the template shows */
    const char *format; /* that it is told of, or NULL */
    tw_numbers numbers;
} tw_prompt;

/* Fills |list|.  TW_OK, LIMIT or MEMORY. */
int tw_spans_make(tw_spans *spans, const tw_prompt *prompt);

/* The turn of the last message, in a prompt that ends with it. */
typedef struct tw_last_turn {
    size_t begin; /* behind its generation prompt */
    size_t data;  /* its last data end here; where it has none it begins */
    size_t end;   /* ... and the loop through the messages */
} tw_last_turn;

/* The turn begins at |from|; data from |limit| on are of others.  TW_OK or
 * MEMORY. */
int tw_turn_find_data(tw_spans *spans, const tw_prompt *prompt, size_t from,
                      size_t limit, tw_last_turn *turn);
/* The stop of the turn, as far as that stands before |limit|; empty: it has
 * none. */
tw_generated tw_turn_stop(tw_spans *spans, const tw_prompt *prompt,
                          const tw_last_turn *turn, size_t limit);

#endif
