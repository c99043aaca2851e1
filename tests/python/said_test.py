#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The installed package toolwire: what it says, of losses and of slips.

Use: said_test.py FOLDER_OF_CASES
"""
import inspect
import os
import pathlib
import sys
import unittest
import warnings

import toolwire
from toolwire import Converter, Decoder, ToolwireError, Writer, _options
from toolwire._decoder import WRITER
from toolwire._options import OPTIONS

USER = {'messages': [{'role': 'user', 'content': 'a <|im_end|>'}]}


async def late():
    return {}


def rows(kind):
    """An option, and what the table of its docstring says of it."""
    for line in inspect.getdoc(kind).split('\n'):
        words = line.split()
        if line.startswith(' ' * 4) and words and words[0] in OPTIONS:
            yield words[0], line[24:]


class Tables(unittest.TestCase):
    """The docstrings list the options that are taken, with their defaults."""

    def test_writers(self):
        listed = dict(rows(Writer))
        self.assertEqual(set(listed), {name for known in WRITER.values()
                                       for name in known})
        for shape, known in WRITER.items():
            self.assertEqual(
                {name for name in listed if shape[0] in listed[name][:7]},
                set(known))
        for shape in 'chat', 'responses', 'anthropic':
            with Writer(shape, **{name: value for name, value in (
                    ('created', 0), ('choice', 0), ('hold_calls', False),
                    ('reasoning_key', 'reasoning_content'),
                    ('model', 'toolwire'), ('custom_function', True))
                    if name in WRITER[shape]}) as given, \
                    Writer(shape) as bare, Decoder('hermes') as decoder:
                for event in [*decoder.feed('<think>a</think>b'),
                              *decoder.finish()]:
                    self.assertEqual(bare.event(event), given.event(event))

    def test_decoders(self):
        listed = dict(rows(Decoder))
        self.assertEqual(set(listed), set(_options.names('decoder')))
        for name, limit in (('limit_depth', 128), ('limit_name', 256),
                            ('limit_arguments', 16777216),
                            ('limit_calls', 1024)):
            self.assertTrue(listed[name].startswith(str(limit)))
        call = '<tool_call>{"name": "%s", "arguments": {"a": %s}}</tool_call>'
        for text, fits in ((call % ('n' * 256, 1), True),
                           (call % ('n' * 257, 1), False),
                           (call % ('n', '[' * 127 + ']' * 127), True),
                           (call % ('n', '[' * 128 + ']' * 128), False)):
            self.assertEqual('tool_calls' in toolwire.decode(text, 'hermes'),
                             fits)


class Slips(unittest.TestCase):
    """The sentence names what is wrong, in words of Python's."""

    def refused(self, kind, sentence, function, *arguments, **named):
        with self.assertRaises(kind) as caught:
            function(*arguments, **named)
        self.assertIn(sentence, str(caught.exception))
        return str(caught.exception)

    def test_names_of_formats_and_shapes(self):
        for function in toolwire.decode, toolwire.decode_transcript:
            for name in 'openaj', 'sharegtp':
                said = self.refused(ToolwireError, 'there is no format %r '
                                    '(toolwire.formats() lists them)' % name,
                                    function, 'x', name)
        self.refused(ToolwireError, "'openai'; it is a shape of records, which "
                     'convert() takes', toolwire.decode, 'x', 'openai')
        self.refused(ToolwireError, 'the text or request stands first',
                     toolwire.decode, 'hermes', 'Hi <b>')
        for name in 'codex', 'auto':
            self.refused(ToolwireError, 'no way leads from openai to %s, which '
                         'is read only' % name, Converter, 'openai', name)
        said = self.refused(
            ToolwireError, "there is no format or shape 'sharegtp'; did you "
            "mean 'sharegpt'? (toolwire.formats() and toolwire.shapes() list "
            'them)', toolwire.convert, {}, 'openai', 'sharegtp')
        self.refused(ToolwireError, "did you mean 'sharegpt'?",
                     toolwire.convert, {}, 'openai', 'ShareGPT')
        self.refused(ValueError, "did you mean 'chat'?", Writer, 'chunks')
        self.refused(ValueError, "did you mean 'anthropic'?",
                     lambda: list(toolwire.stream_chunks(
                         ['x'], 'hermes', api='messages')))
        for word in 'mended', 'fix':
            self.refused(ValueError, "did you mean 'mend'?", toolwire.decode,
                         'x', 'hermes', validate=word)
        for word, meant in (('start', 'start_reasoning'), ('join',
                            'join_chunks'), ('custom', 'custom_function')):
            self.refused(TypeError, 'did you mean %r?' % meant,
                         toolwire.stream_chunks, ['x'], 'hermes', **{word: 1})
        self.refused(ValueError, "did you mean 'stop'?", toolwire.decode, 'x',
                     'hermes', finish='tool_calls')
        # No shape becomes a message.
        said = self.refused(ToolwireError, "'mesage'", Converter, 'openai',
                            'mesage')
        self.assertNotIn("'message'", said)
        self.refused(ToolwireError, 'for a file write LoadedFormat('
                     "pathlib.Path('mine.json'))", toolwire.LoadedFormat,
                     'mine.json')

    def test_what_is_no_record(self):
        for record in ['{}'], 5, None, ():
            self.refused(TypeError, 'a record must be a dict or JSON text, not '
                         + type(record).__name__, toolwire.convert, record,
                         'openai', 'sharegpt')

    def test_advice_is_pythons(self):
        bare = next(one.name for one in toolwire.formats() if not one.prompts)
        for function in (lambda: toolwire.encode(USER, bare),
                         lambda: toolwire.convert(USER, 'openai', bare)):
            said = self.refused(ToolwireError, 'encode_completion() writes it',
                                function)
            self.assertNotIn('--', said)
        with Converter('hermes', 'sharegpt') as converter:
            said = self.refused(ToolwireError, '(unit_completion=True)',
                                converter.text, 'Hi.')
            self.assertNotIn('--', said)
        self.refused(ToolwireError, "a marker of the format (control_text="
                     "'break' parts it, 'allow' writes it)", toolwire.encode,
                     USER, 'hermes')

    def test_what_belongs_elsewhere(self):
        asks = {'messages': [{'role': 'user', 'content': 'Hi.'}]}
        self.refused(TypeError, 'the request has its "tools"',
                     toolwire.encode, asks, 'hermes', tools=[])
        self.refused(TypeError, 'settings={"enable_thinking": ...} sets it',
                     toolwire.encode, asks, 'hermes', enable_thinking=True)
        self.refused(TypeError, "or the name of a tool, not {'type'",
                     toolwire.decode, 'x', 'hermes',
                     tool_choice={'type': 'function'})
        self.refused(TypeError, 'or the name of a tool', toolwire.decode, 'x',
                     'hermes', tool_choice='{"type":"function"}')
        self.refused(TypeError, 'for one tool write tools=[...]',
                     toolwire.decode, 'x', 'hermes', tools={'name': 'tide'})
        self.refused(TypeError, "''.join(...) makes one of pieces",
                     toolwire.decode, ['a', 'b'], 'hermes')
        self.refused(TypeError, "a piece without text is ''",
                     lambda: list(toolwire.stream_chunks([None], 'hermes')))
        self.refused(TypeError, "['choices'][0]['delta']['content']",
                     lambda: list(toolwire.stream_chunks([{}], 'hermes')))
        self.refused(TypeError, '.read_bytes()', toolwire.decode,
                     pathlib.Path('log'), 'hermes')
        self.refused(TypeError, "finish='stop' or 'length'", toolwire.decode,
                     'x', 'hermes', finish_reason='stop')
        for function in (lambda: toolwire.encode('hermes', asks),
                         lambda: toolwire.grammar('hermes', ['tide'])):
            self.refused(TypeError, 'the format behind it', function)
        self.refused(TypeError, "of a tokenizer it is the chat_template",
                     toolwire.Template, None)
        self.refused(ToolwireError, 'Template(pathlib.Path(',
                     toolwire.decode, 'x', os.curdir)
        self.refused(TypeError, "where nobody says it, 'unknown'",
                     lambda: list(toolwire.stream_chunks(['x'], 'hermes',
                                                         finish=None)))
        self.refused(TypeError, 'convert each',
                     toolwire.convert, [{}], 'openai', 'anthropic')
        self.refused(AttributeError, "did you mean 'stream_chunks'?",
                     lambda: toolwire.stream)
        self.refused(TypeError, "choice= takes what the request's",
                     lambda: toolwire.grammar([], 'hermes', tool_choice='auto'))
        self.refused(TypeError, "did you mean 'parallel'",
                     lambda: toolwire.grammar([], 'hermes',
                                              parallel_tool_calls=False))
        self.refused(ToolwireError, 'none of that name',
                     lambda: toolwire.Template('x', name='tool_use'))
        self.refused(ToolwireError, 'write Template(pathlib.Path(...))',
                     toolwire.Template, os.curdir)
        self.refused(ToolwireError, 'write Template(pathlib.Path(...))',
                     toolwire.Template, 'chat_template.jinja')
        self.refused(ToolwireError, "of the shape sharegpt (source 'sharegpt')",
                     toolwire.convert, {'conversations': [
                         {'from': 'human', 'value': 'Hi.'}]}, 'openai',
                     'anthropic')
        with Decoder('hermes') as decoder:
            list(decoder.finish())
            self.refused(ToolwireError, 'reset() begins the next',
                         lambda: list(decoder.feed('x')))

    def test_what_comes_late(self):
        for value, kind, sentence in (
                ([1], ToolwireError, 'option usage must be a JSON object'),
                (late, TypeError, 'usage must be a dict or JSON text, not '
                 'function'),
                ({'a': late}, TypeError, 'usage: ')):
            for made in (lambda: Writer('chat', usage=value),
                         lambda: list(toolwire.stream_chunks(
                             ['x'], 'hermes', usage=lambda: value))):
                self.refused(kind, sentence, made)
        waiting = late()
        self.refused(TypeError, 'usage must be a dict or JSON text, not '
                     'coroutine', list, toolwire.stream_chunks(
                         ['x'], 'hermes', usage=lambda: waiting))
        waiting.close()

    def test_options_of_something_else(self):
        said = self.refused(TypeError, "takes no option 'reasoning_summary' "
                            '(options: ', toolwire.stream_chunks, ['x'],
                            'hermes', reasoning_summary=True)
        self.refused(TypeError, "stream_chunks() of 'anthropic' takes no "
                     "option 'created'", toolwire.stream_chunks, ['x'],
                     'hermes', api='anthropic', created=1)
        with Writer('chat') as writer:
            self.refused(TypeError, "takes no option 'modle' (options: "
                         'finish_reason, usage)', writer.update, modle='x')
            self.refused(TypeError, 'model is known at the beginning',
                         writer.update, model='x')
        with Writer('message') as writer:
            said = self.refused(TypeError, "update() of a Writer of 'message' "
                                'takes no option', writer.update, usage={})
            self.assertIn('(options: none)', said)
            self.refused(ToolwireError, 'a message has no event of an error',
                         writer.fail, 'x')

    def test_a_stream_that_has_ended(self):
        ended = 'the stream has ended; reset() begins the next'
        with Writer('chat') as writer, Decoder('hermes') as decoder:
            events = [*decoder.feed('x'), *decoder.finish()]
            for event in events:
                writer.event(event)
            self.refused(ToolwireError, 'the stream has ended, or',
                         writer.event, event)
            for _ in range(2):
                self.refused(ToolwireError, ended, writer.update, usage={})
                self.refused(ToolwireError, ended, writer.fail, 'x')
                writer.reset()
                writer.fail('x')


