// SPDX-License-Identifier: MIT
//
// Elements, and the places in a JSON text that errors name.

export const $ = (id) => document.getElementById(id);

/** An element with members set and children put in. */
export function el(tag, members = {}, ...children) {
    const made = Object.assign(document.createElement(tag), members);
    made.append(...children);
    return made;
}

const decoder = new TextDecoder();

/** Where each line of these bytes begins. */
export function linesOf(bytes) {
    const found = [0];
    for (let at = -1; (at = bytes.indexOf(10, at + 1)) >= 0;) {
        found.push(at + 1);
    }
    return found;
}

/** Line and column, from 1, of an offset in bytes. */
export function placeIn(bytes, lines, offset) {
    let [low, high] = [0, lines.length];
    while (high - low > 1) {
        const middle = low + high >> 1;
        [low, high] = lines[middle] <= offset ? [middle, high]
            : [low, middle];
    }
    const from = Math.max(lines[low], offset - 1000);
    return {
        line: low + 1,
        column: from - lines[low] + 1
            + decoder.decode(bytes.subarray(from, offset)).length,
    };
}

/** The index in |text| of an offset in bytes. */
export function indexOf(text, offset) {
    return decoder.decode(new TextEncoder().encode(text).subarray(0, offset))
        .length;
}

/** Where the value of a path like `call[1]` or `fields.content.open` begins in
 * a JSON text, as an index; -1: nowhere. */
export function locate(text, path) {
    const wanted = path.replace(/\[(\d+)\]/g, '.$1').split('.');
    const stack = [];
    let depth = 0; // how much of the path is matched
    for (let at = 0; at < text.length; at++) {
        const letter = text[at];
        const top = stack.at(-1);
        if (letter === '"') {
            const end = stringEnd(text, at);
            if (top?.object && top.key === null) {
                top.key = text.slice(at + 1, end);
                top.at = -1;
            } else if (matches(stack, wanted, depth)) {
                return at;
            }
            at = end;
        } else if (letter === '{' || letter === '[') {
            if (matches(stack, wanted, depth)) {
                return at;
            }
            stack.push({ object: letter === '{', key: letter === '{' ? null
                : '0' });
        } else if (letter === '}' || letter === ']') {
            stack.pop();
        } else if (letter === ',' && top) {
            top.key = top.object ? null : String(Number(top.key) + 1);
        } else if (/[-\w]/.test(letter) && matches(stack, wanted, depth)) {
            return at;
        }
    }
    return -1;
}

function stringEnd(text, at) {
    for (at++; at < text.length && text[at] !== '"'; at++) {
        at += text[at] === '\\' ? 1 : 0;
    }
    return at;
}

function matches(stack, wanted) {
    return stack.length === wanted.length
        && stack.every((one, i) => one.key === wanted[i]);
}

/** The line of |text| around an index, with a caret under the place. */
export function caret(text, index) {
    const begin = text.lastIndexOf('\n', index - 1) + 1;
    const end = (text.indexOf('\n', index) + text.length + 1)
        % (text.length + 1);
    const from = Math.max(begin, index - 50);
    return `${text.slice(from, Math.min(end || text.length, from + 90))}\n${
        ' '.repeat(Math.max(0, index - from))}^`;
}

/** Opens what a link holds, or makes one: JSON, deflated where that is known,
 * as text that an address may have. */
export async function pack(state) {
    const json = new TextEncoder().encode(JSON.stringify(state));
    const deflated = new Uint8Array(await new Response(new Blob([json])
        .stream().pipeThrough(new CompressionStream('deflate-raw')))
        .arrayBuffer());
    let text = '';
    deflated.forEach((byte) => {
        text += String.fromCharCode(byte);
    });
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_')
        .replaceAll('=', '');
}

export async function unpack(text) {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+')
        .replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    return JSON.parse(await new Response(new Blob([bytes]).stream()
        .pipeThrough(new DecompressionStream('deflate-raw'))).text());
}
