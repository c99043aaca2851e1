/* SPDX-License-Identifier: MIT
 *
 * Arguments written as a tag for each: the bodies of Qwen3-Coder and GLM.
 */
#ifndef TOOLWIRE_FORMATS_BODY_TAGGED_H
#define TOOLWIRE_FORMATS_BODY_TAGGED_H

#include "formats/body/body.h"
#include "formats/name_bytes.h"

typedef struct tw_tagged_body {
    tw_body common;
    uint8_t state;
    bool glm;
    bool first;
    bool any; /* there was a key */
} tw_tagged_body;

extern const tw_body_codec tw_tagged_codec;

/* |common| has all that stays. */
void tw_tagged_body_init(tw_tagged_body *, const tw_body *common);
/* What begins an argument behind a name. */
const char *tw_tagged_body_opener(void);

#endif
