/* SPDX-License-Identifier: MIT
 *
 * What must hold between the parts of a description, and the tables that are
 * made of them: the markers that the decoder looks for, and those that the
 * format shows to its users.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/language/load_state.h"
#include "formats/name_bytes.h"

static const char as_body[] =
    "the body of a call may begin as the marker does";

/* ---- patterns ----------------------------------------------------------- */

size_t tw_pattern_next(const tw_pattern *pattern, size_t part)
{
    part++;
    while (part < pattern->count &&
           pattern->parts[part].kind == TW_PATTERN_LAYOUT) {
        part++;
    }
    return part;
}

size_t tw_pattern_marker(const tw_pattern *pattern, size_t part)
{
    const tw_part *literal = &pattern->parts[part];
    const char *attribute = strchr(literal->text, ' ');
    const bool tag =
        part + 2 < pattern->count && attribute != NULL && literal->size > 2 &&
        memcmp(literal->text + literal->size - 2, "=\"", 2) == 0 &&
        literal[1].kind != TW_PATTERN_LITERAL &&
        literal[1].kind != TW_PATTERN_LAYOUT &&
        literal[2].kind == TW_PATTERN_LITERAL && literal[2].text[0] == '"';
    return tag ? (size_t)(attribute - literal->text) : literal->size;
}

const char *tw_pattern_layout(const tw_pattern *pattern, size_t part)
{
    const tw_part *next = &pattern->parts[part + 1];
    return part + 1 < pattern->count && next->kind == TW_PATTERN_LAYOUT
               ? next->text
               : "";
}

bool tw_pattern_is_open(const tw_pattern *pattern)
{
    return tw_pattern_first(pattern) == pattern->hole;
}

const tw_part *tw_pattern_close(const tw_pattern *pattern)
{
    for (size_t i = pattern->count; i-- > (size_t)pattern->hole + 1;) {
        if (pattern->parts[i].kind == TW_PATTERN_LITERAL) {
            return &pattern->parts[i];
        }
    }
    return NULL;
}

size_t tw_pattern_first(const tw_pattern *pattern)
{
    const bool layout =
        pattern->count > 0 && pattern->parts[0].kind == TW_PATTERN_LAYOUT;
    return layout ? tw_pattern_next(pattern, 0) : 0;
}

static const tw_part *literal_at(const tw_pattern *pattern, size_t part)
{
    const bool is = part < pattern->count &&
                    pattern->parts[part].kind == TW_PATTERN_LITERAL;
    return is ? &pattern->parts[part] : NULL;
}

const tw_part *tw_pattern_open(const tw_pattern *pattern)
{
    return literal_at(pattern, tw_pattern_first(pattern));
}

/* The last literal behind the hole, or NULL. */
static const tw_part *last_literal(const tw_pattern *pattern)
{
    const tw_part *last = NULL;
    for (size_t i = pattern->hole; i < pattern->count; i++) {
        const tw_part *literal = literal_at(pattern, i);
        last = literal != NULL ? literal : last;
    }
    return last;
}

static bool has(const tw_pattern *pattern, uint8_t kind)
{
    bool found = false;
    for (size_t i = 0; i < pattern->count; i++) {
        found |= pattern->parts[i].kind == kind;
    }
    return found;
}

/* ---- checks ------------------------------------------------------------- */

static void refuse(tw_loader *loader, const char *sentence)
{
    tw_load_refuse(loader, sentence, "", 0, "");
}

/* Holes that end by their own structure may stand behind another one. */
static bool ends_by_itself(uint8_t kind)
{
    return kind == TW_PATTERN_LITERAL || kind == TW_PATTERN_LAYOUT ||
           (tw_part_is_body(kind) && kind != TW_PATTERN_RAW);
}

