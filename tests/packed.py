# SPDX-License-Identifier: MIT
"""Compressed inputs: what the command says of a text it says of the text
packed, however it is packed and wherever its bytes are cut; one that is cut off
or damaged is an error with its place, and what stands in front of it is said
first.  A command that was built without a library names the one that helps.
Compressed outputs: what is written to a name that says so is the output packed,
and reads back.

Use: packed.py TOOLWIRE TOOLWIRE_WITHOUT_LIBRARIES DEFINITIONS
"""
import gzip
import os
import subprocess
import sys
import tempfile
import zlib

T, PLAIN, DEFINITIONS = sys.argv[1], sys.argv[2], ' '.join(sys.argv[3:])
passed = failed = 0


def verdict(name, good, shown=''):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print('FAILED: %s\n    %.1500r' % (name, shown))


def run(command, *arguments, data=None):
    done = subprocess.run([command, *arguments], input=data, timeout=600,
                          capture_output=True,
                          stdin=None if data is not None
                          else subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr.decode()


# ---- packings --------------------------------------------------------------

def zstd(data):
    """A frame of a block that is stored, as a file of nothing is, too."""
    block = (len(data) << 3 | 1).to_bytes(3, 'little') + data
    return (b'\x28\xb5\x2f\xfd\xa0' + len(data).to_bytes(4, 'little') + block)


def zeros(data):
    return gzip.compress(data) + bytes(1000)


def members(data):
    """As logs are, that are packed as they grow; one of nothing among them."""
    half = len(data) // 2
    return b''.join(map(gzip.compress, (data[:half], b'', data[half:])))


def frames(data):
    half = len(data) // 2
    skipped = b'\x50\x2a\x4d\x18\x03\0\0\0abc'
    return zstd(data[:half]) + skipped + zstd(b'') + zstd(data[half:])


def flushed(data):
    """Each byte by itself, and so that none has to wait for the next one."""
    packer = zlib.compressobj(wbits=31)
    return b''.join(packer.compress(data[i:i + 1]) +
                    packer.flush(zlib.Z_SYNC_FLUSH)
                    for i in range(min(len(data), 3000))) + \
        packer.compress(data[3000:]) + packer.flush()


GZIP = gzip.compress, members, flushed, zeros
ZSTD = zstd, frames
KNOWN = (GZIP if 'TOOLWIRE_ZLIB' in DEFINITIONS else ()) + \
    (ZSTD if 'TOOLWIRE_ZSTD' in DEFINITIONS else ())

# ---- the same as of the text -----------------------------------------------

CALL = 'Hi.<tool_call>{"name":"f","arguments":{"a":"%s"}}</tool_call>'
TEXT = (CALL % ('x' * 5000)).encode()
LINES = b''.join(b'{"text":"%s","n":%d}\n' % (
    (CALL % ('y' * (i % 70))).replace('"', '\\"').encode(), i)
    for i in range(900))
RECORDS = b''.join(b'{"messages":[{"role":"user","content":"%d"}]}\n' % i
                   for i in range(900))
SSE = b'data: {"choices":[{"index":0,"delta":{"content":"Hi."}}]}\n\n' * 40
INPUTS = [
    (TEXT, 'decode', '-f', 'hermes'), (b'', 'decode', '-f', 'hermes'),
    (b'\xef\xbb\xbf' + TEXT, 'decode', '-f', 'hermes'),
    (TEXT, 'stream', '-f', 'hermes', '--chunk', '7'),
    (TEXT, 'inspect', '-f', 'hermes'), (TEXT, 'detect'),
    (LINES, 'decode', '-f', 'hermes', '--jsonl'),
    (LINES[:-1], 'decode', '-f', 'hermes', '--jsonl'),
    (LINES, 'detect', '--jsonl'), (LINES, 'check', '-f', 'hermes', '--jsonl'),
    (RECORDS, 'convert', '-f', 'auto', '-t', 'anthropic'),
    (RECORDS, 'convert', '-f', 'openai', '-t', 'hermes', '-j', '3'),
    (RECORDS[:-1] + b'\n\n', 'encode', '-f', 'hermes', '--jsonl'),
    (SSE, 'stream', '-f', 'hermes', '--from-sse'),
    ('<|im_end|>'.encode('utf-16'), 'decode', '-f', 'hermes'),
]


def same(folder):
    path = os.path.join(folder, 'input')
    for data, *arguments in INPUTS:
        wanted = run(T, *arguments, data=data)
        for pack in KNOWN:
            name = '%s, %s' % (pack.__name__, arguments)
            packed = pack(data)
            got = run(T, *arguments, data=packed)
            verdict(name, got == wanted, (got, wanted))
            with open(path, 'wb') as file:
                file.write(packed)
            status, out, _ = run(T, *arguments, path)
            named = arguments[0] in ('inspect', 'detect')
            verdict(name + ', a file', status == wanted[0] and
                    (out == wanted[1] or named), out)


def at_once():
    """A line is answered when it is there, not when a buffer is full."""
    for pack in KNOWN:
        with subprocess.Popen([T, 'decode', '-f', 'hermes', '--jsonl'],
                              stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            packer = zlib.compressobj(wbits=31)
            line = b'{"text":"Hi."}\n'
            sent = zstd(line) if pack in ZSTD else \
                packer.compress(line) + packer.flush(zlib.Z_SYNC_FLUSH)
            process.stdin.write(sent)
            process.stdin.flush()
            verdict('%s: at once' % pack.__name__,
                    b'"Hi."' in process.stdout.readline())
            process.kill()


# ---- what is spoiled -------------------------------------------------------

def bad(name, packed, lines_before=None, *, arguments):
    status, out, err = run(T, *arguments, data=packed)
    place = 'toolwire: -: what is compressed is bad at its byte '
    verdict(name, status == 1 and err.startswith(place) and
            err.count('\n') == 1, (status, err))
    at = int(err[len(place):].split(':')[0]) if err.startswith(place) else -1
    verdict(name + ': the place', 0 <= at <= len(packed), err)
    if '--jsonl' in arguments:
        read = out.count(b'\n')
        verdict(name + ': the line', '; line %d and what follows was not read'
                % (read + 1) in err, (read, err))
    if lines_before is not None:
        verdict(name + ': what is sound is said',
                out.count(b'\n') == lines_before, (out, err))


def spoiled():
    lines = ('decode', '-f', 'hermes', '--jsonl')
    text = ('decode', '-f', 'hermes')
    few = LINES[:LINES.index(b'"n":40}\n')]
    for pack in KNOWN:
        packed = pack(few)
        end = len(packed.rstrip(b'\0')) - (3 if pack is zeros else 0)
        for cut in (5, 12, end // 3, end - 9, end - 1):
            if pack is members and cut == end - 9:
                continue
            name = '%s cut at %d' % (pack.__name__, cut)
            bad(name, packed[:cut], arguments=lines)
            bad(name, packed[:cut], arguments=text)
        name = '%s and no such thing behind it' % pack.__name__
        bad(name, packed + b'{"text":"a"}\n', arguments=lines,
            lines_before=few.count(b'\n'))
    if GZIP[0] in KNOWN:
        for place, why in ((-5, 'incorrect data check'),
                           (-1, 'incorrect length check')):
            packed = bytearray(gzip.compress(LINES))
            packed[place] ^= 1
            bad('gzip: ' + why, bytes(packed), 900, arguments=lines)
            _, _, err = run(T, *lines, data=bytes(packed))
            verdict('gzip says: ' + why, why in err, err)
    if 'TOOLWIRE_ZSTD' in DEFINITIONS:
        packed = bytearray(zstd(few))
        packed[9] |= 6  # a block of no kind
        bad('zstd, a block of no kind', bytes(packed), 0, arguments=lines)


def no_file(folder):
    out = os.path.join(folder, 'kept')
    for pack in KNOWN:
        with open(out, 'w', encoding='utf-8') as file:
            file.write('old')
        packed = pack(RECORDS).rstrip(b'\0')[:-4]
        status, _, _ = run(T, 'convert', '-f', 'openai', '-t', 'anthropic',
                           '-o', out, data=packed)
        with open(out, encoding='utf-8') as file:
            verdict('%s cut off: -o is not written' % pack.__name__,
                    status == 1 and file.read() == 'old')


# ---- outputs ---------------------------------------------------------------

WRITTEN = [
    (RECORDS, 'convert', '-f', 'openai', '-t', 'hermes'),
    (RECORDS * 40, 'convert', '-f', 'openai', '-t', 'hermes', '-j', '3'),
    (LINES, 'decode', '-f', 'hermes', '--jsonl'),
    (b'', 'convert', '-f', 'openai', '-t', 'hermes'),
]
ENDS = [('.gz', 'TOOLWIRE_ZLIB', b'\x1f\x8b\x08', 'gzip'),
        ('.zst', 'TOOLWIRE_ZSTD', b'\x28\xb5\x2f\xfd', 'zstd')]


def packed_outputs(folder):
    for end, library, magic, program in ENDS:
        path = os.path.join(folder, 'out.jsonl' + end)
        got = run(PLAIN, 'decode', '-f', 'hermes', '-o', path, data=TEXT)
        verdict(end + ' without libraries', got[0] == 2 and
                got[2].count('\n') == 1 and '| %s >' % program in got[2] and
                not os.path.exists(path), got)
        if library not in DEFINITIONS:
            continue
        for data, *arguments in WRITTEN:
            name = '%s, %s' % (end, arguments)
            status, wanted, said = run(T, *arguments, data=data)
            got = run(T, *arguments, '-o', path, data=data)
            verdict(name, got == (status, b'', said), got)
            with open(path, 'rb') as file:
                packed = file.read()
            verdict(name + ': packed', packed.startswith(magic) and
                    (len(packed) < len(wanted) or not wanted), packed[:9])
            if end == '.gz':
                verdict(name + ': the text',
                        gzip.decompress(packed) == wanted)
            again = run(T, 'decode', '-f', 'json', '--jsonl', path)
            verdict(name + ': reads back',
                    again[:2] == run(T, 'decode', '-f', 'json', '--jsonl',
                                     data=wanted)[:2], again)
        spoiled_record = RECORDS + b'no JSON\n'
        rejects = os.path.join(folder, 'bad.jsonl' + end)
        run(T, 'convert', '-f', 'openai', '-t', 'hermes', '--rejects', rejects,
            data=spoiled_record)
        with open(rejects, 'rb') as file:
            verdict(end + ': rejects are packed', file.read(4)[:len(magic)]
                    == magic)


# ---- twice, and without the libraries --------------------------------------

def names():
    """What is packed by what is not known is named, packed or not."""
    for pack, what, remedy in ((gzip.compress, 'gzip', 'zcat'),
                               (zstd, 'zstd', 'zstdcat')):
        line = ('toolwire: -: this is compressed by %s: read it by '
                '`%s | toolwire ...`\n' % (what, remedy))
        for command in (PLAIN, T):
            data = pack(TEXT) if command == PLAIN else pack(pack(TEXT))
            if command == T and pack not in KNOWN:
                continue
            for arguments, *_ in (INPUTS[0][1:], ), (INPUTS[6][1:], ):
                got = run(command, *arguments, data=data)
                verdict('%s, %s: one line' % (what, command),
                        got == (1, b'', line), got)
    got = run(PLAIN, 'decode', '-f', 'hermes', data=TEXT)
    verdict('text without libraries',
            got == run(T, 'decode', '-f', 'hermes', data=TEXT), got)


with tempfile.TemporaryDirectory() as temporary:
    same(temporary)
    no_file(temporary)
    packed_outputs(temporary)
at_once()
spoiled()
names()
if not KNOWN:
    print('packed: what is unpacked SKIPPED: neither library is there')
print('%d passed, %d failed' % (passed, failed))
sys.exit(failed > 0)
