/* SPDX-License-Identifier: MIT
 *
 * toolwire test: cases are put to another parser, and what it gets wrong is
 * shown once, as it was found and made small.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/commands.h"
#include "cli/kit.h"
#include "cli/files/print.h"
#include "cli/files/signals.h"
#include "kit/ask/fixtures.h"
#include "kit/ask/groups.h"
#include "kit/ask/question.h"
#include "kit/ask/shrink.h"

typedef struct session {
    const cli_options *options;
    const tw_memory *memory;
    kit_peer *peer;
    cli_output *output;
    uint64_t findings;         /* shown, of all formats */
    bool clean;                /* nothing is wrong anywhere */
    bool unread;               /* there is no file of cases */
    bool leaves[KIT_VERDICTS]; /* verdicts that do not count */
} session;

/* Of one format. */
typedef struct run {
    session *of;
    kit_trial *trial;
    kit_groups groups;
    uint64_t cases;
    uint64_t skipped;
    uint64_t declined; /* fine, but refused */
    uint64_t depth;    /* the deepest value that was answered as it was */
    uint64_t found[KIT_VERDICTS];
} run;

/* ---- a finding ---------------------------------------------------------- */

/* A line of the parser's, which may be anything. */
static void jot_answer(tw_json_out *json_out, const char *key,
                       const tw_buffer *line)
{
    tw_json_put(json_out, ",\"");
    tw_json_put(json_out, key);
    tw_json_put(json_out, "\":");
    tw_json_put_string(
        json_out, line->size > 0 ? (const char *)line->data : "", line->size);
}

static void jot_evidence(tw_json_out *json_out, kit_verdict verdict,
                         const kit_evidence *its)
{
    tw_json_put(json_out, ",\"sent\":");
    /* Without the line feed that ends the question. */
    tw_json_put_text(json_out, (const char *)its->line.data,
                     its->line.size - 1);
    if (verdict == KIT_SPLIT_VARIANCE) {
        jot_answer(json_out, "got_whole", &its->whole);
    }
    if (verdict != KIT_HANG && verdict != KIT_CRASH) {
        jot_answer(json_out, "got", &its->got);
    }
    if (verdict == KIT_CRASH) {
        tw_json_put(json_out, ",\"ended\":");
        tw_json_put_string(json_out, its->ended, strlen(its->ended));
    }
}

/* The trial's finding |i| as a line. */
static void jot_finding(tw_json_out *json_out, const run *its,
                        const kit_case *one, size_t i, bool small)
{
    kit_trial *trial = its->trial;
    const kit_finding *finding = &trial->findings.all[i];
    tw_json_put(json_out, "{\"finding\":");
    tw_json_put_number(json_out, its->of->findings);
    tw_json_put(json_out, small ? ",\"small\":true" : ",\"small\":false");
    tw_json_put(json_out, ",\"verdict\":\"");
    tw_json_put(json_out, kit_verdict_name(finding->verdict));
    tw_json_put(json_out, "\",\"what\":");
    tw_json_put_string(json_out, finding->what, strlen(finding->what));
    tw_json_put(json_out, ",\"case\":");
    kit_jot_case(json_out, &trial->scratch, one);
    jot_evidence(json_out, finding->verdict, &trial->evidence[trial->ways[i]]);
    tw_json_put(json_out, "}\n");
}

static void put_line(run *its, tw_json_out *line)
{
    if (line->failed) {
        kit_give_up(its->trial, "no memory");
    } else {
        cli_put(its->of->output, line->out.data, line->out.size);
        cli_output_flush(its->of->output);
    }
    line->out.size = 0;
}

/* A finding that did not happen again is shown as it was found. */
static void put_once(run *its, tw_json_out *found)
{
    if (found->out.size > 2) {
        found->out.size -= 2; /* the end of the object and the line */
        tw_json_put(found, ",\"repeats\":false}\n");
        put_line(its, found);
    }
}

