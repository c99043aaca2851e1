/* SPDX-License-Identifier: MIT
 *
 * What head.c (the head of a call), best.c (the pattern that it is) and walk.c
 * (the parts of one pattern) share.
 */
#ifndef TOOLWIRE_FORMATS_FRAME_HEAD_READER_H
#define TOOLWIRE_FORMATS_FRAME_HEAD_READER_H

#include "formats/frame/frame.h"

/* Words in front of the object, or a name in front of tags. */
enum { TW_HEAD_PROSE = 64 };

/* Roles of markers that are none inside a head. */
enum { TW_HEAD_PLAIN = TW_AT_PLAIN_CALL | TW_AT_PLAIN_END };

typedef struct tw_head_reader {
    tw_frame *state;
    const tw_window *window;
    tw_sink *sink; /* NULL: silent */
    const uint8_t *open;
    size_t size; /* of the open marker */
    tw_head_place place;
    const uint8_t *at;
    const uint8_t *junk; /* words in front of the object, or NULL */
    uint32_t opens; /* the patterns that the marker opens, a bit each; 0: not
                       known yet, or none */
    bool told;      /* something was to be diagnosed */
    bool objects;   /* the body may be an object that a marker ends */
    bool keyed;     /* the object's only key is the name of the call */
    bool lists;     /* the body may be an object or a list of them */
    bool simple;    /* the first pattern is an object that a marker ends */
    bool whole;     /* the marker is the whole opener of some call */
    bool entire;    /* ... to which no other literal is joined */
    bool plain;     /* the marker is text like any other */
    bool cut;       /* the output may end behind it */
    bool odd; /* white space that JSON does not know stands behind the marker:
                 only an object may follow */
    bool line_end; /* a line end follows the marker directly */
    bool first;    /* |at| is the byte behind the marker */
    tw_head head;
} tw_head_reader;

/* The pattern's head from |part| on, at |at|, up to its body, if it is a
 * call's, else to where its hole begins; |written| bytes of its next literals
 * stand in the prompt. */
tw_head tw_head_follow(const tw_head_reader *reader, const tw_pattern *pattern,
                       size_t part, const uint8_t *at, size_t written);
/* Does the word end at |behind|, where it might go on? */
tw_match tw_head_word_ends(const tw_window *window, const uint8_t *behind);
/* Does the marker at |open| begin with the pattern's? */
bool tw_head_opens_with(const tw_pattern *pattern,
                        const tw_head_reader *reader);
/* The patterns with which the marker at |open| begins, a bit for each. */
uint32_t tw_head_opening(const tw_head_reader *reader,
                         const tw_patterns *patterns);
/* The pattern that fits best; while one of them may still fit, that is waited
 * for. */
tw_head tw_head_best(const tw_head_reader *reader,
                     const tw_patterns *patterns);
/* token.c.  A token of the format at |at|, be it a marker there or not,
 * and its |size|. */
tw_match tw_head_token_at(const tw_head_reader *reader, const uint8_t *at,
                          size_t *size);
/* The tag whose name ends at |at| holds a call's name, in which a token
 * stands: the name ends there, and the tag behind all tokens.  NONE: none
 * stands there. */
tw_match tw_head_cut_tag(const tw_head_reader *reader,
                         const tw_pattern *pattern, size_t part,
                         const uint8_t *at, tw_tag *tag);

/* split.c.  Name, id and index that stand in a tag. */
void tw_head_keep_attributes(tw_head *head, const tw_tag *tag);
/* split.c.  Parts the name that |part| of the pattern holds from its index,
 * and from the id that both are; |part| goes behind what was taken.  False: an
 * index is due and missing. */
bool tw_head_split_name(const tw_head_reader *reader,
                        const tw_pattern *pattern, size_t *part,
                        tw_head *head);

#endif
