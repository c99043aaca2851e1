// SPDX-License-Identifier: MIT
//
// Lays out the npm package: the modules of src/ as they are, the same as
// CommonJS, and one that has toolwire.wasm inside.
// Use: node build.mjs WASM OUT
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync,
    writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toCommonJs } from './commonjs.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const [wasm, out] = process.argv.slice(2);
if (out === undefined) {
    console.error('use: node build.mjs WASM OUT');
    process.exit(2);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'cjs'), { recursive: true });
for (const name of readdirSync(join(here, 'src'))) {
    const from = join(here, 'src', name);
    copyFileSync(from, join(out, name));
    if (name.endsWith('.mjs')) {
        writeFileSync(join(out, 'cjs', name.replace('.mjs', '.cjs')),
            toCommonJs(readFileSync(from, 'utf8'), name));
    }
}
for (const name of ['index', 'ai-sdk']) {
    writeFileSync(join(out, `${name}.d.cts`), readFileSync(
        join(out, `${name}.d.ts`), 'utf8').replace('./index.js', './index.cjs'));
}
copyFileSync(wasm, join(out, 'toolwire.wasm'));
copyFileSync(join(here, 'package.json'), join(out, 'package.json'));
copyFileSync(join(here, 'README.md'), join(out, 'README.md'));
copyFileSync(join(here, '..', '..', '..', 'LICENSE'), join(out, 'LICENSE'));
const inline = `// SPDX-License-Identifier: MIT
//
// The package with its module inside: nothing is fetched, nothing waited for.
import { initSync } from './index.mjs';

initSync(Uint8Array.from(atob(\`${
    readFileSync(wasm).toString('base64').match(/.{1,76}/g).join('\n')}\`),
(letter) => letter.charCodeAt(0)));

export * from './index.mjs';
`;
writeFileSync(join(out, 'inline.mjs'), inline);
writeFileSync(join(out, 'cjs', 'inline.cjs'),
    toCommonJs(inline, 'inline.mjs'));
