/* SPDX-License-Identifier: MIT
 *
 * Small scopes, all of them: every string of a few fragments, every split of
 * the short ones, every change of one byte of the conformance cases.  For
 * each, stopped by itself or by a token limit: whole and byte by byte give the
 * same events, these are well-formed, the naive decoder says the same, and so
 * does a stop marker behind it.
 *
 *     exhaustive FORMAT LENGTH [SHARE | changes]
 *
 * FORMAT may be `*` for all.  LENGTH is the number of fragments.  Each byte of
 * one in SHARE of the cases becomes a few others that matter, with `changes`
 * each byte of all of them each other one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/agree.h"
#include "support/cases.h"
#include "support/fragments.h"
#include "support/stopped.h"
#include "support/warned.h"

enum { MOST = 8, SHOWN = 5, SHORT = 13, TEXT_ROOM = 512 };

typedef struct checker {
    const fragments *set;
    tw_decoder *decoder;
    event_log whole, cut;
    naive_options options;
    unsigned long done, bad;
    unsigned long unjudged; /* a stop marker behind them may say more */
} checker;

static void wrong(checker *its, const char *text, size_t size,
                  const char *what)
{
    if (its->bad++ >= SHOWN) {
        return;
    }
    fprintf(stderr, "%s: %s:\n  \"", its->set->name, what);
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];
        fprintf(stderr, c < 32 || c >= 127 ? "\\x%02x" : "%c", c);
    }
    fprintf(stderr, "\"\n");
    event_log_print(&its->whole);
}

static void decode(checker *its, event_log *log, const char *text, size_t size,
                   const feeding *how)
{
    event_log_run_to(log, its->decoder, text, size, how,
                     its->options.length ? TW_FINISH_LENGTH : TW_FINISH_STOP);
}

static void check_cut(checker *its, const char *text, size_t size,
                      const feeding *how)
{
    decode(its, &its->cut, text, size, how);
    if (!event_log_same(&its->whole, &its->cut)) {
        wrong(its, text, size, "a cut changes the events");
    }
}

static void check_finish(checker *its, const char *text, size_t size,
                         bool length)
{
    static const feeding all = {0, NULL, 0};
    static const feeding ones = {1, NULL, 0};
    naive_message message = {0};
    its->options.length = length;
    decode(its, &its->whole, text, size, &all);
    const char *what = event_log_check(&its->whole, size);
    if (what == NULL && its->set->naive != NULL) {
        naive_decode(its->set->naive, &its->options, text, size, &message);
        what = disagreement(&its->whole, &message);
        if (what != NULL && its->bad < SHOWN) {
            naive_message_print(&message);
        }
        what = what != NULL ? what
                            : warnings_differ(&its->whole,
                                              tw_format_name(its->set->format),
                                              text, false);
        naive_message_release(&message);
    }
    if (what == NULL && !length) {
        what = stop_differs(its->decoder, its->set->format, text, size,
                            &its->unjudged);
    }
    if (what != NULL) {
        wrong(its, text, size, what);
    }
    check_cut(its, text, size, &ones);
}

static void check(checker *its, const char *text, size_t size)
{
    its->done++;
    check_finish(its, text, size, true);
    check_finish(its, text, size, false);
}

/* ---- strings of fragments ----------------------------------------------- */

/* Every split of a short text. */
static void check_splits(checker *its, const char *text, size_t size)
{
    for (uint32_t mask = 0; size > 1 && mask < 1u << (size - 1); mask++) {
        size_t cuts[SHORT];
        feeding how = {0, cuts, 0};
        for (size_t i = 0; i + 1 < size; i++) {
            if ((mask >> i & 1) != 0) {
                cuts[how.cut_count++] = i + 1;
            }
        }
        check_cut(its, text, size, &how);
    }
}

