# SPDX-License-Identifier: MIT
"""Random records of the shapes that have calls as text."""
import json

from values import (R, arguments, may, name, number, once, packed, schema, some,
                    text, word)


def turn(speaker, value):
    return may({'from': speaker, 'value': value}, 0.05, odd=1)


def sharegpt():
    turns, it = [], {}
    for _ in range(R.randint(1, 3)):
        turns.append(turn('human', text()))
        while once(0.4):
            calls = [{'name': name(), 'arguments': arguments()}
                     for _ in range(R.choice([1, 1, 2]))]
            turns.append(turn('function_call', packed(
                calls[0] if len(calls) == 1 else calls)))
            turns += [turn('observation', text()) for _ in calls]
        turns.append(turn('gpt', text()))
    it['conversations'] = turns
    if once(0.2):
        turns.pop()
        it['chosen'], it['rejected'] = turn('gpt', text()), turn('gpt', text())
    return may(it, 0.4, system=text, odd=1, id=name, tools=lambda: packed(
        some(lambda: may({'name': name()}, 0.5, description=text,
                         parameters=schema), 1)))


def xlam_parameter():
    return may({'type': word('str', 'int', 'float', 'bool', 'list', 'dict',
                             'List[int]', 'str, optional', 'tuple', 'Any',
                             'Dict[str, int]', 'List[List[str]]')}, 0.5,
               description=text, default=number)


def xlam():
    tools = some(lambda: may({'name': name(), 'parameters': {
        'p%d' % i: xlam_parameter() for i in range(R.randint(1, 3))}}, 0.8,
        description=text), 1)
    calls = some(lambda: {'name': name(), 'arguments': arguments()})
    as_text = once(0.7)
    return may({'query': text(), 'answers': packed(calls) if as_text else calls,
                'tools': packed(tools) if as_text else tools}, 0.3, id=number,
               odd=1)


def glaive():
    said = ''
    for _ in range(R.randint(1, 3)):
        said += 'USER: %s\n\n\n' % text()
        while once(0.4):
            said += ('ASSISTANT: <functioncall> {"name": "%s", "arguments": '
                     "'%s'} <|endoftext|>\n\n\nFUNCTION RESPONSE: %s\n\n\n"
                     % (name(), packed(arguments()), packed({'n': number()})))
        said += 'ASSISTANT: %s <|endoftext|>\n\n\n' % text()
    system = 'SYSTEM: You are helpful%d.' % number()
    if once(0.6):
        system += ' Use them -\n' + '\n\n'.join(
            json.dumps(may({'name': name()}, 0.7, description=text,
                           parameters=schema), indent=4, ensure_ascii=False)
            for _ in range(R.randint(1, 2)))
    return may({'system': system, 'chat': said}, 0.2, id=name, odd=1)


def alpaca():
    return may({'instruction': text(), 'output': text()}, 0.4, input=text,
               system=text, odd=1, id=name,
               history=lambda: some(lambda: [text(), text()], 1))


