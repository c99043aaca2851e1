/* SPDX-License-Identifier: MIT
 *
 * Searches delivered text for heads of other formats and for reasoning's
 * markers, and compares with the warnings.
 */
#include "warned.h"

#include <stdint.h>
#include <string.h>

enum { FAR = 64 };

/* ---- heads -------------------------------------------------------------- */

typedef struct place {
    const char *at;
    const char *end; /* no more is looked at */
} place;

static bool take(place *its, const char *word)
{
    const size_t size = strlen(word);
    if ((size_t)(its->end - its->at) < size ||
        memcmp(its->at, word, size) != 0) {
        return false;
    }
    its->at += size;
    return true;
}

static void blanks(place *its)
{
    while (take(its, " ") || take(its, "\n") || take(its, "\t") ||
           take(its, "\r")) {
    }
}

static bool word(place *its)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/";
    const char *from = its->at;
    while (its->at < its->end && *its->at != 0 &&
           strchr(letters, *its->at) != NULL) {
        its->at++;
    }
    return its->at > from;
}

static bool gemma4_head(place its)
{
    if (!take(&its, "<|tool_call>")) {
        return false;
    }
    blanks(&its);
    if (take(&its, "call:") || take(&its, ":")) {
        return true;
    }
    return word(&its) && (blanks(&its), take(&its, "{"));
}

static bool harmony_head(place its)
{
    if (!take(&its, "<|channel|>") || !word(&its)) {
        return false;
    }
    blanks(&its);
    return take(&its, "to=") || take(&its, "<|constrain|>") ||
           take(&its, "<|message|>");
}

static bool hermes_head(place its)
{
    if (!take(&its, "<tool_call>")) {
        return false;
    }
    blanks(&its);
    if (take(&its, "{") || take(&its, "[") || take(&its, "<function=")) {
        return true;
    }
    return word(&its) && (blanks(&its), take(&its, "<parameter=") ||
                                            take(&its, "<arg_key>"));
}

static bool nemotron_head(place its)
{
    if (!take(&its, "<TOOLCALL>")) {
        return false;
    }
    blanks(&its);
    return take(&its, "{") || take(&its, "[");
}

static bool mistral_head(place its)
{
    if (!take(&its, "[TOOL_CALLS]")) {
        return false;
    }
    blanks(&its);
    return word(&its) && (take(&its, "[ARGS]") || take(&its, "[CALL_ID]") ||
                          take(&its, "{"));
}

typedef struct family {
    const char *name;
    bool (*head)(place);
    const char *opens, *closes; /* reasoning, where its close may be text */
} family;

static const family families[] = {
    {"gemma4", gemma4_head, "<|channel>", NULL},
    {"harmony", harmony_head, NULL, NULL},
    {"hermes", hermes_head, "<think>", "</think>"},
    {"nemotron", nemotron_head, "<think>", "</think>"},
    {"mistral", mistral_head, "[THINK]", "[/THINK]"},
};

enum { FAMILIES = sizeof families / sizeof *families };

/* ---- text --------------------------------------------------------------- */

/* What is at |i| of the event's data; ill-formed bytes stand only in front. */
static uint64_t offset_of(const event_record *event, size_t i)
{
    return event->offset + event->span - (event->size - i);
}

static place place_in(const event_log *log, const event_record *event,
                      size_t i)
{
    const char *at = log->bytes + event->data + i;
    const size_t left = event->size - i;
    const place its = {at, at + (left < FAR ? left : FAR)};
    return its;
}

/* The first text that is a head of another family; NULL: none is.  Heads of
 * formats that are only described are not searched for: a warning that names
 * one of these is believed. */
static const family *find_foreign(const event_log *log, const family *own,
                                  uint64_t *offset)
{
    for (size_t e = 0; e < log->count; e++) {
        const event_record *event = &log->events[e];
        for (size_t i = 0; event->type == TW_EVENT_TEXT && i < event->size;
             i++) {
            for (size_t f = 0; f < FAMILIES; f++) {
                if (&families[f] != own &&
                    families[f].head(place_in(log, event, i))) {
                    *offset = offset_of(event, i);
                    return &families[f];
                }
            }
        }
    }
    return NULL;
}

static uint64_t find_word(const event_log *log, const char *marker)
{
    for (size_t e = 0; e < log->count && marker != NULL; e++) {
        const event_record *event = &log->events[e];
        for (size_t i = 0; event->type == TW_EVENT_TEXT && i < event->size;
             i++) {
            place its = place_in(log, event, i);
            if (take(&its, marker)) {
                return offset_of(event, i);
            }
        }
    }
    return UINT64_MAX;
}

