# SPDX-License-Identifier: MIT
"""What the parsers for vLLM and SGLang have in common: one completion on its
way through a decoder and a writer of chunks, as what each step adds."""
import functools
import importlib
import json
import logging
import os
import pathlib
import uuid
from typing import (Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional,
                    Tuple, cast)

from .._decoder import Decoder, Writer
from .._errors import ToolwireError
from .._event import Event
from .._options import format_names, to_bytes
from .._tables import find
from .._template import Template

logger = logging.getLogger('toolwire')


class Call:
    """What a step adds to a call; its name and id if it begins in it."""

    def __init__(self, name: Optional[str], identity: Optional[str]) -> None:
        self.name = name
        self.id = identity
        self.arguments = ''


class Step:
    """What a step adds to the message."""

    def __init__(self) -> None:
        self.content = ''
        self.reasoning = ''
        self.calls: Dict[int, Call] = {}

    def add(self, delta: Mapping[str, Any]) -> None:
        self.content += delta.get('content') or ''
        self.reasoning += delta.get('reasoning_content') or ''
        for part in delta.get('tool_calls', ()):
            function = part['function']
            call = self.calls.setdefault(
                part['index'], Call(function.get('name'), part.get('id')))
            call.arguments += function.get('arguments', '')


class _Verbatim:
    """Reasoning back to content, in its markers, as it stood on the wire.

    Takes FRAMING events for it, and of the input what no event has spoken
    of yet."""

    def __init__(self, format: str) -> None:
        self._input = bytearray()
        self._framing = b''   # may belong to reasoning that follows
        self._inside = False  # nothing but framing since reasoning
        self._segment = 0
        self._index: Optional[int] = None
        self._others = [marker.text.encode()
                        for marker in find(format).markers
                        if not marker.role.startswith('reasoning_')]

    def feed(self, piece: bytes) -> None:
        self._input += piece

    def _raw(self, event: Event) -> bytes:
        """What the event accounts for: spans come in order, without gap."""
        raw = bytes(self._input[:event.span])
        del self._input[:event.span]
        return raw

    def _text(self, data: bytes) -> Event:
        return Event('text', self._segment, data, '', 0, 0, 0, 0)

    def events(self, event: Event) -> Iterator[Event]:
        raw = self._raw(event)
        if event.kind == 'framing':
            if raw.strip() in self._others:
                return
            # Not all that frames is UTF-8: blanks of other alphabets.
            shown = raw.decode('utf-8', 'replace').encode()
            if self._inside:
                yield self._text(shown)
            else:
                self._framing += shown
        elif event.kind == 'reasoning':
            yield self._text(self._framing + event.data)
            self._framing = b''
            self._inside = True
        elif event.kind == 'text':
            if not self._inside and self._index not in (None, event.index):
                self._segment += 1
            self._index = event.index
            self._framing, self._inside = b'', False
            yield self._text(event.data)
        else:
            if event.kind != 'diagnostic':
                self._framing, self._inside = b'', False
            yield event


def declared(tools: Optional[Iterable[Any]]) -> List[Dict[str, Any]]:
    """Of OpenAI tools of both APIs, as objects or as dicts: their names, and
    the parameters, by which formats that quote no strings tell types."""
    def member(value: Any, name: str) -> Any:
        if isinstance(value, dict):
            return cast(Dict[str, Any], value).get(name)
        return getattr(value, name, None)
    found: List[Dict[str, Any]] = []
    for tool in tools or ():
        function = member(tool, 'function') or tool
        name = member(function, 'name')
        parameters = member(function, 'parameters')
        if isinstance(name, str) and name:
            found.append({'name': name})
            if isinstance(parameters, dict):
                found[-1]['parameters'] = parameters
    return found


def decoder_of(format: str, tools: List[Dict[str, Any]],
               options: Mapping[str, Any]) -> Decoder:
    """Schemas are a client's: one that is no JSON, such as a NaN, or that is
    too deep fails no request.  Then tools have no more than names."""
    try:
        return Decoder(format, tools=tools or None, **options)
    except (ValueError, RecursionError, ToolwireError):
        return Decoder(format, tools=[tool['name'] for tool in tools] or None,
                       **options)


