#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How large grammars are, and how long they take to make: the table of
docs/grammars.md.

Use: sizes.py LIBTOOLWIRE.SO [FORMAT...]
"""
import ctypes
import json
import sys
import time

FORMATS = ['hermes', 'qwen3-coder', 'lfm2', 'gemma4', 'minimax/m3', 'harmony']
TARGETS = ['lark', 'gbnf', 'structural-tag']


def tools(count):
    """Each with five arguments: a string, a number, one of three, a list, and
    an object of two."""
    return json.dumps([{'type': 'function', 'function': {'name': f'tool_{i}', 'parameters': {
        'type': 'object', 'properties': {
            'at': {'type': 'string'}, 'days': {'type': 'integer', 'minimum': 1, 'maximum': 14},
            'unit': {'enum': ['m', 'ft', 'fathom']}, 'tags': {'type': 'array', 'items': {'type': 'string'}},
            'place': {'type': 'object', 'properties': {'x': {'type': 'number'}, 'y': {'type': 'number'}},
                      'required': ['x', 'y']}},
        'required': ['at']}}} for i in range(count)]).encode()


class Options(ctypes.Structure):
    """tw_grammar_options"""
    _fields_ = [('target', ctypes.c_int), ('start', ctypes.c_int), ('choice', ctypes.c_char_p),
                ('parallel', ctypes.c_int), ('wider', ctypes.c_int), ('special_tokens', ctypes.c_char_p),
                ('special_size', ctypes.c_size_t)]


def measure(library, name, text, target):
    """Bytes, and the least milliseconds of some tries."""
    grammar, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = Options(target=target, parallel=1)
    least = 1e9
    for _ in range(15):
        before = time.perf_counter()
        code = library.tw_grammar_make(library.tw_format_find(name.encode()), text, len(text), ctypes.byref(options), None,
                                       ctypes.byref(grammar), None)
        least = min(least, time.perf_counter() - before)
        assert code == 0, (name, code)
        library.tw_grammar_text(grammar, ctypes.byref(size))
        library.tw_grammar_free(grammar)
    return size.value, least * 1e3


def main():
    library = ctypes.CDLL(sys.argv[1])
    library.tw_format_find.restype = ctypes.c_void_p
    library.tw_format_find.argtypes = [ctypes.c_char_p]
    library.tw_grammar_make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p,
                                        ctypes.c_void_p, ctypes.c_void_p]
    library.tw_grammar_text.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.tw_grammar_text.restype = ctypes.c_void_p
    library.tw_grammar_free.argtypes = [ctypes.c_void_p]
    print('| format | target | 1 tool | 20 tools | 200 tools |')
    print('|---|---|---:|---:|---:|')
    for name in sys.argv[2:] or FORMATS:
        for number, target in enumerate(TARGETS):
            cells = []
            for count in (1, 20, 200):
                size, took = measure(library, name, tools(count), number)
                cells.append(f'{size / 1000:.1f} kB, {took:.2f} ms')
            print(f'| `{name}` | `{target}` | {" | ".join(cells)} |')


if __name__ == '__main__':
    main()
