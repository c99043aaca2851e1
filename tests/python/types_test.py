#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""toolwire/_types.py, which type checkers alone read, says of each function
which options it takes, and of which type, as the tables of the package do.

Use: types_test.py
"""
import typing
import unittest

from toolwire import _options, _types
from toolwire._converter import _PARAMETERS
from toolwire._decoder import _OWNERS, LATE, WRITER, Writer
from toolwire._stream import _SHAPES

TYPES = {_options.flag: bool, _options._number: int,
         _options._text: _options.Text, _options.choice_of: _options.Text,
         _options._json: _options.Json,
         _options._start: typing.Union[bool, typing.Literal['auto']]}
PARAMETERS = {'tools': typing.Optional[_options.Json],
              'prompt': typing.Optional[_options.Text],
              'wire': typing.Optional[_options.FormatName],
              'finish': _types.FinishWord, 'chunk': int}
DECODER = _options.names('decoder')
ENCODER = _options.names('encoder', 'losses', 'request', 'template')
MESSAGE = DECODER + WRITER['message']
STREAMS = [name for name in _options.OPTIONS if name != 'sse' and any(
    name in WRITER[shape] for shape in _SHAPES.values())]
CONVERTER = MESSAGE + _options.names('record', 'text', 'messages', 'losses',
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
    'TranscriptOptions': MESSAGE + ['arguments_object', 'ids', 'loss',
                                    *_PARAMETERS],
}


def type_of(name, is_late):
    if name in PARAMETERS:
        return PARAMETERS[name]
    take = _options.OPTIONS[name].take
    found = typing.Literal[tuple(take.choices)] \
        if isinstance(take, _options.Words) else TYPES[take]
    return typing.Union[found, None, typing.Callable[[], found]] \
        if is_late else typing.Optional[found]


class Types(unittest.TestCase):
    maxDiff = None

    def test_each_class_has_the_options_of_its_function(self):
        for name, options in OPTIONS.items():
            with self.subTest(name):
                self.assertEqual(
                    typing.get_type_hints(getattr(_types, name)),
                    {option: type_of(option, name == 'StreamOptions' and
                                     option in LATE) for option in options})

    def test_no_class_is_left_out(self):
        self.assertEqual({name for name in vars(_types)
                          if name.endswith('Options') and name[0] != '_'},
                         set(OPTIONS))

    def test_the_words_are_those_that_are_read(self):
        for words, read in ((_types.ApiWord, _SHAPES),
                            (_types.FinishWord, _options.FINISH),
                            (_types.ShapeWord, Writer._shapes)):
            self.assertEqual(typing.get_args(words), tuple(read))


if __name__ == '__main__':
    unittest.main()
