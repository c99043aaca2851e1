/* SPDX-License-Identifier: MIT
 *
 * Calls as Python: NAME(KEY=LITERAL, ...), alone, in lines, in a list.
 */
#include "formats/body/put.h"
#include "formats/encode.h"
#include "messages/pytext.h"

static const tw_dump_style *style_for(const tw_putter *putter,
                                      const tw_value *value)
{
    switch (putter->description->values) {
    case TW_VALUES_STR:
    case TW_VALUES_REPR: return &tw_python_repr;
    case TW_VALUES_REPR2: return &tw_python_repr_double;
    case TW_VALUES_MIXED:
        return value->kind != TW_VALUE_OBJECT ? &tw_python_repr_single
                                              : &putter->json;
    default: return &putter->json;
    }
}

static void put_arguments(const tw_putter *putter, const tw_value *arguments)
{
    const tw_value *at = arguments != NULL ? arguments->first : NULL;
    for (; at != NULL; at = at->next) {
        tw_put_key(putter, at);
        tw_out(putter->out, "=");
        tw_out_value(putter->out, at, style_for(putter, at));
        tw_out(putter->out, at->next != NULL ? ", " : "");
    }
}

void tw_put_python(const tw_putter *putter, const tw_put_call *calls,
                   size_t count, uint8_t kind)
{
    const bool list = kind == TW_PATTERN_PYTHON;
    tw_out(putter->out, list ? "[" : "");
    for (size_t i = 0; i < count; i++) {
        tw_out(putter->out, i == 0 ? "" : list ? ", " : "\n");
        tw_put_name(putter, calls[i].call->name);
        tw_out(putter->out, kind == TW_PATTERN_PYTHON_CALL ? ".call(" : "(");
        put_arguments(putter, calls[i].call->arguments);
        tw_out(putter->out, ")");
    }
    tw_out(putter->out, list ? "]" : "");
}
