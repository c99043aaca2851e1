#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What slips through a user's fingers, with the installed package toolwire:
copies, values that no option takes, and pieces that are none.

Use: edges_test.py FOLDER_OF_CASES
"""
import asyncio
import copy
import gc
import pathlib
import pickle
import sys
import unittest
import warnings

import toolwire
from binding_test import (CALL, DESCRIPTION, Memory, cut, input_of, options_of,
                          read_cases)
from toolwire import (Converter, Decoder, Encoder, Event, Mark, ToolwireError,
                      Writer, _library, _options)

TEXT = 'Let me see. ' + CALL
OBJECTS = {'a Decoder': lambda: Decoder('hermes'),
           'an Encoder': lambda: Encoder('hermes'),
           'a Writer': lambda: Writer('chat'),
           'a Converter': lambda: Converter('hermes', 'openai')}


class Wrong(unittest.TestCase):
    """A test that expects a plain sentence."""

    def refused(self, kind, sentence, function, *arguments, **named):
        with self.assertRaises(kind) as caught:
            function(*arguments, **named)
        self.assertIs(type(caught.exception), kind)
        self.assertIn(sentence, str(caught.exception))


async def delayed(pieces):
    for piece in pieces:
        await asyncio.sleep(0)
        yield piece


class Cycles(unittest.TestCase):
    """Of a loaded format and what is made of it."""
    def test_outlives_them_in_a_cycle(self):
        # The collector finalizes a cycle in any order.
        def cycle(make, first):
            format = toolwire.LoadedFormat(DESCRIPTION)
            made = make(format)
            links = [format, made] if first else [made, format]
            format.links = links

        def stream(format):
            chunks = toolwire.stream_chunks(['Hi. <do>', 'x'], format)
            next(chunks)
            return chunks

        for name, make in (
                ('Decoder', Decoder), ('Encoder', Encoder),
                ('Converter from', lambda one: Converter(one, 'message')),
                ('Converter to', lambda one: Converter('openai', one)),
                ('Converter, wire', lambda one: Converter(
                    'sharegpt', 'openai', wire=one)),
                ('stream', stream)):
            for first in (False, True):
                with self.subTest(name=name), Memory() as memory:
                    for _ in range(50):
                        cycle(make, first)
                    gc.collect()
                    self.assertEqual(memory.blocks, 0)

    def test_what_was_finalized_is_refused(self):
        class Last:
            """Finalized with all that it has, and uses it then."""
            said = []

            def __init__(self, format, decoder, chunks):
                self.uses = [lambda: format.name, lambda: format.description,
                             lambda: Decoder(format),
                             lambda: decoder.feed('x'),
                             lambda: list(chunks)]
                format.link = self

            def __del__(self):
                for use in self.uses:
                    try:
                        use()
                    except Exception as error:  # what is raised is dropped
                        self.said.append(str(error))

        for _ in range(20):
            format = toolwire.LoadedFormat(DESCRIPTION)
            Last(format, Decoder(format),
                 toolwire.stream_chunks(['Hi.'] * 9, format))
        del format
        gc.collect()
        self.assertTrue(Last.said)
        for sentence in Last.said:
            self.assertRegex(sentence,
                             '^the (LoadedFormat|Decoder|Writer) is closed$')


class Copies(Wrong):
    def test_no_object_is_copied(self):
        for name, make in OBJECTS.items():
            for way in (copy.copy, copy.deepcopy, pickle.dumps,
                        lambda one: pickle.dumps(one, 0)):
                with self.subTest(name=name), Memory() as memory:
                    one = make()
                    self.refused(TypeError, name + ' cannot be copied; make '
                                 'another one with the same options', way, one)
                    one.close()
                    one.close()
                    del one
                    gc.collect()
                    self.assertEqual(memory.blocks, 0)

    def test_what_is_no_object_of_the_librarys_is_copied(self):
        with Decoder('hermes') as decoder:
            event = list(decoder.feed('Hi'))[0]
        self.assertEqual(copy.deepcopy(event), event)
        self.assertEqual(pickle.loads(pickle.dumps(event)), event)


class Values(Wrong):
    def test_numbers(self):
        for value in 2**64 + 5, 2**63, -2**63 - 1, -1, 0, 10001:
            self.refused(ToolwireError, 'option limit_depth: the value %d is '
                         'out of its range' % value, Decoder, 'hermes',
                         limit_depth=value)
        for value in 1.5, 5.0, '5', True, [5], b'5':
            self.refused(TypeError, 'limit_depth must be an int, not '
                         + type(value).__name__, Decoder, 'hermes',
                         limit_depth=value)
        self.refused(TypeError, 'created must be an int, not float', Writer,
                     'chat', created=1.5e9)

        class Five:
            def __index__(self):
                return 5
        Decoder('hermes', limit_depth=Five(), limit_name=None).close()

    def test_flags(self):
        self.refused(ToolwireError, 'option recover_stripped does not take '
                     'True here', Decoder, 'hermes', recover_stripped=True)
        for value in 'yes', '1', '', 1.0, 2, -1, 2**64, b'', []:
            self.refused(TypeError, 'strict must be True or False, not %r'
                         % (value,), Decoder, 'hermes', strict=value)
        self.refused(TypeError, 'generation_prompt must be True or False',
                     toolwire.encode, {'messages': []}, 'hermes',
                     generation_prompt='no')
        for value in True, False, 1, 0, None:
            Decoder('hermes', strict=value).close()

    def test_texts(self):
        self.refused(TypeError, 'model must be str or bytes, not int',
                     Writer, 'chat', model=3)
        self.refused(TypeError, 'prompt must be str or bytes, not list',
                     Decoder, 'hermes', prompt=['x'])
        self.refused(ToolwireError, "option model does not take '\\ud800'",
                     Writer, 'chat', model='\ud800')
        self.refused(ToolwireError, 'option field does not take ', Converter,
                     'hermes', 'openai', field='text\0x')
        with Writer('chat', model='a\0b') as writer:
            line, = writer.event(Event('text', 0, b'', '', 0, 0, 0, 0))
            self.assertIn('"model":"a\\u0000b"', line)

    def test_words(self):
        for value in 'foo', 'content', '':
            self.refused(ValueError, "reasoning_key must be "
                         "'reasoning_content' or 'reasoning', not %r" % value,
                         toolwire.decode, 'x', 'hermes', reasoning_key=value)
        self.refused(TypeError, 'reasoning_key must be ', Writer, 'message',
                     reasoning_key=b'reasoning')
        self.refused(ValueError, "control_text must be 'reject', 'allow' or "
                     "'break', not 'maybe'", Encoder, 'hermes',
                     control_text='maybe')
        for name in 'control_text', 'loss':
            self.refused(TypeError, name + ' must be ', Encoder, 'hermes',
                         **{name: 1})
        self.refused(ValueError, "loss must be 'report', 'refuse' or "
                     "'ignore', not 'refused'", Converter, 'openai', 'hermes',
                     loss='refused')
        self.refused(ValueError, "shape must be 'message', 'chat', "
                     "'responses' or 'anthropic', not 'chunk'", Writer, 'chunk')
        for value in 'tool_calls', 'STOP':
            self.refused(ValueError, "finish must be 'unknown', 'stop' or 'length', not "
                         + repr(value), toolwire.decode, 'x', 'hermes',
                         finish=value)
            self.refused(ValueError, "reason must be 'unknown', 'stop' or 'length', not "
                         + repr(value), Decoder('hermes').finish, value)
        for value in None, 1, ['stop'], b'stop':
            self.refused(TypeError, "reason must be 'unknown', 'stop' or 'length', not ",
                         Decoder('hermes').finish, value)
            self.refused(TypeError, "finish must be 'unknown', 'stop' or 'length', not ",
                         Converter, 'hermes', 'openai', finish=value)

    def test_marks(self):
        with Decoder('hermes') as decoder:
            for value in 3, -1, 2**32 + 1, 2**64:
                self.refused(ValueError, 'mark must be Mark.UNKNOWN, Mark.TEXT'
                             ' or Mark.CONTROL, not %d' % value, decoder.feed,
                             'x', value)
            for value in 1.0, 'TEXT', True, None:
                self.refused(TypeError, 'mark must be Mark.UNKNOWN, Mark.TEXT '
                             'or Mark.CONTROL, not %r' % (value,),
                             decoder.feed, 'x', value)
            events = [*decoder.feed('<|im_end|>', 1),
                      *decoder.feed('call:a{}', Mark.UNKNOWN),
                      *decoder.finish()]
        self.assertEqual(''.join(event.text for event in events
                                 if event.kind == 'text'),
                         '<|im_end|>call:a{}')

    def test_chunk(self):
        for value in 1.5, '1', True:
            self.refused(TypeError, 'chunk must be an int, not ', Converter,
                         'hermes', 'openai', chunk=value)
        for value in -1, 2**64, 2**64 + 1:
            self.refused(ValueError, 'chunk must be from 0 to ', Converter,
                         'hermes', 'openai', chunk=value)

    def test_events(self):
        good = dict(kind='text', index=0, data=b'x', id='', code=0, flags=0,
                    offset=0, span=0)
        with Writer('message') as writer:
            for wrong in ({'index': 2**32 + 1}, {'code': -1},
                          {'flags': 2**32}, {'offset': 2**64}, {'span': -1},
                          {'span': 1.5}, {'kind': 'prose'}):
                self.refused(ValueError, 'not an event that a decoder '
                             'makes', writer.event, Event(**{**good, **wrong}))
            self.refused(TypeError, 'event must be an Event, not str',
                         writer.event, 'x')
            writer.event(Event(**good))
            line, = writer.event(Event(**{**good, 'kind': 'end', 'data': b'',
                                          'code': 1}))
        self.assertIn('"content":"x"', line)

    def test_formats(self):
        for function in (Decoder, Encoder,
                         lambda name: toolwire.decode('x', name),
                         lambda name: toolwire.encode({'messages': []}, name),
                         lambda name: toolwire.convert('{}', 'openai', name),
                         lambda name: toolwire.convert('{}', name, 'openai'),
                         lambda name: toolwire.stream_chunks([], name)):
            for name in None, 5, b'hermes', ['hermes']:
                self.refused(TypeError, 'the name of a format must be a str, '
                             'not ' + type(name).__name__, function, name)
            for name, guess in (('hermess', 'hermes'), ('Hermes', 'hermes'),
                                ('hermes/qvven3', 'hermes/qwen3'),
                                ('hermes\0x', 'hermes')):
                self.refused(ToolwireError, '%r; did you mean %r'
                             % (name, guess), function, name)
            self.refused(TypeError, 'for a description write LoadedFormat(',
                         function, pathlib.Path('mine.json'))
            self.refused(ToolwireError, 'write LoadedFormat(pathlib.Path('
                         "'mine.json'))", function, 'mine.json')
            self.refused(ToolwireError, "'x' (toolwire.formats() ", function,
                         'x')
        self.refused(ToolwireError, "did you mean 'sharegpt'?", Converter,
                     'share_gpt', 'openai')
        self.refused(ToolwireError, "did you mean 'message'?", Converter,
                     'hermes', 'mesage')


class Model:
    """As pydantic's: what it holds is given by model_dump()."""

    def __init__(self, **members):
        self.members = members

    def model_dump(self, *, mode, exclude_unset):
        assert mode == 'json' and exclude_unset
        return self.members


