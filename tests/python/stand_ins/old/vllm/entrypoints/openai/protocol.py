# SPDX-License-Identifier: MIT
from strict import (DeltaFunctionCall, DeltaToolCall,
                    ExtractedToolCallInformation, FunctionCall)
from strict import OldDeltaMessage as DeltaMessage
from strict import ToolCall

__all__ = ['DeltaFunctionCall', 'DeltaMessage', 'DeltaToolCall',
           'ExtractedToolCallInformation', 'FunctionCall', 'ToolCall']
