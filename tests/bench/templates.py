#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long a prompt takes by toolwire and by three other engines.

Use: templates.py LIBTOOLWIRE.SO [NODE_MODULES [TEMPLATE...]]

Ten templates that are in use, found in $TOOLWIRE_DATA/templates, write
conversations of 1, 20 and 200 turns.  A turn is a question, a call, its result
and an answer.  Of each the best of several runs counts, in milliseconds of the
processor.  toolwire reads the request as JSON, finds forged markers and losses;
the others get values.  jinja2 and minijinja come from Python's packages,
@huggingface/jinja from NODE_MODULES (without it that column is empty).
"""
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time

NAMES = ['lc-Qwen-Qwen2.5-7B-Instruct', 'trl-qwen3', 'lc-Qwen3-Coder',
         'lc-GLM-4.7-Flash', 'lc-MiniMax-M2', 'lc-deepseek-ai-DeepSeek-V3.1',
         'lc-meta-llama-Llama-3.1-8B-Instruct',
         'lc-ibm-granite-granite-4.0', 'lc-openai-gpt-oss-120b',
         'lc-google-gemma-4-31B-it']
TURNS = [1, 20, 200]
LEAST, MOST = 3, 200
BUDGET = 1.0  # seconds for one figure
WORDS = 'The tide at Brest is high at noon, and the harbour opens then. ' * 4


def request(turns, text_arguments):
    tools = [{'type': 'function', 'function': {
        'name': name, 'description': 'Finds the %s of a harbour.' % name,
        'parameters': {'type': 'object', 'required': ['at'], 'properties': {
            'at': {'type': 'string', 'description': 'The harbour.'},
            'days': {'type': 'integer', 'description': 'How many days.'}}}}}
        for name in ('tide', 'wind', 'depth', 'berth', 'pilot')]
    messages = [{'role': 'system', 'content': 'Be brief.'}]
    for turn in range(turns):
        arguments = {'at': 'Brest %d' % turn, 'days': turn}
        messages += [
            {'role': 'user', 'content': 'Question %d. %s' % (turn, WORDS)},
            {'role': 'assistant', 'content': '', 'tool_calls': [{
                'id': 'abcd%05d' % turn, 'type': 'function', 'function': {
                    'name': 'tide', 'arguments':
                        json.dumps(arguments) if text_arguments
                        else arguments}}]},
            {'role': 'tool', 'name': 'tide', 'tool_call_id':
                'abcd%05d' % turn, 'content': WORDS},
            {'role': 'assistant', 'content': WORDS}]
    return {'messages': messages[:-1], 'tools': tools,
            'add_generation_prompt': True, 'bos_token': '<s>',
            'eos_token': '</s>'}


def best(run):
    """The least of several runs, in milliseconds."""
    times = []
    begin = time.perf_counter()
    while len(times) < LEAST or (len(times) < MOST and
                                 time.perf_counter() - begin < BUDGET):
        start = time.process_time_ns()
        run()
        times.append(time.process_time_ns() - start)
    return min(times) / 1e6


def refuse(message):
    raise ValueError(message)


def by_jinja2(text, value):
    import jinja2.ext
    import jinja2.sandbox
    made = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True,
        extensions=[jinja2.ext.loopcontrols])
    made.filters['tojson'] = lambda x, ensure_ascii=False, indent=None, \
        separators=None, sort_keys=False: json.dumps(
            x, ensure_ascii=ensure_ascii, indent=indent,
            separators=separators, sort_keys=sort_keys)
    made.globals['raise_exception'] = refuse
    made.globals['strftime_now'] = lambda form: '2026-11-25'
    template = made.from_string(text)
    template.render(**value)
    return best(lambda: template.render(**value))


def by_minijinja(text, value):
    import minijinja
    # Its tojson never escapes what is not ASCII, and has no option for that.
    text = text.replace('tojson(ensure_ascii=False)', 'tojson')
    made = minijinja.Environment(templates={'chat': text}, pycompat=True)
    made.trim_blocks = made.lstrip_blocks = True
    made.add_function('raise_exception', refuse)
    made.add_function('strftime_now', lambda form: '2026-11-25')
    made.render_template('chat', **value)
    return best(lambda: made.render_template('chat', **value))


JAVASCRIPT = '''
const { Template } = require("@huggingface/jinja");
const fs = require("fs");
const [text, value] = JSON.parse(fs.readFileSync(process.argv[2]));
const template = new Template(text);
let least = Infinity, count = 0, rounds = 1;
const begin = performance.now();
while (count < %d || (count < %d && performance.now() - begin < %d)) {
    const start = process.cpuUsage();
    for (let i = 0; i < rounds; i++) { template.render(value); }
    const used = process.cpuUsage(start);
    least = Math.min(least, (used.user + used.system) / 1000 / rounds);
    count++;
    rounds = least < 10 ? 5 : 1; // the compiler has seen it by then
}
console.log(least);
''' % (LEAST, MOST, BUDGET * 1000)


def by_javascript(modules, text, value):
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, 'run.js')
        given = os.path.join(folder, 'given.json')
        with open(script, 'w', encoding='utf-8') as file:
            file.write(JAVASCRIPT)
        with open(given, 'w', encoding='utf-8') as file:
            json.dump([text, value], file)
        made = subprocess.run(['node', script, given], capture_output=True,
                              env=dict(os.environ, NODE_PATH=modules))
        return float(made.stdout)


class Source(ctypes.Structure):
    _fields_ = [('text', ctypes.c_char_p), ('size', ctypes.c_size_t),
                ('config', ctypes.c_char_p), ('config_size', ctypes.c_size_t),
                ('name', ctypes.c_char_p)]


def by_toolwire(library, text, value):
    tokens = json.dumps({key: value[key] for key in ('bos_token',
                                                     'eos_token')}).encode()
    text = text.encode()
    given = json.dumps({key: value[key] for key in (
        'messages', 'tools', 'add_generation_prompt')}).encode()
    source = Source(text, len(text), tokens, len(tokens), None)
    template = ctypes.c_void_p()
    if library.tw_template_load(ctypes.byref(source), None,
                                ctypes.byref(template), None) != 0:
        raise ValueError('not loaded')
    library.tw_encoder_new_template.restype = ctypes.c_void_p
    encoder = ctypes.c_void_p(
        library.tw_encoder_new_template(template, None, None))
    out, size = ctypes.c_char_p(), ctypes.c_size_t()
    rounds = 5

    def run():
        for _ in range(rounds):
            result = library.tw_encode(
                encoder, given, ctypes.c_size_t(len(given)),
                ctypes.byref(out), ctypes.byref(size))
            if result != 0:
                raise ValueError(result)
    run()
    found = best(run) / rounds
    library.tw_encoder_free(encoder)
    library.tw_template_free(template)
    return found


def row(engines, text, turns):
    """What each engine takes; None: it refuses."""
    found = []
    for engine in engines:
        figure = None
        for text_arguments in (False, True):
            try:
                figure = engine(text, request(turns, text_arguments))
                break
            except Exception:  # whatever an engine has to say
                continue
        found.append(figure)
    return found


def main(arguments):
    folder = os.path.join(os.environ['TOOLWIRE_DATA'], 'templates')
    library = ctypes.CDLL(arguments[0])
    modules = arguments[1] if len(arguments) > 1 else None
    engines = [lambda *one: by_toolwire(library, *one), by_jinja2,
               by_minijinja]
    if modules is not None:
        engines.append(lambda *one: by_javascript(modules, *one))
    print('| template | turns | toolwire | jinja2 | minijinja | '
          '@huggingface/jinja |\n|---|---|---|---|---|---|')
    for name in arguments[2:] or NAMES:
        with open(os.path.join(folder, name + '.jinja'),
                  encoding='utf-8', newline='') as file:
            text = file.read()
        for turns in TURNS:
            cells = ['%.3f' % one if one is not None else '-'
                     for one in row(engines, text, turns)]
            cells += [''] * (4 - len(cells))
            print('| `%s` | %d | %s |' % (name, turns, ' | '.join(cells)),
                  flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
