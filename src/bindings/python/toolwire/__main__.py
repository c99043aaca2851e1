# SPDX-License-Identifier: MIT
"""The command, as `python -m toolwire` and as `toolwire` of a wheel: this
process becomes the program that the wheel brought."""
import importlib.util
import os
import signal
import sys
from typing import NoReturn, Optional


def command() -> Optional[str]:
    """The path of the program, or None: a wheel that was built around a
    library that was there has none."""
    named = os.environ.get('TOOLWIRE_COMMAND')
    if named:
        return named
    for package in 'toolwire', '_toolwire_library':
        found = importlib.util.find_spec(package)
        if found is not None and found.origin:
            path = os.path.join(os.path.dirname(found.origin), 'toolwire')
            if os.path.isfile(path):
                return path
    return None


def main() -> NoReturn:
    path = command()
    if path is None:
        print('toolwire: this package has no command; TOOLWIRE_COMMAND may '
              'name it', file=sys.stderr)
        sys.exit(2)
    # Python ignores these, and the program would inherit that: `| head` is to
    # end it.
    for name in 'SIGPIPE', 'SIGXFSZ':
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execv(path, ['toolwire', *sys.argv[1:]])
    except OSError as error:
        print('toolwire: %s: %s' % (path, error.strerror), file=sys.stderr)
        sys.exit(2)


if __name__ == '__main__':
    main()
