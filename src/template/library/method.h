/* SPDX-License-Identifier: MIT
 *
 * The methods by what they are of; methods.c lists them.
 */
#ifndef TOOLWIRE_TEMPLATE_METHOD_H
#define TOOLWIRE_TEMPLATE_METHOD_H

#include "template/machine/machine.h"

/* |more|: the arguments by their places among the parameters; UNSET: not
 * given.  |all|: as they came. */
typedef tw_item tw_method_body(tw_machine *, tw_item self, const tw_item *more,
                               const tw_passed *all);

/* Of str. */
tw_method_body tw_str_capitalize, tw_str_casefold, tw_str_center, tw_str_count,
    tw_str_endswith, tw_str_expandtabs, tw_str_find, tw_str_format,
    tw_str_format_map, tw_str_index, tw_str_isalnum, tw_str_isalpha,
    tw_str_isascii, tw_str_isdecimal, tw_str_isdigit, tw_str_isidentifier,
    tw_str_islower, tw_str_isnumeric, tw_str_isprintable, tw_str_isspace,
    tw_str_istitle, tw_str_isupper, tw_str_join, tw_str_ljust, tw_str_lower,
    tw_str_lstrip, tw_str_partition, tw_str_removeprefix, tw_str_removesuffix,
    tw_str_replace, tw_str_rfind, tw_str_rindex, tw_str_rjust,
    tw_str_rpartition, tw_str_rsplit, tw_str_rstrip, tw_str_split,
    tw_str_splitlines, tw_str_startswith, tw_str_strip, tw_str_swapcase,
    tw_str_title, tw_str_upper, tw_str_zfill;

#endif
