/* SPDX-License-Identifier: MIT
 *
 * What a diagnostic's |id| is, and how many are kept.
 */
#ifndef TOOLWIRE_CORE_DIAGNOSTICS_H
#define TOOLWIRE_CORE_DIAGNOSTICS_H

#include <stdbool.h>
#include <string.h>

#include "toolwire.h"

/* Does a diagnostic tell of a tool's schema, and of no value? */
static inline bool tw_diagnostic_is_of_schema(uint32_t code)
{
    return code == TW_DIAGNOSTIC_SCHEMA_UNREAD ||
           code == TW_DIAGNOSTIC_SCHEMA_BROKEN ||
           code == TW_DIAGNOSTIC_SCHEMA_LIMIT;
}

/* The member that has it in JSON: a format, or a path in a call. */
static inline const char *tw_diagnostic_subject(uint32_t code)
{
    const bool of_value = (code >= TW_DIAGNOSTIC_MISSING_PARAMETER &&
                           code <= TW_DIAGNOSTIC_PARAMETER_RULE) ||
                          code == TW_DIAGNOSTIC_PARAMETER_MENDED;
    return of_value || tw_diagnostic_is_of_schema(code) ? "path" : "format";
}

/* Above all codes; what has none of them shares the last place. */
enum { TW_DIAGNOSTIC_CODES = 256 };

/* How many diagnostics of each code there were.  A text may have one for each
 * of its bytes: what all are kept in grows no further. */
typedef struct tw_tally {
    uint64_t of[TW_DIAGNOSTIC_CODES];
    bool some;
} tw_tally;

static inline void tw_tally_reset(tw_tally *tally)
{
    if (tally->some) {
        memset(tally, 0, sizeof *tally);
    }
}

/* Counts one; is it kept? */
static inline bool tw_tally_keeps(tw_tally *tally, uint32_t code)
{
    tally->some = true;
    return ++tally->of[code < TW_DIAGNOSTIC_CODES ? code
                                                  : TW_DIAGNOSTIC_CODES - 1] <=
           TW_DIAGNOSTICS_KEPT;
}

/* How many of this code are not kept. */
static inline uint64_t tw_tally_more(const tw_tally *tally, size_t code)
{
    const uint64_t count = tally->of[code];
    return count > TW_DIAGNOSTICS_KEPT ? count - TW_DIAGNOSTICS_KEPT : 0;
}

#endif
