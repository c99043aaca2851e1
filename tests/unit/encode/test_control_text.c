/* SPDX-License-Identifier: MIT
 *
 * E2: whatever stands in a request, its text is never structure.  Every
 * marker of every dialect, in every field, whole and cut at each place
 * between two fields that meet on the wire: it is refused, escaped, broken
 * or, where that is asked for, written as text, but the markers of the
 * prompt are those of the same request without it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "messages/segments.h"
#include "formats/format.h"
#include "naive/naive.h"
#include "toolwire.h"

typedef struct field {
    const char *name;
    bool assistant;      /* templates cut reasoning out of such text */
    const char *request; /* `@` is the text, `#` what follows it elsewhere */
} field;

#define USER "{\"role\":\"user\",\"content\":\"Hi.\"}"
#define CALL(name, arguments)                                           \
    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":" \
    "\"call_0\",\"type\":\"function\",\"function\":{\"name\":\"" name   \
    "\",\"arguments\":" arguments "}}]}"
#define RESULT(content)                                              \
    "{\"role\":\"tool\",\"tool_call_id\":\"call_0\",\"name\":\"f\"," \
    "\"content\":" content "}"
#define TOOL(name, about, parameters)                                       \
    "{\"type\":\"function\",\"function\":{\"name\":\"" name                 \
    "\",\"description\":\"" about "\",\"parameters\":{\"type\":\"object\"," \
    "\"properties\":{" parameters "}}}}"
#define MESSAGES(list) "{\"messages\":[" list "]}"
#define WITH_TOOL(tool) "{\"messages\":[" USER "],\"tools\":[" tool "]}"

static const field fields[] = {
    {"system", false,
     MESSAGES("{\"role\":\"system\",\"content\":\"a@#b\"}," USER)},
    {"user", false, MESSAGES("{\"role\":\"user\",\"content\":\"a@#b\"}")},
    {"user, all of it", false,
     MESSAGES("{\"role\":\"user\",\"content\":\"@#\"}")},
    {"assistant", true,
     MESSAGES(USER ",{\"role\":\"assistant\",\"content\":\"a@#b\"}")},
    {"reasoning", false,
     MESSAGES(USER ",{\"role\":\"assistant\",\"content\":\"b\","
                   "\"reasoning_content\":\"a@#b\"}")},
    {"reasoning of a call", false,
     MESSAGES(USER ",{\"role\":\"assistant\",\"content\":null,"
                   "\"reasoning_content\":\"a@#b\",\"tool_calls\":[{\"id\":"
                   "\"call_0\",\"type\":\"function\",\"function\":{\"name\":"
                   "\"f\",\"arguments\":\"{}\"}}]}")},
    {"name", false, MESSAGES(USER "," CALL("a@#b", "\"{}\""))},
    {"key", false, MESSAGES(USER "," CALL("f", "{\"a@#b\":1}"))},
    {"nested key", false,
     MESSAGES(USER "," CALL("f", "{\"k\":{\"a@#b\":1}}"))},
    {"string", false, MESSAGES(USER "," CALL("f", "{\"k\":\"a@#b\"}"))},
    {"string in a list", false,
     MESSAGES(USER "," CALL("f", "{\"k\":[\"@#\"]}"))},
    {"result", false,
     MESSAGES(USER "," CALL("f", "{}") "," RESULT("\"a@#b\""))},
    {"result in parts", false,
     MESSAGES(USER "," CALL("f", "{}") "," RESULT(
         "[{\"type\":\"text\",\"text\":\"a@\"},"
         "{\"type\":\"text\",\"text\":\"#b\"}]"))},
    {"user in parts", false,
     MESSAGES("{\"role\":\"user\",\"content\":[{\"type\":\"text\","
              "\"text\":\"a@\"},{\"type\":\"text\",\"text\":\"#b\"}]}")},
    {"assistant in parts", true,
     MESSAGES(USER ",{\"role\":\"assistant\",\"content\":[{\"type\":"
                   "\"text\",\"text\":\"a@\"},{\"type\":\"text\",\"text\":"
                   "\"#b\"}]}")},
    {"two assistants", true,
     MESSAGES(USER ",{\"role\":\"assistant\",\"content\":\"a@\"},"
                   "{\"role\":\"assistant\",\"content\":\"#b\"}")},
    {"tool name", false, WITH_TOOL(TOOL("a@#b", "d", ""))},
    {"tool description", false, WITH_TOOL(TOOL("f", "a@#b", ""))},
    {"property", false,
     WITH_TOOL(TOOL("f", "d", "\"a@#b\":{\"type\":\"string\"}"))},
    {"property description", false,
     WITH_TOOL(TOOL("f", "d",
                    "\"p\":{\"type\":\"string\",\"description\":\"a@#b\"}"))},
    {"enum", false,
     WITH_TOOL(
         TOOL("f", "d", "\"p\":{\"type\":\"string\",\"enum\":[\"@#\"]}"))},
    {"default", false,
     WITH_TOOL(
         TOOL("f", "d", "\"p\":{\"type\":\"string\",\"default\":\"a@#b\"}"))},
    {"identity", false,
     "{\"messages\":[" USER "],\"chat_template_kwargs\":"
     "{\"model_identity\":\"a@#b\",\"date\":\"a@#b\"}}"},
};

