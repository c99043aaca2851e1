# SPDX-License-Identifier: MIT
"""transformers serve: what its server makes of what a model wrote, beside what
toolwire makes of it.  toolwire has no plugin there: this compares messages.

Use: transformers_host.py HOME, by run.py.

Real: the response templates that the server has for families of models, its
ResponseParser, response_events_to_chunks() for streams, parse_assistant_message()
for whole answers.  Not real: the model, the tokenizer, and the HTTP around them.
"""
import importlib.metadata
import logging
import sys
import types

import cases
import chat
import line
from tally import Tally

# Types of models that the server has a template for, the format they write and
# what their prompt ends with.
MODELS = (('qwen3', 'hermes/qwen3', '<|im_start|>assistant\n'),
          ('qwen2', 'hermes/qwen2.5', '<|im_start|>assistant\n'),
          ('qwen3_5', 'qwen3.5', '<|im_start|>assistant\n'),
          ('gemma4', 'gemma4', '<|turn>model\n'))
STEPS = 1, 3, 16, 1 << 20  # tokens a delta


class Tokenizer(line.Tokens):
    """As much of one as the server asks for."""

    def parse_response(self, response, template, **options):
        from transformers import PreTrainedTokenizerBase
        return PreTrainedTokenizerBase.parse_response(self, response,
                                                      template, **options)


def read_streamed(serving, tokenizer, model, prompt, case, step):
    parser = serving.build_response_parser(
        tokenizer, model, tokenizer.encode(prompt), tools=case.tools)
    texts = list(case.question.tokens(tokenizer)) + [case.question.stop]
    items = []
    for at in range(0, len(texts), step):
        items += serving.response_events_to_chunks(
            parser.feed(''.join(texts[at:at + step])))
    items += serving.response_events_to_chunks(parser.finalize()[1])
    message = {'content': '', 'reasoning': '', 'tool_calls': []}
    for item in items:
        if isinstance(item, serving.ToolCall):
            message['tool_calls'].append({'function': {
                'name': item.name, 'arguments': item.arguments}})
        elif isinstance(item, serving.ReasoningText):
            message['reasoning'] += item
        else:
            message['content'] += item
    return message


def read_whole(serving, tokenizer, model, prompt, case):
    texts = list(case.question.tokens(tokenizer)) + [case.question.stop]
    content, reasoning, calls = serving.parse_assistant_message(
        tokenizer, model, ''.join(texts), tokenizer.encode(prompt),
        tools=case.tools)
    return {'content': content, 'reasoning': reasoning, 'tool_calls': [
        {'function': {'name': call.name, 'arguments': call.arguments}}
        for call in calls or ()]}


def values(message):
    """Blanks around texts and in arguments apart."""
    found = chat.essence(message)
    return {'content': found['content'].strip(),
            'reasoning': found['reasoning'].strip(),
            'calls': [[name, chat.value(arguments)]
                      for name, arguments in found['calls']]}


def main():
    logging.disable(logging.CRITICAL)
    from transformers.cli.serving import utils as serving
    tally = Tally('transformers')
    for kind, form, prompt in MODELS:
        tokenizer = Tokenizer(form)
        model = types.SimpleNamespace(
            config=types.SimpleNamespace(model_type=kind))
        for case in cases.all_cases():
            if case.form != form or case.options:
                continue
            wanted = values(dict(case.wanted, tool_calls=[
                {'function': {'name': name, 'arguments': arguments}}
                for name, arguments in case.wanted['calls']]))
            for step in (0,) + STEPS:
                name = '%s %s %s' % (kind, case.name, step or 'whole')
                try:
                    got = values(
                        read_streamed(serving, tokenizer, model, prompt, case,
                                      step) if step else
                        read_whole(serving, tokenizer, model, prompt, case))
                except Exception as error:  # theirs, of many kinds
                    got = 'refused: %s' % str(error)[:200]
                tally.same(name, got, wanted)
    tally.end(versions='transformers '
              + importlib.metadata.version('transformers'),
              stubbed='the model, the tokenizer, HTTP')


if __name__ == '__main__':
    sys.exit(main())
