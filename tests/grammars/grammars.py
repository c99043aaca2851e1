#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the grammars of all formats take, refuse, and let be written.

Use: grammars.py TOOLWIRE [--count N] [--walks N] [--judges] [--only-walks] [FORMAT...]

- Cases of `toolwire gen`, and canonical ones of tests/conformance, are in the
  grammar of their tools.
- The same with another tool's name, a value of another type, or without a
  required argument are not.
- All the same where markers are special tokens.
- Text that is in a grammar is read as a value that fits, whatever it looks
  like.
- Walks at random through a grammar decode strictly, and fit their schemas; so
  do those that put a marker wherever the grammar takes one.

Grammars are run by gbnf.py; with --judges by llguidance and XGrammar, too,
which must be installed.
"""
import argparse
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gbnf  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = [
    {'type': 'function', 'function': {'name': 'get_tide', 'parameters': {
        'type': 'object',
        'properties': {
            'harbour': {'type': 'string'},
            'days': {'type': 'integer', 'minimum': 1, 'maximum': 14},
            'unit': {'type': 'string', 'enum': ['m', 'ft', 'a "b"']},
            'dry': {'type': ['boolean', 'null']},
            'code': {'type': 'string', 'pattern': '^[A-Z]{2}-[0-9]+$'},
            'short': {'type': 'string', 'minLength': 1, 'maxLength': 4}},
        'required': ['harbour', 'days']}}},
    {'type': 'function', 'function': {'name': 'log', 'parameters': {
        'type': 'object',
        'properties': {
            'tags': {'type': 'array', 'items': {'enum': ['a', 'b']}, 'maxItems': 3},
            'at': {'$ref': '#/$defs/place'},
            'level': {'type': 'number', 'minimum': -0.5, 'exclusiveMaximum': 12.25},
            'words': {'anyOf': [{'type': 'string'}, {'type': 'array', 'items': {'type': 'string'}}]}},
        'required': ['at'],
        '$defs': {'place': {'type': 'object', 'properties': {
            'x': {'type': 'number'}, 'y': {'type': 'integer', 'minimum': 0},
            'next': {'$ref': '#/$defs/place'}}, 'required': ['x']}}}}},
    {'type': 'function', 'function': {'name': 'now'}},
]


class Toolwire:
    def __init__(self, path):
        self.path = path
        self.folder = tempfile.mkdtemp()

    def run(self, *arguments, text=''):
        done = subprocess.run([self.path, *arguments], input=text.encode('utf-8', 'surrogatepass'),
                              capture_output=True, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def file(self, name, value):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf-8') as out:
            json.dump(value, out)
        return path

    def grammar(self, name, tools, *options, target='gbnf'):
        code, text, error = self.run('grammar', '-f', name, '--tools', self.file('tools.json', tools),
                                     '-t', target, *options)
        return text if code == 0 else None, error

    def formats(self):
        return [line.split()[0] for line in self.run('formats')[1].splitlines()]

    def lines(self, *arguments, text=''):
        return [json.loads(line) for line in self.run(*arguments, text=text)[1].split('\n') if line]


class Own:
    name = 'gbnf.py'
    target = 'gbnf'

    def __init__(self):
        self.kept = {}

    def accepts(self, grammar, text):
        if grammar not in self.kept:
            self.kept = {grammar: gbnf.Grammar(grammar)}
        return self.kept[grammar].refused(text)


# A vocabulary for judges: bytes, the end, and special tokens.
END, FIRST_SPECIAL, SPECIALS = 256, 257, 100


def byte_tokenizer():
    """A tokenizer.json that has it."""
    import tokenizers
    plain = [c for c in range(256) if 33 <= c <= 126 or 161 <= c <= 172 or 174 <= c <= 255]
    others = [c for c in range(256) if c not in plain]
    bytes_as = {**{chr(c): c for c in plain}, **{chr(256 + i): c for i, c in enumerate(others)}}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=bytes_as, merges=[]))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    made.add_special_tokens(['</s>'] + [f'<|token {i}|>' for i in range(SPECIALS)])
    return made.to_str()


class Llguidance:
    name = 'llguidance'
    target = 'lark'

    def __init__(self):
        import llguidance
        self.library = llguidance
        self.vocabulary = llguidance.LLTokenizer(byte_tokenizer(), eos_token=END)

    def accepts(self, grammar, text):
        matcher = self.library.LLMatcher(self.vocabulary, grammar, log_level=0)
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        tokens = [token for char in text
                  for token in ([ord(char) - gbnf.TOKENS] if ord(char) >= gbnf.TOKENS else char.encode())]
        taken = matcher.try_consume_tokens(tokens)
        return taken if taken < len(tokens) else None if matcher.is_accepting() else taken + 1


class XGrammar:
    name = 'XGrammar'
    target = 'structural-tag'

    def __init__(self):
        import xgrammar
        self.library = xgrammar
        vocabulary = [bytes([i]) for i in range(256)] + [b'</s>']
        info = xgrammar.TokenizerInfo(vocabulary, vocab_type=xgrammar.VocabType.RAW, vocab_size=257,
                                      stop_token_ids=[END])
        self.compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=True)

    def accepts(self, grammar, text):
        matcher = self.library.GrammarMatcher(self.compiler.compile_structural_tag(grammar))
        for i, byte in enumerate(text.encode()):
            if not matcher.accept_token(byte):
                return i
        return None if matcher.accept_token(END) else len(text) + 1


class Judge:
    def __init__(self, toolwire, judges):
        self.toolwire = toolwire
        self.judges = judges
        self.wrong = []
        self.counts = {'accepted': 0, 'refused': 0, 'cases': 0, 'walks': 0, 'hostile': 0, 'looks': 0, 'unsaid': 0}

    def say(self, kind, name, what, text, at=None):
        near = text if at is None else text[max(0, at - 60):at] + '<HERE>' + text[at:at + 40]
        self.wrong.append(f'{kind}: {name}: {what}: {near!r}')

    def put(self, name, tools, text, expected, options=(), what=''):
        """The text is in the grammar, or it is not."""
        for judge in self.judges:
            if '--special-tokens' in options and judge.target == 'structural-tag':
                continue
            grammar, error = self.toolwire.grammar(name, tools, *options, target=judge.target)
            if grammar is None:
                self.say('no grammar', name, error.strip(), text)
                return
            try:
                refused = judge.accepts(grammar, text)
            except Exception as fault:  # of a library that is only a judge
                self.say('bad grammar', name, f'{judge.name}: {fault}'[:200], text)
                continue
            if (refused is None) != expected:
                self.say('refused' if expected else 'accepted', name, f'{judge.name} {what}', text, refused)
            self.counts['accepted' if expected else 'refused'] += 1

    def tell(self, show):
        for line in self.wrong[:show]:
            print(f'FAILED: {line}')
        print(', '.join(f'{count} {what}' for what, count in self.counts.items()) + f', {len(self.wrong)} wrong')
        return 1 if self.wrong else 0


# ---- cases -------------------------------------------------------------------

def start_of(case):
    return ('--start', case['start']) if 'start' in case else ()


def put_generated(judge, name, count):
    cases = judge.toolwire.lines('gen', '-f', name, '--class', 'legal', '--count', str(count))
    for case in cases:
        tools = case.get('tools') or []
        judge.put(name, tools, case['wire'], True, start_of(case), case['id'])
        put_damaged(judge, name, case, tools)


def put_special(judge, name, count):
    """The same where markers are special tokens, and walks, which are read as
    the tokens' text."""
    toolwire = judge.toolwire
    cases = toolwire.lines('gen', '-f', name, '--class', 'legal', '--count', str(count))
    markers = sorted({case['wire'].encode()[a:b].decode() for case in cases for a, b in case.get('special', [])})
    numbers = {text: FIRST_SPECIAL + i for i, text in enumerate(markers)}
    if not markers:
        return
    options = ('--special-tokens', toolwire.file('special.json', numbers))
    for case in cases:
        text, at = '', 0
        for a, b in case.get('special', []):
            marker = case['wire'].encode()[a:b].decode()
            text += case['wire'].encode()[at:a].decode() + chr(gbnf.TOKENS + numbers[marker])
            at = b
        text += case['wire'].encode()[at:].decode()
        judge.put(name, case.get('tools') or [], text, True, options + start_of(case), 'special ' + case['id'])
    put_walks(judge, name, count, TOOLS, more=options, starts=('text',),
              texts={chr(gbnf.TOKENS + number): text for text, number in numbers.items()})


