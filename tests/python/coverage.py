#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds up what gcov says, and judges it.

Use: coverage.py ROOT BUILD-FOLDER
"""
import collections
import glob
import gzip
import json
import os
import re
import subprocess
import sys

BRANCHES = 95  # percent, of hand-written code


def reports(build):
    """Of all objects made from src/ and grammar/: tests have some of their own.
    """
    notes = glob.glob(os.path.join(build, '**', '*.gcno'), recursive=True)
    for note in notes:
        if not re.search('/(src|grammar)/', os.path.relpath(note, build)):
            continue
        done = subprocess.run(['gcov', '--json-format', '--branch-probabilities',
                               '--stdout', os.path.abspath(note)],
                              cwd=build, capture_output=True, check=True)
        text = done.stdout
        if text[:2] == b'\x1f\x8b':
            text = gzip.decompress(text)
        for line in text.splitlines():
            yield json.loads(line)


def main():
    root, build = map(os.path.realpath, sys.argv[1:])
    lines = collections.defaultdict(lambda: collections.defaultdict(int))
    branches = collections.defaultdict(dict)
    for report in reports(build):
        for file in report['files']:
            path = os.path.realpath(os.path.join(
                report['current_working_directory'], file['file']))
            name = os.path.relpath(path, root)
            if not name.startswith(('src/', 'grammar/')):
                continue
            for line in file['lines']:
                number = line['line_number']
                lines[name][number] += line['count']
                if name.startswith('grammar/'):
                    continue
                kept = branches[name].setdefault(
                    number, [0] * len(line['branches']))
                for i, branch in enumerate(line['branches'][:len(kept)]):
                    kept[i] += branch['count']
    excluded = {}
    with open(os.path.join(root, 'tests', 'coverage.txt')) as file:
        for row in file:
            match = re.match(r'([^#\s][^\t]*)\t([^\t]*)\t(.+)', row)
            if match:
                excluded[match[1], match[2]] = [match[3], 0]
    missed = []
    for name in sorted(lines):
        with open(os.path.join(root, name)) as file:
            text = file.read().splitlines()
        for number, count in sorted(lines[name].items()):
            code = text[number - 1].strip()
            if count == 0 and (name, code) in excluded:
                excluded[name, code][1] += 1
            elif count == 0:
                missed.append('%s:%d: %s' % (name, number, code))
    total = sum(len(file) for file in lines.values())
    ways = [count for file in branches.values() for line in file.values()
            for count in line]
    taken = 100 * sum(count > 0 for count in ways) / max(1, len(ways))
    print('\n'.join(missed))
    unused = [key for key, row in excluded.items() if row[1] == 0]
    for name, code in unused:
        print('%s: excluded, but run or gone: %s' % (name, code))
    print('%d lines, %d not run, %d excluded; %.1f %% of %d branches taken'
          % (total, len(missed), sum(row[1] for row in excluded.values()),
             taken, len(ways)))
    sys.exit(bool(missed) or bool(unused) or taken < BRANCHES or total == 0)


if __name__ == '__main__':
    main()
