// SPDX-License-Identifier: MIT
//
// The tabs: what comes out of the same events for each API.  Only the one that
// is seen is made, from where it was left.
import { Writer } from '../toolwire/index.mjs';
import { $, el } from './dom.mjs';

const SHOWN = 400;
const PAINTED = 20000; // a longer text is not painted anew for each piece
const TABS = {
    message: 'Message', chat: 'Chat chunks', responses: 'Responses',
    anthropic: 'Anthropic', events: 'Events', spans: 'Spans',
};

/** JSON in colours: keys, strings, and what else is a value. */
function painted(text) {
    const parts = text.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?|\b(?:true|false|null|\d[\d.eE+-]*)\b)/);
    return parts.map((part, i) => i % 2 === 0 ? part : el('span', {
        className: part[0] !== '"' ? 'word' : part.endsWith(':') ? 'key'
            : 'string',
        textContent: part,
    }));
}

export class Outputs {
    #events = [];
    #made = new Map();
    current = 'message';
    // An error ended the stream: no message comes.
    failed = false;

    constructor(changed) {
        const list = $('tabs');
        for (const [id, label] of Object.entries(TABS)) {
            list.append(el('button', {
                id: `tab-${id}`, textContent: label, role: 'tab',
                onclick: () => {
                    this.show(id);
                    changed();
                },
            }));
        }
        list.addEventListener('keydown', (event) => {
            const ids = Object.keys(TABS);
            const at = ids.indexOf(this.current);
            const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0,
                End: -1 }[event.key];
            if (to !== undefined) {
                event.preventDefault();
                this.show(ids[(to + ids.length) % ids.length]);
                $(`tab-${this.current}`).focus();
                changed();
            }
        });
        this.show(this.current);
    }

    show(id) {
        this.current = Object.hasOwn(TABS, id) ? id : 'message';
        for (const tab of $('tabs').children) {
            const on = tab.id === `tab-${this.current}`;
            tab.setAttribute('aria-selected', String(on));
            tab.setAttribute('aria-controls', 'panel');
            tab.tabIndex = on ? 0 : -1;
        }
        $('panel').setAttribute('aria-labelledby', `tab-${this.current}`);
        this.draw();
    }

    reset() {
        this.#events = [];
        this.failed = false;
        for (const one of this.#made.values()) {
            one.writer?.free();
        }
        this.#made.clear();
        this.draw();
    }

    add(event) {
        this.#events.push(event);
    }

    /** Brings the tab that is seen up to date; true: there is more to do. */
    draw() {
        const id = this.current;
        const isApi = !['events', 'spans'].includes(id);
        if (!this.#made.has(id)) {
            this.#made.set(id, {
                at: 0, lines: [], count: 0,
                writer: isApi ? new Writer(id) : null,
            });
        }
        const one = this.#made.get(id);
        const until = performance.now() + 8;
        while (one.at < this.#events.length && performance.now() < until) {
            const event = this.#events[one.at++];
            const lines = isApi ? one.writer.event(event)
                : id === 'events' ? [JSON.stringify(event)]
                    : event.span > 0 ? [`${String(event.offset).padStart(8)} ${
                        String(event.span).padStart(7)}  ${event.type}${
                        event.code ? ` ${event.code}` : ''}`] : [];
            one.count += lines.length;
            one.lines.push(...lines);
            if (one.lines.length > 2 * SHOWN) {
                one.lines.splice(0, one.lines.length - SHOWN);
            }
        }
        this.#put(id, one);
        return one.at < this.#events.length;
    }

    #put(id, one) {
        const lines = one.lines.slice(-SHOWN);
        const text = id === 'message' ? lines.map((line) =>
            JSON.stringify(JSON.parse(line), null, 2)).join('\n')
            || (this.failed ? 'There is no message: the error ended it.'
                : 'The message comes at the end.') : lines.join('\n');
        const left = one.count - lines.length;
        const shown = `${left > 0 ? `… ${left} lines before\n` : ''}${
            text.length > 100000 ? `${text.slice(0, 100000)}\n… ${
                text.length - 100000} letters more` : text}`;
        if ($('panel').textContent !== shown) {
            $('panel').replaceChildren(...id !== 'spans'
                && shown.length <= PAINTED ? painted(shown) : [shown]);
        }
    }
}
