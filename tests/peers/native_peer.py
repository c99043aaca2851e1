# SPDX-License-Identifier: MIT
"""Adapters in Rust (the folder rust), each a program that is given the deltas
and keeps its own time.

Use: native_peer.py FOLDER stream|whole [ARGUMENT...]
"""
import json
import os
import subprocess
import sys

import line


def main():
    folder, way, *arguments = sys.argv[1:]
    # pylint: disable-next=consider-using-with
    child = subprocess.Popen([os.path.join(folder, 'peer'), way] + arguments,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             text=True, encoding='utf-8')

    def answer(question, clock):
        texts = [question.text]
        if way == 'stream':
            texts = [text for text, _ in
                     question.deltas(line.Tokens(question.form))]
        child.stdin.write(json.dumps({
            'deltas': texts, 'start': bool(question.start),
            'opens': question.reasons(), 'cut_short': question.cut_short,
            'closes': question.closes(),
            'tools': question.declared(),
            'budget': None if clock.budget == float('inf') else clock.budget,
        }) + '\n')
        child.stdin.flush()
        said = child.stdout.readline()
        if not said:
            sys.exit(child.wait())
        said = json.loads(said)
        clock.seconds += said.pop('seconds', 0)
        clock.deltas += said.pop('deltas', 0)
        if 'message' not in said:
            raise line.Said(**said)
        return said['message']

    line.serve(answer)


if __name__ == '__main__':
    main()