/* Does the literal at |mark| end a name? */
static bool ends_name(const tw_pattern *pattern, size_t name, size_t mark)
{
    const tw_part *literal = literal_at(pattern, mark);
    const size_t index = tw_pattern_next(pattern, mark);
    size_t size = 0;
    while (literal != NULL && size < literal->size &&
           tw_is_bare_name_byte((uint8_t)literal->text[size])) {
        size++;
    }
    return size == 0 || name + 1 < mark ||
           (size == literal->size && index < pattern->count &&
            tw_pattern_is_index(&pattern->parts[index]));
}

/* Holes that go on to what stands behind them must come to an end there. */
static void check_end(tw_loader *loader, const tw_pattern *pattern,
                      size_t hole, size_t next)
{
    const uint8_t kind = pattern->parts[hole].kind;
    if ((kind == TW_PATTERN_ID || kind == TW_PATTERN_SKIP) &&
        hole < pattern->hole && literal_at(pattern, next) == NULL) {
        refuse(loader, kind == TW_PATTERN_ID ? "no marker ends {id}"
                                             : "no marker ends {skip}");
    }
    if (kind == TW_PATTERN_NAME && hole < pattern->hole &&
        !ends_name(pattern, hole, next)) {
        refuse(loader, "what stands behind {name} may be part of a name, as "
                       "letters, digits and _-.:/ are");
    }
}

static void check_holes(tw_loader *loader, const tw_pattern *pattern)
{
    for (size_t i = tw_pattern_first(pattern); i < pattern->count;
         i = tw_pattern_next(pattern, i)) {
        const size_t next = tw_pattern_next(pattern, i);
        if (next < pattern->count && !ends_by_itself(pattern->parts[i].kind) &&
            !ends_by_itself(pattern->parts[next].kind)) {
            const char *hole = tw_hole_name(pattern->parts[i].kind);
            tw_load_refuse(loader, "no marker stands behind {", hole,
                           strlen(hole),
                           "}, where another hole begins (white space there "
                           "is layout)");
        }
        check_end(loader, pattern, i, next);
        if (i > pattern->hole && literal_at(pattern, i) == NULL &&
            pattern->parts[i].kind != TW_PATTERN_SKIP) {
            tw_load_refuse(loader, "{", tw_hole_name(pattern->parts[i].kind),
                           strlen(tw_hole_name(pattern->parts[i].kind)),
                           "} stands behind what it belongs to, where nothing "
                           "reads it");
        }
    }
}

static bool is_tagged(const tw_description *d, const tw_pattern *call)
{
    return tw_pattern_hole(call)->kind == TW_PATTERN_ARGUMENTS &&
           d->argument.count > 0;
}

static void check_call(tw_loader *loader, const tw_pattern *call)
{
    const uint8_t body = tw_pattern_hole(call)->kind;
    const bool behind_name =
        body == TW_PATTERN_ARGUMENTS || body == TW_PATTERN_JSON_ARGUMENTS;
    const tw_part *first = &call->parts[tw_pattern_first(call)];
    if (tw_pattern_first(call) < call->count &&
        !tw_part_is_body(first->kind) && first->kind != TW_PATTERN_LITERAL &&
        !call->loose && loader->to->description.quirks == 0) {
        refuse(loader, "it begins without a marker");
    }
    if (tw_part_holds_calls(body) &&
        (has(call, TW_PATTERN_ID) || has(call, TW_PATTERN_INDEX) ||
         has(call, TW_PATTERN_INDEX_FROM_1))) {
        refuse(loader, "{id} and {index} are of one call, and the body holds "
                       "several");
    }
    if (behind_name && !has(call, TW_PATTERN_NAME)) {
        refuse(loader, "{arguments} without {name}");
    }
    if (body == TW_PATTERN_GEMMA &&
        (last_literal(call) == NULL || last_literal(call)->text[0] != '<' ||
         tw_pattern_hole(call)->text[0] != '<')) {
        refuse(loader,
               "what {gemma:} names, and a marker behind it, begin with <");
    }
    if (is_tagged(&loader->to->description, call) &&
        last_literal(call) == NULL &&
        loader->to->description.calls.count == 0) {
        refuse(loader, "no marker ends the arguments");
    }
}

