#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the pages say in tables is what the command says.

docs/reference.md is made whole of the command's lists and help texts, the table
of formats in README.md of the descriptions, and the picture in docs/wire.svg
shows what the command makes of the text in the picture.

Use: tests/reference.py TOOLWIRE [--write]
--write makes the tables instead of comparing them."""
import json
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMANDS = ('decode', 'stream', 'check', 'inspect', 'encode', 'extend', 'grammar',
            'convert', 'detect', 'formats', 'check-format', 'explain', 'gen', 'test')
BEGIN, END = '<!-- formats: made by tests/reference.py -->\n', '<!-- end -->\n'


def run(*arguments, stdin=''):
    return subprocess.run([sys.argv[1], *arguments], input=stdin, text=True,
                          encoding='utf-8', stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False).stdout


def cell(text):
    return re.sub(' +', ' ', text).replace('|', '\\|').replace('<', '\\<')


# ---- formats ---------------------------------------------------------------

# How a call is written, by what its pattern holds.
NOTATIONS = (
    ('{object}', 'a JSON object with name and arguments'),
    ('{list}', 'a JSON list of objects'),
    ('{list:lines}', 'a JSON object with name and arguments'),
    ('{keyed}', 'a JSON object whose key is the name'),
    ('{python', 'a call in Python'),
    ('tags', 'a tag for each argument'),
    ('{elements', 'nested elements'),
    ('{arguments', 'a name, then a JSON object'),
)


def notation(described, markers):
    # Formats that are programs have no description.
    calls = described.get('call', '')
    call = calls if isinstance(calls, str) else calls[0]
    if 'argument' in described and '{arguments}' in call:
        call = 'tags'
    if not call and any(marker['role'] == 'body' for marker in markers):
        return 'a message with a header'
    return next((says for hole, says in NOTATIONS if hole in call),
                'a notation of its own')


def models(described):
    known = described.get('models', described['about'])
    return known if isinstance(known, str) else ', '.join(known)


def formats():
    """Name, whose, notation, prompts, markers, about.  A star: there are prompts,
    which are written and read."""
    for line in run('formats', '--json').splitlines():
        row = json.loads(line)
        described = json.loads(run('formats', row['name'], '--json'))
        yield (row['name'], models(described),
               notation(described, row['markers']),
               '*' if row['prompts'] else '',
               row['markers'], row['about'])


def readme(page, rows):
    """The page, with one format of some families for each way to write a call."""
    kinds = {}
    # Those of many models first.
    for name, _, kind, _, _, _ in sorted(rows, key=lambda row:
                                         -row[1].count(',')):
        kinds.setdefault(kind, []).append(name)
    prompts = sum(row[3] != '' for row in rows)
    table = [f'toolwire reads completions of {len(rows)} formats. Of {prompts} '
             'it also writes and reads', 'prompts and whole conversations.', '',
             '| a call is | formats |', '|---|---|']
    for kind, names in kinds.items():
        families = {}
        for name in names:
            families.setdefault(name.split('/')[0], name)
        shown = [f'`{name}`' for name in list(families.values())[:5]]
        more = len(names) - len(shown)
        table.append(f'| {kind} | ' + ', '.join(shown)
                     + (f' and {more} more |' if more else ' |'))
    start = page.index(BEGIN) + len(BEGIN)
    return page[:start] + '\n'.join(table) + '\n' + page[page.index(END):]


def code(text):
    text = text.replace('|', '\\|').replace('\n', '↵')
    if '`' not in text:
        return f'`{text}`'
    return '<code>' + text.replace('<', '&lt;').replace('`', '&#96;') + '</code>'


def tokens(rows):
    """Formats that have the same tokens stand in one row."""
    alike = {}
    for name, _, _, _, markers, _ in rows:
        kept = [m for m in markers if m['token'] and m['decoded']]
        cells = tuple(' '.join(code(m['text']) for m in some)
                      for some in (kept, [m for m in kept if m['stop']]))
        alike.setdefault(cells, []).append(f'`{name}`')
    for (kept, stops), names in alike.items():
        yield f"| {', '.join(names)} | {kept} | {stops} |"


# ---- options ---------------------------------------------------------------

OPTION = re.compile(r' {2}(?:(-\w), | {4})(--[\w-]+)(?: (\S+))?(?: +(.*))?$')


def options(text):
    """GROUP, option, what it takes, its words: of each option in a help."""
    group = words = None
    for line in text[text.index('\nOptions:\n'):].splitlines()[2:]:
        found = OPTION.match(line)
        if found:
            if words:
                yield words
            short, name, takes, says = found.groups()
            words = [group, (short + ', ' if short else '') + name,
                     takes or '', says or '']
        elif re.match(r' \S.*:$', line):
            group = line.strip(' :')
        elif line.startswith(' ' * 10) and words and words[2].endswith('|'):
            words[2] += line.strip()  # a list of words goes on
        elif line.startswith(' ' * 10) and words:
            words[3] = (words[3] + ' ' + line.strip()).strip()
        elif words:
            yield words
            words = None
    if words:
        yield words


def command_options():
    taken = {command: {(row[1], row[3])
                       for row in options(run('help', command))}
             for command in COMMANDS if '\nOptions:\n' in run('help', command)}
    group = None
    for row in options(run('help')):
        if row[0] != group:
            group = row[0]
            yield f'\n### {group}\n'
            yield '| option | what | of |'
            yield '|---|---|---|'
        of = [command for command in COMMANDS
              if (row[1], row[3]) in taken.get(command, ())]
        name = f'`{row[1]} {row[2]}`'.replace(' `', '`').replace('|', '\\|')
        yield (f'| {name} | {cell(row[3])} | '
               + ('every command' if len(of) == len(taken) else ', '.join(of))
               + ' |')


# ---- the page --------------------------------------------------------------

def reference(rows):
    yield '''# Reference

Formats, record shapes and options in tables. `tests/reference.py TOOLWIRE --write` makes this
page of what the command says, and a test compares the two. [Diagnostics](diagnostics.md) has the
table of diagnostics, losses and errors. The library's functions and options are in
[toolwire.h](../include/toolwire.h).

- [Formats](#formats)
- [Tokens](#tokens)
- [Record shapes](#record-shapes)
- [Commands](#commands)
- [Options](#options)
- [Exit codes](#exit-codes)

## Formats

Of formats with *prompts* whole requests are encoded, and whole transcripts are read.
Of the others completions are read, and one message is written. [Formats](formats.md) has the grammars.

| format | whose | a call is | prompts |
|---|---|---|---|'''
    for name, whose, _, prompts, _, about in rows:
        yield (f'| `{name}` | {cell(whose)} | {cell(about)} | '
               + ('yes' if prompts else '') + ' |')
    yield '''
## Tokens

What a server must keep when it makes text of tokens, and what ends generation.

| format | in completions | of these, stop |
|---|---|---|'''
    yield from tokens(rows)
    yield '''
## Record shapes

What `convert` reads and writes besides formats. [records.md](records.md) says what becomes of each
member.

| shape | what |
|---|---|'''
    text = run('help', 'convert')
    shapes = text[text.index('Shapes of records:'):text.index('\nOptions:')]
    for name, says in re.findall(r'^  (\S+) +(.*)$', shapes, re.M):
        yield f'| `{name}` | {cell(says)} |'
    yield '''
## Commands

| command | what |
|---|---|'''
    text = run('help')
    listed = text[text.index('Commands:'):text.index('\nOptions:')]
    for use, says in re.findall(r'^  toolwire (.*)\n {8}(.*)$', listed, re.M):
        yield '| `toolwire ' + use.replace('|', '\\|') + f'` | {cell(says)} |'
    yield '''
## Options

In round brackets stands what holds without the option.'''
    yield from command_options()
    yield '''
## Exit codes

| code | means |
|---|---|
| 0 | All is well. A repaired deviation is well, too, but not for `check`. |
| 1 | There was an error, or a block that could not be read as a call. |
| 2 | The command was used wrongly. |
| 3 | A file could not be read or written. |'''


# ---- the picture -----------------------------------------------------------

def picture():
    """What is wrong with it, if something is."""
    shown = {'wire': [], 'event': [], 'json': []}
    for text in ElementTree.parse(os.path.join(ROOT, 'docs/wire.svg')).iter(
            '{http://www.w3.org/2000/svg}text'):
        if text.get('class') in shown:
            shown[text.get('class')].append(text.text)
    wire = ''.join(shown['wire']).replace('↵', '\n')
    events = [json.loads(line)['type'] for line in
              run('stream', '-f', 'hermes', '--events', stdin=wire).split('\n')
              if line]
    at = iter(events)
    for event in shown['event']:
        if event not in at:
            yield f'docs/wire.svg: no event {event} there, but {events}'
    chunks = run('stream', '-f', 'hermes', stdin=wire)
    for piece in ''.join(shown['json']).replace('}{', '}\n{').replace(
            '}"', '}\n"').split('\n'):
        if piece not in chunks:
            yield f'docs/wire.svg: {piece} is in no chunk of\n{chunks}'
    if not shown['json'] or len(shown['wire']) < 5:
        yield 'docs/wire.svg shows nothing'


def main():
    rows = list(formats())
    pages = {'docs/reference.md': lambda page: '\n'.join(reference(rows)) + '\n',
             'README.md': lambda page: readme(page, rows)}
    wrong = list(picture())
    for name, make in pages.items():
        path = os.path.join(ROOT, name)
        page = ''
        if os.path.exists(path):
            with open(path, encoding='utf-8') as file:
                page = file.read()
        made = make(page)
        if sys.argv[2:] == ['--write']:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(made)
        elif made != page:
            wrong.append(f'{name} is old; make it with: '
                         f'tests/reference.py {sys.argv[1]} --write')
    if len(rows) < 20:
        wrong.append('there are no formats')
    for line in wrong:
        print('FAILED: ' + line)
    print(f'{3 - len(wrong)} passed, {len(wrong)} failed')
    return 1 if wrong else 0


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main())
