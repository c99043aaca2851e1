/* SPDX-License-Identifier: MIT
 *
 * What would end a value between tags, inside a string of that value.
 */
#ifndef TOOLWIRE_FORMATS_BODY_TAGGED_QUOTED_H
#define TOOLWIRE_FORMATS_BODY_TAGGED_QUOTED_H

#include "formats/body/tagged/tagged.h"

/* Does a word at |at| belong to the string that is open there in the container
 * that the value is? */
tw_match tw_tagged_is_quoted(tw_tagged_body *body, const uint8_t *at);

#endif
