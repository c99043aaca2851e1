/* SPDX-License-Identifier: MIT
 *
 * What walk.c and name.c share: one pattern that is being followed.
 */
#ifndef TOOLWIRE_FORMATS_FRAME_HEAD_WAY_H
#define TOOLWIRE_FORMATS_FRAME_HEAD_WAY_H

#include <string.h>

#include "formats/frame/head/reader.h"

/* Where a pattern is being followed, and what was found. */
typedef struct tw_walk {
    const tw_head_reader *reader;
    const tw_pattern *pattern;
    size_t part;
    size_t written; /* bytes of the next literals that the prompt has */
    const uint8_t *at;
    const uint8_t *stop; /* a stop marker in the head, or NULL */
    size_t markers;      /* how many markers of the pattern were passed */
    bool no_word;        /* the name in front of tags has no letter */
    tw_head head;
} tw_walk;

/* The input ends at |at|, or what follows is not there yet. */
static inline tw_head_kind cut(const tw_walk *way)
{
    return way->reader->window->eof ? TW_HEAD_CUT : TW_HEAD_MORE;
}

static inline bool is_tagged(const tw_walk *way, uint8_t kind)
{
    return kind == TW_PATTERN_ARGUMENTS &&
           way->reader->state->description->argument.count > 0;
}

static inline bool has_letter(const uint8_t *name, size_t size)
{
    bool found = false;
    for (size_t i = 0; i < size; i++) {
        found |= strchr("-.:/", name[i]) == NULL;
    }
    return found;
}

/* JSON in place of tags: its bracket must be there. */
static inline bool is_beside_tags(const tw_walk *way)
{
    return tw_pattern_hole(way->pattern)->kind == TW_PATTERN_JSON_ARGUMENTS &&
           way->reader->state->description->argument.count > 0;
}

static inline bool is_gemma(const tw_walk *way)
{
    return tw_pattern_hole(way->pattern)->kind == TW_PATTERN_GEMMA;
}

/* White space stands in Gemma's head, which is one word. */
static inline void set_loose(tw_walk *way)
{
    way->head.loose = true;
    way->head.code = TW_DIAGNOSTIC_LOOSE_HEAD;
}

/* name.c.  The name that {name} stands for; one in a tag reaches to its
 * `>`. */
tw_head_kind tw_walk_name(tw_walk *way);
tw_head_kind tw_walk_tag_name(tw_walk *way);

/* A stop marker cuts a head as the end of output does. */
tw_head_kind tw_walk_stop_at(tw_walk *way, const uint8_t *at);

#endif
