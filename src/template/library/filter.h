/* SPDX-License-Identifier: MIT
 *
 * The filters by what they are of; filters.c lists them.
 */
#ifndef TOOLWIRE_TEMPLATE_FILTER_H
#define TOOLWIRE_TEMPLATE_FILTER_H

#include "template/machine/machine.h"

/* |more|: the arguments by their places among the parameters; UNSET: not
 * given.  |all|: as they came. */
typedef tw_item tw_filter(tw_machine *, tw_item, const tw_item *more,
                          const tw_passed *all);

/* A parameter as told, or what it is where it is not given. */
static inline bool tw_flag(tw_item item, bool otherwise)
{
    return item.kind == TW_ITEM_UNSET ? otherwise : tw_item_is_true(item);
}

/* Of texts. */
tw_filter tw_filter_capitalize, tw_filter_center, tw_filter_escape,
    tw_filter_forceescape, tw_filter_format, tw_filter_indent, tw_filter_join,
    tw_filter_lower, tw_filter_replace, tw_filter_safe, tw_filter_string,
    tw_filter_striptags, tw_filter_title, tw_filter_trim, tw_filter_truncate,
    tw_filter_upper, tw_filter_urlencode, tw_filter_wordcount,
    tw_filter_xmlattr, tw_filter_wordwrap;

/* Of lists. */
tw_filter tw_filter_batch, tw_filter_dictsort, tw_filter_first,
    tw_filter_groupby, tw_filter_items, tw_filter_last, tw_filter_length,
    tw_filter_list, tw_filter_map, tw_filter_max, tw_filter_min,
    tw_filter_random, tw_filter_reject, tw_filter_rejectattr,
    tw_filter_reverse, tw_filter_select, tw_filter_selectattr, tw_filter_slice,
    tw_filter_sort, tw_filter_sum, tw_filter_unique;

/* Of numbers, and of any value. */
tw_filter tw_filter_abs, tw_filter_attr, tw_filter_default,
    tw_filter_filesizeformat, tw_filter_float, tw_filter_from_json,
    tw_filter_int, tw_filter_round, tw_filter_tojson;

#endif
