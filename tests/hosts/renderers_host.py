# SPDX-License-Identifier: MIT
"""renderers' bridge_to_next_turn() beside `toolwire extend`: both append the next
turn to a prompt and what was really sampled behind it.

Use: renderers_host.py HOME, by run.py; the environment has renderers

What a whole rendering of the template has there was compared with toolwire's
answer before (tests/templates/extend.py); here renderers' is compared with it.
Where renderers refuses, it has its caller render the whole again.
"""
import importlib
import json
import os
import re
import sys

from tally import Tally

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'templates'))
import extend  # noqa: E402

# Of each renderer the format whose prompts it writes.
ROWS = [
    ('qwen3', 'Qwen3', 'hermes/qwen3'), ('qwen35', 'Qwen35', 'qwen3.5'),
    ('deepseek_v4', 'DeepSeekV4', 'deepseek/v4'),
    ('gemma4', 'Gemma4', 'gemma4'), ('glm45', 'GLM45', 'glm/4.5'),
    ('glm5', 'GLM5', 'glm/4.7'), ('kimi_k2', 'KimiK2', 'kimi-k2'),
    ('llama_3', 'Llama3', 'llama3'), ('minimax_m2', 'MiniMaxM2', 'minimax/m2'),
    ('nemotron3', 'Nemotron3', 'nemotron/3')]

TOKEN = re.compile(r'[<\]\[｜][^<>\[\]\s]{1,40}[>\[\]｜]')


class Tokenizer:
    """A token of each marker that renderers asks for, and of each other
    character one."""
    name_or_path = 'host'
    chat_template = '<|channel>thought\\n<channel|>'  # Gemma's larger models
    unk_token_id = eos_token_id = bos_token_id = None

    def __init__(self):
        self.markers = []

    def convert_tokens_to_ids(self, text):
        if text not in self.markers:
            self.markers.append(text)
        return sys.maxunicode + 1 + self.markers.index(text)

    def encode(self, text, **_):
        if TOKEN.fullmatch(text):
            self.convert_tokens_to_ids(text)
        marker = '|'.join(map(re.escape, self.markers)) or r'(?!)'
        return [ord(one) if len(one) == 1 else self.convert_tokens_to_ids(one)
                for one in re.findall(marker + r'|[\s\S]', text)]

    def decode(self, ids, **_):
        return ''.join(chr(one) if one <= sys.maxunicode else
                       self.markers[one - sys.maxunicode - 1] for one in ids)


def bridge(module, name, record):
    """The text that renderers appends, or None."""
    tokenizer = Tokenizer()
    config = getattr(importlib.import_module('renderers.configs'),
                     name + 'RendererConfig')
    given = record.get('chat_template_kwargs', {})
    renderer = getattr(module, name + 'Renderer')(tokenizer, config(**{
        key: given[key] for key in given
        if key in config.template_field_names()}))
    before = record['prompt'] + record['completion']
    made = renderer.bridge_to_next_turn(
        tokenizer.encode(record['prompt']),
        tokenizer.encode(record['completion']),
        json.loads(json.dumps(record['new'])), tools=record.get('tools'))
    if made is None:
        return None
    text = tokenizer.decode(made.token_ids)
    assert text.startswith(before), text
    return text[len(before):]


def compare(tally, name, record, wanted, got, added):
    """Who appends what; the whole rendering judges."""
    if got.get('stable') is False:
        tally.same(name + ' unstable', added, None)
    elif not extend.follows(record['completion'], got['append'], wanted):
        tally.bad(name + ' wrong', json.dumps(got))
    elif added is not None:
        tally.same(name + ' appends', added, got['append'])


def main():
    tally = Tally('renderers')
    toolwire = os.environ['HOSTS_TOOLWIRE']
    refused = 0
    for module, name, form in ROWS:
        how = ['-f', form, '--control-text', 'allow', '--jsonl']
        encode = [toolwire, 'encode'] + how
        report = dict.fromkeys(('right', 'unstable', 'doubted', 'WRONG',
                                'error', 'refused'), 0) | {'shown': []}
        answers = extend.try_one(form, encode, [toolwire, 'extend'] + how,
                                 encode, int(os.environ.get('EPISODES', '50')),
                                 report)
        made = importlib.import_module('renderers.' + module)
        for record, wanted, got in zip(*answers):
            added = bridge(made, name, record)
            refused += added is None and 'append' in got
            compare(tally, name, record, wanted, got, added)
    tally.end(stubbed='the tokenizer',
              said='renderers refused %d turns that toolwire appended'
              % refused)


main()
