/* SPDX-License-Identifier: MIT
 *
 * What templates are asked to write.
 */
#include "detect/probes.h"

#include <string.h>

#include "core/ascii.h"

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
#define ONE ",\"tool_calls\":[" CALL(TW_PROBE_ID "0", BREST_ARGUMENTS) "]"
#define FLAG ",\"tool_calls\":[" CALL(TW_PROBE_ID "0", FLAG_ARGUMENTS) "]"
#define TWO                                                              \
    ",\"tool_calls\":[" CALL(TW_PROBE_ID "0", BREST_ARGUMENTS) "," CALL( \
        TW_PROBE_ID "1", CORK_ARGUMENTS) "]"
#define THOUGHT ",\"reasoning_content\":\"" TW_PROBE_THOUGHT "\""
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

const tw_probe_setting tw_probe_settings[TW_PROBE_SETTINGS] = {
    {"enable_thinking=true", "\"enable_thinking\":true"},
    {"enable_thinking=false", "\"enable_thinking\":false"},
    {"thinking=true", "\"thinking\":true"},
    {"thinking=false", "\"thinking\":false"},
    {"reasoning_effort=high", "\"reasoning_effort\":\"high\""},
    {"reasoning_effort=none", "\"reasoning_effort\":\"none\""},
};

static bool put_word(tw_buffer *out, const tw_memory *memory, const char *word)
{
    return tw_buffer_append(out, memory, word, strlen(word));
}

/* The message, with ids as Kimi's are where |ids_say_names|. */
static bool put_message(tw_buffer *out, const tw_memory *memory,
                        const char *message, bool ids_say_names)
{
    const char *id;
    bool good = put_word(out, memory, ",");
    while (ids_say_names && (id = strstr(message, TW_PROBE_ID)) != NULL) {
        good &=
            tw_buffer_append(out, memory, message, (size_t)(id - message)) &&
            put_word(out, memory, "functions.get_tide:");
        message = id + sizeof TW_PROBE_ID - 1;
    }
    return good && put_word(out, memory, message);
}

bool tw_probe_ask(tw_buffer *out, const tw_memory *memory,
                  const tw_probe_request *asked)
{
    out->size = 0;
    return put_word(out, memory, "{\"messages\":[" TW_PROBE_USER) &&
           (asked->message == NULL ||
            put_message(out, memory, asked->message, asked->ids_say_names)) &&
           put_word(out, memory,
                    "],\"tools\":" TW_PROBE_TOOLS
                    ",\"chat_template_kwargs\":{") &&
           put_word(out, memory,
                    asked->setting != NULL ? asked->setting->json : "") &&
           put_word(out, memory,
                    asked->generation ? "},\"add_generation_prompt\":true}"
                                      : "},\"add_generation_prompt\":false}");
}

bool tw_probe_is_text(const tw_buffer *given, const char *wanted)
{
    size_t begin = 0;
    size_t end = given->size;
    while (begin < end && tw_is_ws((char)given->data[begin])) {
        begin++;
    }
    while (end > begin && tw_is_ws((char)given->data[end - 1])) {
        end--;
    }
    return end - begin == strlen(wanted) &&
           (end == begin ||
            memcmp(given->data + begin, wanted, end - begin) == 0);
}

bool tw_probe_stands_in(const tw_buffer *all, const char *part, size_t size,
                        bool loosely)
{
    for (size_t begin = 0; begin < all->size; begin++) {
        size_t at = begin;
        size_t i = 0;
        while (i < size && at < all->size) {
            const char c = (char)all->data[at];
            if (loosely && tw_is_ws(part[i])) {
                i++;
            } else if (loosely && at > begin && tw_is_ws(c)) {
                at++;
            } else if (part[i] == c) {
                i++;
                at++;
            } else {
                break;
            }
        }
        if (i == size) {
            return true;
        }
    }
    return false;
}

bool tw_probe_ends(const tw_buffer *all, const uint8_t *end, size_t size)
{
    return all->size >= size &&
           memcmp(all->data + all->size - size, end, size) == 0;
}