/* Shows finding |i| of |one|, which is lost. */
static void show(run *its, kit_case *one, kit_group *group, size_t i)
{
    const kit_finding finding = its->trial->findings.all[i];
    tw_json_out found = {.memory = its->of->memory};
    tw_json_out small = {.memory = its->of->memory};
    const bool first = group->shown == 0;
    size_t number = 0;
    /* How long it is says what is wrong. */
    const bool slow = finding.verdict == KIT_SLOW;
    its->of->findings++;
    jot_finding(&found, its, one, i, slow);
    if (first) {
        put_line(its, &found);
    }
    const bool again = slow || kit_shrink(its->trial, one, &finding, &number);
    if (!again && first && !its->trial->failed) {
        tw_json_put(&found, "{\"finding\":");
        tw_json_put_number(&found, its->of->findings);
        tw_json_put(&found, ",\"repeats\":false}\n");
        put_line(its, &found);
    } else if (!again) {
        put_once(its, &found);
    } else if (kit_groups_is_new(&its->groups, group, one) && !slow) {
        put_line(its, &found);
        jot_finding(&small, its, one, number, true);
        put_line(its, &small);
    } else if (!first) {
        its->of->findings--; /* the number is free */
    }
    tw_buffer_free(&found.out, its->of->memory);
    tw_buffer_free(&small.out, its->of->memory);
}

/* ---- a case ------------------------------------------------------------- */

/* What is not to be counted goes. */
static void leave_out(const run *its)
{
    kit_findings *findings = &its->trial->findings;
    size_t to = 0;
    for (size_t i = 0; i < findings->count; i++) {
        if (!its->of->leaves[findings->all[i].verdict]) {
            its->trial->ways[to] = its->trial->ways[i];
            findings->all[to++] = findings->all[i];
        }
    }
    findings->count = to;
}

static void count(run *its, const kit_case *one)
{
    const kit_trial *trial = its->trial;
    bool seen[KIT_VERDICTS] = {false};
    its->cases++;
    its->skipped += trial->skipped ? 1 : 0;
    for (size_t i = 0; i < trial->findings.count; i++) {
        seen[trial->findings.all[i].verdict] = true;
    }
    seen[KIT_FINE] = trial->findings.count == 0 && !trial->skipped;
    its->declined += seen[KIT_FINE] && trial->declined ? 1 : 0;
    for (int i = 0; i < KIT_VERDICTS; i++) {
        its->found[i] += seen[i] ? 1 : 0;
    }
    if (one->kind == KIT_DEPTH && trial->exact) {
        const tw_buffer *message = &one->its.message;
        uint64_t depth = 0;
        for (size_t i = 0; i < message->size; i++) {
            depth = message->data[i] == '[' ? depth + 1 : 0;
            its->depth = depth > its->depth ? depth : its->depth;
        }
    }
}

/* |number| makes the same case again: what was made small is another one. */
static bool try_case(run *its, kit_case *one, kit_class kind, uint64_t number)
{
    kit_trial *trial = its->trial;
    if (kind == KIT_LONG && its->found[KIT_SLOW] > 0) {
        return true; /* that is known, and each takes its time */
    }
    kit_try(trial, one);
    if (kind == KIT_LONG && !trial->failed && !trial->skipped) {
        kit_try_times(trial, number);
    }
    if (trial->failed) {
        return false;
    }
    leave_out(its);
    count(its, one);
    const kit_findings found = trial->findings;
    for (size_t i = 0; i < found.count && !trial->failed; i++) {
        kit_group *group = kit_groups_add(&its->groups, &found.all[i], one);
        if (group == NULL) {
            kit_give_up(trial, "no memory");
            break;
        }
        if (!kit_group_wants(&its->groups, group, one)) {
            continue;
        }
        if (i > 0) { /* what was shown before has changed the case */
            if (!kit_make(trial->maker, one, kind, number)) {
                break;
            }
            kit_try(trial, one);
        }
        size_t at = 0;
        while (
            at < trial->findings.count &&
            (trial->findings.all[at].verdict != found.all[i].verdict ||
             strcmp(trial->findings.all[at].what, found.all[i].what) != 0)) {
            at++;
        }
        if (at < trial->findings.count && !trial->failed) {
            show(its, one, group, at);
        }
        if (i + 1 < found.count && !trial->failed) {
            kit_make(trial->maker, one, kind, number); /* its class */
        }
    }
    return !trial->failed;
}

