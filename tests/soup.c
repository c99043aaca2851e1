/* SPDX-License-Identifier: MIT
 *
 * Random soups of each format's markers, brackets, quotes, escapes and bad
 * UTF-8.  For each: no crash, every cut gives the same events, of a strict
 * decoder and of one that mends, too, spans are a partition, output is valid,
 * nothing is retracted, the naive decoder says the same, and so does a stop
 * marker behind it, where it stops by itself.
 * Prints the first soups for which that does not hold.
 *
 *     soup SET COUNT SEED
 *
 * SET is FORMAT, FORMAT-reasoning (the prompt ended inside reasoning) or
 * FORMAT-stripped (the output lost its markers), `FORMAT*` for all that the
 * format has, or `*` for those of all formats.  Calls of described formats
 * have declared tools in one soup of two.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decode/state.h"
#include "support/agree.h"
#include "support/fragments.h"
#include "support/stopped.h"
#include "support/warned.h"

enum { SOUP_SIZE = 4096, SHOWN = 8, PATIENCE = 1200 };

/* The soup that is eaten, for when it does not go down. */
static char eaten[SOUP_SIZE];
static size_t eaten_size;
static const char *soup_name = "";

static uint64_t state;

static uint32_t below(uint32_t count)
{
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((z ^ (z >> 31)) >> 32) % count;
}

static size_t add(char *soup, size_t size, const char *fragment)
{
    const size_t length = strlen(fragment);
    if (size + length >= SOUP_SIZE) {
        return size;
    }
    memcpy(soup + size, fragment, length);
    return size + length;
}

/* A soup of loose fragments, or a good text with a few of them changed. */
static size_t cook(const fragments *set, char *soup)
{
    size_t size = 0;
    const uint32_t kind = below(3);
    const uint32_t parts = 1 + below(kind == 0 ? 24 : 5);
    for (uint32_t i = 0; i < parts; i++) {
        if (kind > 0 && below(kind == 1 ? 2 : 3) > 0) {
            size = add(soup, size, set->texts[below(set->text_count)]);
        } else {
            size = add(soup, size, set->parts[below(set->part_count)]);
        }
    }
    for (uint32_t i = kind == 2 ? below(4) : 0; i > 0 && size > 0; i--) {
        const uint32_t at = below((uint32_t)size);
        if (below(2) == 0) { /* delete */
            memmove(soup + at, soup + at + 1, size - at - 1);
            size--;
        } else { /* insert */
            const char *part = set->parts[below(set->part_count)];
            const size_t length = strlen(part);
            if (size + length < SOUP_SIZE) {
                memmove(soup + at + length, soup + at, size - at);
                memcpy(soup + at, part, length);
                size += length;
            }
        }
    }
    return below(4) == 0 ? below((uint32_t)size + 1) : size;
}

typedef struct soup_kitchen {
    const fragments *set;
    tw_decoder *decoder;
    tw_decoder *decoders[2]; /* with its tools, and without */
    event_log whole, cut, strict; /* |strict|: or one that mends */
    naive_options options;
    unsigned long unjudged; /* a stop marker behind them may say more */
} soup_kitchen;

static void decode(soup_kitchen *kitchen, event_log *log, const char *soup,
                   size_t size, const feeding *how)
{
    event_log_run_to(log, kitchen->decoder, soup, size, how,
                     kitchen->options.length ? TW_FINISH_LENGTH
                                             : TW_FINISH_STOP);
}

static const char *check_cuts(soup_kitchen *kitchen, const char *soup,
                              size_t size)
{
    size_t cuts[4];
    size_t count = 0;
    for (size_t at = 0; count < 4 && size > 1; count++) {
        at += 1 + below((uint32_t)(size - 1));
        if (at >= size) {
            break;
        }
        cuts[count] = at;
    }
    const feeding ones = {1, NULL, 0};
    const feeding some = {0, cuts, count};
    const feeding chunks = {2 + below(9), NULL, 0};
    const feeding *ways[] = {&ones, &some, &chunks};
    for (size_t i = 0; i < 3; i++) {
        decode(kitchen, &kitchen->cut, soup, size, ways[i]);
        if (!event_log_same(&kitchen->whole, &kitchen->cut)) {
            return "a cut changes the events";
        }
    }
    return NULL;
}

/* The steps by themselves do what the fast ways do. */
static const char *check_slow(soup_kitchen *kitchen, const char *soup,
                              size_t size)
{
    const feeding chunks = {below(2) == 0 ? 0 : 1 + below(20), NULL, 0};
    kitchen->decoder->options.slow = true;
    decode(kitchen, &kitchen->cut, soup, size, &chunks);
    kitchen->decoder->options.slow = false;
    tw_decoder_reset(kitchen->decoder);
    return event_log_same(&kitchen->whole, &kitchen->cut)
               ? NULL
               : "a slow way does something else (cut)";
}

