# SPDX-License-Identifier: MIT
"""A PEP 517 build backend for this one package, of the standard library.

A wheel holds the Python files and the shared library.  That is the file that
the environment variable TOOLWIRE_LIBRARY names, or it is built by CMake from
the C sources: those of the repository that this folder is in, or of the
source distribution.  Setting CMAKE_BUILD_TYPE, CC and CFLAGS works as ever.

An editable install has the library in a package of its own, so that nothing
is written into the source tree.
"""
import ast
import base64
import ctypes
import glob
import hashlib
import io
import os
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAME = 'toolwire'
# What CMake needs of the repository; kept below tree/ in an sdist.
SOURCES = ['CMakeLists.txt', 'LICENSE', 'grammar/*.re', 'grammar/*.json',
           'include/*.h', 'src/*/*.[ch]', 'src/*/*/*.[ch]', 'src/*/*/*/*.[ch]']
PACKAGE = ['toolwire/*.py', 'toolwire/py.typed', 'toolwire/*/*.py']
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
        raise BuildError('%s: %s (cmake, ninja, a C compiler and re2c are '
                         'needed; or let TOOLWIRE_LIBRARY name a library '
                         'that is built)' % (command[0], error)) from None
    if result.returncode != 0:
        raise BuildError('%s failed:\n%s' % (
            ' '.join(command), result.stdout.decode('utf-8', 'replace')))


def _library():
    """The bytes of the shared library."""
    named = os.environ.get('TOOLWIRE_LIBRARY')
    if named:
        try:
            with open(named, 'rb') as file:
                return file.read()
        except OSError as error:
            raise BuildError('TOOLWIRE_LIBRARY: %s' % error) from None
    folder = tempfile.mkdtemp(prefix='toolwire-build-')
    try:
        # As a part of another project: a compiler's new warnings are no
        # errors then.
        with open(os.path.join(folder, 'CMakeLists.txt'), 'w',
                  encoding='utf-8') as file:
            file.write('cmake_minimum_required(VERSION 3.25)\n'
                       'project(wheel LANGUAGES C)\n'
                       'add_subdirectory("${TREE}" toolwire)\n')
        generator = ['-G', 'Ninja'] if shutil.which('ninja') else []
        _run('cmake', '-S', folder, '-B', os.path.join(folder, 'build'),
             *generator, '-DTREE=' + _tree().replace(os.sep, '/'),
             '-DCMAKE_BUILD_TYPE='
             + os.environ.get('CMAKE_BUILD_TYPE', 'Release'))
        _run('cmake', '--build', os.path.join(folder, 'build'), '--target',
             'toolwire_shared', '--parallel')
        with open(os.path.join(folder, 'build', 'toolwire',
                               _library_name()), 'rb') as file:
            return file.read()
    finally:
        shutil.rmtree(folder)


# ---- wheels ----------------------------------------------------------------

def _tag():
    """Any Python 3, no C API of it, but the library's machine."""
    platform = sysconfig.get_platform()
    return 'py3-none-' + re.sub(r'[^A-Za-z0-9]', '_', platform)


def _project():
    """The table [project] of pyproject.toml.  Python 3.8 has no reader of
    TOML: the values there are such as Python reads, but for the keys in
    braces."""
    with open(os.path.join(HERE, 'pyproject.toml'), encoding='utf-8') as file:
        table = file.read().split('\n[project]\n')[1].split('\n[')[0]
    # A value goes on in lines that are indented, up to its bracket.
    rows = re.findall(r'^([a-z-]+) = (.*(?:\n[ \]].*)*)', table, re.MULTILINE)
    return {key: ast.literal_eval(re.sub(r'(?<=\{)([a-z]+) =', r'"\1":',
                                         value)) for key, value in rows}


def _metadata():
    project = _project()
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
    with open(os.path.join(_tree(), 'LICENSE'), 'rb') as file:
        return file.read()


def _description():
    """Of the wheel: path in .dist-info, bytes."""
    return [('METADATA', _metadata().encode()),
            ('WHEEL', ('Wheel-Version: 1.0\nGenerator: toolwire_build\n'
                       'Root-Is-Purelib: false\nTag: %s\n'
                       % _tag()).encode()),
            *([] if _is_alone() else [('licenses/LICENSE', _licence())])]


def _digest(data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return 'sha256=' + digest.rstrip(b'=').decode()


def _write_wheel(folder, files):
    """files: path and bytes of each."""
    info = '%s-%s.dist-info/' % (NAME, _version())
    files = files + [(info + path, data) for path, data in _description()]
    record = ['%s,%s,%d\n' % (path, _digest(data), len(data))
              for path, data in files]
    record.append(info + 'RECORD,,\n')
    files = files + [(info + 'RECORD', ''.join(record).encode())]
    name = '%s-%s-%s.whl' % (NAME, _version(), _tag())
    with zipfile.ZipFile(os.path.join(folder, name), 'w',
                         zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files:
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            mode = 0o755 if path.endswith(_library_name()) else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            wheel.writestr(entry, data)
    return name


def _read(root, patterns):
    """path and bytes of each file below |root| that is wanted."""
    paths = sorted(os.path.relpath(path, root) for pattern in patterns
                   for path in glob.glob(os.path.join(root, pattern)))
    files = []
    for path in paths:
        with open(os.path.join(root, path), 'rb') as file:
            files.append((path.replace(os.sep, '/'), file.read()))
    return files


def build_wheel(wheel_directory, config_settings=None,
                metadata_directory=None):
    files = _read(HERE, PACKAGE)
    files.append(('toolwire/' + _library_name(), _library()))
    return _write_wheel(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None,
                   metadata_directory=None):
    return _write_wheel(wheel_directory, [
        ('_toolwire_editable.pth', (HERE + '\n').encode()),
        ('_toolwire_library/__init__.py', b''),
        ('_toolwire_library/' + _library_name(), _library())])


def prepare_metadata_for_build_wheel(metadata_directory,
                                     config_settings=None):
    """Tells pip what it will get without building the library for it."""
    folder = '%s-%s.dist-info' % (NAME, _version())
    for path, data in _description():
        target = os.path.join(metadata_directory, folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, 'wb') as file:
            file.write(data)
    return folder


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


# ---- source distributions --------------------------------------------------

def build_sdist(sdist_directory, config_settings=None):
    """This folder, and what CMake needs of the repository below tree/."""
    base = '%s-%s' % (NAME, _version())
    files = [('PKG-INFO', _metadata().encode()), ('LICENSE', _licence())]
    files += _read(HERE, ['pyproject.toml', 'README.md', 'backend/*.py',
                          'examples/*.py'] + PACKAGE)
    files += [('tree/' + path, data)
              for path, data in _read(_tree(), SOURCES)]
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
