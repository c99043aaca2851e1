# SPDX-License-Identifier: MIT
"""What all objects of the library have in common."""
import ctypes
import threading
from ctypes import byref, c_size_t, c_void_p
from types import TracebackType
from typing import Any, Callable, List, NoReturn, Optional, Type, TypeVar

from ._errors import fail
from ._library import lib

Self = TypeVar('Self', bound='Handle')


class Shared:
    """An object of the library's that others use: the last user frees it,
    since the collector finalizes what is in a cycle in any order."""

    def __init__(self, handle: int, free: Callable[[int], None]) -> None:
        # The handle below, and None for each user but one: a step of a list
        # is whole in any thread, and a step of an int is not.
        self._users: List[Optional[int]] = [handle]
        self._free = free

    def hold(self) -> None:
        self._users.append(None)

    def release(self) -> None:
        handle = self._users.pop()
        if handle is not None:
            self._free(handle)


class Handle:
    """An object of the library's.  The library takes one object from one
    thread at a time; the lock sees to it, so that a slip is no crash."""

    _prefix = ''      #: of its functions
    _who = 'a Handle'  #: in messages

    def __init__(self, handle: int, *formats: Any) -> None:
        """|formats|, by name or loaded, are what it uses."""
        self._lock = threading.Lock()
        self._free = getattr(lib, self._prefix + 'free')
        self._uses: List[Shared] = []
        for format in formats:
            self._use(format)
        self._handle: Optional[int] = handle

    def _use(self, format: Any) -> None:
        """A LoadedFormat's stays for as long as this object."""
        shared = getattr(format, '_shared', None)
        if isinstance(shared, Shared):
            shared.hold()
            self._uses.append(shared)

    def _open(self) -> int:
        if self._handle is None:
            raise ValueError('the %s is closed' % type(self).__name__)
        return self._handle

    def _error(self) -> Any:
        """The tw_error of this object, or None if its kind has none."""
        function = getattr(lib, self._prefix + 'error', None)
        return function(self._open()).contents if function else None

    def _check(self, result: int) -> int:
        if result < 0:
            fail(result, self._error())
        return result

    def _give_bytes(self, function: Any, *arguments: Any) -> bytes:
        """What |function| gives behind its arguments, copied."""
        text, size = c_void_p(), c_size_t()
        self._check(function(*arguments, byref(text), byref(size)))
        return ctypes.string_at(text, size.value) if text else b''

    def close(self) -> None:
        """Frees it at once; the garbage collector does so, too."""
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            self._free(handle)
            for shared in self._uses:
                shared.release()

    def __reduce__(self) -> NoReturn:
        """No copy, no pickle: two owners of one object would free it twice.
        (The module copy asks this method, too.)"""
        raise TypeError('%s cannot be copied; make another one with the same '
                        'options' % self._who)

    def __enter__(self: Self) -> Self:
        self._open()
        return self

    def __exit__(self, kind: Optional[Type[BaseException]],
                 error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self) -> None:
        # __init__ may have failed before there was anything to free.
        if hasattr(self, '_handle'):
            self._let_go()
