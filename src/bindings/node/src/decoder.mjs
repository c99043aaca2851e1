// SPDX-License-Identifier: MIT
//
// Events of what a model writes.
import { ARGUMENT, STATE, diagnosticName } from './errors.mjs';
import { find } from './formats.mjs';
import { Handle } from './handle.mjs';
import { lend, long, slotAt, text, wasm, word } from './memory.mjs';
import { FINISH, MARKS, apply, check, declare, names, oneOf }
    from './options.mjs';

export const TYPES = ['', 'text', 'reasoning', 'call_begin', 'call_arguments',
    'call_end', 'unparsed', 'diagnostic', 'framing', 'end'];
export const STATUSES = ['', 'complete', 'incomplete', 'malformed'];
export const FLAGS = ['custom', 'dropped', 'warning'];
export const NO_INDEX = 0xffffffff;
const TEXT = 1;
const CALL_ARGUMENTS = 4;
const DIAGNOSTIC = 7;

function codeOf(type, code) {
    switch (type) {
    case 5: return STATUSES[code];
    case 6: case 7: return diagnosticName(code);
    case 9: return Object.keys(FINISH)[code];
    default: return undefined;
    }
}

/** The tw_event at |at|, with the members that `toolwire stream --events`
 * writes, in their order. */
export function copyEvent(at) {
    const type = word(at);
    const index = word(at + 4);
    const data = word(at + 16);
    // Nearly all are of these.
    if (type <= TEXT + 1 || type === CALL_ARGUMENTS) {
        return {
            type: TYPES[type], index, data: text(data, word(at + 20)),
            offset: long(at + 32), span: long(at + 40),
        };
    }
    const event = { type: TYPES[type] };
    if (index !== NO_INDEX) {
        event.index = index;
    }
    // A diagnostic's data are its code's name: once is enough.
    if (data !== 0 && type !== DIAGNOSTIC) {
        event.data = text(data, word(at + 20));
    }
    const code = codeOf(type, word(at + 8));
    if (code !== undefined) {
        event.code = code;
    }
    const idSize = word(at + 28);
    if (idSize > 0) {
        event.id = text(word(at + 24), idSize);
    }
    const flags = word(at + 12);
    if (flags !== 0) {
        event.flags = FLAGS.filter((_, i) => flags & 1 << i);
    }
    event.offset = long(at + 32);
    event.span = long(at + 40);
    return event;
}

const isHigh = (code) => code >= 0xd800 && code < 0xdc00;

/** What all that decodes has: pieces go in, and |take|(pointer of an event)
 * is called for each that comes out. */
export class Feed {
    #decoder;
    // The first half of a character that a string was cut in.
    #half = '';

    constructor(decoder) {
        this.#decoder = decoder;
    }

    reset() {
        this.#half = '';
    }

    #drain(result, take) {
        const decoder = this.#decoder;
        if (result === ARGUMENT || result === STATE) {
            decoder.check(result);
        }
        const next = wasm().tw_decoder_next;
        const slot = slotAt();
        const handle = decoder.pointer;
        while ((result = next(handle, slot)) === 1) {
            take(word(slot));
        }
        decoder.check(result);
    }

    piece(data, mark, take) {
        const as = mark === 'unknown' ? 0 : oneOf('mark', mark, MARKS);
        if (typeof data === 'string') {
            if (this.#half !== '') {
                data = this.#half + data;
                this.#half = '';
            }
            if (isHigh(data.charCodeAt(data.length - 1))) {
                this.#half = data.at(-1);
                data = data.slice(0, -1);
            }
        } else if (this.#half !== '') {
            this.#flush(take);
        }
        lend(data, (pointer, size) => this.#drain(
            wasm().tw_decoder_feed(this.#decoder.pointer, pointer, size, as),
            take), 'a piece');
    }

    #flush(take) {
        const half = this.#half;
        this.#half = '';
        lend(half, (pointer, size) => this.#drain(
            wasm().tw_decoder_feed(this.#decoder.pointer, pointer, size, 0),
            take));
    }

    /** |name| is what the caller calls the reason. */
    finish(reason, take, name = 'finish') {
        const how = oneOf(name, reason, FINISH);
        if (this.#half !== '') {
            this.#flush(take);
        }
        this.#drain(wasm().tw_decoder_finish(this.#decoder.pointer, how),
            take);
    }
}

