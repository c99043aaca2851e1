# SPDX-License-Identifier: MIT
# What is of vLLM has types where it is installed, and is unknown elsewhere.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""Tool parsers for vLLM.

    vllm serve MODEL --enable-auto-tool-choice \\
        --tool-parser-plugin "$(python3 -c \\
            'import toolwire.integrations as i; print(i.vllm_plugin())')" \\
        --tool-call-parser toolwire_auto

toolwire_auto takes the format that the tokenizer's chat template tells, or
that of the model's folder, and refuses to start without one.  The other names
are toolwire_gemma4, toolwire_harmony, toolwire_hermes, and one for each
dialect, such as toolwire_hermes_qwen2_5: names() lists them.

`make hosts` runs this inside vLLM 0.33.0's chat server (docs/hosts.md).  The
places where older versions had the modules below are tried, too.

One parser, one message.  vLLM makes a parser for each choice of each
request, and feeds it that choice's text alone; so does what is here assume.
extract_tool_calls() leaves the state of a stream alone.

Only |delta_text| is read: what was given once is not looked at again.  The
token ids tell no marks.  vLLM may hold text back (for stop strings, for half
a code point), so that a marker's text can come in a later step than its id.

Special tokens.  Markers that are special tokens must reach the parser:
adjust_request() sets skip_special_tokens=False, as vLLM's own parsers do,
and spaces_between_special_tokens=False, lest blanks be put between them.  It
does so when the request has tools and its tool_choice is not "none".  Where
markers were skipped all the same, Hermes' calls are text; of Gemma a whole
message that is one bare call is read, with strings that have lost their ends;
and Harmony's are told from what is left of its headers by a subclass with
options = {'recover_stripped': True}.

Reasoning.  With a reasoning parser in front, this one gets what is behind
the reasoning.  Without one, reasoning is content, in its markers, as with
vLLM's own parsers (|reasoning| = 'content'); but a call that the model only
thinks of, inside reasoning that it closes, is none.  'separate' puts it into
the streamed DeltaMessage's reasoning instead; a whole message has no place
for it there and loses it.  That is the default for Harmony.  For models with
Harmony that vLLM knows as such it uses its own parser, whatever is asked.

The end.  finish_streaming() delivers what was held back and closes a call
whose end marker is missing.  vLLM calls it of parsers with
engine_based_streaming.  Where that attribute is not known, the end is a step
whose last token stops the model and has no text.

finish_reason is vLLM's to say: "tool_calls" if a call was streamed and the
model stopped by itself.  A call that was cut off or is beyond repair has
been streamed without its last brace, so that it never parses; with
|hold_calls| a call is streamed when it is complete, and such a one never.
What could not be read is told to the logger "toolwire", and is not content.

Arguments are text as the model wrote it, also in prev_tool_call_arr; and
they equal streamed_args_for_tool, so that the server finds nothing to add.
(It must take a str there, as it does since March 2026 at the latest; older
ones made JSON of it once more, and may add that in the last chunk.)
tool_choice "required" and names make vLLM read JSON itself.
"""
import importlib
import importlib.util
import inspect
from typing import (Any, ClassVar, Dict, List, Mapping, Optional, Sequence,
                    Type)

from .._tables import find
from . import _stream
from ._stream import Step, Stream


# ---- what vLLM has, or what stands in for it -------------------------------

class _Plain:
    """Stands in for vLLM's protocol classes where there is no vLLM."""

    def __init__(self, **members: Any) -> None:
        self.__dict__.update(members)


class _PlainToolParser:
    engine_based_streaming = False

    def __init__(self, tokenizer: Any, tools: Any = None) -> None:
        self.prev_tool_call_arr: List[Dict[str, Any]] = []
        self.current_tool_id = -1
        self.current_tool_name_sent = False
        self.streamed_args_for_tool: List[str] = []
        self.model_tokenizer = tokenizer
        self.tools = tools or []

    def adjust_request(self, request: Any) -> Any:
        return request


class _Delta(_Plain):
    content: Optional[str] = None
    reasoning: Optional[str] = None
    tool_calls: Sequence[Any] = ()


_PARSERS = ('vllm.tool_parsers.abstract_tool_parser',
            'vllm.entrypoints.openai.tool_parsers.abstract_tool_parser')
