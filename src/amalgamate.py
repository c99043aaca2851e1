#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library as one C file beside the public header.

Use: amalgamate.py ROOT SCANNERS OUT [--without PART,...]
ROOT is the repository, SCANNERS a folder with what was made of grammar/*;
toolwire.c and toolwire.h are written to the folder OUT.  src/parts.txt has the
parts that may be left out.

A file's own names (static functions and tables, its types, enumerators and
macros) are renamed to STEM_NAME where any other file holds the same word, be
it for something else.  Then no file sees a name of another, which is all that
separate translation units gave.  Members behind `.` and `->` have a name space
of their own and stay.  What headers under src/ declare becomes static, so that
the object exports what toolwire.h declares and nothing else.
"""
import collections
import gc
import os
import re
import sys

PUBLIC = 'toolwire.h'
# Rooms of src/ that are no part of the library.
NOT_LIBRARY = {'bindings', 'cli', 'compile', 'kit', 'package', 'without'}

# Some serve tests, or one kind of processor, alone.
INTERNAL = '''#if defined(__GNUC__)
#define TW_INTERNAL static __attribute__((unused))
#else
#define TW_INTERNAL static
#endif
'''

TOKEN = re.compile(r'''
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<hash>^[ \t]*\#[ \t]*[a-z]+)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<number>[0-9][A-Za-z0-9_.]*)
  | (?P<blank>(?:[ \t\n]|\\\n)+)
  | (?P<sign>->|.)
''', re.X | re.M | re.S)


class Token:
    __slots__ = 'kind', 'text'

    def __init__(self, kind, text):
        self.kind = kind
        self.text = text


class Source:
    """A file: its tokens, and the declarations at its top."""

    def __init__(self, path, name, text):
        self.path = path
        self.stem = re.sub(r'\W', '_', os.path.splitext(name)[0])
        self.name = name
        text = re.sub(r'^#line .*\n', '', text, flags=re.M)
        self.tokens = [Token(m.lastgroup, m.group())
                       for m in TOKEN.finditer(text)]
        self.macros = re.findall(r'^[ \t]*#[ \t]*define[ \t]+(\w+)', text,
                                 re.M)
        self.undefined = re.findall(r'^[ \t]*#[ \t]*undef[ \t]+(\w+)', text,
                                    re.M)
        self.includes = re.findall(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"',
                                   text, re.M)
        self.declarations = list(self.split())
        self.used = {t.text for _, t in self.names_used()}

    def code(self):
        """Indexes of tokens that are neither blanks nor directives."""
        directive = False
        for i, token in enumerate(self.tokens):
            if token.kind == 'hash':
                directive = True
            elif token.kind == 'blank':
                directive = directive and not re.search(r'(?<!\\)\n',
                                                        token.text)
            elif token.kind != 'comment' and not directive:
                yield i

    def split(self):
        """The declarations outside all braces, as lists of indexes."""
        depth = 0
        found = []
        body = False
        last = None
        for i in self.code():
            text = self.tokens[i].text
            found.append(i)
            if text in '{([':
                if text == '{' and depth == 0:
                    body = last == ')'
                depth += 1
            elif text in '})]':
                depth -= 1
            if depth == 0 and (text == ';' or text == '}' and body):
                yield Declaration(self, found, body)
                found = []
                body = False
            last = text
        if found:
            raise SystemExit('%s: ends inside a declaration' % self.path)

    def names_used(self):
        """(index, token) of every name that is not a member's."""
        before = None
        for i, token in enumerate(self.tokens):
            if token.kind in ('blank', 'comment'):
                continue
            if token.kind == 'name' and not (
                    before is not None and before.text in ('.', '->')):
                yield i, token
            before = token

    def own_names(self):
        names = set(self.macros)
        for declaration in self.declarations:
            names.update(declaration.own_names())
        # What begins so is the library's: a public type, defined here.
        return {n for n in names if not n.startswith('tw_')}

    def text(self):
        return ''.join(t.text for t in self.tokens)


class Declaration:
    """What stands outside all braces, up to its semicolon or body."""

    def __init__(self, source, indexes, has_body):
        self.source = source
        self.indexes = indexes
        self.has_body = has_body
        self.words = [source.tokens[i].text for i in indexes]
        self.first = self.words[0]
        self.outside = list(self.without_braces())

    def without_braces(self):
        depth = 0
        for word in self.words:
            depth -= word == '}'
            if depth == 0 and word not in '{}':
                yield word
            depth += word == '{'

    def declared(self):
        """The function or object that it declares, or None."""
        head = self.outside
        if '=' in head:
            head = head[:head.index('=')]
        if self.first == 'typedef' or self.first == '_Static_assert':
            return None
        if '(' in head:
            return head[head.index('(') - 1]
        if '[' in head:
            head = head[:head.index('[')]
        names = [w for w in head if re.match(r'[A-Za-z_]', w)]
        if self.first in ('struct', 'union', 'enum') and len(names) < 3:
            return None
        return names[-1]

    def is_function(self):
        head = self.outside
        return '(' in head and '=' not in head[:head.index('(')]

    def function_type(self):
        """The type of functions that it names, or None."""
        head = self.outside
        if self.first != 'typedef' or '(' not in head:
            return None
        at = head.index('(')
        return None if head[at + 1] == '*' else head[at - 1]

    def own_names(self):
        """The names that it gives to this file alone."""
        words = self.words
        for i, word in enumerate(words[:-2]):
            if word in ('struct', 'union', 'enum') and words[i + 2] in '{;':
                yield words[i + 1]
            if word == 'enum' and '{' in words[i + 1:i + 3]:
                yield from self.enumerators(words.index('{', i))
        if self.first == 'typedef':
            if self.function_type() is not None:
                yield self.function_type()
            elif '(' in self.outside:
                yield self.outside[self.outside.index('(') + 2]
            else:
                yield [w for w in self.outside
                       if re.match(r'[A-Za-z_]', w)][-1]
        elif 'static' in words[:2]:
            yield self.declared()

    def enumerators(self, begin):
        depth = 0
        for i in range(begin, len(self.words)):
            depth += (self.words[i] in '{(') - (self.words[i] in '})')
            if depth == 0:
                return
            if (depth == 1 and self.words[i] in '{,'
                    and re.match(r'[A-Za-z_]', self.words[i + 1])):
                yield self.words[i + 1]

    def put_first(self, word):
        token = self.source.tokens[self.indexes[0]]
        token.text = word + token.text

    def replace_first(self, word):
        self.source.tokens[self.indexes[0]].text = word

    def drop(self):
        """With the comment behind it on its line."""
        tokens = self.source.tokens
        last = self.indexes[-1] + 1
        while (last < len(tokens) and tokens[last].kind != 'hash'
               and '\n' not in tokens[last].text):
            last += 1
        for i in range(self.indexes[0], last):
            tokens[i].text = ''
        if last < len(tokens) and tokens[last].kind == 'blank':
            tokens[last].text = tokens[last].text.replace('\n', '', 1)


def read(path, name):
    with open(path, encoding='utf-8') as file:
        return Source(path, name, file.read())


def parts_of(root, names):
    """The parts |names| and those that stand on them, each with its files."""
    rows = {}
    with open(os.path.join(root, 'src', 'parts.txt'), encoding='utf-8') as file:
        for line in file:
            if not line.startswith('#'):
                name, others, files = line.split('|')
                rows[name.strip()] = others.split(), files.split()
    found = []
    for name in names:
        if name not in rows:
            raise SystemExit('there is no part %r: %s' %
                             (name, ', '.join(sorted(rows))))
        found += [n for n in [name] + rows[name][0] if n not in found]
    return {name: rows[name][1] for name in found}


def leave_out(root, headers, sources, without):
    """What is left without these parts, and with what stands for them."""
    left = tuple(path for paths in without.values() for path in paths)
    sources = [s for s in sources
               if not ('grammar/' + s.name[len('scan_'):-1] + 're'
                       if s.name.startswith('scan_') else
                       'src/' + s.name).startswith(left)]
    for part in without:
        name = 'without/%s.c' % part
        path = os.path.join(root, 'src', name)
        if os.path.exists(path):
            sources.append(read(path, name))
    seen = {name for source in sources for name in source.includes}
    new = seen & headers.keys()
    while new:
        new = {name for known in new for name in headers[known].includes}
        new = (new - seen) & headers.keys()
        seen |= new
    return {n: h for n, h in headers.items() if n in seen}, sources


def read_all(root, scanners):
    folder = os.path.join(root, 'src')
    headers, sources = {}, []
    for path, rooms, files in os.walk(folder):
        rooms[:] = sorted(set(rooms) - NOT_LIBRARY)
        for base in sorted(files):
            name = os.path.relpath(os.path.join(path, base), folder)
            if base.endswith('.h'):
                headers[name] = read(os.path.join(folder, name), name)
            elif base.endswith('.c'):
                sources.append(read(os.path.join(folder, name), name))
    for base in sorted(os.listdir(os.path.join(root, 'grammar'))):
        stem = base[:-len('.re')]
        scanner = os.path.join(scanners, stem + '.c')
        if base.endswith('.re') and stem != 'common':
            sources.append(read(scanner, 'scan_' + stem + '.c'))
    sources.append(read(os.path.join(scanners, 'descriptions.c'),
                        'descriptions.c'))
    return headers, sources


def rename(headers, sources):
    holders = collections.Counter()
    for source in list(headers.values()) + sources:
        holders.update(source.used)
    renamed = 0
    for source in sources:
        new = {}
        for name in source.own_names():
            if holders[name] == (name in source.used):
                continue  # no other file has it
            if name in source.macros:
                continue  # ends with its file
            stem = source.stem.upper() if name.isupper() else source.stem
            new[name] = '%s_%s' % (stem, name)
        for made in new.values():
            if made in holders:
                raise SystemExit('%s: %s is taken' % (source.path, made))
        renamed += len(new)
        apply(source, new)
    return renamed


def apply(source, new):
    """Renames all but members, also where a struct declares them."""
    members = set()
    words = [(i, t) for i, t in enumerate(source.tokens)
             if t.kind not in ('blank', 'comment')]
    stack = []
    for k, (i, token) in enumerate(words):
        if token.text == '{':
            near = [t.text for _, t in words[max(k - 2, 0):k]]
            stack.append('struct' in near or 'union' in near)
        elif token.text == '}':
            stack.pop()
        elif (token.kind == 'name' and stack and stack[-1]
              and words[k + 1][1].text in (';', ',', '[', ':', ')')):
            members.add(i)
    for i, token in source.names_used():
        if i not in members:
            token.text = new.get(token.text, token.text)


def make_static(headers, sources, whole):
    """Nothing but the public header's functions is seen from outside; says
    which file defines each table.  In the |whole| library each is defined."""
    functions, tables = set(), {}
    defined = {d.declared() for s in sources for d in s.declarations
               if d.has_body}
    words = [t.text for h in headers.values() for _, t in h.names_used()]
    used_by_headers = {w for w, n in collections.Counter(words).items()
                       if n > 1}
    types = {d.function_type() for h in headers.values()
             for d in h.declarations}
    for header in headers.values():
        for declaration in header.declarations:
            if declaration.first in types:
                functions.update(w for w in declaration.words[1:]
                                 if w not in ',;')
                declaration.put_first('TW_INTERNAL ')
                continue
            name = declaration.declared()
            if name is None:
                continue
            if declaration.first == 'static':
                declaration.replace_first('TW_INTERNAL')
                continue
            if declaration.is_function():
                functions.add(name)
                if name in defined or declaration.has_body:
                    declaration.put_first('TW_INTERNAL ')
                else:
                    declaration.drop()  # of a part that is left out
                continue
            tables[name] = None
            if (declaration.first == 'extern'
                    and declaration.words[-3:-1] != ['[', ']']):
                declaration.replace_first('static')
            elif name not in used_by_headers:
                # Its definition comes before its uses.
                declaration.drop()
            else:
                raise SystemExit('%s: %s has no size' % (header.path, name))
    for source in sources:
        for declaration in source.declarations:
            # A table that no header declares, but those who use it.
            if (declaration.first == 'extern' and declaration.declared()
                    and not declaration.is_function()):
                tables[declaration.declared()] = None
                declaration.drop()
    for source in sources:
        for declaration in source.declarations:
            name = declaration.declared()
            if name is None or declaration.first in ('static', 'extern'):
                continue
            if name in functions and declaration.has_body:
                declaration.put_first('TW_INTERNAL ')
            elif name in tables:
                tables[name] = source
                declaration.put_first('static ')
            elif not declaration.is_function():
                raise SystemExit('%s: no header declares %s' %
                                 (source.path, name))
    for name, source in tables.items():
        if source is None and whole:
            raise SystemExit('%s is not defined' % name)
    return {name: source for name, source in tables.items() if source}


def in_order(sources, tables):
    """A table's file comes before the files that use it."""
    done, doing, order = set(), [], []

    def visit(source):
        if source in done:
            return
        if source in doing:
            raise SystemExit('tables of %s need each other' %
                             ', '.join(s.name for s in doing))
        doing.append(source)
        for name in sorted(source.used & tables.keys()):
            if tables[name] is not source:
                visit(tables[name])
        doing.pop()
        done.add(source)
        order.append(source)

    for source in sources:
        visit(source)
    return order


class Writer:
    def __init__(self, headers):
        self.headers = headers
        self.system = set()
        self.seen = set()
        self.parts = []

    def include(self, match):
        name = match.group(2)
        if name.endswith('intrin.h'):  # stands behind a condition: it stays
            return match.group(0)
        if match.group(1) == '<':
            self.system.add(name)
        elif name != PUBLIC and name not in self.seen:
            self.seen.add(name)
            self.put(self.headers[name], 'src/' + name)
        return ''

    def put(self, source, title):
        text = re.sub(r'^#include ([<"])([^>"]+)[>"].*\n', self.include,
                      source.text(), flags=re.M)
        text = text.replace('/* Generated by re2c */\n', '')
        text = text.replace('/* SPDX-License-Identifier: MIT */\n', '')
        text = text.replace('/* SPDX-License-Identifier: MIT\n *\n', '/*\n')
        text = re.sub(r'[ \t]+$', '', text, flags=re.M)
        text = re.sub(r'\n{3,}', '\n\n', text).strip('\n')
        ends = [m for m in dict.fromkeys(source.macros)
                if m not in source.undefined and title.endswith('.c')]
        text += ''.join('\n#undef ' + m for m in ends)
        self.parts.append('/* ==== %s %s */\n\n%s\n' %
                          (title, '=' * (67 - len(title)), text))


