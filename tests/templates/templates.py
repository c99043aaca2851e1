#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What chat templates write is what descriptions say.

Use: templates.py TOOLWIRE                       the texts that are kept
     templates.py TOOLWIRE --render [--write]    the templates themselves

templates.json says which template belongs to which format.  The templates are
other people's, and are looked for in $TOOLWIRE_DATA/templates.  Each is rendered
with jinja2, set up as transformers does it: two turns of a conversation of ours,
with calls and without, as the model was prompted and as it is remembered.  What
stands between the two is what the model wrote.  Of that,

- the prompt ends in a turn of the format's, which `--prompt-tail` knows;
- the message that was rendered is read, and nothing in it is a deviation;
- toolwire writes the same for the message, behind a `turn` of the description.

The texts are kept in ../conformance/rendered.jsonl, so that the same is known
where there are neither templates nor jinja2; --write makes that file anew.
"""
import copy
import datetime
import json
import os
import subprocess
import sys
import tempfile

HOME = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HOME, 'templates.json')
KEPT = os.path.join(HOME, '..', 'conformance', 'rendered.jsonl')
TAIL = 160  # of a prompt, in characters; what is kept of it

TOOLS = [
    {'type': 'function', 'function': {
        'name': 'tide', 'description': 'The tide.', 'parameters': {
            'type': 'object', 'required': ['at'], 'properties': {
                'at': {'type': 'string', 'description': 'where'},
                'days': {'type': 'integer', 'description': 'how many'},
                'metric': {'type': 'boolean', 'description': 'or feet'},
                'more': {'type': 'object', 'description': 'more'}}}}},
    {'type': 'function', 'function': {
        'name': 'now', 'description': 'The time.', 'parameters': {
            'type': 'object', 'properties': {}}}}]
USER = {'role': 'user', 'content': 'Tide?'}


def call(number, name, arguments):
    return {'id': 'abcDEF00%d' % number, 'type': 'function', 'function': {
        'name': name, 'arguments': json.dumps(arguments)}}


def result(number, text):
    return {'role': 'tool', 'tool_call_id': 'abcDEF00%d' % number,
            'content': text}


MORE = {'a': [1, None, "it's"], 'b': 'x'}
TIDE = call(1, 'tide', {'at': 'Brest', 'days': 2, 'metric': True,
                        'more': MORE})
CALLS = {'role': 'assistant', 'content': 'Let me look.',
         'reasoning_content': 'Brest, then.', 'tool_calls': [TIDE]}
ANSWERS = {
    'calls': ([USER], CALLS),
    'call alone': ([USER], {'role': 'assistant', 'content': '',
                            'tool_calls': [TIDE]}),
    'two calls': ([USER], {'role': 'assistant', 'content': '',
                           'reasoning_content': 'Both.',
                           'tool_calls': [TIDE, call(2, 'now', {})]}),
    'answer': ([USER, CALLS, result(1, '4 m')],
               {'role': 'assistant', 'content': '4 m.',
                'reasoning_content': 'High.'}),
    'plain': ([USER, CALLS, result(1, '4 m')],
              {'role': 'assistant', 'content': '4 m.'})}

failed = []


def bad(title, why, *what):
    failed.append(title)
    print('%s: %s' % (title, why))
    for one in what:
        print('    %s' % (one if isinstance(one, str) else
                          json.dumps(one, ensure_ascii=False)))


# ---- rendering ---------------------------------------------------------------

def environment():
    """As transformers' documentation has it."""
    import jinja2
    import jinja2.ext
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(jinja2.ext.Extension):
        tags = {'generation'}

        def parse(self, parser):
            line = next(parser.stream).lineno
            body = parser.parse_statements(['name:endgeneration'],
                                           drop_needle=True)
            return jinja2.nodes.CallBlock(self.call_method('same'), [], [],
                                          body).set_lineno(line)

        def same(self, caller):
            return caller()

    made = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True,
        extensions=[Generation, jinja2.ext.loopcontrols])
    made.filters['tojson'] = lambda value, ensure_ascii=False, **how: \
        json.dumps(value, ensure_ascii=ensure_ascii, **how)
    made.globals['strftime_now'] = datetime.datetime(2026, 11, 25).strftime

    def refuse(message):
        raise jinja2.exceptions.TemplateError(message)
    made.globals['raise_exception'] = refuse
    return made


def rendered(template, row, messages, generation, settings):
    messages = copy.deepcopy(messages)
    for message in messages:
        for one in message.get('tool_calls') or ():
            if row.get('arguments') != 'string':
                one['function']['arguments'] = json.loads(
                    one['function']['arguments'])
    return template.render(
        messages=messages, tools=TOOLS, add_generation_prompt=generation,
        bos_token=row.get('bos', ''), eos_token=row.get('eos', ''),
        **settings)


def with_more(messages, row):
    """The messages, with what a row has in the place of `more`: a template that
    says nested values without their types has no way to say ours."""
    if 'more' not in row:
        return messages
    return json.loads(json.dumps(messages).replace(
        json.dumps(json.dumps(MORE))[1:-1],
        json.dumps(json.dumps(row['more']))[1:-1]))


def turns(template, row):
    """(what it is, prompt, what the model wrote, message): each answer that a
    template keeps behind the prompt that it makes."""
    for name, (before, answer) in ANSWERS.items():
        if name in row.get('leave', ()):
            continue
        before, answer = with_more(before, row), with_more([answer], row)[0]
        for settings in row.get('settings', [{}]):
            try:
                prompt = rendered(template, row, before, True, settings)
                whole = rendered(template, row, before + [answer], False,
                                 settings)
            except Exception as error:  # the template's own
                bad('%s, %s' % (row['template'], name),
                    'cannot be rendered: %s' % error)
                break
            if row.get('appends'):  # the next prompt's head, always
                whole = whole[:whole.rindex(row['appends'])]
            if whole.startswith(prompt):
                yield name, prompt, whole[len(prompt):], answer
                break


