# SPDX-License-Identifier: MIT
"""Grammars that hold a model to a format and its tools."""
import ctypes
from ctypes import Structure, byref, c_char_p, c_int, c_size_t, c_void_p
from typing import NoReturn, Optional

from . import _library
from ._errors import MEMORY, ToolwireError, text_of
from ._formats import LoadError
from ._library import lib
from ._options import (FormatName, Json, check, choice_of, find_format, flag,
                       one_of, to_json, to_tools)

_TARGETS = {'lark': 0, 'gbnf': 1, 'structural-tag': 2}
_STARTS = {'anywhere': 0, 'reasoning': 1, 'text': 2}


class _Options(Structure):
    _fields_ = [('target', c_int), ('start', c_int), ('choice', c_char_p),
                ('parallel', c_int), ('wider', c_int),
                ('special_tokens', c_char_p), ('special_size', c_size_t)]


def grammar(tools: Json, format: FormatName, *, target: str = 'lark',
            choice: str = 'auto', parallel: bool = True,
            start: Optional[str] = 'anywhere', wider: bool = False,
            special_tokens: Optional[Json] = None,
            **others: NoReturn) -> str:
    """All that a model of |format| may write where |tools| are declared:
    reasoning, text that holds no opener, calls whose arguments follow the
    tools' schemas, the end.  A model that is held to it writes nothing that
    needs a repair.

    tools     OpenAI tools: a list, or JSON text of one
    target    'lark' for llguidance, 'gbnf' for llama.cpp (XGrammar reads it
              as EBNF), 'structural-tag' for vLLM, SGLang and XGrammar: JSON
    choice    'auto', 'required', 'none', or the name of the tool that is to
              be called
    parallel  whether there may be several calls
    start     'reasoning' or 'text': where the prompt ended; 'anywhere': as the
              format's own prompts do
    wider     leave out what no grammar says, and tell of it in a comment
    special_tokens
              markers of which the vocabulary has one token each, to be named
              by number: {'<tool_call>': 151657, ...}, or what a
              tokenizer.json or tokenizer_config.json holds; None: markers are
              bytes.  Not for 'structural-tag', which names tokens by text

    ToolwireError with the place in tools, if a schema says what no grammar
    can."""
    check('grammar()', others, (), 'target', 'choice', 'parallel', 'start',
          'wider', 'special_tokens')
    special = None if special_tokens is None else to_json(special_tokens)
    options = _Options(
        one_of('target', target, _TARGETS),
        one_of('start', 'anywhere' if start is None else start, _STARTS),
        choice_of('choice', choice), flag('parallel', parallel),
        flag('wider', wider), special, len(special or b''))
    handle = find_format(format)
    data = to_tools(tools)
    made, error = c_void_p(), LoadError()
    lib.tw_grammar_make(handle, data, len(data), byref(options),
                        _library.allocator, byref(made), byref(error))
    if error.code == MEMORY:
        raise MemoryError('toolwire')
    if error.code != 0:
        raise ToolwireError(error.code, text_of(error.message), error.offset)
    size = c_size_t()
    text = lib.tw_grammar_text(made, byref(size))
    try:
        return ctypes.string_at(text, size.value).decode()
    finally:
        lib.tw_grammar_free(made)
