# SPDX-License-Identifier: MIT
"""A grammar in GBNF: read, put to texts, and walked at random.

It shares no code with the library, and needs nothing but Python.  A grammar is
run as a set of stacks, as llama.cpp runs it, so that any grammar without left
recursion will do.
"""
import functools
import random
import re

CHARS, RULE = 0, 1
ENDLESS = 10 ** 9
TOKENS = 0xF0000  # a special token is a character: its number behind this one
LIKELY = 'ab 1\n<|/>[{"\'\\:=tool_call é'
NAME = re.compile(r'(?:[^\W_]|-)+')
SKIP = re.compile(r'(?:[ \t\r\n]|#[^\n]*)*')
RULE_BEGINS = re.compile(NAME.pattern + SKIP.pattern + '::=')


class Reader:
    """Rules as lists of alternatives; an element is (CHARS, ranges, others) or
    (RULE, name)."""

    def __init__(self, text):
        self.text = text
        self.at = 0
        self.rules = {}
        self.made = 0
        while self.skip():
            name = self.name()
            self.expect('::=')
            self.rules[name] = self.choice()

    def skip(self):
        """Over white space and comments; false at the end."""
        self.at = SKIP.match(self.text, self.at).end()
        return self.at < len(self.text)

    def name(self):
        found = NAME.match(self.text, self.at)
        assert found, f'no name at {self.text[self.at:self.at + 40]!r}'
        self.at = found.end()
        return found.group()

    def expect(self, word):
        self.skip()
        assert self.text.startswith(word, self.at), self.text[self.at:self.at + 40]
        self.at += len(word)

    def rule(self, alternatives):
        self.made += 1
        name = f'.{self.made}'
        self.rules[name] = alternatives
        return (RULE, name)

    def ends(self):
        """Does the alternative end here?  A name with `::=` begins a rule."""
        if not self.skip() or self.text[self.at] in ')|':
            return True
        return RULE_BEGINS.match(self.text, self.at) is not None

    def choice(self):
        alternatives = [self.sequence()]
        while self.skip() and self.text[self.at] == '|':
            self.at += 1
            alternatives.append(self.sequence())
        return alternatives

    def sequence(self):
        elements = []
        while not self.ends():
            c = self.text[self.at]
            if c == '"':
                part = self.words()
            elif c == '[':
                part = [self.set()]
            elif c == '<':
                part = [self.token()]
            elif c == '(':
                self.at += 1
                part = [self.rule(self.choice())]
                self.expect(')')
            else:
                part = [(RULE, self.name())]
            elements += self.times(part)
        return elements

    def char(self):
        c = self.text[self.at]
        self.at += 1
        if c != '\\':
            return ord(c)
        c = self.text[self.at]
        self.at += 1
        digits = {'x': 2, 'u': 4, 'U': 8}.get(c)
        if digits is None:
            return ord({'n': '\n', 'r': '\r', 't': '\t'}.get(c, c))
        self.at += digits
        return int(self.text[self.at - digits:self.at], 16)

    def words(self):
        self.at += 1
        part = []
        while self.text[self.at] != '"':
            c = self.char()
            part.append((CHARS, ((c, c),), False))
        self.at += 1
        return part

    def set(self):
        self.at += 1
        others = self.text[self.at] == '^'
        self.at += others
        ranges = []
        while self.text[self.at] != ']':
            least = most = self.char()
            if self.text[self.at] == '-':
                self.at += 1
                most = self.char()
            ranges.append((least, most))
        self.at += 1
        return (CHARS, tuple(ranges), others)

    def token(self):
        end = self.text.index(']>', self.at)
        point = TOKENS + int(self.text[self.at:end].removeprefix('<['))
        self.at = end + 2
        return (CHARS, ((point, point),), False)

    def times(self, part):
        c = self.text[self.at] if self.at < len(self.text) else ''
        if c == '' or c not in '*+?{':
            return part
        self.at += 1
        least, most = {'*': (0, None), '+': (1, None), '?': (0, 1)}.get(c, (0, 0))
        if c == '{':
            end = self.text.index('}', self.at)
            least, _, rest = self.text[self.at:end].partition(',')
            most = None if rest == '' and ',' in self.text[self.at:end] else int(rest or least)
            least = int(least)
            self.at = end + 1
        out = part * least
        if most is None:
            again = self.rule([])
            self.rules[again[1]] = [part + [again], []]
            return out + [again]
        rest = []
        for _ in range(most - least):
            rest = [self.rule([part + rest, []])]
        return out + rest


