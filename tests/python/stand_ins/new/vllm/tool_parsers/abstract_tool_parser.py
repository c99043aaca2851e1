# SPDX-License-Identifier: MIT
"""The shape of vLLM's base class since 2026."""


class ToolParser:
    supports_required_and_named = True
    structural_tag_model = None
    engine_based_streaming = False

    def __init__(self, tokenizer, tools=None):
        self.prev_tool_call_arr = []
        self.current_tool_id = -1
        self.current_tool_name_sent = False
        self.streamed_args_for_tool = []
        self.model_tokenizer = tokenizer
        self.tools = tools or []

    def adjust_request(self, request):
        request.seen_by_base = True
        return request

    def get_remaining_unstreamed_args(self):
        raise AssertionError('the base would close the call')


class ToolParserManager:
    tool_parsers = {}

    @classmethod
    def register_module(cls, name=None, force=True, module=None):
        if not issubclass(module, ToolParser):
            raise TypeError('%r is no ToolParser' % module)
        cls.tool_parsers[name] = module
        return module
