// SPDX-License-Identifier: MIT
//
// What there is: formats, built in and loaded, their markers, and the table of
// diagnostics.
import { ARGUMENT, ToolwireError, failure } from './errors.mjs';
import { Handle } from './handle.mjs';
import { byte, constant, lend, long, need, room, slotAt, text, wasm, word }
    from './memory.mjs';
import { guess, nearest, toJson } from './options.mjs';

const READ_ONLY = 1; // of a shape's traits
const ROLES = ['', 'call_open', 'call_close', 'reasoning_open',
    'reasoning_close', 'string', 'header', 'body', 'end', 'turn', 'result',
    'declare', 'media'];

function* rows(at, ...before) {
    for (let i = 0, row; (row = at(...before, i)) !== 0; i++) {
        yield row;
    }
}

function settings(pointer) {
    const found = [];
    while (wasm().tw_format_setting(pointer, found.length, slotAt()) === 1) {
        const at = word(slotAt());
        found.push({ name: constant(word(at)), type: constant(word(at + 4)),
            about: constant(word(at + 8)) });
    }
    return found;
}

/** The formats that are built in: name, about, prompts (whether prompts are
 * written, or completions only), alias, a shorter name or null, models,
 * which write it, and settings, which change its prompts: chat_template_kwargs
 * of a request, or the option `settings`. */
export function formats() {
    return [...rows(wasm().tw_format_at)].map((pointer) => {
        const alias = wasm().tw_format_alias(pointer);
        return {
            name: constant(wasm().tw_format_name(pointer)),
            alias: alias === 0 ? null : constant(alias),
            about: constant(wasm().tw_format_about(pointer)),
            prompts: wasm().tw_format_has_prompts(pointer) === 1,
            models: [...rows(wasm().tw_format_model, pointer)].map(constant),
            settings: settings(pointer),
        };
    });
}

/** What an unknown name may have meant: a shape is no slip of the pen. */
function meant(name, others) {
    if (name.includes('\0')) {
        return '';
    }
    if (/[\s<{]/.test(name)) {
        return '; the text or request stands first, the format behind it';
    }
    if (name.endsWith('.json')) {
        return '; loadFormat() takes the description that is in a file';
    }
    return lend(name + '\0', (pointer) =>
        wasm().tw_record_shape_find?.(pointer)
            ? '; it is a shape of records, which convert() takes' : guess([
            ...nearest(name, others),
            ...[...rows(wasm().tw_format_near, pointer)].map(constant)]));
}

function findName(name) {
    return name.includes('\0') ? 0 : lend(name + '\0', (pointer) =>
        wasm().tw_format_find(pointer));
}

/** A format from a description (docs/describing.md); it stands wherever a
 * format's name does. */
export class LoadedFormat extends Handle {
    constructor(pointer) {
        super('tw_format_', pointer);
    }

    get name() {
        return constant(wasm().tw_format_name(this.pointer));
    }

    get about() {
        return constant(wasm().tw_format_about(this.pointer));
    }

    /** As JSON text, which loads back. */
    get description() {
        return describe(this);
    }

    /** What the description says and is doubtful. */
    get warnings() {
        return [...rows(wasm().tw_format_warning, this.pointer)].map(constant);
    }
}

/** Makes a format of a description: JSON text or an object, also Hugging
 * Face's response_template, bare or in a tokenizer_config.json.  A
 * ToolwireError says the place where it does not load. */
export function loadFormat(description) {
    return lend(toJson(description, 'a description'), (json, size) =>
        room(336, (error) => {
            const load = need('tw_format_load');
            const result = load(json, size, 0, slotAt(), error);
            if (result < 0) {
                const reason = constant(error + 16);
                throw reason === '' ? failure(result)
                    : new ToolwireError(result, reason, long(error + 8));
            }
            return new LoadedFormat(word(slotAt()));
        }), 'a description');
}

/** The pointer of a format, and what must outlive its users. */
export function find(format, others = []) {
    if (format instanceof LoadedFormat) {
        return { pointer: format.pointer, parents: [format] };
    }
    if (typeof format !== 'string') {
        throw new TypeError('a format is a name or what loadFormat() gives,'
            + ` not ${typeof format}${typeof format === 'object'
                ? '; the text or request stands first' : ''}`);
    }
    const pointer = findName(format);
    if (pointer === 0) {
        const [what, lists] = others.length === 0
            ? ['format', 'formats() lists them']
            : ['format or shape of records',
                'formats() and shapes() list them'];
        const shown = format.length > 60 ? `${format.slice(0, 60)}...` : format;
        throw new ToolwireError(ARGUMENT, `there is no ${what} '${shown}'${
            meant(format, others)} (${lists})`);
    }
    // Of a format that is built in the description is read when it is used.
    const result = wasm().tw_wasm_ready(pointer);
    if (result < 0) {
        throw failure(result);
    }
    return { pointer, parents: [] };
}

/** The description of a format as JSON text, or null where it is a
 * program. */
export function describe(format) {
    const { pointer } = find(format);
    const size = wasm().tw_format_describe(pointer, 0, 0);
    return size === 0 ? null : room(size + 8 & ~7, (json) => {
        wasm().tw_format_describe(pointer, json, size);
        return text(json, size);
    });
}

/** What a server must preserve, stop at, trigger on. */
export function markers(format) {
    const { pointer } = find(format);
    const found = [];
    while (wasm().tw_format_marker(pointer, found.length, slotAt()) === 1) {
        const at = word(slotAt());
        found.push({
            text: text(word(at), word(at + 4)),
            role: ROLES[word(at + 8)],
            token: byte(at + 12) === 1,
            literal: byte(at + 13) === 1,
            stop: byte(at + 14) === 1,
            decoded: byte(at + 15) === 1,
        });
    }
    return found;
}

/** Every diagnostic: name, text (a sentence), warning (strict mode does not
 * refuse it). */
export function diagnostics() {
    return [...rows(wasm().tw_diagnostic_at)].map((at) => ({
        name: constant(word(at + 8)),
        text: constant(word(at + 12)),
        warning: word(at + 4) === 1,
    }));
}

/** The shapes of records that convert() reads and writes: name, about, and
 * writes, false where no converter writes it. */
export function shapes() {
    return [...rows(need('tw_record_shape_at'))].map((at) => ({
        name: constant(wasm().tw_record_shape_name(at)),
        about: constant(wasm().tw_record_shape_about(at)),
        writes: (wasm().tw_record_shape_traits(at) & READ_ONLY) === 0,
    }));
}
