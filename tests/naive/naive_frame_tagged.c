/* SPDX-License-Identifier: MIT
 *
 * A call whose parameters are text between tags.
 */
#include "naive_frame.h"

#include <string.h>

typedef struct tagged_call {
    frame_reader *reader;
    const frame_head *head;
    size_t start;
    naive_tree keys; /* of the parameters so far */
    naive_bytes out;
    bool closed;            /* the last parameter was */
    const char *failed;     /* what its head spoils it by, or NULL */
    const naive_tree *tool; /* the schema of the parameters, or NULL */
} tagged_call;

static naive_tree *add_key(tagged_call *call, const naive_bytes *key)
{
    naive_tree *child;

    call->keys.children =
        naive_grow(call->keys.children,
                   (call->keys.count + 1) * sizeof *call->keys.children);
    child = &call->keys.children[call->keys.count++];
    *child = (naive_tree){.kind = NAIVE_STRING};
    naive_add(&child->text, key->data, key->size);
    return child;
}

/* --- the end of a call ------------------------------------------------- */

/* One of the markers that close the call. */
static bool closes(const frame_reader *reader, const frame_pattern *pattern,
                   size_t at)
{
    const char *closer;

    for (size_t n = 0; (closer = frame_closer(pattern, n)); n++)
        if (frame_starts(reader, at, closer))
            return true;
    return frame_message_end_at(reader, pattern, at) != NULL;
}

/* Bytes of the value that are no UTF-8 are replaced, which is said. */
static void diagnose_utf8(frame_reader *reader, size_t at, size_t end)
{
    const bool is_cut = end == reader->size;

    for (size_t size; at < end; at += size) {
        naive_unit unit = naive_utf8(reader->text + at, end - at, &size);

        if (unit != NAIVE_WELL_FORMED && !(is_cut && unit == NAIVE_CUT))
            frame_diagnose(reader, "invalid_utf8", at);
    }
}

/* <![CDATA[ ... ]]> around a value (MiniCPM5). */
static size_t cdata_closer(const frame_reader *reader, size_t at,
                           const frame_pattern *pattern, naive_bytes *closer)
{
    static const char open[] = "<![CDATA[";
    bool wrapped = reader->format->cdata && frame_starts(reader, at, open);

    if (wrapped)
        naive_add_text(closer, "]]>");
    naive_add_text(closer, frame_closer(pattern, 0));
    return wrapped ? strlen(open) : 0;
}

/* No marker opened the value, and the call is over behind white space. */
static bool has_no_value(const tagged_call *call, const frame_match *match)
{
    const frame_reader *reader = call->reader;
    size_t at = match->end;
    const char *closer;
    bool is_over = false;

    if (!match->note || strcmp(match->note, "missing_value_open") != 0)
        return false;
    at = frame_skip(reader, at);
    for (size_t n = 0; (closer = frame_closer(call->head->call, n)); n++)
        is_over |= frame_starts(reader, at, closer);
    return is_over || frame_message_end_at(reader, call->head->call, at) ||
           frame_section_close_at(reader, at);
}

/* A parameter opens at |*at| in a bad call: on behind its value, which may
 * quote a call and says nothing. */
static bool pass_value(tagged_call *call, size_t *at)
{
    frame_reader *reader = call->reader;
    const size_t said = reader->message->diagnostic_count;
    const frame_pattern *pattern;
    frame_match match;
    bool opens;

    frame_match_parameter(reader, *at, &pattern, &match);
    opens = match.answer == FRAME_YES;
    if (opens) {
        const frame_parameter parameter = {call->head, pattern, call->tool,
                                           &call->keys, TYPE_STRING};
        naive_bytes closer = {0};
        const size_t cdata = cdata_closer(reader, match.end, pattern, &closer);
        frame_value_end found;

        if (has_no_value(call, &match))
            found.found = true, found.next = frame_skip(reader, match.end);
        else
            found = frame_find_value_end(reader, &parameter, match.end + cdata,
                                         closer.data);
        naive_release(&closer);
        *at = found.found ? found.next : reader->size;
    }
    frame_match_release(&match);
    reader->message->diagnostic_count = said;
    return opens;
}

