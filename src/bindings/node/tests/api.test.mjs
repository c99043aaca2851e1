// SPDX-License-Identifier: MIT
//
// The package's interface, as someone calls it who has read index.d.ts.
// TOOLWIRE names the module under test.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

const url = pathToFileURL(process.env.TOOLWIRE);
const module = await import(url);
const toolwire = module.Decoder === undefined ? module.default : module;
const CALL = '<tool_call>{"name": "tide", "arguments": {"at": 1.50}}'
    + '</tool_call>';

const kinds = (events) => events.map((event) => event.type);

async function all(iterable) {
    const found = [];
    for await (const one of iterable) {
        found.push(one);
    }
    return found;
}

function streamOf(pieces) {
    return new ReadableStream({
        start(controller) {
            pieces.forEach((piece) => controller.enqueue(piece));
            controller.close();
        },
    });
}

test('a message keeps the spelling of numbers', () => {
    const message = toolwire.decode(`Hi.\n${CALL}`, 'hermes',
        { tools: ['tide'] });
    assert.equal(message.content, 'Hi.');
    assert.equal(message.tool_calls[0].function.arguments, '{"at": 1.50}');
    assert.equal(message.toolwire, undefined);
    assert.equal(toolwire.decode('<tool_call>{"name": 1', 'hermes')
        .toolwire.unparsed[0].text, '<tool_call>{"name": 1');
});

test('events come as soon as they can, in bytes and in text', () => {
    const decoder = new toolwire.Decoder('hermes');
    assert.deepEqual(decoder.feed('Hé'), [
        { type: 'text', index: 0, data: 'Hé', offset: 0, span: 3 }]);
    assert.deepEqual(kinds(decoder.feed(new TextEncoder().encode(CALL))),
        ['call_begin', 'call_arguments', 'call_end']);
    assert.deepEqual(decoder.finish('length'), [
        { type: 'end', code: 'length', offset: 3 + CALL.length, span: 0 }]);
    decoder.reset();
    assert.deepEqual(kinds(decoder.feed('a')), ['text']);
});

test('a character may be cut in two, and half of one is told', () => {
    const decoder = new toolwire.Decoder('hermes');
    const events = [...'a😀b'.split('').flatMap((unit) => decoder.feed(unit)),
        ...decoder.finish()];
    assert.equal(events.map((event) => event.type === 'text' ? event.data
        : '').join(''), 'a😀b');
    decoder.reset();
    const odd = [...decoder.feed('a\ud83d'), ...decoder.feed('b'),
        ...decoder.feed('\ud83d'), ...decoder.finish()];
    assert.equal(odd.filter((event) => event.code === 'invalid_utf8').length,
        2);
    assert.equal(odd.map((event) => event.type === 'text' ? event.data
        : '').join(''), 'a\ufffdb\ufffd');
});

test('marks: ordinary tokens hold no marker', () => {
    const decoder = new toolwire.Decoder('gemma4');
    assert.deepEqual(kinds([...decoder.feed('<|tool_call>', 'text'),
        ...decoder.finish()]), ['text', 'end']);
    decoder.reset();
    assert.throws(() => decoder.feed('no marker', 'control'),
        { codeName: 'TW_ERROR_ARGUMENT' });
    assert.throws(() => decoder.feed('a', 'yes'), TypeError);
});

test('read() takes iterables, async iterables and streams', async () => {
    const pieces = ['Hi', '.<tool_', 'call>{"name": "tide", ',
        '"arguments": {}}</tool_call>'];
    async function* slowly() {
        for (const piece of pieces) {
            await null;
            yield piece;
        }
    }
    const expected = ['text', 'text', 'call_begin', 'call_arguments',
        'call_arguments', 'call_end', 'end'];
    for (const source of [pieces, slowly(), streamOf(pieces)]) {
        const decoder = new toolwire.Decoder('hermes');
        assert.deepEqual(kinds(await all(decoder.read(source))), expected);
    }
    const decoder = new toolwire.Decoder('hermes');
    await assert.rejects(all(decoder.read('text')), /write \[text\]/);
});

