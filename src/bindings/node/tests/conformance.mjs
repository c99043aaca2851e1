// SPDX-License-Identifier: MIT
//
// The conformance cases, put to the package wherever it runs: each decoded
// whole, by several sizes of piece, and through a TransformStream; encoded;
// converted; and the list of vectors that all bindings read.  run(toolwire,
// files) takes { name: lines } of tests/conformance and gives { passed,
// failures }.

const SIZES = [1, 2, 3, 7];
// What even a canonical case may be told.
const WARNINGS = ['lone_surrogate', 'undeclared_tool', 'name_whitespace',
    'foreign_marker', 'call_like_text'];
const JOINED = ['text', 'reasoning', 'call_arguments', 'framing'];

/** The bytes of text in which half of a surrogate pair may stand: such a half
 * as WTF-8 has it. */
function bytesOf(text) {
    const made = [];
    for (const letter of text) {
        const code = letter.codePointAt(0);
        if (code >= 0xd800 && code < 0xe000) {
            made.push(0xe0 | code >> 12, 0x80 | code >> 6 & 63,
                0x80 | code & 63);
        } else {
            made.push(...new TextEncoder().encode(letter));
        }
    }
    return Uint8Array.from(made);
}

function inputOf(one) {
    return one.input_hex === undefined ? bytesOf(one.input)
        : Uint8Array.from(one.input_hex.match(/../g) ?? [],
            (pair) => parseInt(pair, 16));
}

/** Adjacent deltas joined: what is the same for every cut. */
export function merge(events) {
    const out = [];
    for (const event of events) {
        const last = out.at(-1);
        if (last !== undefined && JOINED.includes(event.type)
            && last.type === event.type && last.index === event.index) {
            last.data += event.data;
            last.span += event.span;
        } else {
            out.push({ ...event });
        }
    }
    return out;
}

function optionsOf(one) {
    const options = one.options ?? {};
    return {
        ...options.start === 'reasoning' ? { startReasoning: true } : {},
        ...options.recover_stripped ? { recoverStripped: true } : {},
        ...options.untyped ? { untyped: options.untyped } : {},
        ...options.tools ? { tools: options.tools } : {},
    };
}

const finishOf = (one) => one.options?.finish
    ?? (one.class === 'truncated' ? 'length' : 'stop');

function* cut(data, size) {
    for (let at = 0; at < data.length; at += size) {
        yield data.slice(at, at + size);
    }
}

function decodeBy(toolwire, one, pieces) {
    const decoder = new toolwire.Decoder(one.format, optionsOf(one));
    try {
        const events = [];
        for (const piece of pieces) {
            events.push(...decoder.feed(piece));
        }
        events.push(...decoder.finish(finishOf(one)));
        return merge(events);
    } finally {
        decoder.free();
    }
}

export function messageOf(events) {
    const parts = { text: [], reasoning: [] };
    const calls = [];
    const message = { unparsed: 0, diagnostics: [] };
    for (const event of events) {
        switch (event.type) {
        case 'text': case 'reasoning':
            parts[event.type][event.index] =
                (parts[event.type][event.index] ?? '') + event.data;
            break;
        case 'call_begin':
            calls[event.index] = {
                name: event.data, arguments: '',
                custom: event.flags?.includes('custom') ?? false,
            };
            break;
        case 'call_arguments':
            calls[event.index].arguments += event.data;
            break;
        case 'call_end':
            calls[event.index].status = event.code;
            break;
        case 'unparsed':
            message.unparsed++;
            break;
        case 'diagnostic':
            message.diagnostics.push(event.code);
            break;
        default:
        }
    }
    const join = (kind) => Object.values(parts[kind]).join('\n');
    message.content = join('text');
    message.reasoning = join('reasoning');
    message.calls = Object.values(calls).filter((call) =>
        call.status === 'complete');
    return message;
}

/** Equal JSON values, whatever the order of members. */
export function same(a, b) {
    if (Array.isArray(a) || Array.isArray(b)) {
        return Array.isArray(a) && Array.isArray(b) && a.length === b.length
            && a.every((one, i) => same(one, b[i]));
    }
    if (typeof a === 'object' && typeof b === 'object' && a && b) {
        const keys = Object.keys(a);
        return keys.length === Object.keys(b).length
            && keys.every((key) => Object.hasOwn(b, key)
                && same(a[key], b[key]));
    }
    return Object.is(a, b) || a === b;
}

function* callDifferences(call, wanted) {
    if (call.name !== wanted.name) {
        yield `name ${call.name}, expected ${wanted.name}`;
    }
    const parsed = JSON.parse(call.arguments);
    if (wanted.arguments !== undefined && wanted.arguments !== null
        && !same(parsed, wanted.arguments)) {
        yield `arguments ${call.arguments}, expected ${
            JSON.stringify(wanted.arguments)}`;
    }
    if ((wanted.arguments_text ?? call.arguments) !== call.arguments) {
        yield `arguments ${call.arguments}, expected text ${
            wanted.arguments_text}`;
    }
}

