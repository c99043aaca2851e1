# SPDX-License-Identifier: MIT
"""vLLM's own tests of its tool parsers, read in place from its source, on
toolwire's parsers.  What its parsers pass with this tokenizer, ours are to pass.

Use: vllm_suite_host.py HOME, by run.py; HOME holds the unpacked package, and
HOME/sdist its source.
"""
import collections
import json
import os
import re
import subprocess
import sys

from tally import Tally

HERE = os.path.dirname(os.path.abspath(__file__))
# Of other things than parsers: grammars for decoding.
LEFT_OUT = 'tests/tool_parsers/test_structural_tag_registry.py'
PATIENCE = 1800  # seconds


def outcomes(home, suite):
    """The outcome of each test, and why; with their parsers or ours."""
    source = os.path.realpath(os.path.join(home, 'sdist'))
    out = os.path.join(home, suite + '.jsonl')
    if os.path.exists(out):
        os.remove(out)
    environment = dict(
        os.environ, HOSTS_SUITE=suite, HOSTS_SUITE_OUT=out, HF_HUB_OFFLINE='1',
        PYTHONPATH=os.pathsep.join([os.environ['PYTHONPATH'], home, source]))
    with open(os.path.join(home, suite + '.log'), 'wb') as log:
        subprocess.run(
            [sys.executable, '-m', 'pytest', '-p', 'vllm_suite',
             '--noconftest', '-p', 'no:cacheprovider', '--tb=short', '-q',
             '-c', '/dev/null', '--rootdir', source, '--deselect', LEFT_OUT,
             'tests/tool_parsers'], cwd=source, env=environment, stdout=log,
            stderr=log, check=False, timeout=PATIENCE)
    found = {}
    with open(out, encoding='utf-8') as file:
        for row in map(json.loads, file):
            name = row['test'].split('tool_parsers/')[-1]
            name = re.sub(r'[^\w:.\[-]+', '_', name)[:120]
            found[name] = ('xfail' if row['xfail'] else row['outcome'],
                           row['why'])
    return found


def main():
    home = sys.argv[1]
    tally = Tally('vllm-tests')
    theirs, ours = outcomes(home, 'theirs'), outcomes(home, 'ours')
    for name, (outcome, _) in sorted(theirs.items()):
        if outcome == 'passed':
            got, why = ours.get(name, ('not run', ''))
            if got == 'passed':
                tally.good()
            else:
                tally.bad(name, why[-200:])
    counts = collections.Counter(outcome for outcome, _ in theirs.values())
    tally.end(
        versions='vllm 0.33.0, its tests',
        stubbed='the tokenizers: models\' own are not to be had',
        left_out='%d that its own parsers do not pass with this tokenizer; %s'
        % (counts['failed'], LEFT_OUT),
        said='%d tests pass with its parsers only, %d with ours only' % (
            tally.judged + tally.failed, sum(
                theirs[name][0] != 'passed' and ours[name][0] == 'passed'
                for name in theirs if name in ours)))


if __name__ == '__main__':
    main()
