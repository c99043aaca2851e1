// SPDX-License-Identifier: MIT
//
// The WebAssembly instance, and how text and structures cross its border.
// The places of members are those that ../../wasm/layout.c holds.

/** The one instance of this module: its exports, or null before init(). */
export const state = { exports: null };

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const SCRATCH = 65536;
// A short text is copied letter by letter: TextEncoder and TextDecoder cost
// more than that to call.
const SHORT = 32;

let bytes = new Uint8Array(0);
let words = new Uint32Array(0);
let scratch = 0;
// Two words into which functions write pointers and sizes.
let slot = 0;

/** Takes an instance of the module; makes it the one that all uses. */
export function adopt(instance) {
    state.exports = instance.exports;
    bytes = new Uint8Array(0);
    scratch = instance.exports.malloc(SCRATCH);
    slot = instance.exports.malloc(16);
}

/** The exports; an error that says what to do where there are none yet. */
export function wasm() {
    if (state.exports === null) {
        throw new Error('toolwire is not ready: await init() first');
    }
    return state.exports;
}

/** Throws where the module was built without this function. */
export function need(name) {
    const found = wasm()[name];
    if (found === undefined) {
        throw new Error(`this toolwire.wasm was built without ${name}()`);
    }
    return found;
}

// Growing the memory detaches its buffer, and a view of that has no length;
// asked whenever wasm may have run.
function look() {
    if (bytes.length === 0) {
        const { buffer } = wasm().memory;
        bytes = new Uint8Array(buffer);
        words = new Uint32Array(buffer);
    }
}

export function slotAt() {
    return slot;
}

export function word(pointer) {
    look();
    return words[pointer >>> 2];
}

/** A uint64_t as a number: exact up to 2^53, which no input reaches. */
export function long(pointer) {
    look();
    const at = pointer >>> 2;
    return words[at] + words[at + 1] * 4294967296;
}

export function byte(pointer) {
    look();
    return bytes[pointer];
}

/** |size| bytes as text; what is no UTF-8 becomes U+FFFD. */
export function text(pointer, size) {
    look();
    const end = pointer + size;
    if (size <= SHORT) {
        let made = '';
        let at = pointer;
        while (at < end && bytes[at] < 128) {
            made += String.fromCharCode(bytes[at++]);
        }
        if (at === end) {
            return made;
        }
    }
    // The byte order mark is text like any other.
    return bytes[pointer] === 0xef && bytes[pointer + 1] === 0xbb
        && bytes[pointer + 2] === 0xbf
        ? '\ufeff' + decoder.decode(bytes.subarray(pointer + 3, end))
        : decoder.decode(bytes.subarray(pointer, end));
}

/** Text that ends with a NUL; null where the pointer is NULL. */
export function constant(pointer) {
    if (pointer === 0) {
        return null;
    }
    look();
    return text(pointer, bytes.indexOf(0, pointer) - pointer);
}

const LONE = /\p{Surrogate}/u;
function isWellFormed(string) {
    return string.isWellFormed ? string.isWellFormed() : !LONE.test(string);
}

/** Half of a surrogate pair becomes bytes that are no UTF-8, which the library
 * replaces and reports; TextEncoder would replace it without a word. */
function encodeIllFormed(string) {
    const parts = [];
    let size = 0;
    for (const piece of string.split(/(\p{Surrogate})/u)) {
        const part = piece.length === 1 && LONE.test(piece)
            ? Uint8Array.of(0xf0, 0x90, 0x80) : encoder.encode(piece);
        parts.push(part);
        size += part.length;
    }
    const made = new Uint8Array(size);
    size = 0;
    for (const part of parts) {
        made.set(part, size);
        size += part.length;
    }
    return made;
}

/** Text or bytes as bytes. */
export function toBytes(value, what = 'text') {
    if (typeof value === 'string') {
        return isWellFormed(value) ? encoder.encode(value)
            : encodeIllFormed(value);
    }
    if (value instanceof Uint8Array) {
        return value;
    }
    if (value instanceof ArrayBuffer) {
        return new Uint8Array(value);
    }
    if (ArrayBuffer.isView(value)) {
        return new Uint8Array(value.buffer, value.byteOffset,
            value.byteLength);
    }
    throw new TypeError(`${what} must be a string or bytes, not ${
        value === null ? 'null' : Array.isArray(value)
            ? 'a list (join(\'\') makes one of pieces; token ids are no text)'
            : value?.choices ? 'a chunk of an API (its text is'
                + ' choices[0].delta.content)' : typeof value}`);
}

/** lend() inside of another: never in the scratch. */
export function lendApart(value, use) {
    return lendBytes(toBytes(value), use, true);
}

// How many loans the scratch has.
let lent = 0;

/** Puts text or bytes where the library can read them, and gives what |use|
 * does with pointer and size.  They are gone behind it. */
export function lend(value, use, what) {
    if (typeof value === 'string' && value.length <= SHORT && lent === 0) {
        look();
        let at = 0;
        for (let code; at < value.length; at++) {
            code = value.charCodeAt(at);
            if (code >= 128) {
                break;
            }
            bytes[scratch + at] = code;
        }
        if (at === value.length) {
            return use(scratch, at);
        }
    }
    const data = toBytes(value, what);
    return lendBytes(data, use);
}

function lendBytes(data, use, apart = lent > 0) {
    if (data.length <= SCRATCH && !apart) {
        look();
        bytes.set(data, scratch);
        lent++;
        try {
            return use(scratch, data.length);
        } finally {
            lent--;
        }
    }
    const pointer = state.exports.malloc(data.length);
    if (pointer === 0) {
        throw new RangeError('toolwire: out of memory');
    }
    try {
        look();
        bytes.set(data, pointer);
        return use(pointer, data.length);
    } finally {
        state.exports.free(pointer);
    }
}

/** |size| zeroed bytes for a structure, as words; freed behind |use|. */
export function room(size, use) {
    const pointer = state.exports.malloc(size);
    if (pointer === 0) {
        throw new RangeError('toolwire: out of memory');
    }
    try {
        look();
        words.fill(0, pointer >>> 2, (pointer + size) >>> 2);
        return use(pointer);
    } finally {
        state.exports.free(pointer);
    }
}

export function setWord(pointer, value) {
    look();
    words[pointer >>> 2] = value;
}

export function setLong(pointer, value) {
    setWord(pointer, value % 4294967296);
    setWord(pointer + 4, Math.floor(value / 4294967296));
}

/** What |call| writes as a pointer and a size behind the slot's address. */
export function given(call) {
    call(slot, slot + 4);
    const pointer = word(slot);
    return pointer === 0 ? '' : text(pointer, word(slot + 4));
}
