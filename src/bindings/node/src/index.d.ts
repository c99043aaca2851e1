// SPDX-License-Identifier: MIT
//
// The package's interface.  docs/web.md shows it at work; include/toolwire.h
// says what each option and event means to the byte.

/** A name as formats() lists it, or what loadFormat() gives. */
export type Format = string | LoadedFormat;
export type Text = string | Uint8Array | ArrayBuffer | ArrayBufferView;
/** JSON text, in which no number is spelled anew, or a value. */
export type Json = string | object;
/** What is known of a piece: ordinary tokens, which hold no marker whatever
 * they look like; exactly one marker; or neither. */
export type Mark = 'unknown' | 'text' | 'control';
/** Why the output ended: by itself, by a token limit, or nobody says. */
export type Finish = 'stop' | 'length' | 'unknown';
export type Piece = Text | { text: Text; mark?: Mark };
export type Pieces = Iterable<Piece> | AsyncIterable<Piece>
    | ReadableStream<Piece>;

interface Place {
    /** Where it begins in the input, in bytes of UTF-8. */
    offset: number;
    /** How many bytes of the input it accounts for. */
    span: number;
}

/** A step of a decoded stream: what `toolwire stream --events` prints. */
export type Event = Place & (
    | { type: 'text' | 'reasoning'; index: number; data: string }
    | { type: 'call_begin'; index: number; data: string; id?: string;
        flags?: 'custom'[] }
    | { type: 'call_arguments'; index: number; data: string }
    | { type: 'call_end'; index: number;
        code: 'complete' | 'incomplete' | 'malformed' }
    | { type: 'unparsed'; index?: number; data?: string; code: string;
        id?: string }
    | { type: 'diagnostic'; index?: number; code: string; id?: string;
        flags?: ('dropped' | 'warning')[] }
    | { type: 'framing'; data?: string }
    | { type: 'end'; code: Finish });

export interface DecodingOptions {
    /** The tools that were declared: OpenAI tools, functions or names. */
    tools?: Json;
    /** The end of the prompt, from its last turn's head on. */
    prompt?: Text;
    strict?: boolean;
    startReasoning?: boolean;
    callsInReasoning?: boolean;
    recoverStripped?: boolean;
    keepRaw?: boolean;
    framing?: boolean;
    firstCall?: number;
    untyped?: 'string' | 'json';
    validate?: 'no' | 'report' | 'refuse';
    limitDepth?: number;
    limitName?: number;
    limitArguments?: number;
    limitCalls?: number;
    limitInput?: number;
    callIdPrefix?: string;
}

export interface WritingOptions {
    holdCalls?: boolean;
    customFunction?: boolean;
    /** Of 'message' and 'chat'. */
    reasoningKey?: string;
    /** Of streams, this and all below. */
    id?: string;
    model?: string;
    sse?: boolean;
    joinChunks?: boolean;
    finishReason?: string;
    usage?: Json;
    created?: number;
    choice?: number;
    systemFingerprint?: string;
    reasoningSummary?: boolean;
}

export type Api = 'chat' | 'responses' | 'anthropic';

export interface StreamOptions extends DecodingOptions, WritingOptions {
    /** 'events' unless it is given. */
    to?: 'events' | Api;
    /** 'stop' unless it is given; a function is asked at the end. */
    finish?: Finish | (() => Finish | Promise<Finish>);
    /** Is called when the source or the decoder fails.  What it returns is the
     * text of the error event, which there is with `sse`. */
    onError?: (error: unknown) => string | undefined | void;
}

export interface Loss {
    name: string;
    kind: 'loss' | 'template_defect' | 'broken_marker' | '';
    severity: 'none' | 'detail' | 'call' | 'content';
    path: string | null;
    offset: number;
    message: string;
}

export interface EncodingOptions {
    generationPrompt?: boolean;
    controlText?: 'reject' | 'allow' | 'break';
    pythonNumbers?: boolean;
    settings?: Json;
    loss?: 'report' | 'refuse' | 'ignore';
    /** A list, to which what was lost is added. */
    report?: Loss[];
}

export interface ConvertingOptions extends DecodingOptions, WritingOptions,
    EncodingOptions {
    wire?: Format;
    finish?: Finish;
    unitCompletion?: boolean;
    argumentsObject?: boolean;
    field?: string;
    messages?: string;
}

/** What the library refuses. */
export class ToolwireError extends Error {
    /** A number of toolwire.h, and its name: "TW_ERROR_JSON". */
    readonly code: number;
    readonly codeName: string;
    readonly reason: string;
    readonly offset: number;
    readonly path: string | null;
    /** The name of a diagnostic or a loss. */
    readonly detail: string | null;
}

declare class Handle {
    /** Frees it at once; `using` does so, too, and the garbage collector. */
    free(): void;
    [Symbol.dispose](): void;
}

/** Makes events of the pieces of a model's output.
 *
 *     using decoder = new Decoder('hermes', { tools });
 *     for await (const event of decoder.read(pieces)) ...
 */
