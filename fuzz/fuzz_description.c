/* SPDX-License-Identifier: MIT
 *
 * Property: whatever a description says, it is refused with a reason, or is a
 * format like any other.  Text made of its own pieces gives the same events
 * however it is cut, and by the fast ways and the steps alone; nothing is
 * retracted; spans are a partition.  A message that it carries without a
 * report is read back as the same message.  What is printed of it loads, and
 * is printed the same again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/state.h"
#include "message.h"
#include "support/described.h"
#include "support/events.h"

enum { JSON_SIZE = 16384, TEXT_SIZE = 2048 };

/* ---- a description ------------------------------------------------------ */

/* Each way to write calls, where no format that is built in has it. */
static const char *const bases[] = {
    "{\"format\":1,\"call\":\"<c>{object}</c>\",\"reasoning\":\"<t>{text}</t>"
    "\",\"stops\":\"<e>\",\"end\":\"<e>\",\"tokens\":[\"<e>\",\"</c>\"]}",
    "{\"format\":1,\"calls\":\"<S>\\n{calls}\\n</S>\",\"call\":\"<c>functions."
    "{name}:{index}<a>{arguments}</c>\",\"id\":\"functions.{name}:{index}\","
    "\"loose\":{\"call\":\"<c>{name}<a>{arguments}</c>\"},\"tokens\":[\"<c>\""
    ",\"<S>\",\"</S>\"],\"stops\":[\"<e>\",\"<S\"],\"text\":\"{text:trim}\"}",
    "{\"format\":1,\"calls\":\"<F>\\n{calls}</F>\",\"call\":\"<i n=\\\"{name}"
    "\\\">\\n{arguments}</i>\\n\",\"argument\":\"<p n=\\\"{key}\\\">{value}"
    "</p>\\n\",\"stops\":\"<e>\",\"end\":\"<e>\"}",
    "{\"format\":1,\"call\":\"<c>\\n<f={name}>\\n{arguments}</f>\\n</c>\","
    "\"argument\":\"<p={key}>\\n{value}\\n</p>\\n\",\"between\":\"\\n\","
    "\"text\":\"{text:line}\",\"reasoning\":\"<t>\\n{text}\\n</t>\\n\\n\"}",
    "{\"format\":1,\"call\":\"<c>{python}</c>\",\"values\":\"repr\",\"stops\":"
    "\"<e>\",\"loose\":{\"call\":\"{python}\"}}",
    "{\"format\":1,\"call\":[\"{object}\",\"<|p|>{raw}\"],\"raw_name\":\"py\","
    "\"arguments_key\":\"parameters\",\"between\":\"; \",\"stops\":\"<e>\"}",
    "{\"format\":1,\"call\":\"[C]{name}[I]{id}[A]{arguments}\",\"id\":\"nine\""
    ",\"stops\":\"</s>\",\"end\":\"</s>\",\"text\":\"[T]{text}[/T]\"}",
    "{\"format\":1,\"call\":\"do {name}\\n```json\\n{arguments}\\n```\","
    "\"stops\":\"\xEF\xBD\x9C\",\"json\":\"indented\",\"gap\":\"\\n\\n\"}",
    "{\"format\":1,\"call\":\"<c>{list}\",\"name_key\":\"n\",\"id_key\":\"i\","
    "\"json\":\"compact\",\"no_reasoning\":\"<t></t>\",\"reasoning\":"
    "\"<t>{text}</t>\"}",
    "{\"format\":1,\"call\":\"<c>{keyed}</c>\",\"end\":[\"<e>\",\"<f>\"],"
    "\"stops\":[\"<e>\",\"<f>\"],\"no_text\":\" \"}",
};
enum { BASES = sizeof bases / sizeof *bases };

