// SPDX-License-Identifier: MIT
//
// Prompts of requests, and records from one form to another.
import { ARGUMENT, ToolwireError, diagnosticName, reports, settle }
    from './errors.mjs';
import { find, shapes } from './formats.mjs';
import { Handle } from './handle.mjs';
import { constant, lend, lendApart, long, need, slotAt, text, wasm, word }
    from './memory.mjs';
import { FINISH, apply, check, declare, names, oneOf, toJson }
    from './options.mjs';
import { Template } from './template.mjs';

// Of one diagnostic a converter lists so many, and counts the rest.
const KEPT = 1000;

// A template may ask what day it is, and the module has no clock.
function tellTime() {
    wasm().tw_wasm_set_time(Date.now() / 1000);
}

/** The pointer of a new encoder, and what must outlive it. */
function made(from, format) {
    if (!(from instanceof Template)) {
        const { pointer, parents } = find(from);
        return [need('tw_encoder_new')(pointer, 0), parents];
    }
    const { pointer, parents } = format === undefined
        ? { pointer: 0, parents: [] } : find(format);
    return [need('tw_encoder_new_template')(from.pointer, pointer, 0),
        [from, ...parents]];
}

/** Makes the prompts of a dialect, or of a Template; of one, `format` says
 * whose markers the request may not hold. */
export class Encoder extends Handle {
    constructor(from, options = {}) {
        const taken = check('an Encoder', options,
            names('encoder', 'spans', 'shown', 'losses', 'request'), 'report',
            ...from instanceof Template ? ['format'] : []);
        super('tw_encoder_', ...made(from, options.format));
        try {
            apply('tw_encoder_', this.pointer, taken,
                () => wasm().tw_encoder_error(this.pointer));
        } catch (error) {
            this.free();
            throw error;
        }
    }

    #run(name, value) {
        tellTime();
        return lend(toJson(value, 'a request'), (json, size) =>
            this.give((at, sizeAt) =>
                wasm()[name](this.pointer, json, size, at, sizeAt)));
    }

    /** The prompt of a request: an object, or JSON text, which keeps the
     * spelling of each number. */
    encode(request) {
        return this.#run('tw_encode', request);
    }

    /** What the model would have written for an assistant's message. */
    completion(message) {
        return this.#run('tw_encode_completion', message);
    }

    /** The prompt in pieces { control, text }: markers, and all between. */
    segments(request) {
        tellTime();
        lend(toJson(request, 'a request'), (json, size) => this.check(
            wasm().tw_encoder_request(this.pointer, json, size)));
        const found = [];
        while (this.check(wasm().tw_encoder_next(this.pointer,
            slotAt())) === 1) {
            const at = word(slotAt());
            found.push({
                control: word(at) === 1,
                text: text(word(at + 4), word(at + 8)),
            });
        }
        return found;
    }

    /** The prompt and whose each byte of it is: { text, spans } with
     * { start, end, message, part, sampled }, in bytes, without a gap; message
     * is null where the bytes are no message's.  Of a template's prompt. */
    spans(request) {
        const prompt = this.encode(request);
        const spans = [];
        while (this.check(wasm().tw_encoder_span(this.pointer, spans.length,
            slotAt())) === 1) {
            const at = word(slotAt());
            spans.push({
                start: long(at),
                end: long(at + 8),
                message: word(at + 20) >>> 31 === 1 ? null : long(at + 16),
                part: constant(word(at + 24)),
                sampled: word(at + 28) === 1,
            });
        }
        return { text: prompt, spans };
    }

    /** What to append to a prompt behind a turn of the model's: of
     * { prompt?, completion, messages, new, tools? }.  A ToolwireError of
     * TW_ERROR_UNSTABLE names the message with which the template changes what
     * stands before. */
    extend(record) {
        return this.#run('tw_encoder_extend', record);
    }

    /** Of the last request: what the wire does not carry. */
    report() {
        return reports((i, slot) => wasm().tw_encoder_report(this.pointer, i,
            slot), slotAt());
    }
}

function once(who, format, options, run) {
    const encoder = new Encoder(format, options);
    try {
        const made = run(encoder);
        settle(who, encoder.report(), options);
        return made;
    } finally {
        encoder.free();
    }
}

export function encode(request, format, options = {}) {
    return once('encode()', format, options, (encoder) =>
        encoder.encode(request));
}

export function encodeSegments(request, format, options = {}) {
    return once('encodeSegments()', format, options, (encoder) =>
        encoder.segments(request));
}

export function encodeCompletion(message, format, options = {}) {
    return once('encodeCompletion()', format, options, (encoder) =>
        encoder.completion(message));
}

// ---- records ---------------------------------------------------------------

const ANSWERS = ['message', 'report'];
const PARAMETERS = ['tools', 'prompt', 'finish'];

/** The format that reads what the model of a template wrote. */
function read(template) {
    const { format } = template.detect();
    if (format === null) {
        throw new ToolwireError(ARGUMENT, 'no format that is built in reads'
            + ' what this template writes: name one (format)');
    }
    return format;
}

/** Records from one form to another: a format, or a shape of records.  From a
 * Template to 'openai' transcripts are what the template writes; `format` reads
 * the model's own turns. */