_PROTOCOLS = ('vllm.entrypoints.generate.base.protocol',
              'vllm.entrypoints.openai.engine.protocol',
              'vllm.entrypoints.openai.protocol')

HAS_VLLM = importlib.util.find_spec('vllm') is not None


def _import(name: str, places: Sequence[str], plain: Any) -> Any:
    """|name| of the first module that has it."""
    if not HAS_VLLM:
        return plain
    tried = []
    for place in places:
        try:
            return getattr(importlib.import_module(place), name)
        except (ImportError, AttributeError) as error:
            tried.append(str(error))
    raise ImportError('this vLLM has no %s where it was looked for: %s'
                      % (name, '; '.join(tried)))


ToolParser: Any = _import('ToolParser', _PARSERS, _PlainToolParser)
DeltaFunctionCall: Any = _import('DeltaFunctionCall', _PROTOCOLS, _Plain)
DeltaMessage: Any = _import('DeltaMessage', _PROTOCOLS, _Delta)
DeltaToolCall: Any = _import('DeltaToolCall', _PROTOCOLS, _Plain)
ExtractedToolCallInformation: Any = _import('ExtractedToolCallInformation',
                                            _PROTOCOLS, _Plain)
FunctionCall: Any = _import('FunctionCall', _PROTOCOLS, _Plain)
ToolCall: Any = _import('ToolCall', _PROTOCOLS, _Plain)


def _reasoning_member() -> Optional[str]:
    """What DeltaMessage calls reasoning; older ones know of none."""
    known = getattr(DeltaMessage, 'model_fields', None)
    for name in ('reasoning', 'reasoning_content'):
        if known is None and hasattr(DeltaMessage, name) or name in (
                known or ()):
            return name
    return None


# ---- the parser ------------------------------------------------------------

class ToolwireToolParser(ToolParser):  # type: ignore[misc]
    """Subclasses say the format, and may change the rest."""

    format: str
    reasoning: str = 'content'  #: or 'separate'
    hold_calls: ClassVar[bool] = False
    options: ClassVar[Mapping[str, Any]] = {}  #: of toolwire.Decoder

    # Makes vLLM call finish_streaming().
    engine_based_streaming = True

    def __init__(self, tokenizer: Any, tools: Any = None,
                 **others: Any) -> None:
        known = inspect.signature(ToolParser.__init__).parameters
        if 'tools' in known:
            super().__init__(tokenizer, tools)
        else:
            super().__init__(tokenizer)
        self._declared = tools
        self._stream: Optional[Stream] = None
        self._stops: Optional[Dict[int, str]] = None

    def _tools(self, request: Any) -> Any:
        return self._declared or getattr(request, 'tools', None)

    def adjust_request(self, request: Any) -> Any:
        """Sees to it that the markers are in the text."""
        request = super().adjust_request(request)
        if request.tools and request.tool_choice != 'none':
            request.skip_special_tokens = False
            if hasattr(request, 'spaces_between_special_tokens'):
                request.spaces_between_special_tokens = False
        return request

    # ---- whole

    def extract_tool_calls(self, model_output: str, request: Any,
                           *others: Any, **more: Any) -> Any:
        """Content and complete calls."""
        content, calls = _stream.whole(model_output, self.format,
                                       self._tools(request), self.reasoning,
                                       self.options)
        return ExtractedToolCallInformation(
            tools_called=bool(calls),
            tool_calls=[ToolCall(id=call.id, type='function',
                                 function=FunctionCall(
                                     name=call.name,
                                     arguments=call.arguments))
                        for call in calls],
            content=content or None)

    # ---- streamed

    def extract_tool_calls_streaming(
            self, previous_text: str, current_text: str, delta_text: str,
            previous_token_ids: Sequence[int],
            current_token_ids: Sequence[int],
            delta_token_ids: Sequence[int], request: Any) -> Any:
        """What the step adds as a DeltaMessage, or None."""
        if self._stream is None:
            self._stream = Stream(self.format, self._tools(request),
                                  self.reasoning, self.hold_calls,
                                  self.options)
        if self._stream.finished:
            return None
        step = self._stream.feed(delta_text)
        if (not hasattr(ToolParser, 'engine_based_streaming')
                and self._is_last(delta_text, delta_token_ids)):
            _join(step, self._stream.finish())
        return self._delta(step)

    def finish_streaming(self) -> Any:
        """What the end adds as a DeltaMessage, or None."""
        if self._stream is None or self._stream.finished:
            return None
        return self._delta(self._stream.finish())

    def get_remaining_unstreamed_args(self) -> str:
        """None: a call is never closed for the model."""
        return ''

    def _is_last(self, text: str, ids: Sequence[int]) -> bool:
        if self._stops is None:
            vocabulary = self.model_tokenizer.get_vocab()
            self._stops = {vocabulary[marker.text]: marker.text
                           for marker in find(self.format).markers
                           if marker.stop and marker.text in vocabulary}
            end = getattr(self.model_tokenizer, 'eos_token_id', None)
            if isinstance(end, int):
                self._stops.setdefault(end, '')
        if not ids or ids[-1] not in self._stops:
            return False
        # A stop token that has its text did not stop the model.
        shown = self._stops[ids[-1]]
        return not shown or not text.endswith(shown)

    def _delta(self, step: Step) -> Any:
        members: Dict[str, Any] = {}
        if step.content:
            members['content'] = step.content
        reasoning = _reasoning_member()
        if step.reasoning and reasoning:
            members[reasoning] = step.reasoning
        if step.calls:
            members['tool_calls'] = [self._part(index, step)
                                     for index in sorted(step.calls)]
        return DeltaMessage(**members) if members else None

    def _part(self, index: int, step: Step) -> Any:
        """One piece for each call of a step, and a record of it where the
        server looks."""
        call = step.calls[index]
        if call.name is None:
            self.streamed_args_for_tool[index] += call.arguments
            self.prev_tool_call_arr[index]['arguments'] += call.arguments
            return DeltaToolCall(index=index, function=DeltaFunctionCall(
                arguments=call.arguments))
        self.current_tool_id = index
        self.current_tool_name_sent = True
        self.streamed_args_for_tool.append(call.arguments)
        self.prev_tool_call_arr.append({'name': call.name,
                                        'arguments': call.arguments})
        return DeltaToolCall(index=index, id=call.id, type='function',
                             function=DeltaFunctionCall(
                                 name=call.name, arguments=call.arguments))


