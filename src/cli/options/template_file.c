/* SPDX-License-Identifier: MIT
 *
 * A model's folder has its template in chat_template.jinja, or within
 * tokenizer_config.json or chat_template.json; the first of these two also
 * tells the special tokens.  Templates with a name may stand in a folder of
 * their own.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/options/template_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/io.h"
#include "cli/files/paths.h"
#include "cli/files/print.h"

enum { LONGEST = 16 << 20 };

typedef struct held {
    char *path;
    char *text; /* NULL: it was not read */
    size_t size;
} held;

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* FOLDER/NAME in |out|. */
static int join(held *out, const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    out->path = malloc(size);
    if (out->path == NULL) {
        return cli_no_memory();
    }
    strcpy(out->path, folder);
    if (folder[0] != 0 && folder[strlen(folder) - 1] != '/') {
        strcat(out->path, "/");
    }
    strcat(out->path, name);
    return CLI_FINE;
}

static void drop(held *file)
{
    free(file->path);
    free(file->text);
}

/* All of the file, in memory of its own. */
static int read_file(held *file)
{
    cli_input input;
    const char *text;
    size_t size;
    int result = cli_input_open(&input, file->path, CLI_INPUT_TEXT, LONGEST);
    if (result != CLI_FINE) {
        return result;
    }
    const cli_read got = cli_input_record(&input, NULL, &text, &size);
    if (got == CLI_READ_RECORD || got == CLI_READ_END) {
        size = got == CLI_READ_END ? 0 : size;
        file->text = calloc(size + 1, 1); /* a NUL behind it */
        file->size = size;
        if (file->text == NULL) {
            result = cli_no_memory();
        } else {
            memcpy(file->text, size > 0 ? text : "", size);
        }
    } else if (got == CLI_READ_TOO_LONG) {
        cli_say("%s: too long for a template", file->path);
        result = CLI_BAD;
    } else {
        result = cli_input_code(got);
    }
    cli_input_close(&input);
    return result;
}

/* The folder's file of that name, if it is there. */
static int read_in(held *file, const char *folder, const char *name)
{
    int result = join(file, folder, name);
    if (result == CLI_FINE && is_there(file->path)) {
        result = read_file(file);
    }
    return result;
}

static int make(const held *text, const held *config, const char *name,
                tw_template **template_)
{
    const tw_template_source source = {text->text, text->size, config->text,
                                       config->size, name};
    tw_format_error error;
    if (tw_template_load(&source, NULL, template_, &error) == TW_OK) {
        return CLI_FINE;
    }
    cli_say("%s: %s: %s", text->text != NULL ? text->path : config->path,
            tw_error_name(error.code), error.message);
    return CLI_BAD;
}

/* The folder's template |*name|, which is NULL behind it, or its first one. */
static int read_template(held *text, const char *folder, const char **name)
{
    if (*name != NULL) {
        char path[512];
        const int size = snprintf(path, sizeof path,
                                  "additional_chat_templates/%s.jinja", *name);
        const int result =
            size < (int)sizeof path ? read_in(text, folder, path) : CLI_FINE;
        if (result != CLI_FINE || text->text != NULL) {
            *name = NULL;
            return result;
        }
        drop(text);
        *text = (held){NULL, NULL, 0};
    }
    return read_in(text, folder, "chat_template.jinja");
}

static int load_folder(const char *folder, const char *name,
                       tw_template **template_)
{
    held text = {NULL, NULL, 0};
    held config = {NULL, NULL, 0};
    int result = read_template(&text, folder, &name);
    if (result == CLI_FINE) {
        result = read_in(&config, folder, "tokenizer_config.json");
    }
    if (result == CLI_FINE && text.text == NULL &&
        (config.text == NULL ||
         strstr(config.text, "\"chat_template\"") == NULL)) {
        drop(&text);
        text = (held){NULL, NULL, 0};
        result = read_in(&text, folder, "chat_template.json");
    }
    if (result == CLI_FINE && text.text == NULL && config.text == NULL) {
        cli_say(
            "%s: there is no chat_template.jinja, tokenizer_config.json or "
            "chat_template.json in it",
            folder);
        result = CLI_IO;
    }
    if (result == CLI_FINE) {
        result = make(&text, &config, name, template_);
    }
    drop(&text);
    drop(&config);
    return result;
}

int cli_template_load(const char *path, const char *name,
                      tw_template **template_)
{
    if (cli_path_is_folder(path)) {
        return load_folder(path, name, template_);
    }
    held text = {strdup(path), NULL, 0};
    const held config = {NULL, NULL, 0};
    int result = text.path != NULL ? read_file(&text) : cli_no_memory();
    if (result == CLI_FINE) {
        result = make(&text, &config, name, template_);
    }
    drop(&text);
    return result;
}
