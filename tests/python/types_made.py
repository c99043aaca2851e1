#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The module toolwire/_types.py, which type checkers alone read: which options
each function takes, and of which type, made of the tables of the package.

Use: types_made.py FILE [--write]
Fails if the file is another, and says where; --write makes it so.
"""
import difflib
import sys

import toolwire._options as _options
from toolwire._converter import _PARAMETERS
from toolwire._decoder import _OWNERS, LATE, WRITER, Writer
from toolwire._stream import _SHAPES

HEAD = '''# SPDX-License-Identifier: MIT
"""The options of each function and class, for type checkers: made of the
tables of this package by tests/python/types_made.py, and never imported."""
from typing import Callable, Literal, Optional, TypedDict, Union

from ._options import FormatName, Json, Text
'''
TYPES = {_options._flag: 'bool', _options._number: 'int',
         _options._text: 'Text', _options._json: 'Json'}
PARAMETERS = {'tools': 'Json', 'prompt': 'Text', 'finish': 'FinishWord',
              'chunk': 'int', 'wire': 'FormatName'}
DECODER = _options.names('decoder')
ENCODER = _options.names('encoder', 'losses', 'request')
MESSAGE = DECODER + WRITER['message']
STREAMS = [name for name in _options.OPTIONS if name != 'sse' and any(
    name in WRITER[shape] for shape in _SHAPES.values())]
CONVERTER = MESSAGE + _options.names('record', 'messages', 'losses',
                                     'conversation', 'encoder')
OPTIONS = {
    'DecoderOptions': DECODER,
    'WriterOptions': _options.names(*{owner for owners in _OWNERS.values()
                                      for owner in owners}),
    'UpdateOptions': LATE,
    'StreamOptions': DECODER + STREAMS,
    'DecodeOptions': MESSAGE,
    'EncoderOptions': ENCODER,
    'EncodeOptions': [name for name in ENCODER if name != 'generation_prompt'],
    'ConverterOptions': CONVERTER,
    'ConvertOptions': CONVERTER + ['wire', *_PARAMETERS],
    'TranscriptOptions': MESSAGE + ['arguments_object', 'loss', *_PARAMETERS],
}


def literal(words):
    return 'Literal[%s]' % ', '.join(map(repr, words))


def type_of(name, is_late):
    if name in PARAMETERS:
        return 'Optional[%s]' % PARAMETERS[name] if name not in (
            'finish', 'chunk') else PARAMETERS[name]
    take = _options.OPTIONS[name].take
    found = literal(take.choices) if isinstance(take, _options.Words) \
        else TYPES[take]
    return 'Union[%s, None, Callable[[], %s]]' % (
        found, found) if is_late else 'Optional[%s]' % found


def module():
    yield HEAD
    for name, words in (('ApiWord', _SHAPES), ('FinishWord', _options.FINISH),
                        ('ShapeWord', Writer._shapes)):
        yield '%s%s = %s\n' % ('\n' * (name == 'ApiWord'), name,
                               literal(words))
    for name, options in OPTIONS.items():
        yield '\n\nclass %s(TypedDict, total=False):\n' % name
        for option in options:
            yield '    %s: %s\n' % (option, type_of(
                option, name == 'StreamOptions' and option in LATE))


def main():
    made = ''.join(module())
    if sys.argv[2:] == ['--write']:
        with open(sys.argv[1], 'w', encoding='utf-8') as file:
            file.write(made)
        return
    with open(sys.argv[1], encoding='utf-8') as file:
        there = file.read()
    sys.stdout.writelines(difflib.unified_diff(
        there.splitlines(True), made.splitlines(True), sys.argv[1],
        'made of the tables'))
    sys.exit(there != made)


if __name__ == '__main__':
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main()
