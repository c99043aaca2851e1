# SPDX-License-Identifier: MIT
"""OpenAI chunks of a model's output, as it comes: for a loop and for
asyncio."""
import json
from typing import (TYPE_CHECKING, Any, AsyncGenerator, AsyncIterable, AsyncIterator,
                    Callable, Dict, Generator, Iterable, Iterator, List, Mapping,
                    NoReturn, Optional, Tuple, Union, cast, overload)

from . import _hot, _options
from ._decoder import LATE, WRITER, Decoder, Writer
from ._errors import ToolwireError, fail
from ._event import Event, Found, Mark, to_found, to_mark
from ._library import lib
from ._options import FormatName, Json, Text

if TYPE_CHECKING:
    from typing_extensions import Literal, Unpack

    from ._types import ApiWord, FinishWord, ShapeWord, StreamOptions

Piece = Union[Text, Tuple[Text, Union[Mark, int]]]
Finish = Union['FinishWord', Callable[[], str]]
Chunk = Dict[str, Any]
# Whether an exception is an event, or what the event is to say of it.
ErrorEvent = Union[bool, Callable[[Exception], Union[Exception, str]]]

_SHAPES: 'Dict[str, ShapeWord]' = {'chat': 'chat', 'responses': 'responses',
                                 'anthropic': 'anthropic'}


class _Stream:
    """What both loops have: a decoder, a writer, and how it is to end."""

    def __init__(self, who: str, format: FormatName, api: str,
                 tools: Optional[Json], prompt: Optional[Text],
                 finish: Finish, error_event: ErrorEvent,
                 diagnostics: Optional[List[Found]], sse: bool,
                 options: Mapping[str, Any]) -> None:
        shape = _options.one_of('api', api, _SHAPES)
        known = [name for name in WRITER[shape] if name != 'sse']
        if 'choice' not in known and options.get('choice') == 0:
            # The first choice is the only one that such an API has.
            options = {name: options[name] for name in options
                       if name != 'choice'}
        if api != 'chat':
            who = '%s of %r' % (who, api)
        _options.check(who, options, known + _options.names('decoder'), 'api',
                       'tools', 'prompt', 'finish', 'error_event',
                       'diagnostics', 'sse')
        if not isinstance(error_event, bool) and not callable(error_event):
            raise TypeError('error_event must be True, False or a function, '
                            'not %r' % (error_event,))
        if diagnostics is not None and not isinstance(diagnostics, list):
            raise TypeError('diagnostics must be a list, not '
                            + type(diagnostics).__name__)
        self._late = {name: options[name] for name in LATE
                      if callable(options.get(name))}
        options = {name: options[name] for name in options
                   if name not in self._late}
        self._error_event = error_event
        if not callable(finish):
            _options.one_of('finish', finish, _options.FINISH)
        self._how = finish
        self._sse = bool(_options.flag('sse', sse))
        self._feed = _hot.feed_frames if sse else _hot.feed
        self._writer = Writer(shape, sse=self._sse, **{
            name: options[name] for name in options if name in known})
        self._decoder = Decoder(format, tools=tools, prompt=prompt, **{
            name: options[name] for name in options
            if name not in known})
        self._diagnostics = diagnostics
        self.result = 0

    def __enter__(self) -> '_Stream':
        return self

    def __exit__(self, *_: object) -> None:
        self._decoder.close()
        self._writer.close()

    def _run(self, piece: Optional[bytes], mark: int) -> List[Any]:
        # No lock: a generator runs in one thread at a time.
        handles = self._decoder._open(), self._writer._open()
        chunks: List[Any] = []
        if self._diagnostics is None:
            self.result = self._feed(*handles, piece, mark, chunks)
            return chunks
        said: List[Event] = []
        self.result = self._feed(*handles, piece, mark, chunks, said)
        self._diagnostics.extend(map(to_found, said))
        return chunks

    def feed(self, piece: Piece) -> List[Any]:
        """The chunks that are ready; then |result| is to be looked at."""
        mark: Any = Mark.UNKNOWN
        if isinstance(piece, tuple):
            if len(piece) != 2:
                raise TypeError('a piece is text or (text, Mark), not %r'
                                % (piece,))
            piece, mark = piece
            mark = to_mark(mark)
        return self._run(_options.to_bytes(piece), mark)

    def finish(self) -> List[Any]:
        """The last chunks; then |result| is to be looked at."""
        how = self._how() if callable(self._how) else self._how
        reason = _options.one_of('finish', how, _options.FINISH)
        self._writer.update(**{name: self._late[name]()
                               for name in self._late})
        self._decoder._check(lib.tw_decoder_finish(self._decoder._open(),
                                                   reason))
        return self._run(None, 0)

    def refuse(self) -> NoReturn:
        """Raises |result|, which is less than 0: an error of the decoder,
        else of the writer, which has no more to say of it."""
        fail(self.result, self._decoder._error())

    def fail(self, error: Exception) -> List[Any]:
        """The last chunk; none where the caller wants none, or the stream is
        over."""
        event = self._error_event
        if not event:
            return []
        says = event(error) if callable(event) else error
        try:
            lines = self._writer.fail(says)
            return lines if self._sse else [json.loads(line) for line in lines]
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


