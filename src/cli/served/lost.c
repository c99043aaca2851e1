/* SPDX-License-Identifier: MIT
 *
 * Members of a server's events that have no place in a stream that is written
 * anew: each is said once, where it first stands.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/files/print.h"
#include "cli/served/served.h"

/* Members that are written again, or that are the API's own framing. */
typedef struct place {
    const char *path; /* of the object in the event, or in its first choice */
    const char *known[16];
} place;

static const place chat[] = {
    {"", {"id", "object", "created", "model", "choices", "usage", "error"}},
    {"choices.0", {"index", "delta", "finish_reason"}},
    {"choices.0.delta", {"role", "content", "reasoning_content", "reasoning"}},
    {NULL, {NULL}},
};

static const place responses[] = {
    {"",
     {"type", "sequence_number", "response", "item", "item_id", "output_index",
      "content_index", "summary_index", "delta", "text", "part", "refusal",
      "obfuscation"}},
    {"response",
     {"id", "object", "created_at", "model", "status", "output", "usage",
      "error", "incomplete_details"}},
    {"item", {"id", "type", "role", "status", "content", "summary"}},
    {"part", {"type", "text"}},
    {NULL, {NULL}},
};

static const place anthropic[] = {
    {"",
     {"type", "index", "message", "content_block", "delta", "usage", "error"}},
    {"message",
     {"id", "type", "role", "model", "content", "stop_reason", "usage"}},
    {"content_block", {"type", "text", "thinking"}},
    {"delta", {"type", "text", "thinking", "stop_reason"}},
    {NULL, {NULL}},
};

static bool is_known(const place *its, const tw_value *member)
{
    size_t i = 0;
    while (its->known[i] != NULL && !tw_value_has_key(member, its->known[i])) {
        i++;
    }
    return its->known[i] != NULL;
}

/* The path, in bytes that do nothing to a terminal, behind those that were
 * said.  False: it was said, or there is no memory. */
static bool note(served *self, const place *its, const tw_value *member)
{
    tw_json_out *told = &self->told;
    const size_t before = told->out.size;
    tw_json_put(told, its->path);
    tw_json_put(told, *its->path != '\0' ? "." : "");
    for (size_t i = 0; i < member->key_size; i++) {
        const bool plain = member->key[i] > ' ' && member->key[i] <= '~';
        tw_json_put_text(told, plain ? &member->key[i] : "?", 1);
    }
    tw_json_put(told, "\n");
    const char *all = (const char *)told->out.data;
    const size_t size = told->out.size - before;
    for (size_t at = 0; !told->failed && at < before;) {
        const char *feed = memchr(all + at, '\n', before - at);
        const size_t next = (size_t)(feed - all) + 1;
        if (next - at == size && memcmp(all + at, all + before, size) == 0) {
            told->out.size = before;
            return false;
        }
        at = next;
    }
    return !told->failed;
}

static void say(served *self, size_t from)
{
    const char *paths = (const char *)self->told.out.data + from;
    const size_t size = self->told.out.size - from;
    char buffer[512];
    cli_output line = cli_standard_error(buffer, sizeof buffer);
    cli_put_texts(&line, self->input.name, ":");
    cli_put_number(&line, self->line);
    cli_put_text(&line, ": left out, since the stream has no place for it: ");
    for (size_t i = 0; i + 1 < size; i++) {
        const bool between = paths[i] == '\n';
        cli_put(&line, between ? ", " : &paths[i], between ? 2 : 1);
    }
    cli_put_text(&line, "\n");
    cli_output_flush(&line);
}

/* NULL: the event has no such object. */
static const tw_value *find(const tw_value *event, const char *path)
{
    const tw_value *object =
        *path != '\0' ? tw_value_reach(event, path, NULL) : event;
    return tw_value_is_a(object, TW_VALUE_OBJECT) ? object : NULL;
}

void served_lose_members(served *self, const tw_value *event)
{
    enum { TOLD_MOST = 64 * 1024 }; /* whatever a server makes up */
    const size_t from = self->told.out.size;
    const tw_shape api = served_api_of(event);
    const place *its = api == TW_SHAPE_CHUNKS      ? chat
                       : api == TW_SHAPE_RESPONSES ? responses
                                                   : anthropic;
    for (; its->path != NULL && from < TOLD_MOST; its++) {
        const tw_value *object = find(event, its->path);
        for (const tw_value *at = object != NULL ? object->first : NULL;
             at != NULL; at = at->next) {
            if (!is_known(its, at) && !tw_value_is_void(at)) {
                (void)note(self, its, at);
            }
        }
    }
    if (self->told.out.size > from) {
        say(self, from);
    }
}
