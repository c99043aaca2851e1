#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real logs to every shape and format and back.

Each record that comes back another was reported to lose something, and each
that was reported comes back another; a log of many times the size takes no
more memory.

Use: logs.py TOOLWIRE FOLDER
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

LOGS = [('sharegpt', 'sharegpt_glaive_en.jsonl'),
        ('sharegpt', 'sharegpt_glaive_zh.jsonl'),
        ('openai', 'taubench_airline.jsonl'),
        ('openai', 'bfcl_tools.jsonl'),
        ('openai', 'llamafactory_v1_reason_tool.jsonl')]
SHAPES = ['sharegpt', 'anthropic', 'responses', 'gemini', 'atif', 'adp',
          'openai/finetune']
# What a shape needs and the records do not have.
ADDED = {'atif': ('schema_version', 'session_id', 'agent'), 'gemini': ('name',)}
SHOWN = 5
TIMES = 20
MOST = 40  # sessions of a log
SPARE = 1 << 10  # KiB


def formats(toolwire, transcripts):
    lines = subprocess.run([toolwire, 'formats', '--json'], check=True,
                           capture_output=True).stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    return [row['name'] for row in rows if row['transcripts'] == transcripts]


def answers(log):
    """Of a log, each message of an assistant as a record of its own."""
    return b''.join(
        json.dumps({'messages': [message]}).encode() + b'\n'
        for line in log.splitlines()
        for message in json.loads(line)['messages']
        if message['role'] == 'assistant')


def thinks(toolwire, name):
    """Does the prompt of the format open reasoning?"""
    its = json.loads(subprocess.run([toolwire, 'formats', name, '--json'],
                                    check=True, capture_output=True).stdout)
    first = [words if isinstance(words, str) else words[0]
             for words in (its.get('turn', ''), its.get('reasoning', ''))]
    opener = first[1].split('{text')[0].rstrip()
    return opener != '' and first[0].rstrip().endswith(opener)


def convert(toolwire, start, end, log, unit='transcript', more=()):
    """The records, and the lines of those that lost something."""
    options = ['-f', start, '-t', end, '--unit', unit, *more]
    if end not in SHAPES + ['openai']:
        options += ['--control-text', 'allow']
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, 'report')
        done = subprocess.run(
            [toolwire, 'convert', *options, '--report', report],
            input=log, capture_output=True)
        if done.returncode != 0:
            sys.exit('%s to %s: %s' % (start, end, done.stderr.decode()[:500]))
        with open(report) as file:
            reports = [json.loads(line) for line in file]
    return done.stdout, {r['line'] for r in reports if r['kind'] == 'loss'}


def value(text):
    return json.loads(text, parse_float=str)


def without_null(tree):
    if isinstance(tree, dict):
        return {key: without_null(its) for key, its in tree.items()
                if its is not None}
    return [without_null(its) for its in tree] if isinstance(tree, list) \
        else tree


def said(line, end):
    """The record without what only the shape needs.  Null is the same as
    absent between shapes, and so are blanks in JSON."""
    if end not in SHAPES:
        return json.loads(line)
    record = without_null(value(line))
    for message in record['messages']:
        for call in message.get('tool_calls', []):
            function = call['function']
            function['arguments'] = value(function['arguments'])
    for holder in [record] + [message for message in record['messages']
                              if message['role'] == 'tool']:
        for name in ADDED.get(end, ()):
            holder.pop(name, None)
    return record


def trained(log):
    """Records of which a trainer takes some message."""
    return b''.join(line + b'\n' for line in log.splitlines()
                    if b'"role":"assistant"' in line)


def there_and_back(toolwire, end, log, tally, unit='transcript', more=()):
    there, lost = convert(toolwire, 'openai', end, log, unit)
    back, lost_too = convert(toolwire, end, 'openai', there, unit, more)
    lost |= lost_too
    before = log.splitlines()
    after = back.splitlines()
    if len(before) != len(after):
        tally['wrong'] += 1
        print('%s: %d records of %d' % (end, len(after), len(before)))
    for line, (one, other) in enumerate(zip(before, after), 1):
        differs = said(one, end) != said(other, end)
        tally['differing' if differs else 'equal'] += 1
        if differs != (line in lost):
            tally['wrong'] += 1
            if tally['wrong'] > SHOWN:
                continue
            print('%s: record %d %s: %.300s' % (
                end, line, 'differs and nothing was reported' if differs
                else 'was reported and does not differ', other.decode()))


