#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Odd schemas (schemas.py), and others' tools, in each way to write arguments.

Use: odd.py TOOLWIRE [--judges] [--tools FILE]... [--walks N] [FORMAT...]

- A schema has a grammar, or an error that says where it cannot be said; with
  --wider it has a grammar that says so in a comment, or nothing fits.
- llguidance and XGrammar take each grammar.
- A grammar takes values that fit and refuses those that do not; a wider one
  takes those that fit.
- What is walked through a grammar fits by the library's validator and by
  jsonschema, which must be installed with --judges.

FILE has requests with `tools`, one a line.
"""
import argparse
import json
import random
import sys

import grammars
import schemas

FORMATS = ['hermes', 'qwen3-coder', 'lfm2', 'gemma4', 'deepseek/v3.2', 'minimax/m3', 'kimi-k3', 'glm/4.7', 'harmony']
# A value in these is JSON: no text is read as another type.
JSON = {'hermes', 'harmony'}
# Of what nothing is written, neither by a wider grammar.
UNWRITTEN = ['the format cannot write', 'no grammar says such a value in', 'no value fits']


def is_fine(said):
    """Of ids and of text, or of what is no schema."""
    codes = {one['code'] for one in said.get('diagnostics', [])}
    return codes and codes <= {'duplicate_id', 'duplicate_key', 'call_like_text', 'schema_unread', 'schema_broken', 'schema_limit'}


def is_read_as(answer, value):
    calls = answer.get('tool_calls') or [{}]
    arguments = calls[0].get('function', {}).get('arguments') or '{}'
    return json.loads(arguments) == {'v': value} and (answer.get('toolwire') is None or is_fine(answer['toolwire']))


class Odd:
    def __init__(self, judge, walks):
        self.judge = judge
        self.toolwire = judge.toolwire
        self.walks = walks
        self.counts = dict.fromkeys(['grammars', 'unsaid', 'wider', 'fit', 'misfit', 'walks'], 0)

    def say(self, *what):
        self.judge.say(*what)

    def encoded(self, name, values, tools):
        """What the model writes of each value as the argument `v`; None where
        it is not read as that value again."""
        messages = ''.join(json.dumps(grammars.message_of({'tool_calls': [{'name': 'f', 'arguments': {'v': value}}]})) + '\n'
                           for value in ['abcde', *values])
        wires = [wire.get('text') if isinstance(wire, dict) else wire
                 for wire in self.toolwire.lines('encode', '-f', name, '--jsonl', text=messages)]
        front = wires[0][:self.front(name, wires[0])]
        texts = [wire[len(front):] if isinstance(wire, str) and wire.startswith(front) else '' for wire in wires[1:]]
        read = self.toolwire.lines('decode', '-f', name, '--jsonl', '--tools', self.toolwire.file('tools.json', tools),
                                   text=''.join(json.dumps(text) + '\n' for text in texts))
        return [text if is_read_as(answer, value) else None for text, value, answer in zip(texts, values, read)]

    def front(self, name, wire):
        """How much of it is the prompt's."""
        text, _ = self.toolwire.grammar(name, [schemas.tool_of({'type': 'string'})], '--choice', 'required',
                                        '--start', 'text')
        grammar = grammars.gbnf.Grammar(text)
        return next(size for size in range(len(wire)) if grammar.refused(wire[size:]) is None)

    def taken(self, text, wires, expected, name, schema, options):
        """A judge for each target: each text is in the grammar, or is not."""
        for other in self.judge.judges:
            grammar = text if other.target == 'gbnf' else self.toolwire.grammar(name, [schemas.tool_of(schema)], *options,
                                                                                target=other.target)[0]
            if other.name == 'llguidance' and expected and name not in JSON:
                wires = wires[:1]  # a lexer does not go back, see docs/grammars.md
            for wire in wires:
                try:
                    refused = other.accepts(grammar, wire)
                except Exception as fault:  # of a library that is only a judge
                    self.say('bad grammar', name, f'{other.name}: {json.dumps(schema)[:300]}: {fault}'[:600], wire)
                    break
                if (refused is None) != expected:
                    self.say('misfit' if not expected else 'fit', name,
                             f'{other.name} {" ".join(options[4:])} {json.dumps(schema)[:300]}', wire[:300], refused)
            self.counts['fit' if expected else 'misfit'] += len(wires)

    def put(self, name, schema, good, bad):
        tools = [schemas.tool_of(schema)]
        options = ('--choice', 'required', '--start', 'text')
        text, error = self.toolwire.grammar(name, tools, *options)
        wide, wide_error = self.toolwire.grammar(name, tools, *options, '--wider')
        if text is None and 'tools[0]' not in error:
            self.say('no place', name, json.dumps(schema)[:300], error)
        if text is None and wide is not None and 'wider: tools' not in wide:
            self.say('wider in silence', name, json.dumps(schema)[:300], error)
        if text is not None and (wide is None or wide != text):
            self.say('wider than it has to', name, json.dumps(schema)[:300], wide_error)
        if text is None and wide is None and good and not any(why in wide_error for why in UNWRITTEN):
            self.say('nothing', name, json.dumps(schema)[:300], wide_error)
        self.counts['grammars' if text else 'wider' if wide else 'unsaid'] += 1
        if text is None and wide is None:
            return
        wires = self.encoded(name, good + bad, tools)
        fits = [wire for wire, value in zip(wires, good) if wire is not None and not self.is_narrower(name, schema, value)]
        self.taken(text or wide, fits, True, name, schema, options + (() if text else ('--wider',)))
        if text is not None and name in JSON:
            self.taken(text, [wire for wire in wires[len(good):] if wire is not None], False, name, schema, options)
        if text is not None:
            self.put_walks(name, tools, text, json.dumps(schema)[:300], options)
        self.put_taken(name, tools, text, wide, json.dumps(schema)[:300], options)

    def put_taken(self, name, tools, text, wide, what, options):
        """Its target takes it, whatever it says."""
        for other in self.judge.judges[1:]:
            grammar, _ = self.toolwire.grammar(name, tools, *options, *(() if text else ('--wider',)), target=other.target)
            try:
                other.accepts(grammar, '')
            except Exception as fault:
                self.say('bad grammar', name, f'{other.name}: {what}: {fault}'[:600], '')

    @staticmethod
    def is_narrower(name, schema, value):
        """What a grammar leaves out, as docs/grammars.md says."""
        odd_key = name == 'gemma4' and isinstance(value, dict) and any(' ' in key for key in value)
        said = json.dumps(schema)
        element = name == 'minimax/m3' and '{"' in json.dumps(value) and \
            ('"properties": {"' not in said or any(word in said for word in ('additional', 'patternP', 'propertyN')))
        marks = name != 'hermes' and isinstance(schema, dict) and 'pattern' in schema and any(c in str(value) for c in '<]')
        return odd_key or element or marks

    def put_walks(self, name, tools, text, what, options):
        walker = grammars.gbnf.Grammar(text)
        walks = [walker.walk(i, 120) for i in range(self.walks)]
        records = ''.join(json.dumps(walk) + '\n' for walk in walks)
        answers = self.toolwire.lines('decode', '-f', name, '--jsonl', '--validate', 'report', '--tools',
                                      self.toolwire.file('tools.json', tools), text=records)
        for walk, answer in zip(walks, answers):
            said = answer.get('toolwire') or answer.get('error')
            if said is not None and not is_fine(said):
                self.say('walk', name, f'{what}: {json.dumps(said)[:300]}', walk)
            else:
                self.validate(name, tools, answer, what, walk)
            self.counts['walks'] += 1
        for other in self.judge.judges[1:]:
            grammar, _ = self.toolwire.grammar(name, tools, *options, target=other.target)
            for walk in walks if other.name != 'llguidance' or name in JSON else []:
                try:
                    refused = other.accepts(grammar, walk)
                except Exception as fault:
                    self.say('bad grammar', name, f'{other.name}: {what}: {fault}'[:600], walk)
                    break
                if refused is not None:
                    self.say('walk refused', name, f'{other.name}: {what}', walk, refused)

    def validate(self, name, tools, answer, what, walk):
        if len(self.judge.judges) == 1:
            return
        import jsonschema
        by_name = {tool['function']['name']: tool['function'].get('parameters') or {} for tool in tools}
        for call in answer.get('tool_calls', []):
            try:
                value = json.loads(call['function']['arguments'])
                fault = next(jsonschema.Draft202012Validator(by_name[call['function']['name']]).iter_errors(value), None)
            except Exception as error:  # what is no schema for it
                fault = None if 'nresolv' in str(error) or 'PointerTo' in str(error) else error
                if isinstance(error, (jsonschema.exceptions.UnknownType, TypeError, AttributeError)) or \
                        type(error).__name__ in ('error', 'PatternError'):
                    fault = None
            # Patterns are Python's there, and earlier drafts are not followed.
            if fault is not None and getattr(fault, 'validator', '') != 'pattern' and \
                    not isinstance(getattr(fault, 'validator_value', None), bool):
                self.say('jsonschema', name, f'{what}: {str(fault)[:200]}', walk)

    def put_tools(self, name, tools, what):
        """Tools of others: each has a grammar, or a place."""
        options = ('--choice', 'required', '--start', 'text')
        text, error = self.toolwire.grammar(name, tools, *options)
        self.counts['grammars' if text else 'wider'] += 1
        if text is not None:
            self.put_walks(name, tools, text, what, options)
            return None
        wide, _ = self.toolwire.grammar(name, tools, *options, '--wider')
        if wide is None and any(why in error for why in UNWRITTEN):
            return error.strip()
        if wide is None or 'wider: tools' not in wide:
            self.say('nothing wider', name, what, error)
        self.put_taken(name, tools, text, wide, what, options)
        return error.strip()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('toolwire')
    parser.add_argument('--judges', action='store_true')
    parser.add_argument('--tools', action='append', default=[], metavar='FILE')
    parser.add_argument('--each', type=int, default=1, help='of a FILE each so many-th line')
    parser.add_argument('--walks', type=int, default=10)
    parser.add_argument('--show', type=int, default=40)
    parser.add_argument('formats', nargs='*')
    asked = parser.parse_intermixed_args()
    others = [grammars.Llguidance(), grammars.XGrammar()] if asked.judges else []
    judge = grammars.Judge(grammars.Toolwire(asked.toolwire), [grammars.Own(), *others])
    odd = Odd(judge, asked.walks)
    unsaid = {}
    for name in asked.formats or (FORMATS[:4] if asked.tools else FORMATS):
        for schema, good, bad in schemas.SCHEMAS if not asked.tools else []:
            odd.put(name, schema, good, bad)
        for path in asked.tools:
            with open(path, encoding='utf-8') as lines:
                for i, line in enumerate(lines):
                    tools = json.loads(line).get('tools') if i % asked.each == 0 else None
                    if tools:
                        error = odd.put_tools(name, tools, f'{i}')
                        if error:
                            unsaid.setdefault(error.rsplit(': ', 1)[-1] + ' ' + error.rsplit(': ', 2)[-2].rsplit('.', 1)[-1],
                                              []).append(error)
    for kind, errors in sorted(unsaid.items(), key=lambda item: -len(item[1])):
        print(f'{len(errors)} unsaid: {kind}: {errors[0]}')
    judge.counts = odd.counts
    return judge.tell(asked.show)


if __name__ == '__main__':
    sys.exit(main())
