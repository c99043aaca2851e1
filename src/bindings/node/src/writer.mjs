// SPDX-License-Identifier: MIT
//
// OpenAI JSON of events, and whole messages.
import { ToolwireError, diagnosticName } from './errors.mjs';
import { Handle } from './handle.mjs';
import { Decoder, FLAGS, Feed, NO_INDEX, STATUSES, TYPES }
    from './decoder.mjs';
import { given, lend, lendApart, room, setLong, setWord, slotAt, text, wasm, word }
    from './memory.mjs';
import { FINISH, apply, check, names, oneOf } from './options.mjs';

const SHAPES = { message: 1, chat: 2, responses: 3, anthropic: 4 };
const OWNERS = {
    message: ['writer', 'key'],
    chat: ['writer', 'key', 'stream', 'dated', 'chunks'],
    responses: ['writer', 'stream', 'dated', 'responses'],
    anthropic: ['writer', 'stream', 'anthropic'],
};

/** The options of a writer of this API. */
export function writerNames(api) {
    oneOf('api', api, SHAPES);
    return names(...OWNERS[api]);
}

// The code of an error that is none of the library's.
const FOREIGN = 1;

let codes = null;

function codeOf(event) {
    if (event.type === 'call_end') {
        return STATUSES.indexOf(event.code);
    }
    if (event.type === 'end') {
        return FINISH[event.code];
    }
    if (event.type !== 'unparsed' && event.type !== 'diagnostic') {
        return 0;
    }
    if (codes === null) {
        codes = new Map();
        for (let i = 0, at; (at = wasm().tw_diagnostic_at(i)) !== 0; i++) {
            codes.set(diagnosticName(word(at)), word(at));
        }
    }
    return codes.get(event.code);
}

/** Makes JSON lines of events: one message at the end ('message'), or the
 * stream of an API as the events come. */
export class Writer extends Handle {
    constructor(api, options = {}) {
        const taken = check(`a Writer of '${api}'`, options,
            writerNames(api));
        const writer = wasm().tw_writer_new(SHAPES[api], 0);
        if (writer === 0 && api !== 'message') {
            throw new Error(
                `this toolwire.wasm was built without streams ('${api}')`);
        }
        super('tw_writer_', writer);
        try {
            apply('tw_writer_', this.pointer, taken);
        } catch (error) {
            this.free();
            throw error;
        }
    }

    /** What was made so far. */
    lines() {
        const { tw_writer_take: take } = wasm();
        const slot = slotAt();
        const made = [];
        while (take(this.pointer, slot, slot + 4) === 1) {
            made.push(text(word(slot), word(slot + 4)));
        }
        return made;
    }

    /** Takes the event of a decoder that stands at |at|. */
    take(at) {
        this.check(wasm().tw_writer_event(this.pointer, at));
    }

    /** Takes an event; gives the lines of JSON that are ready. */
    event(event) {
        const type = TYPES.indexOf(event?.type);
        const code = codeOf(event ?? {});
        if (type < 1 || code === undefined || code < 0) {
            throw new TypeError('not an event that a Decoder makes');
        }
        // A diagnostic's data are its name.
        const name = event.type === 'diagnostic' ? event.code : '';
        lend(event.data ?? name, (data, size) => lendApart(event.id ?? '',
            (id, idSize) => room(48, (at) => {
                [type, event.index ?? NO_INDEX, code,
                    (event.flags ?? []).reduce((sum, name) =>
                        sum | 1 << FLAGS.indexOf(name), 0),
                    data, size, id, idSize].forEach((value, i) =>
                    setWord(at + 4 * i, value));
                setLong(at + 32, event.offset);
                setLong(at + 40, event.span);
                this.take(at);
            })));
        return this.lines();
    }

    /** The last lines of a stream that breaks off with this error, whose
     * message they hold. */
    fail(error) {
        const code = error instanceof ToolwireError ? error.code : FOREIGN;
        lend(`${error?.reason ?? error?.message ?? error}\0`, (reason) =>
            room(24, (at) => {
                setWord(at, code);
                setLong(at + 8, error?.offset ?? 0);
                setWord(at + 16, reason);
                this.check(wasm().tw_writer_fail(this.pointer, at));
            }));
        return this.lines();
    }

    reset() {
        wasm().tw_writer_reset(this.pointer);
    }
}

/** The JSON text of a message: that of decode() before it is parsed. */
export function decodeText(text, format, options = {}) {
    const of = writerNames('message');
    const taken = check('decode()', options, [...names('decoder'), ...of],
        'tools', 'prompt', 'finish');
    const part = (mine) => Object.fromEntries(Object.entries(taken).filter(
        ([name]) => of.includes(name) === mine));
    const decoder = new Decoder(format, {
        keepRaw: true, ...part(false), tools: options.tools,
        prompt: options.prompt,
    });
    try {
        const writer = new Writer('message', part(true));
        try {
            const feed = new Feed(decoder);
            const take = (at) => writer.take(at);
            feed.piece(text, 'unknown', take);
            feed.finish(options.finish ?? 'unknown', take);
            return given((at, size) =>
                wasm().tw_writer_take(writer.pointer, at, size));
        } finally {
            writer.free();
        }
    } finally {
        decoder.free();
    }
}

/** The OpenAI message of a whole completion. */
export function decode(text, format, options = {}) {
    return JSON.parse(decodeText(text, format, options));
}