static void check_argument(tw_loader *loader, const tw_pattern *argument)
{
    if (!has(argument, TW_PATTERN_KEY)) {
        refuse(loader, "{key} is due");
    }
    if (literal_at(argument, tw_pattern_first(argument)) == NULL) {
        refuse(loader, "it begins without a marker");
    }
    if (last_literal(argument) == NULL) {
        refuse(loader, "no marker ends {value}");
    }
}

/* Could a call's body begin so?  Where one is due, nothing would tell which
 * it is. */
static bool begins_body(const char *text)
{
    return (text[0] == '{' && strspn(text + 1, "\" \t\r\n}") > 0) ||
           (text[0] == '[' && strspn(text + 1, "{] \t\r\n") > 0) ||
           strcmp(text, "{") == 0 || strcmp(text, "[") == 0;
}

static void check_opener(tw_loader *loader, const tw_pattern *pattern)
{
    const tw_part *open = literal_at(pattern, tw_pattern_first(pattern));
    if (open != NULL && begins_body(open->text)) {
        refuse(loader, as_body);
    }
}

static void check_reasoning(tw_loader *loader, const tw_pattern *reasoning)
{
    check_opener(loader, reasoning);
    const size_t first = tw_pattern_first(reasoning);
    if (literal_at(reasoning, first) == NULL && first != reasoning->hole) {
        refuse(loader, "it begins without a marker");
    }
    if (last_literal(reasoning) == NULL) {
        refuse(loader, "no marker ends {text}");
    }
}

static void check_text(tw_loader *loader, const tw_pattern *text)
{
    check_opener(loader, text);
    if (last_literal(text) != NULL &&
        literal_at(text, tw_pattern_first(text)) == NULL) {
        refuse(loader, "it begins without a marker");
    }
}

static void check_calls(tw_loader *loader, const tw_pattern *calls)
{
    if (literal_at(calls, tw_pattern_first(calls)) == NULL ||
        last_literal(calls) == NULL) {
        refuse(loader, "marker {calls} marker is due");
    }
}

static void check_each(tw_loader *loader, const char *key,
                       const tw_patterns *patterns,
                       void (*check)(tw_loader *, const tw_pattern *))
{
    size_t canonical = 0;
    while (canonical < patterns->count && !patterns->all[canonical].loose) {
        canonical++;
    }
    loader->key = key;
    loader->key_size = strlen(key);
    loader->in_pattern = false;
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        const size_t first = pattern->loose ? canonical : 0;
        const size_t last = pattern->loose ? patterns->count : canonical;
        loader->loose = pattern->loose;
        loader->index = i - first;
        loader->listed = last - first > 1;
        check_holes(loader, pattern);
        check(loader, pattern);
    }
    loader->loose = loader->listed = false;
}

static void check_stops(tw_loader *loader)
{
    const tw_description *d = &loader->to->description;
    loader->key = "stops";
    loader->key_size = strlen(loader->key);
    for (size_t i = 0; d->stops[i] != NULL; i++) {
        for (size_t k = 0; k < d->call.count; k++) {
            const tw_pattern *call = &d->call.all[k];
            const size_t first = tw_pattern_first(call);
            const tw_part *open = literal_at(call, first);
            if (open != NULL && strcmp(open->text, d->stops[i]) == 0 &&
                literal_at(call, tw_pattern_next(call, first)) == NULL) {
                tw_load_refuse(loader, "", d->stops[i], strlen(d->stops[i]),
                               " also begins a call");
            }
        }
        if (strlen(d->stops[i]) > TW_MARKER_LONGEST) {
            refuse(loader, "a marker is longer than 255 bytes");
        }
        if (begins_body(d->stops[i])) {
            refuse(loader, as_body);
        }
    }
}

