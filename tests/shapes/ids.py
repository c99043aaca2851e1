# SPDX-License-Identifier: MIT
"""Ids of calls under --ids: each result goes to the call that it answers.

Random records have calls without ids, calls of one message with one id, ids
that come back in later messages, results without ids, several for one call,
and results that answer none. Each result says in its text which call it
answers, by the rules of docs/records.md, which are written down here a second
time. Use: ids.py PATH-OF-TOOLWIRE [RECORDS] [SEED]
"""
import json
import random
import re
import subprocess
import sys

T = sys.argv[1]
RECORDS = int(sys.argv[2]) if len(sys.argv) > 2 else 150
R = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
IDS = ['call_0', 'call_1', 'call_2', 'functions.f:0', 'functions.f:1',
       'functions.g:0', 'call_3', 'abcdef123', '000000002', '0000002bP',
       'toolu_01-x', 'a b', 'ä', 'x' * 70, '', None, None]
NO_CALL = '-'


# ---- records ---------------------------------------------------------------

def make_call(number, few):
    own = R.choice(IDS[:3] + [None] if few else IDS)
    call = {'type': 'function', 'function': {
        'name': R.choice('fg'), 'arguments': json.dumps({'n': number})}}
    if own is not None or R.random() < 0.3:
        call['id'] = own
    return {'n': number, 'id': own or None, 'made': call, 'answers': 0,
            'named': 0, 'name': call['function']['name']}


def make_result(turn, calls):
    result = {'role': 'tool'}
    own = R.choice([R.choice(turn)['id']] * 4 + [R.choice(calls)['id'], None,
                                                 R.choice(IDS)])
    if own is not None or R.random() < 0.3:
        result['tool_call_id'] = own
    if R.random() < 0.3:
        result['name'] = R.choice('fg')
    return result


def by_id(calls, own):
    """The last call with this id; of several in its message the next one."""
    same = [call for call in calls if call['id'] == own]
    same = [call for call in same if call['turn'] == same[-1]['turn']]
    return next((call for call in same if not call['named']),
                same[-1] if same else None)


def next_open(turn, name):
    left = [call for call in turn if not call['answers']]
    return next((call for call in left if call['name'] == name),
                left[0] if left else None)


def say_answers(results, turn, calls):
    """Calls that a result names are not open to those that name none."""
    answered = {}
    for own in (True, False):
        for i, result in enumerate(results):
            if bool(result.get('tool_call_id')) == own:
                call = by_id(calls, result['tool_call_id']) if own else \
                    next_open(turn, result.get('name'))
                answered[i] = call
                if call is not None:
                    call['answers'] += 1
                    call['named'] += own
    for i, result in enumerate(results):
        result['content'] = NO_CALL if answered[i] is None else str(
            answered[i]['n'])


def make_record():
    calls, messages = [], [{'role': 'user', 'content': 'q'}]
    run = []  # calls without ids, a message each, that follow each other
    for number in range(R.randint(1, 4)):
        few = R.random() < 0.5
        turn = [make_call(len(calls) + i, few)
                for i in range(R.randint(1, 3))]
        for call in turn:
            call['turn'] = number
        calls += turn
        run = run if messages[-1]['role'] == 'assistant' else []
        run = run + turn if len(turn) == 1 and not turn[0]['id'] else []
        messages.append({'role': 'assistant', 'content': None,
                         'tool_calls': [call['made'] for call in turn]})
        results = [make_result(turn, calls)
                   for _ in range(R.randint(0, len(turn) + 1))]
        one_turn = len(run) == len(results) and not any(
            result.get('tool_call_id') for result in results)
        say_answers(results, run if run and one_turn else turn, calls)
        messages += results
        if R.random() < 0.3:
            messages.append({'role': 'user', 'content': 'and'})
    return {'messages': messages}


# ---- what is written: ('call', n, id) and ('result', text, id) --------------

def of_openai(record):
    for message in record['messages']:
        for call in message.get('tool_calls') or []:
            arguments = call['function']['arguments']
            yield ('call', (json.loads(arguments) if isinstance(
                arguments, str) else arguments)['n'], call['id'])
        if message['role'] == 'tool':
            yield 'result', message['content'], message.get('tool_call_id')


def of_anthropic(record):
    for message in record['messages']:
        for block in message['content']:
            if isinstance(block, dict) and block['type'] == 'tool_use':
                yield 'call', block['input']['n'], block['id']
            elif isinstance(block, dict) and block['type'] == 'tool_result':
                yield 'result', block['content'], block.get('tool_use_id')


def of_responses(record):
    for item in record['input']:
        if item['type'] == 'function_call':
            yield 'call', json.loads(item['arguments'])['n'], item['call_id']
        elif item['type'] == 'function_call_output':
            yield 'result', item['output'], item.get('call_id')


