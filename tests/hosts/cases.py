# SPDX-License-Identifier: MIT
"""What a model would have written: the cases of tests/conformance, and
conversations of ours that the command writes in every format.

What is to come out is what `toolwire decode` says.  A server takes off the token
that stops the model, and nobody says why the text ended: so does wanted().
"""
import base64
import glob
import json
import os
import subprocess
import tempfile

import line
from chat import complete, essence

# Of the conversations that are written in every format: an answer.
CALLS = ([['tide', {'at': 'Brest', 'when': 'noon'}]],
         [['tide', {'at': 'caf\u00e9 "x" \\ <b>\n\ty', 'deep': {
             'list': [1, 2.5, None, True, 'a'], 'empty': {}}}]],
         [['tide', {'at': 'Brest'}], ['now', {}], ['tide', {'at': ''}]])
ANSWERS = [{'content': 'Ten knots.'},
           {'content': 'Ten.', 'reasoning_content': 'Easy.'}]
for calls in CALLS:
    one = {'content': None, 'tool_calls': [
        {'id': 'abcDEF12%d' % number, 'type': 'function', 'function': {
            'name': name, 'arguments': json.dumps(arguments,
                                                  ensure_ascii=False)}}
        for number, (name, arguments) in enumerate(calls)]}
    ANSWERS += [one, dict(one, content='I look it up.'),
                dict(one, reasoning_content='I need\nthe tide.'),
                dict(one, content='See.', reasoning_content='Hm.')]
TOOLS = [{'type': 'function', 'function': {
    'name': name, 'description': name, 'parameters': {
        'type': 'object', 'properties': {
            key: {'type': kind} for key, kind in kinds.items()}}}}
    for name, kinds in (('tide', {'at': 'string', 'when': 'string',
                                  'deep': 'object'}), ('now', {}))]


def run(*words, data=b''):
    return subprocess.run(
        [os.environ['HOSTS_TOOLWIRE'], *words], input=data, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


class Case:
    """|text| is what the model wrote, without the marker that stopped it;
    |wanted| what a client is to get; |tools| what the request declares."""

    def __init__(self, name, form, data, options, tools):
        self.name, self.form, self.options = name, form, options
        self.generated = name.startswith('written ')
        asked = {'format': form,
                 'chunks': [base64.b64encode(data).decode()]}
        self.question = line.Question(asked)
        self.text = self.question.text
        self.tools = tools
        if not tools:
            found = self.decode([])
            names = {name for name, _ in found['calls']} | {'f'}
            self.tools = [{'type': 'function', 'function': {'name': name}}
                          for name in sorted(names)]
        self.wanted = self.decode(self.tools)

    def decode(self, tools):
        words = ['decode', '-f', self.form, '--finish', 'length', '--custom',
                 'function']
        if 'start_reasoning' in self.options:
            words += ['--start', 'reasoning']
        if 'recover_stripped' in self.options:
            words.append('--recover-stripped')
        with tempfile.NamedTemporaryFile('w', suffix='.json') as file:
            if tools:
                json.dump(tools, file)
                file.flush()
                words += ['--tools', file.name]
            said = run(*words, data=self.text.encode())
        message = json.loads(said)
        return essence(dict(message, tool_calls=complete(
            message.get('tool_calls') or ())))


def option_names(options):
    """Of the cases, as the Python package calls them."""
    made = {}
    if options.get('start') == 'reasoning':
        made['start_reasoning'] = True
    if options.get('recover_stripped'):
        made['recover_stripped'] = True
    return made


def conformance():
    """The families' cases."""
    pattern = os.path.join(os.environ['HOSTS_CASES'], 'decode-*.jsonl')
    for path in sorted(glob.glob(pattern)):
        with open(path, encoding='utf-8') as file:
            for row in map(json.loads, file):
                options = row.get('options', {})
                data = (bytes.fromhex(row['input_hex'])
                        if 'input_hex' in row else
                        row['input'].encode('utf-8', 'surrogatepass'))
                tools = [{'type': 'function', 'function': {'name': tool}
                          if isinstance(tool, str) else tool}
                         for tool in options.get('tools', [])]
                yield Case(row['id'], row['format'], data,
                           option_names(options), tools)


def vectors():
    """The cases of all bindings that are read, in many formats."""
    path = os.path.join(os.environ['HOSTS_CASES'], 'vectors.jsonl')
    with open(path, encoding='utf-8') as file:
        for row in map(json.loads, file):
            if row['do'] == 'decode' and 'expect' in row:
                yield Case('vector ' + row['id'], row['format'],
                           row['input'].encode(), {}, [])


def formats():
    """The names of all formats."""
    return [json.loads(row)['name']
            for row in run('formats', '--json').decode().splitlines()]


def written():
    """The answers in every format that can write them."""
    for form in formats():
        for number, answer in enumerate(ANSWERS):
            record = {'tools': TOOLS, 'messages': [
                {'role': 'user', 'content': 'Hi.'},
                dict(answer, role='assistant')]}
            said = run('convert', '-f', 'openai', '-t', form, '--unit',
                       'completion', data=json.dumps(record).encode())
            text = json.loads(said or '{}').get('text')
            if text is not None:
                yield Case('written %s %d' % (form, number), form,
                           text.encode(), {}, TOOLS)


def all_cases():
    yield from conformance()
    yield from vectors()
    yield from written()


def with_servers(server, plain, separate, reasoning):
    """Each case with each server that is asked of it: with the parser as it is
    registered, with reasoning apart, and behind the host's parser of reasoning.
    The first two are names by a format or a case, the last by a format."""
    for case in all_cases():
        name = plain(case.form)
        if not case.options and not case.wanted['reasoning']:
            yield case, server(case.form, name)
        yield case, server(case.form, separate(case))
        if case.form in reasoning and case.generated and (
                case.wanted['reasoning']):
            yield case, server(case.form, name, reasoning[case.form])
