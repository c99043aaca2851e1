/* SPDX-License-Identifier: MIT
 *
 * What each option takes: numbers with their units, words of a list, formats,
 * shapes.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/options/auto.h"
#include "cli/options/format_file.h"
#include "cli/options/near.h"
#include "cli/files/print.h"
#include "cli/options/take.h"

/* Digits, then K, M or G where |units|.  No strtol(): it takes signs, blanks
 * and what it cannot read. */
static bool read_number(const char *text, bool units, int64_t *number)
{
    int64_t value = 0;
    if (*text == '\0') {
        return false;
    }
    for (; *text >= '0' && *text <= '9'; text++) {
        const int64_t digit = *text - '0';
        if (value > (INT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    const int shift = *text == 'K'   ? 10
                      : *text == 'M' ? 20
                      : *text == 'G' ? 30
                                     : 0;
    if (units && shift > 0) {
        if (value > INT64_MAX >> shift) {
            return false;
        }
        value *= (int64_t)1 << shift;
        text++;
    }
    *number = value;
    return *text == '\0';
}

static int refuse(const cli_options *options, const cli_option *option,
                  const char *value)
{
    const char *word = option->argument;
    cli_near near;
    cli_near_init(&near, value, "");
    while (strchr(option->argument, '|') != NULL && *word != '\0') {
        const size_t size = strcspn(word, "|");
        cli_near_try(&near, word, size);
        word += size + (word[size] == '|');
    }
    cli_say("%s: --%s takes %s, not '%s'%s", options->command->name,
            option->name, option->argument, value, cli_near_text(&near));
    return CLI_USAGE;
}

/* The place of |word| in "a|b", or -1. */
static int word_place(const char *words, const char *word)
{
    const size_t size = strlen(word);
    for (int place = 0;; place++) {
        const size_t length = strcspn(words, "|");
        if (length == size && memcmp(words, word, size) == 0) {
            return place;
        }
        if (words[length] == '\0') {
            return -1;
        }
        words += length + 1;
    }
}

/* word_place() of the value; -1: the value was refused. */
static int take_place(const cli_options *options, const cli_option *option,
                      const char *value)
{
    const int place = word_place(option->argument, value);
    if (place < 0) {
        refuse(options, option, value);
    }
    return place;
}

/* ---- what is kept ------------------------------------------------------- */

/* The last one of an option counts. */
static int keep(cli_options *options, tw_option option, int64_t value,
                const char *name)
{
    options->settings[option] = (cli_setting){value, name};
    return CLI_FINE;
}

static void *member(cli_options *options, const cli_option *option)
{
    return (char *)options + option->detail;
}

int cli_take_flag(cli_options *options, const cli_option *option,
                  const char *value)
{
    (void)value;
    *(bool *)member(options, option) = true;
    return CLI_FINE;
}

int cli_take_string(cli_options *options, const cli_option *option,
                    const char *value)
{
    *(const char **)member(options, option) = value;
    return CLI_FINE;
}

int cli_take_on(cli_options *options, const cli_option *option,
                const char *value)
{
    (void)value;
    return keep(options, (tw_option)option->detail, 1, option->name);
}

int cli_take_number(cli_options *options, const cli_option *option,
                    const char *value)
{
    int64_t number;
    if (!read_number(value, false, &number)) {
        cli_say("%s: --%s takes a whole number, not '%s'",
                options->command->name, option->name, value);
        return CLI_USAGE;
    }
    return keep(options, (tw_option)option->detail, number, option->name);
}

int cli_take_choice(cli_options *options, const cli_option *option,
                    const char *value)
{
    return take_place(options, option, value) < 0
               ? CLI_USAGE
               : cli_take_string(options, option, value);
}

int cli_take_word(cli_options *options, const cli_option *option,
                  const char *value)
{
    const int place = take_place(options, option, value);
    return place < 0
               ? CLI_USAGE
               : keep(options, (tw_option)option->detail, place, option->name);
}

int cli_take_text(cli_options *options, const cli_option *option,
                  const char *value)
{
    options->texts[option->detail] = (cli_text){value, option->name};
    return CLI_FINE;
}

int cli_take_text_word(cli_options *options, const cli_option *option,
                       const char *value)
{
    return take_place(options, option, value) < 0
               ? CLI_USAGE
               : cli_take_text(options, option, value);
}

int cli_take_size(cli_options *options, const cli_option *option,
                  const char *value)
{
    const int64_t most = (int64_t)1 << 30;
    int64_t number;
    if (!read_number(value, true, &number) || number < 1 || number > most) {
        cli_say("%s: --%s takes a number from 1 to 1G, not '%s'",
                options->command->name, option->name, value);
        return CLI_USAGE;
    }
    *(size_t *)member(options, option) = (size_t)number;
    return CLI_FINE;
}

/* ---- options of their own ----------------------------------------------- */

/* No name that looks like it is better than what is meant. */
static void try_formats(cli_near *near)
{
    const char *name;
    for (size_t i = 0;
         !near->meant && (name = tw_format_near(near->word, i)) != NULL; i++) {
        cli_near_add(near, name);
    }
}

static bool takes_shapes(const cli_options *options)
{
    return options->command->bit == CLI_CONVERT;
}

/* A format, or for convert a shape of records. */
static bool is_end(const cli_options *options, const char *name)
{
    return tw_format_find(name) != NULL ||
           (takes_shapes(options) && tw_record_shape_find(name) != NULL);
}

static void try_shapes(cli_near *near)
{
    const tw_record_shape *shape;
    for (size_t i = 0; (shape = tw_record_shape_at(i)) != NULL; i++) {
        const char *name = tw_record_shape_name(shape);
        cli_near_try(near, name, strlen(name));
    }
}

static int unknown_end(const cli_options *options, bool shapes,
                       const char *value)
{
    const char *command = options->command->name;
    cli_near near;
    cli_near_init(&near, value, "");
    if (shapes) {
        try_shapes(&near);
    }
    try_formats(&near);
    if (shapes) {
        cli_say(
            "%s: unknown format or shape '%s'%s (`toolwire formats` lists "
            "the formats, `toolwire convert --help` the shapes of records)",
            command, value, cli_near_text(&near));
    } else if (tw_record_shape_find(value) != NULL) {
        cli_say("%s: '%s' is a shape of records, which convert takes: name a "
                "format (`toolwire formats` lists them)",
                command, value);
    } else {
        cli_say("%s: unknown format '%s'%s (`toolwire formats` lists them)",
                command, value, cli_near_text(&near));
    }
    return CLI_USAGE;
}

int cli_find_end(const cli_options *options, const char *value,
                 tw_format **loaded, const tw_format **format)
{
    *loaded = NULL;
    if (cli_is_format_file(value)) {
        const int result = cli_format_load(value, loaded);
        *format = *loaded;
        return result;
    }
    *format = tw_format_find(value);
    return is_end(options, value)
               ? CLI_FINE
               : unknown_end(options, takes_shapes(options), value);
}

/* |end| 0 is -f, 1 is -t, 2 is --wire.  It may be given again. */
static int take_end(cli_options *options, size_t end, const char *value,
                    const tw_format **format)
{
    tw_format_free(options->loaded[end]);
    options->loaded_from[end] = value;
    return cli_find_end(options, value, &options->loaded[end], format);
}

int cli_take_format(cli_options *options, const cli_option *option,
                    const char *value)
{
    (void)option;
    options->format_name = value;
    if (strcmp(value, "auto") == 0 || cli_is_template(value)) {
        options->format = NULL; /* see auto.c */
        return CLI_FINE;
    }
    return take_end(options, 0, value, &options->format);
}

int cli_take_to(cli_options *options, const cli_option *option,
                const char *value)
{
    (void)option;
    options->to = value;
    if (strcmp(value, "auto") == 0) {
        cli_say("%s: auto finds the shape of what is read: -t names one",
                options->command->name);
        return CLI_USAGE;
    }
    const tw_record_shape *shape = tw_record_shape_find(value);
    if (tw_record_shape_traits(shape) & TW_RECORD_READ_ONLY) {
        cli_say("%s: %s is read, and not written: -t names another",
                options->command->name, value);
        return CLI_USAGE;
    }
    return take_end(options, 1, value, &options->to_format);
}

int cli_take_wire(cli_options *options, const cli_option *option,
                  const char *value)
{
    if (!cli_is_format_file(value) && !is_end(options, value)) {
        return unknown_end(options, false, value);
    }
    const int result = take_end(options, 2, value, &options->wire);
    if (result == CLI_FINE && options->wire == NULL) {
        cli_say("%s: --%s: '%s' is a shape of records: name the format of the "
                "text in them (`toolwire formats` lists them)",
                options->command->name, option->name, value);
        return CLI_USAGE;
    }
    return result;
}

int cli_take_custom(cli_options *options, const cli_option *option,
                    const char *value)
{
    const int place = take_place(options, option, value);
    return place < 0 ? CLI_USAGE
                     : keep(options, TW_OPTION_CUSTOM_FUNCTION, place == 0,
                            option->name);
}

int cli_take_api(cli_options *options, const cli_option *option,
                 const char *value)
{
    const int place = take_place(options, option, value);
    if (place < 0) {
        return CLI_USAGE;
    }
    options->api_name = value;
    options->api = (tw_shape)(TW_SHAPE_CHUNKS + place);
    return CLI_FINE;
}

int cli_take_arguments(cli_options *options, const cli_option *option,
                       const char *value)
{
    const int place = take_place(options, option, value);
    return place < 0 ? CLI_USAGE
                     : keep(options, TW_OPTION_ARGUMENTS_OBJECT, place == 1,
                            option->name);
}

int cli_take_start(cli_options *options, const cli_option *option,
                   const char *value)
{
    static const int values[] = {1, 0, TW_START_FIND};
    const unsigned whole = CLI_DECODE | CLI_CHECK | CLI_CONVERT;
    const int place = take_place(options, option, value);
    if (place < 0) {
        return CLI_USAGE;
    }
    if (values[place] == TW_START_FIND &&
        (options->command->bit & whole) == 0) {
        cli_say("%s: --start auto is for whole texts: decode, check and "
                "convert take it",
                options->command->name);
        return CLI_USAGE;
    }
    return keep(options, TW_OPTION_START_REASONING, values[place],
                option->name);
}

int cli_take_finish(cli_options *options, const cli_option *option,
                    const char *value)
{
    const int place = take_place(options, option, value);
    if (place < 0) {
        return CLI_USAGE;
    }
    options->finish = (tw_finish)place;
    return CLI_FINE;
}

int cli_take_set(cli_options *options, const cli_option *option,
                 const char *value)
{
    if (strcspn(value, "=") == 0 || strchr(value, '=') == NULL) {
        return refuse(options, option, value);
    }
    if (options->set_count == CLI_SETS) {
        cli_say("%s: there are too many --%s", options->command->name,
                option->name);
        return CLI_USAGE;
    }
    options->sets[options->set_count++] = value;
    return CLI_FINE;
}

int cli_take_limit(cli_options *options, const cli_option *option,
                   const char *value)
{
    static const struct {
        const char *name;
        tw_option option;
        const char *shown;
    } limits[] = {
        {"depth", TW_OPTION_LIMIT_DEPTH, "limit depth"},
        {"name", TW_OPTION_LIMIT_NAME, "limit name"},
        {"arguments", TW_OPTION_LIMIT_ARGUMENTS, "limit arguments"},
        {"calls", TW_OPTION_LIMIT_CALLS, "limit calls"},
        {"input", TW_OPTION_LIMIT_INPUT, "limit input"},
    };
    const size_t size = strcspn(value, "=");
    int64_t number;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (value[size] == '=' && strlen(limits[i].name) == size &&
            memcmp(limits[i].name, value, size) == 0 &&
            read_number(value + size + 1, true, &number)) {
            return keep(options, limits[i].option, number, limits[i].shown);
        }
    }
    cli_say("%s: --%s takes NAME=N (NAME is depth, name, arguments, calls or "
            "input), not '%s'",
            options->command->name, option->name, value);
    return CLI_USAGE;
}

int cli_set_numbers_aside(const cli_command *command, int count,
                             char **arguments)
{
    int left = 1;
    if (command->bit != CLI_EXPLAIN) {
        return count;
    }
    for (int i = 1; i < count; i++) {
        char *const word = arguments[i];
        const bool is_number =
            word[0] == '-' && word[1] != '\0' &&
            word[1 + strspn(word + 1, "0123456789")] == '\0';
        if (!is_number) {
            memmove(&arguments[left + 1], &arguments[left],
                    (size_t)(i - left) * sizeof *arguments);
            arguments[left++] = word;
        }
    }
    return left;
}
