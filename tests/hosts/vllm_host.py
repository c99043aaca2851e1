# SPDX-License-Identifier: MIT
"""toolwire's tool parsers inside vLLM: its plugin loader, its registry, its
renderer of requests and its chat server, OpenAIServingChat, with an engine that
streams what a model would have written.

Use: vllm_host.py HOME, by run.py; HOME holds the unpacked package.

Real: --tool-parser-plugin (ToolParserManager.import_tool_parser), ParserManager,
OnlineRenderer.render_chat with adjust_request(), OpenAIServingChat with
create_chat_completion(), the streams it writes, its reasoning parsers.
Not real: the engine, the tokenizer and the chat template.
"""
import asyncio
import functools
import importlib
import json
import logging
import os
import sys
import types

import cases
import chat
import stubs
import times
import vllm_peer
from tally import Tally

# Of vllm/__init__ on; env_override only sets options of torch.
STUBBED = vllm_peer.STUBBED + ('vllm.env_override',)
STEPS = 1, 3, 16, 1 << 20  # tokens a delta
# Reasoning parsers of vLLM's that are put in front, by format, for answers that
# reason: some take all for reasoning if it is not closed.
REASONING = {'hermes/qwen3': 'qwen3', 'gemma4': 'gemma4',
             'mistral/v13': 'mistral', 'glm/4.7': 'glm47',
             'minimax/m2': 'minimax_m2', 'seed-oss': 'seed_oss',
             'step3.5': 'step3p5', 'nemotron/3': 'nemotron_v3',
             'mimo': 'mimo', 'deepseek/v3.2': 'deepseek_v3'}


# The server's own parsers whose cost is measured beside ours.
TIMED = {'hermes/qwen3': 'hermes', 'qwen3-coder': 'qwen3_coder',
         'glm/4.7': 'glm47', 'deepseek/v3.1': 'deepseek_v31',
         'kimi-k2': 'kimi_k2', 'mistral/v13': 'mistral'}


class Bag(types.SimpleNamespace):
    """What a model's configuration says; what is asked beyond is unset."""

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return None


class Renderer:
    """The chat template: every prompt is one token."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer

    def get_tokenizer(self):
        return self.tokenizer

    async def render_chat_async(self, conversations, *_others, **_more):
        from vllm.inputs import tokens_input
        return conversations, [tokens_input([self.tokenizer.number('>')])]


class Engine:
    """Streams the tokens of a text, |step| a delta, as vLLM's engine does: the
    token that stops it has no text, and special ones only if they are asked
    for."""

    errored = False

    def __init__(self, tokenizer):
        self.renderer = Renderer(tokenizer)
        self.tokenizer = tokenizer
        self.input_processor = None
        self.model_config = Bag(
            model='made-up', hf_config=Bag(model_type='made-up'),
            max_model_len=1 << 24, generation_config='auto',
            override_generation_config={},
            get_diff_sampling_param=dict, is_encoder_decoder=False)
        self.question = None
        self.step = 1

    def check_admission(self, _count):
        pass

    async def generate(self, _prompt, params, request_id, **_more):
        from vllm.sampling_params import RequestOutputKind
        texts = list(self.question.tokens(self.tokenizer))
        pieces = [texts[i:i + self.step]
                  for i in range(0, len(texts), self.step)]
        if params.output_kind == RequestOutputKind.FINAL_ONLY:
            pieces = [texts]
        for number, piece in enumerate(pieces or [[]]):
            last = number + 1 >= len(pieces)
            yield self.output(piece, params, request_id, last)

    def output(self, texts, params, request_id, last):
        from vllm.outputs import CompletionOutput, RequestOutput
        ids = [self.tokenizer.number(text) for text in texts]
        if last:
            ids += self.tokenizer.encode(self.question.stop)
        shown = ''.join(
            text for text in texts
            if not (params.skip_special_tokens
                    and text in self.tokenizer.all_special_tokens))
        return RequestOutput(
            request_id=request_id, prompt=None,
            prompt_token_ids=[self.tokenizer.number('>')],
            prompt_logprobs=None, finished=last, outputs=[CompletionOutput(
                index=0, text=shown, token_ids=ids, cumulative_logprob=None,
                logprobs=None, finish_reason='stop' if last else None)])


class Server:
    """One server: a tool parser and a reasoning parser by their names."""

    def __init__(self, form, tool_parser, reasoning_parser=None):
        from vllm.entrypoints.openai.chat_completion.serving import (
            OpenAIServingChat)
        from vllm.entrypoints.openai.models.protocol import BaseModelPath
        from vllm.entrypoints.openai.models.serving import OpenAIServingModels
        from vllm.renderers.online_renderer import OnlineRenderer
        self.name = ' '.join(filter(None, (tool_parser, reasoning_parser)))
        self.reasons = bool(reasoning_parser)
        self.engine = Engine(vllm_peer.Tokenizer(form))
        same = {'request_logger': None, 'chat_template': None,
                'chat_template_content_format': 'auto',
                'enable_auto_tools': True, 'tool_parser': tool_parser,
                'reasoning_parser': reasoning_parser}
        self.chat = OpenAIServingChat(
            self.engine, OpenAIServingModels(self.engine, [
                BaseModelPath(name='made-up', model_path='made-up')]),
            'assistant', online_renderer=OnlineRenderer(
                self.engine.model_config, self.engine.renderer, **same),
            **same)

    async def ask(self, case, stream):
        from vllm.entrypoints.openai.chat_completion.protocol import (
            ChatCompletionRequest)
        self.engine.question = case.question
        request = ChatCompletionRequest(
            model='made-up', messages=[{'role': 'user', 'content': 'Hi.'}],
            tools=case.tools, tool_choice='auto', stream=stream,
            # What their parsers ask of the template's settings.
            chat_template_kwargs={'thinking': self.reasons,
                                  'enable_thinking': self.reasons})
        answer = await self.chat.create_chat_completion(request)
        if not stream:
            if not hasattr(answer, 'choices'):
                raise ValueError(answer.model_dump_json())
            choice = answer.choices[0]
            return choice.message.model_dump(), choice.finish_reason
        return chat.join(''.join([event async for event in answer]))

    def read(self, message):
        """vLLM's reasoning parsers leave the line feeds around reasoning."""
        found = chat.essence(message)
        if self.reasons:
            for key in ('content', 'reasoning'):
                found[key] = found[key].strip()
        return found

    def whole(self, case):
        return asyncio.run(self.ask(case, False))

    def streamed(self, case, step):
        self.engine.step = step
        return asyncio.run(self.ask(case, True))


