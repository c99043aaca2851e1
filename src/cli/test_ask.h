/* SPDX-License-Identifier: MIT
 *
 * Questions to an engine that is tested beside parsers: one line each, and
 * what is wrong with the answers.
 */
#ifndef TOOLWIRE_CLI_TEST_ASK_H
#define TOOLWIRE_CLI_TEST_ASK_H

#include "cli/files/io.h"
#include "cli/options/options.h"
#include "kit/ask/peer.h"
#include "kit/tools.h"

enum { CLI_ASK_VERDICTS = 4, CLI_ASK_KINDS = 8 };

typedef struct cli_asking {
    const tw_memory *memory;
    const char *const *verdicts; /* their names; NULL behind the last */
    const char *about;           /* what the line that counts begins with */
    const char *named;           /* ... and of what */
    kit_peer peer;
    cli_output output;
    tw_tree tree;     /* of the last answer */
    tw_json_out line; /* the question */
    const char *what; /* is asked, in findings */
    int kind;         /* of the question: findings of each are shown */
    uint64_t cases;
    uint64_t skipped;
    uint64_t found[CLI_ASK_VERDICTS];
    uint64_t shown[CLI_ASK_VERDICTS][CLI_ASK_KINDS];
    bool stops; /* the test cannot go on */
} cli_asking;

/* An exit code. */
int cli_asking_open(cli_asking *its, const cli_options *options,
                    const char *command, const tw_memory *memory);
/* `,"key":"text"` */
void cli_jot_member(tw_json_out *line, const char *key, const char *text,
                    size_t size);
/* Puts the question in |line|, which has no line feed, and counts it.  The
 * answer, whose text lives until the next one; NULL: there is none, which is a
 * finding of the verdict |none|, or it is a skip. */
const tw_value *cli_ask(cli_asking *its, int none);
/* The answer is wrong. */
void cli_ask_found(cli_asking *its, int verdict, const char *answer,
                   size_t size);
/* The last line, and an exit code. */
int cli_asking_close(cli_asking *its);

#endif