/* A user's message and an assistant's, nothing else. */
static bool is_answer(const field *row)
{
    static const char front[] =
        "{\"messages\":[" USER ",{\"role\":\"assistant\"";
    return strncmp(row->request, front, sizeof front - 1) == 0 &&
           strstr(row->request + sizeof front - 1, "\"role\"") == NULL;
}

/* ---- requests ----------------------------------------------------------- */

static void add_escaped(naive_bytes *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"' || text[i] == '\\') {
            naive_add_text(out, "\\");
        }
        naive_add(out, &text[i], 1);
    }
}

/* Without the user's message where |format| has completions only. */
static naive_bytes request_of(const tw_format *format, const field *row,
                              const char *text, size_t cut, size_t size)
{
    naive_bytes request = {0};
    for (const char *at = row->request; *at != 0; at++) {
        if (!tw_format_has_prompts(format) &&
            strncmp(at, USER ",", sizeof USER) == 0) {
            at += sizeof USER - 1;
        } else if (*at == '@') {
            add_escaped(&request, text, cut);
        } else if (*at == '#') {
            add_escaped(&request, text + cut, size - cut);
        } else {
            naive_add(&request, at, 1);
        }
    }
    return request;
}

/* ---- what the prompt's markers are -------------------------------------- */

typedef struct prompt {
    naive_bytes controls;
    naive_bytes text; /* all of it */
} prompt;

static void take_segments(prompt *to, tw_encoder *encoder)
{
    const tw_segment *segment;
    while (tw_encoder_next(encoder, &segment) == 1) {
        naive_add(&to->text, segment->data, segment->size);
        if (segment->control != 0) {
            naive_add(&to->controls, segment->data, segment->size);
        }
    }
}

static void release_prompt(prompt *its)
{
    naive_release(&its->controls);
    naive_release(&its->text);
}

/* How often |marker| stands in the prompt, as whatever it counts. */
static size_t count_of(const prompt *its, const tw_marker *marker)
{
    size_t count = 0;
    for (size_t at = 0; at + marker->size <= its->text.size; at++) {
        count += memcmp(its->text.data + at, marker->text, marker->size) == 0;
    }
    return count;
}

/* False: it was refused. */
static bool read_prompt(tw_encoder *encoder, const naive_bytes *request,
                        prompt *its)
{
    const int result =
        tw_encoder_request(encoder, request->data, request->size);
    its->controls.size = its->text.size = 0;
    if (result == TW_ERROR_CONTROL_TEXT || result == TW_ERROR_CANNOT_CARRY) {
        cr_expect_not_null(tw_encoder_error(encoder)->path);
        return false;
    }
    cr_expect_eq(result, TW_OK, "%.*s: %d", (int)request->size, request->data,
                 result);
    take_segments(its, encoder);
    return true;
}