// Half of a surrogate pair is U+FFFD on the way out, as in UTF-8.
const wellFormed = (text) => text.replace(/\p{Surrogate}/gu, '\ufffd');

function* differences(one, events) {
    const { expect } = one;
    const message = messageOf(events);
    for (const key of ['content', 'reasoning']) {
        const wanted = wellFormed(expect[key] ?? '');
        if (wanted.trim() === '' ? message[key].trim() !== ''
            : message[key] !== wanted) {
            yield `${key} ${JSON.stringify(message[key])}, expected ${
                JSON.stringify(wanted)}`;
        }
    }
    const calls = message.calls.filter((call) => !call.custom);
    const wanted = expect.tool_calls ?? [];
    if (calls.length !== wanted.length) {
        yield `${calls.length} calls, expected ${wanted.length}`;
    }
    for (let i = 0; i < Math.min(calls.length, wanted.length); i++) {
        yield* callDifferences(calls[i], wanted[i]);
    }
    const custom = message.calls.filter((call) => call.custom).map((call) =>
        ({ name: call.name, input: call.arguments }));
    if (!same(custom, expect.custom_calls ?? [])) {
        yield `custom calls ${JSON.stringify(custom)}`;
    }
    const delivered = message.calls.map((call) => call.arguments).join('');
    for (const lexeme of Object.values(expect.lexemes ?? {})) {
        if (!delivered.includes(lexeme)) {
            yield `the spelling ${lexeme} is gone`;
        }
    }
    if (message.unparsed !== (expect.unparsed ?? 0)) {
        yield `${message.unparsed} unparsed, expected ${expect.unparsed ?? 0}`;
    }
    const told = message.diagnostics.filter((name) =>
        !WARNINGS.includes(name));
    if (one.class === 'canonical' && told.length > 0) {
        yield `a canonical case with ${told.join(', ')}`;
    }
}

async function streamed(toolwire, one, data) {
    const source = new ReadableStream({
        start(controller) {
            for (const piece of cut(data, 5)) {
                controller.enqueue(piece);
            }
            controller.close();
        },
    });
    const reader = source.pipeThrough(new toolwire.DecoderStream(one.format, {
        ...optionsOf(one), finish: finishOf(one),
    })).getReader();
    const events = [];
    for (let step; !(step = await reader.read()).done;) {
        events.push(step.value);
    }
    return merge(events);
}

async function* decodeCase(toolwire, one) {
    const data = inputOf(one);
    const whole = decodeBy(toolwire, one, [data]);
    // What a template means is judged by tests/unit/language/test_import.c; here it is
    // that every way in gives the same.
    if (typeof one.format === 'string') {
        yield* differences(one, whole);
    }
    const expected = JSON.stringify(whole);
    for (const size of SIZES) {
        if (JSON.stringify(decodeBy(toolwire, one, cut(data, size)))
            !== expected) {
            yield `in pieces of ${size} bytes it is another result`;
        }
    }
    if (JSON.stringify(await streamed(toolwire, one, data)) !== expected) {
        yield 'through a stream it is another result';
    }
    // A string may be cut in the middle of a character, too.
    if (one.input !== undefined && (one.input.isWellFormed?.() ?? true)
        && JSON.stringify(decodeBy(toolwire, one, one.input.split('')))
            !== expected) {
        yield 'a UTF-16 unit at a time it is another result';
    }
    if (JSON.stringify(toolwire.decode(data, one.format, {
        ...optionsOf(one), finish: finishOf(one),
    }).content ?? '') !== JSON.stringify(messageOf(whole).content)) {
        yield 'decode() gives another content';
    }
}

function* emitCase(toolwire, one) {
    const made = toolwire.encodeCompletion(one.message, one.format,
        { report: [] });
    if (made !== one.expect_text) {
        yield `emitted ${JSON.stringify(made)}`;
    }
}

// The value of a line's member as it is spelled: JSON.parse() would spell its
// numbers anew.
export function spelled(line, key) {
    const begin = line.indexOf(`"${key}": `) + key.length + 4;
    let depth = 0;
    let inside = false;
    for (let at = begin; at < line.length; at++) {
        const letter = line[at];
        if (inside) {
            at += letter === '\\' ? 1 : 0;
            inside = letter !== '"';
        } else if (letter === '"') {
            inside = true;
        } else if ('{['.includes(letter)) {
            depth++;
        } else if ('}]'.includes(letter)) {
            depth--;
        }
        if (depth === 0 && !inside) {
            return line.slice(begin, at + 1);
        }
    }
    return null;
}

