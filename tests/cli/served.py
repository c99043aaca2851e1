# SPDX-License-Identifier: MIT
"""stream --from-sse between three APIs: what a server of one of them streams as
raw text is, in the stream of each, what `decode` makes of that text.

Use: served.py PATH-OF-TOOLWIRE; a part of tests/cli.sh, see served.sh.
"""
import json
import random
import subprocess
import sys

T = sys.argv[1]
APIS = 'chat', 'responses', 'anthropic'
USAGE = {'chat': {'prompt_tokens': 3, 'completion_tokens': 4},
         'responses': {'input_tokens': 3, 'output_tokens': 4},
         'anthropic': {'input_tokens': 3, 'output_tokens': 4}}
# What is written, with what clients of Responses cannot do without.
WRITTEN = {**USAGE, 'responses': {
    **USAGE['responses'], 'input_tokens_details': {'cached_tokens': 0},
    'output_tokens_details': {'reasoning_tokens': 0}, 'total_tokens': 7}}
IDS = {'chat': 'chatcmpl-9', 'responses': 'resp_9', 'anthropic': 'msg_9'}
TEXTS = [
    'Hi.', '', '\U0001f30aé <b>', '<think>Where?</think>Brest.',
    'Hi.<tool_call>{"name":"tide","arguments":{"at":"\U0001f30a"}}</tool_call>'
    '<tool_call>{"name":"now","arguments":{}}</tool_call>Bye.',
    '<tool_call>{"name":"tide","arguments":{"at":+}}</tool_call>Hi.',
    '<tool_call>{"name":"tide","arguments":{"at":"Bre',
]
passed = failed = 0


def verdict(name, good, shown=''):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print('FAILED: %s\n    %.1500s' % (name, shown))


def run(*arguments, data):
    done = subprocess.run([T, *arguments], input=data, capture_output=True,
                          timeout=600)
    return done.returncode, done.stdout, done.stderr.decode()


# ---- what servers write ----------------------------------------------------

def units(text, chance):
    """Pieces that may end between the halves of a character."""
    data = text.encode('utf-16-le')
    while data:
        size = 2 * chance.randint(1, 7)
        yield data[:size].decode('utf-16-le', 'surrogatepass')
        data = data[size:]


def chat(pieces, finish, reasoning=()):
    def chunk(delta, why=None):
        return {'id': IDS['chat'], 'object': 'chat.completion.chunk',
                'created': 5, 'model': 'm', 'choices': [
                    {'index': 0, 'delta': delta, 'finish_reason': why}]}
    return [chunk({'role': 'assistant', 'content': ''}),
            *(chunk({'reasoning_content': piece}) for piece in reasoning),
            *(chunk({'content': piece}) for piece in pieces),
            chunk({}, finish),
            {**chunk({}), 'choices': [], 'usage': USAGE['chat']}]


def responses(pieces, finish, reasoning=()):
    whole = finish == 'stop'
    base = {'id': IDS['responses'], 'object': 'response', 'created_at': 5,
            'model': 'm', 'output': [], 'usage': None}
    item = {'id': 'msg_1', 'type': 'message', 'content': []}
    place = {'item_id': 'msg_1', 'output_index': 0, 'content_index': 0}
    end = {**base, 'usage': USAGE['responses'],
           'status': 'completed' if whole else 'incomplete'}
    if not whole:
        end['incomplete_details'] = {'reason': finish}
    return [{'type': 'response.created', 'response': base},
            {'type': 'response.in_progress', 'response': base},
            *({'type': 'response.reasoning_text.delta', 'delta': piece}
              for piece in reasoning),
            {'type': 'response.output_item.added', 'item': item},
            {'type': 'response.content_part.added', **place},
            *({'type': 'response.output_text.delta', **place, 'delta': piece}
              for piece in pieces),
            {'type': 'response.output_text.done', **place, 'text': 'whole'},
            {'type': 'response.output_item.done', 'item': item},
            {'type': 'response.' + end['status'], 'response': end}]


def anthropic(pieces, finish, reasoning=()):
    def block(index, kind, key, parts):
        return [{'type': 'content_block_start', 'index': index,
                 'content_block': {'type': kind, key: ''}},
                *({'type': 'content_block_delta', 'index': index,
                   'delta': {'type': kind + '_delta', key: part}}
                  for part in parts),
                {'type': 'content_block_stop', 'index': index}]
    return [{'type': 'message_start', 'message': {
                'id': IDS['anthropic'], 'type': 'message', 'model': 'm',
                'content': [], 'usage': {'input_tokens': 3,
                                         'output_tokens': 1}}},
            {'type': 'ping'},
            *(block(0, 'thinking', 'thinking', reasoning) if reasoning
              else []),
            *block(1, 'text', 'text', pieces),
            {'type': 'message_delta', 'usage': {'output_tokens': 4}, 'delta': {
                'stop_reason': 'end_turn' if finish == 'stop' else finish,
                'stop_sequence': None}},
            {'type': 'message_stop'}]


