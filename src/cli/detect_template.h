/* SPDX-License-Identifier: MIT
 *
 * toolwire detect --template: the format in which a chat template writes what
 * a model is to write.
 */
#ifndef TOOLWIRE_CLI_DETECT_TEMPLATE_H
#define TOOLWIRE_CLI_DETECT_TEMPLATE_H

#include "cli/options/options.h"

int cli_detect_template(const cli_options *options);

#endif
