/* SPDX-License-Identifier: MIT
 *
 * The fast ways of the formats (heads in one look, content that passes) do
 * what the plain ones do: the twin of each format passes nothing and is fed
 * byte by byte, so that no head is ever whole in view.  Texts are what the
 * templates write, with a few bytes changed.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "formats/format.h"
#include "support/decoding.h"

enum { TEXTS = 30000, TEXT_SIZE = 4096 };

static uint64_t random_state;

static uint32_t below(uint32_t count)
{
    random_state = random_state * UINT64_C(6364136223846793005) +
                   UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % count;
}

typedef struct kit {
    const char *format;
    const char *parts[40];   /* of which a message is made, NULL-ended */
    const char *inserts[16]; /* what is put somewhere in it */
} kit;

static const kit kits[] = {
    {"gemma4",
     {"<|tool_call>call:f{",
      "<|tool_call>call:get_weather{",
      "<|tool_call>call:1.a-b{",
      "}<tool_call|>",
      "}<tool_call|>",
      "a:",
      ",b:",
      ",key_2:",
      "k.v-w:",
      "<|\"|>",
      "<|\"|>",
      "<|\"|>Oslo<|\"|>",
      "<|\"|>x, y }] \"q\" \xC3\xA9\n<|\"|>",
      "1",
      "-2.5e3",
      "true",
      "null",
      "city:<|\"|>Oslo<|\"|>,days:3,detail:true",
      "{",
      "}",
      "[",
      "]",
      "[1,2]",
      "[<|\"|>a<|\"|>,<|\"|>b<|\"|>]",
      "{x:{y:[{z:null}]}}",
      "{}",
      "[]",
      ",",
      "Some prose, a < b. ",
      "\n",
      "<|channel>thought\nHm<channel|>",
      "<|tool_call>call:f{a:<|\"|>x<|\"|>}<tool_call|>"},
     {" ", "\n", ",", ":", "}", "]", "<", "\xC3", "<|\"|>", "c", "=", "{",
      "call:f{", "<tool_call|>", "\"", "http://"}},
    {"harmony",
     {"<|start|>assistant",
      "<|channel|>analysis",
      "<|channel|>commentary",
      "<|channel|>final",
      " to=functions.f",
      " to=functions.get_weather",
      " to=functions.",
      " <|constrain|>json",
      " json",
      "<|constrain|>json",
      "<|message|>",
      "<|message|>",
      "<|message|>",
      "<|end|>",
      "<|call|>",
      "<|return|>",
      "<|channel|>final<|message|>",
      "<|channel|>analysis<|message|>",
      "<|start|>assistant<|channel|>commentary to=functions.f "
      "<|constrain|>json<|message|>",
      "<|start|>assistant to=functions.g<|channel|>commentary json"
      "<|message|>",
      "<|channel|>commentary to=functions.h <|constrain|>json<|message|>",
      "<|start|>assistant<|channel|>commentary to=functions.f "
      "<|constrain|>json<|message|>{\"a\": [1, {\"b\": \"c\"}]}<|call|>",
      "{\"a\": 1, \"b\": [true]}",
      "{\"a\": \"x <|end|> y\"}",
      "{}",
      "Some prose, a < b. ",
      "\n"},
     {" ", "\n", "<", "\xC3", "<|start|>", "to=", ".", "functions.", "user",
      "<|channel|>", "json", "\xE2\x80\x8B", "final", "{", "python", ":"}},
    {"hermes",
     {"<tool_call>\n",
      "<tool_call>",
      "{\"name\": \"f\", \"arguments\": ",
      "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {",
      "{\"name\":\"g\",\"arguments\":{",
      "{",
      "}",
      "}}\n</tool_call>",
      "}}",
      "}}\n</tool_call>\n",
      "\n</tool_call>",
      "</tool_call>",
      "\"city\": \"Oslo\", \"days\": 3",
      "\"a\": [1, {\"b\": null}]",
      "{\"a\": 1}",
      "{}",
      ", ",
      ", \"id\": \"x\"",
      "Some prose, a < b. ",
      "\n",
      "<think>\nHm\n</think>\n\n",
      "<tool_call>{\"name\":\"g\",\"arguments\":{\"a\":\"</tool_call>\"}}"
      "</tool_call>",
      "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n"
      "</tool_call>"},
     {" ", "\n", "<", "\xC3", "}", "{", "\"", ",", ":", "\\", "]",
      "</tool_call>", "<tool_call>", "e", "\r", "<|im_end|>"}},
    /* Long strings, and what may end one that is not closed. */
    {"gemma4",
     {"<|tool_call>call:f{a:<|\"|>",
      "<|tool_call>call:f{a:<|\"|>for (i = 0; i < n; i++) {\n",
      "<|tool_call>call:f{a:[<|\"|>",
      "<|\"|>}<tool_call|>",
      "<|\"|>}<tool_call|>",
      "<|\"|>]}<tool_call|>",
      "}<tool_call|>",
      "<|\"|>,b:<|\"|>",
      "a word ",
      "print(\"%s, %d\", left, right);\n",
      "    }\n\n        }",
      "if x in {1: 2, 3: 4}:\n",
      ", ",
      ",",
      ",\n  ",
      ",key:",
      ", key: ",
      ",\n key:",
      ", one two: ",
      ":",
      ")",
      "]",
      "}",
      "<",
      " < ",
      "<t",
      "\xC3\xA9t\xC3\xA9",
      "\xE4\xB8\xAD\xE6\x96\x87, ",
      "\\n\"\t",
      "\x01",
      "key_of_some_length_without_end"},
     {" ", "\n", ",", ":", "}", "]", "<", "\xC3", "<|\"|>", ")", "=", "{",
      "\"", "<tool_call|>", "\r", "\x80"}},
    {"hermes",
     {"<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"",
      "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"",
      "\"}}\n</tool_call>", "\"}}\n</tool_call>", "\", \"b\": \"",
      "for (i = 0; i < n; i++) {\\n", "    puts(\\\"one\\\");\\n", "\\\\",
      "\\\"", "\\n\\t\\/\\b\\f\\r", "\\u00e9", "\\ud83d\\ude00", "\\ud83d",
      "\xC3\xA9t\xC3\xA9", "\xE4\xB8\xAD\xE6\x96\x87", "\xF0\x9F\x98\x80",
      "plain words of a string", " "},
     {"\\", "\"", "\n", "\xC3", "\x80", "\x01", "u", "\\x", "'"}},
    {"mistral",
     {"[TOOL_CALLS]f[ARGS]{", "[CALL_ID]abcdefghi", "\"a\": 1", "}", "{}",
      "Some prose [x], a < b. ", "[THINK]Hm[/THINK]", "\n"},
     {" ", "\n", "[", "\xC3", "}", "{", "\"", "]", "</s>"}},
};

