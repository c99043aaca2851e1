// SPDX-License-Identifier: MIT
//
// A module of chosen formats that only decodes: what is in it works, and what
// is not is told.
// Use: node small.mjs PACKAGE-FOLDER WASM
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, wasm] = process.argv.slice(2);
const toolwire = await import(pathToFileURL(join(folder, 'index.mjs')));
assert.throws(() => toolwire.decode('a', 'hermes'), /await init\(\)/);
// What a server sends in place of the module, and then the module itself.
const page = '<!doctype html><title>my app</title>';
const html = { headers: { 'content-type': 'text/html' } };
await assert.rejects(toolwire.init(new Response(page, html)),
    /no WebAssembly.*"<!doctype html>.*text\/html.*toolwire\/inline/);
await assert.rejects(toolwire.init(new Response(page,
    { status: 404, statusText: 'Not Found', ...html })),
/404 Not Found.*toolwire\/inline/);
await assert.rejects(toolwire.init(new TextEncoder().encode('MZ')),
    /no WebAssembly.*"MZ"/);
assert.throws(() => toolwire.initSync(new Uint8Array(0)), /no WebAssembly/);
await toolwire.init(readFileSync(wasm));

assert.deepEqual(toolwire.formats().map((one) => one.name).sort(),
    ['gemma4', 'gemma4/e', 'gemma4/fork', 'hermes/qwen3', 'qwen3-coder']);
for (const [format, text] of [
    ['hermes', '<tool_call>{"name": "f", "arguments": {}}</tool_call>'],
    ['gemma4', '<|tool_call>call:f{}<tool_call|>'],
    ['qwen3-coder', '<tool_call>\n<function=f>\n</function>\n</tool_call>']]) {
    const message = toolwire.decode(text, format);
    assert.equal(message.tool_calls[0].function.name, 'f');
    assert.equal(message.toolwire, undefined);
}
assert.throws(() => toolwire.decode('<tool_call>{"name": "f",}</tool_call>',
    'hermes', { strict: true }), { detail: 'trailing_comma' });
assert.throws(() => toolwire.decode('a', 'harmony'), /there is no format/);
assert.throws(() => toolwire.encode({ messages: [] }, 'hermes'),
    /built without tw_encoder_new/);
assert.throws(() => new toolwire.Writer('chat'),
    /built without streams \('chat'\)/);
const loaded = toolwire.loadFormat({ format: 1, name: 'mine',
    call: '<run>{object}</run>', text: '{text}' });
assert.equal(toolwire.decode('<run>{"name":"f","arguments":{}}</run>', loaded)
    .tool_calls.length, 1);
console.log(`a smaller module: ${readFileSync(wasm).length} bytes, all as said`);
