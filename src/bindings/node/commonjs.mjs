// SPDX-License-Identifier: MIT
//
// ES modules of ours as CommonJS, for the package and the playground.

/** A module of ours as CommonJS.  It holds for how these are written: imports
 * and exports stand at the beginning of a line. */
export function toCommonJs(source, name) {
    const exported = [];
    const starred = [];
    const file = (path) => path.startsWith('node:') ? path
        : path.replace('.mjs', '.cjs');
    let text = source
        .replace(/^import \{([^}]*)\}\s+from '([^']+)';$/gm, (_, list, path) =>
            `const {${list.replace(/ as /g, ': ')}} = require('${
                file(path)}');`)
        .replace(/^import '([^']+)';$/gm, (_, path) =>
            `require('${file(path)}');`)
        .replace(/^export \{([^}]*)\}\s+from '([^']+)';$/gm, (_, list, path) =>
            `Object.assign(exports, (({${list}}) => ({${list}}))(require('${
                file(path)}')));`)
        .replace(/^export \* from '([^']+)';$/gm, (_, path) => {
            starred.push(file(path));
            return '';
        })
        .replace(/^export (async function\*?|function\*?|class|const) ([\w$]+)/gm,
            (_, kind, what) => {
                exported.push(what);
                return `${kind} ${what}`;
            })
        .replaceAll('import.meta.url',
            'require(\'node:url\').pathToFileURL(__filename)')
        .replaceAll('./toolwire.wasm', '../toolwire.wasm');
    const left = text.match(/^\s*(import|export) .*/m);
    if (left !== null) {
        throw new Error(`${name}: not made CommonJS: ${left[0]}`);
    }
    // At the top, so that modules that need each other see functions.
    text += exported.map((what) => `exports.${what} = ${what};\n`).join('');
    text += starred.map((path) =>
        `Object.assign(exports, require('${path}'));\n`).join('');
    return `'use strict';\n${text}`;
}
