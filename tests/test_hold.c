/* SPDX-License-Identifier: MIT
 *
 * R8: what a look-ahead may hold is exact, counted in wire bytes from the
 * first held byte; beyond it the canonical reading stands.  Alike for every
 * chunking, and as the naive decoder says.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "support/agree.h"
#include "support/decoding.h"
#include "support/fragments.h"

enum { AROUND = 16, NEVER = 1 << 30 };

typedef struct held {
    const char *what;
    const char *format; /* and "-reasoning": the prompt ended inside it */
    uint32_t code;      /* diagnosed beyond the limit; 0: nothing is */
    size_t limit;
    const char *lead;                  /* stands in front */
    const char *before, *unit, *after; /* held: |unit| is repeated */
    const char *rest;                  /* decides, or follows */
} held;

#define G_CALL "<|tool_call>call:f{"
#define H_CALL "<tool_call>\n{\"name\": \"f\", \"arguments\": "
#define Y_CALL "<|channel|>commentary to=functions.f json<|message|>"
#define G_NEXT "<|tool_call>call:g{}<tool_call|>"
#define H_NEXT "<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>"
#define H_REST "{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"
#define N_CALL "<TOOLCALL>[{\"name\": \"f\", \"arguments\": {}}"
#define N_NEXT N_CALL "]</TOOLCALL>"
#define M_NEXT "[TOOL_CALLS]g[ARGS]{}"
#define UP TW_DIAGNOSTIC_REPAIR_GIVEN_UP
#define FAR TW_DIAGNOSTIC_LIMIT_LOOKAHEAD

