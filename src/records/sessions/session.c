/* SPDX-License-Identifier: MIT
 *
 * What the shapes of sessions share: which records fit them, and what all lines
 * have and no conversation, which is told as lost once.
 */
#include "records/sessions/session.h"

static const char no_place[] =
    "It is the log's own, and left out, here and wherever it stands.";

void tw_session_lose(tw_recoder *recoder, const tw_value *where,
                     const char *name, size_t name_size)
{
    tw_buffer *names = &recoder->left_out;
    for (size_t at = 0; at < names->size;) {
        size_t size;
        memcpy(&size, names->data + at, sizeof size);
        at += sizeof size;
        if (size == name_size &&
            memcmp(names->data + at, name, name_size) == 0) {
            return;
        }
        at += size;
    }
    tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, where, no_place);
    if (names->size < 8192) {
        recoder->json_out.failed |=
            !tw_buffer_append(names, recoder->memory, &name_size,
                              sizeof name_size) ||
            !tw_buffer_append(names, recoder->memory, name, name_size);
    }
}

void tw_session_lose_others(tw_recoder *recoder, const tw_value *object,
                            const char *const *known)
{
    const tw_value *at = object != NULL ? object->first : NULL;
    for (; at != NULL; at = at->next) {
        if (!tw_value_is_named(at, known) && !tw_value_is_void(at) &&
            at->kind != TW_VALUE_FALSE) {
            tw_session_lose(recoder, at, at->key, at->key_size);
        }
    }
}

tw_fit tw_session_fit(const tw_value *record,
                      bool (*is_line)(const tw_value *line))
{
    const tw_value *lines = tw_value_member(record, "lines");
    const tw_value *at =
        tw_value_is_a(lines, TW_VALUE_ARRAY) ? lines->first : NULL;
    while (at != NULL && !is_line(at)) {
        at = at->next;
    }
    return tw_fit_well(at != NULL);
}
