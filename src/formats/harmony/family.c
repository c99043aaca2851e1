/* SPDX-License-Identifier: MIT
 *
 * Harmony as the registry knows it: how its family decodes and encodes, and
 * its dialects.
 */
#include "formats/harmony/encode.h"
#include "formats/harmony/state.h"

static const char *const members[] = {"name", "content_type", NULL};

const tw_family tw_harmony_family = {
    .create = tw_harmony_create,
    .destroy = tw_harmony_destroy,
    .reset = tw_harmony_reset,
    .step = tw_harmony_step,
    .advance = tw_harmony_advance,
    .stand = tw_harmony_stand,
    .can_recover_stripped = true,
    .encode = tw_harmony_encode,
    .read_transcript = tw_harmony_read_transcript,
    .members = members,
};

const tw_harmony_dialect tw_harmony_rust = {.renderer = true};

const tw_harmony_dialect tw_harmony_jinja = {
    .variant_default = "                    ",
};

const tw_harmony_dialect tw_harmony_pyronet = {
    .system = tw_harmony_pyronet_system,
    .variant_default = "",
};
