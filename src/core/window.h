/* SPDX-License-Identifier: MIT
 *
 * The window: the bytes that a format may look at, in one piece.
 *
 * A format looks at [at, limit) and releases bytes with tw_window_skip(); it
 * never sees a released byte again.  Where it cannot decide without more
 * bytes, it changes nothing and asks for more.  The driver then extends the
 * window, and the same place is looked at again: what a format does depends
 * on the bytes from |at| on and on |eof|, never on where a chunk ended, and
 * this is why any cut of the input gives the same events.
 *
 * The caller's chunk is looked at in place.  Only what a format could not
 * decide before the chunk ended (half a marker, a look-ahead) is copied into
 * |hold|; it is put in front of the first bytes of the next chunk, until all
 * of it is released.
 */
#ifndef TOOLWIRE_CORE_WINDOW_H
#define TOOLWIRE_CORE_WINDOW_H

#include "core/memory.h"

typedef struct tw_mark_run {
    uint64_t offset; /* of its first byte */
    tw_mark mark;
} tw_mark_run;

/* Does something stand at a place of a window? */
typedef enum tw_match {
    TW_MATCH_NONE,
    TW_MATCH_CUT,  /* the input ends in it */
    TW_MATCH_MORE, /* not decided before the window's end */
    TW_MATCH_WHOLE
} tw_match;

static inline tw_match tw_match_if(bool yes)
{
    return yes ? TW_MATCH_WHOLE : TW_MATCH_NONE;
}

typedef struct tw_window {
    const uint8_t *at;    /* the first byte that is not released */
    const uint8_t *limit; /* behind the last byte in view */
    uint64_t offset;      /* where |at| stands in the input */
    bool eof;             /* no byte will ever follow |limit| */
    bool stopped;         /* ... and no token limit is why: a stop marker
                             counts as if it stood there ... */
    bool surely;          /* ... even inside what is open */

    bool finished;        /* the caller said that no chunk follows ... */
    bool stops;           /* ... and that no token limit is why ... */
    bool says_stop;       /* ... because the model stopped by itself */
    const uint8_t *chunk; /* the caller's bytes not yet in view */
    const uint8_t *chunk_end;
    tw_buffer hold;
    bool in_hold;       /* [at, limit) lies in |hold| */
    size_t borrowed;    /* bytes at the end of |hold| that also stand
                           in front of |chunk| */
    tw_buffer marks;    /* tw_mark_run, sorted; empty: all UNKNOWN */
    tw_mark mark;       /* of the bytes fed last */
    uint64_t marked_at; /* the first byte of which the caller said what it is,
                           CONTROL or TEXT; UINT64_MAX: none */
    uint64_t control_at; /* the last bytes of which it said CONTROL;
                            UINT64_MAX: none */
    const struct tw_window
        *marked_by;   /* whose marks hold here, too: that
                         of which this is a view; NULL: none */
    uint8_t last;     /* of the token that passed in a steady state last */
    tw_buffer record; /* write-only copy of what is released */
    bool recording;
    bool record_failed; /* there was no memory for it */
    bool record_full;   /* it passed |record_limit|: no copy is kept */
    size_t record_limit;
    const tw_memory *memory;
} tw_window;

void tw_window_init(tw_window *window, const tw_memory *memory);
void tw_window_free(tw_window *window);
void tw_window_reset(tw_window *window);

/* The next chunk, behind bytes that are held or under another mark than the
 * last one; of the last one nothing may be left.  False: no memory. */
bool tw_window_feed_behind(tw_window *window, const uint8_t *data, size_t size,
                           tw_mark mark);
/* Brings more into view.  1: there is more, or |eof| was set; 0: not before
 * the next chunk; -1: no memory.  Moves the bytes: no event may point to
 * them. */
int tw_window_extend(tw_window *window);
/* Copies |size| bytes that are released next, or were last. */
void tw_window_copy_record(tw_window *window, const uint8_t *from,
                           size_t size);
/* Goes back to the caller's chunk when the held bytes are released. */
void tw_window_leave_hold(tw_window *window);

/* Did the caller say that there is no marker in the |size| bytes at |from|? */
bool tw_window_is_marked_text(const tw_window *window, const uint8_t *from,
                              size_t size);

/* From here on, released bytes are copied to |record|, up to |limit|. */
void tw_window_record(tw_window *window, size_t limit);

/* What one step delivers is bounded, since each of its bytes may make an
 * event: the end of what it looks at from |from| on.  No code point is cut. */
const uint8_t *tw_window_reach(const tw_window *window, const uint8_t *from);

/* Did the caller say of any bytes what they are?  Then what looks like a
 * marker may be text. */
static inline bool tw_window_is_marked(const tw_window *window)
{
    return window->marks.size > 0 || window->marked_by != NULL;
}

/* Did the caller say what any byte in front of |at| is?  Then a marker that
 * does not stand there was not stripped: it was never there. */
static inline bool tw_window_is_known(const tw_window *window,
                                      const uint8_t *at)
{
    const tw_window *fed =
        window->marked_by != NULL ? window->marked_by : window;
    return fed->marked_at < window->offset + (uint64_t)(at - window->at);
}

static inline size_t tw_window_size(const tw_window *window)
{
    return (size_t)(window->limit - window->at);
}

/* Releases |size| bytes. */
static inline void tw_window_skip(tw_window *window, size_t size)
{
    if (window->recording) {
        tw_window_copy_record(window, window->at, size);
    }
    window->at += size;
    window->offset += size;
}

/* Releases all of a token that is passed in a steady state. */
static inline void tw_window_pass(tw_window *window)
{
    window->last = window->limit[-1];
    window->offset += tw_window_size(window);
    window->at = window->limit;
}

/* The next chunk, of at least one byte, behind none that are held and under
 * the mark of the last one. */
static inline void tw_window_show(tw_window *window, const uint8_t *data,
                                  size_t size)
{
    window->at = data;
    window->limit = window->chunk = window->chunk_end = data + size;
}

/* Feeds a window that may hold bytes.  CONTROL counts as UNKNOWN. */
static inline bool tw_window_feed(tw_window *window, const uint8_t *data,
                                  size_t size, tw_mark mark)
{
    mark = mark == TW_MARK_TEXT ? TW_MARK_TEXT : TW_MARK_UNKNOWN;
    if (window->hold.size > 0 || mark != window->mark) {
        return size == 0 || tw_window_feed_behind(window, data, size, mark);
    }
    if (size > 0) {
        tw_window_show(window, data, size);
    }
    return true;
}

static inline void tw_window_settle(tw_window *window)
{
    if (window->in_hold) {
        tw_window_leave_hold(window);
    }
}

/* Everything that was fed is released. */
static inline bool tw_window_is_drained(const tw_window *window)
{
    return window->at == window->limit && window->chunk == window->chunk_end &&
           !window->in_hold;
}

static inline uint64_t tw_window_offset(const tw_window *window,
                                        const uint8_t *from)
{
    return window->offset + (uint64_t)(from - window->at);
}

/* Did the caller say that a marker stands at |at|?  Of the last one alone that
 * is known. */
static inline bool tw_window_is_control(const tw_window *window,
                                        const uint8_t *at)
{
    return window->control_at == tw_window_offset(window, at);
}

#endif