/* Given up: on behind its end, by plain search. */
static void give_up(tagged_call *call, const char *reason, size_t at)
{
    frame_reader *reader = call->reader;
    const frame_pattern *pattern = call->head->call;
    size_t end = at;

    if (call->failed)
        reason = call->failed;
    else
        frame_diagnose(reader, reason, at);
    while (end < reader->size) {
        const size_t quoted = frame_quoted_end(reader, end);

        end = quoted ? quoted : end;
        if (pass_value(call, &end))
            continue;
        if (closes(reader, pattern, end) ||
            frame_section_close_at(reader, end) ||
            frame_section_open_at(reader, end) ||
            frame_outside_at(reader, end) || frame_stop_at(reader, end) ||
            frame_call_open_at(reader, end) ||
            frame_open_token_at(reader, end))
            break;
        end++;
    }
    reader->at = end;
    if (closes(reader, pattern, end))
        frame_read_tail(reader, pattern);
    frame_unparsed(reader, call->start, reader->at, reason,
                   &call->head->match.holes[HOLE_NAME]);
}

static void finish(tagged_call *call)
{
    const naive_bytes *name = &call->head->match.holes[HOLE_NAME];
    naive_bytes id = {0};

    if (call->failed) {
        frame_unparsed(call->reader, call->start, call->reader->at,
                       call->failed, name);
        return;
    }
    naive_add_text(&call->out, call->out.size ? "}" : "{}");
    frame_id_of(call->reader->format, call->head, &id);
    frame_add_call(call->reader, name, &id, &call->out);
    naive_release(&id);
}

/* --- values ------------------------------------------------------------ */

static unsigned types_of(const tagged_call *call, const frame_pattern *pattern,
                         const frame_match *match)
{
    frame_hole hole = pattern->parts[pattern->hole].hole;
    const char *said = match->holes[HOLE_TYPE].data;
    unsigned types;

    static const char *const others[] = {"number", "integer", "boolean",
                                         "null",   "object",  "array"};

    if (hole == HOLE_VALUE_TEXT || (said && strcmp(said, "string") == 0))
        return TYPE_STRING;
    if (hole == HOLE_VALUE_JSON)
        return TYPE_ANY;
    for (size_t i = 0; said && i < sizeof others / sizeof *others; i++)
        if (strcmp(said, others[i]) == 0)
            return TYPE_ANY;
    types = frame_types(call->tool, match->holes[HOLE_KEY].data);
    if (types)
        return types;
    if (call->reader->options->untyped_json)
        return TYPE_STRING | TYPE_ANY | TYPE_BOOLEAN | TYPE_NULL;
    return hole == HOLE_VALUE_GUESS ? TYPE_STRING | TYPE_ANY : TYPE_STRING;
}

/* The white space that the pattern shows beside the value is framing: one
 * line feed at most, or a blank in front (D6). */
static void strip_value(const frame_reader *reader,
                        const frame_pattern *pattern, const char *note,
                        size_t *begin, size_t *end)
{
    const char *front = frame_layout(pattern, pattern->hole - 1);
    const char *back = frame_layout(pattern, pattern->hole + 1);
    bool cut = note && strcmp(note, "missing_value_close") == 0;

    if (pattern->parts[pattern->hole].hole == HOLE_VALUE_TRIM) {
        while (*begin < *end && frame_is_blank(reader->text[*begin]))
            ++*begin;
        while (*end > *begin && frame_is_blank(reader->text[*end - 1]))
            --*end;
        return;
    }
    if (*front == '\n' && *begin < *end) {
        if (frame_starts(reader, *begin, "\r\n"))
            *begin += 2;
        else if (reader->text[*begin] == '\n')
            ++*begin;
    } else if (*front == ' ' && *begin < *end && reader->text[*begin] == ' ') {
        ++*begin;
    }
    if ((*back == '\n' || cut) && *end > *begin &&
        reader->text[*end - 1] == '\n') {
        --*end;
        if (*end > *begin && reader->text[*end - 1] == '\r')
            --*end;
    }
}

