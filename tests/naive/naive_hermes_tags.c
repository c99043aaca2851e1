/* SPDX-License-Identifier: MIT
 *
 * Hermes, one call whose body is made of tags: Qwen3-Coder and GLM models
 * write them into <tool_call>.  All values are strings.
 */
#include "naive_hermes.h"

#include <stdio.h>
#include <string.h>

enum { NAME_LIMIT = 256, ARGUMENTS_LIMIT = 16 * 1024 * 1024 };

static void diagnose(hermes_call *call, const char *code, size_t at)
{
    naive_diagnose(call->decoder->message, code, at);
}

/* How the two families write a member. */
typedef struct tag_set {
    const char *key_open, *key_close, *value_open, *value_close, *end;
} tag_set;

static const tag_set coder_tags = {"<parameter=", ">", "", "</parameter>",
                                "</function>"};
static const tag_set glm_tags = {"<arg_key>", "</arg_key>", "<arg_value>",
                              "</arg_value>", "</tool_call>"};

/* Where |word| is next, or the limit. */
static size_t find(const hermes_decoder *decoder, size_t at, const char *word)
{
    while (at < decoder->limit && !hermes_starts(decoder, at, word))
        at++;
    return at;
}

/* Blanks, then |word|, |*at| left behind it or at what stands there instead;
 * that is the limit if it cuts the word. */
static bool expect(const hermes_decoder *decoder, size_t *at, const char *word)
{
    size_t left;

    while (*at < decoder->limit && hermes_is_blank(decoder->text[*at]))
        ++*at;
    left = decoder->limit - *at;
    if (hermes_starts(decoder, *at, word)) {
        *at += strlen(word);
        return true;
    }
    if (left < strlen(word) && memcmp(decoder->text + *at, word, left) == 0)
        *at = decoder->limit;
    return false;
}

/* A wire string as JSON.  |cut| by the end: half a code point is no error. */
static void add_json_string(hermes_call *call, size_t at, size_t end,
                            bool is_cut)
{
    naive_bytes *out = &call->arguments.text;

    naive_add_text(out, "\"");
    for (size_t size; at < end; at += size) {
        const char *data = call->decoder->text + at;
        naive_unit unit = naive_utf8(data, end - at, &size);
        char text[8];

        if (unit != NAIVE_WELL_FORMED && !(is_cut && unit == NAIVE_CUT)) {
            diagnose(call, "invalid_utf8", at);
            naive_add_text(out, "\xEF\xBF\xBD");
        } else if (*data == '"' || *data == '\\') {
            naive_add_text(out, *data == '"' ? "\\\"" : "\\\\");
        } else if ((unsigned char)*data >= 0x20) {
            naive_add(out, data, size);
        } else if (*data >= 8 && *data <= 13 && *data != 11) {
            snprintf(text, sizeof text, "\\%c", "btn.fr"[*data - 8]);
            naive_add_text(out, text);
        } else {
            snprintf(text, sizeof text, "\\u%04x", (unsigned)*data);
            naive_add_text(out, text);
        }
    }
    naive_add_text(out, "\"");
    if (out->size > ARGUMENTS_LIMIT)
        hermes_fail(call, "limit_arguments", at);
}

static void begin_tag_arguments(hermes_call *call, size_t at)
{
    if (!call->has_arguments)
        naive_add_text(&call->arguments.text, "{");
    call->has_arguments = true;
    hermes_begin(call, at);
}

/* Values are literal: from one line feed to another, up to the close tag. */
static bool read_tag_value(hermes_call *call, const tag_set *tags, size_t *at)
{
    hermes_decoder *decoder = call->decoder;
    size_t value, end;

    if (*tags->value_open && !expect(decoder, at, tags->value_open))
        return false;
    value = *at;
    if (hermes_starts(decoder, value, "\n"))
        value++;
    end = find(decoder, value, tags->value_close);
    *at = end;
    if (end == decoder->limit) {
        add_json_string(call, value, end, true);
        return false;
    }
    if (end > value && decoder->text[end - 1] == '\n')
        end--;
    add_json_string(call, value, end, false);
    *at += strlen(tags->value_close);
    return true;
}

static bool is_utf8(const char *data, size_t size)
{
    size_t length;

    for (; size > 0; data += length, size -= length)
        if (naive_utf8(data, size, &length) != NAIVE_WELL_FORMED)
            return false;
    return true;
}

/* |*at| is behind the tag that opens the key. */
static bool read_tag_key(hermes_call *call, const tag_set *tags, size_t *at)
{
    hermes_decoder *decoder = call->decoder;
    naive_bytes *out = &call->arguments.text;
    size_t key = *at, end = key;

    while (end < decoder->limit &&
           !hermes_starts(decoder, end, tags->key_close)) {
        if (++end - key > NAME_LIMIT) {
            hermes_fail(call, "syntax_error", end - 1);
            return false;
        }
    }
    if (end == decoder->limit) {
        *at = end;
        return false;
    }
    *at = end + strlen(tags->key_close);
    if (!is_utf8(decoder->text + key, end - key)) {
        hermes_fail(call, "syntax_error", *at - 1);
        *at = key; /* the next tag may stand in what was no key */
        return false;
    }
    begin_tag_arguments(call, *at - 1);
    if (out->data[out->size - 1] != '{')
        naive_add_text(out, ",");
    add_json_string(call, key, end, false);
    naive_add_text(out, ":");
    return true;
}

/* The members, |*at| before a key's opening tag, up to the end of the body. */
static hermes_element read_tag_members(hermes_call *call, const tag_set *tags,
                                       size_t at, size_t *next)
{
    hermes_decoder *decoder = call->decoder;

    while (!expect(decoder, &at, tags->end)) {
        bool whole = expect(decoder, &at, tags->key_open) &&
                     read_tag_key(call, tags, &at) &&
                     read_tag_value(call, tags, &at);

        if (!whole && call->failure)
            return hermes_leave_broken(call, call->failure, at, next);
        if (!whole)
            return hermes_leave(call, at, next);
    }
    begin_tag_arguments(call, at - 1);
    naive_add_text(&call->arguments.text, "}");
    hermes_finish(call, at - 1, at);
    *next = at;
    return HERMES_READ;
}

hermes_element hermes_read_coder(hermes_decoder *decoder, size_t start,
                                 size_t at, size_t *next)
{
    hermes_call call = {.decoder = decoder, .start = start};
    size_t end = at;

    diagnose(&call, "qwen3_coder_body", start);
    while (end < decoder->limit && hermes_is_name_byte(decoder->text[end]))
        end++;
    if (end - at > NAME_LIMIT)
        return hermes_leave_broken(&call, "limit_name", at, next);
    if (end == decoder->limit || decoder->text[end] != '>')
        return hermes_leave(&call, end, next);
    if (end == at)
        return hermes_leave_broken(&call, "syntax_error", end, next);
    naive_add(&call.name, decoder->text + at, end - at);
    return read_tag_members(&call, &coder_tags, end + 1, next);
}

hermes_element hermes_read_glm(hermes_decoder *decoder, size_t start,
                               const char *name, size_t name_size, size_t at,
                               size_t *next)
{
    hermes_call call = {.decoder = decoder, .start = start};

    diagnose(&call, "glm_body", start);
    naive_add(&call.name, name, name_size);
    return read_tag_members(&call, &glm_tags,
                            at - strlen(glm_tags.key_open), next);
}
