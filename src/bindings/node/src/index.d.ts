// SPDX-License-Identifier: MIT
//
// The package's interface.  docs/web.md shows it at work; include/toolwire.h
// says what each option and event means to the byte.

declare global {
    // Not in every lib: the same words as in TypeScript's esnext.disposable.
    interface SymbolConstructor {
        readonly dispose: unique symbol;
    }
}

/** A name as formats() lists it, a model's name, or what loadFormat() gives. */
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
    /** The first deviation is an error.  Default: false, it is reported. */
    strict?: boolean;
    /** The prompt ended inside reasoning.  Default: false. */
    startReasoning?: boolean | 'auto';
    /** false: a call in open reasoning is reasoning.  Default: true. */
    callsInReasoning?: boolean;
    /** Harmony: reads output whose markers were stripped.  Default: false. */
    recoverStripped?: boolean;
    /** `unparsed` events have their text.  Default: false, of decode() true. */
    keepRaw?: boolean;
    /** There are `framing` events.  Default: false. */
    framing?: boolean;
    /** The number of the first id that is made up.  Default: 0. */
    firstCall?: number;
    /** What a value between tags is where no tool says its type.  Default:
     * 'string'. */
    untyped?: 'string' | 'json';
    /** Compares calls with the schema of their tool.  Default: 'no'. */
    validate?: 'no' | 'report' | 'refuse' | 'mend';
    /** How deep arguments may be nested, to 10000.  Default: 128. */
    limitDepth?: number;
    /** Bytes of a name, to 1000.  Default: 256. */
    limitName?: number;
    /** Bytes of a call's arguments.  Default: 16 MiB. */
    limitArguments?: number;
    /** Calls in a message.  Default: 1024. */
    limitCalls?: number;
    /** Bytes in a message; 0: no limit.  Default: 0. */
    limitInput?: number;
    /** What ids that are made up begin with.  Default: 'call_'. */
    callIdPrefix?: string;
    /** The request's: 'auto', 'none' (calls stay text), 'required' or a tool's
     * name; a call that did not come is `tool_choice_unmet`.  Default: 'auto'. */
    toolChoice?: string;
}

/** Of every writer. */
interface WriterOptions {
    /** A call is sent only when it is complete.  Default: false. */
    holdCalls?: boolean;
    /** A custom call is written as a function call with {"input":"..."}.
     * Default: true for a stream, false for a message. */
    customFunction?: boolean;
}

export interface MessageOptions extends WriterOptions {
    /** The member for reasoning.  Default: 'reasoning_content'. */
    reasoningKey?: string;
}

/** Of every stream. */
export interface AnthropicOptions extends WriterOptions {
    /** Default: 'chatcmpl-0', 'resp_0' or 'msg_0'. */
    id?: string;
    /** Default: 'toolwire'. */
    model?: string;
    /** Strings come out, frames of server-sent events.  Default: false. */
    sse?: boolean;
    /** Adjacent deltas of a piece become one.  Default: false. */
    joinChunks?: boolean;
    /** Why the output ended, such as 'content_filter', in place of what the
     * text says.  Default: none. */
    finishReason?: string;
    /** The API's object of token counts.  Default: none. */
    usage?: Json;
    /** Anthropic alone: the client's text at which the output ended. */
    stopSequence?: string;
}

export interface ResponsesOptions extends AnthropicOptions {
    /** Seconds since 1970.  Default: 0. */
    created?: number;
    /** Reasoning is a summary, which more clients show.  Default: false. */
    reasoningSummary?: boolean;
}

export interface ChatOptions extends AnthropicOptions, MessageOptions {
    /** Seconds since 1970.  Default: 0. */
    created?: number;
    /** The index of the choice.  Default: 0. */
    choice?: number;
    /** A member of each chunk.  Default: none. */
    systemFingerprint?: string;
}

export interface WritingOptions extends ChatOptions, ResponsesOptions {}

export type Api = 'chat' | 'responses' | 'anthropic';

type OptionsOf<A> = A extends 'message' ? MessageOptions
    : A extends 'chat' ? ChatOptions
        : A extends 'responses' ? ResponsesOptions : AnthropicOptions;

/** 'events' unless `api` is given. */
export type StreamOptions =
    StreamBase&(|{api?: 'events'}&Alone<{}>|{api : 'chat'}&Alone<ChatOptions>|
                {api : 'responses'}&Alone<ResponsesOptions>|
                {api : 'anthropic'}&Alone<AnthropicOptions>);

/** These options, and none of another API. */
type Alone<O> = O & { [K in Exclude<keyof WritingOptions, keyof O>]?:
    undefined };
/** Refuses members that are no options, which an inferred O would hide. */
type Known<O> = O&{
    [K in Exclude<keyof O, 'api'|keyof StreamBase|keyof WritingOptions>] :
        never
};

interface StreamBase extends DecodingOptions {
    /** 'stop' unless it is given; a function is asked at the end. */
    finish?: Finish | (() => Finish | Promise<Finish>);
    /** Is called when the source or the decoder fails.  What it returns is the
     * text of the error event, which there is with `sse`. */
    onError?: (error: unknown) => string | undefined | void;
}

