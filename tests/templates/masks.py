#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a model sampled is what training templates mark.

Use: masks.py TOOLWIRE [REQUESTS [NAME]]

The templates are other people's, and are looked for in $TOOLWIRE_DATA/templates.
X_training.jinja has {% generation %} blocks, its twin X.jinja has none and writes
the same text: `encode --spans` has to say of the twin what the blocks say.  What
the model does not write is counted apart: the line feed behind a stop and, where
the blocks mark more, heads and the <think> that the generation prompt has.
"""
import json
import os
import random
import subprocess
import sys

import talk

TOKENS = ['--set', 'bos_token=<BOS>', '--set', 'eos_token=<EOS>',
          '--set', 'pad_token=<PAD>', '--set', 'unk_token=<UNK>',
          '--now', '2026-11-25T12:00:00', '--control-text', 'allow',
          '--jsonl', '--spans']


def spans_of(toolwire, path, requests):
    made = subprocess.run(
        [toolwire, 'encode', '--template', path] + TOKENS,
        input=''.join(json.dumps(one) + '\n' for one in requests).encode(),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [json.loads(line) for line in made.stdout.splitlines()]


def sampled(answer):
    """[(begin, end)] of what was sampled, neighbours joined."""
    found = []
    for span in answer['spans']:
        if not span['sampled']:
            continue
        if found and found[-1][1] == span['start']:
            found[-1][1] = span['end']
        else:
            found.append([span['start'], span['end']])
    return found


def without_feeds(answer):
    data = answer['text'].encode()
    return [[begin, begin + len(data[begin:end].rstrip())]
            for begin, end in sampled(answer) if data[begin:end].strip()]


def within(marked, found):
    """Is what was marked more only in front, where the prompt stands, or
    behind a stop?"""
    outer, inner = without_feeds(marked), without_feeds(found)
    return len(outer) == len(inner) and all(
        a <= c and d <= b for (a, b), (c, d) in zip(outer, inner))


def twin_of(name, names):
    base = name.replace('_training', '')
    return base if base in names else None


def main():
    toolwire = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    only = sys.argv[3] if len(sys.argv) > 3 else ''
    folder = os.path.join(os.environ.get('TOOLWIRE_DATA', ''), 'templates')
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    total = {}
    for name in names:
        twin = twin_of(name, names) if '_training' in name else None
        if twin is None or only not in name:
            continue
        rng = random.Random(name)
        requests = [talk.conversation(rng) for _ in range(count)]
        report = {'same': 0, 'but for line feeds': 0, 'marks more': 0,
                  'different': 0, 'another text': 0, 'refused': 0}
        shown = None
        for request, marked, found in zip(
                requests,
                spans_of(toolwire, os.path.join(folder, name), requests),
                spans_of(toolwire, os.path.join(folder, twin), requests)):
            if 'text' not in marked or 'text' not in found:
                kind = 'refused'
            elif marked['text'] != found['text']:
                kind = 'another text'
            elif sampled(marked) == sampled(found):
                kind = 'same'
            elif without_feeds(marked) == without_feeds(found):
                kind = 'but for line feeds'
            else:
                kind = 'marks more' if within(marked, found) else 'different'
                shown = shown or (marked, found)
            report[kind] += 1
        print('%-40s %s' % (name, '  '.join('%s %d' % each
                                            for each in report.items())))
        if shown:
            data = shown[0]['text'].encode()
            for title, answer in zip(('marked', 'found'), shown):
                print('   ', title, [data[begin:end].decode()
                                     for begin, end in sampled(answer)])
        for key, number in report.items():
            total[key] = total.get(key, 0) + number
    print(total)


main()
