# SPDX-License-Identifier: MIT
"""Whole outputs, and records of logs."""
import json
from collections import Counter
from ctypes import byref, c_uint32, c_uint64
from typing import (TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple,
                    TypeVar)

from . import _errors, _options
from ._errors import ToolwireError, diagnostic_name, text_of
from ._event import Found
from ._handle import Handle
from ._library import lib
from ._losses import Report, reports, settle
from ._options import FormatName, Json, LoadedTemplate, Text
from ._tables import shapes

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import (ConverterOptions, ConvertOptions, DecodeOptions,
                         FinishWord, TranscriptOptions)

Record = TypeVar('Record', str, bytes, Dict[str, Any])
SHAPES = tuple(shape.name for shape in shapes())
READ_ONLY = tuple(shape.name for shape in shapes() if not shape.writes)
ANSWERS = ('message', 'report')
# What a converter of completions takes beside options.
_PARAMETERS = ('tools', 'prompt', 'finish', 'chunk')


def _is_shape(source: FormatName, target: FormatName) -> bool:
    """A name that a format has, too, is the format's in front of a message:
    no shape is read to one."""
    return source in SHAPES and not (
        target in ANSWERS and str(source) in _options.format_names())


def _names(source: FormatName, target: FormatName,
           wire: Optional[FormatName]) -> List[str]:
    """The options of a converter between these ends."""
    owners = ['record']
    owners += ['messages'] * (source in ('openai', 'huggingface'))
    owners += ['text'] * (not _is_shape(source, target))
    reads = not _is_shape(source, target) or wire is not None
    if reads:
        owners += ['decoder'] + ['writer'] * (target != 'report')
    if target not in ANSWERS:
        owners += ['losses', 'conversation']
        owners += ['encoder'] * (target not in SHAPES or wire is not None)
    return _options.names(*owners) + ['validate'] * (not reads)


class Converter(Handle):
    """Records from one form to another.

    source, target  a format, or a shape of records (shapes()); from a format
                    also to 'message' or 'report'
    wire            the format of the text that assistants have in records of
                    a shape; from such a text calls are read, and 'sharegpt' is
                    written so, too
    tools, prompt   as for Decoder, the same for every record.  Between two
                    shapes without a wire no text is read; tools then serve
                    validate alone, and prompt is not taken
    finish          why each output ended: 'unknown', 'stop', 'length'
    chunk           feeds so many bytes at a time; the result is the same
    options         by what the converter does:
                    text is read    those of Decoder
                    ... to all but 'report'
                                    those of Writer('message')
                    text is written those of Encoder, without settings
                    to a format or a shape
                                    loss, ids, unit_completion (a text is one
                                    assistant's message, and no transcript),
                                    arguments_object (a dict in place of JSON
                                    text)
                    always          validate, against tools or else against
                                    the record's own tools; field: where in a
                                    record its text stands
                    from 'openai'   messages: where in a record the list of
                                    messages stands
    """

    _prefix = 'tw_converter_'
    _who = 'a Converter'

    def __init__(self, source: FormatName, target: FormatName, *,
                 wire: Optional[FormatName] = None,
                 tools: Optional[Json] = None, prompt: Optional[Text] = None,
                 finish: 'FinishWord' = 'unknown', chunk: int = 0,
                 **options: 'Unpack[ConverterOptions]') -> None:
        # Of each end its format, or NULL, and its name, or NULL.
        ends: List[Any] = []
        shape = _is_shape(source, target)
        for end, others in (
                (source, () if target in ANSWERS else SHAPES),
                (target, SHAPES if shape else SHAPES + ANSWERS)):
            is_format = (end not in SHAPES + ANSWERS
                         or end is source and not shape and end in SHAPES)
            ends += [_options.find_format(end, *others), None] \
                if is_format else [None, str(end).encode()]
        unwritten = target in READ_ONLY
        if source in ANSWERS or target in ANSWERS and shape or unwritten:
            raise ToolwireError(
                _errors.ARGUMENT, 'no way leads from %s to %s%s' % (
                    source, target, ', which is read only' * unwritten))
        _options.check('%s from %r to %r' % (self._who, source, target),
                       options, _names(source, target, wire), 'wire',
                       *(('tools',) if shape and wire is None
                         else _PARAMETERS))
        how = _options.one_of('finish', finish, _options.FINISH)
        size = _options.to_size('chunk', chunk)
        super().__init__(_errors.new(lib.tw_converter_between, *ends), source,
                         target, wire)
        handle = self._open()
        if wire is not None:
            self._check(lib.tw_converter_set_wire(
                handle, _options.find_format(wire)))
        _options.apply(self._prefix, handle, options, self._error)
        if tools is not None:
            data = _options.to_tools(tools)
            self._check(lib.tw_converter_set_tools(handle, data, len(data)))
        if prompt is not None:
            data = _options.to_bytes(prompt, 'prompt')
            self._check(lib.tw_converter_set_prompt(handle, data, len(data)))
        self._check(lib.tw_converter_set_finish(handle, how))
        self._check(lib.tw_converter_set_chunk(handle, size))

    def use_template(self, template: LoadedTemplate,
                     shown: Mapping[str, Any]) -> None:
        """The turns of transcripts are the template's, which has to stay, and
        its prompts show this; Template.decode_transcript() does so."""
        self._check(lib.tw_converter_set_template(
            self._open(), template.template_handle))
        _options.apply(self._prefix, self._open(), shown, self._error)

    def _run(self, function: Any, data: bytes) -> str:
        with self._lock:
            return self._give_bytes(function, self._open(), data,
                                    len(data)).decode()

    def record(self, record: Json) -> str:
        """One record in, one out, as JSON text.  After an error it is ready
        for the next.  A blank line is no record: a loop over the lines of a
        file passes over it."""
        if not isinstance(record, (Mapping, *_options.TEXTS)):
            raise TypeError('a record must be a dict or JSON text, not %s%s'
                            % (type(record).__name__, '; of a list convert '
                               'each' if isinstance(record, list) else ''))
        return self._run(lib.tw_converter_record, _options.to_json(record))

    def text(self, text: Text) -> str:
        """The same for text that is not wrapped in JSON."""
        return self._run(lib.tw_converter_text, _options.to_bytes(text))

    def transcript(self, text: Text) -> str:
        """A whole conversation as {"messages", "tools"}; the converter is
        from a format to 'openai'."""
        return self._run(lib.tw_decode_transcript, _options.to_bytes(text))

    def shape(self) -> Optional[str]:
        """The shape that the last record was read as, which 'auto' finds;
        None if it has none."""
        with self._lock:
            return text_of(lib.tw_converter_shape(self._open())) or None

    def identity(self) -> Dict[str, Any]:
        """What tells the last record, for an error in its place: its members
        `id`, `uuid` and those that end in `_id`, and as `request_error` the
        error that it is about itself."""
        with self._lock:
            known = self._give_bytes(lib.tw_converter_identity, self._open())
        members: Dict[str, Any] = json.loads(b'{' + known + b'}')
        return members

    def unparsed(self) -> int:
        """How many blocks the last record lists as unparsed."""
        with self._lock:
            return int(lib.tw_converter_unparsed(self._open()))

    def diagnostics(self) -> List[Found]:
        """Of the last record; of one name no more than the first 1000."""
        found: List[Found] = []
        code, offset = c_uint32(), c_uint64()
        with self._lock:
            while lib.tw_converter_diagnostic(self._open(), len(found),
                                              byref(code),
                                              byref(offset)) == 1:
                about = lib.tw_converter_diagnostic_format(self._open(),
                                                           len(found))
                found.append(Found(diagnostic_name(code.value), offset.value,
                                   about.decode() if about else None))
        return found

    def more_diagnostics(self) -> Dict[str, int]:
        """By their names: how many the last record has beside these."""
        listed = Counter(found.name for found in self.diagnostics())
        more: Dict[str, int] = {}
        with self._lock:
            for name, count in listed.items():
                code = lib.tw_diagnostic_find(name.encode()).contents.code
                count = lib.tw_converter_diagnostic_count(
                    self._open(), code) - count
                if count > 0:
                    more[name] = count
        return more

    def report(self) -> List[Report]:
        """Of the last record: what was lost."""
        with self._lock:
            return reports(lib.tw_converter_report, self._open())