def of_gemini(record):
    """Either all calls have ids, or none."""
    for content in record['contents']:
        for part in content['parts']:
            if 'functionCall' in part:
                call = part['functionCall']
                yield 'call', call['args']['n'], call.get('id')
            elif 'functionResponse' in part:
                result = part['functionResponse']
                yield 'result', result['response']['result'], result.get('id')


def of_atif(record):
    for step in record['steps']:
        for call in step.get('tool_calls', []):
            yield 'call', call['arguments']['n'], call['tool_call_id']
        for result in step.get('observation', {}).get('results', []):
            yield 'result', result['content'], result.get('source_call_id')


def of_text(call, result):
    pattern = re.compile(call + '|' + result)

    def read(record):
        for at in pattern.finditer(record['text']):
            if at['n']:
                yield 'call', int(at['n']), at['id']
            else:
                yield 'result', at['text'], at['of']
    return read


# Each target with what reads it, and the ids that it holds.
PLAIN, NINE = '[a-zA-Z0-9_-]{1,64}', '[a-zA-Z0-9]{9}'
TARGETS = {
    'openai': (of_openai, '.+'), 'huggingface': (of_openai, '.+'),
    'openai/finetune': (of_openai, '.+'), 'responses': (of_responses, '.+'),
    'gemini': (of_gemini, '.+'), 'atif': (of_atif, '.+'),
    'anthropic': (of_anthropic, PLAIN),
    'mistral/v7': (of_text(
        r'"arguments": \{"n": (?P<n>\d+)\}, "id": "(?P<id>[^"]*)"',
        r'\[TOOL_RESULTS\](?P<of>.*?)\[TOOL_CONTENT\](?P<text>.*?)\['), NINE),
    'kimi-k2/thinking': (of_text(
        r'<\|tool_call_begin\|>(?P<id>[^<]*)<\|tool_call_argument_begin\|>'
        r'\{"n": (?P<n>\d+)\}',
        r'## Return of (?P<of>.*)\n(?P<text>.*?)<'),
        r'functions\.[fg]:\d+'),
}
# What these refuse, and why: results that answer no call and have no id;
# without --ids map ids that are not held.
MAY_REFUSE = {'openai/finetune': 'a result needs a `tool_call_id`',
              'mistral/v7': 'an id has nine letters and digits',
              'anthropic': "the target's ids are letters, digits, _ and -"}
KEEPS_ALL = {'anthropic'}  # that refuses nothing if ids are mapped


# ---- verdicts ---------------------------------------------------------------

def fault_of(given, seen, held, own_ids):
    calls = [(n, own) for what, n, own in seen if what == 'call']
    results = sorted(text for what, text, _ in seen if what == 'result')
    if [n for n, _ in calls] != list(range(len(calls))) or len(calls) != sum(
            len(each.get('tool_calls', [])) for each in given):
        return 'calls'
    if results != sorted(each['content'] for each in given
                         if each['role'] == 'tool'):
        return 'results'
    ids = [own for _, own in calls]
    if not any(ids):
        return None
    if own_ids and len(set(ids)) != len(ids):
        return 'an id repeats'
    if not all(own and (not own_ids or re.fullmatch(held, own))
               for own in ids):
        return 'an id is not held'
    if own_ids and held in (PLAIN, NINE) and not all(
            re.fullmatch(held, own) for what, _, own in seen
            if what == 'result' and own):
        return 'an id of a result is not held'
    before = {}
    for what, name, own in seen:
        if what == 'call':
            before[own] = str(name)
        elif before.get(own, NO_CALL) != name:
            return 'result %s is one of %s' % (name, before.get(own))
    return None


def run(target, policy, text):
    done = subprocess.run(
        [T, 'convert', '-f', 'openai', '-t', target, '--ids', policy,
         '--loss', 'ignore'], input=text, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    records = [make_record() for _ in range(RECORDS)]
    text = ''.join(json.dumps(record) + '\n' for record in records)
    passed = failed = 0
    for target, (read, held) in TARGETS.items():
        for policy in ('keep', 'map', 'make'):
            if policy == 'keep' and target.startswith('kimi'):
                continue  # its template writes ids as they are, none too
            good = 0
            for record, made in zip(records, run(target, policy, text),
                                    strict=True):
                error = made.get('error')
                fault = error and error['message']
                if error is None:
                    fault = fault_of(record['messages'], list(read(made)),
                                     held, policy != 'keep')
                    good += 1
                elif fault.startswith(MAY_REFUSE.get(target, '?')) and (
                        policy == 'keep' or target not in KEEPS_ALL):
                    fault = None
                failed += fault is not None
                if fault is not None and failed < 5:
                    print('FAILED: %s, --ids %s: %s\n%s\n%s' % (
                        target, policy, fault, json.dumps(record),
                        json.dumps(made)))
            passed += good
            if good == 0 and (policy, target) != ('keep', 'mistral/v7'):
                failed += 1
                print('FAILED: %s, --ids %s: nothing' % (target, policy))
    print('%d passed, %d failed' % (passed, failed))
    sys.exit(failed > 0)


main()
