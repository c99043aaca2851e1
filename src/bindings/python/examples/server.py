#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server of OpenAI's chat completions, with a made-up model.

    python3 server.py [PORT [MODEL-FOLDER]]
    curl -N localhost:8000/v1/chat/completions -d '{"stream": true,
        "messages": [{"role": "user", "content": "Tide at Brest?"}],
        "tools": [{"type": "function", "function": {"name": "tide"}}]}'

The folder's chat template writes the prompts, and tells the format of what the
model writes; without one both are those of Qwen 3.

It shows what belongs to a real one: the prompt in segments, the mark of each
token, one decoder a request, why the output ended, and a client that goes
away.  The model calls the first tool with the user's words, and repeats what
the tool gives back.
"""
import json
import pathlib
import re
import sys
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import toolwire
from toolwire import Mark

MODEL = 'made-up'


class Wire:
    """How the model is written to, and how it is read."""

    format = 'hermes/qwen3'
    template: Optional[toolwire.Template] = None  #: or the format's own
    start_reasoning = False  #: the prompt ends inside it

    def take(self, folder: str) -> None:
        template = toolwire.Template(pathlib.Path(folder))
        told = template.detect()
        if told.format is None:
            sys.exit('%s: its chat template tells no format that is built in'
                     % folder)
        self.format, self.template = told.format, template
        self.start_reasoning = told.start == 'reasoning'

    def encoder(self) -> toolwire.Encoder:
        if self.template is None:
            return toolwire.Encoder(self.format, generation_prompt=True)
        return toolwire.Encoder(self.template, template_format=self.format,
                                generation_prompt=True)

    def markers(self) -> List[str]:
        return [marker.text for one in toolwire.formats()
                if one.name == self.format
                for marker in one.markers if marker.decoded]


WIRE = Wire()


# ---- the model -------------------------------------------------------------

class Token(NamedTuple):
    text: str
    special: bool


class Model:
    """Writes a canned answer, some letters a token."""

    def __init__(self, request: Dict[str, Any]) -> None:
        # A tokenizer would get the text segments with special tokens off, so
        # that nothing a user writes is one.
        with WIRE.encoder() as encoder:
            self.prompt = encoder.segments(request)
        self.last = request['messages'][-1]
        self.tools = request.get('tools') or []
        self.limit = int(request.get('max_tokens') or 1000)
        self.finish = 'stop'

    def answer(self) -> List[Token]:
        words = str(self.last.get('content') or '')
        message: Dict[str, Any] = {'role': 'assistant'}
        if self.last['role'] == 'tool' or not self.tools:
            message.update(reasoning_content='That is known.',
                           content='It is: ' + words)
        else:
            message.update(content='I look it up.', tool_calls=[{
                'id': 'call_0', 'type': 'function', 'function': {
                    'name': self.tools[0]['function']['name'],
                    'arguments': json.dumps({'question': words})}}])
        return _tokens(toolwire.encode_completion(message, WIRE.format))

    def generate(self) -> Iterator[Token]:
        tokens = self.answer()
        yield from tokens[:self.limit]
        if len(tokens) > self.limit:
            self.finish = 'length'


def _tokens(text: str) -> List[Token]:
    """Each marker is one, and else there are five letters in each."""
    markers = WIRE.markers()
    found = re.split('(%s)' % '|'.join(map(re.escape, markers)), text)
    return [Token(part[i:i + 5], False) if part not in markers
            else Token(part, True)
            for part in found
            for i in range(0, 1 if part in markers else len(part), 5)]


# ---- the server ------------------------------------------------------------

def pieces(model: Model) -> Iterator[Tuple[str, Mark]]:
    """Each token with what only the server knows of it."""
    for token in model.generate():
        # Not UNKNOWN: a model may quote a marker in ordinary tokens.
        yield token.text, Mark.CONTROL if token.special else Mark.TEXT


def chunks(model: Model, **options: Any) -> Iterator[Dict[str, Any]]:
    return toolwire.stream_chunks(
        pieces(model), WIRE.format, tools=model.tools or None,
        start_reasoning=WIRE.start_reasoning,
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
    if len(sys.argv) > 3 or len(sys.argv) > 1 and not sys.argv[1].isdigit():
        sys.exit('use: server.py [PORT [MODEL-FOLDER]]')
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
    if len(sys.argv) > 2:
        WIRE.take(sys.argv[2])
    with ThreadingHTTPServer(('127.0.0.1', port), Handler) as server:
        print('listening on port %d' % server.server_address[1], flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == '__main__':
    main()
