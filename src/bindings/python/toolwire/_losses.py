# SPDX-License-Identifier: MIT
"""What was lost on the way."""
import warnings
from ctypes import byref
from typing import Any, List, Mapping, NamedTuple, Optional

from ._errors import text_of
from ._library import ErrorPointer, lib

_KINDS = ('', 'loss', 'template_defect', 'broken_marker', 'change',
          'warning')
_SEVERITIES = ('none', 'detail', 'call', 'content')


class Report(NamedTuple):
    """What was not carried over as it stood."""
    kind: str  #: loss, template_defect, broken_marker, change or warning
    path: str  #: the value's, such as 'messages[1].content'
    message: str
    offset: int
    code: str  #: such as 'call_id'
    severity: str  #: 'content', 'call', 'detail'; 'none': nothing is lost


def reports(function: Any, handle: int) -> List[Report]:
    found: List[Report] = []
    pointer = ErrorPointer()
    while function(handle, len(found), byref(pointer)) == 1:
        one = pointer.contents
        loss = lib.tw_loss_get(one.detail).contents
        found.append(Report(_KINDS[loss.kind], text_of(one.path),
                            text_of(one.message), one.offset,
                            text_of(loss.name), _SEVERITIES[loss.severity]))
    return found


class LossWarning(UserWarning):
    """Content or a call was lost or a setting was not read, and nobody asked
    for a report."""


def _of_setting(one: Report, options: Mapping[str, Any]) -> bool:
    """Was a setting not read, or not as it was given?"""
    path = one.path or ''
    return one.code == 'setting_type' or one.code == 'member_dropped' and (
        path in str(options.get('settings')) or path == 'enable_thinking'
        or path.startswith('chat_template_kwargs.'))


def settle(function: str, found: List[Report], report: Optional[List[Report]],
           options: Mapping[str, Any]) -> None:
    """Gives the caller of |function| what was lost, or warns."""
    if report is not None:
        if not isinstance(report, list):
            raise TypeError('report must be a list, not '
                            + type(report).__name__)
        report.extend(found)
        return
    lost = [one for one in found if one.severity in ('content', 'call')]
    if lost and options.get('loss') is None:
        first = lost[0]
        warnings.warn('%s lost content or a call; the first of %d: %s: %s '
                      '(report=[] takes all; loss="refuse" or "ignore")'
                      % (function, len(lost), first.path or 'the text',
                         first.code), LossWarning, stacklevel=3)
    for one in found:
        if options.get('loss') is None and _of_setting(one, options):
            warnings.warn('%s: the setting %s: %s (report=[] takes all; '
                          'loss="ignore")'
                          % (function, one.path, one.message),
                          LossWarning, stacklevel=3)