static bool same_controls(const prompt *a, const prompt *b)
{
    const size_t size = a->controls.size;
    return size == b->controls.size &&
           (size == 0 ||
            memcmp(a->controls.data, b->controls.data, size) == 0);
}

static size_t tried;
static size_t refused;
static size_t template_refused; /* an order of messages or an id, whatever
                                   the texts say */

static void check(tw_encoder *encoder, const field *row,
                  const tw_marker *marker, size_t cut, const tw_format *of)
{
    const char *format = tw_format_name(of);
    char harmless[256];
    cr_assert_leq(marker->size, sizeof harmless);
    memset(harmless, 'x', sizeof harmless);
    naive_bytes plain = request_of(of, row, harmless, cut, marker->size);
    naive_bytes forged = request_of(of, row, marker->text, cut, marker->size);
    prompt wanted = {0};
    prompt found = {0};
    const int result =
        of->prompt != NULL
            ? tw_encoder_request(encoder, plain.data, plain.size)
            : TW_OK;
    const bool refuses =
        result == TW_ERROR_TEMPLATE || result == TW_ERROR_CANNOT_CARRY;
    template_refused += refuses;
    for (int64_t policy = refuses ? TW_CONTROL_TEXT_BREAK + 1 : 0;
         policy <= TW_CONTROL_TEXT_BREAK; policy++) {
        tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, policy);
        const bool plain_is_fine = read_prompt(encoder, &plain, &wanted);
        cr_expect(plain_is_fine, "%s, %s: the plain one is refused", format,
                  row->name);
        const bool written = read_prompt(encoder, &forged, &found);
        refused += !written;
        tried++;
        cr_expect(written || policy != TW_CONTROL_TEXT_ALLOW,
                  "%s, %s, %s: refused though allowed", format, row->name,
                  marker->text);
        cr_expect(!written || same_controls(&found, &wanted),
                  "%s, %s, %s cut at %zu, policy %d: %.*s, not %.*s", format,
                  row->name, marker->text, cut, (int)policy,
                  (int)found.controls.size, found.controls.data,
                  (int)wanted.controls.size, wanted.controls.data);
        cr_expect(!written || policy == TW_CONTROL_TEXT_ALLOW ||
                      count_of(&found, marker) == count_of(&wanted, marker),
                  "%s, %s, %s cut at %zu, policy %d: it stands in the text",
                  format, row->name, marker->text, cut, (int)policy);
    }
    naive_release(&plain);
    naive_release(&forged);
    release_prompt(&wanted);
    release_prompt(&found);
}

/* Whole, and at each place. */
static void check_marker(tw_encoder *encoder, const tw_marker *marker,
                         const tw_format *format)
{
    const bool thinks = marker->role == TW_MARKER_REASONING_OPEN ||
                        marker->role == TW_MARKER_REASONING_CLOSE;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if ((thinks && fields[i].assistant) ||
            (!tw_format_has_prompts(format) && !is_answer(&fields[i]))) {
            continue;
        }
        check(encoder, &fields[i], marker, marker->size, format);
        if (strstr(fields[i].request, "@#") == NULL) {
            for (size_t cut = 0; cut < marker->size; cut++) {
                /* No half of a code point is JSON. */
                if (((uint8_t)marker->text[cut] & 0xC0) != 0x80) {
                    check(encoder, &fields[i], marker, cut, format);
                }
            }
        }
    }
}

