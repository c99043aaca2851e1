# SPDX-License-Identifier: MIT
"""The options of each function and class, for type checkers: made of the
tables of this package by tests/python/types_made.py, and never imported."""
from typing import Callable, Literal, Optional, TypedDict, Union

from ._options import FormatName, Json, Text

ApiWord = Literal['chat', 'responses', 'anthropic']
FinishWord = Literal['unknown', 'stop', 'length']
ShapeWord = Literal['message', 'chunks', 'responses', 'anthropic']


class DecoderOptions(TypedDict, total=False):
    strict: Optional[bool]
    start_reasoning: Optional[bool]
    calls_in_reasoning: Optional[bool]
    recover_stripped: Optional[bool]
    keep_raw: Optional[bool]
    framing: Optional[bool]
    first_call: Optional[int]
    untyped: Optional[Literal['string', 'json']]
    validate: Optional[Literal['no', 'report', 'refuse']]
    limit_depth: Optional[int]
    limit_name: Optional[int]
    limit_arguments: Optional[int]
    limit_calls: Optional[int]
    limit_input: Optional[int]
    call_id_prefix: Optional[Text]


class WriterOptions(TypedDict, total=False):
    hold_calls: Optional[bool]
    custom_function: Optional[bool]
    reasoning_key: Optional[Literal['reasoning_content', 'reasoning']]
    sse: Optional[bool]
    reasoning_summary: Optional[bool]
    created: Optional[int]
    choice: Optional[int]
    join_chunks: Optional[bool]
    finish_reason: Optional[Text]
    usage: Optional[Json]
    system_fingerprint: Optional[Text]
    id: Optional[Text]
    model: Optional[Text]


class UpdateOptions(TypedDict, total=False):
    finish_reason: Optional[Text]
    usage: Optional[Json]


class StreamOptions(TypedDict, total=False):
    strict: Optional[bool]
    start_reasoning: Optional[bool]
    calls_in_reasoning: Optional[bool]
    recover_stripped: Optional[bool]
    keep_raw: Optional[bool]
    framing: Optional[bool]
    first_call: Optional[int]
    untyped: Optional[Literal['string', 'json']]
    validate: Optional[Literal['no', 'report', 'refuse']]
    limit_depth: Optional[int]
    limit_name: Optional[int]
    limit_arguments: Optional[int]
    limit_calls: Optional[int]
    limit_input: Optional[int]
    call_id_prefix: Optional[Text]
    hold_calls: Optional[bool]
    custom_function: Optional[bool]
    reasoning_key: Optional[Literal['reasoning_content', 'reasoning']]
    reasoning_summary: Optional[bool]
    created: Optional[int]
    choice: Optional[int]
    join_chunks: Optional[bool]
    finish_reason: Union[Text, None, Callable[[], Text]]
    usage: Union[Json, None, Callable[[], Json]]
    system_fingerprint: Optional[Text]
    id: Optional[Text]
    model: Optional[Text]


class DecodeOptions(TypedDict, total=False):
    strict: Optional[bool]
    start_reasoning: Optional[bool]
    calls_in_reasoning: Optional[bool]
    recover_stripped: Optional[bool]
    keep_raw: Optional[bool]
    framing: Optional[bool]
    first_call: Optional[int]
    untyped: Optional[Literal['string', 'json']]
    validate: Optional[Literal['no', 'report', 'refuse']]
    limit_depth: Optional[int]
    limit_name: Optional[int]
    limit_arguments: Optional[int]
    limit_calls: Optional[int]
    limit_input: Optional[int]
    call_id_prefix: Optional[Text]
    hold_calls: Optional[bool]
    custom_function: Optional[bool]
    reasoning_key: Optional[Literal['reasoning_content', 'reasoning']]


class EncoderOptions(TypedDict, total=False):
    generation_prompt: Optional[bool]
    control_text: Optional[Literal['reject', 'allow', 'break']]
    python_numbers: Optional[bool]
    loss: Optional[Literal['report', 'refuse', 'ignore']]
    settings: Optional[Json]


class EncodeOptions(TypedDict, total=False):
    control_text: Optional[Literal['reject', 'allow', 'break']]
    python_numbers: Optional[bool]
    loss: Optional[Literal['report', 'refuse', 'ignore']]
    settings: Optional[Json]


class ConverterOptions(TypedDict, total=False):
    strict: Optional[bool]
    start_reasoning: Optional[bool]
    calls_in_reasoning: Optional[bool]
    recover_stripped: Optional[bool]
    keep_raw: Optional[bool]
    framing: Optional[bool]
    first_call: Optional[int]
    untyped: Optional[Literal['string', 'json']]
    validate: Optional[Literal['no', 'report', 'refuse']]
    limit_depth: Optional[int]
    limit_name: Optional[int]
    limit_arguments: Optional[int]
    limit_calls: Optional[int]
    limit_input: Optional[int]
    call_id_prefix: Optional[Text]
    hold_calls: Optional[bool]
    custom_function: Optional[bool]
    reasoning_key: Optional[Literal['reasoning_content', 'reasoning']]
    generation_prompt: Optional[bool]
    control_text: Optional[Literal['reject', 'allow', 'break']]
    python_numbers: Optional[bool]
    loss: Optional[Literal['report', 'refuse', 'ignore']]
    unit_completion: Optional[bool]
    arguments_object: Optional[bool]
    field: Optional[Text]
    messages: Optional[Text]


class ConvertOptions(TypedDict, total=False):
    strict: Optional[bool]
    start_reasoning: Optional[bool]
    calls_in_reasoning: Optional[bool]
    recover_stripped: Optional[bool]
    keep_raw: Optional[bool]
    framing: Optional[bool]
    first_call: Optional[int]
    untyped: Optional[Literal['string', 'json']]
    validate: Optional[Literal['no', 'report', 'refuse']]
    limit_depth: Optional[int]
    limit_name: Optional[int]
    limit_arguments: Optional[int]
    limit_calls: Optional[int]
    limit_input: Optional[int]
    call_id_prefix: Optional[Text]
    hold_calls: Optional[bool]
    custom_function: Optional[bool]
    reasoning_key: Optional[Literal['reasoning_content', 'reasoning']]
    generation_prompt: Optional[bool]
    control_text: Optional[Literal['reject', 'allow', 'break']]
    python_numbers: Optional[bool]
    loss: Optional[Literal['report', 'refuse', 'ignore']]
    unit_completion: Optional[bool]
    arguments_object: Optional[bool]
    field: Optional[Text]
    messages: Optional[Text]
    wire: Optional[FormatName]
    tools: Optional[Json]
    prompt: Optional[Text]
    finish: FinishWord
    chunk: int


class TranscriptOptions(TypedDict, total=False):
    strict: Optional[bool]
    start_reasoning: Optional[bool]
    calls_in_reasoning: Optional[bool]
    recover_stripped: Optional[bool]
    keep_raw: Optional[bool]
    framing: Optional[bool]
    first_call: Optional[int]
    untyped: Optional[Literal['string', 'json']]
    validate: Optional[Literal['no', 'report', 'refuse']]
    limit_depth: Optional[int]
    limit_name: Optional[int]
    limit_arguments: Optional[int]
    limit_calls: Optional[int]
    limit_input: Optional[int]
    call_id_prefix: Optional[Text]
    hold_calls: Optional[bool]
    custom_function: Optional[bool]
    reasoning_key: Optional[Literal['reasoning_content', 'reasoning']]
    arguments_object: Optional[bool]
    loss: Optional[Literal['report', 'refuse', 'ignore']]
    tools: Optional[Json]
    prompt: Optional[Text]
    finish: FinishWord
    chunk: int
