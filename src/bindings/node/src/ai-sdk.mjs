// SPDX-License-Identifier: MIT
//
// toolwire/ai-sdk: a language-model middleware of the AI SDK.  Models that
// write their calls as text get real ones in generateText and streamText.
import { Decoder, encodeCompletion, markers } from './index.mjs';

/** A tool of the AI SDK as OpenAI declares it. */
function declared(tool) {
    return {
        type: 'function',
        function: {
            name: tool.name,
            ...tool.description === undefined ? {}
                : { description: tool.description },
            parameters: tool.inputSchema,
        },
    };
}

const usable = (params) => params.toolChoice?.type === 'none' ? []
    : (params.tools ?? []).filter((tool) => tool.type === 'function');

// ---- what the model is told ------------------------------------------------

/** A completion without what ends the turn, which the server writes, and
 * without the empty reasoning that templates put in front: a model that reads
 * it would not think, and an earlier turn's reasoning stands elsewhere. */
function bare(text, format) {
    const all = markers(format);
    const ends = all.filter((one) => one.stop).map((one) => one.text);
    let made = text.trimEnd();
    for (let end; (end = ends.find((one) => made.endsWith(one)));) {
        made = made.slice(0, -end.length).trimEnd();
    }
    const behind = (from, role) => {
        const rest = from.trimStart();
        const found = all.find((one) => one.role === role
            && rest.startsWith(one.text));
        return found === undefined ? null : rest.slice(found.text.length);
    };
    // The opening marker may stand in the prompt.
    const empty = behind(behind(made, 'reasoning_open') ?? made,
        'reasoning_close');
    return empty === null ? made : empty.trimStart();
}

/** An assistant's turn as the model would have written it.  Some templates
 * drop the text beside calls: then it stands in front of them. */
function written(message, format) {
    const made = bare(encodeCompletion(message, format, { report: [] }),
        format);
    const { content } = message;
    return content === null || made.includes(content.trim()) ? made
        : `${content}\n${written({ ...message, content: null }, format)}`;
}

/** What a system message says of tools: what there is, and a call as the
 * format writes it. */
function systemText(tools, format, choice) {
    const example = written({
        role: 'assistant', content: null, tool_calls: [{
            type: 'function',
            function: { name: 'tool_name', arguments: '{"key":"value"}' },
        }],
    }, format);
    const must = choice?.type === 'required' ? '\nYou must call a tool.'
        : choice?.type === 'tool'
            ? `\nYou must call the tool ${choice.toolName}.` : '';
    return `You can call these tools:\n<tools>\n${
        tools.map((tool) => JSON.stringify(declared(tool))).join('\n')
    }\n</tools>\nTo call a tool, write exactly this, with its name and its`
        + ` arguments:\n${example}${must}`;
}

function outputText(output) {
    return typeof output?.value === 'string' ? output.value
        : JSON.stringify(output?.value ?? output?.reason ?? null);
}

const resultText = (part) => `<tool_response>\n${JSON.stringify({
    id: part.toolCallId, name: part.toolName,
})}\n${outputText(part.output)}\n</tool_response>`;

/** A turn of the prompt for a model that knows text alone. */
function turn(message, format, result) {
    if (message.role === 'tool') {
        return {
            role: 'user',
            content: [{
                type: 'text',
                text: message.content.filter((part) =>
                    part.type === 'tool-result').map(result).join('\n'),
            }],
        };
    }
    const calls = message.role !== 'assistant' ? []
        : message.content.filter((part) => part.type === 'tool-call');
    if (calls.length === 0) {
        return message;
    }
    const text = message.content.filter((part) => part.type === 'text')
        .map((part) => part.text).join('\n');
    const rest = message.content.filter((part) =>
        !['text', 'tool-call'].includes(part.type));
    return {
        ...message,
        content: [...rest, {
            type: 'text',
            text: written({
                role: 'assistant', content: text === '' ? null : text,
                tool_calls: calls.map((call) => ({
                    id: call.toolCallId, type: 'function',
                    function: {
                        name: call.toolName,
                        arguments: typeof call.input === 'string' ? call.input
                            : JSON.stringify(call.input),
                    },
                })),
            }, format),
        }],
    };
}

