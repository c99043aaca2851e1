/* SPDX-License-Identifier: MIT
 *
 * Properties: a prompt that lost nothing is read back turn by turn, or it is
 * refused; and what is appended behind a completion is what a whole rendering
 * has there, or the template is said to be unstable.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "json/tree.h"
#include "message.h"

/* Of a format, made once: its turns are learned from its template. */
typedef struct bench {
    const tw_format *format;
    tw_encoder *encoder;
    tw_converter *converter;
} bench;

enum { BENCHES = 256 };

static bench *bench_of(const tw_format *format)
{
    static bench all[BENCHES];
    size_t i = 0;
    while (all[i].format != NULL && all[i].format != format) {
        if (++i == BENCHES) {
            abort();
        }
    }
    if (all[i].format == NULL) {
        all[i].format = format;
        all[i].encoder = tw_encoder_new(format, NULL);
        all[i].converter =
            tw_converter_new(tw_format_name(format), "openai", NULL);
    }
    return &all[i];
}

static void wrong(const bench *its, const char *what, const tw_json_out *asked,
                  const tw_buffer *got)
{
    fuzz_wrong(what, tw_format_name(its->format),
               (const char *)asked->out.data, asked->out.size,
               got->size > 0 ? (const char *)got->data : "", got->size);
}

static void append(tw_buffer *to, const char *text, size_t size)
{
    const tw_memory memory = tw_memory_from(NULL);
    if (!tw_buffer_append(to, &memory, text, size)) {
        abort();
    }
}

/* What is written of {head}{messages}{tail}, behind what stands in |to|;
 * false: it is refused, or loses something. */
static bool write(const bench *its, const tw_json_out *request, tw_buffer *to)
{
    const char *text;
    size_t size;
    const tw_error *loss;
    if (tw_encode(its->encoder, (const char *)request->out.data,
                  request->out.size, &text, &size) != TW_OK ||
        tw_encoder_report(its->encoder, 0, &loss) == 1) {
        return false;
    }
    append(to, text, size);
    return true;
}

/* The members of |request|, with the messages [|from|, |to|) alone. */
static void put_messages(tw_json_out *out, const char *key,
                         const tw_value *request, size_t from, size_t to)
{
    const tw_value *at = tw_value_member(request, "messages")->first;
    const char *before = "";
    tw_json_put(out, key);
    for (size_t i = 0; at != NULL && i < to; i++, at = at->next) {
        if (i >= from) {
            tw_json_put(out, before);
            tw_json_put_value(out, at);
            before = ",";
        }
    }
    tw_json_put(out, "]");
}

static void put_rest(tw_json_out *out, const tw_value *request)
{
    const tw_value *tools = tw_value_member(request, "tools");
    if (tools != NULL) {
        tw_json_put(out, ",\"tools\":");
        tw_json_put_value(out, tools);
    }
    tw_json_put(out, ",\"add_generation_prompt\":true}");
}

static size_t call_count(const tw_value *message)
{
    const tw_value *calls = tw_value_member(message, "tool_calls");
    return calls != NULL ? tw_value_length(calls) : 0;
}

/* ---- turns that are read back ------------------------------------------- */

static bool is_of(const tw_value *message, const char *role)
{
    return tw_value_is(tw_value_member(message, "role"), role);
}

/* Templates put what a system says in front, have a system of their own, or
 * leave out what is empty. */
static const tw_value *behind_systems(const tw_value *at)
{
    while (at != NULL && is_of(at, "system")) {
        at = at->next;
    }
    return at;
}

/* The first turn from |at| on; questions that follow each other may be
 * joined. */
static const tw_value *next_turn(const tw_value *at)
{
    const tw_value *next = behind_systems(at);
    do {
        at = next;
        next = at != NULL ? behind_systems(at->next) : NULL;
    } while (next != NULL && is_of(at, "user") && is_of(next, "user"));
    return at;
}

static bool same_turns(const tw_value *a, const tw_value *b)
{
    const tw_value *x = next_turn(tw_value_member(a, "messages")->first);
    const tw_value *y = next_turn(tw_value_member(b, "messages")->first);
    for (; x != NULL && y != NULL;
         x = next_turn(x->next), y = next_turn(y->next)) {
        const tw_value *role = tw_value_member(x, "role");
        const tw_value *other = tw_value_member(y, "role");
        if (role->size != other->size ||
            memcmp(role->text, other->text, role->size) != 0 ||
            call_count(x) != call_count(y)) {
            return false;
        }
    }
    return x == NULL && y == NULL;
}

