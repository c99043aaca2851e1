/* SPDX-License-Identifier: MIT
 *
 * What gen and test have in common.
 */
#ifndef TOOLWIRE_CLI_KIT_H
#define TOOLWIRE_CLI_KIT_H

#include "cli/options/options.h"
#include "kit/cases.h"

/* The class of the |number|-th case: the one asked for, else each in turn, but
 * for slips, of which there are many, twice, and long arguments, which take
 * their time, one in a hundred. */
static inline kit_class cli_kit_class(const cli_options *options,
                                      uint64_t number)
{
    static const kit_class turns[] = {
        KIT_LEGAL, KIT_TYPO,     KIT_RARE,  KIT_TRUNCATED, KIT_INJECTION,
        KIT_TYPO,  KIT_ENCODING, KIT_DEPTH, KIT_REUSE,     KIT_INTERLEAVED};
    return options->kind != NULL ? kit_class_find(options->kind)
           : number % 100 == 99  ? KIT_LONG
                                 : turns[number % 10];
}

#endif