class Losses(unittest.TestCase):
    """What is lost is said, also by the functions of one line."""

    LOSING = {'messages': [{'role': 'assistant', 'content': 'a',
                            'refusal': 'no', 'weight': 0}]}
    FINE = {'messages': [{'role': 'user', 'content': 'a', 'name': 'b'}]}

    def both(self, request, **options):
        yield lambda: toolwire.encode(request, 'hermes', **options)
        yield lambda: toolwire.encode_segments(request, 'hermes', **options)
        yield lambda: toolwire.convert(request, 'openai', 'hermes', **options)

    def test_a_warning(self):
        for function in self.both(self.LOSING):
            with self.assertWarnsRegex(
                    toolwire.LossWarning,
                    r'the first of 1: messages\[0\]\.refusal: refusal_dropped'):
                function()

    def test_a_request_of_another_api(self):
        request = {'system': 'Be kind.', 'messages': [
            {'role': 'user', 'content': 'a'}], 'tools': [
                {'name': 'f', 'input_schema': {}}]}
        for function in list(self.both(request))[:2]:
            with self.assertWarnsRegex(toolwire.LossWarning,
                                       'the first of 2: system: content_drop'):
                function()
        with self.assertRaisesRegex(ToolwireError, 'system: .* convert the '
                                    'request first'):
            toolwire.encode(request, 'hermes', loss='refuse')
        found = []
        toolwire.encode({'messages': []}, 'hermes', report=found,
                        settings={'enable_thinkin': False})
        self.assertEqual([(one.code, one.path) for one in found],
                         [('member_dropped', 'enable_thinkin')])

    def test_settings(self):
        plain = {'messages': [{'role': 'user', 'content': 'a'}]}
        for request, settings, said in (
                (plain, {'enable_thinkin': False}, 'enable_thinkin: .* reads no setting'),
                (plain, {'enable_thinking': 'False'}, 'neither true nor false'),
                (dict(plain, enable_thinking=False), None, 'in `chat_template_kwargs`'),
                (dict(plain, chat_template_kwargs={'a': 1}), None,
                 r'chat_template_kwargs\.a: .* reads no setting')):
            with self.assertWarnsRegex(toolwire.LossWarning, said):
                toolwire.encode(request, 'hermes', settings=settings)
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            toolwire.encode(plain, 'hermes', settings={'enable_thinking': False})

    def test_no_warning(self):
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            for function in self.both(self.FINE):
                function()
            for function in self.both(self.LOSING, loss='ignore'):
                function()
            for function in self.both(self.LOSING, report=[]):
                function()

    def test_no_report(self):
        for wrong in ({}, True, ()):
            with self.assertRaisesRegex(TypeError, 'report must be a list'):
                toolwire.encode(self.FINE, 'hermes', report=wrong)

    def test_half_a_pair_is_one_character(self):
        message = toolwire.decode('a\ud83d b', 'hermes')
        self.assertEqual(message['content'], 'a\ufffd b')
        self.assertEqual(len(message['toolwire']['diagnostics']), 1)

    def test_a_report(self):
        found = []
        toolwire.encode(self.LOSING, 'hermes', report=found)
        self.assertEqual([(one.path, one.code, one.severity)
                          for one in found],
                         [('messages[0].refusal', 'refusal_dropped',
                           'content'),
                          ('messages[0].weight', 'member_dropped',
                           'detail')])

    def test_refused(self):
        for function in self.both(self.LOSING, loss='refuse'):
            with self.assertRaises(toolwire.ToolwireError) as caught:
                function()
            self.assertEqual(caught.exception.name, 'TW_ERROR_LOSS')
            self.assertEqual(caught.exception.path, 'messages[0].refusal')
            self.assertEqual(caught.exception.detail, 'refusal_dropped')
        for function in self.both(self.FINE, loss='refuse'):
            function()


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('use: said_test.py FOLDER_OF_CASES')
    warnings.simplefilter('error')
    unittest.main(argv=sys.argv[:1])
