# SPDX-License-Identifier: MIT
"""A PEP 517 build backend for this one package, of the standard library.

A wheel holds the Python files, the shared library, the command, and the
extension toolwire/_fast, without which all works as well, by ctypes.  They are
built by a C compiler (CC, CFLAGS and LDFLAGS are heard) from the C sources:

- those of a source distribution are complete: it needs nothing else;
- those of the repository that this folder is in lack what is made of
  grammar/*: that takes CMake and re2c, too.

TOOLWIRE_LIBRARY names a library that takes the place of the one to build, and
TOOLWIRE_COMMAND a command; with the first and without the second there is none.
The extension takes Python's headers (Debian: python3-dev).  Where they or a
compiler are missing there is none, which the build says;
TOOLWIRE_EXTENSION=yes makes that an error, and "no" builds none.

An editable install has all these in a package of their own, so that nothing is
written into the source tree.
"""
import ast
import base64
import concurrent.futures
import ctypes
import glob
import hashlib
import io
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import textwrap
import zipfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAME = 'toolwire'
# What is compiled, below the tree; what is made of grammar/* comes beside it.
SOURCES = ['LICENSE', 'include/*.h', 'src/**/*.[ch]']
COMMAND_ROOMS = 'cli', 'kit'
OTHER_ROOMS = 'bindings', 'compile', 'package', 'without'
PACKAGE = ['toolwire/*.py', 'toolwire/py.typed', 'toolwire/*/*.py']
# What of a wheel is compiled; the package of an editable install has them.
COMMAND = 'toolwire'
EXTENSION = '_fast.abi3.so'
# The same bytes for the same input: zip can say no earlier time.
EPOCH = (1980, 1, 1, 0, 0, 0)


class BuildError(Exception):
    """Why there is no wheel, for a person to read."""


# ---- what there is ---------------------------------------------------------

def _is_alone():
    """A library is there, and no C sources: a copy of this folder."""
    try:
        return not _tree()
    except BuildError:
        return bool(os.environ.get('TOOLWIRE_LIBRARY'))


def _tree():
    """The folder with the C sources."""
    for tree in (os.path.join(HERE, 'tree'),
                 os.path.join(HERE, '..', '..', '..')):
        if os.path.isfile(os.path.join(tree, 'include', 'toolwire.h')):
            return os.path.abspath(tree)
    raise BuildError('the C sources are not beside ' + HERE)


def _find(pattern, path):
    with open(path, encoding='utf-8') as file:
        found = re.search(pattern, file.read(), re.MULTILINE)
    if not found:
        raise BuildError('%s does not say its version' % path)
    return found.group(1)


def _version():
    """The header's or, where there are no sources, the library's, which the
    Python files must be for."""
    mine = _find(r"^VERSION = '([0-9.]+)'",
                 os.path.join(HERE, 'toolwire', '_library.py'))
    if _is_alone():
        where, there = 'TOOLWIRE_LIBRARY', _library_version()
    else:
        where, there = 'toolwire.h', _find(
            r'define TW_VERSION "([0-9.]+)"',
            os.path.join(_tree(), 'include', 'toolwire.h'))
    if there != mine:
        raise BuildError('%s is version %s, and toolwire/_library.py is for '
                         '%s' % (where, there, mine))
    return mine


def _library_version():
    named = os.environ['TOOLWIRE_LIBRARY']
    try:
        version = ctypes.CDLL(os.path.abspath(named)).tw_version
    except (OSError, AttributeError) as error:
        raise BuildError('TOOLWIRE_LIBRARY: %s' % error) from None
    version.restype = ctypes.c_char_p
    return version().decode()


def _library_name():
    if sys.platform in ('win32', 'cygwin'):
        return 'toolwire.dll'
    return ('libtoolwire.dylib' if sys.platform == 'darwin'
            else 'libtoolwire.so')


def _run(*command):
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)
    except OSError as error:
        raise BuildError('%s: %s (a C compiler is needed, and for the sources '
                         'of the repository cmake and re2c; or let '
                         'TOOLWIRE_LIBRARY name a library that is built)'
                         % (command[0], error)) from None
    if result.returncode != 0:
        raise BuildError('%s failed:\n%s' % (
            textwrap.shorten(' '.join(command), 500),
            result.stdout.decode('utf-8', 'replace')))
    return result.stdout


