#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation testing by small changes of hand-written C.

A mutant is a line and what it becomes.  They are tried in the order of a
hash, so that the same are tried when other lines of the code have changed.
One is killed if the suite fails or hangs; of one that survives a part of the
suite runs again under AddressSanitizer, as `make check` runs all.  One that
does not compile is not counted.  The ledger says for each what became of it:
verdict, file, which of the file's lines of these words, the words, the words
after the change.  The last row on a mutant counts; rows of lines that are
gone do not.

A mutant once killed stays killed, as tests are added and not taken away.
One that survived may be tried again with a better suite: --again.

Some that survive are the same program: tests/mutants.txt argues which.  They
count as survivors.

Use: mutants.py ROOT WORK-FOLDER [COUNT] [--workers N] [--again]
         [--only EXPRESSION]

With --only, files whose names the expression is found in are changed.
"""
import argparse
import concurrent.futures
import filecmp
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
PROGRAMS = ['unit_tests', 'soup', 'requests', 'format_cases']
SANITIZED_PROGRAMS = ['unit_tests', 'soup']
CASES = 'conformance/@(expected|agreed)'
LATE = 'hold/*|convert/*|control_text/*|conformance/chunks'
# Of these a part is enough, or they take as long as all others together.
LEFT_OUT = 'conformance/cuts|memory/one_chunk|data/*|limited_soups/*'


def soups(count, seed):
    return [['tests/soup', '*', str(count), str(seed)]]


def unit_tests(filter):
    return ['tests/unit_tests', '--color=never', '--fail-fast', '-j1',
            '--filter', filter]


# Files that write prompts or grammars, read prompts back, or turn records: no
# decoder calls any of them, so that what tries decoders alone is left out.
ENCODES = re.compile(
    r'src/((encode|messages|convert|records|template|grammars|turns|detect|'
    r'formats/hermes)/|'
    r'formats/frame/message|'
    r'formats/\w+/(\w*(encode|declar|transcript|schema|namespace|typescript|'
    r'signatures)\w*)\.c$)')
# What else the project holds is no part of what decodes and encodes.
ELSEWHERE = ('bindings', 'cli', 'kit', 'package')
DECODING = ('conformance/*|api/*|api_input/*|chunks/*|custom/*|delay/*|hold/*|'
            'hold_calls/*|limits/*|marks/*|message/*|offsets/*|prompt/*|'
            'prompt_cases/*|regressions/*|strict/*|writer/*|faults/*')
# The quick ones first.
ENCODING_SUITE = [
    ['tests/format_cases'],
    unit_tests('!(%s|%s|convert/*|control_text/*)' % (DECODING, LEFT_OUT)),
    unit_tests('@(convert/*|control_text/*)'), ['tests/requests', '150', '3']]
SUITE = ([['tests/format_cases']] + soups(200, 1) +
         [unit_tests(CASES),
          unit_tests('!(%s|%s|%s)' % (CASES, LATE, LEFT_OUT)),
          unit_tests('@(%s)' % LATE), ['tests/requests', '150', '3']] +
         soups(400, 4))
# What is nearest to a room fails first, in a second or two.
NEAR = [(re.compile(room), unit_tests('@(%s)/*' % near)) for room, near in (
    ('src/schema/', 'schema|schema_keywords'),
    ('src/template/', 'template|own_templates|spans|detect_template'),
    ('src/grammars/', 'grammar|tool_choice'),
    ('src/(turns|detect)/', 'turns|extend|detect_template'),
    ('src/formats/frame/', 'frame|quoted|regressions|warnings'),
    ('src/(records|convert)/', 'records|report|converter|unread|options'),
    ('src/writers/', 'writer|api_streams|join|message'),
    ('src/formats/language/', 'loaded|import|shown|doubts'),
    ('src/(messages|encode)/', 'encoder|encode|pytext|declarations'),
    ('src/formats/hermes/', 'encoder|encode|transcript|declarations'),
    ('src/json/', 'tree|scanners|pytext|whole'))]
SANITIZED_SUITE = (soups(20, 1) +
                   [unit_tests('@(conformance/expected|encode/cases|'
                               'round_trip/@(cases|odd_orders)|'
                               'transcript/*|record/!(of_one_message*)|'
                               'message/*)')])
# For each process; the slowest test needs 2.5.  A busy machine is none of the
# mutant's doing, so its time counts and not the clock's.
MOST_PROCESSOR_SECONDS = 10
MOST_MEMORY = 1 << 30
# A test that waits for ever.
MOST_SECONDS = 600
CHANGES = [
    (r' < ', ' <= '), (r' > ', ' >= '), (r' <= ', ' < '), (r' >= ', ' > '),
    (r' \+ 1\b', ''), (r' - 1\b', ''), (r'\+\+', '--'), (r' \+= ', ' -= '),
    (r'\b0\b', '1'), (r'\b1\b', '2'),
    (r' == ', ' != '), (r' != ', ' == '), (r' && ', ' || '), (r' \|\| ', ' && '),
    (r'\btrue\b', 'false'), (r'\bfalse\b', 'true'),
    (r'if \((.*)\) \{$', r'if (!(\1)) {'), (r'\bbreak;', ';'),
]
# Where a change is seen by nothing but the clock, or is the same program.
SKIPPED = re.compile(r'^\s*(//|/\*|\*|#|static const|enum|case )|assert|'
                     r'^\s*const size_t most|reserve|STEP_BYTES')
# The lesser or the greater of two, and a difference that is not below 0: the
# same where both are equal.
NUMBER = r'([\w>.\-]+(?: [+-] [\w>.\-]+)*)'
LIMITS = re.compile(NUMBER + r' (<|>|<=|>=) ' + NUMBER +
                    r' \? (\1 : \3|\3 : \1|\1 - \3 : 0)(?!\w)')
# A range of one code point has no steps.
SINGLE = re.compile(r'\{(0x\w+), \1, \d,')
COMMENT = re.compile(r'/\*.*?(\*/|$)')


def same(line):
    """The same for lines that mean the same."""
    line = SINGLE.sub(r'{\1, \1, any,', COMMENT.sub('', line))
    return LIMITS.sub(lambda of: '%s %s %s ? %s' % (
        of[1], of[2][0], of[3], of[4]), line)


def indent(line):
    return len(line) - len(line.lstrip())


def is_last_break(lines, number):
    """Behind it the switch is at its end anyway."""
    if number + 1 == len(lines) or lines[number + 1].strip() != '}':
        return False
    end = indent(lines[number + 1])
    label = number
    while label > 0 and (indent(lines[label]) > end or not lines[label]):
        label -= 1
    return re.match(r'\s*(case .*|default):', lines[label]) is not None


def mutants(root):
    """(file, which of its lines of these words, old, new, line number)"""
    found = []
    for path in sorted(glob.glob(os.path.join(root, 'src', '**', '*.c'),
                                 recursive=True)):
        name = os.path.relpath(path, root)
        if name.split(os.sep)[1] in ELSEWHERE:
            continue
        with open(path) as file:
            lines = file.read().split('\n')
        seen = {}
        for number, line in enumerate(lines):
            which = seen[line.strip()] = seen.get(line.strip(), 0) + 1
            if SKIPPED.search(line):
                continue
            last = is_last_break(lines, number)
            for pattern, new in CHANGES:
                changed = re.sub(pattern, new, line, count=1)
                if last and 'break' in pattern:
                    continue
                if same(line) != same(changed):
                    found.append((name, str(which), line, changed, number))
    return sorted(found, key=lambda mutant: hashlib.sha256(
        '\t'.join(key_of(mutant)).encode()).digest())


def key_of(mutant):
    name, which, old, new, _ = mutant
    return name, which, old.strip(), new.strip()


def limit():
    """Of a plain process; sanitizers need more address space."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    limit_time()


