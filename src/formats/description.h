/* SPDX-License-Identifier: MIT
 *
 * A format's description: the model's output with holes, as decoder and
 * encoder read it.  docs/describing.md has its JSON form; the build turns
 * those in grammar/ into const tables (src/compile), by the loader (load.c)
 * that also reads them at run time.
 */
#ifndef TOOLWIRE_FORMATS_DESCRIPTION_H
#define TOOLWIRE_FORMATS_DESCRIPTION_H

#include "formats/markers.h"
#include "formats/tags.h"

typedef enum tw_part_kind {
    TW_PATTERN_LITERAL,
    TW_PATTERN_LAYOUT, /* white space: written, but any or none is read */
    TW_PATTERN_NAME,
    TW_PATTERN_ID,
    TW_PATTERN_INDEX,
    TW_PATTERN_INDEX_FROM_1,
    TW_PATTERN_SKIP,
    TW_PATTERN_SERVER, /* |text|: what stands there for a name without one */
    /* Bodies: the arguments of one call, or calls with their names. */
    TW_PATTERN_OBJECT,
    TW_PATTERN_LIST,
    TW_PATTERN_LIST_LINES, /* its objects alone, one a line */
    TW_PATTERN_KEYED,
    TW_PATTERN_ARGUMENTS,
    TW_PATTERN_JSON_ARGUMENTS, /* also where the format has an |argument| */
    TW_PATTERN_PYTHON,
    TW_PATTERN_PYTHON_LINES,
    TW_PATTERN_PYTHON_CALL,
    TW_PATTERN_RAW,
    TW_PATTERN_GEMMA,    /* |text|: what stands around strings */
    TW_PATTERN_ELEMENTS, /* |text|: what stands in front of each tag */
    /* In |argument|. */
    TW_PATTERN_KEY,
    TW_PATTERN_TYPE,
    TW_PATTERN_VALUE,
    TW_PATTERN_VALUE_TEXT,
    TW_PATTERN_VALUE_JSON,
    TW_PATTERN_VALUE_TRIM,
    TW_PATTERN_VALUE_GUESS,
    /* In |reasoning| and |text|. */
    TW_PATTERN_TEXT,
    TW_PATTERN_TEXT_LINE,
    TW_PATTERN_TEXT_TRIM,
    TW_PATTERN_TEXT_JSON, /* a JSON string, with its quotes */
    TW_PATTERN_UNREAD,    /* neither text nor a call */
    /* In |calls|. */
    TW_PATTERN_CALLS,
    TW_PATTERN_CALL
} tw_part_kind;

/* Bytes of a hole that the next marker ends. */
enum { TW_PATTERN_HOLE_MOST = 256 };

typedef struct tw_part {
    const char *text; /* of a literal or layout, ended by a NUL */
    uint8_t size;
    uint8_t kind;
    uint8_t token; /* the literal begins with a token of so many bytes, ... */
    uint8_t inner; /* ... or one of so many stands in it, ... */
    uint8_t inner_at; /* ... behind so many */
    uint8_t last;  /* where the one stands that it ends with; 0: none */
    /* How much of the literal is its marker: all, or of a tag with attributes
     * (`<invoke name="` in front of a hole and `"`) what stands in front of
     * them. */
    uint8_t marker;
} tw_part;

typedef struct tw_pattern {
    const tw_part *parts;
    uint8_t count;
    uint8_t hole; /* which part holds what it is for: the body, the text, the
                     value, the calls */
    bool loose;   /* only read, with a diagnostic */
    /* What follows from all of it. */
    uint8_t first; /* the first part that is no layout */
    bool plain; /* its open marker is text such as any other */
    bool fence; /* it is a code fence that opens only where nothing stands */
    bool words; /* a loose one whose head is words alone: it opens only where a
                   segment begins */
    uint8_t
        written; /* bytes of its first literals that the prompt ends with */
    bool opened; /* of text or reasoning, all of them */
    uint8_t opens; /* a sum of these */
} tw_pattern;

/* What stands behind a pattern's open marker. */
enum {
    TW_OPENS_WHOLE = 1,   /* that is all of the marker, or a tag's name */
    TW_OPENS_ENTIRE = 2,  /* nothing more is one with it */
    TW_OPENS_PLAIN = 4,   /* the marker is text such as any other */
    TW_OPENS_OBJECT = 8,  /* an object may */
    TW_OPENS_CLOSED = 16, /* ... and words in front of it are a deviation,
                             which those in {skip} are not */
    TW_OPENS_KEYED = 32,  /* an object by whose keys tools are named */
    TW_OPENS_CUT = 64     /* nothing may, where the output ends */
};

