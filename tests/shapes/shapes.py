# SPDX-License-Identifier: MIT
"""What is lost is said, in every shape: random records that use every member of
a shape go to each other shape and back; what differs then is what was reported,
neither more nor less, and the way back loses nothing.

Use: shapes.py TOOLWIRE [RECORDS [SEED]]; SHAPES='FROM,... [TO,...]' in the
environment leaves out all others.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import finetune
from members import SHAPES
from says import (MOVED, Difference, is_void, leaves, moved_up, read, says,
                  with_joined)
from values import R

T = sys.argv[1]
RECORDS = int(sys.argv[2]) if len(sys.argv) > 2 else 6
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
R.seed(SEED)

passed = failed = 0
refused = {}
said = set()


def verdict(good, what, *shown):
    """What fails is shown once of each kind."""
    global passed, failed
    passed += bool(good)
    failed += not good
    kind = re.sub('[0-9]+', '', what.split(',')[0])
    if not good and kind not in said:
        said.add(kind)
        print('FAILED: %s' % what)
        for each in shown:
            print('    %.3000s' % each)


def convert(there, to, lines, folder):
    report = os.path.join(folder, 'report')
    done = subprocess.run(
        [T, 'convert', '-f', there, '-t', to, '--report', report],
        input='\n'.join(lines) + '\n', text=True,
        encoding='utf-8', capture_output=True, timeout=600)
    out = done.stdout.split('\n')[:-1]
    lost = [[] for _ in lines]
    with open(report, encoding='utf-8') as file:
        for line in file:
            it = json.loads(line)
            if it['kind'] in ('loss', 'change'):
                lost[it['line'] - 1].append((it['path'], it['code']))
            verdict(it['path'], '%s to %s: a report of no place' % (there, to),
                    it)
    verdict(len(out) == len(lines), '%s to %s: a line for each' % (there, to),
            done.stderr)
    return out, lost


def is_refused(line):
    """An error stands in the record's place, behind what tells the record."""
    return '"error":{"code":"TW_ERROR' in line


def is_inside(path, others):
    return any(path.startswith(each) and path[len(each):len(each) + 1] in '.['
               and path != each for each in others)


def behind_instructions(front, path):
    """They are the first item of the input."""
    if path == front + 'instructions':
        return front + 'input[0].content'
    found = re.match(re.escape(front) + r'input\[(\d+)\]', path)
    return path if found is None else '%sinput[%d]%s' % (
        front, int(found[1]) + 1, path[found.end():])


def why_said(record, path):
    """Of a message that is reasoning."""
    found = re.match(r'content\[(\d+)\]\.description$', path)
    return path if found is None or record['content'][int(found[1])][
        'class_'] != 'message_action' else 'content[%s].reasoning_content' % (
            found[1])


def placed(shape, record, lost):
    """The paths as they are in what says() makes of the record."""
    if shape == 'trajectory':
        return [(re.sub('^(traj|history)\\b', 'trajectory', path), code)
                for path, code in lost]
    if shape == 'trl' and 'prompt' not in record:
        count = len(moved_up(record['chosen'], record['rejected'])[0])
        return [(re.sub(r'^(chosen|rejected)\[(\d+)\]', lambda found: (
            '%s[%d]' % (found[1], int(found[2]) - count)
            if int(found[2]) >= count else 'prompt[%s]' % found[2]), path),
                 code) for path, code in lost]
    if shape == 'adp':
        lost = [(why_said(record, path), code) for path, code in lost]
    if shape in ('responses', 'batch'):
        lost = [(re.sub(r'\.summary\[', '.content[', path), code)
                for path, code in lost]
    for front, body in (('', record), ('body.', record.get('body', {})), (
            'response.body.', (record.get('response') or {}).get('body', {}))):
        if shape in ('responses', 'batch') and \
                isinstance(body.get('instructions'), str):
            lost = [(behind_instructions(front, path), code)
                    for path, code in lost]
    return lost


def kept(lost, right):
    """Where messages are gone others stand in their place: all that is there.
    """
    values = set()

    def look(it):
        for each in it.values() if isinstance(it, dict) else it:
            if isinstance(each, (dict, list)):
                look(each)
            else:
                values.add(str(each))

    if any(code == 'content_dropped' for _, code in lost):
        look(right)
    return values


