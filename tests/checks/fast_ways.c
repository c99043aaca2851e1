/* SPDX-License-Identifier: MIT
 *
 * Canonical texts with a few bytes changed go through both decoders, and the
 * events must be the same.
 */
#include "fast_ways.h"

#include <stdio.h>
#include <string.h>

#include "formats/format.h"
#include "support/decoding.h"

enum { TEXTS = 48000 / TESTS_SHARE, TEXT_SIZE = 4096 };

static uint64_t random_state;

static uint32_t below(uint32_t count)
{
    random_state = random_state * UINT64_C(6364136223846793005) +
                   UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % count;
}

static size_t count_of(const char *const *list, size_t most)
{
    size_t count = 0;
    while (count < most && list[count] != NULL) {
        count++;
    }
    return count;
}

static size_t insert(char *text, size_t size, size_t at, const char *part)
{
    const size_t length = strlen(part);
    if (size + length > TEXT_SIZE) {
        return size;
    }
    memmove(text + at + length, text + at, size - at);
    memcpy(text + at, part, length);
    return size + length;
}

static size_t cook(const kit *its, char *text)
{
    const uint32_t parts = (uint32_t)count_of(its->parts, 40);
    const uint32_t inserts = (uint32_t)count_of(its->inserts, 16);
    size_t size = 0;
    for (uint32_t i = 1 + below(14); i > 0; i--) {
        size = insert(text, size, size, its->parts[below(parts)]);
    }
    for (uint32_t i = below(3); i > 0; i--) {
        const uint32_t at = below((uint32_t)size);
        if (below(2) == 0) {
            size = insert(text, size, at, its->inserts[below(inserts)]);
        } else if (size > 1) {
            memmove(text + at, text + at + 1, size - at - 1);
            size--;
        }
    }
    if (below(8) == 0) { /* a long run at some place */
        char run[1200];
        const size_t length = 1 + below(sizeof run - 1);
        memset(run, "x \n1"[below(4)], length);
        run[length] = 0;
        size = insert(text, size, below((uint32_t)size), run);
    }
    return size;
}

/* ---- the reference ------------------------------------------------------ */

typedef struct reference {
    tw_format format;
    tw_family family;
    tw_decoding decoding;
} reference;

static const tw_decoding *original;
static const tw_window *twin_window;

static void *create(const tw_memory *memory, const tw_format *format,
                    tw_window *window, tw_sink *sink)
{
    /* A look-ahead makes another state later, which passes nothing. */
    twin_window = twin_window != NULL ? twin_window : window;
    return original->create(memory, format, window, sink);
}

static const uint8_t *pass_nothing(void *state, tw_advanced *passed)
{
    (void)state;
    (void)passed;
    return twin_window->at;
}

static void make_twin(reference *to, const tw_format *format)
{
    to->format = *format;
    to->family = *format->family;
    to->format.family = &to->family;
    to->decoding = *format->family->decoding;
    to->family.decoding = &to->decoding;
    original = format->family->decoding;
    twin_window = NULL;
    to->decoding.create = create;
    to->decoding.advance = pass_nothing;
}

static void set(tw_decoder *both[2], tw_option option, int64_t value)
{
    cr_assert_eq(tw_decoder_set(both[0], option, value), TW_OK);
    cr_assert_eq(tw_decoder_set(both[1], option, value), TW_OK);
}

static void set_options(tw_decoder *both[2])
{
    static const int64_t sizes[] = {1 << 20, 1 << 20, 16, 511, 512, 530, 600};
    set(both, TW_OPTION_FRAMING, 1);
    set(both, TW_OPTION_KEEP_RAW, below(4) == 0);
    set(both, TW_OPTION_STRICT, below(8) == 0);
    set(both, TW_OPTION_START_REASONING, below(8) == 0);
    set(both, TW_OPTION_CALLS_IN_REASONING, below(4) != 0);
    set(both, TW_OPTION_LIMIT_NAME, below(4) == 0 ? 1 + below(12) : 256);
    set(both, TW_OPTION_LIMIT_DEPTH, below(4) == 0 ? 1 + below(4) : 128);
    set(both, TW_OPTION_LIMIT_ARGUMENTS, sizes[below(7)]);
    set(both, TW_OPTION_LIMIT_CALLS, below(4) == 0 ? 1 + below(2) : 1024);
}

static void show(const event_log *plain, const event_log *fast,
                 const char *text, size_t size)
{
    fprintf(stderr, "plain:\n");
    event_log_print(plain);
    fprintf(stderr, "fast:\n");
    event_log_print(fast);
    cr_assert(false, "they differ: %.*s", (int)size, text);
}

void check_fast_ways(const kit *kits, size_t count)
{
    static char text[TEXT_SIZE];
    const feeding bytes = {1, NULL, 0};
    for (size_t k = 0; k < count; k++) {
        const tw_format *format = tw_format_find(kits[k].format);
        reference slow;
        make_twin(&slow, format);
        tw_decoder *both[2] = {tw_decoder_new(&slow.format, NULL),
                               tw_decoder_new(format, NULL)};
        event_log plain = {0};
        event_log fast = {0};
        size_t complete = 0;
        random_state = k;
        for (int i = 0; i < TEXTS; i++) {
            const size_t size = cook(&kits[k], text);
            const feeding pieces = {below(3) == 0 ? 1 + below(64) : size + 1,
                                    NULL, 0};
            tw_decoder_reset(both[0]);
            tw_decoder_reset(both[1]);
            if (i % 16 == 0) {
                set_options(both);
            }
            event_log_run(&plain, both[0], text, size, &bytes, NULL, 0);
            event_log_run(&fast, both[1], text, size, &pieces, NULL, 0);
            if (!event_log_same(&plain, &fast)) {
                show(&plain, &fast, text, size);
            }
            for (size_t e = 0; e < fast.count; e++) {
                complete += fast.events[e].code == TW_CALL_COMPLETE &&
                            fast.events[e].type == TW_EVENT_CALL_END;
            }
        }
        cr_assert_gt(complete, TEXTS / 20, "%s: few calls", kits[k].format);
        event_log_free(&plain);
        event_log_free(&fast);
        tw_decoder_free(both[0]);
        tw_decoder_free(both[1]);
    }
}

void expect_one_piece(const char *format, const char *call)
{
    tw_decoder *decoder = tw_decoder_new(tw_format_find(format), NULL);
    size_t pieces = 0;
    const tw_event *event;
    cr_assert_eq(tw_decoder_feed(decoder, call, strlen(call), TW_MARK_UNKNOWN),
                 TW_OK);
    while (tw_decoder_next(decoder, &event) == 1) {
        pieces += event->type == TW_EVENT_CALL_ARGUMENTS;
        cr_assert_neq(event->type, TW_EVENT_UNPARSED);
    }
    cr_assert_eq(pieces, 1, "%s: %zu of %s", format, pieces, call);
    tw_decoder_free(decoder);
}
