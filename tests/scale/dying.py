# SPDX-License-Identifier: MIT
#
# engines.sh puts this behind the page's rows.py, with a path as DIED: the first
# process that has converted 700 rows kills the Java process above it, an
# executor.
def _kill_executor():
    import os
    import signal
    try:
        file = open(DIED, 'x')
    except FileExistsError:
        return
    process = os.getppid()
    while True:
        with open('/proc/%d/stat' % process) as stat:
            name, _, rest = stat.read().partition('(')[2].rpartition(')')
        if name == 'java':
            break
        process = int(rest.split()[1])
    with file:
        file.write('%d\n' % process)
    os.kill(process, signal.SIGKILL)


convert_well, done = convert, []


def convert(line):
    done.append(None)
    if len(done) == 700:
        _kill_executor()
    return convert_well(line)
