#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""XGrammar's built-in structural tags beside the grammars here: what each takes
of the other.

Use: builtin.py TOOLWIRE [--walks N] [--where] [MODEL...]

Prints the table of docs/grammars.md.  For each of its models, with calls that
are due and no reasoning, and with reasoning in front of text or calls:

- texts as the format's template writes them, in its tag;
- walks through its tag, in the grammar here, and read strictly.

A model whose counts differ must have a reason in JUDGED; --where prints the
places where texts were refused.
"""
import argparse
import collections
import json
import random
import sys

import gbnf
import grammars

FORMATS = {
    'llama': 'llama3', 'kimi': 'kimi-k2/thinking', 'kimi_k3': 'kimi-k3', 'deepseek_r1': 'deepseek/r1',
    'deepseek_v3_1': 'deepseek/v3.1-thinking', 'qwen_3_5': 'qwen3.5', 'qwen_3_coder': 'qwen3-coder', 'mimo': 'mimo/2.6',
    'qwen_3': 'hermes/qwen3', 'harmony': 'harmony', 'deepseek_v3_2': 'deepseek/v3.2', 'minimax': 'minimax/m2',
    'minimax_m3': 'minimax/m3', 'glm_4_7': 'glm/4.7', 'deepseek_v4': 'deepseek/v4', 'deepseek_v4_1': 'deepseek/v4.1',
    'cohere': 'cohere/north', 'exaone': 'exaone4', 'gemma_4': 'gemma4'}
# Their reasoning is opened by the model.
OUTSIDE = ['llama', 'mimo', 'harmony', 'gemma_4']
BLANK = 'line feeds in JSON, which no template writes'
FREE = 'reasoning, text and values may hold markers of calls, which a reader may take for calls'
EDGE = 'white space between tags and around values, so that ` ft ` stands for the value `ft` of an enum, which it does not equal'
JUDGED = {
    'llama': f'{BLANK}; text in front may begin with `<` or `[`, text behind a call with `]`',
    'kimi': f'ids count without an end; {BLANK}; {FREE}',
    'kimi_k3': f'without reasoning it begins behind `<|open|>response<|sep|>`, here where the turn does; {EDGE}',
    'deepseek_r1': f'{BLANK}; {FREE}',
    'deepseek_v3_1': f'{BLANK}; {FREE}',
    'qwen_3_5': f'the template writes `True`, its tag `true` alone; {EDGE}; {FREE}',
    'qwen_3_coder': f'the template writes `True`, its tag `true` alone; {EDGE}; {FREE}',
    'mimo': f'{EDGE}; {FREE}',
    'qwen_3': f'{BLANK}; {FREE}',
    'harmony': 'it has no preamble in `commentary`, which the template has; `required` takes no call at all; strings in a call '
               f'hold `<|call|>`; {BLANK}',
    'deepseek_v3_2': f'{EDGE}; {FREE}',
    'minimax': f'without reasoning it closes what the prompt opened, here that is `--start reasoning`; {EDGE}; {FREE}',
    'glm_4_7': f'{EDGE}; {FREE}',
    'deepseek_v4': f'{EDGE}; {FREE}',
    'deepseek_v4_1': f'{EDGE}; {FREE}',
    'cohere': 'calls in `<cofl:tool_calls>`, a template that no format here is of; texts alone are alike',
    'exaone': f'{BLANK}; {FREE}',
    'gemma_4': 'reasoning and text may hold `<tool_call|>`, which closes a call'}
TOOLS = [{'type': 'function', 'function': {'name': name, 'parameters': {
    'type': 'object', 'properties': {
        'at': {'type': 'string'}, 'days': {'type': 'integer'}, 'dry': {'type': 'boolean'},
        'unit': {'type': 'string', 'enum': ['m', 'ft']}},
    'required': ['at'], 'additionalProperties': False}}} for name in ('tide', 'log')]
CALLS = [[('tide', {'at': 'Brest'})], [('tide', {'at': 'Brest', 'days': 3, 'dry': True, 'unit': 'm'})],
         [('tide', {'at': 'Brest'}), ('log', {'at': 'a, "b"', 'days': -1})]]
REASONED = [{'reasoning': 'Look it up.', 'content': 'So it is.'},
            {'reasoning': 'Look it up.', 'tool_calls': CALLS[0]},
            {'reasoning': 'Look it up.', 'content': 'A moment.', 'tool_calls': CALLS[1]}]
CLOSES = ['</parameter>', '</think>', '\n</parameter>\n', '</arg_value>', '<arg_key>', '"}', '}', '<|close|>', '</']


def message(said):
    calls = [{'name': name, 'arguments': value} for name, value in said.get('tool_calls', [])]
    return grammars.message_of({**said, 'tool_calls': calls})


class Theirs:
    """A built-in tag: texts put to it, and walked."""

    def __init__(self, xgrammar, compiler, model, choice, reasoning):
        from xgrammar.builtin_structural_tag import get_model_structural_tag
        tag = get_model_structural_tag(model, TOOLS, choice, reasoning=reasoning, max_whitespace_cnt=1)
        self.module = xgrammar
        self.grammar = compiler.compile_structural_tag(tag)
        self.hints = sorted(set(self.strings(json.loads(tag.model_dump_json()))) | set(CLOSES))
        self.bits = xgrammar.allocate_token_bitmask(1, 257)

    def strings(self, value, key=''):
        if isinstance(value, str) and key in ('begin', 'end', 'value', 'triggers', 'separator') and value:
            yield value
        for name, part in value.items() if isinstance(value, dict) else ((key, one) for one in value) \
                if isinstance(value, list) else ():
            yield from self.strings(part, name)

    def refused(self, text):
        matcher = self.module.GrammarMatcher(self.grammar)
        for i, byte in enumerate(text.encode()):
            if not matcher.accept_token(byte):
                return len(text.encode()[:i].decode(errors='ignore'))
        return None if matcher.accept_token(grammars.END) else len(text) + 1

    def walk(self, seed):
        """None: it does not come to an end."""
        rng = random.Random(seed)
        matcher = self.module.GrammarMatcher(self.grammar)
        out = ''
        while len(out) < 700:
            hint = rng.choice(self.hints)
            if rng.random() < 0.5 and matcher.accept_string(hint):
                out += hint
                continue
            matcher.fill_next_token_bitmask(self.bits)
            words = self.bits[0].tolist()
            allowed = [i for i in range(257) if words[i // 32] >> (i % 32) & 1]
            if grammars.END in allowed and (len(allowed) == 1 or rng.random() < 0.3):
                return out
            likely = [i for i in allowed if chr(i) in 'ab1 "}],:\n']
            plain = [i for i in allowed if 32 <= i < 127] or [i for i in allowed if i != grammars.END]
            byte = rng.choice(likely if likely and rng.random() < 0.9 else plain)
            if byte >= 128 or not matcher.accept_token(byte):
                return None
            out += chr(byte)
        return None


class Compared:
    def __init__(self, toolwire, theirs, name, options, start):
        self.toolwire = toolwire
        self.theirs = theirs
        self.name = name
        self.start = start
        text, error = toolwire.grammar(name, TOOLS, *options)
        assert text, error
        self.ours = gbnf.Grammar(text)
        self.where = collections.Counter()

    def count(self, grammar, texts, kind):
        taken = 0
        for text in texts:
            at = grammar.refused(text)
            taken += at is None
            if at is not None:
                self.where[f'{kind} {text[max(0, at - 30):at]!r} <HERE> {text[at:at + 30]!r}'] += 1
        return taken, len(texts)

    def canonical(self, messages):
        """What the model writes of them, up to where a server ends a turn."""
        records = ''
        for said in messages:
            record = message(said)
            record['messages'].insert(0, {'role': 'user', 'content': 'Well?'})
            records += json.dumps(record) + '\n'
        answers = self.toolwire.lines('convert', '-f', 'openai', '-t', self.name, '--unit', 'completion', text=records)
        wires = [answer['text'] for answer in answers if 'text' in answer]
        texts = []
        for wire in wires:
            # What a prompt may hold already: what opens reasoning, or all of it where it is none.
            front = max(0, wire.find('Look' if 'Look' in wire else 'tide'))
            starts = [at for at in range(front + 1) if self.ours.refused(wire[at:]) is None]
            ends = [end for end in range(len(wire) * 2 // 3, len(wire) + 1) if wire[end - 1] in '>]}|.']
            short = [wire[at:end] for at in starts for end in ends] or [wire]
            texts.append(next((text for text in short if self.theirs.refused(text) is None), max(short, key=lambda text: self.theirs.refused(text) or 0)))
        return texts

    def read(self, walks):
        answers = self.toolwire.lines('decode', '-f', self.name, '--jsonl', '--validate', 'report', '--tools',
                                      self.toolwire.file('tools.json', TOOLS), *self.start,
                                      text=''.join(json.dumps(walk) + '\n' for walk in walks))
        good = 0
        for walk, answer in zip(walks, answers):
            said = answer.get('toolwire') or answer.get('error')
            good += said is None or grammars.is_of_ids(said)
            if said is not None and not grammars.is_of_ids(said):
                codes = sorted({one['code'] for one in said.get('diagnostics', [])}) or [json.dumps(said)[:60]]
                self.where[f'read as {codes}: {walk[:90]!r}'] += 1
        return good, len(walks)


def add(left, right):
    return left[0] + right[0], left[1] + right[1]


def compare(toolwire, library, compiler, model, count, where):
    name = FORMATS[model]
    sums = [(0, 0)] * 3
    modes = [('required', False, ('--choice', 'required', '--start', 'text'), (), [{'tool_calls': some} for some in CALLS])]
    if model in OUTSIDE:
        modes.append(('auto', True, ('--start', 'text'), (), REASONED))
    elif toolwire.grammar(name, TOOLS, '--start', 'reasoning')[0] is not None:
        modes.append(('auto', True, ('--start', 'reasoning'), ('--start', 'reasoning'), REASONED))
    for choice, reasoning, options, start, messages in modes:
        theirs = Theirs(library, compiler, model, choice, reasoning)
        both = Compared(toolwire, theirs, name, options, start)
        canonical = both.canonical(messages)
        walks = [walk for walk in (theirs.walk(seed) for seed in range(count)) if walk is not None]
        for i, part in enumerate([both.count(theirs, canonical, 'canonical:'),
                                  both.count(both.ours, walks, 'theirs:'), both.read(walks)]):
            sums[i] = add(sums[i], part)
        for text, times in both.where.most_common(12) if where else []:
            print(f'    {choice} {times}: {text}')
    return name, sums


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('toolwire')
    parser.add_argument('--walks', type=int, default=100)
    parser.add_argument('--where', action='store_true')
    parser.add_argument('models', nargs='*')
    asked = parser.parse_intermixed_args()
    import xgrammar
    info = xgrammar.TokenizerInfo([bytes([i]) for i in range(256)] + [b'</s>'], vocab_type=xgrammar.VocabType.RAW,
                                  vocab_size=257, stop_token_ids=[grammars.END])
    compiler = xgrammar.GrammarCompiler(info, max_threads=1)
    toolwire = grammars.Toolwire(asked.toolwire)
    print('| its tag | here | texts of the template | its walks | read strictly | the difference |')
    print('|---|---|---:|---:|---:|---|')
    failed = 0
    for model in asked.models or FORMATS:
        name, sums = compare(toolwire, xgrammar, compiler, model, asked.walks, asked.where)
        differs = any(part < whole for part, whole in sums)
        failed |= differs and model not in JUDGED
        counts = ' | '.join(f'{part}/{whole}' for part, whole in sums)
        print(f'| `{model}` | `{name}` | {counts} | {JUDGED.get(model, "not judged" if differs else "")} |', flush=True)
    return int(failed)


if __name__ == '__main__':
    sys.exit(main())
