#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small parser of two formats that is right: the kit finds nothing in it.

It answers the questions of `toolwire test` (docs/kit.md).  Output that is
not as the format says is an error.  planted_bugs.py spoils it.
"""
import base64
import json
import re
import sys


class Bad(Exception):
    """The output is not as the format says."""


# ---- Gemma ------------------------------------------------------------------

QUOTE = '<|"|>'
OPEN, CLOSE = '<|tool_call>', '<tool_call|>'
NUMBER = re.compile(r'-?\d+(\.\d+)?([eE][+-]?\d+)?')
WORDS = {'true': True, 'false': False, 'null': None}


class Number(str):
    """A number, to the digit."""


def gemma_string(text, at):
    at += len(QUOTE)
    end = text.find(QUOTE, at)
    if end < 0:
        raise Bad('string')
    return text[at:end], end + len(QUOTE)


def gemma_bare(text, at):
    end = at
    while end < len(text) and text[end] not in ',}]':
        end += 1
    bare = text[at:end]
    if bare in WORDS:
        return WORDS[bare], end
    if NUMBER.fullmatch(bare):
        return Number(bare), end
    raise Bad('value')


def gemma_list(text, at, close, item):
    """Items with commas between, up to `close`."""
    found = []
    while text[at:at + 1] != close:
        if found:
            if text[at:at + 1] != ',':
                raise Bad('comma')
            at += 1
        value, at = item(text, at)
        found.append(value)
    return found, at + 1


def gemma_key(text, at):
    if text.startswith(QUOTE, at):
        raise Bad('key')
    end = text.find(':', at)
    key = text[at:end]
    if end <= at or key != key.strip() or re.search('[=,{}<>\\[\\]]', key):
        raise Bad('key')
    return key, end + 1


def gemma_member(text, at):
    key, at = gemma_key(text, at)
    value, at = gemma_value(text, at)
    return (key, value), at


def gemma_value(text, at):
    if text.startswith(QUOTE, at):
        return gemma_string(text, at)
    if text.startswith('{', at):
        members, at = gemma_list(text, at + 1, '}', gemma_member)
        return dict(members), at
    if text.startswith('[', at):
        return gemma_list(text, at + 1, ']', gemma_value)
    return gemma_bare(text, at)


def gemma_call(text, at):
    head = re.compile(r'<\|tool_call>call:([^{}<\s]+)\{').match(text, at)
    if not head:
        raise Bad('head')
    members, at = gemma_list(text, head.end(), '}', gemma_member)
    if not text.startswith(CLOSE, at):
        raise Bad('close')
    return {'name': head[1], 'arguments': dict(members)}, at + len(CLOSE)


GEMMA_SPLIT = re.compile(r'<\|channel>thought\n(.*?)<channel\|>', re.S)


def gemma(text):
    calls, content = [], ''
    thought = GEMMA_SPLIT.match(text)
    at = thought.end() if thought else 0
    if not thought and text.startswith('<|channel>'):
        raise Bad('reasoning')
    while at < len(text):
        if text.startswith(OPEN, at):
            call, at = gemma_call(text, at)
            calls.append(call)
        else:
            end = text.find(OPEN, at)
            end = len(text) if end < 0 else end
            content += text[at:end]
            at = end
    return content, thought and thought[1], calls


# ---- Hermes -----------------------------------------------------------------

def hermes_call(text, at):
    begin = re.compile(r'<tool_call>\s*').match(text, at).end()
    try:
        call, end = json.JSONDecoder(
            parse_float=Number, parse_int=Number).raw_decode(text[begin:])
    except ValueError:
        raise Bad('object')
    close = re.compile(r'\s*</tool_call>').match(text, begin + end)
    if not close or not isinstance(call, dict) or 'name' not in call:
        raise Bad('close')
    if not isinstance(call.get('arguments'), dict):
        raise Bad('arguments')
    return call, close.end()


def hermes(text, inside):
    thought = re.compile(r'\s*<think>(.*?)</think>', re.S).match(text)
    if inside and not thought:
        raise Bad('reasoning')
    calls, content = [], ''
    at = thought.end() if thought else 0
    while at < len(text):
        if re.compile(r'<tool_call>\s*\{').match(text, at):
            call, at = hermes_call(text, at)
            calls.append(call)
        else:
            content += text[at]
            at += 1
    return content, thought and thought[1], calls


# ---- JSON out ---------------------------------------------------------------

def dumps(value):
    """JSON text, with numbers as they were written."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return '{%s}' % ','.join(json.dumps(key) + ':' + dumps(one)
                                 for key, one in value.items())
    if isinstance(value, list):
        return '[%s]' % ','.join(map(dumps, value))
    return json.dumps(value)


def message_of(content, thought, calls):
    return {'role': 'assistant', 'content': content or None,
            'reasoning_content': thought,
            'tool_calls': [
                {'function': {'name': call['name'],
                              'arguments': dumps(call['arguments'])}}
                for call in calls]}


def read(question, text, chunks):
    """The content, the reasoning and the calls of an output, whose pieces
    make no difference."""
    if question['format'].startswith('gemma'):
        return gemma(text)
    return hermes(text, 'start' in question)


def answer_to(question):
    chunks = [base64.b64decode(chunk) for chunk in question['chunks']]
    wire = b''.join(chunks)
    answer = {'id': question['id']}
    try:
        text = wire[:question.get('stop', len(wire))].decode('utf-8')
        answer['message'] = message_of(*read(question, text, chunks))
    except (Bad, UnicodeDecodeError) as error:
        answer['error'] = str(error)
    return answer


def main():
    sys.setrecursionlimit(10000)
    for line in sys.stdin:
        print(json.dumps(answer_to(json.loads(line))), flush=True)


if __name__ == '__main__':
    main()
