/* SPDX-License-Identifier: MIT
 *
 * Arguments as nested elements.  What is null is left out, as the templates
 * leave it out; in a list it is empty.
 */
#include "formats/body/elements/key.h"
#include "formats/body/put.h"
#include "formats/encode.h"

static bool is_null(const tw_value *value)
{
    return value->kind == TW_VALUE_NULL &&
           value->parent->kind == TW_VALUE_OBJECT;
}

static void put_tag(const tw_putter *putter, const tw_value *value,
                    const char *mark, const char *open)
{
    tw_out(putter->out, mark);
    tw_out(putter->out, open);
    if (value->parent->kind == TW_VALUE_OBJECT) {
        tw_put_key(putter, value);
    } else {
        tw_out(putter->out, "item");
    }
    tw_out(putter->out, ">");
}

static void put_scalar(const tw_putter *putter, const tw_value *value)
{
    if (value->kind == TW_VALUE_STRING) {
        tw_out_text(putter->out, value);
    } else if (value->kind != TW_VALUE_NULL && value->first == NULL &&
               value->kind != TW_VALUE_ARRAY &&
               value->kind != TW_VALUE_OBJECT) {
        tw_out_value(putter->out, value, &putter->json);
    }
}

/* The first of |value| and those behind it that is written, or NULL. */
static const tw_value *written(const tw_putter *putter, const tw_value *value)
{
    while (value != NULL && is_null(value)) {
        tw_encode_loss(putter->out, TW_LOSS_MEMBER_DROPPED, value, NULL);
        value = value->next;
    }
    if (value != NULL && value->parent->kind == TW_VALUE_OBJECT &&
        !tw_element_is_key(value->key, value->key_size)) {
        tw_encode_refuse(putter->out, value,
                         "the format cannot write this key");
    }
    return value;
}

void tw_put_elements(const tw_putter *putter, const tw_put_call *put,
                     const char *mark)
{
    const tw_value *all = put->call->arguments;
    const tw_value *at = all != NULL ? written(putter, all->first) : NULL;
    while (at != NULL) {
        put_tag(putter, at, mark, "<");
        put_scalar(putter, at);
        const tw_value *next = written(putter, at->first);
        while (next == NULL && at != all) {
            put_tag(putter, at, mark, "</");
            next = written(putter, at->next);
            at = at->parent;
        }
        at = next;
    }
}
