/* SPDX-License-Identifier: MIT
 *
 * A template writes the turns of an assistant as the model would write them.
 * Small conversations are rendered, what stands behind the generation prompt
 * is read back by each format, and the one that reads all of it, and writes
 * it alike, is the template's.  Where none reads it, none is named.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/detect_template.h"

#include <stdlib.h>
#include <string.h>

#include "cli/files/print.h"
#include "cli/options/template_file.h"

#define PARAMETER(name, type) \
    "\"" name "\":{\"type\":\"" type "\",\"description\":\"It.\"}"
#define TOOLS                                                        \
    "[{\"type\":\"function\",\"function\":{\"name\":\"get_tide\","   \
    "\"description\":\"Tells the "                                   \
    "tide.\",\"parameters\":{\"type\":\"object\","                   \
    "\"properties\":{" PARAMETER("harbour", "string") "," PARAMETER( \
        "days",                                                      \
        "integer") "," PARAMETER("dry",                              \
                                 "boolean") "},"                     \
                                            "\"required\":[\"harbour\"]}}}]"
#define USER "{\"role\":\"user\",\"content\":\"When is high tide?\"}"
/* Keys in alphabetical order, in which some templates write them. */
#define CALL(id, arguments)                                            \
    "{\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":" \
    "\"get_tide\",\"arguments\":\"{" arguments "}\"}}"
#define BREST_ARGUMENTS "\\\"days\\\": 2, \\\"harbour\\\": \\\"Brest\\\""
#define CORK_ARGUMENTS "\\\"days\\\": 7, \\\"harbour\\\": \\\"Cork\\\""
#define FLAG_ARGUMENTS "\\\"dry\\\": true, \\\"harbour\\\": \\\"Brest\\\""
#define ASSISTANT(content, more) \
    "{\"role\":\"assistant\",\"content\":" content more "}"
#define WORDS "\"All is well.\""
#define ONE ",\"tool_calls\":[" CALL("call00001", BREST_ARGUMENTS) "]"
#define FLAG ",\"tool_calls\":[" CALL("call00001", FLAG_ARGUMENTS) "]"
#define TWO                                                          \
    ",\"tool_calls\":[" CALL("call00001", BREST_ARGUMENTS) "," CALL( \
        "call00002", CORK_ARGUMENTS) "]"
#define THOUGHT ",\"reasoning_content\":\"Brest is asked for.\""
#define BREST "{\"days\":2,\"harbour\":\"Brest\"}"
#define CORK "{\"days\":7,\"harbour\":\"Cork\"}"

typedef struct probe {
    const char *name;
    const char *message; /* the assistant's */
    const char *text;    /* ... of it, without white space around */
    const char *calls;   /* their arguments, without white space */
    size_t count;        /* of calls */
    bool needed;         /* else a template may not write it */
} probe;

static const probe probes[] = {
    {"a call", ASSISTANT("\"\"", ONE), "", BREST, 1, true},
    {"two calls", ASSISTANT("\"\"", TWO), "", BREST CORK, 2, false},
    {"text", ASSISTANT(WORDS, ""), "All is well.", "", 0, true},
    {"text and a call", ASSISTANT(WORDS, ONE), "All is well.", BREST, 1,
     false},
    {"a call with a flag", ASSISTANT("\"\"", FLAG), "",
     "{\"dry\":true,\"harbour\":\"Brest\"}", 1, false},
    {"reasoning and a call", ASSISTANT("\"\"", THOUGHT ONE), "", BREST, 1,
     false},
};

enum { PROBES = sizeof probes / sizeof *probes, TEXT_PROBE = 2, MOST = 256 };

/* Bytes of our own. */
typedef struct text {
    char *data;
    size_t size;
} text;

static bool put(text *out, const char *data, size_t size)
{
    char *grown = realloc(out->data, out->size + size + 1);
    if (grown == NULL) {
        return false;
    }
    memcpy(grown + out->size, data, size);
    out->data = grown;
    out->size += size;
    out->data[out->size] = 0;
    return true;
}

static bool put_word(text *out, const char *word)
{
    return put(out, word, strlen(word));
}

typedef struct finding {
    const tw_format *format;
    size_t read;  /* probes */
    size_t alike; /* of these, that the format writes the same */
} finding;

typedef struct detecting {
    tw_encoder *encoder;
    text prompt;         /* up to where the model goes on */
    text whole[PROBES];  /* with its turn; no data: it is not to be had */
    size_t from[PROBES]; /* where what the model writes begins in it */
    finding found[MOST];
    size_t count;
    bool failed; /* no memory */
} detecting;

