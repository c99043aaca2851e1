/* SPDX-License-Identifier: MIT
 *
 * What a number in an input means where it stands for a name: of a set of
 * fragments, of a format, of a shape.  Each name has its share of all numbers,
 * decided by the name alone, so that a new one takes a few numbers of each
 * other and leaves the rest as they were.
 */
#ifndef TOOLWIRE_FUZZ_CHOICE_H
#define TOOLWIRE_FUZZ_CHOICE_H

#include <stddef.h>
#include <stdint.h>

/* Name |i|; NULL behind the last.  Of those there is one at least. */
typedef const char *fuzz_name(size_t i);

/* Which name a number stands for. */
size_t fuzz_choice(fuzz_name *, uint32_t number);
/* The least number below |end| that stands for name |i|; aborts if there is
 * none. */
uint32_t fuzz_number(fuzz_name *, size_t i, uint32_t end);

#endif