def decode(text: Text, format: FormatName, *, tools: Optional[Json] = None,
           prompt: Optional[Text] = None, finish: 'FinishWord' = 'unknown',
           chunk: int = 0,
           **options: 'Unpack[DecodeOptions]') -> Dict[str, Any]:
    """The OpenAI message of a whole completion.  Its arguments are text, as
    in OpenAI's API; what deviates is listed in its member "toolwire".

    tools, prompt, chunk  as for Converter
    finish                why the output ended: 'stop' by itself, 'length' by a
                          token limit
    options               those of Decoder and of Writer('message')
    """
    _options.check('decode()', options, _options.names('decoder', 'writer'),
                   *_PARAMETERS)
    _options.find_format(format)  # a shape is none
    with Converter(format, 'message', tools=tools, prompt=prompt,
                   finish=finish, chunk=chunk, **options) as converter:
        message: Dict[str, Any] = json.loads(converter.text(text))
        return message


def decode_transcript(text: Text, format: FormatName, *,
                      report: Optional[List[Report]] = None,
                      **options: 'Unpack[TranscriptOptions]'
                      ) -> Dict[str, Any]:
    """{"messages", "tools"} of a whole conversation as wire text.

    report   that of encode()
    options  those of Converter(format, 'openai'), without field and
             unit_completion
    """
    return read_transcript(text, format, None, report, options)


def read_transcript(text: Text, format: FormatName,
                    by: Optional[Tuple[LoadedTemplate, Mapping[str, Any]]],
                    report: Optional[List[Report]],
                    options: 'TranscriptOptions') -> Dict[str, Any]:
    """decode_transcript(); its turns are those of |by|'s template, if there is
    one."""
    _options.check('decode_transcript()', options,
                   _options.names('decoder', 'writer')
                   + ['arguments_object', 'ids', 'loss', *_PARAMETERS])
    _options.find_format(format)
    with Converter(format, 'openai', **options) as converter:
        if by is not None:
            converter.use_template(*by)
        request: Dict[str, Any] = json.loads(converter.transcript(text))
        settle('decode_transcript()', converter.report(), report, options)
        return request


def convert(record: Record, source: FormatName, target: FormatName, *,
            report: Optional[List[Report]] = None,
            **options: 'Unpack[ConvertOptions]') -> Record:
    """One record of a log, from one form to another; JSON text gives JSON
    text, in which no number is spelled anew, and a dict a dict.  For many
    records a Converter is faster.

    report   that of encode()
    options  those of Converter
    """
    with Converter(source, target, **options) as converter:
        out = converter.record(record)
        settle('convert()', converter.report(), report, options)
    if isinstance(record, str):
        return out
    if isinstance(record, bytes):
        return out.encode()
    made: Dict[str, Any] = json.loads(out)
    return made
