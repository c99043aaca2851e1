# SPDX-License-Identifier: MIT
"""Parsers that take the place of a server's own.

    toolwire.integrations.vllm      tool parsers
    toolwire.integrations.sglang    function call detectors

Neither server is imported here; each module says what it needs.
"""
import os


def vllm_plugin() -> str:
    """The file for vLLM's --tool-parser-plugin."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        'toolwire_vllm_plugin.py')
