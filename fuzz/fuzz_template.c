/* SPDX-License-Identifier: MIT
 *
 * Property: any text is a template or refused, and a template ends whatever it
 * says: within its steps and bytes, with the same text each time it is run or
 * compiled.  What is said of where bytes come from is in order, within the
 * text and within the values that are named.  Loaded, it writes prompts or
 * says why it does not: segments are the text, and spans tell of each byte
 * once.
 *
 * An input is a template and, behind a NUL, an object of its variables;
 * without one they are those of `variables`.
 */
#include <stdlib.h>

#include "core/utf8.h"
#include "message.h"
#include "template/library/json_text.h"
#include "template/template.h"

enum { STEPS = 50 * 1000, BYTES = 4 * 1024 * 1024 };

static const char variables[] =
    "{\"messages\":["
    "{\"role\":\"system\",\"content\":\"  be brief \\n\"},"
    "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"<\\u00e9> "
    "it's \\\"one\\\"\"}]},"
    "{\"role\":\"assistant\",\"content\":\"\",\"reasoning_content\":\" look\","
    "\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":{"
    "\"name\":\"f\",\"arguments\":{\"x\":[1.50,true,null,{\"deep\":-7}]}}}]}],"
    "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\","
    "\"description\":\"tells\\nit\",\"parameters\":{\"type\":\"object\"}}}],"
    "\"add_generation_prompt\":true,\"s\":\"Hello, World\","
    "\"u\":\"\\u00dcn\\u0131 \\u00df \\u0149 \\u03a3\\u03b1\\u03a3 "
    "\\ud83e\\udda6\",\"n\":42,\"f\":3.14159,\"big\":123456789012345678901,"
    "\"l\":[3,1,2],\"d\":{\"b\":1,\"a\":[1,2]},\"fl\":[0.1,1e22,5e-324,1e308],"
    "\"nested\":[{\"c\":[{\"c\":[]}]},{\"c\":[]}],\"ml\":"
    "\"one\\ntwo\\r\\n3\"}";

/* Where a run comes from: all of it, but of what is printed of a number, a
 * bool or null, which has no such bytes. */
static bool is_within(const tw_run *run)
{
    const uint64_t from = run->from & ~TW_RUN_KEY;
    if (run->from != from) {
        return run->end - run->begin <= run->of->key_size - from;
    }
    return run->of->kind != TW_VALUE_STRING ||
           (from < run->of->size &&
            run->end - run->begin <= run->of->size - from);
}

static bool is_letter(uint8_t c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* A letter that comes from a letter is that one, in some case: of a run's
 * bytes the first and the last may belong to an escape.  What is not ASCII has
 * cases that are. */
static bool is_same(const tw_run *run, const uint8_t *text)
{
    const uint8_t *from = (const uint8_t *)run->of->text;
    if (run->of->kind != TW_VALUE_STRING || (run->from & TW_RUN_KEY) != 0) {
        return true;
    }
    for (size_t i = 1; i + 1 < run->end - run->begin; i++) {
        const uint8_t here = text[run->begin + i];
        const uint8_t there = from[run->from + i];
        if (is_letter(here) && is_letter(there) &&
            (here | 0x20) != (there | 0x20)) {
            return false;
        }
    }
    return true;
}

static const char *runs_fault(const tw_buffer *text, const tw_buffer *all)
{
    const tw_run *runs = (const tw_run *)(const void *)all->data;
    size_t end = 0;
    for (size_t i = 0; i < all->size / sizeof *runs; i++) {
        if (runs[i].begin < end || runs[i].end <= runs[i].begin) {
            return "runs are not in order";
        }
        end = runs[i].end;
        if (end > text->size) {
            return "a run is not in the text";
        }
        if (runs[i].of == NULL || !is_within(&runs[i])) {
            return "a run is not of its value";
        }
        if (!is_same(&runs[i], text->data)) {
            return "a run's letters are others";
        }
    }
    return NULL;
}

/* Runs it; what is written stays in |rendering|. */
static int render(tw_rendering *rendering, const tw_value *given)
{
    tw_rendering_begin(rendering);
    for (const tw_value *at = given->first; at != NULL; at = at->next) {
        tw_rendering_give_sized(&rendering->machine, at->key, at->key_size,
                                tw_item_of_value(&rendering->machine, at));
    }
    return tw_rendering_run(rendering);
}

static size_t points_in(const tw_buffer *text)
{
    size_t points = 0;
    for (size_t i = 0; i < text->size; i++) {
        points += (text->data[i] & 0xC0) != 0x80;
    }
    return points;
}

static void init(tw_rendering *rendering, const tw_program *program,
                 const tw_memory *memory)
{
    tw_rendering_init(rendering, program, memory);
    rendering->step_limit = STEPS;
    rendering->byte_limit = BYTES;
    tw_rendering_begin(rendering);
}

static bool same_bytes(const tw_buffer *a, const tw_buffer *b)
{
    return a->size == b->size &&
           (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

/* A program that was made again, and is run twice: as |first|. */
static const char *again(const tw_program *program, const tw_memory *memory,
                         const tw_value *given, tw_rendering *first, int code)
{
    tw_rendering other;
    const char *fault = NULL;
    init(&other, program, memory);
    for (int i = 0; i < 2 && fault == NULL; i++) {
        if (render(&other, given) != code) {
            fault = "it ends otherwise the next time";
        } else if (other.machine.steps != first->machine.steps) {
            fault = "it takes other steps the next time";
        } else if (!same_bytes(&other.text.text, &first->text.text) ||
                   !same_bytes(&other.text.runs, &first->text.runs)) {
            fault = "it is another text the next time";
        }
    }
    tw_rendering_free(&other);
    return fault;
}

/* |*within|: it ended by itself. */
static const char *fault_of(const tw_program *programs,
                            const tw_memory *memory, const tw_value *given,
                            bool *within)
{
    tw_rendering rendering;
    const char *fault;
    init(&rendering, &programs[0], memory);
    const int code = render(&rendering, given);
    *within = code != TW_ERROR_LIMIT;
    if (code != TW_OK && code != TW_ERROR_TEMPLATE && code != TW_ERROR_LIMIT) {
        fault = "it fails without a reason";
    } else if ((code == TW_ERROR_TEMPLATE) !=
               (rendering.machine.message != NULL)) {
        fault = "an error has no message, or none has one";
    } else if (points_in(&rendering.text.text) != rendering.text.points) {
        fault = "code points are not counted";
    } else {
        fault = runs_fault(&rendering.text.text, &rendering.text.runs);
    }
    if (fault == NULL) {
        fault = again(&programs[1], memory, given, &rendering, code);
    }
    tw_rendering_free(&rendering);
    return fault;
}

/* ---- as an encoder runs it ---------------------------------------------- */

/* Segments one behind the other are the text. */
static const char *segments_fault(tw_encoder *encoder, const tw_buffer *text)
{
    const tw_segment *segment;
    size_t at = 0;
    int result;
    while ((result = tw_encoder_next(encoder, &segment)) == 1) {
        if (segment->size > text->size - at ||
            memcmp(segment->data, text->data + at, segment->size) != 0) {
            return "segments are another text";
        }
        at += segment->size;
    }
    return result == 0 && at == text->size ? NULL : "segments end elsewhere";
}

/* Spans begin at 0, each where the last one ended, and end with the text. */
static const char *spans_fault(tw_encoder *encoder, size_t size)
{
    const tw_span *span;
    uint64_t end = 0;
    int result;
    for (size_t i = 0; (result = tw_encoder_span(encoder, i, &span)) == 1;
         i++) {
        if (span->start != end || span->end <= span->start ||
            span->part == NULL) {
            return "spans have a gap";
        }
        end = span->end;
    }
    return result != 0   ? NULL /* a limit */
           : end == size ? NULL
                         : "spans end elsewhere";
}

static const char *prompt_fault(tw_encoder *encoder, const char *request,
                                size_t size)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_buffer kept = {0};
    const char *text;
    size_t text_size;
    const int code = tw_encode(encoder, request, size, &text, &text_size);
    if (code != TW_OK) {
        const tw_error *error = tw_encoder_error(encoder);
        return error->code == code && error->message != NULL &&
                       error->message[0] != '\0'
                   ? NULL
                   : "a prompt is refused without a reason";
    }
    if (!tw_buffer_append(&kept, &memory, text, text_size)) {
        abort();
    }
    tw_encoder_request(encoder, request, size);
    const char *fault = segments_fault(encoder, &kept);
    fault = fault != NULL ? fault : spans_fault(encoder, text_size);
    tw_buffer_free(&kept, &memory);
    return fault;
}

/* |format| NULL: with markers of the template's own. */
static const char *encoder_fault(const tw_template *template_,
                                 const tw_format *format, const char *request,
                                 size_t size)
{
    static const char now[] = "2026-11-25T12:00:00";
    tw_encoder *encoder = tw_encoder_new_template(template_, format, NULL);
    const char *fault = NULL;
    if (encoder == NULL || tw_encoder_set_text(encoder, TW_TEXT_NOW, now,
                                               sizeof now - 1) != TW_OK) {
        abort();
    }
    for (int i = 0; i < 2 && fault == NULL; i++) {
        tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT,
                       i == 0 ? TW_CONTROL_TEXT_REJECT
                              : TW_CONTROL_TEXT_ALLOW);
        fault = prompt_fault(encoder, request, size);
    }
    tw_encoder_free(encoder);
    return fault;
}

static const char *loaded_fault(const char *text, size_t text_size,
                                const char *request, size_t size,
                                bool compiles)
{
    const tw_template_source source = {.text = text, .size = text_size};
    tw_format_error error;
    tw_template *template_;
    const int code = tw_template_load(&source, NULL, &template_, &error);
    if ((code == TW_OK) != (template_ != NULL) ||
        (code != TW_OK && error.message[0] == '\0')) {
        return "loading fails without a reason";
    }
    if (code != TW_OK) {
        /* JSON is read as a configuration, and a path without a tag is no
         * template's text. */
        return compiles && text_size > 0 &&
                       memchr(text, '{', text_size) != NULL &&
                       code == TW_ERROR_TEMPLATE
                   ? "what compiles is no template"
                   : NULL;
    }
    const char *fault = encoder_fault(template_, NULL, request, size);
    if (fault == NULL) {
        fault = encoder_fault(template_, tw_format_at(text_size % 7), request,
                              size);
    }
    tw_template_free(template_);
    return fault;
}

/* ---- an input ----------------------------------------------------------- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const tw_memory memory = tw_memory_from(NULL);
    const char *text = (const char *)data;
    const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
    const size_t text_size = end != NULL ? (size_t)(end - data) : size;
    tw_program programs[2];
    tw_program_fault faults[2];
    tw_tree given;
    const char *fault = NULL;
    int codes[2];
    if (!tw_utf8_is_valid(text, text_size)) { /* loading refuses it */
        return 0;
    }
    tw_tree_init(&given, &memory);
    given.keeps_lone = true;
    bool given_own = true;
    bool within = true;
    if (end == NULL ||
        tw_tree_read(&given, (const char *)end + 1, size - text_size - 1,
                     false) != TW_OK ||
        given.root->kind != TW_VALUE_OBJECT) {
        given_own = false;
        tw_tree_free(&given);
        fuzz_parse(&given, variables, sizeof variables - 1);
    }
    for (int i = 0; i < 2; i++) {
        codes[i] = tw_program_make(&programs[i], &memory, text, text_size,
                                   &faults[i]);
    }
    if (codes[0] != codes[1] ||
        (codes[0] != TW_OK &&
         (strcmp(faults[0].message, faults[1].message) != 0 ||
          faults[0].line != faults[1].line ||
          faults[0].column != faults[1].column))) {
        fault = "it is compiled otherwise the next time";
    } else if (codes[0] == TW_OK) {
        fault = fault_of(programs, &memory, given.root, &within);
    } else if (codes[0] != TW_ERROR_TEMPLATE || faults[0].message[0] == 0 ||
               faults[0].line == 0) {
        fault = "it is refused without a place";
    }
    if (fault == NULL && within) { /* what takes long would take too long */
        fault = loaded_fault(
            text, text_size, given_own ? (const char *)end + 1 : variables,
            given_own ? size - text_size - 1 : sizeof variables - 1,
            codes[0] == TW_OK);
    }
    if (fault != NULL) {
        fuzz_wrong(fault, "template", text, text_size, "", 0);
    }
    for (int i = 0; i < 2; i++) {
        tw_program_free(&programs[i]);
    }
    tw_tree_free(&given);
    return 0;
}
