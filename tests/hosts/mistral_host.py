# SPDX-License-Identifier: MIT
"""mistral-common's tokenizers, those that its package ships: what they write for an
assistant that calls tools is what toolwire reads, and what toolwire writes is the
same text.

Use: mistral_host.py HOME, by run.py.
Versions 11 and 13 have no tokenizer in the package: theirs are made of the
newest one's vocabulary with the special tokens of these versions.
"""
import importlib.metadata
import json
import logging
import os
import sys

import cases
import chat
from tally import Tally

# The file, or the version that is made; and toolwire's format.
TOKENIZERS = (('mistral_instruct_tokenizer_240323.model.v3', 'mistral/v3-spm'),
              ('tekken_240911.json', 'mistral/v3'),
              ('mistral_instruct_tokenizer_241114.model.v7', 'mistral/v7'),
              ('v11', 'mistral/v11'), ('v13', 'mistral/v13'))
NEWEST = 'tekken_240911.json'
LATER = '[ARGS]', '[CALL_ID]', '[SYSTEM_PROMPT]', '[/SYSTEM_PROMPT]', \
    '[TOOL_CONTENT]'


def made(folder, home, version):
    """A tokenizer of a later version."""
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer
    with open(os.path.join(folder, NEWEST), encoding='utf-8') as file:
        model = json.load(file)
    specials = [dict(row, token_str=row['token_str'].value)
                for row in Tekkenizer.DEPRECATED_SPECIAL_TOKENS]
    known = [row['token_str'] for row in specials]
    for text in LATER:
        if text not in known:
            specials.append({'rank': len(specials), 'token_str': text,
                             'is_control': True})
    model['config']['version'] = version
    model['special_tokens'] = specials
    path = os.path.join(home, 'tekken_%s.json' % version)
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(model, file)
    return path


def written(tokenizer, answer):
    """What it writes for an answer that calls tools."""
    from mistral_common.protocol.instruct.request import ChatCompletionRequest
    from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy
    calls = answer['tool_calls']
    messages = [{'role': 'user', 'content': 'Tide?'},
                dict(answer, role='assistant',
                     content=answer['content'] or '')]
    for call in calls:
        messages.append({'role': 'tool', 'tool_call_id': call['id'],
                         'content': '7'})
    tokens = tokenizer.encode_chat_completion(
        ChatCompletionRequest.from_openai(messages=messages,
                                          tools=cases.TOOLS)).tokens
    text = tokenizer.decode(tokens,
                            special_token_policy=SpecialTokenPolicy.KEEP)
    text = text.replace('\u2581', ' ')  # a blank of SentencePiece's
    return text.split('[/INST]', 1)[1].split('</s>', 1)[0] + '</s>'


def values(message):
    """Calls are the same if their arguments are the same JSON."""
    return [message['content'].strip(), [
        [name, json.loads(arguments)] for name, arguments in
        message['calls']]]


def check(tally, tokenizer, form):
    for number, answer in enumerate(cases.ANSWERS):
        if 'tool_calls' not in answer or 'reasoning_content' in answer:
            continue
        title = '%s %d' % (form, number)
        try:
            theirs = written(tokenizer, answer)
        except Exception as error:  # theirs, of many kinds
            tally.bad(title, 'refuses: %s' % str(error)[:200])
            continue
        got = cases.Case('written ' + title, form, theirs.encode(), {},
                         cases.TOOLS).wanted
        tally.same(title + ' read', [values(got), theirs],
                   [values(chat.essence(answer)), theirs])
        record = {'tools': cases.TOOLS, 'messages': [
            {'role': 'user', 'content': 'Hi.'},
            dict(answer, role='assistant')]}
        ours = json.loads(cases.run(
            'convert', '-f', 'openai', '-t', form, '--unit', 'completion',
            data=json.dumps(record).encode()) or '{}').get('text')
        tally.same(title + ' written', ours, theirs)


def main():
    import mistral_common
    from mistral_common.tokens.tokenizers.mistral import MistralTokenizer
    logging.disable(logging.CRITICAL)
    folder = os.path.join(os.path.dirname(mistral_common.__file__), 'data')
    tally = Tally('mistral')
    for name, form in TOKENIZERS:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            path = made(folder, sys.argv[1], name)
        check(tally, MistralTokenizer.from_file(path), form)
    tally.end(versions='mistral-common %s'
              % importlib.metadata.version('mistral-common'))


if __name__ == '__main__':
    main()
