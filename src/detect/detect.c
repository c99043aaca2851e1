/* SPDX-License-Identifier: MIT
 *
 * A template writes the turns of an assistant as the model would write them.
 * Small conversations are rendered, what stands behind the generation prompt
 * is read back by each format, and the one that reads all of it, and writes
 * it alike, is the template's.  Where none reads it, none is named.
 */
#include <string.h>

#include "detect/alike.h"
#include "detect/draft.h"
#include "core/ascii.h"
#include "core/memory.h"
#include "json/write.h"

enum {
    TEXT_PROBE = 2,
    THOUGHT_PROBE = 5,
    TAIL = 200 /* of a prompt, which a decoder is told */
};

typedef struct tw_finding {
    const tw_format *format;
    size_t read;  /* probes */
    size_t alike; /* of these, that the format writes the same */
    size_t bytes; /* ... to the byte */
    bool inside;  /* the prompt ends inside its reasoning ... */
    bool thinks;  /* ... or has a marker of it at its end */
    bool fits;    /* it begins with a block of reasoning that may be empty, and
                   * the template writes reasoning; or neither does */
} tw_finding;

struct tw_detection {
    tw_memory memory;
    tw_encoder *encoder;
    tw_buffer request;
    tw_buffer prompt; /* up to where the model goes on */
    tw_buffer plain;  /* ... without a generation prompt */
    tw_buffer
        whole[TW_PROBES];   /* with its turn; no data: it is not to be had */
    size_t question;        /* where the user's question ends in it */
    size_t from[TW_PROBES]; /* where what the model writes begins in it */
    tw_buffer found;        /* tw_finding, the best one first */
    tw_buffer draft;        /* a description; nothing: there is none */
    tw_buffer json;
    tw_buffer content; /* of what was read last ... */
    tw_buffer reasoning;
    tw_buffer calls; /* arguments, without white space */
    const tw_probe_setting *setting; /* that is tried, or NULL; and ... */
    const char *otherwise[TW_PROBE_SETTINGS]; /* ... that change the start */
    size_t otherwise_count;
    size_t count;    /* of calls */
    bool good;       /* ... and it was read without a deviation */
    bool ids_say_names;
    bool prompts;  /* a generation prompt is written where it is asked for */
    bool has_head; /* else a turn has a head that the model does not write */
    bool failed; /* no memory */
};

static bool put(tw_detection *work, tw_buffer *out, const char *data,
                size_t size)
{
    const bool good = tw_buffer_append(out, &work->memory, data, size);
    work->failed |= !good;
    return good;
}

static bool put_word(tw_detection *work, tw_buffer *out, const char *word)
{
    return put(work, out, word, strlen(word));
}

static const tw_finding *found_at(const tw_detection *work, size_t i)
{
    const tw_finding *all = (const tw_finding *)(const void *)work->found.data;
    return i < work->found.size / sizeof *all ? &all[i] : NULL;
}

/* ---- rendering ---------------------------------------------------------- */

/* The prompt of the user's question and |message|, or NULL, with a generation
 * prompt or without; false: the template refuses it. */
static bool render(tw_detection *work, const char *message, bool generation,
                   tw_buffer *out)
{
    const tw_probe_request asked = {message, generation, work->ids_say_names,
                                    work->setting};
    tw_buffer *request = &work->request;
    const char *prompt;
    size_t size;
    out->size = 0;
    work->failed |= !tw_probe_ask(request, &work->memory, &asked);
    return !work->failed &&
           tw_encode(work->encoder, (const char *)request->data, request->size,
                     &prompt, &size) == TW_OK &&
           put(work, out, prompt, size);
}

/* What the turns of a text and of a call begin with, up to a marker that one
 * of them ends. */