@overload
def stream_chunks(pieces: Iterable[Piece], format: FormatName, *,
                  api: 'ApiWord' = 'chat', tools: Optional[Json] = None,
                  prompt: Optional[Text] = None, finish: Finish = 'stop',
                  error_event: ErrorEvent = False,
                  diagnostics: Optional[List[Found]] = None,
                  sse: 'Literal[False]' = False,
                  **options: 'Unpack[StreamOptions]') -> Generator[Chunk, None, None]: ...


@overload
def stream_chunks(pieces: Iterable[Piece], format: FormatName, *,
                  api: 'ApiWord' = 'chat', tools: Optional[Json] = None,
                  prompt: Optional[Text] = None, finish: Finish = 'stop',
                  error_event: ErrorEvent = False,
                  diagnostics: Optional[List[Found]] = None,
                  sse: 'Literal[True]',
                  **options: 'Unpack[StreamOptions]') -> Generator[str, None, None]: ...


def stream_chunks(pieces: Iterable[Piece], format: FormatName, *,
                  api: 'ApiWord' = 'chat', tools: Optional[Json] = None,
                  prompt: Optional[Text] = None, finish: Finish = 'stop',
                  error_event: ErrorEvent = False,
                  diagnostics: Optional[List[Found]] = None,
                  sse: bool = False,
                  **options: 'Unpack[StreamOptions]') -> Generator[Any, None, None]:
    """What an API streams of a model's output, as it comes: of 'chat'
    chat.completion.chunk objects, of 'responses' and 'anthropic' events, whose
    "type" is also the name of the server-sent event.

    pieces   an iterable of text, each piece str or bytes, or (text, Mark)
    tools, prompt
             as for Decoder
    api      'chat', 'responses' or 'anthropic'
    finish   why the output ended, 'stop', 'length' or 'unknown'; or a function
             without parameters, which is called when the pieces are over
    diagnostics
             a list, to which what deviates is added as it is read, each a
             Found: what Converter.diagnostics() gives of the whole output
    error_event
             True: an exception of |pieces| or of the decoder ends the stream
             with the API's error event, and is raised behind that.  The event
             has the message of a ToolwireError; of any other exception it
             says that the output broke off, since the text of such an
             exception may be none of the client's business.  A function is
             called with the exception, and returns what the event says:
             a str, or an exception as in Writer.fail()
    sse      True: each chunk is a str, a whole frame of a server-sent event;
             the last of 'chat' is `data: [DONE]`
    options  those of Decoder, and those of Writer for the API.
             finish_reason, usage and stop_sequence may be functions, as
             |finish| is

    All arguments are checked at the call.  An error of a piece or of the
    decoder comes when the piece is read, behind the chunks before it: a
    TypeError, or the ToolwireError of feed().

    A stream that ends early, by close(), `break` or an exception, frees its
    decoder and closes the iterator of |pieces|, if that has close(), as a
    generator has.  A stream that was not begun does neither until nothing
    refers to it.
    """
    _look_at(pieces, ('__iter__', '__getitem__'),
             'pieces is an async iterable: use astream_chunks()')
    return _loop(iter(pieces), _Stream('stream_chunks()', format, api, tools,
                                       prompt, finish, error_event,
                                       diagnostics, sse, options))