def cases_of(row, folder, made):
    path = os.path.join(folder, row['template'] + '.jinja')
    with open(path, encoding='utf-8') as file:
        template = made.from_string(file.read())
    cases = []
    for name, prompt, text, message in turns(template, row):
        begin = max(prompt.rfind('Tide?'), prompt.rfind('4 m'), 0)
        expected = {'content': message['content'] or None,
                    'reasoning': message.get('reasoning_content'),
                    'calls': [one for one in message.get('tool_calls') or ()
                              if one['function']['name'] in text]}
        tail = prompt[begin:][-TAIL:]
        for key in 'content', 'reasoning':  # which the template leaves out
            if expected[key] is not None and expected[key] not in text:
                expected[key] = None
        case = {'id': '%s, %s' % (row['template'], name),
                'format': row['format'], 'prompt': tail, 'text': text,
                'expect': expected}
        case.update({'differs': row['differs'][name]}
                    if name in row.get('differs', {}) else {})
        cases.append(case)
    if not cases:
        bad(row['template'], 'writes nothing behind its prompt')
    return cases


# ---- reading and writing -----------------------------------------------------

def run(arguments, text):
    done = subprocess.run(arguments, input=text.encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout.decode(), done.stderr.decode()


def pairs(calls):
    return [[one['function']['name'],
             json.loads(one['function']['arguments'])] for one in calls]


def check_read(toolwire, case, tools):
    out, said = run([toolwire, 'decode', '-f', case['format'], '--tools',
                     tools, '--prompt-tail', case['prompt']], case['text'])
    got = json.loads(out or '{}')
    wanted = case['expect']
    same = (got.get('content') == wanted['content'] and
            got.get('reasoning_content') == wanted['reasoning'] and
            pairs(got.get('tool_calls') or []) == pairs(wanted['calls']))
    if not same or said:
        bad(case['id'], 'is not read back', case['prompt'][-60:],
            case['text'], said.strip(), got)


def stands_behind(head, text, turn):
    """Does the text stand behind the turn?  It may begin with what the turn
    ends with, an opener of reasoning."""
    return any(head.endswith(turn[:len(turn) - n])
               for n in range(len(turn))
               if n == 0 or (turn[-n:].strip() and
                             text.startswith(turn[-n:])))


def check_written(toolwire, case, heads):
    wanted = case['expect']
    message = {'role': 'assistant', 'content': wanted['content']}
    if wanted['reasoning'] is not None:
        message['reasoning_content'] = wanted['reasoning']
    if wanted['calls']:
        message['tool_calls'] = wanted['calls']
    request = json.dumps({'messages': [USER, message], 'tools': TOOLS})
    out, said = run([toolwire, 'convert', '-f', 'openai', '-t',
                     case['format'], '--unit', 'completion', '--loss',
                     'ignore'], request + '\n')
    text = json.loads(out or '{"text": ""}')['text']
    whole = case['prompt'] + case['text']
    head = whole[:-len(text)] if text and whole.endswith(text) else None
    same = head is not None and any(stands_behind(head, text, one)
                                    for one in heads)
    if same == ('differs' in case):
        bad(case['id'], 'is not written alike' if not same else
            'is written alike: nothing differs', whole, text, said.strip())


def heads_of(toolwire, form):
    out, _ = run([toolwire, 'formats', form, '--json'], '')
    turn = json.loads(out).get('turn', '')
    return turn if isinstance(turn, list) else [turn]


def check(toolwire, cases):
    heads = {}
    with tempfile.NamedTemporaryFile('w', suffix='.json') as tools:
        json.dump(TOOLS, tools)
        tools.flush()
        for case in cases:
            form = case['format']
            if form not in heads:
                heads[form] = heads_of(toolwire, form)
            check_read(toolwire, case, tools.name)
            check_written(toolwire, case, heads[form])


def kept():
    with open(KEPT, encoding='utf-8') as file:
        return [json.loads(line) for line in file]


def render_all():
    folder = os.path.join(os.environ.get('TOOLWIRE_DATA', ''), 'templates')
    if 'TOOLWIRE_DATA' not in os.environ or not os.path.isdir(folder):
        print('templates: SKIPPED: TOOLWIRE_DATA has no templates')
        sys.exit(0)
    with open(TABLE, encoding='utf-8') as file:
        table = json.load(file)
    made = environment()
    cases = []
    for row in table['rows']:
        cases += cases_of(row, folder, made)
    there = {name[:-len('.jinja')] for name in os.listdir(folder)}
    listed = {row['template'] for row in table['rows']} | set(table['left'])
    for name in sorted(there ^ listed):
        bad(name, 'is no row of templates.json' if name in there else
            'is not there')
    return cases


def main():
    toolwire = os.path.abspath(sys.argv[1])
    cases = render_all() if '--render' in sys.argv else kept()
    check(toolwire, cases)
    if '--write' in sys.argv:
        with open(KEPT, 'w', encoding='utf-8') as file:
            for case in cases:
                file.write(json.dumps(case, ensure_ascii=False) + '\n')
    elif '--render' in sys.argv and cases != kept():
        bad('rendered.jsonl', 'is not what is rendered: make it anew, by '
            '--write')
    print('%d texts of %d templates, %d of them bad' % (
        len(cases), len({one['id'].split(', ')[0] for one in cases}),
        len(failed)))
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