static size_t find_head(const tw_detection *work)
{
    const tw_buffer *whole = &work->whole[TEXT_PROBE];
    const uint8_t *text = whole->data;
    const size_t same = tw_buffer_shared(whole, &work->whole[0]);
    size_t from = same;
    while (from > 0 && text[from - 1] != '<' && text[from - 1] != '>') {
        from--;
    }
    return from > 0 && text[from - 1] == '<' ? from - 1 : same;
}

/* The model writes what stands behind the generation prompt or, where a turn
 * begins otherwise or there is no such prompt, behind what all turns begin
 * with. */
static void find_turns(tw_detection *work)
{
    const tw_buffer *text_turn = &work->whole[TEXT_PROBE];
    const size_t head = find_head(work);
    work->has_head = !work->prompts && head > work->prompt.size;
    for (size_t i = 0; i < TW_PROBES; i++) {
        const tw_buffer *other = i == TEXT_PROBE ? &work->whole[0] : text_turn;
        const size_t from = tw_buffer_shared(&work->whole[i], &work->prompt);
        const size_t same = tw_buffer_shared(&work->whole[i], other);
        work->from[i] = work->has_head ? (same < head ? same : head)
                        : from == work->prompt.size || other->size == 0 ? from
                                                                        : same;
    }
}

static void find_question(tw_detection *work)
{
    const size_t size = sizeof TW_PROBE_QUESTION - 1;
    const tw_buffer *prompt = &work->prompt;
    work->question = prompt->size;
    while (work->question > size &&
           memcmp(prompt->data + work->question - size, TW_PROBE_QUESTION,
                  size) != 0) {
        work->question--;
    }
}

/* Some templates write the next generation prompt whether it is asked for or
 * not: it is no part of the turn. */
static void cut_next_prompts(tw_detection *work)
{
    enum { LEAST = 8 }; /* more than a stop and a line feed share by chance */
    const tw_buffer *prompt = &work->prompt;
    const size_t count = work->prompts || work->has_head ? 0 : TW_PROBES;
    for (size_t i = 0; i < count; i++) {
        tw_buffer *whole = &work->whole[i];
        size_t same = 0;
        while (same + work->question < prompt->size &&
               same + work->from[i] < whole->size &&
               prompt->data[prompt->size - same - 1] ==
                   whole->data[whole->size - same - 1]) {
            same++;
        }
        whole->size -= same >= LEAST ? same : 0;
    }
}

/* A template that comes without its configuration may want tokens. */
static bool render_prompt(tw_detection *work)
{
    static const char none[] = "{\"bos_token\":\"\",\"eos_token\":\"\","
                               "\"pad_token\":\"\",\"unk_token\":\"\"}";
    bool good = render(work, tw_probes[TEXT_PROBE].message, false,
                       &work->whole[TEXT_PROBE]) &&
                render(work, NULL, true, &work->prompt);
    if (!good && !work->failed) {
        good = tw_encoder_set_text(work->encoder, TW_TEXT_SETTINGS, none,
                                   sizeof none - 1) == TW_OK &&
               render(work, NULL, true, &work->prompt);
    }
    work->prompts = !render(work, NULL, false, &work->plain) ||
                    work->plain.size != work->prompt.size;
    return good;
}

static bool render_all(tw_detection *work)
{
    const bool good = render_prompt(work);
    for (size_t i = 0; i < TW_PROBES && good; i++) {
        if (!render(work, tw_probes[i].message, false, &work->whole[i])) {
            work->whole[i].size = 0;
        }
    }
    find_turns(work);
    find_question(work);
    cut_next_prompts(work);
    return good;
}

/* Takes away the marker that a call and a text both end with: of a stop that
 * comes from the configuration no format knows; and all that a question ends
 * with, too, since a template may write tools behind all turns.  False: there
 * is none. */
