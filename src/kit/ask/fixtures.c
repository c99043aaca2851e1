/* SPDX-License-Identifier: MIT
 *
 * Shapes of cases are told apart by the member that holds the wire.
 */
#include "kit/ask/fixtures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascii.h"
#include "core/utf8.h"
#include "kit/tools.h"
#include "kit/ask/yaml.h"

/* ---- parts -------------------------------------------------------------- */

static const tw_value *string(const tw_value *of, const char *key)
{
    return tw_value_if(tw_value_member(of, key), TW_VALUE_STRING);
}

static const tw_value *list(const tw_value *of, const char *key)
{
    return tw_value_if(tw_value_member(of, key), TW_VALUE_ARRAY);
}

/* Letters and digits are the same, in any case: `glm47` is glm/4.7. */
static bool is_spelt_as(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a != '\0' && !tw_is_alnum(*a)) {
            a++;
        }
        while (*b != '\0' && !tw_is_alnum(*b)) {
            b++;
        }
        if (*a == '\0' || *b == '\0' || (*a | 0x20) != (*b | 0x20)) {
            return *a == *b;
        }
    }
}

static const tw_format *find_format(const char *name)
{
    const tw_format *found = tw_format_find(name);
    for (size_t i = 0; found == NULL && tw_format_at(i) != NULL; i++) {
        found = is_spelt_as(name, tw_format_name(tw_format_at(i)))
                    ? tw_format_at(i)
                    : NULL;
    }
    return found;
}

