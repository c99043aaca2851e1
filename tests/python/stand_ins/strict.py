# SPDX-License-Identifier: MIT
"""Classes that take the members that they declare, and no others, as the
servers' protocol classes do."""


class Record:
    """Subclasses have |model_fields|: name to (type, default)."""

    model_fields = {}

    def __init__(self, **members):
        unknown = set(members) - set(self.model_fields)
        if unknown:
            raise TypeError('%s has no %s' % (type(self).__name__, unknown))
        self.model_fields_set = set(members)
        for name, (kind, default) in self.model_fields.items():
            value = members.get(name, default)
            if value is Ellipsis:
                raise TypeError('%s needs %s' % (type(self).__name__, name))
            if value is not None and not isinstance(value, kind):
                raise TypeError('%s.%s is %r' % (type(self).__name__, name,
                                                 value))
            setattr(self, name, list(value) if isinstance(value, list)
                    else value)


class FunctionCall(Record):
    model_fields = {'id': (str, None), 'name': (str, ...),
                    'arguments': (str, ...)}


class ToolCall(Record):
    model_fields = {'id': (str, 'made-up'), 'type': (str, 'function'),
                    'function': (FunctionCall, ...)}


class DeltaFunctionCall(Record):
    model_fields = {'name': (str, None), 'arguments': (str, None)}


class DeltaToolCall(Record):
    model_fields = {'id': (str, None), 'type': (str, None),
                    'index': (int, ...),
                    'function': (DeltaFunctionCall, None)}


class ExtractedToolCallInformation(Record):
    model_fields = {'tools_called': (bool, ...), 'tool_calls': (list, ...),
                    'content': (str, None)}


class DeltaMessage(Record):
    model_fields = {'role': (str, None), 'content': (str, None),
                    'reasoning': (str, None), 'tool_calls': (list, [])}


class OldDeltaMessage(Record):
    model_fields = {'role': (str, None), 'content': (str, None),
                    'reasoning_content': (str, None), 'tool_calls': (list, [])}
