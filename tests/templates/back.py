#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whole transcripts of any template are read back, or refused.

Use: back.py TOOLWIRE [COUNT [NAME]]

The templates are those of the formats, those of ../../grammar as files and,
where it is set, those of $TOOLWIRE_DATA/templates.  Each writes COUNT random
conversations, and `toolwire decode --transcript` reads them, with their tools
and without: what users, systems and tools said has to be there, turn by turn,
no call may be another, and tools that were found in the prompt are those that
stand there.  What a template leaves out of a conversation nobody can read.
"""
import json
import os
import random
import subprocess
import sys

import talk

HERE = os.path.dirname(os.path.abspath(__file__))

def run(command, records):
    made = subprocess.run(
        command, input=''.join(json.dumps(record) + '\n'
                               for record in records).encode(),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [json.loads(line) for line in made.stdout.splitlines()]


def calls_of(message):
    return [(call['function']['name'],
             json.loads(call['function']['arguments']))
            for call in message.get('tool_calls') or ()]


def said(messages):
    """What others than the model said, in its place."""
    return [(message['role'], (message.get('content') or '').strip())
            if message['role'] != 'assistant' else ('assistant', None)
            for message in messages]


def wrong(request, found):
    """What is not as it was; None: nothing."""
    given = request['messages']
    if said(given) != said(found):
        # A system's text may hold what the template adds to it.
        if not (found and found[0]['role'] == 'system'
                and said(found[1:]) == said(given[given[0]['role'] == 'system':])):
            return 'turns'
    sure = [calls_of(message) for message in given
            if message['role'] == 'assistant']
    back = [calls_of(message) for message in found
            if message['role'] == 'assistant']
    for one, other in zip(sure, back):
        # Names and texts: notations without types have numbers as texts.
        if [name for name, _ in other] != \
                [name for name, _ in one][:len(other)]:
            return 'calls'
    return None


def names_of(tools):
    """Notations other than JSON keep not all of a schema."""
    return [tool.get('function', tool)['name'] for tool in tools]


def requests_of(name, count):
    rng = random.Random(name)
    for _ in range(count):
        request = talk.conversation(rng)
        request.pop('chat_template_kwargs', None)
        for message in request['messages']:
            message['content'] = message['content'].strip()
        yield request


def try_one(name, encode, decode, count, report):
    requests = list(requests_of(name, count))
    texts = run(encode + ['--jsonl'], requests)
    rows = [({'text': text['text'], 'tools': request.get('tools', [])},
             request) for text, request in zip(texts, requests)
            if 'text' in text]
    rows += [({'text': row['text']}, request) for row, request in rows
             if row['tools']]
    found = run(decode + ['--jsonl'], [row for row, _ in rows])
    if len(found) != len(rows):
        report['no format'] += 1
        return
    for (row, request), answer in zip(rows, found):
        if 'error' in answer:
            report['refused'] += 1
            continue
        what = wrong(request, answer['messages'])
        tools = None if 'tools' in row else answer.get('tools')
        if tools is not None and what is None:
            report['tools found'] += 1
            if names_of(tools) != names_of(request['tools']):
                what = 'tools'
        report['read' if what is None else 'WRONG'] += 1
        if what is not None:
            print('%s: %s: %s\n%s\n%s' % (name, what, json.dumps(row['text']),
                                          json.dumps(request), json.dumps(answer)))


def main():
    toolwire = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    only = sys.argv[3] if len(sys.argv) > 3 else ''
    report = {'read': 0, 'refused': 0, 'WRONG': 0, 'no format': 0,
              'tools found': 0}
    listed = subprocess.run([toolwire, 'formats', '--json'], check=True,
                            stdout=subprocess.PIPE).stdout.splitlines()
    for name in [one['name'] for one in map(json.loads, listed)
                 if one['prompts'] and only in one['name']]:
        try_one(name, [toolwire, 'encode', '--ids', 'map', '-f', name],
                [toolwire, 'decode', '--transcript', '-f', name], count,
                report)
    folders = [os.path.join(HERE, '../../grammar')]
    if 'TOOLWIRE_DATA' in os.environ:
        folders.append(os.path.join(os.environ['TOOLWIRE_DATA'], 'templates'))
    else:
        print('*** SKIPPED: TOOLWIRE_DATA is not set: templates of models ***')
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            if name.endswith('.jinja') and only in name:
                path = os.path.join(folder, name)
                try_one(name, [toolwire, 'encode', '--template', path],
                        [toolwire, 'decode', '--transcript', '-f', 'auto',
                         '--template', path], count, report)
    print(', '.join('%d %s' % (number, kind)
                    for kind, number in report.items()))
    failed = report['WRONG'] + (report['read'] < report['refused'])
    print('%d passed, %d failed' % (0 if failed else report['read'], failed))
    return failed > 0


sys.exit(main())
