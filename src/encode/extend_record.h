/* SPDX-License-Identifier: MIT
 *
 * The records of a conversation that goes on.
 */
#ifndef TOOLWIRE_ENCODE_EXTEND_RECORD_H
#define TOOLWIRE_ENCODE_EXTEND_RECORD_H

#include "encode/extend_put.h"

/* Reads a record: with `messages` a conversation begins, with `message` the
 * last one goes on.  TW_OK or the error. */
int tw_extend_read(tw_extending *work, const char *json, size_t size);
/* Makes a conversation of the messages |before| and those that were added.
 * TW_OK or the error. */
int tw_extend_take(tw_extending *work, const tw_buffer *before);

#endif
