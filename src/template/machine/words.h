/* SPDX-License-Identifier: MIT
 *
 * What Python's str does: strip, split, case, padding.  Filters and methods
 * are made of these.
 */
#ifndef TOOLWIRE_TEMPLATE_WORDS_H
#define TOOLWIRE_TEMPLATE_WORDS_H

#include "template/machine/machine.h"

enum { TW_LEFT = 1, TW_RIGHT = 2 };

/* Without the characters of |chars| (NULL: white space) at these sides. */
const tw_string *tw_strip(tw_machine *machine, const tw_string *string,
                          const tw_string *chars, unsigned sides);

typedef enum tw_case {
    TW_CASE_LOWER,
    TW_CASE_UPPER,
    TW_CASE_FOLD,
    TW_CASE_SWAP,
    TW_CASE_TITLE,      /* str.title() */
    TW_CASE_CAPITALIZE, /* str.capitalize() */
    TW_CASE_WORDS       /* Jinja's |title */
} tw_case;

const tw_string *tw_change_case(tw_machine *machine, const tw_string *string,
                                tw_case to);

/* A list of its parts; |separator| NULL: white space; |most| < 0: all. */
tw_item tw_split(tw_machine *machine, const tw_string *string,
                 const tw_string *separator, int64_t most, bool from_right);
tw_item tw_split_lines(tw_machine *machine, const tw_string *string,
                       bool keep_ends);
const tw_string *tw_replace(tw_machine *machine, const tw_string *string,
                            const tw_string *old_text,
                            const tw_string *new_text, int64_t most);
/* |left| and |right| code points of |fill| around it. */
const tw_string *tw_pad(tw_machine *machine, const tw_string *string,
                        int64_t left, int64_t right, const tw_string *fill);
/* As str.center(width). */
const tw_string *tw_center(tw_machine *machine, const tw_string *string,
                           int64_t width, const tw_string *fill);
const tw_string *tw_join(tw_machine *machine, const tw_string *separator,
                         const tw_list *strings);

/* int(), float() of a text; false: it is none. */
bool tw_text_to_int(const tw_string *string, int64_t base, int64_t *out);
bool tw_text_to_float(const tw_string *string, double *out);

/* A test such as str.isalpha(): all code points, of which there is one. */
bool tw_all_points(tw_machine *machine, const tw_string *string,
                   bool (*holds)(uint32_t));
bool tw_is_upper(tw_machine *machine, const tw_string *string);
bool tw_is_lower(tw_machine *machine, const tw_string *string);

#endif
