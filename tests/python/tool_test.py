# SPDX-License-Identifier: MIT
"""Tools that are functions: what their annotations and docstrings say.

Use: tool_test.py FOLDER, which is not read
"""
import dataclasses
import enum
import sys
import typing
import unittest
from typing import Any, Dict, List, Optional, Tuple, Union

import toolwire

try:
    import pydantic
except ImportError:
    pydantic = None


class Unit(enum.Enum):
    METRE = 'm'
    FOOT = 'ft'


@dataclasses.dataclass
class Span:
    first: int
    last: int = 7


class Port(typing.TypedDict, total=False):
    name: str


def now():
    """What time it is."""


def tide(at: str, days: 'List[int]', unit: Unit = Unit.METRE, note=None,
         span: Optional[Span] = None, more: Dict[str, Union[int, float]] = {}):
    """Height of the tide
    at a port.

    It is a guess.

    Args:
        at: The port,
            by its name.
        unit (Unit): Of the height.
        other: nobody's
    Returns:
        at: not this
    """


def sphinx(at: str, day: int = 0):
    """Height of the tide.

    :param at: The port.
    :param int day: From now on.
    :returns: a height
    """


def parameters(function):
    return toolwire.tool(function)['function']['parameters']


class Functions(unittest.TestCase):
    def test_whole(self):
        self.assertEqual(toolwire.tool(now), {'type': 'function', 'function': {
            'name': 'now', 'description': 'What time it is.', 'parameters': {
                'type': 'object', 'properties': {}, 'required': [],
                'additionalProperties': False}}})

    def test_types(self):
        found = parameters(tide)
        self.assertEqual(found['required'], ['at', 'days'])
        self.assertEqual(found['properties'], {
            'at': {'type': 'string', 'description': 'The port, by its name.'},
            'days': {'type': 'array', 'items': {'type': 'integer'}},
            'unit': {'enum': ['m', 'ft'], 'type': 'string',
                     'description': 'Of the height.'},
            'note': {},
            'span': {'anyOf': [
                {'type': 'object', 'required': ['first'], 'properties': {
                    'first': {'type': 'integer'},
                    'last': {'type': 'integer'}}}, {'type': 'null'}]},
            'more': {'type': 'object', 'default': {}, 'additionalProperties': {
                'anyOf': [{'type': 'integer'}, {'type': 'number'}]}}})
        self.assertEqual(toolwire.tool(tide)['function']['description'],
                         'Height of the tide at a port. It is a guess.')

    def test_docstring_of_sphinx(self):
        self.assertEqual(
            {name: each['description'] for name, each in
             parameters(sphinx)['properties'].items()},
            {'at': 'The port.', 'day': 'From now on.'})

    def test_words(self):
        def plain(way: typing.Literal['in', 'out'], rest: Any, some: bool): ...
        self.assertEqual(parameters(plain)['properties'], {
            'way': {'enum': ['in', 'out'], 'type': 'string'}, 'rest': {},
            'some': {'type': 'boolean'}})
        self.assertNotIn('description', toolwire.tool(plain)['function'])

    @unittest.skipIf(sys.version_info < (3, 9), 'no Annotated')
    def test_annotated(self):
        def ask(day: typing.Annotated[int, 'From now on.'], at: Port): ...
        self.assertEqual(parameters(ask)['properties'], {
            'day': {'type': 'integer', 'description': 'From now on.'},
            'at': {'type': 'object', 'required': [],
                   'properties': {'name': {'type': 'string'}}}})

    def test_objects_that_are_called(self):
        class Asked:
            def method(self, n: int):
                """Asks."""

            def __call__(self, m: int):
                """Asks again."""
        self.assertEqual(parameters(Asked().method)['required'], ['n'])
        self.assertEqual(parameters(Asked())['required'], ['m'])
        self.assertEqual(toolwire.tool(Asked())['function']['name'], 'Asked')

    def test_refused(self):
        def bytes_(x: bytes): ...
        def keys(x: Dict[int, str]): ...
        def pair(x: Tuple[int, str]): ...
        def many(*x): ...
        def named(**x): ...
        for function, says in ((bytes_, 'bytes_(): x: no schema says the type '
                                'bytes'), (keys, 'keys(): x: no schema'),
                               (pair, 'pair(): x: no schema'),
                               (many, 'many(): x: a model gives each'),
                               (named, 'named(): x: a model gives each')):
            with self.assertRaises(TypeError) as caught:
                toolwire.tool(function)
            self.assertIn(says, str(caught.exception))
        for other in (int, 'now', 3, None, {'name': 'now'}):
            with self.assertRaisesRegex(TypeError, 'a function or a pydantic'):
                toolwire.tool(other)


class Lists(unittest.TestCase):
    """Functions stand wherever tools do."""
    text = '<tool_call>{"name": "tide", "arguments": {"at": 4}}</tool_call>'

    def codes(self, **options):
        message = toolwire.decode(self.text, 'hermes', **options)
        return [each['code'] for each in message.get('toolwire', {}).get(
            'diagnostics', [])]

    def test_decode(self):
        self.assertEqual(self.codes(tools=[now]), ['undeclared_tool'])
        self.assertEqual(self.codes(tools=[now, tide], validate='report'),
                         ['parameter_type', 'missing_parameter'])

    def test_everywhere(self):
        request = {'messages': [{'role': 'user', 'content': 'Hi.'}],
                   'tools': [now]}
        self.assertIn('"description": "What time it is."',
                      toolwire.encode(request, 'hermes'))
        self.assertIn('now', toolwire.grammar([now], 'hermes'))
        self.assertEqual(toolwire.grammar([now], 'hermes', start=None),
                         toolwire.grammar([now], 'hermes', start='anywhere'))
        with self.assertRaisesRegex(TypeError, 'the name of a tool'):
            toolwire.grammar([now], 'hermes',
                             choice={'type': 'function'})
        words = toolwire.words_for_model(
            {'role': 'assistant', 'tool_calls': [{
                'id': 'a', 'type': 'function',
                'function': {'name': 'now', 'arguments': '{"x": 1}'}}]},
            tools=[now])
        self.assertEqual(len(words), 1)

    @unittest.skipUnless(pydantic, 'pydantic is not installed')
    def test_pydantic(self):
        class Place(pydantic.BaseModel):
            """Where it is."""
            name: str

        class Ask(pydantic.BaseModel):
            """Asks."""
            at: Place
            day: int = 0

        def go(to: Place): ...
        self.assertEqual(toolwire.tool(Ask)['function']['name'], 'Ask')
        self.assertEqual(toolwire.tool(Ask)['function']['description'],
                         'Asks.')
        self.assertEqual(parameters(Ask)['required'], ['at'])
        self.assertEqual(parameters(go)['properties']['to']['required'],
                         ['name'])
        self.assertEqual(self.codes(tools=[Ask, go]), ['undeclared_tool'])


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
