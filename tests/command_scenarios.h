/* SPDX-License-Identifier: MIT
 *
 * What command_faults.c runs, with every call to the system failing in turn.
 */
#ifndef TESTS_COMMAND_SCENARIOS_H
#define TESTS_COMMAND_SCENARIOS_H

typedef struct scenario {
    const char *words; /* what follows "toolwire", parted by blanks */
    const char *input; /* stdin */
} scenario;

#define CALL                                                     \
    "<tool_call>{\\\"name\\\":\\\"f\\\",\\\"arguments\\\":{\\\"" \
    "a\\\":1}}</tool_call>"
#define REQUEST                                                         \
    "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"},"            \
    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":" \
    "\"x\",\"type\":\"function\",\"function\":{\"name\":\"f\","         \
    "\"arguments\":\"{\\\"a\\\": 1}\"}}]},{\"role\":\"tool\","          \
    "\"tool_call_id\":\"x\",\"content\":\"1\"}],\"tools\":[{\"type\":"  \
    "\"function\",\"function\":{\"name\":\"f\",\"parameters\":{"        \
    "\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}}" \
    "}}}]}\n"

static const scenario scenarios[] = {
    {"decode -f hermes -o out", "Hi <tool_call>{\"name\":\"f\","
                                "\"arguments\":{\"a\":1,}}</tool_call>"},
    {"decode --jsonl -f hermes --tools tools --call-id-prefix id "
     "--prompt-tail <think> --field a.b",
     "{\"a\":{\"b\":\"Hi " CALL "\"},\"c\":[1]}\nno JSON\n\"x\"\n"},
    {"stream -f hermes --sse --model m --id i --tools tools",
     "Hi <tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1,}}</tool_call>"},
    {"stream -f hermes --events --chunk 7 -o out",
     "Hi <tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}}</tool_call>"},
    {"stream -f hermes --from-sse --tools tools -o out",
     ": a\ndata: {\"choices\":[{\"delta\":{\"content\":\"Hi <tool_call>"
     "{\\\"name\\\":\\\"g\\\",\\\"arguments\\\":{},\"}},{\"index\":1}]}\n\n"
     "data: {\"choices\":[{\"delta\":{\"content\":\"}</tool_call>\"},"
     "\"finish_reason\":\"stop\",\"x\":[1]}],\"usage\":{\"y\":2}}\n\n"
     "data: {\n\ndata: {\"z\":[]}\n\ndata: [DONE]\n\n"},
    {"stream -f hermes --from-sse --join",
     "data: {\"choices\":[\ndata: {\"delta\":{\"content\":\"a\\ud83d\"}}]}\r\r"
     "data: {\"choices\":[{\"delta\":{\"content\":\"\\ude00 \\ud83db\"},"
     "\"finish_reason\":\"length\"}]}\n\ndata: {\"y\":\ndata: 1}\n\ndata: {"},
    {"stream -f hermes --from-sse --max-record 60",
     ": a comment\nid: 1\ndata: {\"choices\":[{\"delta\":{\"content\":"
     "\"<tool_call>{\"}}]}\n\ndata: {\"choices\":[],\"usage\":{\"total\":"
     "[1,2,3]}}\n\ndata: {\"choices\":[{\"delta\":{\ndata: \"content\":"
     "\"and so on, for longer than that\"}}]}\n\n"},
    {"stream -f hermes --from-sse",
     "data: {\"choices\":[{}],\"usage\":{\"longer than a chunk has room for\":"
     "[1234567890123456789,1234567890123456789,1234567890123456789,"
     "1234567890123456789,1234567890123456789,1234567890123456789,"
     "1234567890123456789,1234567890123456789,1234567890123456789,"
     "1234567890123456789,1234567890123456789,1234567890123456789]}}\n\n"},
    {"stream -f hermes --join --usage {\"a\":[1]} --finish-reason x "
     "--choice 2 --system-fingerprint f",
     "Hi <tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}}</tool_call>"},
    {"encode -f hermes --set a=b --set c=1 --segments --report report "
     "-o out",
     REQUEST},
    {"encode -f hermes/nous --jsonl", REQUEST "{}\n"},
    {"convert -f openai -t hermes -j 2 --rejects rejects --report report "
     "--stats -o out",
     REQUEST "7\n" REQUEST},
    {"convert -f hermes -t anthropic --rejects rejects",
     "{\"text\":\"" CALL "\"}\n7\n"},
    {"convert -f openai -t sharegpt in", REQUEST REQUEST},
    {"convert -f openai -t hermes --max-record 9 --show 1 --rejects rejects "
     "-j 2 -o out",
     "\xEF\xBB\xBF" REQUEST "{}\n \n{}\n" REQUEST "\n\n"},
    {"convert -f openai -t hermes --rejects rejects -o out", "\x1F\x8B\x08"},
    {"check -f hermes", "Hi <tool_call>{\"name\":\"f\",}</tool_call>"},
    {"formats --json -o out", ""},
    {"explain --all", ""},
    {"gen -f hermes --count 7", ""},
    {"gen -f hermes --class encoding --count 20", ""},
    {"--help", ""},
    {"decode --help", ""},
    {"--version", ""},
    {"test -f hermes --count 3 --class truncated --patience 60 "
     "--cmd sed\t-u\ts/.*/{\"error\":0}/",
     ""},
    {"test -f hermes --count 1 --class legal --patience 60 --cmd cat", ""},
    {"test -f hermes --count 1 --class truncated --patience 60 "
     "--cmd sed\t-u\ts/.*/x/",
     ""},
    {"inspect -f hermes --tools tools -o out",
     "Hi <tool_call>{\"name\":\"g\",\"arguments\":{\"a\":[1],}}</tool_call>"},
    {"inspect --html -f hermes", "Hi<b></think>"},
    {"detect --json -o out",
     "{\"messages\":[{\"role\":\"assistant\",\"content\":\"<think>a</think>\"}"
     "]}\n"},
    {"explain trailing_comma", ""},
    {"inspect", "<think>a</think>"},
    {"formats hermes", ""},
    {"convert -f openai -t openai --wire hermes -o out",
     "{\"messages\":[{\"role\":\"assistant\",\"content\":\"" CALL "\"}]}\n"},
    {"stream -f hermes --from-sse --api chat",
     ": a\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r\","
     "\"usage\":{\"a\":1}}}\n\ndata: {\"type\":"
     "\"response.output_text.delta\",\"delta\":\"Hi " CALL "\"}\n\ndata: {"
     "\"type\":\"response.completed\",\"response\":{\"status\":"
     "\"completed\",\"usage\":{\"b\":2}}}\n\n"},
    {"stream -f hermes --from-sse",
     "data: {\"choices\":[{\"delta\":{\"content\":\"a\\ud83d\"}}]}\n\n"
     "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"},
    {"test -f hermes --count 1 --class long --not protocol_error --patience "
     "60 --cmd cat",
     ""},
    /* The call of that case, but for its arguments. */
    {"test -f hermes --count 1 --class typo --seed 4 --patience 60 "
     "--cmd sed\t-u\t's/.*/{\"message\":{\"tool_calls\":[{\"function\":"
     "{\"name\":\"get_tide\",\"arguments\":{\"n\":[0]}}}]}}/'",
     ""},
};

#endif
