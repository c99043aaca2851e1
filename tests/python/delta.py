#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a delta costs in Python, by the installed package toolwire: through
Decoder.feed() and through stream_chunks(), with the extension and by ctypes.

Beside microseconds stands the ratio to json.loads() of one such chunk in the
same run, which a slow or busy machine changes less.  With the extension, the
ratios must not pass LIMITS.

Use: delta.py
"""
import json
import platform
import sys
import time

import toolwire
from toolwire import Decoder, _hot

DELTAS = [' some', 'tok', ' word '] * 1000
CALL = ['<tool_call>{"name":"f","arguments":{"a":"', *DELTAS, '"}}</tool_call>']
ROUNDS = 15
LIMITS = {'feed': 0.8, 'text': 2.3, 'arguments': 2.3}


def feed():
    with Decoder('hermes') as decoder:
        for delta in DELTAS:
            for _ in decoder.feed(delta):
                pass


def text():
    for _ in toolwire.stream_chunks(DELTAS, 'hermes', model='m'):
        pass


def arguments():
    for _ in toolwire.stream_chunks(CALL, 'hermes', model='m'):
        pass


CHUNK = json.dumps(list(toolwire.stream_chunks(['word'], 'hermes'))[1])


def loads():
    for _ in DELTAS:
        json.loads(CHUNK)


def seconds(function):
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def main():
    ways = {'ctypes': _hot.by_ctypes}
    try:
        ways['extension'] = _hot.by_extension()
    except ImportError:
        print('the extension SKIPPED: it is not there')
    best = {}
    # In turns, so that a busy moment meets all alike.
    for _ in range(ROUNDS):
        for way, function in ways.items():
            _hot.feed = function
            for task in (loads, feed, text, arguments):
                key = way if task is not loads else '', task.__name__
                best[key] = min(best.get(key, 9), seconds(task))
    unit = best.pop(('', 'loads'))
    each = 1e6 / len(DELTAS)
    print('%s %s: json.loads() of a chunk of %d bytes takes %.2f us' % (
        platform.python_implementation(), platform.python_version(),
        len(CHUNK), unit * each))
    slow = 0
    for (way, task), taken in best.items():
        ratio = taken / unit
        late = way == 'extension' and ratio > LIMITS[task]
        slow += late
        print('%-10s %-10s %6.2f us a delta, %5.2f of json.loads()%s' % (
            way, task, taken * each, ratio,
            ', more than %.1f' % LIMITS[task] if late else ''))
    sys.exit(slow > 0)


if __name__ == '__main__':
    main()
