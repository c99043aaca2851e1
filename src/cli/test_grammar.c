/* SPDX-License-Identifier: MIT
 *
 * toolwire test --grammar: grammars and texts are put to another engine that
 * holds models to grammars.  What a text is, this library's own decoder says:
 * one that it reads with a deviation is in no grammar.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/files/print.h"
#include "cli/files/signals.h"
#include "cli/grammar_target.h"
#include "cli/kit.h"
#include "kit/peer.h"
#include "kit/tools.h"
#include "kit/walk.h"

/* Texts, in turn. */
enum { LEGAL, UNDECLARED, SLIP, WALK, KINDS };
static const char *const kinds[KINDS] = {"legal", "undeclared", "slip",
                                         "walk"};

enum { WRONGLY_REFUSED, WRONGLY_ACCEPTED, NO_ANSWER, VERDICTS };
static const char *const verdicts[VERDICTS] = {"refused", "accepted",
                                               "no_answer"};

/* So many findings of a verdict and a kind are shown; walks end behind so
 * many characters; the first answer may take so many times --patience. */
enum { SHOWN = 3, LONG = 300, BEGINNING = 10 };

typedef struct run {
    const cli_options *options;
    const tw_memory *memory;
    kit_maker maker;
    kit_case one;
    kit_peer peer;
    cli_output output;
    tw_tree tree;
    tw_json_out line;  /* the question */
    tw_json_out tools; /* of the grammar */
    tw_buffer text;    /* that is put */
    const char *what;  /* its kind, or the name of its slip */
    bool due;          /* it is in the grammar */
    uint64_t cases;
    uint64_t skipped;
    uint64_t found[VERDICTS];
    uint64_t shown[VERDICTS][KINDS];
    bool stops; /* the test cannot go on */
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
    its->stops |= code == TW_ERROR_MEMORY;
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
    static const tw_buffer nothing;
    its->text.size = its->tools.out.size = 0;
    if (!kit_make(&its->maker, one, class_, number)) {
        return false;
    }
    kit_jot_tools(&its->tools, &its->tree,
                  kind == UNDECLARED ? &nothing : &one->its.message);
    its->due = kind == LEGAL || kind == WALK;
    its->what = kind == SLIP && one->slip != NULL ? one->slip : kinds[kind];
    if (kind == WALK) {
        return walk(its, number);
    }
    const tw_buffer *wire = &one->its.wire.bytes;
    const bool calls =
        tw_tree_read(&its->tree, (const char *)one->its.message.data,
                     one->its.message.size, false) == TW_OK &&
        tw_value_member(its->tree.root, "tool_calls") != NULL;
    return tw_buffer_append(&its->text, its->memory, wire->data, wire->size) &&
           (kind != UNDECLARED || calls) &&
           (kind != SLIP || (!is_text(its->what) &&
                             !kit_reads_back(&its->maker, &one->its, true)));
}

/* ---- questions ---------------------------------------------------------- */

static void jot_member(tw_json_out *line, const char *key, const char *text,
                       size_t size)
{
    tw_json_put(line, ",\"");
    tw_json_put(line, key);
    tw_json_put(line, "\":");
    tw_json_put_string(line, text, size);
}

/* False: there is no such grammar. */
static bool jot_question(run *its)
{
    tw_grammar *grammar = make_grammar(its, cli_grammar_target(its->options));
    tw_json_out *line = &its->line;
    const char *target = cli_grammar_target_name(its->options);
    size_t size;
    if (grammar == NULL) {
        return false;
    }
    const char *text = tw_grammar_text(grammar, &size);
    line->out.size = 0;
    tw_json_put(line, "{\"id\":");
    tw_json_put_number(line, its->cases);
    jot_member(line, "target", target, strlen(target));
    jot_member(line, "grammar", text, size);
    jot_member(line, "text",
               its->text.size > 0 ? (const char *)its->text.data : "",
               its->text.size);
    tw_json_put(line, "}");
    tw_grammar_free(grammar);
    its->stops |= line->failed;
    return !its->stops;
}

static void put_line(run *its, tw_json_out *line)
{
    tw_json_put(line, "}\n");
    its->stops |= line->failed;
    if (!line->failed) {
        cli_put(&its->output, line->out.data, line->out.size);
        cli_output_flush(&its->output);
    }
    tw_buffer_free(&line->out, its->memory);
}

static void find(run *its, int verdict, int kind, const char *answer,
                 size_t size)
{
    its->found[verdict]++;
    if (its->shown[verdict][kind]++ >= SHOWN) {
        return;
    }
    tw_json_out line = {.memory = its->memory};
    tw_json_put(&line, "{\"verdict\":\"");
    tw_json_put(&line, verdicts[verdict]);
    tw_json_put(&line, "\"");
    jot_member(&line, "what", its->what, strlen(its->what));
    tw_json_put(&line, ",\"sent\":");
    tw_json_put_text(&line, (const char *)its->line.out.data,
                     its->line.out.size - 1); /* without its line feed */
    jot_member(&line, "got", answer, size);
    put_line(its, &line);
}

