/* SPDX-License-Identifier: MIT
 *
 * Do the arguments of a call stand between tags here?  A name that no marker
 * ends is one if a parameter or a close of the format follows.
 */
#include "formats/body/tagged/tagged.h"

#include <string.h>

#include "events/tools.h"

static bool has_letter(tw_piece name)
{
    bool found = false;
    for (size_t i = 0; i < name.size; i++) {
        const uint8_t c = name.from[i];
        found |=
            c >= 0x80 || (tw_is_name_byte(c) && strchr("-.:/", c) == NULL);
    }
    return found;
}

/* Does a marker in front of the body end the name? */
static bool is_name_ended(const tw_pattern *call)
{
    size_t part = call->hole;
    while (part > 0 && call->parts[part - 1].kind == TW_PATTERN_LAYOUT) {
        part--;
    }
    return part == 0 || call->parts[part - 1].kind == TW_PATTERN_LITERAL;
}

/* One of the markers of a parameter at |at|, of those that no prose has. */
static tw_match parameter_marker_at(const tw_body *common, const uint8_t *at)
{
    const tw_patterns *all = &common->format->argument;
    tw_match best = TW_MATCH_NONE;
    for (size_t i = 0; i < all->count; i++) {
        const tw_pattern *pattern = &all->all[i];
        for (size_t part = 0; part < pattern->count; part++) {
            const tw_part *literal = &pattern->parts[part];
            if (literal->kind != TW_PATTERN_LITERAL ||
                literal->text[0] == '>' || literal->text[0] == '"') {
                continue;
            }
            size_t taken;
            const tw_match found =
                tw_front_at(common->call->window, at, literal,
                            pattern->parts[part].marker, &taken);
            best = found > best ? found : best;
        }
    }
    return best;
}

/* What ends a call's message. */
static tw_match message_end_at(const tw_body *common, const uint8_t *at)
{
    enum { ENDS = TW_AT_END | TW_AT_STOP };
    const tw_window *window = common->call->window;
    const tw_found found = tw_marker_at(common->marks, window, at);
    return found.roles == TW_AT_MORE     ? TW_MATCH_MORE
           : (found.roles & ENDS) != 0   ? TW_MATCH_WHOLE
           : tw_marker_is_cut(common->marks, window, at, ENDS)
               ? TW_MATCH_CUT
               : TW_MATCH_NONE;
}

tw_match tw_tagged_close_at(const tw_body *common, const tw_pattern *call,
                            const uint8_t *at)
{
    tw_match best = TW_MATCH_NONE;
    if (tw_call_ends_message(common->format, call)) {
        return message_end_at(common, at);
    }
    for (size_t part = (size_t)call->hole + 1; part < call->count; part++) {
        const tw_part *literal = &call->parts[part];
        const tw_match close =
            literal->kind == TW_PATTERN_LITERAL
                ? tw_part_at(common->call->window, at, literal)
                : TW_MATCH_NONE;
        best = close > best ? close : best;
    }
    return best;
}

tw_match tw_tagged_part_at(const tw_body *common, const tw_pattern *call,
                           const uint8_t *at)
{
    const tw_match marker = parameter_marker_at(common, at);
    const tw_match close = tw_tagged_close_at(common, call, at);
    return marker > close ? marker : close;
}

tw_match tw_tagged_part_or_end_at(const tw_body *common,
                                  const tw_pattern *call, const uint8_t *at)
{
    const tw_found found =
        tw_marker_at(common->marks, common->call->window, at);
    const tw_match end = found.roles == TW_AT_MORE ? TW_MATCH_MORE
                         : (found.roles & TW_AT_SECTION_END) != 0
                             ? TW_MATCH_WHOLE
                             : TW_MATCH_NONE;
    const tw_match part = tw_call_ends_message(common->format, call)
                              ? parameter_marker_at(common, at)
                              : tw_tagged_part_at(common, call, at);
    return part > end ? part : end;
}

static size_t literals_in_head(const tw_pattern *call)
{
    size_t count = 0;
    for (size_t i = 0; i < call->hole; i++) {
        count += call->parts[i].kind == TW_PATTERN_LITERAL;
    }
    return count;
}

/* Do JSON arguments stand behind the same head, too? */
static bool has_json(const tw_description *format, const tw_pattern *call)
{
    const tw_part *open = &call->parts[call->first];
    bool found = false;
    for (size_t i = 0; i < format->call.count; i++) {
        const tw_pattern *other = &format->call.all[i];
        const tw_part *first = &other->parts[other->first];
        found |= tw_pattern_hole(other)->kind == TW_PATTERN_JSON_ARGUMENTS &&
                 first->kind == open->kind &&
                 strcmp(first->text, open->text) == 0 &&
                 literals_in_head(other) == literals_in_head(call);
    }
    return found;
}

