# SPDX-License-Identifier: MIT
"""Reads what `toolwire inspect` wrote back to the bytes of the wire.

Use: inspect.py WIRE SHOWN (text or HTML; fails if they are not the same, if a
control character stands in it, or if the HTML is not well made)
"""
import html.parser
import re
import sys

PLAIN_GUTTER = 8 + 2 + 11
ROW = re.compile(rb"( *[0-9]+)  ([a-z]+) +")
SIGN = re.compile("\u27e8(?:U\\+([0-9A-F]+)|x([0-9A-F]{2})|([A-Z0-9]{2,3}))\u27e9|\u21b5|\xb7")
NAMES = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 "
    "NAK SYN ETB CAN EM SUB ESC FS GS RS US"
).split()
VOID = {"meta"}


def unsign(text):
    """The bytes that a sign stands for."""
    found = SIGN.fullmatch(text)
    if found is None:
        return text.encode()
    if found[1]:
        return chr(int(found[1], 16)).encode()
    if found[2]:
        return bytes([int(found[2], 16)])
    if text == "\xb7":
        return b" "
    if found[3] == "DEL":
        return b"\x7f"
    return bytes([NAMES.index(found[3] or "LF")])


def unsign_all(text):
    parts, at = [], 0
    for found in SIGN.finditer(text):
        parts += [text[at : found.start()].encode(), unsign(found[0])]
        at = found.end()
    return b"".join(parts) + text[at:].encode()


class Page(html.parser.HTMLParser):
    """Collects the wire, and refuses what is not closed or not known."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.wire = b""
        self.offsets = []
        self.bytes = None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        assert tag not in ("script", "link", "img", "iframe"), tag
        assert not {name for name in attrs if name.startswith("on")}, attrs
        assert not {"src", "href", "style"} & set(attrs), attrs
        if tag in VOID:
            return
        self.open.append((tag, attrs.get("class", "")))
        if "data-bytes" in attrs:
            self.bytes = bytes.fromhex(attrs["data-bytes"])

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        classes = [name for tag, name in self.open]
        if "wire" in classes:
            if self.bytes is not None:
                assert unsign(data) == self.bytes, (data, self.bytes)
                self.wire += self.bytes
            else:
                self.wire += data.encode()
        elif classes and classes[-1] == "offset":
            assert int(data) == len(self.wire), (data, len(self.wire))
        self.bytes = None


def read_html(shown):
    text = shown.decode()
    assert not re.search(r"https?:|@import|url\(", text), "it loads something"
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == [], page.open
    return page.wire


def read_text(shown):
    """Rows begin with an offset; notes do not."""
    wire = b""
    rows = shown.split(b"\n\n", 1)[1].split(b"\n\ncalls\n")[0]
    for row in rows.split(b"\n"):
        found = ROW.match(row)
        if found:
            assert int(found[1]) == len(wire), (row, len(wire))
            wire += unsign_all(row[PLAIN_GUTTER:].decode())
    return wire


def main():
    with open(sys.argv[1], "rb") as file:
        wire = file.read()
    with open(sys.argv[2], "rb") as file:
        shown = file.read()
    odd = set(shown.decode()) & {chr(c) for c in range(0xA0)} - set(
        chr(c) for c in range(0x20, 0x7F)
    )
    assert odd == {"\n"}, odd
    is_html = shown.startswith(b"<!DOCTYPE html>")
    got = read_html(shown) if is_html else read_text(shown)
    assert got == wire, (got[:200], wire[:200])


main()
