# SPDX-License-Identifier: MIT
"""vLLM's parsers as its chat server runs them: parser, reasoning parser, the
stream's processor and the assembly of a message are vLLM's own.

Use: vllm_peer.py FOLDER stream|whole TOOL_PARSER [REASONING_PARSER]
where FOLDER holds the unpacked package.
"""
import logging
import os
import sys

import line
import stubs

# What vLLM's parsers import and never call.
STUBBED = ('torch', 'triton', 'xgrammar', 'cpuinfo', 'vllm.config',
           'vllm.distributed', 'vllm.model_executor', 'vllm.multimodal',
           'vllm.usage')


class Tokenizer(line.Tokens):
    """As much of a tokenizer as the parsers ask for."""

    is_fast = True
    name_or_path = 'peer'

    def __init__(self, form):
        super().__init__(form)
        self.all_special_tokens = list(self.control)
        self.all_special_ids = [self.ids[text] for text in self.control]
        self.vocab = dict(self.ids)
        for code in range(128):
            self.vocab[chr(code)] = len(self.specials) + code

    def get_vocab(self):
        return self.vocab

    def encode(self, text, **_options):
        return super().encode(text)

    def decode(self, ids, **_options):
        return super().decode([ids] if isinstance(ids, int) else ids)

    def convert_tokens_to_ids(self, tokens):
        if isinstance(tokens, str):
            return self.vocab.get(tokens)
        return [self.vocab.get(token) for token in tokens]

    def convert_ids_to_tokens(self, ids, **_options):
        return [self.decode(i) for i in ids]

    def convert_tokens_to_string(self, tokens):
        return ''.join(tokens)


def fill(message, delta):
    """Adds one of vLLM's DeltaMessages."""
    if delta is None:
        return
    message.add(delta.content, delta.reasoning)
    for call in delta.tool_calls or []:
        function = call.function
        message.call(call.index, function and function.name,
                     function and function.arguments)


def main():
    folder, way, tool_parser = sys.argv[1:4]
    reasoning_parser = sys.argv[4] if len(sys.argv) > 4 else None
    sys.path.insert(0, folder)
    stubs.stub(STUBBED)
    package = stubs.bare_package('vllm', os.path.join(folder, 'vllm'))
    package.__version__ = '0'
    logging.disable(logging.CRITICAL)
    from vllm.entrypoints.openai.chat_completion.message_assembly import (
        assemble_chat_message_fields)
    from vllm.entrypoints.openai.chat_completion.protocol import (
        ChatCompletionRequest)
    from vllm.entrypoints.openai.chat_completion.stream_processor import (
        ChatStreamProcessor)
    from vllm.parser.parser_manager import ParserManager
    parser_class = ParserManager.get_parser(
        tool_parser, reasoning_parser, True,
        is_harmony=tool_parser == 'openai')
    tokenizers = {}

    def answer(question, clock):
        form = question.form
        if form not in tokenizers:
            tokenizers[form] = Tokenizer(form)
        tokenizer = tokenizers[form]
        prompt = ''.join(m['text'] for m in line.markers(form)
                         if question.start and m['role'] == 'reasoning_open')
        prompt_ids = tokenizer.encode(prompt)
        request = ChatCompletionRequest(
            model='peer', messages=[{'role': 'user', 'content': 'Hi.'}],
            tools=question.declared(), tool_choice='auto')
        parser = parser_class(tokenizer, request.tools)
        message = line.Message()
        if way == 'whole':
            found = clock.run(parser.parse, question.text, request, True,
                              [tokenizer.number(text) for text
                               in question.tokens(tokenizer)])
            fields = assemble_chat_message_fields(
                request, *found, enable_auto_tools=True,
                parser_cls=parser_class)
            message.add(fields.content, fields.reasoning)
            for index, call in enumerate(fields.tool_calls):
                message.call(index, call.function.name,
                             call.function.arguments)
            return message.whole()
        processor = ChatStreamProcessor(
            request, parser, enable_auto_tools=True, parser_cls=parser_class)
        for text, ids in question.deltas(tokenizer):
            fill(message, clock.run(processor.step, text, ids, None,
                                    prompt_ids).delta)
            if clock.over():
                break
        # The stop token: its text is taken off, its number is not.
        fill(message, clock.run(
            processor.step, '', tokenizer.encode(question.stop),
            'length' if question.cut_short else 'stop', prompt_ids).delta)
        return message.whole()

    line.serve(answer, bool(reasoning_parser))


if __name__ == '__main__':
    main()
