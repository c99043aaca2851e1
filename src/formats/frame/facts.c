/* SPDX-License-Identifier: MIT
 *
 * What the patterns of a description say, asked without a state.
 */
#include "formats/frame/frame.h"

#include <string.h>

bool tw_frame_has_callees(const tw_pattern *pattern)
{
    const uint8_t kind = tw_pattern_hole(pattern)->kind;
    return kind == TW_PATTERN_PYTHON || kind == TW_PATTERN_PYTHON_LINES ||
           kind == TW_PATTERN_PYTHON_CALL;
}

const tw_part *tw_frame_opener_of(const tw_pattern *pattern)
{
    for (size_t i = 0; i < pattern->hole; i++) {
        if (pattern->parts[i].kind == TW_PATTERN_LITERAL) {
            return &pattern->parts[i];
        }
    }
    return NULL;
}

bool tw_frame_has_unmarked(const tw_description *description)
{
    bool found = false;
    for (size_t i = 0; i < description->call.count; i++) {
        const tw_pattern *pattern = &description->call.all[i];
        found |= tw_frame_has_callees(pattern) &&
                 tw_frame_opener_of(pattern) == NULL;
    }
    return found;
}

bool tw_frame_may_be_bare(const tw_pattern *call)
{
    return call->fence ||
           (tw_pattern_open(call) == NULL && tw_pattern_close(call) == NULL &&
            !tw_frame_has_callees(call));
}

bool tw_frame_at_edge(const tw_frame *state)
{
    return !state->segment.begun || state->edge;
}

const char *tw_frame_layout_before(const tw_pattern *pattern, size_t part)
{
    const tw_part *before = part > 0 ? &pattern->parts[part - 1] : NULL;
    return before != NULL && before->kind == TW_PATTERN_LAYOUT ? before->text
                                                               : "";
}

/* |name| and the parts behind it are those of the id behind its name. */
static bool goes_on_as(const tw_pattern *call, size_t name,
                       const tw_pattern *id, size_t id_name)
{
    bool same = true;
    for (size_t i = id_name + 1; i < id->count && same; i++) {
        const tw_part *part = &call->parts[name + i - id_name];
        same = name + i - id_name < call->hole &&
               part->kind == id->parts[i].kind &&
               strcmp(part->text, id->parts[i].text) == 0;
    }
    return same;
}

bool tw_frame_is_indexed(const tw_description *d)
{
    const tw_pattern *id = d->id.all;
    size_t at = 0;
    bool found = false;
    while (d->id.count > 0 && at < id->count &&
           id->parts[at].kind != TW_PATTERN_NAME) {
        at++;
    }
    if (d->id.count == 0 || at + 3 != id->count ||
        strcmp(id->parts[at + 1].text, ":") != 0) {
        return false;
    }
    for (size_t i = 0; i < d->call.count; i++) {
        const tw_pattern *call = &d->call.all[i];
        for (size_t k = 0; k < call->hole && !call->loose; k++) {
            found |= call->parts[k].kind == TW_PATTERN_NAME &&
                     goes_on_as(call, k, id, at);
        }
    }
    return found;
}
