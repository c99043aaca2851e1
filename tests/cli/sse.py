# SPDX-License-Identifier: MIT
"""Streams of servers, cut in many ways: what stream --from-sse makes of them
joins to what decode says of the whole text.  Run by tests/cli/sse.sh.
Use: sse.py PATH-OF-TOOLWIRE"""
import array
import fcntl
import json
import os
import subprocess
import sys
import termios
import time

T = sys.argv[1]
passed = failed = 0

COMPLETIONS = os.path.join(os.path.dirname(__file__), '..', 'completions')
TEXTS = {}
for name in sorted(os.listdir(COMPLETIONS)):
    with open(os.path.join(COMPLETIONS, name), encoding='utf-8') as file:
        TEXTS[name] = file.read().rstrip('\n')
TEXTS['hermes'] = (
    '<think>Hm\u00e9.</think>Hi <b> <tool_call>{"name":"tide","arguments":'
    '{"at":"Br\u00ebst \\u00e9","n":1.50}}</tool_call>\n<tool_call>'
    '{"name":"now","arguments":{}}</tool_call>')
CUT = '<tool_call>{"name":"tide","arguments":{"at":"Bre'


def verdict(name, good, detail=''):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print('FAILED:', name, detail)


def chunk(choices, **more):
    return {'id': 'c-1', 'object': 'chat.completion.chunk', 'created': 7,
            'model': 'm', 'choices': choices, **more}


def choice(index, delta, finish=None, **more):
    return {'index': index, 'delta': delta, 'finish_reason': finish, **more}


def frame(chunks, end='\n', done=True):
    lines = ['data: ' + json.dumps(each, ensure_ascii=False) for each in chunks]
    lines += ['data: [DONE]'] if done else []
    return ''.join(line + end + end for line in lines).encode()


def say(pieces, finish='stop', index=0):
    """The chunks of one choice."""
    return ([chunk([choice(index, {'role': 'assistant', 'content': ''})])] +
            [chunk([choice(index, {'content': each})]) for each in pieces] +
            [chunk([choice(index, {}, finish)])])


def repair(data, form, *options):
    done = subprocess.run([T, 'stream', '-f', form, '--from-sse', *options],
                          input=data, capture_output=True, timeout=60)
    return done.stdout, done.returncode


def chunks_of(out):
    got = []
    for event in out.decode().split('\n\n'):
        for line in event.split('\n'):
            if line.startswith('data: {'):
                got.append(json.loads(line[6:]))
    return got


def join(out):
    """Of each choice: its message and its finish_reason, by strict rules."""
    whole = {}
    for each in chunks_of(out):
        for one in each.get('choices', []):
            its = whole.setdefault(one['index'], {'calls': [], 'finish': []})
            delta = one['delta']
            for key in ('role', 'content', 'reasoning_content'):
                if delta.get(key):
                    its[key] = its.get(key, '') + delta[key]
            for call in delta.get('tool_calls', []):
                if call['index'] == len(its['calls']):
                    its['calls'].append([call['id'], call['function']['name'],
                                         ''])
                its['calls'][call['index']][2] += call['function']['arguments']
            if one['finish_reason'] is not None:
                its['finish'].append(one['finish_reason'])
            if 'toolwire' in each:
                its['unparsed'] = each['toolwire']['unparsed']
    return whole


def wanted(text, form):
    done = subprocess.run([T, 'decode', '-f', form], input=text.encode(),
                          capture_output=True, timeout=60)
    message = json.loads(done.stdout)
    calls = [[call['id'], call['function']['name'],
              call['function']['arguments']]
             for call in message.get('tool_calls', [])]
    want = {'role': 'assistant', 'calls': calls,
            'finish': ['tool_calls' if calls else 'stop']}
    for key in ('content', 'reasoning_content'):
        if message.get(key):
            want[key] = message[key]
    return want