class Models(Wrong):
    def test_are_taken(self):
        plain = {'messages': [{'role': 'user', 'content': 'Hi'}],
                 'tools': [{'type': 'function', 'function': {'name': 'f'}}]}
        models = {'messages': [Model(**plain['messages'][0])],
                  'tools': [Model(**plain['tools'][0])]}
        self.assertEqual(toolwire.encode(models, 'hermes'),
                         toolwire.encode(plain, 'hermes'))
        self.assertEqual(toolwire.encode(Model(**models), 'hermes'),
                         toolwire.encode(plain, 'hermes'))
        Decoder('hermes', tools=models['tools']).close()

    def test_other_objects_are_not(self):
        self.refused(TypeError, 'Object of type object is not JSON',
                     toolwire.encode, {'messages': [object()]}, 'hermes')
        self.refused(ToolwireError, 'messages alone stand in {"messages":',
                     toolwire.encode, [{'role': 'user'}], 'hermes')


class Tools(Wrong):
    def test_a_name_alone(self):
        for function in (Decoder, lambda name, tools: Converter(
                name, 'message', tools=tools), lambda name, tools:
                toolwire.stream_chunks([], name, tools=tools)):
            for value in 'tide', b'tide', bytearray(b'tide'):
                self.refused(ToolwireError, "tools must be a list, not the "
                             "text 'tide'; for one tool of that name write "
                             "tools=['tide']", function, 'hermes',
                             tools=value)
            for value in {'name': 'tide'}, 5, True, (x for x in 'ab'), {'a'}:
                self.refused(TypeError, 'tools must be a list of tools, or '
                             'JSON text of one, not '
                             + type(value).__name__, function, 'hermes',
                             tools=value)
            self.refused(ToolwireError, 'TW_ERROR_JSON', function, 'hermes',
                         tools='[1')
            self.refused(ToolwireError, 'TW_ERROR_SCHEMA', function, 'hermes',
                         tools=[5])

    def test_lists(self):
        for tools in (['tide'], ('tide',), '["tide"]', b' ["tide"]',
                      [{'name': 'tide'}], [{'type': 'function', 'function': {
                          'name': 'tide'}}], '["other", "tide"]',
                      {'tools': [{'name': 'tide', 'inputSchema': {}}]}):
            message = toolwire.decode(CALL, 'hermes', tools=tools)
            self.assertNotIn('toolwire', message)
        for tools in [], '[]', ['other']:
            self.assertIn('undeclared_tool', str(toolwire.decode(
                CALL, 'hermes', tools=tools)))


    def test_what_is_said_of_a_call_has_its_path(self):
        tool = {'name': 'tide', 'parameters': {'required': ['port']}}
        with Converter('hermes', 'message', tools=[tool],
                       validate='report') as converter:
            converter.text('<tool_call>{"name": "tide", "arguments": {}}'
                           '</tool_call>')
            self.assertEqual(converter.diagnostics(),
                             [('missing_parameter', 0, 'port')])


    def test_where_a_whole_text_begins_is_found(self):
        message = toolwire.decode('Hm.</think>4 m.', 'hermes',
                                  start_reasoning='auto')
        self.assertEqual((message['reasoning_content'], message['content']),
                         ('Hm.', '4 m.'))
        with self.assertRaises(ToolwireError) as caught:
            Decoder('hermes', start_reasoning='auto')
        self.assertIn("does not take 'auto' here", str(caught.exception))
        with self.assertRaisesRegex(TypeError, "'auto'"):
            Decoder('hermes', start_reasoning='maybe')


