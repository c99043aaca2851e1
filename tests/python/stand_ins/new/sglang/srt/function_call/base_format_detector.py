# SPDX-License-Identifier: MIT
"""The shape of SGLang's base class."""
from abc import ABC, abstractmethod

from .core_types import StreamingParseResult


class BaseFormatDetector(ABC):
    def __init__(self):
        self._buffer = ''
        self.prev_tool_call_arr = []
        self.current_tool_id = -1
        self.current_tool_name_sent = False
        self.streamed_args_for_tool = []
        self.bot_token = ''
        self.eot_token = ''
        self.tool_call_separator = ', '

    @abstractmethod
    def detect_and_parse(self, text, tools):
        raise NotImplementedError

    @abstractmethod
    def has_tool_call(self, text):
        raise NotImplementedError

    @abstractmethod
    def structure_info(self):
        raise NotImplementedError

    @abstractmethod
    def build_ebnf(self, tools):
        raise NotImplementedError

    def parse_streaming_increment(self, new_text, tools):
        raise AssertionError('the base would parse it')

    def finish(self, tools):
        return StreamingParseResult()

    def supports_structural_tag(self):
        return True

    def parses_required_natively(self):
        return False
