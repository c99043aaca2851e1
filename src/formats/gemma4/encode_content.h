/* SPDX-License-Identifier: MIT
 *
 * Text, media and results in a Gemma 4 prompt.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_ENCODE_CONTENT_H
#define TOOLWIRE_FORMATS_GEMMA4_ENCODE_CONTENT_H

#include "formats/gemma4/dialect.h"

typedef struct tw_gemma4_written {
    bool some;  /* there is text or media */
    bool media; /* ... the latter */
} tw_gemma4_written;

/* A message's text and media; of the model's text the thoughts are cut out.
 */
tw_gemma4_written tw_gemma4_put_content(tw_segments *,
                                        const tw_gemma4_dialect *,
                                        const tw_value *content, bool model);
/* The system's: each part has a blank behind it. */
void tw_gemma4_put_system(tw_segments *, const tw_value *content);
/* What a tool gave; |name| may be NULL: `unknown`. */
void tw_gemma4_put_response(tw_segments *, const tw_value *name,
                            const tw_value *response);
/* The same of a message's content: of a list its texts, with the media behind
 * them. */
void tw_gemma4_put_result(tw_segments *, const tw_gemma4_dialect *,
                          const tw_value *name, const tw_value *content);

#endif
