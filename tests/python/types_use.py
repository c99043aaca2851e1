# SPDX-License-Identifier: MIT
"""What a user writes, for type checkers: it is read by mypy and pyright under
strict, and never run.  Each line with `type: ignore` is wrong, and both must
say so."""
# pyright: reportUnnecessaryTypeIgnoreComment=true
import asyncio
import pathlib
from typing import Any, AsyncIterator, Dict, Iterator, List, Optional, Tuple

import toolwire
from toolwire import Decoder, Event, Mark, Writer


def whole(text: str) -> Optional[str]:
    message: Dict[str, Any] = toolwire.decode(text, 'hermes', tools=['tide'],
                                              strict=True)
    return message.get('content')


def loaded(text: bytes) -> str:
    mine = toolwire.LoadedFormat(pathlib.Path('mine.json'))
    toolwire.decode(text, mine)
    for chunk in toolwire.stream_chunks([text], mine, api='responses'):
        chunk['type']
    for frame in toolwire.stream_chunks([text], mine, sse=True):
        frame.encode()
    return toolwire.encode_completion({'role': 'assistant'}, mine)


def events(pieces: Iterator[str]) -> Iterator[bytes]:
    with Decoder('hermes', prompt='<|im_start|>assistant\n') as decoder:
        for piece in pieces:
            for event in decoder.feed(piece, Mark.TEXT):
                yield event.data
        last: List[Event] = list(decoder.finish('length'))
        kind: str = last[-1].kind
        index: Optional[int] = last[-1].index
        print(kind, index)


def lines(pieces: List[Tuple[str, Mark]]) -> Iterator[str]:
    with Decoder('hermes') as decoder, Writer('chat', sse=True) as writer:
        try:
            for text, mark in pieces:
                for event in decoder.feed(text, mark):
                    yield from writer.event(event)
        except toolwire.ToolwireError as error:
            at: int = error.offset
            yield from writer.fail(error)
            print(at, error.path)


async def served(tokens: AsyncIterator[str]) -> None:
    async for chunk in toolwire.astream_chunks(tokens, 'hermes', model='m',
                                               finish=lambda: 'stop',
                                               usage=lambda: {'n': 1}):
        await asyncio.sleep(0)
        print(chunk['choices'])


def logs(record: Dict[str, Any], line: str) -> str:
    report: List[toolwire.Report] = []
    made: Dict[str, Any] = toolwire.convert(record, 'openai', 'sharegpt',
                                            report=report)
    text: str = toolwire.convert(line, 'hermes', 'openai', loss='refuse')
    segment: toolwire.Segment = toolwire.encode_segments(
        made, 'hermes', generation_prompt=True)[0]
    return text + segment.text + report[0].code


def tables() -> List[str]:
    return [marker.text for one in toolwire.formats()
            for marker in one.markers] + [
                one.name for one in toolwire.diagnostics()]


def wrong() -> None:
    toolwire.decode(5, 'hermes')  # type: ignore
    toolwire.decode('x', 5)  # type: ignore
    toolwire.stream_chunks(5, 'hermes')  # type: ignore
    toolwire.encode({}, 'hermes', report='yes')  # type: ignore
    Decoder('hermes').feed(['x'])  # type: ignore
    Event('text').kind  # type: ignore
    toolwire.decode('x', 'hermes', validat='report')  # type: ignore
    toolwire.decode('x', 'hermes', validate='reprot')  # type: ignore
    toolwire.decode('x', 'hermes', finish='eos')  # type: ignore
    toolwire.stream_chunks(['x'], 'hermes', api='openai')  # type: ignore
    toolwire.stream_chunks(['x'], 'hermes', sse=True).send(None)['x']  # type: ignore
    toolwire.stream_chunks(['x'], 'hermes', finish='eos')  # type: ignore
    toolwire.encode({}, 'hermes', strict=True)  # type: ignore
    toolwire.convert({}, 'hermes', 'openai', loss='no')  # type: ignore
    Decoder('hermes', limit_depth='9')  # type: ignore
    Writer('chunk')  # type: ignore
    Writer('chat').update(model='m')  # type: ignore
