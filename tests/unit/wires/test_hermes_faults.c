/* SPDX-License-Identifier: MIT
 *
 * Hermes: failed allocations (checks/faults.h).
 */
#include <criterion/criterion.h>

#include "allocator.h"
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

Test(faults, hermes_once, .timeout = 1200)
{
    check_faults(texts, TEXTS, false);
}

Test(faults, hermes_for_ever, .timeout = 1200)
{
    check_faults(texts, TEXTS, true);
}

Test(faults, hermes_second_message_allocates_nothing)
{
    check_second_messages(texts, TEXTS);
}

/* ---- tools in error ----------------------------------------------------- */

/* Without memory for its path, an error has none. */
Test(faults, a_path)
{
    size_t paths = 0;
    for (size_t n = 1; paths == 0; n++) {
        test_memory memory = {0};
        const tw_allocator allocator = test_allocator(&memory);
        tw_decoder *decoder =
            tw_decoder_new(tw_format_find("hermes"), &allocator);
        memory.fail_at = memory.count + n;
        const int result = tw_decoder_set_tools(decoder, "[1]", 3);
        const tw_error *error = tw_decoder_error(decoder);
        cr_assert(result == TW_ERROR_MEMORY || result == TW_ERROR_SCHEMA);
        cr_assert_eq(error->code, result);
        if (error->path != NULL) {
            cr_assert_str_eq(error->path, "tools[0]");
            cr_assert_lt(memory.count, memory.fail_at);
            paths++;
        }
        tw_decoder_free(decoder);
        cr_assert_eq(memory.live, 0);
    }
}
