# SPDX-License-Identifier: MIT
"""Chat templates: prompts, whose their bytes are, turns appended, the format
that a template tells."""
import ctypes
import json
import os
from ctypes import byref, c_char_p, c_size_t, c_void_p
from typing import (TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple,
                    NoReturn, Optional, Sequence, Tuple, Union)

from . import _library
from ._converter import read_transcript
from ._encoder import Encoder, Span
from ._errors import ARGUMENT, MEMORY, ToolwireError, text_of
from ._formats import LoadError
from ._handle import Shared
from ._library import lib
from ._losses import Report
from ._options import FormatName, Json, TEXTS, Text, to_bytes, to_json

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import EncoderOptions, TranscriptOptions


class _Source(ctypes.Structure):
    _fields_ = [('text', c_char_p), ('size', c_size_t), ('config', c_char_p),
                ('config_size', c_size_t), ('name', c_char_p)]


class Detection(NamedTuple):
    """What a template tells of the format that its model writes."""
    format: Optional[str]    #: None: none that is known
    start: Optional[str]     #: 'text', or 'reasoning': prompts end inside it
    evidence: List[Dict[str, Any]]  #: turns, and how they were read
    other: List[str]         #: formats that read them, too
    #: Without a format: a draft of a description for LoadedFormat, or None
    draft: Optional[Dict[str, Any]] = None
    otherwise: Sequence[str] = ()  #: settings that change the start


def _read(path: str) -> Optional[bytes]:
    try:
        with open(path, 'rb') as file:
            return file.read()
    except FileNotFoundError:
        return None


def _folder(path: str, name: Optional[str]) -> \
        Tuple[Optional[bytes], Optional[bytes], Optional[str]]:
    """The template and the configuration of a model's folder, and the name
    by which the template is still to be found."""
    config = _read(os.path.join(path, 'tokenizer_config.json'))
    named = None if name is None else _read(os.path.join(
        path, 'additional_chat_templates', name + '.jinja'))
    if named is not None:
        return named, config, None
    text = _read(os.path.join(path, 'chat_template.jinja'))
    if text is None and (config is None or b'"chat_template"' not in config):
        text = _read(os.path.join(path, 'chat_template.json'))
    if text is None and config is None:
        raise FileNotFoundError(
            '%s: there is no chat_template.jinja, tokenizer_config.json or '
            'chat_template.json in it' % path)
    return text, config, name


_FILE = '; for a file write Template(pathlib.Path(...))'


class Template:
    """A model's chat template: Jinja as transformers runs it.

    source   the template's text; or the path (os.PathLike) of a Jinja file,
             of JSON that holds it, or of a model's folder
    config   tokenizer_config.json, as text or a dict, for its special tokens
    name     of several templates, in a configuration or a folder

    An Encoder, encode() and encode_segments() take it in place of a format's
    name.  Threads may share it.  ToolwireError with line and column, if it is
    no template."""

    def __init__(self, source: Union[Text, 'os.PathLike[str]'], *,
                 config: Optional[Json] = None,
                 name: Optional[str] = None) -> None:
        self._handle: Optional[int] = None
        settings = None if config is None else to_json(config)
        text: Optional[bytes]
        if isinstance(source, os.PathLike):
            path = os.fspath(source)
            if os.path.isdir(path):
                text, found, name = _folder(path, name)
                settings = settings if settings is not None else found
            else:
                with open(path, 'rb') as file:
                    text = file.read()
        else:
            if not isinstance(source, TEXTS):
                raise TypeError("source must be a template's text or a path, "
                                "not %s; of a tokenizer it is the "
                                "chat_template, which a base model's lacks"
                                % type(source).__name__)
            text = to_bytes(source, 'source')
            if isinstance(source, str) and '{' not in source \
                    and os.path.exists(source):
                raise ToolwireError(ARGUMENT, 'this is a path, and the '
                                    "template's text is wanted" + _FILE)
        given = _Source(text, len(text or b''), settings,
                        len(settings or b''),
                        None if name is None else name.encode())
        made, error = c_void_p(), LoadError()
        lib.tw_template_load(byref(given), _library.allocator, byref(made),
                             byref(error))
        if not made.value:
            if error.code == MEMORY:
                raise MemoryError('toolwire')
            path = _FILE if b'is a path' in error.message else ''
            raise ToolwireError(error.code, text_of(error.message) + path)
        self._shared = Shared(made.value, lib.tw_template_free)
        self._handle = made.value
        self._encoder: Optional[Encoder] = None

    @property
    def template_handle(self) -> int:
        if self._handle is None:
            raise ValueError('the Template is closed')
        return self._handle

    def _make(self, format: Optional[FormatName],
              options: Mapping[str, Any]) -> Encoder:
        return Encoder(self, template_format=format, **options)

    def encode(self, request: Json, *, format: Optional[FormatName] = None,
               **options: 'Unpack[EncoderOptions]') -> str:
        """The prompt.  format names whose markers no text may forge."""
        with self._make(format, options) as encoder:
            return encoder.encode(request)

    def spans(self, request: Json, *, format: Optional[FormatName] = None,
              **options: 'Unpack[EncoderOptions]'
              ) -> Tuple[str, List[Span]]:
        """The prompt, and whose its bytes are."""
        with self._make(format, options) as encoder:
            return encoder.spans(request)

    def extend(self, record: Json, *, format: Optional[FormatName] = None,
               **options: 'Unpack[EncoderOptions]') -> str:
        """What to append to a prompt behind a turn that the model wrote:
        Encoder.extend()."""
        with self._make(format, options) as encoder:
            return encoder.extend(record)

    def decode_transcript(self, text: Text, *,
                          format: Optional[FormatName] = None,
                          settings: Optional[Json] = None,
                          now: Optional[Text] = None,
                          report: Optional[List[Report]] = None,
                          **options: 'Unpack[TranscriptOptions]'
                          ) -> Dict[str, Any]:
        """{"messages"} of a whole conversation that the template wrote.

        format   reads the model's own turns; None: the one that the template
                 tells
        settings, now
                 what the prompt was made with: those of Encoder
        report, options
                 as for decode_transcript(), tools among them

        What was read is written again by the template: a ToolwireError, if
        that is another text."""
        name = format if format is not None else self.detect().format
        if name is None:
            raise ToolwireError(ARGUMENT,
                                'no format that is built in reads what this '
                                'template writes: name one')
        shown = {'settings': settings, 'now': now}
        return read_transcript(text, name, (self, shown), report, options)

    def detect(self) -> Detection:
        """The format in which the template writes a model's turns."""
        found = lib.tw_template_detect(self.template_handle,
                                       _library.allocator)
        if not found:
            raise MemoryError('toolwire')
        size = c_size_t()
        text = lib.tw_detection_json(found, byref(size))
        said = json.loads(ctypes.string_at(text, size.value))
        lib.tw_detection_free(found)
        return Detection(said['format'], said['start'], said['evidence'],
                         said['other'], said.get('draft'),
                         said.get('otherwise', ()))

    def __reduce__(self) -> NoReturn:
        raise TypeError('a Template cannot be copied; load it again')

    def __del__(self) -> None:
        if self._handle is not None:
            self._handle = None
            self._shared.release()


