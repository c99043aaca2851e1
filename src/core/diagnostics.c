/* SPDX-License-Identifier: MIT
 *
 * The table of all diagnostics, the library's version and the names of its
 * errors.
 */
#include <string.h>

#include "core/memory.h"
#include "core/sort.h"

enum { D = 0, W = 1 };

#ifdef TW_WITHOUT_TEXTS
#define SENTENCE(name, text) name
#else
#define SENTENCE(name, text) text
#endif

static const tw_diagnostic table[] = {
#define ROW(symbol, number, kind, name, text) \
    {number, kind, name, SENTENCE(name, text)},
    TW_DIAGNOSTICS(ROW)
#undef ROW
};

enum { COUNT = sizeof table / sizeof table[0] };

const tw_diagnostic *tw_diagnostic_at(size_t i)
{
    return i < COUNT ? &table[i] : NULL;
}

const tw_diagnostic *tw_diagnostic_get(uint32_t code)
{
    tw_halves halves = {.high = COUNT}; /* the codes ascend */
    while (tw_halve(&halves)) {
        tw_halves_take(&halves, table[halves.middle].code < code);
    }
    return halves.low < COUNT && table[halves.low].code == code
               ? &table[halves.low]
               : NULL;
}

const tw_diagnostic *tw_diagnostic_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < COUNT; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

const char *tw_version(void)
{
    return TW_VERSION;
}

const char *tw_error_name(int32_t code)
{
    switch (code) {
    case TW_OK: return "TW_OK";
    case TW_ERROR_ARGUMENT: return "TW_ERROR_ARGUMENT";
    case TW_ERROR_STATE: return "TW_ERROR_STATE";
    case TW_ERROR_MEMORY: return "TW_ERROR_MEMORY";
    case TW_ERROR_LIMIT: return "TW_ERROR_LIMIT";
    case TW_ERROR_DEVIATION: return "TW_ERROR_DEVIATION";
    case TW_ERROR_JSON: return "TW_ERROR_JSON";
    case TW_ERROR_SCHEMA: return "TW_ERROR_SCHEMA";
    case TW_ERROR_CONTROL_TEXT: return "TW_ERROR_CONTROL_TEXT";
    case TW_ERROR_CANNOT_CARRY: return "TW_ERROR_CANNOT_CARRY";
    case TW_ERROR_LOSS: return "TW_ERROR_LOSS";
    case TW_ERROR_TEMPLATE: return "TW_ERROR_TEMPLATE";
    case TW_ERROR_UNSTABLE: return "TW_ERROR_UNSTABLE";
    default: return NULL;
    }
}
