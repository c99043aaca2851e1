/* SPDX-License-Identifier: MIT
 *
 * Reads a stream of chunks, keeps what is not the decoder's, and puts new
 * deltas in the old envelopes.
 */
#include "cli/served/chunks.h"

#include <string.h>

#include "core/utf8.h"
#include "json/escape.h"

enum { INDEX_DIGITS = 9 };

void cli_chunks_init(cli_chunks *self, const tw_memory *memory)
{
    memset(self, 0, sizeof *self);
    self->memory = memory;
    tw_tree_init(&self->read, memory);
    self->read.keeps_lone = true;
    tw_tree_init(&self->made, memory);
    self->head.memory = self->tail.memory = memory;
    self->delta.memory = self->line.memory = memory;
    self->joined.memory = self->content.memory = memory;
}

void cli_chunks_free(cli_chunks *self)
{
    tw_tree_free(&self->read);
    tw_tree_free(&self->made);
    tw_buffer_free(&self->head.out, self->memory);
    tw_buffer_free(&self->tail.out, self->memory);
    tw_buffer_free(&self->delta.out, self->memory);
    tw_buffer_free(&self->line.out, self->memory);
    tw_buffer_free(&self->joined.out, self->memory);
    tw_buffer_free(&self->content.out, self->memory);
}

bool cli_chunks_failed(const cli_chunks *self)
{
    return self->read.error == TW_ERROR_MEMORY || self->made.error != TW_OK ||
           self->head.failed || self->tail.failed || self->delta.failed ||
           self->line.failed || self->joined.failed || self->content.failed;
}

/* ---- values ------------------------------------------------------------- */

static bool is_null(const tw_value *value)
{
    return value == NULL || value->kind == TW_VALUE_NULL;
}

static void jot_buffer(tw_json_out *json_out, const tw_buffer *text)
{
    tw_json_put_text(json_out, (const char *)text->data, text->size);
}

/* ---- reading ------------------------------------------------------------ */

static bool read_index(const tw_value *value, uint64_t *index)
{
    *index = 0;
    if (value == NULL) {
        return true; /* some servers leave out what is always 0 */
    }
    if (value->kind != TW_VALUE_NUMBER || value->size > INDEX_DIGITS) {
        return false;
    }
    for (size_t i = 0; i < value->size; i++) {
        if (value->text[i] < '0' || value->text[i] > '9') {
            return false;
        }
        *index = *index * 10 + (uint64_t)(value->text[i] - '0');
    }
    return true;
}

static const char *string_of(const tw_value *value, size_t *size)
{
    *size = tw_value_is_a(value, TW_VALUE_STRING) ? value->size : 0;
    return *size > 0 ? value->text : "";
}

static bool is_text(const tw_value *value)
{
    return is_null(value) || value->kind == TW_VALUE_STRING;
}

/* Without halves of surrogate pairs. */
static bool is_whole_text(const tw_value *value)
{
    return is_text(value) && (is_null(value) || value->lone == 0);
}

const char *const cli_chunks_split =
    "the server splits calls out of the text itself: switch its parser off, "
    "or leave toolwire out";

/* NULL, or the path of what cannot be read, and why. */
static const char *wrong_choice(const tw_value *choice, const char **why)
{
    uint64_t index;
    *why = "not what a chunk with raw text has there";
    if (choice->kind != TW_VALUE_OBJECT) {
        return "choices";
    }
    if (!read_index(tw_value_member(choice, "index"), &index)) {
        return "choices[].index";
    }
    if (!is_whole_text(tw_value_member(choice, "finish_reason"))) {
        return "choices[].finish_reason";
    }
    const tw_value *delta = tw_value_member(choice, "delta");
    if (is_null(delta)) {
        *why =
            "a chunk of /v1/completions: ask the server's "
            "/v1/chat/completions, or give toolwire the text alone, without "
            "--from-sse";
        return tw_value_is_a(tw_value_member(choice, "text"), TW_VALUE_STRING)
                   ? "choices[].text"
                   : NULL;
    }
    if (delta->kind != TW_VALUE_OBJECT) {
        return "choices[].delta";
    }
    if (!is_text(tw_value_member(delta, "content"))) {
        return "choices[].delta.content";
    }
    /* Two counts of calls cannot be told apart by a client. */
    const tw_value *calls = tw_value_member(delta, "tool_calls");
    if (is_null(calls) ||
        (calls->kind == TW_VALUE_ARRAY && calls->first == NULL)) {
        return NULL;
    }
    *why = cli_chunks_split;
    return "choices[].delta.tool_calls";
}

