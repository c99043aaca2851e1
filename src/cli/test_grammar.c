/* SPDX-License-Identifier: MIT
 *
 * toolwire test --grammar: grammars and texts are put to another engine that
 * holds models to grammars.  What a text is, this library's own decoder says:
 * one that it reads with a deviation is in no grammar.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/commands.h"
#include "cli/grammar_target.h"
#include "cli/kit.h"
#include "cli/test_ask.h"
#include "kit/tools.h"
#include "kit/walk.h"

/* Texts, in turn. */
enum { LEGAL, UNDECLARED, SLIP, WALK, KINDS };
static const char *const kinds[KINDS] = {"legal", "undeclared", "slip",
                                         "walk"};

enum { WRONGLY_REFUSED, WRONGLY_ACCEPTED, NO_ANSWER };
static const char *const verdicts[] = {"refused", "accepted", "no_answer",
                                       NULL};

/* Walks end behind so many characters. */
enum { LONG = 300 };

typedef struct run {
    const cli_options *options;
    const tw_memory *memory;
    cli_asking asking;
    kit_maker maker;
    kit_case one;
    tw_json_out tools; /* of the grammar */
    tw_buffer text;    /* that is put */
    bool due;          /* it is in the grammar */
} run;

/* ---- texts -------------------------------------------------------------- */

static tw_grammar *make_grammar(run *its, tw_grammar_target target)
{
    const tw_grammar_options asked = {.target = target,
                                      .start = its->one.its.inside
                                                   ? TW_GRAMMAR_REASONING
                                                   : TW_GRAMMAR_ANYWHERE,
                                      .parallel = 1};
    tw_grammar *grammar;
    const int code =
        tw_grammar_make(its->maker.format, (const char *)its->tools.out.data,
                        its->tools.out.size, &asked, NULL, &grammar, NULL);
    its->asking.stops |= code == TW_ERROR_MEMORY;
    return grammar;
}

static bool walk(run *its, uint64_t number)
{
    tw_grammar *grammar = make_grammar(its, TW_GRAMMAR_GBNF);
    kit_walker walker;
    uint64_t state = its->options->seed + number;
    size_t size = 0;
    const char *text = grammar != NULL ? tw_grammar_text(grammar, &size) : "";
    kit_walker_init(&walker, its->memory);
    const bool good = grammar != NULL &&
                      kit_walker_read(&walker, text, size) &&
                      kit_walk(&walker, &state, LONG, &its->text);
    kit_walker_free(&walker);
    tw_grammar_free(grammar);
    return good;
}

/* A slip after which nothing tells a call from text, which may be any. */
static bool is_text(const char *slip)
{
    return strcmp(slip, "missing_call_open") == 0 ||
           strcmp(slip, "no_brackets") == 0;
}

/* A text, and the tools of its grammar; false: the format has none of the
 * kind. */
static bool make_text(run *its, int kind, uint64_t number)
{
    kit_case *one = &its->one;
    const kit_class class_ = kind == SLIP ? KIT_TYPO : KIT_LEGAL;
    its->text.size = its->tools.out.size = 0;
    if (!kit_make(&its->maker, one, class_, number)) {
        return false;
    }
    one->its.undeclared = one->its.undeclared || kind == UNDECLARED;
    kit_jot_turn_tools(&its->tools, &its->asking.tree, &one->its);
    its->due = kind == LEGAL || kind == WALK;
    its->asking.what =
        kind == SLIP && one->slip != NULL ? one->slip : kinds[kind];
    if (kind == WALK) {
        return walk(its, number);
    }
    const tw_buffer *wire = &one->its.wire.bytes;
    const bool calls =
        tw_tree_read(&its->asking.tree, (const char *)one->its.message.data,
                     one->its.message.size, false) == TW_OK &&
        tw_value_member(its->asking.tree.root, "tool_calls") != NULL;
    return tw_buffer_append(&its->text, its->memory, wire->data, wire->size) &&
           (kind != UNDECLARED || calls) &&
           (kind != SLIP || (!is_text(its->asking.what) &&
                             !kit_reads_back(&its->maker, &one->its, true)));
}

/* ---- questions ---------------------------------------------------------- */

/* False: there is no such grammar. */
static bool jot_question(run *its)
{
    tw_grammar *grammar = make_grammar(its, cli_grammar_target(its->options));
    tw_json_out *line = &its->asking.line;
    const char *target = cli_grammar_target_name(its->options);
    size_t size;
    if (grammar == NULL) {
        return false;
    }
    const char *text = tw_grammar_text(grammar, &size);
    line->out.size = 0;
    tw_json_put(line, "{\"id\":");
    tw_json_put_number(line, its->asking.cases);
    cli_jot_member(line, "target", target, strlen(target));
    cli_jot_member(line, "grammar", text, size);
    cli_jot_member(line, "text",
                   its->text.size > 0 ? (const char *)its->text.data : "",
                   its->text.size);
    tw_json_put(line, "}");
    tw_grammar_free(grammar);
    return true;
}

static void ask(run *its)
{
    const tw_value *answer = cli_ask(&its->asking, NO_ANSWER);
    const tw_value *accepted =
        answer != NULL ? tw_value_member(answer, "accepted") : NULL;
    const bool says = accepted != NULL && (accepted->kind == TW_VALUE_TRUE ||
                                           accepted->kind == TW_VALUE_FALSE);
    tw_json_out got = {.memory = its->memory};
    if (answer == NULL ||
        (says && (accepted->kind == TW_VALUE_TRUE) == its->due)) {
        return;
    }
    tw_json_put_value(&got, answer);
    its->asking.stops |= got.failed;
    if (!got.failed) {
        cli_ask_found(&its->asking,
                      !says      ? NO_ANSWER
                      : its->due ? WRONGLY_REFUSED
                                 : WRONGLY_ACCEPTED,
                      (const char *)got.out.data, got.out.size);
    }
    tw_buffer_free(&got.out, its->memory);
}

/* ---- the front door ----------------------------------------------------- */

static void run_all(run *its)
{
    for (uint64_t i = 0; i < its->options->count && !its->asking.stops; i++) {
        its->asking.kind = (int)(i % KINDS);
        if (make_text(its, its->asking.kind, i / KINDS) && jot_question(its)) {
            ask(its);
        }
        its->asking.stops |= its->maker.failed || its->tools.failed ||
                             its->asking.output.failed;
    }
}

int cli_test_grammar(const cli_options *options)
{
    const tw_memory memory = tw_memory_from(NULL);
    run its = {.options = options,
               .memory = &memory,
               .asking = {.verdicts = verdicts,
                          .about = "format",
                          .named = tw_format_name(options->format)},
               .tools = {.memory = &memory}};
    if (cli_asking_open(&its.asking, options, options->grammar, &memory) !=
        CLI_FINE) {
        return CLI_IO;
    }
    kit_case_init(&its.one);
    its.asking.stops =
        !kit_maker_init(&its.maker, &memory, options->format, options->seed);
    run_all(&its);
    kit_maker_free(&its.maker);
    kit_case_free(&its.one, &memory);
    tw_buffer_free(&its.tools.out, &memory);
    tw_buffer_free(&its.text, &memory);
    return cli_asking_close(&its.asking);
}
