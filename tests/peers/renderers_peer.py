# SPDX-License-Identifier: MIT
"""renderers: the parser of each hand-written renderer, which is given the
tokens of a whole completion.

Use: renderers_peer.py FOLDER whole MODULE CLASS
"""
import importlib
import json
import re
import sys

import line


class Tokenizer(line.Tokens):
    """What renderers asks a tokenizer for.  Tokens that are no markers of the
    format get numbers as they are asked for."""

    name_or_path = 'peer'
    unk_token_id = None
    eos_token_id = None

    def __init__(self, form):
        super().__init__(form)
        self.others = []

    def encode(self, text, *_, **__):
        if re.fullmatch(r'<[|｜][^<>]+[|｜]>', text):
            return [self.convert_tokens_to_ids(text)]
        return super().encode(text)

    def convert_tokens_to_ids(self, tokens):
        if isinstance(tokens, list):
            return [self.convert_tokens_to_ids(text) for text in tokens]
        if len(tokens) == 1 or tokens in self.ids:
            return self.number(tokens)
        if tokens not in self.others:
            self.others.append(tokens)
        return 2 * sys.maxunicode + self.others.index(tokens)

    def decode(self, ids, *_, **__):
        return super().decode([ids] if isinstance(ids, int) else ids)


def main():
    sys.path.insert(0, sys.argv[1])
    module, name = sys.argv[3:5]
    made = getattr(importlib.import_module('renderers.' + module), name)
    renderers = {}

    def answer(question, clock):
        if question.form not in renderers:
            tokens = Tokenizer(question.form)
            renderers[question.form] = tokens, made(tokens)
        tokens, renderer = renderers[question.form]
        prompt = next((m['text'] for m in line.markers(question.form)
                       if m['role'] == 'reasoning_open'), '')
        ids = [tokens.number(text) for text in question.tokens(tokens)]
        said = clock.run(
            renderer.parse_response, ids,
            tools=[tool['function'] for tool in question.declared()],
            prompt_ids=tokens.encode(prompt)
            if question.start or question.closes() else None)
        message = line.Message()
        message.add(said.content, said.reasoning_content)
        broken = []
        for index, call in enumerate(said.tool_calls):
            if call.status != 'ok':
                broken.append(call.raw)
            else:
                arguments = call.arguments
                message.call(index, call.name, arguments if isinstance(
                    arguments, str) else json.dumps(arguments))
        whole = message.whole()
        if broken:
            whole['unparsed'] = broken
        return whole

    line.serve(answer)


if __name__ == '__main__':
    main()
