/* SPDX-License-Identifier: MIT
 *
 * JSON bodies: objects, lists of them, arguments behind a name.
 */
#include "naive_frame.h"

#include <string.h>

/* --- balance ----------------------------------------------------------- */

/* Behind blanks; those that JSON does not know are some up to |read|. */
static size_t skip_blanks(const frame_reader *reader, size_t at, size_t read)
{
    size_t begin;

    do {
        begin = at = frame_skip(reader, at);
        for (size_t i = 0; naive_odd_blanks[i] && at < read; i++)
            if (frame_starts(reader, at, naive_odd_blanks[i]))
                at += strlen(naive_odd_blanks[i]);
    } while (at > begin);
    return at;
}

/* Behind the string at |at|, if JSON could go on there; 0: its end is in
 * doubt. */
static size_t skip_string(const frame_reader *reader, size_t at, size_t limit,
                          size_t read)
{
    const char quote = reader->text[at++];
    size_t behind;

    for (; at < limit && reader->text[at] != quote; at++)
        at += reader->text[at] == '\\';
    behind = skip_blanks(reader, at + 1, read);
    return at < limit && behind < reader->size &&
                   frame_among(",:}]", reader->text[behind])
               ? at + 1
               : 0;
}

size_t frame_balance(const frame_reader *reader, size_t at, size_t read,
                     size_t limit, bool flat)
{
    char closers[256], last = flat ? ',' : 0;
    size_t depth = 0;

    for (; at < limit; at = skip_blanks(reader, at, read)) {
        const char c = reader->text[at];

        if (flat && depth == 0 && (c == ',' || c == ']'))
            return at;
        if (c == '"' || (c == '\'' && frame_among("{[,:", last))) {
            at = skip_string(reader, at, limit, read);
            if (at == 0)
                return 0;
            last = c;
            continue;
        }
        if ((c == '{' || c == '[') && depth == sizeof closers)
            return 0;
        if (c == '{' || c == '[')
            closers[depth++] = c == '{' ? '}' : ']';
        if (c == '}' || c == ']') {
            if (depth == 0 || closers[depth - 1] != c)
                return 0;
            if (--depth == 0 && !flat)
                return at + 1;
        }
        if (!frame_is_blank(c))
            last = c;
        at++;
    }
    return 0;
}

/* --- a block of objects ------------------------------------------------ */
typedef struct json_block {
    frame_reader *reader;
    const frame_head *head;
    size_t start;   /* where `unparsed` would begin */
    size_t at, end; /* |end|: behind the last element */
    bool in_array, was_array, comma, over;
    size_t elements;
} json_block;

static bool has_closer(const json_block *block)
{
    return frame_closer(block->head->call, 0) != NULL;
}

static void empty_call(json_block *block, size_t end)
{
    frame_diagnose(block->reader, "empty_call", block->start);
    frame_unparsed(block->reader, block->start, end, "empty_call", NULL);
}

static void read_element(json_block *block)
{
    frame_reader *reader = block->reader;
    size_t start = block->elements ? block->at : block->start;
    const frame_hole body = frame_body(block->head->call);
    frame_head head = *block->head; /* borrowed */
    reader->behind_body = false;
    const size_t limit = frame_body_end(reader, block->at);
    if (block->elements > 0) /* an id in front is the first one's */
        head.match.holes[HOLE_ID].size = head.match.holes[HOLE_INDEX].size = 0;
    if (block->elements == 0 && !block->was_array && body != HOLE_OBJECT &&
        body != HOLE_LIST_LINES)
        frame_diagnose(reader, "no_list_in_tag", block->at);
    if (block->elements == 1 && !block->was_array && has_closer(block) &&
        body != HOLE_LIST_LINES)
        frame_diagnose(reader, "many_objects_in_tag", block->at);
    block->elements++;
    block->comma = false;
    /* A single object in a block of its own has no neighbours to spare. */
    if (!frame_read_object(reader, &head, start, block->at, limit,
                           block->in_array || body == HOLE_LIST_LINES ||
                               !has_closer(block) ||
                               frame_ends_in_bracket(block->head->call),
                           &block->end)) {
        /* Out of step: all up to the marker belonged to the bad call. */
        block->over = true;
        reader->at = block->end;
    }
    block->at = block->end;
}

