#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An agent that heals itself: what is wrong with a call is told to the model.

    python3 agent.py

The model is made up.  It writes what real ones do: first a call that cannot
be read, then one whose day is a word, then one with "2" for 2, which
validate='mend' reads, and at last an answer.
"""
import json
from typing import Any, Dict, List

import toolwire

FORMAT = 'hermes/qwen3'
TOOLS = [{'type': 'function', 'function': {
    'name': 'tide', 'parameters': {
        'type': 'object', 'required': ['port', 'day'],
        'properties': {'port': {'type': 'string'},
                       'day': {'type': 'integer', 'minimum': 1}}}}}]
TURNS = [
    '<tool_call>\n{"name": "tide", "arguments": {"port": Brest}}\n</tool_call>',
    '<tool_call>\n{"name": "tide", "arguments": {"port": "Brest", '
    '"day": "tomorrow"}}\n</tool_call>',
    '<tool_call>\n{"name": "tide", "arguments": {"port": "Brest", '
    '"day": "2"}}\n</tool_call>',
    'High water at Brest is at 4:10.',
]


def model(prompt: str, turn: int) -> str:
    """Where a real one would be asked."""
    assert prompt.endswith('<|im_start|>assistant\n')
    return TURNS[turn]


def tide(port: str, day: int) -> str:
    assert isinstance(day, int)
    return '4:10 at %s in %d days' % (port, day)


def turn(messages: List[Dict[str, Any]], number: int) -> bool:
    """One answer of the model and what it leads to; True: it is the last."""
    prompt = toolwire.encode({'messages': messages, 'tools': TOOLS}, FORMAT,
                             generation_prompt=True, report=[])
    answer = toolwire.decode(model(prompt, number), FORMAT, tools=TOOLS,
                             validate='mend')
    refused = toolwire.words_for_model(answer, tools=TOOLS)
    answer.pop('toolwire', None)
    messages.append(answer)
    bad = {one.get('tool_call_id') for one in refused}
    messages.extend(refused)
    calls = answer.get('tool_calls', [])
    for call in calls:
        if call['id'] not in bad:
            arguments = json.loads(call['function']['arguments'])
            messages.append({'role': 'tool', 'tool_call_id': call['id'],
                             'content': tide(**arguments)})
    return not calls and not refused


def main() -> None:
    messages: List[Dict[str, Any]] = [
        {'role': 'user', 'content': 'When is high water at Brest?'}]
    number = 0
    while not turn(messages, number):
        number += 1
    for message in messages:
        print(message['role'] + ':', message.get('content') or ', '.join(
            call['function']['arguments']
            for call in message.get('tool_calls', [])))


if __name__ == '__main__':
    main()
