/* SPDX-License-Identifier: MIT
 *
 * Chat templates that come from files: --template.
 */
#ifndef TOOLWIRE_CLI_OPTIONS_TEMPLATE_FILE_H
#define TOOLWIRE_CLI_OPTIONS_TEMPLATE_FILE_H

#include "toolwire.h"

/* |path| is a template, a JSON file that has one, or a model's folder; |name|,
 * or NULL, names one of several.  Anything but CLI_FINE: it was said why there
 * is none. */
int cli_template_load(const char *path, const char *name,
                      tw_template **template_);

#endif
