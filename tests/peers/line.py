# SPDX-License-Identifier: MIT
"""What every adapter in Python shares: the line protocol of `toolwire test`
(`toolwire test --help`), tokens, and deltas put together as a client does.

An adapter gives serve() a function that takes a Question and returns the
function that answers it.  Beyond the protocol an answer says how long the
parser took ("seconds") for how many deltas ("deltas"), and a question may set
a "budget" in seconds, after which no further delta is given to the parser.
"""
import base64
import codecs
import functools
import json
import os
import re
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))

# An adapter that is itself wrong ends so, and `make peers` fails.
BROKEN = 70

# What the kit's calls are named, for parsers that want tools declared.
NAMES = ('f', 'get_tide', 'now', 'search', 'write_file')


@functools.cache
def markers(form):
    """The markers of a format as `toolwire formats --json` lists them."""
    with open(os.environ['PEERS_MARKERS'], encoding='utf-8') as file:
        for line in file:
            entry = json.loads(line)
            if entry['name'] == form:
                return entry['markers']
    return []


class Tokens:
    """A tokenizer: markers are one token each, all else is by characters."""

    def __init__(self, form):
        self.specials = []
        for marker in markers(form):
            text = marker['text']
            if ((marker['token'] or marker['literal']) and
                    text not in self.specials and not text[0].isalnum()):
                self.specials.append(text)
        # Those that no text may spell, which decoding can leave out.
        self.control = [m['text'] for m in markers(form) if m['token']
                        and (not m['literal'] or m['role'] == 'turn')]
        self.ids = {text: i for i, text in enumerate(self.specials)}
        by_size = sorted(self.specials, key=len, reverse=True)
        self.cut = re.compile('|'.join(map(re.escape, by_size)) or '(?!)')

    def split(self, text):
        """The texts of the tokens."""
        at = 0
        for found in self.cut.finditer(text):
            yield from text[at:found.start()]
            yield found.group()
            at = found.end()
        yield from text[at:]

    def number(self, text):
        """The number of the token with this text."""
        if text in self.ids:
            return self.ids[text]
        return len(self.specials) + ord(text)

    def encode(self, text):
        return [self.number(piece) for piece in self.split(text)]

    def decode(self, ids):
        base = len(self.specials)
        return ''.join(self.specials[i] if i < base else chr(i - base)
                       for i in ids)


class Question:
    """One line of the kit's, with what an adapter wants to know of it."""

    def __init__(self, asked):
        self.id = asked.get('id')
        self.form = asked['format']
        self.start = asked.get('start')
        self.tools = asked.get('tools')
        self.cut_short = asked.get('finish') == 'length'
        chunks = [base64.b64decode(chunk) for chunk in asked['chunks']]
        data = b''.join(chunks)
        self.cut = len(chunks) > 1
        # Servers take off the marker at which the model stopped.
        end = asked.get('stop', len(data))
        if 'tools' not in asked:
            end = self.find_stop(data)
        self.stop = next((m['text'] for m in markers(self.form) if m['stop']
                          and data.startswith(m['text'].encode(), end)), '')
        utf8 = codecs.getincrementaldecoder('utf-8')('replace')
        self.pieces = [utf8.decode(chunk) for chunk in cut_off(chunks, end)]
        self.pieces.append(utf8.decode(b'', True))
        self.text = ''.join(self.pieces)
        # Where the special tokens are; else each marker is one.
        self.special = None
        if 'special' in asked:
            self.special = {
                len(data[:from_].decode('utf-8', 'replace')): to - from_
                for from_, to in asked['special'] if to <= end}

    def find_stop(self, data):
        """A kit that does not tell it leaves it at the end."""
        bare = data.rstrip(b'\n')
        for marker in markers(self.form):
            text = marker['text'].encode()
            if marker['stop'] and bare.endswith(text):
                return len(bare) - len(text)
        return len(data)

    def declared(self):
        """The tools, as an OpenAI request declares them."""
        return self.tools or [
            {'type': 'function', 'function': {
                'name': name, 'parameters': {'type': 'object'}}}
            for name in NAMES]

    def reasons(self):
        """Does it begin with reasoning, or inside it?"""
        text = self.text.lstrip()
        return bool(self.start) or any(
            text.startswith(m['text']) for m in markers(self.form)
            if m['role'] == 'reasoning_open')

    def closes(self):
        """Does it begin with the end of reasoning?"""
        return any(self.text.lstrip().startswith(m['text'])
                   for m in markers(self.form)
                   if m['role'] == 'reasoning_close')

    def tokens(self, tokens):
        """The texts of the tokens.  What spells a marker and is none of the
        special tokens was written in several."""
        if self.special is None:
            yield from tokens.split(self.text)
            return
        at = 0
        while at < len(self.text):
            size = 1
            if at in self.special:
                found = tokens.cut.match(self.text, at)
                size = len(found.group()) if found else 1
            yield self.text[at:at + size]
            at += size

    def deltas(self, tokens):
        """(text, ids) of each delta: a token each, or by the cuts.

        A model writes no half token, so a cut inside one moves behind it.
        """
        texts = list(self.tokens(tokens))
        if not self.cut:
            return [(text, [tokens.number(text)]) for text in texts]
        deltas = []
        ends = 0
        at = 0
        taken = 0
        for piece in self.pieces:
            ends += len(piece)
            first = taken
            while at < ends:
                at += len(texts[taken])
                taken += 1
            if taken > first:
                part = texts[first:taken]
                deltas.append((''.join(part),
                               [tokens.number(text) for text in part]))
        return deltas