static void check_strings(checker *its, int length)
{
    const fragments *set = its->set;
    int digits[MOST] = {0};
    char text[TEXT_ROOM];
    for (bool more = true; more;) {
        size_t size = 0;
        for (int i = 0; i < length; i++) {
            const char *fragment = set->alphabet[digits[i]];
            memcpy(text + size, fragment, strlen(fragment));
            size += strlen(fragment);
        }
        check(its, text, size);
        if (size <= SHORT && length <= 3) {
            check_splits(its, text, size);
        }
        int at = 0;
        while (at < length && ++digits[at] == (int)set->alphabet_count) {
            digits[at++] = 0;
        }
        more = at < length;
    }
}

/* ---- changes of one byte ------------------------------------------------ */

static void check_changes(checker *its, const conformance_case *one,
                          bool every)
{
    static const char some[] = "<>[]{}\"'\\,:|= \nx0\xFF\xC3";
    char *text = malloc(one->size + 1);
    if (text == NULL) {
        abort();
    }
    for (size_t at = 0; at < one->size; at++) {
        memcpy(text, one->text, one->size);
        const size_t count = every ? 256 : sizeof some - 1;
        for (size_t i = 0; i < count; i++) {
            text[at] = every ? (char)i : some[i];
            check(its, text, one->size);
        }
        memmove(text + at, one->text + at + 1, one->size - at - 1);
        check(its, text, one->size - 1);
    }
    free(text);
}

/* The cases of a format: a file beside the others', or among the described
 * ones'. */
static conformance cases_of(const char *format)
{
    char path[4096];
    format_path(path, sizeof path, CONFORMANCE_FOLDER, "decode", format);
    if (access(path, R_OK) != 0) {
        format_file(path, sizeof path, CONFORMANCE_FOLDER "/formats/", format,
                    ".jsonl");
    }
    if (access(path, R_OK) != 0) {
        printf("%s: there is no file of its cases\n", format);
        return (conformance){0};
    }
    return conformance_read_file(path, tw_format_find);
}

static void check_cases(checker *its, size_t share)
{
    conformance file = cases_of(its->set->name);
    for (size_t i = 0; i<file.count; i += share> 0 ? share : 1) {
        const conformance_case *one = &file.cases[i];
        if (one->options.start_reasoning || one->options.recover_stripped ||
            one->size > 200) {
            continue;
        }
        check_changes(its, one, share == 0);
    }
    conformance_free(&file);
}

/* How many texts are bad; |*done| grows by how many there are.  |share|: 0
 * for each change of each case. */
static unsigned long run(const fragments *set, int length, size_t share,
                         unsigned long *done)
{
    checker its = {.set = set, .decoder = fragments_decoder(set)};
    for (int i = 1; i <= length; i++) {
        check_strings(&its, i);
    }
    const unsigned long strings = its.done;
    check_cases(&its, share);
    printf("%s: %lu strings of up to %d of %u fragments, %lu changed cases%s; "
           "%lu not judged with a stop marker\n",
           set->name, strings, length, (unsigned)set->alphabet_count,
           its.done - strings, set->naive == NULL ? ", no second opinion" : "",
           its.unjudged);
    fflush(stdout);
    event_log_free(&its.whole);
    event_log_free(&its.cut);
    tw_decoder_free(its.decoder);
    *done += its.done;
    return its.bad;
}

int main(int count, char **arguments)
{
    const int length = count > 2 ? atoi(arguments[2]) : 0;
    const fragments *set = count > 2 ? fragments_like(arguments[1], 0) : NULL;
    const bool changes = count > 3 && strcmp(arguments[3], "changes") == 0;
    const size_t share = count > 3 ? strtoul(arguments[3], NULL, 10) : 1;
    unsigned long done = 0;
    unsigned long bad = 0;
    if (set == NULL || length < 1 || length > MOST ||
        (share == 0 && !changes)) {
        fprintf(stderr, "usage: exhaustive FORMAT LENGTH [SHARE | changes]\n");
        return 2;
    }
    for (size_t i = 1; set != NULL; i++) {
        if (!set->reasoning && !set->stripped) {
            bad += run(set, length, share, &done);
        }
        set = fragments_like(arguments[1], i);
    }
    printf("%lu passed, %lu failed\n", bad > 0 ? 0 : done, bad);
    return bad > 0;
}
