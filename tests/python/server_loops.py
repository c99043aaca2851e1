# SPDX-License-Identifier: MIT
"""One choice of a request, as vLLM and SGLang stream it: what their serving
layers give to a parser, what they do with what it says, and what they look at
when a stream is over.
"""
import json
import re

import toolwire
from toolwire.integrations import vllm

# Of the families that the cases are of.
MARKERS = {family: [] for family in ('gemma4', 'harmony', 'hermes', 'mistral',
                                     'nemotron')}
for one in toolwire.formats():
    if one.name.split('/')[0] in MARKERS:
        MARKERS[one.name.split('/')[0]].extend(one.markers)
OLD = vllm.HAS_VLLM and not hasattr(vllm.ToolParser,
                                    'engine_based_streaming')
# The first marker that ends a generation behind text.
END = {family: next(one.text for one in markers
                    if one.stop and one.role == 'end')
       for family, markers in MARKERS.items()}


class Bag:
    def __init__(self, **members):
        self.__dict__.update(members)


class Tokenizer:
    """Each marker is a token, and else some letters are."""

    def __init__(self, family):
        self.markers = sorted({one.text for one in MARKERS[family]})
        self.ids = {text: 1000 + i for i, text in enumerate(self.markers)}
        self.eos_token_id = self.ids[END[family]]
        self.cut = re.compile('(%s)' % '|'.join(
            re.escape(text) for text in
            sorted(self.markers, key=len, reverse=True)))

    def get_vocab(self):
        return self.ids

    def tokens(self, text):
        """(id, text) of each."""
        found = []
        for part in self.cut.split(text):
            if part in self.ids:
                found.append((self.ids[part], part))
            else:
                found += [(ord(part[i]), part[i:i + 3])
                          for i in range(0, len(part), 3)]
        return found


TOKENIZERS = {family: Tokenizer(family) for family in MARKERS}


class Streamed:
    """What a client has put together."""

    def __init__(self):
        self.content = ''
        self.reasoning = ''
        self.calls = []
        self.finish_reason = None

    def open_call(self, index, name, identity):
        assert index == len(self.calls), 'indexes are dense and in order'
        assert name
        self.calls.append({'name': name, 'id': identity, 'arguments': ''})

    def complete(self):
        """Those that a client could run."""
        found = []
        for call in self.calls:
            try:
                json.loads(call['arguments'])
            except ValueError:
                continue
            found.append(call)
        return found


class VllmChoice:
    """One choice of a request, as vLLM's serving layer streams it."""

    def __init__(self, parser_class, text, family, tools=(), choice='auto'):
        self.tokenizer = TOKENIZERS[family]
        self.request = Bag(tools=list(tools), tool_choice=choice,
                           skip_special_tokens=True,
                           spaces_between_special_tokens=True)
        self.parser = (parser_class(self.tokenizer) if OLD else
                       parser_class(self.tokenizer, list(tools)))
        self.tokens = self.tokenizer.tokens(text)
        if self.tokens and self.tokens[-1][1] == END[family]:
            del self.tokens[-1]  # it stops the model and has no text
        self.position = 0
        self.previous, self.previous_ids = '', []
        self.result = Streamed()
        self.streamed_tools = False

    def step(self, count):
        """Some tokens more; False when it is over."""
        part = self.tokens[self.position:self.position + count]
        self.position += len(part)
        last = self.position == len(self.tokens)
        ids = [one[0] for one in part]
        text = ''.join(one[1] for one in part)
        if last:
            # The token that stops the model has an id, and no text.
            ids.append(self.tokenizer.eos_token_id)
        # A parser with its own engine is not told what was before.
        shown, shown_ids = (('', []) if not OLD else
                            (self.previous, self.previous_ids))
        self.take(self.parser.extract_tool_calls_streaming(
            shown, shown + text, text, shown_ids, shown_ids + ids, ids,
            self.request))
        self.previous += text
        self.previous_ids = self.previous_ids + ids
        if last:
            if not OLD:
                self.take(self.parser.finish_streaming())
            self.end()
        return not last

    def take(self, delta):
        if delta is None:
            return
        assert (delta.content or delta.tool_calls
                or self.reasoning_of(delta)), 'an empty delta'
        self.result.content += delta.content or ''
        self.result.reasoning += self.reasoning_of(delta) or ''
        for part in delta.tool_calls or ():
            self.streamed_tools = True
            name = getattr(part.function, 'name', None)
            identity = getattr(part, 'id', None)
            if name is not None:
                assert part.type == 'function' and identity
                self.result.open_call(part.index, name, identity)
            else:
                assert identity is None
            self.result.calls[part.index]['arguments'] += (
                part.function.arguments)

    @staticmethod
    def reasoning_of(delta):
        return (getattr(delta, 'reasoning', None)
                or getattr(delta, 'reasoning_content', None))

    def end(self):
        """What the server looks at when the stream is over."""
        parser = self.parser
        assert parser.get_remaining_unstreamed_args() == ''
        assert len(parser.prev_tool_call_arr) == len(self.result.calls)
        for index, call in enumerate(self.result.calls):
            there = parser.prev_tool_call_arr[index]
            assert there == {'name': call['name'],
                             'arguments': call['arguments']}, there
            assert (parser.streamed_args_for_tool[index]
                    == call['arguments'])
        self.result.finish_reason = ('tool_calls' if self.streamed_tools
                                     else 'stop')
        # Whatever comes behind the end changes nothing.
        assert parser.extract_tool_calls_streaming(
            'x', 'xy', 'y', [1], [1, 2], [2], self.request) is None


class SglangChoice:
    """One choice of a request, as SGLang's serving layer streams it."""

    def __init__(self, detector_class, text, family, tools=()):
        self.detector = detector_class()
        self.tools = list(tools)
        self.tokens = TOKENIZERS[family].tokens(text)
        self.position = 0
        self.result = Streamed()

    def step(self, count):
        part = self.tokens[self.position:self.position + count]
        self.position += len(part)
        last = self.position == len(self.tokens)
        self.take(self.detector.parse_streaming_increment(
            ''.join(one[1] for one in part), self.tools))
        if last:
            self.take(self.detector.finish(self.tools))
            self.end()
        return not last

    def take(self, step):
        self.result.content += step.normal_text
        for item in step.calls:
            if item.name:
                self.result.open_call(item.tool_index, item.name, None)
            self.result.calls[item.tool_index]['arguments'] += (
                item.parameters)

    def end(self):
        # Of what is here the server would add the rest of a call.
        assert self.detector.prev_tool_call_arr == []
        assert (self.detector.streamed_args_for_tool
                == [call['arguments'] for call in self.result.calls])
        self.result.finish_reason = ('tool_calls' if self.result.calls
                                     else 'stop')


def run(choice, count):
    while choice.step(count() if callable(count) else count):
        pass
    return choice.result
