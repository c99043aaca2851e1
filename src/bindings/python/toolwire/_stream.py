# SPDX-License-Identifier: MIT
"""OpenAI chunks of a model's output, as it comes: for a loop and for
asyncio."""
import json
from typing import (Any, AsyncGenerator, AsyncIterable, AsyncIterator,
                    Callable, Dict, Generator, Iterable, Iterator, List, Mapping,
                    NoReturn, Optional, Tuple, Union, cast)

from . import _hot, _options
from ._decoder import LATE, WRITER, Decoder, Writer
from ._errors import ToolwireError, fail
from ._event import Mark, to_mark
from ._library import lib
from ._options import FormatName, Json, Text

Piece = Union[Text, Tuple[Text, Union[Mark, int]]]
Finish = Union[str, Callable[[], str]]
Chunk = Dict[str, Any]

# What the command calls them.
_SHAPES = {'chat': 'chunks', 'responses': 'responses',
           'anthropic': 'anthropic'}


class _Stream:
    """What both loops have: a decoder, a writer, and how it is to end."""

    def __init__(self, who: str, format: FormatName, api: str,
                 tools: Optional[Json], prompt: Optional[Text],
                 finish: Finish, error_event: bool,
                 options: Mapping[str, Any]) -> None:
        shape = _options.one_of('api', api, _SHAPES)
        known = [name for name in WRITER[shape] if name != 'sse']
        _options.check(who, options, known + _options.names('decoder'), 'api',
                       'tools', 'prompt', 'finish', 'error_event')
        self._late = {name: options[name] for name in LATE
                      if callable(options.get(name))}
        options = {name: options[name] for name in options
                   if name not in self._late}
        self._error_event = error_event
        if not callable(finish):
            _options.one_of('finish', finish, _options.FINISH)
        self._how = finish
        self._writer = Writer(shape, **{
            name: options[name] for name in options if name in known})
        self._decoder = Decoder(format, tools=tools, prompt=prompt, **{
            name: options[name] for name in options
            if name not in known})
        self._handles = self._decoder._open(), self._writer._open()
        self.result = 0

    def __enter__(self) -> '_Stream':
        return self

    def __exit__(self, *_: object) -> None:
        self._decoder.close()
        self._writer.close()

    def _run(self, piece: Optional[bytes], mark: int) -> List[Chunk]:
        # No lock: a generator runs in one thread at a time.
        chunks: List[Chunk] = []
        self.result = _hot.feed(*self._handles, piece, mark, chunks)
        return chunks

    def feed(self, piece: Piece) -> List[Chunk]:
        """The chunks that are ready; then |result| is to be looked at."""
        mark: Any = Mark.UNKNOWN
        if isinstance(piece, tuple):
            if len(piece) != 2:
                raise TypeError('a piece is text or (text, Mark), not %r'
                                % (piece,))
            piece, mark = piece
            mark = to_mark(mark)
        return self._run(_options.to_bytes(piece), mark)

    def finish(self) -> List[Chunk]:
        """The last chunks; then |result| is to be looked at."""
        how = self._how() if callable(self._how) else self._how
        reason = _options.one_of('finish', how, _options.FINISH)
        self._writer.update(**{name: self._late[name]()
                               for name in self._late})
        self._decoder._check(lib.tw_decoder_finish(self._handles[0], reason))
        return self._run(None, 0)

    def refuse(self) -> NoReturn:
        """Raises |result|, which is less than 0: an error of the decoder,
        else of the writer, which has no more to say of it."""
        fail(self.result, self._decoder._error())

    def fail(self, error: Exception) -> List[Chunk]:
        """The last chunk; none where the caller wants none, or the stream is
        over."""
        if not self._error_event:
            return []
        try:
            return [json.loads(line) for line in self._writer.fail(error)]
        except ToolwireError:
            return []