/* ---- rendering ---------------------------------------------------------- */

/* The prompt of the user's question and |message|, or NULL; false: the
 * template refuses it. */
static bool render(detecting *work, const char *message, text *out)
{
    text request = {NULL, 0};
    const char *prompt;
    size_t size;
    bool good = put_word(&request, "{\"messages\":[" USER) &&
                (message == NULL ||
                 (put_word(&request, ",") && put_word(&request, message))) &&
                put_word(&request,
                         "],\"tools\":" TOOLS ",\"add_generation_prompt\":") &&
                put_word(&request, message == NULL ? "true}" : "false}");
    work->failed |= !good;
    const bool rendered =
        good && tw_encode(work->encoder, request.data, request.size, &prompt,
                          &size) == TW_OK;
    good = rendered && put(out, prompt, size);
    work->failed |= rendered && !good;
    free(request.data);
    return good;
}

static size_t common(const text *left, const text *right)
{
    size_t i = 0;
    while (i < left->size && i < right->size &&
           left->data[i] == right->data[i]) {
        i++;
    }
    return i;
}

/* The model writes what stands behind the generation prompt or, where a turn
 * begins otherwise, behind what all turns begin with. */
static void find_turns(detecting *work)
{
    const text *text_turn = &work->whole[TEXT_PROBE];
    for (size_t i = 0; i < PROBES; i++) {
        const text *other = i == TEXT_PROBE ? &work->whole[0] : text_turn;
        const size_t from = common(&work->whole[i], &work->prompt);
        work->from[i] = from == work->prompt.size || other->data == NULL
                            ? from
                            : common(&work->whole[i], other);
    }
}

/* A template that comes without its configuration may want tokens. */
static bool render_prompt(detecting *work)
{
    static const char none[] = "{\"bos_token\":\"\",\"eos_token\":\"\","
                               "\"pad_token\":\"\",\"unk_token\":\"\"}";
    text turn = {NULL, 0};
    bool good = render(work, probes[TEXT_PROBE].message, &turn) &&
                render(work, NULL, &work->prompt);
    free(turn.data);
    if (!good && !work->failed) {
        work->prompt.size = 0;
        good = tw_encoder_set_text(work->encoder, TW_TEXT_SETTINGS, none,
                                   sizeof none - 1) == TW_OK &&
               render(work, NULL, &work->prompt);
    }
    return good;
}

static bool render_all(detecting *work)
{
    const bool good = render_prompt(work);
    for (size_t i = 0; i < PROBES && good; i++) {
        render(work, probes[i].message, &work->whole[i]);
    }
    find_turns(work);
    return good;
}

/* ---- reading back ------------------------------------------------------- */

enum { TAIL = 200 };

typedef struct reading {
    text content;
    text reasoning;
    text calls; /* arguments, without white space */
    size_t count;
    bool good;
} reading;

static void put_plain(reading *out, const tw_event *event)
{
    for (size_t i = 0; i < event->size; i++) {
        if (event->data[i] != ' ' && event->data[i] != '\n') {
            out->good &= put(&out->calls, event->data + i, 1);
        }
    }
}

static void take(reading *out, const tw_event *event)
{
    switch (event->type) {
    case TW_EVENT_TEXT:
        out->good &= put(&out->content, event->data, event->size);
        break;
    case TW_EVENT_REASONING:
        out->good &= put(&out->reasoning, event->data, event->size);
        break;
    case TW_EVENT_CALL_BEGIN:
        out->count++;
        out->good &=
            event->size == 8 && memcmp(event->data, "get_tide", 8) == 0;
        break;
    case TW_EVENT_CALL_ARGUMENTS: put_plain(out, event); break;
    case TW_EVENT_UNPARSED: out->good = false; break;
    case TW_EVENT_DIAGNOSTIC: {
        const tw_diagnostic *what = tw_diagnostic_get(event->code);
        out->good &= what != NULL && what->warning == 1;
        break;
    }
    default: break;
    }
}

/* The text from byte |from| on as the format reads it, behind the prompt that
 * stands before. */
static void read_back(const tw_format *format, const text *whole, size_t from,
                      reading *out)
{
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    const size_t tail = from < TAIL ? from : TAIL;
    const tw_event *event;
    memset(out, 0, sizeof *out);
    out->good =
        decoder != NULL &&
        tw_decoder_set_tools(decoder, TOOLS, sizeof TOOLS - 1) == TW_OK &&
        tw_decoder_set_prompt(decoder, whole->data + from - tail, tail) ==
            TW_OK &&
        tw_decoder_feed(decoder, whole->data + from, whole->size - from,
                        TW_MARK_UNKNOWN) == TW_OK;
    while (out->good && tw_decoder_next(decoder, &event) == 1) {
        take(out, event);
    }
    out->good =
        out->good && tw_decoder_finish(decoder, TW_FINISH_STOP) == TW_OK;
    while (out->good && tw_decoder_next(decoder, &event) == 1) {
        take(out, event);
    }
    tw_decoder_free(decoder);
}

