# SPDX-License-Identifier: MIT
"""What a model is told of its calls that cannot be run."""
import ctypes
import json
from ctypes import byref, c_size_t
from typing import Any, Dict, List, Optional, Union

from . import _library
from ._errors import JSON, MEMORY, ToolwireError
from ._library import lib
from ._options import Json, to_json

_MESSAGES = 1


def words_for_model(message: Json, *,
                    tools: Optional[Union[Json, List[Any]]] = None
                    ) -> List[Dict[str, str]]:
    """What an agent gives back to the model for each call of a message that
    cannot be run: OpenAI messages, a tool's with the call's id, or a user's
    for a block that could not be read.  [] if all calls can be run.

    message  an OpenAI message or chat completion, as decode() returns it or
             as a server sent it; JSON text or a dict
    tools    those that were declared: calls are compared with their schemas.
             None: only blocks that could not be read are spoken of

    The content says in one paragraph what was wrong, where, and what was
    expected.  ToolwireError if one of the two is not JSON or is something
    else."""
    data = to_json(message)
    own = None if tools is None else to_json(tools)
    size = c_size_t()
    text = ctypes.create_string_buffer(4096)
    while True:
        result = lib.tw_words_for_model(
            data, len(data), own, 0 if own is None else len(own), _MESSAGES,
            _library.allocator, text, len(text), byref(size))
        if result != 0 or size.value <= len(text):
            break
        text = ctypes.create_string_buffer(size.value)
    if result == MEMORY:
        raise MemoryError('toolwire')
    if result != 0:
        raise ToolwireError(result, 'the message or the tools are not JSON'
                            if result == JSON else
                            'no message, or no list of tools')
    words: List[Dict[str, str]] = json.loads(text.raw[:size.value])
    return words
