/* SPDX-License-Identifier: MIT
 *
 * The decoder of all framed formats: the state of one message, read as a
 * description says, and the moves that its parts share.
 *
 * No file calls one that stands above it here:
 *
 *     door.c                what a decoder asks; who reads each mode
 *     text.c, string.c      text and reasoning; text that is a JSON string
 *     ahead.c               only the end of a block tells what it is
 *     section.c, wrapped.c  markers around calls; another format's tag there
 *     unknown.c             what opens as a call does, and is none
 *     between.c, begin.c    between the bodies of a block; its first call
 *     list.c, whole.c       calls that name themselves; a short block
 *     block_call.c, block.c a call in a block; the moves in one
 *     tail.c, pairs.c       where a call is over; what closes what
 *     alone.c               where a call may begin
 *     run.c, channel.c      a run of text; whom a message is addressed to
 *     suffix.c, state.c     markers with a suffix; what a description means
 *     head/                 what stands behind a marker that opens a call
 *     enter.c, facts.c      moves of all parts; facts of patterns
 */
#ifndef TOOLWIRE_FORMATS_FRAME_FRAME_H
#define TOOLWIRE_FORMATS_FRAME_FRAME_H

#include "formats/body/elements/elements.h"
#include "formats/body/gemma/gemma.h"
#include "formats/body/json/json.h"
#include "json/balance.h"
#include "formats/body/python/python.h"
#include "formats/body/raw.h"
#include "formats/body/tagged/tagged.h"
#include "formats/format.h"
#include "formats/description.h"
#include "formats/content.h"

enum tw_frame_mode {
    TW_FRAME_TEXT,
    TW_FRAME_REASONING,
    TW_FRAME_STRING,  /* text that is a JSON string */
    TW_FRAME_BETWEEN, /* inside a block, between bodies */
    TW_FRAME_BODY,    /* inside a body */
    TW_FRAME_SKIP,    /* a malformed call, to its end or the next marker */
    TW_FRAME_TAIL, /* behind arguments between tags: the closes of the call */
    TW_FRAME_BEHIND,  /* behind a call that nothing closes */
    TW_FRAME_ECHO,    /* behind a list that may stand there once more */
    TW_FRAME_SECTION, /* between the calls of a section */
    TW_FRAME_STRAY, /* in a message to a tool, what is no call; what is unread
                     */
    TW_FRAME_ENDED  /* behind a stop marker */
};

enum tw_frame_array {
    TW_FRAME_NO_ARRAY,
    TW_FRAME_IN_ARRAY,
    TW_FRAME_ARRAY_CLOSED
};

/* What stands in front of a text. */
typedef enum tw_behind {
    TW_BEHIND_START,
    TW_BEHIND_NOTHING,
    TW_BEHIND_CALL,
    TW_BEHIND_REASONING
} tw_behind;

/* The markers of calls and sections behind a block that is none, in order. */
enum { TW_FRAME_SEEN = 128 };

typedef struct tw_frame_seen {
    uint64_t from;   /* behind the block's open marker */
    uint64_t until;  /* no other stands in front of this offset */
    bool in_section; /* they were looked for in an open section */
    uint8_t count;
    uint16_t all[TW_FRAME_SEEN]; /* 16 times how far behind |from|, and roles
                                  */
} tw_frame_seen;

/* Whom a message is addressed to, where formats say that. */
enum tw_frame_channel {
    TW_TO_NOBODY, /* no header stands in front */
    TW_TO_USER,
    TW_TO_TOOL,
    TW_TO_TOOL_CALLED /* to a tool, one call of which was read */
};