/* One text for every call would be no id. */
static void check_id(tw_loader *loader)
{
    const tw_patterns *ids = &loader->to->description.id;
    loader->key = "id";
    loader->key_size = strlen(loader->key);
    for (size_t i = 0; i < ids->count; i++) {
        if (!has(&ids->all[i], TW_PATTERN_NAME) &&
            !has(&ids->all[i], TW_PATTERN_INDEX)) {
            refuse(loader, "{name} or {index} is due, or the word nine");
        }
    }
}

void tw_load_check(tw_loader *loader)
{
    const tw_description *d = &loader->to->description;
    check_each(loader, "call", &d->call, check_call);
    check_each(loader, "argument", &d->argument, check_argument);
    check_each(loader, "reasoning", &d->reasoning, check_reasoning);
    check_each(loader, "text", &d->text, check_text);
    check_each(loader, "calls", &d->calls, check_calls);
    check_id(loader);
    check_stops(loader);
    if (d->call.count == 0) {
        loader->key = "call";
        loader->key_size = strlen(loader->key);
        refuse(loader, "missing");
    }
}

/* ---- the markers -------------------------------------------------------- */

typedef struct marker_list {
    tw_loader *loader;
    tw_mark_text *all;
    size_t count;
    tw_marker *shown;
    size_t shown_count;
} marker_list;

static void add(marker_list *list, const char *text, size_t size,
                uint8_t token, uint16_t role)
{
    for (size_t i = 0; i < list->count; i++) {
        tw_mark_text *marker = &list->all[i];
        if (marker->size == size && memcmp(marker->text, text, size) == 0) {
            marker->roles |= role;
            return;
        }
    }
    if (list->count == TW_MARKERS_MOST) {
        refuse(list->loader, "more than 96 markers");
        return;
    }
    const tw_mark_text marker = {text, (uint8_t)size, 0, token, role};
    list->all[list->count++] = marker;
}

static void show(marker_list *list, const char *text, size_t size, bool token,
                 uint32_t role)
{
    for (size_t i = 0; i < list->shown_count; i++) {
        const tw_marker *marker = &list->shown[i];
        if (marker->size == size && memcmp(marker->text, text, size) == 0) {
            return;
        }
    }
    if (list->shown_count < TW_MARKERS_MOST) {
        const tw_marker marker = {text,
                                  size,
                                  role,
                                  1,
                                  !token,
                                  role == TW_MARKER_END,
                                  role != TW_MARKER_TURN};
        list->shown[list->shown_count++] = marker;
    }
}

static bool is_token(const tw_description *d, const char *text)
{
    bool found = false;
    for (size_t i = 0; d->tokens[i] != NULL; i++) {
        found |= strcmp(d->tokens[i], text) == 0;
    }
    return found;
}

static void add_part(marker_list *list, const tw_pattern *pattern,
                     const tw_part *literal, uint16_t role,
                     uint32_t shown_role)
{
    if (literal != NULL) {
        const size_t size =
            tw_pattern_marker(pattern, (size_t)(literal - pattern->parts));
        const char *text =
            size < literal->size
                ? tw_load_text(list->loader, literal->text, size)
                : literal->text;
        add(list, text, size, literal->token, role);
        show(list, text, size, literal->token == size, shown_role);
    }
}

/* A marker that is text like any other. */
static bool is_plain(const tw_part *literal)
{
    return literal != NULL && !literal->token && literal->text[0] != '<' &&
           literal->text[0] != '[' && strstr(literal->text, "<|") == NULL;
}

static void add_ends(marker_list *list, const tw_patterns *patterns,
                     uint16_t open, uint16_t close, uint32_t shown_open)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        const tw_part *last = last_literal(pattern);
        const bool plain = open == TW_AT_CALL;
        if (!pattern->fence) {
            add_part(
                list, pattern, literal_at(pattern, tw_pattern_first(pattern)),
                plain && pattern->plain ? TW_AT_PLAIN_CALL : open, shown_open);
        }
        add_part(list, pattern, last,
                 plain && is_plain(last) ? TW_AT_PLAIN_END : close,
                 shown_open + 1);
    }
}

