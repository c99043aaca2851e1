#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An agent's loop of many turns whose prompt only grows: nothing of it is
rendered or tokenized again, and a turn costs what is new.

    python3 episode.py [TEMPLATE-OR-MODEL-FOLDER] [TURNS]

The model is made up: it calls a tool again and again, in its own spelling.
Where there is a tokenizer, the tokens of what is appended are put behind those
that were sent and sampled (`ids` below); they are never made again.
"""
import pathlib
import sys
import time
from typing import Any, Dict, List

import toolwire

CHATML = '''{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>
{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}'''
TOOLS = [{'type': 'function', 'function': {
    'name': 'tide', 'description': 'The tide of a day.', 'parameters': {
        'type': 'object', 'properties': {'day': {'type': 'integer'}}}}}]


def sample(prompt: str, turn: int) -> str:
    """What a server would answer: canonical JSON it is not."""
    return ('<tool_call>\n{"name":"tide",  "arguments": {"day":%d}}\n'
            '</tool_call><|im_end|>' % turn)


def tokens(text: str) -> List[int]:
    """A tokenizer's, which is asked for new text alone."""
    return list(text.encode())


def main() -> None:
    template = toolwire.Template(
        pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else CHATML)
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    written = template.detect().format or 'hermes'
    episode = toolwire.Episode(
        template, [{'role': 'system', 'content': 'Be brief.'},
                   {'role': 'user', 'content': 'How high is each tide?'}],
        tools=TOOLS)
    ids = tokens(episode.prompt)
    times = []
    for turn in range(turns):
        before = episode.prompt
        completion = sample(before, turn)
        message: Dict[str, Any] = toolwire.decode(
            completion, written, tools=TOOLS, first_call=turn)
        result = {'role': 'tool', 'content': '%d m' % turn,
                  'tool_call_id': message['tool_calls'][0]['id'],
                  'name': 'tide'}
        begin = time.perf_counter()
        append = episode.extend(completion, message, [result])
        times.append(time.perf_counter() - begin)
        ids += tokens(completion) + tokens(append)
        assert episode.prompt == before + completion + append
    assert ids == tokens(episode.prompt)
    tenth = max(turns // 10, 1)
    print('%d turns, %d bytes; a turn took %.0f us at first and %.0f at last'
          % (turns, len(ids), 1e6 * sorted(times[:tenth])[tenth // 2],
             1e6 * sorted(times[-tenth:])[tenth // 2]), file=sys.stderr)
    print('the prompt only grew: %d turns' % turns)


main()
