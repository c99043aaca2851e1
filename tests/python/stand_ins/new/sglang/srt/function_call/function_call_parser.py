# SPDX-License-Identifier: MIT


class FunctionCallParser:
    ToolCallParserEnum = {}