def put_overlaps(judge):
    """What ends a message may begin with its own end: text in front of it does
    not run into it."""
    for name in ('minimax/m2', 'minimax/m3'):
        judge.put(name, TOOLS, 'a [e~[', True, what='a stop')
        judge.put(name, TOOLS, 'a [e~[e~[', False, what='an earlier stop')
    tools = [{'name': 'f', 'parameters': {'type': 'object', 'properties': {'v': {'type': 'string', 'minLength': 1}}}}]
    judge.put('qwen3-coder', tools, '<tool_call>\n<function=f>\n<parameter=v>\n<3\n</parameter>\n</function>\n</tool_call>',
              True, what='counted text that begins as a marker does')


def put_reasoning_alone(judge):
    """Where text stands in markers there need be none behind reasoning."""
    for name, text in (('cohere/command-a', '<|START_THINKING|>a<|END_THINKING|><|END_OF_TURN_TOKEN|>'),
                       ('inkling', '<|content_thinking|>a<|end_message|>')):
        judge.put(name, TOOLS, text, True, what='reasoning alone')
        judge.put(name, TOOLS, text, False, ('--choice', 'required'), 'reasoning alone')


def put_none(judge):
    """Where nothing marks calls, a text that is none does not begin as one."""
    for name, text in (('llama3', '{"name": "now", "parameters": {}}'), ('llama3.2', '[now()]'), ('hermes', '[now()]')):
        judge.put(name, TOOLS, text, name == 'hermes', ('--choice', 'none'), 'no call')
        judge.put(name, [], text, True, what='no tool')
        judge.put(name, TOOLS, 'a ' + text, True, ('--choice', 'none'), 'no call')