/* Judges a line that came. */
static void judge(run *its, int kind, const char *text, size_t size)
{
    const bool read = tw_tree_read(&its->tree, text, size, false) == TW_OK;
    const tw_value *accepted =
        read ? tw_value_member(its->tree.root, "accepted") : NULL;
    const bool says = accepted != NULL && (accepted->kind == TW_VALUE_TRUE ||
                                           accepted->kind == TW_VALUE_FALSE);
    if (!says && read && tw_value_member(its->tree.root, "skip") != NULL) {
        its->skipped++;
    } else if (!says) {
        find(its, NO_ANSWER, kind, text, size);
    } else if ((accepted->kind == TW_VALUE_TRUE) != its->due) {
        find(its, its->due ? WRONGLY_REFUSED : WRONGLY_ACCEPTED, kind, text,
             size);
    }
}

static void ask(run *its, int kind)
{
    const int64_t patience =
        its->peer.patience * (its->peer.answers ? 1 : BEGINNING);
    const char *text;
    size_t size;
    tw_json_put(&its->line, "\n");
    const kit_reply reply =
        kit_peer_ask(&its->peer, patience, (const char *)its->line.out.data,
                     its->line.out.size, &text, &size);
    if (reply == KIT_ANSWERED) {
        judge(its, kind, text, size);
        return;
    }
    its->stops |= reply != KIT_TIMED_OUT && reply != KIT_DIED;
    /* One that never answered would not answer the next one either. */
    if (!its->stops && !its->peer.answers) {
        cli_say("test: %s: the command answers nothing",
                its->options->grammar);
        its->stops = true;
    } else if (!its->stops) {
        find(its, NO_ANSWER, kind, "", 0);
    }
}

/* ---- the front door ----------------------------------------------------- */

static void put_tally(run *its)
{
    tw_json_out line = {.memory = its->memory};
    const char *name = tw_format_name(its->maker.format);
    uint64_t wrong = 0;
    tw_json_put(&line, "{\"format\":");
    tw_json_put_string(&line, name, strlen(name));
    tw_json_put(&line, ",\"cases\":");
    tw_json_put_number(&line, its->cases);
    for (int i = 0; i < VERDICTS; i++) {
        tw_json_put(&line, ",\"");
        tw_json_put(&line, verdicts[i]);
        tw_json_put(&line, "\":");
        tw_json_put_number(&line, its->found[i]);
        wrong += its->found[i];
    }
    tw_json_put(&line, ",\"fine\":");
    tw_json_put_number(&line, its->cases - wrong - its->skipped);
    tw_json_put(&line, ",\"skipped\":");
    tw_json_put_number(&line, its->skipped);
    put_line(its, &line);
}

static void run_all(run *its)
{
    for (uint64_t i = 0; i < its->options->count && !its->stops; i++) {
        const int kind = (int)(i % KINDS);
        if (make_text(its, kind, i / KINDS) && jot_question(its)) {
            its->cases++;
            ask(its, kind);
        }
        its->stops |=
            its->maker.failed || its->tools.failed || its->output.failed;
    }
    put_tally(its);
}

int cli_test_grammar(const cli_options *options)
{
    const tw_memory memory = tw_memory_from(NULL);
    run its = {.options = options,
               .memory = &memory,
               .line = {.memory = &memory},
               .tools = {.memory = &memory}};
    if (cli_output_open(&its.output, options->output) != CLI_FINE) {
        return CLI_IO;
    }
    kit_case_init(&its.one);
    tw_tree_init(&its.tree, &memory);
    kit_peer_init(&its.peer, options->grammar,
                  (int64_t)options->patience * 1000, &memory);
    its.peer.watch = cli_doom_group;
    its.stops =
        !kit_maker_init(&its.maker, &memory, options->format, options->seed);
    run_all(&its);
    uint64_t wrong = 0;
    for (int i = 0; i < VERDICTS; i++) {
        wrong += its.found[i];
    }
    const bool good = !its.stops;
    kit_peer_free(&its.peer);
    kit_maker_free(&its.maker);
    kit_case_free(&its.one, &memory);
    tw_tree_free(&its.tree);
    tw_buffer_free(&its.line.out, &memory);
    tw_buffer_free(&its.tools.out, &memory);
    tw_buffer_free(&its.text, &memory);
    const int closed = cli_output_close(&its.output, good);
    const int result = good && wrong == 0 ? CLI_FINE : CLI_BAD;
    return closed > result ? closed : result;
}