def _read_file(path):
    with open(path, 'rb') as file:
        return file.read()


class _Folder:
    """A folder that goes when it is done with."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix='toolwire-build-')
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path)


# ---- what is compiled ------------------------------------------------------

def _flags(name):
    return shlex.split(os.environ.get(name, ''))


def _compiler():
    return (_flags('CC') or ['cc']) + ['-std=c11', '-O3', '-DNDEBUG', '-fPIC']


def _made_by_grammars():
    """name and bytes of the C files that are made of grammar/*."""
    tree = _tree()
    there = _read(os.path.join(tree, 'grammar'), ['*.c'])
    if there:
        return there
    with _Folder() as folder:
        # As a part of another project: a compiler's new warnings are no
        # errors then.
        with open(os.path.join(folder, 'CMakeLists.txt'), 'w',
                  encoding='utf-8') as file:
            file.write('cmake_minimum_required(VERSION 3.25)\n'
                       'project(wheel LANGUAGES C)\n'
                       'add_subdirectory("${TREE}" toolwire)\n')
        _run('cmake', '-S', folder, '-B', os.path.join(folder, 'build'),
             '-DTREE=' + tree.replace(os.sep, '/'))
        _run('cmake', '--build', os.path.join(folder, 'build'), '--target',
             'scanners')
        return _read(os.path.join(folder, 'build', 'toolwire', 'grammar'),
                     ['*.c'])


def _made_by_explanations():
    """The same of the command's explanations, where the tree has none."""
    path = os.path.join(_tree(), 'src', 'cli', 'explain', 'explanations')
    if os.path.isfile(path + '.c'):
        return []
    return [('explanations.c',
             _run('sed', '-E', '-f', path + '.sed', path + '.txt'))]


def _sources(folder):
    """The C files of the library, and those of the command alone."""
    room = os.path.join(_tree(), 'src')
    library, command = [], []
    for path in sorted(glob.glob(os.path.join(room, '**', '*.c'),
                                 recursive=True)):
        first = os.path.relpath(path, room).split(os.sep)[0]
        if first not in OTHER_ROOMS:
            (command if first in COMMAND_ROOMS else library).append(path)
    for of, made in ((library, _made_by_grammars()),
                     (command, _made_by_explanations())):
        for name, data in made:
            of.append(os.path.join(folder, name))
            with open(of[-1], 'wb') as file:
                file.write(data)
    return library, command


def _has_zlib(folder):
    probe = os.path.join(folder, 'probe.c')
    with open(probe, 'w', encoding='utf-8') as file:
        file.write('#include <zlib.h>\n'
                   'int main(void) { return zlibVersion()[0] == 0; }\n')
    try:
        _run(*_compiler(), probe, '-lz', '-o', probe + '.out')
        return True
    except BuildError:
        return False


def _compile():
    """The library and the command: what each is called, and its bytes."""
    tree = _tree()
    with _Folder() as folder:
        library, command = _sources(folder)
        flags = [*_compiler(), '-fvisibility=hidden',
                 '-fstack-protector-strong',
                 '-I' + os.path.join(tree, 'include'),
                 '-I' + os.path.join(tree, 'src'), *_flags('CFLAGS')]
        linked = ['-pthread', *_flags('LDFLAGS')]
        if _has_zlib(folder):
            flags.append('-DTOOLWIRE_ZLIB')
            linked.append('-lz')

        def compiled(numbered):
            made = os.path.join(folder, '%d.o' % numbered[0])
            _run(*flags, '-c', numbered[1], '-o', made)
            return made
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(compiled, enumerate(library + command)))
        of_library = objects[:len(library)]
        paths = [os.path.join(folder, name)
                 for name in (_library_name(), COMMAND)]
        _run(*flags, '-shared', *of_library, '-o', paths[0],
             *_flags('LDFLAGS'))
        _run(*flags, *objects, '-o', paths[1], *linked)
        return [(os.path.basename(path), _read_file(path)) for path in paths]


def _named():
    """What the environment has instead, as _compile() gives it."""
    found = []
    for name, variable in ((_library_name(), 'TOOLWIRE_LIBRARY'),
                           (COMMAND, 'TOOLWIRE_COMMAND')):
        if os.environ.get(variable):
            try:
                found.append((name, _read_file(os.environ[variable])))
            except OSError as error:
                raise BuildError('%s: %s' % (variable, error)) from None
    return found


def _extension():
    """The same of the extension; nothing where it cannot be built."""
    wanted = os.environ.get('TOOLWIRE_EXTENSION')
    if wanted == 'no':
        return []
    try:
        if (sys.implementation.name != 'cpython'
                or sysconfig.get_config_var('Py_GIL_DISABLED')):
            raise BuildError('this Python has no stable interface for '
                             'extensions')
        shared = ['-shared'] if sys.platform != 'darwin' else [
            '-bundle', '-undefined', 'dynamic_lookup']
        with _Folder() as folder:
            made = os.path.join(folder, EXTENSION)
            _run(*_compiler(), '-fvisibility=hidden', *shared,
                 '-I' + os.path.join(_tree(), 'include'),
                 '-I' + sysconfig.get_path('include'), *_flags('CFLAGS'),
                 os.path.join(HERE, '_fast.c'), '-o', made,
                 *_flags('LDFLAGS'))
            return [(EXTENSION, _read_file(made))]
    except BuildError as error:
        if wanted == 'yes':
            raise
        print('toolwire: without the extension, which makes streams faster: '
              + str(error).strip(), file=sys.stderr)
        return []


def _binaries():
    """All that is compiled: name and bytes."""
    built = _named()
    if not os.environ.get('TOOLWIRE_LIBRARY'):
        built = list({**dict(_compile()), **dict(built)}.items())
    return built + _extension()


# ---- wheels ----------------------------------------------------------------

def _tag(binaries=()):
    """Any Python 3: the library and the command know none of its C API, and a
    Python that does not take the extension goes without.  And the machine;
    where the C library is glibc, with the oldest version of it that has what
    the files ask for (PEP 600), 2.17 at least, which is older than any Python
    that this is for.  Of files that were built elsewhere nothing is said."""
    platform = sysconfig.get_platform()
    asked = {tuple(map(int, found)) for _, data in binaries
             for found in re.findall(rb'\0GLIBC_([0-9]+)\.([0-9]+)', data)}
    if platform.startswith('linux') and asked and not _named():
        platform = 'manylinux_%d_%d' % max(asked | {(2, 17)}) + platform[5:]
    return 'py3-none-' + re.sub(r'[^A-Za-z0-9]', '_', platform)


def _table(name):
    """A table of pyproject.toml.  Python 3.8 has no reader of TOML: the
    values there are such as Python reads, but for the keys in braces."""
    with open(os.path.join(HERE, 'pyproject.toml'), encoding='utf-8') as file:
        table = file.read().split('\n[%s]\n' % name)[1].split('\n[')[0]
    # A value goes on in lines that are indented, up to its bracket.
    rows = re.findall(r'^([a-z-]+) = (.*(?:\n[ \]].*)*)', table, re.MULTILINE)
    return {key: ast.literal_eval(re.sub(r'(?<=\{)([a-z]+) =', r'"\1":',
                                         value)) for key, value in rows}


def _metadata():
    project = _table('project')
    fields = [('Metadata-Version', '2.4'), ('Name', project['name']),
              ('Version', _version()), ('Summary', project['description']),
              ('Keywords', ','.join(project['keywords'])),
              ('License-Expression', project['license']),
              *[('License-File', 'LICENSE')][_is_alone():],
              ('Requires-Python', project['requires-python'])]
    fields += [('Author', author['name']) for author in project['authors']]
    fields += [('Classifier', one) for one in project['classifiers']]
    fields += [('Description-Content-Type', 'text/markdown; charset=UTF-8')]
    with open(os.path.join(HERE, project['readme']),
              encoding='utf-8') as file:
        return '%s\n\n%s' % ('\n'.join('%s: %s' % one for one in fields),
                             file.read())


def _licence():
    return _read_file(os.path.join(_tree(), 'LICENSE'))


def _entry_points():
    groups = (('console_scripts', 'project.scripts'),
              ('sglang.srt.plugins',
               'project.entry-points."sglang.srt.plugins"'))
    return '\n'.join('[%s]\n' % group + ''.join(
        '%s = %s\n' % row for row in _table(table).items())
        for group, table in groups)


def _description(binaries):
    """Of the wheel: path in .dist-info, bytes."""
    return [('METADATA', _metadata().encode()),
            ('WHEEL', ('Wheel-Version: 1.0\nGenerator: toolwire_build\n'
                       'Root-Is-Purelib: false\nTag: %s\n'
                       % _tag(binaries)).encode()),
            ('entry_points.txt', _entry_points().encode()),
            *([] if _is_alone() else [('licenses/LICENSE', _licence())])]


def _digest(data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return 'sha256=' + digest.rstrip(b'=').decode()


def _write_wheel(folder, files, package, binaries):
    """files: path and bytes of each; |package| has the |binaries|."""
    info = '%s-%s.dist-info/' % (NAME, _version())
    programs = [('%s/%s' % (package, name), data) for name, data in binaries]
    files = files + programs + [(info + path, data) for path, data
                                in _description(binaries)]
    record = ['%s,%s,%d\n' % (path, _digest(data), len(data))
              for path, data in files]
    record.append(info + 'RECORD,,\n')
    files = files + [(info + 'RECORD', ''.join(record).encode())]
    name = '%s-%s-%s.whl' % (NAME, _version(), _tag(binaries))
    with zipfile.ZipFile(os.path.join(folder, name), 'w',
                         zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files:
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            mode = 0o755 if path in dict(programs) else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            wheel.writestr(entry, data)
    return name


def _read(root, patterns):
    """path and bytes of each file below |root| that is wanted."""
    paths = sorted(os.path.relpath(path, root) for pattern in patterns
                   for path in glob.glob(os.path.join(root, pattern),
                                         recursive=True))
    files = []
    for path in paths:
        files.append((path.replace(os.sep, '/'),
                      _read_file(os.path.join(root, path))))
    return files


def build_wheel(wheel_directory, config_settings=None,
                metadata_directory=None):
    return _write_wheel(wheel_directory, _read(HERE, PACKAGE), NAME,
                        _binaries())


def build_editable(wheel_directory, config_settings=None,
                   metadata_directory=None):
    return _write_wheel(wheel_directory, [
        ('_toolwire_editable.pth', (HERE + '\n').encode()),
        ('_toolwire_library/__init__.py', b'')], '_toolwire_library',
        _binaries())


def prepare_metadata_for_build_wheel(metadata_directory,
                                     config_settings=None):
    """Tells pip what it will get without building the library for it."""
    folder = '%s-%s.dist-info' % (NAME, _version())
    for path, data in _description(()):
        target = os.path.join(metadata_directory, folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, 'wb') as file:
            file.write(data)
    return folder


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


# ---- source distributions --------------------------------------------------

def build_sdist(sdist_directory, config_settings=None):
    """This folder, and below tree/ the C sources, complete."""
    base = '%s-%s' % (NAME, _version())
    files = [('PKG-INFO', _metadata().encode()), ('LICENSE', _licence())]
    files += _read(HERE, ['pyproject.toml', 'README.md', '_fast.c',
                          'backend/*.py', 'examples/*.py'] + PACKAGE)
    files += [('tree/' + path, data) for path, data in _read(
        _tree(), SOURCES) if not path.startswith('src/bindings/')]
    files += [('tree/grammar/' + path, data)
              for path, data in _made_by_grammars()]
    files += [('tree/src/cli/explain/' + path, data)
              for path, data in _made_by_explanations()]
    with tarfile.open(os.path.join(sdist_directory, base + '.tar.gz'),
                      'w:gz', format=tarfile.PAX_FORMAT) as archive:
        for path, data in files:
            entry = tarfile.TarInfo('%s/%s' % (base, path))
            entry.size = len(data)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(data))
    return base + '.tar.gz'


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_wheel
get_requires_for_build_editable = get_requires_for_build_wheel
