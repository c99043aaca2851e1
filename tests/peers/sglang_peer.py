# SPDX-License-Identifier: MIT
"""SGLang's parsers.  What its chat server does around them, in
_generate_chat_stream() and _process_tool_calls(), is done here likewise.

Use: sglang_peer.py FOLDER stream|whole TOOL_PARSER [REASONING_PARSER [force]]
where FOLDER holds the unpacked package, and force says that the template's
settings make the server expect reasoning first.
"""
import json
import logging
import os
import sys

import line
import stubs

# What SGLang's parsers import and never call.
STUBBED = ('torch', 'triton', 'xgrammar', 'IPython')


def unstreamed(detector):
    """What _check_for_unstreamed_tool_args() of the server sends at the end."""
    made = getattr(detector, 'prev_tool_call_arr', None)
    sent = getattr(detector, 'streamed_args_for_tool', None)
    if not made or not sent or len(made) > len(sent):
        return None
    last = len(made) - 1
    due = made[last].get('arguments', {})
    if not isinstance(due, str):
        due = json.dumps(due, ensure_ascii=False)
    if due.startswith(sent[last]) and due != sent[last]:
        return last, due[len(sent[last]):]
    return None


def main():
    folder, way, tool_parser = sys.argv[1:4]
    reasoning_parser = sys.argv[4] if len(sys.argv) > 4 else None
    force = len(sys.argv) > 5
    sys.path.insert(0, folder)
    stubs.stub(STUBBED)
    stubs.bare_package('sglang', os.path.join(folder, 'sglang'))
    from sglang.srt.entrypoints.openai.protocol import (
        ChatCompletionRequest, Tool)
    from sglang.srt.function_call.function_call_parser import (
        FunctionCallParser)
    from sglang.srt.parser.reasoning_parser import ReasoningParser
    logging.disable(logging.CRITICAL)

    def reasoning_for(question, request, streamed):
        if not reasoning_parser:
            return None
        return ReasoningParser(
            reasoning_parser, streamed, force or bool(question.start),
            request, tool_call_parser_active=True)

    def whole(question, request, tools, clock):
        message = line.Message()
        text = question.text
        reasoning = reasoning_for(question, request, False)
        if reasoning:
            thought, text = clock.run(reasoning.parse_non_stream, text)
            message.add(None, thought)
        parser = FunctionCallParser(tools, tool_parser)
        calls = []
        if text and clock.run(parser.has_tool_call, text):
            try:
                text, calls = clock.run(parser.parse_non_stream, text)
            except Exception as error:  # The server logs it and goes on.
                if line.is_ours(error):
                    raise
        message.add(text)
        for index, call in enumerate(calls):
            message.call(index, call.name, call.parameters)
        return message.whole()

    def stream(question, request, tools, clock):
        message = line.Message()
        reasoning = reasoning_for(question, request, True)
        parser = FunctionCallParser(tools, tool_parser)

        def take(text, calls):
            message.add(text)
            for call in calls or ():
                message.call(call.tool_index, call.name, call.parameters)

        def step(text):
            if reasoning:
                thought, text = reasoning.parse_stream_chunk(text)
                message.add(None, thought)
            take(*parser.parse_stream_chunk(text or ''))

        def end():
            text = ''
            if reasoning:
                thought, text = reasoning.parse_stream_end()
                message.add(None, thought)
            # As with the last delta, which may be empty.
            take(*parser.parse_stream_chunk(text or ''))
            take(*parser.parse_stream_end())
            rest = unstreamed(parser.detector)
            if rest:
                message.call(rest[0], None, rest[1])

        for text, _ in question.deltas(tokens(question.form)):
            clock.run(step, text)
            if clock.over():
                return message.whole()
        clock.run(end)
        return message.whole()

    made = {}

    def tokens(form):
        if form not in made:
            made[form] = line.Tokens(form)
        return made[form]

    def answer(question, clock):
        tools = [Tool(**tool) for tool in question.declared()]
        request = ChatCompletionRequest(
            model='peer', messages=[{'role': 'user', 'content': 'Hi.'}],
            tools=tools, tool_choice='auto')
        return (whole if way == 'whole' else stream)(question, request, tools,
                                                     clock)

    line.serve(answer, bool(reasoning_parser))


if __name__ == '__main__':
    main()
