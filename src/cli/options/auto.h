/* SPDX-License-Identifier: MIT
 *
 * A format that is told by a chat template: -f auto, -f FOLDER.
 */
#ifndef TOOLWIRE_CLI_OPTIONS_AUTO_H
#define TOOLWIRE_CLI_OPTIONS_AUTO_H

#include "cli/options/options.h"

/* Is |value| of -f a template or a model's folder? */
bool cli_is_template(const char *value);
/* Sets the format, and where its prompts end, by the template that was named.
 * Nothing, if none was.  Anything but CLI_FINE: it was said why. */
int cli_options_auto(cli_options *options);

#endif
