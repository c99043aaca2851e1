#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server of OpenAI's chat completions, with a made-up model.

    python3 server.py [PORT]
    curl -N localhost:8000/v1/chat/completions -d '{"stream": true,
        "messages": [{"role": "user", "content": "Tide at Brest?"}],
        "tools": [{"type": "function", "function": {"name": "tide"}}]}'

It shows what belongs to a real one: the prompt in segments, the mark of each
token, one decoder a request, why the output ended, and a client that goes
away.  The model calls the first tool with the user's words, and repeats what
the tool gives back.
"""
import json
import sys
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

import toolwire
from toolwire import Mark

FORMAT = 'hermes/qwen3'
MODEL = 'made-up'
MARKERS = {marker.text for one in toolwire.formats() if one.name == FORMAT
           for marker in one.markers if marker.decoded}


# ---- the model -------------------------------------------------------------

class Token(NamedTuple):
    text: str
    special: bool


class Model:
    """Writes a canned answer, some letters a token."""

    def __init__(self, request: Dict[str, Any]) -> None:
        # A tokenizer would get the text segments with special tokens off, so
        # that nothing a user writes is one.
        self.prompt = toolwire.encode_segments(request, FORMAT,
                                               generation_prompt=True)
        self.last = request['messages'][-1]
        self.tools = request.get('tools') or []
        self.limit = int(request.get('max_tokens') or 1000)
        self.finish = 'stop'

    def answer(self) -> List[Token]:
        words = str(self.last.get('content') or '')
        if self.last['role'] == 'tool' or not self.tools:
            return _tokens('<think>\nThat is known.\n') + [
                Token('</think>', True)] + _tokens('\n\nIt is: ' + words)
        call = {'name': self.tools[0]['function']['name'],
                'arguments': {'question': words}}
        return [*_tokens('I look it up.\n'), Token('<tool_call>', True),
                *_tokens('\n%s\n' % json.dumps(call)),
                Token('</tool_call>', True)]

    def generate(self) -> Iterator[Token]:
        tokens = self.answer()
        yield from tokens[:self.limit]
        if len(tokens) > self.limit:
            self.finish = 'length'


def _tokens(text: str) -> List[Token]:
    return [Token(text[i:i + 5], False) for i in range(0, len(text), 5)]


# ---- the server ------------------------------------------------------------

def pieces(model: Model) -> Iterator[Tuple[str, Mark]]:
    """Each token with what only the server knows of it."""
    for token in model.generate():
        control = token.special and token.text in MARKERS
        # Not UNKNOWN: a model may quote a marker in ordinary tokens.
        yield token.text, Mark.CONTROL if control else Mark.TEXT


def chunks(model: Model, **options: Any) -> Iterator[Dict[str, Any]]:
    return toolwire.stream_chunks(
        pieces(model), FORMAT, tools=model.tools or None,
        finish=lambda: model.finish, model=MODEL, **options,
        id='chatcmpl-' + uuid.uuid4().hex, created=int(time.time()),
        # Unique in the conversation, not only in the message.
        call_id_prefix='call_%s_' % uuid.uuid4().hex[:16])


def join(stream: Iterator[Dict[str, Any]]) -> Dict[str, Any]:
    """The whole completion, for a client that does not stream."""
    message: Dict[str, Any] = {'role': 'assistant', 'content': None}
    whole: Dict[str, Any] = {}
    for chunk in stream:
        choice = chunk['choices'][0]
        whole = chunk
        for key in ('content', 'reasoning_content'):
            if key in choice['delta']:
                message[key] = (message.get(key) or '') + choice['delta'][key]
        for part in choice['delta'].get('tool_calls', ()):
            calls = message.setdefault('tool_calls', [])
            if part['index'] == len(calls):
                calls.append({key: part[key] for key in part
                              if key != 'index'})
            else:
                calls[part['index']]['function']['arguments'] += (
                    part['function']['arguments'])
    return {'id': whole['id'], 'object': 'chat.completion',
            'created': whole['created'], 'model': whole['model'],
            'choices': [{'index': 0, 'message': message, 'finish_reason':
                         whole['choices'][0]['finish_reason']}]}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        if self.path != '/v1/chat/completions':
            self.refuse(404, 'there is only /v1/chat/completions')
            return
        try:
            size = int(self.headers.get('Content-Length') or 0)
            request = json.loads(self.rfile.read(size))
            model = Model(request)
        except toolwire.ToolwireError as error:
            # Such as a marker in what a user wrote; |path| names the place.
            self.refuse(400, str(error), error.path)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            self.refuse(400, 'not a request: %r' % error)
        else:
            self.answer(model, bool(request.get('stream')))

    def answer(self, model: Model, streamed: bool) -> None:
        if not streamed:
            # A call that was cut off is none.
            self.send(200, join(chunks(model, hold_calls=True)))
            return
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream')
        self.end_headers()
        try:
            for chunk in chunks(model):
                self.event(json.dumps(chunk))
            self.event('[DONE]')
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client went away; the generator frees its decoder

    def event(self, data: str) -> None:
        self.wfile.write(('data: %s\n\n' % data).encode())
        self.wfile.flush()

    def refuse(self, status: int, message: str, path: Any = None) -> None:
        self.send(status, {'error': {'message': message, 'param': path,
                                     'type': 'invalid_request_error'}})

    def send(self, status: int, body: Dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


def main() -> None:
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
    with ThreadingHTTPServer(('127.0.0.1', port), Handler) as server:
        print('listening on port %d' % server.server_address[1], flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == '__main__':
    main()
