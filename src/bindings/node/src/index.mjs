// SPDX-License-Identifier: MIT
//
// What browsers and workers import.  The module must be loaded once:
//     await init();                      fetches toolwire.wasm beside this file
//     await init(fetch('/x.wasm'));      ... or from elsewhere
//     initSync(bytesOrModule);           what a worker was given
import { adopt, constant, state, wasm } from './memory.mjs';

export { Decoder } from './decoder.mjs';
export { Converter, Encoder, convert, decodeTranscript, encode,
    encodeCompletion, encodeSegments } from './encoder.mjs';
export { ToolwireError } from './errors.mjs';
export { LoadedFormat, describe, diagnostics, formats, loadFormat, markers,
    shapes } from './formats.mjs';
export { grammar, wordsForModel } from './grammar.mjs';
export { DecoderStream, decodeStream } from './stream.mjs';
export { Template } from './template.mjs';
export { Writer, decode, decodeText } from './writer.mjs';

let loading = null;

/** Loads the module from a URL, a Response, bytes or a WebAssembly.Module, or
 * a promise of one; a second call changes nothing. */
export function init(source) {
    loading ??= load(source).catch((error) => {
        loading = null;
        throw error;
    });
    return loading;
}

async function load(source) {
    if (state.exports !== null) {
        return;
    }
    let from = await source ?? new URL('./toolwire.wasm', import.meta.url);
    if (typeof from === 'string' || from instanceof URL) {
        from = await fetch(from);
    }
    if (typeof Response !== 'undefined' && from instanceof Response) {
        if (!from.ok) {
            throw new Error(`toolwire.wasm: ${from.status} ${
                from.statusText}`);
        }
        from = await from.arrayBuffer();
    }
    adopt(from instanceof WebAssembly.Module
        ? await WebAssembly.instantiate(from, {})
        : (await WebAssembly.instantiate(from, {})).instance);
}

/** The same at once, of bytes or a WebAssembly.Module. */
export function initSync(source) {
    if (state.exports === null) {
        adopt(new WebAssembly.Instance(source instanceof WebAssembly.Module
            ? source : new WebAssembly.Module(source), {}));
    }
}

/** The library's version. */
export function version() {
    return constant(wasm().tw_version());
}

/** How many bytes of memory the instance has. */
export function memorySize() {
    return wasm().memory.buffer.byteLength;
}