/* False: the call was given up. */
static bool read_parameter(tagged_call *call, const frame_pattern *pattern,
                           frame_match *match)
{
    frame_reader *reader = call->reader;
    const unsigned types = types_of(call, pattern, match);
    frame_parameter parameter = {call->head, pattern, call->tool, &call->keys,
                                 types};
    naive_bytes closer = {0}, raw = {0};
    size_t cdata, begin, end;
    frame_value_end found;
    bool good;

    if (match->note)
        frame_diagnose(reader, match->note, reader->at);
    for (size_t i = 0; i < call->keys.count; i++)
        if (strcmp(call->keys.children[i].text.data,
                   match->holes[HOLE_KEY].data) == 0)
            frame_diagnose(reader, "duplicate_parameter", reader->at);
    add_key(call, &match->holes[HOLE_KEY]);
    naive_add_text(&call->out, call->out.size ? "," : "{");
    frame_add_json_string(&call->out, match->holes[HOLE_KEY].data,
                          match->holes[HOLE_KEY].size);
    naive_add_text(&call->out, ":");
    cdata = cdata_closer(reader, match->end, pattern, &closer);
    begin = match->end + cdata;
    if (has_no_value(call, match)) {
        begin = frame_skip(reader, match->end);
        found =
            (frame_value_end){true, begin, begin, "missing_value_close"};
    } else {
        found = frame_find_value_end(reader, &parameter, begin, closer.data);
    }
    naive_release(&closer);
    if (types == TYPE_STRING)
        diagnose_utf8(reader, begin, found.end);
    if (!found.found) {
        give_up(call, "truncated_call", reader->size);
        return false;
    }
    end = found.end;
    strip_value(reader, pattern, found.note, &begin, &end);
    naive_add(&raw, reader->text + begin, end - begin);
    if (!cdata && strcmp(reader->format->entities, "all") == 0)
        frame_decode_entities(&raw);
    if (found.note)
        frame_diagnose(reader, found.note, found.end);
    call->closed =
        !found.note || strcmp(found.note, "missing_value_close") != 0;
    reader->at = found.next;
    good = frame_convert(reader, types, &raw, begin, &call->out);
    naive_release(&raw);
    if (!good)
        give_up(call, "malformed_value", found.next);
    return good;
}

/* --- the call ---------------------------------------------------------- */

static bool value_close_at(const frame_reader *reader, size_t at, size_t *size)
{
    const frame_patterns *arguments = &reader->format->argument;

    for (size_t i = 0; i < arguments->count; i++) {
        const char *closer = frame_closer(&arguments->items[i], 0);

        if (frame_starts(reader, at, closer)) {
            *size = frame_size(reader, at, closer);
            return true;
        }
    }
    return false;
}

/* The text ends in a marker that could end the call. */
static bool marker_is_cut(const frame_reader *reader,
                          const frame_pattern *pattern, size_t at)
{
    const frame_description *format = reader->format;
    const char *closer;
    bool is_cut = false;

    for (size_t n = 0; (closer = frame_closer(pattern, n)); n++)
        is_cut = is_cut || frame_is_cut(reader, at, closer);
    if (!frame_closer(pattern, 0))
        is_cut = frame_is_cut(reader, at, format->between);
    for (size_t i = 0; i < format->calls.count; i++)
        if ((closer = frame_closer(&format->calls.items[i], 0)))
            is_cut = is_cut || frame_is_cut(reader, at, closer);
    for (size_t i = 0; i < format->stops.count; i++)
        is_cut = is_cut || frame_is_cut(reader, at, format->stops.items[i]);
    for (size_t i = 0; i < format->call.count; i++)
        if ((closer = frame_opener(&format->call.items[i])))
            is_cut = is_cut || (frame_is_cut(reader, at, closer) &&
                                !frame_open_token_at(reader, at));
    return is_cut;
}

/* The call is over in front of its closes, which are bad with it. */
static void end(tagged_call *call)
{
    if (!call->failed)
        finish(call);
    frame_read_tail(call->reader, call->head->call);
    if (call->failed)
        finish(call);
}

