# SPDX-License-Identifier: MIT
"""Counts what comes of a part.

A difference that docs/hosts.md judges is in judged.jsonl: the part, a pattern of
names, who is right and why.  Something must still differ there, or the row is out
of date and fails.
"""
import fnmatch
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
SHOWN = int(os.environ.get('HOSTS_SHOWN', '12'))  # Of the differences; the rest are counted.


class Tally:
    """What came of a part."""

    def __init__(self, part):
        self.passed = self.failed = self.judged = 0
        self.verdicts = {}  # by pattern, how often it differed
        with open(os.path.join(HERE, 'judged.jsonl'),
                  encoding='utf-8') as file:
            for line in file:
                row = json.loads(line)
                if row['part'] == part:
                    self.verdicts[row['name']] = 0

    def good(self, count=1):
        self.passed += count

    def bad(self, name, why):
        """A difference; |name| says in which case."""
        for pattern in self.verdicts:
            if fnmatch.fnmatchcase(name, pattern):
                self.verdicts[pattern] += 1
                self.judged += 1
                return
        self.failed += 1
        if self.failed <= SHOWN:
            print('%s: %s' % (name, why))

    def same(self, name, got, wanted):
        if got == wanted:
            self.good()
        else:
            self.bad(name, '\n    got    %s\n    wanted %s' % (
                json.dumps(got, ensure_ascii=False)[:400],
                json.dumps(wanted, ensure_ascii=False)[:400]))

    def end(self, **more):
        """Prints the last line; run.py reads it."""
        for pattern, count in self.verdicts.items():
            if not count:
                self.failed += 1
                print('%s: judged, but nothing differs now' % pattern)
        print(json.dumps(dict(more, passed=self.passed, failed=self.failed,
                              judged=self.judged), ensure_ascii=False))
