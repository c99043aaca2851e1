// SPDX-License-Identifier: MIT
//
// That the declared types hold: this compiles, and what is marked does not.
import { wrapLanguageModel } from 'ai';
import type { LanguageModelMiddleware } from 'ai';
import { Decoder, DecoderStream, Template, Writer, convert, decode,
    decodeStream, decodeTranscript, encode, loadFormat, shapes }
    from 'toolwire';
import type { Chunk, Event } from 'toolwire';
import { toolwire } from 'toolwire/ai-sdk';

export async function use(stream: ReadableStream<Uint8Array>) {
    using decoder = new Decoder('hermes', { tools: ['tide'], strict: true });
    for await (const event of decoder.read(stream)) {
        if (event.type === 'call_end') {
            const code: 'complete' | 'incomplete' | 'malformed' = event.code;
            console.log(code, event.index + 1);
        }
        // @ts-expect-error: of a call's begin, not of every event
        console.log(event.data.length);
    }
    for await (const event of decodeStream(['a'], 'hermes')) {
        const known: Event = event;
        console.log(known.offset);
    }
    const chunks: ReadableStream<Chunk> = stream.pipeThrough(
        new DecoderStream('hermes', {api : 'chat', model : 'm'}));
    const frames: ReadableStream<string> = stream.pipeThrough(
        new DecoderStream('hermes', {api : 'anthropic', sse : true}));
    const events: ReadableStream<Event> = stream.pipeThrough(
        new DecoderStream('hermes'));
    // @ts-expect-error: Anthropic's stream has no time
    new DecoderStream('hermes', {api : 'anthropic', created : 1});
    // @ts-expect-error: `api` is missing
    new DecoderStream('hermes', { sse: true });
    // @ts-expect-error: no such option
    decodeStream([ 'a' ], 'hermes', {api : 'chat', modle : 'm'});
    // @ts-expect-error: a message is no stream
    new Writer('message', { sse: true });
    const called: string | undefined = decode('a', 'hermes')
        .tool_calls?.[0]?.function.arguments;
    const text: string = encode({ messages: [] }, loadFormat('{}'));
    const line: string = convert('{}', 'openai', 'sharegpt');
    // @ts-expect-error: no such option
    decode('a', 'hermes', { strickt: true });
    const template = new Template('{{ x }}');
    decodeTranscript('a', template, { format: 'hermes', settings: {},
        now: '2025-01-02T00:00:00' });
    // @ts-expect-error: the time is a template's
    decodeTranscript('a', 'hermes', { now: '2025-01-02T00:00:00' });
    const written: boolean[] = shapes().map((shape) => shape.writes);
    return { chunks, frames, events, called, text, line, written };
}

const middleware: LanguageModelMiddleware = toolwire({ format: 'hermes' });
export const wrap = (model: Parameters<typeof wrapLanguageModel>[0]['model']) =>
    wrapLanguageModel({ model, middleware });