/* ---- a format ----------------------------------------------------------- */

static void jot_groups(tw_json_out *json_out, const run *its)
{
    tw_json_put(json_out, ",\"groups\":[");
    for (size_t i = 0; i < kit_groups_count(&its->groups); i++) {
        const kit_group *group = kit_groups_at(&its->groups, i);
        tw_json_put(json_out, i > 0 ? ",{\"verdict\":\"" : "{\"verdict\":\"");
        tw_json_put(json_out, kit_verdict_name(group->finding.verdict));
        tw_json_put(json_out, "\",\"what\":");
        tw_json_put_string(json_out, group->finding.what,
                           strlen(group->finding.what));
        tw_json_put(json_out, ",\"cases\":");
        tw_json_put_number(json_out, group->count);
        for (int kind = 0; kind < KIT_CLASSES; kind++) {
            if (group->found[kind] > 0) {
                tw_json_put(json_out, ",\"");
                tw_json_put(json_out, kit_class_name((kit_class)kind));
                tw_json_put(json_out, "\":");
                tw_json_put_number(json_out, group->found[kind]);
            }
        }
        tw_json_put(json_out, "}");
    }
    tw_json_put(json_out, "]");
}

static void jot_count(tw_json_out *json_out, const char *name, uint64_t value)
{
    tw_json_put(json_out, ",\"");
    tw_json_put(json_out, name);
    tw_json_put(json_out, "\":");
    tw_json_put_number(json_out, value);
}

static void put_tally(run *its, const tw_format *format)
{
    tw_json_out line = {.memory = its->of->memory};
    const char *name = tw_format_name(format);
    tw_json_put(&line, "{\"format\":");
    tw_json_put_string(&line, name, strlen(name));
    jot_count(&line, "cases", its->cases);
    for (int i = 0; i < KIT_VERDICTS; i++) {
        jot_count(&line, kit_verdict_name((kit_verdict)i), its->found[i]);
    }
    jot_count(&line, "fine_but_refused", its->declined);
    jot_count(&line, "skipped", its->skipped);
    jot_count(&line, "depth_reached", its->depth);
    jot_groups(&line, its);
    tw_json_put(&line, "}\n");
    put_line(its, &line);
    tw_buffer_free(&line.out, its->of->memory);
}

/* Answers that are none: the same is wrong with all of them. */
static void say_protocol(const run *its)
{
    if (its->found[KIT_INVALID_JSON] == its->cases && its->cases > 0) {
        cli_say("test: %s: no answer is JSON: the command writes a line of "
                "JSON for each question, and nothing else to its stdout (see "
                "`toolwire test --help`)",
                its->of->options->cmd);
    }
    if (its->found[KIT_PROTOCOL_ERROR] > 0) {
        cli_say("test: %s: %llu of %llu cases got a line with neither "
                "\"message\", an object, nor \"error\": this is no answer "
                "(see `toolwire test --help`)",
                its->of->options->cmd,
                (unsigned long long)its->found[KIT_PROTOCOL_ERROR],
                (unsigned long long)its->cases);
    }
}

static bool run_cases(run *its)
{
    const cli_options *options = its->of->options;
    kit_maker *maker = its->trial->maker;
    kit_case made;
    bool good = true;
    kit_case_init(&made);
    for (uint64_t i = 0;
         i < options->count && good && !its->of->output->failed; i++) {
        uint64_t turn;
        const kit_class kind = cli_kit_class(options, i, &turn);
        const bool has_case = kit_make(maker, &made, kind, turn);
        good = has_case ? try_case(its, &made, kind, turn) : !maker->failed;
    }
    kit_case_free(&made, its->of->memory);
    return good;
}

