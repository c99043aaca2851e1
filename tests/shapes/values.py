# SPDX-License-Identifier: MIT
"""What random records of all shapes are made of."""
import json
import random

R = random.Random(1)

count = 0


def number():
    global count
    count += 1
    return count


def text(stem='t'):
    """No other text of a record is this one."""
    return '%s %d%s' % (stem, number(), R.choice(['', '', '.\nAnd ', ' é"\\/']))


def once(chance):
    return R.random() < chance


def may(it, chance=0.3, **members):
    """Each member at times."""
    for name, value in members.items():
        if once(chance):
            it[name] = value() if callable(value) else value
    return it


def some(make, least=0, most=3):
    return [make() for _ in range(R.randint(least, most))]


def word(*words):
    return R.choice(words)


def arguments():
    return word({'n': number()}, {'n': number(), 'at': text('at'), 'deep': [
        {'a': None, 'b': [1, 2.5, True]}]}, {'n': number(), 's': ''})


def packed(value):
    return json.dumps(value, ensure_ascii=False)


def schema():
    return {'type': 'object', 'properties': {
        'n': {'type': 'integer', 'description': text('d')},
        'at': {'type': 'string', 'enum': ['a', 'b']}}, 'required': ['n']}


def name(stem='f'):
    return '%s%d' % (stem, number())


def image():
    return word('data:image/png;base64,iVBO%d' % number(),
                'https://example.org/%d.png' % number())


class Calls:
    """The calls of a conversation, and those that wait for results."""

    def __init__(self):
        self.open = []

    def call(self):
        it = {'id': 'c-%d' % number(), 'name': name(), 'args': arguments(),
              'custom': False}
        self.open.append(it)
        return it

    def answered(self):
        done, self.open = self.open, []
        return done
