// SPDX-License-Identifier: MIT
//
// The middleware with the real `ai` package and a model that streams what each
// format writes: whole, cut anywhere, cut short, and broken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateText, stepCountIs, streamText, tool, wrapLanguageModel }
    from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { encodeCompletion, formats, markers } from 'toolwire';
import { toolwire } from 'toolwire/ai-sdk';
import { z } from 'zod';

const USAGE = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const INPUT = { harbour: 'Brest', days: 2 };
const CALL = {
    role: 'assistant', content: 'Let me see.', tool_calls: [{
        id: 'abcDEF123', type: 'function', function: {
            name: 'get_tide', arguments: JSON.stringify(INPUT) },
    }],
};

const tools = {
    get_tide: tool({
        description: 'The tide',
        inputSchema: z.object({ harbour: z.string(), days: z.number() }),
    }),
};

/** A model that answers with these texts, one a call. */
function modelOf(texts, { size = 4, reason = 'stop', seen = [] } = {}) {
    let next = 0;
    const finishReason = { unified: reason, raw: reason };
    const answer = (params) => {
        seen.push(params);
        return texts[Math.min(next++, texts.length - 1)];
    };
    return new MockLanguageModelV3({
        doGenerate: async (params) => ({
            content: [{ type: 'text', text: answer(params) }],
            finishReason, usage: USAGE, warnings: [],
        }),
        doStream: async (params) => {
            const text = answer(params);
            const deltas = [];
            for (let at = 0; at < text.length; at += size) {
                deltas.push({
                    type: 'text-delta', id: '1',
                    delta: text.slice(at, at + size),
                });
            }
            return { stream: simulateReadableStream({
                initialDelayInMs: null, chunkDelayInMs: null,
                chunks: [{ type: 'stream-start', warnings: [] },
                    { type: 'text-start', id: '1' }, ...deltas,
                    { type: 'text-end', id: '1' },
                    { type: 'finish', usage: USAGE, finishReason }],
            }) };
        },
    });
}

const wrap = (model, format, options) => wrapLanguageModel({
    model, middleware: toolwire({ format, ...options }),
});

async function streamed(options) {
    const result = streamText({ ...options, onError() {} });
    const parts = [];
    for await (const part of result.fullStream) {
        parts.push(part);
    }
    return { result, parts };
}

test('every format gives a real call', async (context) => {
    let count = 0;
    for (const { name } of formats()) {
        let text;
        try {
            text = encodeCompletion(CALL, name, { report: [] });
        } catch (error) {
            // Some have no place for text beside a call.
            text = encodeCompletion({ ...CALL, content: null }, name,
                { report: [] });
        }
        const generated = await generateText({
            model: wrap(modelOf([text]), name, { untyped: 'json' }),
            tools, prompt: 'Tide?' });
        assert.deepEqual(generated.toolCalls.map((call) => [call.toolName,
            call.input, call.invalid ?? false]),
        [['get_tide', INPUT, false]], `${name}: ${text}`);
        assert.equal(generated.finishReason, 'tool-calls', name);
        for (const size of [1, 5]) {
            const { result, parts } = await streamed({
                model: wrap(modelOf([text], { size }), name), tools,
                prompt: 'Tide?' });
            assert.deepEqual((await result.toolCalls).map((call) =>
                call.input), [INPUT], `${name} by ${size}: ${text}`);
            assert.equal(await result.text, generated.text, name);
            assert.equal(parts.filter((part) =>
                part.type === 'tool-input-start').length, 1, name);
            assert.equal(await result.finishReason, 'tool-calls');
        }
        count++;
    }
    context.diagnostic(`${count} formats`);
    assert.ok(count > 80);
});