typedef struct tw_frame {
    tw_memory memory;
    const tw_format *format;
    const tw_description *description; /* the format's, or that with the suffix
                                          that the first marker had */
    struct tw_frame_suffix *suffix;    /* the one learned last, or NULL */
    bool unlearned;                    /* no marker came yet */
    uint64_t sought; /* no marker with a suffix begins in front of there */
    const tw_markers *marks; /* the description's */
    tw_window *window;
    tw_sink *sink;
    tw_decode_options options;
    /* What follows from the description. */
    tw_edges edges[TW_BEHIND_REASONING + 1]; /* what is stripped of text, by
                                                what stands in front of it */
    tw_edges reasoning_edges;
    char end_layout[16];       /* white space in front of the stop */
    bool inside;               /* the output begins inside reasoning */
    bool unmarked;             /* a call may begin without an open marker */
    const tw_pattern *objects; /* the pattern by which objects without an open
                                  marker are read, or NULL */
    bool bare_calls;           /* calls may stand without any marker */
    bool words; /* a call may begin with words alone, where a segment does */
    bool prompted;    /* the prompt may have written the begin of a marker */
    bool inline_tags; /* no line feed stands between the tags of arguments */
    bool indexed;     /* a call begins with its id, `NAME:INDEX` */
    bool simple; /* |objects| is an open marker, the object and a close marker
                  */
    /* The message. */
    uint8_t mode;
    bool may_be_bare; /* nothing but blanks came yet: the open marker of a
                         call may have been stripped */
    bool fresh;       /* neither text nor a call came yet */
    bool at_start;    /* nothing came yet */
    bool thought;     /* reasoning was opened or closed */
    bool edge;        /* a close of reasoning is held at the segment's end */
    bool headless;    /* an open marker in the segment is text: so are its
                         close markers */
    const tw_pattern *wrapper; /* the text's, with markers around; or NULL */
    char outer[32]; /* the name of another format's tag around the calls */
    uint8_t string; /* how far the text that is a string was read */
    bool may_think; /* a repeated reasoning opener is framing here */
    tw_content segment;
    uint64_t plain_until; /* no marker counts in front of this offset */
    tw_frame_seen *seen;  /* NULL: nothing was looked for yet */
    /* The block. */
    const tw_pattern *pattern; /* the call that began */
    uint64_t block;
    bool fence;   /* the object of the call stands in a code fence */
    bool many;    /* many_objects_in_tag was reported */
    bool comma;   /* a comma, or nothing, stands in front of the next call */
    bool swallow; /* half of a doubled brace may follow */
    bool local;   /* the bad element ends by itself: where |balance| says */
    tw_balance *balance; /* NULL: none was needed yet */
    uint8_t array;
    uint32_t elements;
    bool nothing;  /* the one element is an empty list */
    uint8_t inner; /* part of the pattern behind the last inner close that was
                      read */
    tw_open_call call;
    tw_body *body; /* the body under way, or the last one: |json| or one of
                      |others| */
    tw_json_body json;
    tw_body *others;  /* the bodies that were needed so far */
    uint8_t tail;     /* the next part of the pattern behind its body */
    bool tail_closed; /* the close in front of that part was there */
    bool tail_bad;    /* the call is malformed */
    bool in_section;
    uint8_t channel;
    tw_buffer recipient; /* of a message to a tool */
    uint64_t dropped;
    /* A look-ahead: another decoder reads on without making events. */
    struct tw_frame_child *child; /* NULL: none was needed yet */
    bool looking;
    bool look_token;    /* a token opened what is looked at: the close of a
                           call may be missing */
    uint64_t look_from; /* offset at which the look-ahead began */
    size_t look_size;   /* how many bytes the look-ahead has seen */
    size_t look_close; /* 1 + where the look-ahead saw a close of the reasoning
                          in a value of a call that is not whole; 0: nowhere */
    size_t searched;   /* how many bytes were searched for a close marker, in
                          vain */
} tw_frame;

typedef struct tw_frame_child {
    tw_frame *state;
    tw_window window;
    tw_sink sink;
} tw_frame_child;

/* ---- facts.c: what a pattern or a description says ---------------------- */

/* Do the pattern's calls name themselves, NAME(...)? */
bool tw_frame_has_callees(const tw_pattern *pattern);
/* Does a segment begin behind what is held, or did a close of reasoning stand
 * there? */
bool tw_frame_at_edge(const tw_frame *state);
/* The pattern's marker in front of the body, or NULL. */
const tw_part *tw_frame_opener_of(const tw_pattern *pattern);
/* Has a pattern such calls, and no open marker? */
bool tw_frame_has_unmarked(const tw_description *description);
/* A call without an open marker, which list.c does not read; or in a fence. */
bool tw_frame_may_be_bare(const tw_pattern *call);
/* The layout in front of part |part|, or at the pattern's end. */
const char *tw_frame_layout_before(const tw_pattern *pattern, size_t part);
/* Do calls of the format begin with their ids, `NAME:INDEX`? */
bool tw_frame_is_indexed(const tw_description *d);

