# SPDX-License-Identifier: MIT
"""Events of what a model writes, and OpenAI JSON of events."""
import ctypes
import struct
from collections import deque
from ctypes import byref, c_size_t, c_void_p
from typing import (TYPE_CHECKING, Deque, Iterator, List, Optional,
                    Union)

from . import _errors, _hot, _options
from ._errors import ToolwireError
from ._event import KINDS, Event, Mark, to_mark
from ._handle import Handle
from ._library import NO_INDEX, ErrorStructure, EventInput, lib
from ._options import FormatName, Json, Text

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import (DecoderOptions, FinishWord, ShapeWord, UpdateOptions,
                         WriterOptions)

_NUMBERS = {kind: number for number, kind in enumerate(KINDS, 1)}
_OWNERS = {'message': ('writer',),
           'chat': ('writer', 'stream', 'dated', 'chat'),
           'responses': ('writer', 'stream', 'dated', 'responses'),
           'anthropic': ('writer', 'stream', 'anthropic')}
# Only OpenAI's chat messages name their reasoning in more than one way.
WRITER = {shape: [name for name in _options.names(*owners)
                  if name != 'reasoning_key' or shape in ('message', 'chat')]
          for shape, owners in _OWNERS.items()}

# What a Writer takes up to its last event.
LATE = 'finish_reason', 'usage', 'stop_sequence'


class Decoder(Handle):
    """Makes events of the pieces of a model's output.

        with Decoder('hermes', tools=['tide']) as decoder:
            for piece in pieces:
                for event in decoder.feed(piece):
                    ...
            for event in decoder.finish():
                ...

    format  its name, as in formats()
    tools   the declared tools: a list, or JSON text of a list, of OpenAI
            tools, of functions or of names.  One name is a list, too:
            ['name']
    prompt  the end of the prompt, from the head of its last turn on
    options as toolwire.h explains them, with these defaults:

        strict              False
        start_reasoning     False; where the text is whole (decode(), a
                            Converter), 'auto' finds that in each text
        calls_in_reasoning  True
        recover_stripped    False, of Harmony alone
        keep_raw            False
        framing             False
        untyped             'string', or 'json'
        validate            'no', or 'report', 'refuse', 'mend'
        call_id_prefix      'call_'
        tool_choice         'auto', 'none' (calls stay text), 'required' or a
                            tool's name (tool_choice_unmet: it did not come)
        first_call          0, the number in the first id that is made
        limit_depth         128, at most 10000
        limit_name          256 bytes, at most 1000
        limit_arguments     16777216 bytes of JSON text
        limit_calls         1024
        limit_input         0: none; else the bytes of one message

    Ids are made of the prefix and a number, and begin with first_call in
    every message: give each message of a conversation a prefix of its own.

    Events are copies: they stay when the decoder is gone.
    """

    _prefix = 'tw_decoder_'
    _who = 'a Decoder'

    def __init__(self, format: FormatName, *, tools: Optional[Json] = None,
                 prompt: Optional[Text] = None,
                 **options: 'Unpack[DecoderOptions]') -> None:
        _options.check(self._who, options, _options.names('decoder'), 'tools',
                       'prompt')
        super().__init__(_errors.new(lib.tw_decoder_new,
                                     _options.find_format(format)), format)
        self._ready: Deque[Event] = deque()
        self._pending: Optional[BaseException] = None
        handle = self._open()
        _options.apply(self._prefix, handle, options, self._error)
        if tools is not None:
            data = _options.to_tools(tools)
            self._check(lib.tw_decoder_set_tools(handle, data, len(data)))
        if prompt is not None:
            self.set_prompt(prompt)

    def set_prompt(self, prompt: Text) -> None:
        """The end of the prompt, for the next message only."""
        data = _options.to_bytes(prompt, 'prompt')
        with self._lock:
            self._check(lib.tw_decoder_set_prompt(self._open(), data,
                                                  len(data)))

    def _take(self, piece: Optional[bytes], mark: int) -> None:
        """Feeds |piece|, if there is one, and takes all events that are
        ready.  An error that sticks comes behind the events that were made
        before it."""
        found: List[Event] = []
        result = _hot.feed(self._open(), 0, piece, mark, found)
        self._ready.extend(found)
        if result < 0:
            self._fail(result)

    def _fail(self, result: int) -> None:
        try:
            self._check(result)
        except (_errors.ToolwireError, MemoryError) as error:
            if result in _errors.AT_ONCE:
                raise
            self._pending = error

    def _raise_pending(self) -> None:
        if self._pending is not None:
            error, self._pending = self._pending, None
            raise error

    def feed(self, data: Text, mark: Union[Mark, int] = Mark.UNKNOWN
             ) -> Iterator[Event]:
        """Takes the next piece, cut anywhere, and returns an iterator over
        the events that are ready.  Those that are not taken now come with the
        next ones; the decoder itself is an iterator over them, too.

        ToolwireError if |mark| is CONTROL and |data| not exactly one marker
        (then nothing was changed), or of what comes behind finish()."""
        piece = _options.to_bytes(data)
        if type(mark) is not Mark:
            mark = to_mark(mark)
        with self._lock:
            if self._pending is not None:
                self._raise_pending()
            self._take(piece, mark)
        return self._events()

    def finish(self, reason: 'FinishWord' = 'stop') -> Iterator[Event]:
        """The output is over: by itself ('stop'), by a token limit
        ('length'), or nobody says ('unknown': what is open inside arguments
        is not closed).  Returns an iterator over the last events."""
        how = _options.one_of('reason', reason, _options.FINISH)
        with self._lock:
            self._raise_pending()
            result = lib.tw_decoder_finish(self._open(), how)
            if result in _errors.AT_ONCE:
                self._check(result)
            self._take(None, 0)
        return self._events()

    def reset(self) -> None:
        """Ready for the next message; options and tools stay."""
        with self._lock:
            lib.tw_decoder_reset(self._open())
            self._ready.clear()
            self._pending = None

    def _events(self) -> Iterator[Event]:
        # One step of a deque is safe in any thread.
        ready = self._ready
        while ready:
            try:
                event = ready.popleft()
            except IndexError:  # another thread was faster
                break
            yield event
        if self._pending is not None:
            with self._lock:
                self._raise_pending()

    def __iter__(self) -> 'Decoder':
        return self

    def __next__(self) -> Event:
        for event in self._events():
            return event
        raise StopIteration


