# SPDX-License-Identifier: MIT
"""Where other people's programs are installed, each once: for `make peers`
and `make hosts`."""
import glob
import json
import os
import shutil
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))

TREE = os.path.dirname(os.path.dirname(HERE))

# What rust/line.rs needs.
RUST = {'serde': '{ version = "1", features = ["derive"] }',
        'serde_json': '"1"', 'libc': '"0.2"'}


class NotToBeHad(Exception):
    """Why something could not be installed."""


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False,
                          **options)
    if done.returncode:
        last = done.stdout.strip().splitlines()[-1:] or ['']
        raise NotToBeHad('%s: %s' % (' '.join(command[:3]), last[0][:200]))
    return done.stdout


class Workshop:
    """Where peers are installed, each once."""

    def __init__(self, toolwire, folder):
        self.toolwire = os.path.abspath(toolwire)
        self.folder = os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)
        markers = os.path.join(self.folder, 'markers.jsonl')
        with open(markers, 'w', encoding='utf-8') as file:
            file.write(run([self.toolwire, 'formats', '--json']))
        os.environ['PEERS_MARKERS'] = markers
        self.python = self.environment('', ['-r', os.path.join(
            HERE, 'requirements.txt')])

    def environment(self, name, packages):
        """The Python of an environment with these packages and toolwire."""
        folder = os.path.join(self.home(name), 'python')
        python = os.path.join(folder, 'bin', 'python')
        if not os.path.exists(python):
            run([sys.executable, '-m', 'venv', folder])
        run([python, '-m', 'pip', 'install', '-q'] + packages)
        library = os.path.join(os.path.dirname(self.toolwire),
                               'libtoolwire.so')
        run([python, '-m', 'pip', 'install', '-q', '--force-reinstall',
             '--no-deps',
             os.path.join(HERE, '..', '..', 'src', 'bindings', 'python')],
            env=dict(os.environ, TOOLWIRE_LIBRARY=library))
        return python

    def home(self, name):
        return os.path.join(self.folder, name)

    def install(self, name, peer):
        """Installs a peer; raises NotToBeHad."""
        home = self.home(name)
        os.makedirs(home, exist_ok=True)
        for package in peer.get('pypi', ()):
            self.unpack(home, package)
        for package in peer.get('sdist', ()):
            self.source(home, package)
        if 'pypi-shared' in peer:  # with what it needs; in requirements.txt
            run([self.python, '-m', 'pip', 'show', '-q'] + [
                package.split('==')[0] for package in peer['pypi-shared']])
        if 'npm' in peer:
            run(['npm', 'install', '--no-audit', '--no-fund', '--prefix',
                 home] + peer['npm'])
        if 'go' in peer:
            self.build_go(home, peer)
        if 'crates' in peer:
            self.build_rust(home, name, peer)
        if 'c++' in peer:
            self.build_cpp(home, peer)

    def unpack(self, home, package):
        """The Python files of a wheel, without what it depends on."""
        mark = os.path.join(home, 'has-' + package)
        if os.path.exists(mark):
            return
        wheels = os.path.join(home, 'wheels')
        run([self.python, '-m', 'pip', 'download', '-q', '--no-deps',
             '--only-binary', ':all:', '-d', wheels, package])
        for path in glob.glob(os.path.join(wheels, '*.whl')):
            with zipfile.ZipFile(path) as wheel:
                wheel.extractall(home, [
                    file for file in wheel.namelist()
                    if file.endswith('.py') or '.dist-info/' in file])
        shutil.rmtree(wheels)
        with open(mark, 'w', encoding='utf-8'):
            pass

    def source(self, home, package):
        """The source of a package, unpacked.  pip leaves it where it tried to
        build, which fails: that would take a compiler for GPUs."""
        folder = os.path.join(home, 'source')
        name = package.split('==', maxsplit=1)[0]
        pattern = os.path.join(folder, 'pip-*', name + '_*', 'PKG-INFO')
        if not glob.glob(pattern):
            os.makedirs(folder, exist_ok=True)
            subprocess.run(
                [self.python, '-m', 'pip', 'download', '-q', '--no-clean',
                 '--no-deps', '--no-build-isolation', '--no-binary', ':all:',
                 package], cwd=folder, env=dict(os.environ, TMPDIR=folder),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                check=False)
        found = glob.glob(pattern)
        if not found:
            raise NotToBeHad('no source of ' + package)
        link = os.path.join(home, 'sdist')
        if not os.path.exists(link):
            os.symlink(os.path.dirname(found[0]), link)

    def build_go(self, home, peer):
        mark = os.path.join(home, 'go.mod')
        if not os.path.exists(mark):
            run(['go', 'mod', 'init', 'peer'], cwd=home)
        shutil.copy(os.path.join(HERE, peer['source']),
                    os.path.join(home, 'main.go'))
        run(['go', 'get'] + peer['go'], cwd=home)
        run(['go', 'build', '-o', 'peer', '.'], cwd=home)

    def build_rust(self, home, name, peer):
        """All of them in one folder, since they need much of the same."""
        for package in peer.get('crate-sources', ()):
            self.crate(home, package)
        os.makedirs(os.path.join(home, 'src'), exist_ok=True)
        for source, to in ((peer['source'], 'main.rs'), ('line.rs', 'line.rs')):
            shutil.copy2(os.path.join(HERE, 'rust', source),
                         os.path.join(home, 'src', to))
        with open(os.path.join(home, 'Cargo.toml'), 'w',
                  encoding='utf-8') as file:
            file.write('[package]\nname = "%s-peer"\nedition = "2021"\n'
                       '[workspace]\n[dependencies]\n' % name)
            for crate, which in dict(RUST, **peer['crates']).items():
                file.write('%s = %s\n' % (
                    crate, which.replace('TREE', TREE)))
        run(['cargo', 'build', '--release', '--quiet'], cwd=home, env=dict(
            os.environ, CARGO_TARGET_DIR=self.home('cargo'),
            TOOLWIRE_AMALGAMATION=os.path.join(
                os.path.dirname(self.toolwire), 'amalgamation')))
        shutil.copy(os.path.join(self.home('cargo'), 'release',
                                 name + '-peer'), os.path.join(home, 'peer'))

    def build_cpp(self, home, peer):
        """What nobody calls may be missing."""
        program = os.path.join(home, 'peer')
        source = os.path.join(HERE, peer['source'])
        if os.path.exists(program) and (os.path.getmtime(program) >
                                        os.path.getmtime(source)):
            return
        base = os.path.join(home, 'sdist', peer['c++']['in'])
        run(['g++', '-std=c++17', '-O2', '-w', '-static', '-no-pie', '-o',
             program, source, '-Wl,--unresolved-symbols=ignore-all'] +
            ['-I' + os.path.join(base, path)
             for path in peer['c++']['include']] +
            [path for pattern in peer['c++']['sources']
             for path in sorted(glob.glob(os.path.join(base, pattern)))])

    def crate(self, home, package):
        """The source of a crate, without what it depends on."""
        run(['cargo', 'info', '--quiet', package])
        cargo = os.environ.get('CARGO_HOME', os.path.expanduser('~/.cargo'))
        found = glob.glob(os.path.join(cargo, 'registry', 'src', '*',
                                       package.replace('@', '-')))
        if not found:
            raise NotToBeHad('no source of ' + package)
        link = os.path.join(home, 'sources', package.split('@')[0])
        os.makedirs(os.path.dirname(link), exist_ok=True)
        if not os.path.exists(link):
            os.symlink(found[0], link)

    def command(self, name, peer, way, arguments):
        """What answers the kit's questions."""
        kind, adapter = peer['adapter']
        home = self.home(name)
        if kind == 'go':
            words = [os.path.join(home, 'peer')]
        else:
            words = [self.python if kind == 'python' else kind,
                     os.path.join(HERE, adapter)]
            if {'pypi', 'npm', 'crates', 'c++'} & peer.keys():
                words.append(home)
        return words + [way] + [word.replace('TREE', TREE)
                                for word in arguments]
