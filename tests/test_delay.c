/* SPDX-License-Identifier: MIT
 *
 * DESIGN R8: what is certain is delivered at once.  Every canonical case is
 * fed byte by byte; when a piece comes out, at most the bound of its state
 * may have been fed behind its last byte.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "support/cases.h"

/* Text, reasoning and strings; a Gemma key or number is held whole, and
 * arguments that come before the name are held until it comes. */
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
        tw_decoder *decoder = case_decoder(&set, example, false);
        const size_t delay =
            worst_delay(decoder, example->text, example->size);
        cr_expect(delay <= BOUND, "%s: %zu bytes late", example->id, delay);
        tw_decoder_free(decoder);
    }
    conformance_free(&set);
}

Test(delay, gemma4)
{
    check_delays("gemma4");
}

Test(delay, harmony)
{
    check_delays("harmony");
}

Test(delay, hermes)
{
    check_delays("hermes");
}