/* The end of a tag that a hole stands in is no marker, nor is one byte, such
 * as a colon between name and index: any text may hold `>` or `">`. */
static bool ends_tag(const tw_pattern *call, size_t part)
{
    const tw_part *literal = &call->parts[part];
    return literal[-1].kind >= TW_PATTERN_NAME &&
           (literal->text[0] == '"' || literal->size == 1);
}

/* What stands inside a call's head. */
static void show_heads(marker_list *list, const tw_patterns *calls)
{
    for (size_t i = 0; i < calls->count; i++) {
        const tw_pattern *call = &calls->all[i];
        for (size_t part = tw_pattern_first(call) + 1; part < call->hole;
             part++) {
            const tw_part *literal = literal_at(call, part);
            if (literal != NULL && !ends_tag(call, part) &&
                (literal->token > 0 || !call->loose)) {
                const bool last = tw_pattern_next(call, part) == call->hole;
                const size_t size = tw_pattern_marker(call, part);
                show(list,
                     size < literal->size
                         ? tw_load_text(list->loader, literal->text, size)
                         : literal->text,
                     size, literal->token == literal->size,
                     last ? TW_MARKER_BODY : TW_MARKER_HEADER);
            }
        }
    }
}

/* The tags around arguments, and what stands inside a wrapper's front: text
 * that holds one is no less forged than a call. */
static void show_inside(marker_list *list, const tw_patterns *patterns,
                        uint32_t role)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        for (size_t part = 0; part < pattern->count; part++) {
            const tw_part *literal = literal_at(pattern, part);
            const bool ends = part > 0 && ends_tag(pattern, part);
            const size_t size =
                literal != NULL ? tw_pattern_marker(pattern, part) : 0;
            if (size > 1 && !ends && !is_plain(literal)) {
                show(list, tw_load_text(list->loader, literal->text, size),
                     size, literal->token == size, role);
            }
        }
    }
}

/* What ends a call's message where another one follows (Muse). */
static void add_between(marker_list *list)
{
    const tw_description *d = &list->loader->to->description;
    for (size_t i = 0; d->tokens[i] != NULL; i++) {
        if (strcmp(d->between, d->tokens[i]) == 0) {
            const size_t size = strlen(d->between);
            add(list, d->between, size, (uint8_t)size, TW_AT_END);
        }
    }
}

/* What stands in front of the stop, white space aside (Kimi K3). */
static void add_end(marker_list *list, const char *end)
{
    const tw_description *d = &list->loader->to->description;
    const char *text = end + strspn(end, " \t\r\n");
    const char *stop = NULL;
    size_t token = 0;
    for (size_t i = 0; d->stops[i] != NULL; i++) {
        const char *found = strstr(text, d->stops[i]);
        stop = found != NULL && (stop == NULL || found < stop) ? found : stop;
    }
    if (stop == NULL || stop == text || stop - text > TW_MARKER_LONGEST) {
        return;
    }
    for (size_t i = 0; d->tokens[i] != NULL; i++) {
        const size_t size = strlen(d->tokens[i]);
        token = strncmp(text, d->tokens[i], size) == 0 ? size : token;
    }
    const size_t size = (size_t)(stop - text);
    add(list, tw_load_text(list->loader, text, size), size, (uint8_t)token,
        TW_AT_END);
}

