/* SPDX-License-Identifier: MIT
 *
 * Gemma 4, the second opinion: the head of a call, up to its arguments.
 */
#include "naive_gemma4.h"
#include "naive_json.h"

#include <string.h>

enum { NAME_LIMIT = 256, HEAD_LIMIT = 1024, MARKERS_LIMIT = 128 };

static bool is_letter(int byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool is_name_byte(int byte)
{
    return byte >= 0x80 || is_letter(byte) || gemma4_is_digit(byte) ||
           byte == '_' || byte == '.' || byte == '-' || byte == ':';
}

static bool is_word_byte(int byte)
{
    return is_name_byte(byte) || byte == '/';
}

static bool is_name(const gemma4_reader *reader, const gemma4_head *head)
{
    const char *name = reader->text + head->name_at;

    return head->name_size > 0 &&
           name[0] != '.' && name[0] != '-' && name[0] != ':' &&
           name[head->name_size - 1] != ':' &&
           gemma4_is_utf8(name, head->name_size);
}

static bool is_tool(const gemma4_reader *reader, size_t at, size_t size)
{
    const char *const *tools = reader->options->tools;
    size_t i;

    for (i = 0; i < reader->options->tool_count; i++)
        if (strlen(tools[i]) == size &&
            memcmp(tools[i], reader->text + at, size) == 0)
            return true;
    return false;
}

static bool is_declared(const gemma4_reader *reader, const gemma4_head *head)
{
    return !reader->options->has_tools ||
           is_tool(reader, head->name_at, head->name_size);
}

size_t gemma4_declared_name(const gemma4_reader *reader,
                            const gemma4_head *head)
{
    size_t i;

    for (i = 0; i < head->name_size; i++)
        if ((i == 0 || gemma4_is_one_of(reader->text[head->name_at + i - 1],
                                        ":.")) &&
            is_tool(reader, head->name_at + i, head->name_size - i))
            return head->name_size - i;
    return 0;
}

/* A declared tool is named in [at, to), behind a namespace or not. */
static bool names_tool(const gemma4_reader *reader, size_t at, size_t to)
{
    for (size_t begin = at; begin < to; begin++) {
        const bool first =
            begin == at || !is_word_byte(gemma4_byte(reader, begin - 1)) ||
            gemma4_is_one_of(reader->text[begin - 1], ".:/");
        size_t end = begin;

        while (end < to && is_word_byte(gemma4_byte(reader, end)))
            end++;
        while (end > begin && gemma4_is_one_of(reader->text[end - 1], ".:/"))
            end--;
        if (first && end > begin && is_tool(reader, begin, end - begin))
            return true;
    }
    return false;
}

/* Where the close of the block that goes on at |inside| stands, in reach; 0:
 * nowhere.  Calls that begin in it have closes of their own, and *nested is
 * set. */
static size_t find_close(const gemma4_reader *reader, size_t inside,
                         bool *nested)
{
    const size_t size = gemma4_marker_size(GEMMA4_CALL_END);
    size_t depth = 0, markers = 0;
    size_t behind = 0; /* the last close, and blanks */

    *nested = false;
    for (size_t to = inside; to < reader->size && to - inside <= HEAD_LIMIT;
         to++) {
        const gemma4_marker marker = gemma4_marker_at(reader, to);

        if (gemma4_is_stop(marker) ||
            (reader->options->framed &&
             gemma4_starts(reader, to, GEMMA4_VEILED_OPEN)))
            return 0;
        markers += marker == GEMMA4_CALL || marker == GEMMA4_CALL_END;
        if (markers > MARKERS_LIMIT)
            return 0;
        if (marker == GEMMA4_CALL) {
            const gemma4_head head = gemma4_head_behind(reader, to);
            const bool object = head.kind < GEMMA4_HEAD_BODY &&
                                reader->frame &&
                                frame_object_begins(reader->frame, to);

            if (head.kind < GEMMA4_HEAD_BODY && !object)
                return 0;
            *nested = true;
            depth++;
            to = object ? to : head.end - 1;
        } else if (marker == GEMMA4_CALL_END) {
            if (depth == 0 && to != behind)
                return to;
            behind = depth > 0 || to == behind
                         ? gemma4_skip_blanks(reader, to + size)
                         : 0;
            depth -= depth > 0;
        }
    }
    return 0;
}

size_t gemma4_unknown_block(const gemma4_reader *reader, size_t at)
{
    const size_t inside = at + gemma4_marker_size(GEMMA4_CALL);
    const size_t first = gemma4_skip_blanks(reader, inside);
    bool nested;
    const size_t to = find_close(reader, inside, &nested);
    const bool counts = nested ? gemma4_marker_at(reader, first) != GEMMA4_CALL
                               : names_tool(reader, inside, to);

    return to > 0 && counts ? to + gemma4_marker_size(GEMMA4_CALL_END) : 0;
}

size_t gemma4_quoted_end(const gemma4_reader *reader, size_t at)
{
    bool nested = false;
    const size_t to = gemma4_marker_at(reader, at) == GEMMA4_CALL
                          ? find_close(reader, at, &nested)
                          : 0;

    return nested ? to : 0;
}

static gemma4_head head_of_kind(gemma4_head head, gemma4_head_kind kind,
                                size_t end)
{
    head.kind = kind;
    head.end = end;
    return head;
}

/* White space of other alphabets is no part of a name. */
static bool is_odd_blank(const gemma4_reader *reader, size_t at)
{
    bool odd = false;

    for (size_t i = 0; naive_odd_blanks[i]; i++)
        odd |= gemma4_starts(reader, at, naive_odd_blanks[i]);
    return odd;
}

/* `call:`, or `:`, or neither, and the name.  False if it is too long. */
static bool read_name(const gemma4_reader *reader, size_t at,
                      gemma4_head *head)
{
    head->called = gemma4_starts(reader, at, "call:");
    head->loose = head->loose || !head->called;
    if (head->called)
        at += strlen("call:");
    else if (gemma4_byte(reader, at) == ':')
        at++;
    head->name_at = gemma4_skip_blanks(reader, at);
    head->loose = head->loose || head->name_at > at;
    at = head->name_at;
    while (is_name_byte(gemma4_byte(reader, at)) && !is_odd_blank(reader, at))
        at++;
    head->name_size = at - head->name_at;
    return head->name_size <= NAME_LIMIT;
}

/* `call NAME{` at |at|, with blanks or equals signs between, and the name is
 * declared. */
static gemma4_head parted_head(const gemma4_reader *reader, size_t at)
{
    gemma4_head head = {.loose = true, .called = true};
    size_t i = at + strlen("call");

    while (gemma4_starts(reader, at, "call") &&
           (gemma4_is_blank(gemma4_byte(reader, i)) ||
            gemma4_byte(reader, i) == '='))
        i++;
    head.name_at = i;
    while (is_name_byte(gemma4_byte(reader, i)))
        i++;
    head.name_size = i - head.name_at;
    i = gemma4_skip_blanks(reader, i);
    head.round = gemma4_byte(reader, i) == '(';
    head.end = i + 1;
    if (head.name_at > at + strlen("call") && head.name_size <= NAME_LIMIT &&
        is_name(reader, &head) &&
        gemma4_is_one_of(gemma4_byte(reader, i), "{(") &&
        gemma4_declared_name(reader, &head) > 0)
        head.kind = GEMMA4_HEAD_BODY;
    return head;
}

/* What stands at |at|, behind the call's marker. */
static gemma4_head read_head(const gemma4_reader *reader, size_t at)
{
    gemma4_head head = {0};
    size_t i = gemma4_skip_blanks(reader, at);
    gemma4_marker marker = gemma4_marker_at(reader, i);
    gemma4_head parted = parted_head(reader, i);
    int byte;
    bool named;

    if (parted.kind == GEMMA4_HEAD_BODY)
        return parted;
    head.loose = i > at;
    if (i < reader->size && gemma4_close_marker_cut_at(reader, i))
        return head_of_kind(head, GEMMA4_HEAD_NONE, i);
    if (i == reader->size || gemma4_is_stop(marker))
        return head_of_kind(head, GEMMA4_HEAD_CUT, i);
    if (marker == GEMMA4_CALL_END)
        return head_of_kind(head, GEMMA4_HEAD_EMPTY, i);
    if (!read_name(reader, i, &head))
        return head_of_kind(
            head, head.called ? GEMMA4_HEAD_LONG : GEMMA4_HEAD_NONE,
            head.name_at + NAME_LIMIT + 1);

    at = head.name_at + head.name_size;
    i = gemma4_skip_blanks(reader, at);
    head.loose = head.loose || i > at;
    byte = gemma4_byte(reader, i);
    marker = gemma4_marker_at(reader, i);
    named = is_name(reader, &head) &&
            (head.called || !gemma4_starts(reader, head.name_at, "call:"));
    if (byte == GEMMA4_END && !named && i > head.name_at &&
        (!reader->options->length || i > at ||
         !gemma4_is_utf8(reader->text + head.name_at, head.name_size)))
        return head_of_kind(head, GEMMA4_HEAD_NONE, i);
    if (byte == GEMMA4_END)
        return head_of_kind(head, GEMMA4_HEAD_CUT, i);
    head.round = byte == '(';
    if (named && (byte == '{' || byte == '('))
        return head_of_kind(head, GEMMA4_HEAD_BODY, i + 1);
    if (named && head.called && marker == GEMMA4_CALL_END)
        return head_of_kind(head, GEMMA4_HEAD_NO_BODY, i);
    if (named && head.called && gemma4_close_marker_cut_at(reader, i))
        return head_of_kind(head, GEMMA4_HEAD_CUT, i);
    if (gemma4_is_stop(marker) && (named || i == head.name_at))
        return head_of_kind(head, GEMMA4_HEAD_CUT, i);
    return head_of_kind(head, GEMMA4_HEAD_NONE, i);
}

gemma4_head gemma4_head_behind(const gemma4_reader *reader, size_t at)
{
    const size_t size = gemma4_marker_size(GEMMA4_CALL);
    size_t last = at, next = gemma4_skip_blanks(reader, at + size);
    gemma4_head head;

    /* Where objects are read, too, the marker may stand there twice. */
    for (; reader->frame && gemma4_marker_at(reader, next) == GEMMA4_CALL;
         next = gemma4_skip_blanks(reader, last + size))
        last = next;
    head = read_head(reader, last + size);
    if (head.end - (head.kind == GEMMA4_HEAD_BODY) - at > HEAD_LIMIT)
        head.kind = GEMMA4_HEAD_GIVEN_UP;
    return head;
}

bool gemma4_is_head(gemma4_head head)
{
    return head.kind > GEMMA4_HEAD_GIVEN_UP;
}

gemma4_head gemma4_read_bare_head(const gemma4_reader *reader, size_t at)
{
    gemma4_head head = {0};

    if (!gemma4_starts(reader, at, "call:"))
        return head;
    if (!read_name(reader, at, &head))
        return head_of_kind(head, GEMMA4_HEAD_LONG, at);
    at = head.name_at + head.name_size;
    if (gemma4_byte(reader, at) != '{' || head.loose ||
        !is_name(reader, &head) ||
        gemma4_starts(reader, head.name_at, "call:") ||
        !is_declared(reader, &head))
        return head;
    return head_of_kind(head, GEMMA4_HEAD_BODY, at + 1);
}

gemma4_head gemma4_next_head(const gemma4_reader *reader, size_t at)
{
    gemma4_head head = {0};

    if (gemma4_starts(reader, at, "call:") || reader->options->has_tools)
        head = read_head(reader, at);
    if (head.end - at > HEAD_LIMIT || head.kind < GEMMA4_HEAD_BODY ||
        !(gemma4_starts(reader, at, "call:") ||
          gemma4_declared_name(reader, &head) > 0))
        head.kind = GEMMA4_HEAD_NONE;
    return head;
}

bool gemma4_call_at(const gemma4_reader *reader, size_t at)
{
    gemma4_head head = {0};

    return gemma4_starts(reader, at, "call:") &&
           read_name(reader, at, &head) && head.name_size > 0 &&
           gemma4_is_one_of(
               gemma4_byte(reader, head.name_at + head.name_size), "{(");
}

/* The size of a tag of another format at the reader, `<NAME>` or `</NAME>`,
 * with the name in |*name|; 0: none stands there. */
size_t gemma4_foreign_tag(const gemma4_reader *reader, bool closes,
                          size_t *name)
{
    size_t at = reader->at + (closes ? 2 : 1);
    bool named = false;

    *name = at;
    while (gemma4_byte(reader, at) == '_' ||
           ((gemma4_byte(reader, at) | 0x20) >= 'a' &&
            (gemma4_byte(reader, at) | 0x20) <= 'z'))
        at++;
    for (size_t i = *name; i < at; i++)
        named |= gemma4_starts(reader, i, "call") ||
                 gemma4_starts(reader, i, "function") ||
                 gemma4_starts(reader, i, "tool") ||
                 gemma4_starts(reader, i, "invo");
    return named && gemma4_starts(reader, reader->at, closes ? "</" : "<") &&
                   at > *name && gemma4_byte(reader, at) == '>'
               ? at + 1 - reader->at
               : 0;
}
