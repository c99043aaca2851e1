/* SPDX-License-Identifier: MIT
 *
 * Arguments written as a tag for each: the bodies of Qwen3-Coder and GLM.
 */
#ifndef TOOLWIRE_FORMATS_BODY_TAGGED_H
#define TOOLWIRE_FORMATS_BODY_TAGGED_H

#include "formats/body/body.h"
#include "formats/frame/markers.h"

typedef struct tw_tagged_body {
    tw_open_call *call;
    const tw_marks *marks;
    uint8_t state;
    bool glm;
    bool first;
    bool any; /* there was a key */
    uint32_t reason;
    uint64_t reason_at;
} tw_tagged_body;

void tw_tagged_body_init(tw_tagged_body *, tw_open_call *, const tw_marks *);
/* A body begins at the window; for GLM the name was read already. */
void tw_tagged_body_start(tw_tagged_body *, bool glm);
/* What begins an argument behind a name. */
const char *tw_tagged_body_opener(void);
tw_body_end tw_tagged_body_step(tw_tagged_body *);

static inline bool tw_is_name_byte(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' ||
           c == ':' || c == '/';
}

#endif
