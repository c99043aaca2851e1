#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""In asyncio as in a loop, with the installed package toolwire.

Use: asyncio_test.py FOLDER_OF_CASES
"""
import asyncio
import sys
import unittest
import warnings

import toolwire
from binding_test import CALL, Memory, cut, input_of, options_of, read_cases
from edges_test import TEXT, Wrong, delayed
from toolwire import Mark, ToolwireError


async def collect(stream):
    return [chunk async for chunk in stream]


class Asynchronous(Wrong):
    def test_chunks_are_those_of_the_plain_one(self):
        count = 0
        for case, _ in read_cases('decode'):
            with self.subTest(case=case['id']):
                pieces = cut(input_of(case), 7)
                options = dict(options_of(case), model='m', created=5,
                               hold_calls=count % 2 == 1)
                self.assertEqual(
                    asyncio.run(collect(toolwire.astream_chunks(
                        delayed(pieces), case['format'], **options))),
                    list(toolwire.stream_chunks(pieces, case['format'],
                                                **options)))
                count += 1
        self.assertGreater(count, 280)

    def test_marks_prompts_and_ends(self):
        pieces = ['Hm.\n</think>\n\nYes. ', ('<tool_call>', Mark.TEXT), b'!']
        ended = []

        def finish():
            ended.append(True)
            return 'length'
        named = dict(prompt='<|im_start|>assistant\n<think>\n', tools=['a'],
                     finish=finish, reasoning_key='reasoning')
        chunks = asyncio.run(collect(toolwire.astream_chunks(
            delayed(pieces), 'hermes', **named)))
        self.assertEqual(chunks, list(toolwire.stream_chunks(
            pieces, 'hermes', **named)))
        self.assertEqual(len(ended), 2)
        self.assertEqual(chunks[-1]['choices'][0]['finish_reason'], 'length')
        self.assertIn('Hm.', [chunk['choices'][0]['delta'].get('reasoning')
                              for chunk in chunks])

    def test_chunks_come_as_soon_as_their_pieces(self):
        async def tried():
            given = asyncio.Queue()

            async def pieces():
                while True:
                    piece = await given.get()
                    if piece is None:
                        return
                    yield piece
            stream = toolwire.astream_chunks(pieces(), 'hermes')
            for word in 'one ', 'two ', 'three ':
                given.put_nowait(word + 'x')
                got = ''
                while word not in got:
                    chunk = await asyncio.wait_for(stream.__anext__(), 600)
                    got += chunk['choices'][0]['delta'].get('content', '')
            given.put_nowait(None)
            return await collect(stream)
        last = asyncio.run(tried())[-1]
        self.assertEqual(last['choices'][0]['finish_reason'], 'stop')

    def test_cancellation_frees_the_decoder(self):
        async def hang():
            yield 'Hello'
            await asyncio.sleep(60)

        async def tried(memory):
            stream = toolwire.astream_chunks(hang(), 'hermes')
            task = asyncio.ensure_future(collect(stream))
            while memory.blocks == 0:
                await asyncio.sleep(0)
            await asyncio.sleep(0.01)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            # At once, though |stream| is still there.
            self.assertEqual(memory.blocks, 0)
            with self.assertRaises(StopAsyncIteration):
                await stream.__anext__()
        with Memory() as memory:
            asyncio.run(tried(memory))

    def test_a_client_that_goes_away(self):
        async def tried(memory):
            stream = toolwire.astream_chunks(delayed(['a. ', 'b. ']), 'hermes')
            await stream.__anext__()
            self.assertGreater(memory.blocks, 0)
            await stream.aclose()
            self.assertEqual(memory.blocks, 0)
        with Memory() as memory:
            asyncio.run(tried(memory))

    def test_errors_come_through(self):
        class Gone(Exception):
            pass

        async def failing():
            yield TEXT
            raise Gone('away')

        async def tried(pieces, **options):
            got = []
            try:
                async for chunk in toolwire.astream_chunks(
                        pieces, 'hermes', **options):
                    got.append(chunk)
            except (Gone, ToolwireError, TypeError, ValueError) as error:
                return got, error
            return got, None
        bad = ['Hi. ', '<tool_call>{"name": "a", "arguments": {"x": 1,}}']
        for pieces, options, kind in (
                (failing(), {}, Gone),
                (delayed(bad), {'strict': True}, ToolwireError),
                (delayed(['x', None]), {}, TypeError),
                (delayed(['x']), {'finish': lambda: 'eos'}, ValueError)):
            with self.subTest(kind=kind), Memory() as memory:
                got, error = asyncio.run(tried(pieces, **options))
                self.assertIs(type(error), kind)
                self.assertGreater(len(got), 1)
                self.assertEqual(memory.blocks, 0)

    def test_many_at_once(self):
        wanted = list(toolwire.stream_chunks(cut(TEXT, 3), 'hermes'))

        async def tried():
            return await asyncio.gather(*[
                collect(toolwire.astream_chunks(delayed(cut(TEXT, 3)),
                                                'hermes'))
                for _ in range(50)])
        self.assertTrue(all(got == wanted for got in asyncio.run(tried())))


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('use: asyncio_test.py FOLDER_OF_CASES')
    warnings.simplefilter('error')
    unittest.main(argv=sys.argv[:1])