/* What is no parameter: true if the call goes on. */
static bool read_other(tagged_call *call, size_t at, bool is_cut)
{
    frame_reader *reader = call->reader;
    const frame_pattern *pattern = call->head->call;
    const char *closer = frame_closer(pattern, 0);
    bool ends = frame_message_end_at(reader, pattern, at) != NULL;
    bool section = frame_section_close_at(reader, at) != NULL;
    bool marker = section || frame_stop_at(reader, at) ||
                  frame_outside_at(reader, at) ||
                  frame_section_open_at(reader, at) ||
                  frame_call_open_at(reader, at) ||
                  frame_open_token_at(reader, at);
    size_t size;

    for (size_t n = 1; frame_closer(pattern, n); n++)
        section =
            section || frame_starts(reader, at, frame_closer(pattern, n));
    bool whole = call->keys.count == 0 && frame_ends_message(reader, pattern);

    if (at == reader->size && (call->closed || whole) &&
        !reader->options->length) {
        if (closer)
            frame_diagnose(reader, "missing_call_close", at);
        reader->at = at;
        finish(call);
    } else if (at == reader->size || is_cut) {
        give_up(call, "truncated_call", reader->size);
    } else if (ends || (closer && frame_starts(reader, at, closer)) ||
               frame_call_close_at(reader, at)) {
        reader->at = at;
        end(call);
    } else if (value_close_at(reader, at, &size)) {
        frame_diagnose(reader, "extra_closer", at);
        reader->at = at + size;
        return true;
    } else if (section || (marker && call->closed)) {
        reader->at = at;
        end(call);
    } else {
        give_up(call, marker ? "truncated_call" : "syntax_error", at);
    }
    return false;
}

static bool begin(tagged_call *call)
{
    frame_reader *reader = call->reader;
    const naive_bytes *name = &call->head->match.holes[HOLE_NAME];
    const naive_tree *tool;
    naive_bytes cut = {0};

    naive_add(&cut, name->data, name->size);
    frame_cut_name(reader, &cut);
    tool = frame_tool(reader, &cut);
    naive_release(&cut);
    if (name->size == 0) {
        give_up(call, "no_name", call->head->body);
        return false;
    }
    if (name->size > FRAME_NAME)
        call->failed = "limit_name";
    else if (!frame_is_addressed(reader, name))
        call->failed = "duplicate_call_key";
    if (call->failed)
        frame_diagnose(reader, call->failed, call->head->body);
    else
        reader->message->begun++;
    if (!call->failed && frame_has_tools(reader) && !tool)
        frame_diagnose(reader, "undeclared_tool", call->head->body);
    call->tool = naive_tree_get(tool, "parameters");
    return true;
}

/* Its tag closes itself: there are no arguments. */
static void read_closed(tagged_call *call)
{
    frame_reader *reader = call->reader;
    const naive_bytes *name = &call->head->match.holes[HOLE_NAME];

    reader->at = call->head->body;
    if (name->size > 0 && name->size <= FRAME_NAME && begin(call))
        finish(call);
    else
        frame_unparsed(reader, call->start, reader->at,
                       name->size ? "limit_name" : "no_name", name);
}

/* A tool's name that runs into a parameter's, whose open marker is missing. */
static void part_name(const frame_reader *reader, frame_head *head)
{
    naive_bytes *name = &head->match.holes[HOLE_NAME];

    if (!frame_has_tools(reader) || frame_tool(reader, name) ||
        name->size > FRAME_NAME ||
        head->body != head->match.word + name->size ||
        !frame_key_close_at(reader, head->body))
        return;
    for (size_t at = name->size; at-- > 1;) {
        naive_bytes tool = {0};
        const naive_tree *schema;

        naive_add(&tool, name->data, at);
        schema = naive_tree_get(frame_tool(reader, &tool), "parameters");
        if (naive_tree_get(naive_tree_get(schema, "properties"),
                           name->data + at)) {
            head->body -= name->size - at;
            naive_release(name);
            *name = tool;
            return;
        }
        naive_release(&tool);
    }
}

void frame_read_tagged(frame_reader *reader, frame_head *head, size_t start)
{
    tagged_call call = {.reader = reader,
                        .head = head,
                        .start = start,
                        .keys = {.kind = NAIVE_ARRAY}};
    bool more;

    part_name(reader, head);
    more = !head->match.closed && begin(&call);

    if (head->match.closed)
        read_closed(&call);
    if (more)
        reader->at = head->body;
    while (more) {
        size_t at = frame_skip(reader, reader->at);
        const frame_pattern *pattern;
        frame_match match;

        frame_match_parameter(reader, at, &pattern, &match);
        if (match.answer == FRAME_NO)
            frame_match_bare_key(reader, at, call.tool, &pattern, &match);
        reader->at = at;
        if (match.answer == FRAME_YES)
            more = read_parameter(&call, pattern, &match);
        else
            more = read_other(&call, at,
                              match.answer == FRAME_CUT ||
                                  marker_is_cut(reader, head->call, at));
        frame_match_release(&match);
    }
    naive_tree_release(&call.keys);
    naive_release(&call.out);
}