def put_quotes(judge):
    """A string of a length is in the quotes of its format."""
    tools = [{'name': 'f', 'parameters': {'type': 'object', 'properties': {'v': {'type': 'string', 'maxLength': 4}}}}]
    for name, text in (('llama4', '[f(v="it\'s")]'), ('lfm2', "<|tool_call_start|>[f(v='a\"b')]<|tool_call_end|>")):
        judge.put(name, tools, text, True, what='quotes')


def put_listed(judge):
    """A listed object has the blanks and the order of the format, and hides no
    other one; an object is no longer than a string beside it may be."""
    other = {'type': 'object', 'properties': {'b': {'type': 'array'}, 'z': {}}, 'required': ['z']}
    plain = ('{"b": [1, "x"], "a": true}', '{"b": [], "z": "x"}')
    for schema in ([{'const': {'b': [1, 'x'], 'a': True}}, other], [{'type': 'object'}, {'type': 'string', 'maxLength': 4}]):
        tools = [{'name': 'f', 'parameters': {'type': 'object', 'properties': {'v': {'anyOf': schema}}}}]
        for name, call, texts in (
                ('inkling', 'f<|content_invoke_tool_json|>{"name":"f","args":{"v":%s}}<|end_message|>',
                 ('{"a":true,"b":[1,"x"]}', '{"b":[],"z":"x"}')),
                ('gemma4', '<|tool_call>call:f{v:%s}<tool_call|>', ('{a:true,b:[1,<|"|>x<|"|>]}', '{b:[],z:<|"|>x<|"|>}')),
                ('hermes', '<tool_call>\n{"name": "f", "arguments": {"v": %s}}\n</tool_call>', plain),
                ('glm/4.7', '<tool_call>f<arg_key>v</arg_key><arg_value>%s</arg_value></tool_call>', plain)):
            for text in texts:
                judge.put(name, tools, call % text, True, ('--start', 'text', '--choice', 'required'), 'listed')


