/* SPDX-License-Identifier: MIT
 *
 * The frame as the registry knows it: how all described formats decode and
 * encode.
 */
#include "formats/frame/frame.h"
#include "formats/frame/message.h"

static const char *const no_members[] = {NULL};

const tw_family tw_frame_family = {
    .create = tw_frame_create,
    .destroy = tw_frame_destroy,
    .reset = tw_frame_reset,
    .step = tw_frame_step,
    .advance = tw_frame_advance,
    .stand = tw_frame_stand,
    .complete = TW_ENCODES(tw_frame_encode),
    .put_calls = TW_ENCODES(tw_frame_put_calls),
    .members = no_members,
};
