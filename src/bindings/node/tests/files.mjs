// SPDX-License-Identifier: MIT
//
// The files of tests/conformance, as text by their names in it.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const KINDS = /^(decode-|encode-|response_template|vectors|formats\/|records\/)/;

export function casesIn(folder) {
    const names = readdirSync(folder, { recursive: true })
        .map((name) => name.replaceAll('\\', '/'))
        .filter((name) => name.endsWith('.jsonl') && KINDS.test(name)).sort();
    return Object.fromEntries(names.map((name) =>
        [name, readFileSync(join(folder, name), 'utf8')]));
}
