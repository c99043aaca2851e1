/* SPDX-License-Identifier: MIT
 *
 * Hermes: what soups and fuzzing found (checks/found.h).
 */
#include "checks/found.h"

static const found rows[] = {
    /* A blank behind an odd one is the text's. */
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n\v Hi"},
    /* A closer behind a scalar is one where what follows it says so; a comma
     * in a string is no key's; a doubled brace inside the arguments. */
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": "
               "{\"x\":{\"a\":{{\"b\":1}},\"c\":2}}}\n</tool_call>"},
    /* A string is not empty because a bad call's is not looked at. */
    {"hermes", "<tool_call>\n{\"name\": \"" LONG_NAME
               "\", \"arguments\": \"bhr{u\"aro\"}\n</tool_call>"},
    /* Nor is it read a second time for what is odd in it. */
    {"hermes", "<tool_call>\n{\"name\": \"" LONG_NAME
               "\", \"arguments\": \"{\\\"\x01r\\\":\xFF"},
    /* A name that is too long is not known. */
    {"hermes", "<tool_call>\n{\"name\": \"" LONG_NAME
               "\", \"arguments\": {}}\n</tool_call>"},
    /* Where a body of tags may end: in its name, between tags, in a key; and
     * what in it may be too long.  Coverage had these lines as not run. */
    {"hermes", "<tool_call>\n<function=f<|im_end|>"},
    {"hermes", "<tool_call>\n<function=f</tool_ca"},
    {"hermes", "<tool_call>\n<function=f<x>"},
    {"hermes", "<tool_call>\n<function=f>\n<|im_end|>"},
    {"hermes", "<tool_call>\n<function=f>\n</tool_"},
    {"hermes", "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>"
               "\n<|eot_id|>"},
    {"hermes", "<tool_call>\n<function=" LONG_NAME ">\n</function>"
               "</tool_call>"},
    {"hermes", "<tool_call>\n<function=f>\n<parameter=" LONG_NAME LONG_NAME
               ">1</parameter></function></tool_call>"},
    {"hermes", "<tool_call>f\n<arg_key>" LONG_NAME "</arg_key>"
               "<arg_value>1</arg_value></tool_call>"},
    {"hermes", "<tool_call>f\n<arg_key>a</arg_key>\n<|im_end|>"},
    /* A word begins a value only when it is complete. */
    {"hermes", "<tool_call>{\"name\":\"f\",\"parameters\":F{}}</tool_call>"},
    {"hermes", "<tool_call>{\"name\":\"f\",\"parameters\":tru</tool_call>"},
    {"hermes", "<tool_call>{\"name\":\"f\",\"parameters\":null}</tool_call>"},
    /* A second name, in front of the arguments and behind them. */
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}, "
               "\"name\": \"f\"}\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}, "
               "\"name\": \"g\"}\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {}, "
               "\"name\": \"\"}\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"name\": \"g\", "
               "\"arguments\": {}}\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"a\\u0000b\", \"arguments\": {}}"
               "\n</tool_call>"},
    {"hermes",
     "<tool_call>\n{\"id\": \"" LONG_NAME LONG_NAME LONG_NAME LONG_NAME
     "\", \"name\": \"f\", \"arguments\": {}}\n</tool_call>"},
    {"hermes",
     "<tool_call>\n{\"name\": \"f\", \"arguments\": 7\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"arguments\": {}, \"name\": 7\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": [1"
               "\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": \"{\\\"a\\\":"
               " [[1\"}\n</tool_call>"},
    {"hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": {}, \"n\": 1"
               "</tool_call>"},
    {"hermes",
     "<tool_call>\n{\"id\": \"" LONG_NAME LONG_NAME LONG_NAME LONG_NAME
     "\", \"name\": \"f\"\n</tool_call>"},
    {"hermes", "<tool_call> \n x\n{\"name\": \"f\", \"arguments\": {}}"
               "</tool_call>"},
    {"hermes", "<tool_call>\n \t Sure: \n{\"name\": \"f\"}</tool_call>"},
    {"hermes", "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\" true}}"
               "</tool_call>"},
    {"hermes", "<tool_call>{\"name\": \"f\", \"arguments\": {True: 1}}"
               "</tool_call>"},
    {"hermes", "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": [1 null]}}"
               "</tool_call>"},
    /* Blanks that a marker parts. */
    {"hermes", "Hi" BLANKS "</tool_call>" BLANKS "</tool_call>" BLANKS "x"},
    {"hermes", BLANKS "</tool_call>" BLANKS "x"},
    {"hermes", B60 B60 "</tool_call>" B60 B60 "</tool_call>" B60 "x"},
};

Test(regressions, hermes_soups)
{
    check_found(rows, sizeof rows / sizeof *rows);
}