/* What is written into it: markers, holes, keys, broken ends. */
static const char *const snippets[] = {
    "{name}",
    "{arguments}",
    "{object}",
    "{list}",
    "{keyed}",
    "{python}",
    "{raw}",
    "{id}",
    "{index}",
    "{index:1}",
    "{skip}",
    "{text}",
    "{text:trim}",
    "{text:line}",
    "{value}",
    "{value:json}",
    "{key}",
    "{type}",
    "{calls}",
    "{call}",
    "{{",
    "}}",
    "\\n",
    " ",
    "<c>",
    "</c>",
    "<",
    "<e>",
    "\\\"",
    "\",\"",
    "[\"",
    "\"]",
    "a",
    "=",
    ">",
    "\xC3\xA9",
    "\\t",
    "\"stops\":\"x\",",
    "\"sorted\":true,",
    "\"calls_alone\":true,",
    "\"values\":\"str\",",
    "\"json\":\"lines\",",
    "\"entities\":\"all\",",
    "\"quirks\":\"blank_names\",",
    "\"turn\":\"<t>\\n\",",
    "\"tokens\":\"<c>\",",
    "\"gap\":\"\\n\",",
    "\"quirks\":[\"echo\",\"cdata\"],",
    "{value:trim}",
    "{value:guess}",
    "\"argument\":\"<k>{key}</k><v>{value}</v>\",",
    "{arguments:json}",
};

typedef struct fuzz_text {
    size_t size;
    char data[JSON_SIZE];
} fuzz_text;

static void insert(fuzz_text *text, size_t at, const char *data, size_t size)
{
    if (text->size + size < sizeof text->data) {
        memmove(text->data + at + size, text->data + at, text->size - at);
        memcpy(text->data + at, data, size);
        text->size += size;
    }
}

static void change(fuzz_text *json, fuzz_choices *choices)
{
    const uint32_t high = fuzz_choose(choices, 256);
    const size_t at = (high * 256 + fuzz_choose(choices, 256)) % json->size;
    const uint32_t kind = fuzz_choose(choices, 4);
    if (kind == 0) { /* delete */
        size_t size = 1 + fuzz_choose(choices, 12);
        size = size < json->size - at ? size : json->size - at - 1;
        memmove(json->data + at, json->data + at + size,
                json->size - at - size);
        json->size -= size;
    } else if (kind == 1) { /* double */
        char copy[16];
        size_t size = 1 + fuzz_choose(choices, sizeof copy);
        size = size < json->size - at ? size : json->size - at;
        memcpy(copy, json->data + at, size);
        insert(json, at, copy, size);
    } else {
        const char *snippet =
            snippets[fuzz_choose(choices, sizeof snippets / sizeof *snippets)];
        insert(json, kind == 2 ? at : 1, snippet, strlen(snippet));
    }
}

static void describe(fuzz_text *json, fuzz_choices *choices)
{
    const uint32_t base = fuzz_choose(choices, BASES + 6);
    json->size = 0;
    if (base < BASES) {
        insert(json, 0, bases[base], strlen(bases[base]));
    } else {
        const tw_format *format = fuzz_format(choices);
        const size_t size =
            tw_format_describe(format, json->data, sizeof json->data);
        json->size = size < sizeof json->data ? size : 0;
    }
    if (json->size == 0) { /* of a room of its own there is none */
        insert(json, 0, bases[0], strlen(bases[0]));
    }
    for (uint32_t left = fuzz_choose(choices, 8); left > 1; left--) {
        change(json, choices);
    }
}

/* ---- text --------------------------------------------------------------- */

typedef struct pieces {
    size_t count;
    char *texts[2048];
    size_t sizes[2048];
} pieces;

static void add_piece(void *list, const char *text, size_t size)
{
    pieces *all = list;
    if (all->count < sizeof all->texts / sizeof *all->texts) {
        all->texts[all->count] = malloc(size + 1);
        if (all->texts[all->count] == NULL) {
            abort();
        }
        memcpy(all->texts[all->count], text, size);
        all->sizes[all->count++] = size;
    }
}

