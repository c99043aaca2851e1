/* SPDX-License-Identifier: MIT
 *
 * Hermes: failed allocations (checks/faults.h).
 */
#include <criterion/criterion.h>

#include "checks/faults.h"

#define TAG(object) "<tool_call>\n" object "\n</tool_call>\n"
#define BLANKS                                                 \
    "                                                        " \
    "                                                        "

/* clang-format off */
static const rich texts[] = {
    {"hermes", false, NULL,
     "<think>\nhm <tool_call>\n</think>\n\nHi <b>\xC3\xA9\xFF " BLANKS "!\n"
     TAG("{\"name\": \"f\", \"arguments\": {\"a\": [1, 2.5e-7, \"x\\u00e9\"],"
         " \"b\": {\"c\": null}}}")
     TAG("{\"arguments\": {\"a\": \"long enough to be held for a while\"}, "
         "\"name\": \"late\", \"id\": \"c9\"}")
     TAG("{\"name\": \"g\", \"arguments\": \"{\\\"a\\\": [1, 2]}\"}")
     TAG("{'name': 'h', 'arguments': {'a': True, 'b': 'it\\'s',}}")
     TAG("{\"name\": \"i\", \"arguments\": {\"a\" 1}}")
     TAG("[{\"name\": \"j\", \"arguments\": {}}, 7]")
     TAG("<function=k>\n<parameter=a>\n1 & \"2\"\n</parameter>\n</function>")
     TAG("l\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>")
     TAG("Now: {\"name\": \"m\", \"arguments\": {\"a\": 1," BLANKS BLANKS
         BLANKS "\"b\": 2}} junk")
     TAG("{\"name\": \"" "\xC3\xA9" "\", \"arguments\": [1]}")
     "Bye <tool_call>\n{\"name\": \"n\", \"arguments\": {\"a\": \"x"},
    {"hermes", true, NULL,
     "hm " TAG("{\"name\": \"f\", \"arguments\": {\"a\": 1}}") "hm "
     TAG("{\"name\": \"g\", \"arguments\": {\"a\": [[[[1]]]]}}")},
    {"hermes", false, NULL,
     "{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>\nHi"},
    {"hermes", false, NULL,
     TAG("{\"arguments\": {\"a\": 1}, \"name\": \"f\"}")},
    {"hermes", false,
     "<|im_start|>assistant\n<tool_call>\n{\"name\": \"f\", \"arguments\": "
     "{\"a\": ",
     "1}}\n</tool_call>\nHi"},
};
/* clang-format on */

enum { TEXTS = sizeof texts / sizeof *texts };

Test(faults, hermes_once, .timeout = 60)
{
    check_faults(texts, TEXTS, false);
}

Test(faults, hermes_for_ever, .timeout = 60)
{
    check_faults(texts, TEXTS, true);
}

Test(faults, hermes_second_message_allocates_nothing)
{
    check_second_messages(texts, TEXTS);
}