function told(params, tools, format, { system = systemText,
    result = resultText }) {
    const prompt = params.prompt.map((message) =>
        turn(message, format, result));
    if (tools.length > 0) {
        const text = system(tools, format, params.toolChoice);
        const [first] = prompt;
        if (first?.role === 'system') {
            prompt[0] = { ...first, content: `${first.content}\n\n${text}` };
        } else {
            prompt.unshift({ role: 'system', content: text });
        }
    }
    const { tools: _, toolChoice: __, ...rest } = params;
    return { ...rest, prompt };
}

// ---- what the model writes -------------------------------------------------

let count = 0;

/** One message: text in, parts of the AI SDK's streams out. */
class Reader {
    #decoder;
    #open = null; // { kind, id } of the text or reasoning that is open
    #calls = new Map();
    #prefix;
    complete = 0;
    notes = { diagnostics: [], unparsed: [] };

    constructor(format, tools, options) {
        this.#prefix = `${Date.now().toString(36)}${(count++).toString(36)}`;
        this.#decoder = new Decoder(format, {
            keepRaw: true, callIdPrefix: `call_${this.#prefix}_`,
            ...options,
            ...tools.length > 0 ? { tools: tools.map(declared) } : {},
        });
    }

    #close(parts) {
        if (this.#open !== null) {
            parts.push({ type: `${this.#open.kind}-end`, id: this.#open.id });
            this.#open = null;
        }
    }

    #text(kind, event, parts) {
        const id = `${kind}-${this.#prefix}-${event.index}`;
        if (this.#open?.id !== id) {
            this.#close(parts);
            this.#open = { kind, id };
            parts.push({ type: `${kind}-start`, id });
        }
        parts.push({ type: `${kind}-delta`, id, delta: event.data });
    }

    #end(event, parts) {
        const call = this.#calls.get(event.index);
        parts.push({ type: 'tool-input-end', id: call.id });
        if (event.code === 'complete') {
            this.complete++;
            parts.push({
                type: 'tool-call', toolCallId: call.id, toolName: call.name,
                input: call.custom ? JSON.stringify({ input: call.input })
                    : call.input,
            });
        }
    }

    #parts(events) {
        const parts = [];
        for (const event of events) {
            const call = this.#calls.get(event.index);
            switch (event.type) {
            case 'text': case 'reasoning':
                this.#text(event.type, event, parts);
                break;
            case 'call_begin':
                this.#close(parts);
                this.#calls.set(event.index, {
                    id: event.id, name: event.data, input: '',
                    custom: event.flags?.includes('custom') ?? false,
                });
                parts.push({
                    type: 'tool-input-start', id: event.id,
                    toolName: event.data,
                });
                break;
            case 'call_arguments':
                call.input += event.data;
                parts.push({
                    type: 'tool-input-delta', id: call.id, delta: event.data,
                });
                break;
            case 'call_end':
                this.#end(event, parts);
                break;
            case 'unparsed':
                this.notes.unparsed.push({
                    reason: event.code, text: event.data ?? '',
                    offset: event.offset,
                });
                break;
            case 'diagnostic':
                this.notes.diagnostics.push({
                    code: event.code, offset: event.offset,
                });
                break;
            default:
            }
        }
        return parts;
    }

    feed(text) {
        return this.#parts(this.#decoder.feed(text));
    }

    finish(how) {
        const parts = this.#parts(this.#decoder.finish(how));
        this.#close(parts);
        this.free();
        return parts;
    }

    free() {
        this.#decoder.free();
    }

    /** What finished, in the words of the model's version of the interface. */
    reason(given) {
        const unified = given?.unified ?? given;
        if (this.complete === 0 || unified !== 'stop' && unified !== 'other'
            && unified !== 'unknown' && unified !== undefined) {
            return given;
        }
        return typeof given === 'string' ? 'tool-calls'
            : { ...given, unified: 'tool-calls' };
    }

    /** Of deviations and blocks that are no calls; nothing where none are. */
    metadata(given) {
        const { diagnostics, unparsed } = this.notes;
        return diagnostics.length + unparsed.length === 0 ? {} : {
            providerMetadata: { ...given, toolwire: this.notes },
        };
    }
}