static const held rows[] = {
    {"comma", "hermes", UP, 256, H_CALL "{\"a\": 1", ",", " ", "",
     "}}\n</tool_call>" H_NEXT},
    {"comma", "harmony", UP, 256, Y_CALL "{\"a\": 1", ",", " ", "",
     "}<|call|>"},
    {"good comma", "hermes", UP, 256, H_CALL "{\"a\": 1", ",", "\n", "",
     "\"b\": 2}}\n</tool_call>" H_NEXT},
    {"good comma", "harmony", UP, 256, Y_CALL "{\"a\": [1", ",", "\t", "",
     "2]}<|call|>"},
    {"comma in a string", "hermes", UP, 256, H_CALL "\"{\\\"a\\\": 1", ",",
     " ", "", "}\"}\n</tool_call>" H_NEXT},
    {"comma", "gemma4", 0, NEVER, G_CALL "a:1", ",", " ", "",
     "}<tool_call|>" G_NEXT},
    {"head", "hermes", UP, 1024, "Hi ", "<tool_call>", " ", "", H_REST},
    {"head behind prose", "hermes", 0, 64, "", "<tool_call>\n", "x", "",
     H_REST},
    {"head", "gemma4", UP, 1024, "Hi ", "<|tool_call>", " ", "call:f{",
     "}<tool_call|>"},
    {"head in a bad call", "gemma4", 0, 1024, G_CALL "a b", "<|tool_call>",
     " ", "call:g{", "}<tool_call|>" G_NEXT},
    {"header", "harmony", TW_DIAGNOSTIC_MISSING_MESSAGE, 1024, "",
     "<|channel|>commentary to=functions.f", " ", "json",
     "<|message|>{}<|call|>"},
    {"gap", "harmony", TW_DIAGNOSTIC_MISSING_HEADER, 64,
     "<|channel|>analysis<|message|>a<|end|>", "", "x", "",
     "<|start|>assistant<|channel|>final<|message|>b"},
    {"junk", "hermes", TW_DIAGNOSTIC_MISSING_CALL_CLOSE, 256, H_CALL "{}}", "",
     "x", "", "</tool_call>" H_NEXT},
    {"junk", "gemma4", TW_DIAGNOSTIC_MISSING_CALL_CLOSE, 256, G_CALL "}", "",
     "x", "", "<tool_call|>" G_NEXT},
    {"blanks before a call", "hermes", 0, 256, "Hi", "", " ", "", H_NEXT},
    {"blanks before a call", "gemma4", 0, 256, "Hi", "", " ", "", G_NEXT},
    {"blanks behind a call", "hermes", 0, 256, H_NEXT, "", "\n", "", "Hi"},
    {"blanks behind a call", "gemma4", 0, 256, G_NEXT, "", "\n", "", "Hi"},
    {"blanks at the end", "hermes", 0, 256, "Hi", "", " ", "", ""},
    {"blanks at the end", "gemma4", 0, 256, "Hi", "", " ", "", ""},
    {"blanks alone", "hermes", 0, 256, "", "", "\n", "", ""},
    {"blanks alone", "gemma4", 0, 256, "", "", "\n", "", ""},
    {"closers in a string", "gemma4", 0, 1024, G_CALL "a:<|\"|>b", "", "}",
     "<tool_call|>", G_NEXT},
    {"a next key", "gemma4", 0, 1024, G_CALL "a:<|\"|>b", ",", "k", ":",
     "<|\"|>c<|\"|>}<tool_call|>" G_NEXT},
    {"close marker in a string", "gemma4", 0, 1024, G_CALL "a:<|\"|>b",
     "}<tool_call|>", "x", "", "<|\"|>}<tool_call|>" G_NEXT},
    {"blanks behind a string", "gemma4", 0, 256, G_CALL "a:<|\"|>b<|\"|>", "",
     " ", "", "x<|\"|>}<tool_call|>" G_NEXT},
    {"key behind a quote", "gemma4", 0, 64, G_CALL "a:\"b\"", " ", "k", "",
     ":1}<tool_call|>" G_NEXT},
    {"key behind a quote", "gemma4", 0, 1024, G_CALL "a:\"b\"", " ", "k", "",
     ":1}<tool_call|>" G_NEXT},
    {"starts", "harmony", 0, 64 * 9, "", "", "<|start|>", "",
     "assistant<|channel|>final<|message|>b"},
    {"start in a header", "harmony", 0, 64, "", "<|start|>", "x", "",
     "<|start|>assistant<|channel|>final<|message|>b"},
    {"start in a header", "harmony", 0, 64, "", "", "x", "",
     "<|start|>assistant<|channel|>final<|message|>b"},
    {"blank gap", "harmony", 0, 64, "<|channel|>analysis<|message|>a<|end|>",
     "", " ", "", "<|start|>assistant<|channel|>final<|message|>b"},
    {"key", "hermes", 0, 16, "<tool_call>\n{\"", "", "n", "",
     "\": 1, \"name\": \"f\", \"arguments\": {}}\n</tool_call>"},
    {"junk", "nemotron", 0, 256, N_CALL "]", "", "x", "",
     "</TOOLCALL>" N_NEXT},
    {"junk", "nemotron", 0, 256, N_CALL, "", "x", "", "]</TOOLCALL>" N_NEXT},
    {"comma", "nemotron", 0, 256, N_CALL, ",", " ", "", "]</TOOLCALL>" N_NEXT},
    {"blanks before a call", "nemotron", 0, 256, "Hi", "", " ", "", N_NEXT},
    {"head", "mistral", 0, 1024, "Hi ", "[TOOL_CALLS]", " ", "f[ARGS]",
     "{\"a\": 1}"},
    {"head", "mistral", 0, 1024, "Hi ", "[TOOL_CALLS]f", " ", "[ARGS]",
     "{\"a\": 1}"},
    {"name", "mistral", 0, 256, "[TOOL_CALLS]", "", "f", "", "[ARGS]{}"},
    {"id", "mistral", 0, 64, "[TOOL_CALLS]f[CALL_ID]", "", "x", "",
     "[ARGS]{\"a\": 1}"},
    {"blanks before arguments", "mistral", 0, 256, "[TOOL_CALLS]f[ARGS]", "",
     " ", "", "{\"a\": 1}"},
    {"blanks before a call", "mistral", 0, 256, "Hi", "", " ", "", M_NEXT},
    {"blanks behind a call", "mistral", 0, 256, M_NEXT, "", " ", "", "Hi"},
    {"blanks between calls", "mistral", 0, 256, M_NEXT, "", "\n", "", M_NEXT},
    {"blanks at the end", "mistral", 0, 256, M_NEXT, "", " ", "", "</s>"},
    {"comma", "mistral", 0, 256, "[TOOL_CALLS]f[ARGS]{\"a\": 1", ",", " ", "",
     "}" M_NEXT},
    {"fill", "harmony", 0, 300, "<|channel|>final<|message|>a", "<|start|>",
     "x", "", "<|channel|>final<|message|>b"},
};

