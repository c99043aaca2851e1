#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The parsers of each engine, and the formats that serve them: the table of
docs/formats.md, made of engines.json.

Use: engines.py TOOLWIRE [--write]
Fails where a format is named that is not there, or the page says another thing;
--write makes the page so.
"""
import json
import os
import subprocess
import sys

HOME = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HOME, '..', '..', 'docs', 'formats.md')
BEGIN, END = '<!-- engines -->\n', '<!-- end of engines -->\n'
IMPORTED = 'a response_template'  # whatever it says


def formats(toolwire):
    out = subprocess.run([toolwire, 'formats', '--json'], check=True,
                         stdout=subprocess.PIPE).stdout
    return {json.loads(line)['name'] for line in out.splitlines()}


def served(names):
    return ', '.join(name if name == IMPORTED else '`%s`' % name
                     for name in names)


def table(engines):
    lines = ['| engine | parser: format |\n', '|---|---|\n']
    for engine in engines:
        parsers = '; '.join('%s: %s' % (name, served(names))
                            for name, names in engine['parsers'].items())
        lines.append('| %s | %s |\n' % (engine['engine'], parsers))
    return ''.join(lines)


def main():
    with open(os.path.join(HOME, 'engines.json'), encoding='utf-8') as file:
        engines = json.load(file)['engines']
    known = formats(sys.argv[1]) | {IMPORTED}
    bad = ['%s: %s is served by %s, which is no format'
           % (engine['engine'], parser, name) for engine in engines
           for parser, names in engine['parsers'].items()
           for name in names if name not in known]
    bad += ['%s: %s is served by nothing' % (engine['engine'], parser)
            for engine in engines
            for parser, names in engine['parsers'].items() if not names]
    with open(PAGE, encoding='utf-8') as file:
        page = file.read()
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    made = page[:begin] + table(engines) + page[end:]
    if '--write' in sys.argv:
        with open(PAGE, 'w', encoding='utf-8') as file:
            file.write(made)
    elif made != page:
        bad.append('docs/formats.md says another thing: engines.py --write')
    print('\n'.join(bad + ['%d parsers of %d engines, %d bad' % (
        sum(len(one['parsers']) for one in engines), len(engines),
        len(bad))]))
    sys.exit(1 if bad else 0)


if __name__ == '__main__':
    main()