void tw_load_markers(tw_loader *loader)
{
    tw_description *d = &loader->to->description;
    marker_list list = {.loader = loader};
    list.all = tw_load_room(loader, TW_MARKERS_MOST * sizeof *list.all);
    list.shown = tw_load_room(loader, TW_MARKERS_MOST * sizeof *list.shown);
    if (list.all == NULL || list.shown == NULL) {
        return;
    }
    add_ends(&list, &d->calls, TW_AT_SECTION, TW_AT_SECTION_END,
             TW_MARKER_CALL_OPEN);
    add_ends(&list, &d->call, TW_AT_CALL, TW_AT_CALL_END, TW_MARKER_CALL_OPEN);
    show_heads(&list, &d->call);
    add_ends(&list, &d->reasoning, TW_AT_REASONING, TW_AT_REASONING_END,
             TW_MARKER_REASONING_OPEN);
    add_ends(&list, &d->text, TW_AT_TEXT, TW_AT_TEXT_END, TW_MARKER_HEADER);
    for (size_t i = 0; d->stops[i] != NULL; i++) {
        const size_t size = strlen(d->stops[i]);
        const bool token = is_token(d, d->stops[i]);
        add(&list, d->stops[i], size, token ? (uint8_t)size : 0, TW_AT_STOP);
        show(&list, d->stops[i], size, token, TW_MARKER_END);
    }
    add_between(&list);
    add_end(&list, d->end);
    add_end(&list, d->end_of_call);
    show_inside(&list, &d->argument, TW_MARKER_BODY);
    show_inside(&list, &d->reasoning, TW_MARKER_HEADER);
    show_inside(&list, &d->text, TW_MARKER_HEADER);
    for (size_t i = 0; d->tokens[i] != NULL; i++) {
        show(&list, d->tokens[i], strlen(d->tokens[i]), true, TW_MARKER_TURN);
    }
    tw_markers_make(&d->markers, list.all, list.count);
    d->public_markers = list.shown;
    d->public_count = list.shown_count;
}

/* ---- how calls begin ---------------------------------------------------- */

enum { HEAD_SIZE = 3 * TW_MARKER_LONGEST };

typedef struct head_text {
    char text[HEAD_SIZE];
    size_t size;
} head_text;

/* False: that is too long for a head that is looked for. */
static bool put(head_text *head, const char *text)
{
    const size_t size = strlen(text);
    const bool fits = size <= HEAD_SIZE - head->size;
    if (fits) {
        memcpy(head->text + head->size, text, size);
        head->size += size;
    }
    return fits;
}

/* How a call begins, up to what makes it a head: its body's first byte, or
 * what stands behind its name.  So those who look for it in text of other
 * formats know that it is one.  A |short| one goes on behind the name with the
 * arguments, as models write that forget what stands between. */
static bool write_head(head_text *head, const tw_pattern *call, bool is_short)
{
    const tw_part *open = literal_at(call, 0);
    bool fits = open != NULL &&
                tw_may_begin_marker((const uint8_t *)open->text) &&
                put(head, open->text) && put(head, " ");
    size_t i = tw_pattern_next(call, 0);
    for (; i < call->count && literal_at(call, i) != NULL;
         i = tw_pattern_next(call, i)) {
        fits = fits && put(head, literal_at(call, i)->text);
    }
    const uint8_t kind =
        i < call->count ? call->parts[i].kind : TW_PATTERN_RAW;
    const tw_part *behind = literal_at(call, i + 1);
    if (kind == TW_PATTERN_NAME) {
        return fits && behind != NULL && put(head, "*") &&
               put(head, is_short ? "{" : behind->text);
    }
    return fits && !is_short &&
           ((kind == TW_PATTERN_OBJECT && put(head, "{")) ||
            (kind == TW_PATTERN_LIST && put(head, "[")));
}

void tw_load_heads(tw_loader *loader)
{
    tw_description *d = &loader->to->description;
    const size_t most = 2 * (size_t)d->call.count;
    const char **heads =
        tw_load_room(loader, (most + 1) * sizeof(const char *));
    size_t count = 0;
    for (size_t i = 0; heads != NULL && i < most; i++) {
        head_text head = {.size = 0};
        if (write_head(&head, &d->call.all[i / 2], i % 2 == 1)) {
            heads[count++] = tw_load_text(loader, head.text, head.size);
        }
    }
    d->heads = heads;
}
