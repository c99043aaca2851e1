/* SPDX-License-Identifier: MIT
 *
 * The Gemma 4 encoder's parts.
 */
#ifndef TOOLWIRE_FORMATS_GEMMA4_ENCODE_H
#define TOOLWIRE_FORMATS_GEMMA4_ENCODE_H

#include "formats/body/gemma/put.h"
#include "formats/body/gemma/word.h"
#include "formats/encode.h"
#include "formats/gemma4/tokens.h"

/* Where the dialects' templates differ. */
typedef struct tw_gemma4_dialect {
    bool thinking;         /* what enable_thinking and preserve_thinking are
                              where the request does not say */
    bool empty_thought;    /* with thinking off the generation prompt has an
                              empty thought */
    bool opens_thought;    /* with thinking on a prompt that ends in a result
                              has a thought begun */
    bool answers_thought;  /* an answer without calls keeps its reasoning */
    bool closes_results;   /* a turn that ends in results is closed when
                              another follows */
    bool feed_joins_texts; /* between two texts of the model, nothing else */
    bool media_ends_calls; /* a call beside media is not pending */
    bool url_parts;        /* `image_url` and `input_audio` are media */
    bool needs_types;      /* a schema without a type is written with an empty
                              one, and breaks its braces outermost */
    bool needs_names;      /* it fails on a result whose name is unknown */
} tw_gemma4_dialect;

extern const tw_gemma4_dialect tw_gemma4_official;
extern const tw_gemma4_dialect tw_gemma4_e;
extern const tw_gemma4_dialect tw_gemma4_fork;

void tw_gemma4_encode(const tw_format *, const tw_conversation *,
                      tw_segments *);
void tw_gemma4_complete(const tw_format *, const tw_conversation *,
                        tw_segments *);

static inline void tw_gemma4_no_memory(tw_segments *out)
{
    tw_segments_refuse(out, TW_ERROR_MEMORY, NULL, 0, "no memory");
}

/* ---- encode_content.c -------------------------------------------- */

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

/* ---- declare.c --------------------------------------------------- */

void tw_gemma4_declare(tw_segments *, const tw_gemma4_dialect *,
                       const tw_value *tool);

#endif