class Grammar:
    def __init__(self, text):
        self.rules = Reader(text).rules
        for alternatives in list(self.rules.values()):
            for elements in alternatives:
                for element in elements:
                    assert element[0] == CHARS or element[1] in self.rules, f'no rule {element[1]}'
        self.stacks = {}  # (elements, place, below) -> number; 0 is the end
        self.tops = [None]
        self.opened = {}
        self.steps = {}
        self.likely = {}  # of each set, those of |LIKELY|

    # ---- texts ----------------------------------------------------------

    def stack(self, elements, place, below):
        if place == len(elements):
            return below
        key = (id(elements), place, below)
        if key not in self.stacks:
            self.stacks[key] = len(self.tops)
            self.tops.append((elements, place, below))
        return self.stacks[key]

    def open(self, stack):
        """The stacks that this one is, characters on top; 0 among them: it may
        end."""
        if stack in self.opened:
            return self.opened[stack]
        seen, found, left = {stack}, set(), [stack]
        while left:
            one = left.pop()
            if one == 0:
                found.add(0)
                continue
            elements, place, below = self.tops[one]
            if elements[place][0] == CHARS:
                found.add(one)
                continue
            behind = self.stack(elements, place + 1, below)
            for alternative in self.rules[elements[place][1]]:
                new = self.stack(alternative, 0, behind)
                if new not in seen:
                    seen.add(new)
                    left.append(new)
        self.opened[stack] = frozenset(found)
        return self.opened[stack]

    def start(self):
        now = set()
        for alternative in self.rules['root']:
            now |= self.open(self.stack(alternative, 0, 0))
        return frozenset(now)

    def step(self, now, char):
        key = (now, char)
        if key not in self.steps:
            code, after = ord(char), set()
            for stack in now:
                if stack != 0:
                    elements, place, below = self.tops[stack]
                    _, ranges, others = elements[place]
                    if any(a <= code <= b for a, b in ranges) != others:
                        after |= self.open(self.stack(elements, place + 1, below))
            self.steps[key] = frozenset(after)
        return self.steps[key]

    def refused(self, text):
        """Where the text leaves the grammar; its size + 1 where it only is no
        end; None: it is accepted."""
        now = self.start()
        for i, char in enumerate(text):
            now = self.step(now, char)
            if not now:
                return i
        return None if 0 in now else len(text) + 1

    # ---- walks ----------------------------------------------------------

    @functools.cached_property
    def sizes(self):
        """Of each rule the size of the shortest text: few walks ask for it."""
        sizes = dict.fromkeys(self.rules, ENDLESS)
        users = {name: [] for name in self.rules}
        for name, alternatives in self.rules.items():
            for user in {e[1] for elements in alternatives for e in elements if e[0] == RULE}:
                users[user].append(name)
        waiting = dict.fromkeys(self.rules)
        while waiting:
            name, _ = waiting.popitem()
            size = min((self.size(elements, sizes) for elements in self.rules[name]), default=ENDLESS)
            if size < sizes[name]:
                sizes[name] = size
                waiting.update(dict.fromkeys(users[name]))
        return sizes

    @staticmethod
    def size(elements, sizes):
        return min(ENDLESS, sum(1 if e[0] == CHARS else sizes[e[1]] for e in elements))

    @functools.cached_property
    def ends(self):
        return {name: self.shortest_of(alternatives) for name, alternatives in self.rules.items()}

    def shortest_of(self, alternatives):
        """Those that end first."""
        sizes = [self.size(elements, self.sizes) for elements in alternatives]
        return [elements for elements, size in zip(alternatives, sizes) if size == min(sizes)]

    def pick(self, ranges, others, rng):
        """A character of a set, of |LIKELY| where it can be."""
        key = (ranges, others)
        if key not in self.likely:
            self.likely[key] = [c for c in LIKELY if any(a <= ord(c) <= b for a, b in ranges) != others]
        good = self.likely[key]
        if not others and (not good or rng.random() < 0.7):
            a, b = ranges[int(rng.random() * len(ranges))]
            return chr(a + int(rng.random() * (min(b, a + 1000) - a + 1)))
        return good[int(rng.random() * len(good))]

    def walk(self, seed, most=400):
        """A text of the grammar; behind |most| characters it ends as soon as it
        can."""
        rng = random.Random(seed)
        out, left = [], [(RULE, 'root')]
        while left:
            element = left.pop()
            if element[0] == CHARS:
                out.append(self.pick(element[1], element[2], rng))
                continue
            alternatives = (self.ends if len(out) + len(left) > most else self.rules)[element[1]]
            left += reversed(alternatives[int(rng.random() * len(alternatives))])
        return ''.join(out)

    # ---- hostile texts ----------------------------------------------------

    def words(self):
        """What stands in the grammar in quotes: markers, mostly."""
        found = set()
        for alternatives in self.rules.values():
            for elements in alternatives:
                word = ''
                for element in [*elements, (RULE, '')]:
                    single = element[0] == CHARS and not element[2] and len(element[1]) == 1 and \
                        element[1][0][0] == element[1][0][1]
                    if single:
                        word += chr(element[1][0][0])
                    else:
                        found.add(word)
                        word = ''
        return sorted(word for word in found if len(word) > 3)

    def weight(self, stack):
        """The size of the shortest text that ends it."""
        size = 0
        while stack != 0:
            elements, place, stack = self.tops[stack]
            size += self.size(elements[place:], self.sizes)
        return size

    def hostile(self, seed, most=200):
        """A text of the grammar that holds markers wherever these are taken."""
        rng = random.Random(seed)
        words, now, out = self.words(), self.start(), []
        while len(out) < most and now != {0}:
            text = rng.choice(words) if words and rng.random() < 0.5 else None
            if text is None:
                elements, place, _ = self.tops[rng.choice(sorted(now - {0}))]
                text = self.pick(elements[place][1], elements[place][2], rng)
            after = now
            for char in text:
                after = self.step(after, char)
            if after:
                now = after
                out += text
        left = []
        stack = min(now, key=self.weight)
        while stack != 0:
            elements, place, stack = self.tops[stack]
            left = list(reversed(elements[place:]))
            while left:
                element = left.pop()
                if element[0] == CHARS:
                    out.append(self.pick(element[1], element[2], rng))
                else:
                    left += reversed(rng.choice(self.ends[element[1]]))
        return ''.join(out)
