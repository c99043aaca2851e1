#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Our own templates write what the models' own write.

Use: prompts.py TOOLWIRE [COUNT [FORMAT]] [--requests FILE] [--keep]

A format whose prompts grammar/NAME.jinja writes stands under "prompts" of
templates.json, with the template that its model came with.  That is another's,
and is looked for in $TOOLWIRE_DATA/templates.  Random requests are rendered with
jinja2, set up as transformers does it, and encoded: the bytes are equal, and
what one refuses the other does.  A template that is "mutable" changes lists,
which transformers' sandbox refuses: it is rendered without that rule.
What one "appends" that nobody asked for, a generation prompt, is not compared.
Of one that is broken where text stands beside calls, calls stand "alone"; one
whose "documents" are "before results" is broken behind documents without tools,
and numbers results as if there were none.

FILE is a Python file with make(rng), which returns a request.  --keep writes
../conformance/encode-FORMAT.jsonl anew, so that the same is known without the
data.
"""
import copy
import importlib.util
import json
import os
import random
import subprocess
import sys

import talk
import templates

KEPT = os.path.join(templates.HOME, '..', 'conformance')
NOW = '2026-11-25T12:00:00'
COUNT = 40
SEEDS_KEPT = range(4)


def edged(rng, text):
    """Blanks at its ends, now and then."""
    return (rng.choice(['', '', '', ' ', '\n', '\t']) + text +
            rng.choice(['', '', '', ' ', '\n', '\n\n']))


def make(rng):
    """A conversation up to some message, as a model is prompted with it or as it
    is remembered."""
    request = talk.conversation(rng)
    messages = request['messages']
    first = 2 if messages[0]['role'] == 'system' else 1
    del messages[rng.randint(first, len(messages)):]
    for message in messages:
        for name in 'content', 'reasoning_content':
            if message.get(name):
                message[name] = edged(rng, message[name])
    last = messages[-1]
    if last.get('tool_calls') and rng.random() < .5:
        messages.pop()
    request['add_generation_prompt'] = messages[-1]['role'] != 'assistant'
    return request


def maker_of(path):
    if path is None:
        return make
    told = importlib.util.spec_from_file_location('requests_of_file', path)
    module = importlib.util.module_from_spec(told)
    told.loader.exec_module(module)
    return module.make


def rendered(template, row, request):
    """What the model's template writes; None: it refuses."""
    messages = copy.deepcopy(request['messages'])
    for message in messages:
        for one in message.get('tool_calls') or ():
            if row.get('arguments') != 'string':
                one['function']['arguments'] = json.loads(
                    one['function']['arguments'])
    try:
        text = template.render(
            messages=messages, tools=request.get('tools') or None,
            documents=request.get('documents'), bos_token=row.get('bos', ''),
            eos_token=row.get('eos', ''),
            add_generation_prompt=request['add_generation_prompt'],
            **request.get('chat_template_kwargs', {}))
    except Exception:  # whatever jinja2 or Python has to say
        return None
    if 'appends' in row and not request['add_generation_prompt']:
        text = text[:text.rindex(row['appends'])]
    return text


def encoded(toolwire, row, requests):
    """What toolwire writes for each; None: it refuses."""
    made = subprocess.run(
        [toolwire, 'encode', '-f', row['format'], '--jsonl', '--now', NOW,
         '--control-text', 'allow'],
        input=''.join(json.dumps(one) + '\n' for one in requests).encode(),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [json.loads(line).get('text') for line in made.stdout.splitlines()]


def requests_of(row, make_request, seeds):
    requests = [make_request(random.Random(seed)) for seed in seeds]
    for request in requests if row.get('alone') else ():
        for message in request['messages']:
            if message.get('tool_calls'):
                message['content'] = None
    return requests


def show(row, request, wanted, found):
    at = 0
    if wanted is not None and found is not None:
        while at < min(len(wanted), len(found)) and wanted[at] == found[at]:
            at += 1
    near = slice(max(0, at - 60), at + 60)
    templates.bad(row['format'], 'differs from ' + row['template'], request,
                  *('%s: %s' % (who, 'refused' if text is None
                                else json.dumps(text[near]))
                    for who, text in (('the model\'s', wanted),
                                      ('ours', found))))


def compare(toolwire, row, make_request, count):
    """How many were compared, and how many both refuse."""
    path = os.path.join(os.environ['TOOLWIRE_DATA'], 'templates',
                        row['template'] + '.jinja')
    if not os.path.exists(path):
        print('*** %s: NOT COMPARED, there is no %s ***'
              % (row['format'], row['template']))
        return None
    made = templates.environment()
    if row.get('mutable'):
        made.is_safe_attribute = lambda *one: True
    with open(path, encoding='utf-8', newline='') as file:
        template = made.from_string(file.read())
    requests = requests_of(row, make_request, range(count))
    for request in requests[::2] if row.get('documents') else ():
        if row['documents'] == 'before results' and (
                not request.get('tools') or
                any(one['role'] == 'tool' for one in request['messages'])):
            continue
        request['documents'] = [{'title': 'Tides', 'text': 'High "at" noon.'},
                                {'text': str(request['messages'][0])}]
    found = encoded(toolwire, row, requests)
    refused = 0
    for request, text in zip(requests, found):
        wanted = rendered(template, row, request)
        refused += wanted is None
        if wanted != text:
            show(row, request, wanted, text)
            break
    print('%s: %d requests as by %s, %d of them refused' % (
        row['format'], len(requests), row['template'], refused))
    return len(requests) - refused


def keep(toolwire, row):
    requests = requests_of(row, make, SEEDS_KEPT)
    path = os.path.join(KEPT, 'encode-%s.jsonl'
                        % row['format'].replace('/', '-'))
    with open(path, 'w', encoding='utf-8') as file:
        for seed, request, text in zip(SEEDS_KEPT, requests,
                                       encoded(toolwire, row, requests)):
            if text is not None:
                file.write(json.dumps({
                    'id': 't-%s-%d' % (row['format'], seed),
                    'format': row['format'], 'class': 'canonical',
                    'request': request, 'expect_text': text,
                    'note': 'as by ' + row['template']},
                    ensure_ascii=False) + '\n')


def main(arguments):
    path = None
    if '--requests' in arguments:
        at = arguments.index('--requests')
        path = arguments[at + 1]
        del arguments[at:at + 2]
    keeps = '--keep' in arguments
    plain = [one for one in arguments if one != '--keep']
    toolwire = plain[0]
    count = int(plain[1]) if len(plain) > 1 else COUNT
    with open(templates.TABLE, encoding='utf-8') as file:
        rows = [row for row in json.load(file)['prompts']
                if len(plain) < 3 or row['format'] == plain[2]]
    if not os.environ.get('TOOLWIRE_DATA'):
        print('*** SKIPPED: TOOLWIRE_DATA is not set ***')
        return 77
    try:
        templates.environment()
    except ImportError:
        print('*** SKIPPED: there is no jinja2 ***')
        return 77
    compared = [compare(toolwire, row, maker_of(path), count) for row in rows]
    for row in rows if keeps and not templates.failed else ():
        keep(toolwire, row)
    if not all(one is None or one > 0 for one in compared):
        templates.bad('prompts', 'nothing was compared')
    print('%d of %d formats are right' % (len(rows) - len(templates.failed),
                                          len(rows)))
    return 1 if templates.failed or not rows else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