# A value that each option takes of each format.
FINE = {**{name: False for name in (
    'strict', 'start_reasoning', 'calls_in_reasoning', 'recover_stripped',
    'keep_raw', 'framing', 'hold_calls', 'sse', 'reasoning_summary',
    'generation_prompt', 'python_numbers', 'unit_completion', 'join_chunks',
    'arguments_object', 'sampled_last', 'sampled_no_reasoning',
    'sampled_by_weight')}, **{name: 9 for name in (
        'first_call', 'limit_depth', 'limit_name', 'limit_arguments',
        'limit_calls', 'limit_input', 'created', 'choice')}, **{
            name: 'x' for name in (
                'call_id_prefix', 'id', 'model', 'field', 'finish_reason',
                'system_fingerprint', 'messages', 'stop_sequence',
                'prompt_field', 'finish_field', 'tool_choice')},
    'now': '2026-11-25T12:00:00',
    'custom_function': True,  # Anthropic's streams have no other
    'reasoning_key': 'reasoning', 'control_text': 'break', 'loss': 'ignore',
    'ids': 'map', 'untyped': 'json', 'validate': 'report', 'settings': {},
    'usage': {}}


class Options(Wrong):
    def taken(self, make):
        """What Python takes, and what the library does."""
        python, library = set(), set()
        for name, value in FINE.items():
            try:
                make(**{name: value}).close()
                python.add(name)
            except TypeError:
                pass
            with make() as one:
                option = _options.OPTIONS[name]
                data = option.take(name, value)
                if isinstance(data, bytes):
                    result = getattr(_library.lib, one._prefix + 'set_text')(
                        one._open(), option.number, data, len(data))
                else:
                    result = getattr(_library.lib, one._prefix + 'set')(
                        one._open(), option.number, data)
                if result == 0:
                    library.add(name)
        return python, library

    def test_each_takes_what_the_library_takes(self):
        self.assertEqual(set(FINE), set(_options.OPTIONS))
        for make in (lambda **options: Decoder('hermes', **options),
                     lambda **options: Encoder('hermes', **options),
                     lambda **options: Writer('chat', **options),
                     lambda **options: Writer('responses', **options),
                     lambda **options: Writer('anthropic', **options)):
            python, library = self.taken(make)
            self.assertEqual(python, library)
            self.assertTrue(python)
        # A message and a record have no place for these.
        chunks = {name for name, option in _options.OPTIONS.items()
                  if option.of in ('stream', 'dated', 'chat', 'responses')}
        python, library = self.taken(
            lambda **options: Writer('message', **options))
        self.assertEqual(python, library - chunks)
        for source, target in (
                ('hermes', 'message'), ('hermes', 'report'),
                ('hermes', 'openai'), ('hermes', 'hermes/nous'),
                ('openai', 'sharegpt'), ('openai', 'hermes')):
            with self.subTest(source=source, target=target):
                python, library = self.taken(lambda **options: Converter(
                    source, target, **options))
                self.assertEqual(python, library - chunks)
                self.assertIn('field', python)

    def test_a_guess(self):
        for sentence, function in (
                ("a Decoder takes no option 'limit_dept'; did you mean "
                 "'limit_depth'?",
                 lambda: Decoder('hermes', limit_dept=3)),
                ("a Decoder takes no option 'tool'; did you mean 'tools'?",
                 lambda: Decoder('hermes', tool=[])),
                ("an Encoder takes no option 'control_txt'; did you mean "
                 "'control_text'?",
                 lambda: toolwire.encode({}, 'hermes', control_txt='allow')),
                ("stream_chunks() takes no option 'modell'; did you mean "
                 "'model'?",
                 lambda: toolwire.stream_chunks([], 'hermes', modell='m')),
                ("decode() takes no option 'prompts'; did you mean 'prompt'?",
                 lambda: toolwire.decode('', 'hermes', prompts='')),
                ("a Converter from 'openai' to 'hermes' takes no option "
                 "'controltext'; did you mean 'control_text'?",
                 lambda: toolwire.convert({}, 'openai', 'hermes',
                                          controltext='allow'))):
            self.refused(TypeError, sentence, function)

    def test_only_its_own_are_listed(self):
        decoder = ('call_id_prefix, calls_in_reasoning, first_call, framing, '
                   'keep_raw, limit_arguments, limit_calls, limit_depth, '
                   'limit_input, limit_name, prompt, recover_stripped, '
                   'start_reasoning, strict, tool_choice, tools, untyped, '
                   'validate')
        self.refused(TypeError, "a Decoder takes no option 'zzz' (options: "
                     + decoder + ')', Decoder, 'hermes', zzz=1)
        self.refused(TypeError, "an Encoder takes no option 'strict' "
                     '(options: control_text, generation_prompt, ids, loss, now, '
                     'python_numbers, sampled_by_weight, sampled_last, '
                     'sampled_no_reasoning, settings)', Encoder, 'hermes',
                     strict=True)
        self.refused(TypeError, '(options: custom_function, hold_calls, '
                     'reasoning_key)', Writer, 'message', model='m')
        for name in 'control_text', 'model', 'field', 'unit_completion':
            with self.assertRaises(TypeError) as caught:
                toolwire.decode('x', 'hermes', **{name: 'x'})
            listed = str(caught.exception).split('options: ')[1]
            listed = listed.rstrip(')').split(', ')
            self.assertEqual(listed, sorted(
                decoder.split(', ') + ['chunk', 'custom_function', 'finish',
                                       'hold_calls', 'reasoning_key']))
        for name in 'unit_completion', 'field':
            self.refused(TypeError, 'decode_transcript() takes no option',
                         toolwire.decode_transcript, '', 'hermes',
                         **{name: True})
        self.refused(TypeError, "a Converter from 'openai' to 'sharegpt' "
                     "takes no option 'strict' (options: arguments_object, "
                     'field, ids, loss, messages, tools, unit_completion, '
                     'validate, wire)',
                     Converter, 'openai', 'sharegpt', strict=True)