/* An element that is no object: to its comma or bracket, or with all that
 * follows to the next marker and a close. */
static void read_stranger(json_block *block)
{
    frame_reader *reader = block->reader;
    size_t start = block->elements ? block->at : block->start;
    size_t at = block->at, marker, end;

    reader->behind_body = false;
    marker = frame_next_marker(reader, at);
    end = frame_balance(reader, at, at, marker, true);
    block->elements++;
    block->comma = false;
    block->over = end == 0;
    if (block->over)
        reader->at = end = frame_behind_close(reader, marker);
    frame_diagnose(reader, "not_object", block->at);
    frame_unparsed(reader, start, end, "not_object", NULL);
    block->at = block->end = end;
}

/* What stands between the last of calls that no marker closes and the next
 * one's open marker at |at| separates the two. */
static bool is_separated(const json_block *block, size_t at)
{
    frame_reader *reader = block->reader;
    const bool semicolon =
        !block->was_array && strchr(reader->format->between, ';');
    const char *bytes = semicolon ? " \t\r\n,;" : " \t\r\n,";
    frame_head head;
    bool opens;

    if (at - block->end > FRAME_LOOK)
        return false;
    for (size_t i = block->end; i < at; i++)
        if (!frame_among(bytes, reader->text[i]))
            return false;
    frame_read_head(reader, at, false, &head);
    opens = head.answer != FRAME_NO;
    frame_head_release(&head);
    return opens;
}

/* The marker or end at |block->at| ends the block. */
static void close_block(json_block *block)
{
    frame_reader *reader = block->reader;
    size_t at = !frame_call_open_at(reader, block->at) &&
                        frame_cut_marker_at(reader, block->at)
                    ? reader->size
                    : block->at;
    bool stopped = at == reader->size || frame_stop_at(reader, at);

    block->over = true;
    if (block->elements == 0 && stopped) {
        frame_diagnose(reader, "truncated_call", at);
        frame_unparsed(reader, block->start, at, "truncated_call", NULL);
        reader->at = at;
        return;
    }
    if (block->in_array) {
        frame_diagnose(reader, "missing_closer", at);
        if (block->elements == 0)
            empty_call(block, at);
    }
    reader->at =
        has_closer(block) || is_separated(block, at) || block->in_array
            ? at
            : block->end;
    if (block->in_array && !has_closer(block)) {
        const char *close = frame_call_close_at(reader, at);

        reader->at = at + frame_size(reader, at, close);
    }
    frame_read_tail(reader, block->head->call);
}

/* Behind a call: the next marker, or call, or token of text or of thoughts. */
static size_t next_behind(frame_reader *reader, size_t at)
{
    while (at < reader->size && !frame_marker_at(reader, at) &&
           !frame_head_opens(reader, at) && !frame_outside_at(reader, at))
        at++;
    return at;
}

/* Words behind the object: dropped if the close follows soon. */
static void read_junk(json_block *block)
{
    frame_reader *reader = block->reader;
    size_t at = next_behind(reader, block->at);

    if (has_closer(block) && at - block->at <= FRAME_LOOK &&
        (frame_starts(reader, at, frame_closer(block->head->call, 0)) ||
         frame_call_close_at(reader, at))) {
        if (!block->head->fenced || !frame_starts(reader, block->at, "```"))
            frame_drop(reader, "junk_after_object", block->at, at);
        block->at = at;
        close_block(block);
        return;
    }
    if (has_closer(block))
        frame_diagnose(reader, "missing_call_close", block->at);
    block->over = true;
    reader->at = block->end;
}

/* `{` behind an object without a list: a call, too? */
static bool may_follow(json_block *block)
{
    bool is_cut;

    if (has_closer(block) || block->in_array)
        return true;
    return frame_json_head(block->reader, block->at, true, &is_cut) || is_cut;
}

