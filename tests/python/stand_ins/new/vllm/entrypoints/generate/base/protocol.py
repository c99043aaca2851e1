# SPDX-License-Identifier: MIT
from strict import (DeltaFunctionCall, DeltaMessage, DeltaToolCall,
                    ExtractedToolCallInformation, FunctionCall, ToolCall)

__all__ = ['DeltaFunctionCall', 'DeltaMessage', 'DeltaToolCall',
           'ExtractedToolCallInformation', 'FunctionCall', 'ToolCall']
