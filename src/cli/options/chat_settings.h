/* SPDX-License-Identifier: MIT
 *
 * Settings of prompts: --set KEY=VALUE.
 */
#ifndef TOOLWIRE_CLI_OPTIONS_CHAT_SETTINGS_H
#define TOOLWIRE_CLI_OPTIONS_CHAT_SETTINGS_H

#include "cli/options/options.h"

/* What writes prompts: an encoder, or a converter that has a template. */
typedef struct cli_prompts {
    void *of;
    int (*set_text)(void *of, tw_text, const char *, size_t);
} cli_prompts;

/* Anything but CLI_FINE: it was said what is wrong. */
int cli_apply_sets(const cli_options *options, const cli_prompts *prompts);

#endif