/* `[`, `]`, `}` and separators; false: the byte may not stand here. */
static bool read_punctuation(json_block *block)
{
    frame_reader *reader = block->reader;
    const char c = reader->text[block->at];

    if (c == '[' && !block->elements && !block->was_array) {
        block->end = block->at + 1;
        block->in_array = block->was_array = true;
        if (frame_body(block->head->call) == HOLE_OBJECT ||
            frame_body(block->head->call) == HOLE_LIST_LINES)
            frame_diagnose(reader, "array_in_tag", block->at);
    } else if (c == ']' && block->in_array) {
        block->in_array = block->comma = false;
        block->end = block->at + 1;
        if (block->elements++ == 0)
            empty_call(block, block->at + 1);
    } else if ((c == ']' || c == '}') && block->elements &&
               (has_closer(block) || block->in_array || !block->comma)) {
        frame_diagnose(reader, "extra_closer", block->at);
        block->end = block->at + 1;
    } else if (c == ',' && block->elements) {
        block->comma = true;
    } else if (c == ';' && block->elements && !block->was_array &&
               !has_closer(block) && strchr(reader->format->between, ';')) {
        block->comma = true;
    } else {
        return false;
    }
    block->at++;
    return true;
}

void frame_read_json(frame_reader *reader, frame_head *head, size_t start)
{
    json_block block = {.reader = reader,
                        .head = head,
                        .start = start,
                        .at = head->body,
                        .end = head->body};

    while (!block.over) {
        const size_t said = reader->message->diagnostic_count;

        reader->behind_body = block.elements > 0;

        block.at = block.elements && !has_closer(&block) && !block.in_array
                       ? frame_skip(reader, block.at)
                       : frame_skip_odd(reader, block.at, true);
        if (reader->message->diagnostic_count > said && block.elements)
            block.end = frame_behind_odd(reader, block.at);
        if (block.at == reader->size || frame_marker_at(reader, block.at) ||
            frame_cut_marker_at(reader, block.at) ||
            (block.elements && !block.in_array &&
             frame_head_opens(reader, block.at)))
            close_block(&block);
        else if (reader->text[block.at] == '{' && block.elements &&
                 !block.in_array && !may_follow(&block))
            read_junk(&block);
        else if (reader->text[block.at] == '{')
            read_element(&block);
        else if (read_punctuation(&block))
            continue;
        else if (block.in_array)
            read_stranger(&block);
        else
            read_junk(&block);
    }
    reader->behind_body = false;
}

/* --- arguments behind a name ------------------------------------------- */

/* Up to a marker that is not inside a string, at |*end|. */
static void read_body(frame_reader *reader, size_t at, naive_json *json,
                      size_t *end)
{
    const size_t said = reader->message->diagnostic_count;

    for (*end = frame_body_end(reader, at);;
         *end = frame_body_end(reader, *end + 1)) {
        naive_body_arguments(reader->message, reader->text, at, *end, json);
        bool open = json->outcome == NAIVE_STOPPED && json->in_string;
        reader->in_value |= open && *end == reader->size;
        if (!open || *end == reader->size)
            return;
        reader->message->diagnostic_count = said;
        naive_release(&json->text);
    }
}

/* NULL: the arguments are complete. */
static const char *judge(frame_reader *reader, const frame_head *head,
                         naive_json *json, size_t end)
{
    const size_t body = head->body;
    /* An output that stopped by itself has lost its stop marker. */
    const bool over = frame_is_end(reader, end);
    const bool terminated =
        !over || (!reader->options->length &&
                  (end == reader->size || frame_half_stop_at(reader, end)));
    /* Nothing else ends arguments whose call has a close. */
    const bool at_marker = frame_closer(head->call, 0)
                               ? frame_call_close_at(reader, end) != NULL
                               : terminated;

    if (json->outcome == NAIVE_BROKEN)
        return json->reason;
    if (json->outcome == NAIVE_WHOLE)
        return NULL;
    if (json->end == end && at_marker && json->nothing &&
        naive_ends_whole(reader->text, body, end)) {
        frame_diagnose(reader, "empty_arguments", body);
        json->text.size = 0;
        naive_add_text(&json->text, "{}");
        return NULL;
    }
    if (json->end == end && at_marker && json->closable &&
        !frame_starts(reader, end, "```")) { /* a fence ends nothing */
        frame_diagnose(reader, "missing_closer", end);
        return NULL;
    }
    return json->end == end && over ? "truncated_call" : "syntax_error";
}

