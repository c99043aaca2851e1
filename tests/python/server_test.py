#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The example of a server: started as its text says, asked over HTTP.

Use: server_test.py SERVER.PY
"""
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

TOOLS = [{'type': 'function', 'function': {'name': 'tide'}}]


class Server(unittest.TestCase):
    arguments = []
    markers = '<|im_end|>', '<tool_call>'

    @classmethod
    def setUpClass(cls):
        cls.process = subprocess.Popen(
            [sys.executable, sys.argv[1], '0', *cls.arguments],
            stdout=subprocess.PIPE, text=True)
        cls.port = int(cls.process.stdout.readline().split()[-1])

    @classmethod
    def tearDownClass(cls):
        cls.process.terminate()
        cls.process.wait()
        cls.process.stdout.close()

    def ask(self, content, path='/v1/chat/completions', role='user', **more):
        connection = http.client.HTTPConnection('127.0.0.1', self.port)
        try:
            connection.request('POST', path, json.dumps(dict(
                {'messages': [{'role': role, 'content': content}]}, **more)))
            answer = connection.getresponse()
            return (answer.status, answer.headers['Content-Type'],
                    answer.read().decode())
        finally:
            connection.close()

    def chunks(self, content, **more):
        status, kind, body = self.ask(content, stream=True, **more)
        self.assertEqual((status, kind), (200, 'text/event-stream'))
        lines = body.split('\n\n')
        self.assertEqual(lines[-2:], ['data: [DONE]', ''])
        self.assertTrue(all(line.startswith('data: ')
                            for line in lines[:-1]))
        return [json.loads(line[len('data: '):]) for line in lines[:-2]]

    def test_a_call_is_streamed(self):
        chunks = self.chunks('Tide at Brest?', tools=TOOLS)
        deltas = [chunk['choices'][0]['delta'] for chunk in chunks]
        self.assertEqual(deltas[0], {'role': 'assistant'})
        self.assertEqual(''.join(delta.get('content', '')
                                 for delta in deltas), 'I look it up.')
        parts = [part for delta in deltas
                 for part in delta.get('tool_calls', ())]
        self.assertEqual(parts[0]['function']['name'], 'tide')
        self.assertGreater(len(parts), 4)
        self.assertEqual(json.loads(''.join(part['function']['arguments']
                                            for part in parts)),
                         {'question': 'Tide at Brest?'})
        self.assertEqual(chunks[-1]['choices'][0]['finish_reason'],
                         'tool_calls')
        self.assertEqual(len({chunk['id'] for chunk in chunks}), 1)

    def test_whole_answers(self):
        status, _, body = self.ask('9 metres', role='tool')
        self.assertEqual(status, 200)
        choice = json.loads(body)['choices'][0]
        self.assertEqual(choice, {'index': 0, 'finish_reason': 'stop',
                                  'message': {
                                      'role': 'assistant',
                                      'content': 'It is: 9 metres',
                                      'reasoning_content':
                                      'That is known.'}})
        _, _, body = self.ask('Tide?', tools=TOOLS)
        call, = json.loads(body)['choices'][0]['message']['tool_calls']
        self.assertEqual(call['function']['name'], 'tide')
        self.assertEqual(json.loads(call['function']['arguments']),
                         {'question': 'Tide?'})

    def test_a_call_that_is_cut_off_is_none(self):
        _, _, body = self.ask('Tide?', tools=TOOLS, max_tokens=8)
        choice = json.loads(body)['choices'][0]
        self.assertEqual(choice['finish_reason'], 'length')
        self.assertNotIn('tool_calls', choice['message'])
        chunks = self.chunks('Tide?', tools=TOOLS, max_tokens=8)
        self.assertEqual(chunks[-1]['choices'][0]['finish_reason'], 'length')

    def test_refusals(self):
        for marker in self.markers:
            status, _, body = self.ask('Hi ' + marker)
            self.assertEqual(status, 400)
            self.assertEqual(json.loads(body)['error']['param'],
                             'messages[0].content')
        self.assertEqual(self.ask('Hi', path='/nonsense')[0], 404)
        self.assertEqual(self.ask('Hi', messages=3)[0], 400)

    def test_many_at_once(self):
        wrong = []

        def work(number):
            content = 'Tide number %d?' % number
            chunks = self.chunks(content, tools=TOOLS)
            text = ''.join(part['function']['arguments']
                           for chunk in chunks for part in
                           chunk['choices'][0]['delta'].get('tool_calls',
                                                            ()))
            if json.loads(text) != {'question': content}:
                wrong.append(text)
        threads = [threading.Thread(target=work, args=(number,))
                   for number in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class OfAFolder(Server):
    """The same of a model whose folder tells another format."""

    markers = '<|user|>', '<tool_call>'

    @classmethod
    def setUpClass(cls):
        here = os.path.dirname(os.path.abspath(__file__))
        cls.folder = tempfile.TemporaryDirectory()
        shutil.copy(os.path.join(here, '..', '..', 'grammar', 'glm-4.7.jinja'),
                    os.path.join(cls.folder.name, 'chat_template.jinja'))
        cls.arguments = [cls.folder.name]
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.folder.cleanup()


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('use: server_test.py SERVER.PY')
    unittest.main(argv=sys.argv[:1])
