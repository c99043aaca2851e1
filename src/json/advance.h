/* SPDX-License-Identifier: MIT
 *
 * The fast way over content that is read in bulk (tw_json.floor).
 */
#ifndef TOOLWIRE_JSON_ADVANCE_H
#define TOOLWIRE_JSON_ADVANCE_H

#include "json/machine.h"

/* Moves the machine over as much of [at, limit) as is JSON without a fault,
 * and returns how far that is.  It does what tw_json_next() would do in many
 * steps, each of which would leave its bytes as they are; where a repair may
 * be due, or more must be seen to know, it stops. */
const uint8_t *tw_json_advance(tw_json *json, const uint8_t *at,
                               const uint8_t *limit);

/* From inside a string on: its closing quote, or the first byte that is not in
 * order, or not whole before |limit|. */
const uint8_t *tw_json_string_end(const uint8_t *at, const uint8_t *limit);

/* Inside a string that is read in bulk: bytes of TW_PLAIN_STRING change
 * nothing. */
bool tw_json_is_run(const tw_json *json);

/* A machine that has read nothing stands behind `{"key": {` then.  False: no
 * memory. */
bool tw_json_enter_inner(tw_json *json);

/* Inside a string: appends to |out| what the bytes from the view's |at| on
 * mean, and moves over them, as far as nothing is odd; the quote stays.
 * False: no memory. */
bool tw_json_advance_meaning(const tw_json *json, tw_view *view,
                             tw_buffer *out);

/* tw_json_advance() stopped at |at| < |limit|: is what stands there half a
 * lexeme, of which tw_json_next() would say TW_JSON_STEP_MORE?  False: only a
 * step can tell. */
bool tw_json_is_half(const tw_json *json, const uint8_t *at,
                     const uint8_t *limit);

#endif
