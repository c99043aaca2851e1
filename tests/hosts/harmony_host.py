# SPDX-License-Identifier: MIT
"""openai-harmony, with its real vocabulary, beside toolwire: it reads what toolwire
reads, and writes what toolwire writes.

Use: harmony_host.py HOME, by run.py; HOME holds js-tiktoken, whose ranks are the
vocabulary (openai-harmony checks the hash of the file that is made of them).

  prompts  its StreamableParser reads each message of a prompt that toolwire
           writes, and its encoding renders the same text again
  real     completions of TOOLWIRE_DATA: calls and texts are the same
  cases    the conformance cases of the format, likewise
"""
import gzip
import json
import os
import subprocess
import sys

import cases
import chat
import harmony_peer
import line
from tally import Tally


def toolwire(*words, data):
    return subprocess.run([os.environ['HOSTS_TOOLWIRE'], *words], input=data,
                          check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def real(name):
    """The records of a file of TOOLWIRE_DATA."""
    path = os.path.join(os.environ.get('TOOLWIRE_DATA', ''), name)
    if not os.path.exists(path):
        return []
    with gzip.open(path, 'rt', encoding='utf-8') as file:
        return [json.loads(row) for row in file]


class Oracle:
    def __init__(self):
        import openai_harmony
        self.harmony = openai_harmony
        self.encoding = openai_harmony.load_harmony_encoding(
            openai_harmony.HarmonyEncodingName.HARMONY_GPT_OSS)
        self.tokens = line.Tokens('harmony')

    def numbers(self, question):
        texts = list(question.tokens(self.tokens))
        if question.stop:
            texts.append(question.stop)
        return harmony_peer.tokens_of(self.encoding, question, texts)

    def read(self, question, way):
        """The message that they read, or why they do not."""
        assistant = self.harmony.Role.ASSISTANT
        try:
            numbers = self.numbers(question)
            if way == 'whole':
                messages = self.encoding.parse_messages_from_completion_tokens(
                    numbers, assistant)
            else:
                parser = self.harmony.StreamableParser(self.encoding,
                                                       assistant)
                for number in numbers:
                    parser.process(number)
                parser.process_eos()
                messages = parser.messages
        except Exception as error:  # theirs, of many kinds
            return 'refused: %s' % str(error)[:120]
        return chat.essence(harmony_peer.to_openai(messages))


def compare_reading(tally, oracle, name, question, wanted):
    for way in ('stream', 'whole'):
        tally.same('%s %s' % (name, way), oracle.read(question, way), wanted)


def check_completions(tally, oracle):
    rows = [row for row in real('completions.jsonl.gz')
            if row['format'] == 'harmony']
    count = 0
    for row in rows:
        case = cases.Case('real ' + row['id'], 'harmony',
                          row['input'].encode(), {}, [])
        compare_reading(tally, oracle, case.name, case.question, case.wanted)
        count += 1
    return count


def check_cases(tally, oracle):
    for case in cases.all_cases():
        if case.form == 'harmony' and not case.options:
            compare_reading(tally, oracle, case.name, case.question,
                            case.wanted)


def parse_prompt(oracle, text):
    """Their messages of a whole prompt, and their rendering of those."""
    numbers = oracle.encoding.encode(text, allowed_special='all')
    parser = oracle.harmony.StreamableParser(oracle.encoding, None)
    for number in numbers:
        parser.process(number)
    messages = parser.messages
    again = oracle.encoding.render_conversation(
        oracle.harmony.Conversation.from_messages(messages),
        oracle.harmony.RenderConversationConfig(auto_drop_analysis=False))
    return oracle.encoding.decode(again)


def check_prompts(tally, oracle):
    """What toolwire writes is what they write of what they read."""
    count = 0
    for row in real('prompts.jsonl.gz'):
        if 'harmony' not in row['expect']:
            continue
        request = dict(row['request'], add_generation_prompt=False)
        said = toolwire('encode', '-f', 'harmony', '--jsonl',
                        data=json.dumps(request).encode() + b'\n')
        text = json.loads(said).get('text', '')
        try:
            again = parse_prompt(oracle, text)
        except Exception as error:  # theirs, of many kinds
            again = 'refused: %s' % str(error)[:200]
        tally.same('prompt ' + row['id'], again, text)
        count += 1
    return count


def main():
    home = sys.argv[1]
    harmony_peer.have_vocabulary(home)
    oracle = Oracle()
    tally = Tally('harmony')
    completions = check_completions(tally, oracle)
    prompts = check_prompts(tally, oracle)
    check_cases(tally, oracle)
    left = '' if completions else 'TOOLWIRE_DATA is not set: no real data'
    import importlib.metadata
    tally.end(versions='openai-harmony %s, o200k_base of js-tiktoken'
              % importlib.metadata.version('openai-harmony'), left_out=left,
              said='%d real completions, %d real prompts' % (
                  completions, prompts))


if __name__ == '__main__':
    main()
