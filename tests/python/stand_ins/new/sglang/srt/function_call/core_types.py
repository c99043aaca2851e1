# SPDX-License-Identifier: MIT
"""What SGLang's detectors give back."""
from strict import Record


class ToolCallItem(Record):
    model_fields = {'tool_index': (int, ...), 'name': (str, None),
                    'parameters': (str, ...), 'tool_call_id': (str, None)}


class StreamingParseResult(Record):
    model_fields = {'normal_text': (str, ''), 'calls': (list, [])}