/* Of one format, with all that it takes. */
typedef struct format_run {
    kit_maker maker;
    kit_trial trial;
    run its;
} format_run;

static bool begin_format(format_run *bench, session *of,
                         const tw_format *format)
{
    bench->its = (run){
        .of = of, .trial = &bench->trial, .groups = {.memory = of->memory}};
    const bool good =
        kit_maker_init(&bench->maker, of->memory, format, of->options->seed);
    kit_trial_init(&bench->trial, &bench->maker, of->peer, of->memory);
    return good;
}

/* False: the test cannot go on, and it was said why. */
static bool end_format(format_run *bench, bool good)
{
    run *its = &bench->its;
    session *of = its->of;
    put_tally(its, bench->maker.format);
    good = good && !bench->trial.failed && !bench->maker.failed;
    of->clean = of->clean && its->found[KIT_FINE] + its->skipped == its->cases;
    if (!good) {
        cli_say("test: %s: %s", of->options->cmd,
                bench->trial.why != NULL ? bench->trial.why : "no memory");
    }
    if (its->skipped > 0 && its->skipped == its->cases) {
        cli_say("test: %s: warning: no case was judged: each was skipped%s",
                of->options->cmd,
                of->options->cases != NULL
                    ? ", or is no case (`toolwire gen` writes such)"
                    : "");
    }
    say_protocol(its);
    kit_groups_free(&its->groups);
    kit_trial_free(&bench->trial);
    kit_maker_free(&bench->maker);
    return good;
}

static bool test_format(session *of, const tw_format *format)
{
    format_run bench;
    const bool good = begin_format(&bench, of, format);
    return end_format(&bench, good && run_cases(&bench.its));
}

/* ---- cases that others wrote -------------------------------------------- */

/* Nothing is made smaller: the case is the one in the file. */
static bool try_fixture(run *its, kit_case *one)
{
    kit_trial *trial = its->trial;
    tw_json_out line = {.memory = its->of->memory};
    kit_try(trial, one);
    leave_out(its);
    for (size_t i = 0; i < trial->findings.count && !trial->failed; i++) {
        its->of->findings++;
        jot_finding(&line, its, one, i, false);
        if (kit_groups_add(&its->groups, &trial->findings.all[i], one) ==
            NULL) {
            kit_give_up(trial, "no memory");
        }
    }
    if (!trial->failed) {
        count(its, one);
        put_line(its, &line);
    }
    tw_buffer_free(&line.out, its->of->memory);
    return !trial->failed;
}

/* Each format that cases are of has a run, and a line that counts. */
static bool try_fixtures(session *of, kit_fixtures *fixtures)
{
    kit_case one;
    format_run bench;
    kit_fixture got;
    bool open = false;
    bool good = true;
    kit_case_init(&one);
    while (good && !of->output->failed &&
           (got = kit_fixtures_next(fixtures, &one, of->options->format)) !=
               KIT_FIXTURE_END) {
        if (got == KIT_FIXTURE_BAD) {
            cli_say("%s: %s", of->options->cases, fixtures->why);
            of->clean = false;
            continue;
        }
        if (open && bench.maker.format != one.format) {
            good = end_format(&bench, good);
            open = false;
        }
        if (good && !open) {
            good = begin_format(&bench, of, one.format);
            open = true;
        }
        if (good && got == KIT_FIXTURE_PASSED) {
            bench.its.cases++;
            bench.its.skipped++;
        } else if (good) {
            good = try_fixture(&bench.its, &one);
        }
    }
    kit_case_free(&one, of->memory);
    return open ? end_format(&bench, good) : good;
}

