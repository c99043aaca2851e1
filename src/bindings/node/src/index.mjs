// SPDX-License-Identifier: MIT
//
// What browsers and workers import.  The module must be loaded once:
//     await init();                      fetches toolwire.wasm beside this file
//     await init(fetch('/x.wasm'));      ... or from elsewhere
//     initSync(bytesOrModule);           what a worker was given
import { adopt, constant, state, toBytes, wasm } from './memory.mjs';

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

// A bundler or a server that does not know of the module answers with its page.
const REMEDY = 'serve toolwire.wasm and give init() its address, or import'
    + ' toolwire/inline, which has the module inside';

/** What WebAssembly compiles; an error that shows what came in its place. */
function compilable(source, type) {
    if (source instanceof WebAssembly.Module) {
        return source;
    }
    const bytes = toBytes(source, 'the module');
    const head = new TextDecoder('latin1').decode(bytes.subarray(0, 24));
    if (!head.startsWith('\0asm')) {
        throw new Error(`what came is no WebAssembly, but begins with ${
            JSON.stringify(head)}${type ? ` (${type})` : ''}: ${REMEDY}`);
    }
    return bytes;
}

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
    let type;
    if (typeof Response !== 'undefined' && from instanceof Response) {
        if (!from.ok) {
            throw new Error(`${from.url || 'toolwire.wasm'}: ${from.status} ${
                from.statusText}: ${REMEDY}`);
        }
        type = from.headers.get('content-type');
        from = await from.arrayBuffer();
    }
    const made = await WebAssembly.instantiate(compilable(from, type), {});
    adopt(made.instance ?? made);
}

/** The same at once, of bytes or a WebAssembly.Module. */
export function initSync(source) {
    if (state.exports === null) {
        const from = compilable(source);
        adopt(new WebAssembly.Instance(from instanceof WebAssembly.Module
            ? from : new WebAssembly.Module(from), {}));
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
