/* SPDX-License-Identifier: MIT
 *
 * DESIGN R8: what is certain is delivered at once.  Every canonical case is
 * fed byte by byte; when a piece comes out, at most the bound of its state
 * may have been fed behind its last byte.  Of arguments, behind every prefix
 * at most so many bytes are fed and not delivered.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "each_format.h"
#include "support/cases.h"

/* Text, reasoning and strings; where markers stand around strings, a key or
 * number is held whole, and arguments that come before the name are held until
 * it comes. */
enum { BOUND = 31 };

static bool is_piece(uint32_t type)
{
    return type == TW_EVENT_TEXT || type == TW_EVENT_REASONING ||
           type == TW_EVENT_CALL_ARGUMENTS;
}

/* How far the input had gone beyond the piece when it came out. */
static size_t worst_delay(tw_decoder *decoder, const char *text, size_t size)
{
    size_t worst = 0;
    for (size_t at = 0; at < size; at++) {
        const tw_event *event;
        tw_decoder_feed(decoder, text + at, 1, TW_MARK_UNKNOWN);
        while (tw_decoder_next(decoder, &event) == 1) {
            const size_t fed = at + 1;
            const size_t end = (size_t)event->offset + event->size;
            if (is_piece(event->type) && fed > end && fed - end > worst) {
                worst = fed - end;
            }
        }
    }
    return worst;
}

/* Arguments before the name are held until it comes: not a delay. */
static bool has_name_last(const conformance_case *example)
{
    return strstr(example->text, "{\"arguments\"") != NULL;
}

static void check_delays(const char *format)
{
    conformance set = conformance_read(CONFORMANCE_FOLDER, format);
    for (size_t i = 0; i < set.count; i++) {
        const conformance_case *example = &set.cases[i];
        if (!case_is(example, "canonical") || has_name_last(example)) {
            continue;
        }
        tw_decoder *decoder = case_decoder(example, false);
        const size_t delay =
            worst_delay(decoder, example->text, example->size);
        cr_expect(delay <= BOUND, "%s: %zu bytes late", example->id, delay);
        tw_decoder_free(decoder);
    }
    conformance_free(&set);
}

EachFormat(delay, text, "decode")
{
    check_delays(format->text);
}

/* ---- arguments, behind every prefix ------------------------------------- */

/* Bytes of the input.  REPAIR is what a look-ahead may hold where something
 * deviates. */
enum { ESCAPE = 11, REPAIR = 1024, MOST_DEPTH = 160 };

/* What stands in the arguments so far, to tell keys from values. */
typedef struct reading {
    bool object[MOST_DEPTH]; /* of each level; else it is an array */
    size_t depth;
    bool string, escape, key;
    bool key_is_next;
} reading;

static void read_structure(reading *its, char c)
{
    if (c == '"') {
        its->string = true;
        its->key = its->key_is_next;
        its->key_is_next = false;
    } else if ((c == '{' || c == '[') && its->depth < MOST_DEPTH) {
        its->object[its->depth++] = c == '{';
        its->key_is_next = c == '{';
    } else if ((c == '}' || c == ']') && its->depth > 0) {
        its->depth--;
    } else if (c == ',' && its->depth > 0) {
        its->key_is_next = its->object[its->depth - 1];
    }
}

/* Reads a byte of JSON: does it belong to a string that is a value? */
static bool in_value_string(reading *its, char c)
{
    if (!its->string) {
        read_structure(its, c);
        return false;
    }
    const bool ends = c == '"' && !its->escape;
    its->escape = c == '\\' && !its->escape;
    its->string = !ends;
    return !ends && !its->key;
}

/* A piece that comes out with byte |at| was not delivered behind the prefix of
 * |at| bytes: how many of them waited?  A |whole| key, number or literal does
 * not count, nor does the brace that closes all. */
static size_t waiting(reading *its, const tw_event *event, size_t at,
                      bool whole)
{
    const size_t waited = at > event->offset ? at - (size_t)event->offset : 0;
    size_t tokens = 0;
    for (size_t i = 0; i < event->size; i++) {
        tokens += !in_value_string(its, event->data[i]);
    }
    if (event->size == 1 && its->depth == 0) {
        return 0;
    }
    const size_t held = whole ? tokens : 0;
    return waited > held ? waited - held : 0;
}

static size_t drain_arguments(reading *its, tw_decoder *decoder, size_t at,
                              bool whole)
{
    const tw_event *event;
    size_t worst = 0;
    while (tw_decoder_next(decoder, &event) == 1) {
        if (event->type == TW_EVENT_CALL_BEGIN) {
            memset(its, 0, sizeof *its);
        } else if (event->type == TW_EVENT_CALL_ARGUMENTS) {
            const size_t waited = waiting(its, event, at, whole);
            worst = waited > worst ? waited : worst;
        }
    }
    return worst;
}

/* The most bytes of arguments that any prefix has and that were not
 * delivered behind it. */
static size_t most_held(tw_decoder *decoder, const conformance_case *example,
                        bool whole)
{
    reading json = {0};
    size_t worst = 0;
    for (size_t at = 0; at < example->size; at++) {
        tw_decoder_feed(decoder, example->text + at, 1, TW_MARK_UNKNOWN);
        const size_t held = drain_arguments(&json, decoder, at, whole);
        worst = held > worst ? held : worst;
    }
    tw_decoder_finish(decoder, TW_FINISH_STOP);
    const size_t held = drain_arguments(&json, decoder, example->size, whole);
    return held > worst ? held : worst;
}

static void check_arguments(const char *format)
{
    conformance set = conformance_read(CONFORMANCE_FOLDER, format);
    const bool whole = format_reads(tw_format_find(format), TW_MARKER_STRING);
    const size_t bound = whole ? BOUND : ESCAPE;
    size_t most = 0;
    for (size_t i = 0; i < set.count; i++) {
        const conformance_case *example = &set.cases[i];
        if (has_name_last(example)) {
            continue;
        }
        tw_decoder *decoder = case_decoder(example, false);
        const size_t held = most_held(decoder, example, whole);
        cr_expect(held <=
                      (case_is(example, "canonical") ? bound : (size_t)REPAIR),
                  "%s: %zu bytes of arguments are held", example->id, held);
        most = held > most ? held : most;
        tw_decoder_free(decoder);
    }
    cr_expect_gt(most, 0, "%s: nothing is ever held", format);
    conformance_free(&set);
}

EachFormat(delay, arguments, "decode")
{
    check_arguments(format->text);
}
