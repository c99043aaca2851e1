// SPDX-License-Identifier: MIT
//
// Grammars that hold a model to a format and its tools, and what a model is
// told of calls that cannot be run.
import { ToolwireError, failure } from './errors.mjs';
import { find } from './formats.mjs';
import { constant, given, lend, lendApart, long, need, room, setWord, slotAt,
    wasm, word } from './memory.mjs';
import { check, oneOf, toJson } from './options.mjs';

const TARGETS = { lark: 0, gbnf: 1, 'structural-tag': 2 };
const STARTS = { anywhere: 0, reasoning: 1, text: 2 };
// sizeof tw_grammar_options, and a place for tw_format_error behind it.
const OPTIONS = 32;
const ERROR = 336;
const MESSAGES = 1; // TW_WORDS_MESSAGES

const ASKED = ['target', 'choice', 'parallel', 'start', 'wider',
    'specialTokens'];

function textOf(grammar) {
    try {
        return given((at, sizeAt) => {
            setWord(at, wasm().tw_grammar_text(grammar, sizeAt));
        });
    } finally {
        wasm().tw_grammar_free(grammar);
    }
}

/** All that a model of `format` may write where `tools` are declared.
 *  `choice` is 'auto', 'required', 'none' or a tool's name; `start` says where
 * the prompt ended; with `wider` what no grammar says is left out and told in a
 * comment.  `specialTokens` are markers of which the vocabulary has one token
 * each, to be named by number: `{'<tool_call>': 151657}`, or what a
 * tokenizer.json holds.  A ToolwireError has the place in the tools. */
export function grammar(tools, format, asked = {}) {
    const { target = 'lark', choice = 'auto', parallel = true, start = 'anywhere',
        wider = false, specialTokens } = check('grammar()', asked, ASKED);
    const make = need('tw_grammar_make');
    const { pointer } = find(format);
    const special = specialTokens === undefined ? ''
        : toJson(specialTokens, 'special tokens');
    return room(OPTIONS + ERROR, (options) => lend(`${choice}\0`, (chosen) =>
        lendApart(special, (tokens, length) =>
        lendApart(toJson(tools, 'tools'), (json, size) => {
            [oneOf('target', target, TARGETS), oneOf('start', start, STARTS),
                chosen, Number(parallel), Number(wider),
                special === '' ? 0 : tokens, length].forEach((value, i) =>
                setWord(options + 4 * i, value));
            const result = make(pointer, json, size, options, 0, slotAt(),
                options + OPTIONS);
            if (result < 0) {
                const reason = constant(options + OPTIONS + 16);
                throw reason === '' ? failure(result) : new ToolwireError(
                    result, reason, long(options + OPTIONS + 8));
            }
            return textOf(word(slotAt()));
        }))));
}

/** What an agent gives back to the model for each call of a message that cannot
 * be run: OpenAI messages; [] if all can be run.  Without tools only blocks
 * that could not be read are spoken of. */
export function wordsForModel(message, { tools } = {}) {
    const write = need('tw_words_for_model');
    const ask = (data, size, own, ownSize) => (most) => room(most + 8, (at) => {
        const result = write(data, size, own, ownSize, MESSAGES, 0, at + 8,
            most, at);
        if (result < 0) {
            throw new ToolwireError(result, 'no message, or no list of tools');
        }
        const needed = word(at);
        return needed > most ? needed : given((to, toSize) => {
            setWord(to, at + 8);
            setWord(toSize, needed);
        });
    });
    const answer = (again) => {
        const found = again(4096);
        return JSON.parse(typeof found === 'number' ? again(found) : found);
    };
    return lend(toJson(message, 'a message'), (data, size) =>
        tools === undefined ? answer(ask(data, size, 0, 0))
            : lendApart(toJson(tools, 'tools'), (own, ownSize) =>
                answer(ask(data, size, own, ownSize))));
}