# Values that may be a string or something else, and texts that look like
# either.
# No text that a reader takes for a string that fits is left out of these.
FULL = [{'type': ['string', 'integer'], 'minimum': 10}, {'type': ['string', 'integer'], 'enum': ['5.5', 6]}]
UNIONS = [
    *FULL, {'anyOf': [{'type': 'string', 'maxLength': 4}, {'type': 'integer', 'minimum': 10}]},
    {'anyOf': [{'type': 'string'}, {'type': 'array', 'items': {'type': 'string'}}]},
    {'anyOf': [{'type': 'array', 'maxItems': 1}, {'type': 'string', 'minLength': 2}]},
    {'anyOf': [{'type': 'string'}, {'type': 'object', 'properties': {'a': {'type': 'string'}}}]},
    {'oneOf': [{'type': 'string'}, {'type': 'number', 'multipleOf': 1}, {'type': 'null'}]},
    {'type': 'object', 'properties': {'a': {'type': ['string', 'number'], 'maximum': 4}}},
    {'anyOf': [{'$ref': '#/$defs/text'}, {'const': 7}]},
    {'$ref': '#/$defs/text'}, {'enum': ['5', 6]}, {'enum': ['true', 6, False]}, {'enum': ['5', '[1]', 'x']},
    {'anyOf': [{}, {'type': 'null'}]}, {'anyOf': [True, {'type': 'boolean'}]}, {'type': ['string', 'array', 'number']},
    {'oneOf': [{'required': ['a']}, {'required': ['b']}]}, {'oneOf': [{'minimum': 5}, {'type': 'string'}]},
    {'oneOf': [{'properties': {'a': {}}, 'required': ['a']}, {'properties': {'b': {}}}]}, {'exclusiveMaximum': 0, 'maxLength': 1},
]
LOOKS = ['', '5', '55', ' 5', '5 ', '\n5', '5\n', '-5', '5.5', '1e3', '1.2.3', '05', '1.', '5x', '-', '[1]', '["a","b"]', '[draft] x', '[', '[]',
         '{"a":1}', '{"a": "b"}', '{}', '{a', 'true', 'True', 'null', 'None', 'ab', 'abcde', '[1] ', '7', '8', '<5']


def from_call(toolwire, name, wires):
    """What the model writes of each, behind the same prompt."""
    text, _ = toolwire.grammar(name, [{'name': 'f', 'parameters': {'type': 'object', 'properties': {'v': {
        'anyOf': [{'type': 'string'}, {'type': 'object', 'properties': {'a': {'type': 'string'}}}]}}}}],
        '--choice', 'required', '--start', 'text', '--wider')
    grammar = gbnf.Grammar(text)
    for size in range(len(os.path.commonprefix(wires)) + 1):
        if any(grammar.refused(wire[size:]) is None for wire in wires[5:8]):
            return [wire[size:] for wire in wires]
    return []


def value_of(answer):
    return json.loads(answer['tool_calls'][0]['function']['arguments']).get('v') if 'tool_calls' in answer else None


