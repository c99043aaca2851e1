// SPDX-License-Identifier: MIT
//
// @huggingface/jinja, for `toolwire test --templates`.
// Use: node huggingface_jinja_peer.mjs, where the package is installed.
import { Template } from '@huggingface/jinja';
import { createInterface } from 'node:readline';

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
