#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library as one WebAssembly module without imports.

Use: build.py BUILD OUT [--formats NAME,...] [--decode] [--without PART,...]
BUILD is a build folder in which `amalgamation` was made, and so what is made
of grammar/.  OUT is the module.

--formats  only these, by their names ("hermes/qwen3") or those of their
           families ("gemma4"); others can be loaded from descriptions
--decode   no encoders and no converters: decoders, writers, descriptions
           without what they tell people
--without  parts of src/parts.txt

The descriptions of formats are put in as texts (lazy.c), and what is left out
of the amalgamation's tables is reached by nothing: the linker drops it.
Debian's clang-14 and lld-14 compile freestanding C to WebAssembly as they
are; the little that the library asks of a C library
(clock.c, heap.c, multiply.c, search.c, string.c) is here.  wasm-opt takes off a seventh more.
"""
import argparse
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, '..', '..', '..'))
FEATURES = ['bulk-memory', 'sign-ext', 'nontrapping-fptoint']
OPT_FEATURES = ['--enable-bulk-memory', '--enable-sign-ext',
                '--enable-nontrapping-float-to-int']
# A function that is called twice is smaller than two of it, which -Oz does not
# go by; nothing but the end of the stack is where a pointer might wrap.
SMALL = ['-mllvm', '-inline-threshold=-50']
OPT_SMALL = ['--low-memory-unused']
STACK = 128 * 1024
# What the module has beside the library.
OWN = ['malloc', 'free', 'tw_wasm_ready', 'tw_wasm_set_time']
# What a description tells people: no decoder reads them.
TOLD = 'about', 'example', 'models'


def run(*command):
    subprocess.run(command, check=True)


def replaced(pattern, text, into):
    """|text| with the one place of |pattern| written anew."""
    made, count = re.subn(pattern, into, text, flags=re.M | re.S)
    if count != 1:
        raise SystemExit('build.py: %d places of %r, not one'
                         % (count, pattern))
    return made


def chosen_files(names):
    """The descriptions of |names|, and the templates of those that have
    none."""
    files, alone = [], []
    for name in names:
        stem = os.path.join(ROOT, 'grammar', name.replace('/', '-'))
        family = os.path.join(ROOT, 'grammar', name.split('/')[0])
        # A dialect that differs in its prompts alone has its family's.
        found = (glob.glob(stem + '.json') or glob.glob(stem + '-*.json') or
                 glob.glob(family + '.json'))
        if not found and not os.path.exists(family + '.jinja'):
            raise SystemExit('build.py: there is no format %r' % name)
        files += found
        alone += [] if found else [family + '.jinja']
    return sorted(set(files)), sorted(set(alone))


def all_files():
    """As chosen_files()."""
    files = sorted(glob.glob(os.path.join(ROOT, 'grammar', '*.json')))
    return files, [path for path in
                   sorted(glob.glob(os.path.join(ROOT, 'grammar', '*.jinja')))
                   if path[:-len('jinja')] + 'json' not in files]


def packed(data):
    """|data| as lazy.c unpacks it: a byte below 128 and one literal more than
    it says, or 124 less than the length of a match and its distance in two
    bytes."""
    least, most = 4, 4 + 127
    seen = {}
    out = bytearray()
    literals = bytearray()

    def flush():
        for i in range(0, len(literals), 128):
            out.append(len(literals[i:i + 128]) - 1)
            out.extend(literals[i:i + 128])
        literals.clear()

    def match(at):
        length = distance = 0
        for start in reversed(seen.get(data[at:at + least], ())):
            if at - start > 65535:
                break
            size = 0
            while (size < most and at + size < len(data) and
                   data[start + size] == data[at + size]):
                size += 1
            if size > length:
                length, distance = size, at - start
        return length, distance

    def note(at):
        seen.setdefault(data[at:at + least], []).append(at)

    at = 0
    while at < len(data):
        length, distance = match(at)
        note(at)
        # One literal where the next byte begins a longer one.
        if length < least or (length < most and
                              match(at + 1)[0] > length):
            literals.append(data[at])
            at += 1
            continue
        flush()
        out += bytes([128 + length - least, distance & 255, distance >> 8])
        for i in range(at + 1, at + length):
            note(i)
        at += length
    flush()
    return bytes(out)


def lazy(tables, files, without, named):
    """Of the tables of descriptions what is needed before one is read, and
    the table of their texts, |without| some keys; |named|: with the models
    that a format is found by."""
    texts = {}
    for path in files:
        with open(path, encoding='utf-8') as file:
            description = json.load(file)
        # Without a name it is that of its file.
        description.setdefault('name',
                               os.path.basename(path)[:-len('.json')])
        for key in without:
            description.pop(key, None)
        symbol = 'tw_described_' + re.sub('[^a-z0-9]', '_',
                                          description['name'])
        texts[symbol] = json.dumps(
            description, separators=(',', ':'), ensure_ascii=False)
    rows = re.findall(
        r'\{\.name = "([^"]+)",\s*\.alias = (\S+),\s*\.about = (".*?"),\n'
        r'\s*\.models = (".*?"),\n\s*\.family = &(\w+),'
        r'.*?(\.prompt = [^}]*?)?\.description = &(\w+)\}', tables, re.S)
    if sorted(set(row[-1] for row in rows)) != sorted(texts):
        raise SystemExit('build.py: rows and descriptions differ')
    made = ['#include "formats/description.h"',
            '#include "formats/format.h"']
    for family in sorted(set(row[4] for row in rows)):
        made.append('extern const tw_family %s;' % family)
    for symbol in texts:
        made += ['extern const tw_description %s;' % symbol,
                 'const tw_description %s = {.name = NULL};' % symbol]
    # Templates, which who only decodes has no use for, and their settings.
    if not without:
        made += re.findall(r'^static const (?:unsigned char prompt|tw_setting '
                           r'settings)_\d+\[\] = \{.*?\n\};$', tables,
                           re.S | re.M)
        made += re.findall(r'^(?:extern )?const tw_own_prompt [^;]*;', tables,
                           re.M)
    made.append('const tw_format tw_framed_formats[] = {')
    made += ['{.name = "%s", .alias = %s, .about = %s, .models = %s,\n .family = '
             '&%s,\n %s.marker_count = '
             '&%s.public_count, .description = &%s},'
             % (name, alias, '""' if 'about' in without else about,
                models if named else '""', family, '' if without else prompt,
                symbol, symbol)
             for name, alias, about, models, family, prompt, symbol in rows]
    made.append('{.name = NULL}};')
    made.append(tables[tables.index('\nconst tw_call_head'):])
    table = ['static const struct { tw_description *description;\n'
             'size_t at, size; } texts[] = {']
    whole = b''
    for symbol, text in texts.items():
        data = text.encode()
        table.append('{&%s, %d, %d},' % (symbol, len(whole), len(data)))
        whole += data
    table.append('};\nenum { TEXTS_SIZE = %d };' % len(whole))
    table.append('static const unsigned char packed_texts[] = {%s};' %
                 ','.join(map(str, packed(whole))))
    return '\n'.join(made), '\n'.join(table) + '\n'


def source_of(build, work, formats, without, parts):
    """The amalgamation, with the descriptions as texts."""
    scanners = os.path.join(work, 'grammar')
    os.mkdir(scanners)
    for path in glob.glob(os.path.join(build, 'grammar', '*.c')):
        shutil.copy(path, scanners)
    files, alone = (chosen_files(formats.split(',')) if formats
                    else all_files())
    descriptions = os.path.join(scanners, 'descriptions.c')
    run(os.path.join(build, 'grammar', 'compile'), descriptions, *files,
        *alone)
    with open(descriptions, encoding='utf-8') as file:
        tables, texts = lazy(file.read(), files, without,
                             'texts' not in parts)
    with open(descriptions, 'w', encoding='utf-8') as file:
        file.write(tables)
    amalgamation = os.path.join(work, 'amalgamation')
    run(sys.executable, os.path.join(ROOT, 'src', 'amalgamate.py'), ROOT,
        scanners, amalgamation, '--without', ','.join(parts))
    with open(os.path.join(amalgamation, 'toolwire.c'),
              encoding='utf-8') as file:
        source = file.read()
    # They are written once, by lazy.c.
    for what in (r'tw_description tw_described_\w+',
                 r'tw_format tw_framed_formats\['):
        source, count = re.subn(r'^(static|extern) const (%s)' % what,
                                r'\1 \2', source, flags=re.M)
        if count == 0 and files:
            raise SystemExit('build.py: no %s was found' % what)
    if not alone:
        source = replaced(r'(format == NULL \? )tw_harmony_formats', source,
                          r'\1tw_framed_formats')
    with open(os.path.join(HERE, 'lazy.c'), encoding='utf-8') as file:
        return source + texts + file.read()


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('build')
    parser.add_argument('out')
    parser.add_argument('--formats')
    parser.add_argument('--decode', action='store_true')
    parser.add_argument('--without')
    options = parser.parse_args(arguments)
    build = os.path.abspath(options.build)
    with open(os.path.join(ROOT, 'tests', 'exported.txt'),
              encoding='utf-8') as file:
        exported = file.read().split()
    with tempfile.TemporaryDirectory() as work:
        parts = options.without.split(',') if options.without else []
        if options.decode:
            parts += ['encode', 'grammar']
        source = source_of(build, work, options.formats,
                           TOLD if options.decode else (), parts)
        # Of parts that are left out no function is there; who decodes loses
        # nothing.
        exported = [name for name in exported
                    if not (options.decode and name.startswith('tw_loss_')) and
                    re.search(r'^[^\n;]*\b%s\([^;{}]*\)\n\{' % name,
                              source, re.M)]
        with open(os.path.join(work, 'toolwire.c'), 'w',
                  encoding='utf-8') as file:
            file.write(source)
        objects = []
        for path in [os.path.join(work, 'toolwire.c')] + [
                os.path.join(HERE, name)
                for name in ('clock.c', 'heap.c', 'multiply.c', 'search.c',
                             'string.c', 'layout.c')]:
            objects.append(os.path.join(
                work, os.path.basename(path)[:-2] + '.o'))
            warnings = ['-w'] if path.startswith(work) else [
                '-Wall', '-Wextra', '-Werror', '-fno-builtin']
            run('clang-14', '--target=wasm32', '-std=c11', '-Oz',
                *SMALL,
                '-fvisibility=hidden', '-ffunction-sections',
                '-fdata-sections', *('-m' + name for name in FEATURES),
                *warnings, '-isystem', os.path.join(HERE, 'libc'),
                '-I', os.path.join(ROOT, 'include'), '-c', path, '-o',
                objects[-1])
        linked = os.path.join(work, 'linked.wasm')
        run('wasm-ld-14', '--no-entry', '--gc-sections', '--strip-all', '-O2',
            '--stack-first', '-z', 'stack-size=%d' % STACK,
            *('--export=' + name for name in exported + OWN),
            *objects, '-o', linked)
        os.makedirs(os.path.dirname(os.path.abspath(options.out)),
                    exist_ok=True)
        run('wasm-opt', *OPT_SMALL, '-Oz', '--converge', *OPT_FEATURES, linked, '-o',
            options.out)
    with open(options.out, 'rb') as file:
        module = file.read()
    print('%s: %d bytes, %d gzipped' % (
        options.out, len(module), len(gzip.compress(module, 9))))


if __name__ == '__main__':
    main(sys.argv[1:])
