#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The package toolwire as it is installed: what its wheel says and holds.

Use: package_test.py FOLDER_OF_THE_PACKAGE
"""
import base64
import hashlib
import importlib.metadata
import inspect
import os
import sys
import sysconfig
import unittest
import warnings

import toolwire
from toolwire import _library

try:
    import tomllib
except ImportError:  # before Python 3.11
    tomllib = None

FOLDER = sys.argv[-1]


class Package(unittest.TestCase):
    def test_the_wheel_says_what_it_holds(self):
        there = importlib.metadata.distribution('toolwire')
        self.assertEqual(there.version, toolwire.__version__)
        self.assertEqual(_library.lib.tw_version().decode(),
                         toolwire.__version__)
        platform = sysconfig.get_platform().replace('-', '_').replace('.',
                                                                      '_')
        # PEP 600: with the version of glibc, where all was compiled with it.
        platform = platform.replace('linux_', r'(many)?linux(_2_\d+)?_')
        self.assertRegex(there.read_text('WHEEL'),
                         'Tag: py3-none-%s\n' % platform)
        self.assertIn('Root-Is-Purelib: false', there.read_text('WHEEL'))
        self.assertIn('MIT', there.read_text('licenses/LICENSE'))
        paths = {str(file) for file in there.files}
        self.assertLessEqual({'toolwire/py.typed',
                              'toolwire/' + _library.file_name(),
                              'toolwire/toolwire',
                              'toolwire/integrations/vllm.py'}, paths)
        hashed = 0
        for file in there.files:
            if file.hash is None:
                continue
            hashed += 1
            with open(file.locate(), 'rb') as data:
                content = data.read()
            digest = base64.urlsafe_b64encode(
                hashlib.sha256(content).digest()).rstrip(b'=').decode()
            self.assertEqual((file.hash.value, file.size),
                             (digest, len(content)), str(file))
        self.assertGreater(hashed, 10)

    def test_what_an_index_shows(self):
        fields = importlib.metadata.metadata('toolwire')
        with open(os.path.join(FOLDER, 'README.md'), encoding='utf-8') as file:
            page = file.read()
        self.assertEqual(fields.get_payload(), page)
        self.assertIn('text/markdown', fields['Description-Content-Type'])
        self.assertEqual(fields['License-Expression'], 'MIT')
        self.assertEqual(fields['Requires-Python'], '>=3.8')
        self.assertIn('Typing :: Typed', fields.get_all('Classifier'))
        self.assertLess(20, len(fields['Summary']))
        self.assertLess(len(fields['Summary']), 200)
        if tomllib is None:
            self.skipTest('this Python reads no TOML')
        with open(os.path.join(FOLDER, 'pyproject.toml'), 'rb') as file:
            project = tomllib.load(file)['project']

        def points(group):
            return {one.name: one.value for one in
                    importlib.metadata.distribution('toolwire').entry_points
                    if one.group == group}

        self.assertEqual(project, {
            'name': fields['Name'], 'dynamic': ['version'],
            'description': fields['Summary'], 'readme': 'README.md',
            'requires-python': fields['Requires-Python'],
            'license': fields['License-Expression'],
            'authors': [{'name': fields['Author']}],
            'keywords': fields['Keywords'].split(','),
            'classifiers': fields.get_all('Classifier'),
            'scripts': points('console_scripts'),
            'entry-points': {group: points(group)
                             for group in ['sglang.srt.plugins']}})

    def test_the_library_is_the_one_in_the_package(self):
        self.assertIsNone(os.environ.get('TOOLWIRE_LIBRARY'))
        self.assertEqual(os.path.dirname(_library.lib._name),
                         os.path.dirname(toolwire.__file__))

    def test_everything_public_has_types(self):
        for name in toolwire.__all__:
            value = getattr(toolwire, name)
            functions = []
            if inspect.isfunction(value):
                functions.append(value)
            elif inspect.isclass(value):
                functions += [member for key, member in vars(value).items()
                              if inspect.isfunction(member)
                              and member.__module__.startswith('toolwire')
                              and not key.startswith('__')]
            for function in functions:
                # Not evaluated: some names are there for checkers alone.
                hints = function.__annotations__
                named = [key for key in inspect.signature(
                    function).parameters if key != 'self']
                self.assertLessEqual(set(named) | {'return'}, set(hints),
                                     '%s.%s' % (name, function.__name__))
                self.assertTrue(function.__doc__ or value.__doc__, name)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('use: package_test.py FOLDER_OF_THE_PACKAGE')
    warnings.simplefilter('error')
    unittest.main(argv=sys.argv[:1])
