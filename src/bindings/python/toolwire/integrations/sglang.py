# SPDX-License-Identifier: MIT
# What is of SGLang has types where it is installed, and is unknown elsewhere.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""Function call detectors for SGLang.

    sglang serve --model-path MODEL --tool-call-parser toolwire_auto

SGLang finds what is installed here by pip as a plugin (entry points of the
group sglang.srt.plugins), and calls register() before it reads its arguments.
Versions that have no plugins want a program that calls register() itself, in
the process that serves HTTP.

toolwire_auto takes the format that the chat template of the served model
tells; register(model=FOLDER) names another model.  The other names are
toolwire_gemma4, toolwire_harmony, toolwire_hermes, and one for each dialect,
such as toolwire_hermes_qwen2_5: names() lists them.

`make hosts` runs this inside SGLang 0.5.23's chat server (docs/hosts.md).

One detector, one message: SGLang makes a FunctionCallParser, and with it a
detector, for each choice of each request.  detect_and_parse() and
has_tool_call() leave the state of a stream alone.

has_tool_call() does not look for a marker but reads the text: it is true if
there is a call, a block that was to be one, or anything that is not content.
Where it is false the server takes a whole text as it stands.

finish() delivers what was held back and closes a call whose end marker is
missing.  Versions that do not call it leave such a call open.

tool_index counts the calls of the message from 0.  Arguments are text as the
model wrote it.  prev_tool_call_arr stays empty: from it the server would add
what it thinks is missing of the last call, and nothing is.  A call to a tool
that was not declared is delivered all the same.

Special tokens must be in the text: SGLang sees to it when a request has
tools.  Where markers were skipped all the same, Hermes' calls are text; of
Gemma a whole message that is one bare call is read, with strings that have
lost their ends; and Harmony's are told from what is left of its headers by a
subclass with options = {'recover_stripped': True}.

Reasoning.  With a reasoning parser in front, this one gets what is behind
the reasoning; for Harmony that is text without a header, and calls as they
stood on the wire, which reads as content and calls.  (SGLang's own for
Harmony, gpt-oss, drops the last call when it is not SGLang's own tool parser
that follows: start such a server without it.)  Without a reasoning parser
reasoning is normal text, in its markers (|reasoning| = 'content'), but a call
inside reasoning that the model closes is none.  'separate', the default for
Harmony, leaves reasoning out: a StreamingParseResult has no place for it.

