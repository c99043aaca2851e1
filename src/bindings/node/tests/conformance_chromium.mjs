// SPDX-License-Identifier: MIT
//
// The conformance cases in Chromium: in a page and in a worker.
// Use: node conformance_chromium.mjs PACKAGE-FOLDER CONFORMANCE-FOLDER DEPS
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, serve } from './browser.mjs';
import { casesIn } from './files.mjs';

const [folder, cases, deps] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const site = await serve({ '/toolwire/': folder, '/tests/': here });
const browser = await launch(deps);
let wrong = false;

function report(where, { passed, failures }) {
    console.log(failures.slice(0, 20).join('\n'));
    console.log(`conformance in ${where}: ${passed} passed, ${
        failures.length} failed`);
    wrong ||= passed === 0 || failures.length > 0;
}

try {
    const page = await browser.newPage();
    await page.goto(`${site.address}/`);
    const name = `Chromium ${browser.version()}`;
    const files = casesIn(cases);
    report(name, await page.evaluate(async (all) => {
        const toolwire = await import('/toolwire/index.mjs');
        const { run } = await import('/tests/conformance.mjs');
        await toolwire.init();
        return run(toolwire, all);
    }, files));
    report(`${name}, a worker, toolwire/inline`, await page.evaluate((all) => {
        const code = `
            onmessage = async ({ data }) => {
                const at = (path) => import(new URL(path, data.address));
                const toolwire = await at('/toolwire/inline.mjs');
                const { run } = await at('/tests/conformance.mjs');
                postMessage(await run(toolwire, data.all));
            };`;
        const worker = new Worker(URL.createObjectURL(
            new Blob([code], { type: 'text/javascript' })),
        { type: 'module' });
        return new Promise((resolve, reject) => {
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = ({ message }) => reject(new Error(message));
            worker.postMessage({ address: location.href, all });
        });
    }, files));
} finally {
    await browser.close();
    site.close();
}
process.exitCode = wrong ? 1 : 0;
