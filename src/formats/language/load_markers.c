/* SPDX-License-Identifier: MIT
 *
 * The tables that are made of a description: the markers that the decoder
 * looks for, those that the format shows to its users, and how its calls
 * begin.
 */
#include <string.h>

#include "core/skip.h"
#include "formats/language/load_state.h"

/* ---- the markers -------------------------------------------------------- */

typedef struct marker_list {
    tw_loader *loader;
    tw_mark_text *all;
    size_t count;
    tw_marker *shown;
    size_t shown_count;
} marker_list;

/* A text that had no room is "", whatever its size. */
static bool has_failed(const marker_list *list)
{
    return list->loader->to->error != TW_OK;
}

/* Where the token stands that a marker ends with, which begins with another of
 * |first| bytes; 0: none does. */
static uint8_t last_token(const marker_list *list, const char *text,
                          size_t size, size_t first)
{
    const char *const *tokens = list->loader->to->description.tokens;
    size_t last = 0;
    for (; first > 0 && first < size && *tokens != NULL; tokens++) {
        const size_t token = strlen(*tokens);
        if (first + token <= size &&
            memcmp(text + size - token, *tokens, token) == 0) {
            last = size - token;
        }
    }
    return (uint8_t)last;
}

static void add(marker_list *list, const char *text, size_t size,
                uint8_t token, uint8_t token_at, uint16_t role)
{
    if (has_failed(list)) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        tw_mark_text *marker = &list->all[i];
        if (marker->size == size && memcmp(marker->text, text, size) == 0) {
            marker->roles |= role;
            return;
        }
    }
    if (list->count == TW_MARKERS_MOST) {
        tw_load_refuse(list->loader, "more than 96 markers", "", 0, "");
        return;
    }
    const size_t first = token_at == 0 ? token : 0;
    const tw_mark_text marker = {
        text,  (uint8_t)size, 0,
        token, token_at,      last_token(list, text, size, first),
        role};
    list->all[list->count++] = marker;
}