def limit_time(most=MOST_PROCESSOR_SECONDS):
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def passes(build, command, limits=limit):
    """Whether it does, and what it printed."""
    # In a group of its own, so that a hanging test's children go with it.
    with subprocess.Popen(command, cwd=build, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True,
                          errors='replace', start_new_session=True,
                          preexec_fn=limits) as run:
        try:
            printed, _ = run.communicate(timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, 9)
            printed = 'took too long'
            run.communicate()
        return run.returncode == 0, printed


def expect_sound(build, suite, limits):
    """The suite passes on what was not changed, and no filter is empty."""
    for command in suite:
        good, printed = passes(build, command, limits)
        if not good:
            sys.exit('the suite fails before anything was changed: %s\n%s'
                     % (' '.join(command), printed))
        if '--filter' in command and not re.search(r'Tested: *[1-9]', printed):
            sys.exit('no test is called %s' % command[-1])


def make(build, programs):
    """What compiles descriptions is of the code that is changed, and may hang
    as well."""
    done = subprocess.run(['ninja', '-C', build, '-j1'] + programs,
                          capture_output=True,
                          preexec_fn=lambda: limit_time(MOST_SECONDS // 10))
    return done.returncode == 0


def copy(path, folder):
    """Keeps a file that is the same already, so that it is not built again.
    """
    there = os.path.join(folder, os.path.basename(path))
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(there) or not filecmp.cmp(path, there, False):
        shutil.copy(path, there)


def bring(folder, there):
    """Makes a folder's copy what the folder is."""
    names = os.listdir(folder)
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            bring(path, os.path.join(there, name))
        else:
            copy(path, there)
    for name in set(os.listdir(there) if os.path.isdir(there) else []):
        path = os.path.join(there, name)
        if name not in names and not os.path.isdir(path):
            os.remove(path)


class Tree:
    """A copy of the code, built as it is and with sanitizers."""

    def __init__(self, root, work, number):
        self.folder = os.path.join(work, 'tree%d' % number)
        copy(os.path.join(root, 'CMakeLists.txt'), self.folder)
        for part in ('grammar', 'src', 'include', 'tests', 'fuzz'):
            bring(os.path.join(root, part), os.path.join(self.folder, part))
        self.plain = self.build(
            'plain', PROGRAMS,
            [near for _, near in NEAR] + SUITE + ENCODING_SUITE, limit)
        self.sanitized = self.build('sanitized', SANITIZED_PROGRAMS,
                                    SANITIZED_SUITE, limit_time,
                                    '-DTOOLWIRE_SANITIZE=address,undefined')

    def build(self, name, programs, suite, limits, *options):
        build = os.path.join(self.folder, name)
        subprocess.run(['cmake', '-S', self.folder, '-B', build, '-G',
                        'Ninja', '-DCMAKE_BUILD_TYPE=None',
                        '-DCMAKE_C_FLAGS=-O1', '-DTOOLWIRE_TESTS=ON',
                        *options], check=True, stdout=subprocess.DEVNULL)
        if not make(build, programs):
            sys.exit('%s: it does not compile' % build)
        expect_sound(build, suite, limits)
        return build

    def judge(self, mutant):
        name, _, _, changed, number = mutant
        path = os.path.join(self.folder, name)
        suite = ([near for room, near in NEAR if room.match(name)] +
                 (ENCODING_SUITE if ENCODES.search(name) else SUITE))
        with open(path) as file:
            original = file.read()
        lines = original.split('\n')
        lines[number] = changed
        with open(path, 'w') as file:
            file.write('\n'.join(lines))
        try:
            if not make(self.plain, PROGRAMS):
                return 'uncompiled'
            good = all(passes(self.plain, command, limit)[0]
                       for command in suite)
            if good:
                good = (make(self.sanitized, SANITIZED_PROGRAMS) and
                        all(passes(self.sanitized, command, limit_time)[0]
                            for command in SANITIZED_SUITE))
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


def read_argued(root):
    """What survives as it is the same program, and why."""
    with open(os.path.join(root, 'tests', 'mutants.txt')) as file:
        rows = [row.rstrip('\n').split('\t') for row in file]
    return {tuple(row[:4]): row[4] for row in rows if len(row) == 5}


def main():
    options = argparse.ArgumentParser()
    options.add_argument('root', type=os.path.realpath)
    options.add_argument('work', type=os.path.realpath)
    options.add_argument('count', type=int, nargs='?', default=500)
    options.add_argument('--workers', type=int, default=os.cpu_count() or 1)
    options.add_argument('--again', action='store_true')
    options.add_argument('--only', type=re.compile, default=re.compile(''))
    options = options.parse_args()
    os.environ.pop('TOOLWIRE_DATA', None)
    ledger = os.path.join(options.work, 'ledger.tsv')
    done = read(ledger)
    trees = queue.Queue()
    for number in range(options.workers):
        trees.put(Tree(options.root, options.work, number))

    def run(mutant):
        key = key_of(mutant)
        if key not in done or (options.again and done[key] == 'survived'):
            tree = trees.get()
            done[key] = tree.judge(mutant)
            trees.put(tree)
            with open(ledger, 'a') as file:
                file.write('\t'.join((done[key],) + key) + '\n')
        return done[key], mutant

    tally = {'killed': 0, 'survived': 0, 'uncompiled': 0}
    reasons = read_argued(options.root)
    argued = refuted = 0
    found = mutants(options.root)
    for key in set(reasons) - set(map(key_of, found)):
        print('argued, but gone: %s: %s -> %s' % (key[0], key[2], key[3]))
    every = (mutant for mutant in found if options.only.search(mutant[0]))
    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
        while tally['killed'] + tally['survived'] < options.count:
            # No more than may be needed.
            most = options.count - tally['killed'] - tally['survived']
            batch = [mutant for _, mutant in
                     zip(range(min(most, options.workers * 4)), every)]
            if not batch:
                break
            for verdict, mutant in pool.map(run, batch):
                name, _, old, new, number = mutant
                reason = reasons.get(key_of(mutant))
                tally[verdict] += 1
                argued += verdict == 'survived' and reason is not None
                refuted += verdict == 'killed' and reason is not None
                if verdict == 'survived' or reason is not None:
                    print('%s: %s:%d: %s -> %s%s' % (
                        verdict, name, number + 1, old.strip(), new.strip(),
                        ' (argued: %s)' % reason if reason else ''),
                        flush=True)
    tried = tally['killed'] + tally['survived']
    rate = 100 * tally['killed'] / max(1, tried)
    print('%d mutants, %d killed: %.1f %%; %d survived, %d of them argued to '
          'be the same program; %d did not compile'
          % (tried, tally['killed'], rate, tally['survived'], argued,
             tally['uncompiled']))
    sys.exit(rate < GOAL or tried == 0 or refuted > 0)


if __name__ == '__main__':
    main()
