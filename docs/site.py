#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The pages as a web site: static HTML, no network; one script, which searches.

Pages are README.md, those in docs/ and each page that one of these links to;
other files that are linked to become a page of their text.  Folders stay as
they are, so links need no more than another ending.  Needs Debian's
python3-markdown.

Use: docs/site.py FOLDER
Fails if a link leads nowhere."""
import html
import json
import os
import re
import shutil
import sys
from html.parser import HTMLParser

import markdown

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INDEX = 'docs/index.md'
TITLE = 'toolwire'
BAR = '\ue000'  # stands for a bar in code in a table, which is no border

PAGE = '''<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="{up}docs/site.css">
</head>
<body>
<nav aria-label="Pages">
<p class="home"><a href="{up}index.html">toolwire</a></p>
<form action="{up}search.html" role="search">
<input type="search" name="q" placeholder="Search" aria-label="Search these pages">
</form>
{menu}
</nav>
<main>
{body}
</main>
</body>
</html>
'''


SEARCH = '''<h1>Search</h1>
<noscript><p>Searching needs a script. The pages are listed beside.</p></noscript>
<p><input type="search" id="question" aria-label="Words to look for" autofocus></p>
<p id="count" aria-live="polite"></p>
<ul id="found"></ul>
<script src="sections.js"></script>
<script src="docs/search.js"></script>'''


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        return file.read()


def slug(text, _separator):
    """A section's name as links spell it."""
    return re.sub(r'[^\w-]', '', text.strip().lower().replace(' ', '-'))


def is_page(path):
    return path.endswith('.md')


def is_image(path):
    return path.endswith('.svg')


def address(path):
    """Where a file of the project stands in the site."""
    if is_page(path):
        return path[:-len('.md')] + '.html'
    return path if is_image(path) else path + '.html'


def bars_in_code(line):
    if not line.startswith('|'):
        return line
    return re.sub(r'`[^`]*`', lambda code: code[0].replace(r'\|', BAR), line)


def render(text):
    lines, fenced = [], False
    for line in text.split('\n'):
        fenced ^= line.startswith('```')
        lines.append(line if fenced else bars_in_code(line))
    made = markdown.markdown('\n'.join(lines), output_format='html', extensions=[
        'tables', 'fenced_code', 'sane_lists', 'toc'], extension_configs={
            'toc': {'slugify': slug}})
    return made.replace(BAR, '|').replace('<table>', '<div class="table"><table>'
                                          ).replace('</table>', '</table></div>')


class Links(HTMLParser):
    """What a page links to, and the sections that it has."""

    def __init__(self, text):
        super().__init__()
        self.links, self.sections = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.sections.add(values.get('id'))
        for name in 'href', 'src':
            if name in values:
                self.links.append(values[name])


class Sections(HTMLParser):
    """A page's sections, for the search: [title, address, text] of each."""

    def __init__(self, page, title, text):
        super().__init__()
        self.page, self.title, self.rows, self.heads = page, title, [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if re.fullmatch('h[1-6]', tag):
            section = dict(attributes).get('id')
            self.heads = True
            self.rows.append(['', address(self.page) + (
                f'#{section}' if section else ''), ''])

    def handle_endtag(self, tag):
        if re.fullmatch('h[1-6]', tag):
            self.heads = False
            if self.rows[-1][0] != self.title:
                self.rows[-1][0] += f' - {self.title}'

    def handle_data(self, data):
        if self.rows:
            self.rows[-1][0 if self.heads else 2] += data


def search_of(titles, bodies):
    """What the search looks through, as a script."""
    rows = [[' '.join(part.split()) for part in row]
            for page, body in bodies.items() if is_page(page)
            for row in Sections(page, titles[page], body).rows]
    return f'const sections = {json.dumps(rows, ensure_ascii=False)};\n'


def target(page, link):
    """The project's file that a link of a page leads to; None: another site."""
    if re.match(r'\w+:', link):
        return None
    path = link.split('#')[0]
    return os.path.normpath(os.path.join(os.path.dirname(page), path)
                            ) if path else page


def relink(page, text):
    def other(found):
        path = target(page, found[2])
        if path is None or found[2].startswith('#'):
            return found[0]
        section = '#' + found[2].split('#')[1] if '#' in found[2] else ''
        where = os.path.relpath(address(path), os.path.dirname(page) or '.')
        return f'{found[1]}="{where}{section}"'
    return re.sub(r'(href|src)="([^"]*)"', other, text)


def menu(page):
    """The list of pages, as the index has it, with this one marked."""
    made = []
    for part in read(INDEX).split('\n## ')[1:]:
        title = part.split('\n')[0]
        index = os.path.relpath(address(INDEX), os.path.dirname(page) or '.')
        made.append(f'<h2><a href="{index}#{slug(title, "-")}">'
                    f'{html.escape(title)}</a></h2>\n<ul>')
        for name, link in re.findall(r'\[([^]]+)\]\(([^)]+)\)', part):
            path = target(INDEX, link)
            where = os.path.relpath(address(path), os.path.dirname(page) or '.')
            here = ' aria-current="page"' if path == page else ''
            made.append(f'<li><a href="{where}"{here}>{html.escape(name)}</a></li>')
        made.append('</ul>')
    return '\n'.join(made)


def source(path):
    """A file that is no page: its lines."""
    return (f'<h1><code>{html.escape(path)}</code></h1>\n'
            f'<pre class="source">{html.escape(read(path))}</pre>')


def write(folder, path, text):
    place = os.path.join(folder, path)
    os.makedirs(os.path.dirname(place) or '.', exist_ok=True)
    with open(place, 'w', encoding='utf-8') as file:
        file.write(text)


def main(folder):
    pages = ['README.md'] + sorted('docs/' + name for name in
                                   os.listdir(os.path.join(ROOT, 'docs'))
                                   if is_page(name))
    bodies, wrong = {}, []
    for page in pages:  # which grows
        bodies[page] = body = render(read(page)) if is_page(page) else source(page)
        for link in Links(body).links if is_page(page) else ():
            path = target(page, link)
            if path is None or is_image(path) or path in pages:
                continue
            if os.path.isfile(os.path.join(ROOT, path)):
                pages.append(path)
            else:
                wrong.append(f'{page}: {link} leads nowhere')
    sections = {page: Links(body).sections for page, body in bodies.items()}
    titles = {}
    for page, body in bodies.items():
        for link in Links(body).links:
            path = target(page, link)
            if '#' in link and path and link.split('#')[1] not in sections.get(
                    path, ()):
                wrong.append(f'{page}: {link} is no section')
        found = re.search(r'<h1[^>]*>(.*?)</h1>', body, re.S)
        title = re.sub('<[^>]*>', '', found[1]) if found else page
        titles[page] = html.unescape(title)
        shown = PAGE.format(
            title=title if title == TITLE else f'{title} - {TITLE}',
            up='../' * page.count('/'), menu=menu(page),
            body=relink(page, body))
        write(folder, address(page), shown)
        if page == 'README.md':
            write(folder, 'index.html', shown)
    write(folder, 'sections.js', search_of(titles, bodies))
    write(folder, 'search.html', PAGE.format(
        title=f'Search - {TITLE}', up='', menu=menu('search.html'),
        body=SEARCH))
    for name in os.listdir(os.path.join(ROOT, 'docs')):
        if name.endswith(('.svg', '.css', '.js')):
            shutil.copy(os.path.join(ROOT, 'docs', name),
                        os.path.join(folder, 'docs', name))
    for line in wrong:
        print('FAILED: ' + line)
    print(f'{len(bodies)} pages in {folder}')
    return 1 if wrong else 0


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