SERVERS = {'chat': chat, 'responses': responses, 'anthropic': anthropic}


def frame(api, events, done=True):
    lines = []
    for event in events:
        name = '' if api == 'chat' else 'event: %s\n' % event['type']
        lines.append('%sdata: %s\n\n' % (name, json.dumps(event)))
    return (''.join(lines)
            + ('data: [DONE]\n\n' if done and api == 'chat' else '')).encode()


# ---- what clients make of it -----------------------------------------------

def events_of(out):
    """Of each event its data; its name must be the type."""
    for event in out.decode().split('\n\n'):
        lines = [line for line in event.split('\n') if line[:1] != ':']
        if not any(lines) or lines == ['data: [DONE]']:
            continue
        data = json.loads(lines[-1][6:])
        if 'choices' not in data and 'error' not in data or len(lines) > 1:
            assert lines[0] == 'event: ' + data['type'], event
        yield data


def joined(api, out):
    got = {'content': '', 'reasoning': '', 'calls': []}
    for event in events_of(out):
        kind = event.get('type')
        if 'choices' in event:
            got.update(id=event['id'], model=event['model'])
            if event.get('usage'):
                got['usage'] = event['usage']
            for choice in event['choices']:
                delta = choice['delta']
                got['content'] += delta.get('content') or ''
                got['reasoning'] += delta.get('reasoning_content') or ''
                for call in delta.get('tool_calls', []):
                    if 'id' in call:
                        got['calls'].append([call['id'],
                                             call['function']['name'], ''])
                    got['calls'][-1][2] += call['function']['arguments']
                got['finish'] = choice['finish_reason'] or got.get('finish')
        elif kind == 'response.created' or kind == 'message_start':
            head = event.get('response') or event['message']
            got.update(id=head['id'], model=head['model'])
        elif kind == 'response.output_text.delta':
            got['content'] += event['delta']
        elif kind == 'response.reasoning_text.delta':
            got['reasoning'] += event['delta']
        elif kind == 'response.output_item.added':
            item = event['item']
            if item['type'] == 'function_call':
                got['calls'].append([item['call_id'], item['name'], ''])
        elif kind == 'response.function_call_arguments.delta':
            got['calls'][-1][2] += event['delta']
        elif kind in ('response.completed', 'response.incomplete'):
            end = event['response']
            got['usage'] = end['usage']
            got['finish'] = (end.get('incomplete_details') or {}).get(
                'reason', 'completed')
        elif kind == 'content_block_start':
            block = event['content_block']
            if block['type'] == 'tool_use':
                got['calls'].append([block['id'], block['name'], ''])
        elif kind == 'content_block_delta':
            delta = event['delta']
            got['content'] += delta.get('text', '')
            got['reasoning'] += delta.get('thinking', '')
            if 'partial_json' in delta:
                got['calls'][-1][2] += delta['partial_json']
        elif kind == 'message_delta':
            got['finish'] = event['delta']['stop_reason']
            got['usage'] = event['usage']
    return got


WORDS = {'chat': ('stop', 'tool_calls', 'length'),
         'responses': ('completed', 'completed', 'max_output_tokens'),
         'anthropic': ('end_turn', 'tool_use', 'max_tokens')}


def wanted(text, target, source):
    _, out, _ = run('decode', '-f', 'hermes', data=text.encode())
    message = json.loads(out)
    lost = message.get('toolwire', {}).get('unparsed', [])
    calls = [[call['id'], call['function']['name'],
              call['function']['arguments']]
             for call in message.get('tool_calls', [])]
    cut = any(one['reason'] == 'truncated_call' for one in lost)
    return {'content': message['content'] or '',
            'reasoning': message.get('reasoning_content', ''), 'calls': calls,
            'id': IDS[source], 'model': 'm', 'usage': WRITTEN[target],
            'finish': WORDS[target][2 if cut else 1 if calls else 0]}


def check_each():
    chance = random.Random(1)
    for source in APIS:
        for target in APIS:
            for text in TEXTS:
                data = frame(source, SERVERS[source](
                    list(units(text, chance)), 'stop'))
                status, out, err = run(
                    'stream', '-f', 'hermes', '--from-sse', '--hold-calls',
                    '--api', target, data=data)
                got = joined(target, out)
                want = wanted(text, target, source)
                if source == target == 'chat':
                    # What the server says stays: `stop` becomes no `length`.
                    got['finish'] = want['finish']
                verdict('%s to %s: %r' % (source, target, text),
                        got == want and status == bool(err),
                        (got, want, status, err))
    for source in APIS[1:]:
        data = frame(source, SERVERS[source](list(TEXTS[4]), 'stop'))
        _, plain, _ = run('stream', '-f', 'hermes', '--from-sse', data=data)
        _, named, _ = run('stream', '-f', 'hermes', '--from-sse', '--api',
                          source, data=data)
        verdict('%s: the API that is read is the one that is written' % source,
                plain == named and joined(source, plain)['calls'], plain)