enum { TW_PATTERNS_MOST = 32 };

/* The canonical ones first: of those the encoder writes the first one that the
 * message fills. */
typedef struct tw_patterns {
    const tw_pattern *all;
    uint8_t count;
} tw_patterns;

/* NULL: there is none. */
static inline const tw_pattern *tw_patterns_first(const tw_patterns *patterns)
{
    return patterns->count > 0 ? patterns->all : NULL;
}

/* A suffix of markers has so many bytes at most, the first of which separates
 * it. */
enum { TW_SUFFIX_MOST = 64 };

/* How JSON is written. */
enum {
    TW_JSON_SPACED,
    TW_JSON_COMPACT,
    TW_JSON_INDENTED,
    TW_JSON_LINES,
    TW_JSON_SPLICE,
    TW_JSON_PYTHON /* as Python's repr() */
};

/* How tagged and Python values are written. */
enum {
    TW_VALUES_JSON,
    TW_VALUES_STR,
    TW_VALUES_REPR,
    TW_VALUES_REPR2,
    TW_VALUES_MIXED
};

enum { TW_ENTITIES_NONE, TW_ENTITIES_ATTRIBUTES, TW_ENTITIES_ALL };

/* Around a value in which no tag counts (docs/rules.md D4). */
#define TW_CDATA_OPEN "<![CDATA["
#define TW_CDATA_CLOSE "]]>"

/* What few formats do, and no word of a pattern says. */
enum {
    TW_QUIRK_ECHO = 1,
    TW_QUIRK_BLANK_NAMES = 2,
    TW_QUIRK_CALLS_IN_REASONING = 4,
    TW_QUIRK_HEADER_NAME = 8,
    TW_QUIRK_CDATA = 16,
    TW_QUIRK_EMPTY_LINE = 32, /* written where there are no arguments */
    TW_QUIRK_CHANNELS = 64,
    TW_QUIRK_LOOSE_CHANNELS = 128
};

/* Strings are never NULL, and lists end with NULL. */
typedef struct tw_description {
    const char *name;
    const char *alias; /* empty: none */
    const char *about;
    const char *example;
    const char *const *models;
    tw_patterns call;
    tw_patterns calls;
    tw_patterns argument;
    tw_patterns reasoning;
    tw_patterns text;
    tw_patterns id; /* how one is made of name and index; at most one */
    bool nine;      /* ids have nine letters and digits */
    const char *between;
    const char *gap;
    const char *no_reasoning;         /* in front of text */
    const char *no_reasoning_of_call; /* in front of calls */
    const char *no_text;
    const char *end;         /* behind text */
    const char *end_of_call; /* behind calls */
    const char *const *turns;
    const char *const *stops;
    const char *const *tokens;
    const char *const *name_keys; /* the first is written */
    const char *const *argument_keys;
    const char *const *id_keys;
    bool id_first; /* in an object the id stands in front of the name */
    const char *raw_name;
    const char *suffix; /* of markers, as it is written: each checkpoint has
                           another one, or none; empty: there is none */
    uint8_t json;
    bool sorted;
    bool calls_alone; /* text beside calls is not written */
    uint8_t values;
    uint8_t entities;
    uint8_t quirks;
    const char *const *heads; /* how its calls begin, as tw_format has them;
                                 those that the format writes stand first */
    uint8_t written_heads;    /* ... and are so many */
    tw_markers markers;
    const tw_tags *tags; /* NULL: no arguments stand between tags */
    const tw_marker *public_markers;
    size_t public_count;
} tw_description;

static inline bool tw_part_is_body(uint8_t kind)
{
    return kind >= TW_PATTERN_OBJECT && kind <= TW_PATTERN_ELEMENTS;
}

/* Several calls, with their names. */
static inline bool tw_part_holds_calls(uint8_t kind)
{
    return kind == TW_PATTERN_LIST || kind == TW_PATTERN_LIST_LINES ||
           kind == TW_PATTERN_KEYED ||
           kind == TW_PATTERN_PYTHON || kind == TW_PATTERN_PYTHON_LINES;
}

static inline const tw_part *tw_pattern_hole(const tw_pattern *pattern)
{
    return &pattern->parts[pattern->hole];
}

/* Has the pattern a part of this kind? */
static inline bool tw_pattern_has(const tw_pattern *pattern, uint8_t kind)
{
    bool found = false;
    for (size_t i = 0; i < pattern->count; i++) {
        found |= pattern->parts[i].kind == kind;
    }
    return found;
}