def put_looks(judge, name):
    """Text in a value is no value of another type that does not fit."""
    toolwire = judge.toolwire
    messages = ''.join(json.dumps(message_of({'tool_calls': [
        {'name': 'f', 'arguments': {'v': {'a': text} if nested else text}}]})) + '\n'
        for nested in (False, True) for text in LOOKS)
    wires = [wire.get('text') if isinstance(wire, dict) else wire
             for wire in toolwire.lines('encode', '-f', name, '--jsonl', text=messages)]
    abcde = wires[LOOKS.index('abcde')]
    if not isinstance(abcde, str) or '"abcde"' in abcde or "'abcde'" in abcde:
        return  # quotes tell what is a string
    wires = from_call(toolwire, name, [wire for wire in wires if isinstance(wire, str)])
    for schema in UNIONS:
        tools = [{'name': 'f', 'parameters': {'type': 'object', 'properties': {'v': schema}, 'required': ['v'],
                                              '$defs': {'text': {'type': 'string'}}}}]
        text, _ = toolwire.grammar(name, tools, '--choice', 'required', '--start', 'text')
        if text is None:
            judge.counts['unsaid'] += 1
            continue
        grammar = gbnf.Grammar(text)
        answers = toolwire.lines('decode', '-f', name, '--jsonl', '--validate', 'report', '--tools',
                                 toolwire.file('tools.json', tools), text=''.join(json.dumps(t) + '\n' for t in wires))
        for wire, answer in zip(wires, answers):
            said = answer.get('toolwire') or answer.get('error')
            said = None if said is not None and is_of_ids(said) else said
            taken = grammar.refused(wire) is None
            judge.counts['looks'] += taken
            if taken and said is not None:
                judge.say('look', name, f'{json.dumps(schema)}: {json.dumps(said)[:200]}', wire)
            if not taken and said is None and schema in FULL and value_of(answer) in LOOKS:
                judge.say('no look', name, json.dumps(schema), wire)


def put_damaged(judge, name, case, tools):
    """A message's grammar does not take the same message where the tools are
    others."""
    calls = case['message'].get('tool_calls') or []
    if not calls:
        return
    called = calls[0]['function']
    others = json.loads(json.dumps(tools))
    for tool in others:
        if tool['function']['name'] == called['name']:
            tool['function']['name'] = called['name'] + '_2'
    judge.put(name, others, case['wire'], False, start_of(case), 'another name')
    arguments = called['arguments']
    for key, value in arguments.items():
        others = json.loads(json.dumps(tools))
        for tool in others:
            if tool['function']['name'] == called['name']:
                properties = tool['function']['parameters']['properties']
                properties[key] = {'type': 'boolean' if not isinstance(value, bool) else 'number'}
        judge.put(name, others, case['wire'], False, start_of(case), 'another type')
        break
    others = json.loads(json.dumps(tools))
    for tool in others:
        if tool['function']['name'] == called['name']:
            parameters = tool['function'].setdefault('parameters', {'type': 'object', 'properties': {}})
            parameters['properties']['zzz'] = {'type': 'integer'}
            parameters['required'] = ['zzz']
    judge.put(name, others, case['wire'], False, start_of(case), 'a missing one')


def schema_of(value):
    """What fits the value, its members in their order."""
    if isinstance(value, dict):
        return {'type': 'object', 'required': list(value),
                'properties': {key: schema_of(part) for key, part in value.items()}}
    if isinstance(value, list):
        parts = [schema_of(part) for part in value]
        return {'type': 'array', 'items': {'anyOf': parts} if parts else {}}
    return {'type': 'boolean' if isinstance(value, bool) else 'null' if value is None
            else 'string' if isinstance(value, str) else 'number'}


def tools_of(calls):
    """Tools of which these are calls; None: two of one tool are not alike."""
    tools = {}
    for call in calls:
        made = schema_of(call['arguments'])
        if tools.setdefault(call['name'], made) != made and made['properties']:
            return None
    return [{'name': name, 'parameters': schema} for name, schema in tools.items()]


def put_cases(judge, names):
    """Canonical texts of the cases that hold calls, and that the encoder writes
    so: what is only read is in no grammar."""
    files = glob.glob(os.path.join(HERE, '../conformance/formats/*.jsonl')) + \
        glob.glob(os.path.join(HERE, '../conformance/decode-*.jsonl'))
    cases = {}
    for path in files:
        with open(path, encoding='utf-8') as lines:
            for line in lines:
                case = json.loads(line)
                if case['class'] == 'canonical' and case['format'] in names and isinstance(case['input'], str) and \
                        case['expect'].get('tool_calls') and not case.get('diagnostics'):
                    cases.setdefault(case['format'], []).append(case)
    for name, some in sorted(cases.items()):
        messages = ''.join(json.dumps(message_of(case['expect'])) + '\n' for case in some)
        written = judge.toolwire.lines('encode', '-f', name, '--jsonl', text=messages)
        for case, text in zip(some, written):
            if isinstance(text, dict):
                text = text.get('text')
            if isinstance(text, str) and text.endswith(case['input']):
                put_case(judge, name, case)