enum { KITS = sizeof kits / sizeof *kits };

static size_t count_of(const char *const *list, size_t most)
{
    size_t count = 0;
    while (count < most && list[count] != NULL) {
        count++;
    }
    return count;
}

static size_t insert(char *text, size_t size, size_t at, const char *part)
{
    const size_t length = strlen(part);
    if (size + length > TEXT_SIZE) {
        return size;
    }
    memmove(text + at + length, text + at, size - at);
    memcpy(text + at, part, length);
    return size + length;
}

static size_t cook(const kit *its, char *text)
{
    const uint32_t parts = (uint32_t)count_of(its->parts, 40);
    const uint32_t inserts = (uint32_t)count_of(its->inserts, 16);
    size_t size = 0;
    for (uint32_t i = 1 + below(14); i > 0; i--) {
        size = insert(text, size, size, its->parts[below(parts)]);
    }
    for (uint32_t i = below(3); i > 0; i--) {
        const uint32_t at = below((uint32_t)size);
        if (below(2) == 0) {
            size = insert(text, size, at, its->inserts[below(inserts)]);
        } else if (size > 1) {
            memmove(text + at, text + at + 1, size - at - 1);
            size--;
        }
    }
    if (below(8) == 0) { /* a long run at some place */
        char run[1200];
        const size_t length = 1 + below(sizeof run - 1);
        memset(run, "x \n1"[below(4)], length);
        run[length] = 0;
        size = insert(text, size, below((uint32_t)size), run);
    }
    return size;
}

/* ---- the twin ----------------------------------------------------------- */

typedef struct twin {
    tw_format format;
    tw_family family;
} twin;

static const tw_family *plain_family;
static const tw_window *twin_window;

static void *create(const tw_memory *memory, const tw_format *format,
                    tw_window *window, tw_sink *sink)
{
    twin_window = window;
    return plain_family->create(memory, format, window, sink);
}

static const uint8_t *pass_nothing(void *state, tw_passed *passed)
{
    (void)state;
    (void)passed;
    return twin_window->at;
}

static void make_twin(twin *to, const tw_format *format)
{
    to->format = *format;
    to->family = *format->family;
    to->format.family = &to->family;
    plain_family = format->family;
    to->family.create = create;
    to->family.pass = pass_nothing;
}

static void set(tw_decoder *both[2], tw_option option, int64_t value)
{
    cr_assert_eq(tw_decoder_set(both[0], option, value), TW_OK);
    cr_assert_eq(tw_decoder_set(both[1], option, value), TW_OK);
}