static bool cut_stops(tw_detection *work)
{
    const tw_buffer *call = &work->whole[0];
    const tw_buffer *text = &work->whole[TEXT_PROBE];
    size_t same = 0; /* from the last marker on ... */
    size_t all = 0;  /* ... and from the first one on */
    for (size_t i = 1; i <= call->size && i <= text->size; i++) {
        if (call->data[call->size - i] != text->data[text->size - i]) {
            break;
        }
        all = text->data[text->size - i] == '<' ? i : all;
        same = same == 0 ? all : same;
    }
    if (all > same &&
        tw_probe_ends(&work->plain, text->data + text->size - all, all)) {
        same = all;
    }
    for (size_t i = 0; i < TW_PROBES && same > 0; i++) {
        tw_buffer *whole = &work->whole[i];
        const bool ends =
            i != TEXT_PROBE && whole->size > work->from[i] + same &&
            tw_probe_ends(whole, text->data + text->size - same, same);
        whole->size -= ends ? same : 0;
    }
    work->whole[TEXT_PROBE].size -= same;
    return same > 0;
}

/* ---- reading back ------------------------------------------------------- */

static void put_plain(tw_detection *work, const tw_event *event)
{
    for (size_t i = 0; i < event->size; i++) {
        if (event->data[i] != ' ' && event->data[i] != '\n') {
            put(work, &work->calls, event->data + i, 1);
        }
    }
}

static void take(tw_detection *work, const tw_event *event)
{
    switch (event->type) {
    case TW_EVENT_TEXT:
        put(work, &work->content, event->data, event->size);
        break;
    case TW_EVENT_REASONING:
        put(work, &work->reasoning, event->data, event->size);
        break;
    case TW_EVENT_CALL_BEGIN:
        work->count++;
        work->good &=
            event->size == 8 && memcmp(event->data, "get_tide", 8) == 0;
        break;
    case TW_EVENT_CALL_ARGUMENTS: put_plain(work, event); break;
    case TW_EVENT_UNPARSED: work->good = false; break;
    case TW_EVENT_DIAGNOSTIC: {
        const tw_diagnostic *what = tw_diagnostic_get(event->code);
        work->good &= what != NULL && what->warning == 1;
        break;
    }
    default: break;
    }
}

/* A result of the decoder's: false where it refuses. */
static bool works(tw_detection *work, int code)
{
    work->failed |= code == TW_ERROR_MEMORY;
    return code >= TW_OK;
}

static void take_all(tw_detection *work, tw_decoder *decoder)
{
    const tw_event *event;
    int code = TW_OK;
    while (work->good && (code = tw_decoder_next(decoder, &event)) == 1) {
        take(work, event);
    }
    work->good &= works(work, code);
}

/* The format reads |text| from byte |from| on, behind what stands before. */
static void read_back(tw_detection *work, const tw_format *format,
                      const tw_buffer *text, size_t from)
{
    tw_decoder *decoder = tw_decoder_new(format, &work->memory);
    const size_t tail = from < TAIL ? from : TAIL;
    const char *data = (const char *)text->data;
    work->content.size = work->reasoning.size = work->calls.size = 0;
    work->count = 0;
    work->failed |= decoder == NULL;
    work->good =
        decoder != NULL &&
        works(work, tw_decoder_set_tools(decoder, TW_PROBE_TOOLS,
                                         sizeof TW_PROBE_TOOLS - 1)) &&
        works(work,
              tw_decoder_set_prompt(decoder, data + from - tail, tail)) &&
        works(work, tw_decoder_feed(decoder, data + from, text->size - from,
                                    TW_MARK_UNKNOWN));
    take_all(work, decoder);
    work->good =
        work->good && works(work, tw_decoder_finish(decoder, TW_FINISH_STOP));
    take_all(work, decoder);
    tw_decoder_free(decoder);
}

static bool reads(tw_detection *work, const tw_format *format, size_t i)
{
    if (work->whole[i].size == 0) {
        return false;
    }
    read_back(work, format, &work->whole[i], work->from[i]);
    return work->good && work->count == tw_probes[i].count &&
           tw_probe_is_text(&work->content, tw_probes[i].text) &&
           tw_probe_is_text(&work->calls, tw_probes[i].calls);
}

