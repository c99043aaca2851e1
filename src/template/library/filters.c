/* SPDX-License-Identifier: MIT
 *
 * Jinja's filters by their names.  Three of its documentation are not here:
 * `pprint` and `urlize`, whose text is for people who look at it, and what
 * nobody can expect, `random` with Python's own numbers.
 */
#include "template/library/filter.h"
#include "template/library/library.h"

static const struct {
    const char *name;
    const char *signature; /* NULL: any, which the filter reads itself */
    tw_filter *call;
} filters[] = {
    {"abs", "abs/ x:", tw_filter_abs},
    {"attr", "do_attr environment obj: name", tw_filter_attr},
    {"batch", "do_batch value: linecount |fill_with", tw_filter_batch},
    {"capitalize", "do_capitalize s:", tw_filter_capitalize},
    {"center", "do_center value: |width", tw_filter_center},
    {"count", "len/ obj:", tw_filter_length},
    {"d", "do_default value: |default_value boolean", tw_filter_default},
    {"default", "do_default value: |default_value boolean", tw_filter_default},
    {"dictsort", "do_dictsort value: |case_sensitive by reverse",
     tw_filter_dictsort},
    {"e", "escape s:", tw_filter_escape},
    {"escape", "escape s:", tw_filter_escape},
    {"filesizeformat", "do_filesizeformat value: |binary",
     tw_filter_filesizeformat},
    {"first", "sync_do_first environment seq:", tw_filter_first},
    {"float", "do_float value: |default", tw_filter_float},
    {"forceescape", "do_forceescape value:", tw_filter_forceescape},
    {"format", NULL, tw_filter_format},
    {"from_json", "from_json value:", tw_filter_from_json},
    {"groupby",
     "sync_do_groupby environment value: attribute |default case_sensitive",
     tw_filter_groupby},
    {"indent", "do_indent s: |width first blank", tw_filter_indent},
    {"int", "do_int value: |default base", tw_filter_int},
    {"items", "do_items value:", tw_filter_items},
    {"join", "sync_do_join eval_ctx value: |d attribute", tw_filter_join},
    {"last", "do_last environment seq:", tw_filter_last},
    {"length", "len/ obj:", tw_filter_length},
    {"list", "sync_do_list value:", tw_filter_list},
    {"lower", "do_lower s:", tw_filter_lower},
    {"map", NULL, tw_filter_map},
    {"max", "do_max environment value: |case_sensitive attribute",
     tw_filter_max},
    {"min", "do_min environment value: |case_sensitive attribute",
     tw_filter_min},
    {"random", "do_random context seq:", tw_filter_random},
    {"reject", NULL, tw_filter_reject},
    {"rejectattr", NULL, tw_filter_rejectattr},
    {"replace", "do_replace eval_ctx s: old new |count", tw_filter_replace},
    {"reverse", "do_reverse value:", tw_filter_reverse},
    {"round", "do_round value: |precision method", tw_filter_round},
    {"safe", "do_mark_safe value:", tw_filter_safe},
    {"select", NULL, tw_filter_select},
    {"selectattr", NULL, tw_filter_selectattr},
    {"slice", "sync_do_slice value: slices |fill_with", tw_filter_slice},
    {"sort", "do_sort environment value: |reverse case_sensitive attribute",
     tw_filter_sort},
    {"string", "soft_str s:", tw_filter_string},
    {"striptags", "do_striptags value:", tw_filter_striptags},
    {"sum", "sync_do_sum environment iterable: |attribute start",
     tw_filter_sum},
    {"title", "do_title s:", tw_filter_title},
    {"tojson", "tojson x: |ensure_ascii indent separators sort_keys",
     tw_filter_tojson},
    {"trim", "do_trim value: |chars", tw_filter_trim},
    {"truncate", "do_truncate env s: |length killwords end leeway",
     tw_filter_truncate},
    {"unique", "sync_do_unique environment value: |case_sensitive attribute",
     tw_filter_unique},
    {"upper", "do_upper s:", tw_filter_upper},
    {"urlencode", "do_urlencode value:", tw_filter_urlencode},
    {"wordcount", "do_wordcount s:", tw_filter_wordcount},
    {"wordwrap",
     "do_wordwrap environment s: |width break_long_words wrapstring "
     "break_on_hyphens",
     tw_filter_wordwrap},
    {"xmlattr", "do_xmlattr eval_ctx d: |autospace", tw_filter_xmlattr},
};

size_t tw_filter_find(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        if (strlen(filters[i].name) == size &&
            memcmp(filters[i].name, name, size) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

tw_item tw_filter_call(tw_machine *machine, size_t number, tw_item item,
                       const tw_passed *arguments)
{
    tw_item more[TW_PARAMETERS];
    tw_item result = tw_none();
    if (++machine->depth > TW_MACHINE_DEPTH) { /* one may call another */
        tw_fail(machine, "maximum recursion depth exceeded");
    } else if (filters[number].signature == NULL ||
               tw_bind(machine, arguments, filters[number].signature, more)) {
        result = filters[number].call(machine, item, more, arguments);
        if (machine->code == TW_ERROR_TEMPLATE &&
            result.kind == TW_ITEM_ITERATOR && result.flavour != TW_REVERSED) {
            tw_put_off(machine, result.of.list);
        }
    }
    machine->depth--;
    return result;
}
