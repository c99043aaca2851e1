// SPDX-License-Identifier: MIT
//
// Options by name, and how they reach the library.  A value that is not what
// an option takes is refused, never made to fit.
import { ARGUMENT, SCHEMA, ToolwireError, failure } from './errors.mjs';
import { lend, toBytes, wasm } from './memory.mjs';

export const FINISH = { unknown: 0, stop: 1, length: 2 };
export const MARKS = { unknown: 0, text: 1, control: 2 };

export function shown(value) {
    switch (typeof value) {
    case 'bigint': return `${value}n`;
    case 'number': return String(value);
    default: return JSON.stringify(value) ?? String(value);
    }
}

export function oneOf(name, value, choices) {
    if (typeof value === 'string' && Object.hasOwn(choices, value)) {
        return choices[value];
    }
    const words = Object.keys(choices).map((word) => `'${word}'`);
    throw new TypeError(`${name} must be ${words.slice(0, -1).join(', ')} or ${
        words.at(-1)}, not ${shown(value)}${typeof value === 'string'
        ? near(value, Object.keys(choices)) : ''}`);
}

function flag(name, value) {
    if (typeof value !== 'boolean') {
        throw new TypeError(`${name} must be true or false, not ${
            shown(value)}`);
    }
    return value ? 1n : 0n;
}

/** 'auto' is for whole texts: a Decoder refuses it. */
function start(name, value) {
    return value === 'auto' ? 2n : flag(name, value);
}

function outOfRange(name, value) {
    return new ToolwireError(ARGUMENT,
        `option ${name}: the value ${value} is out of its range`);
}

function number(name, value) {
    if (typeof value !== 'bigint' && !Number.isInteger(value)) {
        throw new TypeError(`${name} must be an integer, not ${shown(value)}`);
    }
    const made = BigInt(value);
    if (made !== BigInt.asIntN(64, made)) {
        throw outOfRange(name, value);
    }
    return made;
}

const word = (choices) => (name, value) =>
    BigInt(oneOf(name, value, choices));
const string = (name, value) => toBytes(value, name);

function choice(name, value) {
    if (typeof value === 'string' && !value.startsWith('{')) {
        return toBytes(value);
    }
    throw new TypeError(`${name} must be 'auto', 'none', 'required' or the name`
        + ` of a tool, not ${shown(value)}`);
}

/** A JSON object, as text or as it is. */
function object(name, value) {
    const made = toJson(value, name);
    let read;
    try {
        read = typeof value === 'object' ? value : JSON.parse(value);
    } catch {
        read = null;
    }
    if (value instanceof Uint8Array || read !== null
        && typeof read === 'object' && !Array.isArray(read)) {
        return toBytes(made);
    }
    throw new TypeError(`${name} must be an object, or JSON text of one, not ${
        shown(value)}`);
}

/** A JSON text stays as it is, so that no digit of a number is lost. */
export function toJson(value, what = 'JSON') {
    if (typeof value === 'string' || value instanceof Uint8Array) {
        return value;
    }
    const made = value === undefined ? undefined : JSON.stringify(value);
    if (made === undefined) {
        throw new TypeError(`${what} must be JSON text or a value that JSON`
            + ` has, not ${typeof value}`);
    }
    return made;
}

/** A list; a name alone is refused, not taken for a list of one. */
function toTools(tools) {
    const made = toJson(tools, 'tools');
    if (!Array.isArray(tools)
        && (typeof made !== 'string' || !made.includes('['))) {
        throw new ToolwireError(SCHEMA, `tools must be a list, such as`
            + ` [{ name, parameters }] or ['tide'], not ${shown(tools)}`);
    }
    return made;
}

// whose it is; its number; what it takes
const OPTIONS = {
    strict: ['decoder', 1, flag],
    startReasoning: ['decoder', 2, start],
    callsInReasoning: ['decoder', 3, flag],
    recoverStripped: ['decoder', 4, flag],
    keepRaw: ['decoder', 5, flag],
    framing: ['decoder', 6, flag],
    firstCall: ['decoder', 7, number],
    untyped: ['decoder', 8, word({ string: 0, json: 1 })],
    validate: ['decoder', 9, word({ no: 0, report: 1, refuse: 2, mend: 3 })],
    limitDepth: ['decoder', 10, number],
    limitName: ['decoder', 11, number],
    limitArguments: ['decoder', 12, number],
    limitCalls: ['decoder', 13, number],
    limitInput: ['decoder', 14, number],
    callIdPrefix: ['decoder', 1, string],
    toolChoice: ['decoder', 15, choice],
    holdCalls: ['writer', 30, flag],
    customFunction: ['writer', 31, flag],
    reasoningKey: ['key', 2, string],
    created: ['dated', 32, number],
    choice: ['chunks', 33, number],
    joinChunks: ['stream', 34, flag],
    sse: ['stream', 35, flag],
    reasoningSummary: ['responses', 36, flag],
    systemFingerprint: ['chunks', 7, string],
    finishReason: ['stream', 8, string],
    usage: ['stream', 9, object],
    stopSequence: ['anthropic', 11, string],
    id: ['stream', 3, string],
    model: ['stream', 4, string],
    generationPrompt: ['encoder', 50, flag],
    controlText: ['encoder', 51, word({ reject: 0, allow: 1, break: 2 })],
    pythonNumbers: ['encoder', 52, flag],
    sampledLast: ['spans', 54, flag],
    sampledNoReasoning: ['spans', 55, flag],
    sampledByWeight: ['spans', 56, flag],
    now: ['shown', 14, string],
    settings: ['request', 6, object],
    loss: ['losses', 53, word({ report: 0, refuse: 1, ignore: 2 })],
    ids: ['losses', 57, word({ keep: 0, map: 1, make: 2 })],
    unitCompletion: ['conversation', 70, flag],
    argumentsObject: ['conversation', 71, flag],
    field: ['record', 5, string],
    promptField: ['text', 12, string],
    finishField: ['text', 13, string],
    messages: ['messages', 10, string],
};

