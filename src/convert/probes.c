/* SPDX-License-Identifier: MIT
 *
 * What templates are asked to write.
 */
#include "convert/probes.h"

/* Keys in alphabetical order, in which some templates write them. */
#define CALL(id, arguments)                                            \
    "{\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":" \
    "\"get_tide\",\"arguments\":\"{" arguments "}\"}}"
#define BREST_ARGUMENTS "\\\"days\\\": 2, \\\"harbour\\\": \\\"Brest\\\""
#define CORK_ARGUMENTS "\\\"days\\\": 7, \\\"harbour\\\": \\\"Cork\\\""
#define FLAG_ARGUMENTS "\\\"dry\\\": true, \\\"harbour\\\": \\\"Brest\\\""
#define ASSISTANT(content, more) \
    "{\"role\":\"assistant\",\"content\":" content more "}"
#define WORDS "\"All is well.\""
#define ONE ",\"tool_calls\":[" CALL("call00001", BREST_ARGUMENTS) "]"
#define FLAG ",\"tool_calls\":[" CALL("call00001", FLAG_ARGUMENTS) "]"
#define TWO                                                          \
    ",\"tool_calls\":[" CALL("call00001", BREST_ARGUMENTS) "," CALL( \
        "call00002", CORK_ARGUMENTS) "]"
#define THOUGHT ",\"reasoning_content\":\"Brest is asked for.\""
#define BREST "{\"days\":2,\"harbour\":\"Brest\"}"
#define CORK "{\"days\":7,\"harbour\":\"Cork\"}"

const tw_probe tw_probes[TW_PROBES] = {
    {"a call", ASSISTANT("\"\"", ONE), "", BREST, 1, true},
    {"two calls", ASSISTANT("\"\"", TWO), "", BREST CORK, 2, false},
    {"text", ASSISTANT(WORDS, ""), "All is well.", "", 0, true},
    {"text and a call", ASSISTANT(WORDS, ONE), "All is well.", BREST, 1,
     false},
    {"a call with a flag", ASSISTANT("\"\"", FLAG), "",
     "{\"dry\":true,\"harbour\":\"Brest\"}", 1, false},
    {"reasoning and a call", ASSISTANT("\"\"", THOUGHT ONE), "", BREST, 1,
     false},
};