static void show_choice(const tw_value *value, cli_choice *choice)
{
    const tw_value *delta = tw_value_member(value, "delta");
    const tw_value *content = tw_value_member(delta, "content");
    choice->value = value;
    read_index(tw_value_member(value, "index"), &choice->index);
    choice->content = string_of(content, &choice->content_size);
    choice->halves = choice->content_size > 0 && content->lone > 0;
    choice->finish = string_of(tw_value_member(value, "finish_reason"),
                               &choice->finish_size);
}

void cli_chunks_first(const cli_chunks *self, cli_choice *choice)
{
    show_choice(self->choices->first, choice);
}

bool cli_choice_next(cli_choice *choice)
{
    const tw_value *next = choice->value->next;
    if (next != NULL) {
        show_choice(next, choice);
    }
    return next != NULL;
}

/* Members of the envelope, from |member| up to |end|. */
static void jot_envelope(tw_json_out *json_out, const tw_value *member,
                         const tw_value *end, bool first)
{
    for (; member != end; member = member->next) {
        const bool usage =
            tw_value_has_key(member, "usage") && !is_null(member);
        if (!usage && !tw_value_has_key(member, "choices")) {
            tw_json_put_member(json_out, member, first);
            first = false;
        }
    }
}

static void keep_envelope(cli_chunks *self)
{
    const tw_value *first = self->read.root->first;
    tw_json_out *head = &self->head;
    head->out.size = self->tail.out.size = 0;
    tw_json_put(head, "{");
    jot_envelope(head, first, self->choices, true);
    tw_json_put_key(head, "choices", head->out.size <= 1);
    tw_json_put(head, "[");
    jot_envelope(&self->tail, self->choices->next, NULL, false);
    tw_json_put(&self->tail, "}");
}

static cli_heard bad(tw_error *error, int32_t code, uint64_t offset,
                     const char *message, const char *path)
{
    const tw_error found = {code, 0, offset, message, path};
    *error = found;
    return CLI_HEARD_BAD;
}

static cli_heard hear(cli_chunks *self, int result, tw_error *error)
{
    const tw_value *root = self->read.root;
    self->choices = NULL;
    self->part = false;
    if (result != TW_OK) {
        return bad(error, result, self->read.offset, "the data are not JSON",
                   NULL);
    }
    if (root->kind != TW_VALUE_OBJECT) {
        return bad(error, TW_ERROR_SCHEMA, 0, "the data are no object", NULL);
    }
    const tw_value *choices = tw_value_member(root, "choices");
    if (!is_null(choices) && choices->kind != TW_VALUE_ARRAY) {
        return bad(error, TW_ERROR_SCHEMA, 0, "no list", "choices");
    }
    if (is_null(choices) || choices->first == NULL) {
        return is_null(tw_value_member(root, "error")) ? CLI_HEARD_OTHER
                                                       : CLI_HEARD_ERROR;
    }
    for (const tw_value *each = choices->first; each; each = each->next) {
        const char *why;
        const char *path = wrong_choice(each, &why);
        if (path != NULL) {
            return bad(error, TW_ERROR_SCHEMA, 0, why, path);
        }
    }
    self->choices = choices;
    keep_envelope(self);
    return CLI_HEARD_CHUNK;
}

/* One more line of the data, which are not whole without it. */
static cli_heard add_line(cli_chunks *self, const char *line, size_t size,
                          tw_error *error)
{
    static const char feed[] = "\n";
    int result = TW_OK;
    if (self->part) {
        tw_json_put_text(&self->joined, feed, 1);
        result = tw_tree_feed(&self->read, feed, 1);
    }
    tw_json_put_text(&self->joined, line, size);
    self->data = (const char *)self->joined.out.data;
    self->size = self->joined.out.size;
    if (result == TW_OK) {
        result = tw_tree_feed(&self->read, line, size);
    }
    if (result == TW_OK && !tw_json_done(&self->read.json)) {
        self->part = true;
        return CLI_HEARD_PART;
    }
    return hear(self, result == TW_OK ? tw_tree_end(&self->read) : result,
                error);
}

