/* SPDX-License-Identifier: MIT
 *
 * What gen and test have in common.
 */
#ifndef TOOLWIRE_CLI_KIT_H
#define TOOLWIRE_CLI_KIT_H

#include "cli/options/options.h"
#include "kit/make/cases.h"

/* The class of the |number|-th case: the one asked for, else each in turn, but
 * for slips, of which there are many, twice, and long arguments, which take
 * their time, one in a hundred.  |*turn|: which one of its class it is. */
static inline kit_class cli_kit_class(const cli_options *options,
                                      uint64_t number, uint64_t *turn)
{
    static const struct {
        kit_class kind;
        uint8_t before; /* of its class, in a round of turns ... */
        uint8_t all;    /* ... and in all of the round */
    } turns[] = {{KIT_LEGAL, 0, 1},     {KIT_TYPO, 0, 2},
                 {KIT_RARE, 0, 1},      {KIT_TRUNCATED, 0, 1},
                 {KIT_INJECTION, 0, 1}, {KIT_TYPO, 1, 2},
                 {KIT_ENCODING, 0, 1},  {KIT_DEPTH, 0, 1},
                 {KIT_REUSE, 0, 1},     {KIT_INTERLEAVED, 0, 1}};
    if (options->kind != NULL) {
        *turn = number;
        return kit_class_find(options->kind);
    }
    if (number % 100 == 99) {
        *turn = number / 100;
        return KIT_LONG;
    }
    *turn = number / 10 * turns[number % 10].all + turns[number % 10].before;
    return turns[number % 10].kind;
}

#endif
