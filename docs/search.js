// SPDX-License-Identifier: MIT
//
// The search of the site: each section of the pages is a row of `sections`,
// [title, address, text], which site.py writes.  A section is found that has
// all words of the question; those that have them in their title come first.
'use strict';

const MOST = 60;

function count(text, word) {
    return text.split(word).length - 1;
}

// How well a section answers; 0: it lacks a word.
function weight([title, , text], words) {
    const [head, body] = [title.toLowerCase(), text.toLowerCase()];
    let sum = 0;
    for (const word of words) {
        const found = 20 * count(head, word) + Math.min(count(body, word), 10);
        if (found === 0) {
            return 0;
        }
        sum += found;
    }
    return sum;
}

function find(question, rows) {
    const words = question.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) {
        return [];
    }
    return rows.map((row) => ({ row, weight: weight(row, words) }))
        .filter((found) => found.weight > 0)
        .sort((left, right) => right.weight - left.weight)
        .map(({ row: [title, address, text] }) => {
            const at = text.toLowerCase().indexOf(words[0]);
            const from = Math.max(0, at - 60);
            return {
                title, address,
                near: (from > 0 ? '… ' : '') + text.slice(from, from + 200),
            };
        });
}

function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
}

function show(list, question, rows) {
    const found = find(question, rows);
    list.replaceChildren(...found.slice(0, MOST).map((each) => {
        const item = element('li', '');
        const link = element('a', each.title);
        link.href = each.address;
        item.append(link, element('p', each.near));
        return item;
    }));
    document.getElementById('count').textContent = question.trim() === '' ? ''
        : found.length === 0 ? 'Nothing has all these words.'
            : found.length > MOST ? `The first ${MOST} of ${found.length}:`
                : '';
}

if (typeof document === 'undefined') {
    module.exports = { find };
} else {
    const question = document.getElementById('question');
    const list = document.getElementById('found');
    question.value = new URLSearchParams(location.search).get('q') ?? '';
    question.addEventListener('input',
        () => show(list, question.value, sections));
    show(list, question.value, sections);
}
