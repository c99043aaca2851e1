// SPDX-License-Identifier: MIT
//
// Chat templates: what writes a model's own prompts.
import { ToolwireError, failure } from './errors.mjs';
import { find, formats } from './formats.mjs';
import { Handle } from './handle.mjs';
import { constant, given, lend, lendApart, long, need, room, setWord, slotAt,
    wasm, word } from './memory.mjs';

// sizeof tw_template_source, and of tw_format_error.
const SOURCE = 20;
const ERROR = 336;

/** |text| as the library may read it while |use| runs; none is a null. */
function lendOther(text, use) {
    return text === undefined ? use(0, 0) : lendApart(text, use);
}

function load(text, config, name) {
    const load_ = need('tw_template_load');
    return room(SOURCE + 4 + ERROR, (source) => {
        const error = source + SOURCE + 4;
        return lend(text, (data, size) => lendOther(config, (other, most) =>
            lendOther(name && `${name}\0`, (named) => {
                [data, size, other, most, named].forEach((value, i) =>
                    setWord(source + 4 * i, value));
                const result = load_(source, 0, slotAt(), error);
                if (result < 0) {
                    const reason = constant(error + 16);
                    throw reason === '' ? failure(result)
                        : new ToolwireError(result, reason, long(error + 8));
                }
                return word(slotAt());
            })), 'a template');
    });
}

/** A chat template, as Hugging Face's models have them: Jinja, or JSON whose
 * `chat_template` it is.  It stands where an Encoder takes a format. */
export class Template extends Handle {
    /** `config` is tokenizer_config.json as text, for its special tokens;
     * `name` says which of several templates. */
    constructor(text, { config, name } = {}) {
        super('tw_template_', load(text, config, name));
    }

    /** The format in which the template writes calls:
     * { format, start, evidence, other }; format is null where none reads
     * them. */
    detect() {
        // Each format is tried, and a description is read when it is used.
        formats().forEach((format) => find(format.name));
        const found = need('tw_template_detect')(this.pointer, 0);
        if (found === 0) {
            throw new RangeError('toolwire: out of memory');
        }
        try {
            return JSON.parse(given((at, sizeAt) => {
                setWord(at, wasm().tw_detection_json(found, sizeAt));
            }));
        } finally {
            wasm().tw_detection_free(found);
        }
    }
}