static void cook(const tw_description *description, fuzz_choices *choices,
                 fuzz_text *text)
{
    static pieces all;
    all.count = 0;
    described_parts(description, add_piece, &all);
    const uint32_t parts = (uint32_t)all.count;
    described_texts(description, add_piece, &all);
    const uint32_t texts = (uint32_t)all.count - parts;
    text->size = 0;
    for (uint32_t left = fuzz_choose(choices, 12); left > 0; left--) {
        const uint32_t which =
            fuzz_choose(choices, 256) * 256 + fuzz_choose(choices, 256);
        const size_t at = fuzz_choose(choices, 2) == 0 || texts == 0
                              ? which % parts
                              : parts + which % texts;
        if (text->size + all.sizes[at] < TEXT_SIZE) {
            insert(text, text->size, all.texts[at], all.sizes[at]);
        }
    }
    for (size_t i = 0; i < all.count; i++) {
        free(all.texts[i]);
    }
}

/* ---- what must hold ----------------------------------------------------- */

typedef struct description_trial {
    const tw_format *format;
    tw_decoder *decoder;
    tw_finish finish;
    const fuzz_text *json, *text;
    event_log whole, other;
} description_trial;

static void demand(const description_trial *trial, const char *wrong)
{
    if (wrong != NULL) {
        event_log_print(&trial->whole);
        event_log_print(&trial->other);
        fuzz_wrong(wrong, "described", trial->json->data, trial->json->size,
                   trial->text->data, trial->text->size);
    }
}

static void run(description_trial *trial, event_log *log, const feeding *how)
{
    event_log_run_to(log, trial->decoder, trial->text->data, trial->text->size,
                     how, trial->finish);
}

static void check_same(description_trial *trial, const feeding *how,
                       const char *wrong)
{
    run(trial, &trial->other, how);
    demand(trial, event_log_same(&trial->whole, &trial->other) ? NULL : wrong);
}

static void check_prefix(description_trial *trial, size_t size)
{
    event_log_clear(&trial->other);
    tw_decoder_reset(trial->decoder);
    tw_decoder_feed(trial->decoder, trial->text->data, size, TW_MARK_UNKNOWN);
    event_log_drain(&trial->other, trial->decoder);
    demand(trial, event_log_extends(&trial->other, &trial->whole)
                      ? NULL
                      : "it was retracted");
}

static void check_text(description_trial *trial, fuzz_choices *choices)
{
    const size_t size = trial->text->size;
    const size_t cut = (fuzz_choose(choices, 256) * 8u) % (size + 1);
    const feeding all = {0, NULL, 0};
    const feeding ones = {1, NULL, 0};
    const feeding chunks = {2 + fuzz_choose(choices, 30), NULL, 0};
    const feeding two = {0, &cut, 1};
    run(trial, &trial->whole, &all);
    demand(trial, event_log_check(&trial->whole, size));
    check_same(trial, &ones, "a cut changes the events");
    check_same(trial, &chunks, "a cut changes the events");
    check_same(trial, &two, "a cut changes the events");
    trial->decoder->options.slow = true;
    check_same(trial, &chunks, "a slow way does something else");
    trial->decoder->options.slow = false;
    tw_decoder_reset(trial->decoder);
    check_prefix(trial, cut);
}

/* Is |before|, `x`, |behind| nothing but that text? */
static bool reads_as_text(const tw_format *format, const char *before,
                          const char *behind)
{
    const feeding all = {0, NULL, 0};
    char text[1024];
    event_log log = {0};
    size_t other = 0;
    bool found = false;
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    const int size = snprintf(text, sizeof text, "%sx%s", before, behind);
    if (size > 0 && (size_t)size < sizeof text) {
        event_log_run(&log, decoder, text, (size_t)size, &all, NULL, 0);
    }
    for (size_t i = 0; i < log.count; i++) {
        const event_record *event = &log.events[i];
        const bool is_text = event->type == TW_EVENT_TEXT;
        found |= is_text && event->size == 1 && log.bytes[event->data] == 'x';
        other += event->type != TW_EVENT_END && (!is_text || event->size != 1);
    }
    event_log_free(&log);
    tw_decoder_free(decoder);
    return found && other == 0;
}

/* Of a description whose own words are not framing as it reads them, and of
 * which check-format warns, nothing is promised. */