/* Has a result no call in front?  Then nobody knows whose it is. */
static bool has_orphans(const tw_value *asked)
{
    bool called = false;
    bool orphan = false;
    for (const tw_value *at = tw_value_member(asked, "messages")->first;
         at != NULL; at = at->next) {
        const bool result = is_of(at, "tool");
        orphan = orphan || (result && !called);
        called = result ? called : call_count(at) > 0;
    }
    return orphan;
}

static void check_back(const bench *its, const tw_json_out *request,
                       const tw_value *asked, const tw_buffer *text)
{
    const char *json;
    size_t size;
    tw_tree after;
    if (has_orphans(asked) ||
        tw_decode_transcript(its->converter, (const char *)text->data,
                             text->size, &json, &size) != TW_OK) {
        return;
    }
    fuzz_parse(&after, json, size);
    if (!same_turns(asked, after.root)) {
        wrong(its, "its turns are others", request, text);
    }
    tw_tree_free(&after);
}

/* ---- turns that are appended -------------------------------------------- */

/* The message |number|, an assistant's, is the turn that is gone on with. */
static void check_extend(const bench *its, const tw_json_out *request,
                         const tw_value *asked, const tw_value *message,
                         size_t number, const tw_buffer *whole)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_json_out part = {.memory = &memory};
    tw_buffer sent = {0};
    const char *text;
    size_t size;
    put_messages(&part, "{\"messages\":[", asked, 0, number);
    put_rest(&part, asked);
    bool good = write(its, &part, &sent);
    part.out.size = 0;
    tw_json_put_value(&part, message);
    good =
        good && tw_encode_completion(its->encoder, (const char *)part.out.data,
                                     part.out.size, &text, &size) == TW_OK;
    if (good) {
        const size_t prompt = sent.size;
        append(&sent, text, size);
        part.out.size = 0;
        tw_json_put(&part, "{\"prompt\":");
        tw_json_put_string(&part, (const char *)sent.data, prompt);
        tw_json_put(&part, ",\"completion\":");
        tw_json_put_string(&part, (const char *)sent.data + prompt,
                           sent.size - prompt);
        put_messages(&part, ",\"messages\":[", asked, 0, number + 1);
        put_messages(&part, ",\"new\":[", asked, number + 1, SIZE_MAX);
        put_rest(&part, asked);
        good = tw_encoder_extend(its->encoder, (const char *)part.out.data,
                                 part.out.size, &text, &size) == TW_OK;
    }
    /* Behind what is not spelled as the template spells it any may follow. */
    if (good && sent.size <= whole->size &&
        memcmp(sent.data, whole->data, sent.size) == 0) {
        append(&sent, text, size);
        if (sent.size != whole->size ||
            memcmp(sent.data, whole->data, sent.size) != 0) {
            wrong(its, "what is appended is another text", request, &sent);
        }
    }
    tw_buffer_free(&part.out, &memory);
    tw_buffer_free(&sent, &memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_choices choices = {data, data + size};
    const tw_memory memory = tw_memory_from(NULL);
    const bench *its = bench_of(fuzz_prompt_format(&choices));
    tw_json_out request = {.memory = &memory};
    tw_json_out prompt = {.memory = &memory};
    tw_buffer whole = {0};
    tw_tree asked;
    size_t number = 0;
    fuzz_jot_request(&request, &choices);
    fuzz_parse(&asked, (const char *)request.out.data, request.out.size);
    put_messages(&prompt, "{\"messages\":[", asked.root, 0, SIZE_MAX);
    put_rest(&prompt, asked.root);
    if (write(its, &prompt, &whole)) {
        check_back(its, &request, asked.root, &whole);
        for (const tw_value *at =
                 tw_value_member(asked.root, "messages")->first;
             at != NULL; at = at->next, number++) {
            if (is_of(at, "assistant")) {
                check_extend(its, &request, asked.root, at, number, &whole);
            }
        }
    }
    tw_tree_free(&asked);
    tw_buffer_free(&request.out, &memory);
    tw_buffer_free(&prompt.out, &memory);
    tw_buffer_free(&whole, &memory);
    return 0;
}
