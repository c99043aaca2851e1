# SPDX-License-Identifier: MIT
"""The file for vLLM's --tool-parser-plugin: registers all parsers.  (vLLM
imports it by its file's name, so that no file called vllm.py will do.)"""
from toolwire.integrations import vllm

vllm.register()
