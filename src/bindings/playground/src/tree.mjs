// SPDX-License-Identifier: MIT
//
// Calls as trees, while their arguments still come.
import { el } from './dom.mjs';

/** A JSON value as nested lists; what is large can be folded. */
function value(it) {
    if (it === null || typeof it !== 'object') {
        return el('code', { textContent: JSON.stringify(it) });
    }
    const rows = Object.entries(it).slice(0, 200);
    const list = el('ul', {}, ...rows.map(([key, one]) => el('li', {},
        el('span', { className: 'key', textContent: `${key}: ` }),
        value(one))));
    const many = Object.keys(it).length;
    return el('details', { open: true }, el('summary', {
        textContent: Array.isArray(it) ? `[${many}]` : `{${many}}`,
    }), list);
}

/** The calls of a message; |limit| of them are shown. */
export class Calls {
    #box;
    #calls = new Map();
    #late = new Set();

    constructor(box) {
        this.#box = box;
    }

    reset() {
        this.#calls.clear();
        this.#late.clear();
        this.#box.replaceChildren(el('p', {
            className: 'none', textContent: 'none yet',
        }));
    }

    add(event) {
        const call = this.#calls.get(event.index);
        if (event.type === 'call_begin') {
            this.#calls.set(event.index, {
                name: event.data, id: event.id, text: '', status: 'coming',
            });
        } else if (event.type === 'call_arguments') {
            call.text += event.data;
        } else if (event.type === 'call_end') {
            call.status = event.code;
        } else {
            return;
        }
        this.#late.add(event.index);
    }

    draw(limit = 100) {
        for (const index of this.#late) {
            if (index < limit) {
                this.#drawOne(index);
            }
        }
        this.#late.clear();
        if (this.#calls.size > limit && !this.#box.more) {
            this.#box.more = this.#box.appendChild(el('p', {
                className: 'none',
            }));
        }
        if (this.#calls.size > limit) {
            this.#box.more.textContent = `and ${this.#calls.size - limit
            } more`;
        } else {
            this.#box.more = null;
        }
    }

    #drawOne(index) {
        const call = this.#calls.get(index);
        if (call.element === undefined) {
            this.#box.querySelector('.none')?.remove();
            call.element = this.#box.appendChild(el('div', {
                className: 'call',
            }));
        }
        let shown;
        try {
            shown = value(JSON.parse(call.text));
        } catch {
            shown = el('code', { textContent: call.text.slice(-4000) });
        }
        call.element.replaceChildren(
            el('span', { className: 'status', textContent: call.status }),
            el('strong', { textContent: call.name }),
            ` ${call.id ?? ''}`, shown);
    }
}
