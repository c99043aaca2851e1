# SPDX-License-Identifier: MIT
"""toolwire itself, the events of its Python package, to have its times beside
the others'.

Use: toolwire_peer.py stream
"""
import toolwire

import line


def take(message, event):
    """Adds what an event says to the message."""
    if event.kind == 'text':
        message.add(event.text)
    elif event.kind == 'reasoning':
        message.add(None, event.text)
    elif event.kind == 'call_begin':
        message.call(event.index, event.text, custom=event.custom)
    elif event.kind == 'call_arguments':
        message.call(event.index, None, event.text)
    elif event.kind == 'call_end' and event.status != 'complete':
        message.calls.pop(event.index, None)


def answer(question, clock):
    message = line.Message()
    tokens = line.Tokens(question.form)
    start = {'start_reasoning': True} if question.start else {}
    with toolwire.Decoder(question.form, tools=question.declared(),
                          **start) as decoder:
        for text, _ in question.deltas(tokens):
            for event in clock.run(decoder.feed, text):
                take(message, event)
            if clock.over():
                break
        reason = 'length' if question.cut_short else 'stop'
        for event in clock.run(decoder.finish, reason):
            take(message, event)
    return message.whole()


if __name__ == '__main__':
    line.serve(answer)
