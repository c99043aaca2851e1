# SPDX-License-Identifier: MIT
"""toolwire: from what language models write when they call tools to the JSON
that programs expect, while it streams, and back.

    toolwire.decode(text, 'hermes')         an OpenAI message
    toolwire.stream_chunks(pieces, 'hermes')
                                            chat.completion.chunk objects
    toolwire.Decoder('hermes')              events
    toolwire.encode(request, 'hermes')      the prompt
    toolwire.convert(record, 'openai', 'sharegpt')
                                            logs
    toolwire.formats()                      what there is

All of it calls the C library; include/toolwire.h is the manual.  Objects may
be used in any thread, one call on an object at a time.
"""
from ._converter import (Converter, Found, convert, decode,
                         decode_transcript)
from ._decoder import Decoder, Event, Mark, Writer, stream_chunks
from ._encoder import (Encoder, Report, Segment, encode, encode_completion,
                       encode_segments)
from ._errors import ToolwireError
from ._library import VERSION as __version__
from ._tables import Diagnostic, Format, Marker, diagnostics, formats

__all__ = ['Converter', 'Decoder', 'Diagnostic', 'Encoder', 'Event',
           'Format', 'Found', 'Mark', 'Marker', 'Report', 'Segment',
           'ToolwireError', 'Writer', '__version__', 'convert', 'decode',
           'decode_transcript', 'diagnostics', 'encode', 'encode_completion',
           'encode_segments', 'formats', 'stream_chunks']
