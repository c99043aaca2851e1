#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page docs/python.md: what `help(toolwire)` says, made of the docstrings
of the package, so that the page is never older than they are.

Use: manual.py PAGE [--write]
Fails if the page is another, and says where; --write makes it so.
"""
import difflib
import enum
import inspect
import re
import sys
import typing

import toolwire

HEAD = '''# Python: the interface

Every name of the package `toolwire`, as `help(toolwire)` has it. This page is made of the docstrings by
`tests/python/manual.py`, and a test compares the two. To begin, read [the guide](guide-python.md); to look at examples,
[the package's page](../src/bindings/python/README.md). What options and events mean is said once, in
[toolwire.h](../include/toolwire.h).

'''
TAIL = '''## The environment

| variable | what of it |
|---|---|
| `TOOLWIRE_LIBRARY` | the `libtoolwire` to load; when a wheel is built, the one to put into it |
| `TOOLWIRE_COMMAND` | the same for the command of `python -m toolwire` |
| `TOOLWIRE_EXTENSION` | `no`: streams go by ctypes; `yes`: an import without the extension fails. When a wheel is built: none is made, or the build fails without |

## The command

`python -m toolwire ARGUMENTS` is [the command](reference.md): the same options, bytes and exit codes. It becomes the
program that the wheel brought, which reads gzip and no zstd. Where a wheel was built around a library that was there,
without `TOOLWIRE_COMMAND`, there is no program: exit code 2.

## Wheels and the source distribution

`make python` builds both, in `build/python`. A wheel is `py3-none-manylinux_2_N`: the library and the command know
nothing of Python, and the extension is on the stable interface of Python 3.8, which every later CPython takes; a Python
that does not (PyPy, CPython without the GIL) goes by ctypes. `2_N` is the oldest glibc that has what the files ask for.
A wheel needs no compiler. The source distribution needs a C compiler and no network, no CMake and no re2c; with
Python's headers (Debian: `python3-dev`) it builds the extension, too.
'''
GROUPS = (
    ('Completions', ('decode', 'decode_transcript', 'stream_chunks',
                     'astream_chunks', 'Decoder', 'Mark', 'Event', 'Writer',
                     'words_for_model', 'tool')),
    ('Prompts', ('encode', 'encode_segments', 'encode_completion', 'Encoder',
                 'Segment')),
    ('Chat templates', ('Template', 'Span', 'token_mask', 'Episode',
                        'Detection')),
    ('Grammars', ('grammar',)),
    ('Logs', ('convert', 'Converter', 'Found', 'Report', 'LossWarning')),
    ('Formats and tables', ('LoadedFormat', 'formats', 'Format', 'Marker',
                            'shapes', 'Shape', 'diagnostics', 'Diagnostic')),
    ('Errors', ('ToolwireError',)),
)


def signature(function):
    """Without types: the docstring says what is taken."""
    made = inspect.signature(function)
    parameters = []
    for one in made.parameters.values():
        if one.name == 'self' or one.annotation is typing.NoReturn:
            continue  # what nothing takes is there for a refusal
        one = one.replace(annotation=one.empty)
        text = str(one)
        if isinstance(one.default, enum.Enum):
            text = '%s=%s.%s' % (one.name, type(one.default).__name__,
                                 one.default.name)
        if one.kind is one.KEYWORD_ONLY and '*' not in parameters:
            parameters.append('*')
        parameters.append(text)
    return '(%s)' % ', '.join(parameters)


def indented(text):
    return ''.join('    %s\n' % line if line else '\n'
                   for line in text.split('\n')) + '\n'


def members(kind):
    """Public ones of the class itself, in its order, and what stands behind
    `#:` in its source."""
    for line in inspect.getsource(kind).split('\n'):
        said = re.match(r'    (\w+)(?:: (\w+\S*))?(?: = .*?)? +#: (.+)', line)
        if said:
            yield '- `%s`: %s\n' % (said[1], said[3])
    for name, value in vars(kind).items():
        if name.startswith('_') or not (inspect.isfunction(value)
                                        or isinstance(value, property)):
            continue
        is_method = inspect.isfunction(value)
        text = inspect.getdoc(value)
        # Those without a word are said by the class.
        if text or is_method:
            yield '\n`%s.%s%s`\n\n%s' % (
                kind.__name__, name, signature(value) if is_method else '',
                indented(text) if text else '')


def page():
    yield HEAD
    yield indented(inspect.getdoc(toolwire))
    for title, names in GROUPS:
        yield '## %s\n\n' % title
        for name in names:
            value = getattr(toolwire, name)
            is_plain = inspect.isclass(value) and issubclass(
                value, (enum.Enum, Warning, toolwire.Event))
            shown = '' if is_plain else signature(value)
            yield '### %s\n\n`%s%s`\n\n' % (name, name, shown)
            yield indented(inspect.getdoc(value))
            if inspect.isclass(value):
                yield ''.join(members(value)).lstrip('\n') + '\n'
    yield TAIL


def main():
    path = sys.argv[1]
    listed = {name for _, names in GROUPS for name in names}
    missing = set(toolwire.__all__) ^ listed ^ {'__version__'}
    if missing:
        sys.exit('GROUPS: ' + ', '.join(sorted(missing)))
    made = re.sub(r'\n{3,}', '\n\n', ''.join(page()))
    if sys.argv[2:] == ['--write']:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(made)
        return
    with open(path, encoding='utf-8') as file:
        there = file.read()
    sys.stdout.writelines(difflib.unified_diff(
        there.splitlines(True), made.splitlines(True), path,
        'made of the docstrings'))
    sys.exit(there != made)


if __name__ == '__main__':
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main()
