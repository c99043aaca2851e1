/* SPDX-License-Identifier: MIT
 *
 * Mistral from version 11 on: [TOOL_CALLS]NAME[CALL_ID]ID[ARGS]{...}, read
 * from a whole text.
 */
#include "naive_json.h"

#include <stdio.h>
#include <string.h>

enum { HEAD_LIMIT = 1024, BLANK_LIMIT = 256, NAME_LIMIT = 256, ID_LIMIT = 256 };

typedef struct mistral_reader {
    const naive_options *options;
    const char *text;
    size_t at, size;
    naive_message *message;
    bool behind_call; /* closers too many may follow */
} mistral_reader;

static bool starts(const mistral_reader *reader, size_t at, const char *word)
{
    return reader->size - at >= strlen(word) &&
           memcmp(reader->text + at, word, strlen(word)) == 0;
}

/* The end of the text cuts |word|. */
static bool is_cut(const mistral_reader *reader, size_t at, const char *word)
{
    return reader->size - at < strlen(word) &&
           memcmp(reader->text + at, word, reader->size - at) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || memchr("_-.:/", c, 5);
}

static void diagnose(mistral_reader *reader, const char *code, size_t at)
{
    naive_diagnose(reader->message, code, at);
}

/* --- text -------------------------------------------------------------- */

static size_t skip_blanks(const mistral_reader *reader, size_t at)
{
    while (at < reader->size && is_blank(reader->text[at]))
        at++;
    return at;
}

static void end_segment(mistral_reader *reader, bool reasoning, size_t begin,
                        size_t end)
{
    const char *data = reader->text + begin;

    if (skip_blanks(reader, begin) >= end && end - begin <= BLANK_LIMIT)
        return;
    naive_diagnose_utf8(reader->message, reader->text, begin, end);
    if (reasoning)
        naive_reasoning_segment(reader->message, data, end - begin);
    else
        naive_text_segment(reader->message, data, end - begin);
}

static void stop(mistral_reader *reader, size_t at)
{
    size_t rest = skip_blanks(reader, at + strlen("</s>"));

    if (rest < reader->size)
        naive_drop(reader->message, "output_after_end", rest,
                   reader->size - rest);
    reader->at = reader->size;
}

/* --- a call's head ----------------------------------------------------- */

typedef enum head_kind { NO_HEAD, FAR_HEAD, CUT_HEAD, WHOLE_HEAD } head_kind;

typedef struct call_head {
    head_kind kind;
    size_t name, name_size, id, id_size;
    size_t body;
    bool marked; /* [ARGS] stands in front of the body */
} call_head;

static size_t skip_bytes(const mistral_reader *reader, size_t at,
                         bool is_one(char))
{
    while (at < reader->size && is_one(reader->text[at]))
        at++;
    return at;
}

static bool is_marker(const mistral_reader *reader, size_t at)
{
    static const char *const words[] = {"[ARGS]", "[TOOL_CALLS]", "[THINK]",
                                        "[/THINK]", "</s>"};
    bool found = is_cut(reader, at, "[ARGS]");

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        found |= starts(reader, at, words[i]);
    return found;
}

/* An id is what stands in front of [ARGS], in one line. */
static size_t skip_id(const mistral_reader *reader, size_t at)
{
    size_t begin = at;

    while (at < reader->size && at - begin <= ID_LIMIT &&
           reader->text[at] != '\n' && !is_marker(reader, at))
        at++;
    return at;
}

