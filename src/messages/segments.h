/* SPDX-License-Identifier: MIT
 *
 * The prompt under way.  An encoder puts words of its template and data of
 * the request; where each byte came from is remembered, and so a marker that
 * data make, alone or together with what stands beside them, is found when
 * all is written.
 *
 * Nothing here returns an error: the first one sticks, what follows is
 * ignored, and tw_segments_end() tells.
 */
#ifndef TOOLWIRE_MESSAGES_SEGMENTS_H
#define TOOLWIRE_MESSAGES_SEGMENTS_H

#include "json/dump.h"
#include "messages/losses.h"

/* U+200B, which stands in text that would be a marker, where it is to be
 * broken. */
#define TW_BREAK "\xE2\x80\x8B"

/* Where bytes come from: [begin, end) are those from |from| on of the text (or
 * key) of |of|.  What no run covers is the template's. */
typedef struct tw_run {
    size_t begin;
    size_t end;
    const tw_value *of;
    uint64_t from; /* TW_RUN_KEY is added for a key */
} tw_run;

#define TW_RUN_KEY (UINT64_C(1) << 63)

typedef struct tw_segments {
    const tw_memory *memory;
    const tw_marker *markers;
    size_t marker_count;
    bool leads[256];       /* what markers begin with */
    uint8_t lead;          /* one of these bytes */
    bool many_leads;       /* ... of several */
    size_t longest;        /* marker's size */
    uint32_t control_text; /* tw_control_text */
    bool python_numbers;
    tw_buffer text;
    tw_buffer runs;   /* tw_run: which parts of |text| are data */
    tw_losses losses; /* and template defects, broken markers */
    size_t given;     /* bytes of |text| that tw_segments_next() gave */
    size_t next_run;  /* ... and the runs in them */
    /* The first error. */
    int32_t code;
    const char *message;
    const tw_value *where; /* NULL: nowhere in particular */
    uint64_t offset;       /* in the string |where| */
} tw_segments;

/* Plain words, such as `functools`, are no markers by their looks: whether
 * they stand for a call, what stands behind them says.  Nor are brackets
 * alone, beside a marker that is a token.  Text may hold these. */
bool tw_marker_is_plain(const tw_marker *marker);

void tw_segments_init(tw_segments *segments, const tw_memory *memory,
                      const tw_marker *markers, size_t marker_count);
void tw_segments_free(tw_segments *segments);
void tw_segments_reset(tw_segments *segments);

/* ---- words of the template ---------------------------------------------- */

void tw_out_words(tw_segments *segments, const char *words, size_t size);

/* Inline for the sake of literals, whose size is known then. */
static inline void tw_out(tw_segments *segments, const char *words)
{
    const size_t size = strlen(words);
    tw_buffer *text = &segments->text;
    if (segments->code != TW_OK || text->capacity - text->size <= size) {
        tw_out_words(segments, words, size);
        return;
    }
    memcpy(text->data + text->size, words, size);
    text->size += size;
}

/* ---- data: |of| is the value whose text (or key) is put ---------------- */

/* |size| bytes that stand at |from| in its text. */
void tw_out_part(tw_segments *segments, const tw_value *of, const char *data,
                 size_t size, size_t from);
/* All of a string; of a number its spelling or what Python makes of it. */
void tw_out_text(tw_segments *segments, const tw_value *of);
/* Without the blanks around it, as Python's strip() takes them away. */
void tw_out_stripped(tw_segments *segments, const tw_value *of);
void tw_out_key(tw_segments *segments, const tw_value *member);

/* ---- data as JSON: a marker in it is escaped ---------------------------- */

/* As Python's json.dumps(ensure_ascii=False) writes it. */
void tw_out_json(tw_segments *segments, const tw_value *value);
/* A value as JSON laid out otherwise, or as a Python literal. */
void tw_out_value(tw_segments *segments, const tw_value *value,
                  const tw_dump_style *style);
/* |data| as a JSON string. */
void tw_out_json_string(tw_segments *segments, const tw_value *of,
                        const char *data, size_t size);
/* A string whose text is JSON: that text. */
void tw_out_json_text(tw_segments *segments, const tw_value *of);

/* ---- what is written elsewhere ------------------------------------------ */

/* Takes text whose runs are known. */
void tw_out_runs(tw_segments *segments, const void *data, size_t size,
                 const tw_run *runs, size_t count);
/* The first marker in [from, limit), whose size *size is; NULL: there is none.
 */
const char *tw_segments_marker(const tw_segments *segments, const char *from,
                               const char *limit, size_t *size);

/* ---- going back --------------------------------------------------------- */

typedef struct tw_place {
    size_t text;
    size_t runs;
    size_t reports;
} tw_place;

tw_place tw_segments_place(const tw_segments *segments);
/* Takes back what was put and reported behind |place|. */
void tw_segments_back(tw_segments *segments, tw_place place);

/* ---- errors and reports ------------------------------------------------- */

void tw_segments_refuse(tw_segments *segments, int32_t code,
                        const tw_value *where, uint64_t offset,
                        const char *message);
/* |code| is of TW_LOSSES. */
void tw_segments_report(tw_segments *segments, uint32_t code,
                        const tw_value *where, const char *message);
/* `messages[1].content`, appended; false: no memory. */
bool tw_value_path(tw_buffer *out, const tw_memory *memory,
                   const tw_value *value);

/* ---- the end ------------------------------------------------------------ */

/* All is written: looks for markers that data made.  The first error. */
int32_t tw_segments_end(tw_segments *segments);
/* Places in what was written become those in the text with its breaks; they
 * are asked for in order. */
typedef struct tw_breaks {
    const tw_buffer *broken; /* the text with breaks */
    const char *text;        /* as it was written */
    size_t size;
    size_t at;   /* how far it was looked through ... */
    size_t more; /* ... and how many bytes of breaks stand before */
} tw_breaks;

size_t tw_breaks_place(tw_breaks *done, size_t at);

/* The next segment: a marker of the template, or all text up to the next
 * one.  false: there is none. */
bool tw_segments_next(tw_segments *segments, bool *control, const char **data,
                      size_t *size);

#endif