static bool test_cases(session *of)
{
    const char *path = of->options->cases;
    cli_input input;
    const char *text = "";
    size_t size = 0;
    kit_fixtures fixtures;
    if (cli_input_open(&input, path, CLI_INPUT_TEXT,
                       of->options->max_record) != CLI_FINE) {
        of->unread = true;
        return false;
    }
    const cli_read got = cli_input_record(&input, NULL, &text, &size);
    bool good = got == CLI_READ_RECORD || got == CLI_READ_END;
    of->unread = got == CLI_READ_FAILED;
    if (got == CLI_READ_TOO_LONG) {
        cli_say("%s: the file is longer than %zu bytes", path,
                of->options->max_record);
    }
    if (good) {
        good = kit_fixtures_open(&fixtures, of->memory, text, size);
        if (!good) {
            cli_say("%s: %s", path, fixtures.why);
        }
        good = good && try_fixtures(of, &fixtures);
        kit_fixtures_free(&fixtures);
    }
    cli_input_close(&input);
    return good;
}

/* ---- all that a parser says it can -------------------------------------- */

static bool test_all(session *of)
{
    kit_maker maker;
    kit_trial trial;
    bool good = kit_maker_init(&maker, of->memory, tw_format_at(0), 1);
    kit_trial_init(&trial, &maker, of->peer, of->memory);
    const tw_value *formats = good ? kit_ask_formats(&trial) : NULL;
    if (formats == NULL || formats->first == NULL) {
        good = false;
        cli_say("test: %s: %s", of->options->cmd,
                trial.why != NULL
                    ? trial.why
                    : "--all asks {\"ask\":\"formats\"} and wants a line "
                      "with \"formats\", a list of names");
    }
    for (const tw_value *at = good ? formats->first : NULL; at != NULL && good;
         at = at->next) {
        const tw_format *format =
            at->kind == TW_VALUE_STRING ? tw_format_find(at->text) : NULL;
        if (format == NULL) {
            cli_say("test: %s: it reads '%s', which is no format here",
                    of->options->cmd,
                    at->kind == TW_VALUE_STRING ? at->text : "");
            good = false;
        } else {
            good = test_format(of, format);
        }
    }
    kit_trial_free(&trial);
    kit_maker_free(&maker);
    return good;
}

/* The verdicts of --not; false: one of them is none. */
static bool read_verdicts(session *of)
{
    const char *at = of->options->leave_out;
    while (at != NULL && *at != '\0') {
        const size_t size = strcspn(at, ",");
        const kit_verdict verdict = kit_verdict_find(at, size);
        if (verdict == KIT_VERDICTS || verdict == KIT_FINE) {
            cli_say("test: --not: '%.*s' is no verdict (`toolwire test "
                    "--help` lists them)",
                    (int)size, at);
            return false;
        }
        of->leaves[verdict] = true;
        at += size + (at[size] == ',' ? 1 : 0);
    }
    return true;
}

int cli_test(const cli_options *options)
{
    const tw_memory memory = tw_memory_from(NULL);
    kit_peer peer;
    cli_output output;
    session its = {.options = options,
                   .memory = &memory,
                   .peer = &peer,
                   .output = &output,
                   .clean = true};
    if (options->grammar != NULL) {
        return cli_test_grammar(options);
    }
    if (options->templates != NULL) {
        return cli_test_templates(options);
    }
    if (!read_verdicts(&its)) {
        return CLI_USAGE;
    }
    if (cli_output_open(&output, options->output) != CLI_FINE) {
        return CLI_IO;
    }
    kit_peer_init(&peer, options->cmd, (int64_t)options->patience * 1000,
                  &memory);
    peer.watch = cli_doom_group;
    const bool good = options->cases != NULL ? test_cases(&its)
                      : options->all         ? test_all(&its)
                                     : test_format(&its, options->format);
    cli_output_flush(&output); /* the parser may take its time to end */
    kit_peer_free(&peer);
    const int closed = cli_output_close(&output, good);
    const int result = its.unread          ? CLI_IO
                       : good && its.clean ? CLI_FINE
                                           : CLI_BAD;
    return closed > result ? closed : result;
}