def cut_off(pieces, size):
    """The first |size| bytes or characters of the pieces."""
    kept = []
    for piece in pieces:
        kept.append(piece[:size])
        size -= len(kept[-1])
    return kept


class Message:
    """Deltas of a stream, put together as OpenAI's clients do."""

    def __init__(self):
        self.content = None
        self.reasoning = None
        self.calls = {}

    def add(self, content=None, reasoning=None):
        if content:
            self.content = (self.content or '') + content
        if reasoning:
            self.reasoning = (self.reasoning or '') + reasoning

    def call(self, index, name=None, arguments=None, custom=False):
        call = self.calls.setdefault(index, ['', '', custom])
        call[0] += name or ''
        call[1] += arguments or ''

    def whole(self):
        message = {'role': 'assistant', 'content': self.content}
        if self.reasoning:
            message['reasoning_content'] = self.reasoning
        if self.calls:
            message['tool_calls'] = [
                {'type': 'custom', 'custom': {
                    'name': name, 'input': arguments}} if custom else
                {'type': 'function', 'function': {
                    'name': name, 'arguments': arguments}}
                for _, (name, arguments, custom) in sorted(self.calls.items())]
        return message


class Clock:
    """The processor's time that a parser takes, and whether it may go on."""

    def __init__(self, budget):
        self.budget = budget
        self.seconds = 0.0
        self.deltas = 0

    def run(self, work, *arguments, **options):
        start = time.thread_time()
        try:
            return work(*arguments, **options)
        finally:
            self.seconds += time.thread_time() - start
            self.deltas += 1

    def over(self):
        return self.seconds > self.budget


class Said(Exception):
    """An answer in place of a message, as the protocol has it."""

    def __init__(self, **members):
        super().__init__()
        self.members = members


def is_ours(error):
    """Was it raised by an adapter, and not by what it adapts?"""
    last = traceback.extract_tb(error.__traceback__)[-1].filename
    return os.path.dirname(os.path.abspath(last)) == HERE


def serve(answer, reasoning=True):
    """Answers each line of standard input by |answer|(question, clock), which
    returns an OpenAI message.  What begins with reasoning is left to parsers
    that were set up to read it.
    """
    out = os.fdopen(os.dup(1), 'w', encoding='utf-8')
    os.dup2(2, 1)  # Whatever a library prints is no answer.
    for line in sys.stdin:
        asked = json.loads(line)
        clock = Clock(asked.get('budget', float('inf')))
        try:
            if 'before' in asked:
                try:
                    answer(Question(asked['before']), clock)
                except ValueError:  # It may be cut off.
                    pass
            question = Question(asked)
            if 'beside' in asked:  # Each request has a parser of its own.
                said = {'skip': 'one stream at a time'}
            elif question.reasons() and not reasoning:
                said = {'skip': 'no reasoning parser'}
            else:
                said = {'message': answer(question, clock)}
        except Said as other:
            said = other.members
        except Exception as error:  # pylint: disable=broad-except
            if is_ours(error):
                traceback.print_exc()
                sys.exit(BROKEN)
            said = {'error': f'{type(error).__name__}: {error}'[:500]}
        said.update(id=asked['id'], seconds=clock.seconds,
                    deltas=clock.deltas)
        out.write(json.dumps(said) + '\n')
        out.flush()
