/* SPDX-License-Identifier: MIT
 *
 * How Python lays out what it formats.  Of presentations there are those of
 * text and of numbers with a fixed count of places.
 */
#ifndef TOOLWIRE_TEMPLATE_LAYOUT_H
#define TOOLWIRE_TEMPLATE_LAYOUT_H

#include "template/machine/machine.h"

/* How a value is laid out:
 * [[fill]align][sign][#][0][width][,][.places][type]. */
typedef struct tw_layout {
    const tw_string *fill;
    char align; /* `<`, `>`, `^`, `=`, or 0 */
    char sign;  /* `+`, ` `, `-`, or 0 */
    bool alternate;
    bool zero;  /* zeros in front of the width: behind a number's sign */
    char group; /* `,` or `_`, or 0 */
    int64_t width;
    int64_t places; /* -1: not told */
    char type;      /* 0: none */
} tw_layout;

/* The digits at *at, and whether |c| stands there; *at is behind them. */
int64_t tw_layout_count(const char **at, const char *limit);
bool tw_layout_takes(const char **at, const char *limit, char c);

void tw_layout_number(tw_machine *machine, tw_builder *out, tw_item item,
                      const tw_layout *how);
void tw_layout_text(tw_machine *machine, tw_builder *out,
                    const tw_string *text, const tw_layout *how);
/* A character, of one or of its number. */
const tw_string *tw_character(tw_machine *machine, tw_item item);
/* ascii(): repr() without other letters. */
const tw_string *tw_ascii(tw_machine *machine, tw_item item);

#endif
