#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A parser for `toolwire test`: toolwire's own, or one that is wrong.

Use: kit_peer.py TOOLWIRE [MODE]
where MODE names what is wrong with it.
"""
import base64
import json
import os
import signal
import sys
import time


# Lines that are no answers, and from how many pieces of a wire on.
NO_ANSWERS = {
    'echo': (0, ''),
    'number': (0, '12'),
    'list': (0, '[]'),
    'nothing': (0, '{}'),
    'misspelt': (0, '{"msg": {"role": "assistant", "content": null}}'),
    'plain': (0, '{"message": "Hi."}'),
    'later': (2, '{"message": null}'),
}


# What is said of oneself.
FORMATS = {
    'two': ['hermes/qwen2.5', 'hermes/qwen3'],
    'odd': ['hermes/qwen2.5', 'no such format'],
    'none': [],
}


def decode(toolwire, question, chunks):
    """Feeds pieces of the size of the first one: the whole, or bytes.

    Any case may have been cut: that the model stopped is not known.
    """
    import subprocess  # which takes as long as the rest, and not all need it
    size = max(1, len(chunks[0]))
    with open('tools', 'w') as file:
        json.dump(question['tools'], file)
    start = ['--start', question['start']] if 'start' in question else []
    done = subprocess.run(
        [toolwire, 'decode', '-f', question['format'], '--chunk', str(size),
         '--finish', 'length', '--tools', 'tools'] + start,
        input=b''.join(chunks), stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, close_fds=False)
    return json.loads(done.stdout)


def spoil(mode, message, chunks):
    calls = message.get('tool_calls', [])
    if mode == 'forge':
        calls = calls + [{'function': {'name': 'x', 'arguments': '{}'}}]
    elif mode in ('lose', 'tell'):
        if mode == 'tell' and calls:
            message['unparsed'] = [calls[0]]
        calls = calls[1:]
    elif mode == 'numbers':
        for call in calls:
            function = call['function']
            function['arguments'] = json.dumps(
                json.loads(function['arguments'], parse_int=float))
    elif mode == 'half':
        for call in calls:
            call['function']['arguments'] = call['function']['arguments'][:-1]
    elif mode == 'split' and len(chunks) > 1:
        message['content'] = (message['content'] or '') + '!'
    elif mode == 'brace' and any(c.endswith(b'}') for c in chunks[:-1]):
        message['content'] = (message['content'] or '') + '!'
    elif mode == 'text':
        calls = []
        message['content'] = b''.join(chunks).decode()
    elif mode == 'twice':
        calls = calls + calls
    elif mode == 'objects':
        for call in calls:
            function = call['function']
            function['arguments'] = json.loads(function['arguments'])
    elif mode == 'kinds':
        for call in calls:
            call['function']['arguments'] = {'q': {'q': True}}
    elif mode == 'duplicates':
        calls = [{'function': {'name': 'x', 'arguments': '{"a":1,"a":2}'}}]
    elif mode == 'many':
        members = {str(i): i for i in range(200000)}
        calls = [{'function': {'name': 'x', 'arguments': json.dumps(members)}}]
    elif mode == 'deep':
        value = len(chunks)
        for _ in range(60):
            value = {'a': value, 'b': 1}
        calls = [{'function': {'name': 'x', 'arguments': value}}]
    elif mode == 'zeros':
        message['content'] = '\0' + (message['content'] or '') + '\0'
    elif mode == 'hushed':
        message['content'] = (message['content'] or '')[:-2]
    elif mode == 'thoughtless':
        message.pop('reasoning_content', None)
    elif mode == 'named':
        for call in calls:
            call['function']['name'] = 7
    elif mode == 'fewer' and len(chunks) > 1:
        calls = calls[1:]
    elif mode == 'empty-handed':
        for call in calls:
            del call['function']['arguments']
    elif mode == 'bare' and len(chunks) > 1:
        for call in calls:
            del call['function']['arguments']
    message['tool_calls'] = calls
    return message


def main():
    toolwire = sys.argv[1]
    mode = sys.argv[2] if len(sys.argv) > 2 else ''
    whole = []
    if mode == 'ahead':
        print('{}', flush=True)
    if mode == 'unable':
        sys.exit('no such module')
    for line in sys.stdin:
        question = json.loads(line)
        if question.get('ask') == 'formats':
            print(json.dumps({'id': question['id'],
                              'formats': FORMATS.get(mode, 'all')}),
                  flush=True)
            continue
        if question['id'].startswith('hello'):
            print(json.dumps({'id': question['id'], 'message': {}}),
                  flush=True)
            continue
        chunks = [base64.b64decode(chunk) for chunk in question['chunks']]
        if mode == 'hang':
            time.sleep(1000)
        if mode == 'busy' and not os.path.exists('was-busy'):
            open('was-busy', 'w').close()
            time.sleep(1000)
        if mode == 'stuck' and len(b''.join(chunks)) > 5000:
            time.sleep(1000)
        if mode == 'square':
            end = time.process_time() + len(b''.join(chunks)) ** 2 / 8e8
            while time.process_time() < end:
                pass
        if mode == 'crash':
            sys.exit(1)
        if mode == 'closed':
            os.close(1)
            time.sleep(1000)
        if mode == 'empty':
            print(flush=True)
            continue
        if mode == 'noise':
            print('not JSON', flush=True)
            continue
        answer = {'id': question['id']}
        if mode == 'cut' and len(chunks) > 1:
            sys.exit(1)
        if mode == 'once' and not os.path.exists('crashed'):
            open('crashed', 'w').close()
            sys.exit(3)
        if mode == 'seldom' and ('-legal-' in question['id'] or
                                 not os.path.exists('seldom')):
            if '-legal-' not in question['id']:
                open('seldom', 'w').close()
            sys.exit(3)
        if mode == 'kill':
            os.kill(os.getpid(), signal.SIGKILL)
        if mode == 'spin':
            with open('spinning', 'w') as file:
                print(os.getpid(), file=file)
            while True:
                pass
        if mode == 'first':
            whole = whole or chunks
            print('not JSON' if b''.join(chunks) == b''.join(whole) else
                  '{"error": 1}', flush=True)
            continue
        if mode in NO_ANSWERS and len(chunks) >= NO_ANSWERS[mode][0]:
            print(line.rstrip('\n') if mode == 'echo' else
                  NO_ANSWERS[mode][1], flush=True)
            continue
        beyond_ascii = max(b''.join(chunks), default=0) > 127
        if (mode == 'refuse' or mode == 'mute' and len(chunks) > 1 or
                mode == 'ascii' and beyond_ascii):
            answer['error'] = 'no'
        elif mode == 'skips' and 'before' in question:
            answer['skip'] = 'one parser an output'
        else:
            message = decode(toolwire, question, chunks)
            answer['message'] = spoil(mode, message, chunks)
        if mode == 'ids':
            answer['id'] = 'another'
        print(json.dumps(answer), flush=True)
        if mode == 'double':
            print(json.dumps(answer), flush=True)


if __name__ == '__main__':
    main()
