# SPDX-License-Identifier: MIT
"""The classes of vLLM's answers, where they stand since 2026."""
from strict import (DeltaFunctionCall, DeltaMessage, DeltaToolCall,
                    ExtractedToolCallInformation, FunctionCall, ToolCall)

__all__ = ['DeltaFunctionCall', 'DeltaMessage', 'DeltaToolCall',
           'ExtractedToolCallInformation', 'FunctionCall', 'ToolCall']
