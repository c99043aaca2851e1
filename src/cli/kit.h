/* SPDX-License-Identifier: MIT
 *
 * What gen and test have in common.
 */
#ifndef TOOLWIRE_CLI_KIT_H
#define TOOLWIRE_CLI_KIT_H

#include "cli/options/options.h"
#include "kit/cases.h"

/* The class of the |number|-th case: the one asked for, else each in turn. */
static inline kit_class cli_kit_class(const cli_options *options,
                                      uint64_t number)
{
    return options->kind != NULL ? kit_class_find(options->kind)
                                 : (kit_class)(number % KIT_CLASSES);
}

#endif