/* The head behind [TOOL_CALLS] at |open|, the limit aside. */
static call_head any_head_at(const mistral_reader *reader, size_t open)
{
    call_head head = {.kind = NO_HEAD};
    size_t at = skip_blanks(reader, open + strlen("[TOOL_CALLS]"));

    head.name = at;
    at = skip_bytes(reader, at, is_name_byte);
    head.name_size = at - head.name;
    if (head.name_size > 0)
        at = skip_blanks(reader, at);
    head.kind = at == reader->size ? CUT_HEAD : NO_HEAD;
    head.body = at;
    if (head.name_size == 0 && starts(reader, at, "</s>"))
        head.kind = CUT_HEAD;
    if (head.kind == CUT_HEAD || head.name_size == 0)
        return head;
    if (starts(reader, at, "</s>")) {
        head.kind = CUT_HEAD;
        head.body = at;
        return head;
    }
    if (starts(reader, at, "[CALL_ID]")) {
        head.id = at + strlen("[CALL_ID]");
        at = skip_id(reader, head.id);
        head.id_size = at - head.id;
        if (head.id_size > ID_LIMIT)
            head.kind = NO_HEAD;
        else if (at == reader->size || is_cut(reader, at, "[ARGS]") ||
                 starts(reader, at, "</s>"))
            head.kind = CUT_HEAD;
        else if (head.id_size > 0 && starts(reader, at, "[ARGS]"))
            head.kind = WHOLE_HEAD;
    } else if (starts(reader, at, "[ARGS]") || reader->text[at] == '{') {
        head.kind = WHOLE_HEAD;
    } else if (is_cut(reader, at, "[CALL_ID]") ||
               is_cut(reader, at, "[ARGS]")) {
        head.kind = CUT_HEAD;
    }
    head.marked = starts(reader, at, "[ARGS]");
    head.body = at + (head.marked ? strlen("[ARGS]") : 0);
    return head;
}

static call_head head_at(const mistral_reader *reader, size_t open)
{
    mistral_reader near = *reader;
    call_head head = any_head_at(reader, open);

    if (head.kind != NO_HEAD && head.body - open > HEAD_LIMIT)
        head.kind = FAR_HEAD;
    if (head.kind == NO_HEAD && near.size - open > HEAD_LIMIT) {
        near.size = open + HEAD_LIMIT + 1;
        if (any_head_at(&near, open).kind == CUT_HEAD)
            head.kind = FAR_HEAD;
    }
    return head;
}

/* --- a call ------------------------------------------------------------ */

/* Where the model stopped by itself, half of </s> stands for all of it, but
 * for a `<` alone, which may begin something else. */
static bool is_half_stop(const mistral_reader *reader, size_t at)
{
    return !reader->options->length && reader->size - at > 1 &&
           is_cut(reader, at, "</s>");
}

/* The end of the text cuts what would end a call. */
static bool is_cut_end(const mistral_reader *reader, size_t at)
{
    return at < reader->size && (is_cut(reader, at, "[TOOL_CALLS]") ||
                                 is_cut(reader, at, "</s>"));
}

/* The next [TOOL_CALLS] or </s>, half of one at the end, or the end. */
static size_t next_end(const mistral_reader *reader, size_t at)
{
    while (at < reader->size && !starts(reader, at, "[TOOL_CALLS]") &&
           !starts(reader, at, "</s>") && !is_cut_end(reader, at))
        at++;
    return at;
}

static bool is_declared(const mistral_reader *reader, const call_head *head)
{
    const naive_options *options = reader->options;

    for (size_t i = 0; i < options->tool_count; i++)
        if (strlen(options->tools[i]) == head->name_size &&
            memcmp(options->tools[i], reader->text + head->name,
                   head->name_size) == 0)
            return true;
    return !options->has_tools;
}

/* The arguments from |at| on, and where what ends them stands: a marker that
 * is not inside a string. */
static void read_body(mistral_reader *reader, size_t at, naive_json *json,
                      size_t *end)
{
    naive_message *message = reader->message;
    size_t said = message->diagnostic_count;

    for (*end = next_end(reader, at);; *end = next_end(reader, *end + 1)) {
        naive_body_arguments(message, reader->text, at, *end, json);
        if (!(json->outcome == NAIVE_STOPPED && json->in_string) ||
            *end == reader->size)
            break;
        message->diagnostic_count = said;
        naive_release(&json->text);
    }
}

