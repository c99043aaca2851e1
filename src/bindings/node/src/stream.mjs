// SPDX-License-Identifier: MIT
//
// Streams: pieces of text go in; events, chunks, or the events of another API
// come out.
import { Decoder, Feed, copyEvent, iterate, pieceOf } from './decoder.mjs';
import { check, names } from './options.mjs';
import { Writer, writerNames } from './writer.mjs';

/** A decoder and what comes of it, be it events or an API's objects. */
class Pipe {
    constructor(who, format, options) {
        const api = options.to ?? 'events';
        const of = api === 'events' ? [] : writerNames(api);
        const taken = check(who, options, [...names('decoder'), ...of], 'to',
            'tools', 'prompt', 'finish');
        const part = (mine) => Object.fromEntries(Object.entries(taken).filter(
            ([name]) => of.includes(name) === mine));
        this.finish = options.finish ?? 'stop';
        this.sse = options.sse === true;
        this.writer = api === 'events' ? null : new Writer(api, part(true));
        try {
            this.decoder = new Decoder(format, {
                ...part(false), tools: options.tools, prompt: options.prompt,
            });
        } catch (error) {
            this.writer?.free();
            throw error;
        }
        this.feed = new Feed(this.decoder);
    }

    /** What |run| makes, and then its error: what came before it counts. */
    *#made(run) {
        const made = [];
        let failed = null;
        try {
            run(this.writer === null ? (at) => made.push(copyEvent(at))
                : (at) => this.writer.take(at));
        } catch (error) {
            failed = error;
        }
        for (const line of this.writer?.lines() ?? []) {
            made.push(this.sse ? line : JSON.parse(line));
        }
        yield* made;
        if (failed !== null) {
            throw failed;
        }
    }

    /** What the next piece brings. */
    *piece(value) {
        const [data, mark] = pieceOf(value);
        yield* this.#made((take) => this.feed.piece(data, mark, take));
    }

    /** What comes at the end. */
    *end() {
        const how = typeof this.finish === 'function' ? this.finish()
            : this.finish;
        yield* this.#made((take) => this.feed.finish(how, take));
    }

    free() {
        this.decoder.free();
        this.writer?.free();
    }
}

/** A TransformStream ({ readable, writable }) for pipeThrough(). */
export class DecoderStream {
    constructor(format, options = {}) {
        const pipe = new Pipe('a DecoderStream', format, options);
        const guarded = (controller, run) => {
            try {
                for (const one of run()) {
                    controller.enqueue(one);
                }
            } catch (error) {
                pipe.free();
                throw error;
            }
        };
        const stream = new TransformStream({
            transform(piece, controller) {
                guarded(controller, () => pipe.piece(piece));
            },
            flush(controller) {
                guarded(controller, () => pipe.end());
                pipe.free();
            },
            // Where it is known, memory is freed when the reader goes away.
            cancel() {
                pipe.free();
            },
        });
        this.readable = stream.readable;
        this.writable = stream.writable;
    }
}

/** An async generator of the same, over an iterable or a stream of pieces. */
export function decodeStream(pieces, format, options = {}) {
    const iterator = iterate(pieces);
    return loop(iterator, new Pipe('decodeStream()', format, options));
}

async function* loop(iterator, pipe) {
    let over = false;
    try {
        for (;;) {
            const step = await iterator.next();
            if (step.done) {
                over = true;
                break;
            }
            yield* pipe.piece(step.value);
        }
        yield* pipe.end();
    } finally {
        pipe.free();
        if (!over) {
            await iterator.return?.();
        }
    }
}