/** Whether there is such an option at all. */
export const isOption = (name) => Object.hasOwn(OPTIONS, name);

/** The names of the options that are theirs. */
export function names(...owners) {
    return Object.keys(OPTIONS).filter((name) =>
        owners.includes(OPTIONS[name][0]));
}

function distance(a, b) {
    let row = Array.from({ length: b.length + 1 }, (_, i) => i);
    for (let i = 1; i <= a.length; i++) {
        const next = [i];
        for (let k = 1; k <= b.length; k++) {
            next.push(Math.min(next[k - 1] + 1, row[k] + 1,
                row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1)));
        }
        row = next;
    }
    return row[b.length];
}

/** A question that ends a sentence about a wrong name, or nothing. */
export function guess(names) {
    return names.length > 0
        ? `; did you mean ${names.map((one) => `'${one}'`).join(', ')}?` : '';
}

/** What others say, and what may stand for that here. */
const OTHERS = new Map(Object.entries({
    chunks: 'chat', openai: 'chat', completions: 'chat',
    claude: 'anthropic', messages: 'anthropic', eos: 'stop', end_turn: 'stop',
    tool_calls: 'stop', max_tokens: 'length', fix: 'mend', repair: 'mend',
    coerce: 'mend', error: 'refuse', ebnf: 'gbnf', guidance: 'lark',
    xgrammar: 'structural-tag',
    // The command's words.
    join: 'joinChunks', custom: 'customFunction', set: 'settings',
    unit: 'unitCompletion', arguments: 'argumentsObject',
    start: 'startReasoning', prompttail: 'prompt',
}));

/** Of what is |known| the nearest, or nothing. */
export function nearest(name, known) {
    const low = name.toLowerCase();
    const meant = [OTHERS.get(low)].filter((one) => known.includes(one));
    const [best] = known.map((one) => [distance(low, one.toLowerCase()), one])
        .sort((a, b) => a[0] - b[0]);
    return meant.length > 0 || best === undefined
        || best[0] > Math.max(2, name.length / 3) ? meant : [best[1]];
}

function near(name, known) {
    return guess(nearest(name, known));
}

/** Where else what is no option may belong, if this one is known. */
const ELSEWHERE = new Map(Object.entries({
    tools: ['settings', 'the request has its `tools`'],
    messages: ['settings', 'the request has its `messages`'],
    enable_thinking: ['settings', 'settings: { enable_thinking } sets it'],
    reasoning_effort: ['settings', 'settings: { reasoning_effort } sets it'],
    finishReason: ['finish', "finish: 'stop' or 'length' says why the output ended"],
    finish_reason: ['finish', "finish: 'stop' or 'length' says why the output ended"],
    toolChoice: ['choice', 'choice says what is to be called'],
    tool_choice: ['choice', 'choice says what is to be called'],
}));

/** Splits off those of |options| that are |known|, and refuses all others
 * but |parameters|, which have names of their own. */
export function check(who, options, known, ...parameters) {
    if (typeof options !== 'object' || options === null
        || Array.isArray(options)) {
        throw new TypeError(`${who}: options must be an object, such as`
            + ` { ${parameters[0] ?? known[0]}: ... }, not ${
                Array.isArray(options) ? 'a list' : shown(options)}`);
    }
    const taken = {};
    for (const [name, value] of Object.entries(options)) {
        // What is undefined is not given, as long as the name is one.
        if (known.includes(name)) {
            if (value !== undefined) {
                taken[name] = value;
            }
        } else if (!parameters.includes(name)
            && (value !== undefined || !isOption(name))) {
            const all = [...known, ...parameters].sort();
            const [needs, place] = ELSEWHERE.get(name) ?? [];
            throw new TypeError(`${who} takes no option '${name}'${
                all.includes(needs) ? `; ${place}` : near(name, all)
            } (options: ${all.join(', ')})`);
        }
    }
    return taken;
}

/** Sets options of an object whose functions begin with |prefix|. */
export function apply(prefix, handle, options, error = () => 0) {
    for (const [name, value] of Object.entries(options)) {
        const [, at, take] = OPTIONS[name];
        const taken = take(name, value);
        const result = typeof taken === 'bigint'
            ? wasm()[prefix + 'set'](handle, at, taken)
            : lend(taken, (pointer, size) =>
                wasm()[prefix + 'set_text'](handle, at, pointer, size));
        if (result === ARGUMENT && take === number) {
            throw outOfRange(name, value);
        }
        if (result === ARGUMENT) {
            throw new ToolwireError(ARGUMENT,
                `option ${name} does not take ${shown(value)} here`);
        }
        if (result < 0) {
            throw failure(result, error());
        }
    }
}

/** Sets tools and prompt of a decoder or a converter. */
export function declare(prefix, handle, { tools, prompt }, fail) {
    if (tools !== undefined && tools !== null) {
        fail(lend(toTools(tools), (pointer, size) =>
            wasm()[prefix + 'set_tools'](handle, pointer, size)));
    }
    if (prompt !== undefined && prompt !== null) {
        fail(lend(prompt, (pointer, size) =>
            wasm()[prefix + 'set_prompt'](handle, pointer, size), 'prompt'));
    }
}
