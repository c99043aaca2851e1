#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tries other projects' parsers: `make peers`.

Installs what peers.json names, puts `toolwire test` to each parser and format,
and prints what was found and what a delta costs.  That peers are wrong is what
is measured; the run fails where an adapter is wrong, or cannot be asked.

Use: run.py TOOLWIRE FOLDER [PEER...]
     run.py TOOLWIRE FOLDER --findings [ID...]
The second asks again what docs/findings.md tells of, in findings.jsonl, and
says of each whether the same comes out.
Environment: PEERS_COUNT, cases for each parser, format and way (70; 0: only
the times); PEERS_SEED (1); PEERS_BUDGET, seconds for one of the times (10);
PEERS_FORMATS, in these alone.
"""
import base64
import concurrent.futures
import json
import os
import re
import shlex
import statistics
import subprocess
import sys

from workshop import HERE, NotToBeHad, Workshop

BROKEN = 70  # as in line.py
COUNT = os.environ.get('PEERS_COUNT', '70')
SEED = os.environ.get('PEERS_SEED', '1')
BUDGET = float(os.environ.get('PEERS_BUDGET', '10'))
FORMATS = os.environ.get('PEERS_FORMATS', '').split()
# A server's first imports may take that long.
PATIENCE = '40'
ENGINE_TIMES = 20  # so many templates a case of a parser
SIZES = (1, 16, 256)  # KB of one argument
DELTA = 4  # bytes, about a token
OURS = ('toolwire', 'toolwire-rust')  # beside interpreted and compiled peers
COUNTS = ('fine', 'fine_but_refused', 'refused', 'hang', 'crash',
          'split_variance', 'lost_bytes', 'forged_call', 'wrong_arguments',
          'invalid_json', 'slow', 'protocol_error', 'wrong_id', 'wrong_finish',
          'skipped')
SHORT = ('fine', 'meek', 'refused', 'hang', 'crash', 'split', 'lost',
         'forged', 'wrong', 'no JSON', 'slow', 'protocol', 'ids', 'finish',
         'skipped')


# ---- what a parser gets wrong ------------------------------------------------

def arguments(peer, form):
    """None is a parser of this library, which is asked in each format."""
    return peer['formats'].get(form, [form])


class Row:
    """One parser, format and way."""

    def __init__(self, shop, name, way, form):
        self.peer, self.way, self.form = name, way, form
        peer = shop.peers[name]
        self.words = shop.command(name, peer, way, arguments(peer, form))
        self.shop = shop
        self.counts = {}
        self.broken = None

    def title(self):
        return '%s %s' % (self.peer, self.way)

    def out(self, ending):
        name = re.sub(r'[^\w.-]', '_', '%s-%s-%s' % (self.peer, self.way,
                                                     self.form))
        folder = self.shop.home('out')
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, name + ending)

    def try_it(self):
        errors = self.out('.err')
        command = shlex.join(self.words) + ' 2>' + shlex.quote(errors)
        with open(self.out('.jsonl'), 'w+', encoding='utf-8') as found:
            subprocess.run(
                [self.shop.toolwire, 'test', '-f', self.form, '--count',
                 COUNT, '--seed', SEED, '--patience', PATIENCE, '--cmd',
                 command], stdout=found, stderr=subprocess.PIPE, check=False)
            found.seek(0)
            # Answers may hold other line ends.
            lines = [line for line in found.read().split('\n') if line]
        try:
            self.counts = json.loads(lines[-1])
        except (IndexError, ValueError):
            pass
        if 'cases' not in self.counts:
            self.broken = 'could not be asked; see ' + errors
        elif any('"ended":"exit code %d"' % BROKEN in line
                 for line in lines):
            self.broken = 'is itself wrong; see ' + errors
        elif self.counts['cases'] <= sum(
                self.counts.get(name, 0) for name in
                ('refused', 'fine_but_refused', 'crash', 'protocol_error',
                 'skipped')):
            self.broken = 'has answered nothing; see ' + errors


def print_table(head, rows):
    widths = [max(len(str(row[i])) for row in [head] + rows)
              for i in range(len(head))]
    for row in [head] + rows:
        print('  '.join(
            str(cell).ljust(width) if i < 2 else str(cell).rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths))).rstrip())
    print(flush=True)


def print_findings(rows):
    columns = [i for i, count in enumerate(COUNTS)
               if any(count in row.counts for row in rows)]
    print('Cases by what came of them.  meek: of the fine ones, those that were '
          'refused.\nEach case is put whole and cut; stream: a token '
          'a delta, then by the cuts.')
    print_table(['peer', 'format', 'cases'] + [SHORT[i] for i in columns], [
        [row.title(), row.form, row.counts.get('cases', '-')] +
        [row.counts.get(COUNTS[i], '-') or '.' for i in columns]
        for row in rows])
    sums = {}
    for row in rows:
        its = sums.setdefault(row.title(), [0, 0, 0])
        judged = row.counts.get('cases', 0) - row.counts.get('skipped', 0)
        for i, count in enumerate((1, judged,
                                   judged - row.counts.get('fine', 0))):
            its[i] += count
    print_table(['peer', 'formats', 'judged', 'not fine'],
                [[name] + its for name, its in sorted(sums.items())])


# ---- engines of templates ----------------------------------------------------

ENGINE_COUNTS = ('fine', 'text', 'refused', 'rendered', 'no_answer')


def ask_engine(shop, name):
    """The line that counts, of `toolwire test --templates`; None: there is
    none, or nothing was answered."""
    peer = shop.peers[name]
    words = shop.command(name, peer, peer['engine'], ())
    folder = shop.home('out')
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path + '.jsonl', 'w+', encoding='utf-8') as found:
        subprocess.run(
            [shop.toolwire, 'test', '--templates',
             shlex.join(words) + ' 2>' + shlex.quote(path + '.err'),
             '--count', str(int(COUNT) * ENGINE_TIMES), '--seed', SEED,
             '--patience', PATIENCE],
            stdout=found, stderr=subprocess.PIPE, check=False)
        found.seek(0)
        lines = [line for line in found.read().split('\n') if line]
    counts = json.loads(lines[-1]) if lines else {}
    return counts if counts.get('fine') else None


def print_engines(shop, names):
    """False: one of them could not be asked."""
    print('Random chat templates by what came of them.  text: another one; '
          'rendered: where\nan error is due.')
    counts = {name: ask_engine(shop, name) for name in names}
    print_table(['engine', 'templates'] + list(ENGINE_COUNTS), [
        [name, its['cases']] + [its[count] or '.' for count in ENGINE_COUNTS]
        for name, its in counts.items() if its])
    for name, its in counts.items():
        if not its:
            print('peers: %s has answered nothing; see %s' % (
                name, shop.home('out')), file=sys.stderr)
    return all(counts.values())


# ---- what a delta costs ------------------------------------------------------

def wire(toolwire, form, kilobytes):
    """A call with one argument of this size, as the format writes it."""
    words = 'It was noon in Brest and the tide came in over the stones. '
    text = (words * (kilobytes * 1024 // len(words) + 1))[:kilobytes * 1024]
    record = {'messages': [
        {'role': 'user', 'content': 'Hi.'},
        {'role': 'assistant', 'content': None, 'tool_calls': [
            {'id': 'call00000', 'type': 'function', 'function': {
                'name': 'write_file',
                'arguments': json.dumps({'path': text})}}]}]}
    done = subprocess.run(
        [toolwire, 'convert', '-f', 'openai', '-t', form, '--unit',
         'completion'], input=json.dumps(record), text=True, check=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return text, json.loads(done.stdout)['text'].encode()


def ask_times(shop, words, form):
    """Microseconds a delta at each size, or why not."""
    cells = []
    with subprocess.Popen(words, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True) as process:
        for size in SIZES:
            text, data = wire(shop.toolwire, form, size)
            chunks = [base64.b64encode(data[i:i + DELTA]).decode()
                      for i in range(0, len(data), DELTA)]
            # The first question of a size warms up what is made once.
            for budget in (min(1, BUDGET), BUDGET):
                question = {'id': 'time', 'format': form, 'chunks': chunks,
                            'budget': budget}
                process.stdin.write(json.dumps(question) + '\n')
                process.stdin.flush()
                said = process.stdout.readline()
            if not said:
                return cells + ['died'] * (len(SIZES) - len(cells))
            cells.append(one_time(json.loads(said), text, len(chunks)))
    return cells


def one_time(answer, text, chunks):
    if 'error' in answer:
        return 'refused'
    cost = '%.3g' % (1e6 * answer['seconds'] / max(1, answer['deltas']))
    if answer['deltas'] < chunks // 2:
        return '>' + cost
    calls = answer['message'].get('tool_calls') or [
        {'function': {'arguments': ''}}]
    right = calls[0]['function']['arguments']
    try:
        right = json.loads(right) if isinstance(right, str) else right
    except ValueError:
        right = None
    return cost if right == {'path': text} else cost + '*'


def is_compiled(peer):
    return bool({'crates', 'go', 'c++'} & peer.keys())


def print_times(shop, rows):
    print('Microseconds of the processor for a delta of %d bytes, where one '
          'argument has so many KB.\n>: stopped after %g s; *: the argument '
          'that came out is another.  toolwire: events by its package\nfor '
          'Python, toolwire-rust: for Rust.  Parsers that give an argument '
          'only when it is whole do little\nuntil then.' % (DELTA, BUDGET))
    head = ['peer', 'format'] + ['%d KB' % size for size in SIZES]
    table = {}
    for row in rows:
        if row.way != 'stream' or row.broken:
            continue
        table[row.peer, row.form] = ask_times(shop, row.words, row.form)
    print_table(head, [[*names, *cells] for names, cells in table.items()])
    return table


def print_ratios(shop, table):
    """What README.md says of speed."""
    print('The time of a delta, %d KB, as a multiple of that of toolwire in '
          'the same format: for compiled\npeers of its Rust package, for the '
          'others of its Python package.' % SIZES[1])
    ratios = {}
    for (name, form), cells in table.items():
        ours = OURS[is_compiled(shop.peers[name])]
        costs = [re.search(r'[\d.e+-]+$', its[1].rstrip('*'))
                 for its in (cells, table.get((ours, form), cells))]
        if name not in OURS and (ours, form) in table and all(costs):
            cost, mine = (float(found.group()) for found in costs)
            ratios.setdefault(name, []).append((cost / mine, form))
    print_table(['peer', 'formats', 'least', 'in', 'median', 'most', 'in'], [
        [name, len(its), '%.2g' % min(its)[0], min(its)[1],
         '%.2g' % statistics.median(ratio for ratio, _ in its),
         '%.2g' % max(its)[0], max(its)[1]] for name, its in ratios.items()])


# ---- what was found before -----------------------------------------------------

def told(answer):
    """An answer as findings.jsonl has it."""
    if 'error' in answer:
        return answer['error']
    message = answer['message']
    return {'content': message.get('content'),
            'calls': [[call['function']['name'], call['function']['arguments']]
                      for call in message.get('tool_calls', ())]}


def ask_again(shop, found):
    """Asks one process for all findings of a parser, format and way."""
    first = found[0]
    peer = shop.peers[first['peer']]
    words = shop.command(first['peer'], peer, first['way'],
                         arguments(peer, first['format']))
    questions = []
    for one in found:
        question = {key: one[key] for key in ('id', 'format', 'tools',
                                              'finish') if key in one}
        question['chunks'] = [base64.b64encode(chunk.encode()).decode()
                              for chunk in one['chunks']]
        questions.append(json.dumps(question) + '\n')
    at = 0
    while at < len(found):
        done = subprocess.run(words, input=''.join(questions[at:]), text=True,
                              check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        for line in done.stdout.splitlines():
            found[at]['now'] = told(json.loads(line))
            at += 1
        if at < len(found):  # This question ended it.
            found[at]['now'] = 'exit code %d' % done.returncode
            at += 1


def check_findings(shop, wanted):
    with open(os.path.join(HERE, 'findings.jsonl'), encoding='utf-8') as file:
        found = [json.loads(line) for line in file]
    if wanted:
        found = [one for one in found if one['id'] in wanted]
    groups = {}
    for one in found:
        groups.setdefault((one['peer'], one['format'], one['way']),
                          []).append(one)
    for name in {one['peer'] for one in found}:
        if not is_had(shop, name):
            groups = {key: group for key, group in groups.items()
                      if key[0] != name}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda group: ask_again(shop, group), groups.values()))
    for one in found:
        if 'now' in one:
            print('%-28s %s' % (one['id'], 'as it was' if one['now'] ==
                                one['got'] else 'OTHERWISE'))
            if wanted or one['now'] != one['got']:
                print('    %s, %s, %s\n    wire %s\n    gave %s' % (
                    one['peer'], one['way'], one['format'],
                    json.dumps(one['chunks'], ensure_ascii=False),
                    json.dumps(one['now'], ensure_ascii=False)))
    return any(one.get('now') == 'exit code %d' % BROKEN for one in found)


# ---- all of it ---------------------------------------------------------------

def is_had(shop, name):
    try:
        shop.install(name, shop.peers[name])
    except (NotToBeHad, OSError) as why:
        print('%s: not to be had: %s' % (name, why), flush=True)
        return False
    return True


def main():
    shop = Workshop(*sys.argv[1:3])
    with open(os.path.join(HERE, 'peers.json'), encoding='utf-8') as file:
        shop.peers = json.load(file)
    if sys.argv[3:4] == ['--findings']:
        return check_findings(shop, sys.argv[4:])
    wanted = sys.argv[3:] or list(shop.peers)
    if any('formats' in shop.peers[name] for name in wanted):
        wanted = [name for name in wanted if name not in OURS] + [*OURS]
    rows = []
    engines = []
    for name in wanted:
        peer = shop.peers[name]
        version = ', '.join(
            [package for kind in ('pypi', 'pypi-shared', 'npm', 'go',
                                  'sdist', 'crate-sources')
             for package in peer.get(kind, ())] +
            [crate + which.strip('"') for crate, which in peer.get(
                'crates', {}).items() if which.startswith('"=')]
        ) or 'this tree'
        if not is_had(shop, name):
            continue
        print('%s: %s\n    %s\n    stubbed: %s\n    alone: make peers '
              'PEERS=%s' % (name, version, peer['about'],
                            peer.get('stubbed', 'nothing'), name), flush=True)
        rows += [Row(shop, name, way, form) for form in (
            peer.get('formats', ()) if name not in OURS else
            {row.form for row in rows} or
            {form for its in shop.peers.values() for form in its.get(
                'formats', ())}) for way in
            peer.get('ways', ())]
        engines += [name] if 'engine' in peer else []
    print(flush=True)
    rows = [row for row in rows if row.form in (FORMATS or [row.form])]
    rows.sort(key=lambda row: (row.form, row.title()))
    if COUNT == '0':
        engines = []
    elif rows:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(Row.try_it, rows))
        print_findings(rows)
    if rows:
        print_ratios(shop, print_times(shop, rows))
    asked = print_engines(shop, engines) if engines else True
    print('What was found is in %s/*.jsonl.' % shop.home('out'))
    broken = [row for row in rows if row.broken]
    for row in broken:
        print('peers: the adapter of %s, %s: %s' % (
            row.title(), row.form, row.broken), file=sys.stderr)
    return bool(broken) or not asked


if __name__ == '__main__':
    try:
        sys.exit(main())
    except NotToBeHad as missing:
        sys.exit('peers: %s' % missing)
