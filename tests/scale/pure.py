# SPDX-License-Identifier: MIT
"""What is often written: a regular expression and json; neither slips nor
quoted markers are looked after."""
import json
import re

CALL = re.compile(r'<tool_call>\s*(.*?)\s*</tool_call>', re.DOTALL)
THOUGHT = re.compile(r'<think>\s*(.*?)\s*</think>\s*', re.DOTALL)


def convert(line):
    record = json.loads(line)
    text = record.pop('text')
    message = {'role': 'assistant', 'content': None}
    thought = THOUGHT.match(text)
    if thought:
        text = text[thought.end():]
        if thought.group(1):
            message['reasoning_content'] = thought.group(1)
    calls = []
    for found in CALL.findall(text):
        try:
            call = json.loads(found)
            calls.append({'id': 'call_%d' % len(calls), 'type': 'function', 'function': {
                'name': call['name'], 'arguments': json.dumps(call['arguments'], ensure_ascii=False)}})
        except (ValueError, KeyError, TypeError):
            pass  # lost
    message['content'] = CALL.sub('', text).strip() or None
    if calls:
        message['tool_calls'] = calls
    return json.dumps({'messages': [message], **record}, ensure_ascii=False, separators=(',', ':'))
