/* SPDX-License-Identifier: MIT
 *
 * Calls as a tree: what their arguments hold, a row a value.
 */
#include <stdio.h>
#include <string.h>

#include "cli/inspect/show.h"

/* Signs of one value; levels that are indented. */
enum { LONGEST = 160, DEEPEST = 40 };

/* A place in JSON text, which may be cut off anywhere. */
typedef struct json_walk {
    cli_painter *painter;
    const char *at, *end;
    size_t depth;
    const char *key; /* that waits for its value, with its quotes; or NULL */
    size_t key_size;
} json_walk;

static void skip_blanks(json_walk *walk)
{
    while (walk->at < walk->end && cli_is_blank(*walk->at)) {
        walk->at++;
    }
}

/* Behind the string that begins at |at|. */
static const char *string_end(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++) {
        at += *at == '\\' && at + 1 < end ? 1 : 0;
    }
    return at < end ? at + 1 : end;
}

static const char *scalar_end(const char *at, const char *end)
{
    while (at < end && !cli_is_blank(*at) && memchr(",:]}", *at, 4) == NULL) {
        at++;
    }
    return at;
}

/* A row: the key that waits, or a dash in a list, and the value if there is
 * one. */
static void put_item(json_walk *walk, const char *value, size_t size)
{
    cli_painter *painter = walk->painter;
    const size_t depth = walk->depth < DEEPEST ? walk->depth : DEEPEST;
    painter->brush->begin_item(painter, depth);
    if (walk->key != NULL) {
        cli_show_run(painter, CLI_KIND_NAME, walk->key, walk->key_size,
                     LONGEST);
    }
    cli_show_run(painter, CLI_KIND_STRUCTURE, walk->key != NULL ? ": " : "- ",
                 size > 0 || walk->key == NULL ? 2 : 1, LONGEST);
    if (size > 0) {
        cli_show_run(painter, CLI_KIND_ARGUMENTS, value, size, LONGEST);
    }
    painter->brush->end_item(painter);
    walk->key = NULL;
}

/* An opening bracket: an empty container is a value. */
static void open(json_walk *walk)
{
    const char *begin = walk->at++;
    skip_blanks(walk);
    if (walk->at < walk->end && (*walk->at == '}' || *walk->at == ']')) {
        walk->at++;
        if (walk->depth > 0) {
            put_item(walk, *begin == '{' ? "{}" : "[]", 2);
        }
        return;
    }
    if (walk->depth > 0) {
        put_item(walk, NULL, 0);
    }
    walk->depth++;
}

/* A key's text is without its quotes. */
static void put_string(json_walk *walk)
{
    const char *begin = walk->at;
    walk->at = string_end(begin, walk->end);
    const size_t size = (size_t)(walk->at - begin);
    skip_blanks(walk);
    if (walk->at < walk->end && *walk->at == ':') {
        walk->at++;
        walk->key = begin + 1;
        walk->key_size = size - 2;
    } else {
        put_item(walk, begin, size);
    }
}

static void put_scalar(json_walk *walk)
{
    const char *begin = walk->at;
    walk->at = scalar_end(begin, walk->end);
    put_item(walk, begin, (size_t)(walk->at - begin));
}

static void put_arguments(cli_painter *painter, const char *json, size_t size)
{
    json_walk walk = {painter, json, json + size, 0, NULL, 0};
    for (skip_blanks(&walk); walk.at < walk.end; skip_blanks(&walk)) {
        switch (*walk.at) {
        case '{':
        case '[': open(&walk); break;
        case '}':
        case ']':
            walk.depth -= walk.depth > 1 ? 1 : 0;
            walk.at++;
            break;
        case ',':
        case ':': walk.at++; break;
        case '"': put_string(&walk); break;
        default: put_scalar(&walk);
        }
    }
    if (walk.key != NULL) {
        put_item(&walk, NULL, 0);
    }
}

static void put_call(cli_painter *painter, const cli_wire *wire, size_t i)
{
    static const char *const statuses[] = {"not ended", "complete",
                                           "incomplete", "malformed"};
    const cli_call *call = &wire->calls[i];
    char text[120];
    snprintf(text, sizeof text, "%llu ", (unsigned long long)i);
    painter->brush->begin_item(painter, 0);
    cli_show_run(painter, CLI_KIND_STRUCTURE, text, strlen(text), LONGEST);
    cli_show_run(painter, CLI_KIND_NAME,
                 cli_wire_text(&wire->texts, call->name),
                 call->id - call->name, LONGEST);
    cli_show_run(painter, CLI_KIND_STRUCTURE, " ", 1, 1);
    cli_show_run(painter, CLI_KIND_TEXT, cli_wire_text(&wire->texts, call->id),
                 call->id_end - call->id, LONGEST);
    snprintf(text, sizeof text, ", %s, bytes %llu to %llu",
             statuses[call->status], (unsigned long long)call->offset,
             (unsigned long long)call->behind);
    cli_show_run(painter,
                 call->status == TW_CALL_COMPLETE ? CLI_KIND_STRUCTURE
                                                  : CLI_KIND_UNPARSED,
                 text, strlen(text), LONGEST);
    painter->brush->end_item(painter);
}

void cli_show_calls(cli_painter *painter, const cli_wire *wire)
{
    painter->brush->begin_calls(painter);
    for (size_t i = 0; i < wire->call_count; i++) {
        const cli_call *call = &wire->calls[i];
        const char *arguments =
            cli_wire_text(&wire->arguments, call->arguments);
        const size_t size = call->end - call->arguments;
        put_call(painter, wire, i);
        if (call->custom) {
            painter->brush->begin_item(painter, 1);
            cli_show_run(painter, CLI_KIND_ARGUMENTS, arguments, size,
                         LONGEST);
            painter->brush->end_item(painter);
        } else {
            put_arguments(painter, arguments, size);
        }
    }
    painter->brush->end_calls(painter);
}
