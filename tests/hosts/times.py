# SPDX-License-Identifier: MIT
"""What a token costs in a server, with its own parser and with toolwire's: the
whole of the server's code from the engine to the event that a client gets."""
import json
import time

import cases

WORDS = 'It was noon in Brest and the tide came in over the stones. '
SIZES = 1, 4  # KB of one argument


def case_of(form, kilobytes):
    text = (WORDS * (kilobytes * 1024 // len(WORDS) + 1))[:kilobytes * 1024]
    record = {'messages': [
        {'role': 'user', 'content': 'Hi.'},
        {'role': 'assistant', 'content': None, 'tool_calls': [
            {'id': 'abcDEF120', 'type': 'function', 'function': {
                'name': 'tide', 'arguments': json.dumps({'at': text})}}]}]}
    said = cases.run('convert', '-f', 'openai', '-t', form, '--unit',
                     'completion', data=json.dumps(record).encode())
    return cases.Case('time', form, json.loads(said)['text'].encode(), {},
                      cases.TOOLS)


def cost(server, case):
    """Microseconds of the processor for a token."""
    count = len(list(case.question.tokens(server.engine.tokenizer)))
    start = time.process_time()
    server.streamed(case, 1)
    return 1e6 * (time.process_time() - start) / count


def show(make, rows):
    """|make| makes a server of a format and the name of a parser; |rows| are
    formats, with the server's parser and ours."""
    print('microseconds a token, from the engine to the event; an argument of '
          '%s KB' % ' and '.join(map(str, SIZES)))
    for form, theirs, ours in rows:
        case = [case_of(form, size) for size in SIZES]
        cells = []
        for name in theirs, ours:
            server = make(form, name)
            cost(server, case[0])  # warms up
            cells += ['%7.1f' % cost(server, one) for one in case]
        print('%-14s theirs %s   ours %s' % (form, ' '.join(cells[:2]),
                                             ' '.join(cells[2:])))
