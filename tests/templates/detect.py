#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The format that a chat template is said to write is the one it writes.

Use: detect.py TOOLWIRE [-v]

The templates are other people's, and are looked for in $TOOLWIRE_DATA/templates.
templates.json says which format each is of.  `toolwire detect --template` has to
name that one, or one that reads and writes all of the probes as it does, or
none: never a wrong one.  A template that is not in the list writes no calls.
"""
import json
import os
import subprocess
import sys

HOME = os.path.dirname(os.path.abspath(__file__))
SAME = [{'hermes/qwen3', 'hermes/qwen2.5', 'hermes/nous'},
        {'gemma4', 'gemma4/e', 'gemma4/fork'}]


def main():
    toolwire = sys.argv[1]
    folder = os.path.join(os.environ.get('TOOLWIRE_DATA', ''), 'templates')
    with open(os.path.join(HOME, 'templates.json'), encoding='utf-8') as file:
        listed = json.load(file)
    table = dict(listed['others'], **{row['template']: row['format']
                                      for row in listed['rows']})
    counts = {'right': 0, 'none': 0, 'wrong': 0}
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for name in names:
        got = json.loads(subprocess.run(
            [toolwire, 'detect', '--json', '--template',
             os.path.join(folder, name)], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL).stdout)['format']
        wanted = table.get(name.removesuffix('.jinja'))
        same = got == wanted or any({got, wanted} <= each for each in SAME)
        kind = 'right' if same else 'none' if got is None else 'wrong'
        counts[kind] += 1
        if kind != 'right' or '-v' in sys.argv:
            print('%-50s %-18s %-18s %s' % (name, wanted, got, kind))
    print(counts)
    return counts['wrong'] > 0


sys.exit(main())