test('tools run, and the model is told what came of them', async () => {
    const seen = [];
    const model = modelOf([`Let me see.\n${
        encodeCompletion({ ...CALL, content: null }, 'hermes/nous')}`,
    'High at noon.'], { seen });
    const result = await generateText({
        model: wrap(model, 'hermes/nous'), prompt: 'Tide?', system: 'Be brief.',
        stopWhen: stepCountIs(3), tools: { get_tide: {
            ...tools.get_tide,
            execute: async ({ harbour }) => ({ [harbour]: 'noon' }),
        } } });
    assert.equal(result.text, 'High at noon.');
    assert.equal(seen.length, 2);
    assert.equal(seen[0].tools, undefined);
    assert.match(seen[0].prompt[0].content, /^Be brief\.\n\n.*get_tide/s);
    assert.match(seen[0].prompt[0].content, /<tool_call>/);
    const [, , assistant, answered] = seen[1].prompt;
    assert.equal(assistant.content[0].text, 'Let me see.\n<tool_call>\n{"name"'
        + ': "get_tide", "arguments": {"harbour": "Brest", "days": 2}}\n'
        + '</tool_call>');
    assert.equal(answered.role, 'user');
    assert.match(answered.content[0].text, /"Brest":"noon"/);
});

test('text stays text, reasoning becomes reasoning', async () => {
    const { result, parts } = await streamed({ prompt: 'a', tools,
        model: wrap(modelOf(['<think>\nHm.\n</think>\n\n<b>No</b> tool.']),
            'hermes') });
    assert.equal(await result.text, '<b>No</b> tool.');
    assert.equal(await result.reasoningText, 'Hm.');
    assert.equal(await result.finishReason, 'stop');
    const ids = new Map();
    for (const { type, id } of parts) {
        if (/^(text|reasoning)-/.test(type)) {
            ids.set(id, `${ids.get(id) ?? ''} ${type}`);
        }
    }
    assert.deepEqual([...ids.values()].map((it) =>
        it.replace(/( \w+-delta)+/, ' ...')),
    [' reasoning-start ... reasoning-end', ' text-start ... text-end']);
});

test('a call that is cut off at any place is not called', async () => {
    const text = encodeCompletion(CALL, 'hermes')
        .replace(/<\|im_end\|>\s*$/, '');
    // Behind the brace that closes the arguments the call is whole.
    const end = text.lastIndexOf('}}');
    for (let at = 0; at < text.length; at += 3) {
        const cut = text.slice(0, at);
        const model = () => wrap(modelOf([cut], { reason: 'length' }),
            'hermes');
        const { result } = await streamed({ model: model(), tools,
            prompt: 'a' });
        const generated = await generateText({ model: model(), tools,
            prompt: 'a' });
        for (const one of [await result.toolCalls, generated.toolCalls]) {
            assert.equal(one.length, at > end ? 1 : 0, cut);
        }
        assert.equal(await result.finishReason, 'length');
        assert.equal(generated.text, await result.text);
    }
});

test('a broken call is told, and is neither called nor text', async () => {
    const text = 'See.\n<tool_call>{"name": "get_tide", "arguments": [1]}'
        + '</tool_call>\n<tool_call>{"name": "get_tide", "arguments": '
        + '{"harbour": "Brest", "days": 2,}}</tool_call>';
    const options = { tools, prompt: 'a' };
    const generated = await generateText({ ...options,
        model: wrap(modelOf([text]), 'hermes') });
    assert.deepEqual(generated.toolCalls.map((call) => call.input), [INPUT]);
    assert.equal(generated.text.trim(), 'See.');
    assert.equal(generated.providerMetadata.toolwire.unparsed[0].reason,
        'arguments_not_object');
    assert.ok(generated.providerMetadata.toolwire.diagnostics.some((one) =>
        one.code === 'trailing_comma'));
    const { result } = await streamed({ ...options,
        model: wrap(modelOf([text], { size: 1 }), 'hermes') });
    assert.deepEqual((await result.toolCalls).map((call) => call.input),
        [INPUT]);
    assert.deepEqual((await result.providerMetadata).toolwire,
        generated.providerMetadata.toolwire);
});

