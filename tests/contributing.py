#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What CONTRIBUTING.md tells its readers to do, done in a copy of the project.

Each block of the page is used, in order: a file (c, json) is written where the
line before it says, a diff is applied there, sh is run, and text is what the
sh before it prints.

Use: tests/contributing.py [--places | --write]
--places runs nothing: each file is new, and each diff has its one place.
--write puts what is printed into the page instead of comparing it."""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, 'CONTRIBUTING.md')
PARTS = 'CMakeLists.txt', 'docs', 'fuzz', 'grammar', 'include', 'src', 'tests'


def blocks(page):
    """The words before each block, its kind, its text and where that is."""
    end = 0
    for found in re.finditer(r'^```(\w+)\n(.*?)^```$', page, re.M | re.S):
        yield (page[end:found.start()], found.group(1), found.group(2),
               found.span(2))
        end = found.end()


def place(words):
    """The file that is named last before a block."""
    names = re.findall(r'`([\w./-]+/[\w.-]+)`[^`]*:\s*$', words)
    if not names:
        sys.exit('CONTRIBUTING.md: no file is named before a block')
    return names[0]


def apply(path, diff):
    """Changes the one place that the lines without a plus stand at."""
    lines = diff.splitlines(keepends=True)
    old = ''.join(line[1:] for line in lines if line[0] in ' -')
    new = ''.join(line[1:] for line in lines if line[0] in ' +')
    if not os.path.exists(path):
        sys.exit(f'{path} is not there')
    with open(path, encoding='utf-8') as file:
        text = file.read()
    if text.count(old) != 1:
        sys.exit(f'{path}: {text.count(old)} places for:\n{diff}')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text.replace(old, new))


def copy(work):
    for part in PARTS:
        source, target = os.path.join(ROOT, part), os.path.join(work, part)
        if os.path.isdir(source):
            shutil.copytree(source, target, symlinks=True,
                            ignore=shutil.ignore_patterns('__pycache__',
                                                          'node_modules'))
        else:
            shutil.copy(source, target)


def build(work):
    quiet = {'cwd': work, 'check': True, 'stdout': subprocess.DEVNULL}
    subprocess.run(['cmake', '-S', '.', '-B', 'build', '-G', 'Ninja',
                    '-DCMAKE_BUILD_TYPE=None', '-DTOOLWIRE_TESTS=ON'],
                   **quiet)
    subprocess.run(['ninja', '-C', 'build', 'toolwire'], **quiet)


def main():
    write = sys.argv[1:] == ['--write']
    places = sys.argv[1:] == ['--places']
    with open(PAGE, encoding='utf-8') as file:
        page = file.read()
    failed, used, printed, shown = 0, 0, None, []
    with tempfile.TemporaryDirectory() as work:
        copy(work)
        if not places:
            build(work)
        for words, kind, text, span in blocks(page):
            used += 1
            if kind in ('sh', 'text') and places:
                continue
            if kind == 'sh':
                printed = subprocess.run(
                    ['bash', '-c', text], cwd=work, text=True,
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT, check=False).stdout
            elif kind == 'text':
                shown.append((span, printed))
                if text != printed and not write:
                    failed += 1
                    print(''.join(difflib.unified_diff(
                        text.splitlines(True), printed.splitlines(True),
                        'CONTRIBUTING.md', 'printed')))
            elif kind == 'diff':
                apply(os.path.join(work, place(words)), text)
            else:
                path = os.path.join(work, place(words))
                if os.path.exists(path):
                    sys.exit(f'{path} is no new file')
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(text)
    if write:
        for (start, end), printed in reversed(shown):
            page = page[:start] + printed + page[end:]
        with open(PAGE, 'w', encoding='utf-8') as file:
            file.write(page)
    print(f'{used - failed} passed, {failed} failed')
    return 1 if failed or used < 12 else 0


if __name__ == '__main__':
    sys.exit(main())
