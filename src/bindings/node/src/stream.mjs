// SPDX-License-Identifier: MIT
//
// Streams: pieces of text go in; events, chunks, or the events of another API
// come out.
import { Decoder, Feed, copyEvent, iterate, pieceOf } from './decoder.mjs';
import { ToolwireError } from './errors.mjs';
import { FINISH, check, isOption, names, oneOf } from './options.mjs';
import { Writer, writerNames } from './writer.mjs';

const APIS = { events: 0, chat: 1, responses: 2, anthropic: 3 };
const OF_WRITERS = ['chat', 'responses', 'anthropic'];

/** The names of the writer's options; one of another API is refused here, in
 * words that name the API. */
function optionsOf(who, api, options) {
    oneOf('api', api, APIS);
    const of = api === 'events' ? [] : writerNames(api);
    for (const [name, value] of Object.entries(options ?? {})) {
        const owners = OF_WRITERS.filter((one) =>
            writerNames(one).includes(name));
        if (value !== undefined && isOption(name) && owners.length > 0
            && !of.includes(name)) {
            throw new TypeError(`${who} api: '${api}' takes no option '${name}'${
                api === 'events' ? '; give `api`: ' : ', which is of '}${
                owners.map((one) => `'${one}'`).join(', ')}`);
        }
    }
    return of;
}

/** A decoder and what comes of it, be it events or an API's objects. */
class Pipe {
    constructor(who, format, options) {
        const api = options?.api ?? 'events';
        const of = optionsOf(who, api, options);
        const taken = check(who, options, [...names('decoder'), ...of],
            'tools', 'prompt', 'api', 'finish', 'onError');
        const part = (mine) => Object.fromEntries(Object.entries(taken).filter(
            ([name]) => of.includes(name) === mine));
        this.finish = options.finish ?? 'stop';
        if (typeof this.finish !== 'function') {
            oneOf('finish', this.finish, FINISH);
        }
        this.onError = options.onError ?? (() => undefined);
        if (typeof this.onError !== 'function') {
            throw new TypeError('onError must be a function');
        }
        this.sse = options.sse === true;
        this.failed = null;
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

    /** Why the output ended, asked at the end. */
    async how() {
        return typeof this.finish === 'function' ? this.finish() : this.finish;
    }

    /** What comes at the end. */
    *end(how) {
        yield* this.#made((take) => this.feed.finish(how, take));
    }

    /** What the client is told of an error: with `sse` the API's error event.
     * What the library says of the text is for everybody; what a source says
     * may name keys and hosts, and only onError() can let it through. */
    fail(error) {
        this.failed = { error };
        const told = this.onError(error);
        if (!this.sse) {
            return [];
        }
        const own = error instanceof ToolwireError ? error : null;
        const reason = told ?? own?.reason ?? 'the stream broke off';
        return this.writer.fail(own === null ? { message: String(reason) }
            : new ToolwireError(own.code, String(reason), own.offset));
    }

    free() {
        this.decoder.free();
        this.writer?.free();
    }
}

/** In the place of a piece: the source failed. */
class Failure {
    constructor(error) {
        this.error = error;
    }
}

/** The writable end of a stream that tells its client of failures.  Aborting a
 * TransformStream throws away what was not read yet, the error event with it:
 * so the failure goes through like a piece, and the readable end closes. */
function telling(writable, pipe) {
    const writer = writable.getWriter();
    return new WritableStream({
        start(controller) {
            writer.closed.catch((error) => {
                pipe.free();
                controller.error(pipe.failed === null ? error
                    : pipe.failed.error);
            });
        },
        write: (piece) => writer.write(piece),
        close: () => writer.close(),
        abort: (error) => writer.write(new Failure(error)).catch(() => {}),
    });
}

/** A TransformStream ({ readable, writable }) for pipeThrough(). */
export class DecoderStream {
    constructor(format, options = {}) {
        const pipe = new Pipe('a DecoderStream', format, options);
        const put = (controller, made) => {
            for (const one of made) {
                controller.enqueue(one);
            }
        };
        const fail = (controller, error) => {
            try {
                put(controller, pipe.fail(error));
            } finally {
                pipe.free();
            }
            if (!pipe.sse) {
                throw error;
            }
            controller.terminate();
        };
        const stream = new TransformStream({
            transform(piece, controller) {
                try {
                    if (piece instanceof Failure) {
                        throw piece.error;
                    }
                    put(controller, pipe.piece(piece));
                } catch (error) {
                    fail(controller, error);
                }
            },
            async flush(controller) {
                try {
                    put(controller, pipe.end(await pipe.how()));
                    pipe.free();
                } catch (error) {
                    fail(controller, error);
                }
            },
            // Where it is known, memory is freed when the reader goes away.
            cancel() {
                pipe.free();
            },
        });
        this.readable = stream.readable;
        this.writable = pipe.sse ? telling(stream.writable, pipe)
            : stream.writable;
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
        yield* pipe.end(await pipe.how());
    } catch (error) {
        yield* pipe.fail(error);
        throw error;
    } finally {
        pipe.free();
        if (!over) {
            await iterator.return?.();
        }
    }
}
