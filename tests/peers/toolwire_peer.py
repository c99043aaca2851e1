# SPDX-License-Identifier: MIT
"""toolwire itself by its Python package, to have its times beside the others'.

Use: toolwire_peer.py
"""
import toolwire

import line


def answer(question, clock):
    message = line.Message()
    tokens = line.Tokens(question.form)
    deltas = question.deltas(tokens)
    stream = toolwire.stream_chunks((text for text, _ in deltas),
                                    question.form)
    # A chunk may need several deltas and a delta make several chunks.
    while True:
        chunk = clock.run(next, stream, None)
        if chunk is None:
            break
        delta = chunk['choices'][0]['delta']
        message.add(delta.get('content'), delta.get('reasoning_content'))
        for call in delta.get('tool_calls', ()):
            function = call['function']
            message.call(call['index'], function.get('name'),
                         function.get('arguments'))
    clock.deltas = len(deltas)
    return message.whole()


if __name__ == '__main__':
    line.serve(answer)
