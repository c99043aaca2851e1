/* SPDX-License-Identifier: MIT
 *
 * The words that matter in values between tags.
 */
#ifndef TOOLWIRE_FORMATS_BODY_TAGGED_WORDS_H
#define TOOLWIRE_FORMATS_BODY_TAGGED_WORDS_H

#include "formats/body/tagged/tagged.h"

/* The words that the description's patterns are made of; false: no memory. */
bool tw_tagged_make_words(tw_tagged_body *);
/* The literal that a pattern begins with, or its |count|: there is none. */
size_t tw_tagged_opener(const tw_pattern *);
/* The first literal behind its hole, or its |count|. */
size_t tw_tagged_closer(const tw_pattern *);

static inline uint16_t tw_tagged_bit(tw_tagged_role role)
{
    return (uint16_t)(1U << role);
}

#endif
