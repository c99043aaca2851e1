# SPDX-License-Identifier: MIT
"""Streams of servers, cut in many ways: what stream --from-sse makes of them
joins to what decode says of the whole text.  Run by tests/cli/sse.sh.
Use: sse.py PATH-OF-TOOLWIRE"""
import array
import fcntl
import json
import os
import random
import re
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


def frame(chunks, end='\n', done=True, escaped=False):
    lines = ['data: ' + json.dumps(each, ensure_ascii=escaped)
             for each in chunks]
    lines += ['data: [DONE]'] if done else []
    return ''.join(line + end + end for line in lines).encode()


def say(pieces, finish='stop', index=0):
    """The chunks of one choice."""
    return ([chunk([choice(index, {'role': 'assistant', 'content': ''})])] +
            [chunk([choice(index, {'content': each})]) for each in pieces] +
            [chunk([choice(index, {}, finish)])])


def repair(data, form, *options):
    done = subprocess.run([T, 'stream', '-f', form, '--from-sse', *options],
                          input=data, capture_output=True, timeout=600)
    return done.stdout, done.returncode


def parsed(data):
    """The events of a stream, each a dict of its fields, and its comments, by
    https://html.spec.whatwg.org/multipage/server-sent-events.html"""
    text = data.decode('utf-8', 'replace')
    text = text[1:] if text.startswith('\ufeff') else text
    # What is not ended is discarded.
    lines = re.split('\r\n|\n|\r', text)[:-1]
    events, comments, fields = [], [], {}
    for line in lines:
        if line == '':
            if 'data' in fields:
                events.append({**fields, 'data': '\n'.join(fields['data'])})
            fields = {}
        elif line.startswith(':'):
            comments.append(line)
        else:
            name, _, value = line.partition(':')
            value = value[1:] if value.startswith(' ') else value
            if name == 'data':
                fields.setdefault('data', []).append(value)
            else:
                fields[name] = value
    return events, comments


def values(events):
    """JSON, or what is none as it is."""
    got = []
    for event in events:
        try:
            got.append(json.loads(event['data']))
        except ValueError:
            got.append(event['data'])
    return got


def chunks_of(out):
    return [value for value in values(parsed(out)[0])
            if isinstance(value, dict)]


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
                          capture_output=True, timeout=600)
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
    out, _ = child.communicate(data[at:], timeout=600)
    return out


def check_cuts():
    for form, text in TEXTS.items():
        want = {0: wanted(text, form)}
        for size in [1, 2, 3, 7, len(text)]:
            pieces = [text[i:i + size] for i in range(0, len(text), size)]
            out, status = repair(frame(say(pieces)), form)
            verdict(f'{form}, {size} characters a chunk',
                    status == 0 and join(out) == want, join(out))
        # Each cut is a choice of its own, one behind the other.
        cuts = range(len(text) + 1)
        out, status = repair(frame([each for at in cuts for each in say(
            [text[:at], text[at:]], index=at)]), form)
        verdict(f'{form}, the text cut: the status', status == 0, status)
        joined = join(out)
        for at in cuts:
            verdict(f'{form}, the text cut at {at}',
                    joined.get(at) == want[0], joined.get(at))
    # Without what is passed on, so that there are fewer bytes to cut at.
    data = frame([{'choices': each['choices']} for each in say(
        ['<tool_call>{"name":"\u00e9",', '"arguments":{}}</tool_call>'])],
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
                status == (0 if good and begun and ended else 1), out)


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