test('a stream that breaks off without its finish calls nothing', async () => {
    const { wrapStream } = toolwire({ format: 'hermes' });
    const { stream } = await wrapStream({ params: {},
        doStream: async () => ({ stream: simulateReadableStream({
            chunks: [{ type: 'text-delta', id: '1',
                delta: '<tool_call>{"name": "a", "arguments": {' }] }) }) });
    const types = [];
    for await (const { type } of stream) {
        types.push(type);
    }
    assert.deepEqual(types, ['tool-input-start', 'tool-input-delta',
        'tool-input-end']);
});

test('two steps have calls of two ids; the choice is obeyed', async () => {
    const seen = [];
    const model = wrap(modelOf([encodeCompletion(CALL, 'gemma4')], { seen }),
        'gemma4');
    const options = { model, tools, prompt: 'a' };
    const [one, other] = [await generateText(options),
        await generateText({ ...options, toolChoice: 'required' })];
    assert.notEqual(one.toolCalls[0].toolCallId,
        other.toolCalls[0].toolCallId);
    assert.match(seen[1].prompt[0].content, /must call a tool/);
    const none = [];
    await generateText({ ...options, toolChoice: 'none',
        model: wrap(modelOf(['a'], { seen: none }), 'gemma4') });
    assert.equal(none[0].prompt[0].role, 'user');
    const left = [];
    await generateText({ ...options, model: wrap(modelOf(['a'],
        { seen: left }), 'gemma4', { declare: false }) });
    assert.equal(left[0].tools[0].name, 'get_tide');
});

test('no empty reasoning is put in the model\'s mouth', async () => {
    for (const { name } of formats()) {
        const marks = markers(name).filter((one) =>
            one.role === 'reasoning_open' || one.role === 'reasoning_close')
            .map((one) => one.text);
        const { transformParams } = toolwire({ format: name });
        const { prompt } = await transformParams({ params: {
            tools: [{ type: 'function', name: 'get_tide', inputSchema: {} }],
            prompt: [{ role: 'assistant', content: [
                { type: 'reasoning', text: 'Hm.' },
                { type: 'tool-call', toolCallId: 'abcDEF123',
                    toolName: 'get_tide', input: INPUT }] }],
        } });
        const [system, { content: [reasoning, text] }] = prompt;
        assert.equal(reasoning.text, 'Hm.');
        for (const mark of marks) {
            assert.ok(!system.content.includes(mark), `${name}: ${mark}`);
            assert.ok(!text.text.includes(mark), `${name}: ${mark}`);
        }
        assert.match(system.content, /tool_name/);
    }
});

test('a finish reason is answered in its own words', async () => {
    const { wrapGenerate } = toolwire({ format: 'hermes' });
    const finish = async (finishReason) => (await wrapGenerate({ params: {},
        doGenerate: async () => ({ finishReason, content: [{ type: 'text',
            text: encodeCompletion(CALL, 'hermes') }] }) })).finishReason;
    assert.equal(await finish('stop'), 'tool-calls');
    assert.equal(await finish('length'), 'length');
    assert.deepEqual(await finish({ unified: 'stop', raw: 'eos' }),
        { unified: 'tool-calls', raw: 'eos' });
});

test('a wrong option is told when the middleware is made', () => {
    assert.throws(() => toolwire({ format: 'hermez' }), /did you mean/);
    assert.throws(() => toolwire({ format: 'hermes', strickt: true }),
        /did you mean 'strict'/);
    assert.throws(() => toolwire(), /\{ format: 'hermes' \}/);
    assert.throws(() => toolwire('hermes'), /\{ format: 'hermes' \}/);
    assert.throws(() => toolwire({}), /\{ format: 'hermes' \}/);
    assert.throws(() => toolwire({ format: 'hermes', tools: [] }),
        /no option 'tools': it is given to generateText/);
});
