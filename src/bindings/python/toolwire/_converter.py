# SPDX-License-Identifier: MIT
"""Whole outputs, and records of logs."""
import json
from ctypes import byref, c_uint32, c_uint64
from typing import Any, Dict, List, NamedTuple, Optional, TypeVar, Union

from . import _errors, _options
from ._encoder import Report, reports
from ._errors import ToolwireError, diagnostic_name
from ._handle import Handle
from ._library import lib
from ._options import Json, Text

Record = TypeVar('Record', str, bytes, Dict[str, Any])
SHAPES = ('openai', 'sharegpt', 'anthropic')


class Found(NamedTuple):
    """A deviation, and where."""
    name: str
    offset: int


class Converter(Handle):
    """Records from one form to another.

    source, target  a format, or a shape of records: 'openai', 'sharegpt',
                    'anthropic'; from a format also to 'message' or 'report'
    tools, prompt   as for Decoder; for every record
    finish          why each output ended
    chunk           feeds so many bytes at a time; the result is the same
    options         those of Decoder, Writer (not of chunks) and Encoder, and
                    unit_completion, arguments_object, field
    """

    _prefix = 'tw_converter_'

    def __init__(self, source: str, target: str, *,
                 tools: Optional[Json] = None, prompt: Optional[Text] = None,
                 finish: str = 'stop', chunk: int = 0,
                 **options: Any) -> None:
        for end in (source, target):
            if end not in SHAPES + ('message', 'report'):
                _options.find_format(end)
        ends = source.encode(), target.encode()
        how = _options.number_of(finish, _options.FINISH)
        try:
            handle = _errors.new(lib.tw_converter_new, *ends)
        except MemoryError:
            # The library says NULL to both.
            if (source in ('message', 'report')
                    or target in ('message', 'report') and source in SHAPES):
                raise ToolwireError(-1, 'no way leads from %s to %s'
                                    % (source, target)) from None
            raise
        super().__init__(handle)
        _options.apply(self._prefix, handle, options, self._error,
                       _options.DECODER, _options.WRITER, _options.ENCODER,
                       _options.CONVERTER)
        if tools is not None:
            data = _options.to_json(tools)
            self._check(lib.tw_converter_set_tools(handle, data, len(data)))
        if prompt is not None:
            data = _options.to_bytes(prompt)
            self._check(lib.tw_converter_set_prompt(handle, data, len(data)))
        self._check(lib.tw_converter_set_finish(handle, how))
        self._check(lib.tw_converter_set_chunk(handle, chunk))

    def _run(self, function: Any, data: bytes) -> str:
        with self._lock:
            return self._give_bytes(function, self._open(), data,
                                    len(data)).decode()

    def record(self, record: Json) -> str:
        """One record in, one out, as JSON text.  After an error it is ready
        for the next."""
        return self._run(lib.tw_converter_record, _options.to_json(record))

    def text(self, text: Text) -> str:
        """The same for text that is not wrapped in JSON."""
        return self._run(lib.tw_converter_text, _options.to_bytes(text))

    def transcript(self, text: Text) -> str:
        """A whole conversation as {"messages", "tools"}; the converter is
        from a format to 'openai'."""
        return self._run(lib.tw_decode_transcript, _options.to_bytes(text))

    def unparsed(self) -> int:
        """How many blocks the last record lists as unparsed."""
        with self._lock:
            return int(lib.tw_converter_unparsed(self._open()))

    def diagnostics(self) -> List[Found]:
        """Of the last record."""
        found: List[Found] = []
        code, offset = c_uint32(), c_uint64()
        with self._lock:
            while lib.tw_converter_diagnostic(self._open(), len(found),
                                              byref(code),
                                              byref(offset)) == 1:
                found.append(Found(diagnostic_name(code.value),
                                   offset.value))
        return found

    def report(self) -> List[Report]:
        """Of the last record: what was lost."""
        with self._lock:
            return reports(lib.tw_converter_report, self._open())


def decode(text: Text, format: str, *, tools: Optional[Json] = None,
           prompt: Optional[Text] = None, finish: str = 'stop',
           **options: Any) -> Dict[str, Any]:
    """The OpenAI message of a whole completion.  Its arguments are text, as
    in OpenAI's API; what deviates is listed in its member "toolwire".

    finish   why the output ended: 'length' of what a token limit cut
    options  those of Decoder and of Writer (not of chunks)
    """
    with Converter(format, 'message', tools=tools, prompt=prompt,
                   finish=finish, **options) as converter:
        message: Dict[str, Any] = json.loads(converter.text(text))
        return message


def decode_transcript(text: Text, format: str,
                      **options: Any) -> Dict[str, Any]:
    """{"messages", "tools"} of a whole conversation as wire text."""
    with Converter(format, 'openai', **options) as converter:
        request: Dict[str, Any] = json.loads(converter.transcript(text))
        return request


def convert(record: Union[str, bytes, Dict[str, Any]], source: str,
            target: str, **options: Any
            ) -> Union[str, bytes, Dict[str, Any]]:
    """One record of a log, from one form to another; JSON text gives JSON
    text, in which no number is spelled anew, and a dict a dict.  For many
    records a Converter is faster.

    options  those of Converter
    """
    with Converter(source, target, **options) as converter:
        out = converter.record(record)
    if isinstance(record, str):
        return out
    if isinstance(record, bytes):
        return out.encode()
    made: Dict[str, Any] = json.loads(out)
    return made
