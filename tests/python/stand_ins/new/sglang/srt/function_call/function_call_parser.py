# SPDX-License-Identifier: MIT
"""Where SGLang looks its detectors up."""


class FunctionCallParser:
    ToolCallParserEnum = {}
