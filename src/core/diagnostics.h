/* SPDX-License-Identifier: MIT
 *
 * What a diagnostic's |id| is.
 */
#ifndef TOOLWIRE_CORE_DIAGNOSTICS_H
#define TOOLWIRE_CORE_DIAGNOSTICS_H

#include "toolwire.h"

/* The member that has it in JSON: a format, or a path in a call. */
static inline const char *tw_diagnostic_subject(uint32_t code)
{
    return code >= TW_DIAGNOSTIC_MISSING_PARAMETER &&
                   code <= TW_DIAGNOSTIC_SCHEMA_UNREAD
               ? "path"
               : "format";
}

#endif
