# SPDX-License-Identifier: MIT
"""The shared library: where it is, and its functions as in toolwire.h."""
import ctypes
import importlib.util
import os
import sys
from ctypes import (POINTER, Structure, c_char_p, c_int, c_int32, c_int64,
                    c_size_t, c_uint8, c_uint32, c_uint64, c_void_p)
from typing import Any, Dict, Iterator, List, Tuple

# The structures below are those of this version; while it is 0.x, another
# may differ.  The build backend compares it with the header.
VERSION = '0.1.0'

NO_INDEX = 0xFFFFFFFF


class EventStructure(Structure):
    _fields_ = [('type', c_uint32), ('index', c_uint32), ('code', c_uint32),
                ('flags', c_uint32), ('data', c_void_p), ('size', c_size_t),
                ('id', c_void_p), ('id_size', c_size_t),
                ('offset', c_uint64), ('span', c_uint64)]


class EventInput(Structure):
    """The same, of Python's bytes."""
    _fields_ = [(field[0], c_char_p if field[0] in ('data', 'id')
                 else field[1]) for field in EventStructure._fields_]


class ErrorStructure(Structure):
    _fields_ = [('code', c_int32), ('detail', c_int32), ('offset', c_uint64),
                ('message', c_char_p), ('path', c_char_p)]


class MarkerStructure(Structure):
    _fields_ = [('text', c_void_p), ('size', c_size_t), ('role', c_uint32),
                ('token', c_uint8), ('literal', c_uint8), ('stop', c_uint8),
                ('decoded', c_uint8)]


class SettingStructure(Structure):
    _fields_ = [('name', c_char_p), ('type', c_char_p), ('about', c_char_p)]


class DiagnosticStructure(Structure):
    _fields_ = [('code', c_uint32), ('warning', c_uint32),
                ('name', c_char_p), ('text', c_char_p)]


class SegmentStructure(Structure):
    _fields_ = [('control', c_uint32), ('data', c_void_p), ('size', c_size_t)]


class SpanStructure(Structure):
    _fields_ = [('start', c_uint64), ('end', c_uint64), ('message', c_int64),
                ('part', c_char_p), ('sampled', c_uint32)]


class LossStructure(Structure):
    _fields_ = [('code', c_uint32), ('kind', c_uint32), ('severity', c_uint32),
                ('name', c_char_p), ('text', c_char_p)]


EventPointer = POINTER(EventStructure)
ErrorPointer = POINTER(ErrorStructure)
MarkerPointer = POINTER(MarkerStructure)
SettingPointer = POINTER(SettingStructure)
DiagnosticPointer = POINTER(DiagnosticStructure)
LossPointer = POINTER(LossStructure)
SegmentPointer = POINTER(SegmentStructure)
SpanPointer = POINTER(SpanStructure)

# Name, result, arguments.
_Functions = List[Tuple[str, Any, List[Any]]]

_BYTES: List[Any] = [c_void_p, c_char_p, c_size_t]
_GIVES_BYTES: List[Any] = [POINTER(c_void_p), POINTER(c_size_t)]
_SETTERS: _Functions = [
    ('set', c_int, [c_void_p, c_int, c_int64]),
    ('set_text', c_int, [c_void_p, c_int, c_char_p, c_size_t])]
_FREE: _Functions = [('free', None, [c_void_p])]
_RESET: _Functions = [('reset', None, [c_void_p])]
_ERROR: _Functions = [('error', ErrorPointer, [c_void_p])]