def message_of(expect):
    calls = [{'id': call.get('id') or f'call_{i}', 'type': 'function',
              'function': {'name': call['name'], 'arguments': json.dumps(call.get('arguments'), ensure_ascii=False)}}
             for i, call in enumerate(expect['tool_calls'])]
    return {'messages': [{'role': 'assistant', 'content': expect.get('content'),
                          'reasoning_content': expect.get('reasoning'), 'tool_calls': calls}]}


def put_case(judge, name, case):
    calls = case['expect']['tool_calls']
    if not all(isinstance(call.get('arguments'), dict) for call in calls):
        return
    tools = tools_of(calls)
    start = case.get('options', {}).get('start')
    if tools is not None:
        judge.put(name, tools, case['input'], True, ('--start', start) if start else (), case['id'])
        judge.counts['cases'] += 1


# ---- walks -------------------------------------------------------------------

def is_of_ids(said):
    """No grammar says that two ids, or two keys of any names, are not the same,
    nor that text does not look like a call without its markers."""
    codes = {one['code'] for one in said.get('diagnostics', [])}
    return codes and codes <= {'duplicate_id', 'duplicate_key', 'call_like_text'}


def is_of_lexer(judge, tools, text, more):
    """llguidance does not go back where text may be another type, too: it takes
    less, mostly behind a bracket."""
    return judge.name == 'llguidance' and any(word in json.dumps(tools) for word in ('anyOf', '"type": [')) and \
        (more or re.search(r'>\n?[\[{]', text))


def put_walks(judge, name, count, tools, seed=0, more=(), starts=('text', 'reasoning'), texts=None):
    """Walks decode strictly, without a word, and fit."""
    toolwire = judge.toolwire
    for start in starts:
        text, error = toolwire.grammar(name, tools, '--start', start, *more)
        if text is None and more and 'tools[' in error:
            judge.counts['unsaid'] += 1
            continue
        if text is None and start == 'reasoning' and 'has no reasoning' in error:
            continue
        if text is None:
            judge.say('no grammar', name, error.strip(), '')
            return
        walker = gbnf.Grammar(text)
        walks = [walker.walk(seed + i) for i in range(count)]
        read = str.maketrans(texts or {})
        records = ''.join(json.dumps(walk.translate(read)) + '\n' for walk in walks)
        options = ['--start', 'reasoning'] if start == 'reasoning' else []
        answers = toolwire.lines('decode', '-f', name, '--jsonl', '--validate', 'report', '--tools',
                                 toolwire.file('tools.json', tools), *options, text=records)
        for walk, answer in zip(walks, answers):
            judge.counts['walks'] += 1
            said = answer.get('toolwire') or answer.get('error')
            if said is not None and not is_of_ids(said):
                judge.say('walk', name, f'{start}: {json.dumps(said)[:300]}' + (f' seed {seed}' if more else ''), walk)
            if 'required' in more and not answer.get('tool_calls'):
                judge.say('walk', name, f'{start}: no call, which is due', walk)
        for other in judge.judges:
            if other.name != 'gbnf.py' and not (texts and other.target == 'structural-tag'):
                grammar, _ = toolwire.grammar(name, tools, '--start', start, *more, target=other.target)
                for walk in walks:
                    try:
                        refused = other.accepts(grammar, walk)
                    except Exception as fault:
                        judge.say('bad grammar', name, f'{other.name}: {fault}'[:200], walk)
                        break
                    if refused is not None and not is_of_lexer(other, tools, walk[:refused + 1], more):
                        judge.say('walk refused', name, f'{start}: {other.name}', walk, refused)


