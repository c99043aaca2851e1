# SPDX-License-Identifier: MIT
"""The options of each function and class, for type checkers: nothing imports
them at run time.  tests/python/types_test.py holds them against the tables
that the functions read."""
from typing import Callable, Literal, Optional, TypedDict, Union

from ._options import FormatName, Json, Text

ApiWord = Literal['chat', 'responses', 'anthropic']
FinishWord = Literal['unknown', 'stop', 'length']
ShapeWord = Literal['message', 'chat', 'responses', 'anthropic']


class DecoderOptions(TypedDict, total=False):
    strict: Optional[bool]
    start_reasoning: Union[None, bool, Literal['auto']]
    calls_in_reasoning: Optional[bool]
    recover_stripped: Optional[bool]
    keep_raw: Optional[bool]
    framing: Optional[bool]
    first_call: Optional[int]
    untyped: Optional[Literal['string', 'json']]
    validate: Optional[Literal['no', 'report', 'refuse', 'mend']]
    limit_depth: Optional[int]
    limit_name: Optional[int]
    limit_arguments: Optional[int]
    limit_calls: Optional[int]
    limit_input: Optional[int]
    call_id_prefix: Optional[Text]
    tool_choice: Optional[Text]


class _MessageOptions(TypedDict, total=False):
    hold_calls: Optional[bool]
    custom_function: Optional[bool]
    reasoning_key: Optional[Literal['reasoning_content', 'reasoning']]


class _ChunkOptions(TypedDict, total=False):
    reasoning_summary: Optional[bool]
    created: Optional[int]
    choice: Optional[int]
    join_chunks: Optional[bool]
    system_fingerprint: Optional[Text]
    id: Optional[Text]
    model: Optional[Text]


class UpdateOptions(TypedDict, total=False):
    finish_reason: Optional[Text]
    usage: Optional[Json]
    stop_sequence: Optional[Text]


class WriterOptions(_MessageOptions, _ChunkOptions, UpdateOptions,
                    total=False):
    sse: Optional[bool]


class StreamOptions(DecoderOptions, _MessageOptions, _ChunkOptions,
                    total=False):
    # What is known late may be a function that is asked at the end.
    finish_reason: Union[Text, None, Callable[[], Text]]
    usage: Union[Json, None, Callable[[], Json]]
    stop_sequence: Union[Text, None, Callable[[], Text]]


class DecodeOptions(DecoderOptions, _MessageOptions, total=False):
    pass


class _LossOptions(TypedDict, total=False):
    loss: Optional[Literal['report', 'refuse', 'ignore']]
    ids: Optional[Literal['keep', 'map', 'make']]


class _PromptOptions(_LossOptions, total=False):
    control_text: Optional[Literal['reject', 'allow', 'break']]
    python_numbers: Optional[bool]


class EncodeOptions(_PromptOptions, total=False):
    settings: Optional[Json]
    now: Optional[Text]
    sampled_last: Optional[bool]
    sampled_no_reasoning: Optional[bool]
    sampled_by_weight: Optional[bool]


class EncoderOptions(EncodeOptions, total=False):
    generation_prompt: Optional[bool]


class _RecordOptions(DecodeOptions, total=False):
    arguments_object: Optional[bool]


class _Parameters(TypedDict, total=False):
    tools: Optional[Json]
    prompt: Optional[Text]
    finish: FinishWord
    chunk: int


class TranscriptOptions(_RecordOptions, _LossOptions, _Parameters,
                        total=False):
    pass


class ConverterOptions(_RecordOptions, _PromptOptions, total=False):
    generation_prompt: Optional[bool]
    unit_completion: Optional[bool]
    field: Optional[Text]
    prompt_field: Optional[Text]
    finish_field: Optional[Text]
    messages: Optional[Text]


class ConvertOptions(ConverterOptions, _Parameters, total=False):
    wire: Optional[FormatName]
