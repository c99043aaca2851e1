/* SPDX-License-Identifier: MIT
 *
 * What a diagnostic's |id| is.
 */
#ifndef TOOLWIRE_CORE_DIAGNOSTICS_H
#define TOOLWIRE_CORE_DIAGNOSTICS_H

#include <stdbool.h>

#include "toolwire.h"

/* Does it tell of a tool's schema, and of no value? */
static inline bool tw_diagnostic_is_of_schema(uint32_t code)
{
    return code == TW_DIAGNOSTIC_SCHEMA_UNREAD ||
           code == TW_DIAGNOSTIC_SCHEMA_BROKEN ||
           code == TW_DIAGNOSTIC_SCHEMA_LIMIT;
}

/* The member that has it in JSON: a format, or a path in a call. */
static inline const char *tw_diagnostic_subject(uint32_t code)
{
    const bool of_value = code >= TW_DIAGNOSTIC_MISSING_PARAMETER &&
                          code <= TW_DIAGNOSTIC_PARAMETER_RULE;
    return of_value || tw_diagnostic_is_of_schema(code) ? "path" : "format";
}

#endif
