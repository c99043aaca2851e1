/* SPDX-License-Identifier: MIT
 *
 * Arguments between tags: each fills the first canonical pattern that can
 * hold its value.
 */
#include <string.h>

#include "formats/body/put.h"
#include "formats/encode.h"
#include "messages/pytext.h"

static const tw_pattern *pattern_for(const tw_description *description,
                                     const tw_value *value)
{
    const uint8_t never = value->kind == TW_VALUE_STRING
                              ? TW_PATTERN_VALUE_JSON
                              : TW_PATTERN_VALUE_TEXT;
    for (size_t i = 0; i < description->argument.count; i++) {
        const tw_pattern *pattern = &description->argument.all[i];
        if (!pattern->loose && tw_pattern_hole(pattern)->kind != never) {
            return pattern;
        }
    }
    return NULL;
}

/* Markup becomes entities where all text has those. */
static void put_text(const tw_putter *putter, const tw_value *value)
{
    const tw_description *description = putter->description;
    const bool cdata =
        tw_goes_into_cdata(description, value->text, value->size);
    tw_out(putter->out, cdata ? TW_CDATA_OPEN : "");
    tw_out_text(putter->out, value);
    tw_out(putter->out, cdata ? TW_CDATA_CLOSE : "");
}

/* As Python's str() writes it, unless that has an escape that is none in
 * JSON, as which containers are read. */
static bool put_python(const tw_putter *putter, const tw_value *value)
{
    tw_segments *out = putter->out;
    const tw_place begin = tw_segments_place(out);
    tw_out_value(out, value, &tw_python_repr);
    const size_t size = out->text.size - begin.text;
    const bool good =
        size == 0 || !tw_python_has_hex(out->text.data + begin.text, size);
    if (!good) {
        tw_segments_back(out, begin);
    }
    return good;
}

static void put_value(const tw_putter *putter, const tw_value *value)
{
    const uint8_t values = putter->description->values;
    const bool container =
        value->kind == TW_VALUE_ARRAY || value->kind == TW_VALUE_OBJECT;
    const bool python = values == TW_VALUES_REPR ||
                        (values == TW_VALUES_STR && !container);
    if (value->kind == TW_VALUE_STRING) {
        put_text(putter, value);
    } else if (!python || !put_python(putter, value)) {
        tw_out_value(putter->out, value, &putter->json);
    }
}

void tw_put_tagged(const tw_putter *putter, const tw_put_call *put)
{
    static const char *const types[] = {
        "null", "boolean", "boolean", "number", "string", "array", "object"};
    const tw_value *arguments = put->call->arguments;
    const tw_value *at = arguments != NULL ? arguments->first : NULL;
    if (at == NULL &&
        (putter->description->quirks & TW_QUIRK_EMPTY_LINE) != 0) {
        tw_out(putter->out, "\n");
    }
    for (; at != NULL; at = at->next) {
        const tw_pattern *pattern = pattern_for(putter->description, at);
        if (pattern == NULL) {
            tw_encode_refuse(putter->out, at,
                             "the format cannot write such a value");
            continue;
        }
        for (size_t i = 0; i < pattern->count; i++) {
            const tw_part *part = &pattern->parts[i];
            if (i == pattern->hole) {
                put_value(putter, at);
            } else if (part->kind == TW_PATTERN_KEY) {
                tw_put_key(putter, at);
            } else if (part->kind == TW_PATTERN_TYPE) {
                tw_out(putter->out, types[at->kind]);
            } else {
                tw_out(putter->out, part->text);
            }
        }
    }
}
