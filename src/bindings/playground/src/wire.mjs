// SPDX-License-Identifier: MIT
//
// The wire in colour: each byte in that of the event that accounts for it.  It
// is laid out in blocks of lines, so that a long text is not laid out anew for
// each piece; what a call has before its end stands in the last block, which
// is drawn again.
import { el } from './dom.mjs';

const BLOCK = 4096;
const decoder = new TextDecoder();

export class Wire {
    #box;
    #bytes = new Uint8Array(0);
    #parts = []; // { begin, end, kind }, in order; the last ones are drawn
    #notes = []; // { at, text, bad }
    #done = 0; // of the parts, those in blocks that are finished
    #block = null;
    #names = []; // of calls: where the name stands, if it is found
    #closers = new Set(); // of calls

    constructor(box) {
        this.#box = box;
    }

    reset(bytes, closers) {
        this.#bytes = bytes;
        this.#closers = closers;
        this.#parts = [];
        this.#notes = [];
        this.#names = [];
        this.#done = 0;
        this.#box.replaceChildren();
        this.#block = null;
    }

    add(event) {
        const { type, offset, span } = event;
        if (type === 'call_begin') {
            this.#names.push({ from: offset, name: event.data });
        } else if (type === 'diagnostic') {
            this.#notes.push({ at: offset, text: event.code,
                bad: !event.flags?.includes('warning') });
        }
        if (span === 0) {
            return;
        }
        const kind = type === 'call_end' ? 'call' : type === 'diagnostic'
            ? 'dropped' : type === 'framing' && this.#closers.has(
                this.#text(offset, offset + span).trim()) ? 'close' : type;
        const last = this.#parts.at(-1);
        if (last !== undefined && last.kind === kind && last.end === offset
            && this.#parts.length > this.#done
            && last.end - last.begin < BLOCK) {
            last.end += span;
        } else {
            this.#parts.push({ begin: offset, end: offset + span, kind });
        }
    }

    #text(begin, end) {
        return decoder.decode(this.#bytes.subarray(begin, end));
    }

    #shown = [];

    /** A part, with the name of its call in another colour. */
    #put(block, begin, end, kind) {
        const name = kind === 'call' ? this.#name(begin, end) : null;
        if (name === null) {
            this.#run(block, begin, end, kind);
            return;
        }
        this.#run(block, begin, name.from, kind);
        this.#run(block, name.from, name.to, 'name');
        this.#run(block, name.to, end, kind);
    }

    /** A run of one colour, with notes at their places. */
    #run(block, begin, end, kind) {
        const piece = (from, to) => to > from && block.append(el('span', {
            className: `k-${kind}`, textContent: this.#text(from, to),
        }));
        const notes = this.#notes.filter((note) => !note.shown
            && note.at >= begin && note.at <= end)
            .sort((a, b) => a.at - b.at);
        let at = begin;
        for (const note of notes) {
            // Not in the middle of a character.
            let to = Math.max(at, note.at);
            while (to < end && (this.#bytes[to] & 0xc0) === 0x80) {
                to++;
            }
            piece(at, to);
            at = to;
            block.append(el('span', {
                className: note.bad ? 'note bad' : 'note',
                textContent: `▲ ${note.text}`,
            }));
            note.shown = true;
            this.#shown.push(note);
        }
        piece(at, end);
    }

    /** Where the name of the call at |begin| stands, or null. */
    #name(begin, end) {
        const one = this.#names.findLast((it) => it.from >= begin
            && it.from < end);
        if (one === undefined || end - begin > 16 * BLOCK) {
            return null;
        }
        const text = this.#text(begin, end);
        const found = text.search(new RegExp(`(?<!\\w)${
            one.name.replace(/[^\w ]/g, '\\$&')}(?!\\w)`));
        const size = (part) => new TextEncoder().encode(part).length;
        const from = begin + size(text.slice(0, found));
        return found < 0 ? null : { from, to: from + size(one.name) };
    }

    /** Draws what came since; |fed| is how much the decoder was given. */
    draw(fed) {
        if (this.#block === null) {
            this.#block = this.#box.appendChild(el('div'));
        }
        // What was drawn of the last block is drawn again, with its notes.
        this.#shown.forEach((note) => {
            note.shown = false;
        });
        this.#shown = [];
        this.#block.replaceChildren();
        let size = 0;
        for (let i = this.#done; i < this.#parts.length; i++) {
            const { begin, end, kind } = this.#parts[i];
            this.#put(this.#block, begin, end, kind);
            size += end - begin;
            if (size > BLOCK && i < this.#parts.length - 1
                && this.#bytes[end - 1] === 10 || size > 16 * BLOCK
                && i < this.#parts.length - 1) {
                this.#done = i + 1;
                // Laid out when it is seen.
                this.#block.className = 'done';
                this.#shown = [];
                size = 0;
                this.#block = this.#box.appendChild(el('div'));
            }
        }
        const known = this.#parts.at(-1)?.end ?? 0;
        if (fed > known) {
            this.#put(this.#block, known, Math.min(fed, this.#bytes.length),
                this.#names.at(-1)?.from >= known ? 'call' : 'framing');
        }
    }
}
