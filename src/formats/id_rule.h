/* SPDX-License-Identifier: MIT
 *
 * What ids of calls a format holds.
 */
#ifndef TOOLWIRE_FORMATS_ID_RULE_H
#define TOOLWIRE_FORMATS_ID_RULE_H

#include "formats/description.h"
#include "formats/format.h"
#include "messages/conversation.h"

/* Ids of names and numbers are those that begin with `functions.`; where an id
 * is a number alone, or nowhere, another is made when it is read. */
static inline tw_id_rule tw_format_id_rule(const tw_format *format)
{
    static const char front[] = "functions.";
    const tw_description *description =
        format != NULL ? format->description : NULL;
    if (description == NULL) {
        return TW_ID_ANY;
    }
    if (description->nine) {
        return TW_ID_NINE;
    }
    if (description->id.count == 0) {
        return TW_ID_ANY;
    }
    const tw_pattern *made = description->id.all;
    return made->count > 1 && made->parts[0].size == sizeof front - 1 &&
                   memcmp(made->parts[0].text, front, sizeof front - 1) == 0
               ? TW_ID_NAMED
               : TW_ID_NONE;
}

#endif
