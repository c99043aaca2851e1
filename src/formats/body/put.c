/* SPDX-License-Identifier: MIT
 *
 * What the writers of bodies share.
 */
#include "formats/body/put.h"

#include <string.h>

#include "core/ascii.h"
#include "formats/encode.h"
#include "messages/pytext.h"

tw_putter tw_putter_of(const tw_description *description, tw_segments *out)
{
    const tw_putter putter = {
        description, out,
        description->json == TW_JSON_COMPACT    ? tw_dump_compact
        : description->json == TW_JSON_INDENTED ? tw_dump_indented
        : description->json == TW_JSON_PYTHON   ? tw_python_repr
                                                : tw_dump_spaced};
    return putter;
}

void tw_put_digits(const tw_putter *putter, uint64_t number)
{
    char digits[TW_DIGITS];
    const char *at = tw_spell(digits + sizeof digits, number);
    tw_out_words(putter->out, at, (size_t)(digits + sizeof digits - at));
}

static const char *entity_of(char c)
{
    return c == '&' ? "&amp;" : c == '"' ? "&quot;" : NULL;
}

static void put_attribute(const tw_putter *putter, const tw_value *of,
                          const char *text, size_t size)
{
    size_t done = 0;
    for (size_t i = 0; i < size; i++) {
        const char *entity = entity_of(text[i]);
        if (entity != NULL) {
            tw_out_part(putter->out, of, text + done, i - done, done);
            tw_out(putter->out, entity);
            done = i + 1;
        }
    }
    tw_out_part(putter->out, of, text + done, size - done, done);
}

void tw_put_name(const tw_putter *putter, const tw_value *name)
{
    if (putter->description->entities != TW_ENTITIES_NONE) {
        put_attribute(putter, name, name->text, name->size);
    } else {
        tw_out_text(putter->out, name);
    }
}

void tw_put_key(const tw_putter *putter, const tw_value *member)
{
    if (putter->description->entities != TW_ENTITIES_NONE) {
        put_attribute(putter, member, member->key, member->key_size);
    } else {
        tw_out_key(putter->out, member);
    }
}

void tw_put_made_id(const tw_putter *putter, const tw_put_call *put)
{
    const tw_pattern *id = &putter->description->id.all[0];
    for (size_t i = 0; i < id->count; i++) {
        switch (id->parts[i].kind) {
        case TW_PATTERN_NAME: tw_out_text(putter->out, put->call->name); break;
        case TW_PATTERN_INDEX: tw_put_digits(putter, put->index); break;
        case TW_PATTERN_INDEX_FROM_1:
            tw_put_digits(putter, put->index + 1);
            break;
        default: tw_out(putter->out, id->parts[i].text); break;
        }
    }
}
