#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The conformance cases through the shared library, by the ctypes client.

Use: conformance.py LIBRARY FOLDER
"""
import glob
import json
import os
import sys

import toolwire_client as tw

SIZES = 1, 2, 3, 7
# What even a canonical case may be told.
WARNINGS = {'lone_surrogate', 'undeclared_tool', 'name_whitespace',
            'foreign_marker', 'call_like_text'}


def parse(text):
    def refuse(name):
        raise ValueError('%s is not JSON' % name)
    return json.loads(text, parse_constant=refuse)


def same(a, b):
    """Equal, and of the same types: to Python, true is 1 and 1 is 1.0."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def decode(lib, case, data, size):
    options = case.get('options', {})
    arguments = {}
    if options.get('start') == 'reasoning':
        arguments['start_reasoning'] = 1
    if options.get('recover_stripped'):
        arguments['recover_stripped'] = 1
    if 'tools' in options:
        arguments['tools'] = json.dumps(options['tools']).encode()
    decoder = tw.Decoder(lib, case['format'], **arguments)
    pieces = [data[i:i + size] for i in range(0, len(data), size)]
    how = tw.LENGTH if case['class'] == 'truncated' else tw.STOP
    return tw.merge(decoder.run(pieces, how))


def call_differences(call, expected):
    if call['name'] != expected['name']:
        yield 'name %r, expected %r' % (call['name'], expected['name'])
    text = call['arguments'].decode()
    try:
        arguments = parse(text)
    except ValueError as error:
        yield 'arguments %r: %s' % (text, error)
        return
    if not isinstance(arguments, dict):
        yield 'arguments %r are no object' % text
    elif (expected.get('arguments') is not None
          and not same(arguments, expected['arguments'])):
        yield 'arguments %r, expected %r' % (text, expected['arguments'])
    if expected.get('arguments_text', text) != text:
        yield 'arguments %r, expected text %r' % (text,
                                                  expected['arguments_text'])


def differences(case, events):
    expect = case['expect']
    message = tw.message(events)
    for key in 'content', 'reasoning':
        wanted = expect.get(key) or ''
        if wanted.strip() == '':
            if message[key].strip() != '':
                yield '%s %r, expected none' % (key, message[key])
        elif message[key] != wanted:
            yield '%s %r, expected %r' % (key, message[key], wanted)

    calls = [c for c in message['calls'] if not c['custom']]
    wanted = expect.get('tool_calls') or []
    if len(calls) != len(wanted):
        yield '%d calls, expected %d' % (len(calls), len(wanted))
    for call, one in zip(calls, wanted):
        yield from call_differences(call, one)

    custom = [{'name': c['name'], 'input': c['arguments'].decode()}
              for c in message['calls'] if c['custom']]
    if custom != [{'name': c['name'], 'input': c['input']}
                  for c in expect.get('custom_calls', [])]:
        yield 'custom calls %r' % custom

    delivered = ''.join(c['arguments'].decode() for c in message['calls'])
    for lexeme in expect.get('lexemes', []):
        if lexeme not in delivered:
            yield 'the spelling %r is gone' % lexeme
    if len(message['unparsed']) != expect.get('unparsed', 0):
        yield '%d unparsed, expected %d' % (len(message['unparsed']),
                                            expect.get('unparsed', 0))
    if case['class'] == 'canonical':
        told = {d['code'] for d in message['diagnostics']} - WARNINGS
        if told:
            yield 'a canonical case with %s' % ', '.join(sorted(told))


def check(lib, case):
    data = (bytes.fromhex(case['input_hex']) if 'input_hex' in case
            else case['input'].encode('utf-8', 'surrogatepass'))
    whole = decode(lib, case, data, max(len(data), 1))
    yield from differences(case, whole)
    for size in SIZES:
        if decode(lib, case, data, size) != whole:
            yield 'in pieces of %d it is another result' % size


def main():
    if len(sys.argv) != 3:
        print('use: conformance.py LIBRARY FOLDER', file=sys.stderr)
        return 2
    lib = tw.load(os.path.abspath(sys.argv[1]))
    passed = failed = 0
    for path in sorted(glob.glob(os.path.join(sys.argv[2],
                                              'decode-*.jsonl'))):
        with open(path, encoding='utf-8') as file:
            for line in file:
                case = json.loads(line)
                found = list(check(lib, case))
                passed += not found
                failed += bool(found)
                for difference in found:
                    print('%s: %s' % (case['id'], difference))
    print('%d passed, %d failed' % (passed, failed))
    return 0 if passed and not failed else 1


if __name__ == '__main__':
    sys.exit(main())