export class Converter extends Handle {
    constructor(origin, to, options = {}) {
        const template = origin instanceof Template ? origin : null;
        const from = template === null ? origin
            : options.format ?? read(template);
        const between = need('tw_converter_between');
        const known = [...shapes().map((shape) => shape.name), ...ANSWERS];
        const isShape = (end) => known.includes(end)
            && !ANSWERS.includes(end);
        const isFormat = (end) => !known.includes(end);
        const wire = options.wire !== undefined;
        const owners = ['record'];
        if (from === 'openai' || from === 'huggingface') {
            owners.push('messages');
        }
        if (!isShape(from)) {
            owners.push('text');
        }
        if (!isShape(from) || wire) {
            owners.push('decoder', ...to === 'report' ? []
                : ['writer', 'key']);
        }
        if (!ANSWERS.includes(to)) {
            owners.push('losses', 'conversation',
                ...!isShape(to) || wire ? ['encoder'] : []);
        }
        if (template !== null) {
            owners.push('shown', 'request');
        }
        const taken = check(`a Converter from '${from}' to '${to}'`, options,
            names(...owners), 'wire', 'report', ...PARAMETERS,
            ...template === null ? [] : ['format']);
        const parents = template === null ? [] : [template];
        const end = (name) => {
            if (!isFormat(name)) {
                return 0;
            }
            const found = find(name, known);
            parents.push(...found.parents);
            return found.pointer;
        };
        const [source, target] = [end(from), end(to)];
        const text = options.wire === undefined ? null : find(options.wire);
        parents.push(...text?.parents ?? []);
        const shape = shapes().find((one) => one.name === to);
        if (ANSWERS.includes(from) || ANSWERS.includes(to) && isShape(from)
            || shape?.writes === false) {
            throw new ToolwireError(ARGUMENT,
                `no way leads from ${from} to ${to}${shape?.writes === false
                    ? ', which is read only' : ''}`);
        }
        // Of each end its format, or its name.
        super('tw_converter_', lend(source ? '' : `${from}\0`, (one) =>
            lendApart(target ? '' : `${to}\0`, (other) =>
                between(source, source ? 0 : one, target, target ? 0 : other,
                    0))), parents);
        try {
            if (text !== null) {
                this.check(wasm().tw_converter_set_wire(this.pointer,
                    text.pointer));
            }
            if (template !== null) {
                this.check(need('tw_converter_set_template')(this.pointer,
                    template.pointer));
            }
            apply('tw_converter_', this.pointer, taken,
                () => wasm().tw_converter_error(this.pointer));
            declare('tw_converter_', this.pointer, options,
                (result) => this.check(result));
            this.check(wasm().tw_converter_set_finish(this.pointer,
                oneOf('finish', options.finish ?? 'unknown', FINISH)));
        } catch (error) {
            this.free();
            throw error;
        }
    }

    #run(name, value) {
        tellTime();
        return lend(value, (data, size) => this.give((at, sizeAt) =>
            wasm()[name](this.pointer, data, size, at, sizeAt)));
    }

    /** One record in, one out, as JSON text. */
    record(record) {
        return this.#run('tw_converter_record', toJson(record, 'a record'));
    }

    /** The same for text that is not wrapped in JSON. */
    text(text) {
        return this.#run('tw_converter_text', text);
    }

    /** A whole conversation as { messages, tools }, as JSON text. */
    transcript(text) {
        return this.#run('tw_decode_transcript', text);
    }

    /** Of the last record: { name, offset } of each deviation; of one name the
     * first 1000. */
    diagnostics() {
        const found = [];
        const slot = slotAt();
        while (wasm().tw_converter_diagnostic(this.pointer, found.length,
            slot, slot + 8) === 1) {
            found.push({
                name: diagnosticName(word(slot)), offset: long(slot + 8),
            });
        }
        return found;
    }

    /** By their names: how many the last record has beside these. */
    moreDiagnostics() {
        const more = {};
        for (let i = 0, at; (at = wasm().tw_diagnostic_at(i)) !== 0; i++) {
            const count = Number(wasm().tw_converter_diagnostic_count(
                this.pointer, word(at)));
            if (count > KEPT) {
                more[diagnosticName(word(at))] = count - KEPT;
            }
        }
        return more;
    }

    /** Of the last record: what was lost. */
    report() {
        return reports((i, slot) => wasm().tw_converter_report(this.pointer,
            i, slot), slotAt());
    }
}

/** One record of a log; JSON text gives JSON text, an object an object. */
export function convert(record, from, to, options = {}) {
    const converter = new Converter(from, to, options);
    try {
        const made = converter.record(record);
        settle('convert()', converter.report(), options);
        return typeof record === 'string' ? made : JSON.parse(made);
    } finally {
        converter.free();
    }
}

/** { messages, tools } of a whole conversation as wire text; of a Template,
 * what it wrote, which is proved by writing it again. */
export function decodeTranscript(text, from, options = {}) {
    const converter = new Converter(from, 'openai', options);
    try {
        const made = converter.transcript(text);
        settle('decodeTranscript()', converter.report(), options);
        return JSON.parse(made);
    } finally {
        converter.free();
    }
}
