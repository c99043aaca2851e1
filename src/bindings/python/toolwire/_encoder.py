# SPDX-License-Identifier: MIT
"""Prompts of requests."""
import ctypes
from ctypes import byref
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Tuple, Union, cast

from . import _errors, _options
from ._handle import Handle
from ._library import SegmentPointer, SpanPointer, lib
from ._losses import Report, reports, settle
from ._options import FormatName, Json, LoadedTemplate

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import EncodeOptions, EncoderOptions


class Segment(NamedTuple):
    """A marker of the template, or all text up to the next one."""
    control: bool
    text: str


class Span(NamedTuple):
    """Whose bytes of a prompt are."""
    start: int               #: in bytes of UTF-8
    end: int
    message: Optional[int]   #: its number; None: none's
    part: str                #: 'head', 'text', ...
    sampled: bool            #: the model would have written them


class Encoder(Handle):
    """Makes the prompts of a dialect, or those of a Template.

    template_format
             of a Template: the format whose markers no text may forge
    options  generation_prompt, control_text ('reject', 'allow' or 'break'),
             loss ('report', 'refuse' or 'ignore': what becomes of content and
             calls that would be lost), ids ('keep', 'map' or 'make': of calls,
             for what the target holds), python_numbers, settings (a dict that
             takes the place of members of the request's
             chat_template_kwargs); for a Template now (the time that it
             shows, '2026-11-25T12:00:00') and, of spans, sampled_last,
             sampled_no_reasoning, sampled_by_weight

    A request is {"messages", "tools", "add_generation_prompt",
    "chat_template_kwargs", "reasoning_effort"}, as a dict or as JSON text,
    which keeps the spelling of each number.  A setting that the template does
    not read is reported, and so is a member that says something to the model
    in another API, such as Anthropic's "system".  Members that say nothing to
    the model ("model", "temperature") are passed over.
    """

    _prefix = 'tw_encoder_'
    _who = 'an Encoder'

    def __init__(self, format: Union[FormatName, LoadedTemplate], *,
                 template_format: Optional[FormatName] = None,
                 **options: 'Unpack[EncoderOptions]') -> None:
        _options.check(self._who, options, _options.names(
            'encoder', 'losses', 'request', 'template'))
        template: Any = getattr(format, 'template_handle', None)
        if template is not None:
            handle = _errors.new(
                lib.tw_encoder_new_template, template,
                None if template_format is None
                else _options.find_format(template_format))
        else:
            handle = _errors.new(lib.tw_encoder_new, _options.find_format(
                cast('FormatName', format)))
        super().__init__(handle, format, template_format)
        _options.apply(self._prefix, self._open(), options, self._error)

    def encode(self, request: Json) -> str:
        """The prompt."""
        data = _options.to_json(request)
        with self._lock:
            return self._give_bytes(lib.tw_encode, self._open(), data,
                                    len(data)).decode()

    def completion(self, message: Json) -> str:
        """What the model would have written for an assistant's message."""
        data = _options.to_json(message)
        with self._lock:
            return self._give_bytes(lib.tw_encode_completion, self._open(),
                                    data, len(data)).decode()

    def segments(self, request: Json) -> List[Segment]:
        """The prompt in pieces: put the text ones through the tokenizer
        without special tokens, and no text can forge a marker."""
        data = _options.to_json(request)
        found: List[Segment] = []
        pointer = SegmentPointer()
        with self._lock:
            handle = self._open()
            self._check(lib.tw_encoder_request(handle, data, len(data)))
            while self._check(lib.tw_encoder_next(handle,
                                                  byref(pointer))) == 1:
                one = pointer.contents
                found.append(Segment(
                    bool(one.control),
                    ctypes.string_at(one.data, one.size).decode()))
        return found

    def extend(self, record: Json) -> str:
        """What to append to a prompt behind a turn that the model wrote.

        record  {"prompt", "completion", "messages", "new", "tools", ...}:
                "prompt" was made for "messages" without the last, an
                assistant's, which is what "completion" says as it was sampled;
                "new" are the messages that follow; or {"completion",
                "message", "new"}, which goes on behind the last record

        ToolwireError (TW_ERROR_UNSTABLE) with the path of the message with
        which the template writes what stands before otherwise."""
        data = _options.to_json(record)
        with self._lock:
            return self._give_bytes(lib.tw_encoder_extend, self._open(), data,
                                    len(data)).decode()

    def spans(self, request: Json) -> Tuple[str, List[Span]]:
        """A Template's prompt, and whose its bytes are."""
        data = _options.to_json(request)
        found: List[Span] = []
        pointer = SpanPointer()
        with self._lock:
            handle = self._open()
            text = self._give_bytes(lib.tw_encode, handle, data, len(data))
            while self._check(lib.tw_encoder_span(handle, len(found),
                                                  byref(pointer))) == 1:
                one = pointer.contents
                found.append(Span(
                    one.start, one.end,
                    one.message if one.message >= 0 else None,
                    one.part.decode(), one.sampled != 0))
        return text.decode(), found

    def report(self) -> List[Report]:
        """Of the last request: what the wire does not carry, and where the
        template is broken."""
        with self._lock:
            return reports(lib.tw_encoder_report, self._open())


def encode(request: Json, format: Union[FormatName, LoadedTemplate], *,
           generation_prompt: Optional[bool] = None,
           report: Optional[List[Report]] = None,
           **options: 'Unpack[EncodeOptions]') -> str:
    """The prompt that |format|'s template, or a Template, makes of an OpenAI
    request.

    report  a list, to which what was lost is added.  Without it and without
            the option loss, a LossWarning says that content or a call was
            lost

    ToolwireError with the path, if text of the request would put a marker
    on the wire, or the wire has no place for a value."""
    with Encoder(format, generation_prompt=generation_prompt,
                 **options) as encoder:
        text = encoder.encode(request)
        settle('encode()', encoder.report(), report, options)
        return text


def encode_segments(request: Json, format: Union[FormatName, LoadedTemplate], *,
                    generation_prompt: Optional[bool] = None,
                    report: Optional[List[Report]] = None,
                    **options: 'Unpack[EncodeOptions]') -> List[Segment]:
    """The same in segments."""
    with Encoder(format, generation_prompt=generation_prompt,
                 **options) as encoder:
        segments = encoder.segments(request)
        settle('encode_segments()', encoder.report(), report, options)
        return segments


def encode_completion(message: Json, format: FormatName, *,
                      report: Optional[List[Report]] = None,
                      **options: 'Unpack[EncoderOptions]') -> str:
    """What the model would have written for an assistant's message: what
    decode() reads back.  report is that of encode()."""
    with Encoder(format, **options) as encoder:
        text = encoder.completion(message)
        settle('encode_completion()', encoder.report(), report, options)
        return text
