/* SPDX-License-Identifier: MIT
 *
 * Which decoder is the second opinion on a format: one that was written for
 * it, or that of descriptions with the format's own.
 */
#include "naive_frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The format's description, as it is built in. */
static bool read_description(const char *name, naive_bytes *json)
{
    naive_bytes path = {0};
    char buffer[4096];
    size_t size;
    FILE *file;

    naive_add_text(&path, GRAMMAR_FOLDER "/");
    for (; *name; name++)
        naive_add(&path, *name == '/' ? "-" : name, 1);
    naive_add_text(&path, ".json");
    file = fopen(path.data, "rb");
    naive_release(&path);
    if (!file)
        return false;
    while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
        naive_add(json, buffer, size);
    fclose(file);
    return true;
}

static const naive_oracle *make(const char *format)
{
    static const struct {
        const char *name;
        naive_decoder *decoder;
        bool dialects; /* of all of them */
    } rows[] = {
        {"gemma4", naive_gemma4, true},
        {"harmony", naive_harmony, true},
        {"hermes", naive_hermes, true},
        {"nemotron", naive_nemotron, false},
        {"mistral/v11", naive_mistral, false},
    };
    const size_t size = strcspn(format, "/");
    const naive_oracle *oracle = NULL;
    naive_bytes json = {0};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, format) == 0 ||
            (rows[i].dialects && strlen(rows[i].name) == size &&
             memcmp(rows[i].name, format, size) == 0)) {
            naive_oracle *own = add_oracle(format);

            own->decoder = rows[i].decoder;
            return own;
        }
    }
    if (read_description(format, &json))
        oracle = naive_of_description(format, json.data, json.size);
    naive_release(&json);
    return oracle;
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
