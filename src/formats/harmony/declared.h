/* SPDX-License-Identifier: MIT
 *
 * TypeScript on its way back to functions, shared by harmony_declared.c
 * (functions and the parts of schemas) and harmony_declared_type.c (types and
 * comments).
 */
#ifndef TOOLWIRE_FORMATS_HARMONY_DECLARED_H
#define TOOLWIRE_FORMATS_HARMONY_DECLARED_H

#include <string.h>

#include "formats/harmony/encode.h"

/* ---- text with an end ---- */

static inline size_t tw_rest_size(tw_rest rest)
{
    return (size_t)(rest.end - rest.at);
}

static inline bool tw_rest_is(tw_rest rest, const char *words)
{
    return tw_rest_skip(&rest, words) && rest.at == rest.end;
}

static inline bool tw_rest_begins(tw_rest rest, const char *words)
{
    return tw_rest_skip(&rest, words);
}

static inline bool tw_rest_strip_end(tw_rest *rest, const char *words)
{
    const size_t size = strlen(words);
    if (tw_rest_size(*rest) < size ||
        memcmp(rest->end - size, words, size) != 0) {
        return false;
    }
    rest->end -= size;
    return true;
}

static inline tw_rest tw_rest_line(tw_rest rest)
{
    const char *feed = memchr(rest.at, '\n', tw_rest_size(rest));
    rest.end = feed != NULL ? feed : rest.end;
    return rest;
}

static inline void tw_rest_skip_line(tw_rest *rest)
{
    const tw_rest line = tw_rest_line(*rest);
    rest->at = line.end < rest->end ? line.end + 1 : rest->end;
}

static inline size_t tw_rest_skip_blanks(tw_rest *rest)
{
    const char *from = rest->at;
    while (rest->at < rest->end && *rest->at == ' ') {
        rest->at++;
    }
    return (size_t)(rest->at - from);
}

/* What stands above a property. */
typedef struct tw_comments {
    tw_rest title;
    tw_rest about;
    tw_rest examples; /* lines */
    tw_rest value;    /* a default */
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
    tw_rest rest;
    tw_jotter *out;
    tw_jotter required; /* names, a comma behind each */
    tw_buffer open;     /* tw_open_type, the outermost first */
    /* Of the last type. */
    size_t begin;
    bool described;
    bool raw; /* a default of it stands there as it is */
} tw_declared;

/* ---- harmony_declared_type.c ---- */

/* The key of another member of the object that is under way. */
void tw_declared_put_key(tw_declared *, const char *key);
void tw_declared_put_text(tw_declared *, const char *key, tw_rest text);
/* The default of the last type. */
void tw_declared_put_default(tw_declared *, tw_rest text);
/* Puts |words| |count| times in front of what stands behind |at|. */
void tw_declared_insert(tw_declared *, size_t at, const char *words,
                        size_t count);

/* The lines in front of a property, and what they say. */
tw_comments tw_declared_comments(tw_declared *);
void tw_declared_put_comments(tw_declared *, const tw_comments *);

/* The innermost open schema; NULL: none.  It lives until one is opened. */
tw_open_type *tw_declared_top(const tw_declared *);
/* NULL: too deep, or no memory. */
tw_open_type *tw_declared_push(tw_declared *, tw_open_kind, size_t begin);
/* It is the last type. */
void tw_declared_pop(tw_declared *);

/* A word, an enum, or the opening of parts; false: it is none. */
bool tw_declared_type(tw_declared *);
/* `[]` and `| null`, which are said of all in front of them. */
bool tw_declared_suffixes(tw_declared *);

#endif
