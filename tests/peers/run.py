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
Environment: PEERS_COUNT, cases for each parser, format and way (70);
PEERS_SEED (1); PEERS_BUDGET, seconds for one of the times (10).
"""
import base64
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

from workshop import HERE, NotToBeHad, Workshop

BROKEN = 70  # as in line.py
COUNT = os.environ.get('PEERS_COUNT', '70')
SEED = os.environ.get('PEERS_SEED', '1')
BUDGET = float(os.environ.get('PEERS_BUDGET', '10'))
# A server's first imports may take that long.
PATIENCE = '40'
ENGINE_TIMES = 20  # so many templates a case of a parser
SIZES = (1, 16, 256)  # KB of one argument
DELTA = 4  # bytes, about a token
COUNTS = ('fine', 'fine_but_refused', 'refused', 'hang', 'crash',
          'split_variance', 'lost_bytes', 'forged_call', 'wrong_arguments',
          'invalid_json', 'slow', 'protocol_error', 'wrong_id', 'wrong_finish',
          'skipped')
SHORT = ('fine', 'meek', 'refused', 'hang', 'crash', 'split', 'lost',
         'forged', 'wrong', 'no JSON', 'slow', 'protocol', 'ids', 'finish',
         'skipped')


# ---- what a parser gets wrong ------------------------------------------------

class Row:
    """One parser, format and way."""

    def __init__(self, shop, name, way, form):
        self.peer, self.way, self.form = name, way, form
        peer = shop.peers[name]
        self.words = shop.command(name, peer, way,
                                  peer['formats'].get(form, ()))
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
            for budget in (1, BUDGET):
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
    cost = '%.1f' % (1e6 * answer['seconds'] / max(1, answer['deltas']))
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


def print_times(shop, rows):
    print('Microseconds of the processor for a delta of %d bytes, where one '
          'argument has so many KB.\n>: stopped after %g s; *: the argument '
          'that came out is another.  toolwire: events by its Python '
          'package.\nParsers that give an argument only when it is whole do '
          'little until then.' % (DELTA, BUDGET))
    head = ['peer', 'format'] + ['%d KB' % size for size in SIZES]
    table = []
    ours = {}
    for row in rows:
        if row.way != 'stream' or row.broken:
            continue
        if row.form not in ours:
            ours[row.form] = True
            mine = shop.command('toolwire', shop.peers['toolwire'], 'stream',
                                ())
            table.append(['toolwire', row.form] +
                         ask_times(shop, mine, row.form))
        table.append([row.peer, row.form] +
                     ask_times(shop, row.words, row.form))
    print_table(head, table)


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
                         peer['formats'][first['format']])
    questions = ''
    for one in found:
        question = {key: one[key] for key in ('id', 'format', 'tools',
                                              'finish') if key in one}
        question['chunks'] = [base64.b64encode(chunk.encode()).decode()
                              for chunk in one['chunks']]
        questions += json.dumps(question) + '\n'
    done = subprocess.run(words, input=questions, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for one, answer in zip(found, answers):
        one['now'] = told(answer)
    return len(answers) == len(found)


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
        try:
            shop.install(name, shop.peers[name])
        except (NotToBeHad, OSError) as why:
            print('%s: not to be had: %s' % (name, why), flush=True)
            groups = {key: group for key, group in groups.items()
                      if key[0] != name}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        whole = all(pool.map(lambda group: ask_again(shop, group),
                             groups.values()))
    for one in found:
        if 'now' in one:
            print('%-28s %s' % (one['id'], 'as it was' if one['now'] ==
                                one['got'] else 'OTHERWISE'))
            if wanted or one['now'] != one['got']:
                print('    %s, %s, %s\n    wire %s\n    gave %s' % (
                    one['peer'], one['way'], one['format'],
                    json.dumps(one['chunks'], ensure_ascii=False),
                    json.dumps(one['now'], ensure_ascii=False)))
    if not whole:
        print('peers: an adapter ended before it had answered',
              file=sys.stderr)
    return not whole


# ---- all of it ---------------------------------------------------------------

def main():
    shop = Workshop(*sys.argv[1:3])
    with open(os.path.join(HERE, 'peers.json'), encoding='utf-8') as file:
        shop.peers = json.load(file)
    if sys.argv[3:4] == ['--findings']:
        return check_findings(shop, sys.argv[4:])
    wanted = sys.argv[3:] or list(shop.peers)
    rows = []
    engines = []
    for name in wanted:
        peer = shop.peers[name]
        version = ', '.join(
            package for kind in ('pypi', 'pypi-shared', 'npm', 'go')
            for package in peer.get(kind, ())) or 'this tree'
        try:
            shop.install(name, peer)
        except (NotToBeHad, OSError) as why:
            print('%s: not to be had: %s' % (name, why), flush=True)
            continue
        print('%s: %s\n    %s\n    stubbed: %s' % (
            name, version, peer['about'], peer.get('stubbed', 'nothing')),
            flush=True)
        rows += [Row(shop, name, way, form) for form in peer.get('formats', ())
                 for way in peer.get('ways', ())]
        engines += [name] if 'engine' in peer else []
    print(flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(Row.try_it, rows))
    rows.sort(key=lambda row: (row.form, row.title()))
    if rows:
        print_findings(rows)
        print_times(shop, rows)
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
