/* SPDX-License-Identifier: MIT
 *
 * The cases of conformance/formats, put to the library: each is decoded whole,
 * by every chunk size and with every single cut, by the fast ways and by the
 * steps alone; cases of class "emit" are encoded.
 *
 *     format_cases [--verbose] [NAME...]
 *
 * Prints, for each format, how many of its cases are right, and the first that
 * is not; all of these with --verbose.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/state.h"
#include "support/cases.h"

/* How many cases there are of a kind, and how many are right. */
typedef struct case_score {
    unsigned right, all;
} case_score;

typedef struct format_tally {
    char name[FORMAT_NAME_SIZE];
    const tw_format *format; /* NULL: it is not built in */
    case_score decoded, emitted;
    bool shown; /* the first that is wrong */
} format_tally;

enum { FORMATS_MOST = 1024 };

static format_tally tallies[FORMATS_MOST];
static size_t tally_count;
static bool verbose;

static format_tally *tally_of(const char *name)
{
    for (size_t i = 0; i < tally_count; i++) {
        if (strcmp(tallies[i].name, name) == 0) {
            return &tallies[i];
        }
    }
    if (tally_count == FORMATS_MOST) {
        abort();
    }
    format_tally *made = &tallies[tally_count++];
    snprintf(made->name, sizeof made->name, "%s", name);
    made->format = tw_format_find(name);
    return made;
}

/* ---- what is wrong ------------------------------------------------------ */

static void show_bytes(const char *label, const char *data, size_t size)
{
    printf("    %-9s \"", label);
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)data[i];
        if (c == '\n') {
            printf("\\n");
        } else if (c < ' ') {
            printf("\\x%02x", c);
        } else {
            putchar(c);
        }
    }
    printf("\"\n");
}

/* Is this one to be shown in full? */
static bool shows(format_tally *tally, const conformance_case *one,
                  const char *wrong)
{
    const bool now = verbose || !tally->shown;
    tally->shown = true;
    if (now) {
        printf("  %s: %s\n", one->id, wrong);
        show_bytes("input", one->text, one->size);
    }
    return now;
}

/* ---- decoding ----------------------------------------------------------- */

typedef struct case_trial {
    const conformance_case *one;
    tw_decoder *decoder;
    event_log whole, cut;
    tw_finish finish;
} case_trial;

static void run(case_trial *trial, event_log *log, const feeding *how)
{
    event_log_run_to(log, trial->decoder, trial->one->text, trial->one->size,
                     how, trial->finish);
}

static bool same_by(case_trial *trial, const feeding *how)
{
    run(trial, &trial->cut, how);
    return event_log_same(&trial->whole, &trial->cut);
}

static const char *cuts_differ(case_trial *trial)
{
    static char wrong[64];
    for (size_t at = 1; at <= trial->one->size; at++) {
        const feeding chunks = {at, NULL, 0};
        const feeding cut = {0, &at, 1};
        if (!same_by(trial, &chunks)) {
            snprintf(wrong, sizeof wrong, "differs by chunks of %zu", at);
            return wrong;
        }
        if (!same_by(trial, &cut)) {
            snprintf(wrong, sizeof wrong, "differs if cut at %zu", at);
            return wrong;
        }
    }
    return NULL;
}

/* What the fast ways do, the steps must do, too. */
static const char *slow_differs(case_trial *trial)
{
    const feeding all = {0, NULL, 0};
    trial->decoder->options.slow = true;
    const bool same = same_by(trial, &all);
    trial->decoder->options.slow = false;
    tw_decoder_reset(trial->decoder);
    return same ? NULL : "the slow way differs";
}

static const char *decode_differs(case_trial *trial)
{
    const feeding all = {0, NULL, 0};
    const char *wrong = NULL;
    if (!trial->one->says_finish) { /* as the command has it */
        trial->finish = TW_FINISH_UNKNOWN;
        run(trial, &trial->whole, &all);
        wrong = case_differs(trial->one, &trial->whole);
        if (wrong != NULL) {
            return wrong;
        }
    }
    trial->finish =
        trial->one->options.length ? TW_FINISH_LENGTH : TW_FINISH_STOP;
    run(trial, &trial->whole, &all);
    wrong = case_differs(trial->one, &trial->whole);
    wrong = wrong != NULL ? wrong
                          : case_diagnosis_differs(trial->one, &trial->whole);
    wrong = wrong != NULL ? wrong
                          : event_log_check(&trial->whole, trial->one->size);
    wrong = wrong != NULL ? wrong : slow_differs(trial);
    return wrong != NULL ? wrong : cuts_differ(trial);
}