/* No cut changes what a strict decoder says, and where it stops. */
static const char *check_strict(soup_kitchen *kitchen, const char *soup,
                                size_t size)
{
    const feeding all = {0, NULL, 0};
    const feeding chunks = {1 + below(9), NULL, 0};
    kitchen->decoder->options.strict = true;
    decode(kitchen, &kitchen->strict, soup, size, &all);
    decode(kitchen, &kitchen->cut, soup, size, &chunks);
    kitchen->decoder->options.strict = false;
    tw_decoder_reset(kitchen->decoder);
    if (!event_log_same(&kitchen->strict, &kitchen->cut)) {
        return "a cut changes what strict says";
    }
    return kitchen->strict.error == TW_OK
               ? event_log_check(&kitchen->strict, size)
               : NULL;
}

/* No cut changes what is told of arguments and mended in them. */
static const char *check_mended(soup_kitchen *kitchen, const char *soup,
                                size_t size)
{
    const feeding all = {0, NULL, 0};
    const feeding chunks = {1 + size % 9, NULL, 0};
    if (!kitchen->options.has_tools) {
        return NULL;
    }
    tw_decoder_reset(kitchen->decoder);
    tw_decoder_set(kitchen->decoder, TW_OPTION_VALIDATE, TW_VALIDATE_MEND);
    decode(kitchen, &kitchen->strict, soup, size, &all);
    decode(kitchen, &kitchen->cut, soup, size, &chunks);
    tw_decoder_reset(kitchen->decoder);
    tw_decoder_set(kitchen->decoder, TW_OPTION_VALIDATE, TW_VALIDATE_NO);
    return event_log_same(&kitchen->strict, &kitchen->cut)
               ? NULL
               : "a cut changes what is mended";
}

/* What was delivered of a prefix stays true. */
static const char *check_prefix(soup_kitchen *kitchen, const char *soup,
                                size_t size)
{
    const size_t length = below((uint32_t)size + 1);
    event_log_clear(&kitchen->cut);
    tw_decoder_reset(kitchen->decoder);
    tw_decoder_feed(kitchen->decoder, soup, length, TW_MARK_UNKNOWN);
    event_log_drain(&kitchen->cut, kitchen->decoder);
    return event_log_extends(&kitchen->cut, &kitchen->whole)
               ? NULL
               : "something was retracted";
}

/* What the naive decoder says otherwise of the events at hand. */
static const char *compare(soup_kitchen *kitchen, const char *soup,
                           size_t size, naive_message *message)
{
    naive_decode(kitchen->set->naive, &kitchen->options, soup, size, message);
    const char *wrong =
        message->unsure ? NULL : disagreement(&kitchen->whole, message);
    return wrong != NULL
               ? wrong
               : warnings_differ(&kitchen->whole,
                                 tw_format_name(kitchen->set->format), soup,
                                 kitchen->set->reasoning);
}

/* Is there a difference without the bytes [at, at + less)?  Then they go. */
static bool cut_out(soup_kitchen *kitchen, size_t at, size_t less)
{
    static char rest[SOUP_SIZE];
    const feeding all = {0, NULL, 0};
    naive_message message = {0};
    const size_t size = eaten_size - less;
    memcpy(rest, eaten, at);
    memcpy(rest + at, eaten + at + less, size - at);
    decode(kitchen, &kitchen->whole, rest, size, &all);
    const bool differs = compare(kitchen, rest, size, &message) != NULL;
    naive_message_release(&message);
    if (differs) {
        memcpy(eaten, rest, size);
        eaten_size = size;
    }
    return differs;
}

/* As little of the soup as still differs. */
static void boil_down(soup_kitchen *kitchen)
{
    for (size_t less = eaten_size / 2; less > 0;) {
        bool gone = false;
        for (size_t at = 0; at + less <= eaten_size;) {
            const bool out = cut_out(kitchen, at, less);
            gone |= out;
            at += out ? 0 : 1 + less / 4;
        }
        less = gone ? less : less / 2;
    }
}

static const char *check_naive(soup_kitchen *kitchen, const char *soup,
                               size_t size)
{
    const feeding all = {0, NULL, 0};
    naive_message message = {0};
    if (kitchen->set->naive == NULL) {
        return NULL;
    }
    const char *wrong = compare(kitchen, soup, size, &message);
    if (wrong != NULL && soup == eaten) {
        naive_message_release(&message);
        boil_down(kitchen);
        decode(kitchen, &kitchen->whole, eaten, eaten_size, &all);
        wrong = compare(kitchen, eaten, eaten_size, &message);
        naive_message_print(&message);
    }
    naive_message_release(&message);
    return wrong;
}

