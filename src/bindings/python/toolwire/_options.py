# SPDX-License-Identifier: MIT
"""Options by name, and how they and texts reach the library.

A value that is not what an option takes is refused, never made to fit: ctypes
would cut an int down to its last bits.
"""
import difflib
import itertools
import json
import operator
import os
import re
import reprlib
import sys
from typing import (Any, Callable, Dict, Iterable, Iterator, List, Mapping,
                    NamedTuple, NoReturn, Protocol, Sequence, Tuple, TypeVar,
                    Union, cast)

from ._errors import ARGUMENT, SCHEMA, ToolwireError, fail, text_of
from ._library import lib
from ._tool import tool

Text = Union[str, bytes, bytearray, memoryview]
# A JSON text, or what json.dumps() makes one of.
Json = Union[Text, Mapping[str, Any], Sequence[Any]]
Value = TypeVar('Value')


class Loaded(Protocol):
    """A LoadedFormat."""

    @property
    def handle(self) -> int: ...


class LoadedTemplate(Protocol):
    """A Template."""

    @property
    def template_handle(self) -> int: ...


# What stands for a format.
FormatName = Union[str, Loaded]

# What is given for a text, and how to make one of it.
_NO_TEXTS: Sequence[Tuple[Union[type, Tuple[type, ...]], str]] = (
    ((list, tuple), "; ''.join(...) makes one of pieces, and token ids are no "
                    'text'),
    (type(None), "; a piece without text is ''"),
    (os.PathLike, '; .read_bytes() gives what is in the file'),
    (Mapping, "; of a chunk it is ['choices'][0]['delta']['content']"))
FINISH = {'unknown': 0, 'stop': 1, 'length': 2}
TEXTS = str, bytes, bytearray, memoryview


# ---- values ----------------------------------------------------------------

def to_bytes(text: Text, what: str = 'text') -> bytes:
    """Lone surrogates become bytes that are no UTF-8, which the library
    replaces and reports."""
    if isinstance(text, str):
        try:
            return text.encode('utf-8')
        except UnicodeEncodeError:
            # One ill-formed part for each half, as long as the half.
            return re.sub(b'\xed[\xa0-\xbf][\x80-\xbf]', b'\xf0\x90\x80',
                          text.encode('utf-8', 'surrogatepass'))
    if isinstance(text, bytes):
        return text
    if isinstance(text, (bytearray, memoryview)):
        return bytes(text)
    raise TypeError('%s must be str or bytes, not %s%s' % (
        what, type(text).__name__, next(
            (remedy for kinds, remedy in _NO_TEXTS if isinstance(text, kinds)),
            '')))


def _dumped(value: Any) -> Any:
    """A message or a tool of openai-python, or of whoever else uses pydantic:
    what was set of it.  A row that `datasets` gives to map() is a mapping."""
    if isinstance(value, Mapping):
        return dict(cast(Mapping[str, Any], value))
    kind = cast(Any, type(value))
    dump = getattr(kind, 'model_dump', None)
    if dump is None:
        raise TypeError('Object of type %s is not JSON serializable'
                        % kind.__name__)
    return dump(value, mode='json', exclude_unset=True)


def _plain(value: Any) -> Any:
    """The same; a function, or a class of pydantic's, is a tool."""
    return tool(value) if callable(value) else _dumped(value)


def to_json(value: Json, default: Callable[[Any], Any] = _plain) -> bytes:
    """JSON text stays as it is, so that no digit of a number is lost."""
    if isinstance(value, TEXTS):
        return to_bytes(value)
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False,
                          default=default).encode('utf-8')
    except UnicodeEncodeError:  # a lone surrogate stays an escape
        return json.dumps(value, allow_nan=False,
                          default=default).encode('ascii')


_ONE = '; for one tool write tools=[...]'


def to_tools(tools: Json) -> bytes:
    """A list as JSON.  A name alone is refused, not taken for a list of one:
    a str is JSON text wherever JSON is asked for."""
    if not isinstance(tools, (list, tuple, *TEXTS)) and not (
            isinstance(tools, dict) and ('tools' in tools or 'result' in tools)
            ) and not hasattr(type(tools), 'model_dump'):
        raise TypeError('tools must be a list of tools, or JSON text of one, '
                        'not %s%s' % (type(tools).__name__, _ONE if isinstance(
                            tools, Mapping) or callable(tools) else ''))
    data = to_json(tools)
    if b'[' not in data:
        shown = reprlib.repr(data.decode('utf-8', 'replace'))
        raise ToolwireError(SCHEMA, 'tools must be a list, not the text %s; '
                            'for one tool of that name write tools=[%s]'
                            % (shown, shown))
    return data


