#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns are appended as a whole rendering has them.

Use: extend.py TOOLWIRE [EPISODES [NAME]]

The templates are other people's, and are looked for in $TOOLWIRE_DATA/templates.
Random conversations are cut behind a turn of the model's.  Three prompts are
rendered: in front of the turn, with it, and with what follows.  Where the last
one begins with what the model was given and has written, `toolwire extend` has
to give the rest, behind the completion as it stands and behind odd ones: other
white space, other JSON, with the stop and without.  Where it does not, extend
has to say so, and name a message.

Whole episodes are gone through as well: records that say only what is new have
to have the answers of those that hold all messages.
"""
import json
import os
import random
import re
import subprocess
import sys

import talk

TOKENS = ['--set', 'bos_token=<BOS>', '--set', 'eos_token=<EOS>',
          '--set', 'pad_token=<PAD>', '--set', 'unk_token=<UNK>',
          '--now', '2026-11-25T12:00:00']


def run(command, records):
    made = subprocess.run(
        command, input=''.join(json.dumps(record) + '\n'
                               for record in records).encode(),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    answers = [json.loads(line) for line in made.stdout.splitlines()]
    if len(answers) != len(records):
        raise SystemExit('%s: %d answers to %d records'
                         % (' '.join(command), len(answers), len(records)))
    return answers


def formats(toolwire):
    """Those whose prompts are built in."""
    listed = subprocess.run([toolwire, 'formats', '--json'],
                            stdout=subprocess.PIPE).stdout
    return [row['name'] for row in map(json.loads, listed.splitlines())
            if row['prompts']]


def cuts(rng, request):
    """(own, all): behind a turn of the model's, and behind what follows it."""
    messages = request['messages']
    places = [i for i, message in enumerate(messages)
              if message['role'] == 'assistant' and i + 1 < len(messages)]
    if not places:
        return None
    own = rng.choice(places) + 1
    end = own
    while end < len(messages) and messages[end]['role'] != 'assistant':
        end += 1
    if end == len(messages) or messages[end - 1]['role'] == 'assistant':
        end = max(own, end - rng.randint(0, 1))
    return own, end


def first(request, count, generation):
    return dict(request, messages=request['messages'][:count],
                add_generation_prompt=generation)


def odd(rng, text):
    """Another spelling of it that a model may have written."""
    kind = rng.randrange(4)
    if kind == 0:
        return text + rng.choice([' ', '\n', ' \n'])
    if kind == 1 and '": ' in text:
        return text.replace('": ', rng.choice(['":', '":  ']), 1)
    if kind == 2 and ', "' in text:
        return text.replace(', "', ',"')
    return rng.choice(['\n', ' ']) + text


STOP = re.compile(r'(<[^<>\s]{1,40}>|\[e~\[)\s*$')


def sampled_up_to(answer, own):
    """The prompt up to the end of what was sampled of a message; None: of
    that nothing was."""
    found = [span for span in answer.get('spans', ())
             if span['message'] == own - 1 and span['sampled']]
    if found and any(span['message'] != own - 1 for span in answer['spans']
                     if found[0]['start'] < span['start'] < found[-1]['end']):
        return None  # it goes on behind others
    return answer['text'].encode()[:found[-1]['end']].decode() \
        if found else None


def says_all(completion, request, own):
    """Does it hold the message's texts and calls?"""
    message = request['messages'][own - 1]
    return all(text.strip() in completion for text in
               [message.get('content') or '',
                message.get('reasoning_content') or ''] +
               [one['function']['name']
                for one in message.get('tool_calls', ())])


def follows(completion, append, more):
    """Is that |more|, perhaps without blanks that the completion ends with?"""
    last = completion[len(completion.rstrip()):]
    left = more[:len(more) - len(append)]
    return left + append == more and left in last


