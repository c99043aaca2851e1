# SPDX-License-Identifier: MIT
"""A plugin of pytest in which vLLM's tests of its tool parsers run: without
their conftest.py, which wants the whole of inference, and with a tokenizer whose
tokens are markers and characters.  Where HOSTS_SUITE is "ours", their parsers are
replaced by toolwire's.

HOSTS_SUITE_OUT is the file that gets a line of each test: its outcome.
"""
import json
import logging
import os
import signal

import pytest

import stubs
import vllm_host
import vllm_peer

PATIENCE = 20  # seconds a test

stubs.stub(vllm_host.STUBBED)
import torch  # noqa: E402  the stub

torch.iinfo = lambda _kind: vllm_host.Bag(min=-1 << 63, max=(1 << 63) - 1)


def parsers():
    """The formats of toolwire by the names of vLLM's parsers."""
    path = os.path.join(os.path.dirname(vllm_peer.__file__), 'peers.json')
    with open(path, encoding='utf-8') as file:
        formats = json.load(file)['vllm']['formats']
    found = {}
    for form, (name, *_reasoning) in formats.items():
        found.setdefault(name, form)
    return found


def replace():
    """Puts ours where a test may take theirs from."""
    import importlib
    from toolwire.integrations import vllm as ours
    from vllm.tool_parsers import ToolParserManager
    for name, form in parsers().items():
        module, class_name = ToolParserManager.lazy_parsers[name]
        made = ours.parser_for(form)
        setattr(importlib.import_module(module), class_name, made)
        ToolParserManager.tool_parsers[name] = made


class AnyTokenizer(vllm_peer.Tokenizer):
    """The markers of all formats are tokens."""

    def __init__(self):
        super().__init__('hermes/qwen3')
        import line
        with open(os.environ['PEERS_MARKERS'], encoding='utf-8') as file:
            forms = [json.loads(row)['name'] for row in file]
        self.specials = sorted({text for form in forms
                                for text in line.Tokens(form).specials},
                               key=len, reverse=True)
        self.ids = {text: i for i, text in enumerate(self.specials)}
        self.cut = line.re.compile('|'.join(map(line.re.escape,
                                                self.specials)))
        self.vocab = dict(self.ids)
        self.control = []
        self.all_special_tokens = []
        self.all_special_ids = []

    def tokenize(self, text):
        return list(self.split(text))


@pytest.fixture(scope='module')
def default_tokenizer():
    return AnyTokenizer()


def pytest_configure():
    logging.disable(logging.CRITICAL)
    import transformers
    import vllm.tokenizers
    made = AnyTokenizer()
    transformers.AutoTokenizer = vllm_host.Bag(
        from_pretrained=lambda *_names, **_options: made)
    vllm.tokenizers.get_tokenizer = lambda *_names, **_options: made
    if os.environ['HOSTS_SUITE'] == 'ours':
        replace()


def too_long(_signal, _frame):
    raise TimeoutError('more than %d s' % PATIENCE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol():
    """One test that waits for a network holds up no other."""
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(PATIENCE)
    try:
        return (yield)
    finally:
        signal.alarm(0)


def pytest_runtest_logreport(report):
    if report.when == 'call' or report.outcome == 'failed':
        with open(os.environ['HOSTS_SUITE_OUT'], 'a',
                  encoding='utf-8') as file:
            xfail = hasattr(report, 'wasxfail')
            file.write(json.dumps({
                'test': report.nodeid, 'xfail': xfail,
                'outcome': report.outcome,
                'why': str(report.longrepr or '')[-400:]}) + '\n')