/* Where |marker| was read as one. */
static uint64_t find_framing(const event_log *log, const char *text,
                             const char *marker)
{
    const size_t size = marker != NULL ? strlen(marker) : 0;
    for (size_t e = 0; e < log->count && size > 0; e++) {
        const event_record *event = &log->events[e];
        for (size_t i = 0; event->type == TW_EVENT_FRAMING &&
                           event->span >= size && i <= event->span - size;
             i++) {
            if (memcmp(text + event->offset + i, marker, size) == 0) {
                return event->offset + i;
            }
        }
    }
    return UINT64_MAX;
}

/* Gemma's close marker is skipped with a diagnostic.  A second one with which
 * a segment begins is none that nothing opened. */
static uint64_t find_stray(const event_log *log, const char *text)
{
    static const char marker[] = "<channel|>";
    const uint64_t first = find_framing(log, text, marker);
    bool begins = true;
    for (size_t e = 0; e < log->count; e++) {
        const event_record *event = &log->events[e];
        if (event->type == TW_EVENT_FRAMING) {
            begins |=
                strncmp(text + event->offset, marker, sizeof marker - 1) == 0;
        } else if (event->type != TW_EVENT_DIAGNOSTIC) {
            begins = event->type != TW_EVENT_TEXT;
        } else if (event->code == TW_DIAGNOSTIC_STRAY_MARKER &&
                   strncmp(text + event->offset, marker, sizeof marker - 1) ==
                       0 &&
                   !(begins && first < event->offset)) {
            return event->offset;
        }
    }
    return UINT64_MAX;
}

static uint64_t find_orphan(const event_log *log, const family *own,
                            const char *text)
{
    const bool drops = own->head == gemma4_head;
    const uint64_t close =
        drops ? find_stray(log, text) : find_word(log, own->closes);
    /* One that is text says so behind reasoning, too. */
    const uint64_t opened =
        drops ? find_framing(log, text, own->opens) : UINT64_MAX;
    const uint64_t named =
        own->closes != NULL ? find_word(log, own->opens) : UINT64_MAX;
    return close < opened && close < named ? close : UINT64_MAX;
}

/* ---- comparison --------------------------------------------------------- */

/* The one event with this code; NULL and *count otherwise. */
static const event_record *said(const event_log *log, uint32_t code,
                                size_t *count)
{
    const event_record *found = NULL;
    *count = 0;
    for (size_t e = 0; e < log->count; e++) {
        const event_record *event = &log->events[e];
        if (event->type == TW_EVENT_DIAGNOSTIC && event->code == code) {
            ++*count;
            found = event;
        }
    }
    return found;
}

/* Does the warning name a format that is searched for here? */
static bool is_listed(const event_log *log, const event_record *event)
{
    for (size_t f = 0; f < FAMILIES; f++) {
        if (strlen(families[f].name) == event->id_size &&
            memcmp(log->bytes + event->id, families[f].name, event->id_size) ==
                0) {
            return true;
        }
    }
    return false;
}

const char *warnings_differ(const event_log *log, const char *format,
                            const char *text, bool start_reasoning)
{
    const family *own = families;
    /* Nemotron 3 writes calls as other formats do. */
    const size_t size = strncmp(format, "nemotron/", 9) == 0
                            ? strlen(format)
                            : strcspn(format, "/");
    size_t count;
    while (
        own < families + FAMILIES &&
        (strlen(own->name) != size || memcmp(own->name, format, size) != 0)) {
        own++;
    }
    if (own == families + FAMILIES) { /* it has no second opinion */
        return NULL;
    }
    uint64_t offset = 0;
    const family *foreign = find_foreign(log, own, &offset);
    const event_record *event =
        said(log, TW_DIAGNOSTIC_FOREIGN_MARKER, &count);
    const bool other = count == 1 && !is_listed(log, event) &&
                       (foreign == NULL || event->offset <= offset);
    if (!other && count != (foreign != NULL ? 1 : 0)) {
        return "how often a foreign marker is said";
    }
    if (event != NULL && !other &&
        (event->offset != offset || event->flags != TW_EVENT_WARNING ||
         event->id_size != strlen(foreign->name) ||
         memcmp(log->bytes + event->id, foreign->name, event->id_size) != 0)) {
        return "a foreign marker";
    }
    offset = start_reasoning && own->head == gemma4_head
                 ? UINT64_MAX
                 : find_orphan(log, own, text);
    event = said(log, TW_DIAGNOSTIC_ORPHAN_REASONING_CLOSE, &count);
    if (count != (offset != UINT64_MAX ? 1 : 0)) {
        return "how often an orphan is said";
    }
    return event != NULL && event->offset != offset ? "an orphan" : NULL;
}
