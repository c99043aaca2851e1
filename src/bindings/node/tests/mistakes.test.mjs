// SPDX-License-Identifier: MIT
//
// What newcomers get wrong is answered by one line that names the remedy.
// TOOLWIRE names the module under test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const module = await import(pathToFileURL(process.env.TOOLWIRE));
const toolwire = module.Decoder === undefined ? module.default : module;
const { Converter, Decoder, DecoderStream, Template, Writer, convert, decode,
    decodeStream, decodeTranscript, encode, grammar, loadFormat,
    wordsForModel } = toolwire;

/** Each row: the remedy, and what goes wrong. */
function refused(...rows) {
    for (const [remedy, wrong] of rows) {
        assert.throws(wrong, (error) => {
            assert.match(error.message, remedy);
            assert.doesNotMatch(error.message, /\n/);
            return true;
        });
    }
}

const asks = { messages: [{ role: 'user', content: 'Hi.' }] };

test('a wrong name, or in a wrong place', () => refused(
    [/did you mean 'hermes'/, () => decode('x', 'hermse')],
    [/did you mean 'hermes'/, () => new DecoderStream('hermse')],
    [/a shape of records, which convert\(\) takes/, () => decode('x', 'openai')],
    [/loadFormat\(\) takes/, () => decode('x', './mine.json')],
    [/text or request stands first/, () => decode('hermes', 'Hi <b>')],
    [/a format is a name/, () => decode('x')],
    [/no name or path/, () => loadFormat('hermes')],
    [/the template's text is wanted/, () => new Template('a/model')],
    [/did you mean 'startReasoning'/,
        () => decode('x', 'hermes', { start_reasoning: true })],
    [/must be an object/, () => decode('x', 'hermes', ['tide'])],
    [/request stands first/, () => encode('hermes', asks)],
    [/finish: 'stop'/, () => decode('x', 'hermes', { finishReason: 'stop' })],
    [/choice says/, () => grammar(['tide'], 'hermes', { toolChoice: 'tide' })],
    [/choice says/, () => grammar(['tide'], 'hermes', { tool_choice: 'tide' })],
    [/did you mean 'startReasoning'/,
        () => decode('x', 'hermes', { start: 'reasoning' })],
    [/did you mean 'target'/,
        () => grammar(['tide'], 'hermes', { taget: 'lark' })],
    [/did you mean 'chat'/, () => new Writer('chunks')],
    [/did you mean 'anthropic'/, () => new DecoderStream('hermes',
        { api: 'claude' })],
    [/did you mean 'stop'/, () => decode('x', 'hermes', { finish: 'eos' })],
    [/did you mean 'mend'/, () => decode('x', 'hermes', { validate: 'fix' })],
    [/did you mean 'sharegpt'/, () => convert({}, 'openai', 'ShareGPT')],
));

test('a text that is none', async () => {
    refused([/join\(''\)/, () => decode(['a', 'b'], 'hermes')],
        [/choices\[0\]\.delta\.content/,
            () => new Decoder('hermes').feed({ choices: [] })],
        [/not null/, () => decode(null, 'hermes')],
        [/such as \[\{ name/, () => decode('x', 'hermes', { tools: {} })],
        [/not "tide"/, () => decode('x', 'hermes', { tools: 'tide' })],
        [/the name of a tool/, () => decode('x', 'hermes',
            { toolChoice: { type: 'function' } })],
        [/the name of a tool/, () => decode('x', 'hermes',
            { toolChoice: '{"type":"function"}' })],
        [/no message, or no list of tools/, () => wordsForModel('x')]);
    await assert.rejects((async () => {
        for await (const one of decodeStream(new Response('a'), 'hermes')) {
            assert.fail(one);
        }
    })(), /give its \.body/);
});

test('a wrong order', () => {
    const decoder = new Decoder('hermes');
    decoder.finish();
    refused([/reset\(\) begins the next/, () => decoder.feed('x')],
        [/reset\(\) begins the next/, () => decoder.finish()]);
    decoder.free();
    refused([/freed/, () => decoder.feed('x')]);
    const writer = new Writer('chat');
    writer.event({ type: 'end', code: 'stop', offset: 0, span: 0 });
    refused([/reset the writer/, () => writer.event(
        { type: 'end', code: 'stop', offset: 0, span: 0 })],
    [/usage must be an object/, () => new Writer('chat', { usage: 5 })],
    [/usage must be an object/, () => new Writer('chat', { usage: '5' })]);
});

test('a request, and what belongs into it', (context) => {
    refused([/messages alone stand in/, () => encode([], 'hermes')],
        [/the request has its `tools`/,
            () => encode(asks, 'hermes', { tools: [] })],
        [/settings: \{ enable_thinking \} sets it/,
            () => encode(asks, 'hermes', { enable_thinking: true })],
        [/settings must be an object/,
            () => encode(asks, 'hermes', { settings: 'enable_thinking' })],
        [/encodeCompletion\(\)/, () => encode(asks, 'internlm2')],
        [/controlText/, () => encode({ messages: [{ role: 'user',
            content: '<|im_end|>' }] }, 'hermes')]);
    const { mock } = context.mock.method(console, 'warn', () => {});
    encode(asks, 'hermes', { settings: { enable_thinkng: false } });
    assert.match(mock.calls[0].arguments[0], /setting enable_thinkng/);
    encode(asks, 'hermes', { settings: { enable_thinking: false } });
    assert.equal(mock.callCount(), 1);
});

test('no way from one end to the other', () => refused(
    [/did you mean 'openai'/, () => convert({}, 'opnai', 'anthropic')],
    [/from openai to message/, () => convert({}, 'openai', 'message')],
    [/which is read only/, () => convert({}, 'openai', 'codex')],
    [/which is read only/, () => new Converter('openai', 'auto')],
    [/of the shape sharegpt \(from 'sharegpt'\)/, () => convert(
        { conversations: [{ from: 'human', value: 'Hi.' }] }, 'openai',
        'anthropic')],
));

test('a conversation that a template wrote is read back', () => {
    const template = new Template('<|im_start|>system\n'
        + '{{ strftime_now("%Y") }} {{ effort }}<|im_end|>\n'
        + '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}'
        + '<|im_end|>\n{% endfor %}'
        + '{{ "<|im_start|>assistant\n" if add_generation_prompt }}');
    const said = { messages: [...asks.messages,
        { role: 'assistant', content: 'Hm.' }] };
    const shown = { settings: { effort: 'high' }, now: '2025-01-02T00:00:00' };
    const text = encode(said, template, shown);
    assert.deepEqual(decodeTranscript(text, template,
        { format: 'hermes', ...shown }), said);
    refused([/\(settings, now\)/, () => decodeTranscript(text, template,
        { format: 'hermes' })],
    [/name one/, () => decodeTranscript(text, template)],
    [/takes no option 'now'/, () => decodeTranscript(text, 'hermes',
        { now: '2025-01-02T00:00:00' })]);
});