/* How the template writes a probe's message as the format does. */
static tw_alike written(tw_detection *work, const tw_format *format, size_t i)
{
    const tw_alike alike = tw_alike_find(
        format, &work->memory, tw_probes[i].message, &work->whole[i]);
    work->failed |= alike.failed;
    return alike;
}

/* Does the format read reasoning behind the prompt? */
static bool starts_inside(tw_detection *work, const tw_format *format,
                          tw_buffer *prompt)
{
    const size_t size = prompt->size;
    put_word(work, prompt, "word");
    read_back(work, format, prompt, size);
    prompt->size = size;
    return work->reasoning.size > 0;
}

/* Does the prompt, behind the question, hold a marker of reasoning? */
static bool mentions_reasoning(const tw_detection *work,
                               const tw_format *format)
{
    const size_t size = work->prompt.size;
    const size_t from = work->question < size ? work->question : size;
    const tw_buffer end = {.data = work->prompt.data + from,
                           .size = size - from};
    const tw_marker *marker;
    for (size_t i = 0; tw_format_marker(format, i, &marker) == 1; i++) {
        if ((marker->role == TW_MARKER_REASONING_OPEN ||
             marker->role == TW_MARKER_REASONING_CLOSE) &&
            tw_probe_stands_in(&end, marker->text, marker->size, false)) {
            return true;
        }
    }
    return false;
}

/* Is |one| a dialect of the other, by its name? */
static bool is_dialect(const tw_finding *one, const tw_finding *of)
{
    const char *name = tw_format_name(of->format);
    return strncmp(tw_format_name(one->format), name, strlen(name)) == 0;
}

/* Of two that do the same the one that is no dialect of another is named. */
static bool is_better(const tw_finding *one, const tw_finding *other)
{
    if (one->read != other->read) {
        return one->read > other->read;
    }
    if (one->thinks != other->thinks) {
        return one->thinks;
    }
    if (one->alike != other->alike) {
        return one->alike > other->alike;
    }
    if (one->fits != other->fits) {
        return one->fits;
    }
    if (is_dialect(one, other) || is_dialect(other, one)) {
        return is_dialect(other, one);
    }
    return one->bytes > other->bytes;
}

static void add(tw_detection *work, const tw_finding *one)
{
    if (put(work, &work->found, (const char *)one, sizeof *one)) {
        tw_finding *all = (tw_finding *)(void *)work->found.data;
        const size_t last = work->found.size / sizeof *all - 1;
        if (last > 0 && is_better(one, &all[0])) {
            memmove(&all[1], &all[0], last * sizeof *all);
            all[0] = *one;
        }
    }
}

/* Formats that cannot read what they must are not asked for the rest. */
static void try_format(tw_detection *work, const tw_format *format)
{
    tw_finding one = {.format = format};
    bool read[TW_PROBES] = {false};
    const bool writes_reasoning =
        tw_probe_stands_in(&work->whole[THOUGHT_PROBE], TW_PROBE_THOUGHT,
                           sizeof TW_PROBE_THOUGHT - 1, false);
    bool empties = false;
    for (size_t i = 0; i < TW_PROBES; i++) {
        read[i] = tw_probes[i].needed && reads(work, format, i);
        if (read[i] != tw_probes[i].needed) {
            return;
        }
    }
    for (size_t i = 0; i < TW_PROBES; i++) {
        read[i] = read[i] || reads(work, format, i);
        if (read[i]) {
            const tw_alike alike = written(work, format, i);
            one.read++;
            one.alike += alike.how;
            one.bytes += alike.bytes;
            empties |= alike.empties;
        }
    }
    one.inside = starts_inside(work, format, &work->prompt);
    one.thinks = one.inside || mentions_reasoning(work, format);
    one.fits = empties == (one.thinks || writes_reasoning);
    add(work, &one);
}