# By the object that they are of.
_FUNCTIONS: Dict[str, _Functions] = {
    'tw_record_shape_': [
        ('at', c_void_p, [c_size_t]),
        ('find', c_void_p, [c_char_p]),
        ('name', c_char_p, [c_void_p]),
        ('about', c_char_p, [c_void_p]),
        ('traits', c_int, [c_void_p])],
    'tw_': [
        ('version', c_char_p, []),
        ('error_name', c_char_p, [c_int32]),
        ('format_find', c_void_p, [c_char_p]),
        ('format_at', c_void_p, [c_size_t]),
        ('format_name', c_char_p, [c_void_p]),
        ('format_about', c_char_p, [c_void_p]),
        ('format_alias', c_char_p, [c_void_p]),
        ('format_model', c_char_p, [c_void_p, c_size_t]),
        ('format_near', c_char_p, [c_char_p, c_size_t]),
        ('format_has_prompts', c_int, [c_void_p]),
        ('format_load', c_int, [c_char_p, c_size_t, c_void_p,
                                POINTER(c_void_p), c_void_p]),
        ('format_free', None, [c_void_p]),
        ('format_describe', c_size_t, [c_void_p, c_char_p, c_size_t]),
        ('format_marker', c_int,
         [c_void_p, c_size_t, POINTER(MarkerPointer)]),
        ('words_for_model', c_int,
         [c_char_p, c_size_t, c_char_p, c_size_t, c_int, c_void_p, c_char_p,
          c_size_t, POINTER(c_size_t)]),
        ('format_setting', c_int,
         [c_void_p, c_size_t, POINTER(SettingPointer)]),
        ('diagnostic_get', DiagnosticPointer, [c_uint32]),
        ('diagnostic_find', DiagnosticPointer, [c_char_p]),
        ('diagnostic_at', DiagnosticPointer, [c_size_t]),
        ('loss_get', LossPointer, [c_uint32]),
        ('loss_find', LossPointer, [c_char_p]),
        ('loss_at', LossPointer, [c_size_t]),
        ('encode', c_int, _BYTES + _GIVES_BYTES),
        ('encode_completion', c_int, _BYTES + _GIVES_BYTES),
        ('decode_transcript', c_int, _BYTES + _GIVES_BYTES)],
    'tw_template_': _FREE + [
        ('load', c_int, [c_void_p, c_void_p, POINTER(c_void_p), c_void_p]),
        ('detect', c_void_p, [c_void_p, c_void_p])],
    'tw_detection_': _FREE + [
        ('json', c_void_p, [c_void_p, POINTER(c_size_t)])],
    'tw_decoder_': _SETTERS + _FREE + _RESET + _ERROR + [
        ('new', c_void_p, [c_void_p, c_void_p]),
        ('set_tools', c_int, _BYTES),
        ('set_prompt', c_int, _BYTES),
        ('feed', c_int, _BYTES + [c_int]),
        ('finish', c_int, [c_void_p, c_int]),
        ('next', c_int, [c_void_p, POINTER(EventPointer)])],
    'tw_writer_': _SETTERS + _FREE + _RESET + [
        ('new', c_void_p, [c_int, c_void_p]),
        # Of an EventStructure or an EventInput.
        ('event', c_int, [c_void_p, c_void_p]),
        ('fail', c_int, [c_void_p, ErrorPointer]),
        ('take', c_int, [c_void_p] + _GIVES_BYTES)],
    'tw_encoder_': _SETTERS + _FREE + _RESET + _ERROR + [
        ('new', c_void_p, [c_void_p, c_void_p]),
        ('new_template', c_void_p, [c_void_p, c_void_p, c_void_p]),
        ('request', c_int, _BYTES),
        ('extend', c_int, _BYTES + _GIVES_BYTES),
        ('span', c_int, [c_void_p, c_size_t, POINTER(SpanPointer)]),
        ('next', c_int, [c_void_p, POINTER(SegmentPointer)]),
        ('report', c_int, [c_void_p, c_size_t, POINTER(ErrorPointer)])],
    'tw_grammar_': _FREE + [
        ('make', c_int, [c_void_p, c_char_p, c_size_t, c_void_p, c_void_p,
                         POINTER(c_void_p), c_void_p]),
        ('text', c_void_p, [c_void_p, POINTER(c_size_t)])],
    'tw_converter_': _SETTERS + _FREE + _ERROR + [
        ('between', c_void_p, [c_void_p, c_char_p, c_void_p, c_char_p,
                               c_void_p]),
        ('set_tools', c_int, _BYTES),
        ('set_prompt', c_int, _BYTES),
        ('set_finish', c_int, [c_void_p, c_int]),
        ('set_wire', c_int, [c_void_p, c_void_p]),
        ('set_template', c_int, [c_void_p, c_void_p]),
        ('set_chunk', c_int, [c_void_p, c_size_t]),
        ('record', c_int, _BYTES + _GIVES_BYTES),
        ('text', c_int, _BYTES + _GIVES_BYTES),
        ('shape', c_char_p, [c_void_p]),
        ('identity', c_int, [c_void_p] + _GIVES_BYTES),
        ('unparsed', c_size_t, [c_void_p]),
        ('diagnostic_format', c_char_p, [c_void_p, c_size_t]),
        ('diagnostic_count', c_uint64, [c_void_p, c_uint32]),
        ('diagnostic', c_int, [c_void_p, c_size_t, POINTER(c_uint32),
                               POINTER(c_uint64)]),
        ('report', c_int, [c_void_p, c_size_t, POINTER(ErrorPointer)])],
}


def file_name(platform: str = sys.platform) -> str:
    """What the library is called in a wheel."""
    if platform in ('win32', 'cygwin'):
        return 'toolwire.dll'
    return 'libtoolwire.dylib' if platform == 'darwin' else 'libtoolwire.so'


def _places() -> Iterator[str]:
    named = os.environ.get('TOOLWIRE_LIBRARY')
    if named:
        yield os.path.abspath(named)
        return
    yield os.path.join(os.path.dirname(os.path.abspath(__file__)),
                       file_name())
    # An editable install has the library in a package of its own.
    beside = importlib.util.find_spec('_toolwire_library')
    if beside is not None and beside.origin:
        yield os.path.join(os.path.dirname(beside.origin), file_name())
    # Where a package of the system has put it: no version but this one.
    yield 'libtoolwire.so.' + VERSION


def _load() -> ctypes.CDLL:
    tried: List[str] = []
    for place in _places():
        try:
            # CDLL lets other threads run while the library works.
            found = ctypes.CDLL(place)
            break
        except OSError as error:
            tried.append(str(error))
    else:
        raise ImportError('libtoolwire is not found; TOOLWIRE_LIBRARY may '
                          'name it: ' + '; '.join(tried))
    for prefix, functions in _FUNCTIONS.items():
        for name, result, arguments in functions:
            try:
                function = getattr(found, prefix + name)
            except AttributeError:
                raise ImportError('%s has no %s%s'
                                  % (place, prefix, name)) from None
            function.restype = result
            function.argtypes = arguments
    version = found.tw_version().decode()
    if version != VERSION:
        raise ImportError('%s is version %s, and this package is for %s'
                          % (place, version, VERSION))
    return found


lib = _load()

# What every object is made with: the C library's.  Tests put another here.
allocator = None