static inline bool tw_pattern_is_index(const tw_part *part)
{
    return part->kind == TW_PATTERN_INDEX ||
           part->kind == TW_PATTERN_INDEX_FROM_1;
}

/* Do the declared tools say what the values of its calls are? */
bool tw_description_is_typed(const tw_description *description);
/* Has the text markup or line feeds, which go into CDATA where the format has
 * it? */
bool tw_goes_into_cdata(const tw_description *description, const char *text,
                        size_t size);
/* Is there a call whose arguments are nested elements? */
bool tw_description_has_elements(const tw_description *description);
/* The next part behind |part| that is no layout, or |count|. */
static inline size_t tw_pattern_next(const tw_pattern *pattern, size_t part)
{
    part++;
    while (part < pattern->count &&
           pattern->parts[part].kind == TW_PATTERN_LAYOUT) {
        part++;
    }
    return part;
}

/* Does the literal |part| begin a tag with attributes? */
static inline bool tw_is_tag(const tw_pattern *pattern, size_t part)
{
    return pattern->parts[part].marker < pattern->parts[part].size;
}

/* Is the literal |part| one word with the literal in front, no white space
 * between?  Two tokens are not. */
bool tw_pattern_is_joined(const tw_pattern *pattern, size_t part);
/* The layout that stands directly behind |part|, or an empty one. */
const char *tw_pattern_layout(const tw_pattern *pattern, size_t part);
/* Does a marker stand between the name and the hole? */
bool tw_pattern_is_marked(const tw_pattern *pattern);
/* The part if it is a literal, or NULL: no such, or another. */
const tw_part *tw_pattern_literal(const tw_pattern *pattern, size_t part);
/* The literal that a pattern begins with, or its |count|: there is none. */
size_t tw_pattern_opener(const tw_pattern *pattern);
/* The first literal behind its hole, or its |count|. */
size_t tw_pattern_closer(const tw_pattern *pattern);
/* The literal that opens it, or NULL: it begins with a hole. */
const tw_part *tw_pattern_open(const tw_pattern *pattern);
/* Does a loose one begin with a marker that stands in none of the others?  It
 * is told then; else what differs stands behind the marker, or the prompt has
 * begun. */
bool tw_pattern_respells(const tw_pattern *pattern, const tw_patterns *all);
/* Of reasoning: does the output begin inside it?  Then nothing opens it. */
bool tw_pattern_is_open(const tw_pattern *pattern);
/* The literal that closes a call of this pattern, or NULL. */
const tw_part *tw_pattern_close(const tw_pattern *pattern);
/* Does nothing close the call's tags but the end of its message: the token
 * |between| calls, or a stop? */
bool tw_call_ends_message(const tw_description *d, const tw_pattern *call);

/* ---- loading ------------------------------------------------------------ */

enum { TW_LOAD_MESSAGE = 256 };

typedef struct tw_loaded {
    tw_description description;
    const tw_memory *memory;
    void *blocks;                  /* what it is made of */
    int error;                     /* TW_OK, or a tw_error_code */
    char message[TW_LOAD_MESSAGE]; /* where, and what is wrong */
    uint64_t offset;               /* of an error of JSON in the document */
} tw_loaded;

/* |size| bytes at |json| are a description.  TW_OK, TW_ERROR_JSON,
 * TW_ERROR_SCHEMA or TW_ERROR_MEMORY; the message says where and why. */
int tw_description_load(tw_loaded *loaded, const tw_memory *memory,
                        const char *json, size_t size);
void tw_description_free(tw_loaded *loaded);
/* What a description is that says nothing. */
void tw_description_defaults(tw_description *d);

/* The description as JSON, of which no more than |room| bytes are written;
 * returns how many there are. */
size_t tw_description_show(const tw_description *d, char *out, size_t room);
/* The i-th thing in it that is doubtful, constant text; NULL behind the
 * last. */
const char *tw_description_doubt(const tw_description *d, size_t i);

/* How many bytes at the end of |turn|, a head of the assistant's turn, open
 * reasoning. */
size_t tw_frame_opens_reasoning(const tw_description *description,
                                const char *turn);
/* The first |length| bytes of such a head at |at|, in front of |end|, whatever
 * suffix its markers have there: how many; 0: something else.  The description
 * may be NULL. */
size_t tw_frame_head_text_at(const tw_description *description,
                             const char *head, size_t length, const char *at,
                             const char *end);
/* Does the output begin inside reasoning, as the description has it? */
bool tw_frame_starts_inside(const tw_description *description);
/* Does the text begin with what closes reasoning? */
bool tw_frame_closes_first(const tw_description *description, const char *text,
                           size_t size);

#endif
