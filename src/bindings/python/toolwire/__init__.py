# SPDX-License-Identifier: MIT
"""toolwire: from what language models write when they call tools to the JSON
that programs expect, while it streams, and back.

    toolwire.decode(text, 'hermes')         an OpenAI message
    toolwire.stream_chunks(pieces, 'hermes')
                                            chat.completion.chunk objects, or
                                            the events of another API
    toolwire.astream_chunks(pieces, 'hermes')
                                            the same for asyncio
    toolwire.Decoder('hermes')              events
    toolwire.encode(request, 'hermes')      the prompt
    toolwire.convert(record, 'openai', 'sharegpt')
                                            logs
    toolwire.words_for_model(message, tools=tools)
                                            what an agent gives back for calls
                                            that cannot be run
    toolwire.tool(function)                 a function as a tool: lists of tools
                                            take functions as they are
    toolwire.Template(Path('model'))        a model's chat template: prompts,
                                            spans, turns appended, its format
    toolwire.grammar(tools, 'hermes')       what holds a model to its calls
    toolwire.formats()                      what there is
    toolwire.LoadedFormat(Path('mine.json'))
                                            a format of one's own

All of it calls the C library; include/toolwire.h is the manual.  Objects are
freed at the end of a `with`, by close(), or when nothing uses them any more.
They may be used in any thread, one call on an object at a time; they cannot be
copied or pickled, but events and errors can.

Errors: TypeError for a value of a wrong type and for an option that does not
exist, ValueError for a word that is not one of the words listed, ToolwireError
for what the library refuses: the name of no format, a number out of range, bad
input.  No value is changed to fit: a float is no int, and 'yes' is no flag.
(1 and 0 are True and False, as everywhere in Python; an option that is None is
not given.)  LossWarning where content or a call was lost, and the caller asked
for no report.
"""
import typing as _typing

from ._converter import Converter, convert, decode, decode_transcript
from ._decoder import Decoder, Writer
from ._encoder import (Encoder, Segment, Span, encode, encode_completion,
                       encode_segments)
from ._errors import ToolwireError
from ._event import Event, Found, Mark
from ._formats import LoadedFormat
from ._grammar import grammar
from ._library import VERSION as __version__
from ._losses import LossWarning, Report
from ._options import near as _near
from ._stream import astream_chunks, stream_chunks
from ._tables import (Diagnostic, Format, Marker, Shape, diagnostics, formats,
                      shapes)
from ._template import Detection, Episode, Template, token_mask
from ._tool import tool
from ._words import words_for_model

__all__ = ['Converter', 'Decoder', 'Detection', 'Diagnostic', 'Encoder',
           'Episode', 'Event',
           'Format', 'Found', 'LoadedFormat', 'LossWarning', 'Mark', 'Marker', 'Report',
           'Segment', 'Shape', 'Span', 'Template', 'ToolwireError', 'Writer', '__version__',
           'astream_chunks',
           'convert', 'decode', 'decode_transcript', 'diagnostics', 'encode',
           'encode_completion', 'encode_segments', 'formats', 'grammar', 'shapes',
           'stream_chunks', 'token_mask', 'tool', 'words_for_model']


if not _typing.TYPE_CHECKING:
    def __getattr__(name):
        raise AttributeError('module %r has no attribute %r%s' % (
            __name__, name, _near(name, __all__)))