finish_reason is SGLang's to say: "tool_calls" if a call was streamed and the
model stopped by itself.  A call that was cut off or is beyond repair has
been streamed without its last brace, so that it never parses; with
|hold_calls| a call is delivered when it is complete, and such a one never.
What could not be read is told to the logger "toolwire", and is not text.
"""
import importlib
import importlib.util
from typing import Any, ClassVar, List, Mapping, Optional, Type

from .._tables import find
from . import _stream
from ._stream import Step, Stream


# ---- what SGLang has, or what stands in for it -----------------------------

class _PlainDetector:
    """Stands in for BaseFormatDetector where there is no SGLang."""

    def __init__(self) -> None:
        self.prev_tool_call_arr: List[Any] = []
        self.current_tool_id = -1
        self.current_tool_name_sent = False
        self.streamed_args_for_tool: List[str] = []
        self.bot_token = self.eot_token = ''

    def parses_required_natively(self) -> bool:
        return False

    def get_structural_tag(self, *others: Any, **more: Any) -> None:
        return None

    get_auto_tool_call_structural_tag = get_structural_tag


class _PlainItem:
    def __init__(self, tool_index: int, name: Optional[str] = None,
                 parameters: str = '') -> None:
        self.tool_index = tool_index
        self.name = name
        self.parameters = parameters


class _PlainResult:
    def __init__(self, normal_text: str = '',
                 calls: Optional[List[Any]] = None) -> None:
        self.normal_text = normal_text
        self.calls = calls or []


HAS_SGLANG = importlib.util.find_spec('sglang') is not None


def _import(module: str, name: str, plain: Any) -> Any:
    if not HAS_SGLANG:
        return plain
    return getattr(importlib.import_module('sglang.srt.function_call.'
                                           + module), name)


BaseFormatDetector: Any = _import('base_format_detector',
                                  'BaseFormatDetector', _PlainDetector)
StreamingParseResult: Any = _import('core_types', 'StreamingParseResult',
                                    _PlainResult)
ToolCallItem: Any = _import('core_types', 'ToolCallItem', _PlainItem)


# ---- the detector ----------------------------------------------------------

class ToolwireDetector(BaseFormatDetector):  # type: ignore[misc]
    """Subclasses say the format, and may change the rest."""

    format: str
    reasoning: str = 'content'  #: or 'separate'
    hold_calls: ClassVar[bool] = False
    options: ClassVar[Mapping[str, Any]] = {}  #: of toolwire.Decoder

    def __init__(self) -> None:
        super().__init__()
        self._stream: Optional[Stream] = None

    def has_tool_call(self, text: str) -> bool:
        return (_stream.has_call(text, self.format, self.options)
                or self.detect_and_parse(text, None).normal_text != text)

    def detect_and_parse(self, text: str, tools: Any) -> Any:
        """Text and complete calls of a whole output."""
        content, calls = _stream.whole(text, self.format, tools,
                                       self.reasoning, self.options)
        return StreamingParseResult(
            normal_text=content,
            calls=[ToolCallItem(tool_index=index, name=call.name,
                                parameters=call.arguments)
                   for index, call in enumerate(calls)])

    def parse_streaming_increment(self, new_text: str, tools: Any) -> Any:
        """What the step adds."""
        if self._stream is None:
            self._stream = Stream(self.format, tools, self.reasoning,
                                  self.hold_calls, self.options)
        if self._stream.finished:
            return StreamingParseResult()
        return self._result(self._stream.feed(new_text))

    def finish(self, tools: Any) -> Any:
        """What the end adds."""
        if self._stream is None or self._stream.finished:
            return StreamingParseResult()
        return self._result(self._stream.finish())

    def _result(self, step: Step) -> Any:
        calls = []
        for index in sorted(step.calls):
            call = step.calls[index]
            if call.name is not None:
                self.current_tool_id = index
                self.current_tool_name_sent = True
                self.streamed_args_for_tool.append('')
            self.streamed_args_for_tool[index] += call.arguments
            calls.append(ToolCallItem(tool_index=index, name=call.name,
                                      parameters=call.arguments))
        return StreamingParseResult(normal_text=step.content, calls=calls)

    # toolwire reads what a model wrote; it does not steer it.

    def supports_structural_tag(self) -> bool:
        return False

    def structure_info(self) -> Any:
        raise NotImplementedError('toolwire does not constrain decoding')

    def build_ebnf(self, tools: Any) -> str:
        raise NotImplementedError('toolwire does not constrain decoding')


def _served() -> str:
    """The folder or the name of the model that this process serves."""
    arguments = importlib.import_module(
        'sglang.srt.server_args').get_global_server_args()
    return str(arguments.tokenizer_path or arguments.model_path)


class AutoDetector(ToolwireDetector):
    """The format is the one that the model's chat template tells."""

    model: ClassVar[Optional[str]] = None  #: None: the one that is served

    def __init__(self) -> None:
        super().__init__()
        self.format = _stream.format_of_model(self.model or _served())
        self.reasoning = _stream.reasoning_of(self.format)


def detector_for(format: str) -> Type[ToolwireDetector]:
    """The detector class of a format or a dialect."""
    find(format)
    return type(_stream.class_name(format, 'Detector'), (ToolwireDetector,),
                {'format': format, '__module__': __name__,
                 'reasoning': _stream.reasoning_of(format)})


def __getattr__(name: str) -> Type[ToolwireDetector]:
    """HermesDetector, and the like of every format and dialect."""
    found = _stream.class_named(name, 'Detector', detector_for)
    globals()[name] = found
    return found


def names() -> List[str]:
    """Under which register() puts the detectors."""
    return [_stream.AUTO] + [_stream.server_name(name) for name in _stream.names()]


def register(model: Optional[str] = None) -> None:
    """Makes all detectors known to SGLang; |model| is toolwire_auto's."""
    if not HAS_SGLANG:
        raise ImportError('there is no SGLang to register detectors with')
    known = _import('function_call_parser', 'FunctionCallParser',
                    None).ToolCallParserEnum
    if model is not None:
        AutoDetector.model = model
    known[_stream.AUTO] = AutoDetector
    for name in _stream.names():
        known[_stream.server_name(name)] = detector_for(name)