def _loop(pieces: Iterator[Piece], stream: _Stream
          ) -> Generator[Any, None, None]:
    with stream:
        try:
            try:
                for piece in pieces:
                    yield from stream.feed(piece)
                    if stream.result < 0:
                        stream.refuse()
            except BaseException:
                # Nobody reads the rest: an engine is to stop.
                close: Any = getattr(pieces, 'close', None)
                if close is not None:
                    close()
                raise
            yield from stream.finish()
            if stream.result < 0:
                stream.refuse()
        except Exception as error:
            yield from stream.fail(error)
            raise


@overload
def astream_chunks(pieces: AsyncIterable[Piece], format: FormatName, *,
                   api: 'ApiWord' = 'chat', tools: Optional[Json] = None,
                   prompt: Optional[Text] = None, finish: Finish = 'stop',
                   error_event: ErrorEvent = False,
                   diagnostics: Optional[List[Found]] = None,
                   sse: 'Literal[False]' = False,
                   **options: 'Unpack[StreamOptions]') -> AsyncGenerator[Chunk, None]: ...


@overload
def astream_chunks(pieces: AsyncIterable[Piece], format: FormatName, *,
                   api: 'ApiWord' = 'chat', tools: Optional[Json] = None,
                   prompt: Optional[Text] = None, finish: Finish = 'stop',
                   error_event: ErrorEvent = False,
                   diagnostics: Optional[List[Found]] = None,
                   sse: 'Literal[True]',
                   **options: 'Unpack[StreamOptions]') -> AsyncGenerator[str, None]: ...


def astream_chunks(pieces: AsyncIterable[Piece], format: FormatName, *,
                   api: 'ApiWord' = 'chat', tools: Optional[Json] = None,
                   prompt: Optional[Text] = None, finish: Finish = 'stop',
                   error_event: ErrorEvent = False,
                   diagnostics: Optional[List[Found]] = None,
                   sse: bool = False,
                   **options: 'Unpack[StreamOptions]') -> AsyncGenerator[Any, None]:
    """stream_chunks() of pieces that are waited for:

        async for chunk in astream_chunks(tokens(), 'hermes', model='m'):
            ...

    |pieces| is an async iterable, and its iterator is closed by aclose(); all
    else is as there.  Decoding runs in the thread of the event loop, and takes
    some microseconds a piece.

    A task that is cancelled while it waits for a piece ends the stream at
    once.  An `async for` that is left, or cancelled while it sends a chunk,
    leaves the end to the event loop, which comes soon after; with
    contextlib.aclosing(stream) (Python 3.10) the end comes at once there, too.
    """
    _look_at(pieces, ('__aiter__',),
             'pieces is no async iterable: use stream_chunks()')
    return _aloop(pieces.__aiter__(), _Stream(
        'astream_chunks()', format, api, tools, prompt, finish, error_event,
        diagnostics, sse, options))


async def _aloop(pieces: AsyncIterator[Piece], stream: _Stream
                 ) -> AsyncGenerator[Any, None]:
    with stream:
        try:
            try:
                async for piece in pieces:
                    for chunk in stream.feed(piece):
                        yield chunk
                    if stream.result < 0:
                        stream.refuse()
            except BaseException:
                close: Any = getattr(pieces, 'aclose', None)
                if close is not None:
                    await close()
                raise
            for chunk in stream.finish():
                yield chunk
            if stream.result < 0:
                stream.refuse()
        except Exception as error:
            for chunk in stream.fail(error):
                yield chunk
            raise