static bool is_digits(const naive_bytes *name)
{
    return name->size > 0 && strspn(name->data, "0123456789") == name->size;
}

/* The last `:DIGITS` is an index. */
static void cut_index(naive_bytes *name)
{
    size_t at = name->size;

    while (at > 0 && name->data[at - 1] >= '0' && name->data[at - 1] <= '9')
        at--;
    if (at > 0 && at < name->size && name->data[at - 1] == ':') {
        name->size = at - 1;
        name->data[name->size] = 0;
    }
}

/* The name, and the id that the wire gives; NULL or what is wrong. */
static const char *judge_head(frame_reader *reader, frame_head *head,
                              naive_bytes *id)
{
    frame_match *match = &head->match;
    naive_bytes *name = &match->holes[HOLE_NAME];
    bool indexed = frame_writes_ids(reader->format);
    const bool number = is_digits(name);
    /* An index behind another mark than the id's is no part of it. */
    const bool apart =
        match->has[HOLE_INDEX] && match->word_size == name->size;

    naive_add(id, "", 0);
    if (indexed && !apart && !match->holes[HOLE_ID].size) {
        const char *format = reader->format->id;
        size_t prefix = strcspn(format, "{"), from = match->word;

        if (from >= prefix &&
            memcmp(reader->text + from - prefix, format, prefix) == 0)
            from -= prefix;

        naive_add(id, reader->text + from,
                  match->word + match->word_size - from);
    } else {
        frame_id_of(reader->format, head, id);
    }
    if (indexed && !match->has[HOLE_INDEX])
        cut_index(name);
    frame_repair_name(reader, head, match->word);
    if (name->size > FRAME_NAME)
        return "limit_name";
    if (name->size == 0 || (indexed && number)) {
        naive_release(name);
        return "no_name";
    }
    reader->message->begun++;
    if (frame_has_tools(reader) && !frame_tool(reader, name))
        frame_diagnose(reader, "undeclared_tool", match->word);
    return NULL;
}

/* Closers behind the object, which were too many. */
static void skip_closers(frame_reader *reader, const frame_pattern *call)
{
    const char *closer = frame_closer(call, 0);

    for (;;) {
        size_t at = closer ? frame_skip_separators(reader, reader->at)
                           : frame_skip(reader, reader->at);
        const bool first = frame_closer(call, 1) /* of several */ &&
                           frame_starts(reader, at, closer);

        if (closer && (at == reader->size || frame_marker_at(reader, at) ||
                       first || frame_cut_marker_at(reader, at)))
            reader->at = frame_cut_marker_at(reader, at) ? reader->size : at;
        if (at == reader->size || at - reader->at > FRAME_LOOK ||
            (reader->text[at] != '}' && reader->text[at] != ']') ||
            frame_marker_at(reader, at) || first)
            return;
        frame_diagnose(reader, "extra_closer", at);
        reader->at = at + 1;
    }
}

/* Words between the object and the close are dropped if they are few; the end
 * of a fence is framing. */
static void skip_words(frame_reader *reader, const frame_pattern *call)
{
    const char *closer = frame_closer(call, 0);
    size_t at = frame_skip(reader, reader->at), marker;

    while (closer && frame_behind_fence(closer) > closer &&
           frame_starts(reader, at, "```")) {
        reader->at = at + 3;
        at = frame_skip(reader, reader->at);
    }
    if (frame_closer(call, 1) && frame_is_plain(closer) &&
        frame_starts(reader, at, closer))
        return; /* the first of several closes */
    marker = next_behind(reader, at);
    if (closer && at < marker && marker - at <= FRAME_LOOK &&
        frame_call_close_at(reader, marker)) {
        frame_drop(reader, "junk_after_object", at, marker);
        reader->at = marker;
    }
}

static void end_arguments(frame_reader *reader, const frame_pattern *call)
{
    skip_closers(reader, call);
    skip_words(reader, call);
    frame_read_tail(reader, call);
}

/* A marker here behind which the call's own close is due, or NULL: it ends no
 * bad call. */
