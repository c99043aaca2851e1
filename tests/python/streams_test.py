#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The installed package toolwire: the streams of three APIs.

Use: streams_test.py FOLDER_OF_CASES
"""
import asyncio
import json
import sys
import unittest
import warnings

import toolwire
from binding_test import CALL, Memory, cut, input_of, options_of, read_cases
from toolwire import ToolwireError, Writer

APIS = 'chat', 'responses', 'anthropic'


class Streams(unittest.TestCase):
    def test_streams_of_each_api(self):
        pieces = ['<think>Where?</think>Hi.', CALL]
        want = toolwire.decode(''.join(pieces), 'hermes')
        call, = want['tool_calls']
        options = {'model': 'm', 'hold_calls': True}
        events = list(toolwire.stream_chunks(pieces, 'hermes', api='responses',
                                             **options))
        output = events[-1]['response']['output']
        self.assertEqual([event['sequence_number'] for event in events],
                         list(range(len(events))))
        self.assertEqual(
            (output[0]['content'][0]['text'], output[1]['content'][0]['text'],
             output[2]['arguments'], output[2]['call_id']),
            (want['reasoning_content'], want['content'],
             call['function']['arguments'], call['id']))
        events = list(toolwire.stream_chunks(pieces, 'hermes', api='anthropic',
                                             **options))
        deltas = [event['delta'] for event in events
                  if event['type'] == 'content_block_delta']
        self.assertEqual(
            [''.join(delta.get(key, '') for delta in deltas)
             for key in ('thinking', 'text', 'partial_json')],
            [want['reasoning_content'], want['content'],
             call['function']['arguments']])
        self.assertEqual(events[-2]['delta']['stop_reason'], 'tool_use')
        self.assertRaises(ValueError, toolwire.stream_chunks, pieces, 'hermes',
                          api='openai')
        self.assertRaises(TypeError, toolwire.stream_chunks, pieces, 'hermes',
                          api='anthropic', choice=1)
        self.assertRaises(TypeError, toolwire.stream_chunks, pieces, 'hermes',
                          sse='yes')

    def test_frames_of_server_sent_events(self):
        pieces = ['Hi.', CALL]
        for api, last in (('chat', 'data: [DONE]\n\n'),
                          ('responses', None), ('anthropic', None)):
            frames = list(toolwire.stream_chunks(pieces, 'hermes', api=api,
                                                 sse=True))
            objects = [json.loads(frame.split('data: ')[1])
                       for frame in frames if frame != last]
            self.assertEqual(objects, list(toolwire.stream_chunks(
                pieces, 'hermes', api=api)))
            self.assertTrue(all(frame.endswith('\n\n') for frame in frames))
            if last:
                self.assertEqual(frames[-1], last)
            else:
                self.assertEqual([frame.split('\n')[0] for frame in frames],
                                 ['event: ' + one['type'] for one in objects])

        async def read(source):
            async def pieces_of():
                for piece in source:
                    yield piece
            return [frame async for frame in toolwire.astream_chunks(
                pieces_of(), 'hermes', sse=True)]

        self.assertEqual(asyncio.run(read(pieces)), list(
            toolwire.stream_chunks(pieces, 'hermes', sse=True)))

    def test_frames_end_with_an_error(self):
        frames = []
        said = []
        with self.assertRaises(ToolwireError):
            for frame in toolwire.stream_chunks(
                    ['Hi.', 'more than that'], 'hermes', sse=True,
                    error_event=True, diagnostics=said, limit_input=4):
                frames.append(frame)
        self.assertIn('"content":"Hi."', ''.join(frames))
        self.assertIn('"error":', frames[-1])
        self.assertTrue(frames[-1].startswith('data: '))

    def test_a_stream_breaks_off(self):
        error = ToolwireError(-10, 'too long', 7)
        for shape, name in (('chat', ''), ('responses', 'response.failed'),
                            ('anthropic', 'error')):
            with Writer(shape, sse=True) as writer:
                lines = writer.fail(error)
                self.assertIn('"message":"too long"', lines[-1])
                self.assertTrue(lines[-1].startswith(
                    'event: %s\ndata: ' % name if name else 'data: '))
                self.assertTrue(all(line.endswith('\n\n') for line in lines))
                self.assertRaises(ToolwireError, writer.fail, error)
                writer.reset()
                self.assertRaises(TypeError, writer.fail, 5)
                for other in ValueError('/home/x'), KeyError('x'), OSError():
                    lines = writer.fail(other)
                    self.assertIn('"message":"the model\'s output broke '
                                  'off"', lines[-1])
                    writer.reset()
                self.assertIn('"message":"gone"', writer.fail('gone')[-1])
        with Writer('message') as writer:
            self.assertRaises(ToolwireError, writer.fail, error)
        with Writer('chat') as writer:
            self.assertEqual(writer.fail('gone')[-1],
                             '{"error":{"code":"server_error","offset":0,'
                             '"message":"gone"}}')

    def test_an_error_names_what_deviates(self):
        tools = [{'name': 'f', 'parameters': {'required': ['a']}}]
        with self.assertRaises(ToolwireError) as caught:
            toolwire.decode('<tool_call>{"name":"f","arguments":{}}'
                            '</tool_call>', 'hermes', tools=tools,
                            validate='refuse')
        self.assertIn('missing_parameter: a: ', str(caught.exception))
        with Writer('chat') as writer:
            self.assertIn('"diagnostic":"missing_parameter","path":"a"',
                          writer.fail(caught.exception)[-1])

    def test_what_is_known_at_the_end(self):
        known = {}
        def pieces():
            yield 'Hi.'
            known.update(usage={'total_tokens': 3}, why='content_filter')
        chunks = list(toolwire.stream_chunks(
            pieces(), 'hermes', usage=lambda: known['usage'],
            finish_reason=lambda: known['why']))
        self.assertEqual(chunks[-1]['usage'], {'total_tokens': 3})
        self.assertEqual(chunks[-2]['choices'][0]['finish_reason'],
                         'content_filter')
        with Writer('chat') as writer:
            self.assertRaises(TypeError, writer.update, model='m')

    def test_an_exception_is_the_last_event(self):
        def pieces():
            yield 'Hi.'
            raise OSError('/home/secret/engine.py: CUDA')
        broke = "the model's output broke off"
        for api in APIS:
            for event, said in ((True, broke), (str, '/home/secret/engine.py: '
                                                'CUDA'),
                                (lambda error: 'try again', 'try again'),
                                (lambda error: error, broke)):
                for function in plain, waited_for:
                    found, error = function(pieces(), 'hermes', api=api,
                                            error_event=event)
                    self.assertIs(type(error), OSError)
                    self.assertEqual(message_of(found[-1]), said)
            found, error = plain(pieces(), 'hermes', api=api)
            self.assertIs(type(error), OSError)
            self.assertNotIn('broke off', str(found))
        found, error = plain(['Hi.' * 9], 'hermes', error_event=True,
                             limit_input=9)
        self.assertEqual(message_of(found[-1]), error.message)
        for wrong in 'gone', 1, None:
            with self.assertRaisesRegex(TypeError, 'error_event must be True, '
                                        'False or a function'):
                toolwire.stream_chunks([], 'hermes', error_event=wrong)
        found, error = plain(pieces(), 'hermes', error_event=lambda error: 5)
        self.assertRegex(str(error), 'error must be an exception or a str, ')


def plain(pieces, format, **options):
    """The chunks of a stream, and its exception."""
    found = []
    try:
        for chunk in toolwire.stream_chunks(pieces, format, **options):
            found.append(chunk)
    except Exception as error:
        return found, error
    return found, None


def waited_for(pieces, format, **options):
    """The same of astream_chunks()."""
    async def given():
        for piece in pieces:
            await asyncio.sleep(0)
            yield piece

    async def gather(found):
        async for chunk in toolwire.astream_chunks(given(), format,
                                                   **options):
            found.append(chunk)
    found = []
    try:
        asyncio.run(gather(found))
    except Exception as error:
        return found, error
    return found, None


def message_of(event):
    """What the event of an error says, of any API."""
    event = event.get('response', event)
    return event['error']['message']


class Diagnostics(unittest.TestCase):
    TOOLS = [{'name': 'tide', 'parameters': {'type': 'object', 'properties': {
        'day': {'type': 'integer', 'minimum': 1}}}}]
    TEXT = ('<tool_call>{"name": "tide", "arguments": {"day": 0,}}</tool_call>'
            '<tool_call>{"name": "other", "arguments": {}}')
    SAID = ['trailing_comma', 'parameter_range', 'undeclared_tool',
            'missing_call_close']

    def test_of_each_api(self):
        for api in APIS:
            for function in plain, waited_for:
                said = []
                _, error = function(
                    cut(self.TEXT, 7), 'hermes', api=api, tools=self.TOOLS,
                    validate='report', diagnostics=said)
                self.assertIsNone(error)
                self.assertEqual([one.name for one in said], self.SAID)
                self.assertEqual(said[1].about, 'day')
                self.assertIs(type(said[1]), toolwire.Found)

    def test_they_come_with_the_chunks_of_their_piece(self):
        said, seen = [], {}
        for chunk in toolwire.stream_chunks(
                cut(self.TEXT, 1), 'hermes', tools=self.TOOLS,
                validate='report', diagnostics=said):
            seen.setdefault(len(said), str(chunk))
        self.assertGreater(len(seen), 2)
        self.assertNotIn('other', seen[sorted(seen)[1]])

    def test_they_come_in_front_of_an_error(self):
        said = []
        _, error = plain(cut(self.TEXT, 5), 'hermes', diagnostics=said,
                         limit_input=70)
        self.assertEqual(error.name, 'TW_ERROR_LIMIT')
        self.assertEqual([one.name for one in said], ['trailing_comma'])

    def test_they_are_those_of_a_converter(self):
        count = 0
        for case, _ in read_cases('decode'):
            data, options = input_of(case), options_of(case)
            with toolwire.Converter(case['format'], 'message',
                                    **options) as converter:
                converter.text(data)
                wanted = converter.diagnostics()
            said = []
            plain(cut(data, 5), case['format'], diagnostics=said,
                  **{'finish': 'unknown', **options})
            self.assertEqual(said, wanted, case['id'])
            count += len(said)
        self.assertGreater(count, 200)

    def test_what_is_no_list(self):
        for wrong in (), {}, True, print:
            for function, pieces in ((toolwire.stream_chunks, ['x']),
                                     (toolwire.astream_chunks, AsyncSource())):
                with self.assertRaisesRegex(TypeError,
                                            'diagnostics must be a list, not'):
                    function(pieces, 'hermes', diagnostics=wrong)


class Source:
    """Pieces of an engine that must learn that nobody wants more."""

    def __init__(self, count=9, error=None):
        self.count, self.error, self.closed = count, error, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.count -= 1
        if self.count < 0:
            raise self.error or StopIteration
        return 'word '

    def close(self):
        self.closed += 1


class AsyncSource(Source):
    __aiter__ = Source.__iter__

    async def __anext__(self):
        await asyncio.sleep(0)
        try:
            return self.__next__()
        except StopIteration:
            raise StopAsyncIteration from None

    async def aclose(self):
        await asyncio.sleep(0)
        self.closed += 1


class Sources(unittest.TestCase):
    """The source is closed where it is not read to its end."""

    def test_a_generator_runs_its_finally(self):
        ended = []

        def pieces():
            try:
                while True:
                    yield 'word '
            finally:
                ended.append(True)
        held = pieces()  # no other reference ends it
        stream = toolwire.stream_chunks(held, 'hermes')
        next(stream)
        self.assertFalse(ended)
        stream.close()
        self.assertTrue(ended)

    def test_the_plain_loop(self):
        for count, options, closed in ((2, {}, 0), (9, {'limit_input': 9}, 1)):
            source = Source(count)
            plain(source, 'hermes', **options)
            self.assertEqual(source.closed, closed)
        # It is closed before the client is told, who may be slow.
        source, seen = Source(), []
        with self.assertRaises(ToolwireError):
            for chunk in toolwire.stream_chunks(
                    source, 'hermes', limit_input=9, error_event=True):
                seen.append((source.closed, 'error' in chunk))
        self.assertEqual(seen[-1], (1, True))

    def test_asyncio(self):
        async def read(source, **options):
            async for _ in toolwire.astream_chunks(source, 'hermes',
                                                   **options):
                pass

        async def left(source):
            stream = toolwire.astream_chunks(source, 'hermes')
            await stream.__anext__()
            await stream.aclose()
            self.assertEqual(source.closed, 1)

        async def cancelled_as_it_waits(ended):
            async def hang():
                try:
                    yield 'Hi.'
                    await asyncio.sleep(60)
                finally:
                    ended.append(True)
            task = asyncio.ensure_future(read(hang()))
            await asyncio.sleep(0.01)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertTrue(ended)
        source = AsyncSource(2)
        asyncio.run(read(source))
        self.assertEqual(source.closed, 0)
        asyncio.run(left(AsyncSource()))
        asyncio.run(cancelled_as_it_waits([]))

    @unittest.skipUnless(sys.implementation.name == 'cpython',
                         'SKIPPED: others free later what nobody refers to')
    def test_a_loop_that_is_left(self):
        source = Source()
        for _ in toolwire.stream_chunks(source, 'hermes'):
            break
        self.assertEqual(source.closed, 1)

        async def broken(source):
            async for _ in toolwire.astream_chunks(source, 'hermes'):
                break
            for _ in range(9):
                await asyncio.sleep(0)
            self.assertEqual(source.closed, 1)

        async def cancelled(source):
            async def send():
                async for _ in toolwire.astream_chunks(source, 'hermes'):
                    await asyncio.sleep(60)  # a client that does not read
            task = asyncio.ensure_future(send())
            await asyncio.sleep(0.01)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            del task
            for _ in range(9):
                await asyncio.sleep(0)
            self.assertEqual(source.closed, 1)
        for tried in broken, cancelled:
            asyncio.run(tried(AsyncSource()))

    def test_the_decoder_is_freed_though_the_source_cannot_be_closed(self):
        class Stuck(Source):
            def close(self):
                raise OSError('stuck')
        with Memory() as memory:
            stream = toolwire.stream_chunks(Stuck(), 'hermes')
            next(stream)
            with self.assertRaisesRegex(OSError, 'stuck'):
                stream.close()
            self.assertEqual(memory.blocks, 0)


class NotGiven(unittest.TestCase):
    def test_an_option_that_is_none_is_not_given(self):
        for api in 'chat', 'responses', 'anthropic':
            self.assertEqual(
                list(toolwire.stream_chunks(
                    ['Hi.'], 'hermes', api=api, created=None, choice=None,
                    reasoning_summary=None, loss=None)),
                list(toolwire.stream_chunks(['Hi.'], 'hermes', api=api)))
        with self.assertRaises(TypeError):
            toolwire.stream_chunks([], 'hermes', nonsense=None)

    def test_the_first_choice_is_taken_everywhere(self):
        for api in 'chat', 'responses', 'anthropic':
            self.assertEqual(
                list(toolwire.stream_chunks(['Hi.'], 'hermes', api=api,
                                            choice=0)),
                list(toolwire.stream_chunks(['Hi.'], 'hermes', api=api)))
        with self.assertRaises(TypeError):
            toolwire.stream_chunks([], 'hermes', api='anthropic', choice=1)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('use: streams_test.py FOLDER_OF_CASES')
    warnings.simplefilter('error')
    unittest.main(argv=sys.argv[:1])
