# SPDX-License-Identifier: MIT
"""Errors of the library as exceptions."""
import re
from typing import Any, NoReturn, Optional

from . import _library
from ._library import ErrorStructure, lib

ARGUMENT, STATE, MEMORY, JSON, SCHEMA = -1, -2, -3, -12, -13
CONTROL_TEXT = -20
UNSTABLE = -24
# These change nothing and do not stick: no event stands before them.
AT_ONCE = ARGUMENT, STATE
# None of the library's: what made the text broke down.
FOREIGN = 1


class ToolwireError(Exception):
    """What went wrong, and where.

    code     the TW_ERROR_* number, such as -12
    name     its name, such as 'TW_ERROR_JSON'
    message  what it means
    offset   in bytes from the start of the input
    path     where in a JSON record, or None
    detail   the name of the deviation that strict mode refused, or of the loss
             that loss='refuse' refused, or None

    An allocation that fails is a MemoryError instead.
    """

    def __init__(self, code: int, message: str, offset: int = 0,
                 path: Optional[str] = None,
                 detail: Optional[str] = None) -> None:
        super().__init__(code, message, offset, path, detail)
        self.code = code
        self.message = message
        self.offset = offset
        self.path = path
        self.detail = detail

    @property
    def name(self) -> str:
        found = lib.tw_error_name(self.code)
        return text_of(found) or 'error %d' % self.code

    def __str__(self) -> str:
        known = (self.detail, self.path, self.message)
        return '%s at %d: %s' % (self.name, self.offset,
                                 ': '.join(filter(None, known)))


def text_of(value: Optional[bytes]) -> str:
    return value.decode('utf-8', 'replace') if value else ''


def diagnostic_name(code: int) -> str:
    """'trailing_comma' of 6; the number if there is none of it."""
    found = lib.tw_diagnostic_get(code)
    return text_of(found.contents.name) if found else str(code)


def detail_name(code: int) -> str:
    """The name of a loss or of a diagnostic."""
    loss = lib.tw_loss_get(code)
    return text_of(loss.contents.name) if loss else diagnostic_name(code)


_MEANINGS = {ARGUMENT: 'the value cannot be taken',
             STATE: 'not now: see the order of calls'}


# What the library advises in the command's words and C's, and Python's.
_ADVICE = (
    ("(--unit completion, TW_OPTION_UNIT_COMPLETION)",
     '(unit_completion=True)'),
    ("(convert --unit completion takes it out of its record)",
     '(encode_completion() writes it, and convert(unit_completion=True) that '
     'of a record)'),
    ('--ids map', "ids='map'"), ('(--set, --now)', '(settings, now)'),
    ('reset for the next', 'reset() begins the next'))


def _message(error: ErrorStructure) -> str:
    message = text_of(error.message)
    for theirs, ours in _ADVICE:
        message = message.replace(theirs, ours)
    message = re.sub(r'\(-f (\S+)\)', r"(source '\1')", message)
    if error.code == CONTROL_TEXT:
        message += " (control_text='break' parts it, 'allow' writes it)"
    return message


def fail(code: int, error: Optional[ErrorStructure] = None) -> NoReturn:
    """Raises |code|, with what |error| knows of it."""
    if code == MEMORY:
        raise MemoryError('toolwire')
    if error is None or error.code != code:
        raise ToolwireError(code, _MEANINGS.get(code, 'refused'))
    detail = detail_name(error.detail) if error.detail > 0 else None
    raise ToolwireError(code, _message(error), error.offset,
                        text_of(error.path) if error.path else None, detail)


def new(function: Any, *arguments: Any) -> int:
    """An object of the library's; what can be wrong with the arguments was
    looked at before, so that only memory is left."""
    made = function(*arguments, _library.allocator)
    if not made:
        raise MemoryError('toolwire')
    return int(made)