def to_int(name: str, value: Any) -> int:
    """The int that |value| is; of bools and floats it would be a slip."""
    if not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError('%s must be an int, not %s'
                    % (name, type(value).__name__))


def to_size(name: str, value: Any) -> int:
    """An int that a size_t holds."""
    size = to_int(name, value)
    if not 0 <= size <= sys.maxsize:
        raise ValueError('%s must be from 0 to %d, not %d'
                         % (name, sys.maxsize, size))
    return size


def one_of(name: str, value: Any, choices: Mapping[str, Value]) -> Value:
    """What |value|, a word, stands for."""
    if isinstance(value, str) and value in choices:
        return choices[value]
    words = [repr(word) for word in choices]
    wrong = ValueError if isinstance(value, str) else TypeError
    raise wrong('%s must be %s or %s, not %r%s' % (
        name, ', '.join(words[:-1]), words[-1], value,
        near(value, list(choices)) if isinstance(value, str)
        else "; where nobody says it, 'unknown'" if 'unknown' in choices
        else ''))


def _out_of_range(name: str, value: Any) -> NoReturn:
    raise ToolwireError(ARGUMENT, 'option %s: the value %r is out of its '
                        'range' % (name, value))


def flag(name: str, value: Any) -> int:
    if isinstance(value, int) and value in (0, 1):
        return int(value)
    raise TypeError('%s must be True or False, not %r' % (name, value))


def _start(name: str, value: Any) -> int:
    """TW_START_FIND is for whole texts: a Decoder refuses it."""
    if value == 'auto':
        return 2
    if isinstance(value, int) and value in (0, 1):
        return int(value)
    raise TypeError("%s must be True, False or 'auto', not %r" % (name, value))


def _number(name: str, value: Any) -> int:
    number = to_int(name, value)
    if not -2**63 <= number < 2**63:
        _out_of_range(name, value)
    return number


def _text(name: str, value: Any) -> bytes:
    return to_bytes(value, name)


def choice_of(name: str, value: Any) -> bytes:
    word: object = value
    if isinstance(word, TEXTS):
        text = to_bytes(cast(Text, word))
        if not text.startswith(b'{'):
            return text
    raise TypeError("%s must be 'auto', 'none', 'required' or the name of a "
                    'tool, not %s' % (name, reprlib.repr(value)))


def _json(name: str, value: Any) -> bytes:
    if not isinstance(value, (Mapping, list, tuple, *TEXTS)):
        raise TypeError('%s must be a dict or JSON text, not %s'
                        % (name, type(value).__name__))
    try:
        return to_json(cast(Json, value), _dumped)
    except (TypeError, ValueError) as error:
        raise type(error)('%s: %s' % (name, error)) from None


class Words:
    """What takes one of some words, each with what it stands for."""

    def __init__(self, **choices: Union[int, bytes]) -> None:
        self.choices = choices

    def __call__(self, name: str, value: Any) -> Union[int, bytes]:
        return one_of(name, value, self.choices)


# ---- options ---------------------------------------------------------------

class Option(NamedTuple):
    of: str      #: whose it is
    number: int  #: a tw_option, or a tw_text if |take| gives bytes
    take: Callable[[str, Any], Union[int, bytes]]  #: of its name and a value


