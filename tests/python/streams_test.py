#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The installed package toolwire: the streams of three APIs.

Use: streams_test.py FOLDER_OF_CASES
"""
import asyncio
import sys
import unittest
import warnings

import toolwire
from binding_test import CALL
from toolwire import ToolwireError, Writer


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
                          sse=True)

    def test_a_stream_breaks_off(self):
        error = ToolwireError(-10, 'too long', 7)
        for shape, name in (('chunks', ''), ('responses', 'response.failed'),
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
                lines = writer.fail(ValueError('gone'))
                self.assertIn('"message":"gone"', lines[-1])
                writer.reset()
                self.assertIn('"message":"gone"', writer.fail('gone')[-1])
        with Writer('message') as writer:
            self.assertRaises(ToolwireError, writer.fail, error)
        with Writer('chunks') as writer:
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
        with Writer('chunks') as writer:
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
        with Writer('chunks') as writer:
            self.assertRaises(TypeError, writer.update, model='m')

    def test_an_exception_is_the_last_event(self):
        def pieces():
            yield 'Hi.'
            raise OSError('engine died')

        async def apieces():
            for piece in pieces():
                yield piece

        async def gather(found):
            async for chunk in toolwire.astream_chunks(
                    apieces(), 'hermes', api='anthropic', error_event=True):
                found.append(chunk)
        found = []
        with self.assertRaises(OSError):
            for chunk in toolwire.stream_chunks(pieces(), 'hermes',
                                                error_event=True):
                found.append(chunk)
        self.assertEqual(found[-1]['error']['message'], 'engine died')
        found = []
        with self.assertRaises(OSError):
            asyncio.run(gather(found))
        self.assertEqual(found[-1]['type'], 'error')
        found = []
        with self.assertRaises(OSError):
            for chunk in toolwire.stream_chunks(pieces(), 'hermes'):
                found.append(chunk)
        self.assertNotIn('error', found[-1])


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('use: streams_test.py FOLDER_OF_CASES')
    warnings.simplefilter('error')
    unittest.main(argv=sys.argv[:1])
