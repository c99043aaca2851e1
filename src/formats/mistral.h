/* SPDX-License-Identifier: MIT */
#ifndef TOOLWIRE_FORMATS_MISTRAL_H
#define TOOLWIRE_FORMATS_MISTRAL_H

#include "formats/format.h"

typedef enum tw_mistral_marker {
    TW_MISTRAL_NONE,
    TW_MISTRAL_CALL,
    TW_MISTRAL_ID,
    TW_MISTRAL_ARGS,
    TW_MISTRAL_THINK,
    TW_MISTRAL_THINK_END,
    TW_MISTRAL_STOP,
    TW_MISTRAL_MORE /* not decided before |limit| */
} tw_mistral_marker;

tw_mistral_marker tw_mistral_scan_marker(const uint8_t *at,
                                         const uint8_t *limit, bool eof,
                                         size_t *size);

/* mistral_encode.c: one message, an assistant's. */
void tw_mistral_encode(const tw_format *, const tw_conversation *,
                       tw_segments *);

static inline bool tw_mistral_is_id(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9');
}

static inline bool tw_mistral_is_name(uint8_t c)
{
    return tw_mistral_is_id(c) || c == '_' || c == '-' || c == '.' ||
           c == ':' || c == '/';
}

extern const tw_family tw_mistral_family;
extern const tw_marker tw_mistral_markers[];
extern const size_t tw_mistral_marker_count;

#endif
