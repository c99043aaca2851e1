/* SPDX-License-Identifier: MIT
 *
 * toolwire test: cases are put to another parser, and what it gets wrong is
 * made small and told.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/commands.h"
#include "cli/kit.h"
#include "cli/files/print.h"
#include "cli/files/signals.h"
#include "kit/trial.h"

enum { SHOWN = 3 }; /* reproducers of a kind */

typedef struct tally {
    uint64_t cases;
    uint64_t found[KIT_VERDICTS];
    uint64_t shown[KIT_VERDICTS][KIT_CLASSES];
} tally;

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

static void put_finding(cli_output *output, kit_trial *trial,
                        const kit_case *one, kit_verdict verdict)
{
    const kit_evidence *its = &trial->evidence;
    tw_json_out json_out = {.memory = trial->memory};
    tw_json_put(&json_out, "{\"verdict\":\"");
    tw_json_put(&json_out, kit_verdict_name(verdict));
    tw_json_put(&json_out, "\",\"case\":");
    kit_jot_case(&json_out, one);
    tw_json_put(&json_out, ",\"sent\":");
    /* Without the line feed that ends the question. */
    tw_json_put_text(&json_out, (const char *)its->line.data,
                     its->line.size - 1);
    if (verdict == KIT_SPLIT_VARIANCE) {
        jot_answer(&json_out, "got_whole", &its->whole);
    }
    if (verdict != KIT_HANG && verdict != KIT_CRASH) {
        jot_answer(&json_out, "got", &its->got);
    }
    if (verdict == KIT_CRASH) {
        tw_json_put(&json_out, ",\"ended\":");
        tw_json_put_string(&json_out, its->ended, strlen(its->ended));
    }
    tw_json_put(&json_out, trial->repeats ? "}\n" : ",\"repeats\":false}\n");
    if (!json_out.failed) {
        cli_put(output, json_out.out.data, json_out.out.size);
        cli_output_flush(output);
    }
    trial->failed |= json_out.failed;
    tw_buffer_free(&json_out.out, trial->memory);
}

/* False: it cannot go on. */
static bool try_case(cli_output *output, kit_trial *trial, kit_case *one,
                     tally *counts)
{
    const kit_verdict verdict = kit_try(trial, one);
    if (trial->failed) {
        return false;
    }
    counts->cases++;
    counts->found[verdict]++;
    if (verdict != KIT_FINE && counts->shown[verdict][one->kind]++ < SHOWN) {
        kit_shrink(trial, one, verdict);
        put_finding(output, trial, one, verdict);
    }
    return !trial->failed;
}

static void put_tally(cli_output *output, const tally *counts)
{
    cli_put_text(output, "{\"cases\":");
    cli_put_number(output, counts->cases);
    for (int i = 0; i < KIT_VERDICTS; i++) {
        cli_put_text(output, ",\"");
        cli_put_text(output, kit_verdict_name((kit_verdict)i));
        cli_put_text(output, "\":");
        cli_put_number(output, counts->found[i]);
    }
    cli_put_text(output, "}\n");
}

static bool run(const cli_options *options, cli_output *output,
                kit_trial *trial, tally *counts)
{
    kit_case made = {.id = ""};
    bool good = true;
    for (uint64_t i = 0; i < options->count && good && !output->failed; i++) {
        good = kit_make(trial->maker, &made, cli_kit_class(options, i), i) &&
               try_case(output, trial, &made, counts);
    }
    kit_case_free(&made, trial->memory);
    return good;
}

int cli_test(const cli_options *options)
{
    const tw_memory memory = tw_memory_from(NULL);
    kit_maker maker;
    kit_peer peer;
    kit_trial trial;
    cli_output output;
    tally counts = {0};
    if (cli_output_open(&output, options->output) != CLI_FINE) {
        return CLI_IO;
    }
    bool good =
        kit_maker_init(&maker, &memory, options->format, options->seed);
    kit_peer_init(&peer, options->cmd, (int64_t)options->patience * 1000,
                  &memory);
    peer.watch = cli_doom_group;
    kit_trial_init(&trial, &maker, &peer, &memory);
    good = good && run(options, &output, &trial, &counts);
    put_tally(&output, &counts);
    cli_output_flush(&output); /* the parser may take its time to end */
    if (!good) {
        cli_say("test: %s: %s", options->cmd,
                trial.why != NULL ? trial.why : "no memory");
    }
    if (counts.found[KIT_PROTOCOL_ERROR] > 0) {
        cli_say("test: %s: %llu of %llu cases got a line with neither "
                "\"message\", an object, nor \"error\": this is no answer "
                "(see `toolwire test --help`)",
                options->cmd,
                (unsigned long long)counts.found[KIT_PROTOCOL_ERROR],
                (unsigned long long)counts.cases);
    }
    kit_trial_free(&trial);
    kit_peer_free(&peer);
    kit_maker_free(&maker);
    const int closed = cli_output_close(&output, good);
    const int result =
        good && counts.found[KIT_FINE] == counts.cases ? CLI_FINE : CLI_BAD;
    return closed > result ? closed : result;
}
