// SPDX-License-Identifier: MIT
//
// A real Chromium: a server of this machine's files, and a browser without a
// network beside it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';

const TYPES = { '.mjs': 'text/javascript', '.js': 'text/javascript',
    '.wasm': 'application/wasm', '.html': 'text/html',
    '.jsonl': 'text/plain' };

/** Serves { prefix: folder } on this machine; gives the address. */
export function serve(folders) {
    const server = createServer((request, response) => {
        const path = normalize(decodeURIComponent(
            new URL(request.url, 'http://x').pathname));
        const prefix = Object.keys(folders).find((one) =>
            path.startsWith(one));
        try {
            const body = prefix === undefined ? '<!doctype html>'
                : readFileSync(join(folders[prefix],
                    path.slice(prefix.length)));
            response.setHeader('content-type',
                TYPES[extname(path)] ?? 'text/html');
            response.end(body);
        } catch {
            response.statusCode = 404;
            response.end();
        }
    });
    return new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve({
            address: `http://127.0.0.1:${server.address().port}`,
            close: () => server.close(),
        }));
    });
}

/** Debian's Chromium, by playwright-core out of |deps|. */
export function launch(deps) {
    const { chromium } = createRequire(join(deps, 'package.json'))(
        'playwright-core');
    return chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--headless', '--no-sandbox', '--disable-gpu',
            '--disable-quic', '--no-first-run',
            '--disable-background-networking', '--disable-component-update',
            '--disable-sync'],
    });
}
