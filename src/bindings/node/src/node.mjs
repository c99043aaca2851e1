// SPDX-License-Identifier: MIT
//
// What Node imports: the module is read when this is, so that there is nothing
// to wait for.
import { readFileSync } from 'node:fs';
import { initSync } from './index.mjs';

initSync(readFileSync(new URL('./toolwire.wasm', import.meta.url)));

export * from './index.mjs';