const howOf = (reason) => (reason?.unified ?? reason) === 'length' ? 'length'
    : 'stop';

/** The parts of a stream as the content of a result. */
function contentOf(parts) {
    const content = [];
    for (const part of parts) {
        const kind = part.type.split('-')[0];
        if (part.type === 'tool-call') {
            content.push(part);
        } else if (part.type === `${kind}-start` && kind !== 'tool') {
            content.push({ type: kind, text: '' });
        } else if (part.type === `${kind}-delta` && kind !== 'tool') {
            content.at(-1).text += part.delta;
        }
    }
    return content;
}

/** The middleware, for wrapLanguageModel().
 *
 * format   what the model writes: a name, or what loadFormat() gives
 * declare  false: the server's template tells the model of tools, and knows
 *          calls and results of earlier turns
 * system   (tools, format, toolChoice) => what the system message says of
 *          tools
 * result   (part) => what a user's message says of a tool's result
 * options  of Decoder: strict, startReasoning, untyped, ... */
export function toolwire(given) {
    if (typeof given !== 'object' || given?.format === undefined) {
        throw new TypeError('toolwire() takes an object with a format:'
            + ' toolwire({ format: \'hermes\' })');
    }
    for (const name of ['tools', 'prompt']) {
        if (given[name] !== undefined) {
            throw new TypeError(`toolwire() takes no option '${name}': it is`
                + ' given to generateText() or streamText()');
        }
    }
    const { format, declare = true, system, result, ...options } = given;
    new Decoder(format, options).free(); // what is wrong is told here
    // Of the parameters that the model is given: the tools they had.
    const toolsOf = new WeakMap();
    const readerFor = (params) => new Reader(format,
        toolsOf.get(params) ?? usable(params), options);
    return {
        specificationVersion: 'v3',
        middlewareVersion: 'v2',

        async transformParams({ params }) {
            const tools = usable(params);
            const made = declare ? told(params, tools, format,
                { system, result }) : { ...params };
            toolsOf.set(made, tools);
            return made;
        },

        async wrapGenerate({ doGenerate, params }) {
            const given = await doGenerate();
            const texts = given.content.filter((part) => part.type === 'text');
            const reader = readerFor(params);
            try {
                const content = given.content.flatMap((part) => {
                    if (part.type !== 'text') {
                        return [part];
                    }
                    const parts = reader.feed(part.text);
                    return part === texts.at(-1) ? contentOf([...parts,
                        ...reader.finish(howOf(given.finishReason))])
                        : contentOf(parts);
                });
                return {
                    ...given, content,
                    finishReason: reader.reason(given.finishReason),
                    ...reader.metadata(given.providerMetadata),
                };
            } finally {
                reader.free();
            }
        },

        async wrapStream({ doStream, params }) {
            const { stream, ...rest } = await doStream();
            const reader = readerFor(params);
            let finished = false;
            const put = (controller, parts) => parts.forEach((part) =>
                controller.enqueue(part));
            return {
                ...rest,
                stream: stream.pipeThrough(new TransformStream({
                    transform(part, controller) {
                        switch (part.type) {
                        case 'text-start': case 'text-end':
                            return;
                        case 'text-delta':
                            put(controller, reader.feed(part.delta));
                            return;
                        case 'finish':
                            finished = true;
                            put(controller,
                                reader.finish(howOf(part.finishReason)));
                            controller.enqueue({
                                ...part,
                                finishReason: reader.reason(part.finishReason),
                                ...reader.metadata(part.providerMetadata),
                            });
                            return;
                        default:
                            controller.enqueue(part);
                        }
                    },
                    flush(controller) {
                        if (!finished) {
                            put(controller, reader.finish('length'));
                        }
                    },
                    cancel() {
                        reader.free();
                    },
                })),
            };
        },
    };
}
