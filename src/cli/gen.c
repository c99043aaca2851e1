/* SPDX-License-Identifier: MIT
 *
 * toolwire gen: cases for parsers, one a line.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/kit.h"
#include "cli/files/print.h"
#include "kit/ask/fixtures.h"
#include "kit/ask/question.h"

/* |left_out|: counts what YAML has no place for; NULL: write no YAML. */
static bool put_case(cli_output *output, kit_maker *maker, kit_case *made,
                     kit_class kind, uint64_t number, uint64_t *left_out)
{
    tw_json_out json_out = {.memory = maker->memory};
    tw_tree scratch;
    tw_tree_init(&scratch, maker->memory);
    bool good = kit_make(maker, made, kind, number);
    if (good && left_out != NULL) {
        good = kit_jot_fixture(&json_out, &scratch, made);
        *left_out += !good;
    } else if (good) {
        kit_jot_case(&json_out, &scratch, made);
        tw_json_put(&json_out, "\n");
        good = !json_out.failed;
    }
    if (good) {
        cli_put(output, json_out.out.data, json_out.out.size);
    }
    tw_tree_free(&scratch);
    tw_buffer_free(&json_out.out, maker->memory);
    /* There may be nothing of the kind in the format. */
    return good || !(maker->failed || json_out.failed);
}

int cli_gen(const cli_options *options)
{
    const tw_memory memory = tw_memory_from(NULL);
    kit_maker maker;
    kit_case made;
    cli_output output;
    int result = CLI_FINE;
    uint64_t left_out = 0;
    if (cli_output_open(&output, options->output) != CLI_FINE) {
        return CLI_IO;
    }
    kit_case_init(&made);
    bool good =
        kit_maker_init(&maker, &memory, options->format, options->seed);
    if (options->yaml) {
        cli_put_texts(&output, "family: ", tw_format_name(options->format),
                      "\nmode: batch\ncases:\n");
    }
    for (uint64_t i = 0; i < options->count && good && !output.failed; i++) {
        uint64_t turn;
        const kit_class kind = cli_kit_class(options, i, &turn);
        good = put_case(&output, &maker, &made, kind, turn,
                        options->yaml ? &left_out : NULL);
    }
    if (!good) {
        cli_say("gen: no memory");
        result = CLI_BAD;
    } else if (left_out > 0) {
        cli_say("gen: %" PRIu64 " of %" PRIu64 " cases have no place in this "
                "YAML",
                left_out, options->count);
    }
    kit_case_free(&made, &memory);
    kit_maker_free(&maker);
    const int closed = cli_output_close(&output, result == CLI_FINE);
    return closed > result ? closed : result;
}
