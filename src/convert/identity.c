/* SPDX-License-Identifier: MIT
 *
 * What tells the last record of a converter: its shape, and the members by
 * which its owner finds it again, also where it cannot be converted.
 */
#include "convert/state.h"
#include "json/dump.h"

const char *tw_converter_shape(const tw_converter *converter)
{
    const tw_recode *recode = converter != NULL ? converter->recode : NULL;
    const tw_recoder *recoder = recode != NULL ? &recode->recoder : NULL;
    const tw_record_shape *shape = recoder == NULL          ? NULL
                                   : recoder->whole != NULL ? recoder->whole
                                                            : recoder->from;
    return shape != NULL && shape->fits != NULL ? shape->name : NULL;
}

/* `id`, `uuid`, `custom_id` and others that end so, with a text or a number.
 */
static bool tells(const tw_value *member)
{
    static const char end[] = "_id";
    enum { END = sizeof end - 1 };
    const size_t size = member->key_size;
    const bool scalar =
        member->kind == TW_VALUE_STRING || member->kind == TW_VALUE_NUMBER;
    return scalar &&
           (tw_value_has_key(member, "id") ||
            tw_value_has_key(member, "uuid") ||
            (size > END && memcmp(member->key + size - END, end, END) == 0));
}

static const tw_value *some(const tw_value *value)
{
    return value != NULL && !tw_value_is_void(value) ? value : NULL;
}

/* The error that the record is about itself, or NULL. */
static const tw_value *own_error(const tw_value *record)
{
    const tw_value *response = tw_value_member(record, "response");
    const tw_value *const places[] = {
        some(tw_value_member(record, "request_error")),
        tw_recode_earlier(record) == NULL
            ? some(tw_value_member(record, "error"))
            : NULL,
        some(tw_value_member(tw_value_member(response, "body"), "error")),
        some(tw_value_member(tw_value_member(record, "result"), "error"))};
    size_t i = 0;
    while (i + 1 < sizeof places / sizeof *places && places[i] == NULL) {
        i++;
    }
    return places[i];
}

int tw_converter_identity(tw_converter *converter, const char **json,
                          size_t *size)
{
    if (converter == NULL || json == NULL || size == NULL) {
        return TW_ERROR_ARGUMENT;
    }
    const tw_value *record = converter->tree.root;
    const bool object = tw_value_is_a(record, TW_VALUE_OBJECT);
    const tw_value *error = object ? own_error(record) : NULL;
    tw_json_out out = {converter->identity, &converter->memory, false};
    out.out.size = 0;
    for (const tw_value *at = object ? record->first : NULL; at != NULL;
         at = at->next) {
        if (tells(at)) {
            tw_json_put_member(&out, at, out.out.size == 0);
        }
    }
    if (error != NULL) {
        tw_json_put_key(&out, "request_error", out.out.size == 0);
        tw_json_put_value(&out, error);
    }
    converter->identity = out.out;
    *json = out.out.size > 0 ? (const char *)out.out.data : "";
    *size = out.out.size;
    return out.failed ? TW_ERROR_MEMORY : TW_OK;
}
