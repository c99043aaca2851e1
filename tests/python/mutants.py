#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation testing by small changes of hand-written C.

A mutant is a line and what it becomes; which ones are tried follows from a
fixed seed.  It is killed if the suite fails, or hangs; one that does not
compile is not counted.

Use: mutants.py ROOT WORK-FOLDER COUNT
"""
import concurrent.futures
import glob
import os
import queue
import random
import re
import shutil
import subprocess
import sys

GOAL = 90  # percent
WORKERS = os.cpu_count() or 1
# The quick ones first; each sees the tree's build folder.
SUITE = (
    [['tests/soup', name, '1500', '5'] for name in
     ('gemma4', 'hermes', 'harmony', 'mistral', 'hermes-reasoning',
      'harmony-stripped', 'gemma4-reasoning', 'nemotron')] +
    [['tests/unit_tests', '--timeout', '30', '--filter', name]
     for name in ('conformance/*_expected', 'conformance/*_agreed',
                  'encode/cases', 'carried/*', 'round_trip/cases',
                  'regressions/*', 'convert/there*', 'record/*', 'message/*',
                  'chunks/*', 'limits/*', 'marks/*', 'prompt/*', 'strict/*',
                  'hold/near', 'pytext/*', 'control_text/*', 'answers/*',
                  'conversation/*', 'api/*', 'tables/*', 'options/*',
                  'writer/*', 'one_shot/*', 'delay/*', 'memory/*',
                  'encode/faults', 'faults/*')] +
    [['tests/requests', '150', '3']])
CHANGES = [
    (r' == ', ' != '), (r' != ', ' == '), (r' < ', ' <= '), (r' > ', ' >= '),
    (r' <= ', ' < '), (r' >= ', ' > '), (r' && ', ' || '), (r' \|\| ', ' && '),
    (r' \+ 1\b', ''), (r' - 1\b', ''), (r'\+\+', '--'), (r' \+= ', ' -= '),
    (r'\btrue\b', 'false'), (r'\bfalse\b', 'true'), (r'if \((.*)\) \{$',
                                                     r'if (!(\1)) {'),
    (r'\bbreak;', ';'), (r'\b0\b', '1'), (r'\b1\b', '2'),
]
# Where a change is seen by nothing but the clock, or is the same program.
SKIPPED = re.compile(r'^\s*(//|/\*|\*|#|static const|enum|case )|assert|'
                     r'^\s*const size_t most|reserve|STEP_BYTES')


def mutants(root):
    found = []
    for room in ('core', 'json', 'formats', 'writers', 'records', '.'):
        for path in sorted(glob.glob(os.path.join(root, 'src', room, '*.c'))):
            name = os.path.relpath(path, root)
            with open(path) as file:
                lines = file.read().split('\n')
            for number, line in enumerate(lines):
                if SKIPPED.search(line):
                    continue
                for pattern, new in CHANGES:
                    changed = re.sub(pattern, new, line, count=1)
                    if changed != line:
                        found.append((name, number, line, changed))
    random.Random(1).shuffle(found)
    return found


def prepare(root, work, number):
    tree = os.path.join(work, 'tree%d' % number)
    shutil.rmtree(tree, ignore_errors=True)
    os.makedirs(tree)
    for part in ('CMakeLists.txt', 'grammar', 'src', 'include', 'tests',
                 'fuzz'):
        subprocess.run(['cp', '-rp', os.path.join(root, part), tree],
                       check=True)
    build = os.path.join(tree, 'build')
    subprocess.run(['cmake', '-S', tree, '-B', build, '-G', 'Ninja',
                    '-DCMAKE_BUILD_TYPE=None', '-DCMAKE_C_FLAGS=-O1',
                    '-DTOOLWIRE_TESTS=ON'], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(['ninja', '-C', build, 'unit_tests', 'soup', 'requests'], check=True,
                   stdout=subprocess.DEVNULL)
    return tree


def judge(tree, mutant):
    name, number, _, changed = mutant
    build = os.path.join(tree, 'build')
    path = os.path.join(tree, name)
    with open(path) as file:
        original = file.read()
    lines = original.split('\n')
    lines[number] = changed
    with open(path, 'w') as file:
        file.write('\n'.join(lines))
    verdict = 'survived'
    try:
        if subprocess.run(['ninja', '-C', build, '-j1', 'unit_tests', 'soup',
                           'requests'],
                          capture_output=True).returncode != 0:
            return 'uncompiled'
        for command in SUITE:
            try:
                done = subprocess.run(command, cwd=build, timeout=40,
                                      capture_output=True)
                if done.returncode != 0:
                    verdict = 'killed'
                    break
            except subprocess.TimeoutExpired:
                verdict = 'killed'
                break
        return verdict
    finally:
        with open(path, 'w') as file:
            file.write(original)


def main():
    root, work = map(os.path.realpath, sys.argv[1:3])
    count = int(sys.argv[3])
    os.environ.pop('TOOLWIRE_DATA', None)
    ledger = os.path.join(work, 'ledger.tsv')
    done = {}
    if os.path.exists(ledger):
        with open(ledger) as file:
            for row in file:
                verdict, *rest = row.rstrip('\n').split('\t')
                done[tuple(rest)] = verdict
    trees = queue.Queue()
    for number in range(WORKERS):
        trees.put(prepare(root, work, number))

    def run(mutant):
        name, number, old, new = mutant
        key = (name, old.strip(), new.strip())
        if key not in done:
            tree = trees.get()
            done[key] = judge(tree, mutant)
            trees.put(tree)
            with open(ledger, 'a') as file:
                file.write('\t'.join((done[key],) + key) + '\n')
        return done[key], mutant

    tally = {'killed': 0, 'survived': 0, 'uncompiled': 0}
    every = iter(mutants(root))
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        while tally['killed'] + tally['survived'] < count:
            batch = [mutant for _, mutant in zip(range(WORKERS * 4), every)]
            if not batch:
                break
            for verdict, (name, number, old, new) in pool.map(run, batch):
                tally[verdict] += 1
                if verdict == 'survived':
                    print('survived: %s:%d: %s -> %s' % (
                        name, number + 1, old.strip(), new.strip()))
    tried = tally['killed'] + tally['survived']
    rate = 100 * tally['killed'] / max(1, tried)
    print('%d mutants, %d killed: %.1f %%; %d did not compile'
          % (tried, tally['killed'], rate, tally['uncompiled']))
    sys.exit(rate < GOAL or tried == 0)


if __name__ == '__main__':
    main()
