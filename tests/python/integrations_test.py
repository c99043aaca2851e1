#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The parsers for vLLM and SGLang, in loops like those of the servers.

Use: integrations_test.py FOLDER_OF_CASES [TEST...]
The stand-ins of the servers' classes are found by PYTHONPATH: new, old or
none of them.
"""
import glob
import json
import logging
import os
import random
import sys
import tempfile
import unittest

import conformance
import toolwire
from server_loops import (END, MARKERS, OLD, TOKENIZERS, Bag, SglangChoice,
                          VllmChoice, run)
from toolwire.integrations import sglang, vllm

STEPS = 1, 2, 5


def read_cases():
    cases = []
    pattern = os.path.join(sys.argv[1], 'decode-*.jsonl')
    for path in sorted(glob.glob(pattern)):
        with open(path, encoding='utf-8') as file:
            cases += [json.loads(line) for line in file]
    return [case for case in cases if says_so_without_stop(case)]


def says_so_without_stop(case):
    """In a server the token that stops the model has no text, and nobody says
    why the text ended: does the case say the same without both?"""
    stop = END[family_of(case)]
    text = text_of(case)
    ends = [(text, 'length'), (text, 'stop')]
    if text.endswith(stop):
        ends = [(text, 'length'), (text[:-len(stop)], 'length')]
    calls = [toolwire.decode(one, case['format'], finish=finish,
                             **options_of(case)).get('tool_calls')
             for one, finish in ends]
    return calls[0] == calls[1]


def text_of(case):
    """What a detokenizer makes of it."""
    data = (bytes.fromhex(case['input_hex']) if 'input_hex' in case
            else case['input'].encode('utf-8', 'surrogatepass'))
    return data.decode('utf-8', 'replace')


def family_of(case):
    return case['format'].split('/')[0]


def options_of(case):
    options = case.get('options', {})
    made = {}
    if options.get('start') == 'reasoning':
        made['start_reasoning'] = True
    if options.get('recover_stripped'):
        made['recover_stripped'] = True
    return made


def declared(case):
    return [Bag(type='function', function=Bag(**tool))
            for tool in vllm._stream.declared(
                [{'name': tool} if isinstance(tool, str) else tool
                 for tool in case.get('options', {}).get('tools', [])])]


# ---- what is to come out ---------------------------------------------------

def differences(case, content, calls):
    expect = case['expect']
    wanted = expect.get('content') or ''
    if content.strip() != wanted.strip() or (wanted.strip()
                                             and content != wanted):
        yield 'content %r, expected %r' % (content, wanted)
    wanted = list(expect.get('tool_calls') or [])
    wanted += [{'name': call['name'],
                'arguments': {'input': call['input']}}
               for call in expect.get('custom_calls', [])]
    if len(calls) != len(wanted):
        yield '%d calls, expected %d' % (len(calls), len(wanted))
    for call, one in zip(calls, wanted):
        yield from conformance.call_differences(
            {'name': call['name'],
             'arguments': call['arguments'].encode()}, one)


def subclass(base, **members):
    return type('Of' + base.__name__, (base,), members)


def calls_of(whole):
    """Of a whole answer of either server."""
    if hasattr(whole, 'tools_called'):
        assert whole.tools_called == bool(whole.tool_calls)
        assert all(call.type == 'function' for call in whole.tool_calls)
        return [{'name': call.function.name, 'id': call.id,
                 'arguments': call.function.arguments}
                for call in whole.tool_calls]
    assert [call.tool_index for call in whole.calls] == list(
        range(len(whole.calls)))
    return [{'name': call.name, 'arguments': call.parameters}
            for call in whole.calls]


class Server:
    """Both servers look alike here."""

    def __init__(self, name, classes, choice, whole):
        self.name, self.classes = name, classes
        self.choice, self.whole = choice, whole


def vllm_whole(parser_class, text, family, tools):
    tokenizer = TOKENIZERS[family]
    parser = parser_class(tokenizer)
    whole = parser.extract_tool_calls(text, Bag(tools=list(tools)))
    return whole.content or '', calls_of(whole)


def sglang_whole(detector_class, text, family, tools):
    whole = detector_class().detect_and_parse(text, list(tools))
    return whole.normal_text, calls_of(whole)


SERVERS = [Server('vllm', {family: vllm.parser_for(family)
                           for family in MARKERS}, VllmChoice, vllm_whole),
           Server('sglang', {family: sglang.detector_for(family)
                             for family in MARKERS},
                  SglangChoice, sglang_whole)]
if not vllm.HAS_VLLM:
    del SERVERS[1:]  # tried beside an old vLLM, too


class Cases(unittest.TestCase):
    """The conformance cases, whole and streamed."""

    @classmethod
    def setUpClass(cls):
        cls.cases = read_cases()
        assert len(cls.cases) > 200
        logging.getLogger('toolwire').setLevel(logging.CRITICAL)

    def class_of(self, server, case, **members):
        """Reasoning apart, which cases expect apart."""
        return subclass(server.classes[family_of(case)],
                        format=case['format'], reasoning='separate',
                        options=options_of(case), **members)

    def each(self):
        for server in SERVERS:
            for case in self.cases:
                yield server, case, family_of(case)

    def one(self, server, case):
        return self.subTest(server=server.name, case=case['id'])

    def same(self, case, content, calls):
        self.assertEqual(list(differences(case, content, calls)), [])

    def test_whole(self):
        for server, case, family in self.each():
            with self.one(server, case):
                content, calls = server.whole(self.class_of(server, case),
                                              text_of(case), family,
                                              declared(case))
                self.same(case, content, calls)

    def test_streamed_in_steps_of_several_tokens(self):
        for server, case, family in self.each():
            with self.one(server, case):
                whole = None
                for step in STEPS:
                    got = run(server.choice(self.class_of(server, case),
                                            text_of(case), family,
                                            declared(case)), step)
                    self.same(case, got.content, got.complete())
                    if server.name == 'vllm':
                        self.assertEqual(got.reasoning.strip(), (
                            case['expect'].get('reasoning') or '').strip())
                    now = got.content, [(call['name'], call['arguments'])
                                        for call in got.calls]
                    self.assertEqual(now, whole or now)
                    whole = now

    def test_held_calls_are_complete_calls(self):
        for server, case, family in self.each():
            with self.one(server, case):
                used = self.class_of(server, case, hold_calls=True)
                got = run(server.choice(used, text_of(case), family,
                                        declared(case)), 3)
                self.same(case, got.content, got.calls)
                self.assertEqual(got.finish_reason,
                                 'tool_calls' if got.calls else 'stop')

    def test_requests_interleaved(self):
        order = random.Random(7)
        for server in SERVERS:
            running = [(case, server.choice(
                self.class_of(server, case), text_of(case), family_of(case),
                declared(case))) for case in self.cases]
            left = list(running)
            while left:
                one = order.randrange(len(left))
                if not left[one][1].step(order.randint(1, 4)):
                    del left[one]
            for case, choice in running:
                with self.subTest(server=server.name, case=case['id']):
                    self.same(case, choice.result.content,
                              choice.result.complete())
            # Those that are not the model's.
            ids = [call['id'] for case, choice in running
                   for call in choice.result.calls
                   if call['id'] is None or call['id'] not in text_of(case)]
            if server.name == 'vllm':
                self.assertEqual(len(set(ids)), len(ids))
                self.assertGreater(len(ids), 100)

    def test_reasoning_in_its_markers_is_the_same_at_every_cut(self):
        for server, case, family in self.each():
            with self.one(server, case):
                used = subclass(server.classes[family], reasoning='content',
                                format=case['format'],
                                options=options_of(case))
                text, tools = text_of(case), declared(case)
                content, calls = server.whole(used, text, family, tools)
                for step in STEPS:
                    got = run(server.choice(used, text, family, tools), step)
                    self.assertEqual(got.content, content)
                    self.assertEqual([call['arguments']
                                      for call in got.complete()],
                                     [call['arguments'] for call in calls])

    def test_behind_a_reasoning_parser(self):
        close, open_ = ({family: one.text for family in MARKERS
                         for one in MARKERS[family] if one.role == role}
                        for role in ('reasoning_close', 'reasoning_open'))
        ran = 0
        for server, case, family in self.each():
            with self.one(server, case):
                text = text_of(case)
                started = (options_of(case).get('start_reasoning')
                           or text.startswith(open_.get(family, '\0')))
                if (not started or family not in close
                        or not case['expect'].get('reasoning')
                        or text.count(close[family]) != 1):
                    continue
                ran += 1
                behind = text.split(close[family], 1)[1]
                used = subclass(server.classes[family], format=case['format'])
                for step in STEPS:
                    got = run(server.choice(used, behind, family,
                                            declared(case)), step)
                    # The blanks behind the reasoning are content now.
                    self.same(case, got.content and got.content.lstrip('\n'),
                              got.complete())
        self.assertGreaterEqual(ran, 8 * len(SERVERS))
        print('behind a reasoning parser: %d cases' % ran)

    def test_what_has_no_call_can_be_taken_as_it_stands(self):
        plain = 0
        for case in self.cases:
            with self.subTest(case=case['id']):
                expect, text = case['expect'], text_of(case)
                detector = subclass(
                    sglang.ToolwireDetector, format=case['format'],
                    reasoning='separate', options=options_of(case))()
                whole = detector.detect_and_parse(text, None)
                if case.get('options', {}).get('tools') and not whole.calls:
                    continue  # its declared tools make the call
                self.assertEqual(
                    detector.has_tool_call(text),
                    bool(expect.get('tool_calls')
                         or expect.get('custom_calls')
                         or expect.get('unparsed')
                         or whole.normal_text != text))
                plain += not detector.has_tool_call(text)
        self.assertGreater(plain, 5)


class Single(unittest.TestCase):
    """What the cases do not say."""

    THOUGHT = ('<think>\nI need it.\n</think>\n\nLet me see.\n<tool_call>\n'
               '{"name": "tide", "arguments": {"at": "Brest"}}\n</tool_call>')

    def both(self, text, family, **members):
        for server in SERVERS:
            used = subclass(server.classes[family], **members)
            yield server.whole(used, text, family, ())
            for step in STEPS:
                got = run(server.choice(used, text, family), step)
                yield got.content, got.calls

    def test_reasoning_stays_in_the_content(self):
        for content, calls in self.both(self.THOUGHT, 'hermes'):
            self.assertEqual(content, '<think>\nI need it.\n</think>\n\n'
                             'Let me see.')
            self.assertEqual(calls[0]['arguments'], '{"at": "Brest"}')
        gemma = ('<|channel>thought\nHm.\n<channel|>Yes.<|tool_call>'
                 'call:a{}<tool_call|><turn|>')
        for content, calls in self.both(gemma, 'gemma4'):
            self.assertEqual(content,
                             '<|channel>thought\nHm.\n<channel|>Yes.')
            self.assertEqual(len(calls), 1)

    def test_what_is_no_reasoning_and_no_text_is_left_out(self):
        for text, family, wanted in [
                ('<think>\na\n</think>\n\n<|im_end|>', 'hermes',
                 '<think>\na\n</think>'),
                ('<|channel>thought\na\n<channel|><turn|>', 'gemma4',
                 '<|channel>thought\na\n<channel|>'),
                ('one<tool_call>{"name": "f", "arguments": {}}</tool_call>'
                 'two', 'hermes', 'one\ntwo')]:
            for content, _ in self.both(text, family):
                self.assertEqual(content.rstrip(), wanted)

    PARTS = {'hermes': ('<think>\nidea\n</think>\n\n', '<tool_call>{"name": '
                        '"f", "arguments": {"i": 1}}', '</tool_call>'),
             'gemma4': ('<|channel>thought\nidea\n<channel|>',
                        '<|tool_call>call:f{i:1}', '<tool_call|>')}

    def test_reasoning_anywhere(self):
        """All but blanks and calls comes out again, in order."""
        order = random.Random(3)
        for family, (thought, call, close) in self.PARTS.items():
            for _ in range(40):
                chosen = order.choices(['word ', 'caf\u00e9\n', thought,
                                        thought, call + close], k=6)
                # Closed by what follows it, if that begins with a marker.
                if order.random() < .5 and chosen[3] == thought:
                    chosen[2] = call
                text = ''.join(chosen)
                wanted = ''.join(text.replace(close, '').replace(
                    call, '').split())
                for content, calls in self.both(text, family):
                    self.assertEqual(''.join(content.split()), wanted, text)
                    self.assertEqual(len(calls), text.count(call))

    def test_a_call_that_is_only_thought_of_is_none(self):
        text = ('<think>\nPerhaps <tool_call>{"name": "pay", "arguments": '
                '{}}</tool_call>?\n</think>\n\nNo.')
        for content, calls in self.both(text, 'hermes'):
            self.assertEqual(content, text)
            self.assertEqual(calls, [])

    def test_reasoning_of_harmony_is_no_content(self):
        text = ('<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant'
                '<|channel|>final<|message|>Ten knots.<|return|>')
        for content, calls in self.both(text, 'harmony'):
            self.assertEqual((content, calls), ('Ten knots.', []))

    def test_harmony_behind_a_reasoning_parser(self):
        """What SGLang's leaves: text without a header, and calls as they
        were."""
        text = ('Ten knots.<|start|>assistant<|channel|>commentary '
                'to=functions.tide<|constrain|>json<|message|>{"at":1.50}'
                '<|call|>')
        for content, calls in self.both(text, 'harmony'):
            self.assertEqual(content, 'Ten knots.')
            self.assertEqual(calls[0]['name'], 'tide')
            self.assertEqual(calls[0]['arguments'], '{"at":1.50}')

    def test_skipped_markers(self):
        text = 'I pay. call:pay{sum:1}'
        for content, calls in self.both(text, 'gemma4'):
            self.assertEqual((content, calls), (text, []))
        for content, calls in self.both('call:pay{sum:1}', 'gemma4'):
            self.assertEqual(calls[0]['arguments'], '{"sum":1}')
        text = '{"name": "pay", "arguments": {"sum": 1}}'
        for content, calls in self.both(text, 'hermes'):
            self.assertEqual((content, calls), (text, []))
        text = 'analysisPay?assistantcommentary to=functions.pay json{"sum":1}'
        for content, calls in self.both(text, 'harmony'):
            self.assertEqual(calls, [])
        for content, calls in self.both(text, 'harmony', options={
                'recover_stripped': True}):
            self.assertEqual(content, '')
            self.assertEqual(calls[0]['arguments'], '{"sum":1}')

    def test_a_call_that_is_cut_off_never_parses(self):
        text = '<tool_call>\n{"name": "pay", "arguments": {"sum": 1'
        with self.assertLogs('toolwire', 'WARNING') as logs:
            for content, calls in self.both(text, 'hermes'):
                self.assertEqual(content, '')
                for call in calls:
                    self.assertRaises(ValueError, json.loads,
                                      call['arguments'])
        self.assertIn('truncated_call at byte 0', logs.output[0])
        self.assertNotIn('sum', ''.join(logs.output))
        for content, calls in self.both(text, 'hermes', hold_calls=True):
            self.assertEqual((content, calls), ('', []))

    def test_numbers_keep_their_digits(self):
        text = ('<|tool_call>call:a{x:12345678901234567890,y:1.50,z:1e400}'
                '<tool_call|>')
        for content, calls in self.both(text, 'gemma4'):
            self.assertEqual(calls[0]['arguments'],
                             '{"x":12345678901234567890,"y":1.50,"z":1e400}')

    def test_one_piece_a_call_and_step(self):
        calls = ''.join('<tool_call>{"name": "f%d", "arguments": {"i": %d}}'
                        '</tool_call>' % (i, i) for i in range(3))
        parser = vllm.HermesToolParser(TOKENIZERS['hermes'])
        delta = parser.extract_tool_calls_streaming(
            '', calls, calls, [], [1], [1], Bag(tools=[]))
        self.assertEqual([(part.index, part.function.name,
                           part.function.arguments)
                          for part in delta.tool_calls],
                         [(i, 'f%d' % i, '{"i": %d}' % i) for i in range(3)])

    def test_adjust_request(self):
        def adjusted(**members):
            request = Bag(skip_special_tokens=True,
                          spaces_between_special_tokens=True, **members)
            parser = vllm.Gemma4ToolParser(TOKENIZERS['gemma4'])
            self.assertIs(parser.adjust_request(request), request)
            self.assertEqual(getattr(request, 'seen_by_base', False),
                             vllm.HAS_VLLM)
            self.assertEqual(request.skip_special_tokens,
                             request.spaces_between_special_tokens)
            return request.skip_special_tokens
        tool = Bag(function=Bag(name='a'))
        self.assertFalse(adjusted(tools=[tool], tool_choice='auto'))
        self.assertFalse(adjusted(tools=[tool], tool_choice=None))
        self.assertTrue(adjusted(tools=[tool], tool_choice='none'))
        self.assertTrue(adjusted(tools=None, tool_choice='auto'))

    def test_steering_is_refused(self):
        detector = sglang.HermesDetector()
        self.assertFalse(detector.supports_structural_tag())
        self.assertFalse(detector.parses_required_natively())
        self.assertRaises(NotImplementedError, detector.structure_info)
        self.assertRaises(NotImplementedError, detector.build_ebnf, [])

    def test_all_shapes_of_tools(self):
        schema = {'type': 'object'}
        self.assertEqual(vllm._stream.declared([
            {'type': 'function', 'function': {'name': 'a'}},
            Bag(type='function', function=Bag(name='b', parameters=schema)),
            Bag(type='function', name='c', parameters=None),
            {'name': 'd', 'parameters': schema}, Bag()]),
            [{'name': 'a'}, {'name': 'b', 'parameters': schema},
             {'name': 'c'}, {'name': 'd', 'parameters': schema}])

    def test_types_are_those_of_the_declared_parameters(self):
        text = ('<tool_call>\n<function=f>\n<parameter=a>\n12\n</parameter>\n'
                '<parameter=b>\n12\n</parameter>\n</function>\n</tool_call>')
        tools = [Bag(type='function', function=Bag(name='f', parameters={
            'type': 'object', 'properties': {'a': {'type': 'string'},
                                             'b': {'type': 'integer'}}}))]
        parser = vllm.parser_for('qwen3-coder')(TOKENIZERS['hermes'], tools)
        called = calls_of(parser.extract_tool_calls(text, Bag(tools=tools)))
        self.assertEqual(called[0]['arguments'], '{"a":"12","b":12}')
        detector = sglang.detector_for('qwen3-coder')()
        called = calls_of(detector.detect_and_parse(text, tools))
        self.assertEqual(called[0]['arguments'], '{"a":"12","b":12}')
        # A schema that cannot be read costs the types, and no request.
        tools[0].function.parameters['limit'] = float('nan')
        called = calls_of(detector.detect_and_parse(text, tools))
        self.assertEqual(called[0]['arguments'], '{"a":"12","b":"12"}')

    def test_the_format_is_told_by_the_model(self):
        chatml = ("{% for m in messages %}<|im_start|>{{ m.role }}\n"
                  "{{ m.content }}{% for c in m.tool_calls or [] %}"
                  "<tool_call>\n{\"name\": \"{{ c.function.name }}\", "
                  "\"arguments\": {{ c.function.arguments | tojson }}}\n"
                  "</tool_call>{% endfor %}<|im_end|>\n{% endfor %}"
                  "{% if add_generation_prompt %}<|im_start|>assistant\n"
                  "{% endif %}")
        text = ('Well.<tool_call>{"name": "f", "arguments": {"a": 1}}'
                '</tool_call>')
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'chat_template.jinja')
            with open(path, 'w', encoding='utf-8') as file:
                file.write(chatml)
            sglang.AutoDetector.model = folder
            detector = sglang.AutoDetector()
            sglang.AutoDetector.model = None
            tokenizers = [
                Bag(chat_template=chatml),
                Bag(chat_template={'default': 'x', 'tool_use': chatml}),
                Bag(chat_template=None, name_or_path=folder)]
            parsers = [vllm.AutoToolParser(one) for one in tokenizers]
        self.assertTrue(detector.format.startswith('hermes/'))
        self.assertEqual(calls_of(detector.detect_and_parse(text, []))[0][
            'arguments'], '{"a": 1}')
        for parser in parsers:
            self.assertEqual(parser.format, detector.format)
            found = parser.extract_tool_calls(text, Bag(tools=[]))
            self.assertEqual(found.tool_calls[0].function.name, 'f')
        with self.assertRaisesRegex(ValueError, 'toolwire_hermes'):
            vllm.AutoToolParser(Bag(chat_template='x'))

    def test_register(self):
        if vllm.HAS_VLLM:
            import runpy
            from toolwire.integrations import vllm_plugin
            runpy.run_path(vllm_plugin())
            known = vllm._import('ToolParserManager', vllm._PARSERS,
                                 None).tool_parsers
            self.assertEqual(list(known), vllm.names())
            made = known['toolwire_hermes_qwen2_5'](TOKENIZERS['hermes'])
            self.assertEqual(made.format, 'hermes/qwen2.5')
        else:
            self.assertRaises(ImportError, vllm.register)
        if sglang.HAS_SGLANG:
            sglang.register()
            from sglang.srt.function_call.function_call_parser import (
                FunctionCallParser)
            known = FunctionCallParser.ToolCallParserEnum
            self.assertEqual(list(known), sglang.names())
            self.assertEqual(known['toolwire_gemma4']().format, 'gemma4')
        else:
            self.assertRaises(ImportError, sglang.register)
        self.assertIn('toolwire_harmony', vllm.names())


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit('use: integrations_test.py FOLDER_OF_CASES [TEST...]')
    print('vLLM: %s, SGLang: %s' % (
        'old' if OLD else 'new' if vllm.HAS_VLLM else 'none',
        'new' if sglang.HAS_SGLANG else 'none'))
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