# ---- tokens ----------------------------------------------------------------

def token_mask(text: str, spans: Sequence[Span],
               offsets: Sequence[Tuple[int, int]]) -> List[int]:
    """1 for each token that the model would have sampled, else 0.

    offsets  of each token in |text|, in characters: `encoding.offsets` of
             Hugging Face's tokenizers, or `offset_mapping` of transformers

    A token that stands partly in what was sampled counts where it ends there.
    Tokens without a text, (0, 0), are 0."""
    ends: List[Tuple[int, int]] = []
    place, at = 0, 0
    data = to_bytes(text)
    try:
        pairs = [(begin, end) for begin, end in offsets]
    except (TypeError, ValueError):
        raise TypeError("offsets must be pairs of numbers: encoding["
                        "'offset_mapping'] of tokenizer(text, "
                        'return_offsets_mapping=True)') from None
    if any(end > len(text) for _, end in pairs):
        raise ValueError('offsets go beyond the text: they are of another '
                         'text, or count bytes')
    for span in spans:
        size = len(data[span.start:span.end].decode())
        if span.sampled:
            ends.append((place, place + size))
        place += size
    mask: List[int] = []
    for begin, end in pairs:
        while at < len(ends) and ends[at][1] < end:
            at += 1
        mask.append(int(begin < end and at < len(ends) and
                        ends[at][0] < end))
    return mask


# ---- episodes --------------------------------------------------------------

class Episode:
    """A conversation that grows by turns of the model's, for an agent's loop:
    what was sent stays as it is, and a turn costs what is new.

    template  a Template, or the name of a format whose prompts are built in
    messages  up to where the model goes on
    options   of the Encoder
    others    "tools", "chat_template_kwargs" and so on, of the request"""

    def __init__(self, template: Union[Template, FormatName],
                 messages: Sequence[Mapping[str, Any]],
                 options: Optional[Mapping[str, Any]] = None,
                 **others: Any) -> None:
        given: Dict[str, Any] = dict(options or {})
        self._encoder = Encoder(template, **given)
        self._request: Dict[str, Any] = dict(others, messages=list(messages))
        self._begun = False
        self._parts = [self._encoder.encode(dict(
            self._request, add_generation_prompt=True))]

    @property
    def prompt(self) -> str:
        """What is to be sent, or was sent and sampled so far."""
        if len(self._parts) > 1:
            self._parts = [''.join(self._parts)]
        return self._parts[0]

    def extend(self, completion: str, message: Mapping[str, Any],
               new: Sequence[Mapping[str, Any]]) -> str:
        """Appends what the model wrote, and |new| messages behind its turn,
        and returns what is appended behind the completion.

        ToolwireError (TW_ERROR_UNSTABLE) where the template writes what stands
        before otherwise: nothing is changed then.  An Episode of the whole
        conversation starts anew."""
        record: Dict[str, Any] = {'completion': completion, 'new': list(new)}
        if self._begun:
            record['message'] = message
        else:
            record.update(self._request,
                          messages=self._request['messages'] + [message])
        append = self._encoder.extend(record)
        self._begun = True
        self._parts += [completion, append]
        return append
