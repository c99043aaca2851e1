/* SPDX-License-Identifier: MIT
 *
 * Each node is written as it is read.  An anchor remembers where its node
 * stands in the output, and an alias copies these bytes.
 */
#include "kit/ask/yaml.h"

#include "core/bytes.h"
#include "core/utf8.h"
#include "json/escape.h"
#include "json/number.h"

/* How deep nodes may stand in each other, and how much aliases may make. */
enum { DEPTH = 100, MOST = 64 * 1024 * 1024 };
/* In place of an indentation. */
enum { SAME_LINE = -2 };

typedef struct anchor {
    const char *name;
    size_t name_size;
    size_t from; /* of the output */
    size_t to;
} anchor;

typedef struct reader {
    const char *text;
    size_t size;
    size_t at;
    size_t line; /* where the line of |at| begins */
    int depth;
    tw_json_out *out;
    tw_buffer scalar;
    tw_buffer anchors;
    const char *why; /* it cannot be read */
    size_t where;
} reader;

static void read_node(reader *, long indent, bool in_mapping, bool fresh);
static void read_flow(reader *);

/* Nothing is read from here on. */
static void refuse(reader *its, const char *why)
{
    if (its->why == NULL) {
        its->why = why;
        its->where = its->at;
    }
    its->at = its->size;
}

/* NUL: the end. */
static char byte_at(const reader *its, size_t ahead)
{
    return ahead < its->size - its->at ? its->text[its->at + ahead] : '\0';
}

static bool is_break(char c)
{
    return c == '\0' || c == '\n' || c == '\r';
}

static bool is_gap(char c)
{
    return is_break(c) || c == ' ' || c == '\t';
}

static long column(const reader *its)
{
    return (long)(its->at - its->line);
}

static void add(reader *its, const char *text, size_t size)
{
    its->out->failed |=
        !tw_buffer_append(&its->scalar, its->out->memory, text, size);
}

static void add_breaks(reader *its, size_t count)
{
    while (count-- > 0) {
        add(its, "\n", 1);
    }
}

/* Over white space: how many lines end in it. */
static size_t pass_white(reader *its)
{
    size_t breaks = 0;
    while (its->at < its->size && is_gap(its->text[its->at])) {
        if (its->text[its->at++] == '\n') {
            its->line = its->at;
            breaks++;
        }
    }
    return breaks;
}

/* Over white space and comments. */
static void pass_blank(reader *its)
{
    pass_white(its);
    while (byte_at(its, 0) == '#') {
        while (!is_break(byte_at(its, 0))) {
            its->at++;
        }
        pass_white(its);
    }
}

static bool begins(const reader *its, char sign)
{
    return byte_at(its, 0) == sign && is_gap(byte_at(its, 1));
}

/* ---- scalars, into |scalar| --------------------------------------------- */

/* White space inside of a scalar: that of a line stays, the end of a line is a
 * blank, and lines between are their ends. */
static void fold(reader *its)
{
    const size_t from = its->at;
    const size_t breaks = pass_white(its);
    if (breaks == 0) {
        add(its, its->text + from, its->at - from);
    } else if (breaks == 1) {
        add(its, " ", 1);
    } else {
        add_breaks(its, breaks - 1);
    }
}

static bool is_flow_sign(char c)
{
    return c == ',' || c == '[' || c == ']' || c == '{' || c == '}';
}

/* |indent|: lines that are no deeper end it; SAME_LINE: the first one does. In
 * a flow collection its signs do. */
static void read_plain(reader *its, long indent, bool flow)
{
    while (its->at < its->size) {
        const reader before = *its;
        const char c = byte_at(its, 0);
        const char next = byte_at(its, 1);
        if (is_gap(c)) {
            const size_t breaks = pass_white(its);
            const bool ends = its->at == its->size || byte_at(its, 0) == '#' ||
                              (breaks > 0 && !flow &&
                               (indent == SAME_LINE || column(its) <= indent));
            its->at = before.at;
            its->line = before.line;
            if (ends) {
                return;
            }
            fold(its);
        } else if ((c == ':' &&
                    (is_gap(next) || (flow && is_flow_sign(next)))) ||
                   (flow && is_flow_sign(c))) {
            return;
        } else {
            add(its, &c, 1);
            its->at++;
        }
    }
}