static void show_log(const case_trial *trial, const char *wrong)
{
    char *expected = case_expectation(trial->one);
    printf("    expected  %s\n", expected);
    free(expected);
    fflush(stdout);
    event_log_print(&trial->whole);
    if (strstr(wrong, "differs") != NULL) {
        event_log_print(&trial->cut);
    }
}

static bool decodes(format_tally *tally, const conformance_case *one)
{
    case_trial trial = {.one = one, .decoder = case_decoder(one, false)};
    const char *wrong = decode_differs(&trial);
    if (wrong != NULL && shows(tally, one, wrong)) {
        show_log(&trial, wrong);
    }
    event_log_free(&trial.whole);
    event_log_free(&trial.cut);
    tw_decoder_free(trial.decoder);
    return wrong == NULL;
}

/* ---- encoding ----------------------------------------------------------- */

static bool emits(format_tally *tally, const conformance_case *one)
{
    tw_encoder *encoder = tw_encoder_new(one->format, NULL);
    const char *text = NULL;
    size_t size = 0;
    const int error = tw_encode_completion(encoder, one->message,
                                           strlen(one->message), &text, &size);
    const char *wrong = NULL;
    if (error != TW_OK) {
        wrong = tw_encoder_error(encoder)->message;
    } else if (size != one->size || memcmp(text, one->text, size) != 0) {
        wrong = "what is written differs";
    }
    if (wrong != NULL && shows(tally, one, wrong)) {
        show_bytes("message", one->message, strlen(one->message));
        show_bytes("written", text, error == TW_OK ? size : 0);
    }
    tw_encoder_free(encoder);
    return wrong == NULL;
}

/* ---- files -------------------------------------------------------------- */

static char **wanted;
static int wanted_count;

static bool is_wanted(const char *name)
{
    bool found = wanted_count == 0;
    for (int i = 0; i < wanted_count; i++) {
        found |= strcmp(wanted[i], name) == 0;
    }
    return found;
}

static const tw_format *find(const char *name)
{
    return tally_of(name)->format;
}

static void try_case(const conformance_case *one)
{
    format_tally *tally = tally_of(one->format_name);
    const bool emitted = one->message != NULL;
    case_score *score = emitted ? &tally->emitted : &tally->decoded;
    if (!is_wanted(tally->name)) {
        return;
    }
    score->all++;
    if (tally->format != NULL) {
        score->right += emitted ? emits(tally, one) : decodes(tally, one);
    }
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of all files of cases, in order, ended by NULL. */
static char **files(void)
{
    static char *names[FORMATS_MOST];
    size_t count = 0;
    DIR *folder = opendir(CASES_FOLDER);
    if (folder == NULL) {
        abort();
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strstr(entry->d_name, ".jsonl") != NULL &&
            count + 1 < FORMATS_MOST) {
            names[count++] = strdup(entry->d_name);
        }
    }
    closedir(folder);
    qsort(names, count, sizeof *names, compare);
    return names;
}

static void try_file(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", CASES_FOLDER, name);
    conformance file = conformance_read_file(path, find);
    for (size_t i = 0; i < file.count; i++) {
        try_case(&file.cases[i]);
    }
    conformance_free(&file);
}

/* ---- the result --------------------------------------------------------- */

static bool is_right(const format_tally *tally)
{
    return tally->decoded.right == tally->decoded.all &&
           tally->emitted.right == tally->emitted.all;
}

static void say(const format_tally *tally)
{
    printf("%-24s decoded %u of %u, emitted %u of %u%s\n", tally->name,
           tally->decoded.right, tally->decoded.all, tally->emitted.right,
           tally->emitted.all,
           tally->format == NULL ? ": there is no such format" : "");
}

int main(int count, char **arguments)
{
    case_score all = {0};
    wanted = arguments + 1;
    wanted_count = count - 1;
    if (count > 1 && strcmp(arguments[1], "--verbose") == 0) {
        verbose = true;
        wanted++;
        wanted_count--;
    }
    for (char **name = files(); *name != NULL; name++) {
        try_file(*name);
        free(*name);
    }
    for (size_t i = 0; i < tally_count; i++) {
        format_tally *tally = &tallies[i];
        if (tally->decoded.all + tally->emitted.all > 0) {
            all.all++;
            all.right += is_right(tally);
            say(tally);
        }
    }
    printf("%u of %u formats are right\n", all.right, all.all);
    return all.right < all.all;
}