export class Decoder extends Handle {
    constructor(format: Format, options?: DecodingOptions);
    /** Takes the next piece, cut anywhere; gives the events that are ready.
     * An error that sticks comes behind the events before it: from the next
     * call, if this one has some to give. */
    feed(data: Text, mark?: Mark): Event[];
    /** The output is over: the last events. */
    finish(reason?: Finish): Event[];
    /** Ready for the next message; options and tools stay. */
    reset(): void;
    /** The end of the prompt, for the next message only. */
    setPrompt(prompt: Text): void;
    /** The events of pieces that are waited for, up to the end. */
    read(pieces: Pieces,
        options?: { finish?: Finish | (() => Finish | Promise<Finish>) }):
        AsyncGenerator<Event, void, undefined>;
    /** The events of every feed() and finish() from now on, to the end of the
     * message.  So one part of a program feeds, and another one reads. */
    [Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined>;
}

/** Makes JSON of events: one OpenAI message at the end, or an API's stream. */
export class Writer extends Handle {
    constructor(api: 'message' | Api, options?: WritingOptions);
    /** Takes an event; gives the lines of JSON that are ready. */
    event(event: Event): string[];
    /** The last lines of a stream that breaks off with this error, whose
     * message they hold. */
    fail(error: Error): string[];
    reset(): void;
}

/** A TransformStream's two ends, for pipeThrough(): pieces go in; events, or
 * an API's objects (strings with `sse`) come out. */
export class DecoderStream<Out = any> {
    constructor(format: Format, options?: StreamOptions);
    readonly readable: ReadableStream<Out>;
    readonly writable: WritableStream<Piece>;
}

/** The same as an async generator. */
export function decodeStream(pieces: Pieces, format: Format,
    options?: StreamOptions & { to?: 'events' }):
    AsyncGenerator<Event, void, undefined>;
export function decodeStream(pieces: Pieces, format: Format,
    options: StreamOptions): AsyncGenerator<any, void, undefined>;

/** The OpenAI message of a whole completion; what deviates is listed in its
 * member "toolwire". */
export function decode(text: Text, format: Format, options?: DecodingOptions
    & { finish?: Finish; holdCalls?: boolean; customFunction?: boolean;
        reasoningKey?: string }): any;
/** The same as JSON text. */
export function decodeText(text: Text, format: Format,
    options?: Parameters<typeof decode>[2]): string;

/** The prompt that a format's template makes of an OpenAI request. */
export function encode(request: Json, format: Format,
    options?: EncodingOptions): string;
/** The same in segments: markers, and the text between. */
export function encodeSegments(request: Json, format: Format,
    options?: EncodingOptions): { control: boolean; text: string }[];
/** What the model would have written for an assistant's message. */
export function encodeCompletion(message: Json, format: Format,
    options?: EncodingOptions): string;

export class Encoder extends Handle {
    constructor(format: Format, options?: EncodingOptions);
    encode(request: Json): string;
    completion(message: Json): string;
    segments(request: Json): { control: boolean; text: string }[];
    report(): Loss[];
}

/** Records from one form to another: a format, or a shape of records. */
export class Converter extends Handle {
    constructor(from: Format, to: Format, options?: ConvertingOptions);
    record(record: Json): string;
    text(text: Text): string;
    transcript(text: Text): string;
    diagnostics(): { name: string; offset: number }[];
    report(): Loss[];
}

/** One record of a log; JSON text gives JSON text, an object an object. */
export function convert<Record extends Json>(record: Record, from: Format,
    to: Format, options?: ConvertingOptions):
    Record extends string ? string : any;
/** { messages, tools } of a whole conversation as wire text. */
export function decodeTranscript(text: Text, format: Format,
    options?: ConvertingOptions): any;

export class LoadedFormat extends Handle {
    private constructor();
    readonly name: string;
    readonly about: string;
    /** As JSON text, which loads back. */
    readonly description: string;
    /** What the description says and is doubtful. */
    readonly warnings: string[];
}

/** A format from a description (docs/describing.md), or from Hugging Face's
 * response_template. */
export function loadFormat(description: Json): LoadedFormat;
/** The description of a format; null where it is a program. */
export function describe(format: Format): string | null;
export function formats(): { name: string; alias: string | null;
    about: string; prompts: boolean }[];
export function markers(format: Format): { text: string; role: string;
    token: boolean; literal: boolean; stop: boolean; decoded: boolean }[];
export function diagnostics(): { name: string; text: string;
    warning: boolean }[];
export function shapes(): { name: string; about: string }[];

/** Browsers and workers: loads toolwire.wasm, from beside the package unless
 * a URL, a Response, bytes or a WebAssembly.Module says otherwise.  Node has
 * done so, and `toolwire/inline` everywhere. */
export function init(source?: string | URL | Response | BufferSource
    | WebAssembly.Module | Promise<Response>): Promise<void>;
export function initSync(source: BufferSource | WebAssembly.Module): void;
export function version(): string;
/** How many bytes of memory the WebAssembly instance has. */
export function memorySize(): number;