function* encodeCase(toolwire, one, line) {
    const options = one.options?.python_numbers ? { pythonNumbers: true } : {};
    const request = spelled(line, 'request');
    const quiet = { ...options, report: [] };
    const expected = one.expect_text;
    if (one.class === 'unsafe') {
        try {
            const made = toolwire.encode(request, one.format, quiet);
            if (!made.includes('\\u003c')) {
                yield 'an unsafe request was written';
            }
        } catch (error) {
            if (!(error instanceof toolwire.ToolwireError)) {
                yield `refused otherwise: ${error.message}`;
            }
        }
        quiet.controlText = 'allow';
    }
    const made = toolwire.encode(request, one.format, quiet);
    if (made !== expected) {
        yield `encoded ${JSON.stringify(made)}`;
    }
}

function* recordCase(toolwire, one, line) {
    const report = [];
    try {
        const converter = new toolwire.Converter(one.from, one.to, {
            ...one.wire ? { wire: one.wire } : {},
            ...one.completion ? { unitCompletion: true } : {},
            ...one.object ? { argumentsObject: true } : {},
        });
        try {
            const made = converter.record(spelled(line, 'record'));
            report.push(...converter.report());
            if (one.refused !== undefined) {
                yield 'it was not refused';
            } else if (!same(JSON.parse(made), JSON.parse(one.expect))) {
                yield `converted to ${made}`;
            } else if (!same(report.map((it) => it.path ?? ''),
                one.reports.map((it) => it[1]))) {
                yield `reports ${JSON.stringify(report)}`;
            }
        } finally {
            converter.free();
        }
    } catch (error) {
        if (error.codeName === undefined || one.refused === undefined
            || error.codeName !== one.refused[0]
            || (error.path ?? '') !== one.refused[1]) {
            yield `${error.stack}`;
        }
    }
}

// Templates that tell what no description can: tests/unit/language/test_import.c.
const UNTOLD = ['rt-join-1', 'rt-look-1'];

async function* templateCase(toolwire, one, line) {
    let format;
    try {
        format = toolwire.loadFormat(spelled(line, 'template'));
    } catch (error) {
        if (one.expect !== null && !UNTOLD.includes(one.id)) {
            yield `refused: ${error.message}`;
        }
        return;
    }
    try {
        if (one.expect === null) {
            yield 'it was not refused';
        } else if (one.prefix === undefined) {
            yield* decodeCase(toolwire, {
                ...one, format, class: 'deviation',
                options: { tools: one.tools },
            });
        }
    } finally {
        format.free();
    }
}

// The list that all bindings read alike: inputs, and the bytes that come out.
async function vector(toolwire, one) {
    switch (one.do) {
    case 'decode':
        return toolwire.decodeText(one.input, one.format);
    case 'stream': {
        const lines = [];
        const pieces = cut(new TextEncoder().encode(one.input), one.piece);
        for await (const line of toolwire.decodeStream(pieces, one.format,
            { api: one.api === 'chunks' ? 'chat' : one.api })) {
            lines.push(JSON.stringify(line));
        }
        return lines.join('\n');
    }
    case 'convert':
        return toolwire.convert(one.input, one.from, one.to, { report: [] });
    case 'encode':
        return toolwire.encode(one.input, one.format, { report: [] });
    case 'completion':
        return toolwire.encodeCompletion(one.input, one.format,
            { report: [] });
    default:
        throw new Error(`do what? ${one.do}`);
    }
}

async function* vectorCase(toolwire, one) {
    let made;
    try {
        made = await vector(toolwire, one);
    } catch (error) {
        made = error.codeName ?? error.stack;
    }
    if (made !== (one.expect ?? one.error)) {
        yield `${one.do} gives ${made}, expected ${one.expect ?? one.error}`;
    }
}

function caseOf(name, one) {
    if (name === 'vectors.jsonl') {
        return vectorCase;
    }
    if (name.startsWith('records/')) {
        return recordCase;
    }
    if (name.startsWith('response_template')) {
        return templateCase;
    }
    if (name.startsWith('encode-')) {
        return encodeCase;
    }
    if (one.class === 'emit') {
        return emitCase;
    }
    return one.expect === undefined ? null : decodeCase;
}

export async function run(toolwire, files) {
    let passed = 0;
    const failures = [];
    for (const [name, text] of Object.entries(files)) {
        for (const line of text.split('\n').filter((it) => it !== '')) {
            const one = JSON.parse(line);
            const how = caseOf(name, one);
            if (how === null) {
                continue;
            }
            const found = [];
            try {
                for await (const it of how(toolwire, one, line)) {
                    found.push(it);
                }
            } catch (error) {
                found.push(error.stack);
            }
            passed += found.length === 0;
            failures.push(...found.map((it) => `${name} ${one.id}: ${it}`));
        }
    }
    return { passed, failures };
}
