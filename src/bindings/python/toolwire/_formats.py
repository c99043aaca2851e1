# SPDX-License-Identifier: MIT
"""Formats from descriptions."""
import ctypes
import os
from ctypes import byref, c_char, c_int32, c_uint64, c_void_p
from typing import NoReturn, Optional, Union

from . import _library
from ._errors import JSON, MEMORY, ToolwireError, text_of
from ._handle import Shared
from ._library import lib
from ._options import Json, to_json


class LoadError(ctypes.Structure):
    """Why a format, or a grammar, was not made."""
    _fields_ = [('code', c_int32), ('offset', c_uint64),
                ('message', c_char * 320)]


class LoadedFormat:
    """A format from a description (docs/describing.md), in place of a format's
    name wherever one is asked for.

    description  JSON text or a dict, or the path (os.PathLike) of a file that
                 holds it; also a tokenizer_config.json with a
                 response_template

    ToolwireError with the place, if it does not load.  It is freed when
    nothing uses it any more."""

    def __init__(self, description: Union[Json, 'os.PathLike[str]']) -> None:
        self._handle: Optional[int] = None
        if isinstance(description, os.PathLike):
            with open(description, 'rb') as file:
                data = file.read()
        else:
            data = to_json(description)
        made, error = c_void_p(), LoadError()
        lib.tw_format_load(data, len(data), _library.allocator, byref(made),
                           byref(error))
        if error.code == MEMORY:
            raise MemoryError('toolwire')
        if error.code == JSON and isinstance(description, str) \
                and '{' not in description:
            raise ToolwireError(
                JSON, 'not JSON; for a file write LoadedFormat(pathlib.Path('
                '%r))' % description, error.offset)
        if error.code != 0:
            raise ToolwireError(error.code, text_of(error.message),
                                error.offset)
        assert made.value is not None
        # Apart from this object, which may go before what is made of it.
        self._shared = Shared(made.value, lib.tw_format_free)
        self._handle = made.value

    @property
    def handle(self) -> int:
        if self._handle is None:
            raise ValueError('the LoadedFormat is closed')
        return self._handle

    @property
    def name(self) -> str:
        return text_of(lib.tw_format_name(self.handle))

    @property
    def about(self) -> str:
        return text_of(lib.tw_format_about(self.handle))

    @property
    def description(self) -> str:
        """As JSON text, which loads back."""
        size = lib.tw_format_describe(self.handle, None, 0)
        text = ctypes.create_string_buffer(size)
        lib.tw_format_describe(self.handle, text, size)
        return text.raw.decode()

    def __reduce__(self) -> NoReturn:
        raise TypeError('a LoadedFormat cannot be copied; load it again')

    def __del__(self) -> None:
        if self._handle is not None:
            self._handle = None
            self._shared.release()