/** OpenAI's, with what deviated. */
export interface Message {
    role: 'assistant';
    content: string | null;
    reasoning_content?: string;
    tool_calls?: { id: string; type: 'function';
        function: { name: string; arguments: string } }[];
    toolwire?: {
        diagnostics?: { code: string; offset: number; size: number }[];
        more_diagnostics?: Record<string, number>;
        unparsed?: { text: string; reason: string; offset: number;
            name?: string }[];
    };
    /** Custom calls, a reasoningKey of yours. */
    [member: string]: any;
}

export interface Chunk {
    id: string;
    object: 'chat.completion.chunk';
    created: number;
    model: string;
    system_fingerprint?: string;
    choices: {
        index: number;
        delta: {
            role?: 'assistant'; content?: string; reasoning_content?: string;
            tool_calls?: { index: number; id?: string; type?: 'function';
                function?: { name?: string; arguments?: string } }[];
            [member: string]: any;
        };
        finish_reason: string | null;
    }[];
    usage?: any;
}

/** An event of the Responses or the Messages API. */
export interface ApiEvent {
    type: string;
    [member: string]: any;
}

export interface Loss {
    name: string;
    kind: 'loss' | 'template_defect' | 'broken_marker' | 'change' |
        'warning' | '';
    severity: 'none' | 'detail' | 'call' | 'content';
    path: string | null;
    offset: number;
    message: string;
}

export interface EncodingOptions {
    /** Whether the prompt ends with the head of the assistant's turn.
     * Default: as the request says. */
    generationPrompt?: boolean;
    /** What becomes of a user's text that holds a marker.  Default:
     * 'reject'. */
    controlText?: 'reject' | 'allow' | 'break';
    /** Numbers as Python writes them (1e3 as 1000.0).  Default: false. */
    pythonNumbers?: boolean;
    /** An object, in front of the request's chat_template_kwargs. */
    settings?: Json;
    /** 'refuse': to lose content or a call is an error.  Default: 'report'. */
    loss?: 'report' | 'refuse' | 'ignore';
    /** Ids of calls and of their results.  'map': what the target cannot hold,
     * and what repeats, gets another; 'make': all do.  Default: 'keep'. */
    ids?: 'keep' | 'map' | 'make';
    /** A list, to which what was lost is added. */
    report?: Loss[];
}

export interface ConvertingOptions extends DecodingOptions, WritingOptions,
    EncodingOptions {
    /** The format of the text inside of records.  Default: none. */
    wire?: Format;
    /** Why a completion ended.  Default: 'unknown'. */
    finish?: Finish;
    /** A record of a format is one completion, not a conversation.  Default:
     * false. */
    unitCompletion?: boolean;
    /** To 'openai': arguments are objects, not strings.  Default: false. */
    argumentsObject?: boolean;
    /** The member that holds the text; dots go into objects.  Default:
     * 'text'. */
    field?: string;
    /** Of records of a format: the field with the end of the prompt. */
    promptField?: string;
    /** ... and the field that says why the text ended. */
    finishField?: string;
    /** From 'openai': where the list of messages stands, with dots. */
    messages?: string;
}

