/* SPDX-License-Identifier: MIT
 *
 * The text of a number, which may be cut anywhere: one byte of state.
 */
#ifndef TOOLWIRE_JSON_NUMBER_H
#define TOOLWIRE_JSON_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

enum { TW_NUMBER_BEGIN = 0, TW_NUMBER_STATES = 9 };

/* May |c| stand next (RFC 8259, 6)?  Then *number is moved on. */
bool tw_number_takes(uint8_t *number, uint8_t c);
bool tw_number_may_end(uint8_t number);

#endif
