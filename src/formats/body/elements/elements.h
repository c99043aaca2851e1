/* SPDX-License-Identifier: MIT
 *
 * Arguments as nested elements behind a name, {elements:X}: tags named after
 * keys, X in front of each.
 *
 *     X<at>BrestX</at>X<days>X<item>1X</item>X<item>2X</item>X</days>
 *     {"at": "Brest", "days": [1, 2]}
 *
 * What holds elements is an object, or a list if the declared tool says so, or
 * nobody says anything and they are named `item`.  An element that follows
 * another of its name makes a list of both where nobody says what it is, or a
 * list is declared.
 */
#ifndef TOOLWIRE_FORMATS_BODY_ELEMENTS_ELEMENTS_H
#define TOOLWIRE_FORMATS_BODY_ELEMENTS_ELEMENTS_H

#include "events/tools.h"
#include "formats/body/body.h"
#include "formats/body/elements/key.h"
#include "formats/body/given.h"
#include "formats/body/opening.h"
#include "formats/body/tagged/typed.h"

/* An element that is open, or all arguments. */
typedef struct tw_element {
    tw_known known;
    size_t key; /* where its name stands in |keys|; behind it stands ... */
    size_t key_size;
    size_t last_size; /* ... the name of the last one in it, ... */
    size_t value_at;  /* ... whose value begins there in |aside| */
    uint8_t kind;
    bool filled;  /* there is one in it */
    bool movable; /* the last value may become the first of a list */
    bool list;    /* it is one of a list */
} tw_element;

typedef struct tw_elements_body {
    tw_body common;
    const char *mark; /* in front of each tag */
    size_t mark_size;
    uint8_t state;
    size_t work; /* that schemas may still cost */
    const tw_tool *tool; /* as it was declared; NULL: it was not */
    tw_given given;
    tw_buffer keys;  /* the names of those that are open */
    tw_buffer stack; /* tw_element */
    size_t lists;    /* that are open beside those of the stack */
    tw_typed value;
    tw_buffer text;       /* of the innermost, if it is held; */
    uint64_t text_at;     /* it begins there */
    bool blank;           /* ... nothing but white space so far; */
    size_t nest;          /* so many of its name are open in the value; */
    bool doubt;           /* what begins or ends a call stands in it, or half
                             of its close; */
    bool pending;         /* ... the element is over, and one of its name may
                             follow */
    tw_buffer aside;      /* JSON that is held, since ... */
    bool holding;         /* ... a list may begin in front of a part of it ... */
    size_t owner;         /* ... in this element of the stack */
    tw_buffer escaped;    /* a key */
} tw_elements_body;

extern const tw_body_codec tw_elements_codec;

/* What an element is. */
enum { TW_ELEMENT_VALUE, TW_ELEMENT_OBJECT, TW_ELEMENT_LIST };

enum tw_elements_state {
    TW_ELEMENTS_NEXT, /* between tags, or at the first in an element */
    TW_ELEMENTS_HELD, /* in the innermost element, or in a list between its
                         elements */
    TW_ELEMENTS_STREAM /* in the innermost element, which is a value */
};

static inline size_t tw_elements_depth(const tw_elements_body *body)
{
    return body->stack.size / sizeof(tw_element);
}

static inline tw_element *tw_element_at(const tw_elements_body *body, size_t i)
{
    return (tw_element *)(void *)body->stack.data + i;
}

static inline tw_element *tw_element_top(const tw_elements_body *body)
{
    return tw_element_at(body, tw_elements_depth(body) - 1);
}

/* elements/tag.c.  A tag at |at|, which is in view. */
typedef struct tw_element_tag {
    tw_match found; /* NONE: the mark stands there, but no tag behind it, or
                       |marked| is false */
    bool marked;
    bool close;
    const uint8_t *key;
    size_t key_size;
    size_t size;
} tw_element_tag;

tw_element_tag tw_element_tag_at(const tw_elements_body *body,
                                 const uint8_t *at);
bool tw_element_is_named(const tw_elements_body *body, const tw_element *one,
                         const tw_element_tag *tag);
/* elements/build.c.  The tag opens an element in the innermost one, which holds
 * others. */
void tw_elements_open(tw_elements_body *body, const tw_element_tag *tag);
/* The innermost element ends, in front of the window: a value whose text is
 * held; one that went out as it came; one that holds others. */
void tw_elements_close_held(tw_elements_body *body);
void tw_elements_close_stream(tw_elements_body *body);
void tw_elements_close_container(tw_elements_body *body);
/* Elements begin in the innermost one, the first with the tag; false: they lie
 * too deep. */
bool tw_elements_become_container(tw_elements_body *body,
                                  const tw_element_tag *tag);
/* The text that is held stands in a list, and is an element without a tag. */
void tw_elements_add_text(tw_elements_body *body);
/* The rest of the innermost element is the text of a value: JSON at the
 * window, or a string that begins with what is held. */
void tw_elements_stream_json(tw_elements_body *body);
void tw_elements_stream_string(tw_elements_body *body);
/* elements/end.c.  Does what stands at the window, in the value that is read,
 * end it though its own close is missing?  A tag is what was seen there. */
tw_match tw_elements_end_value(tw_elements_body *body,
                               const tw_element_tag *tag);
/* The value's close, but for the mark, at |at|. */
tw_match tw_elements_bare_close_at(const tw_elements_body *body,
                                   const uint8_t *at, const uint8_t *limit);
/* Does a marker that begins a call, or a section, stand there?  MORE: that is
 * not known yet. */
tw_match tw_elements_call_at(const tw_elements_body *body);
/* All arguments are over. */
void tw_elements_finish(tw_elements_body *body);

#endif
