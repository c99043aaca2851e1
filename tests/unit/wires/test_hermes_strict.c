/* SPDX-License-Identifier: MIT
 *
 * Hermes: strict mode (checks/strict.h).
 */
#include <criterion/criterion.h>

#include "checks/strict.h"

/* Section 2: loose heads are a table, and off in strict. */
Test(strict, hermes_loose_heads_are_text)
{
    static const char *const rows[] = {
        "<tool_call>\n<function=f>\n</function>\n</tool_call>",
        "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n"
        "</tool_call>",
        "<tool_call>\nNow: {\"name\": \"f\", \"arguments\": {}}\n"
        "</tool_call>",
        "<tool_call>\n```json\n{\"name\": \"f\", \"arguments\": {}}\n```\n"
        "</tool_call>",
        "{\"name\": \"f\", \"arguments\": {}}\n</tool_call>",
        "<tool_call>\xC2\xA0{\"name\": \"f\", \"arguments\": {}}\n"
        "</tool_call>",
        "<tool_call>\xEF\xBB\xBF{\"name\": \"f\", \"arguments\": "
        "{}}\n</tool_call>",
        "<tool_call>\v{\"name\": \"f\", \"arguments\": {}}\n"
        "</tool_call>",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_strict_text("hermes", rows[i]);
    }
}
