/* SPDX-License-Identifier: MIT
 *
 * What machine_step.c and its fast ways know of its state, and nobody else.
 */
#ifndef TOOLWIRE_JSON_MACHINE_STATE_H
#define TOOLWIRE_JSON_MACHINE_STATE_H

#include "json/escape.h"
#include "json/machine.h"

enum {
    VALUE,         /* a value is due */
    FIRST_ELEMENT, /* ... or `]` */
    FIRST_KEY,     /* a key or `}` */
    KEY,
    COLON,
    AFTER, /* behind a value */
    STRING,
    NUMBER,
    DONE
};

enum { OBJECT = 1, ARRAY = 2, DOUBLED = 4 };

/* Comma and blanks that are held to tell a trailing comma. */
enum { COMMA_HOLD = 256 };

static inline bool tw_json_in_bulk(const tw_json *json)
{
    return json->floor > 0 && json->depth >= json->floor;
}

#endif
