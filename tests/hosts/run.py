#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs toolwire inside other people's programs: `make hosts`.

A part is a row of parts.json and one file, its program.  This installs what the
row names, runs the program, and prints one table at the end; it fails where a
part has failed.  A part that cannot be installed has not failed: the table says
why it was not to be had.

A row has what a row of tests/peers/peers.json has ("about", "pypi" unpacked
without what they depend on, "sdist", "pypi-shared", "npm"), and
  "program"  the file, which is run as
             PROGRAM HOME, with these in its environment: HOSTS_TOOLWIRE, the
             command; HOSTS_CASES, the folder of conformance cases; TOOLWIRE_DATA
             if it is set
  "venv"     packages that get a virtual environment of their own, with all that
             they depend on and toolwire, in which the program is run
  "commands" what must be there: ["java"]
  "home"     the part whose home it shares

A program prints what it likes; its last line is an object of JSON: "passed" and
"failed", counts; "judged", how many differences are judged in docs/hosts.md;
"versions", "stubbed" and "left_out", texts.

Use: run.py TOOLWIRE FOLDER [PART...]
"""
import json
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'peers'))
from workshop import NotToBeHad, Workshop  # noqa: E402

HEAD = ('part', 'installed', 'passed', 'failed', 'judged', 'seconds')


def install(shop, name, row):
    """Returns the Python that runs the part's program."""
    for command in row.get('commands', ()):
        if not shutil.which(command):
            raise NotToBeHad('no command ' + command)
    home = row.get('home', name)
    shop.install(home, row)
    if 'venv' in row:
        return shop.environment(home, row['venv'])
    return shop.python


def ask(shop, name, row, python):
    """The program's last line; what it prints before is shown."""
    environment = dict(
        os.environ, HOSTS_TOOLWIRE=shop.toolwire,
        HOSTS_CASES=os.path.join(HERE, '..', 'conformance'),
        PYTHONPATH=os.pathsep.join([HERE, os.path.join(HERE, '..', 'peers')]))
    last = ''
    with subprocess.Popen(
            [python, os.path.join(HERE, row['program']),
             shop.home(row.get('home', name))],
            stdout=subprocess.PIPE, text=True, env=environment) as process:
        for line in process.stdout:
            if last:
                print('    ' + last, flush=True)
            last = line.rstrip('\n')
    try:
        said = json.loads(last)
        if process.returncode == 0 and said['passed'] + said['failed'] > 0:
            return said
    except (ValueError, KeyError, TypeError):
        print('    ' + last)
    return {'passed': 0, 'failed': 1, 'said': 'ended with %d and no result'
            % process.returncode}


def installed(row):
    return ', '.join(package for kind in ('pypi', 'pypi-shared', 'venv', 'npm')
                     for package in row.get(kind, ())) or 'this tree'


def run_part(shop, name, row):
    """A line of the table, and what is said below it."""
    print('%s: %s' % (name, row['about']), flush=True)
    try:
        python = install(shop, name, row)
    except (NotToBeHad, OSError) as why:
        print('    not to be had: %s' % why, flush=True)
        return [name, 'NOT TO BE HAD', '-', 0, '-', '-'], {'left_out': str(why)}
    start = time.monotonic()
    said = ask(shop, name, row, python)
    return [name, said.get('versions') or installed(row), said['passed'],
            said['failed'], said.get('judged', 0),
            '%.0f' % (time.monotonic() - start)], said


def print_table(rows):
    widths = [max(len(str(row[i])) for row in [HEAD] + rows)
              for i in range(len(HEAD))]
    for row in [HEAD] + rows:
        print('  '.join(str(cell).ljust(width)
                        for cell, width in zip(row, widths)).rstrip())


def main():
    shop = Workshop(*sys.argv[1:3])
    with open(os.path.join(HERE, 'parts.json'), encoding='utf-8') as file:
        shop.parts = json.load(file)
    names = sys.argv[3:] or list(shop.parts)
    unknown = [name for name in names if name not in shop.parts]
    if unknown:
        sys.exit('hosts: no part %s; there are %s' % (
            ', '.join(unknown), ', '.join(shop.parts)))
    done = [run_part(shop, name, shop.parts[name]) for name in names]
    print()
    print_table([row for row, _ in done])
    for row, said in done:
        for key in ('stubbed', 'left_out', 'said'):
            if said.get(key):
                print('%s: %s: %s' % (row[0], key.replace('_', ' '),
                                      said[key]))
    return any(row[3] for row, _ in done)


if __name__ == '__main__':
    try:
        sys.exit(main())
    except NotToBeHad as missing:
        sys.exit('hosts: %s' % missing)
