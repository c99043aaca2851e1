#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A log of completions to OpenAI messages, as people write it in a hurry:
one regular expression, no repairs, no checks.  The benchmark measures
`toolwire decode --jsonl` beside it.

Use: filter.py FORMAT <LOG.jsonl
"""
import json
import re
import sys

PATTERNS = {
    "hermes": r'<tool_call>\s*\{"name": "(.*?)", "arguments": (.*?)\}\s*</tool_call>',
    "harmony": r"to=functions\.([^\s<]+).*?<\|message\|>(.*?)<\|call\|>",
    "gemma4": r"<\|tool_call>call:(.*?)\{(.*?)\}<tool_call\|>",
}


def main():
    pattern = re.compile(PATTERNS[sys.argv[1]], re.DOTALL)
    for line in sys.stdin:
        text = json.loads(line)["text"]
        calls = pattern.findall(text)
        message = {
            "role": "assistant",
            "content": pattern.sub("", text) if calls else text,
            "tool_calls": [
                {
                    "id": f"call_{i}",
                    "type": "function",
                    "function": {"name": name, "arguments": arguments},
                }
                for i, (name, arguments) in enumerate(calls)
            ],
        }
        print(json.dumps(message, ensure_ascii=False))


main()
