/* SPDX-License-Identifier: MIT
 *
 * The frame as the registry knows it: how all described formats decode and
 * encode.
 */
#include "formats/frame/frame.h"
#include "formats/frame/message.h"

static const char *const no_members[] = {NULL};

const tw_family tw_frame_family = {
    .decoding = &tw_frame_decoding,
    .complete = TW_ENCODES(tw_frame_encode),
    .put_calls = TW_ENCODES(tw_frame_put_calls),
    .members = no_members,
};
