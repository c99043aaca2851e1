/* SPDX-License-Identifier: MIT
 *
 * Calls as JSON: arguments alone, an object with a name, a list of those.
 */
#include <string.h>

#include "formats/body/put.h"
#include "formats/encode.h"

/* |putter|, one or more levels deeper. */
static tw_putter inside(const tw_putter *putter, uint8_t levels)
{
    tw_putter deeper = *putter;
    deeper.json.depth = (uint8_t)(deeper.json.depth + levels);
    return deeper;
}

static void put_line(const tw_putter *putter)
{
    enum { INDENT = 4 };
    tw_out(putter->out, "\n");
    for (size_t i = 0; i < putter->json.depth; i++) {
        tw_out_words(putter->out, "    ", INDENT);
    }
}

/* ---- arguments ---------------------------------------------------------- */

static bool is_python(const tw_putter *putter)
{
    return putter->description->json == TW_JSON_PYTHON;
}

/* Are the arguments written as the text that they came as? */
static bool is_spliced(const tw_putter *putter, const tw_call *call)
{
    return putter->description->json == TW_JSON_SPLICE &&
           call->arguments != NULL && call->given->kind == TW_VALUE_STRING;
}

void tw_put_json_arguments(const tw_putter *putter, const tw_put_call *put)
{
    const tw_call *call = put->call;
    tw_segments *out = putter->out;
    const size_t begin = out->text.size;
    bool moved = false;
    if (is_spliced(putter, call)) {
        tw_out_json_text(out, call->given);
    } else if (call->arguments != NULL) {
        if (putter->description->sorted &&
            !tw_value_sort(call->arguments, out->memory, &moved)) {
            tw_segments_refuse(out, TW_ERROR_MEMORY, NULL, 0, "no memory");
        }
        tw_out_value(out, call->arguments, &putter->json);
    } else {
        tw_out(out, "{}");
    }
    if (moved) {
        tw_encode_loss(out, TW_LOSS_ARGUMENTS_ORDER, call->given, NULL);
    } else if (!is_python(putter)) { /* else what reads back is compared */
        tw_encode_report_spelling(out, call, begin);
    }
}

/* ---- objects ------------------------------------------------------------ */

static void put_json_key(const tw_putter *putter, const char *key)
{
    if (putter->json.indent > 0) {
        put_line(putter);
    }
    const char *quote = is_python(putter) ? "'" : "\"";
    tw_out(putter->out, quote);
    tw_out(putter->out, key);
    tw_out(putter->out, quote);
    tw_out(putter->out, putter->json.colon);
}

static void put_string(const tw_putter *putter, const tw_value *text)
{
    if (is_python(putter)) {
        tw_out_value(putter->out, text, &putter->json);
    } else {
        tw_encode_json_name(putter->out, text);
    }
}

/* The member for the id, if there is one. */
static bool put_id(const tw_putter *putter, const tw_put_call *put,
                   bool behind)
{
    const tw_description *description = putter->description;
    const bool made = description->id.count > 0;
    if (description->id_keys[0] == NULL || (!made && !put->has_id)) {
        return false;
    }
    tw_out(putter->out, behind ? putter->json.comma : "");
    put_json_key(putter, description->id_keys[0]);
    if (made) {
        tw_out(putter->out, "\"");
        tw_put_made_id(putter, put);
        tw_out(putter->out, "\"");
    } else {
        put_string(putter, put->call->id);
    }
    return true;
}

void tw_put_object(const tw_putter *putter, const tw_put_call *put)
{
    const tw_description *description = putter->description;
    const tw_putter deeper = inside(putter, 1);
    tw_segments *out = putter->out;
    tw_out(out, "{");
    if (description->id_first && put_id(&deeper, put, false)) {
        tw_out(out, putter->json.comma);
    }
    put_json_key(&deeper, description->name_keys[0]);
    put_string(putter, put->call->name);
    tw_out(out, putter->json.comma);
    put_json_key(&deeper, description->argument_keys[0]);
    tw_put_json_arguments(&deeper, put);
    if (!description->id_first) {
        put_id(&deeper, put, true);
    }
    if (putter->json.indent > 0) {
        put_line(putter);
    }
    tw_out(out, "}");
}

/* ---- lists -------------------------------------------------------------- */

static void put_keyed(const tw_putter *putter, const tw_put_call *put)
{
    tw_out(putter->out, "{");
    put_string(putter, put->call->name);
    tw_out(putter->out, putter->json.colon);
    tw_put_json_arguments(putter, put);
    tw_out(putter->out, "}");
}

static void put_lines(const tw_putter *putter, const tw_put_call *calls,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tw_out(putter->out, i == 0 ? "" : "\n");
        tw_put_object(putter, &calls[i]);
    }
}

void tw_put_list(const tw_putter *putter, const tw_put_call *calls,
                 size_t count, uint8_t kind)
{
    const uint8_t json = putter->description->json;
    const bool lines = json == TW_JSON_LINES || json == TW_JSON_INDENTED;
    const tw_putter deeper = inside(putter, 1);
    if (kind == TW_PATTERN_LIST_LINES) {
        put_lines(putter, calls, count);
        return;
    }
    tw_out(putter->out, "[");
    for (size_t i = 0; i < count; i++) {
        tw_out(putter->out, i == 0 ? "" : lines ? "," : putter->json.comma);
        if (lines) {
            put_line(&deeper);
        }
        if (kind == TW_PATTERN_KEYED) {
            put_keyed(&deeper, &calls[i]);
        } else {
            tw_put_object(&deeper, &calls[i]);
        }
    }
    if (lines) {
        put_line(putter);
    }
    tw_out(putter->out, "]");
}