static void read_escape(reader *its)
{
    static const char letters[] = "0abt\tnvfre \"/\\N_LP";
    static const uint16_t points[] = {0,   7,    8,    9,    9,      10,
                                      11,  12,   13,   27,   ' ',    '"',
                                      '/', '\\', 0x85, 0xA0, 0x2028, 0x2029};
    const char letter = byte_at(its, 0);
    const char *known = letter != '\0' ? strchr(letters, letter) : NULL;
    int digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    uint32_t point = known != NULL ? points[known - letters] : 0;
    char utf8[4];
    if (is_break(letter) && letter != '\0') { /* the line goes on */
        pass_white(its);
        return;
    }
    if (known == NULL && digits == 0) {
        refuse(its, "this escape is not known");
        return;
    }
    its->at++;
    for (; digits > 0 && tw_json_is_hex((uint8_t)byte_at(its, 0)); digits--) {
        point = point << 4 | tw_json_digit((uint8_t)byte_at(its, 0));
        its->at++;
    }
    if (digits > 0 || point > 0x10FFFF || (point >> 11) == 0xD800 >> 11) {
        refuse(its, "this escape is no character");
        return;
    }
    add(its, utf8, tw_point_put(utf8, point));
}

static void read_quoted(reader *its)
{
    const char quote = byte_at(its, 0);
    its->at++;
    for (;;) {
        const char c = byte_at(its, 0);
        if (its->at == its->size) {
            refuse(its, "the string is not closed");
            return;
        }
        if (c == quote && quote == '\'' && byte_at(its, 1) == quote) {
            add(its, &c, 1);
            its->at += 2;
        } else if (c == quote) {
            its->at++;
            return;
        } else if (c == '\\' && quote == '"') {
            its->at++;
            read_escape(its);
        } else if (is_gap(c)) {
            fold(its);
        } else {
            add(its, &c, 1);
            its->at++;
        }
    }
}

/* Behind `|`, `|-` or `|+`, with what stands there. */
static void read_block(reader *its, long indent)
{
    const char chomp = byte_at(its, 1);
    size_t content = 0; /* blanks in front of its lines; 0: not known yet */
    size_t breaks = 0;
    its->at += chomp == '-' || chomp == '+' ? 2 : 1;
    if (!is_break(byte_at(its, 0))) {
        refuse(its, "of blocks `|`, `|-` and `|+` are known");
    }
    while (its->at < its->size) {
        its->at += byte_at(its, 0) == '\r' ? 1 : 0;
        its->line = ++its->at; /* behind a line feed */
        while (byte_at(its, 0) == ' ' &&
               (content == 0 || its->at - its->line < content)) {
            its->at++;
        }
        const size_t from = its->at;
        if (is_break(byte_at(its, 0))) {
            breaks += its->at < its->size ? 1 : 0;
            continue;
        }
        if (column(its) <= indent || from - its->line < content) {
            break;
        }
        content = from - its->line;
        while (!is_break(byte_at(its, 0))) {
            its->at++;
        }
        add_breaks(its, breaks);
        add(its, its->text + from, its->at - from);
        breaks = its->at < its->size ? 1 : 0;
    }
    if (chomp == '+' || (chomp != '-' && its->scalar.size > 0)) {
        add_breaks(its, chomp == '+' || breaks == 0 ? breaks : 1);
    }
}

/* ---- nodes -------------------------------------------------------------- */

/* What no quotes stand around. */
static void put_plain(reader *its)
{
    static const char *const nothing[] = {"",     "~",    "null",
                                          "Null", "NULL", NULL};
    static const char *const yes[] = {"true", "True", "TRUE", NULL};
    static const char *const no[] = {"false", "False", "FALSE", NULL};
    const char *text = (const char *)its->scalar.data;
    const size_t size = its->scalar.size;
    uint8_t number = 0;
    size_t taken = 0;
    while (taken < size && tw_number_takes(&number, (uint8_t)text[taken])) {
        taken++;
    }
    if (size > 0 && taken == size && tw_number_may_end(number)) {
        tw_json_put_text(its->out, text, size);
    } else if (tw_bytes_are_any(text, size, nothing)) {
        tw_json_put(its->out, "null");
    } else if (tw_bytes_are_any(text, size, yes)) {
        tw_json_put(its->out, "true");
    } else if (tw_bytes_are_any(text, size, no)) {
        tw_json_put(its->out, "false");
    } else {
        tw_json_put_string(its->out, text, size);
    }
}

