#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An engine for `toolwire test --grammar`: tests/grammars/gbnf.py, or one that
is wrong.

Use: grammar_peer.py [MODE]
where MODE is what is wrong with it: `all` and `none` are all that it says,
`ascii` refuses what is not ASCII, `long` accepts all behind 60 characters,
`mute` answers no questions, and `odd` says something else.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../grammars'))
import gbnf  # noqa: E402


def accepts(mode, grammar, text):
    if mode in ('all', 'none'):
        return mode == 'all'
    if mode == 'ascii' and not text.isascii():
        return False
    refused = gbnf.Grammar(grammar).refused(text)
    return refused is None or (mode == 'long' and refused > 60)


def main():
    mode = sys.argv[1] if len(sys.argv) > 1 else ''
    for line in sys.stdin:
        question = json.loads(line)
        if mode == 'mute':
            return
        answer = {'id': question['id']}
        if mode == 'odd':
            answer['message'] = None
        elif question['target'] != 'gbnf':
            answer['skip'] = 'another target'
        else:
            answer['accepted'] = accepts(mode, question['grammar'], question['text'])
        print(json.dumps(answer), flush=True)


if __name__ == '__main__':
    main()
