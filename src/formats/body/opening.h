/* SPDX-License-Identifier: MIT
 *
 * What stands in front of a value between tags: a parameter's opening, and
 * the attributes of a tag.
 */
#ifndef TOOLWIRE_FORMATS_BODY_OPENING_H
#define TOOLWIRE_FORMATS_BODY_OPENING_H

#include "core/window.h"
#include "formats/description.h"

/* Bytes in the window. */
typedef struct tw_piece {
    const uint8_t *from;
    size_t size;
} tw_piece;

/* How long a key may be, and the tag that a key stands in; holes of a tag. */
enum { TW_OPENING_KEY = 256, TW_OPENING_TAG = 1024, TW_OPENING_HOLES = 4 };

/* A tag with attributes: `<invoke name="{name}">`. */
typedef struct tw_tag {
    const uint8_t *end; /* behind the tag */
    size_t part;        /* the last part of the pattern that the tag took */
    uint32_t code;      /* how it deviates, or 0 */
    bool closed;        /* it closes itself: `<invoke name="x"/>` */
    size_t count;
    struct {
        uint8_t kind; /* the kind of the hole */
        tw_piece text;
    } holes[TW_OPENING_HOLES];
} tw_tag;

/* The tag that |part| begins, whose name ends at |at|. */
tw_match tw_tag_at(const tw_window *window, const tw_pattern *pattern,
                   size_t part, const uint8_t *at, tw_tag *tag);

typedef struct tw_opening {
    const tw_pattern *pattern;
    const uint8_t *end; /* where the value begins, its layout in front */
    uint32_t code;      /* how it deviates, or 0 */
    tw_piece key;
    tw_piece type; /* |from| is NULL: none was said */
} tw_opening;

/* A parameter's opening at |at|, which is in view. */
tw_match tw_opening_at(const tw_window *window, const tw_description *format,
                       const uint8_t *at, tw_opening *opening);

/* A parameter's opening at |at| where the key's open marker is missing, or its
 * first byte: a key that the tool declares is one. */
tw_match tw_bare_opening_at(const tw_window *window,
                            const tw_description *format, const uint8_t *at,
                            tw_opening *opening);

/* Behind the white space at |at|, of which at most TW_HOLD_WS bytes are looked
 * at. */
const uint8_t *tw_behind_some_ws(const uint8_t *at, const uint8_t *limit);
/* The |size| bytes of |text| at |at|, whatever marks say of them. */
tw_match tw_text_at(const tw_window *window, const uint8_t *at,
                    const char *text, size_t size);
/* The literal at |at|: what a mark calls text is no token of it. */
tw_match tw_part_at(const tw_window *window, const uint8_t *at,
                    const tw_part *literal);
/* The first |size| bytes of the literal at |at|, which take |*taken|. */
tw_match tw_front_at(const tw_window *window, const uint8_t *at,
                     const tw_part *literal, size_t size, size_t *taken);

#endif