# The numbers of an event, as they are in C.
_NUMBERS_IN_C = struct.Struct('=IIIIQQ')


def _to_input(event: Event) -> EventInput:
    if not isinstance(event, Event):
        raise TypeError('event must be an Event, not ' + type(event).__name__)
    index = NO_INDEX if event.index is None else event.index
    kind = _NUMBERS.get(event.kind)
    try:
        # ctypes would cut them down to their last bits.
        _NUMBERS_IN_C.pack(kind, index, event.code, event.flags,
                           event.offset, event.span)
    except struct.error:
        raise ValueError('not an event that a decoder makes: %r'
                         % (event,)) from None
    identity = event.id.encode('utf-8', 'replace')
    return EventInput(kind, index, event.code, event.flags, event.data,
                      len(event.data), identity, len(identity), event.offset,
                      event.span)


def _is_over() -> ErrorStructure:
    """What is wrong with a writer that takes no more."""
    return ErrorStructure(_errors.STATE, 0, 0, b'the stream has ended; '
                          b'reset() begins the next', None)


class Writer(Handle):
    """Makes JSON of events.

    shape    'message'    one OpenAI assistant message, at the end
             'chat'       a stream of chat.completion.chunk objects
             'responses'  the stream of events of OpenAI's Responses
             'anthropic'  the stream of events of Anthropic's Messages
    options  by shape (m, c, r, a), with these defaults:

        hold_calls          m c r a  False; True: a call comes when complete
        custom_function     m c r a  False in m, True in streams; a takes no
                                     other
        reasoning_key       m c      'reasoning_content', or 'reasoning'
        id                    c r a  'chatcmpl-0', 'resp_0', 'msg_0'
        model                 c r a  'toolwire'
        created               c r    0
        finish_reason         c r a  none: what finish() and the calls say
        usage                 c r a  none: a dict of token counts
        stop_sequence             a  none: the client's text that stopped it
        join_chunks           c r a  False; True: adjacent deltas of a piece are one
        sse                   c r a  False; True: lines as server-sent events
        choice                c      0
        system_fingerprint    c      none
        reasoning_summary       r    False; True: reasoning as a summary

    The defaults of id and created are the same for every message, so that one
    text always gives the same bytes.  A server gives its own.
    """

    _prefix = 'tw_writer_'
    _who = 'a Writer'
    _shapes = {'message': 1, 'chat': 2, 'responses': 3, 'anthropic': 4}

    def __init__(self, shape: 'ShapeWord',
                 **options: 'Unpack[WriterOptions]') -> None:
        number = _options.one_of('shape', shape, self._shapes)
        _options.check('%s of %r' % (self._who, shape), options,
                       WRITER[shape])
        super().__init__(_errors.new(lib.tw_writer_new, number))
        self._shape = shape
        _options.apply(self._prefix, self._open(), options, lambda: None)

    def event(self, event: Event) -> List[str]:
        """Takes an event; gives the lines of JSON that are ready."""
        made = _to_input(event)
        with self._lock:
            handle = self._open()
            result = lib.tw_writer_event(handle, byref(made))
            if result == _errors.STATE:
                raise ToolwireError(
                    result, 'no such event follows those before it: the '
                    'stream has ended, or the order is another; reset() '
                    'begins the next')
            self._check(result)
            return self._lines(handle)

    def update(self, **options: 'Unpack[UpdateOptions]') -> None:
        """Texts of a stream that are known only at its end, in front of the
        last event: finish_reason, usage, stop_sequence."""
        known = WRITER[self._shape]
        for name in options:
            if name in known and name not in LATE:
                raise TypeError('%s is known at the beginning: give it to '
                                'Writer()' % name)
        _options.check('update() of a Writer of %r' % self._shape, options,
                       [name for name in LATE if name in known])
        with self._lock:
            _options.apply(self._prefix, self._open(), options, _is_over)

    def fail(self, error: Union[Exception, str]) -> List[str]:
        """The last lines of a stream that breaks off: a ToolwireError with
        its message, any other exception with a sentence that tells a client
        nothing of the server, a str with that text."""
        if not isinstance(error, (Exception, str)):
            raise TypeError('error must be an exception or a str, not '
                            + type(error).__name__)
        if not isinstance(error, ToolwireError):
            error = ToolwireError(
                _errors.FOREIGN, error if isinstance(error, str)
                else "the model's output broke off")
        detail = lib.tw_diagnostic_find((error.detail or '').encode())
        path = error.path.encode('utf-8', 'replace') if error.path else None
        made = ErrorStructure(error.code,
                              detail.contents.code if detail else 0,
                              error.offset,
                              error.message.encode('utf-8', 'replace'), path)
        with self._lock:
            handle = self._open()
            result = lib.tw_writer_fail(handle, byref(made))
            if result == _errors.ARGUMENT:
                raise ToolwireError(result, 'a message has no event of an '
                                    'error: it is whole or not there')
            if result < 0:
                _errors.fail(result, _is_over())
            return self._lines(handle)

    @staticmethod
    def _lines(handle: int) -> List[str]:
        lines: List[str] = []
        line, size = c_void_p(), c_size_t()
        while lib.tw_writer_take(handle, byref(line), byref(size)) == 1:
            lines.append(ctypes.string_at(line, size.value).decode())
        return lines

    def reset(self) -> None:
        """Ready for the next message; options stay."""
        with self._lock:
            lib.tw_writer_reset(self._open())