OPTIONS: Dict[str, Option] = {
    'strict': Option('decoder', 1, flag),
    'start_reasoning': Option('decoder', 2, _start),
    'calls_in_reasoning': Option('decoder', 3, flag),
    'recover_stripped': Option('decoder', 4, flag),
    'keep_raw': Option('decoder', 5, flag),
    'framing': Option('decoder', 6, flag),
    'first_call': Option('decoder', 7, _number),
    'untyped': Option('decoder', 8, Words(string=0, json=1)),
    'validate': Option('decoder', 9, Words(no=0, report=1, refuse=2, mend=3)),
    'limit_depth': Option('decoder', 10, _number),
    'limit_name': Option('decoder', 11, _number),
    'limit_arguments': Option('decoder', 12, _number),
    'limit_calls': Option('decoder', 13, _number),
    'limit_input': Option('decoder', 14, _number),
    'call_id_prefix': Option('decoder', 1, _text),
    'tool_choice': Option('decoder', 15, choice_of),
    'hold_calls': Option('writer', 30, flag),
    'custom_function': Option('writer', 31, flag),
    'reasoning_key': Option('writer', 2, Words(
        reasoning_content=b'reasoning_content', reasoning=b'reasoning')),
    'sse': Option('stream', 35, flag),
    'reasoning_summary': Option('responses', 36, flag),
    'created': Option('dated', 32, _number),
    'choice': Option('chat', 33, _number),
    'join_chunks': Option('stream', 34, flag),
    'finish_reason': Option('stream', 8, _text),
    'usage': Option('stream', 9, _json),
    'stop_sequence': Option('anthropic', 11, _text),
    'system_fingerprint': Option('chat', 7, _text),
    'id': Option('stream', 3, _text),
    'model': Option('stream', 4, _text),
    'generation_prompt': Option('encoder', 50, flag),
    'control_text': Option('encoder', 51, Words(**{
        'reject': 0, 'allow': 1, 'break': 2})),
    'python_numbers': Option('encoder', 52, flag),
    'loss': Option('losses', 53, Words(report=0, refuse=1, ignore=2)),
    'ids': Option('losses', 57, Words(keep=0, map=1, make=2)),
    'settings': Option('request', 6, _json),
    'now': Option('template', 14, _text),
    'sampled_last': Option('template', 54, flag),
    'sampled_no_reasoning': Option('template', 55, flag),
    'sampled_by_weight': Option('template', 56, flag),
    'unit_completion': Option('conversation', 70, flag),
    'arguments_object': Option('conversation', 71, flag),
    'field': Option('record', 5, _text),
    'prompt_field': Option('text', 12, _text),
    'finish_field': Option('text', 13, _text),
    'messages': Option('messages', 10, _text),
}


def names(*owners: str) -> List[str]:
    """The options that are theirs."""
    return [name for name, option in OPTIONS.items() if option.of in owners]


def guess(found: Iterable[str]) -> str:
    """A question that ends a sentence about a wrong name, or nothing."""
    names = ', '.join(map(repr, found))
    return '; did you mean %s?' % names if names else ''


# What others say, and what may stand for that here.
_OTHERS = {
    'chunks': 'chat', 'openai': 'chat', 'completions': 'chat',
    'claude': 'anthropic', 'messages': 'anthropic', 'eos': 'stop',
    'end_turn': 'stop', 'tool_calls': 'stop', 'max_tokens': 'length',
    'fix': 'mend', 'repair': 'mend', 'coerce': 'mend', 'error': 'refuse',
    'ebnf': 'gbnf', 'guidance': 'lark', 'xgrammar': 'structural-tag',
    # The command's words.
    'join': 'join_chunks', 'custom': 'custom_function', 'set': 'settings',
    'unit': 'unit_completion', 'arguments': 'arguments_object',
    'start': 'start_reasoning', 'prompt_tail': 'prompt',
    'parallel_tool_calls': 'parallel',
    # Functions.
    'parse': 'decode', 'extract_tool_calls': 'decode', 'detect': 'Template',
    'stream': 'stream_chunks', 'apply_chat_template': 'encode',
    'load_format': 'LoadedFormat', 'explain': 'diagnostics'}


def _nearest(name: str, known: Sequence[str]) -> List[str]:
    low = name.lower()
    meant = _OTHERS.get(low, '')
    return [meant] if meant in known else difflib.get_close_matches(
        low, known, 1)


def near(name: str, known: Sequence[str]) -> str:
    """A question for what is |known| and near to the |name|."""
    return guess(_nearest(name, known))


# Where else what is no option may belong, if this one is known.
_ELSEWHERE = {
    'tools': ('settings', 'the request has its "tools"'),
    'messages': ('settings', 'the request has its "messages"'),
    'enable_thinking': ('settings', 'settings={"enable_thinking": ...} sets '
                        'it'),
    'reasoning_effort': ('settings', 'settings={"reasoning_effort": ...} sets '
                         'it'),
    'tool_choice': ('parallel', "choice= takes what the request's tool_choice "
                    'says'),
    'finish_reason': ('finish', "finish='stop' or 'length' says why the "
                      'output ended')}


