/* SPDX-License-Identifier: MIT
 *
 * The first findings of a verdict and a kind are shown, and all are counted.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/test_ask.h"

#include <string.h>

#include "cli/files/print.h"
#include "cli/files/signals.h"

/* How many questions are shown; how many times --patience the first answer may
 * take. */
enum { SHOWN = 3, BEGINNING = 10 };

int cli_asking_open(cli_asking *its, const cli_options *options,
                    const char *command, const tw_memory *memory)
{
    its->memory = its->line.memory = memory;
    if (cli_output_open(&its->output, options->output) != CLI_FINE) {
        return CLI_IO;
    }
    tw_tree_init(&its->tree, memory);
    kit_peer_init(&its->peer, command, (int64_t)options->patience * 1000,
                  memory);
    its->peer.watch = cli_doom_group;
    return CLI_FINE;
}

void cli_jot_member(tw_json_out *line, const char *key, const char *text,
                    size_t size)
{
    tw_json_put(line, ",\"");
    tw_json_put(line, key);
    tw_json_put(line, "\":");
    tw_json_put_string(line, text, size);
}

static void put_line(cli_asking *its, tw_json_out *line)
{
    tw_json_put(line, "}\n");
    its->stops |= line->failed;
    if (!line->failed) {
        cli_put(&its->output, line->out.data, line->out.size);
        cli_output_flush(&its->output);
    }
    tw_buffer_free(&line->out, its->memory);
}

void cli_ask_found(cli_asking *its, int verdict, const char *answer,
                   size_t size)
{
    its->found[verdict]++;
    if (its->shown[verdict][its->kind]++ >= SHOWN) {
        return;
    }
    tw_json_out line = {.memory = its->memory};
    tw_json_put(&line, "{\"verdict\":\"");
    tw_json_put(&line, its->verdicts[verdict]);
    tw_json_put(&line, "\"");
    cli_jot_member(&line, "what", its->what, strlen(its->what));
    tw_json_put(&line, ",\"sent\":");
    tw_json_put_text(&line, (const char *)its->line.out.data,
                     its->line.out.size - 1); /* without its line feed */
    cli_jot_member(&line, "got", answer, size);
    put_line(its, &line);
}

const tw_value *cli_ask(cli_asking *its, int none)
{
    const int64_t patience =
        its->peer.patience * (its->peer.answers ? 1 : BEGINNING);
    const char *text = "";
    size_t size = 0;
    tw_json_put(&its->line, "\n");
    its->stops |= its->line.failed;
    if (its->stops) {
        return NULL;
    }
    its->cases++;
    const kit_reply reply =
        kit_peer_ask(&its->peer, patience, (const char *)its->line.out.data,
                     its->line.out.size, &text, &size);
    its->stops |=
        reply != KIT_ANSWERED && reply != KIT_TIMED_OUT && reply != KIT_DIED;
    /* One that never answered would not answer the next one either. */
    if (!its->stops && !its->peer.answers) {
        cli_say("test: %s: the command answers nothing", its->peer.command);
        its->stops = true;
    }
    if (its->stops) {
        return NULL;
    }
    const bool read = reply == KIT_ANSWERED &&
                      tw_tree_read(&its->tree, text, size, false) == TW_OK;
    if (read && tw_value_member(its->tree.root, "skip") != NULL) {
        its->skipped++;
        return NULL;
    }
    if (!read) {
        cli_ask_found(its, none, reply == KIT_ANSWERED ? text : "",
                      reply == KIT_ANSWERED ? size : 0);
    }
    return read ? its->tree.root : NULL;
}

int cli_asking_close(cli_asking *its)
{
    tw_json_out line = {.memory = its->memory};
    uint64_t wrong = 0;
    tw_json_put(&line, "{\"");
    tw_json_put(&line, its->about);
    tw_json_put(&line, "\":");
    tw_json_put_string(&line, its->named, strlen(its->named));
    tw_json_put(&line, ",\"cases\":");
    tw_json_put_number(&line, its->cases);
    for (int i = 0; its->verdicts[i] != NULL; i++) {
        tw_json_put(&line, ",\"");
        tw_json_put(&line, its->verdicts[i]);
        tw_json_put(&line, "\":");
        tw_json_put_number(&line, its->found[i]);
        wrong += its->found[i];
    }
    tw_json_put(&line, ",\"fine\":");
    tw_json_put_number(&line, its->cases - wrong - its->skipped);
    tw_json_put(&line, ",\"skipped\":");
    tw_json_put_number(&line, its->skipped);
    put_line(its, &line);
    const bool good = !its->stops;
    kit_peer_free(&its->peer);
    tw_tree_free(&its->tree);
    tw_buffer_free(&its->line.out, its->memory);
    const int closed = cli_output_close(&its->output, good);
    const int result = good && wrong == 0 ? CLI_FINE : CLI_BAD;
    return closed > result ? closed : result;
}