def claude_code(record):
    """The lines that Claude Code would have of Anthropic's messages: one for
    each block of an answer."""
    for number, message in enumerate(record['messages']):
        content = message['content']
        parts = [[block] for block in content] if \
            message['role'] == 'assistant' and isinstance(content, list) \
            else [content]
        for part in parts:
            yield {'type': message['role'], 'sessionId': 's',
                   'message': dict(message, id='m%d' % number, content=part)}


def codex(record):
    yield {'type': 'session_meta', 'payload': {'id': 's'}}
    for item in record['input']:
        yield {'type': 'response_item', 'payload': item}


SESSIONS = [('claude-code', 'anthropic', claude_code),
            ('codex', 'responses', codex)]


def sessions(toolwire, log, tally):
    """Each record as a session says what the shape says whose words the agent
    uses."""
    for agent, shape, lines_of in SESSIONS:
        written, _ = convert(toolwire, 'openai', shape, log)
        wanted, _ = convert(toolwire, shape, 'openai', written)
        for line, (one, other) in enumerate(zip(
                written.splitlines()[:MOST], wanted.splitlines()), 1):
            record = json.loads(one)
            record.pop('system', None)
            session = ''.join(json.dumps(its) + '\n'
                              for its in lines_of(record)).encode()
            got, _ = convert(toolwire, agent, 'openai', session)
            messages = [message for message in json.loads(other)['messages']
                        if shape != 'anthropic' or message['role'] != 'system']
            same = json.loads(got)['messages'] == messages
            tally['equal' if same else 'wrong'] += 1
            if not same and tally['wrong'] <= SHOWN:
                print('%s: record %d is another: %.300s' % (
                    agent, line, got.decode()))


def peak(toolwire, end, log, times):
    """In KiB, of a log that is fed that many times over."""
    with subprocess.Popen(
            [toolwire, 'convert', '-f', 'openai', '-t', end,
             '--control-text', 'allow'],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as child:
        for _ in range(times):
            child.stdin.write(log)
        child.stdin.flush()
        with open('/proc/%d/status' % child.pid) as status:
            size = next(int(line.split()[1]) for line in status
                        if line.startswith('VmHWM:'))
        child.stdin.close()
        if child.wait() != 0:
            sys.exit('convert of a long log failed')
    return size


def main():
    toolwire, folder = sys.argv[1:]
    tally = collections.Counter()
    everything = b''
    for shape, name in LOGS:
        with open(os.path.join(folder, name), 'rb') as file:
            log, lost = convert(toolwire, shape, 'openai', file.read())
        everything += log
        if lost:
            tally['wrong'] += 1
            print('%s: lost something on the way in' % name)
        sessions(toolwire, log, tally)
        for end in SHAPES + formats(toolwire, transcripts=True):
            there_and_back(toolwire, end, trained(log)
                           if end == 'openai/finetune' else log, tally)
        for end in formats(toolwire, transcripts=False):
            more = ['--start', 'reasoning'] if thinks(toolwire, end) else []
            there_and_back(toolwire, end, answers(log), tally, 'completion',
                           more)
    short = peak(toolwire, 'hermes', everything, 1)
    long = peak(toolwire, 'hermes', everything, TIMES)
    if long > short + SPARE:
        tally['wrong'] += 1
        print('%d times the log takes %d KiB, not %d' % (TIMES, long, short))
    print('real logs: %d records came back equal, %d with losses that were '
          'reported, %d wrong; peak %d KiB, %d times the log %d KiB'
          % (tally['equal'], tally['differing'], tally['wrong'], short,
             TIMES, long))
    sys.exit(tally['wrong'] != 0 or tally['equal'] == 0)


if __name__ == '__main__':
    main()