test('the decoder itself is iterated where it is fed elsewhere', async () => {
    const decoder = new toolwire.Decoder('hermes');
    const reading = all(decoder);
    await null;
    decoder.feed('a');
    await new Promise((resolve) => {
        setTimeout(resolve, 5);
    });
    decoder.feed(CALL);
    decoder.finish();
    assert.deepEqual(kinds(await reading), ['text', 'call_begin',
        'call_arguments', 'call_end', 'end']);
    const cut = all(decoder);
    await null;
    decoder.free();
    await assert.rejects(cut, /freed/);
});

test('a TransformStream gives chunks, and the events of other APIs',
    async () => {
        const chunks = await all(streamOf(['Hi', CALL]).pipeThrough(
            new toolwire.DecoderStream('hermes', { api: 'chat', model: 'm' })));
        assert.equal(chunks.at(-1).choices[0].finish_reason, 'tool_calls');
        assert.equal(chunks[0].model, 'm');
        const frames = await all(streamOf([new TextEncoder().encode(CALL)])
            .pipeThrough(new toolwire.DecoderStream('hermes',
                { api: 'anthropic', sse: true })));
        assert.match(frames[0], /^event: message_start\ndata: \{/);
        assert.match(frames.at(-1), /message_stop"\}\n\n/);
        const responses = await all(toolwire.decodeStream([CALL], 'hermes',
            { api: 'responses', finish: () => 'stop' }));
        assert.equal(responses.at(-1).type, 'response.completed');
    });

test('what came before an error is given before it', async () => {
    const found = [];
    await assert.rejects(async () => {
        for await (const event of toolwire.decodeStream(
            ['Hi <tool_call>{"name": "a", "arguments": {"b": 1,}}</tool_call>'],
            'hermes', { strict: true })) {
            found.push(event);
        }
    }, { codeName: 'TW_ERROR_DEVIATION', detail: 'trailing_comma' });
    assert.equal(found[0].data, 'Hi ');
    const decoder = new toolwire.Decoder('hermes', { limitInput: 3 });
    assert.deepEqual(kinds(decoder.feed('abc')), ['text']);
    assert.throws(() => decoder.feed('d'), { codeName: 'TW_ERROR_LIMIT' });
});

const HURT = new Error('connect to 10.0.0.7 with key sk-1 failed');

/** Pieces, and then the source fails. */
function failing(pieces) {
    let at = 0;
    return new ReadableStream({
        pull(controller) {
            if (at < pieces.length) {
                controller.enqueue(pieces[at++]);
            } else {
                controller.error(HURT);
            }
        },
    });
}

const LAST = {
    chat: /^data: \{"error":\{"code":"server_error",.*"message":"MESSAGE"/,
    responses: /^event: response\.failed\n.*"message":"MESSAGE"/,
    anthropic: /^event: error\n.*"message":"MESSAGE"/,
};
const lastOf = (api, message) =>
    new RegExp(LAST[api].source.replace('MESSAGE', message));

test('a client is told with `sse` that its stream broke off', async () => {
    for (const api of ['chat', 'responses', 'anthropic']) {
        const seen = [];
        const options = { api, sse: true, onError: (error) => {
            seen.push(error);
        } };
        const frames = await all(failing(['Hi', ' <tool_call>{"na'])
            .pipeThrough(new toolwire.DecoderStream('hermes', options)));
        assert.match(frames.join(''), /Hi/);
        assert.match(frames.at(-1), lastOf(api, 'the stream broke off'));
        assert.ok(!frames.join('').includes('sk-1'));
        assert.deepEqual(seen, [HURT]);
        // The loop's caller has the error, too.
        const looped = [];
        await assert.rejects(async () => {
            for await (const frame of toolwire.decodeStream(failing(['Hi']),
                'hermes', { ...options, onError: () => 'try again' })) {
                looped.push(frame);
            }
        }, HURT);
        assert.match(looped.at(-1), lastOf(api, 'try again'));
    }
});

test('... by the decoder, and the source is told, too', async () => {
    const limited = { api: 'chat', sse: true, limitInput: 4 };
    let cancelled = null;
    let left = 3;
    const source = new ReadableStream({
        pull(controller) {
            controller.enqueue('abc');
            if (--left === 0) {
                controller.close();
            }
        },
        cancel(error) {
            cancelled = error;
        },
    }, { highWaterMark: 0 });
    const frames = await all(source.pipeThrough(
        new toolwire.DecoderStream('hermes', limited)));
    assert.match(frames.join(''), /"content":"abc"/);
    assert.match(frames.at(-1), /"TW_ERROR_LIMIT".*longer than its limit/);
    await new Promise((resolve) => {
        setTimeout(resolve, 5);
    });
    assert.equal(cancelled.codeName, 'TW_ERROR_LIMIT');
    // At the end of the text, where strict mode refuses a call cut short.
    const strict = await all(streamOf(['<tool_call>{"name": "a']).pipeThrough(
        new toolwire.DecoderStream('hermes', { api: 'chat', sse: true,
            strict: true })));
    assert.match(strict.at(-1), /"TW_ERROR_DEVIATION"/);
    // A reader that goes away is heard by the source at once.
    let gone = null;
    const slow = new ReadableStream({
        cancel(reason) {
            gone = reason;
        },
    });
    await slow.pipeThrough(new toolwire.DecoderStream('hermes', limited))
        .cancel('left');
    await new Promise((resolve) => {
        setTimeout(resolve, 5);
    });
    assert.notEqual(gone, null);
    // Without `sse` the stream errors.
    await assert.rejects(all(failing(['a']).pipeThrough(
        new toolwire.DecoderStream('hermes', { api: 'chat' }))), HURT);
});

test('a writer makes of events what the stream does', () => {
    const decoder = new toolwire.Decoder('hermes', { tools: ['other'] });
    const writer = new toolwire.Writer('message');
    const lines = [...decoder.feed(`Hi\n${CALL}`), ...decoder.finish()]
        .flatMap((event) => writer.event(event));
    assert.deepEqual(lines.map(JSON.parse),
        [toolwire.decode(`Hi\n${CALL}`, 'hermes', { tools: ['other'] })]);
    const stream = new toolwire.Writer('responses');
    stream.event({ type: 'text', index: 0, data: 'a', offset: 0, span: 1 });
    assert.match(stream.fail(new Error('gone')).at(-1), /gone/);
    assert.throws(() => writer.event({ type: 'nothing' }), TypeError);
});

test('the examples of docs/web.md do what stands beside them', () => {
    const page = readFileSync(new URL('../../../../docs/web.md',
        import.meta.url), 'utf8');
    let said = 0;
    for (const [, block] of page.matchAll(/^```js\n(.*?)^```$/gms)) {
        if (!/^[^ /].*;  +\/\/ '/m.test(block)) {
            continue;
        }
        const code = block.replace(/^import \{(.*)\} from 'toolwire';$/m,
            'const {$1} = toolwire;').replace(/^(.*);  +\/\/ ('.*')$/gm,
            (_, value, expected) => `same(${value}, ${expected});`);
        new Function('toolwire', 'same', code)(toolwire, (value, expected) => {
            assert.equal(value, expected);
            said++;
        });
    }
    assert.equal(said, 4);
});

test('prompts and records', () => {
    const request = { messages: [{ role: 'user', content: 'Tide?' }] };
    assert.equal(toolwire.encode(request, 'hermes',
        { generationPrompt: true }),
    '<|im_start|>user\nTide?<|im_end|>\n<|im_start|>assistant\n');
    assert.deepEqual(toolwire.encodeSegments(request, 'hermes')[0],
        { control: true, text: '<|im_start|>' });
    assert.throws(() => toolwire.encode({ messages: [
        { role: 'user', content: '<|im_end|>' }] }, 'hermes'),
    { codeName: 'TW_ERROR_CONTROL_TEXT', path: 'messages[0].content' });
    assert.deepEqual(toolwire.convert(request, 'openai', 'sharegpt'),
        { conversations: [{ from: 'human', value: 'Tide?' }] });
    assert.equal(toolwire.convert('{"messages":[{"role":"user","content":"a"}'
        + '],"n":1.50}', 'openai', 'sharegpt'),
    '{"conversations":[{"from":"human","value":"a"}],"n":1.50}');
    assert.deepEqual(toolwire.decodeTranscript(
        toolwire.encode(request, 'hermes'), 'hermes').messages,
    request.messages);
    assert.throws(() => toolwire.convert({}, 'message', 'openai'),
        /no way leads/);
    const report = [];
    toolwire.convert({ messages: [{ role: 'user', content: [
        { type: 'image_url', image_url: { url: 'x' } }] }] }, 'openai',
    'sharegpt', { report });
    assert.equal(report[0].severity, 'content');
});

test('a format of one\'s own outlives what is made of it', () => {
    const json = toolwire.describe('qwen3-coder');
    const format = toolwire.loadFormat(json);
    assert.equal(format.name, 'qwen3-coder');
    assert.deepEqual(format.warnings, []);
    assert.ok(toolwire.markers(format).length > 3);
    const decoder = new toolwire.Decoder(format);
    format.free();
    assert.throws(() => format.name, /freed/);
    assert.deepEqual(kinds([...decoder.feed('<tool_call>\n<function=a>\n'
        + '</function>\n</tool_call>'), ...decoder.finish()]),
    ['call_begin', 'call_arguments', 'call_arguments', 'call_end', 'end']);
    decoder.free();
    decoder.free();
    assert.throws(() => toolwire.loadFormat('{"name":'),
        { codeName: 'TW_ERROR_JSON', offset: 8 });
    assert.throws(() => toolwire.loadFormat({ format: 1,
        name: 'x', call: ['<a>{nme}'] }),
        /nme/);
    assert.equal(toolwire.describe('harmony'), null);
});

// ---- chat templates, grammars, words for the model -------------------------

const TALK = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}"
    + "{% if m.role == 'assistant' %}<|end|>{% endif %}{% endfor %}"
    + "{% if add_generation_prompt %}<|assistant|>{% endif %}";
const HI = [{ role: 'user', content: 'Hi' }];
const TIDE = [{ type: 'function', function: { name: 'tide', parameters: {
    type: 'object', properties: { at: { type: 'string' } },
    required: ['at'] } } }];

test('a template writes prompts, whose bytes have owners', () => {
    const { Encoder, Template } = toolwire;
    const template = new Template(TALK);
    const encoder = new Encoder(template, { generationPrompt: true });
    assert.equal(encoder.encode({ messages: HI }),
        '<|user|>Hi<|assistant|>');
    const { text, spans } = encoder.spans({ messages: [...HI,
        { role: 'assistant', content: 'Ho' }] });
    assert.equal(text, '<|user|>Hi<|assistant|>Ho<|end|><|assistant|>');
    assert.deepEqual(spans.map((one) => one.end),
        [...spans.slice(1).map((one) => one.start), text.length]);
    assert.equal(spans[0].start, 0);
    assert.deepEqual(spans.filter((one) => one.sampled)
        .map((one) => text.slice(one.start, one.end)).join(''), 'Ho<|end|>');
    assert.deepEqual(spans.find((one) => one.part === 'text').message, 0);
    assert.throws(() => encoder.encode({ messages: [{ role: 'user',
        content: '<|assistant|>' }] }), { codeName: 'TW_ERROR_CONTROL_TEXT' });
    // The template is freed behind its encoder, in whatever order.
    template.free();
    assert.equal(encoder.encode({ messages: HI }),
        '<|user|>Hi<|assistant|>');
    encoder.free();
});

test('a turn is appended to what a model wrote', () => {
    const { Encoder, Template } = toolwire;
    const encoder = new Encoder(new Template(TALK), { generationPrompt: true });
    const record = {
        prompt: '<|user|>Hi<|assistant|>', completion: 'Ho',
        messages: [...HI, { role: 'assistant', content: 'Ho' }], new: HI,
    };
    assert.equal(encoder.extend(record), '<|end|><|user|>Hi<|assistant|>');
    assert.equal(encoder.extend({ ...record, completion: 'Ho<|end|>' }),
        '<|user|>Hi<|assistant|>');
    assert.throws(() => encoder.extend({ ...record, prompt: 'other' }),
        { codeName: 'TW_ERROR_UNSTABLE' });
});

test('the format of a template is found, or none', () => {
    const { Template } = toolwire;
    assert.equal(new Template(TALK).detect().format, null);
    assert.throws(() => new Template('{% if %}'),
        { codeName: 'TW_ERROR_TEMPLATE' });
    const config = JSON.stringify({ chat_template: [
        { name: 'default', template: 'a' }, { name: 'tools', template: 'b' }] });
    assert.equal(new toolwire.Encoder(new Template(config, { name: 'tools' }))
        .encode({ messages: HI }), 'b');
});

test('a template reads the time of the host, or the one given', () => {
    const { Encoder, Template } = toolwire;
    const template = new Template("{{ strftime_now('%Y-%m-%d') }}");
    assert.equal(new Encoder(template, { now: '2026-11-25T12:00:00' })
        .encode({ messages: HI }), '2026-11-25');
    const made = new Encoder(template).encode({ messages: HI });
    assert.ok(Math.abs(Date.parse(made) - Date.now()) < 2 * 86400e3, made);
});

test('a grammar holds a model to its tools', () => {
    const { grammar } = toolwire;
    const lark = grammar(TIDE, 'hermes');
    assert.match(lark, /start/);
    assert.match(lark, /tide/);
    assert.match(grammar(TIDE, 'hermes', { target: 'gbnf' }), /^root ::=/m);
    JSON.parse(grammar(TIDE, 'hermes', { target: 'structural-tag' }));
    assert.throws(() => grammar(TIDE, 'hermes', { choice: 'moon' }),
        { codeName: 'TW_ERROR_ARGUMENT' });
    assert.throws(() => grammar(TIDE, 'hermes', { target: 'ebnf' }),
        /target must be/);
});

test('a model is told what was wrong with its call', () => {
    const { wordsForModel } = toolwire;
    const call = (args) => ({ role: 'assistant', content: null, tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'tide',
            arguments: args } }] });
    assert.deepEqual(wordsForModel(call('{"at":"Brest"}'), { tools: TIDE }),
        []);
    const [word] = wordsForModel(call('{}'), { tools: TIDE });
    assert.equal(word.role, 'tool');
    assert.equal(word.tool_call_id, 'c1');
    assert.match(word.content, /at/);
    // More than the first room.
    assert.equal(wordsForModel({ ...call('{}'), tool_calls: Array(99).fill(
        call('{}').tool_calls[0]) }, { tools: TIDE }).length, 99);
});