static void try_formats(tw_detection *work)
{
    const tw_format *format;
    for (size_t i = 0; !work->failed && (format = tw_format_at(i)) != NULL;
         i++) {
        try_format(work, format);
    }
}

/* A template may write a call's id and no name, which the id has to say. */
static bool render_ids(tw_detection *work)
{
    static const char id[] = TW_PROBE_ID;
    const tw_buffer *whole = &work->whole[0];
    const tw_buffer turn = {.data = whole->data + work->from[0],
                            .size = whole->size - work->from[0]};
    work->ids_say_names =
        tw_probe_stands_in(&turn, id, sizeof id - 1, false) &&
        !tw_probe_stands_in(&turn, "get_tide", 8, false);
    return work->ids_say_names && render_all(work);
}

/* Where no format fits: a draft is one that reads all that was written. */
static void make_draft(tw_detection *work)
{
    tw_buffer *draft = &work->draft;
    tw_draft_turn turns[TW_PROBES];
    tw_format *format = NULL;
    for (size_t i = 0; i < TW_PROBES; i++) {
        const tw_buffer *whole = &work->whole[i];
        turns[i] = (tw_draft_turn){(const char *)whole->data + work->from[i],
                                   whole->size - work->from[i]};
    }
    bool good =
        tw_draft_make(draft, &work->memory, turns, &work->failed) &&
        works(work, tw_format_load((const char *)draft->data, draft->size,
                                   &work->memory, &format, NULL));
    for (size_t i = 0; i < TW_PROBES && good; i++) {
        good = work->whole[i].size == 0 || reads(work, format, i);
    }
    draft->size = good ? draft->size : 0;
    tw_format_free(format);
}

/* Settings may open reasoning, or fill it. */
static void try_settings(tw_detection *work)
{
    const tw_finding *best = found_at(work, 0);
    for (size_t i = 0; i < TW_PROBE_SETTINGS && best != NULL; i++) {
        work->setting = &tw_probe_settings[i];
        if (render(work, NULL, true, &work->plain) &&
            starts_inside(work, best->format, &work->plain) != best->inside) {
            work->otherwise[work->otherwise_count++] = work->setting->said;
        }
    }
}

/* ---- what is said ------------------------------------------------------- */

static void put_string(tw_detection *work, const void *data, size_t size)
{
    work->failed |=
        !tw_json_write_string(&work->json, &work->memory, data, size);
}

static void put_name(tw_detection *work, const char *name)
{
    put_string(work, name, strlen(name));
}

static void put_evidence(tw_detection *work, const tw_format *format)
{
    static const char *const ways[] = {
        "\"otherwise\"}", "\"alike but for white space\"}", "\"alike\"}"};
    tw_buffer *json = &work->json;
    bool first = true;
    for (size_t i = 0; i < TW_PROBES; i++) {
        const tw_buffer *whole = &work->whole[i];
        if (whole->size == 0) {
            continue;
        }
        put_word(work, json, first ? "{\"probe\":" : ",{\"probe\":");
        put_name(work, tw_probes[i].name);
        put_word(work, json, ",\"text\":");
        put_string(work, whole->data + work->from[i],
                   whole->size - work->from[i]);
        put_word(work, json,
                 reads(work, format, i) ? ",\"read\":true,\"written\":"
                                        : ",\"read\":false,\"written\":");
        put_word(work, json, ways[written(work, format, i).how]);
        first = false;
    }
}

