/* SPDX-License-Identifier: MIT
 *
 * Calls written as Python writes them: NAME(KEY=LITERAL, ...).
 */
#ifndef TOOLWIRE_FORMATS_BODY_PYTHON_PYTHON_H
#define TOOLWIRE_FORMATS_BODY_PYTHON_PYTHON_H

#include "formats/body/body.h"
#include "formats/body/python/value.h"

typedef struct tw_python_body {
    tw_body common;
    uint8_t state;
    tw_python_value value;
    tw_buffer text;  /* the key being read */
    uint64_t key_at; /* where it begins */
    bool any;        /* a key was read */
    bool printed;    /* `print(` stood in front of the name */
    tw_buffer given; /* the first keys: a byte of size, then the key */
    size_t given_count;
} tw_python_body;

extern const tw_body_codec tw_python_codec;

#endif
