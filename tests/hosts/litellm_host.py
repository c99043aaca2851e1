# SPDX-License-Identifier: MIT
"""LiteLLM as a proxy in front of examples/server.py: what a client of the proxy
gets, streamed and not, is the message that `toolwire decode` makes of what the
model wrote.

Use: litellm_host.py HOME, by run.py.
"""
import contextlib
import http.client
import importlib.metadata
import json
import os
import secrets
import socket
import subprocess
import sys
import time

from chat import essence, join
from tally import Tally

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..',
                        'src', 'bindings', 'python', 'examples')
sys.path.insert(0, EXAMPLES)
import server as example  # noqa: E402

KEY = 'sk-' + secrets.token_hex(24)  # LiteLLM starts with none but a strong one
PATIENCE = 120  # seconds until the proxy listens
TOOLS = [{'type': 'function', 'function': {
    'name': 'look_up', 'parameters': {'type': 'object', 'properties': {
        'question': {'type': 'string'}}}}}]
WORDS = ('Tide at Brest?', '', 'a "quoted" \\ word\n\tand a tab',
         'caf\u00e9 \u6f6e\u6c50 \U0001f30a \u2028 e\u0301', '{"not": [1, 2.50]}',
         '1e400 and 12345678901234567890', 'data: [DONE]\n\ndata: {}',
         ' '.join(str(i * i) for i in range(500)))  # LiteLLM ends loops


def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def running(command, port, log, **options):
    """The program while it listens."""
    with open(log, 'wb') as file:
        process = subprocess.Popen(command, stdout=file, stderr=file,
                                   **options)
    try:
        for _ in range(PATIENCE * 4):
            with socket.socket() as one:
                if one.connect_ex(('127.0.0.1', port)) == 0:
                    break
            if process.poll() is not None:
                raise SystemExit('%s ended; see %s' % (command[0], log))
            time.sleep(.25)
        yield
    finally:
        process.terminate()
        process.wait()


def post(port, request):
    """The answer's bytes."""
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
    connection.request('POST', '/v1/chat/completions', json.dumps(request),
                       {'Content-Type': 'application/json',
                        'Authorization': 'Bearer ' + KEY})
    response = connection.getresponse()
    data = response.read()
    connection.close()
    if response.status != 200:
        raise ValueError('status %d: %s' % (response.status, data[:300]))
    return data


def right_message(request):
    """By the command, of what the example's model writes."""
    text = ''.join(token.text for token in example.Model(request).answer())
    done = subprocess.run(
        [os.environ['HOSTS_TOOLWIRE'], 'decode', '-f', example.FORMAT],
        input=text.encode(), stdout=subprocess.PIPE,
        check=True)
    return json.loads(done.stdout)


def requests():
    for words in WORDS:
        user = {'role': 'user', 'content': words}
        yield {'model': 'made-up', 'messages': [user], 'tools': TOOLS}
        yield {'model': 'made-up', 'messages': [user]}
        yield {'model': 'made-up', 'tools': TOOLS, 'messages': [
            user, {'role': 'assistant', 'content': None, 'tool_calls': [
                {'id': 'call_0', 'type': 'function', 'function': {
                    'name': 'look_up', 'arguments': '{"question":1.50}'}}]},
            {'role': 'tool', 'tool_call_id': 'call_0', 'content': words}]}


def compare(tally, port):
    for number, request in enumerate(requests()):
        wanted = right_message(request)
        end = 'tool_calls' if wanted.get('tool_calls') else 'stop'
        name = 'request %d' % number
        whole = json.loads(post(port, request))['choices'][0]
        tally.same(name + ' whole', [essence(whole['message']),
                                     whole['finish_reason']],
                   [essence(wanted), end])
        got, finish = join(post(port, dict(request,
                                            stream=True)).decode())
        tally.same(name + ' streamed', [essence(got), finish],
                   [essence(wanted), end])


def main():
    home = sys.argv[1]
    model_port, port = free_port(), free_port()
    config = os.path.join(home, 'config.json')  # which is YAML, too
    with open(config, 'w', encoding='utf-8') as file:
        json.dump({'model_list': [{'model_name': 'made-up', 'litellm_params': {
            'model': 'openai/made-up', 'api_key': 'none',
            'api_base': 'http://127.0.0.1:%d/v1' % model_port}}],
            'general_settings': {'master_key': KEY},
            'litellm_settings': {'telemetry': False}}, file)
    proxy = os.path.join(os.path.dirname(sys.executable), 'litellm')
    tally = Tally('litellm')
    environment = dict(os.environ, LITELLM_LOCAL_MODEL_COST_MAP='True')
    with running([sys.executable, os.path.join(EXAMPLES, 'server.py'),
                  str(model_port)], model_port,
                 os.path.join(home, 'server.log')), \
            running([proxy, '--config', config, '--host', '127.0.0.1',
                     '--port', str(port)], port,
                    os.path.join(home, 'proxy.log'), env=environment):
        compare(tally, port)
    tally.end(versions='litellm ' + importlib.metadata.version('litellm'))


if __name__ == '__main__':
    main()
