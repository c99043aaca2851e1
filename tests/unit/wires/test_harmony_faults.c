/* SPDX-License-Identifier: MIT
 *
 * Harmony: failed allocations (checks/faults.h).
 */
#include <criterion/criterion.h>

#include "checks/faults.h"

#define TO(name, body)                                           \
    "<|start|>assistant<|channel|>commentary to=functions." name \
    " <|constrain|>json<|message|>" body "<|call|>"
#define BLANKS                                                 \
    "                                                        " \
    "                                                        "

/* clang-format off */
static const rich texts[] = {
    {"harmony", false, NULL,
     "<|channel|>analysis<|message|>hm <|start|> \xFF<|end|>"
     TO("f", "{\"a\": [1, 2.5e-7, \"x\\u00e9\"], \"b\": {\"c\": null}}")
     " filler " TO("g", "\"{\\\"a\\\": [1, 2]}\"")
     TO("h", "{'a': True, 'b': 'it\\'s',}") TO("i", "{\"a\" 1}")
     TO("j", "{\"a\": \"x ") " tail\"}"
     "<|start|>assistant<|channel|>analysis to=python code<|message|>"
     "print(1)\nprint(2)<|call|>"
     "<|start|>user<|message|>a message of another author<|end|>"
     "<|start|>assistant<|channel|>commentary to=functions.k" BLANKS
     " json<|message|>{}<|call|>"
     "<|start|>assistant<|channel|>final<|message|>Bye" BLANKS "!<|end|>"
     "<|start|>assistant<|channel|>commentary to=functions.l<|message|>"
     "{\"a\": \"x"},
    {"harmony", false,
     "<|start|>assistant<|channel|>commentary to=functions.f json<|message|>"
     "{\"a\": ",
     "1}<|call|><|start|>assistant<|channel|>final<|message|>Hi<|return|>"},
};
/* clang-format on */

enum { TEXTS = sizeof texts / sizeof *texts };

Test(faults, harmony_once, .timeout = 60)
{
    check_faults(texts, TEXTS, false);
}

Test(faults, harmony_for_ever, .timeout = 60)
{
    check_faults(texts, TEXTS, true);
}

Test(faults, harmony_second_message_allocates_nothing)
{
    check_second_messages(texts, TEXTS);
}
