/* SPDX-License-Identifier: MIT
 *
 * A suffix in each marker that the checkpoint decides: `<tool_call:6124c78e>`,
 * or none.  The description has the one that is written; the first marker in
 * what is read tells which it is there, and from there on all markers have
 * it.
 */
#include <string.h>

#include "formats/frame/frame.h"
#include "formats/name_bytes.h"

struct tw_frame_suffix {
    tw_loaded loaded; /* the description with that suffix */
    char text[TW_SUFFIX_MOST + 1];
};

/* A marker with any suffix. */
typedef struct suffixed {
    tw_match found;
    const uint8_t *suffix;
    size_t size; /* of the suffix */
} suffixed;

static tw_match any_suffix_at(const tw_window *window, const char *wanted,
                              suffixed *marker)
{
    const uint8_t *at = marker->suffix;
    size_t size = 0;
    if (at < window->limit && *at == (uint8_t)wanted[0]) {
        size = 1;
        while (size <= TW_SUFFIX_MOST && at + size < window->limit &&
               tw_is_inner_byte(at[size])) {
            size++;
        }
    }
    marker->size = size;
    return size > TW_SUFFIX_MOST          ? TW_MATCH_NONE
           : at + size == window->limit ? TW_MATCH_MORE
           : size == 1                  ? TW_MATCH_NONE
                                        : TW_MATCH_WHOLE;
}

static suffixed marker_at(const tw_frame *state, const uint8_t *at,
                          const tw_mark_text *text)
{
    const tw_window *window = state->window;
    const char *suffix = state->description->suffix;
    const char *there = strstr(text->text, suffix);
    suffixed marker = {TW_MATCH_NONE, NULL, 0};
    if (there == NULL) {
        return marker;
    }
    const size_t front = (size_t)(there - text->text);
    const char *behind = there + strlen(suffix);
    marker.found = tw_text_at(window, at, text->text, front);
    if (marker.found == TW_MATCH_WHOLE) {
        marker.suffix = at + front;
        marker.found = any_suffix_at(window, suffix, &marker);
    }
    if (marker.found == TW_MATCH_WHOLE) {
        const uint8_t *to = marker.suffix + marker.size;
        marker.found = tw_text_at(window, to, behind, strlen(behind));
        if (tw_window_is_marked_text(window, at, (size_t)(to - at))) {
            marker.found = TW_MATCH_NONE;
        }
    }
    return marker;
}

/* The suffix of any marker at |at|; a marker that is whole counts first. */
static suffixed first_at(const tw_frame *state, const uint8_t *at)
{
    const tw_markers *table = &state->description->markers;
    suffixed best = {TW_MATCH_NONE, NULL, 0};
    for (size_t i = table->first[*at]; i > 0; i = table->all[i - 1].next) {
        const suffixed marker = marker_at(state, at, &table->all[i - 1]);
        if (marker.found == TW_MATCH_WHOLE) {
            return marker;
        }
        best = marker.found == TW_MATCH_MORE ? marker : best;
    }
    return best;
}

/* ---- another suffix ----------------------------------------------------- */

/* The description's JSON with the other suffix. */
static bool rewrite(const tw_description *description, const char *suffix,
                    const tw_memory *memory, tw_buffer *out)
{
    tw_buffer json = {0};
    const size_t size = tw_description_show(description, NULL, 0);
    bool good = tw_buffer_reserve(&json, memory, size + 1);
    if (good) {
        tw_description_show(description, (char *)json.data, size);
        json.data[size] = 0;
    }
    const char *at = (const char *)json.data;
    const char *next = NULL;
    while (good && (next = strstr(at, description->suffix)) != NULL) {
        good = tw_buffer_append(out, memory, at, (size_t)(next - at)) &&
               tw_buffer_append(out, memory, suffix, strlen(suffix));
        at = next + strlen(description->suffix);
    }
    good = good && tw_buffer_append(out, memory, at, strlen(at));
    tw_buffer_free(&json, memory);
    return good;
}

void tw_frame_suffix_free(tw_frame *state)
{
    if (state->suffix != NULL) {
        tw_description_free(&state->suffix->loaded);
        tw_memory_free(&state->memory, state->suffix, sizeof *state->suffix);
        state->suffix = NULL;
    }
}

/* What is known of the suffix is kept for the next message. */
static bool make(tw_frame *state, const char *text)
{
    tw_buffer json = {0};
    if (state->suffix != NULL && strcmp(state->suffix->text, text) == 0) {
        return true;
    }
    if (state->child != NULL) { /* which may have read by it */
        tw_frame_use(state->child->state, state->format->description);
    }
    tw_frame_suffix_free(state);
    state->suffix = tw_memory_new(&state->memory, sizeof *state->suffix);
    bool good = state->suffix != NULL &&
                rewrite(state->description, text, &state->memory, &json);
    if (good) {
        memcpy(state->suffix->text, text, strlen(text) + 1);
        good = tw_description_load(&state->suffix->loaded, &state->memory,
                                   (const char *)json.data,
                                   json.size) == TW_OK;
    }
    tw_buffer_free(&json, &state->memory);
    return good;
}

static void learn(tw_frame *state, const suffixed *marker)
{
    char text[TW_SUFFIX_MOST + 1] = {0};
    state->unlearned = false;
    memcpy(text, marker->suffix, marker->size);
    if (strcmp(text, state->description->suffix) == 0) {
        return;
    }
    if (make(state, text)) {
        tw_frame_use(state, &state->suffix->loaded.description);
    } else {
        tw_frame_suffix_free(state);
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->window->offset,
                     "no memory");
    }
}

const uint8_t *tw_frame_learn(tw_frame *state)
{
    const tw_window *window = state->window;
    const uint8_t *at = window->at;
    if (state->sought > window->offset) {
        at += state->sought - window->offset;
    }
    for (; at < window->limit; at++) {
        const suffixed marker = first_at(state, at);
        if (marker.found == TW_MATCH_WHOLE) {
            learn(state, &marker);
            return window->limit;
        }
        if (marker.found == TW_MATCH_MORE && !window->eof) {
            break;
        }
    }
    state->sought = tw_window_offset(window, at);
    return at;
}

/* ---- in a prompt -------------------------------------------------------- */

size_t tw_frame_head_text_at(const tw_description *description,
                             const char *head, size_t length, const char *at,
                             const char *end)
{
    const char *suffix = description != NULL ? description->suffix : "";
    const char *there = suffix[0] != 0 ? strstr(head, suffix) : NULL;
    const size_t front = there != NULL ? (size_t)(there - head) : length;
    const size_t left = (size_t)(end - at);
    size_t size = front < length ? front : length;
    if (size > left || memcmp(at, head, size) != 0) {
        return 0;
    }
    if (size == length) {
        return size;
    }
    size += size < left && at[size] == suffix[0];
    while (size > front && size < left &&
           tw_is_inner_byte((uint8_t)at[size])) {
        size++;
    }
    head += front + strlen(suffix);
    length -= front + strlen(suffix);
    return length <= left - size && memcmp(at + size, head, length) == 0
               ? size + length
               : 0;
}
