#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The installed package toolwire: the extension and ctypes do the same, and
neither leaks.

Use: extension_test.py FOLDER_OF_CASES
"""
import ctypes
import dataclasses
import gc
import importlib.util
import os
import subprocess
import sys
import threading
import time
import unittest
import warnings

import toolwire
from binding_test import CALL, cut, input_of, options_of, read_cases
from toolwire import Decoder, ToolwireError, Writer, _hot, _library

try:
    import _testcapi
except ImportError:
    _testcapi = None

WAYS = {'ctypes': _hot.by_ctypes, 'extension': _hot.by_extension()}
NAMES = tuple(field.name for field in dataclasses.fields(toolwire.Event))
APIS = 'chat', 'responses', 'anthropic'


def outcome(function):
    """What it gives, and its error."""
    found = []
    try:
        for one in function():
            found.append(one)
    except (ToolwireError, TypeError, ValueError) as error:
        found.append((type(error), str(error)))
    return found


def events(format, pieces, finish='stop', **options):
    """A generator, so that what comes before an error is seen."""
    with Decoder(format, **options) as decoder:
        for piece in pieces:
            yield from decoder.feed(*piece if isinstance(piece, tuple)
                                    else (piece,))
        yield from decoder.finish(finish)


def with_diagnostics(pieces, format, **options):
    """Chunks, with each diagnostic in front of those of its piece."""
    said = []
    for chunk in toolwire.stream_chunks(pieces, format, diagnostics=said,
                                        **options):
        yield from said
        said.clear()
        yield chunk


class Alike(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, _hot, 'feed', _hot.feed)

    def same(self, function, *arguments, **named):
        found = {}
        for name, way in WAYS.items():
            _hot.feed = way
            found[name] = outcome(lambda: function(*arguments, **named))
        self.assertEqual(found['ctypes'], found['extension'])
        return found['extension']

    def test_on_all_cases(self):
        count = errors = 0
        for case, _ in read_cases('decode'):
            data, options = input_of(case), options_of(case)
            for size in 1, 7, len(data):
                for more in {}, {'strict': True}, {'limit_input': 40}, {
                        'framing': True, 'keep_raw': True}:
                    with self.subTest(case=case['id'], size=size, **more):
                        found = self.same(events, case['format'],
                                          cut(data, max(1, size)), **options,
                                          **more)
                        count += 1
                        errors += isinstance(found[-1], tuple)
            for api in APIS:
                with self.subTest(case=case['id'], api=api):
                    found = self.same(with_diagnostics, cut(data, 5),
                                      case['format'], api=api, **options)
                    self.assertEqual(type(found[-1]), dict)
                    count += 1
        self.assertGreater(count, 4000)
        self.assertGreater(errors, 1000)

    def test_on_errors(self):
        text = 'Hi.' + CALL
        for piece in (('x', 2), ('x', 3), ('x', 'y'), (1,), ('x', 0, 0), 5,
                      None, ('<tool_call>', 2), (b'\xff\0', 1)):
            for function in toolwire.stream_chunks, events:
                with self.subTest(piece=piece, function=function.__name__):
                    self.same(function, [text, piece], 'hermes')
        for limit in range(1, len(text) + 2):
            found = self.same(toolwire.stream_chunks, cut(text, 4), 'hermes',
                              limit_input=limit, error_event=True)
            self.assertEqual(type(found[-1]) is tuple, limit < len(text))
            self.assertEqual('error' in str(found[-2]), limit < len(text))

    def test_when_the_library_has_no_memory(self):
        from binding_test import Memory
        for fails in range(1, 40):
            found = []
            for way in WAYS.values():
                _hot.feed = way
                with Memory(fails) as memory:
                    try:
                        found.append(list(toolwire.stream_chunks(
                            cut('b' + CALL, 9), 'hermes')))
                    except MemoryError:
                        found.append('none')
                    gc.collect()
                    self.assertEqual(memory.blocks, 0)
            self.assertEqual(found[0], found[1])


class Extension(unittest.TestCase):
    def setUp(self):
        self.decoder, self.writer = Decoder('hermes'), Writer('chat')
        self.feed = WAYS['extension']

    def another(self):
        """Another module of the same file, with a state of its own."""
        module = sys.modules.get('toolwire._fast') or sys.modules[
            '_toolwire_library._fast']
        spec = importlib.util.spec_from_file_location('_fast',
                                                      module.__file__)
        made = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made)
        self.assertIsNot(made, module)
        return made

    def handles(self, writer):
        return self.decoder._handle, self.writer._handle if writer else 0

    def test_gives_all_memory_back(self):
        def once(writer):
            self.decoder.reset()
            self.writer.reset()
            out = []
            for piece in cut(('Hi.' + CALL).encode(), 3):
                self.feed(*self.handles(writer), piece, 0, out)
            self.assertGreater(len(out), 8)
            self.assertEqual(self.feed(*self.handles(writer), b'x', 2, out),
                             -1)
            with self.assertRaises(TypeError):
                self.feed(*self.handles(writer), 'x' * 4, 'mark', out)
        for writer in False, True:
            before = 0
            for count in range(300):
                once(writer)
                if count == 200:
                    gc.collect()
                    before = sys.getallocatedblocks()
            gc.collect()
            self.assertLess(sys.getallocatedblocks() - before, 20)

    @unittest.skipIf(_testcapi is None, 'SKIPPED: there is no _testcapi')
    def test_when_python_has_no_memory(self):
        failed = 0
        fast = self.another()
        # json is not what is tried here, and crashes in some versions.
        fast.bind(*(ctypes.cast(function, ctypes.c_void_p).value
                    for function in (
                        _library.lib.tw_decoder_feed,
                        _library.lib.tw_decoder_next,
                        _library.lib.tw_writer_event,
                        _library.lib.tw_writer_take)),
                  toolwire.Event, NAMES, ('text',) * 9, lambda text: (text,))
        for writer in False, True:
            for number in range(60):
                self.decoder.reset()
                self.writer.reset()
                out, handles = [], self.handles(writer)
                piece = b'Hi.' + CALL.encode()
                _testcapi.set_nomemory(number, number + 1)
                try:
                    fast.feed(*handles, piece, 0, out)
                except MemoryError:
                    failed += 1
                finally:
                    _testcapi.remove_mem_hooks()
        self.assertGreater(failed, 10)

    def test_other_threads_run_during_a_long_piece(self):
        counted = [0]
        over = threading.Event()

        def count():
            while not over.is_set():
                counted[0] += 1
                time.sleep(0.0001)
        thread = threading.Thread(target=count)
        interval = sys.getswitchinterval()
        thread.start()
        try:
            sys.setswitchinterval(1000)  # nobody is asked to make way
            before = after = 0
            piece, ends = b'word ' * 2_000_000, time.monotonic() + 600
            # A machine that is busy may not get round to the other thread.
            while after == before and time.monotonic() < ends:
                before = counted[0]
                self.feed(*self.handles(False), piece, 0, [])
                after = counted[0]
        finally:
            sys.setswitchinterval(interval)
            over.set()
            thread.join()
        self.assertGreater(after, before)

    def test_refuses_what_it_does_not_take(self):
        for wrong in ((), (0, 0, b'', 0), (0, 0, 5, 0, []), (0, 0, b'', 0, ()),
                      ('', 0, b'', 0, [])):
            self.assertRaises(TypeError, self.feed, *wrong)
        other = self.another()
        self.assertRaises(RuntimeError, other.feed, *self.handles(False), b'',
                          0, [])
        for wrong in ((), (1, 2, 3, 4, 5, 6, 7, 8),
                      (1, 2, 3, 4, toolwire.Event, (), (), None)):
            self.assertRaises((TypeError, ValueError), other.bind, *wrong)
        self.assertRaises(ValueError, other.bind, 1, 2, 3, 4, toolwire.Event,
                          NAMES[:7], (), None)
        del other
        gc.collect()

    def test_an_event_of_a_kind_that_is_new(self):
        # No decoder makes one; the extension must not look past its table.
        made = []

        @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        def next_(_, event):
            if made:
                return 0
            made.append(_library.EventStructure(
                type=77, index=_library.NO_INDEX, span=1))
            ctypes.c_void_p.from_address(event).value = ctypes.addressof(
                made[0])
            return 1
        other = self.another()
        other.bind(1, ctypes.cast(next_, ctypes.c_void_p).value, 0, 0,
                   toolwire.Event, NAMES, ('text',), None)
        out = []
        self.assertEqual(other.feed(1, 0, None, 0, out), 0)
        self.assertEqual(out, [toolwire.Event('77', None, b'', '', 0, 0, 0,
                                              1)])


class Choice(unittest.TestCase):
    """Which of the two is taken."""

    def run_with(self, choice, lines):
        environment = dict(os.environ)
        environment.pop('TOOLWIRE_EXTENSION', None)
        if choice is not None:
            environment['TOOLWIRE_EXTENSION'] = choice
        return subprocess.run(
            [sys.executable, '-c', lines], env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            universal_newlines=True)

    def test_by_the_environment(self):
        says = 'from toolwire import _hot; print(_hot.feed is _hot.by_ctypes)'
        # As if this Python did not take it.
        gone = ('import sys; sys.modules["toolwire._fast"] = None; '
                'sys.modules["_toolwire_library"] = None; ') + says
        for choice, lines, wanted in (
                (None, says, 'False'), ('no', says, 'True'),
                ('yes', says, 'False'), (None, gone, 'True')):
            with self.subTest(choice=choice, lines=lines):
                self.assertEqual(self.run_with(choice, lines).stdout.strip(),
                                 wanted)
        self.assertIn('NotFoundError', self.run_with('yes', gone).stderr)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('use: extension_test.py FOLDER_OF_CASES')
    warnings.simplefilter('error')
    unittest.main(argv=sys.argv[:1])