static int digit(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* Appends what is written in base64, unmarked.  False: it is none, or there is
 * no memory. */
static bool append_base64(kit_wire *wire, const tw_memory *memory,
                          const tw_value *text)
{
    uint32_t bits = 0;
    size_t have = 0;
    size_t size = text->size;
    while (size > 0 && text->text[size - 1] == '=') {
        size--;
    }
    for (size_t i = 0; i < size; i++) {
        const int six = digit(text->text[i]);
        bits = bits << 6 | (uint32_t)six;
        have += 6;
        if (six < 0) {
            return false;
        }
        if (have >= 8) {
            have -= 8;
            const char byte = (char)(bits >> have & 255);
            if (!kit_wire_append(wire, memory, &byte, 1, KIT_PLAIN)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- the kit's own lines ------------------------------------------------ */

/* [from, to] of each token, as kit_jot_question() has them. */
static bool mark_tokens(kit_wire *wire, const tw_value *special)
{
    const tw_value *pair = special != NULL ? special->first : NULL;
    for (; pair != NULL; pair = pair->next) {
        const size_t from = tw_value_length(pair) == 2
                                ? strtoull(pair->first->text, NULL, 10)
                                : SIZE_MAX;
        const size_t to =
            from < SIZE_MAX ? strtoull(pair->last->text, NULL, 10) : SIZE_MAX;
        if (from >= to || to > wire->bytes.size) {
            return false;
        }
        memset(wire->marks.data + from, KIT_TOKEN_REST, to - from);
        wire->marks.data[from] = KIT_TOKEN;
    }
    return true;
}

static bool dump(tw_buffer *to, const tw_memory *memory, const tw_value *value)
{
    to->size = 0;
    return value == NULL || tw_value_dump(to, memory, value, &tw_dump_compact);
}

/* An output: the case's own, or the other one of it. */
static bool read_turn(kit_turn *turn, const tw_memory *memory,
                      const tw_value *of)
{
    const tw_value *whole = string(of, "wire_b64");
    const tw_value *chunks = list(of, "chunks");
    const tw_value *finish = string(of, "finish");
    bool good = whole == NULL || append_base64(&turn->wire, memory, whole);
    for (const tw_value *at = chunks != NULL ? chunks->first : NULL;
         at != NULL && good && whole == NULL; at = at->next) {
        good = tw_value_is_a(at, TW_VALUE_STRING) &&
               append_base64(&turn->wire, memory, at);
    }
    turn->inside = string(of, "start") != NULL;
    turn->cut = finish != NULL && tw_value_is(finish, "length");
    return good && mark_tokens(&turn->wire, list(of, "special")) &&
           dump(&turn->tools, memory, list(of, "tools"));
}

static void read_cuts(kit_case *one, const tw_value *cuts)
{
    const tw_value *at = cuts != NULL ? cuts->first : NULL;
    size_t last = 0;
    for (; at != NULL && one->cut_count < KIT_CUTS; at = at->next) {
        const size_t cut = tw_value_is_a(at, TW_VALUE_NUMBER)
                               ? strtoull(at->text, NULL, 10)
                               : 0;
        if (cut > last && cut < one->its.wire.bytes.size) {
            last = one->cuts[one->cut_count++] = cut;
        }
    }
}

static bool read_own(kit_case *one, const tw_memory *memory,
                     const tw_value *of)
{
    const tw_value *name = string(of, "class");
    const tw_value *accept = string(of, "accept");
    const tw_value *due = tw_value_member(of, "due");
    const kit_class kind =
        name != NULL ? kit_class_find(name->text) : KIT_LEGAL;
    const tw_value *other =
        tw_value_member(of, kind == KIT_REUSE ? "before" : "beside");
    one->kind = kind == KIT_CLASSES ? KIT_LEGAL : kind;
    one->its.due.calls = tw_value_is_a(due, TW_VALUE_NUMBER)
                             ? strtoull(due->text, NULL, 10)
                             : 0;
    if (!read_turn(&one->its, memory, of) ||
        (other != NULL && !read_turn(&one->other, memory, other)) ||
        (accept != NULL && !kit_accept_find(accept->text, &one->accept)) ||
        !dump(&one->its.due.spoken, memory, tw_value_member(of, "spoken"))) {
        return false;
    }
    if (other == NULL && (kind == KIT_REUSE || kind == KIT_INTERLEAVED)) {
        one->kind = KIT_LEGAL;
    }
    read_cuts(one, list(of, "cuts"));
    const tw_value *message = tw_value_member(of, "message");
    return !tw_value_is_a(message, TW_VALUE_OBJECT) ||
           dump(&one->its.message, memory, message);
}

/* ---- conformance cases, and Dynamo's ------------------------------------ */

/* OpenAI's list, of tools that may be names alone, or without what OpenAI puts
 * around them. */
static bool read_tools(tw_buffer *to, const tw_memory *memory,
                       const tw_value *tools)
{
    tw_json_out out = {.memory = memory};
    const tw_value *at = tools != NULL ? tools->first : NULL;
    tw_json_put(&out, "[");
    for (; at != NULL; at = at->next) {
        const bool named = at->kind == TW_VALUE_STRING;
        const bool bare = named || tw_value_member(at, "function") == NULL;
        tw_json_put(&out, at->index > 0 ? "," : "");
        tw_json_put(&out, bare ? "{\"type\":\"function\",\"function\":" : "");
        tw_json_put(&out, named ? "{\"name\":" : "");
        tw_json_put_value(&out, at);
        tw_json_put(&out, named ? "}" : "");
        tw_json_put(&out, bare ? "}" : "");
    }
    tw_json_put(&out, "]");
    *to = out.out;
    return !out.failed;
}

static bool append_text(kit_case *one, const tw_memory *memory,
                        const tw_value *text)
{
    return kit_wire_append_words(&one->its.wire, memory, one->format,
                                 text->text, text->size);
}

/* As tests/conformance has them: null and "" are the same. */
static kit_fixture read_conformance(kit_case *one, const tw_memory *memory,
                                    const tw_value *of)
{
    const tw_value *options = tw_value_member(of, "options");
    const tw_value *expect = tw_value_member(of, "expect");
    const tw_value *calls = list(expect, "tool_calls");
    const tw_value *call = calls != NULL ? calls->first : NULL;
    const tw_value *option =
        tw_value_is_a(options, TW_VALUE_OBJECT) ? options->first : NULL;
    for (; option != NULL; option = option->next) {
        if (!tw_value_is_named(
                option,
                (const char *const[]){"start", "tools", "finish", NULL})) {
            return KIT_FIXTURE_PASSED; /* a parser is not told of it */
        }
    }
    for (; call != NULL; call = call->next) {
        if (!tw_value_is_a(tw_value_member(call, "arguments"),
                           TW_VALUE_OBJECT)) {
            return KIT_FIXTURE_PASSED;
        }
    }
    const tw_value *finish = string(options, "finish");
    one->its.inside = string(options, "start") != NULL;
    one->its.cut = finish != NULL && tw_value_is(finish, "length");
    if (!tw_value_is_a(expect, TW_VALUE_OBJECT) ||
        tw_value_member(expect, "custom_calls") != NULL) {
        return KIT_FIXTURE_PASSED;
    }
    return append_text(one, memory, string(of, "input")) &&
                   read_tools(&one->its.tools, memory,
                              list(options, "tools")) &&
                   dump(&one->its.message, memory, expect)
               ? KIT_FIXTURE_READ
               : KIT_FIXTURE_BAD;
}

/* Texts of a list of parts are one text. */
static void put_joined(tw_json_out *out, const char *key,
                       const tw_value *parts, const char *kind)
{
    tw_buffer text = {0};
    const tw_value *at = parts->first;
    for (; at != NULL; at = at->next) {
        const tw_value *its = string(at, "text");
        if (its != NULL && tw_value_is(tw_value_member(at, "kind"), kind)) {
            out->failed |=
                !tw_buffer_append(&text, out->memory, its->text, its->size);
        }
    }
    tw_json_put(out, key);
    tw_json_put_string(out, text.size > 0 ? (const char *)text.data : "",
                       text.size);
    tw_buffer_free(&text, out->memory);
}

static void put_calls(tw_json_out *out, const tw_value *list, bool of_kinds)
{
    const char *comma = "";
    const tw_value *at = list != NULL ? list->first : NULL;
    tw_json_put(out, ",\"tool_calls\":[");
    for (; at != NULL; at = at->next) {
        if (!of_kinds ||
            tw_value_is(tw_value_member(at, "kind"), "tool_call")) {
            tw_json_put(out, comma);
            tw_json_put_value(out, at);
            comma = ",";
        }
    }
    tw_json_put(out, "]}");
}

/* What is expected as a message; false: there is nothing that can be. */
static bool read_expected(tw_buffer *to, const tw_memory *memory,
                          const tw_value *of)
{
    tw_json_out out = {.memory = memory};
    const tw_value *parts = list(tw_value_member(of, "golden"), "assembled");
    const tw_value *expected = tw_value_member(of, "expected");
    const tw_value *dynamo = tw_value_member(expected, "dynamo");
    expected = dynamo != NULL ? dynamo : expected;
    const tw_value *text = string(expected, "normal_text");
    const tw_value *thought = string(expected, "reasoning_text");
    if (parts != NULL) {
        put_joined(&out, "{\"content\":", parts, "text");
        put_joined(&out, ",\"reasoning\":", parts, "reasoning");
        put_calls(&out, parts, true);
    } else if (text != NULL) {
        tw_json_put(&out, "{\"content\":");
        tw_json_put_value(&out, text);
        tw_json_put(&out, thought != NULL ? ",\"reasoning\":" : "");
        if (thought != NULL) {
            tw_json_put_value(&out, thought);
        }
        put_calls(&out, list(expected, "calls"), false);
    }
    *to = out.out;
    return !out.failed && out.out.size > 0;
}

/* Dynamo's: the first kind has |model_text| or the texts of its chunks, the
 * second a |request|. */
static kit_fixture read_dynamo(kit_case *one, const tw_memory *memory,
                               const tw_value *of)
{
    const tw_value *request = tw_value_member(of, "request");
    const tw_value *from = request != NULL ? request : of;
    const tw_value *text =
        string(from, request != NULL ? "input" : "model_text");
    const tw_value *chunks = text == NULL ? list(from, "chunks") : NULL;
    const tw_value *start =
        string(tw_value_member(from, "init"), "starting_state");
    const tw_value *finish = string(from, "finish_reason");
    const tw_value *at = chunks != NULL ? chunks->first : NULL;
    if ((text == NULL && chunks == NULL) ||
        !read_expected(&one->its.message, memory, of)) {
        return KIT_FIXTURE_PASSED;
    }
    bool good = text == NULL || append_text(one, memory, text);
    tw_buffer joined = {0};
    for (; at != NULL && good; at = at->next) {
        const tw_value *delta = string(at, "delta_text");
        good = delta == NULL ||
               tw_buffer_append(&joined, memory, delta->text, delta->size);
        if (joined.size > 0 && at->next != NULL && one->cut_count < KIT_CUTS) {
            one->cuts[one->cut_count++] = joined.size;
        }
    }
    good =
        good && kit_wire_append_words(&one->its.wire, memory, one->format,
                                      (const char *)joined.data, joined.size);
    tw_buffer_free(&joined, memory);
    one->its.inside = start != NULL && !tw_value_is(start, "None");
    one->its.cut = finish != NULL && tw_value_is(finish, "length");
    return good && read_tools(&one->its.tools, memory, list(from, "tools"))
               ? KIT_FIXTURE_READ
               : KIT_FIXTURE_BAD;
}

/* ---- files -------------------------------------------------------------- */

/* Is the first line a case by itself? */
static bool has_lines(kit_fixtures *its)
{
    const char *end = memchr(its->text, '\n', its->size);
    const size_t size = end != NULL ? (size_t)(end - its->text) : its->size;
    return tw_tree_read(&its->tree, its->text, size, false) == TW_OK &&
           tw_value_is_a(its->tree.root, TW_VALUE_OBJECT) &&
           tw_value_member(its->tree.root, "cases") == NULL;
}

static bool open_document(kit_fixtures *its)
{
    tw_json_out json = {.memory = its->memory};
    kit_yaml_error error = {"no memory", 1, 1};
    const bool good = kit_yaml_read(&json, its->text, its->size, &error) &&
                      tw_tree_read(&its->tree, (const char *)json.out.data,
                                   json.out.size, false) == TW_OK;
    const tw_value *cases =
        good ? tw_value_member(its->tree.root, "cases") : NULL;
    tw_buffer_free(&json.out, its->memory);
    if (!good) {
        snprintf(its->why, sizeof its->why, "line %zu, column %zu: %s",
                 error.line, error.column, error.why);
    } else if (!tw_value_is_a(cases, TW_VALUE_OBJECT)) {
        snprintf(its->why, sizeof its->why,
                 "it has neither cases in lines nor a mapping `cases`");
    } else {
        its->next = cases->first;
    }
    return its->why[0] == '\0';
}

bool kit_fixtures_open(kit_fixtures *its, const tw_memory *memory,
                       const char *text, size_t size)
{
    memset(its, 0, sizeof *its);
    its->memory = memory;
    its->text = text;
    its->size = size;
    tw_tree_init(&its->tree, memory);
    its->lines = has_lines(its);
    return its->lines || open_document(its);
}

void kit_fixtures_free(kit_fixtures *its)
{
    tw_tree_free(&its->tree);
}

static kit_fixture bad(kit_fixtures *its, const kit_case *one, const char *why)
{
    if (its->lines) {
        snprintf(its->why, sizeof its->why, "line %zu: %s", its->line, why);
    } else {
        snprintf(its->why, sizeof its->why, "case '%s': %s", one->id, why);
    }
    return KIT_FIXTURE_BAD;
}

/* The next case that is there; NULL: none is, or a line is bad. */
static const tw_value *take_next(kit_fixtures *its, bool *good)
{
    *good = true;
    if (!its->lines) {
        const tw_value *next = its->next;
        its->next = next != NULL ? next->next : NULL;
        return next;
    }
    while (its->at < its->size) {
        const char *from = its->text + its->at;
        const char *end = memchr(from, '\n', its->size - its->at);
        const size_t size =
            end != NULL ? (size_t)(end - from) : its->size - its->at;
        its->at += size + (end != NULL ? 1 : 0);
        its->line++;
        if (size > 0) {
            *good = tw_tree_read(&its->tree, from, size, false) == TW_OK;
            return *good ? its->tree.root : NULL;
        }
    }
    return NULL;
}

static kit_fixture read_case(kit_case *one, const tw_memory *memory,
                             const tw_value *of)
{
    if (string(of, "wire_b64") != NULL) {
        return read_own(one, memory, of) ? KIT_FIXTURE_READ : KIT_FIXTURE_BAD;
    }
    return string(of, "input") != NULL ? read_conformance(one, memory, of)
                                       : read_dynamo(one, memory, of);
}

kit_fixture kit_fixtures_next(kit_fixtures *its, kit_case *one,
                              const tw_format *format)
{
    bool good;
    const tw_value *of = take_next(its, &good);
    kit_case_free(one, its->memory);
    kit_case_init(one);
    if (!good) {
        return bad(its, one, "it is no JSON");
    }
    if (of == NULL) {
        return KIT_FIXTURE_END;
    }
    const tw_value *id = string(of, "id");
    const tw_value *name =
        its->lines ? string(of, "format") : string(its->tree.root, "family");
    snprintf(one->id, sizeof one->id, "%.60s",
             !its->lines  ? of->key
             : id != NULL ? id->text
                          : "case");
    one->format = format != NULL ? format
                  : name != NULL ? find_format(name->text)
                                 : NULL;
    if (one->format == NULL) {
        char why[120];
        snprintf(why, sizeof why, "-f FORMAT is due: '%.40s' is none",
                 name != NULL ? name->text : "");
        return bad(its, one, why);
    }
    const kit_fixture result = read_case(one, its->memory, of);
    return result == KIT_FIXTURE_BAD ? bad(its, one, "it is no such case")
                                     : result;
}

/* ---- written ------------------------------------------------------------ */

bool kit_jot_fixture(tw_json_out *out, tw_tree *scratch, const kit_case *one)
{
    const tw_buffer *wire = &one->its.wire.bytes;
    const tw_buffer *message = &one->its.message;
    const bool fits = one->accept == KIT_EXACT && one->kind != KIT_REUSE &&
                      one->kind != KIT_INTERLEAVED && !one->its.inside &&
                      tw_utf8_is_valid((const char *)wire->data, wire->size);
    if (!fits) {
        return false;
    }
    tw_json_put(out, "  ");
    tw_json_put_string(out, one->id, strlen(one->id));
    tw_json_put(out, ":\n    description: ");
    tw_json_put_string(out, kit_class_name(one->kind),
                       strlen(kit_class_name(one->kind)));
    tw_json_put(out, "\n    model_text: ");
    tw_json_put_string(out, (const char *)wire->data, wire->size);
    tw_json_put(out, "\n    tools: ");
    kit_jot_tools(out, scratch, message);
    out->failed |= tw_tree_read(scratch, (const char *)message->data,
                                message->size, false) != TW_OK;
    const tw_value *root = out->failed ? NULL : scratch->root;
    const tw_value *text = string(root, "content");
    const tw_value *thought = string(root, "reasoning_content");
    const tw_value *calls = list(root, "tool_calls");
    tw_json_put(out, "\n    expected:\n      dynamo:\n        normal_text: ");
    tw_json_put_string(out, text != NULL ? text->text : "",
                       text != NULL ? text->size : 0);
    if (thought != NULL) {
        tw_json_put(out, "\n        reasoning_text: ");
        tw_json_put_string(out, thought->text, thought->size);
    }
    tw_json_put(out, "\n        calls: [");
    for (const tw_value *at = calls != NULL ? calls->first : NULL; at != NULL;
         at = at->next) {
        tw_json_put(out, at->index > 0 ? ",\n          " : "\n          ");
        tw_json_put_value(out, tw_value_member(at, "function"));
    }
    tw_json_put(out, "]\n");
    return !out->failed;
}