def register(tally):
    """As --tool-parser-plugin does."""
    from toolwire.integrations import vllm as ours
    from toolwire.integrations import vllm_plugin
    from vllm.tool_parsers import ToolParserManager
    ToolParserManager.import_tool_parser(vllm_plugin())
    known = ToolParserManager.list_registered()
    tally.same('registered', [name for name in ours.names()
                              if name not in known], [])
    return ours, ToolParserManager


def separate(ours, manager, case):
    """The name of a parser that gives reasoning apart, and has the options of
    a case."""
    name = 'separate_%s_%s' % (case.form, '_'.join(sorted(case.options)))
    if name not in manager.tool_parsers:
        manager.register_module(name, module=type(
            'Separate', (ours.parser_for(case.form),),
            {'reasoning': 'separate', 'options': case.options}))
    return name


def check(tally, case, server):
    """Whole and streamed answers of one server."""
    wanted = case.wanted
    end = 'tool_calls' if wanted['calls'] else 'stop'
    name = '%s %s' % (case.name, server.name)
    message, finish = server.whole(case)
    whole = dict(wanted)
    if not server.reasons:  # A tool parser has no place for it in a message.
        whole['reasoning'] = ''
    tally.same(name + ' whole', [server.read(message), finish], [whole, end])
    for step in STEPS:
        message, finish = server.streamed(case, step)
        message['tool_calls'] = chat.complete(message['tool_calls'])
        if finish == 'tool_calls' and not wanted['calls']:
            finish = end  # A call was begun, and never became one.
        tally.same('%s streamed by %d' % (name, step),
                   [server.read(message), finish], [wanted, end])


def main():
    home = sys.argv[1]
    sys.path.insert(0, home)
    # Else its own parsers ask xgrammar for a grammar.
    os.environ['VLLM_ENFORCE_STRICT_TOOL_CALLING'] = '0'
    stubs.stub(STUBBED)
    import torch  # the stub
    torch.iinfo = lambda _kind: Bag(min=-1 << 63, max=(1 << 63) - 1)
    logging.disable(logging.CRITICAL)
    tally = Tally('vllm')
    ours, manager = register(tally)
    server = functools.lru_cache(maxsize=None)(Server)
    plain = ours._stream.server_name
    for case, asked in cases.with_servers(
            server, plain, lambda case: separate(ours, manager, case), REASONING):
        check(tally, case, asked)
    times.show(server, [(form, name, plain(form))
                        for form, name in TIMED.items()])
    version = importlib.import_module('vllm.version').__version__
    tally.end(versions='vllm ' + version, stubbed=', '.join(STUBBED) +
              '; the engine, the tokenizer (a marker is a token, else a '
              'character) and the chat template are made up')


if __name__ == '__main__':
    main()