/* NULL: the arguments are complete, to |*wrong|; else why they are not. */
static const char *judge(mistral_reader *reader, size_t body,
                         naive_json *json, size_t end, size_t *wrong)
{
    bool cut = is_cut_end(reader, end);
    bool marker = end < reader->size && !cut;
    bool stopped = !reader->options->length &&
                   (end == reader->size || is_half_stop(reader, end));
    bool at_marker = marker || stopped;

    *wrong = json->end;
    if (json->outcome == NAIVE_BROKEN)
        return json->reason;
    if (json->outcome == NAIVE_WHOLE)
        return NULL;
    if (json->end == end && at_marker && json->nothing &&
        naive_ends_whole(reader->text, body, end)) {
        diagnose(reader, "empty_arguments", body);
        json->text.size = 0;
        naive_add_text(&json->text, "{}");
        return NULL;
    }
    if (json->end == end && at_marker && json->closable) {
        diagnose(reader, "missing_closer", end);
        return NULL;
    }
    if (json->end < end && reader->text[json->end] == '<')
        return "syntax_error";
    if (cut)
        *wrong = reader->size;
    return cut || (json->end == end && !marker) ? "truncated_call"
                                                   : "syntax_error";
}

static void add_call(mistral_reader *reader, const call_head *head,
                     const naive_json *json)
{
    naive_call *call = naive_call_add(reader->message);
    char id[40];

    snprintf(id, sizeof id, "call_%zu", reader->message->begun - 1);
    naive_add(&call->name, reader->text + head->name, head->name_size);
    if (head->id_size)
        naive_add(&call->id, reader->text + head->id, head->id_size);
    else
        naive_add_text(&call->id, id);
    naive_add(&call->arguments, json->text.data, json->text.size);
}

static void list(mistral_reader *reader, const call_head *head, size_t open,
                 size_t end, const char *reason)
{
    naive_unparsed *unparsed =
        naive_unparsed_add(reader->message, open, end - open, reason);

    if (head->kind == WHOLE_HEAD && head->name_size <= NAME_LIMIT)
        naive_add(&unparsed->name, reader->text + head->name,
                  head->name_size);
}

static void read_call(mistral_reader *reader, const call_head *head,
                      size_t open)
{
    naive_json json = {0};
    size_t end, wrong;
    const char *reason = NULL;

    if (!head->marked)
        diagnose(reader, "missing_args_marker", head->body);
    if (head->name_size > NAME_LIMIT) {
        diagnose(reader, "limit_name", open);
        end = next_end(reader, head->body);
        if (is_cut_end(reader, end))
            end = reader->size;
        list(reader, head, open, end, "limit_name");
        reader->at = end;
        return;
    }
    reader->message->begun++;
    if (!is_declared(reader, head))
        diagnose(reader, "undeclared_tool", open);
    read_body(reader, head->body, &json, &end);
    reason = judge(reader, head->body, &json, end, &wrong);
    if (reason) {
        diagnose(reader, reason, wrong);
        if (is_cut_end(reader, end))
            end = reader->size;
        list(reader, head, open, end, reason);
        reader->at = end;
    } else {
        add_call(reader, head, &json);
        reader->at = json.outcome == NAIVE_WHOLE ? json.end : end;
        reader->behind_call = true;
    }
    naive_release(&json.text);
}

/* --- the whole output -------------------------------------------------- */

/* Closers behind a call, which were one too many. */
static void skip_closers(mistral_reader *reader)
{
    for (bool more = reader->behind_call; more;) {
        size_t at = skip_blanks(reader, reader->at);

        more = at - reader->at <= BLANK_LIMIT && at < reader->size &&
               (reader->text[at] == '}' || reader->text[at] == ']');
        if (more) {
            diagnose(reader, "extra_closer", at);
            reader->at = at + 1;
        }
    }
    reader->behind_call = false;
}

