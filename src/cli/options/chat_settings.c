/* SPDX-License-Identifier: MIT
 *
 * Settings of prompts: --set KEY=VALUE.
 */
#include "cli/options/chat_settings.h"

#include <stdlib.h>
#include <string.h>

#include "cli/files/print.h"

/* {"KEY":VALUE,...} under way. */
typedef struct settings {
    char *text;
    size_t size;
} settings;

static void put(settings *made, const char *data, size_t size)
{
    memcpy(made->text + made->size, data, size);
    made->size += size;
}

/* As a JSON string; needs at most six times its size, and two. */
static void put_string(settings *made, const char *data, size_t size)
{
    static const char hex[] = "0123456789abcdef";
    put(made, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)data[i];
        if (c == '"' || c == '\\') {
            put(made, "\\", 1);
        }
        if (c < 0x20) {
            const char escape[] = {'\\', 'u',         '0',
                                   '0',  hex[c >> 4], hex[c & 15]};
            put(made, escape, sizeof escape);
        } else {
            put(made, &data[i], 1);
        }
    }
    put(made, "\"", 1);
}

/* Adds KEY=VALUE: VALUE as JSON if it is, else as text. */
static int add_setting(const cli_prompts *prompts, settings *made,
                       const char *set)
{
    const char *value = strchr(set, '=') + 1;
    const size_t size = strlen(value);
    if (made->size > 1) {
        put(made, ",", 1);
    }
    put_string(made, set, (size_t)(value - set) - 1);
    put(made, ":", 1);
    const size_t before = made->size;
    put(made, value, size);
    put(made, "}", 1);
    int result = prompts->set_text(prompts->of, TW_TEXT_SETTINGS, made->text,
                                   made->size);
    if (result == TW_ERROR_JSON) {
        made->size = before;
        put_string(made, value, size);
        put(made, "}", 1);
        result = prompts->set_text(prompts->of, TW_TEXT_SETTINGS, made->text,
                                   made->size);
    }
    made->size--; /* more may follow */
    return result;
}

/* Of a template nobody knows which type it asks a setting for, but Python's
 * words are text. */
static void say_odd(const cli_options *options, const char *set)
{
    static const char *const words[] = {"True", "False", "None"};
    const char *value = strchr(set, '=') + 1;
    bool odd = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        odd |= strcmp(value, words[i]) == 0;
    }
    if (odd && options->template_path != NULL) {
        cli_say("%s: warning: --set %s: the value is neither true nor false, "
                "as JSON writes them",
                options->command->name, set);
    }
}

int cli_apply_sets(const cli_options *options, const cli_prompts *prompts)
{
    settings made = {NULL, 0};
    size_t room = 2;
    int result = CLI_FINE;
    if (options->set_count == 0) {
        return CLI_FINE;
    }
    for (size_t i = 0; i < options->set_count; i++) {
        room += 6 * strlen(options->sets[i]) + 8;
    }
    made.text = malloc(room);
    if (made.text == NULL) {
        return cli_no_memory();
    }
    put(&made, "{", 1);
    for (size_t i = 0; i < options->set_count && result == CLI_FINE; i++) {
        if (add_setting(prompts, &made, options->sets[i]) != TW_OK) {
            cli_say("%s: --set takes UTF-8 text, not '%s'",
                    options->command->name, options->sets[i]);
            result = CLI_USAGE;
        } else {
            say_odd(options, options->sets[i]);
        }
    }
    free(made.text);
    return result;
}