static void put_json(tw_detection *work)
{
    tw_buffer *json = &work->json;
    const tw_finding *best = found_at(work, 0);
    put_word(work, json, "{\"format\":");
    if (best == NULL) {
        put_word(work, json,
                 "null,\"start\":null,\"evidence\":[],\"other\":[]");
        put_word(work, json, work->draft.size > 0 ? ",\"draft\":" : "");
        put(work, json, (const char *)work->draft.data, work->draft.size);
        put_word(work, json, "}");
        return;
    }
    put_name(work, tw_format_name(best->format));
    put_word(work, json,
             best->inside ? ",\"start\":\"reasoning\""
                          : ",\"start\":\"text\"");
    put_word(work, json, ",\"evidence\":[");
    put_evidence(work, best->format);
    put_word(work, json, "],\"other\":[");
    for (size_t i = 1; found_at(work, i) != NULL; i++) {
        put_word(work, json, i > 1 ? "," : "");
        put_name(work, tw_format_name(found_at(work, i)->format));
    }
    for (size_t i = 0; i < work->otherwise_count; i++) {
        put_word(work, json, i > 0 ? "," : "],\"otherwise\":[");
        put_name(work, work->otherwise[i]);
    }
    put_word(work, json, "]}");
}

/* ---- the door ----------------------------------------------------------- */

static void detect(tw_detection *work, const tw_template *template_)
{
    work->encoder = tw_encoder_new_template(template_, NULL, &work->memory);
    const bool good = work->encoder != NULL &&
                      tw_encoder_set(work->encoder, TW_OPTION_CONTROL_TEXT,
                                     TW_CONTROL_TEXT_ALLOW) == TW_OK &&
                      render_all(work);
    work->failed |= work->encoder == NULL;
    if (good) {
        try_formats(work);
        if (work->found.size == 0 && render_ids(work)) {
            try_formats(work);
        }
        make_draft(work);
        if (work->found.size == 0 && cut_stops(work)) {
            try_formats(work);
        }
        try_settings(work);
    }
    put_json(work);
}

tw_detection *tw_template_detect(const tw_template *template_,
                                 const tw_allocator *allocator)
{
    const tw_memory memory = tw_memory_from(allocator);
    tw_detection *work =
        template_ != NULL ? tw_memory_new(&memory, sizeof *work) : NULL;
    if (work == NULL) {
        return NULL;
    }
    work->memory = memory;
    detect(work, template_);
    if (work->failed) {
        tw_detection_free(work);
        return NULL;
    }
    return work;
}

const tw_format *tw_detection_format(const tw_detection *detection)
{
    const tw_finding *best = detection != NULL ? found_at(detection, 0) : NULL;
    return best != NULL ? best->format : NULL;
}

int tw_detection_starts_in_reasoning(const tw_detection *detection)
{
    const tw_finding *best = detection != NULL ? found_at(detection, 0) : NULL;
    return best != NULL && best->inside;
}

const char *tw_detection_otherwise(const tw_detection *detection, size_t i)
{
    return detection != NULL && i < detection->otherwise_count
               ? detection->otherwise[i]
               : NULL;
}

const tw_format *tw_detection_other(const tw_detection *detection, size_t i)
{
    const tw_finding *one =
        detection != NULL ? found_at(detection, i + 1) : NULL;
    return one != NULL ? one->format : NULL;
}

const char *tw_detection_draft(const tw_detection *detection, size_t *size)
{
    const bool none = tw_detection_format(detection) == NULL;
    *size = detection != NULL && none ? detection->draft.size : 0;
    return *size > 0 ? (const char *)detection->draft.data : NULL;
}

const char *tw_detection_json(const tw_detection *detection, size_t *size)
{
    *size = detection != NULL ? detection->json.size : 0;
    return detection != NULL ? (const char *)detection->json.data : "";
}

void tw_detection_free(tw_detection *work)
{
    if (work == NULL) {
        return;
    }
    const tw_memory memory = work->memory;
    tw_buffer *const buffers[] = {
        &work->request, &work->prompt,    &work->plain,
        &work->found,   &work->json,      &work->draft,
        &work->content, &work->reasoning, &work->calls};
    tw_encoder_free(work->encoder);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tw_buffer_free(buffers[i], &memory);
    }
    for (size_t i = 0; i < TW_PROBES; i++) {
        tw_buffer_free(&work->whole[i], &memory);
    }
    tw_memory_free(&memory, work, sizeof *work);
}