HOSTILE = [
    {'name': 'f', 'parameters': {'type': 'object', 'properties': {
        's': {'type': 'string'}, 'o': {'type': 'object'}, 'l': {'type': 'array', 'items': {'type': 'string'}}, 'n': {'type': 'integer'},
        't': {'type': 'array', 'items': {'type': 'string', 'maxLength': 30}},
        'p': {'type': 'array', 'items': {'pattern': '^[^a]*$'}}}}},
    {'name': 'g', 'parameters': {'type': 'object', 'properties': {'a': {'type': 'object', 'properties': {
        's': {'type': 'string'}, 'e': {'enum': ['</parameter>', '<', '<|call|>']}}}}}},
]


def put_hostile(judge, name, count):
    """A marker is in the grammar only where it is read as what it says there:
    in text and strings none that a reader would follow."""
    toolwire = judge.toolwire
    text, error = toolwire.grammar(name, HOSTILE, '--start', 'text', '--choice', 'required')
    if text is None:
        judge.say('no grammar', name, error.strip(), '')
        return
    walker = gbnf.Grammar(text)
    walks = [walker.hostile(i) for i in range(count)]
    answers = toolwire.lines('decode', '-f', name, '--jsonl', '--validate', 'report', '--tools',
                             toolwire.file('tools.json', HOSTILE), text=''.join(json.dumps(walk) + '\n' for walk in walks))
    for walk, answer in zip(walks, answers):
        judge.counts['hostile'] += 1
        said = answer.get('toolwire') or answer.get('error')
        if said is not None and not is_of_ids(said):
            judge.say('hostile', name, json.dumps(said)[:300], walk)


