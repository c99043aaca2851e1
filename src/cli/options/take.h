/* SPDX-License-Identifier: MIT
 *
 * What options do with their values.
 */
#ifndef TOOLWIRE_CLI_OPTIONS_TAKE_H
#define TOOLWIRE_CLI_OPTIONS_TAKE_H

#include "cli/options/options.h"

/* The format of a name or a file (then it is *loaded, to be freed), or for
 * convert a shape: then it is NULL.  Anything but CLI_FINE: it was said why
 * there is none. */
int cli_find_end(const cli_options *options, const char *value,
                 tw_format **loaded, const tw_format **format);

/* |detail| is where in cli_options the flag or the text stands. */
int cli_take_flag(cli_options *options, const cli_option *option,
                  const char *value);
int cli_take_string(cli_options *options, const cli_option *option,
                    const char *value);
/* |detail| is a tw_option: 1, a number, or the place among the words. */
int cli_take_on(cli_options *options, const cli_option *option,
                const char *value);
int cli_take_number(cli_options *options, const cli_option *option,
                    const char *value);
int cli_take_word(cli_options *options, const cli_option *option,
                  const char *value);
/* One of the words, kept as it is where |detail| says. */
int cli_take_choice(cli_options *options, const cli_option *option,
                    const char *value);
/* |detail| is a tw_text. */
int cli_take_text(cli_options *options, const cli_option *option,
                  const char *value);
int cli_take_text_word(cli_options *options, const cli_option *option,
                       const char *value);
/* |detail| is where in cli_options the size stands. */
int cli_take_size(cli_options *options, const cli_option *option,
                  const char *value);
int cli_take_format(cli_options *options, const cli_option *option,
                    const char *value);
int cli_take_wire(cli_options *options, const cli_option *option,
                  const char *value);
int cli_take_to(cli_options *options, const cli_option *option,
                const char *value);
int cli_take_custom(cli_options *options, const cli_option *option,
                    const char *value);
int cli_take_api(cli_options *options, const cli_option *option,
                 const char *value);
int cli_take_arguments(cli_options *options, const cli_option *option,
                       const char *value);
int cli_take_start(cli_options *options, const cli_option *option,
                   const char *value);
int cli_take_finish(cli_options *options, const cli_option *option,
                    const char *value);
int cli_take_set(cli_options *options, const cli_option *option,
                 const char *value);
int cli_take_limit(cli_options *options, const cli_option *option,
                   const char *value);

/* explain takes -12 for a number.  They go behind all that getopt_long() is to
 * see, of which the count is left. */
int cli_set_numbers_aside(const cli_command *command, int count,
                          char **arguments);

#endif
