# SPDX-License-Identifier: MIT
"""What clients are asked with: streams of the command, served on this machine
alone, and what must be read of them, the message of `toolwire decode`.

A client is a function of (url, names): it asks for a stream with tools of
these names, and gives {"content", "reasoning", "calls": [{"id", "name",
"arguments" or "value", "runs"}]}, without what it does not show.  "arguments" are
JSON text, "value" what the client made of it; "runs" says whether a program
that uses the client as its documents say would run the call.  A client that
runs calls by itself gives those that it ran, and {"ran": True}.
"""
import functools
import glob
import http.server
import json
import os
import subprocess
import tempfile
import threading
import warnings

from tally import Tally

TOOLWIRE = os.environ['HOSTS_TOOLWIRE']
CASES = os.environ['HOSTS_CASES']
SCHEMA = {'type': 'object', 'properties': {}, 'additionalProperties': True}
DELTA = '5'  # bytes
CUT = 3  # texts of a format that are cut off in several places
AGENTS = 'agent', 'runner', 'eager', 'ToolRunner'  # how their names end
MODEL = 'made-up'
TIMEOUT = 60  # seconds

# Nobody outside is asked or told.
for name in list(os.environ):
    if name.startswith(('OPENAI_', 'ANTHROPIC_', 'LANGSMITH_', 'LANGCHAIN_')):
        del os.environ[name]
os.environ.update(NO_PROXY='127.0.0.1', LANGSMITH_TRACING='false',
                  LANGCHAIN_TRACING_V2='false', OPENAI_API_KEY='none',
                  ANTHROPIC_API_KEY='none', LITELLM_LOCAL_MODEL_COST_MAP='True')
warnings.simplefilter('ignore')


# ---- the server --------------------------------------------------------------

class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with the server's stream, or with the whole for who asks for no
    stream, and a request that holds a tool's result with the second turn of a
    tool loop."""
    protocol_version = 'HTTP/1.1'
    wbufsize = 1 << 16  # head and body go out as one

    def do_POST(self):
        size = int(self.headers.get('Content-Length') or 0)
        request = json.loads(self.rfile.read(size))
        reply = (self.server.whole if not request.get('stream') else
                 self.server.again if answered(request) else
                 self.server.stream)
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream'
                         if request.get('stream') else 'application/json')
        self.send_header('Content-Length', str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format, *arguments):
        pass


def answered(request):
    """Does the request hold a tool's result?"""
    text = json.dumps(request.get('messages') or request.get('input') or '')
    return any(mark in text for mark in (
        '"role": "tool"', '"tool_result"', '"function_call_output"'))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    stream = whole = again = b''

    def __init__(self):
        super().__init__(('127.0.0.1', 0), Handler)
        self.url = 'http://127.0.0.1:%d/v1' % self.server_port
        threading.Thread(target=self.serve_forever, daemon=True).start()


# ---- the command -------------------------------------------------------------

def command(arguments, text):
    done = subprocess.run([TOOLWIRE] + arguments, input=text,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, timeout=TIMEOUT)
    if done.returncode not in (0, 1):
        raise SystemExit('toolwire %s ended with %d: %s' % (
            arguments, done.returncode, done.stderr.decode()[-300:]))
    return done.stdout