test('what is wrong is said', () => {
    const { Decoder } = toolwire;
    assert.throws(() => new Decoder('hermez'), /did you mean 'hermes'/);
    assert.throws(() => new Decoder('hermes\0'), /there is no format/);
    assert.throws(() => new Decoder(7), TypeError);
    assert.throws(() => new Decoder('hermes', { strickt: true }),
        /did you mean 'strict'/);
    assert.throws(() => new Decoder('hermes', { strict: 'yes' }),
        /strict must be true or false/);
    assert.throws(() => new Decoder('hermes', { limitDepth: 2 ** 40 }),
        /out of its range/);
    assert.throws(() => new Decoder('hermes', { limitDepth: 1.5 }), TypeError);
    assert.throws(() => new Decoder('hermes', { tools: 'tide' }),
        /must be a list/);
    assert.throws(() => toolwire.decode('', 'hermes', { finish: 'end' }),
        /^TypeError: finish must be/);
    assert.throws(() => toolwire.decode(7, 'hermes'), TypeError);
    assert.throws(() => toolwire.decode('', 'hermes', ['tide']),
        /such as \{ tools: \.\.\. \}, not a list/);
    assert.throws(() => new Decoder('hermes', { limitInput: NaN }), /not NaN/);
    assert.throws(() => toolwire.encode([], 'hermes'),
        /at 0: the request is a list; messages alone stand in/);
    assert.throws(() => toolwire.encode({ messages: [{ role: 'user',
        content: '<|im_end|>' }] }, 'hermes'), /option controlText/);
    assert.throws(() => toolwire.encode({ messages: [{ role: 'user',
        content: 'a' }] }, toolwire.formats().find((one) =>
        !one.prompts).name), /encodeCompletion\(\).*unitCompletion: true/);
    assert.throws(() => toolwire.convert({ text: 'a' }, 'hermes', 'openai'),
        /say so \(unitCompletion: true\)/);
    assert.throws(() => toolwire.convert({}, 'openai', 'sharegtp'),
        /formats\(\) and shapes\(\) list/);
    assert.throws(() => toolwire.decodeStream(new Response('a'), 'hermes'),
        /give its \.body/);
    const decoder = new Decoder('hermes');
    decoder.finish();
    assert.throws(() => decoder.feed('a'), { codeName: 'TW_ERROR_STATE' });
});