def licence(root):
    with open(os.path.join(root, 'LICENSE'), encoding='utf-8') as file:
        return ''.join((' * ' + line).rstrip() + '\n' for line in file)


def main(arguments):
    without = ''
    if len(arguments) == 5 and arguments[3] == '--without':
        without = arguments.pop()
        arguments.pop()
    if len(arguments) != 3:
        raise SystemExit(__doc__)
    gc.disable()  # to look through so many tokens takes longer than the rest
    root, scanners, out = arguments
    headers, sources = read_all(root, scanners)
    parts = parts_of(root, [part for part in without.split(',') if part])
    if parts:
        headers, sources = leave_out(root, headers, sources, parts)
    renamed = rename(headers, sources)
    tables = make_static(headers, sources, not parts)
    writer = Writer(headers)
    for source in in_order(sources, tables):
        writer.put(source, os.path.relpath(source.path, root)
                   if not source.name.startswith('scan_')
                   else 'grammar/' + source.name[len('scan_'):])
    with open(os.path.join(root, 'include', PUBLIC), encoding='utf-8') as file:
        public = file.read()
    version = re.search(r'define TW_VERSION "(.*)"', public).group(1)
    head = ('/* SPDX-License-Identifier: MIT\n *\n'
            ' * toolwire %s in one file, made by src/amalgamate.py: compile it'
            ' with\n * toolwire.h beside it, as in `cc -c toolwire.c`.\n *\n'
            '%s */\n#ifdef __cplusplus\n'
            '#error "toolwire.c is C11: name it .c and compile it with a C '
            'compiler; C++ includes toolwire.h"\n#endif\n'
            % (version, licence(root)))
    system = ''.join('#include <%s>\n' % name
                     for name in sorted(writer.system))
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, 'toolwire.c'), 'w', encoding='utf-8') as file:
        file.write('%s%s%s\n#include "%s"\n\n%s\n%s' %
                   (head, ''.join('#define TW_WITHOUT_%s\n' % part.upper()
                                  for part in parts),
                    system, PUBLIC, INTERNAL, '\n'.join(writer.parts)))
    with open(os.path.join(out, PUBLIC), 'w', encoding='utf-8') as file:
        file.write(public)
    print('%s: %d files, %d names of theirs renamed' %
          (os.path.join(out, 'toolwire.c'), len(sources) + len(headers),
           renamed))


if __name__ == '__main__':
    main(sys.argv[1:])