/* ---- state.c: what a state has of its description ----------------------- */

/* Reads by this description from here on; nothing but text or reasoning is
 * open. */
void tw_frame_use(tw_frame *state, const tw_description *description);
void tw_frame_free_bodies(tw_frame *state);

/* ---- enter.c: the moves of all parts ------------------------------------ */

void tw_frame_diagnose(tw_frame *state, uint32_t code, const uint8_t *at);
/* Releases |size| bytes as framing. */
void tw_frame_framing(tw_frame *state, size_t size);
void tw_frame_enter_text(tw_frame *state, tw_behind behind);
/* Text between markers, behind the first of them. */
void tw_frame_enter_wrapper(tw_frame *state, const tw_pattern *text);
void tw_frame_enter_reasoning(tw_frame *state, bool at_start);
void tw_frame_enter_end(tw_frame *state, size_t size);
/* The text or reasoning under way ends at the window, in front of a call or
 * of anything else. */
void tw_frame_end_segment(tw_frame *state, tw_edge edge);

/* What reads the bodies of a pattern. */
const tw_body_codec *tw_frame_codec_of(const tw_frame *state,
                                       const tw_pattern *pattern);
/* The state of that; without memory for one, which is an error that sticks, it
 * is JSON's, which is always there. */
tw_body *tw_frame_body_of(tw_frame *state, const tw_pattern *pattern);
/* Is a body of that codec under way, or was the last one? */
static inline bool tw_frame_reads(const tw_frame *state,
                                  const tw_body_codec *codec)
{
    return state->body->codec == codec;
}
/* Does the body behind |head| begin at |at|? */
static inline tw_body_opens tw_frame_body_opens(const tw_frame *state,
                                                const tw_body_head *head,
                                                const uint8_t *at)
{
    return tw_frame_codec_of(state, head->pattern)
        ->opens(&state->json.common, head, at);
}
/* Is there what looks for the end of a bad element?  False: no memory. */
bool tw_frame_has_balance(tw_frame *state);
/* A body begins at the window; the call was started. */
void tw_frame_start_body(tw_frame *state, tw_body *body);

/* ---- suffix.c: markers whose suffix the checkpoint decides -------------- */

/* Looks for the first marker, whose suffix is that of all.  Up to what it
 * returns the window may be read; what follows may be a marker. */
const uint8_t *tw_frame_learn(tw_frame *state);
void tw_frame_suffix_free(tw_frame *state);

/* door.c */
extern const tw_decoding tw_frame_decoding;

/* ---- the parts ---------------------------------------------------------- */

tw_step tw_frame_read_text(tw_frame *state);
/* run.c.  Text, from |from| on to where something else may stand. */
tw_step tw_frame_text_run(tw_frame *state, const uint8_t *from);
const uint8_t *tw_frame_advance_text(tw_frame *state, tw_advanced *advanced);

/* What stands behind a marker that may open a call. */
typedef enum tw_head_kind {
    TW_HEAD_NONE, /* no head: the marker is text */
    TW_HEAD_FAR,  /* no head up to |body|, which is as far as bytes are held */
    TW_HEAD_MORE,
    TW_HEAD_CUT,   /* the output ends inside it */
    TW_HEAD_EMPTY, /* the close marker follows the open marker */
    TW_HEAD_WHOLE
} tw_head_kind;

typedef struct tw_head {
    tw_head_kind kind;
    const tw_pattern *pattern;
    const uint8_t *body; /* where the body begins; EMPTY: behind the close
                            marker; FAR, CUT: as far as was looked */
    const uint8_t *name; /* the name, if the pattern has one */
    size_t name_size;
    const uint8_t *id;
    size_t id_size;
    tw_piece server;        /* what stands in {server:}, or nothing */
    const uint8_t *skipped; /* what stands in {skip}, or NULL */
    size_t skipped_size;
    bool indexed;         /* an index stood behind the name */
    const uint8_t *index; /* the digits of that index, or of {index} */
    size_t index_size;
    uint8_t index_kind;  /* the hole that the index filled */
    const uint8_t *last; /* behind the last of several open markers, or NULL */
    bool fence;          /* a code fence stands in front of the object */
    bool loose;          /* the head is not the canonical one */
    uint32_t code;       /* how the tag in the head deviates, or 0 */
    bool unmarked;       /* the marker in front of the body is missing */
    bool closed; /* the tag in the head closes itself: no body follows */
    bool told;   /* with a sink, something is diagnosed */
} tw_head;