class AutoToolParser(ToolwireToolParser):
    """The format is the one that the model's chat template tells."""

    def __init__(self, tokenizer: Any, tools: Any = None,
                 **others: Any) -> None:
        super().__init__(tokenizer, tools, **others)
        template = getattr(tokenizer, 'chat_template', None)
        if isinstance(template, dict):  # several, by name
            template = template.get('tool_use') or template.get('default')
        self.format = (
            _stream.format_of_text(template) if isinstance(template, str)
            else _stream.format_of_model(
                str(getattr(tokenizer, 'name_or_path', ''))))
        self.reasoning = _stream.reasoning_of(self.format)


def _join(step: Step, more: Step) -> None:
    step.content += more.content
    step.reasoning += more.reasoning
    for index, call in more.calls.items():
        if index in step.calls:
            step.calls[index].arguments += call.arguments
        else:
            step.calls[index] = call


def parser_for(format: str) -> Type[ToolwireToolParser]:
    """The parser class of a format or a dialect."""
    find(format)
    return type(_stream.class_name(format, 'ToolParser'),
                (ToolwireToolParser,),
                {'format': format, '__module__': __name__,
                 'reasoning': _stream.reasoning_of(format)})


def __getattr__(name: str) -> Type[ToolwireToolParser]:
    """HermesToolParser, and the like of every format and dialect."""
    found = _stream.class_named(name, 'ToolParser', parser_for)
    globals()[name] = found
    return found


def names() -> List[str]:
    """Under which register() puts the parsers."""
    return [_stream.AUTO] + [_stream.server_name(name) for name in _stream.names()]


def register() -> None:
    """Makes all parsers known to vLLM."""
    if not HAS_VLLM:
        raise ImportError('there is no vLLM to register parsers with')
    manager = _import('ToolParserManager', _PARSERS, None)
    manager.register_module(_stream.AUTO, force=True, module=AutoToolParser)
    for name in _stream.names():
        manager.register_module(_stream.server_name(name), force=True,
                                module=parser_for(name))
