#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The installed package toolwire: the conformance cases, and what toolwire.h
promises, seen from Python.

Use: binding_test.py FOLDER_OF_CASES
"""
import ctypes
import gc
import glob
import json
import os
import sys
import threading
import unittest
import warnings

import conformance
import toolwire
import toolwire_client
from toolwire import Decoder, Encoder, Mark, ToolwireError, Writer, _library

CALL = '<tool_call>\n{"name": "tide", "arguments": {"at": "Brest"}}\n' \
       '</tool_call>'
ALIKE = {'text', 'reasoning', 'call_arguments', 'framing'}


def read_cases(kind):
    for path in sorted(glob.glob(os.path.join(sys.argv[1],
                                              kind + '-*.jsonl'))):
        with open(path, encoding='utf-8') as file:
            for line in file:
                yield json.loads(line), line


def input_of(case):
    return (bytes.fromhex(case['input_hex']) if 'input_hex' in case
            else case['input'].encode('utf-8', 'surrogatepass'))


def options_of(case):
    options = case.get('options', {})
    made = {'tools': options.get('tools')}
    if options.get('start') == 'reasoning':
        made['start_reasoning'] = True
    if options.get('recover_stripped'):
        made['recover_stripped'] = True
    if case['class'] == 'truncated':
        made['finish'] = 'length'
    return made


def plain(event):
    """As the client that is there for tests has it."""
    return (event.kind, event.index or 0, event.code, event.flags,
            event.data, event.id.encode(), event.offset, event.span)


def merged(events):
    return toolwire_client.merge([plain(event) for event in events])


def events_of(format, pieces, finish='stop', **options):
    with Decoder(format, **options) as decoder:
        events = []
        for piece in pieces:
            events += decoder.feed(piece)
        return events + list(decoder.finish(finish))


def cut(data, size):
    return [data[i:i + size] for i in range(0, len(data), size)] or [data]


def message_of_chunks(chunks):
    """Put together as a client does."""
    message = {'content': '', 'reasoning': '', 'calls': []}
    for chunk in chunks:
        delta = chunk['choices'][0]['delta']
        message['content'] += delta.get('content', '')
        message['reasoning'] += delta.get('reasoning_content', '')
        for part in delta.get('tool_calls', ()):
            if part['index'] == len(message['calls']):
                message['calls'].append('')
            message['calls'][part['index']] += part['function']['arguments']
    return message


DESCRIPTION = {'format': 1, 'name': 'mine',
               'call': '<do>{name}<with>{arguments}</do>'}


class Loaded(unittest.TestCase):
    """Formats from descriptions."""
    TEXT = 'Hi.<do>tide<with>{"at": "Brest"}</do>'

    def test_stands_for_a_name(self):
        format = toolwire.LoadedFormat(DESCRIPTION)
        self.assertEqual(format.name, 'mine')
        message = toolwire.decode(self.TEXT, format)
        self.assertEqual(message['content'], 'Hi.')
        self.assertEqual(toolwire.encode_completion(message, format),
                         self.TEXT)
        chunks = list(toolwire.stream_chunks([self.TEXT], format))
        self.assertEqual(chunks[-1]['choices'][0]['finish_reason'],
                         'tool_calls')
        again = toolwire.LoadedFormat(format.description)
        self.assertEqual(again.description, format.description)
        record = toolwire.convert({'messages': [message]}, 'openai', again,
                                  unit_completion=True)
        self.assertEqual(record['text'], self.TEXT)

    def test_outlives_what_is_made_of_it(self):
        decoder = Decoder(toolwire.LoadedFormat(DESCRIPTION))
        gc.collect()
        self.assertEqual([event.kind for event in decoder.feed('Hi.')],
                         ['text'])

    def test_says_what_is_wrong(self):
        with self.assertRaises(ToolwireError) as caught:
            toolwire.LoadedFormat('{"format":1,"call":"<c>{nme}"}')
        self.assertEqual(caught.exception.message,
                         'call: 3: {nme} is no hole here')


class Cases(unittest.TestCase):
    def test_decode(self):
        count = 0
        for case, _ in read_cases('decode'):
            with self.subTest(case=case['id']):
                count += 1
                data, options = input_of(case), options_of(case)
                whole = merged(events_of(case['format'], [data], **options))
                self.assertEqual(list(conformance.differences(case, whole)),
                                 [])
                for size in conformance.SIZES:
                    self.assertEqual(merged(events_of(
                        case['format'], cut(data, size), **options)), whole)
        self.assertGreater(count, 280)

    def test_decode_as_message_and_as_chunks(self):
        for case, _ in read_cases('decode'):
            with self.subTest(case=case['id']):
                data, options = input_of(case), options_of(case)
                expect = case['expect']
                message = toolwire.decode(data, case['format'],
                                          custom_function=True, **options)
                calls = [call['function']['arguments']
                         for call in message.get('tool_calls', ())]
                for text, one in zip(calls, expect.get('tool_calls') or []):
                    if one.get('arguments') is not None:
                        self.assertTrue(conformance.same(
                            conformance.parse(text), one['arguments']))
                self.assertEqual(
                    len(message.get('toolwire', {}).get('unparsed', ())),
                    expect.get('unparsed', 0))
                for pieces in [data], cut(data, 3):
                    got = message_of_chunks(toolwire.stream_chunks(
                        pieces, case['format'], hold_calls=True, **options))
                    self.assertEqual(got, {
                        'content': message['content'] or '',
                        'reasoning': message.get('reasoning_content', ''),
                        'calls': calls})

    def test_encode(self):
        count = 0
        for case, line in read_cases('encode'):
            with self.subTest(case=case['id']):
                count += 1
                # As it stands in the file: its numbers keep their spelling.
                begin = line.index('"request": ') + len('"request": ')
                end = json.JSONDecoder().raw_decode(line, begin)[1]
                request = line[begin:end]
                with Encoder(case['format'], **case.get('options', {})
                             ) as encoder:
                    if case['class'] == 'unsafe':
                        with self.assertRaises(ToolwireError) as caught:
                            encoder.encode(request)
                        self.assertIn(caught.exception.name, (
                            'TW_ERROR_CONTROL_TEXT',
                            'TW_ERROR_CANNOT_CARRY'))
                        self.assertTrue(caught.exception.path)
                        continue
                    text = encoder.encode(request)
                    self.assertEqual(text, case['expect_text'])
                    pieces = encoder.segments(request)
                    self.assertEqual(''.join(one.text for one in pieces),
                                     text)
                    markers = {marker.text for one in toolwire.formats()
                               for marker in one.markers}
                    self.assertTrue(all(one.text in markers
                                        for one in pieces if one.control))
                if case['class'] == 'unsafe':
                    self.assertEqual(toolwire.encode(
                        request, case['format'], control_text='allow'),
                        case['expect_text'])
        self.assertGreater(count, 100)

    def test_unsafe_requests_are_written_if_allowed(self):
        for case, line in read_cases('encode'):
            if case['class'] == 'unsafe':
                with self.subTest(case=case['id']):
                    self.assertEqual(toolwire.encode(
                        case['request'], case['format'],
                        control_text='allow'), case['expect_text'])


class Events(unittest.TestCase):
    def test_fields(self):
        events = events_of('hermes', ['Hi.\n' + CALL], keep_raw=True)
        self.assertEqual([event.kind for event in events
                          if event.kind != 'call_arguments'],
                         ['text', 'call_begin', 'call_end', 'end'])
        text, begin = events[0], events[1]
        self.assertEqual((text.text, text.data, text.offset, text.span),
                         ('Hi.', b'Hi.', 0, 3))
        self.assertEqual((begin.text, begin.id, begin.index, begin.custom),
                         ('tide', 'call_0', 0, False))
        self.assertEqual(events[-2].status, 'complete')
        self.assertEqual((events[-1].status, events[-1].offset),
                         ('stop', len('Hi.\n' + CALL)))
        with self.assertRaises(AttributeError):
            text.span = 1

    def test_what_is_wrong_has_a_name(self):
        text = '<tool_call>{"name": "a", "arguments": {"x": 1,}}' \
               '</tool_call><tool_call>{"name": "b"'
        events = events_of('hermes', [text], 'length', tools=['b'],
                           keep_raw=True)
        found = {event.status: event for event in events
                 if event.kind in ('diagnostic', 'unparsed')}
        self.assertEqual(set(found), {'trailing_comma', 'truncated_call',
                                      'undeclared_tool'})
        self.assertTrue(found['undeclared_tool'].warning)
        self.assertFalse(found['trailing_comma'].warning)
        block, = [event for event in events if event.kind == 'unparsed']
        self.assertIsNone(block.index)
        self.assertEqual(block.data, b'<tool_call>{"name": "b"')
        self.assertEqual(events[-1].status, 'length')

    def test_marks(self):
        marker = 'a<|im_end|>b'
        events = []
        with Decoder('hermes') as decoder:
            events += decoder.feed(marker, Mark.TEXT)
            with self.assertRaises(ToolwireError) as caught:
                decoder.feed('no marker', Mark.CONTROL)
            self.assertEqual(caught.exception.name, 'TW_ERROR_ARGUMENT')
            events += decoder.feed('<tool_call>', Mark.CONTROL)
            events += decoder.feed('{"name": "b", "arguments": {}}',
                                   Mark.TEXT)
            events += decoder.feed('</tool_call>', Mark.CONTROL)
            events += decoder.finish()
        self.assertEqual([event.text for event in events
                          if event.kind == 'call_begin'], ['b'])
        self.assertEqual(''.join(event.text for event in events
                                 if event.kind == 'text'), marker)

    def test_events_are_copies(self):
        decoder = Decoder('hermes')
        first = list(decoder.feed(bytearray(b'Hello, ' * 9)))
        piece = bytearray(CALL.encode())
        events = list(decoder.feed(memoryview(piece)))
        piece[:] = b'\0' * len(piece)
        decoder.close()
        del decoder
        gc.collect()
        self.assertEqual(first[0].text[:7], 'Hello, ')
        self.assertEqual(''.join(event.text for event in events
                                 if event.kind == 'call_arguments'),
                         '{"at": "Brest"}')

    def test_events_that_are_not_taken_come_later(self):
        with Decoder('hermes') as decoder:
            decoder.feed('one ')
            decoder.feed('two')
            decoder.finish()
            self.assertEqual(''.join(event.text for event in decoder),
                             'one two')
            decoder.feed  # still open
            with self.assertRaises(ToolwireError) as caught:
                decoder.feed('three')
            self.assertEqual(caught.exception.name, 'TW_ERROR_STATE')
            decoder.reset()
            self.assertEqual([event.text for event in decoder.feed('four')],
                             ['four'])

    def test_errors_come_behind_the_events_before_them(self):
        text = 'Hi. <tool_call>{"name": "a", "arguments": {"x": 1,}}'
        with Decoder('hermes', strict=True) as decoder:
            kinds = []
            with self.assertRaises(ToolwireError) as caught:
                for event in decoder.feed(text):
                    kinds.append(event.kind)
            self.assertEqual(kinds[:2], ['text', 'call_begin'])
            error = caught.exception
            self.assertEqual((error.name, error.detail, error.code),
                             ('TW_ERROR_DEVIATION', 'trailing_comma', -11))
            self.assertEqual(error.offset, text.index(',}'))
            self.assertIn('TW_ERROR_DEVIATION at', str(error))
            decoder.feed('x')
            self.assertRaises(ToolwireError, next, decoder)
            decoder.feed('x')
            self.assertRaises(ToolwireError, decoder.feed, 'x')

    def test_limit(self):
        with Decoder('hermes', limit_input=5) as decoder:
            self.assertEqual(len(list(decoder.feed('12345'))), 1)
            decoder.feed('6')
            with self.assertRaises(ToolwireError) as caught:
                list(decoder)
            self.assertEqual(caught.exception.name, 'TW_ERROR_LIMIT')

    def test_wrong_use(self):
        self.assertRaises(TypeError, Decoder, 'hermes', nonsense=1)
        self.assertRaises(ToolwireError, Decoder, 'nonsense')
        self.assertRaises(ToolwireError, Decoder, 'hermes', limit_depth=-1)
        with self.assertRaises(ToolwireError) as caught:
            Decoder('hermes', tools='[1')
        self.assertEqual(caught.exception.name, 'TW_ERROR_JSON')
        decoder = Decoder('hermes')
        self.assertRaises(TypeError, decoder.feed, 3)
        self.assertRaises(ValueError, decoder.finish, 'nonsense')
        decoder.close()
        decoder.close()
        self.assertRaises(ValueError, decoder.feed, 'x')
        self.assertRaises(ValueError, decoder.__enter__)
        self.assertRaises(ValueError, Writer, 'nonsense')

    def test_prompt(self):
        with Decoder('hermes', prompt='<|im_start|>assistant\n<think>\n'
                     ) as decoder:
            events = list(decoder.feed('Hm.\n</think>\n\nYes.'))
            events += decoder.finish()
        self.assertEqual([(event.kind, event.text) for event in events[:2]],
                         [('reasoning', 'Hm.'), ('text', 'Yes.')])

    def test_lone_surrogates_are_replaced(self):
        events = events_of('hermes', ['a\ud800b'])
        text = ''.join(event.text for event in events
                       if event.kind == 'text')
        self.assertEqual(text.strip('ab\ufffd'), '')
        self.assertIn('\ufffd', text)
        self.assertIn('invalid_utf8', [event.status for event in events])

    def test_writer(self):
        with Writer('message', reasoning_key='reasoning') as writer:
            lines = []
            for _ in range(2):
                for event in events_of('hermes', ['<think>\na\n</think>\nb',
                                                  CALL]):
                    lines += writer.event(event)
                self.assertRaises(ToolwireError, writer.event, event)
                writer.reset()
        self.assertEqual(lines[0], lines[1])
        message = json.loads(lines[0])
        self.assertEqual((message['content'], message['reasoning']),
                         ('b', 'a'))
        self.assertEqual(message['tool_calls'][0]['function'],
                         {'name': 'tide', 'arguments': '{"at": "Brest"}'})


class Whole(unittest.TestCase):
    def test_numbers_keep_their_digits(self):
        arguments = '{"a": 12345678901234567890.10, "b": 1e400, "c": -0.0}'
        text = '<tool_call>{"name":"f","arguments":%s}</tool_call>' % (
            arguments)
        message = toolwire.decode(text, 'hermes')
        function = message['tool_calls'][0]['function']
        self.assertEqual(function['arguments'], arguments)
        self.assertEqual(toolwire.decode(
            toolwire.encode_completion(message, 'hermes'), 'hermes'),
            message)
        record = '{"messages":[{"role":"user","content":"x"}],"n":1.50e1}'
        self.assertIn('"n":1.50e1', toolwire.convert(record, 'openai',
                                                     'anthropic'))

    def test_wire_text_in_records(self):
        record = {'conversations': [{'from': 'gpt', 'value': CALL}]}
        made = toolwire.convert(record, 'sharegpt', 'openai', wire='hermes',
                                call_id_prefix='x')
        call = made['messages'][0]['tool_calls'][0]
        self.assertEqual(call['id'], 'x0')
        self.assertEqual(
            toolwire.decode(CALL, 'hermes')['tool_calls'][0]['function'],
            call['function'])
        with self.assertRaises(toolwire.ToolwireError):
            toolwire.convert(record, 'hermes', 'openai', wire='hermes')
        with self.assertRaises(TypeError):
            toolwire.convert(record, 'sharegpt', 'openai', strict=True)

    def test_decode_options(self):
        text = CALL[:-15]
        self.assertEqual(toolwire.decode(text, 'hermes')['content'], None)
        self.assertEqual(toolwire.decode(
            'x' + CALL, 'hermes', call_id_prefix='id-', first_call=7,
            chunk=1)['tool_calls'][0]['id'], 'id-7')

    def test_transcripts(self):
        request = {'messages': [{'role': 'user', 'content': 'Tide? \u00e9'},
                                {'role': 'assistant', 'content': 'Low.'}]}
        wire = toolwire.encode(request, 'hermes')
        self.assertEqual(toolwire.decode_transcript(wire, 'hermes'), request)

    def test_requests(self):
        request = {'messages': [{'role': 'user', 'content': 'Hi <|im_end|>'}]}
        with self.assertRaises(ToolwireError) as caught:
            toolwire.encode(request, 'hermes')
        error = caught.exception
        self.assertEqual((error.name, error.path, error.offset),
                         ('TW_ERROR_CONTROL_TEXT', 'messages[0].content', 3))
        self.assertIn('\u200b', toolwire.encode(request, 'hermes',
                                                control_text='break'))
        request = {'messages': [{'role': 'user', 'content': 'Hi'}]}
        self.assertTrue(toolwire.encode(
            request, 'hermes', generation_prompt=True
        ).endswith('<|im_start|>assistant\n'))
        self.assertEqual(toolwire.encode_segments(request, 'hermes'), [
            (True, '<|im_start|>'), (False, 'user\nHi'),
            (True, '<|im_end|>'), (False, '\n')])
        self.assertIn('</think>', toolwire.encode(
            request, 'hermes', generation_prompt=True,
            settings={'enable_thinking': False}))
        with self.assertRaises(ToolwireError) as caught:
            toolwire.encode('{"messages": [}', 'hermes')
        self.assertEqual((caught.exception.name, caught.exception.offset),
                         ('TW_ERROR_JSON', 14))
        self.assertRaises(ValueError, toolwire.encode,
                          {'messages': [], 'x': float('nan')}, 'hermes')

    def test_reports(self):
        request = {'messages': [
            {'role': 'user', 'content': 'Hi'},
            {'role': 'assistant', 'content': None, 'tool_calls': [
                {'id': 'odd', 'type': 'function', 'function': {
                    'name': 'f', 'arguments': '{}'}}]}]}
        with Encoder('hermes') as encoder:
            encoder.encode(request)
            report, = [one for one in encoder.report()
                       if one.path.endswith('.id')]
            self.assertEqual(report.kind, 'loss')
            self.assertEqual(report.path, 'messages[1].tool_calls[0].id')
        with toolwire.Converter('openai', 'hermes') as converter:
            converter.record(request)
            self.assertIn(report.path,
                          [one.path for one in converter.report()])

    def test_records(self):
        with toolwire.Converter('hermes', 'message', strict=False,
                                field='out') as converter:
            line = converter.record({'out': CALL[:-13]})
            self.assertEqual(json.loads(line)['tool_calls'][0]['id'],
                             'call_0')
            self.assertEqual([one.name for one in converter.diagnostics()],
                             ['missing_call_close'])
            self.assertRaises(ToolwireError, converter.record, {'text': ''})
            converter.record({'out': '<tool_call>{"name":"a"'})
            self.assertEqual(converter.unparsed(), 1)
            self.assertIsNone(converter.shape())
        with toolwire.Converter('auto', 'openai') as converter:
            self.assertRaises(ToolwireError, converter.record, {
                'custom_id': 'a', 'response': None, 'error': {'code': 'late'}})
            self.assertEqual(converter.shape(), 'batch')
            self.assertEqual(converter.identity(), {
                'custom_id': 'a', 'request_error': {'code': 'late'}})
            self.assertRaises(ToolwireError, converter.record, 'no')
            self.assertEqual(converter.identity(), {})
        for record in ('{"messages":[{"role":"user","content":"x"}]}',
                       b'{"messages":[{"role":"user","content":"x"}]}',
                       {'messages': [{'role': 'user', 'content': 'x'}]}):
            out = toolwire.convert(record, 'openai', 'sharegpt')
            self.assertIs(type(out), type(record))
            parsed = out if isinstance(out, dict) else json.loads(out)
            self.assertEqual(parsed['conversations'],
                             [{'from': 'human', 'value': 'x'}])
        self.assertRaises(ToolwireError, toolwire.Converter, 'openai',
                          'message')
        self.assertRaises(ToolwireError, toolwire.Converter, 'x', 'openai')

    def test_stream_chunks(self):
        chunks = list(toolwire.stream_chunks(
            iter(['Hi', ('<|im_end|>', Mark.TEXT), b'!']), 'hermes',
            id='a', model='m', created=5, finish=lambda: 'length'))
        self.assertEqual(message_of_chunks(chunks)['content'],
                         'Hi<|im_end|>!')
        self.assertTrue(all((chunk['id'], chunk['model'], chunk['created'])
                            == ('a', 'm', 5) for chunk in chunks))
        self.assertEqual([chunk['choices'][0]['finish_reason']
                          for chunk in chunks][-1], 'length')

    def test_tables(self):
        formats = {one.name: one for one in toolwire.formats()}
        self.assertIn('hermes/qwen3', formats)
        self.assertTrue(formats['hermes/qwen3'].prompts)
        self.assertFalse(all(one.prompts for one in formats.values()))
        stops = {one.text for one in formats['hermes/qwen3'].markers
                 if one.stop}
        self.assertIn('<|im_end|>', stops)
        self.assertNotIn('<tool_call>', stops)
        marker, = [one for one in formats['hermes/qwen3'].markers
                   if one.text == '<tool_call>']
        self.assertEqual((marker.role, marker.token, marker.decoded),
                         ('call_open', True, True))
        self.assertTrue(marker.literal)
        found = {one.name: one for one in toolwire.diagnostics()}
        self.assertEqual(found['trailing_comma'].code, 6)
        self.assertTrue(found['undeclared_tool'].warning)


# ---- memory and threads ----------------------------------------------------

RESIZE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
                          ctypes.c_size_t, ctypes.c_size_t)


class Allocator(ctypes.Structure):
    _fields_ = [('resize', RESIZE), ('context', ctypes.c_void_p)]


class Memory:
    """Counts the library's blocks, and spoils those that are freed; the
    |fails|-th allocation fails."""

    def __init__(self, fails=0):
        libc = ctypes.CDLL(None)
        libc.realloc.restype = ctypes.c_void_p
        libc.realloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        libc.free.argtypes = [ctypes.c_void_p]
        self.blocks = self.allocations = 0

        def resize(_, pointer, old_size, new_size):
            if new_size == 0:
                if pointer is not None:
                    self.blocks -= 1
                    ctypes.memset(pointer, 0xdd, old_size)
                libc.free(pointer)
                return None
            self.allocations += 1
            if self.allocations == fails:
                return None
            self.blocks += pointer is None
            return libc.realloc(pointer, new_size)
        self.keep = RESIZE(resize)
        self.structure = Allocator(self.keep, None)

    def __enter__(self):
        _library.allocator = ctypes.byref(self.structure)
        return self

    def __exit__(self, *_):
        _library.allocator = None


def all_of_it():
    """What allocates, and what comes of it."""
    message = toolwire.decode('<think>\na\n</think>\nb' + CALL, 'hermes',
                              tools=['tide'])
    return [message, *toolwire.stream_chunks(
        cut('b' + CALL, 9), 'hermes', model='m',
        prompt='<|im_start|>assistant\n'), toolwire.encode(
            {'messages': [{'role': 'user', 'content': 'x'}, message]},
            'hermes', settings={'a': 1}),
        toolwire.encode_segments({'messages': []}, 'hermes'),
        toolwire.convert({'messages': [message]}, 'openai', 'sharegpt')]


class Resources(unittest.TestCase):
    def test_everything_is_freed(self):
        with Memory() as memory:
            all_of_it()
            self.assertEqual(memory.blocks, 0)
            decoder = Decoder('hermes', tools=['a'])
            decoder.feed('x')
            self.assertGreater(memory.blocks, 0)
            del decoder
            gc.collect()
            self.assertEqual(memory.blocks, 0)
            stream = toolwire.stream_chunks(['a', 'b'], 'hermes')
            next(stream)
            stream.close()
            self.assertEqual(memory.blocks, 0)
            for wrong in ({'tools': '['}, {'nonsense': 1},
                          {'limit_depth': -1}):
                self.assertRaises((ToolwireError, TypeError), Decoder,
                                  'hermes', **wrong)
            gc.collect()
            self.assertEqual(memory.blocks, 0)

    def test_every_failed_allocation_is_a_memory_error(self):
        with Memory() as memory:
            wanted = all_of_it()
        errors = 0
        for fails in range(1, memory.allocations + 1):
            with self.subTest(fails=fails), Memory(fails) as failing:
                try:
                    # Some room is only asked for in advance.
                    self.assertEqual(all_of_it(), wanted)
                except MemoryError:
                    errors += 1
                gc.collect()
                self.assertEqual(failing.blocks, 0)
        self.assertGreater(errors, memory.allocations * 9 // 10)

    def test_many_decoders_in_many_threads(self):
        text = ('Hello. ' + CALL) * 5
        wanted = merged(events_of('hermes', [text]))
        wrong = []

        def work(size):
            for _ in range(5):
                if merged(events_of('hermes', cut(text, size))) != wanted:
                    wrong.append(size)
        threads = [threading.Thread(target=work, args=(size,))
                   for size in range(1, 9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_one_decoder_in_many_threads_is_no_crash(self):
        decoder = Decoder('hermes')
        taken = []

        def work():
            for _ in range(300):
                decoder.feed('a. ')
                taken.extend(decoder)
        threads = [threading.Thread(target=work) for _ in range(4)]
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(interval)
        taken += decoder.finish()
        self.assertEqual(sum(event.span for event in taken), 4 * 300 * 3)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('use: binding_test.py FOLDER_OF_CASES')
    warnings.simplefilter('error')
    unittest.main(argv=sys.argv[:1])