static bool has_true_words(const tw_format *format)
{
    const tw_description *description = format->description;
    return reads_as_text(format, description->no_reasoning, "") &&
           reads_as_text(format, description->no_reasoning_of_call, "") &&
           reads_as_text(format, "", description->end) &&
           reads_as_text(format, "", description->end_of_call);
}

/* A message that it carries comes back. */
static void check_message(const description_trial *trial,
                          fuzz_choices *choices)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_json_out out = {.memory = &memory};
    tw_encoder *encoder = tw_encoder_new(trial->format, NULL);
    tw_decoder *decoder = tw_decoder_new(trial->format, NULL);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    const char *text;
    const char *line;
    size_t size;
    size_t line_size;
    fuzz_jot_message(&out, choices);
    const char *json = (const char *)out.out.data;
    if (tw_encode_completion(encoder, json, out.out.size, &text, &size) ==
            TW_OK &&
        !fuzz_loses(encoder) && has_true_words(trial->format)) {
        tw_tree before;
        tw_tree after;
        fuzz_parse(&before, json, out.out.size);
        fuzz_start_inside(decoder, trial->format, before.root, text, size);
        if (tw_decode_message(decoder, writer, text, size, &line,
                              &line_size) != TW_OK) {
            abort();
        }
        fuzz_parse(&after, line, line_size);
        if (!fuzz_same_message(before.root, after.root)) {
            fprintf(stderr, "written as: %.*s\n", (int)size, text);
            fprintf(stderr, "described: %.*s\n", (int)trial->json->size,
                    trial->json->data);
            fuzz_wrong("it is read back as another", "described", json,
                       out.out.size, line, line_size);
        }
        tw_tree_free(&before);
        tw_tree_free(&after);
    }
    tw_writer_free(writer);
    tw_decoder_free(decoder);
    tw_encoder_free(encoder);
    tw_buffer_free(&out.out, &memory);
}

/* What is printed loads, and is printed again. */
static void check_printed(const description_trial *trial)
{
    static char first[2 * JSON_SIZE];
    static char second[2 * JSON_SIZE];
    tw_format *again;
    tw_format_error error;
    const size_t size = tw_format_describe(trial->format, first, sizeof first);
    if (size > sizeof first) {
        return;
    }
    if (tw_format_load(first, size, NULL, &again, &error) != TW_OK) {
        fuzz_wrong(error.message, "printed", trial->json->data,
                   trial->json->size, first, size);
    }
    const size_t back = tw_format_describe(again, second, sizeof second);
    if (back != size || memcmp(first, second, size) != 0) {
        fuzz_wrong("it is printed otherwise", "printed", first, size, second,
                   back < sizeof second ? back : sizeof second);
    }
    tw_format_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_text json;
    static fuzz_text text;
    fuzz_choices choices = {data, data + size};
    tw_format *format;
    tw_format_error error = {0};
    describe(&json, &choices);
    const int result =
        tw_format_load(json.data, json.size, NULL, &format, &error);
    if (result != TW_OK) {
        if (error.message[0] == 0 || error.code != result) {
            fuzz_wrong("it is refused without a reason", "described",
                       json.data, json.size, "", 0);
        }
        return 0;
    }
    description_trial trial = {.format = format,
                               .decoder = tw_decoder_new(format, NULL),
                               .json = &json,
                               .text = &text};
    trial.finish =
        fuzz_choose(&choices, 3) == 0 ? TW_FINISH_LENGTH : TW_FINISH_STOP;
    tw_decoder_set(trial.decoder, TW_OPTION_FRAMING, 1);
    tw_decoder_set(trial.decoder, TW_OPTION_KEEP_RAW, 1);
    if (fuzz_choose(&choices, 2) == 0) {
        tw_decoder_set_tools(trial.decoder, described_tools,
                             strlen(described_tools));
    }
    cook(format->description, &choices, &text);
    check_text(&trial, &choices);
    check_message(&trial, &choices);
    check_printed(&trial);
    event_log_free(&trial.whole);
    event_log_free(&trial.other);
    tw_decoder_free(trial.decoder);
    tw_format_free(format);
    return 0;
}
