# SPDX-License-Identifier: MIT
"""What is done for each delta: a piece is fed, and events or chunks are taken.

By the extension _fast where it was built, which takes a fraction of the time,
else by ctypes.  The environment variable TOOLWIRE_EXTENSION decides otherwise:
"no" is ctypes, "yes" refuses to go without the extension.
"""
import ctypes
import dataclasses
import functools
import importlib
import json
import os
from ctypes import byref, c_size_t, c_void_p
from typing import Any, Callable, List, Optional, Tuple, cast

from ._errors import AT_ONCE
from ._event import KINDS, Event
from ._library import NO_INDEX, EventPointer, lib

Feed = Callable[..., int]

_DIAGNOSTIC = KINDS.index('diagnostic') + 1

# A line to a tuple of its value and where it ends.
Parse = Callable[[str], Tuple[Any, int]]
_parse: Parse = json.JSONDecoder().raw_decode


def as_it_is(line: str) -> Tuple[str, int]:
    """A line that is text: a frame of server-sent events."""
    return line, len(line)


def by_ctypes(decoder: int, writer: int, piece: Optional[bytes], mark: int,
              out: List[Any], said: Optional[List[Event]] = None,
              parse: Parse = _parse) -> int:
    """Feeds |piece| (None: no more than what is ready) and puts into |out| the
    events, or where there is a |writer|, 0 if not, the chunks that it makes
    of them, each as |parse| makes it of its line.  Both are handles of open objects, of which nobody else
    makes use meanwhile.  Beside chunks the events of diagnostics go into
    |said|, if there is such a list.

    0, or the first error: of the decoder, behind the events that were made
    before it, or of the writer."""
    result: int
    if piece is not None:
        result = lib.tw_decoder_feed(decoder, piece, len(piece), mark)
        if result in AT_ONCE:
            return result
    pointer = cast(Any, EventPointer())
    reference = byref(pointer)
    while True:
        result = lib.tw_decoder_next(decoder, reference)
        if result != 1:
            return result
        if not writer:
            out.append(_copy(pointer.contents))
            continue
        if said is not None and pointer.contents.type == _DIAGNOSTIC:
            said.append(_copy(pointer.contents))
        result = lib.tw_writer_event(writer, pointer)
        if result < 0:
            return result
        line, size = c_void_p(), c_size_t()
        while lib.tw_writer_take(writer, byref(line), byref(size)) == 1:
            out.append(parse(ctypes.string_at(line, size.value).decode())[0])


def _copy(event: Any) -> Event:
    return Event(
        KINDS[int(event.type) - 1],
        None if event.index == NO_INDEX else event.index,
        ctypes.string_at(event.data, event.size) if event.data else b'',
        ctypes.string_at(event.id, event.id_size).decode('utf-8', 'replace')
        if event.id else '',
        event.code, event.flags, event.offset, event.span)


def by_extension() -> Feed:
    """The same in C; ImportError if there is no extension, or this Python
    does not take it."""
    try:
        fast = importlib.import_module('toolwire._fast')
    except ImportError:  # of an editable install
        fast = importlib.import_module('_toolwire_library._fast')
    addresses = [ctypes.cast(function, c_void_p).value for function in (
        lib.tw_decoder_feed, lib.tw_decoder_next, lib.tw_writer_event,
        lib.tw_writer_take)]
    names = tuple(field.name for field in dataclasses.fields(Event))
    fast.bind(*addresses, Event, names, KINDS, _parse)
    found: Feed = fast.feed
    return found


feed: Feed = by_ctypes

# Whole frames are handed on: where nothing is parsed, ctypes costs no more.
feed_frames: Feed = functools.partial(by_ctypes, parse=as_it_is)
if os.environ.get('TOOLWIRE_EXTENSION') != 'no':
    try:
        feed = by_extension()
    except ImportError:
        if os.environ.get('TOOLWIRE_EXTENSION') == 'yes':
            raise
