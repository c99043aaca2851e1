// SPDX-License-Identifier: MIT
//
// What the library refuses, as an Error.
import { constant, long, wasm, word } from './memory.mjs';

export const ARGUMENT = -1;
export const STATE = -2;
const MEMORY = -3;
const JSON_ = -12;
export const SCHEMA = -13;

const CONTROL_TEXT = -20;

// The library's advice names options of the command and of C.
const ADVICE = [
    ['--unit completion, TW_OPTION_UNIT_COMPLETION', 'unitCompletion: true'],
    ['convert --unit completion takes it out of its record',
        'encodeCompletion() takes that message, and convert() with'
            + ' unitCompletion: true'],
    ['`toolwire decode` reads', '`decode()` reads'],
    ['--ids map', "ids: 'map'"],
    ['(--set, --now)', '(settings, now)'],
    ['reset for the next', 'reset() begins the next'],
    ['the request is not a JSON object',
        'the request is not a JSON object such as { messages: [...] }'],
];

function advised(code, reason) {
    const made = ADVICE.reduce((text, [theirs, ours]) =>
        text.replace(theirs, ours), reason)
        .replace(/\(-f (\S+)\)/, "(from '$1')");
    return code === CONTROL_TEXT
        ? `${made} (the option controlText allows or breaks it)` : made;
}

const MEANINGS = new Map([
    [ARGUMENT, 'the value cannot be taken'],
    [STATE, 'not now: it has begun, or is over; reset() begins anew'],
    [JSON_, 'not JSON'], [SCHEMA, 'JSON of another shape']]);

/** What the library refuses.
 *
 * code    a number of toolwire.h; |name| of it: "TW_ERROR_JSON"
 * offset  where in the input, in bytes
 * path    where in a JSON document, or null
 * detail  the name of a diagnostic or a loss, or null */
export class ToolwireError extends Error {
    constructor(code, reason, offset = 0, path = null, detail = null) {
        const name = constant(wasm().tw_error_name(code)) ?? `error ${code}`;
        super(`${name} at ${offset}: ${path ? `${path}: ` : ''}${reason}`);
        this.name = 'ToolwireError';
        this.code = code;
        this.codeName = name;
        this.reason = reason;
        this.offset = offset;
        this.path = path;
        this.detail = detail;
    }
}

/** "trailing_comma" of 6; the number if there is none of it. */
export function diagnosticName(code) {
    const found = wasm().tw_diagnostic_get(code);
    return found === 0 ? String(code) : constant(word(found + 8));
}

/** The name of a loss, which a module without encoders has none of, or of a
 * diagnostic. */
function detailName(code) {
    const loss = wasm().tw_loss_get?.(code) ?? 0;
    return loss === 0 ? diagnosticName(code) : constant(word(loss + 12));
}

/** An Error of |code|, with what the tw_error at |pointer| knows of it. */
export function failure(code, pointer = 0) {
    if (code === MEMORY) {
        return new RangeError('toolwire: out of memory');
    }
    if (pointer === 0 || (word(pointer) | 0) !== code) {
        return new ToolwireError(code, MEANINGS.get(code) ?? 'refused');
    }
    const detail = word(pointer + 4) | 0;
    return new ToolwireError(code,
        advised(code, constant(word(pointer + 16)) ?? ''),
        long(pointer + 8), constant(word(pointer + 20)),
        detail > 0 ? detailName(detail) : null);
}

/** Reports of the object that |next|(i, slot) knows: what was lost. */
export function reports(next, slot) {
    const found = [];
    while (next(found.length, slot) === 1) {
        const error = word(slot);
        const code = word(error + 4);
        const loss = wasm().tw_loss_get(code);
        found.push({
            name: detailName(code),
            kind: ['', 'loss', 'template_defect', 'broken_marker', 'change',
                'warning'][loss === 0 ? 0 : word(loss + 4)],
            severity: ['none', 'detail', 'call', 'content'][
                loss === 0 ? 0 : word(loss + 8)],
            path: constant(word(error + 20)),
            offset: long(error + 8),
            message: constant(word(error + 16)),
        });
    }
    return found;
}

/** Was a setting not read? */
function isSetting(path, { settings }) {
    const given = typeof settings === 'string' ? settings
        : JSON.stringify(settings) ?? '';
    return given.includes(`"${path}"`) || path === 'enable_thinking'
        || path.startsWith('chat_template_kwargs.');
}

/** Puts what was lost into the caller's list, or warns of content and calls
 * where there is neither a list nor a word on losses. */
export function settle(who, found, options) {
    if (options.report !== undefined) {
        options.report.push(...found);
        return;
    }
    const grave = found.filter((one) => one.severity === 'call'
        || one.severity === 'content');
    if (grave.length > 0 && options.loss === undefined) {
        console.warn(`toolwire: ${who} lost ${grave.map((one) =>
            `${one.name} at ${one.path}`).join(', ')}; a list as the option`
            + ' report takes this, loss: \'ignore\' silences it');
    }
    const odd = found.filter((one) => one.name === 'setting_type'
        || one.name === 'member_dropped' && isSetting(one.path, options));
    if (odd.length > 0 && options.loss === undefined) {
        console.warn(`toolwire: ${who}: ${odd.map((one) =>
            `the setting ${one.path}: ${one.message}`).join(' ')}`);
    }
}
