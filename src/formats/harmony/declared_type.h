/* SPDX-License-Identifier: MIT
 *
 * TypeScript on its way back to functions, shared by declared.c
 * (functions and the parts of schemas) and declared_type.c (types and
 * comments).
 */
#ifndef TOOLWIRE_FORMATS_HARMONY_DECLARED_TYPE_H
#define TOOLWIRE_FORMATS_HARMONY_DECLARED_TYPE_H

#include <string.h>

#include "formats/harmony/prompt.h"

/* ---- text with an end ---- */

static inline bool tw_cursor_begins(tw_cursor cursor, const char *words)
{
    return tw_cursor_skip(&cursor, words);
}

static inline tw_cursor tw_cursor_line(tw_cursor cursor)
{
    const char *feed = memchr(cursor.at, '\n', tw_cursor_size(cursor));
    cursor.end = feed != NULL ? feed : cursor.end;
    return cursor;
}

static inline void tw_cursor_skip_line(tw_cursor *cursor)
{
    const tw_cursor line = tw_cursor_line(*cursor);
    cursor->at = line.end < cursor->end ? line.end + 1 : cursor->end;
}

static inline size_t tw_cursor_skip_ws(tw_cursor *cursor)
{
    const char *from = cursor->at;
    while (cursor->at < cursor->end && *cursor->at == ' ') {
        cursor->at++;
    }
    return (size_t)(cursor->at - from);
}

/* What stands above a property. */
typedef struct tw_comments {
    tw_cursor title;
    tw_cursor about;
    tw_cursor examples; /* lines */
    tw_cursor value;    /* a default */
} tw_comments;

typedef enum tw_open_kind { TW_OPEN_MEMBERS, TW_OPEN_VARIANTS } tw_open_kind;

/* A schema of parts that is under way. */
typedef struct tw_open_type {
    tw_open_kind kind;
    size_t begin;      /* of its members in |out| */
    size_t required;   /* of its names in |required| */
    size_t indent;     /* variants of openai/harmony: of their lines */
    bool described;    /* members: it says itself what it is */
    bool some;         /* it has a part */
    bool more;         /* variants of the chat template: another one follows */
    tw_comments above; /* members: of the property under way */
} tw_open_type;

typedef struct tw_declared {
    bool renderer;
    tw_cursor cursor;
    tw_json_out *out;
    tw_json_out required; /* names, a comma behind each */
    tw_buffer open;       /* tw_open_type, the outermost first */
    /* Of the last type. */
    size_t begin;
    bool described;
    bool raw; /* a default of it stands there as it is */
} tw_declared;

/* ---- declared_type.c ---- */

/* The key of another member of the object that is under way. */
void tw_declared_put_key(tw_declared *state, const char *key);
void tw_declared_put_text(tw_declared *state, const char *key, tw_cursor text);
/* The default of the last type. */
void tw_declared_put_default(tw_declared *state, tw_cursor text);
/* Puts |words| |count| times in front of what stands behind |at|. */
void tw_declared_insert(tw_declared *state, size_t at, const char *words,
                        size_t count);

/* The lines in front of a property, and what they say. */
tw_comments tw_declared_comments(tw_declared *state);
void tw_declared_put_comments(tw_declared *state, const tw_comments *above);

/* The innermost open schema; NULL: none.  It lives until one is opened. */
tw_open_type *tw_declared_top(const tw_declared *state);
/* NULL: too deep, or no memory. */
tw_open_type *tw_declared_push(tw_declared *state, tw_open_kind kind,
                               size_t begin);
/* The type that is open is the last one's, and over. */
void tw_declared_pop(tw_declared *state);

/* A word, an enum, or the opening of parts; false: it is none. */
bool tw_declared_type(tw_declared *state);
/* `[]` and `| null`, which are said of all in front of them. */
bool tw_declared_suffixes(tw_declared *state);

#endif
