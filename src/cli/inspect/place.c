/* SPDX-License-Identifier: MIT
 *
 * An event has a call's name or a piece of its arguments, as JSON, and says at
 * most where its first byte stands.  What of it stands on the wire as it is,
 * or word by word, is found in the bytes that were fed since.  This is for the
 * eye alone: a byte that is not found stays structure.
 */
#include "cli/inspect/place.h"

#include <string.h>

static void paint(cli_wire *wire, size_t from, size_t size, cli_kind kind)
{
    memset(wire->kinds + from, (int)kind, size);
}

/* A byte of a name or of a plain value; all of UTF-8 beyond ASCII is. */
static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

static bool stands_at(const cli_wire *wire, size_t at, size_t to,
                      const char *data, size_t size)
{
    return size <= to && at <= to - size &&
           memcmp(wire->data + at, data, size) == 0;
}

/* Does |data| stand at |at| as a word of its own? */
static bool stands_alone(const cli_wire *wire, size_t at, size_t to,
                         const char *data, size_t size)
{
    return stands_at(wire, at, to, data, size) &&
           (at == 0 || !is_word(wire->data[at - 1])) &&
           (at + size == to || !is_word(wire->data[at + size]));
}

/* ---- names -------------------------------------------------------------- */

/* The last place in front of |fed| where it stands as a word of its own: the
 * event comes as soon as the name is known. */
void cli_place_name(cli_wire *wire, const tw_event *event, size_t fed)
{
    wire->placed = event->offset;
    for (size_t at = fed; at-- > event->offset && event->size > 0;) {
        if (stands_alone(wire, at, fed, event->data, event->size)) {
            paint(wire, at, event->size, CLI_KIND_NAME);
            wire->placed = at + event->size;
            return;
        }
    }
}

/* ---- arguments ---------------------------------------------------------- */

/* Paints |data| where it stands first in |from| to |to|; its end, or |from| if
 * it does not. */
static size_t find(cli_wire *wire, size_t from, size_t to, const char *data,
                   size_t size)
{
    for (size_t at = from; at < to; at++) {
        if (stands_at(wire, at, to, data, size)) {
            paint(wire, at, size, CLI_KIND_ARGUMENTS);
            return at + size;
        }
    }
    return from;
}

/* A word that stands otherwise on the wire: True for true. */
static size_t find_any_word(cli_wire *wire, size_t from, size_t to)
{
    while (from < to && !is_word(wire->data[from])) {
        from++;
    }
    for (; from < to && is_word(wire->data[from]); from++) {
        wire->kinds[from] = CLI_KIND_ARGUMENTS;
    }
    return from;
}

/* What the JSON escape at |data| stands for, if that is a byte of ASCII that
 * is not NUL, else NUL.  |*length| is how long it is. */
static char unescaped(const char *data, size_t size, size_t *length)
{
    static const char pairs[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    static const char hex[] = "0123456789abcdef";
    *length = size > 1 ? 2 : 1;
    for (size_t i = 0; size > 1 && i < sizeof pairs - 1; i += 2) {
        if (pairs[i] == data[1]) {
            return pairs[i + 1];
        }
    }
    if (size < 6 || memcmp(data, "\\u00", 4) != 0 || data[4] > '7') {
        return '\0';
    }
    *length = 6;
    const char *low = memchr(hex, data[5] | 0x20, 16);
    return (char)((data[4] - '0') * 16 + (low != NULL ? low - hex : 0));
}

static size_t find_word(cli_wire *wire, size_t from, size_t to,
                        const char *data, size_t size)
{
    for (size_t at = from; at + size <= to; at++) {
        if (stands_alone(wire, at, to, data, size)) {
            paint(wire, at, size, CLI_KIND_ARGUMENTS);
            return at + size;
        }
    }
    return find_any_word(wire, from, to);
}

/* Where the search went to. */
static size_t find_words(cli_wire *wire, size_t from, size_t to,
                         const char *data, size_t size)
{
    for (size_t i = 0, length; i < size; i += length) {
        length = 0;
        while (i + length < size && is_word(data[i + length])) {
            length++;
        }
        if (length > 0) {
            from = find_word(wire, from, to, data + i, length);
        } else if (data[i] == '\\') {
            const char c = unescaped(data + i, size - i, &length);
            from = c != '\0' ? find(wire, from, to, &c, 1) : from;
        } else {
            /* JSON's own signs may be others, or none, on the wire. */
            const bool own = memchr("{}[]\":, ", data[i], 8) != NULL;
            const size_t most = !own                         ? to
                                : data[i] == '"' && size > 1 ? from
                                                             : from + 1;
            length = 1;
            from = find(wire, from, most < to ? most : to, data + i, 1);
        }
    }
    return from;
}

/* Later pieces stand behind this one: so no byte is looked at often. */
void cli_place_arguments(cli_wire *wire, const tw_event *event, size_t fed)
{
    const size_t offset = event->offset;
    size_t to = wire->placed;
    if (stands_at(wire, offset, fed, event->data, event->size)) {
        paint(wire, offset, event->size, CLI_KIND_ARGUMENTS);
        to = offset + event->size;
    } else if (event->size == 1 && memchr("{}[]", event->data[0], 4) != NULL) {
        to = find(wire, to, fed, event->data, 1);
    } else {
        to = find_words(wire, to, fed, event->data, event->size);
    }
    to = offset > to ? offset : to;
    wire->placed = to > wire->placed ? to : wire->placed;
}

/* ---- structure ---------------------------------------------------------- */

void cli_place_rest(cli_wire *wire, uint64_t from, uint64_t to)
{
    for (; from < to; from++) {
        if (wire->kinds[from] == CLI_KIND_UNREAD) {
            wire->kinds[from] = CLI_KIND_STRUCTURE;
        }
    }
}

/* How long the longest marker is that stands at |at|, 0: none does. */
static size_t marker_size(const cli_wire *wire, const tw_format *format,
                          size_t at)
{
    const tw_marker *marker;
    size_t size = 0;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->size > size &&
            stands_at(wire, at, wire->size, marker->text, marker->size)) {
            size = marker->size;
        }
    }
    return size;
}

static bool is_structure(const cli_wire *wire, size_t at, size_t size)
{
    for (size_t i = at; i < at + size; i++) {
        if (wire->kinds[i] != CLI_KIND_STRUCTURE) {
            return false;
        }
    }
    return size > 0;
}

void cli_place_markers(cli_wire *wire, const tw_format *format)
{
    for (size_t at = 0; at < wire->size;) {
        const size_t size = wire->kinds[at] == CLI_KIND_STRUCTURE
                                ? marker_size(wire, format, at)
                                : 0;
        const bool found = is_structure(wire, at, size);
        if (found) {
            paint(wire, at, size, CLI_KIND_MARKER);
        }
        at += found ? size : 1;
    }
}
