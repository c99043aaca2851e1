#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The installed package toolwire: what it says, of losses and of slips.

Use: said_test.py FOLDER_OF_CASES
"""
import sys
import unittest
import warnings

import toolwire
from toolwire import ToolwireError


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