static void drop(reading *one)
{
    free(one->content.data);
    free(one->reasoning.data);
    free(one->calls.data);
}

static bool is_text(const text *given, const char *wanted)
{
    const char *data = given->data != NULL ? given->data : "";
    size_t size = given->size;
    while (size > 0 && (*data == ' ' || *data == '\n')) {
        data++;
        size--;
    }
    while (size > 0 && (data[size - 1] == ' ' || data[size - 1] == '\n')) {
        size--;
    }
    return size == strlen(wanted) && memcmp(data, wanted, size) == 0;
}

static bool reads(const detecting *work, const tw_format *format, size_t i)
{
    reading one;
    read_back(format, &work->whole[i], work->from[i], &one);
    const bool good = one.good && one.count == probes[i].count &&
                      is_text(&one.content, probes[i].text) &&
                      is_text(&one.calls, probes[i].calls);
    drop(&one);
    return good;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n';
}

/* Does |part| stand in |all|, white space aside where |loosely|? */
static bool stands_in(const text *all, const char *part, size_t size,
                      bool loosely)
{
    for (size_t begin = 0; begin < all->size; begin++) {
        size_t at = begin;
        size_t i = 0;
        while (i < size && at < all->size) {
            if (loosely && is_blank(part[i])) {
                i++;
            } else if (loosely && at > begin && is_blank(all->data[at])) {
                at++;
            } else if (part[i] == all->data[at]) {
                i++;
                at++;
            } else {
                break;
            }
        }
        if (i == size) {
            return true;
        }
    }
    return false;
}

/* The size without the stop at the end, which a template may leave out. */
static size_t without_stop(const tw_format *format, const char *made,
                           size_t size)
{
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if (marker->stop == 1 && marker->size < size &&
            memcmp(made + size - marker->size, marker->text, marker->size) ==
                0) {
            return size - marker->size;
        }
    }
    return size;
}

/* Does the format write the message as the template does?  2: to the byte; 1:
 * white space aside; 0: no. */
static size_t writes(const detecting *work, const tw_format *format, size_t i)
{
    tw_encoder *encoder = tw_encoder_new(format, NULL);
    const char *made;
    size_t size;
    const bool good =
        encoder != NULL &&
        tw_encode_completion(encoder, probes[i].message,
                             strlen(probes[i].message), &made, &size) == TW_OK;
    const text *whole = &work->whole[i];
    size = good ? without_stop(format, made, size) : 0;
    const size_t how = !good                                 ? 0
                       : stands_in(whole, made, size, false) ? 2
                       : stands_in(whole, made, size, true)  ? 1
                                                             : 0;
    tw_encoder_free(encoder);
    return how;
}

static void try_format(detecting *work, const tw_format *format)
{
    finding one = {format, 0, 0};
    bool all = true;
    for (size_t i = 0; i < PROBES; i++) {
        const bool read =
            work->whole[i].data != NULL && reads(work, format, i);
        all &= read || !probes[i].needed;
        one.read += read;
        one.alike += read ? writes(work, format, i) : 0;
    }
    if (all && work->count < MOST) {
        work->found[work->count++] = one;
    }
}

/* Of two that do the same the one that is no dialect of another is named. */
static bool is_better(const finding *one, const finding *other)
{
    if (one->read != other->read) {
        return one->read > other->read;
    }
    if (one->alike != other->alike) {
        return one->alike > other->alike;
    }
    const char *name = tw_format_name(one->format);
    const char *longer = tw_format_name(other->format);
    return strlen(name) < strlen(longer) &&
           strncmp(name, longer, strlen(name)) == 0;
}

/* The one that reads most of the probes, and writes most of them alike; of
 * several the first. */
static size_t best_of(const detecting *work)
{
    size_t best = 0;
    for (size_t i = 1; i < work->count; i++) {
        best = is_better(&work->found[i], &work->found[best]) ? i : best;
    }
    return best;
}

static bool starts_in_reasoning(const detecting *work, const tw_format *format)
{
    text some = {NULL, 0};
    reading one;
    if (!put(&some, work->prompt.data, work->prompt.size) ||
        !put_word(&some, "word")) {
        free(some.data);
        return false;
    }
    read_back(format, &some, work->prompt.size, &one);
    const bool inside = one.reasoning.size > 0;
    drop(&one);
    free(some.data);
    return inside;
}