class Case:
    """A text of a model, and how it is read."""
    scratch = tempfile.TemporaryDirectory(prefix='toolwire-')
    of_family = False

    def __init__(self, row, text=None, more=()):
        self.name = row['id']
        self.text = text if text is not None else (
            bytes.fromhex(row['input_hex']) if 'input_hex' in row
            else row['input'].encode('utf-8', 'surrogatepass'))
        self.row = row
        self.options = ['-f', row['format'], '--custom', 'function', *more]
        options = row.get('options') or {}
        if options.get('start'):
            self.options += ['--start', options['start']]
        if options.get('recover_stripped'):
            self.options.append('--recover-stripped')
        if options.get('tools'):
            path = os.path.join(self.scratch.name, 'tools of %s.json' % row['id'])
            with open(path, 'w', encoding='utf-8') as file:
                json.dump(options['tools'], file)
            self.options += ['--tools', path]

    @functools.cache
    def message(self):
        return json.loads(command(['decode'] + self.options, self.text))

    @functools.cache
    def stream(self, api, delta, hold):
        return command(['stream'] + self.options + [
            '--api', api, '--sse', '--chunk', delta]
            + ['--hold-calls'] * hold, self.text)

    def cuts(self):
        """The text as a token limit cuts it off, in seven places."""
        size = len(self.text)
        for end in sorted({size * part // 8 for part in range(1, 8)}):
            yield Case(dict(self.row, id='%s cut at %d' % (self.name, end)),
                       self.text[:end], ['--finish', 'length'])


def wanted(message):
    return {'content': message.get('content') or '',
            'reasoning': message.get('reasoning_content') or '',
            'lost': bool(message.get('toolwire', {}).get('unparsed')),
            'calls': [{'id': call['id'], 'name': call['function']['name'],
                       'arguments': call['function']['arguments']}
                      for call in message.get('tool_calls') or ()]}


def read_cases():
    """All cases of the families, and those of every other format that have
    calls the first one of each."""
    for path in sorted(glob.glob(os.path.join(CASES, 'decode-*.jsonl'))):
        with open(path, encoding='utf-8') as file:
            for line in file:
                case = Case(json.loads(line))
                case.of_family = True
                yield case
    for path in sorted(glob.glob(os.path.join(CASES, 'formats', '*.jsonl'))):
        with open(path, encoding='utf-8') as file:
            rows = [json.loads(line) for line in file]
        rows = [row for row in rows if row.get('format') and 'input' in row
                and 'prompt' not in row and row['expect'].get('tool_calls')]
        for row in rows[:1]:
            yield Case(row)


# ---- comparing ---------------------------------------------------------------

def differences(want, got, cut):
    """What a client has that the message has not, or the other way around.  Of
    an output that was |cut| off no call must run."""
    found = []

    def same(what, a, b):
        if a != b:
            found.append('%s: want %s, got %s' % (
                what, json.dumps(a)[:200], json.dumps(b, default=str)[:200]))
    for key in ('content', 'reasoning'):
        if key in got:
            same(key, want[key], got[key])
    others = list(got['calls'])
    for call in want['calls']:
        other = next((one for one in others if is_same(call, one)), None)
        if other is None:
            if not (cut and 'ran' in got):
                found.append('call %s is lost' % call['id'])
            continue
        others.remove(other)
        same('name', call['name'], other['name'])
        if 'arguments' in other:
            same('arguments', call['arguments'], other['arguments'])
        if 'value' in other:
            same('value', json.loads(call['arguments']), other['value'])
        if not other['runs'] and not cut:
            found.append('call %s does not run' % call['id'])
    return found, [call for call in others if call['runs']]


def names_of(message):
    """Of calls, also of those that could not be read."""
    return {call['function']['name']
            for call in message.get('tool_calls') or ()} | {
        block['name'] for block in message.get('toolwire', {}).get(
            'unparsed', ()) if block.get('name')}


def is_json(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


def is_same(call, other):
    """By the id, or the arguments where a client has no id of it."""
    if 'id' in other:
        return call['id'] == other['id']
    return (call['name'] == other['name']
            and json.loads(call['arguments']) == other['value'])


# ---- a part ------------------------------------------------------------------

def ask(server, client, names):
    """Returns what the client has, and what went wrong."""
    try:
        return client(server.url, names), []
    except Exception as error:  # any of any client is a difference
        return None, ['%s: %s' % (type(error).__name__, str(error)[:300])]


def check_check(tally, server, clients):
    """Each client sees what is not as it was."""
    case = Case({'id': 'planted', 'format': 'hermes', 'input':
                 '<think>Where?</think>Hi.<tool_call>{"name":"tide",'
                 '"arguments":{"at":"Brest"}}</tool_call>'})
    want = wanted(case.message())
    for api, named in clients.items():
        good = case.stream(api, '1000', False)
        server.again = AGAIN.stream(api, DELTA, False)
        for name, client in named.items():
            for old, new in (b'', b''), (b'"Bre', b'"Tre'), \
                    (b'"tide"', b'"pay"'), (b'Hi.', b'Ho.'), \
                    (b'call_0', b'call_1'):
                assert old in good
                server.stream = good.replace(old or b' ', new or b' ')
                server.whole = whole(api, case, server.stream).replace(
                    old or b' ', new or b' ')
                got, found = ask(server, client, ['tide', 'pay'])
                if got:
                    found, others = differences(want, got, False)
                    found += others
                blind = name.endswith(AGENTS) and old in (b'Hi.', b'call_0')
                if bool(found) == bool(old) or blind:
                    tally.good()
                else:
                    tally.bad('%s, planted %s' % (name, old.decode()), found)


class Part:
    """All clients, and what came of them."""

    def __init__(self, part, clients):
        self.tally = Tally(part)
        self.clients = clients
        self.server = Server()
        self.wild = {}

    def try_case(self, case, names, cut):
        want = wanted(case.message())
        for api, named in self.clients.items():
            self.server.again = AGAIN.stream(api, DELTA, False)
            plain = case.stream(api, DELTA, False)
            held = case.stream(api, DELTA, True)
            for stream in dict.fromkeys((plain, held)):
                self.server.stream = stream
                self.server.whole = whole(api, case, stream)
                for name, client in named.items():
                    if len(names) > 1 or not name.endswith(AGENTS):
                        self.judge(case, name, stream == held, want,
                                   cut or want['lost'],
                                   *ask(self.server, client, names))

    def judge(self, case, name, hold, want, cut, got, found):
        others = []
        if got:
            found, others = differences(want, got, cut)
        if others and not hold and want['lost']:
            # The client's doing: what it was sent is a call that goes on.
            self.wild[name] = self.wild.get(name, 0) + 1
            self.tally.bad(name + ' runs calls that could not be read', others)
        elif others:
            found.append('runs, and is none: %s' % others)
        if found:
            self.tally.bad('%s, %s%s' % (name, case.name, ' held' * hold),
                           '; '.join(found))
        else:
            self.tally.good()


def whole(api, case, stream):
    """The answer to who asks for no stream."""
    if api == 'responses':
        return json.dumps(json.loads(
            stream.rsplit(b'data: ', 1)[1])['response']).encode()
    message = case.message()
    finish = 'tool_calls' if message.get('tool_calls') else 'stop'
    return json.dumps({
        'id': 'x', 'object': 'chat.completion', 'created': 0, 'model': MODEL,
        'choices': [{'index': 0, 'message': message,
                     'finish_reason': finish}]}).encode()


AGAIN = Case({'id': 'again', 'format': 'hermes', 'input': 'Done.'})


def main(name, clients, versions):
    part = Part(name, clients)
    check_check(part.tally, part.server, clients)
    cut = {}
    for case in read_cases():
        calls = wanted(case.message())['calls']
        names = sorted(names_of(case.message()) | {'unused'})
        part.try_case(case, names, False)
        family = case.row['format'].split('/')[0]
        if calls and case.of_family and len(cut.setdefault(family, [])) < CUT:
            cut[family].append(case.name)
            for part_of_it in case.cuts():
                part.try_case(part_of_it, names, True)
    for name, count in part.wild.items():
        print('without --hold-calls, %s runs calls that could not be read: %d cases'
              % (name, count))
    part.tally.end(versions=versions)
