// SPDX-License-Identifier: MIT
//
// @huggingface/jinja, for `toolwire test --templates`.
// Use: node huggingface_jinja_peer.mjs FOLDER-WITH-node_modules
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const { Template } =
  createRequire(join(process.argv[2], 'x.js'))('@huggingface/jinja');

for await (const line of createInterface({ input: process.stdin })) {
  const { id, template, request } = JSON.parse(line);
  let answer;
  try {
    answer = { id, text: new Template(template).render(request) };
  } catch (error) {
    answer = { id, error: String(error) };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
