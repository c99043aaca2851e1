#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Chat templates in Python: loaded from text, files and folders; prompts,
spans, turns appended, the format told; an episode is what a whole rendering is.

Use: template_test.py [ANY]
"""
import collections
import json
import os
import pathlib
import runpy
import sys
import tempfile
import unittest

import toolwire

HERE = os.path.dirname(os.path.abspath(__file__))
CHATML = '''{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>
{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}
</tool_call>{% endfor %}{{ eos_token or '<|im_end|>' }}
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}'''
USER = {'role': 'user', 'content': 'Höhe?'}
SAYS = {'role': 'assistant', 'content': 'Four.'}


def turn(number):
    name = 'call%05d' % number
    return ({'role': 'assistant', 'content': '', 'tool_calls': [
        {'id': name, 'type': 'function', 'function': {
            'name': 'tide', 'arguments': '{"day": %d}' % number}}]},
            {'role': 'tool', 'tool_call_id': name, 'name': 'tide',
             'content': '%d m' % number})


class Templates(unittest.TestCase):
    def test_transcript(self):
        template = toolwire.Template(CHATML)
        given = [USER, SAYS, USER, *turn(7), SAYS]
        text = template.encode({'messages': given})
        back = template.decode_transcript(text)['messages']
        self.assertEqual([one['role'] for one in back],
                         [one['role'] for one in given])
        self.assertEqual(back[3]['tool_calls'][0]['function'],
                         given[3]['tool_calls'][0]['function'])
        self.assertEqual(back[4]['content'], '7 m')
        self.assertEqual(template.decode_transcript(text, format='hermes'),
                         {'messages': back})
        with self.assertRaises(toolwire.ToolwireError):
            template.decode_transcript('x' + text)
        with self.assertRaises(toolwire.ToolwireError):
            toolwire.Template('x').decode_transcript(text)

    def test_a_transcript_of_another_day(self):
        template = toolwire.Template(
            '<|im_start|>system\n{{ strftime_now("%Y") }} {{ effort }}'
            '<|im_end|>\n{% for m in messages %}<|im_start|>{{ m.role }}\n'
            '{{ m.content }}<|im_end|>\n{% endfor %}{{ "<|im_start|>assistant'
            '\n" if add_generation_prompt }}')
        said = {'messages': [USER, {'role': 'assistant', 'content': 'Hm.'}]}
        shown = {'settings': {'effort': 'high'}, 'now': '2025-01-02T00:00:00'}
        text = template.encode(said, **shown)
        self.assertEqual(template.decode_transcript(
            text, format='hermes', **shown), said)
        with self.assertRaisesRegex(toolwire.ToolwireError,
                                    r'\(settings, now\)'):
            template.decode_transcript(text, format='hermes')

    def test_sources(self):
        request = {'messages': [USER], 'add_generation_prompt': True}
        wanted = '<|im_start|>user\nHöhe?</s>\n<|im_start|>assistant\n'
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / 'chat_template.jinja').write_text(CHATML, 'utf-8')
            (path / 'tokenizer_config.json').write_text(
                json.dumps({'eos_token': '</s>'}), 'utf-8')
            self.assertEqual(toolwire.Template(path).encode(request), wanted)
            (path / 'additional_chat_templates').mkdir()
            (path / 'additional_chat_templates' / 'b.jinja').write_text('b')
            self.assertEqual(toolwire.Template(
                path, name='b').encode(request), 'b')
            self.assertEqual(toolwire.Template(
                path / 'chat_template.jinja',
                config={'eos_token': {'content': '</s>'}}).encode(request),
                wanted)
        self.assertEqual(toolwire.encode(request, toolwire.Template(
            CHATML, config='{"eos_token":"</s>"}')), wanted)
        self.assertEqual(toolwire.Template(json.dumps(
            {'chat_template': CHATML, 'eos_token': '</s>'})).encode(request),
            wanted)

    def test_refusals(self):
        with self.assertRaises(toolwire.ToolwireError) as caught:
            toolwire.Template('{% if %}')
        self.assertIn('line 1, column 7', str(caught.exception))
        with self.assertRaises(FileNotFoundError):
            toolwire.Template(pathlib.Path('/nonexistent'))
        with self.assertRaises(TypeError):
            toolwire.Template(5)
        template = toolwire.Template('{{ raise_exception("no") }}')
        with self.assertRaises(toolwire.ToolwireError) as caught:
            template.encode({'messages': [USER]})
        self.assertEqual(caught.exception.message, 'no')

    def test_spans_and_masks(self):
        template = toolwire.Template(CHATML)
        text, spans = template.spans(collections.UserDict(
            messages=[collections.UserDict(USER), SAYS]))  # as datasets' rows
        self.assertEqual(spans[-1].end, len(text.encode()))
        self.assertEqual(spans[0], toolwire.Span(0, 17, 0, 'head', False))
        offsets = [(0, 0)] + [(at, at + 1) for at in range(len(text))]
        mask = toolwire.token_mask(text, spans, offsets)
        self.assertEqual(mask[0], 0)
        self.assertEqual(''.join(one for one, wanted in zip(text, mask[1:])
                                 if wanted), 'Four.<|im_end|>')
        whole = toolwire.token_mask(text, spans, [(0, len(text))])
        for wrong in {'offset_mapping': offsets}, [1, 2], None:
            with self.assertRaisesRegex(TypeError, "'offset_mapping'"):
                toolwire.token_mask(text, spans, wrong)
        with self.assertRaisesRegex(ValueError, 'of another text'):
            toolwire.token_mask(text, spans, [(0, len(text) + 1)])
        with self.assertRaisesRegex(TypeError, 'text must be str'):
            toolwire.token_mask(spans, text, offsets)
        self.assertEqual(whole, [0])
        self.assertFalse(any(span.sampled for span in template.spans(
            {'messages': [USER, dict(SAYS, weight=0)]},
            sampled_by_weight=True)[1]))

    def test_extend(self):
        template = toolwire.Template(CHATML)
        record = {'completion': ' Four.', 'messages': [USER, SAYS],
                  'new': [USER]}
        self.assertEqual(template.extend(record),
                         '<|im_end|>\n<|im_start|>user\nHöhe?<|im_end|>\n'
                         '<|im_start|>assistant\n')
        with self.assertRaises(toolwire.ToolwireError) as caught:
            template.extend(dict(record, prompt='x'))
        self.assertEqual((caught.exception.name, caught.exception.path),
                         ('TW_ERROR_UNSTABLE', 'prompt'))

    def test_detect(self):
        found = toolwire.Template(CHATML).detect()
        self.assertTrue(found.format.startswith('hermes/'))
        self.assertEqual(found.start, 'text')
        self.assertTrue(found.evidence and found.other)
        self.assertIsNone(found.draft)
        self.assertEqual(toolwire.Template('x').detect(),
                         (None, None, [], [], None, ()))
        mine = toolwire.Template(CHATML.replace('tool_call>', 'mine>')).detect()
        self.assertIsNone(mine.format)
        text = mine.draft['example']
        draft = toolwire.LoadedFormat(mine.draft)
        self.assertEqual(toolwire.decode(text, draft)['tool_calls'][0][
            'function']['name'], 'get_tide')


class Episodes(unittest.TestCase):
    def grow(self, template):
        """An episode's prompt is what a whole rendering makes."""
        messages = [USER]
        episode = toolwire.Episode(toolwire.Template(template), messages)
        for number in range(30):
            call, result = turn(number)
            new = [result, USER] if number % 10 == 9 else [result]
            text, spans = toolwire.Template(template).spans(
                {'messages': messages + [call]})
            completion = text[len(episode.prompt):]
            end = completion.rindex('<|im_end|>')
            episode.extend(completion[:end], call, new)
            messages += [call, *new]
        whole = toolwire.Template(template).encode(
            {'messages': messages, 'add_generation_prompt': True})
        self.assertEqual(episode.prompt, whole)

    def test_they_are_what_a_whole_rendering_is(self):
        self.grow(CHATML)

    def test_they_keep_what_a_template_counts(self):
        self.grow(CHATML.replace('{{ m.role }}',
                                 '{{ m.role }} {{ loop.index }}'
                                 ).replace('<|im_start|>assistant\n{% endif',
                                           '<|im_start|>assistant '
                                           '{{ messages|length + 1 }}\n'
                                           '{% endif'))

    def test_an_unstable_turn_changes_nothing(self):
        template = CHATML.replace('{{ m.content }}', "{% if m.reasoning_content"
                                  " and loop.last %}<think>{{ m.reasoning_"
                                  "content }}</think>{% endif %}"
                                  "{{ m.content }}")
        episode = toolwire.Episode(toolwire.Template(template), [USER])
        before = episode.prompt
        with self.assertRaises(toolwire.ToolwireError) as caught:
            episode.extend('<think>Hm.</think>Four.',
                           dict(SAYS, reasoning_content='Hm.'), [USER])
        self.assertEqual(caught.exception.path, 'new[0]')
        self.assertEqual(episode.prompt, before)

    def test_the_example(self):
        path = os.path.join(HERE, '..', '..', 'src', 'bindings', 'python',
                            'examples', 'episode.py')
        given, sys.argv = sys.argv, ['episode.py']
        try:
            runpy.run_path(path, run_name='__main__')
        finally:
            sys.argv = given


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