static void set_options(tw_decoder *both[2])
{
    static const int64_t sizes[] = {1 << 20, 1 << 20, 16, 511, 512, 530, 600};
    set(both, TW_OPTION_FRAMING, 1);
    set(both, TW_OPTION_KEEP_RAW, below(4) == 0);
    set(both, TW_OPTION_STRICT, below(8) == 0);
    set(both, TW_OPTION_START_REASONING, below(8) == 0);
    set(both, TW_OPTION_CALLS_IN_REASONING, below(4) != 0);
    set(both, TW_OPTION_LIMIT_NAME, below(4) == 0 ? 1 + below(12) : 256);
    set(both, TW_OPTION_LIMIT_DEPTH, below(4) == 0 ? 1 + below(4) : 128);
    set(both, TW_OPTION_LIMIT_ARGUMENTS, sizes[below(7)]);
    set(both, TW_OPTION_LIMIT_CALLS, below(4) == 0 ? 1 + below(2) : 1024);
}

static void show(const event_log *plain, const event_log *fast,
                 const char *text, size_t size)
{
    fprintf(stderr, "plain:\n");
    event_log_print(plain);
    fprintf(stderr, "fast:\n");
    event_log_print(fast);
    cr_assert(false, "they differ: %.*s", (int)size, text);
}

Test(fast_ways, do_what_the_plain_ones_do)
{
    static char text[TEXT_SIZE];
    const feeding bytes = {1, NULL, 0};
    for (size_t k = 0; k < KITS; k++) {
        const tw_format *format = tw_format_find(kits[k].format);
        twin slow;
        make_twin(&slow, format);
        tw_decoder *both[2] = {tw_decoder_new(&slow.format, NULL),
                               tw_decoder_new(format, NULL)};
        event_log plain = {0};
        event_log fast = {0};
        size_t complete = 0;
        random_state = k;
        for (int i = 0; i < TEXTS; i++) {
            const size_t size = cook(&kits[k], text);
            const feeding pieces = {below(3) == 0 ? 1 + below(64) : size + 1,
                                    NULL, 0};
            tw_decoder_reset(both[0]);
            tw_decoder_reset(both[1]);
            if (i % 16 == 0) {
                set_options(both);
            }
            event_log_run(&plain, both[0], text, size, &bytes, NULL, 0);
            event_log_run(&fast, both[1], text, size, &pieces, NULL, 0);
            if (!event_log_same(&plain, &fast)) {
                show(&plain, &fast, text, size);
            }
            for (size_t e = 0; e < fast.count; e++) {
                complete += fast.events[e].code == TW_CALL_COMPLETE &&
                            fast.events[e].type == TW_EVENT_CALL_END;
            }
        }
        cr_assert_gt(complete, TEXTS / 20, "%s: few calls", kits[k].format);
        event_log_free(&plain);
        event_log_free(&fast);
        tw_decoder_free(both[0]);
        tw_decoder_free(both[1]);
    }
}

/* ---- a whole short call ------------------------------------------------- */

typedef struct short_call {
    const char *format;
    const char *text;
} short_call;

static const short_call short_calls[] = {
    {"gemma4",
     "<|tool_call>call:tide{at:<|\"|>Brest<|\"|>,days:2}<tool_call|>"},
    {"hermes", "<tool_call>\n{\"name\": \"tide\", \"arguments\": {\"at\": "
               "\"Brest\"}}\n</tool_call>"},
    {"hermes", "<tool_call>{\"name\":\"tide\",\"arguments\":{}}</tool_call>"},
    {"harmony", "<|start|>assistant<|channel|>commentary to=functions.tide "
                "<|constrain|>json<|message|>{\"at\":\"Brest\"}<|call|>"},
    {"harmony",
     "<|channel|>commentary to=functions.tide <|constrain|>json<|message|>"
     "{\"at\":\"Brest\"}<|call|>"},
    {"harmony",
     " to=functions.tide<|channel|>commentary json<|message|>{}<|call|>"},
};

/* Steps hold the last brace until the call ends, so that theirs are two. */
Test(fast_ways, a_short_call_is_one_piece)
{
    for (size_t i = 0; i < sizeof short_calls / sizeof *short_calls; i++) {
        const short_call *of = &short_calls[i];
        tw_decoder *decoder = tw_decoder_new(tw_format_find(of->format), NULL);
        size_t pieces = 0;
        const tw_event *event;
        cr_assert_eq(tw_decoder_feed(decoder, of->text, strlen(of->text),
                                     TW_MARK_UNKNOWN),
                     TW_OK);
        while (tw_decoder_next(decoder, &event) == 1) {
            pieces += event->type == TW_EVENT_CALL_ARGUMENTS;
            cr_assert_neq(event->type, TW_EVENT_UNPARSED);
        }
        cr_assert_eq(pieces, 1, "%s: %zu of %s", of->format, pieces, of->text);
        tw_decoder_free(decoder);
    }
}