def _look_at(pieces: Any, ways: Tuple[str, ...], instead: str) -> None:
    """Refuses what cannot be iterated in one of these |ways|; the usual slips
    are told what to write |instead|."""
    kind = cast(Any, type(pieces))
    if isinstance(pieces, _options.TEXTS):
        raise TypeError('pieces must be an iterable of pieces, not one %s, '
                        'which would be fed letter by letter; for one piece '
                        'write [text]' % kind.__name__)
    if any(hasattr(kind, way) for way in ways):
        return
    if hasattr(kind, '__iter__') or hasattr(kind, '__aiter__'):
        raise TypeError(instead)
    raise TypeError('pieces must be an iterable of pieces, not '
                    + kind.__name__)


def stream_chunks(pieces: Iterable[Piece], format: FormatName, *,
                  api: str = 'chat', tools: Optional[Json] = None,
                  prompt: Optional[Text] = None, finish: Finish = 'stop',
                  error_event: bool = False,
                  **options: Any) -> Generator[Chunk, None, None]:
    """What an API streams of a model's output, as it comes: of 'chat'
    chat.completion.chunk objects, of 'responses' and 'anthropic' events, whose
    "type" is also the name of the server-sent event.

    pieces   an iterable of text, each piece str or bytes, or (text, Mark)
    finish   why the output ended, 'stop', 'length' or 'unknown', or a function that
             says so when the pieces are over
    tools, prompt
             as for Decoder
    api      'chat', 'responses' or 'anthropic'
    error_event
             an exception that ends the stream, of |pieces| or of the decoder,
             is also its last chunk, the API's error event, in front of it
    options  those of Decoder and of the Writer of the API: id, model, ...;
             finish_reason and usage may be functions, too, which are asked
             when the pieces are over

    All arguments are checked at the call.  An error of a piece or of the
    decoder comes when the piece is read, behind the chunks before it: a
    TypeError, or the ToolwireError of feed().  close() of a generator that
    was begun frees the decoder at once; one that nobody reads frees it when
    it goes out of use itself.
    """
    _look_at(pieces, ('__iter__', '__getitem__'),
             'pieces is an async iterable: use astream_chunks()')
    return _loop(iter(pieces), _Stream('stream_chunks()', format, api, tools,
                                       prompt, finish, error_event, options))


def _loop(pieces: Iterator[Piece], stream: _Stream
          ) -> Generator[Chunk, None, None]:
    with stream:
        try:
            for piece in pieces:
                yield from stream.feed(piece)
                if stream.result < 0:
                    stream.refuse()
            yield from stream.finish()
            if stream.result < 0:
                stream.refuse()
        except Exception as error:
            yield from stream.fail(error)
            raise


def astream_chunks(pieces: AsyncIterable[Piece], format: FormatName, *,
                   api: str = 'chat', tools: Optional[Json] = None,
                   prompt: Optional[Text] = None, finish: Finish = 'stop',
                   error_event: bool = False,
                   **options: Any) -> AsyncGenerator[Chunk, None]:
    """stream_chunks() of pieces that are waited for:

        async for chunk in astream_chunks(tokens(), 'hermes', model='m'):
            ...

    |pieces| is an async iterable; all else is as there.  The decoder is freed
    at once when the task is cancelled while it waits for a piece, and by
    aclose() of a generator that was begun.  Decoding runs in the thread of
    the event loop, and takes some microseconds a piece.
    """
    _look_at(pieces, ('__aiter__',),
             'pieces is no async iterable: use stream_chunks()')
    return _aloop(pieces.__aiter__(), _Stream(
        'astream_chunks()', format, api, tools, prompt, finish, error_event,
        options))


async def _aloop(pieces: AsyncIterator[Piece], stream: _Stream
                 ) -> AsyncGenerator[Chunk, None]:
    with stream:
        try:
            async for piece in pieces:
                for chunk in stream.feed(piece):
                    yield chunk
                if stream.result < 0:
                    stream.refuse()
            for chunk in stream.finish():
                yield chunk
            if stream.result < 0:
                stream.refuse()
        except Exception as error:
            for chunk in stream.fail(error):
                yield chunk
            raise