static void put_string(reader *its)
{
    tw_json_put_string(
        its->out, its->scalar.size > 0 ? (const char *)its->scalar.data : "",
        its->scalar.size);
}

/* A scalar, |key|: of a mapping; others as read_plain() has them. */
static void read_scalar(reader *its, long indent, bool flow, bool key)
{
    const char c = byte_at(its, 0);
    its->scalar.size = 0;
    if (c == '"' || c == '\'') {
        read_quoted(its);
        put_string(its);
        return;
    }
    if ((c != '\0' && strchr("!%@`>&*", c) != NULL) || begins(its, '?')) {
        refuse(its, "no scalar that is known begins so");
        return;
    }
    read_plain(its, indent, flow);
    if (key && tw_bytes_are_any(its->scalar.data, its->scalar.size,
                                (const char *const[]){"<<", NULL})) {
        refuse(its, "merge keys are not known");
    } else if (key) {
        put_string(its);
    } else {
        put_plain(its);
    }
}

static const char *read_name(reader *its, size_t *size)
{
    const size_t from = ++its->at;
    while (!is_gap(byte_at(its, 0)) && !is_flow_sign(byte_at(its, 0))) {
        its->at++;
    }
    *size = its->at - from;
    return its->text + from;
}

static void put_alias(reader *its)
{
    size_t size;
    const char *name = read_name(its, &size);
    const anchor *all = (const anchor *)(const void *)its->anchors.data;
    const anchor *found = NULL;
    for (size_t i = its->anchors.size / sizeof *all; i > 0 && found == NULL;
         i--) {
        found = all[i - 1].name_size == size &&
                        memcmp(all[i - 1].name, name, size) == 0
                    ? &all[i - 1]
                    : NULL;
    }
    tw_buffer *out = &its->out->out;
    if (found == NULL || out->size > MOST) {
        refuse(its, found == NULL ? "no such anchor stands in front"
                                  : "aliases make more than 64 MiB");
    } else if (its->out->failed ||
               !tw_buffer_reserve(out, its->out->memory,
                                  found->to - found->from)) {
        its->out->failed = true;
    } else {
        memcpy(out->data + out->size, out->data + found->from,
               found->to - found->from);
        out->size += found->to - found->from;
    }
}

static void read_flow_list(reader *its, char end)
{
    const char *comma = "";
    tw_json_put(its->out, end == ']' ? "[" : "{");
    its->at++;
    for (pass_blank(its); byte_at(its, 0) != end; pass_blank(its)) {
        if (its->at == its->size) {
            refuse(its, "the list or mapping is not closed");
            return;
        }
        tw_json_put(its->out, comma);
        comma = ",";
        if (end == '}') {
            read_scalar(its, SAME_LINE, true, true);
            pass_blank(its);
            if (byte_at(its, 0) != ':') {
                refuse(its, "a key needs a colon");
                return;
            }
            its->at++;
            tw_json_put(its->out, ":");
            pass_blank(its);
        }
        read_flow(its);
        pass_blank(its);
        if (byte_at(its, 0) == ',') {
            its->at++;
        } else if (byte_at(its, 0) != end) {
            refuse(its, "a comma is missing");
        }
    }
    its->at++;
    tw_json_put(its->out, end == ']' ? "]" : "}");
}

static void read_flow(reader *its)
{
    const char c = byte_at(its, 0);
    if (++its->depth > DEPTH) {
        refuse(its, "nodes stand in each other more than 100 deep");
    } else if (c == '[' || c == '{') {
        read_flow_list(its, c == '[' ? ']' : '}');
    } else if (c == '*') {
        put_alias(its);
    } else {
        read_scalar(its, SAME_LINE, true, false);
    }
    its->depth--;
}

/* Is what stands here the key of a mapping?  Nothing is moved. */
static bool is_key(reader *its)
{
    reader probe = *its;
    tw_json_out nowhere = {.memory = its->out->memory};
    probe.out = &nowhere;
    probe.scalar = (tw_buffer){0};
    read_scalar(&probe, SAME_LINE, false, false);
    while (byte_at(&probe, 0) == ' ') {
        probe.at++;
    }
    const bool found =
        probe.line == its->line && probe.why == NULL && begins(&probe, ':');
    its->out->failed |= nowhere.failed;
    tw_buffer_free(&probe.scalar, nowhere.memory);
    tw_buffer_free(&nowhere.out, nowhere.memory);
    return found;
}

