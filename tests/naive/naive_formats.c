/* SPDX-License-Identifier: MIT
 *
 * Which decoder is the second opinion on a format: one that was written for
 * it, or that of descriptions with the format's own.
 */
#include "naive_frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolwire.h"

typedef void naive_decoder(const naive_options *, const char *text,
                           size_t size, naive_message *out);

struct naive_oracle {
    naive_bytes name;
    naive_decoder *decoder;        /* NULL: by the description */
    frame_description description;
    naive_oracle *next;
};

/* All that were asked for. */
static naive_oracle *oracles;

static naive_oracle *add_oracle(const char *name)
{
    naive_oracle *oracle = naive_grow(NULL, sizeof *oracle);

    *oracle = (naive_oracle){.next = oracles};
    naive_add_text(&oracle->name, name);
    oracles = oracle;
    return oracle;
}

const naive_oracle *naive_of_description(const char *name, const char *json,
                                         size_t size)
{
    naive_oracle *oracle;
    frame_description description;
    const char *error;

    if (!frame_load(json, size, &description, &error)) {
        fprintf(stderr, "%s: %s\n", name, error);
        return NULL;
    }
    oracle = add_oracle(name);
    oracle->description = description;
    return oracle;
}

/* Its description is what the library prints of it. */
static const naive_oracle *make_described(const char *name)
{
    const tw_format *format = tw_format_find(name);
    const size_t size = format ? tw_format_describe(format, NULL, 0) : 0;
    const naive_oracle *oracle = NULL;
    char *json;

    if (size == 0)
        return NULL;
    json = naive_grow(NULL, size + 1);
    if (tw_format_describe(format, json, size + 1) == size)
        oracle = naive_of_description(name, json, size);
    free(json);
    return oracle;
}

static const naive_oracle *make(const char *format)
{
    static const struct {
        const char *name;
        naive_decoder *decoder;
    } rows[] = {{"harmony", naive_harmony}};
    const size_t size = strcspn(format, "/");

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strlen(rows[i].name) == size &&
            memcmp(rows[i].name, format, size) == 0) {
            naive_oracle *own = add_oracle(format);

            own->decoder = rows[i].decoder;
            return own;
        }
    }
    return make_described(format);
}

const naive_oracle *naive_of(const char *format)
{
    for (const naive_oracle *at = oracles; at; at = at->next)
        if (strcmp(at->name.data, format) == 0)
            return at;
    return make(format);
}

void naive_decode(const naive_oracle *oracle, const naive_options *options,
                  const char *text, size_t size, naive_message *out)
{
    frame_options given = {.start_reasoning = options->start_reasoning,
                           .length = options->length,
                           .untyped_json = options->untyped_json};
    naive_tree tools = {0};

    if (oracle->decoder) {
        oracle->decoder(options, text, size, out);
        return;
    }
    if (options->has_tools && options->declared &&
        naive_tree_read(options->declared, strlen(options->declared), &tools))
        given.tools = &tools;
    naive_frame(&oracle->description, &given, text, size, out);
    naive_tree_release(&tools);
    out->undiagnosed = true;
}

bool naive_is_described(const naive_oracle *oracle)
{
    return !oracle->decoder;
}