def judge(way, line, back, lost):
    left, right = says(way[0], line), says(way[0], back)
    lost = placed(way[0], read(line), lost)
    paths = {path for path, _ in lost}
    found = Difference(lost, kept(lost, right)).of(left, right)
    verdict(not found, '%s by %s: differs, not reported: %s' % (
        *way, ', '.join(found)), line, back, lost)
    for path in sorted(paths):
        others = [each for each in lost if each[0] != path]
        # Text beside calls is an item of its own in Responses, too.
        if way[0] in ('responses', 'batch') and \
                dict(lost)[path] == 'content_moved':
            continue
        moves = any(code in MOVED for _, code in others)
        if not is_inside(path, paths) and \
                not (way[0] == 'xlam' and dict(lost)[path] == 'tool_part') and \
                not (moves and dict(lost)[path] in MOVED) and \
                not is_covered(path, [
                    each for each, _ in with_joined(others)]):
            verdict(Difference(others, ()).of(left, right),
                    '%s by %s: reported, does not differ: %s' % (*way, path),
                    line, back, lost)


def is_covered(path, others):
    return path in others or is_inside(path, others)


def was_made(shape, path, code):
    """Is it what the shape has to have, and was made up?"""
    return (shape == 'responses' and path.endswith('].id')) or (
        shape == 'batch' and path.endswith('].id')) or (
        shape == 'gemini' and code == 'result_name') or (
        shape == 'xlam' and code == 'tool_part') # the type `Any`


def check(shape, other, lines, folder):
    out, lost = convert(shape, other, lines, folder)
    good = [i for i, each in enumerate(out) if not is_refused(each)]
    refused[shape, other] = len(lines) - len(good)
    if not good:
        return
    back, also = convert(other, shape, [out[i] for i in good], folder)
    for line, i, more in zip(back, good, also):
        verdict(not is_refused(line),
                '%s by %s: back: %s' % (shape, other, line), lines[i], out[i])
        more = [each for each in more if not was_made(other, *each)]
        verdict(not more, '%s by %s: back, lost: %s' % (shape, other, more),
                lines[i], out[i])
        if not is_refused(line):
            judge((shape, other), lines[i], line, lost[i])


def check_strict(shape, lines, folder):
    """The trainer takes what is not refused, and the rest is said."""
    out, lost = convert(shape, 'openai/finetune', lines, folder)
    for line, each, said in zip(lines, out, lost):
        it = json.loads(each)
        if not is_refused(each):
            verdict(finetune.fits(it, finetune.RECORD),
                    '%s by openai/finetune: the trainer refuses it' % shape,
                    line, each)
            gone = set(json.loads(line)) - set(it) - {
                path.split('.')[0].split('[')[0] for path, _ in said}
            verdict(shape != 'openai' or not {
                key for key in gone
                if not is_void(json.loads(line)[key])} - KEPT,
                    '%s by openai/finetune: not said: %s' % (shape, gone),
                    line, each)


# What a record may lose unsaid: lists that are read under another name.
KEPT = {'messages', 'tools', 'functions', 'conversations'}


def known_shapes():
    shown = subprocess.run([T, 'convert', '--help'], capture_output=True,
                           text=True, check=True).stdout
    named = shown[shown.index('Shapes of records:\n'):].split('\n\n')[0]
    return [line.split()[0] for line in named.split('\n')[1:]]


def has_all(shape, members, records):
    """The records use each member that is listed, and list each they use."""
    free = tuple(each[:-3] for each in members if each.endswith('...'))
    listed = {each[:-3] if each.endswith('...') else each for each in members}
    used = set()
    for record in records:
        for each in leaves(record):
            while each.endswith('[]') and each not in listed:
                each = each[:-2]
            used.add(next((front for front in free if each == front or
                           each.startswith((front + '.', front + '['))), each))
    verdict(not listed - used, '%s: no record uses %s' % (
        shape, sorted(listed - used)))
    verdict(not used - listed, '%s: not listed: %s' % (
        shape, sorted(used - listed)))


def lines_of(records):
    return [json.dumps(record, ensure_ascii=False) for record in records]


def main():
    # Those that are only read have no way back, nor has what has no envelope.
    ends = [shape for shape in known_shapes()
            if shape not in ('auto', 'claude-code', 'codex', 'gemini-cli',
                             'qwen-code', 'pi', 'messages', 'langchain',
                             'verifiers', 'parts', 'exchange',
                             'openai/finetune')]
    verdict(set(ends) == set(SHAPES), 'each shape has records: %s' % sorted(
        set(ends) ^ set(SHAPES)))
    only = os.environ.get('SHAPES', '').split()
    with tempfile.TemporaryDirectory() as folder:
        for shape, (make, members) in SHAPES.items():
            if only and shape not in only[0].split(','):
                continue
            has_all(shape, members, [make() for _ in range(3000)])
            check_strict(shape, lines_of([make() for _ in range(RECORDS * 4)]),
                         folder)
            for other in SHAPES:
                if len(only) > 1 and other not in only[1].split(','):
                    continue
                records = [make() for _ in range(RECORDS)]
                check(shape, other, lines_of(records), folder)
    print('%d passed, %d failed' % (passed, failed))
    sys.exit(failed > 0)


main()