/* Behind a part of a collection: is there another one? */
static bool goes_on(reader *its, long at)
{
    pass_blank(its);
    if (its->at < its->size && column(its) > at) {
        refuse(its, "this line fits nowhere");
    }
    return its->at < its->size && column(its) == at;
}

static void read_mapping(reader *its)
{
    const long at = column(its);
    const char *comma = "{";
    do {
        if (!is_key(its)) {
            refuse(its, "a key and a colon are due here");
            return;
        }
        tw_json_put(its->out, comma);
        comma = ",";
        read_scalar(its, SAME_LINE, false, true);
        while (byte_at(its, 0) != ':') {
            its->at++;
        }
        its->at++;
        tw_json_put(its->out, ":");
        read_node(its, at, true, false);
    } while (goes_on(its, at));
    tw_json_put(its->out, "}");
}

static void read_sequence(reader *its, bool in_mapping)
{
    const long at = column(its);
    const char *comma = "[";
    do {
        if (!begins(its, '-')) {
            if (!in_mapping) {
                refuse(its, "a dash is due here");
            }
            break; /* the next key of the mapping that it stands in */
        }
        tw_json_put(its->out, comma);
        comma = ",";
        its->at++;
        read_node(its, at, false, true);
    } while (goes_on(its, at));
    tw_json_put(its->out, "]");
}

/* A scalar or a collection that begins here. */
static void read_content(reader *its, long indent, bool in_mapping, bool fresh)
{
    const char c = byte_at(its, 0);
    its->scalar.size = 0;
    if (c == '[' || c == '{') {
        read_flow(its);
    } else if (fresh && begins(its, '-')) {
        read_sequence(its, in_mapping && column(its) == indent);
    } else if (fresh && is_key(its)) {
        read_mapping(its);
    } else if (c == '|') {
        read_block(its, indent);
        put_string(its);
    } else {
        read_scalar(its, indent, false, false);
    }
}

/* What stands behind a key's colon or a dash, in deeper lines than |indent|;
 * a sequence that a mapping holds may stand no deeper than its key.  |fresh|:
 * a collection may begin in this line. */
static void read_node(reader *its, long indent, bool in_mapping, bool fresh)
{
    const size_t line = its->line;
    const size_t from = its->out->out.size;
    anchor named = {.name = NULL};
    pass_blank(its);
    if (byte_at(its, 0) == '&' &&
        (its->line == line || column(its) > indent)) {
        named.name = read_name(its, &named.name_size);
        pass_blank(its);
    }
    const bool deeper =
        its->line == line || column(its) > indent ||
        (in_mapping && column(its) == indent && begins(its, '-'));
    fresh = its->line != line || (fresh && named.name == NULL);
    if (++its->depth > DEPTH) {
        refuse(its, "nodes stand in each other more than 100 deep");
    } else if (its->at == its->size || !deeper) {
        tw_json_put(its->out, "null");
    } else if (byte_at(its, 0) == '*') {
        put_alias(its);
    } else {
        read_content(its, indent, in_mapping, fresh);
    }
    its->depth--;
    if (named.name != NULL) {
        named.from = from;
        named.to = its->out->out.size;
        its->out->failed |= !tw_buffer_append(&its->anchors, its->out->memory,
                                              &named, sizeof named);
    }
}

/* A line of three dashes may stand in front. */
static void read_document(reader *its)
{
    pass_blank(its);
    if (byte_at(its, 0) == '-' && byte_at(its, 1) == '-' &&
        byte_at(its, 2) == '-' && is_gap(byte_at(its, 3))) {
        its->at += 3;
    }
    read_node(its, -1, false, its->at == its->line);
    pass_blank(its);
    if (its->at < its->size) {
        refuse(its, "the document ends in front of this");
    }
}

bool kit_yaml_read(tw_json_out *out, const char *text, size_t size,
                   kit_yaml_error *error)
{
    reader its = {.text = text, .size = size, .out = out};
    read_document(&its);
    tw_buffer_free(&its.scalar, out->memory);
    tw_buffer_free(&its.anchors, out->memory);
    if (its.why != NULL) {
        error->why = its.why;
        error->line = error->column = 1;
        for (size_t i = 0; i < its.where; i++) {
            error->line += text[i] == '\n' ? 1 : 0;
            error->column = text[i] == '\n' ? 1 : error->column + 1;
        }
    }
    return its.why == NULL && !out->failed;
}