/* What stands in front of what may begin. */
typedef enum tw_head_place {
    TW_PLACE_MARKER, /* an open marker, |size| bytes at |open| */
    TW_PLACE_PROMPT, /* the prompt: it has written the open marker's begin */
    TW_PLACE_BARE,   /* nothing: patterns without a marker, and code fences */
    TW_PLACE_EDGE,   /* where a segment begins: patterns of words alone */
    TW_PLACE_SHARED, /* the body of another call of the block */
    TW_PLACE_SECTION /* a section's open marker, or a call of it */
} tw_head_place;

/* The text ends in front of a call that stands there. */
void tw_frame_leave_text(tw_frame *state, tw_head_place place);

/* The head of the call that may begin at |open|.  With |sink|, reports what
 * deviates in it. */
tw_head tw_frame_head_at(tw_frame *state, const uint8_t *open, size_t size,
                         tw_head_place place, tw_sink *sink);
/* Is what stands behind the marker at |open| no head that counts? */
bool tw_frame_is_no_head(const tw_frame *state, const uint8_t *open,
                         tw_head_place place, const tw_head *head);
/* The head of reasoning or text that may open at |open|: it ends where the
 * pattern's hole begins, the layout in front of that aside. */
tw_head tw_frame_opens_at(tw_frame *state, const tw_patterns *patterns,
                          const uint8_t *open, size_t size,
                          tw_head_place place);
/* The marker at |at|.  A word that opens text is none where a name goes on
 * with it: what it begins with may open a call. */
tw_found tw_frame_marker_at(tw_frame *state, const uint8_t *at);
/* The marker at |at| in front of calls.  One that is text like any other opens
 * a call where its head goes on; if |named|, where no string may hold the
 * head, the head has a name. */
tw_found tw_frame_call_marker_at(tw_frame *state, const uint8_t *at,
                                 bool named);

/* wrapped.c.  A tag of another format at |at|, where a text begins: framing if
 * only a call of the format's own stands in it.  DONE: there is none. */
tw_step tw_frame_foreign_tag(tw_frame *state, const uint8_t *at);
/* string.c.  Text that is a JSON string, behind the marker in front. */
tw_step tw_frame_read_string(tw_frame *state);

/* head/split.c.  The name in a head that begins with an id. */
tw_piece tw_frame_name_in(const tw_frame *state, const tw_head *head);
/* A declared tool's name that runs into that of a parameter of its, whose open
 * marker is missing, ends where that begins. */
void tw_frame_part_name(const tw_frame *state, tw_head *head);
/* Names the call that was started: |name|, behind its server's. */
void tw_frame_name_call(tw_frame *state, const tw_head *head, tw_piece name);
/* Decodes the entities of a name, where the format has some in attributes. */
void tw_frame_decode_name(const tw_frame *state, tw_buffer *name);
/* Makes the id of a call of its name and the index in its head, in |id|, which
 * stays empty where the format makes none; false: no memory. */
bool tw_frame_make_id(const tw_frame *state, const tw_head *head,
                      tw_buffer *id);

/* section.c.  A marker that may open a section of calls, |size| bytes at
 * |open|. */
tw_step tw_frame_begin_section(tw_frame *state, const uint8_t *open,
                               size_t size, tw_head_place place);
tw_step tw_frame_read_section(tw_frame *state);
/* tail.c.  A call is over: what stands behind it is text, or the next call of
 * its section. */
void tw_frame_leave_call(tw_frame *state);
/* The closes behind arguments between tags follow: each may be missing, and
 * the last one tells whether the call was closed. */