def try_one(name, encode, extend, spans, count, report):
    """The records, what is wanted behind each, None where the template is not
    stable, and the answers."""
    rng = random.Random(name)
    cases = []
    while len(cases) < count:
        request = talk.conversation(rng)
        cut = cuts(rng, request)
        if cut:
            cases.append((request,) + cut)
    before = run(encode, [first(r, own - 1, True) for r, own, _ in cases])
    turns = run(spans, [first(r, own, False) for r, own, _ in cases])
    full = run(spans, [first(r, end, True) for r, _, end in cases])
    records = []
    wanted = []
    for (request, own, end), prompt, turn, answer in zip(cases, before, turns,
                                                         full):
        if 'text' not in prompt or 'text' not in turn or 'text' not in answer:
            report['refused'] += 1
            continue
        later = sampled_up_to(answer, own)
        prompt, whole = prompt['text'], answer['text']
        record = dict(request, prompt=prompt,
                      messages=request['messages'][:own],
                      new=request['messages'][own:end])
        ended = sampled_up_to(turn, own)
        if ended is None:
            ended = turn['text'].rstrip('\n') if 'spans' not in turn \
                else prompt
        stable = ended.startswith(prompt) and whole.startswith(ended)
        completion = ended[len(prompt):]
        if not stable:
            if ended.startswith(prompt) and \
                    not whole.startswith(prompt + completion):
                records.append(dict(record, completion=completion or 'x'))
                wanted.append(None)
            # The template may write the turn in another form then: behind a
            # completion in that form the rendering goes on.
            if later is None or not whole.startswith(prompt) or \
                    not says_all(later[len(prompt):], request, own):
                continue
            completion = later[len(prompt):]
        stop = STOP.search(completion)
        said = completion[:stop.start()] if stop else completion.rstrip('\n')
        tail = stop.group(1) if stop else ''
        rest = whole[len(prompt) + len(said) + len(tail):]
        for one, more in ((said + tail, rest), (said, tail + rest),
                          (odd(rng, said) + tail, rest),
                          (odd(rng, said), tail + rest)):
            if whole.startswith(prompt + one):
                more = whole[len(prompt + one):]
            records.append(dict(record, completion=one))
            wanted.append(more)
    answers = run(extend, records)
    for record, more, got in zip(records, wanted, answers):
        if 'error' in got:
            kind = 'error'
        elif more is None:
            kind = 'unstable' if got.get('stable') is False else 'WRONG'
        elif got.get('stable') is False:
            kind = 'doubted'
        else:
            kind = 'right' if follows(record['completion'], got['append'],
                                      more) else 'WRONG'
        report[kind] += 1
        if kind in ('WRONG', 'error', 'doubted'):
            report['shown'].append((kind, record, more, got))
    return records, wanted, answers


# ---- episodes --------------------------------------------------------------

def turns_of(request):
    """(own, end) of each turn of the model's, as in cuts()."""
    messages = request['messages']
    places = [i for i, message in enumerate(messages)
              if message['role'] == 'assistant']
    return [(own + 1, end) for own, end in
            zip(places, places[1:] + [len(messages)]) if end > own + 1]


def short(rng, record, goes_on):
    """The same record, of what is new."""
    if not goes_on:
        return record
    return {'completion': record['completion'], 'new': record['new'],
            'message': record['messages'][-1]}


def try_episodes(name, encode, extend, count, report):
    rng = random.Random(name)
    whole = []
    places = []  # of the episode, and of the turn in it
    for number in range(count):
        request = talk.conversation(rng, 6, .85)
        for own, end in turns_of(request):
            places.append((number, request, own, end))
    before = run(encode, [first(r, own - 1, True) for _, r, own, _ in places])
    turns = run(encode, [first(r, own, False) for _, r, own, _ in places])
    for (number, request, own, end), prompt, turn in zip(places, before,
                                                         turns):
        begin, said = prompt.get('text', ''), turn.get('text', '')
        said = said[len(begin):] if said.startswith(begin) else 'It is so.'
        whole.append(dict(request, completion=odd(rng, said.rstrip()),
                          messages=request['messages'][:own],
                          new=request['messages'][own:end]))
    wanted = run(extend, whole)
    records = []
    last = None  # the episode that goes on
    for (number, *_), record, answer in zip(places, whole, wanted):
        records.append(short(rng, record, number == last))
        last = number if 'append' in answer else None
    for record, want, got in zip(records, wanted, run(extend, records)):
        if 'message' not in record:
            continue
        if want.get('append') == got.get('append') and \
                want.get('stable') == got.get('stable'):
            report['gone on'] += 1
        else:
            report['WRONG'] += 1
            report['shown'].append(('WRONG', dict(record, prompt=''), want,
                                    got))


def main():
    toolwire = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    only = sys.argv[3] if len(sys.argv) > 3 else ''
    folder = os.path.join(os.environ.get('TOOLWIRE_DATA', ''), 'templates')
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    total = {}
    built_in = formats(toolwire)
    for name in names + built_in:
        if only not in name:
            continue
        how = ['-f', name] if name in built_in else \
            ['--template', os.path.join(folder, name)] + TOKENS
        more = ['--control-text', 'allow', '--jsonl']
        report = dict.fromkeys(('right', 'unstable', 'doubted', 'WRONG',
                                'error', 'refused', 'gone on'), 0)
        report['shown'] = []
        encode = [toolwire, 'encode'] + how + more
        try_one(name, encode, [toolwire, 'extend'] + how + more,
                encode + ([] if name in built_in else ['--spans']), count,
                report)
        try_episodes(name, encode, [toolwire, 'extend'] + how + more,
                     max(count // 10, 1), report)
        shown = report.pop('shown')
        print('%-50s %s' % (name, '  '.join(
            '%s %d' % each for each in report.items())))
        for kind, record, wanted, got in shown[:3 if only else 1]:
            print('   ', kind, json.dumps(record['prompt'][-60:]),
                  json.dumps(record['completion']))
            print('     new', json.dumps(record['new'])[:200])
            print('     wanted', json.dumps(wanted))
            print('     got   ', json.dumps(got))
        for key, number in report.items():
            total[key] = total.get(key, 0) + number
    print(total)
    return 1 if total.get('WRONG') or total.get('error') else 0


if __name__ == '__main__':
    sys.exit(main())
