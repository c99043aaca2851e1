// SPDX-License-Identifier: MIT
//
// Objects of the library's: freed by free(), by `using`, or when nothing holds
// them any more.
import { failure } from './errors.mjs';
import { given, wasm } from './memory.mjs';

// What frees an object, apart from the object, so that it does not keep it
// alive.  Those that use a loaded format count as its users: the collector
// tells of no order.
class Owned {
    constructor(pointer, free, parents) {
        this.pointer = pointer;
        this.free = free;
        this.parents = parents;
        this.users = 1;
        for (const parent of parents) {
            parent.users++;
        }
    }

    release() {
        if (--this.users > 0) {
            return;
        }
        this.free(this.pointer);
        this.pointer = 0;
        for (const parent of this.parents) {
            parent.release();
        }
    }
}

const forgotten = new FinalizationRegistry((owned) => owned.release());

Symbol.dispose ??= Symbol('Symbol.dispose');

export class Handle {
    #owned;
    #prefix;

    constructor(prefix, pointer, parents = []) {
        if (pointer === 0) {
            throw new RangeError('toolwire: out of memory');
        }
        this.#prefix = prefix;
        this.#owned = new Owned(pointer, wasm()[prefix + 'free'],
            parents.map((parent) => parent.#owned));
        forgotten.register(this, this.#owned, this);
    }

    /** Its pointer in the instance's memory; throws once it was freed. */
    get pointer() {
        if (this.#owned === null) {
            throw new Error(`the ${this.constructor.name} is freed`);
        }
        return this.#owned.pointer;
    }

    /** Frees it at once; it cannot be used any more.  Twice is fine. */
    free() {
        const owned = this.#owned;
        this.#owned = null;
        if (owned !== null) {
            forgotten.unregister(this);
            owned.release();
        }
    }

    [Symbol.dispose]() {
        this.free();
    }

    /** Throws what a negative result says. */
    check(result) {
        if (result < 0) {
            const error = wasm()[this.#prefix + 'error'];
            throw failure(result, error ? error(this.pointer) : 0);
        }
        return result;
    }

    /** The text that |call|(pointerAt, sizeAt) gives. */
    give(call) {
        return given((at, size) => this.check(call(at, size)));
    }
}