class Pieces(Wrong):
    def test_all_is_looked_at_at_the_call(self):
        for function, pieces in ((toolwire.stream_chunks, ['x']),
                                 (toolwire.astream_chunks, delayed(['x']))):
            for kind, wrong in (
                    (ToolwireError, {'format': 'hermess'}),
                    (TypeError, {'format': None}),
                    (TypeError, {'nonsense': 1}),
                    (TypeError, {'strict': 'yes'}),
                    (TypeError, {'created': 1.5}),
                    (ToolwireError, {'limit_depth': 0}),
                    (ToolwireError, {'tools': 'tide'}),
                    (TypeError, {'prompt': 5}),
                    (ValueError, {'finish': 'tool_calls'}),
                    (TypeError, {'finish': None})):
                with self.subTest(wrong=wrong), Memory() as memory:
                    self.refused(kind, '', function, pieces,
                                 **{'format': 'hermes', **wrong})
                    gc.collect()
                    self.assertEqual(memory.blocks, 0)

    def test_one_text_is_no_list_of_pieces(self):
        for text in 'Hi.', b'Hi.', bytearray(b'Hi.'), memoryview(b'Hi.'):
            for function in toolwire.stream_chunks, toolwire.astream_chunks:
                self.refused(TypeError, 'pieces must be an iterable of '
                             'pieces, not one %s, which would be fed letter by '
                             'letter; for one piece write [text]'
                             % type(text).__name__, function, text, 'hermes')

    def test_the_other_kind_of_iterable(self):
        self.refused(TypeError, 'pieces is an async iterable: use '
                     'astream_chunks()',
                     toolwire.stream_chunks, delayed(['x']), 'hermes')
        self.refused(TypeError, 'pieces is no async iterable: use '
                     'stream_chunks()', toolwire.astream_chunks, ['x'],
                     'hermes')
        for function in toolwire.stream_chunks, toolwire.astream_chunks:
            self.refused(TypeError, 'pieces must be an ', function, 5,
                         'hermes')

    def test_pieces_that_are_none(self):
        for piece, sentence in (
                (None, 'text must be str or bytes, not NoneType'),
                (('a', Mark.TEXT, 'b'), 'a piece is text or (text, Mark)'),
                (('a',), 'a piece is text or (text, Mark)'),
                (('a', 'TEXT'), 'mark must be Mark.UNKNOWN')):
            with Memory() as memory:
                stream = toolwire.stream_chunks(['x', piece], 'hermes')
                self.assertEqual(next(stream)['object'],
                                 'chat.completion.chunk')
                self.refused(TypeError, sentence, list, stream)
                del stream
                gc.collect()
                self.assertEqual(memory.blocks, 0)

    def test_a_finish_that_comes_late(self):
        stream = toolwire.stream_chunks([], 'hermes', finish=lambda: 'eos')
        self.refused(ValueError, "finish must be 'unknown', 'stop' or 'length', not "
                     "'eos'", list, stream)

    def test_a_stream_that_nobody_reads_is_freed(self):
        for function, pieces in ((toolwire.stream_chunks, ['x']),
                                 (toolwire.astream_chunks, delayed(['x']))):
            with Memory() as memory:
                stream = function(pieces, 'hermes')
                self.assertGreater(memory.blocks, 0)
                del stream
                gc.collect()
                self.assertEqual(memory.blocks, 0)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('use: edges_test.py FOLDER_OF_CASES')
    warnings.simplefilter('error')
    unittest.main(argv=sys.argv[:1])