def check(who: str, options: Mapping[str, Any], known: Sequence[str],
          *others: str) -> None:
    """Refuses what is not |known|; |others| are parameters that have names
    of their own.  An option that is None is not given."""
    for name in options:
        if name not in known and not (name in OPTIONS
                                      and options[name] is None):
            listed = sorted([*known, *others])
            # An option of something else is no slip of the pen.
            meant = '' if name in OPTIONS else near(name, listed)
            needs, elsewhere = _ELSEWHERE.get(name, (None, ''))
            if needs in listed:
                meant = '; ' + elsewhere
            raise TypeError('%s takes no option %r%s (options: %s)' % (
                who, name, meant, ', '.join(listed) or 'none'))


def apply(prefix: str, handle: int, options: Mapping[str, Any],
          error: Callable[[], Any]) -> None:
    """Sets |options| of an object whose functions begin with |prefix|."""
    for name, value in options.items():
        if value is None:
            continue
        option = OPTIONS[name]
        taken = option.take(name, value)
        if isinstance(taken, bytes):
            result = getattr(lib, prefix + 'set_text')(
                handle, option.number, taken, len(taken))
        else:
            result = getattr(lib, prefix + 'set')(handle, option.number,
                                                  taken)
        if result == ARGUMENT and option.take is _number:
            _out_of_range(name, value)
        if result == ARGUMENT:
            raise ToolwireError(ARGUMENT, 'option %s does not take %r here'
                                % (name, value))
        known = error()
        if result < 0 and option.take is _json and (
                known is None or known.code != result):
            raise ToolwireError(result, 'option %s must be a JSON object'
                                % name)
        if result < 0:
            fail(result, known)


# ---- formats ---------------------------------------------------------------

def constants(function: Callable[[Any, int], Any],
              what: Any) -> Iterator[str]:
    """The texts of a function that takes 0, 1, ..."""
    for i in itertools.count():
        text = function(what, i)
        if not text:
            return
        yield text_of(text)


def format_names() -> Iterator[str]:
    """Of all formats, the shorter ones in front."""
    for i in itertools.count():
        handle = lib.tw_format_at(i)
        if not handle:
            return
        alias = lib.tw_format_alias(handle)
        if alias:
            yield text_of(alias)
        yield text_of(lib.tw_format_name(handle))


_ORDER = 'the text or request stands first, the format behind it'


def _meant(name: str, data: bytes, others: Sequence[str]) -> str:
    if lib.tw_record_shape_find(data):  # no slip of the pen
        return '; it is a shape of records, which convert() takes'
    if re.search(r'[\s<{]', name):
        return '; ' + _ORDER
    if os.path.exists(name):
        return ('; of a chat template Template(pathlib.Path(%r)).detect() '
                'names it' % name)
    return guess([*_nearest(name, others),
                  *constants(lib.tw_format_near, data)])


def find_format(name: FormatName, *others: str) -> int:
    """The handle of a format; |others| could have been meant as well."""
    handle = getattr(name, 'handle', None)
    if isinstance(handle, int):  # a LoadedFormat
        return handle
    if not isinstance(name, str):
        raise TypeError('the name of a format must be a str, not %s; %s' % (
            type(name).__name__, _ORDER if isinstance(
                name, (list, tuple, Mapping))
            else 'for a description write LoadedFormat(...)'))
    # Behind a NUL the library sees nothing.
    data = name.encode('utf-8', 'replace')
    found = None if '\0' in name else lib.tw_format_find(data)
    if not found and name.endswith('.json'):
        raise ToolwireError(
            ARGUMENT, 'there is no format %r; for a description in a file '
            'write LoadedFormat(pathlib.Path(%r))' % (name, name))
    if not found:
        raise ToolwireError(
            ARGUMENT, 'there is no format %s%s%s (%s)' % (
                'or shape ' if others else '', reprlib.repr(name),
                _meant(name, data, others),
                'toolwire.formats() and toolwire.shapes() list them'
                if others else 'toolwire.formats() lists them'))
    return int(found)