/** Of a transcript that a Template wrote. */
export interface TranscriptOptions extends ConvertingOptions {
    /** Reads the model's own turns.  Default: the template tells it. */
    format?: Format;
    /** The time that the prompt shows.  Default: the host's. */
    now?: string;
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
export class Writer<A extends 'message' | Api = 'message' | Api>
    extends Handle {
    constructor(api: A, options?: OptionsOf<A>);
    /** Takes an event; gives the lines of JSON that are ready. */
    event(event: Event): string[];
    /** The last lines of a stream that breaks off with this error, whose
     * message they hold. */
    fail(error: Error): string[];
    reset(): void;
}

/** A TransformStream's two ends, for pipeThrough(): pieces go in; events, or
 * an API's objects (strings with `sse`) come out. */
export interface DecoderStream<Out = any> {
    readonly readable: ReadableStream<Out>;
    readonly writable: WritableStream<Piece>;
}
export const DecoderStream: {
    new <const O extends StreamOptions = {}>(format: Format,
        options?: Known<O>): DecoderStream<OutOf<O>>;
};

/** What comes out, by the options. */
type OutOf<O> = O extends {sse : true} ? string : O extends {api : 'chat'}
? O extends {sse : boolean} ? string|Chunk : Chunk
    : O extends {api : Api}
? O extends {sse : boolean} ? string|ApiEvent : ApiEvent
    : Event;

/** The same as an async generator. */
export function decodeStream<const O extends StreamOptions = {}>(
    pieces: Pieces, format: Format, options?: Known<O>):
    AsyncGenerator<OutOf<O>, void, undefined>;

/** The OpenAI message of a whole completion; what deviates is listed in its
 * member "toolwire". */
export function decode(text: Text, format: Format, options?: DecodingOptions
    & MessageOptions & { finish?: Finish }): Message;
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

/** Of an Encoder beside EncodingOptions. */
export interface TemplateOptions extends EncodingOptions {
    /** Of spans: the last turn alone is sampled.  Default: false. */
    sampledLast?: boolean;
    /** Of spans: reasoning is not.  Default: false. */
    sampledNoReasoning?: boolean;
    /** Of spans: no message whose "weight" is 0 is.  Default: false. */
    sampledByWeight?: boolean;
    /**
     * The time that a template reads, as '2026-11-25T12:00:00'.  Default: the
     * host's.
     */
    now?: string;
    /** Whose markers the texts of a Template's request may not hold. */
    format?: Format;
}

/**
 * A chat template, as models of Hugging Face have them: Jinja, or JSON whose
 * `chat_template` it is.
 */
export class Template extends Handle
{
    /**
     * `config`: tokenizer_config.json as text, for its special tokens;
     * `name`: of several templates, this one ("default").
     */
    constructor(text: Text, options?: {config?: Text; name?: string});
    /**
     * The format in which the template writes calls; null: none reads them.
     * Takes some hundredths of a second.
     */
    detect(): {
        format: string|null; start : 'text' | 'reasoning';
        evidence : unknown[];
        other : string[];
    };
}

/** Whose some bytes of a prompt are: [start, end). */
export interface Span {
    start: number;
    end: number;
    /** Its number from 0; null: no message's. */
    message: number|null;
    part: string;
    /** The model would have written them. */
    sampled: boolean;
}

export class Encoder extends Handle {
    constructor(from: Format|Template, options?: TemplateOptions);
    encode(request: Json): string;
    /**
     * The prompt, and spans in bytes of it, in order and without a gap: of a
     * template's prompt.
     */
    spans(request: Json): {text: string; spans : Span[]};
    /**
     * What to append behind a turn of the model's: of
     * { prompt?, completion, messages, new, tools? }.
     */
    extend(record: Json): string;
    completion(message: Json): string;
    segments(request: Json): { control: boolean; text: string }[];
    report(): Loss[];
}

/** Records from one form to another: a format, or a shape of records. */
export class Converter extends Handle {
    constructor(from: Format, to: Format, options?: ConvertingOptions);
    /** Transcripts are what the template writes. */
    constructor(from: Template, to: 'openai', options?: TranscriptOptions);
    record(record: Json): string;
    text(text: Text): string;
    transcript(text: Text): string;
    diagnostics(): { name: string; offset: number }[];
    moreDiagnostics(): Record<string, number>;
    report(): Loss[];
}

/**
 * All that a model of the format may write where the tools are declared:
 * 'lark' for llguidance, 'gbnf' for llama.cpp, 'structural-tag' for vLLM,
 * SGLang and XGrammar.
 */
export function grammar(tools: Json, format: Format, options?: {
    target?: 'lark'|'gbnf'|'structural-tag';
    /** 'auto', 'required', 'none', or a tool's name. */
    choice?: string;
    parallel?: boolean;
    /** Where the prompt ended.  Default: as the format's own prompts do. */
    start?: 'anywhere' | 'reasoning' | 'text';
    /** What no grammar says is left out, and told in a comment. */
    wider?: boolean;
    /**
     * Markers of which the vocabulary has one token each, to be named by
     * number: {text: number}, or what a tokenizer.json holds.
     */
    specialTokens?: Json;
}): string;

/**
 * What an agent gives back for calls of a message that cannot be run: OpenAI
 * messages; [] if all can be run.
 */
export function wordsForModel(message: Json, options?: {tools?: Json}):
    {role: string; content : string; tool_call_id?: string}[];

/** One record of a log; JSON text gives JSON text, an object an object. */
export function convert<Record extends Json>(record: Record, from: Format,
    to: Format, options?: ConvertingOptions):
    Record extends string ? string : any;
/** { messages, tools } of a whole conversation as wire text. */
export function decodeTranscript(text: Text, format: Format,
    options?: ConvertingOptions): any;
/** ... that the template wrote, which is proved by writing it again. */
export function decodeTranscript(text: Text, template: Template,
    options?: TranscriptOptions): any;

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
    about: string; prompts: boolean; models: string[];
    settings: { name: string; type: 'boolean' | 'string' | 'array';
        about: string }[] }[];
export function markers(format: Format): { text: string; role: string;
    token: boolean; literal: boolean; stop: boolean; decoded: boolean }[];
export function diagnostics(): { name: string; text: string;
    warning: boolean }[];
export function shapes(): { name: string; about: string;
    writes: boolean }[];

/** Browsers and workers: loads toolwire.wasm, from beside the package unless
 * a URL, a Response, bytes or a WebAssembly.Module says otherwise.  Node has
 * done so, and `toolwire/inline` everywhere. */
export function init(source?: string | URL | Response | WasmSource
    | Promise<Response>): Promise<void>;
export function initSync(source: WasmSource): void;
/** Bytes, or a WebAssembly.Module where the lib knows such. */
type WasmSource = ArrayBuffer | ArrayBufferView
    | (typeof globalThis extends { WebAssembly: { Module: {
        prototype: infer M } } } ? M : object);
export function version(): string;
/** How many bytes of memory the WebAssembly instance has. */
export function memorySize(): number;