test('what is wrong with a stream\'s options is said', async () => {
    const made = (options) => () => new toolwire.DecoderStream('hermes',
        options);
    assert.throws(made({ api: 'anthropic', created: 1 }),
        /'anthropic' takes no option 'created', which is of 'chat'/);
    assert.throws(made({ sse: true }), /give `api`/);
    assert.throws(made({ model: 'm' }), /give `api`/);
    assert.throws(made({ api: 'openai' }), /^TypeError: api must be 'events', /);
    assert.throws(made({ finish: 'tool_calls' }), /^TypeError: finish must/);
    assert.throws(made({ sze: undefined, api: 'chat' }), /no option 'sze'/);
    made({ sse: undefined, model: undefined })();
    const late = { finish: async () => 'length' };
    for (const events of [toolwire.decodeStream(['a'], 'hermes', late),
        new toolwire.Decoder('hermes').read(['a'], late)]) {
        assert.equal((await all(events)).at(-1).code, 'length');
    }
});

test('large text, longer than what is kept ready for it', () => {
    const text = 'é<'.repeat(200000);
    assert.equal(toolwire.decode(text, 'hermes').content, text);
});

test('each thread has its own', async () => {
    const code = `import('${url}').then((module) => {
        const toolwire = module.Decoder ? module : module.default;
        require('node:worker_threads').parentPort.postMessage(
            toolwire.decode('a', 'hermes').content);
    })`;
    const message = await new Promise((resolve, reject) => {
        const worker = new Worker(code, { eval: true });
        worker.once('message', resolve);
        worker.once('error', reject);
    });
    assert.equal(message, 'a');
});

test('arguments are mended where one lossless reading fits', () => {
    const tools = [{ name: 'tide', parameters: { type: 'object',
        properties: { at: { type: 'integer' } } } }];
    const text = '<tool_call>{"name": "tide", "arguments": {"at": "5"}}'
        + '</tool_call>';
    const read = (validate) => toolwire.decode(text, 'hermes',
        { tools, validate }).tool_calls[0].function.arguments;
    assert.equal(read('report'), '{"at": "5"}');
    assert.equal(read('mend'), '{"at": 5}');
});

test('ids that a target cannot hold are made fit, and told', () => {
    const messages = [
        { role: 'user', content: 'Tide?' },
        { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function',
            function: { name: 'tide', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'high' }];
    assert.throws(() => toolwire.encode({ messages }, 'mistral/v7'),
        /made fit by ids: 'map'$/);
    const report = [];
    const prompt = toolwire.encode({ messages }, 'mistral/v7',
        { ids: 'map', report });
    const [, id] = /"id": "([A-Za-z0-9]{9})"/.exec(prompt);
    assert.equal(prompt.split(id).length, 3);
    assert.ok(report.some((one) => one.name === 'id_replaced'));
});
