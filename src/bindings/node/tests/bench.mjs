// SPDX-License-Identifier: MIT
//
// Deltas a second, of four letters each: the library itself, this package, and
// @ai-sdk-tool/parser on the same text.
// Use: node bench.mjs BENCH_NATIVE
import { execFileSync } from 'node:child_process';
import { Decoder, DecoderStream } from 'toolwire';
import { toolwire } from 'toolwire/ai-sdk';

const SIZE = 4;
const call = (text) => `<tool_call>\n{"name": "write_file", "arguments": ${
    JSON.stringify({ path: 'notes/tide.txt', text, lines: 12 })}}\n</tool_call>`;
const prose = 'The tide at Brest turns at noon; I write that down for you. ';
const TEXTS = {
    'text and a call': prose.repeat(12) + call(prose.repeat(6)),
    'a call of 20 KB': call(`${prose}\n`.repeat(330)),
};

const cut = (text) => text.match(/[^]{1,4}/g);
const tools = [{ type: 'function', name: 'write_file',
    inputSchema: { type: 'object', properties: {
        path: { type: 'string' }, text: { type: 'string' },
        lines: { type: 'number' } } } }];

async function rate(pieces, once) {
    for (let i = 0; i < 20; i++) {
        await once();
    }
    const begin = performance.now();
    let rounds = 0;
    while (performance.now() - begin < 1000) {
        await once();
        rounds++;
    }
    return pieces.length * rounds / (performance.now() - begin) * 1000;
}

// Node 18 has no ReadableStream.from().
const streamOf = (pieces) => new ReadableStream({
    start(controller) {
        pieces.forEach((piece) => controller.enqueue(piece));
        controller.close();
    },
});

async function through(pieces, transform, take = () => {}) {
    const reader = streamOf(pieces).pipeThrough(transform).getReader();
    for (let step; !(step = await reader.read()).done;) {
        take(step.value);
    }
}

const parts = (pieces) => [{ type: 'text-start', id: '1' },
    ...pieces.map((delta) => ({ type: 'text-delta', id: '1', delta })),
    { type: 'text-end', id: '1' },
    { type: 'finish', usage: {}, finishReason: { unified: 'stop' } }];

let other = null;
try {
    other = await import('@ai-sdk-tool/parser');
} catch {
    console.log('@ai-sdk-tool/parser: SKIPPED: npm does not have it');
}
if (globalThis.crypto === undefined) {
    other = null;
    console.log('@ai-sdk-tool/parser: SKIPPED: it needs the crypto of Node 20');
}

for (const [name, text] of Object.entries(TEXTS)) {
    const pieces = cut(text);
    const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
    const rows = [];
    const add = async (what, once) =>
        rows.push([what, await rate(pieces, once)]);
    if (process.argv[2] !== undefined) {
        rows.push(['the library, in C', Number(execFileSync(process.argv[2],
            ['hermes', SIZE, Math.ceil(4e6 / pieces.length)],
            { input: text }))]);
    }
    const decoder = new Decoder('hermes');
    const plain = (all) => () => {
        all.forEach((piece) => decoder.feed(piece));
        decoder.finish();
        decoder.reset();
    };
    await add('Decoder.feed(), strings', plain(pieces));
    await add('Decoder.feed(), bytes', plain(bytes));
    await add('DecoderStream, events', () => through(pieces,
        new DecoderStream('hermes')));
    await add('DecoderStream, chunks', () => through(pieces,
        new DecoderStream('hermes', { api: 'chat' })));
    const { wrapStream } = toolwire({ format: 'hermes' });
    await add('toolwire/ai-sdk', async () => {
        const { stream } = await wrapStream({ params: { tools },
            doStream: async () => ({ stream: streamOf(parts(pieces)) }) });
        const reader = stream.getReader();
        while (!(await reader.read()).done);
    });
    if (other !== null) {
        await add('@ai-sdk-tool/parser', () => through(parts(pieces),
            other.hermesProtocol().createStreamParser({ tools })));
    }
    console.log(`${name}: ${text.length} letters, deltas of ${SIZE}`);
    for (const [what, per] of rows) {
        console.log(`  ${what.padEnd(26)}${
            Math.round(per).toLocaleString('en').padStart(12)} deltas/s`);
    }
}
