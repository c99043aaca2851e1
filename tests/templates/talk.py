# SPDX-License-Identifier: MIT
"""Random conversations as agents have them, for tests of chat templates."""
import json

WORDS = ['Brest', 'Ålesund', '東京', 'the tide', 'a  b', 'x < y & z',
         '"quoted"', "it's", 'line\nbreak', '{braces}', '[1, 2]', '🦦',
         'C:\\dir', 'None', 'true', '3.50', '%d', 'a/b']
KEYS = ['at', 'days', 'unit', 'options', 'tags']
NAMES = ['get_tide', 'search', 'fs.read', 'book_berth', 'now']


def text(rng, most=5):
    return ' '.join(rng.choice(WORDS) for _ in range(rng.randint(1, most)))


def value(rng, depth=0):
    kind = rng.random()
    if depth > 1 or kind < .4:
        return text(rng, 3)
    if kind < .6:
        return rng.choice([0, 1, -7, 42, 0.5, 1.5, True, False])
    if kind < .8:
        return [value(rng, depth + 1) for _ in range(rng.randint(0, 2))]
    return {key: value(rng, depth + 1)
            for key in rng.sample(KEYS, rng.randint(0, 2))}


def tool(rng, name):
    types = ['string', 'integer', 'number', 'boolean', 'array', 'object']
    keys = rng.sample(KEYS, rng.randint(0, 3))
    return {'type': 'function', 'function': {
        'name': name, 'description': text(rng), 'parameters': {
            'type': 'object', 'required': keys[:1], 'properties': {
                key: {'type': rng.choice(types), 'description': text(rng)}
                for key in keys}}}}


def call(rng, names, number):
    arguments = {key: value(rng)
                 for key in rng.sample(KEYS, rng.randint(0, 3))}
    return {'id': 'abcd%05d' % number, 'type': 'function', 'function': {
        'name': rng.choice(names),
        'arguments': json.dumps(arguments, ensure_ascii=False)}}


def conversation(rng, turns=3, goes_on=.6):
    """A request of several turns: questions, calls, results, answers.
    |goes_on| is how likely another call is."""
    names = rng.sample(NAMES, rng.randint(1, 3))
    tools = [tool(rng, name) for name in names] if rng.random() < .8 else []
    reasons = rng.choice([0, 0, .5, 1])
    messages = []
    number = 0
    if rng.random() < .6:
        messages.append({'role': 'system', 'content': text(rng)})
    for _ in range(rng.randint(1, turns)):
        messages.append({'role': 'user', 'content': text(rng)})
        while tools and rng.random() < goes_on:
            calls = [call(rng, names, number + i)
                     for i in range(rng.choice([1, 1, 2]))]
            number += len(calls)
            answer = {'role': 'assistant', 'tool_calls': calls,
                      'content': rng.choice(['', 'Then ' + text(rng, 4)])}
            if rng.random() < reasons:
                answer['reasoning_content'] = 'Because ' + text(rng)
            messages.append(answer)
            for one in calls:
                messages.append({
                    'role': 'tool', 'tool_call_id': one['id'],
                    'name': one['function']['name'], 'content': rng.choice([
                        text(rng), json.dumps({'tide': value(rng)})])})
        answer = {'role': 'assistant', 'content': text(rng)}
        if rng.random() < reasons:
            answer['reasoning_content'] = 'Because ' + text(rng)
        messages.append(answer)
    request = {'messages': messages}
    if tools:
        request['tools'] = tools
    if rng.random() < .3:
        request['chat_template_kwargs'] = {
            'enable_thinking': rng.random() < .5}
    return request