class Stream:
    """One completion."""

    def __init__(self, format: str, tools: Optional[Iterable[Any]],
                 reasoning: str, hold_calls: bool,
                 options: Mapping[str, Any]) -> None:
        if reasoning not in ('content', 'separate'):
            raise ValueError("reasoning is 'content' or 'separate'")
        self._verbatim = (_Verbatim(format) if reasoning == 'content'
                          else None)
        # Ids are kept for a whole conversation, in which each message begins
        # to count anew.
        self._decoder = decoder_of(
            format, declared(tools),
            dict(framing=self._verbatim is not None,
                 call_id_prefix='call_%s_' % uuid.uuid4().hex[:16], **options))
        self._writer = Writer('chat', hold_calls=hold_calls)
        self.finished = False

    def _step(self, events: Iterable[Event]) -> Step:
        step = Step()
        for event in events:
            through = (self._verbatim.events(event) if self._verbatim
                       else (event,))
            for one in through:
                if one.kind == 'unparsed':
                    logger.warning('a tool call could not be read: %s at '
                                   'byte %d', one.status, one.offset)
                for line in self._writer.event(one):
                    step.add(json.loads(line)['choices'][0]['delta'])
        return step

    def feed(self, text: str) -> Step:
        piece = to_bytes(text)
        if self._verbatim:
            self._verbatim.feed(piece)
        return self._step(self._decoder.feed(piece))

    def finish(self) -> Step:
        self.finished = True
        # Nobody says why it ended: what is open is not completed.
        return self._step(self._decoder.finish('length'))


def whole(text: str, format: str, tools: Optional[Iterable[Any]],
          reasoning: str, options: Mapping[str, Any]
          ) -> Tuple[str, List[Call]]:
    """Content and complete calls of a whole completion."""
    stream = Stream(format, tools, reasoning, True, options)
    first, last = stream.feed(text), stream.finish()
    calls = dict(first.calls)
    calls.update(last.calls)  # held calls come whole, in one step
    return first.content + last.content, [calls[i] for i in sorted(calls)]


def has_call(text: str, format: str, options: Mapping[str, Any]) -> bool:
    """Is there a call, or a block that was to be one?"""
    with Decoder(format, **options) as decoder:
        decoder.feed(text)
        decoder.finish()
        return any(event.kind in ('call_begin', 'unparsed')
                   for event in decoder)


def class_name(name: str, end: str) -> str:
    """HermesQwen25ToolParser of hermes/qwen2.5 and ToolParser."""
    words = ''.join(c if c.isalnum() else ' ' for c in name).split()
    return ''.join(word[:1].upper() + word[1:] for word in words) + end


def server_name(name: str) -> str:
    """toolwire_hermes_qwen2_5 of hermes/qwen2.5."""
    return 'toolwire_' + ''.join(c if c.isalnum() else '_' for c in name)


#: In place of a format's name: the model's chat template tells it.
AUTO = server_name('auto')


def _told_by(template: Template, whose: str) -> str:
    found = template.detect().format
    if found is None:
        raise ValueError('%s tells no format that is built in: name one of %s'
                         % (whose, ', '.join(map(server_name, names()))))
    return found


@functools.lru_cache(maxsize=None)
def format_of_text(template: str) -> str:
    """The format that a chat template tells."""
    return _told_by(Template(template), "the model's chat template")


@functools.lru_cache(maxsize=None)
def format_of_model(model: str) -> str:
    """The same of a model's folder, or of a model whose files the cache of
    huggingface_hub has."""
    folder: Any = model
    if not os.path.isdir(model):
        hub = importlib.import_module('huggingface_hub')  # servers have it
        file: Any = hub.try_to_load_from_cache(model, 'tokenizer_config.json')
        if not isinstance(file, str):
            raise ValueError('%s: there is no such folder, nor has the cache '
                             'a tokenizer_config.json of it' % model)
        folder = os.path.dirname(file)
    return _told_by(Template(pathlib.Path(folder)),
                    'the chat template of %s' % model)


def names() -> List[str]:
    """Of all dialects, and of the families whose name means one of them."""
    return list(dict.fromkeys(format_names()))


def reasoning_of(name: str) -> str:
    """Where no markers stand around reasoning it is a message of its own,
    which no reader takes for content."""
    marked = any(one.role == 'reasoning_open' for one in find(name).markers)
    return 'content' if marked else 'separate'


def class_named(name: str, end: str, make: Callable[[str], type]) -> type:
    """The class of all formats and dialects that has this name."""
    for format in names():
        if class_name(format, end) == name:
            return make(format)
    raise AttributeError(name)
