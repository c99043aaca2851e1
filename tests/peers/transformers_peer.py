# SPDX-License-Identifier: MIT
"""transformers' ResponseParser, by templates of response_templates.json, which
are written as models publish theirs.

Use: transformers_peer.py stream TEMPLATE
"""
import json
import os
import sys

from transformers.utils.chat_parsing import ResponseParser

import line


def main():
    template_name = sys.argv[2]
    with open(os.path.join(line.HERE, 'response_templates.json'),
              encoding='utf-8') as file:
        template = json.load(file)[template_name]
    made = {}

    def answer(question, clock):
        if question.form not in made:
            made[question.form] = line.Tokens(question.form)
        prompt = template['start_anchor']
        if question.start:
            prompt += template['fields']['thinking']['open']
        parser = ResponseParser(template, prefix=prompt,
                                tools=question.declared())
        for text, _ in question.deltas(made[question.form]):
            clock.run(parser.feed, text)
            if clock.over():
                break
        found, _ = clock.run(parser.finalize)
        message = line.Message()
        message.add(found.get('content'), found.get('thinking'))
        for index, call in enumerate(found.get('tool_calls', ())):
            function = call['function']
            message.call(index, function['name'],
                         json.dumps(function.get('arguments')))
        return message.whole()

    line.serve(answer)


if __name__ == '__main__':
    main()
