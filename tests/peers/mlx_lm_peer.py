# SPDX-License-Identifier: MIT
"""mlx-lm's tool parsers behind its text state machine.  The loop of its
server, APIHandler.handle_completion(), is done here likewise: a step a token,
and calls are read when the format's close marker came.

Use: mlx_lm_peer.py FOLDER stream TOOL_PARSER
where FOLDER holds the unpacked package.
"""
import importlib
import logging
import os
import sys

import line
import stubs

# What mlx-lm's server imports and its parsers never call.
STUBBED = ('mlx', 'mlx_lm.models', 'mlx_lm.processors',
           'mlx_lm.sample_utils', 'mlx_lm.utils')


class Tokenizer(line.Tokens):
    """As much of a tokenizer as mlx-lm's wrapper asks for."""

    eos_token_id = None
    chat_template = ''

    def get_vocab(self):
        return self.ids

    def encode(self, text, **_options):
        return super().encode(text)

    def apply_chat_template(self):
        raise NotImplementedError


def main():
    folder, _way, tool_parser = sys.argv[1:4]
    sys.path.insert(0, folder)
    stubs.stub(STUBBED)
    stubs.bare_package('mlx_lm', os.path.join(folder, 'mlx_lm'))
    logging.disable(logging.CRITICAL)
    from mlx_lm.generate import TextStateMachine, make_text_state_machine
    from mlx_lm.server import ToolCallFormatter
    from mlx_lm.tokenizer_utils import TokenizerWrapper
    tools_of = importlib.import_module('mlx_lm.tool_parsers.' + tool_parser)
    made = {}

    def machine_for(form):
        if form not in made:
            tokens = Tokenizer(form)
            wrapper = TokenizerWrapper(
                tokens, detokenizer_class=lambda _tokenizer: None,
                tool_call_start=tools_of.tool_call_start,
                tool_call_end=tools_of.tool_call_end,
                tool_parser=tools_of.parse_tool_call)
            made[form] = tokens, make_text_state_machine(wrapper, [])
        return made[form]

    def answer(question, clock):
        tokens, machine = machine_for(question.form)
        message = line.Message()
        formatter = ToolCallFormatter(tools_of.parse_tool_call,
                                      question.declared(), True)
        at = 'reasoning' if question.start else 'normal'
        state = machine.make_state(at)
        seen = {'before': at, 'call': '', 'calls': []}

        def step(state, text, reason):
            if reason == 'stop':
                state, now = TextStateMachine.discard(state)
                segments = [(now, '')]
            else:
                state, segments = TextStateMachine.split(state, text)
            if reason == 'length':
                state, rest, now = TextStateMachine.flush(state)
                segments.append((now, rest))
            for now, clean in segments:
                if now == 'reasoning':
                    message.add(None, clean)
                elif now == 'tool':
                    seen['call'] += clean
                else:
                    if seen['before'] == 'tool':
                        seen['calls'].append(seen['call'])
                        seen['call'] = ''
                    message.add(clean)
                seen['before'] = now
            return state

        def give():
            for call in formatter(seen['calls']):
                function = call['function']
                message.call(call['index'], function['name'],
                             function['arguments'])
            seen['calls'] = []

        for text in question.tokens(tokens):
            state = clock.run(step, state, text, None)
            clock.run(give)
            clock.deltas -= 1
            if clock.over():
                return message.whole()
        if question.stop:
            clock.run(step, state, question.stop, 'stop')
        else:
            clock.run(step, state, '', 'length')
        if seen['before'] == 'tool' and seen['call']:
            seen['calls'].append(seen['call'])
        clock.run(give)
        return message.whole()

    line.serve(answer)


if __name__ == '__main__':
    main()