static const char *inner_close_at(const frame_reader *reader,
                                  const frame_pattern *call)
{
    const char *found = NULL;

    for (size_t n = 0; frame_closer(call, n + 1); n++)
        if (frame_starts(reader, reader->at, frame_closer(call, n)))
            found = frame_closer(call, n);
    return found;
}

static bool take(const frame_reader *reader, size_t *at, const char *word,
                 size_t size)
{
    *at = frame_skip(reader, *at);
    if (reader->size - *at < size ||
        memcmp(reader->text + *at, word, size) != 0)
        return false;
    *at += size;
    return true;
}

/* `{"name": NAME, "arguments": ` in place of tags: an object of the call. */
static bool is_enveloped(const frame_reader *reader, const frame_head *head)
{
    static const char *const keys[] = {"\"arguments\"", "\"parameters\""};
    const naive_bytes *name = &head->match.holes[HOLE_NAME];
    const naive_tree *declared = naive_tree_get(
        naive_tree_get(frame_tool(reader, name), "parameters"), "properties");
    size_t in = head->body;

    if (frame_body(head->call) != HOLE_ARGUMENTS_JSON ||
        reader->format->argument.count == 0 || !take(reader, &in, "{", 1) ||
        !take(reader, &in, "\"name\"", 6) || !take(reader, &in, ":", 1) ||
        !take(reader, &in, "\"", 1) || reader->size - in <= name->size ||
        memcmp(reader->text + in, name->data, name->size) != 0)
        return false;
    in += name->size;
    if (reader->text[in++] != '"' || !take(reader, &in, ",", 1))
        return false;
    for (int i = 0; i < 2; i++) {
        size_t behind = in;

        if (take(reader, &behind, keys[i], strlen(keys[i])) &&
            take(reader, &behind, ":", 1) &&
            !naive_tree_get(declared, i ? "parameters" : "arguments"))
            return true;
    }
    return false;
}

/* The end of a fence stands where the arguments are due. */
static bool is_empty_fence(const frame_reader *reader, const frame_head *head,
                           size_t at)
{
    const char *closer = frame_closer(head->call, 0);

    return closer && strncmp(closer, "```", 3) == 0 &&
           frame_starts(reader, frame_skip(reader, at), "```");
}

void frame_read_arguments(frame_reader *reader, frame_head *head, size_t start)
{
    naive_json json = {0};
    const size_t body = head->body;
    naive_bytes id = {0};
    const char *reason, *broken;
    size_t end;

    if (is_enveloped(reader, head)) {
        const size_t at = frame_skip(reader, body);

        if (frame_read_object(reader, head, start, at,
                              frame_body_end(reader, at), false, &reader->at))
            end_arguments(reader, head->call);
        return;
    }
    reason = judge_head(reader, head, &id);
    if (is_empty_fence(reader, head, body)) {
        json.end = end = frame_skip(reader, body);
        naive_add_text(&json.text, "{}");
        frame_diagnose(reader, "empty_arguments", end);
    } else {
        read_body(reader, body, &json, &end);
    }
    broken = judge(reader, head, &json, end);
    reader->at = reason ? body /* nothing behind it is read */
                 : json.outcome == NAIVE_WHOLE && !broken ? json.end
                                                          : end;
    reason = reason ? reason : broken;
    if (reason) {
        const char *close;

        frame_diagnose(reader, reason, json.end);
        reader->at = frame_next_marker(reader, reader->at);
        while ((close = inner_close_at(reader, head->call)))
            reader->at = frame_next_marker(
                reader, reader->at + frame_size(reader, reader->at, close));
        close = frame_call_close_at(reader, reader->at);
        if (close) {
            size_t begin = reader->at;

            frame_read_tail(reader, head->call);
            if (reader->at == begin)
                reader->at += frame_size(reader, begin, close);
        }
        frame_unparsed(reader, start, reader->at, reason,
                       &head->match.holes[HOLE_NAME]);
    } else {
        frame_add_call(reader, &head->match.holes[HOLE_NAME], &id, &json.text);
        end_arguments(reader, head->call);
    }
    naive_release(&id);
    naive_release(&json.text);
}
