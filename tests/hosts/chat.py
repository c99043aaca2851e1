# SPDX-License-Identifier: MIT
"""Messages of the chat API, as its clients read them."""
import json


def calls_of(message):
    """Names and arguments, as text."""
    return [[call['function']['name'], call['function']['arguments']]
            for call in message.get('tool_calls') or ()]


def essence(message):
    """What must be equal; the ids of calls are a server's own.  Empty and
    absent are the same in the API."""
    return {'content': message.get('content') or '',
            'reasoning': (message.get('reasoning_content')
                          or message.get('reasoning') or ''),
            'calls': calls_of(message)}


def complete(calls):
    """Those that a client could run."""
    found = []
    for call in calls:
        try:
            json.loads(call['function']['arguments'])
            found.append(call)
        except ValueError:
            pass
    return found


def join(data):
    """The message of a stream of chunks, and why it ended."""
    message = {'content': '', 'reasoning': '', 'tool_calls': []}
    finish = None
    # Not splitlines(): a text may hold other line ends.
    for line in data.split('\n'):
        if not line.startswith('data: ') or line == 'data: [DONE]':
            continue
        chunk = json.loads(line[len('data: '):])
        if 'choices' not in chunk:
            raise ValueError(line[:300])
        for choice in chunk['choices']:
            finish = choice.get('finish_reason') or finish
            add(message, choice['delta'])
    return message, finish


def add(message, delta):
    message['content'] += delta.get('content') or ''
    message['reasoning'] += (delta.get('reasoning_content')
                             or delta.get('reasoning') or '')
    calls = message['tool_calls']
    for part in delta.get('tool_calls') or ():
        if part['index'] == len(calls):
            calls.append({'id': part['id'],
                          'function': {'name': '', 'arguments': ''}})
        for key in ('name', 'arguments'):
            calls[part['index']]['function'][key] += (
                part['function'].get(key) or '')


def value(arguments):
    """What arguments say, or their text if they are no JSON."""
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments
