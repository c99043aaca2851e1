# SPDX-License-Identifier: MIT
"""What the library knows: its formats, and its diagnostics."""
import ctypes
from ctypes import byref
from typing import List, NamedTuple, Optional

from ._errors import text_of
from ._library import MarkerPointer, SettingPointer, lib
from ._options import constants, find_format

_ROLES = {1: 'call_open', 2: 'call_close', 3: 'reasoning_open',
          4: 'reasoning_close', 5: 'string', 6: 'header', 7: 'body',
          8: 'end', 9: 'turn', 10: 'result', 11: 'declare', 12: 'media'}


class Marker(NamedTuple):
    """A piece of text that structures the wire."""
    text: str
    role: str      #: 'call_open', 'reasoning_close', 'end', ...
    token: bool    #: one token, which a server must preserve
    literal: bool  #: tokenizers also match it in ordinary text
    stop: bool     #: generation ends at it
    decoded: bool  #: structure in a completion; else in prompts only


class Setting(NamedTuple):
    """What of a request changes the prompt: a member of its
    chat_template_kwargs, or of the option settings."""
    name: str
    type: str   #: 'boolean', 'string' or 'array'
    about: str


class Format(NamedTuple):
    """A dialect, such as 'hermes/qwen3'."""
    name: str
    about: str
    prompts: bool  #: False: completions only
    markers: List[Marker]
    alias: Optional[str]  #: a shorter name, such as 'hermes'
    models: List[str]     #: which write it
    settings: List[Setting]  #: what changes its prompts


class Shape(NamedTuple):
    """A shape of records, such as 'openai'."""
    name: str
    about: str
    writes: bool  #: False: it is read only


class Diagnostic(NamedTuple):
    """A deviation from a format, or (warning) something worth a word."""
    code: int
    name: str
    text: str
    warning: bool


def _markers(handle: int) -> List[Marker]:
    found: List[Marker] = []
    pointer = MarkerPointer()
    while lib.tw_format_marker(handle, len(found), byref(pointer)) == 1:
        marker = pointer.contents
        found.append(Marker(
            ctypes.string_at(marker.text, marker.size).decode(),
            _ROLES.get(marker.role, str(marker.role)), bool(marker.token),
            bool(marker.literal), bool(marker.stop), bool(marker.decoded)))
    return found


def _settings(handle: int) -> List[Setting]:
    found: List[Setting] = []
    pointer = SettingPointer()
    while lib.tw_format_setting(handle, len(found), byref(pointer)) == 1:
        setting = pointer.contents
        found.append(Setting(text_of(setting.name), text_of(setting.type),
                             text_of(setting.about)))
    return found


def _format(handle: int) -> Format:
    alias = lib.tw_format_alias(handle)
    return Format(text_of(lib.tw_format_name(handle)),
                  text_of(lib.tw_format_about(handle)),
                  lib.tw_format_has_prompts(handle) == 1, _markers(handle),
                  text_of(alias) if alias else None,
                  list(constants(lib.tw_format_model, handle)),
                  _settings(handle))


def find(name: str) -> Format:
    """The format of a name, which may be a family's or a model's."""
    return _format(find_format(name))


def formats() -> List[Format]:
    """All formats, with their markers."""
    found: List[Format] = []
    while True:
        handle = lib.tw_format_at(len(found))
        if not handle:
            return found
        found.append(_format(handle))


def shapes() -> List[Shape]:
    """All shapes of records."""
    found: List[Shape] = []
    while True:
        handle = lib.tw_record_shape_at(len(found))
        if not handle:
            return found
        found.append(Shape(text_of(lib.tw_record_shape_name(handle)),
                           text_of(lib.tw_record_shape_about(handle)),
                           not lib.tw_record_shape_traits(handle) & 1))


def diagnostics() -> List[Diagnostic]:
    """All diagnostics, by code."""
    found: List[Diagnostic] = []
    while True:
        pointer = lib.tw_diagnostic_at(len(found))
        if not pointer:
            return found
        one = pointer.contents
        found.append(Diagnostic(one.code, text_of(one.name),
                                text_of(one.text), bool(one.warning)))
