// SPDX-License-Identifier: MIT
//
// Nothing leaks: neither where objects are freed, nor where they are
// forgotten, nor where a reader goes away.  Needs --expose-gc.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const module = await import(pathToFileURL(process.env.TOOLWIRE));
const toolwire = module.Decoder === undefined ? module.default : module;
const CALL = '<tool_call>{"name": "tide", "arguments": {"at": 1.50}}'
    + '</tool_call>';

/** Memory stays as it is when |once| runs often. */
async function settles(once, times) {
    for (let i = 0; i < times; i++) {
        await once(i);
    }
    await collect();
    const before = toolwire.memorySize();
    for (let i = 0; i < times * 3; i++) {
        await once(i);
        if (i % 200 === 0) {
            await collect();
        }
    }
    await collect();
    assert.equal(toolwire.memorySize(), before);
}

async function collect() {
    for (let i = 0; i < 3; i++) {
        globalThis.gc();
        await new Promise((resolve) => {
            setTimeout(resolve, 1);
        });
    }
}

test('what is freed', () => settles(() => {
    const decoder = new toolwire.Decoder('hermes', { tools: ['tide'] });
    decoder.feed(CALL);
    decoder.free();
    toolwire.decode(CALL.repeat(20), 'hermes');
    toolwire.encode({ messages: [{ role: 'user', content: 'a' }] }, 'hermes');
    toolwire.convert({ messages: [{ role: 'user', content: 'a' }] }, 'openai',
        'sharegpt');
}, 2000));

test('what is forgotten', () => settles((i) => {
    const decoder = new toolwire.Decoder('hermes');
    decoder.feed(CALL.repeat(30));
    if (i % 10 === 0) {
        const format = toolwire.loadFormat(toolwire.describe('qwen3-coder'));
        new toolwire.Decoder(format).feed('<tool_call>');
    }
}, 600));

test('what fails', () => settles(() => {
    assert.throws(() => new toolwire.Decoder('hermes', { tools: '[' }));
    assert.throws(() => toolwire.decode(CALL, 'hermes', { strict: true,
        tools: ['['], limitInput: 3 }));
    assert.throws(() => toolwire.loadFormat({ name: 'x' }));
    assert.throws(() => new toolwire.Converter('hermes', 'openai',
        { limitDepth: 0 }));
}, 1000));

test('a reader that goes away', () => settles(async () => {
    for await (const event of toolwire.decodeStream([CALL, CALL], 'hermes')) {
        assert.equal(event.type, 'call_begin');
        break;
    }
    const stream = new toolwire.DecoderStream('hermes', { api: 'chat' });
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    writer.write(CALL).catch(() => {});
    await reader.read();
    await reader.cancel();
}, 500));

test('memory is given back to the heap, in any order', () => {
    const kept = [];
    const before = toolwire.memorySize();
    let random = 1;
    for (let i = 0; i < 20000; i++) {
        random = Math.imul(random, 48271) % 0x7fffffff;
        const at = Math.abs(random) % 64;
        kept[at]?.free();
        kept[at] = new toolwire.Decoder('hermes');
        kept[at].feed(`<tool_call>{"name": "f", "arguments": {"a": "${
            'x'.repeat(Math.abs(random) % 3000)}`);
    }
    kept.forEach((decoder) => decoder.free());
    assert.ok(toolwire.memorySize() < before + 4 * 1024 * 1024);
});
