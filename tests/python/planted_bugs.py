#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The small parser with one bug, of those that parsers in use have had.

Use: planted_bugs.py BUG, which is a function below, or --list: each with its
format and a verdict that the kit is to come to.
"""
import json
import re
import sys
import time

import small_parser as parser

honest = {name: getattr(parser, name)
          for name in ('gemma_string', 'gemma_bare', 'gemma_key', 'gemma_call',
                       'hermes_call', 'gemma', 'hermes', 'read', 'dumps',
                       'answer_to', 'message_of')}
BUGS = {}


def bug(form, verdict):
    def keep(function):
        BUGS[function.__name__] = (form, verdict, function)
        return function
    return keep


def patch(**functions):
    for name, function in functions.items():
        setattr(parser, name, function)


GEMMA, HERMES = 'gemma4', 'hermes'
QUOTE = parser.QUOTE

# ---- reported of others ------------------------------------------------------


@bug(GEMMA, 'wrong_arguments')
def bare_values_are_strings():
    def gemma_bare(text, at):
        value, end = honest['gemma_bare'](text, at)
        return text[at:end], end
    patch(gemma_bare=gemma_bare)


@bug(GEMMA, 'hang')
def no_progress():
    def gemma_key(text, at):
        while not re.compile(r'[\w.]+:').match(text, at):
            time.sleep(1)
        return honest['gemma_key'](text, at)
    patch(gemma_key=gemma_key)


@bug(GEMMA, 'split_variance')
def half_a_delimiter_streams():
    def read(question, text, chunks):
        content, thought, calls = honest['read'](question, text, chunks)
        before = b''
        for chunk in chunks[:-1]:
            before += chunk
            if before.endswith(b'<|"|') and calls:
                arguments = calls[-1]['arguments']
                for key, value in arguments.items():
                    if isinstance(value, str):
                        arguments[key] = value + '<|"|'
        return content, thought, calls
    patch(read=read)


@bug(GEMMA, 'wrong_arguments')
def quoted_keys_keep_their_delimiters():
    def gemma_key(text, at):
        if text.startswith(QUOTE, at):
            end = text.find(':', at)
            return text[at:end], end + 1
        return honest['gemma_key'](text, at)
    patch(gemma_key=gemma_key)


def raw_where(matches):
    def gemma_bare(text, at):
        end = re.compile(r'(<\|"\|>|[^,}\]])*').match(text, at).end()
        if matches(text[at:end]):
            return text[at:end], end
        return honest['gemma_bare'](text, at)
    patch(gemma_bare=gemma_bare)


@bug(GEMMA, 'wrong_arguments')
def json_quotes_stay():
    raw_where(lambda text: text.startswith('"'))


@bug(GEMMA, 'wrong_arguments')
def no_closing_delimiter():
    def gemma_string(text, at):
        call = text.find(parser.CLOSE, at)
        if QUOTE in text[at + len(QUOTE):call] or call < 0:
            return honest['gemma_string'](text, at)
        return text[at + len(QUOTE):call], call - 1
    patch(gemma_string=gemma_string)


@bug(GEMMA, 'wrong_arguments')
def no_opening_delimiter():
    raw_where(lambda text: QUOTE in text and not text.startswith(QUOTE))


# ---- found by the kit --------------------------------------------------------

@bug(GEMMA, 'forged_call')
def three_levels_of_braces():
    level = r'[^{}]'
    for _ in range(3):
        level = r'(?:[^{}]|\{%s*\})' % level
    call = re.compile(r'call:([\w.-]+)(\{%s*\})' % level)

    def read(question, text, chunks):
        content, thought, calls = honest['read'](question, text, chunks)
        found = []
        for match in call.finditer(text):
            try:
                found.append(honest['gemma_call'](
                    '<|tool_call>%s<tool_call|>' % match[0], 0)[0])
            except parser.Bad:
                pass
        return content, thought, found
    patch(read=read)


@bug(GEMMA, 'wrong_arguments')
def brace_in_a_string_ends_it():
    def gemma_string(text, at):
        value, end = honest['gemma_string'](text, at)
        return value.split('}')[0], end
    patch(gemma_string=gemma_string)


@bug(GEMMA, 'forged_call')
def half_a_name_is_a_call():
    def gemma_call(text, at):
        half = re.compile(r'<\|tool_call>call:(\w+)$').match(text, at)
        if half:
            return {'name': half[1], 'arguments': {}}, half.end()
        return honest['gemma_call'](text, at)
    patch(gemma_call=gemma_call)


@bug(GEMMA, 'split_variance')
def last_delta_loses_text():
    def read(question, text, chunks):
        content, thought, calls = honest['read'](question, text, chunks)
        close = parser.CLOSE.encode()
        for chunk in chunks[:-1]:
            behind = chunk.split(close)[-1]
            if close in chunk and behind:
                content = content.replace(behind.decode('utf-8', 'replace'),
                                          '')
        return content, thought, calls
    patch(read=read)


@bug(GEMMA, 'wrong_arguments')
def arrays_take_objects():
    def coerce(value, schema):
        types = schema.get('items', {}).get('type', [])
        if not isinstance(value, list) or 'array' not in types:
            return value
        made = []
        for item in value:
            try:
                read = json.loads(item) if type(item) is str else item
            except ValueError:
                read = item
            made.append(read if isinstance(read, dict) else item)
        return made

    def read(question, text, chunks):
        content, thought, calls = honest['read'](question, text, chunks)
        schemas = {tool['function']['name']:
                   tool['function']['parameters']['properties']
                   for tool in question['tools']}
        for call in calls:
            of = schemas.get(call['name'], {})
            call['arguments'] = {
                key: coerce(value, of.get(key, {}))
                for key, value in call['arguments'].items()}
        return content, thought, calls
    patch(read=read)


@bug(HERMES, 'wrong_arguments')
def tokens_in_strings_are_deleted():
    def hermes_call(text, at):
        call, end = honest['hermes_call'](text, at)
        text = parser.dumps(call['arguments'])
        text = re.sub(r'</?think>|<\|im_start\|>|<\|eot_id\|>', '', text)
        call['arguments'] = json.loads(text, parse_int=parser.Number,
                                       parse_float=parser.Number)
        return call, end
    patch(hermes_call=hermes_call)


@bug(HERMES, 'invalid_json')
def arguments_by_position():
    def hermes_call(text, at):
        end = text.find('</tool_call>', at)
        found = re.search(r'"name": "([^"]*)", "arguments": (.*)\}\s*$',
                          text[at:end], re.S)
        if end < 0 or not found:
            return honest['hermes_call'](text, at)
        return {'name': found[1], 'arguments': parser.Number(found[2])}, \
            end + len('</tool_call>')
    patch(hermes_call=hermes_call)


@bug(HERMES, 'wrong_arguments')
def parameters_are_lost():
    def hermes_call(text, at):
        return honest['hermes_call'](
            text.replace('"parameters":', '"arguments": {}, "parameters":'),
            at)
    patch(hermes_call=hermes_call)

    def hermes(text, inside):
        return honest['hermes'](
            text.replace('"parameters":', '"arguments": {}, "parameters":'),
            inside)
    patch(hermes=hermes, hermes_call=honest['hermes_call'])


@bug(HERMES, 'refused')
def close_in_a_string_fails_all():
    def hermes_call(text, at):
        end = text.find('</tool_call>', at)
        return honest['hermes_call'](
            text[:end + len('</tool_call>')] if end > 0 else text, at)
    patch(hermes_call=hermes_call)


@bug(GEMMA, 'lost_bytes')
def held_back_text_is_dropped():
    def read(question, text, chunks):
        content, thought, calls = honest['read'](question, text, chunks)
        content = re.sub(r'<\|?$', '', content)
        return content, thought, calls
    patch(read=read)


# ---- planted by newcomers ----------------------------------------------------

@bug(HERMES, 'lost_bytes')
def text_behind_a_call_is_dropped():
    def read(question, text, chunks):
        content, thought, calls = honest['read'](question, text, chunks)
        if calls:
            before = text.split('<tool_call>')[0]
            content = re.sub(r'<think>.*?</think>', '', before, flags=re.S)
        return content, thought, calls
    patch(read=read)


@bug(HERMES, 'forged_call')
def calls_in_reasoning_run():
    def read(question, text, chunks):
        content, thought, calls = honest['read'](question, text, chunks)
        if thought and '<tool_call>' in thought:
            calls = honest['hermes'](thought, False)[2] + calls
        return content, thought, calls
    patch(read=read)


@bug(HERMES, 'lost_bytes')
def bad_calls_vanish():
    block = re.compile('<tool_call>.*?(</tool_call>|$)', re.S)

    def kept(found):
        try:
            honest['hermes_call'](found[0], 0)
        except parser.Bad:
            return ''
        return found[0]

    def hermes(text, inside):
        try:
            return honest['hermes'](text, inside)
        except parser.Bad:
            return honest['hermes'](block.sub(kept, text), inside)
    patch(hermes=hermes)


@bug(HERMES, 'refused')
def what_was_cut_stays():
    held = ['']

    def answer_to(question):
        for asked in (question.get('before'), question):
            if asked is None:
                continue
            wire = b''.join(map(parser.base64.b64decode, asked['chunks']))
            text = held[0] + wire[:asked.get('stop')].decode('utf-8', 'replace')
            answer = honest['answer_to'](
                {**asked, 'id': question['id'],
                 'chunks': [parser.base64.b64encode(text.encode())],
                 'stop': len(text.encode())})
            opened = text.rfind('<tool_call>')
            held[0] = (text[opened:] if asked.get('finish') == 'length'
                       and opened > text.rfind('</tool_call>') else '')
        held[0] = ''
        return answer
    patch(answer_to=answer_to)


# ---- of classes that are new -------------------------------------------------

@bug(HERMES, 'lost_bytes')
def names_without_dots():
    def read(question, text, chunks):
        content, thought, calls = honest['read'](question, text, chunks)
        return content, thought, [call for call in calls if
                                  re.fullmatch(r'\w+', call['name'])]
    patch(read=read)


@bug(HERMES, 'forged_call')
def calls_of_before_come_again():
    def answer_to(question):
        answer = honest['answer_to'](question)
        before = question.get('before')
        if before and 'message' in answer:
            old = honest['answer_to']({'id': '', **before})
            calls = old.get('message', {}).get('tool_calls', [])
            answer['message']['tool_calls'] = \
                calls + answer['message']['tool_calls']
        return answer
    patch(answer_to=answer_to)


@bug(HERMES, 'lost_bytes')
def readings_share_their_text():
    def answer_to(question):
        answer = honest['answer_to'](question)
        beside = question.get('beside')
        if beside and 'message' in answer:
            answer['message']['content'] = \
                honest['answer_to']({'id': '', **beside}).get(
                    'message', {}).get('content')
        return answer
    patch(answer_to=answer_to)


@bug(HERMES, 'slow')
def all_is_read_again():
    def read(question, text, chunks):
        seen = ''
        for chunk in chunks:
            seen += chunk.decode('utf-8', 'replace')
            re.findall(r'<tool_call>.*?</tool_call>|<think>.*?</think>', seen,
                       re.S)
        return honest['read'](question, text, chunks)
    patch(read=read)


# ---- of what few messages have -------------------------------------------------

@bug(HERMES, 'lost_bytes')
def last_whole_call_of_a_cut_output_is_dropped():
    def answer_to(question):
        answer = honest['answer_to'](question)
        if question.get('finish') == 'length' and 'message' in answer:
            calls = answer['message'].get('tool_calls', [])
            answer['message']['tool_calls'] = calls[:-1]
        return answer
    patch(answer_to=answer_to)


@bug(HERMES, 'lost_bytes')
def three_calls_are_enough():
    def read(question, text, chunks):
        content, thought, calls = honest['read'](question, text, chunks)
        return content, thought, calls[:3]
    patch(read=read)


@bug(HERMES, 'wrong_arguments')
def floats_lose_digits():
    def hermes_call(text, at):
        call, end = honest['hermes_call'](text, at)
        call['arguments'] = json.loads(
            parser.dumps(call['arguments']), parse_int=parser.Number,
            parse_float=lambda digits: parser.Number(
                '%.12g' % float(digits) if len(digits) > 14 else digits))
        return call, end
    patch(hermes_call=hermes_call)


# ---- of what stands beside the text ---------------------------------------------

@bug(HERMES, 'wrong_id')
def calls_are_numbered_by_their_names():
    def message_of(content, thought, calls):
        message = honest['message_of'](content, thought, calls)
        for call in message['tool_calls']:
            call['id'] = 'call_' + call['function']['name']
        return message
    patch(message_of=message_of)


@bug(HERMES, 'wrong_finish')
def what_was_cut_stopped_by_itself():
    def answer_to(question):
        answer = honest['answer_to'](question)
        if 'message' in answer:
            answer['finish_reason'] = \
                'tool_calls' if answer['message']['tool_calls'] else 'stop'
        return answer
    patch(answer_to=answer_to)


@bug(HERMES, 'crash')
def only_declared_tools_are_known():
    def answer_to(question):
        answer = honest['answer_to'](question)
        known = {tool['function']['name']: tool for tool in question['tools']}
        for call in answer.get('message', {}).get('tool_calls', []):
            known[call['function']['name']]
        return answer
    patch(answer_to=answer_to)


@bug(HERMES, 'wrong_arguments')
def pairs_of_escapes_are_two():
    def read(question, text, chunks):
        pairs = re.compile(r'\\ud[89ab]..\\ud[c-f]..')
        return honest['read'](question, pairs.sub('\ufffd\ufffd', text), chunks)
    patch(read=read)


@bug(HERMES, 'wrong_arguments')
def entities_become_signs():
    def dumps(value):
        return honest['dumps'](value).replace('&amp;', '&')
    patch(dumps=dumps)


def read_again_while(matches):
    def read(question, text, chunks):
        seen = ''
        for chunk in chunks:
            seen += chunk.decode('utf-8', 'replace')
            if matches(seen):
                re.findall(r'<tool_call>.*?</tool_call>|<|>', seen, re.S)
        return honest['read'](question, text, chunks)
    patch(read=read)


@bug(HERMES, 'slow')
def text_is_read_again():
    read_again_while(lambda seen: '<tool_call>' not in seen and
                     seen.count('<think>') == seen.count('</think>'))


@bug(HERMES, 'slow')
def calls_are_read_again():
    read_again_while(lambda seen: seen.count('</tool_call>') > 8)


@bug(HERMES, 'slow')
def reasoning_is_read_again():
    read_again_while(lambda seen: seen.startswith('<think>') and
                     '</think>' not in seen)


def main():
    if sys.argv[1] == '--list':
        for name, (form, verdict, _) in BUGS.items():
            print(name, form, verdict)
        return
    BUGS[sys.argv[1]][2]()
    parser.main()


if __name__ == '__main__':
    main()