# ---- lines as the standard allows them --------------------------------------

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]|[^]["{}:,\s]+')


def scatter(value, chance):
    """JSON text of |value| in several lines, which end between tokens."""
    text = ''
    for token in TOKEN.findall(json.dumps(value, ensure_ascii=False)):
        text += chance.choice(['', '', ' ', '\n', '\n\n']) + token
    return text.strip('\n').split('\n')


def disorderly(events, chance):
    """A stream of |events|, lists of lines, with line ends of every kind,
    comments, and fields that nobody looks at."""
    lines = []
    for event in events:
        for line in event:
            lines += [': ping'] * (chance.random() < 0.1)
            lines += ['retry: 10'] * (chance.random() < 0.1)
            lines.append(line)
        lines.append('')
        lines += [''] * (chance.random() < 0.1)
    data = '\ufeff' if chance.random() < 0.3 else ''
    for line in lines:
        ends = ['\n', '\r\n', '\r']
        if line == '' and data.endswith('\r'):
            ends = ends[1:]  # a line feed would belong to what stands before
        data += line + chance.choice(ends)
    return data.encode()


def check_lines():
    for seed in range(60):
        chance = random.Random(seed)
        form = chance.choice(list(TEXTS))
        text = TEXTS[form]
        size = chance.choice([1, 4, 20, 1000])
        sent = say([text[i:i + size] for i in range(0, len(text), size)])
        others = [{'y': [1.5, 'a b', {}]}, {'usage': None, 'choices': []}]
        for other in others:
            sent.insert(chance.randrange(len(sent) + 1), other)
        plain = [['data: ' + json.dumps(value, ensure_ascii=False)]
                 for value in sent] + [['data: [DONE]']]
        events = [[chance.choice(['data:', 'data: ']) + line
                   for line in scatter(value, chance)]
                  for value in sent] + [['data: [DONE]']]
        data = disorderly(events, chance)
        # The test itself: the stream is what it was to be.
        seen, comments = parsed(data)
        verdict(f'lines {seed}: the stream',
                values(seen) == sent + ['[DONE]'])
        out, status = repair(data, form)
        want, _ = repair(b''.join(('\n'.join(event) + '\n\n').encode()
                                  for event in plain), form)
        got, passed_on = parsed(out)
        verdict(f'lines {seed}: the message', status == 0 and
                join(out) == {0: wanted(text, form)}, data)
        verdict(f'lines {seed}: as of an orderly stream',
                values(got) == values(parsed(want)[0]), out)
        verdict(f'lines {seed}: line feeds alone, comments as they were',
                b'\r' not in out and passed_on == comments, out)
        if seed < 20:
            at = chance.choice([found.start() + 1 for found in
                                re.finditer(b'[\r\n]', data)])
            verdict(f'lines {seed}: cut at {at}, behind a line end',
                    repair_cut(data, at, form) == out)


# ---- text that a server has cut in UTF-16 ----------------------------------

def units(text):
    """One string a unit: a character beyond the first 65,536 is two halves."""
    data = text.encode('utf-16-le', 'surrogatepass')
    return [data[i:i + 2].decode('utf-16-le', 'surrogatepass')
            for i in range(0, len(data), 2)]


EMOJI = {
    'hermes': 'A\U0001f600\U0001f30a\u00e9<tool_call>{"name":"tide",'
              '"arguments":{"\U0001f511":"\U0001f600x\U0010ffff"}}</tool_call>',
    'gemma4': '\U00010000<|channel>thought\n\U0001f914<channel|>Hi '
              '<|tool_call>call:tide{at:<|"|>\U0001f30a\U0001f30a<|"|>}'
              '<tool_call|>',
}


def said(data, form, *options):
    done = subprocess.run([T, 'stream', '-f', form, '--from-sse', *options],
                          input=data, capture_output=True, timeout=600)
    return done.stdout, done.returncode, done.stderr.decode()


def check_halves():
    for form, text in EMOJI.items():
        want = {0: wanted(text, form)}
        parts = units(text)
        cuts = [[''.join(parts[:at]), ''.join(parts[at:])]
                for at in range(len(parts) + 1)]
        for pieces in cuts + [parts]:
            out, status, err = said(frame(say(pieces), escaped=True), form)
            verdict(f'{form}, in UTF-16 cut {pieces!r}', status == 0 and
                    join(out) == want and 'invalid_utf8' not in err, (out, err))
    # In turn, with chunks between the halves that hold no text.
    texts = [EMOJI['hermes'], '\U0001f30a\U0001f30a', '\U0001f914 <b>']
    streams = [say(units(text), index=i) for i, text in enumerate(texts)]
    mixed = []
    while any(streams):
        for stream in filter(None, streams):
            mixed.append(stream.pop(0))
            index = mixed[-1]['choices'][0]['index']
            if stream:
                mixed += [chunk([choice(index, {'content': None})]),
                          chunk([choice(index, {'content': ''}, None, n=1)])]
    out, status, err = said(frame(mixed, escaped=True), 'hermes')
    verdict('halves of three choices in turn', status == 0 and not err and
            join(out) == {i: wanted(text, 'hermes')
                          for i, text in enumerate(texts)}, (out, err))


def check_lone_halves():
    high, low = '\ud83d', '\ude00'
    rows = [([high], '\ufffd'), ([low], '\ufffd'), ([high, 'a'], '\ufffda'),
            (['a' + low], 'a\ufffd'), ([high, high, low], '\ufffd\U0001f600'),
            ([high, low, low], '\U0001f600\ufffd'),
            ([high, '\U0001f600'], '\ufffd\U0001f600'),
            ([low + high, 'b'], '\ufffd\ufffdb'),
            (['a' + high + 'b' + high, low], 'a\ufffdb\U0001f600'),
            (['<think>' + high, '</think>x'], 'x')]
    for pieces, want in rows:
        for end in range(4):
            chunks = say(pieces)
            # By the server, by [DONE], by the end, by a line that is lost.
            chunks = chunks if end == 0 else chunks[:-1]
            data = frame(chunks, done=end < 2, escaped=True)
            out, _, err = said(data + b'data: }\n\n' * (end == 3), 'hermes')
            verdict(f'{pieces!r} and end {end}: the lone half is replaced',
                    join(out)[0].get('content') == want, out)
            verdict(f'{pieces!r} and end {end}: that is said',
                    'invalid_utf8' in err, err)
    out, status, _ = said(frame(say(['a' + high, 'b']), escaped=True),
                          'hermes', '--strict')
    verdict('a lone half, --strict', status == 1 and
            b'TW_ERROR_DEVIATION' in out, out)
    # Where nothing is decoded, it stays what it was.
    spelled = {'x': high, low + 'k': [high + 'a', {high: 1}]}
    chunks = [chunk([choice(0, {'content': 'a', 'y': low}, logprobs=spelled)],
                    z=spelled),
              {'other': spelled}, chunk([choice(0, {}, 'stop')])]
    out, status, err = said(frame(chunks, escaped=True), 'hermes')
    got = chunks_of(out)
    verdict('lone halves elsewhere', status == 0 and not err and
            got[0]['choices'][0]['delta']['y'] == low and
            got[0]['choices'][0]['logprobs'] == spelled and
            all(each['z'] == spelled for each in got if 'z' in each) and
            {'other': spelled} in got, out)
    chunks = [chunk([choice(0, {'content': 'a'}, 'st' + high)])]
    out, status, err = said(frame(chunks, escaped=True), 'hermes')
    verdict('a lone half in a finish_reason', status == 1 and
            'choices[].finish_reason' in err, err)


check_cuts()
check_choices()
check_reasons()
check_lines()
check_halves()
check_lone_halves()
print(passed, failed)