def is_json(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


def left(file):
    """So many bytes wait in the pipe."""
    size = array.array('i', [0])
    fcntl.ioctl(file, termios.FIONREAD, size)
    return size[0]


def repair_cut(data, at, form):
    """The second part is written when the first was read."""
    child = subprocess.Popen([T, 'stream', '-f', form, '--from-sse'],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdin.write(data[:at])
    child.stdin.flush()
    while left(child.stdin) > 0:
        time.sleep(0.0002)
    out, _ = child.communicate(data[at:], timeout=60)
    return out


def check_cuts():
    for form, text in TEXTS.items():
        want = {0: wanted(text, form)}
        for size in [1, 2, 3, 7, len(text)]:
            pieces = [text[i:i + size] for i in range(0, len(text), size)]
            out, status = repair(frame(say(pieces)), form)
            verdict(f'{form}, {size} characters a chunk',
                    status == 0 and join(out) == want, join(out))
        for at in range(len(text) + 1):
            out, status = repair(frame(say([text[:at], text[at:]])), form)
            verdict(f'{form}, the text cut at {at}',
                    status == 0 and join(out) == want, join(out))
    data = frame(say(['<tool_call>{"name":"\u00e9",', '"arguments":{}}</tool_call>']),
                 '\r\n')
    whole, _ = repair(data, 'hermes')
    verdict('CRLF', join(whole)[0]['calls'] == [['call_0', '\u00e9', '{}']])
    for at in range(0, len(data) + 1):
        verdict(f'the stream cut at byte {at}',
                repair_cut(data, at, 'hermes') == whole)
    # A stream that ends at any byte: what is there comes, nothing is made up.
    for at in range(len(data)):
        there = data[:at]
        last = there.rsplit(b'\r\n', 1)[-1].rstrip(b'\r')
        good = last in (b'', b'data', b'data:', b'data: ', b'data: [DONE]') or \
            is_json(last[6:])
        begun = b'}]}' in there
        ended = b'"finish_reason": "stop"}]}' in there
        out, status = repair(there, 'hermes')
        its = join(out).get(0, {'calls': [], 'finish': []})
        verdict(f'the stream ends at byte {at}: calls',
                all('{}'.startswith(call[2]) for call in its['calls']) and
                len(its['calls']) >= ended, out)
        verdict(f'the stream ends at byte {at}: why',
                its['finish'] == (['tool_calls'] if ended else []), out)
        verdict(f'the stream ends at byte {at}: it is said',
                status == (0 if good and begun == ended else 1), out)


def check_choices():
    texts = [TEXTS['hermes'], 'Plain.', '<tool_call>{"name":"a",'
             '"arguments":{"b":[]}}</tool_call>']
    streams = [say(list(text), index=i) for i, text in enumerate(texts)]
    mixed = []
    while any(streams):
        mixed += [stream.pop(0) for stream in streams if stream]
    want = {i: wanted(text, 'hermes') for i, text in enumerate(texts)}
    out, status = repair(frame(mixed), 'hermes')
    verdict('three choices in turn', status == 0 and join(out) == want,
            join(out))
    both = []
    for i in range(0, len(mixed) - 1, 2):
        both.append(chunk(mixed[i]['choices'] + mixed[i + 1]['choices']))
    both += mixed[len(mixed) // 2 * 2:]
    out, status = repair(frame(both), 'hermes')
    verdict('two choices a chunk', status == 0 and join(out) == want,
            join(out))


def check_reasons():
    call = TEXTS['hermes']
    for said, text, reason, status in [
            ('stop', 'Hi.', 'stop', 0), ('stop', call, 'tool_calls', 0),
            ('length', 'Hi.', 'length', 0), ('length', call, 'length', 0),
            ('tool_calls', call, 'tool_calls', 0),
            ('tool_calls', 'Hi.', 'tool_calls', 0),
            ('content_filter', call, 'content_filter', 0),
            ('stop', CUT, 'length', 1), ('length', CUT, 'length', 1),
            ('tool_calls', CUT, 'length', 1),
            ('content_filter', CUT, 'content_filter', 1)]:
        out, got = repair(frame(say([text], said)), 'hermes')
        its = join(out)[0]
        verdict(f'{said}, {text[-20:]}: {reason}',
                its['finish'] == [reason] and got == status, out)
        verdict(f'{said}, {text[-20:]}: unparsed is listed',
                ('unparsed' in its) == (status == 1), out)
    for said in ('', None):
        chunks = say([call])
        chunks[-1]['choices'][0]['finish_reason'] = said
        out, status = repair(frame(chunks), 'hermes')
        verdict(f'finish_reason {said!r}: [DONE] ends it',
                join(out)[0]['finish'] == ['tool_calls'] and status == 0, out)
        out, status = repair(frame(chunks, done=False), 'hermes')
        verdict(f'finish_reason {said!r}, no [DONE]: it was cut off',
                join(out)[0]['finish'] == [] and status == 1, out)
    chunks = say(['Hi.', ' <tool_'])
    chunks.append(chunks[-1])
    out, status = repair(frame(chunks), 'hermes')
    verdict('a reason that is said twice is written once',
            join(out)[0]['finish'] == ['stop'] and status == 0, out)
    verdict('what was held comes at the end',
            join(out)[0]['content'] == 'Hi. <tool_', out)


check_cuts()
check_choices()
check_reasons()
print(passed, failed)
