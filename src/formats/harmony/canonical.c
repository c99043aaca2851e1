/* SPDX-License-Identifier: MIT
 *
 * Harmony's headers as the templates write them, read in one look.
 */
#include <string.h>

#include "core/ascii.h"
#include "formats/harmony/state.h"
#include "formats/harmony/tokens.h"
#include "json/whole.h"

/* A longer name is left to the steps of a header. */
enum { NAME_LIMIT = 256 };

static bool skip(const uint8_t **at, const uint8_t *limit, const char *word)
{
    const size_t size = strlen(word);
    if ((size_t)(limit - *at) < size || memcmp(*at, word, size) != 0) {
        return false;
    }
    *at += size;
    return true;
}

static bool is_name_byte(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || tw_is_digit(c) || c == '_' ||
           (c >= 'A' && c <= 'Z') || c == '-';
}

/* ` to=functions.NAME`, if there is a blank. */
static bool skip_recipient(const uint8_t **at, const uint8_t *limit,
                           tw_slice *name)
{
    if (*at == limit || **at != ' ') {
        return true;
    }
    if (!skip(at, limit, " to=functions.")) {
        return false;
    }
    name->from = *at;
    while (*at < limit && is_name_byte(**at)) {
        ++*at;
    }
    name->to = *at;
    return *at > name->from && *at - name->from <= NAME_LIMIT;
}

static tw_channel skip_channel(const uint8_t **at, const uint8_t *limit)
{
    return skip(at, limit, TW_HARMONY_CHANNEL_TEXT "commentary")
               ? TW_CHANNEL_COMMENTARY
           : skip(at, limit, TW_HARMONY_CHANNEL_TEXT "analysis")
               ? TW_CHANNEL_ANALYSIS
           : skip(at, limit, TW_HARMONY_CHANNEL_TEXT "final")
               ? TW_CHANNEL_FINAL
               : TW_CHANNEL_NONE;
}

/* Where the body behind such a header begins; NULL: it is another one, or not
 * whole in view.  The prompt ends with the start of the |first|. */
static const uint8_t *read_header(tw_slice text, bool first,
                                  tw_harmony_header *header,
                                  bool *explicit_start)
{
    const uint8_t *at = text.from;
    memset(header, 0, sizeof *header);
    header->marked = true;
    *explicit_start = skip(&at, text.to, TW_HARMONY_TURN_TEXT);
    if ((*explicit_start || first) &&
        !skip_recipient(&at, text.to, &header->name)) {
        return NULL;
    }
    header->channel = skip_channel(&at, text.to);
    const bool behind = header->name.from != NULL; /* the type follows */
    if (header->channel == TW_CHANNEL_NONE ||
        (!behind && !skip_recipient(&at, text.to, &header->name))) {
        return NULL;
    }
    header->function = header->name.from != NULL;
    if (header->function &&
        !skip(&at, text.to, " " TW_HARMONY_CONSTRAIN_TEXT "json") &&
        !skip(&at, text.to, TW_HARMONY_CONSTRAIN_TEXT "json")) {
        skip(&at, text.to, " json");
    }
    return skip(&at, text.to, TW_HARMONY_MESSAGE_TEXT) ? at : NULL;
}

/* The whole call, whose header ends at |body|, if it is as short and plain as
 * most are: arguments without a `<` and their terminator.  False: its body is
 * to be read. */
static bool read_whole_call(tw_harmony *state, tw_slice name,
                            const uint8_t *body)
{
    static const char marker[] = TW_HARMONY_CALL_TEXT;
    const size_t marker_size = sizeof marker - 1;
    tw_window *window = state->window;
    tw_sink *sink = state->sink;
    const uint64_t begin = window->offset;
    const uint8_t *end =
        body < window->limit
            ? tw_json_whole_object(body, window->limit, sink->limits.depth)
            : NULL;
    if (end == NULL || (size_t)(window->limit - end) < marker_size ||
        memcmp(end, marker, marker_size) != 0) {
        return false;
    }
    const size_t size = (size_t)(end - body);
    if (size > sink->limits.arguments || memchr(body, '<', size) != NULL ||
        tw_sink_call_refused(sink, TW_SLICE_SIZE(name)) != 0) {
        return false;
    }
    const uint32_t index = tw_sink_call_begin(
        sink, (const char *)name.from, TW_SLICE_SIZE(name), NULL, 0, 0, begin);
    tw_sink_arguments(sink, index, body, size, tw_window_offset(window, body));
    tw_window_skip(window, (size_t)(end - window->at));
    tw_sink_call_end(sink, index, TW_CALL_COMPLETE, begin, window->offset);
    tw_harmony_framing(state, marker_size);
    tw_harmony_after_terminator(state, TW_HARMONY_CALL);
    return true;
}

bool tw_harmony_read_canonical(tw_harmony *state)
{
    const tw_window *window = state->window;
    const tw_slice text = {window->at, window->limit};
    if (TW_SLICE_SIZE(text) == 0 ||
        (*text.from != '<' && (*text.from != ' ' || !state->first)) ||
        state->stripped || state->plain_until > window->offset ||
        tw_window_is_marked(window)) {
        return false;
    }
    tw_harmony_header header;
    bool start;
    const uint8_t *body = read_header(text, state->first, &header, &start);
    if (body == NULL || !(start || state->first)) {
        return false;
    }
    state->explicit_start = start;
    state->first = false;
    if (!header.function || !read_whole_call(state, header.name, body)) {
        tw_harmony_open_message(state, &header, body);
    }
    return true;
}