/** A piece of a stream and its mark: { text, mark }, or the text alone. */
export function pieceOf(piece) {
    return typeof piece === 'object' && piece !== null
        && Object.hasOwn(piece, 'text')
        ? [piece.text, piece.mark ?? 'unknown'] : [piece, 'unknown'];
}

/** An iterator over an iterable, an async iterable or a ReadableStream, which
 * browsers do not all iterate. */
export function iterate(pieces) {
    if (typeof pieces === 'string') {
        throw new TypeError('pieces must be an iterable of pieces, not one'
            + ' string, which would be fed letter by letter: write [text]');
    }
    const begin = pieces?.[Symbol.asyncIterator] ?? pieces?.[Symbol.iterator];
    if (begin !== undefined) {
        return begin.call(pieces);
    }
    if (typeof pieces?.getReader !== 'function') {
        throw new TypeError('pieces must be an iterable of pieces or a'
            + ` ReadableStream, not ${pieces === null ? 'null' : typeof pieces
            }${typeof pieces?.body?.getReader === 'function'
                ? '; give its .body' : ''}`);
    }
    const reader = pieces.getReader();
    return {
        next: () => reader.read(),
        return: async () => {
            await reader.cancel();
            return { done: true };
        },
    };
}

/** Makes events of the pieces of a model's output; index.d.ts says more. */
export class Decoder extends Handle {
    #feed;
    #error = null;
    // Of those who iterate the decoder itself.
    #queue = null;
    #wake = null;

    constructor(format, options = {}) {
        const taken = check('a Decoder', options, names('decoder'), 'tools',
            'prompt');
        const { pointer, parents } = find(format);
        super('tw_decoder_', wasm().tw_decoder_new(pointer, 0), parents);
        this.#feed = new Feed(this);
        try {
            apply('tw_decoder_', this.pointer, taken,
                () => wasm().tw_decoder_error(this.pointer));
            declare('tw_decoder_', this.pointer, options,
                (result) => this.check(result));
        } catch (error) {
            this.free();
            throw error;
        }
    }

    /** The end of the prompt, for the next message only. */
    setPrompt(prompt) {
        declare('tw_decoder_', this.pointer, { prompt },
            (result) => this.check(result));
    }

    #collect(run) {
        if (this.#error !== null) {
            throw this.#error;
        }
        const events = [];
        try {
            run((at) => events.push(copyEvent(at)));
        } catch (error) {
            // The events in front of an error that sticks come first.
            if (events.length === 0) {
                throw error;
            }
            this.#error = error;
        }
        if (this.#queue !== null) {
            this.#queue.push(...events);
            this.#wake?.();
        }
        return events;
    }

    feed(data, mark = 'unknown') {
        return this.#collect((take) => this.#feed.piece(data, mark, take));
    }

    finish(reason = 'stop') {
        return this.#finish(reason, 'reason');
    }

    #finish(reason, name) {
        return this.#collect((take) => this.#feed.finish(reason, take, name));
    }

    reset() {
        wasm().tw_decoder_reset(this.pointer);
        this.#feed.reset();
        this.#error = null;
    }

    free() {
        super.free();
        this.#wake?.();
    }

    async* read(pieces, { finish = 'stop' } = {}) {
        const iterator = iterate(pieces);
        let done = false;
        try {
            for (;;) {
                const step = await iterator.next();
                if (step.done) {
                    done = true;
                    break;
                }
                yield* this.feed(...pieceOf(step.value));
            }
            yield* this.#finish(typeof finish === 'function' ? await finish()
                : finish, 'finish');
            if (this.#error !== null) {
                throw this.#error;
            }
        } finally {
            if (!done) {
                await iterator.return?.();
            }
        }
    }

    /** The events of feed() and finish(), from now on, to the end of the
     * message. */
    async* [Symbol.asyncIterator]() {
        if (this.#queue !== null) {
            throw new Error('the Decoder is iterated already');
        }
        this.#queue = [];
        try {
            for (;;) {
                while (this.#queue.length > 0) {
                    const event = this.#queue.shift();
                    yield event;
                    if (event.type === 'end') {
                        return;
                    }
                }
                if (this.#error !== null) {
                    throw this.#error;
                }
                this.pointer; // throws once it was freed
                await new Promise((resolve) => {
                    this.#wake = resolve;
                });
            }
        } finally {
            this.#queue = null;
            this.#wake = null;
        }
    }
}
