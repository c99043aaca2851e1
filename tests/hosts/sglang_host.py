# SPDX-License-Identifier: MIT
"""toolwire's detectors inside SGLang: its registry and its chat server,
OpenAIServingChat, with an engine that streams what a model would have written.

Use: sglang_host.py HOME, by run.py; HOME holds the unpacked package.

Real: FunctionCallParser and its registry, the reasoning parsers, and of
OpenAIServingChat all that follows the engine: _handle_streaming_request() and
_handle_non_streaming_request().  Not real: the engine, the settings, and what
makes a prompt of a request, which asks a template and a tokenizer.
"""
import asyncio
import functools
import importlib.metadata
import logging
import sys
import types

import cases
import chat
import line
import stubs
import times
from tally import Tally

# sglang.srt.utils.hf_transformers loads models' settings and pictures.
STUBBED = ('torch', 'triton', 'xgrammar', 'IPython', 'sglang.kernels',
           'sglang.srt.configs', 'sglang.srt.distributed',
           'sglang.srt.managers.mm_utils',
           'sglang.srt.managers.schedule_batch', 'sglang.srt.model_executor',
           'sglang.srt.utils.hf_transformers',
           'sglang.srt.utils.hf_transformers_utils')
STEPS = 1, 3, 16, 1 << 20  # tokens a delta
# Reasoning parsers of SGLang's that are put in front, by format, for answers
# that reason.
REASONING = {'hermes/qwen3': 'qwen3', 'gemma4': 'gemma4',
             'mistral/v13': 'mistral', 'glm/4.7': 'glm45',
             'minimax/m2': 'minimax', 'mimo': 'mimo', 'step3.5': 'step3p5',
             'deepseek/v3.2': 'deepseek-v3', 'harmony': 'gpt-oss'}


# The server's own parsers whose cost is measured beside ours.
TIMED = {'hermes/qwen3': 'qwen25', 'qwen3-coder': 'qwen3_coder',
         'glm/4.7': 'glm47', 'deepseek/v3.1': 'deepseekv31',
         'kimi-k2': 'kimi_k2', 'mistral/v13': 'mistral'}


class Bag(types.SimpleNamespace):
    """Settings; what is asked beyond those that are set is unset."""

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return None


class Engine:
    """The tokenizer manager: streams the tokens of a text, |step| a delta, as
    with --incremental-streaming-output."""

    def __init__(self, form, settings):
        self.tokenizer = line.Tokens(form)
        self.tokenizer.chat_template = ''
        self.settings = settings
        self.model_config = Bag(
            hf_config=Bag(model_type='made-up', architectures=['MadeUp']),
            get_default_sampling_params=dict)
        self.server_args = Bag(**settings)
        self.question = None
        self.step = 1

    def config_value(self, name):
        return self.settings.get(name)

    def create_abort_task(self, _request):
        return None

    async def generate_request(self, adapted, _raw):
        texts = list(self.question.tokens(self.tokenizer))
        step = self.step if adapted.stream else len(texts) or 1
        for at in range(0, len(texts) or 1, step):
            yield self.output(texts[at:at + step], at + step >= len(texts))

    def output(self, texts, last):
        return {'text': ''.join(texts), 'index': 0,
                'output_ids': [self.tokenizer.number(text) for text in texts],
                'meta_info': {
                    'id': 'made-up', 'prompt_tokens': 1,
                    'completion_tokens': len(texts),
                    'weight_version': 'made-up',
                    'finish_reason': {'type': 'stop', 'matched': 0} if last
                    else None}}


