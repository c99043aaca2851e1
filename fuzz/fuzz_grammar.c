/* SPDX-License-Identifier: MIT
 *
 * Property: any tools with any format give a grammar or an error that says
 * why, the same each time.  Texts that a grammar allows are read by the
 * format's decoder without a deviation, and their calls follow the schemas.
 *
 * An input is the tools as JSON, and behind them a format (2), options (1) and
 * the seed of the walks (5).
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "kit/random.h"
#include "kit/walk.h"
#include "message.h"

enum { TARGETS = 3, STARTS = 3, WALKS = 2, MOST = 200, WIDER = 32 };

typedef struct asked {
    const tw_format *format;
    const char *tools;
    size_t size;
    tw_grammar_options options;
    uint64_t seed;
} asked;

static void wrong(const asked *its, const char *fault, const char *text,
                  size_t size)
{
    fprintf(stderr, "format %s, start %d, parallel %u\n",
            tw_format_name(its->format), (int)its->options.start,
            (unsigned)its->options.parallel);
    fuzz_wrong(fault, "tools", its->tools, its->size, text, size);
}

static tw_grammar *make(const asked *its, tw_grammar_target target)
{
    tw_grammar_options options = its->options;
    tw_format_error error;
    tw_grammar *grammar;
    options.target = target;
    const int code = tw_grammar_make(its->format, its->tools, its->size,
                                     &options, NULL, &grammar, &error);
    const bool known = code == TW_OK || code == TW_ERROR_JSON ||
                       code == TW_ERROR_SCHEMA || code == TW_ERROR_LIMIT ||
                       code == TW_ERROR_CANNOT_CARRY ||
                       code == TW_ERROR_ARGUMENT;
    if (!known || (code == TW_OK) != (grammar != NULL) ||
        (code != TW_OK && error.message[0] == '\0')) {
        wrong(its, "a grammar fails without a reason", "", 0);
    }
    return grammar;
}

/* The grammar as text; NULL: it was refused. */
static const char *text_of(const tw_grammar *grammar, size_t *size)
{
    return grammar != NULL ? tw_grammar_text(grammar, size) : NULL;
}

static void make_again(const asked *its)
{
    size_t sizes[2] = {0, 0};
    tw_grammar *both[] = {make(its, its->options.target),
                          make(its, its->options.target)};
    const char *one = text_of(both[0], &sizes[0]);
    const char *other = text_of(both[1], &sizes[1]);
    if ((one == NULL) != (other == NULL) || sizes[0] != sizes[1] ||
        (one != NULL && memcmp(one, other, sizes[0]) != 0)) {
        wrong(its, "a grammar is another one the next time", "", 0);
    }
    tw_grammar_free(both[0]);
    tw_grammar_free(both[1]);
}

/* No grammar says that two ids, or two keys of any names, differ, or that text
 * does not begin as a call does; and some say what is wrong with a schema. */
static bool is_fine(const tw_value *said)
{
    static const char *const codes[] = {"duplicate_id",
                                        "duplicate_key",
                                        "call_like_text",
                                        "schema_unread",
                                        "schema_broken",
                                        "schema_limit",
                                        NULL};
    const tw_value *list = tw_value_member(said, "diagnostics");
    const tw_value *at = list != NULL ? list->first : NULL;
    bool fine = at != NULL && list->next == NULL && said->first == list;
    for (; at != NULL && fine; at = at->next) {
        const tw_value *code = tw_value_member(at, "code");
        fine = false;
        for (size_t i = 0; codes[i] != NULL && !fine; i++) {
            fine = tw_value_is(code, codes[i]);
        }
    }
    return fine;
}

/* What is wrong with reading |text|; NULL: nothing. */
static const char *fault_of(const asked *its, tw_decoder *decoder,
                            tw_writer *writer, const tw_buffer *text)
{
    const char *bytes = text->size > 0 ? (const char *)text->data : "";
    const char *line;
    size_t size;
    tw_tree tree;
    const tw_memory memory = tw_memory_from(NULL);
    tw_decoder_reset(decoder);
    tw_decoder_set(decoder, TW_OPTION_START_REASONING,
                   its->options.start == TW_GRAMMAR_REASONING);
    if (tw_decode_message(decoder, writer, bytes, text->size, &line, &size) !=
        TW_OK) {
        return "a walk is not read";
    }
    tw_tree_init(&tree, &memory);
    fuzz_parse(&tree, line, size);
    const tw_value *said = tw_value_member(tree.root, "toolwire");
    const bool fine = said == NULL || is_fine(said);
    if (!fine) {
        fprintf(stderr, "message %.*s\n", (int)size, line);
    }
    tw_tree_free(&tree);
    return fine ? NULL : "a walk deviates";
}

static bool is_plain(const asked *its)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_tree tree;
    tw_tree_init(&tree, &memory);
    const bool plain =
        its->size == 0 ||
        (tw_tree_read(&tree, its->tools, its->size, false) == TW_OK &&
         !fuzz_has_twins(tree.root));
    tw_tree_free(&tree);
    return plain;
}

static void walk(const asked *its, const char *grammar, size_t size)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_decoder *decoder = tw_decoder_new(its->format, NULL);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    tw_buffer text = {0};
    kit_walker walker;
    uint64_t state = its->seed;
    kit_walker_init(&walker, &memory);
    if (!kit_walker_read(&walker, grammar, size)) {
        wrong(its, "a grammar is none", grammar, size);
    }
    tw_decoder_set(decoder, TW_OPTION_VALIDATE, TW_VALIDATE_REPORT);
    if (its->size > 0 &&
        tw_decoder_set_tools(decoder, its->tools, its->size) != TW_OK) {
        wrong(its, "tools have a grammar, and are none", "", 0);
    }
    for (int i = 0; i < WALKS; i++) {
        text.size = 0;
        if (!kit_walk(&walker, &state, MOST, &text)) {
            break; /* all texts are too long */
        }
        const char *fault = fault_of(its, decoder, writer, &text);
        if (fault != NULL) {
            wrong(its, fault, (const char *)text.data, text.size);
        }
    }
    tw_buffer_free(&text, &memory);
    kit_walker_free(&walker);
    tw_writer_free(writer);
    tw_decoder_free(decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < FUZZ_PARAMETERS) {
        return 0;
    }
    const uint8_t *end = data + size - FUZZ_PARAMETERS;
    fuzz_choices number = {end, end + 2};
    asked its = {.tools = (const char *)data,
                 .size = size - FUZZ_PARAMETERS,
                 .format = fuzz_format(&number),
                 .options = {.target = end[2] % TARGETS,
                             .start = end[2] / 4 % 4 % STARTS,
                             .parallel = end[2] / 16 % 2,
                             .wider = (end[2] & WIDER) != 0,
                             .choice = end[2] >= 192 ? "required" : NULL}};
    size_t text_size;
    memcpy(&its.seed, end + 3, FUZZ_PARAMETERS - 3);
    make_again(&its);
    tw_grammar *grammar = make(&its, TW_GRAMMAR_GBNF);
    const char *text = text_of(grammar, &text_size);
    /* Wider ones allow what the schemas do not, and ANYWHERE is one of the
     * others. */
    if (text != NULL && !its.options.wider && is_plain(&its) &&
        its.options.start != TW_GRAMMAR_ANYWHERE) {
        walk(&its, text, text_size);
    }
    tw_grammar_free(grammar);
    return 0;
}