/* Is the brace in front of the body an object's, where a quote follows? */
static bool may_be_object(const tw_description *format, const tw_pattern *call)
{
    size_t part = call->hole;
    while (part > 0 && call->parts[part - 1].kind == TW_PATTERN_LAYOUT) {
        part--;
    }
    const tw_part *literal =
        part > 0 ? tw_pattern_literal(call, part - 1) : NULL;
    bool json = false;
    for (size_t i = 0; i < format->call.count; i++) {
        json |= tw_pattern_hole(&format->call.all[i])->kind ==
                TW_PATTERN_JSON_ARGUMENTS;
    }
    return json && literal != NULL && literal->text[literal->size - 1] == '{';
}

/* A tag around a key at |at|: the form of parameters that goes with a name
 * without a tag.  `<parameter=` goes with `<function=`. */
static tw_match key_tag_at(const tw_body *common, const uint8_t *at)
{
    const tw_patterns *all = &common->format->argument;
    tw_match best = TW_MATCH_NONE;
    for (size_t i = 0; i < all->count; i++) {
        const tw_pattern *pattern = &all->all[i];
        const tw_part *open = &pattern->parts[pattern->first];
        const tw_match found = open->text[open->size - 1] == '>'
                                   ? tw_part_at(common->call->window, at, open)
                                   : TW_MATCH_NONE;
        best = found > best ? found : best;
    }
    return best;
}

/* What opens a call stands at |at| in place of what opens a parameter that the
 * tool declares. */
static tw_match odd_parameter_at(const tw_body *common, const tw_tool *tool,
                                 const uint8_t *at)
{
    const tw_tools *tools = common->call->sink->tools;
    const tw_window *window = common->call->window;
    tw_opening opening;
    if (tool == NULL ||
        (tw_marker_at(common->marks, window, at).roles & TW_AT_CALL) == 0) {
        return TW_MATCH_NONE;
    }
    const tw_match found =
        tw_bare_opening_at(window, common->format, at, &opening);
    return found == TW_MATCH_MORE ||
                   (found == TW_MATCH_WHOLE &&
                    tw_tools_parameter(tools, tool,
                                       (const char *)opening.key.from,
                                       opening.key.size) != NULL)
               ? found
               : TW_MATCH_NONE;
}

/* A name that no marker ends: what follows must be the format's. */
static tw_match name_ends_at(const tw_body *common, const tw_body_head *head,
                             const uint8_t *at)
{
    const tw_window *window = common->call->window;
    const tw_tools *tools = common->call->sink->tools;
    const tw_piece name = {head->name, head->name_size};
    const tw_tool *tool =
        tw_tools_find(tools, (const char *)name.from, name.size);
    const bool declared = at > name.from + name.size && tool != NULL;
    const size_t first = head->pattern->first;
    tw_opening opening;
    if (name.size > 0 && !has_letter(name)) {
        return TW_MATCH_NONE;
    }
    if (at == window->limit) {
        return !window->eof ? TW_MATCH_MORE
               : declared   ? TW_MATCH_WHOLE
                            : TW_MATCH_CUT;
    }
    if (head->pattern->loose && key_tag_at(common, at) == TW_MATCH_NONE) {
        return TW_MATCH_NONE;
    }
    const tw_match parameter =
        tw_opening_at(window, common->format, at, &opening);
    if (parameter == TW_MATCH_MORE) {
        return TW_MATCH_MORE;
    }
    if (name.size == 0 || name.size > TW_OPENING_KEY) {
        return parameter != TW_MATCH_NONE &&
                       head->pattern->parts[first].token > 0
                   ? TW_MATCH_WHOLE
                   : TW_MATCH_NONE;
    }
    if (parameter != TW_MATCH_NONE || head->pattern->loose) {
        return parameter;
    }
    const tw_match odd = odd_parameter_at(common, tool, at);
    if (odd != TW_MATCH_NONE) {
        return odd;
    }
    const tw_match part = tw_tagged_part_or_end_at(common, head->pattern, at);
    return declared ? TW_MATCH_WHOLE : part;
}

tw_body_opens tw_tagged_opens(const tw_body *common, const tw_body_head *head,
                              const uint8_t *at)
{
    const tw_window *window = common->call->window;
    const bool ended = is_name_ended(head->pattern);
    if (has_json(common->format, head->pattern) &&
        (at < window->limit ? *at == '{' && head->name_size > 0
                            : ended && !window->eof)) {
        return at < window->limit ? TW_BODY_IS_NONE : TW_BODY_IS_MORE;
    }
    if (may_be_object(common->format, head->pattern) &&
        (at < window->limit ? *at == '"' : !window->eof)) {
        return at < window->limit ? TW_BODY_IS_NONE : TW_BODY_IS_MORE;
    }
    return ended ? TW_BODY_IS_HERE
                 : tw_body_opens_of(name_ends_at(common, head, at));
}
