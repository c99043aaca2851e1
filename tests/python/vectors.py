#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The list that all bindings read alike: inputs, and the bytes that come out.

Each row of conformance/vectors.jsonl is an object with
    id      what it came from
    do      "decode": a completion to its message
            "stream": the same in pieces of `piece` bytes, to the lines of an
                      API (`api`), joined by line feeds
            "encode": a request to its prompt
            "completion": a message to what the model would have written
            "convert": a record of shape `from` to one of `to`
    format  (all but convert)
    input   a text, or JSON as text
    expect  the exact text; or else
    error   the name of the error
Options are those of a new object, but that a stream ends by itself ("stop").

The rows are chosen from the cases here; the Python package says what comes
out, and every other binding, and C itself (tests/unit/api/test_vectors.c), must say the
same.

Use: vectors.py FOLDER_OF_CASES write | vectors.py FOLDER_OF_CASES check
"""
import glob
import json
import os
import sys
import zlib

import toolwire
from toolwire import Converter, Decoder, Encoder, ToolwireError, Writer

LONGEST = 350  # bytes of an input
SHORT = 160    # what is streamed, as much comes out
PIECES = (3, 7, 24)
APIS = ('chunks', 'responses', 'anthropic')


def stream(row):
    text = row['input'].encode()
    lines = []
    with Decoder(row['format']) as decoder, Writer(
            'chat' if row['api'] == 'chunks' else row['api']) as writer:
        for at in range(0, len(text), row['piece']):
            for event in decoder.feed(text[at:at + row['piece']]):
                lines += writer.event(event)
        for event in decoder.finish('stop'):
            lines += writer.event(event)
    return '\n'.join(lines)


def run(row):
    if row['do'] == 'decode':
        with Converter(row['format'], 'message') as converter:
            return converter.text(row['input'])
    if row['do'] == 'stream':
        return stream(row)
    if row['do'] == 'convert':
        with Converter(row['from'], row['to']) as converter:
            return converter.record(row['input'])
    with Encoder(row['format']) as encoder:
        return (encoder.encode if row['do'] == 'encode'
                else encoder.completion)(row['input'])


def outcome(row):
    try:
        return {'expect': run(row)}
    except ToolwireError as error:
        return {'error': error.name}


def cases(folder, pattern):
    for path in sorted(glob.glob(os.path.join(folder, pattern))):
        with open(path, encoding='utf-8') as file:
            for line in file:
                yield json.loads(line)


def plain(text):
    try:
        return len(text.encode()) <= LONGEST
    except UnicodeEncodeError:
        return False


def is_format(name):
    try:
        Decoder(name).close()
        return True
    except ToolwireError:
        return False


def firsts(rows, key, most):
    """The first rows of each kind."""
    seen = {}
    for row in rows:
        seen[key(row)] = seen.get(key(row), 0) + 1
        if seen[key(row)] <= most:
            yield row


def decoded(folder):
    for pattern in ('decode-*.jsonl', 'formats/*.jsonl'):
        for case in cases(folder, pattern):
            text = case.get('input')
            if (text is not None and plain(text) and not case.get('options')
                    and is_format(case['format'])):
                yield case


def chosen(folder):
    found = firsts(decoded(folder),
                   lambda case: (case['format'], case['class']), 2)
    for case in found:
        number = zlib.crc32(case['id'].encode())
        common = {'format': case['format'], 'input': case['input']}
        yield dict(id=case['id'], do='decode', **common)
        if case['class'] == 'canonical' and len(case['input']) < SHORT:
            yield dict(id=case['id'], do='stream', api=APIS[number % 3],
                       piece=PIECES[number // 3 % 3], **common)
    for case in firsts((case for case in cases(folder, 'encode-*.jsonl')
                        if 'request' in case and not case.get('options')),
                       lambda case: (case['format'], case['class']), 2):
        request = json.dumps(case['request'])
        if plain(request):
            yield dict(id=case['id'], do='encode', format=case['format'],
                       input=request)
    for case in firsts((case for case in cases(folder, 'formats/*.jsonl')
                        if case['class'] == 'emit' and 'message' in case),
                       lambda case: case['format'], 1):
        yield dict(id=case['id'], do='completion', format=case['format'],
                   input=json.dumps(case['message']))
    for case in firsts((case for case in cases(folder, 'records/*.jsonl')
                        if 'record' in case and 'from' in case
                        and not case.get('options')),
                       lambda case: (case['from'], case['to']), 2):
        record = json.dumps(case['record'])
        if plain(record):
            yield dict(id=case['id'], do='convert', to=case['to'],
                       input=record, **{'from': case['from']})


def main():
    folder, task = sys.argv[1:]
    path = os.path.join(folder, 'vectors.jsonl')
    if task == 'write':
        with open(path, 'w', encoding='utf-8') as file:
            for row in chosen(folder):
                row.update(outcome(row))
                file.write(json.dumps(row, ensure_ascii=False) + '\n')
        return
    wrong = count = 0
    for row in cases(folder, 'vectors.jsonl'):
        count += 1
        expected = {key: row[key] for key in ('expect', 'error') if key in row}
        if outcome(row) != expected:
            wrong += 1
            print('%s %s: %s' % (row['do'], row['id'], outcome(row)))
    print('%d passed, %d failed' % (count - wrong, wrong))
    sys.exit(wrong > 0 or count == 0)


if __name__ == '__main__':
    main()
