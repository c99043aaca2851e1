#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation testing by small changes of hand-written C.

A mutant is a line and what it becomes.  They are tried in the order of a
hash, so that the same are tried when other lines of the code have changed.
One is killed if the suite fails or hangs; one that does not compile is not
counted.  The ledger says for each what became of it: verdict, file, which of
the file's lines of these words, the words, the words after the change.  The
last row on a mutant counts.

A mutant once killed stays killed, as tests are added and not taken away.
One that survived may be tried again with a better suite: --again.

Use: mutants.py ROOT WORK-FOLDER [COUNT] [--workers N] [--again]
"""
import argparse
import concurrent.futures
import glob
import hashlib
import os
import queue
import re
import resource
import shutil
import subprocess
import sys

GOAL = 90  # percent
PROGRAMS = ['unit_tests', 'soup', 'requests']
SLOW = 'conformance/*_cuts|memory/one_chunk|hold/*|convert/*|control_text/*'
# The quick ones first; together they are all tests of unit_tests.
SUITE = (
    [['tests/soup', name, '2000', '5'] for name in
     ('gemma4', 'gemma4-reasoning', 'hermes', 'hermes-reasoning', 'harmony',
      'harmony-stripped', 'mistral', 'mistral-reasoning', 'nemotron',
      'nemotron-reasoning')] +
    [['tests/unit_tests', '--color=never', '--fail-fast', '-j1', '--filter',
      filter] for filter in
     ('conformance/@(*_expected|*_agreed)',
      '!(%s|conformance/@(*_expected|*_agreed))' % SLOW, '@(%s)' % SLOW)] +
    [['tests/requests', '150', '3']])
# For each process; the slowest test needs 2.5.  A busy machine is none of the
# mutant's doing, so its time counts and not the clock's.
MOST_PROCESSOR_SECONDS = 10
MOST_MEMORY = 1 << 30
# A test that waits for ever.
MOST_SECONDS = 600
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
COMMENT = re.compile(r'/\*.*?(\*/|$)')


def mutants(root):
    """(file, which of its lines of these words, old, new, line number)"""
    found = []
    for room in ('core', 'json', 'formats', 'writers', 'records', '.'):
        for path in sorted(glob.glob(os.path.join(root, 'src', room, '*.c'))):
            name = os.path.relpath(path, root)
            with open(path) as file:
                lines = file.read().split('\n')
            seen = {}
            for number, line in enumerate(lines):
                which = seen[line.strip()] = seen.get(line.strip(), 0) + 1
                if SKIPPED.search(line):
                    continue
                for pattern, new in CHANGES:
                    changed = re.sub(pattern, new, line, count=1)
                    if COMMENT.sub('', changed) != COMMENT.sub('', line):
                        found.append((name, str(which), line, changed, number))
    return sorted(found, key=lambda mutant: hashlib.sha256(
        '\t'.join(key_of(mutant)).encode()).digest())


def key_of(mutant):
    name, which, old, new, _ = mutant
    return name, which, old.strip(), new.strip()


def limit():
    most = MOST_PROCESSOR_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def passes(build, command):
    """Whether it does, and what it printed."""
    # In a group of its own, so that a hanging test's children go with it.
    with subprocess.Popen(command, cwd=build, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True,
                          errors='replace', start_new_session=True,
                          preexec_fn=limit) as run:
        try:
            printed, _ = run.communicate(timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, 9)
            printed = 'took too long'
            run.communicate()
        return run.returncode == 0, printed


def expect_sound(build):
    """The suite passes on what was not changed, and no filter is empty."""
    for command in SUITE:
        good, printed = passes(build, command)
        if not good:
            sys.exit('the suite fails before anything was changed: %s\n%s'
                     % (' '.join(command), printed))
        if '--filter' in command and not re.search(r'Tested: *[1-9]', printed):
            sys.exit('no test is called %s' % command[-1])


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
    subprocess.run(['ninja', '-C', build, '-j1'] + PROGRAMS, check=True,
                   stdout=subprocess.DEVNULL)
    expect_sound(build)
    return tree


def judge(tree, mutant):
    name, _, _, changed, number = mutant
    build = os.path.join(tree, 'build')
    path = os.path.join(tree, name)
    with open(path) as file:
        original = file.read()
    lines = original.split('\n')
    lines[number] = changed
    with open(path, 'w') as file:
        file.write('\n'.join(lines))
    try:
        if subprocess.run(['ninja', '-C', build, '-j1'] + PROGRAMS,
                          capture_output=True).returncode != 0:
            return 'uncompiled'
        good = all(passes(build, command)[0] for command in SUITE)
        return 'survived' if good else 'killed'
    finally:
        with open(path, 'w') as file:
            file.write(original)


def read(ledger):
    done = {}
    if os.path.exists(ledger):
        with open(ledger) as file:
            for row in file:
                verdict, *key = row.rstrip('\n').split('\t')
                done[tuple(key)] = verdict
    return done


def main():
    options = argparse.ArgumentParser()
    options.add_argument('root', type=os.path.realpath)
    options.add_argument('work', type=os.path.realpath)
    options.add_argument('count', type=int, nargs='?', default=500)
    options.add_argument('--workers', type=int, default=os.cpu_count() or 1)
    options.add_argument('--again', action='store_true')
    options = options.parse_args()
    os.environ.pop('TOOLWIRE_DATA', None)
    ledger = os.path.join(options.work, 'ledger.tsv')
    done = read(ledger)
    trees = queue.Queue()
    for number in range(options.workers):
        trees.put(prepare(options.root, options.work, number))

    def run(mutant):
        key = key_of(mutant)
        if key not in done or (options.again and done[key] == 'survived'):
            tree = trees.get()
            done[key] = judge(tree, mutant)
            trees.put(tree)
            with open(ledger, 'a') as file:
                file.write('\t'.join((done[key],) + key) + '\n')
        return done[key], mutant

    tally = {'killed': 0, 'survived': 0, 'uncompiled': 0}
    every = iter(mutants(options.root))
    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
        while tally['killed'] + tally['survived'] < options.count:
            # No more than may be needed.
            most = options.count - tally['killed'] - tally['survived']
            batch = [mutant for _, mutant in
                     zip(range(min(most, options.workers * 4)), every)]
            if not batch:
                break
            for verdict, (name, _, old, new, number) in pool.map(run, batch):
                tally[verdict] += 1
                if verdict == 'survived':
                    print('survived: %s:%d: %s -> %s' % (
                        name, number + 1, old.strip(), new.strip()),
                        flush=True)
    tried = tally['killed'] + tally['survived']
    rate = 100 * tally['killed'] / max(1, tried)
    print('%d mutants, %d killed: %.1f %%; %d did not compile'
          % (tried, tally['killed'], rate, tally['uncompiled']))
    sys.exit(rate < GOAL or tried == 0)


if __name__ == '__main__':
    main()