/* Held up to 64 KiB. */
static const held far_rows[] = {
    {"bare value", "gemma4", FAR, 65536, G_CALL "a:", "", "x", "",
     ",b:2}<tool_call|>" G_NEXT},
    {"bare words", "gemma4", FAR, 65536, G_CALL "a:", "", "x ", "y",
     "}<tool_call|>" G_NEXT},
    {"in a list", "gemma4", FAR, 65536, G_CALL "a:[1,", "", "x", "",
     "]}<tool_call|>" G_NEXT},
    {"number", "gemma4", FAR, NEVER, G_CALL "a:", "", "1", "",
     ",b:2}<tool_call|>" G_NEXT},
    {"no number at last", "gemma4", TW_DIAGNOSTIC_NO_COMMA, 65536,
     G_CALL "a:", "", "1", "x", ",b:2}<tool_call|>" G_NEXT},
    {"fraction", "gemma4", FAR, NEVER, G_CALL "a:-1.", "", "0", "e+7",
     "}<tool_call|>" G_NEXT},
    {"key", "gemma4", FAR, 65536, G_CALL, "", "k", "",
     ":2}<tool_call|>" G_NEXT},
    {"call in reasoning", "gemma4-reasoning", 0, NEVER, "hm ",
     G_CALL "a:<|\"|>", "x", "<|\"|>}<tool_call|>", ""},
    {"reasoning closed", "gemma4-reasoning", TW_DIAGNOSTIC_CALL_IN_REASONING,
     65536, "hm ", G_CALL "a:<|\"|>", "x", "<|\"|>}<tool_call|> no",
     "<channel|>Hi"},
    {"call in reasoning", "hermes-reasoning", UP, 65536, "hm ",
     H_CALL "{\"a\": \"", "x", "\"}}\n</tool_call>", ""},
    {"reasoning closed", "hermes-reasoning", UP, 65536, "hm ",
     H_CALL "{\"a\": \"", "x", "\"}}\n</tool_call>x", "</think>Hi"},
    {"without opener", "hermes", UP, 65536, "",
     "{\"name\": \"f\", \"arguments\": {\"a\": \"", "x", "\"}}\n</tool_call>",
     ""},
    {"JSON answer", "hermes", 0, NEVER, "", "{\"a\": \"", "x", "\"}", ""},
};

static bool has_code(const event_log *log, uint32_t code)
{
    for (size_t i = 0; i < log->count; i++) {
        const uint32_t type = log->events[i].type;
        if (log->events[i].code == code &&
            (type == TW_EVENT_DIAGNOSTIC || type == TW_EVENT_UNPARSED)) {
            return true;
        }
    }
    return false;
}

static naive_bytes text_of(const held *row, size_t count)
{
    naive_bytes text = {0};
    naive_add_text(&text, row->lead);
    naive_add_text(&text, row->before);
    for (size_t i = 0; i < count; i++) {
        naive_add_text(&text, row->unit);
    }
    naive_add_text(&text, row->after);
    naive_add_text(&text, row->rest);
    return text;
}

static void show(const held *row, size_t count, const char *what)
{
    cr_expect(what == NULL, "%s, %s, %zu times: %s", row->format, row->what,
              count, what);
}

/* |far|: is the limit passed? */
static bool check_one(const held *row, tw_decoder *decoder, size_t count,
                      bool far)
{
    static const size_t chunks[] = {1, 7, 64, 1000};
    const fragments *set = fragments_of(row->format);
    const naive_options options = {.start_reasoning = set->reasoning};
    naive_bytes text = text_of(row, count);
    naive_message message = {0};
    event_log log = {0};
    event_log other = {0};
    decode(&log, decoder, text.data, text.size, 0);
    const char *wrong = event_log_check(&log, text.size);
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        decode(&other, decoder, text.data, text.size, chunks[i]);
        if (!event_log_same(&log, &other)) {
            wrong = "a chunking differs";
        }
    }
    if (wrong == NULL && row->code != 0 && has_code(&log, row->code) != far) {
        wrong = far ? "more than the limit is held" : "less is held";
    }
    set->naive(&options, text.data, text.size, &message);
    const char *differs = disagreement(&log, &message);
    show(row, count, wrong);
    if (differs != NULL) {
        cr_expect(false,
                  "%s, %s, %zu times: the naive decoder says another "
                  "thing of %s",
                  row->format, row->what, count, differs);
    }
    naive_message_release(&message);
    event_log_free(&log);
    event_log_free(&other);
    naive_release(&text);
    return wrong == NULL && differs == NULL;
}

/* How often the unit may stand for L bytes to be held, and a few more and
 * less. */
static void check_row(const held *row, size_t around)
{
    const fragments *set = fragments_of(row->format);
    tw_decoder *decoder = fragments_decoder(set);
    const size_t limit = row->limit == NEVER ? 65536 : row->limit;
    const size_t fits =
        (limit - strlen(row->before) - strlen(row->after)) / strlen(row->unit);
    bool good = true;
    for (size_t count = fits - around; count <= fits + around && good;
         count++) {
        good = check_one(row, decoder, count,
                         row->limit != NEVER && count > fits);
    }
    tw_decoder_free(decoder);
}

Test(hold, near)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_row(&rows[i], AROUND);
    }
}

Test(hold, far)
{
    for (size_t i = 0; i < sizeof far_rows / sizeof *far_rows; i++) {
        check_row(&far_rows[i], 2);
    }
}