/* [TOOL_CALLS] at |at|: false if it is text. */
static bool try_call(mistral_reader *reader, size_t begin, size_t at)
{
    call_head head = head_at(reader, at);

    if (head.kind == FAR_HEAD)
        diagnose(reader, "repair_given_up", at);
    if (head.kind == NO_HEAD || head.kind == FAR_HEAD)
        return false;
    end_segment(reader, false, begin, at);
    if (head.kind == CUT_HEAD) {
        bool stops = starts(reader, head.body, "</s>");
        size_t end = stops ? head.body : reader->size;

        diagnose(reader, "truncated_call", end);
        list(reader, &head, at, end, "truncated_call");
        reader->at = end;
    } else {
        read_call(reader, &head, at);
    }
    return true;
}

/* From |at| on, are there only complete calls up to |end|, or up to a stop
 * marker in front of it?  Else *at is where something else stands. */
static bool only_calls(const mistral_reader *reader, size_t *at, size_t end)
{
    naive_message scratch = {.begun = reader->message->begun};
    mistral_reader trial = *reader;
    bool goes_on = true, found = false;

    trial.at = *at;
    trial.size = end;
    trial.message = &scratch;
    while (goes_on) {
        size_t next;

        skip_closers(&trial);
        next = skip_blanks(&trial, trial.at);
        found = scratch.call_count > 0 &&
                (starts(&trial, next, "</s>") ||
                 (next == trial.size && end == reader->size));
        goes_on = !found && starts(&trial, next, "[TOOL_CALLS]") &&
                  head_at(&trial, next).kind == WHOLE_HEAD;
        if (goes_on) {
            call_head head = head_at(&trial, next);

            read_call(&trial, &head, next);
            next = trial.at;
            goes_on = scratch.unparsed_count == 0;
        }
        *at = next > *at ? next : *at + 1;
    }
    naive_message_release(&scratch);
    return found;
}

/* Reasoning, to its close or to what ends it; true: it goes on. */
static bool read_reasoning(mistral_reader *reader)
{
    size_t begin = reader->at, at = begin, end = begin;

    if (begin == 0) /* the prompt has opened it */
        while (starts(reader, skip_blanks(reader, begin), "[THINK]"))
            begin = skip_blanks(reader, begin) + strlen("[THINK]");
    at = end = begin;
    while (end < reader->size && !starts(reader, end, "[/THINK]"))
        end++;
    while (at < end) {
        if (starts(reader, at, "</s>")) {
            end_segment(reader, true, begin, at);
            stop(reader, at);
            return true;
        }
        if (starts(reader, at, "[TOOL_CALLS]")) {
            size_t open = at;

            if (only_calls(reader, &at, end)) {
                end_segment(reader, true, begin, open);
                diagnose(reader, "call_in_reasoning", open);
                reader->at = open;
                return false;
            }
        } else {
            at++;
        }
    }
    end_segment(reader, true, begin, end);
    reader->at = end < reader->size ? end + strlen("[/THINK]") : end;
    return false;
}

static bool read_text(mistral_reader *reader)
{
    size_t begin = reader->at, at = begin;

    for (; at < reader->size; at++) {
        bool first = skip_blanks(reader, begin) == at;

        if (starts(reader, at, "[TOOL_CALLS]") && try_call(reader, begin, at))
            return false;
        if (starts(reader, at, "</s>")) {
            end_segment(reader, false, begin, at);
            stop(reader, at);
            return false;
        }
        if (first && starts(reader, at, "[THINK]")) {
            end_segment(reader, false, begin, at);
            reader->at = at + strlen("[THINK]");
            return true;
        }
    }
    end_segment(reader, false, begin, at);
    reader->at = at;
    return false;
}

void naive_mistral(const naive_options *options, const char *text,
                   size_t size, naive_message *out)
{
    mistral_reader reader = {
        .options = options, .text = text, .size = size, .message = out};
    bool reasoning = options->start_reasoning;

    while (reader.at < size) {
        skip_closers(&reader);
        reasoning = reasoning ? read_reasoning(&reader) : read_text(&reader);
    }
}