cli_heard cli_chunks_read(cli_chunks *self, const char *line, size_t size,
                          tw_error *error)
{
    if (self->part) {
        return add_line(self, line, size, error);
    }
    self->data = line;
    self->size = size;
    const int result = tw_tree_read(&self->read, line, size, false);
    if (result != TW_ERROR_JSON) {
        return hear(self, result, error);
    }
    tw_tree_begin(&self->read, false);
    self->joined.out.size = 0;
    return add_line(self, line, size, error);
}

cli_heard cli_chunks_end(cli_chunks *self, tw_error *error)
{
    return hear(self, tw_tree_end(&self->read), error);
}

/* ---- halves ------------------------------------------------------------- */

/* A byte that stands nowhere in UTF-8. */
static const char alone[] = "\xFF";

/* The code of the half at |at|, or 0. */
static uint32_t half_at(const uint8_t *at, const uint8_t *limit)
{
    return limit - at >= 3 && at[0] == 0xED && at[1] >= 0xA0
               ? 0xD000 | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu)
               : 0;
}

const char *cli_half_alone(cli_half *held, size_t *size)
{
    *size = held->there ? 1 : 0;
    held->there = false;
    return alone;
}

/* The character of two halves. */
static void jot_pair(tw_json_out *json_out, uint32_t high, uint32_t low)
{
    char text[4];
    tw_json_put_text(json_out, text, tw_point_put(text, tw_pair(high, low)));
}

/* |held| and what follows it; returns where to go on. */
static const uint8_t *jot_held(tw_json_out *json_out, cli_half *held,
                               const uint8_t *at, const uint8_t *limit)
{
    const uint32_t high = half_at(held->bytes, held->bytes + 3);
    const uint32_t low = half_at(at, limit);
    held->there = false;
    if (low < 0xDC00) {
        tw_json_put(json_out, alone);
        return at;
    }
    jot_pair(json_out, high, low);
    return at + 3;
}

const char *cli_chunks_content(cli_chunks *self, const cli_choice *choice,
                               cli_half *held, size_t *size)
{
    const uint8_t *at = (const uint8_t *)choice->content;
    const uint8_t *const limit = at + choice->content_size;
    tw_json_out *to = &self->content;
    *size = choice->content_size;
    if (*size == 0 || (!held->there && !choice->halves)) {
        return choice->content;
    }
    to->out.size = 0;
    if (held->there) {
        at = jot_held(to, held, at, limit);
    }
    while (at < limit) {
        const uint8_t *from = at;
        while (at < limit && half_at(at, limit) == 0) {
            at++;
        }
        tw_json_put_text(to, (const char *)from, (size_t)(at - from));
        if (limit - at == 3 && half_at(at, limit) < 0xDC00) {
            held->there = true;
            memcpy(held->bytes, at, 3);
        } else if (at < limit) {
            tw_json_put(to, alone);
        }
        at += at < limit ? 3 : 0;
    }
    *size = to->out.size;
    return (const char *)to->out.data;
}

/* ---- writing ------------------------------------------------------------ */

/* |finish|: NULL, null.  Other members of the choice that say something stand
 * in one of its chunks only: where |all|. */
static void jot_choice(cli_chunks *self, const cli_choice *choice,
                       const tw_value *finish, bool all)
{
    tw_json_out *line = &self->line;
    const tw_value *member = choice->value ? choice->value->first : NULL;
    tw_json_put(line, "{\"index\":");
    tw_json_put_number(line, choice->index);
    tw_json_put(line, ",\"delta\":{");
    jot_buffer(line, &self->delta.out);
    tw_json_put(line, "},\"finish_reason\":");
    if (finish != NULL) {
        tw_json_put_value(line, finish);
    } else {
        tw_json_put(line, "null");
    }
    for (; member != NULL; member = member->next) {
        const bool written = tw_value_has_key(member, "index") ||
                             tw_value_has_key(member, "delta") ||
                             tw_value_has_key(member, "finish_reason");
        if (!written && (all || is_null(member))) {
            tw_json_put_member(line, member, false);
        }
    }
    tw_json_put(line, "}");
}

