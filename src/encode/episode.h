/* SPDX-License-Identifier: MIT
 *
 * A conversation that goes on turn by turn: its messages, and those of them
 * that say how a template writes the next ones.
 *
 * A template looks at what instructs it, at the last question, and at what
 * stands behind that; there turns of one kind are written alike, so that the
 * last one of each kind stands for all.  Whether that is so is tried
 * (tw_episode_is_tried()), not believed.
 */
#ifndef TOOLWIRE_ENCODE_EPISODE_H
#define TOOLWIRE_ENCODE_EPISODE_H

#include "messages/conversation.h"

typedef struct tw_episode {
    tw_tree tree;      /* all records */
    tw_value *request; /* the first one; NULL: there is none */
    tw_buffer all;     /* tw_value *: its messages and all new ones */
    tw_buffer kept;    /* ... and those that say what the next look like */
    uint32_t left;     /* ... the others' kinds, a bit for each ... */
    bool is_new;       /* ... the last turn brought one */
    uint64_t tried;    /* turns of what kinds were tried, a bit for each */
    size_t turns;      /* of the model's that were taken */
    bool whole;        /* the template looks at more than those */
} tw_episode;

void tw_episode_init(tw_episode *episode, const tw_memory *memory);
void tw_episode_free(tw_episode *episode);

/* Begins with a request, which is of the tree. */
void tw_episode_begin(tw_episode *episode, tw_value *request);
/* Takes the |added| messages, values of its tree, which the conversation ends
 * with.  False: no memory, and nothing has changed. */
bool tw_episode_take(tw_episode *episode, const tw_conversation *conversation,
                     const tw_buffer *added);
/* Is turn |own| of the conversation, counted from 1, written behind all
 * messages and behind those that were kept, to compare?  It is where the first
 * of a kind was left out, where the first turn of a kind and with such an end
 * of the conversation comes, and at each doubling of the turns, which costs a
 * constant for each of them. */
bool tw_episode_is_tried(tw_episode *episode,
                         const tw_conversation *conversation, size_t own);
/* What the next turn stands behind. */
const tw_buffer *tw_episode_before(const tw_episode *episode);

#endif
