# SPDX-License-Identifier: MIT
"""parquet_lines.py PATH: the column `record` of a Parquet file, or of the
parts in a folder in the order of their names, a line each row."""
import glob
import os
import sys

import pyarrow.parquet

path = sys.argv[1]
parts = sorted(glob.glob(os.path.join(path, 'part-*'))) or [path]
for part in parts:
    for row in pyarrow.parquet.read_table(part)['record'].to_pylist():
        sys.stdout.buffer.write((row or 'NULL').encode() + b'\n')
