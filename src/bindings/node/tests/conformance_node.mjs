// SPDX-License-Identifier: MIT
//
// The conformance cases in Node.
// Use: node conformance_node.mjs PACKAGE CONFORMANCE-FOLDER
import { pathToFileURL } from 'node:url';
import { casesIn } from './files.mjs';
import { run } from './conformance.mjs';

const [path, folder] = process.argv.slice(2);
const module = await import(pathToFileURL(path));
// Of CommonJS all stands in the default.
const toolwire = module.Decoder === undefined ? module.default : module;
const { passed, failures } = await run(toolwire, casesIn(folder));
console.log(failures.slice(0, 20).join('\n'));
console.log(`conformance in Node ${process.version}: ${passed} passed, ${
    failures.length} failed`);
process.exitCode = passed > 0 && failures.length === 0 ? 0 : 1;