/* A chunk of |delta|.  |extra|, or NULL, stands beside the choices. */
static bool write_chunk(cli_chunks *self, const cli_choice *choice,
                        const tw_value *finish, bool all,
                        const tw_value *extra)
{
    self->line.out.size = 0;
    jot_buffer(&self->line, &self->head.out);
    jot_choice(self, choice, finish, all);
    tw_json_put(&self->line, "]");
    if (extra != NULL) {
        tw_json_put_member(&self->line, extra, false);
    }
    jot_buffer(&self->line, &self->tail.out);
    return !cli_chunks_failed(self);
}

/* Of the server's delta, what is not decoded.  Of several members with one
 * key, the last counts. */
static bool jot_rest(cli_chunks *self, const cli_choice *choice, bool first)
{
    const tw_value *delta = tw_value_member(choice->value, "delta");
    const tw_value *role = tw_value_member(delta, "role");
    const tw_value *content = tw_value_member(delta, "content");
    const tw_value *member = is_null(delta) ? NULL : delta->first;
    const bool empty = (choice->content_size | choice->finish_size) == 0;
    bool some = first && is_null(role);
    tw_json_put(&self->delta, some ? "\"role\":\"assistant\"" : "");
    for (; member != NULL; member = member->next) {
        const bool kept = tw_value_has_key(member, "role")
                              ? member == role && first && !is_null(role)
                          : tw_value_has_key(member, "content")
                              ? member == content && empty
                              : true;
        if (kept) {
            tw_json_put_member(&self->delta, member, !some);
            some = true;
        }
    }
    return some;
}

/* Has the choice more to say than every choice has? */
static bool has_others(const tw_value *choice)
{
    for (const tw_value *each = choice->first; each; each = each->next) {
        if (!tw_value_has_key(each, "index") &&
            !tw_value_has_key(each, "delta") &&
            !tw_value_has_key(each, "finish_reason") && !is_null(each)) {
            return true;
        }
    }
    return false;
}

bool cli_chunks_rest(cli_chunks *self, const cli_choice *choice, bool first)
{
    const bool ends = choice->finish_size > 0;
    self->delta.out.size = 0;
    bool some = jot_rest(self, choice, first);
    /* A chunk without text goes on as it is: it says that all is well. */
    some |= !ends && (choice->content_size == 0 || has_others(choice->value));
    return some && write_chunk(self, choice, NULL, !ends, NULL);
}

bool cli_chunks_made(cli_chunks *self, const cli_choice *choice,
                     const char *line, size_t size)
{
    if (tw_tree_read(&self->made, line, size, false) != TW_OK) {
        return false;
    }
    const tw_value *root = self->made.root;
    const tw_value *made = tw_value_member(root, "choices")->first;
    const tw_value *finish = tw_value_member(made, "finish_reason");
    const tw_value *delta = tw_value_member(made, "delta");
    const tw_value *extra = tw_value_member(root, "toolwire");
    if (tw_value_member(delta, "role") != NULL) {
        return false; /* cli_chunks_rest() writes it */
    }
    if (is_null(finish)) {
        self->delta.out.size = 0;
        for (const tw_value *each = delta->first; each; each = each->next) {
            tw_json_put_member(&self->delta, each, each == delta->first);
        }
        return write_chunk(self, choice, NULL, false, NULL);
    }
    if (choice->finish_size == 0 && extra == NULL) {
        return false;
    }
    self->delta.out.size = 0;
    return write_chunk(self, choice, choice->finish_size > 0 ? finish : NULL,
                       true, extra);
}

bool cli_chunks_usage(cli_chunks *self)
{
    const tw_value *member = self->read.root->first;
    if (is_null(tw_value_member(self->read.root, "usage"))) {
        return false;
    }
    self->line.out.size = 0;
    tw_json_put(&self->line, "{");
    for (bool first = true; member != NULL; member = member->next) {
        if (!tw_value_has_key(member, "choices")) {
            tw_json_put_member(&self->line, member, first);
            first = false;
        } else if (member == self->choices) {
            tw_json_put_key(&self->line, "choices", first);
            tw_json_put(&self->line, "[]");
            first = false;
        }
    }
    tw_json_put(&self->line, "}");
    return !cli_chunks_failed(self);
}
