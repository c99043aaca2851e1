// SPDX-License-Identifier: MIT
//
// The playground as files that work from disk: all modules in one script, and
// toolwire.wasm in it, since a page from disk may fetch nothing.
// Use: node build.mjs WASM EXPLANATIONS OUT
// EXPLANATIONS is what `toolwire explain --all` prints.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync }
    from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toCommonJs } from '../node/commonjs.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const [wasm, explained, out] = process.argv.slice(2);
if (out === undefined) {
    console.error('use: node build.mjs WASM EXPLANATIONS OUT');
    process.exit(2);
}

function modules(folder, skipped) {
    return readdirSync(folder).filter((name) => name.endsWith('.mjs')
        && !skipped.test(name)).map((name) =>
        [name.replace('.mjs', '.cjs'), `(exports, require) => {\n${
            toCommonJs(readFileSync(join(folder, name), 'utf8'), name)}}`]);
}

function remedies() {
    const found = {};
    let name = null;
    for (const line of readFileSync(explained, 'utf8').split('\n')) {
        name = /^(\w+) \(\d+, /.exec(line)?.[1] ?? name;
        const remedy = /^remedy: +(.*)/.exec(line)?.[1];
        if (remedy !== undefined) {
            // The page has a box where the command has an option.
            found[name] = remedy.replace('--strict', 'the box "strict"');
        }
    }
    if (Object.keys(found).length < 50) {
        throw new Error(`${explained}: no remedies were found`);
    }
    return found;
}

// A name stands in one folder only.
const all = [...modules(join(here, '..', 'node', 'src'), /^(ai-sdk|node)/),
    ...modules(join(here, 'src'), /^$/)];
const script = `// toolwire's playground, made by build.mjs
(() => {
const modules = {
${all.map(([name, body]) => `'${name}': ${body},`).join('\n')}
};
const made = {};
const require = (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (made[name] === undefined) {
        made[name] = {};
        modules[name](made[name], require);
    }
    return made[name];
};
globalThis.toolwire = require('index.cjs');
globalThis.toolwireRemedies = ${JSON.stringify(remedies())};
toolwire.initSync(Uint8Array.from(atob('${
    readFileSync(wasm).toString('base64')}'), (letter) => letter.charCodeAt(0)));
require('app.cjs');
})();
`;
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'playground.js'), script);
for (const name of ['index.html', 'style.css']) {
    copyFileSync(join(here, name), join(out, basename(name)));
}
