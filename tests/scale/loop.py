# SPDX-License-Identifier: MIT
"""loop.py FILE: seconds that rows.convert takes in a loop, without starting
Python."""
import sys
import time

from rows import convert

with open(sys.argv[1], encoding='utf-8', newline='\n') as file:
    begun = time.monotonic()
    for line in file:
        convert(line[:-1])
    print(time.monotonic() - begun)