def put_many_walks(judge, name, count):
    """So many walks of a format, half of them from inside reasoning where it has
    some, and what was found."""
    found = len(judge.wrong)
    starts = [start for start in ('text', 'reasoning')
              if judge.toolwire.grammar(name, TOOLS, '--start', start)[0] is not None]
    for start in starts:
        put_walks(judge, name, count // len(starts), TOOLS, starts=(start,))
    for line in judge.wrong[found:][:3]:
        print(f'FAILED: {line}')
    print(f'{name}: {len(judge.wrong) - found} wrong', flush=True)


# ---- schemas ------------------------------------------------------------------

PATTERNS = ['^[a-z]+$', 'x|y', '^(?:ab|c)*d{2,4}$', '^\\d{4}-\\d{2}$', '[^"<]', '^a.c$', '\\\\', '^[\\w.]+@b\\.c$']


def random_number(rng):
    return round(rng.uniform(-1, 1) * 10 ** rng.randint(0, 5), rng.randint(0, 3))


def random_value(rng):
    return rng.choice([None, True, False, 0, -12, 1.5, '', 'a', 'x "y" <z>', "it's", 'é\n'])


def random_schema(rng, depth, places):
    kinds = ['string', 'integer', 'number', 'boolean', 'null', 'enum', 'const', 'any', 'pattern', 'length', 'range']
    kind = rng.choice(kinds + (['object', 'array', 'anyOf', 'types', 'tuple', 'map', '$ref'] if depth else []))
    if kind == 'enum':
        return {'enum': [random_value(rng) for _ in range(rng.randint(1, 4))]}
    if kind == 'const':
        return {'const': random_value(rng)}
    if kind == 'any':
        return {}
    if kind == 'pattern':
        return {'type': 'string', 'pattern': rng.choice(PATTERNS), **rng.choice([{}, {'minLength': 2, 'maxLength': 9}])}
    if kind == 'length':
        least = rng.randint(0, 3)
        return {'type': 'string', 'minLength': least, 'maxLength': least + rng.randint(0, 5)}
    if kind == 'range':
        least, most = sorted([random_number(rng), random_number(rng)])
        return {'type': rng.choice(['number', 'number', 'integer']),
                **rng.choice([{'minimum': least}, {'maximum': most}, {'exclusiveMinimum': least},
                              {'minimum': least, 'maximum': most}, {'minimum': least, 'exclusiveMaximum': most + 2},
                              {'exclusiveMinimum': least, 'exclusiveMaximum': most + 2}])}
    if kind == 'object':
        keys = rng.sample(['a', 'b', 'key "q"', 'd-e', 'é', 'in'], rng.randint(0, 4))
        return {'type': 'object', 'properties': {key: random_schema(rng, depth - 1, places) for key in keys},
                'required': [key for key in keys if rng.random() < 0.5]}
    if kind == 'array':
        least = rng.randint(0, 2)
        return {'type': 'array', 'items': random_schema(rng, depth - 1, places),
                **rng.choice([{}, {'minItems': least}, {'minItems': least, 'maxItems': least + rng.randint(0, 2)}])}
    if kind == 'tuple':
        return {'type': 'array', 'prefixItems': [random_schema(rng, depth - 1, places) for _ in range(rng.randint(1, 3))],
                'maxItems': 3}
    if kind == 'map':
        names = [{}, {'propertyNames': {'type': 'string'}}, {'propertyNames': {'pattern': '^[a-z"]{1,3}$'}}]
        return {'type': 'object', 'additionalProperties': random_schema(rng, depth - 1, places), **rng.choice(names)}
    if kind == 'anyOf':
        return {'anyOf': [random_schema(rng, depth - 1, places) for _ in range(rng.randint(1, 3))]}
    if kind == 'types':
        return {'type': rng.sample(['string', 'integer', 'boolean', 'null', 'array', 'object'], rng.randint(1, 3))}
    return {'$ref': rng.choice(places)} if kind == '$ref' else {'type': kind}


def random_tools(seed):
    rng = random.Random(seed)
    tools = []
    for name in ('f', 'get_tide'):
        keys = rng.sample(['at', 'days', 'b_2', 'unit', 'x'], rng.randint(0, 4))
        tools.append({'name': name, 'parameters': {
            'type': 'object', 'properties': {key: random_schema(rng, 3, ['#/$defs/p']) for key in keys},
            'required': [key for key in keys if rng.random() < 0.6],
            '$defs': {'p': random_schema(rng, 2, ['#/$defs/p'])}}})
    return tools


def put_random(judge, names, count):
    """Tools at random: a grammar, or the place of what it cannot say; what is
    walked through it fits, and every judge takes the grammar."""
    for seed in range(count):
        name = names[seed % len(names)]
        tools = random_tools(seed)
        put_walks(judge, name, 6, tools, seed, ('--choice', 'required'), ('text',))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('toolwire')
    parser.add_argument('--count', type=int, default=6)
    parser.add_argument('--walks', type=int, default=30)
    parser.add_argument('--schemas', type=int, default=60)
    parser.add_argument('--judges', action='store_true')
    parser.add_argument('--only-walks', action='store_true', help='of TOOLS; a line for each format')
    parser.add_argument('--show', type=int, default=40)
    parser.add_argument('formats', nargs='*')
    asked = parser.parse_intermixed_args()
    toolwire = Toolwire(asked.toolwire)
    judge = Judge(toolwire, [Own()] + ([Llguidance(), XGrammar()] if asked.judges else []))
    names = asked.formats or toolwire.formats()
    for name in names if asked.only_walks else []:
        put_many_walks(judge, name, asked.walks)
    if asked.only_walks:
        return judge.tell(asked.show)
    for name in names:
        put_generated(judge, name, asked.count)
        put_walks(judge, name, asked.walks, TOOLS)
        put_special(judge, name, asked.count)
        put_looks(judge, name)
        put_hostile(judge, name, asked.walks // 2)
    for put in (put_overlaps, put_reasoning_alone, put_none, put_quotes, put_listed):
        put(judge)
    put_cases(judge, set(names) | (set() if asked.formats else {'hermes'}))
    put_random(judge, asked.formats or ['hermes', 'qwen3-coder', 'lfm2', 'gemma4', 'deepseek/v3.2', 'kimi-k3', 'harmony'],
               asked.schemas)
    return judge.tell(asked.show)


if __name__ == '__main__':
    sys.exit(main())
