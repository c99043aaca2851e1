// SPDX-License-Identifier: MIT
//
// The same bytes as the command's: every input of the conformance cases as
// events, and as the stream of each API, in pieces of three bytes.
// Use: node native_node.mjs PACKAGE CONFORMANCE-FOLDER TOOLWIRE
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { casesIn } from './files.mjs';

const [path, folder, command] = process.argv.slice(2);
const toolwire = await import(pathToFileURL(path));
const APIS = ['events', 'chat', 'responses', 'anthropic'];

function native(format, api, text) {
    return new Promise((resolve, reject) => {
        const child = spawn(command, ['stream', '-f', format, '--chunk', '3',
            '--finish', 'stop',
            ...api === 'events' ? ['--events'] : ['--api', api]]);
        let out = '';
        child.stdout.setEncoding('utf8');
        child.stdout.on('data', (data) => {
            out += data;
        });
        child.on('error', reject);
        child.on('close', () => resolve(out.trimEnd()));
        child.stdin.end(text);
    });
}

async function ours(format, api, text) {
    const bytes = new TextEncoder().encode(text);
    const pieces = [];
    for (let at = 0; at < bytes.length; at += 3) {
        pieces.push(bytes.slice(at, at + 3));
    }
    const lines = [];
    for await (const one of toolwire.decodeStream(pieces, format,
        { api, keepRaw: true, framing: api === 'events' })) {
        lines.push(JSON.stringify(one));
    }
    return lines.join('\n');
}

let passed = 0;
let failed = 0;

async function judge(one, api) {
    const [want, got] = [await native(one.format, api, one.input),
        await ours(one.format, api, one.input)];
    if (want === got) {
        passed++;
    } else if (failed++ < 5) {
        console.log(`FAILED: ${one.id} as ${api}\n${want}\n----\n${got}`);
    }
}

const cases = Object.entries(casesIn(folder))
    .filter(([name]) => /^(decode-|formats\/)/.test(name))
    .flatMap(([, text]) => text.split('\n').filter(Boolean).map(JSON.parse))
    .filter((one) => one.input !== undefined && one.options === undefined
        && (one.input.isWellFormed?.() ?? true));
let next = 0;
await Promise.all([1, 2].map(async () => {
    while (next < cases.length) {
        const one = cases[next++];
        // All as events; of the APIs every eighth.
        for (const api of next % 8 === 0 ? APIS : ['events']) {
            await judge(one, api);
        }
    }
}));
console.log(`the same bytes as ${command}: ${passed} passed, ${failed} failed`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