static void show(marker_list *list, const char *text, size_t size, bool token,
                 uint32_t role)
{
    if (has_failed(list) || size < 2) { /* no server looks for a brace */
        return;
    }
    for (size_t i = 0; i < list->shown_count; i++) {
        tw_marker *marker = &list->shown[i];
        if (marker->size == size && memcmp(marker->text, text, size) == 0) {
            /* What closes text or calls may be a stop, too. */
            marker->stop |= role == TW_MARKER_END &&
                            marker->role != TW_MARKER_CALL_OPEN;
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

/* How the close of reasoning is shown: whose opener is shown as a call's, since
 * one token begins both, has no pair (Beam). */
static uint32_t shown_close(const marker_list *list, const tw_part *open,
                            uint32_t shown_open)
{
    uint32_t role = shown_open + 1;
    for (size_t i = 0; i < list->shown_count && open != NULL; i++) {
        const tw_marker *marker = &list->shown[i];
        if (shown_open == TW_MARKER_REASONING_OPEN &&
            marker->size == open->size && marker->role != shown_open &&
            memcmp(marker->text, open->text, open->size) == 0) {
            role = TW_MARKER_HEADER;
        }
    }
    return role;
}

static bool is_token(const tw_description *d, const char *text)
{
    bool found = false;
    for (size_t i = 0; d->tokens[i] != NULL; i++) {
        found |= strcmp(d->tokens[i], text) == 0;
    }
    return found;
}

static void add_part(marker_list *list, const tw_part *literal, uint16_t role,
                     uint32_t shown_role)
{
    if (literal != NULL) {
        const size_t size = literal->marker;
        const char *text =
            size < literal->size
                ? tw_load_text(list->loader, literal->text, size)
                : literal->text;
        const bool inner = literal->inner > 0 &&
                           (size_t)literal->inner_at + literal->inner <= size;
        add(list, text, size, inner ? literal->inner : literal->token,
            inner ? literal->inner_at : 0, role);
        if (role != TW_AT_PLAIN_CALL || *text != '<') {
            show(list, text, size, literal->token == size, shown_role);
        }
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
        const tw_part *last = tw_pattern_close(pattern);
        const bool plain = open == TW_AT_CALL;
        if (!pattern->fence && !pattern->words) {
            add_part(list, tw_pattern_open(pattern),
                     plain && pattern->plain ? TW_AT_PLAIN_CALL : open,
                     shown_open);
        }
        if (tw_pattern_hole(pattern)->kind == TW_PATTERN_TEXT_JSON) {
            continue; /* the string's quote ends it */
        }
        add_part(list, last, plain && is_plain(last) ? TW_AT_PLAIN_END : close,
                 shown_close(list, tw_pattern_open(pattern), shown_open));
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
        for (size_t part = call->first + 1; part < call->hole; part++) {
            const tw_part *literal = tw_pattern_literal(call, part);
            if (literal != NULL && !ends_tag(call, part) &&
                !is_plain(literal) && (literal->token > 0 || !call->loose)) {
                const bool last = tw_pattern_next(call, part) == call->hole;
                const size_t size = call->parts[part].marker;
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

/* The tags around arguments, and what stands inside a wrapper's front, as they
 * are written: text that holds one is no less forged than a call. */
static void show_inside(marker_list *list, const tw_patterns *patterns,
                        uint32_t role)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        for (size_t part = 0; part < pattern->count; part++) {
            const tw_part *literal = tw_pattern_literal(pattern, part);
            const bool ends = part > 0 && ends_tag(pattern, part);
            const size_t size = literal != NULL ? literal->marker : 0;
            if (size > 1 && !ends && !is_plain(literal) &&
                (literal->token > 0 || !pattern->loose)) {
                show(list, tw_load_text(list->loader, literal->text, size),
                     size, literal->token == size, role);
            }
        }
    }
}

/* What stands around strings in Gemma's notation. */
static void show_delimiters(marker_list *list, const tw_patterns *calls)
{
    for (size_t i = 0; i < calls->count; i++) {
        const tw_part *hole = tw_pattern_hole(&calls->all[i]);
        if (hole->kind == TW_PATTERN_GEMMA) {
            show(list, hole->text, strlen(hole->text),
                 is_token(&list->loader->to->description, hole->text),
                 TW_MARKER_STRING);
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
            add(list, d->between, size, (uint8_t)size, 0, TW_AT_END);
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
    add(list, tw_load_text(list->loader, text, size), size, (uint8_t)token, 0,
        TW_AT_END);
}

/* Does the template write the stop behind calls, and behind no text? */
static bool is_call_stop(const tw_description *d, const char *stop)
{
    return strstr(d->end_of_call, stop) != NULL &&
           strstr(d->end, stop) == NULL;
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
    show_delimiters(&list, &d->call);
    add_ends(&list, &d->reasoning, TW_AT_REASONING, TW_AT_REASONING_END,
             TW_MARKER_REASONING_OPEN);
    add_ends(&list, &d->text, TW_AT_TEXT, TW_AT_TEXT_END, TW_MARKER_HEADER);
    for (size_t i = 0; d->stops[i] != NULL; i++) {
        const size_t size = strlen(d->stops[i]);
        const bool token = is_token(d, d->stops[i]);
        const unsigned role =
            TW_AT_STOP | (is_call_stop(d, d->stops[i]) ? TW_AT_CALL_STOP : 0);
        add(&list, d->stops[i], size, token ? (uint8_t)size : 0, 0,
            (uint16_t)role);
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

enum {
    HEAD_SIZE = 3 * TW_MARKER_LONGEST,
    HEAD_LONGEST = 48 /* a marker so long tells enough: those who look hold few
                         bytes */
};

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

/* The front of a marker behind a name, which tells enough: those who look
 * hold few bytes. */
static bool put_front(head_text *head, const char *text)
{
    enum { FRONT = 12 };
    char front[FRONT + 1] = "";
    const size_t size = strlen(text);
    memcpy(front, text, size < FRONT ? size : FRONT);
    return put(head, front);
}

/* Blanks may stand there. */
static bool put_blanks(head_text *head)
{
    return (head->size > 0 && head->text[head->size - 1] == ' ') ||
           put(head, " ");
}

/* What ends the name that is part |i|: the literal behind it, or behind an
 * index whose mark could be a name's byte; NULL: the body does. */
static const tw_part *behind_name(const tw_pattern *call, size_t i)
{
    const size_t mark = tw_pattern_next(call, i);
    const size_t index = tw_pattern_next(call, mark);
    return index < call->hole && call->parts[mark].text[0] != '"' &&
                   tw_pattern_is_index(&call->parts[index])
               ? tw_pattern_literal(call, tw_pattern_next(call, index))
               : tw_pattern_literal(call, i + 1);
}

/* How the body of |kind| begins, or NULL.  A |short| list lacks its bracket. */
static const char *front_of(uint8_t kind, bool is_short)
{
    switch (kind) {
    case TW_PATTERN_OBJECT:
    case TW_PATTERN_LIST_LINES: return is_short ? NULL : "{";
    case TW_PATTERN_LIST: return is_short ? "{" : "[";
    case TW_PATTERN_KEYED: return is_short ? NULL : "[";
    case TW_PATTERN_GEMMA: return is_short ? NULL : "{";
    case TW_PATTERN_PYTHON: return is_short ? "*(" : "[ *(";
    case TW_PATTERN_PYTHON_LINES:
    case TW_PATTERN_PYTHON_CALL: return is_short ? NULL : "*(";
    default: return NULL;
    }
}

/* How a call begins, up to what makes it a head: its body's first byte, or
 * what stands behind its name.  So those who look for it in text of other
 * formats know that it is one.  A |short| one goes on behind the name with the
 * arguments, as models write that forget what stands between. */
static bool write_head(head_text *head, const tw_description *d,
                       const tw_pattern *call, bool is_short)
{
    const size_t first = call->first;
    const tw_part *open = tw_pattern_literal(call, first);
    bool fits = open != NULL && !call->plain &&
                tw_may_begin_marker((const uint8_t *)open->text) &&
                put(head, open->text) && put(head, " ");
    size_t i = tw_pattern_next(call, first);
    for (; i < call->count && tw_pattern_literal(call, i) != NULL;
         i = tw_pattern_next(call, i)) {
        fits = fits && put(head, tw_pattern_literal(call, i)->text);
    }
    if (fits && head->size > HEAD_LONGEST) {
        head->size = HEAD_LONGEST;
        return true;
    }
    uint8_t kind = i < call->count ? call->parts[i].kind : TW_PATTERN_RAW;
    if (kind == TW_PATTERN_SERVER || kind == TW_PATTERN_ID) {
        kind = TW_PATTERN_NAME; /* a word, too */
    }
    const tw_part *behind = behind_name(call, i);
    const char *front = front_of(kind, is_short);
    if (kind == TW_PATTERN_NAME && behind == NULL && d->argument.count > 0 &&
        call->parts[call->hole].kind == TW_PATTERN_ARGUMENTS) {
        behind = tw_pattern_open(d->argument.all);
        fits = fits && !is_short && put(head, "* ");
        return fits && behind != NULL && put(head, behind->text);
    }
    if (kind == TW_PATTERN_NAME && behind == NULL &&
        (tw_pattern_hole(call)->kind == TW_PATTERN_GEMMA ||
         d->argument.count == 0)) {
        /* A word behind the marker tells enough: Gemma's `call:`. */
        return fits && !is_short &&
               (head->text[head->size - 1] == ':' || put(head, "* {"));
    }
    if (kind == TW_PATTERN_NAME) {
        return fits && behind != NULL && put(head, "*") &&
               put_front(head, is_short ? "{" : behind->text);
    }
    return fits && front != NULL && put_blanks(head) && put(head, front);
}

/* Tags may be several formats': what opens their section tells whose. */
static bool write_section_head(head_text *head, const tw_description *d)
{
    const tw_pattern *calls = tw_patterns_first(&d->calls);
    const tw_part *open =
        calls != NULL && d->argument.count > 0 ? tw_pattern_open(calls) : NULL;
    const tw_part *call =
        d->call.count > 0 ? tw_pattern_open(d->call.all) : NULL;
    return open != NULL && !calls->loose && !calls->plain && call != NULL &&
           tw_may_begin_marker((const uint8_t *)open->text) &&
           put(head, open->text) && put(head, " ") && put(head, call->text);
}

void tw_load_heads(tw_loader *loader)
{
    tw_description *d = &loader->to->description;
    const size_t most = 1 + 2 * (size_t)d->call.count;
    const char **heads =
        tw_load_room(loader, (most + 1) * sizeof(const char *));
    size_t count = 0;
    for (size_t i = 0; heads != NULL && i < most; i++) {
        head_text head = {.size = 0};
        const tw_pattern *call = i > 0 ? &d->call.all[(i - 1) / 2] : NULL;
        if (call == NULL ? write_section_head(&head, d)
                         : write_head(&head, d, call, i % 2 == 0)) {
            heads[count++] = tw_load_text(loader, head.text, head.size);
            if (call == NULL || !call->loose) {
                d->written_heads++;
            }
        }
    }
    d->heads = heads;
}
