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
    const char *parameters; /* NULL: any, which the filter reads itself */
    tw_filter *call;
} filters[] = {
    {"abs", "", tw_filter_abs},
    {"attr", "name", tw_filter_attr},
    {"batch", "linecount |fill_with", tw_filter_batch},
    {"capitalize", "", tw_filter_capitalize},
    {"center", "|width", tw_filter_center},
    {"count", "", tw_filter_length},
    {"d", "|default_value boolean", tw_filter_default},
    {"default", "|default_value boolean", tw_filter_default},
    {"dictsort", "|case_sensitive by reverse", tw_filter_dictsort},
    {"e", "", tw_filter_escape},
    {"escape", "", tw_filter_escape},
    {"filesizeformat", "|binary", tw_filter_filesizeformat},
    {"first", "", tw_filter_first},
    {"float", "|default", tw_filter_float},
    {"forceescape", "", tw_filter_forceescape},
    {"format", NULL, tw_filter_format},
    {"from_json", "", tw_filter_from_json},
    {"groupby", "attribute |default case_sensitive", tw_filter_groupby},
    {"indent", "|width first blank", tw_filter_indent},
    {"int", "|default base", tw_filter_int},
    {"items", "", tw_filter_items},
    {"join", "|d attribute", tw_filter_join},
    {"last", "", tw_filter_last},
    {"length", "", tw_filter_length},
    {"list", "", tw_filter_list},
    {"lower", "", tw_filter_lower},
    {"map", NULL, tw_filter_map},
    {"max", "|case_sensitive attribute", tw_filter_max},
    {"min", "|case_sensitive attribute", tw_filter_min},
    {"random", "", tw_filter_random},
    {"reject", NULL, tw_filter_reject},
    {"rejectattr", NULL, tw_filter_rejectattr},
    {"replace", "old new |count", tw_filter_replace},
    {"reverse", "", tw_filter_reverse},
    {"round", "|precision method", tw_filter_round},
    {"safe", "", tw_filter_safe},
    {"select", NULL, tw_filter_select},
    {"selectattr", NULL, tw_filter_selectattr},
    {"slice", "slices |fill_with", tw_filter_slice},
    {"sort", "|reverse case_sensitive attribute", tw_filter_sort},
    {"string", "", tw_filter_string},
    {"striptags", "", tw_filter_striptags},
    {"sum", "|attribute start", tw_filter_sum},
    {"title", "", tw_filter_title},
    {"tojson", "|ensure_ascii indent separators sort_keys", tw_filter_tojson},
    {"trim", "|chars", tw_filter_trim},
    {"truncate", "|length killwords end leeway", tw_filter_truncate},
    {"unique", "|case_sensitive attribute", tw_filter_unique},
    {"upper", "", tw_filter_upper},
    {"urlencode", "", tw_filter_urlencode},
    {"wordcount", "", tw_filter_wordcount},
    {"wordwrap", "|width break_long_words wrapstring break_on_hyphens",
     tw_filter_wordwrap},
    {"xmlattr", "|autospace", tw_filter_xmlattr},
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
    } else if (filters[number].parameters == NULL ||
               tw_bind(machine, arguments, filters[number].name,
                       filters[number].parameters, more)) {
        result = filters[number].call(machine, item, more, arguments);
    }
    machine->depth--;
    return result;
}
