# SPDX-License-Identifier: MIT
"""What a decoder makes, and what it is told of a piece."""
import enum
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional, Tuple

from ._errors import diagnostic_name
from ._options import FINISH

KINDS: Tuple[str, ...] = (
    'text', 'reasoning', 'call_begin', 'call_arguments', 'call_end',
    'unparsed', 'diagnostic', 'framing', 'end')
_STATUS = {1: 'complete', 2: 'incomplete', 3: 'malformed'}
_FINISHES = {number: name for name, number in FINISH.items()}


class Mark(enum.IntEnum):
    """What you know of a piece: whether it is a marker, or cannot be."""
    UNKNOWN = 0  #: markers are found in it
    TEXT = 1     #: ordinary tokens: whatever it looks like, no marker
    CONTROL = 2  #: exactly one whole marker


def to_mark(mark: Any) -> Mark:
    """The Mark of a number."""
    is_int = isinstance(mark, int) and not isinstance(mark, bool)
    if is_int and 0 <= mark <= 2:
        return Mark(mark)
    raise (ValueError if is_int else TypeError)(
        'mark must be Mark.UNKNOWN, Mark.TEXT or Mark.CONTROL, not %r'
        % (mark,))


@dataclass(frozen=True)
class Event:
    """One step of a decoded stream.

    kind    'text', 'reasoning', 'call_begin', 'call_arguments', 'call_end',
            'unparsed', 'diagnostic', 'framing' or 'end'
    index   of text and reasoning the segment's number; of calls, and of
            unparsed blocks that began as one, the call's; else None or 0
    data    a piece of text or arguments, a call's whole name, ...; UTF-8
            but for unparsed blocks, which are as they came
    id      a call's id; of an unparsed block its name, if known
    code    see |status|
    flags   see |custom|, |dropped| and |warning|
    offset  where it begins in the input, in bytes
    span    how many bytes of the input it accounts for
    """
    kind: str
    index: Optional[int]
    data: bytes
    id: str
    code: int
    flags: int
    offset: int
    span: int

    @property
    def text(self) -> str:
        return self.data.decode('utf-8', 'replace')

    @property
    def status(self) -> str:
        """call_end: 'complete', 'incomplete' or 'malformed'; end: 'stop',
        'length' or 'unknown'; unparsed, diagnostic: the diagnostic's name;
        else ''."""
        if self.kind == 'call_end':
            return _STATUS.get(self.code, str(self.code))
        if self.kind == 'end':
            return _FINISHES.get(self.code, str(self.code))
        if self.kind in ('unparsed', 'diagnostic'):
            return diagnostic_name(self.code)
        return ''

    @property
    def custom(self) -> bool:
        """call_begin: the tool takes free text, not JSON."""
        return self.kind == 'call_begin' and bool(self.flags & 1)

    @property
    def dropped(self) -> bool:
        """diagnostic: |span| bytes were dropped."""
        return self.kind == 'diagnostic' and bool(self.flags & 2)

    @property
    def warning(self) -> bool:
        """diagnostic: not a deviation."""
        return self.kind == 'diagnostic' and bool(self.flags & 4)


class Found(NamedTuple):
    """A deviation, and where.

    about  the format that it speaks of (`foreign_marker`), or the path of the
           value that does not fit its schema; None where neither is meant
    """
    name: str
    offset: int
    about: Optional[str] = None


def to_found(event: Event) -> Found:
    """What a converter says of this diagnostic."""
    return Found(event.status, event.offset, event.id or None)