Test(control_text, is_never_structure)
{
    enum { STEP = TESTS_SHARE > 4 ? 3 : 1 }; /* under sanitizers some */
    const tw_format *format;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i += STEP) {
        const tw_marker *marker = NULL;
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        cr_assert_not_null(encoder);
        for (size_t m = 0; tw_format_marker(format, m, &marker) == 1; m++) {
            if (!tw_marker_is_plain(marker)) {
                check_marker(encoder, marker, format);
            }
        }
        tw_encoder_free(encoder);
    }
    cr_expect_gt(tried, 2000 / STEP);
    cr_expect_gt(refused, 500 / STEP);
    cr_expect_lt(template_refused, tried / 10);
}

/* ---- arguments ---------------------------------------------------------- */

#define TWO_ARGUMENTS "{\"k\":\"vvvv\",\"evil\":\"xxxx\"}"

/* What an assistant's message with such a call is on the wire; false: it is
 * refused. */
static bool write_call(tw_encoder *encoder, const char *content,
                       const char *arguments, naive_bytes *wire)
{
    naive_bytes json = {0};
    const char *text;
    size_t size;
    naive_add_text(&json, "{\"role\":\"assistant\",\"content\":\"");
    add_escaped(&json, content, strlen(content));
    naive_add_text(&json, "\",\"tool_calls\":[{\"type\":\"function\","
                          "\"function\":{\"name\":\"f\",\"arguments\":");
    naive_add_text(&json, arguments);
    naive_add_text(&json, "}}]}");
    wire->size = 0;
    const int result =
        tw_encode_completion(encoder, json.data, json.size, &text, &size);
    if (result == TW_OK) {
        naive_add(wire, text, size);
    }
    naive_release(&json);
    return result == TW_OK;
}

/* A string that ends where the first argument does, and has the second one
 * behind that; false: the wire has no place for it. */
static bool forge(const naive_bytes *wire, naive_bytes *arguments)
{
    const char *from = wire->size > 0 ? strstr(wire->data, "vvvv") : NULL;
    const char *to = from != NULL ? strstr(from, "xxxx") : NULL;
    if (to == NULL) {
        return false;
    }
    naive_add_text(arguments, "{\"k\":\"");
    for (; from < to; from++) {
        if (*from == '\n') {
            naive_add_text(arguments, "\\n");
        } else {
            add_escaped(arguments, from, 1);
        }
    }
    naive_add_text(arguments, "xxxx\"}");
    return true;
}

/* Does a decoder find the second argument? */
static bool has_second(const tw_format *format, const naive_bytes *wire)
{
    tw_decoder *decoder = tw_decoder_new(format, NULL);
    tw_writer *writer = tw_writer_new(TW_SHAPE_MESSAGE, NULL);
    const char *line;
    size_t size;
    cr_assert_eq(tw_decode_message(decoder, writer, wire->data, wire->size,
                                   &line, &size),
                 TW_OK);
    naive_bytes message = {0};
    naive_add(&message, line, size);
    const bool found = strstr(message.data, "\\\"evil\\\":") != NULL;
    naive_release(&message);
    tw_writer_free(writer);
    tw_decoder_free(decoder);
    return found;
}

/* What is broken is not read back: so the tags of arguments are broken, too.
 */
Test(control_text, is_never_an_argument)
{
    const tw_format *format;
    size_t written = 0;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        const tw_marker *marker;
        tw_encoder *encoder = tw_encoder_new(format, NULL);
        naive_bytes wire = {0};
        naive_bytes forged = {0};
        tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, TW_CONTROL_TEXT_BREAK);
        if (tw_format_marker(format, 0, &marker) == 1 &&
            write_call(encoder, "", TWO_ARGUMENTS, &wire) &&
            has_second(format, &wire) && forge(&wire, &forged) &&
            write_call(encoder, marker->text, forged.data, &wire)) {
            cr_expect(!has_second(format, &wire), "%s: %.*s",
                      tw_format_name(format), (int)wire.size, wire.data);
            written++;
        }
        naive_release(&wire);
        naive_release(&forged);
        tw_encoder_free(encoder);
    }
    cr_expect_gt(written, 30);
}
