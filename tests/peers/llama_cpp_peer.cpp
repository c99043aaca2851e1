// SPDX-License-Identifier: MIT
//
// llama.cpp's chat parser, which is made from a model's template.  As its
// server does, it parses all text again with each delta and sends what is new.
//
// Use: peer stream|whole TEMPLATE
// The line protocol is that of rust/line.rs.
#include "chat.h"
#include "json.h"
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>

static double now()
{
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static std::string contents(const char *path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// What a client has after the deltas.
struct client {
    common_chat_msg seen, sent;

    void take(const common_chat_msg &message)
    {
        if (message.empty())
            return;
        for (auto &delta :
             common_chat_msg_diff::compute_diffs(seen, message)) {
            sent.content += delta.content_delta;
            sent.reasoning_content += delta.reasoning_content_delta;
            size_t index = delta.tool_call_index;
            if (index == std::string::npos)
                continue;
            if (sent.tool_calls.size() <= index)
                sent.tool_calls.resize(index + 1);
            sent.tool_calls[index].name += delta.tool_call_delta.name;
            sent.tool_calls[index].arguments +=
                delta.tool_call_delta.arguments;
        }
        seen = message;
    }
};

static common_chat_parser_params make_parser(const std::string &source,
                                             const common_json &asked)
{
    auto templates = common_chat_templates_init(nullptr, source, "", "");
    common_chat_templates_inputs inputs;
    common_chat_msg user;
    user.role = "user";
    user.content = "Hi.";
    inputs.messages.push_back(user);
    inputs.tools = common_chat_tools_parse_oaicompat(asked.at("tools"));
    inputs.parallel_tool_calls = true;
    inputs.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
    inputs.enable_thinking = asked.at("opens").get<bool>();
    auto made = common_chat_templates_apply(templates.get(), inputs);
    common_chat_parser_params params(made);
    params.reasoning_format = inputs.reasoning_format;
    params.parser.load(made.parser);
    return params;
}

static common_json answer(const std::string &source, const common_json &asked)
{
    double budget = std::numeric_limits<double>::infinity();
    if (!asked.at("budget").is_null())
        budget = asked.at("budget").get<double>();
    common_json said = common_json::object();
    double seconds = 0;
    size_t deltas = 0;
    try {
        auto params = make_parser(source, asked);
        const common_json &pieces = asked.at("deltas");
        client its;
        std::string text;
        double start = now();
        for (; deltas < pieces.size() && now() - start < budget; deltas++) {
            text += pieces[deltas].get<std::string>();
            its.take(common_chat_parse(text, true, params));
        }
        if (deltas == pieces.size())
            its.take(common_chat_parse(text, false, params));
        seconds = now() - start;
        common_json message = common_json::object();
        message["role"] = std::string("assistant");
        message["content"] = its.sent.content;
        message["reasoning_content"] = its.sent.reasoning_content;
        message["tool_calls"] = common_json::array();
        for (auto &call : its.sent.tool_calls) {
            common_json function = common_json::object();
            function["name"] = call.name;
            function["arguments"] = call.arguments;
            common_json whole = common_json::object();
            whole["type"] = std::string("function");
            whole["function"] = function;
            message["tool_calls"].push_back(whole);
        }
        said["message"] = message;
    } catch (const std::exception &error) {
        said["error"] = std::string(error.what()).substr(0, 200);
    }
    said["seconds"] = seconds;
    said["deltas"] = (double)deltas;
    return said;
}

int main(int count, char **words)
{
    std::string source = count > 2 ? contents(words[2]) : "";
    std::string line;
    while (std::getline(std::cin, line))
        std::cout << answer(source, common_json::parse(line)).dump_safe()
                  << std::endl;
}
