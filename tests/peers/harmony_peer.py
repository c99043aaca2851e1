# SPDX-License-Identifier: MIT
"""OpenAI's own openai-harmony, with its real vocabulary: tokens into its
StreamableParser or into its parser of whole completions.  Its messages become
one of OpenAI's chat API by channel and recipient, as servers do it.

Use: harmony_peer.py FOLDER stream|whole
where FOLDER holds js-tiktoken, whose ranks are the vocabulary.
"""
import json
import os
import sys

import line


def have_vocabulary(folder):
    """openai-harmony would fetch this file; its hash is checked there."""
    path = os.path.join(folder, 'o200k_base.tiktoken')
    if not os.path.exists(path):
        ranks = os.path.join(folder, 'node_modules', 'js-tiktoken', 'dist',
                             'ranks', 'o200k_base.cjs')
        with open(ranks, encoding='utf-8') as file:
            text = file.read()
        found = json.JSONDecoder().raw_decode(text[text.index('{'):])[0]
        with open(path + '.new', 'w', encoding='utf-8') as file:
            for row in found['bpe_ranks'].splitlines():
                _, first, *tokens = row.split(' ')
                for rank, token in enumerate(tokens, int(first)):
                    print(token, rank, file=file)
        os.replace(path + '.new', path)
    os.environ['TIKTOKEN_ENCODINGS_BASE'] = folder


def tokens_of(encoding, question, texts):
    """The numbers of the tokens: special ones, else what the text is."""
    numbers = []
    plain = ''
    for piece in texts:
        if piece in question_specials(question):
            numbers += encoding.encode(plain, disallowed_special=())
            numbers += encoding.encode(piece, allowed_special='all')
            plain = ''
        else:
            plain += piece
    return numbers + encoding.encode(plain, disallowed_special=())


def question_specials(question):
    return [marker['text'] for marker in line.markers(question.form)
            if marker['token']]


def to_openai(messages):
    """One message of the chat API."""
    message = line.Message()
    calls = 0
    for part in messages:
        text = ''.join(content.text for content in part.content)
        if (part.recipient or '').startswith('functions.'):
            message.call(calls, part.recipient[len('functions.'):], text)
            calls += 1
        elif part.channel == 'analysis':
            message.add(None, text)
        else:
            message.add(text)
    return message.whole()


def main():
    folder, way = sys.argv[1:3]
    have_vocabulary(folder)
    import openai_harmony
    encoding = openai_harmony.load_harmony_encoding(
        openai_harmony.HarmonyEncodingName.HARMONY_GPT_OSS)
    assistant = openai_harmony.Role.ASSISTANT
    made = {}

    def answer(question, clock):
        if question.form not in made:
            made[question.form] = line.Tokens(question.form)
        texts = list(question.tokens(made[question.form]))
        if question.stop:
            texts.append(question.stop)
        numbers = tokens_of(encoding, question, texts)
        if way == 'whole':
            return to_openai(clock.run(
                encoding.parse_messages_from_completion_tokens, numbers,
                assistant))
        parser = openai_harmony.StreamableParser(encoding, assistant)
        for number in numbers:
            clock.run(parser.process, number)
            if clock.over():
                break
        else:
            clock.run(parser.process_eos)
        return to_openai(parser.messages)

    line.serve(answer)


if __name__ == '__main__':
    main()