static const char *check(soup_kitchen *kitchen, const char *soup, size_t size)
{
    const feeding all = {0, NULL, 0};
    kitchen->options.length = below(3) == 0;
    decode(kitchen, &kitchen->whole, soup, size, &all);
    const char *wrong = event_log_check(&kitchen->whole, size);
    wrong = wrong != NULL ? wrong : check_cuts(kitchen, soup, size);
    wrong = wrong != NULL ? wrong : check_slow(kitchen, soup, size);
    wrong = wrong != NULL ? wrong : check_strict(kitchen, soup, size);
    wrong = wrong != NULL ? wrong : check_mended(kitchen, soup, size);
    wrong = wrong != NULL ? wrong : check_prefix(kitchen, soup, size);
    wrong = wrong != NULL ? wrong : check_naive(kitchen, soup, size);
    /* The rules of framed formats tell a head that the end cuts from one that
     * a stop cuts. */
    const bool described =
        kitchen->set->naive == NULL || naive_is_described(kitchen->set->naive);
    return wrong != NULL || kitchen->options.length || described
               ? wrong
               : stop_differs(kitchen->decoder, kitchen->set->format, soup,
                              size, &kitchen->unjudged);
}

static void show_soup(void)
{
    fprintf(stderr, "  \"");
    for (size_t i = 0; i < eaten_size; i++) {
        const unsigned char c = (unsigned char)eaten[i];
        fprintf(stderr, c < 32 || c >= 127 ? "\\x%02x" : "%c", c);
    }
    fprintf(stderr, "\"\n");
}

/* It crashes, or it takes too long. */
static void give_up(int number)
{
    fprintf(stderr, "%s: %s\n", soup_name,
            number == SIGALRM ? "it hangs" : "it crashes");
    show_soup();
    _exit(1);
}

static void show(const soup_kitchen *kitchen, const char *wrong)
{
    fprintf(stderr, "%s: %s, finish %s, %s\n", kitchen->set->name, wrong,
            kitchen->options.length ? "length" : "stop",
            kitchen->options.has_tools ? "with tools" : "without tools");
    show_soup();
    event_log_print(strstr(wrong, "strict") != NULL ||
                            strstr(wrong, "mended") != NULL
                        ? &kitchen->strict
                        : &kitchen->whole);
    if (strstr(wrong, "cut") != NULL || strstr(wrong, "retract") != NULL) {
        event_log_print(&kitchen->cut);
    }
}

static unsigned long count_calls(const event_log *log)
{
    unsigned long calls = 0;
    for (size_t e = 0; e < log->count; e++) {
        calls += log->events[e].type == TW_EVENT_CALL_END &&
                 log->events[e].code == TW_CALL_COMPLETE;
    }
    return calls;
}

/* One in two soups has tools. */
static void choose_tools(soup_kitchen *kitchen)
{
    const fragments *set = kitchen->set;
    const bool has = set->tools != NULL && below(2) == 0;
    kitchen->decoder = kitchen->decoders[has ? 0 : 1];
    kitchen->options.has_tools = has;
    kitchen->options.tools = set->tool_names;
    kitchen->options.tool_count = set->tool_count;
    kitchen->options.declared = set->tools;
}

/* How many soups are bad. */
static unsigned long run(const fragments *set, unsigned long soups,
                         uint64_t seed)
{
    soup_kitchen kitchen = {
        .set = set,
        .decoders = {fragments_decoder(set), fragments_decoder(set)},
        .options = {.recover_stripped = set->stripped,
                    .start_reasoning = set->reasoning},
    };
    unsigned long bad = 0;
    unsigned long calls = 0;
    if (set->tools != NULL) {
        tw_decoder_set_tools(kitchen.decoders[0], set->tools,
                             strlen(set->tools));
    }
    state = seed;
    soup_name = set->name;
    for (unsigned long i = 0; i < soups && bad < SHOWN; i++) {
        eaten_size = cook(set, eaten);
        choose_tools(&kitchen);
        alarm(PATIENCE);
        const char *wrong = check(&kitchen, eaten, eaten_size);
        calls += count_calls(&kitchen.whole);
        if (wrong != NULL) {
            bad++;
            show(&kitchen, wrong);
        }
    }
    printf("%s: %lu soups, %lu complete calls%s\n", set->name, soups, calls,
           set->naive == NULL ? ", no second opinion" : "");
    event_log_free(&kitchen.whole);
    event_log_free(&kitchen.cut);
    event_log_free(&kitchen.strict);
    tw_decoder_free(kitchen.decoders[0]);
    tw_decoder_free(kitchen.decoders[1]);
    return bad;
}

int main(int count, char **arguments)
{
    const fragments *set = count == 4 ? fragments_like(arguments[1], 0) : NULL;
    unsigned long passed = 0;
    unsigned long failed = 0;
    signal(SIGSEGV, give_up);
    signal(SIGALRM, give_up);
    if (set == NULL) {
        fprintf(stderr, "usage: soup SET COUNT SEED\n");
        return 2;
    }
    const unsigned long soups = strtoul(arguments[2], NULL, 10);
    const uint64_t seed = strtoull(arguments[3], NULL, 10);
    for (size_t i = 1; set != NULL; i++) {
        const unsigned long bad = run(set, soups, seed);
        passed += bad > 0 ? 0 : soups;
        failed += bad;
        set = fragments_like(arguments[1], i);
    }
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed > 0;
}
