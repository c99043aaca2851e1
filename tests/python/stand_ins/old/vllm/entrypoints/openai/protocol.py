# SPDX-License-Identifier: MIT
"""The classes of vLLM's answers, where they stood before."""
from strict import (DeltaFunctionCall, DeltaToolCall,
                    ExtractedToolCallInformation, FunctionCall)
from strict import OldDeltaMessage as DeltaMessage
from strict import ToolCall

__all__ = ['DeltaFunctionCall', 'DeltaMessage', 'DeltaToolCall',
           'ExtractedToolCallInformation', 'FunctionCall', 'ToolCall']
