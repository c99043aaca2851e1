# SPDX-License-Identifier: MIT
"""The shape of vLLM's base class before: no tools, no call at the end."""


class ToolParser:
    def __init__(self, tokenizer):
        self.prev_tool_call_arr = []
        self.current_tool_id = -1
        self.current_tool_name_sent = False
        self.streamed_args_for_tool = []
        self.model_tokenizer = tokenizer

    def adjust_request(self, request):
        request.seen_by_base = True
        return request


class ToolParserManager:
    tool_parsers = {}

    @classmethod
    def register_module(cls, name=None, force=True, module=None):
        if not issubclass(module, ToolParser):
            raise TypeError('%r is no ToolParser' % module)
        cls.tool_parsers[name] = module
        return module
