/* SPDX-License-Identifier: MIT
 *
 * Compares calls, text, reasoning and diagnostics of both, and prints what
 * differs.
 */
#include "agree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *data_of(const event_log *log, const event_record *event)
{
    return log->bytes + event->data;
}

static bool same_bytes(const naive_bytes *bytes, const char *data, size_t size)
{
    return bytes->size == size &&
           (size == 0 || memcmp(bytes->data, data, size) == 0);
}

/* All text of a kind, segments joined with one line feed. */
static bool same_text(const event_log *log, uint32_t type,
                      const naive_bytes *expected)
{
    naive_bytes text = {0};
    uint32_t segment = TW_NO_INDEX;
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        if (event->type != type || event->size == 0) {
            continue;
        }
        if (segment != TW_NO_INDEX && segment != event->index) {
            naive_add(&text, "\n", 1);
        }
        segment = event->index;
        naive_add(&text, data_of(log, event), event->size);
    }
    const bool same = same_bytes(expected, text.data, text.size);
    naive_release(&text);
    return same;
}

/* Was the id of the call that begins as event |i| another call's, too?  The
 * naive decoder keeps all as they stand. */
static bool is_made_anew(const event_log *log, size_t i)
{
    return i > 0 && log->events[i - 1].type == TW_EVENT_DIAGNOSTIC &&
           log->events[i - 1].code == TW_DIAGNOSTIC_DUPLICATE_ID;
}

static bool same_call(const event_log *log, size_t end, const naive_call *call)
{
    naive_bytes arguments = {0};
    bool same = true;
    for (size_t i = 0; i < end; i++) {
        const event_record *event = &log->events[i];
        if (event->index != log->events[end].index) {
            continue;
        }
        if (event->type == TW_EVENT_CALL_BEGIN) {
            same = same_bytes(&call->name, data_of(log, event), event->size) &&
                   (same_bytes(&call->id, log->bytes + event->id,
                               event->id_size) ||
                    is_made_anew(log, i)) &&
                   call->custom == ((event->flags & TW_EVENT_CUSTOM) != 0);
        } else if (event->type == TW_EVENT_CALL_ARGUMENTS) {
            naive_add(&arguments, data_of(log, event), event->size);
        }
    }
    same =
        same && same_bytes(&call->arguments, arguments.data, arguments.size);
    naive_release(&arguments);
    return same;
}

/* Why a block is none: names are a vocabulary where diagnostics are. */
static bool same_reason(const naive_message *message, const char *mine,
                        const char *its)
{
    return message->undiagnosed || strcmp(mine, its) == 0;
}

static const char *same_calls(const event_log *log,
                              const naive_message *message)
{
    size_t calls = 0;
    size_t blocks = 0;
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        if (event->type == TW_EVENT_CALL_END &&
            event->code == TW_CALL_COMPLETE) {
            if (calls == message->call_count ||
                !same_call(log, i, &message->calls[calls])) {
                return "a call";
            }
            calls++;
        } else if (event->type == TW_EVENT_UNPARSED) {
            const naive_unparsed *block = &message->unparsed[blocks];
            if (blocks == message->unparsed_count ||
                block->offset != event->offset || block->size != event->span ||
                !same_reason(message, block->reason,
                             tw_diagnostic_get(event->code)->name) ||
                !same_bytes(&block->name, log->bytes + event->id,
                            event->id_size)) {
                return "an unparsed block";
            }
            blocks++;
        }
    }
    return calls != message->call_count        ? "the number of calls"
           : blocks != message->unparsed_count ? "the number of blocks"
                                               : NULL;
}

static int compare(const void *a, const void *b)
{
    const naive_diagnostic *x = a;
    const naive_diagnostic *y = b;
    if (x->offset != y->offset) {
        return x->offset < y->offset ? -1 : 1;
    }
    const int codes = strcmp(x->code, y->code);
    return codes != 0 ? codes : x->size < y->size ? -1 : x->size > y->size;
}

/* Sorts those that are compared to the front; returns how many they are. */
static size_t sort_diagnostics(naive_diagnostic *all, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        /* These are of the text as a whole: see warned.h. */
        if (strcmp(all[i].code, "orphan_reasoning_close") != 0 &&
            strcmp(all[i].code, "call_like_text") != 0 &&
            strcmp(all[i].code, "duplicate_id") != 0 &&
            strcmp(all[i].code, "foreign_marker") != 0) {
            all[kept] = all[i];
            /* No rule states where it is said. */
            if (strcmp(all[i].code, "undeclared_tool") == 0) {
                all[kept].offset = 0;
            }
            kept++;
        }
    }
    if (kept > 0) {
        qsort(all, kept, sizeof *all, compare);
    }
    return kept;
}

static bool same_diagnostics(const event_log *log,
                             const naive_message *message)
{
    naive_diagnostic *mine = malloc((log->count + 1) * sizeof *mine);
    size_t count = 0;
    for (size_t i = 0; i < log->count; i++) {
        const event_record *event = &log->events[i];
        if (event->type == TW_EVENT_DIAGNOSTIC) {
            mine[count].code = tw_diagnostic_get(event->code)->name;
            mine[count].offset = (size_t)event->offset;
            mine[count].size = (size_t)event->span;
            count++;
        }
    }
    count = sort_diagnostics(mine, count);
    bool same = count == sort_diagnostics(message->diagnostics,
                                          message->diagnostic_count);
    for (size_t i = 0; same && i < count; i++) {
        same = compare(&mine[i], &message->diagnostics[i]) == 0;
    }
    free(mine);
    return same;
}

const char *disagreement(const event_log *log, const naive_message *message)
{
    if (!same_text(log, TW_EVENT_TEXT, &message->content)) {
        return "the content";
    }
    if (!same_text(log, TW_EVENT_REASONING, &message->reasoning)) {
        return "the reasoning";
    }
    const char *calls = same_calls(log, message);
    if (calls != NULL) {
        return calls;
    }
    return message->undiagnosed || same_diagnostics(log, message)
               ? NULL
               : "the diagnostics";
}

static void print_bytes(const char *label, const naive_bytes *bytes)
{
    fprintf(stderr, "%s\"", label);
    for (size_t i = 0; i < bytes->size; i++) {
        const unsigned char c = (unsigned char)bytes->data[i];
        fprintf(stderr, c < 32 || c >= 127 ? "\\x%02x" : "%c", c);
    }
    fprintf(stderr, "\"");
}

void naive_message_print(const naive_message *message)
{
    print_bytes("  naive: content ", &message->content);
    print_bytes(" reasoning ", &message->reasoning);
    fprintf(stderr, "\n");
    for (size_t i = 0; i < message->call_count; i++) {
        print_bytes("    call ", &message->calls[i].name);
        print_bytes(" ", &message->calls[i].id);
        print_bytes(" ", &message->calls[i].arguments);
        fprintf(stderr, "\n");
    }
    for (size_t i = 0; i < message->unparsed_count; i++) {
        const naive_unparsed *block = &message->unparsed[i];
        fprintf(stderr, "    unparsed %zu+%zu %s", block->offset, block->size,
                block->reason);
        print_bytes(" ", &block->name);
        fprintf(stderr, "\n");
    }
    for (size_t i = 0; i < message->diagnostic_count; i++) {
        const naive_diagnostic *diagnostic = &message->diagnostics[i];
        fprintf(stderr, "    diagnostic %s %zu+%zu\n", diagnostic->code,
                diagnostic->offset, diagnostic->size);
    }
}