/* ---- what is said ------------------------------------------------------- */

static void put_string(cli_output *output, const char *word)
{
    cli_put_json(output, word, strlen(word));
}

static void put_json_result(cli_output *output, const detecting *work,
                            size_t best)
{
    static const char *const ways[] = {
        "\"otherwise\"}", "\"alike but for white space\"}", "\"alike\"}"};
    const char *before = "";
    const finding *one = work->count > 0 ? &work->found[best] : NULL;
    cli_put_text(output, "{\"format\":");
    if (one == NULL) {
        cli_put_text(output, "null,\"start\":null");
    } else {
        put_string(output, tw_format_name(one->format));
        cli_put_text(output, starts_in_reasoning(work, one->format)
                                 ? ",\"start\":\"reasoning\""
                                 : ",\"start\":\"text\"");
    }
    cli_put_text(output, ",\"evidence\":[");
    for (size_t i = 0; i < PROBES; i++) {
        if (one != NULL && work->whole[i].data != NULL) {
            cli_put_text(output, before);
            cli_put_text(output, "{\"probe\":");
            put_string(output, probes[i].name);
            cli_put_text(output, ",\"text\":");
            cli_put_json(output, work->whole[i].data + work->from[i],
                         work->whole[i].size - work->from[i]);
            cli_put_text(output, reads(work, one->format, i)
                                     ? ",\"read\":true,\"written\":"
                                     : ",\"read\":false,\"written\":");
            cli_put_text(output, ways[writes(work, one->format, i)]);
            before = ",";
        }
    }
    cli_put_text(output, "],\"other\":[");
    before = "";
    for (size_t i = 0; i < work->count; i++) {
        if (i != best) {
            cli_put_text(output, before);
            put_string(output, tw_format_name(work->found[i].format));
            before = ",";
        }
    }
    cli_put_text(output, "]}\n");
}

static void put_result(cli_output *output, const detecting *work, size_t best)
{
    if (work->count == 0) {
        cli_put_text(output, "no format that is built in reads what the "
                             "template writes\n");
        return;
    }
    const finding *one = &work->found[best];
    cli_put_text(output, tw_format_name(one->format));
    cli_put_text(output, ": reads back ");
    cli_put_number(output, one->read);
    cli_put_text(output, " of the turns that the template writes\n");
    cli_put_text(output, starts_in_reasoning(work, one->format)
                             ? "  its prompt ends inside reasoning\n"
                             : "  its prompt ends outside of reasoning\n");
    for (size_t i = 0; i < work->count; i++) {
        if (i != best) {
            cli_put_text(output, i == (best == 0) ? "  also read by: " : ", ");
            cli_put_text(output, tw_format_name(work->found[i].format));
        }
    }
    cli_put_text(output, work->count > 1 ? "\n" : "");
}

static int answer(const cli_options *options, const detecting *work)
{
    cli_output output;
    const size_t best = best_of(work);
    int result = cli_output_open(&output, options->output);
    if (result != CLI_FINE) {
        return result;
    }
    if (options->json) {
        put_json_result(&output, work, best);
    } else {
        put_result(&output, work, best);
    }
    result = work->count > 0 ? CLI_FINE : CLI_BAD;
    const int closed = cli_output_close(&output, true);
    return closed > result ? closed : result;
}

int cli_detect_template(const cli_options *options)
{
    detecting *work = calloc(1, sizeof *work);
    tw_template *template_ = NULL;
    int result = work == NULL
                     ? cli_no_memory()
                     : cli_template_load(options->template_path,
                                         options->template_name, &template_);
    if (result == CLI_FINE) {
        work->encoder = tw_encoder_new_template(template_, NULL, NULL);
        const bool good = work->encoder != NULL &&
                          tw_encoder_set(work->encoder, TW_OPTION_CONTROL_TEXT,
                                         TW_CONTROL_TEXT_ALLOW) == TW_OK &&
                          render_all(work);
        const tw_format *format;
        for (size_t i = 0; good && (format = tw_format_at(i)) != NULL; i++) {
            try_format(work, format);
        }
        result = work->failed || work->encoder == NULL ? cli_no_memory()
                                                       : answer(options, work);
    }
    if (work != NULL) {
        tw_encoder_free(work->encoder);
        free(work->prompt.data);
        for (size_t i = 0; i < PROBES; i++) {
            free(work->whole[i].data);
        }
    }
    tw_template_free(template_);
    free(work);
    return result;
}
