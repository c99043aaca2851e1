# SPDX-License-Identifier: MIT
"""Options by name, and how they and texts reach the library."""
import json
from typing import Any, Callable, Dict, Mapping, Sequence, Union

from ._errors import ToolwireError, fail
from ._library import lib

Text = Union[str, bytes, bytearray, memoryview]
# A JSON text, or what json.dumps() makes one of.
Json = Union[Text, Mapping[str, Any], Sequence[Any]]

DECODER = {'strict': 1, 'start_reasoning': 2, 'calls_in_reasoning': 3,
           'recover_stripped': 4, 'keep_raw': 5, 'framing': 6,
           'first_call': 7, 'limit_depth': 10, 'limit_name': 11,
           'limit_arguments': 12, 'limit_calls': 13, 'limit_input': 14,
           'call_id_prefix': 'text 1'}
WRITER = {'hold_calls': 30, 'custom_function': 31, 'created': 32,
          'reasoning_key': 'text 2', 'id': 'text 3', 'model': 'text 4'}
ENCODER = {'generation_prompt': 50, 'control_text': 51, 'python_numbers': 52,
           'loss': 53,
           'settings': 'text 6'}
CONVERTER = {'loss': 53, 'unit_completion': 70, 'arguments_object': 71,
             'field': 'text 5'}

FINISH = {'stop': 1, 'length': 2}
# Options whose values have names.
WORDS = {'control_text': {'reject': 0, 'allow': 1, 'break': 2},
         'loss': {'report': 0, 'refuse': 1, 'ignore': 2}}


def to_bytes(text: Text) -> bytes:
    """Lone surrogates become bytes that are no UTF-8, which the library
    replaces and reports."""
    if isinstance(text, str):
        return text.encode('utf-8', 'surrogatepass')
    if isinstance(text, bytes):
        return text
    if isinstance(text, (bytearray, memoryview)):
        return bytes(text)
    raise TypeError('text must be str or bytes, not '
                    + type(text).__name__)


def to_json(value: Json) -> bytes:
    """JSON text stays as it is, so that no digit of a number is lost."""
    if isinstance(value, (str, bytes, bytearray, memoryview)):
        return to_bytes(value)
    try:
        return json.dumps(value, ensure_ascii=False,
                          allow_nan=False).encode('utf-8')
    except UnicodeEncodeError:  # a lone surrogate stays an escape
        return json.dumps(value, allow_nan=False).encode('ascii')


def find_format(name: str) -> int:
    found = lib.tw_format_find(name.encode('utf-8', 'replace'))
    if not found:
        raise ToolwireError(-1, 'there is no format %r; toolwire.formats() '
                            'lists them' % name)
    return int(found)


def number_of(name: str, choices: Mapping[str, int]) -> int:
    if name not in choices:
        raise ValueError('%r is none of %s' % (name, ', '.join(choices)))
    return choices[name]


def apply(prefix: str, handle: int, options: Mapping[str, Any],
          error: Callable[[], Any], *tables: Mapping[str, Any]) -> None:
    """Sets |options| of an object whose functions begin with |prefix|."""
    known: Dict[str, Any] = {}
    for table in tables:
        known.update(table)
    for name, value in options.items():
        if name not in known:
            raise TypeError('there is no option %r; there are %s'
                            % (name, ', '.join(sorted(known))))
        if value is None:
            continue
        option = known[name]
        if isinstance(option, str):
            data = to_json(value) if name == 'settings' else to_bytes(value)
            result = getattr(lib, prefix + 'set_text')(
                handle, int(option.split()[1]), data, len(data))
        else:
            if name in WORDS and isinstance(value, str):
                value = number_of(value, WORDS[name])
            result = getattr(lib, prefix + 'set')(handle, option, int(value))
        if result == -1:
            raise ToolwireError(-1, 'option %s: the value %r is out of its '
                                'range' % (name, value))
        if result < 0:
            fail(result, error())