void tw_frame_start_tail(tw_frame *state, bool bad);
tw_step tw_frame_read_tail(tw_frame *state);
/* A malformed call between tags goes on to a marker, by plain search. */
tw_step tw_frame_skip_tagged(tw_frame *state);
/* A token of text or of thoughts, which no call and no section holds. */
bool tw_frame_is_outside(const tw_found *found);
/* alone.c.  May a call with this head, whose marker is at |open|, stand
 * outside a section, or in text that could hold its marker? */
tw_match tw_frame_may_stand_alone(tw_frame *state, const uint8_t *open,
                                  const tw_head *head);
/* Does a call of its own begin at the marker |found| at |at|, in the open
 * section or alone, whose head |*call| is then, or as the first of one? */
tw_match tw_frame_call_begins(tw_frame *state, const uint8_t *at,
                              const tw_found *found, tw_head *call);
/* pairs.c.  The close of the block that opens as |roles| at |at|: WHOLE, where
 * it begins and its size, and whether a call stands in the block.  One that
 * begins in the block and closes in it is the block's: a value quotes it.
 * Something stands between its close and the block's.  A bad call of a section
 * ends where the section does. */
tw_match tw_frame_find_close(tw_frame *state, const uint8_t *at,
                             unsigned roles, const uint8_t **close,
                             size_t *size, bool *nested);
/* Does the first call or section that was found behind |at| open there? */
bool tw_frame_opens_first(const tw_frame *state, const uint8_t *at);
/* A call or a section opens at the window, in a bad call.  WHOLE: that call
 * quotes it, and all up to its own close was skipped. */
tw_match tw_frame_skip_quoted(tw_frame *state);
/* A message begins, or a look-ahead: no marker was seen. */
void tw_frame_see_nothing(tw_frame *state);
/* No call begins in front of this offset, as far as blocks that are none were
 * searched. */
uint64_t tw_frame_searched_until(const tw_frame *state);
/* begin.c.  A marker that may open a call, |size| bytes at |open|; |known|:
 * its head, or NULL. */
tw_step tw_frame_begin_block(tw_frame *state, const uint8_t *open, size_t size,
                             tw_head_place place, const tw_head *known);
/* channel.c.  A message's header was read, or one ended: NULL. */
void tw_frame_address(tw_frame *state, const tw_head *header);
void tw_frame_check_recipient(tw_frame *state);
/* Is the marker that may open a call or a section quoted, in a text? */
bool tw_frame_is_quoted(const tw_frame *state, const tw_found *found);
/* Is text under way that is nobody's? */
bool tw_frame_is_stray(const tw_frame *state);
tw_step tw_frame_begin_stray(tw_frame *state);
/* What |pattern| calls unread begins with |size| bytes of markers. */
tw_step tw_frame_begin_unread(tw_frame *state, const tw_pattern *pattern,
                              size_t size);
tw_step tw_frame_read_stray(tw_frame *state);

/* unknown.c.  A marker at |at| that opens no call that counts: DONE, it is
 * text; AGAIN: all up to its close was listed. */
tw_step tw_frame_unknown_block(tw_frame *state, const uint8_t *at,
                               const tw_found *found);
/* tw_frame_unknown_block() in an open section, behind |blanks| and |size|
 * bytes of a marker: a call's, which |opened| it, or any text that quotes a
 * call. */
tw_step tw_frame_unknown_call(tw_frame *state, size_t blanks, size_t size,
                              bool opened);
void tw_frame_start_block(tw_frame *state, const tw_pattern *pattern);
tw_step tw_frame_read_between(tw_frame *state);
tw_step tw_frame_read_call(tw_frame *state);
tw_step tw_frame_read_skip(tw_frame *state);
tw_step tw_frame_read_behind(tw_frame *state);

/* A block that is one call as the templates write it, short and whole in
 * view: does what all its steps would.  False: they must. */
bool tw_frame_read_whole(tw_frame *state, const uint8_t *open, size_t size);

/* A block at |at| in open reasoning, opened by a |token| or not; an object at
 * |at| with which the output begins. */
tw_step tw_frame_call_in_reasoning(tw_frame *state, const uint8_t *at,
                                   bool token);
tw_step tw_frame_bare_call(tw_frame *state, const uint8_t *at);
/* A call's or section's open marker in a message to the user. */
tw_step tw_frame_quoted_call(tw_frame *state, const uint8_t *at);

#endif