class Server:
    """One server: a tool call parser and a reasoning parser by their names."""

    def __init__(self, form, tool_parser, reasoning_parser=None):
        from sglang.srt.entrypoints.openai.serving_chat import (
            OpenAIServingChat)
        self.name = ' '.join(filter(None, (tool_parser, reasoning_parser)))
        self.reasons = bool(reasoning_parser)
        self.engine = Engine(form, {'tool_call_parser': tool_parser,
                                    'reasoning_parser': reasoning_parser})
        self.chat = OpenAIServingChat(self.engine, Bag(
            force_reasoning=False, chat_template_name=None))

    async def ask(self, case, stream):
        from sglang.srt.entrypoints.openai.protocol import (
            ChatCompletionRequest)
        self.engine.question = case.question
        request = ChatCompletionRequest(
            model='made-up', messages=[{'role': 'user', 'content': 'Hi.'}],
            tools=case.tools, tool_choice='auto', stream=stream,
            chat_template_kwargs={'thinking': True, 'enable_thinking': True})
        adapted = Bag(stream=stream)
        if not stream:
            answer = await self.chat._handle_non_streaming_request(
                adapted, request, None)
            choice = answer.choices[0]
            return choice.message.model_dump(), choice.finish_reason
        answer = await self.chat._handle_streaming_request(adapted, request,
                                                           None)
        events = [event async for event in answer.body_iterator]
        return chat.join(''.join(events))

    def streamed(self, case, step):
        self.engine.step = step
        return asyncio.run(self.ask(case, True))

    def read(self, message):
        """SGLang's reasoning parsers keep some line feeds around reasoning."""
        found = chat.essence(message)
        if self.reasons:
            for key in ('content', 'reasoning'):
                found[key] = found[key].strip()
        return found


def register(tally):
    from sglang.srt.function_call.function_call_parser import (
        FunctionCallParser)
    from toolwire.integrations import sglang as ours
    ours.register()
    known = FunctionCallParser.ToolCallParserEnum
    tally.same('registered', [name for name in ours.names()
                              if name not in known], [])
    return ours, known


def separate(ours, known, case):
    """The name of a detector that leaves reasoning out, and has the options
    of a case."""
    name = 'separate_%s_%s' % (case.form, '_'.join(sorted(case.options)))
    if name not in known:
        known[name] = type('Separate', (ours.detector_for(case.form),), {
            'reasoning': 'separate', 'options': case.options})
    return name


def check(tally, case, server):
    """Whole and streamed answers of one server."""
    wanted = dict(case.wanted)
    if not server.reasons:  # A detector has no place for it.
        wanted['reasoning'] = ''
    end = 'tool_calls' if wanted['calls'] else 'stop'
    name = '%s %s' % (case.name, server.name)
    for step in (0,) + STEPS:
        server.engine.step = step
        message, finish = asyncio.run(server.ask(case, bool(step)))
        message['tool_calls'] = chat.complete(message.get('tool_calls') or ())
        if finish == 'tool_calls' and not wanted['calls']:
            finish = end  # A call was begun, and never became one.
        tally.same(name + (' streamed by %d' % step if step else ' whole'),
                   [server.read(message), finish], [wanted, end])


def main():
    home = sys.argv[1]
    sys.path.insert(0, home)
    stubs.stub(STUBBED)
    import torch  # the stub
    torch.cuda = torch.xpu = torch.hpu = Bag(is_available=lambda: False)
    stubs.lack(torch, 'npu')
    stubs.bare_package('sglang', home + '/sglang').__version__ = '0'
    from sglang.srt.entrypoints.openai import serving_chat
    # What the command line and the model's settings say.
    serving_chat.get_serving = lambda: Bag(incremental_streaming_output=True)
    serving_chat.get_model = Bag
    logging.disable(logging.CRITICAL)
    tally = Tally('sglang')
    ours, known = register(tally)
    server = functools.lru_cache(maxsize=None)(Server)
    plain = ours._stream.server_name
    for case, asked in cases.with_servers(
            server, plain, lambda case: separate(ours, known, case), REASONING):
        check(tally, case, asked)
    times.show(server, [(form, name, plain(form))
                        for form, name in TIMED.items()])
    tally.end(versions='sglang ' + importlib.metadata.version('sglang'),
              stubbed=', '.join(STUBBED) + '; the engine, the tokenizer, the '
              'settings and what makes the prompt are made up')


if __name__ == '__main__':
    main()