def check_ends():
    for source in APIS:
        for target in APIS:
            if source == target == 'chat':
                continue
            name = '%s to %s' % (source, target)
            options = ('stream', '-f', 'hermes', '--from-sse', '--api', target)
            events = SERVERS[source](['Hi <tool_call>{"name":"f"'],
                                     'max_tokens')
            _, out, _ = run(*options, data=frame(source, events))
            verdict(name + ': a limit', joined(target, out)['finish']
                    == WORDS[target][2], out)
            # It breaks off, it is no JSON, it has calls of its own.
            begun = frame(source, events[:-2], done=False)
            bad = {
                'cut': begun,
                'no JSON': begun + b'data: }\n\n',
                'an error': begun
                + b'data: {"type":"error","error":{"message":"oh"}}\n\n',
                'a call': frame(source, events[:3], done=False) + b'data: ' + {
                    'chat': b'{"choices":[{"index":0,"delta":{"tool_calls":'
                            b'[{"index":0}]}}]}',
                    'responses': b'{"type":"response.output_item.added",'
                                 b'"item":{"type":"function_call"}}',
                    'anthropic': b'{"type":"content_block_start",'
                                 b'"content_block":{"type":"tool_use"}}',
                }[source] + b'\n\n' + frame(source, events[3:]),
            }
            for what, data in bad.items():
                status, out, err = run(*options, data=data)
                last = list(events_of(out))[-1]
                text = json.dumps(last)
                verdict('%s: %s: an error ends it' % (name, what),
                        status == 1 and err and (
                            'error' in last or 'response.failed' in text),
                        (out, err))
                verdict('%s: %s: no end is made up' % (name, what),
                        b'message_stop' not in out and b'[DONE]' not in out
                        and b'response.completed' not in out, out)


def check_reasoning():
    """What a server has split out already stays reasoning."""
    for source in APIS:
        for target in APIS:
            events = SERVERS[source](['Hi.', TEXTS[4][3:]], 'stop',
                                     ['Hm', ', so.'])
            status, out, err = run('stream', '-f', 'hermes', '--from-sse',
                                   '--api', target, data=frame(source, events))
            got = joined(target, out)
            verdict('%s to %s: reasoning' % (source, target),
                    got['reasoning'] == 'Hm, so.' and len(got['calls']) == 2
                    and got['content'].startswith('Hi.') and status == 0,
                    (out, err))


# Members that no stream of raw text has a place for, by the event.
FOREIGN = {
    'chat': [(3, ('system_fingerprint',), 'system_fingerprint'),
             (1, ('choices', 0, 'logprobs'), 'choices.0.logprobs'),
             (1, ('choices', 0, 'delta', 'o\x1b[31m'),
              'choices.0.delta.o?[31m')],
    'responses': [(0, ('response', 'metadata'), 'response.metadata'),
                  (3, ('item', 'encrypted_content'),
                   'item.encrypted_content'),
                  (5, ('logprobs',), 'logprobs')],
    'anthropic': [(0, ('message', 'container'), 'message.container'),
                  (2, ('content_block', 'citations'),
                   'content_block.citations'),
                  (3, ('delta', 'signature'), 'delta.signature')],
}


def check_lost():
    """Once for each member, with the line where it first stands."""
    for source in APIS:
        for target in APIS:
            if source == target == 'chat':
                continue
            events = [json.loads(json.dumps(event)) for event in
                      SERVERS[source](['Hi', '.', '!'], 'stop')]
            options = ('stream', '-f', 'hermes', '--from-sse', '--api', target)
            _, plain, err = run(*options, data=frame(source, events))
            verdict('%s to %s: nothing is lost' % (source, target), not err,
                    err)
            for at, path, _ in FOREIGN[source]:
                for event in events[at:at + 2]:
                    inner = event
                    for key in path[:-1]:
                        inner = inner[key] if isinstance(key, int) else \
                            inner.setdefault(key, {})
                    inner[path[-1]] = {'odd': 1}
            status, out, err = run(*options, data=frame(source, events))
            verdict('%s to %s: the stream is the same' % (source, target),
                    (status, out) == (0, plain), (out, err))
            said = ': '.join(err.splitlines())
            for _, _, name in FOREIGN[source]:
                verdict('%s to %s: %s is said once' % (source, target, name),
                        said.count(name) == 1 and '-:' in said, err)


check_each()
check_lost()
check_ends()
check_reasoning()
print(passed, failed)
