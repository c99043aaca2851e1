// SPDX-License-Identifier: MIT
// node check.mjs TOOLWIRE CASES: what clients accumulate from `toolwire
// stream` must be what `toolwire decode` writes.
import { fork, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { clients } from './clients.mjs';
import { serve, sse } from './server.mjs';
import { contract, strictAccumulate } from './strict.mjs';

const SPLITS = ['whole', '1', '3', 'tokens'];
const MODES = { plain: [], hold: ['--hold-calls'], join: ['--join'] };
const STRICT = 'strict merge';
const SECONDS = 600;

const [toolwire, folder, part] = process.argv.slice(2);

// ---- the command

// Waits until the reader of a pipe has taken all of it and sleeps for more.
async function taken(pid) {
  for (let turn = 0; turn < 20000; turn++) {
    await new Promise(resolve => setImmediate(resolve));
    let stat;
    try { stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1'); }
    catch { return new Promise(resolve => setTimeout(resolve, 2)); }
    if ('SZX'.includes(stat[stat.lastIndexOf(')') + 2])) return;
  }
}

async function run(args, pieces) {
  const child = spawn(toolwire, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const parts = [], errors = [];
  child.stdout.on('data', data => parts.push(data));
  child.stderr.on('data', data => errors.push(data));
  child.stdin.on('error', () => {});   // it may end before it has read all
  const late = setTimeout(() => child.kill('SIGKILL'), SECONDS * 1000);
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(signal ?? code));
  });
  for (const piece of pieces.slice(0, -1)) {
    child.stdin.write(piece);
    await taken(child.pid);
  }
  child.stdin.end(pieces.at(-1));
  const status = await ended;
  clearTimeout(late);
  if ((status !== 0 && status !== 1) || parts.length === 0)
    throw new Error(`ended with ${status}: ${Buffer.concat(errors).toString().trim().slice(-300)}`);
  const out = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    .decode(Buffer.concat(parts));
  return { status, out };
}

function lines(text) {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no end');
  return text.split('\n').slice(0, -1);
}

function unframe(text) {
  const end = 'data: [DONE]\n\n';
  if (!text.endsWith(end)) throw new Error('--sse: no [DONE] at the end');
  const events = text.slice(0, -end.length).split('\n\n').slice(0, -1);
  return events.map(event => {
    if (!/^data: .+$/.test(event)) throw new Error(`--sse: not an event: ${event}`);
    return event.slice(6);
  });
}

// As a tokenizer cuts: markers whole, else up to four characters.
function tokens(input) {
  const text = new TextDecoder().decode(input);
  const bytes = Buffer.from(text).equals(input) ? 'utf8' : 'latin1';
  return input.toString(bytes).match(/<\|?\/?["a-z_]+\|?>|[^<]{1,4}|</gsu)
    ?.map(piece => Buffer.from(piece, bytes)) ?? [];
}

async function stream(options, split, input) {
  const args = ['stream', ...options];
  if (split === 'tokens') {
    const { out, status } = await run([...args, '--sse'], tokens(input));
    return { status, lines: unframe(out) };
  }
  if (split !== 'whole') args.push('--chunk', split);
  const { out, status } = await run(args, [input]);
  return { status, lines: lines(out) };
}

// ---- comparing

const text = value => JSON.stringify(value) ?? 'nothing';
const show = value => text(value).slice(0, 400);

function isJson(text) {
  try { JSON.parse(text); return true; } catch { return false; }
}

// What differs between the message and what a client has of it.
function differences(want, got) {
  const list = [];
  const same = (what, a, b) => {
    if (b !== undefined && text(a) !== text(b))
      list.push(`${what}: want ${show(a)}, got ${show(b)}`);
  };
  for (const key of ['content', 'reasoning', 'finish']) same(key, want[key], got[key]);
  same('calls', want.calls.length, got.calls.length);
  want.calls.forEach((call, i) => {
    const other = got.calls[i];
    if (!other) return;
    for (const key of ['id', 'name', 'text']) same(`call ${i} ${key}`, call[key], other[key]);
    if (other.refused) return;
    if (other.error) list.push(`call ${i}: ${other.error}`);
    // Numbers and __proto__ go through the same parser on both sides.
    else if (isJson(call.text)) same(`call ${i} arguments`, JSON.parse(call.text), other.value);
  });
  return list;
}

function readMessage(line) {
  const message = JSON.parse(line);
  const lost = message.toolwire?.unparsed ?? [];
  return {
    content: message.content ?? '',
    reasoning: message.reasoning_content ?? '',
    calls: (message.tool_calls ?? []).map(({ id, type, function: call }) => {
      if (type !== 'function') throw new Error(`a call of type ${type}`);
      return { id, name: call.name, text: call.arguments };
    }),
    finish: lost.some(block => block.reason === 'truncated_call') ? 'length'
      : message.tool_calls ? 'tool_calls' : 'stop',
    lost,
  };
}

function readStrict(chunks) {
  const { message, finish } = strictAccumulate(chunks);
  return {
    content: message.content ?? '',
    reasoning: message.reasoning_content ?? '',
    finish,
    calls: (message.tool_calls ?? []).map(({ id, function: call }) => ({
      id, name: call.name, text: call.arguments,
    })),
  };
}

async function runClient(server, name, model, want) {
  const names = [...new Set(want.calls.map(call => call.name)), 'unused'];
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), SECONDS * 1000);
  });
  try {
    const got = await Promise.race([clients[name](server.url, model, names), late]);
    return differences(want, got);
  } catch (error) {
    return [`error: ${String(error?.message ?? error).slice(0, 300)}`];
  } finally {
    clearTimeout(timer);
  }
}

// ---- one case

function commandOptions(item, scratch) {
  const options = ['-f', item.format, '--custom', 'function'];
  for (const [key, value] of Object.entries(item.options ?? {})) {
    if (key === 'start') options.push('--start', value);
    else if (key === 'recover_stripped' && value) options.push('--recover-stripped');
    else if (key === 'tools') {
      const file = path.join(scratch, `${item.id}.json`);
      fs.writeFileSync(file, JSON.stringify(value));
      options.push('--tools', file);
    } else throw new Error(`unknown option ${key}`);
  }
  return options;
}

// One stream by itself and against the message.
function checkStream(want, { lines, status }, all) {
  const chunks = lines.map(line => JSON.parse(line));
  const list = contract(chunks);
  const got = readStrict(chunks);
  if (!all)                           // a bad call is left open and never parses
    got.calls = got.calls.filter(call => isJson(call.text));
  list.push(...differences(want, got));
  const lost = chunks.at(-1).toolwire?.unparsed ?? [];
  if (text(lost) !== text(want.lost))
    list.push(`unparsed: want ${show(want.lost)}, got ${show(lost)}`);
  if (status !== (want.lost.length ? 1 : 0)) list.push(`exit status ${status}`);
  // The same for every split, bad calls and all that toolwire adds included.
  const { message } = strictAccumulate(chunks);
  return { list, merged: JSON.stringify([message, chunks.at(-1)]) };
}

// What the command makes of the whole.
async function decoded(options, input) {
  const { out, status } = await run(['decode', ...options], [input]);
  const [line, ...more] = lines(out);
  if (more.length) throw new Error(`decode: ${more.length + 1} lines`);
  const message = readMessage(line);
  if (status !== (message.lost.length ? 1 : 0)) throw new Error(`decode: exit status ${status}`);
  return message;
}

async function checkCase(item, server, scratch, report) {
  const input = item.input_hex ? Buffer.from(item.input_hex, 'hex') : Buffer.from(item.input);
  const options = commandOptions(item, scratch);
  const want = await decoded(options, input);
  if (new TextDecoder().decode(input) === input.toString() && !item.input_hex)
    await checkRepair(item, options, input, server, report);
  const seen = new Map();                    // what clients said to these lines
  for (const [mode, extra] of Object.entries(MODES)) {
    const problems = { [STRICT]: new Map() };
    const all = mode === 'hold' || !item.expect.unparsed;
    if (all) for (const name in clients) problems[name] = new Map();
    const add = (name, problem, split) =>
      problems[name].set(problem, [...problems[name].get(problem) ?? [], split]);
    let first;
    for (const split of SPLITS) {
      let made;
      try {
        made = await stream([...options, ...extra], split, input);
        const { list, merged } = checkStream(want, made, all);
        for (const problem of list) add(STRICT, problem, split);
        first ??= merged;
        if (merged !== first) add(STRICT, 'merges to other chunks than the first split', split);
      } catch (error) {
        add(STRICT, `error: ${error.message}`, split);
      }
      if (!all) continue;
      for (const name in clients) {
        if (!made) { add(name, 'no chunks', split); continue; }
        const key = `${name}\n${made.lines.join('\n')}`;
        if (!seen.has(key)) {
          const model = `${item.format} ${item.id} ${seen.size}`;
          server.put(model, made.lines);
          seen.set(key, await runClient(server, name, model, want));
          server.drop(model);
        }
        for (const problem of seen.get(key)) add(name, problem, split);
      }
    }
    for (const [name, found] of Object.entries(problems))
      report(`${item.format} ${item.id} ${mode} ${name}`,
        [...found].map(([problem, splits]) => `${problem} [${splits}]`),
        ['toolwire stream', ...options, ...extra, '<', show(item.input ?? item.input_hex)]
          .join(' '));
  }
}

// ---- a server that sends what the model wrote, and its stream repaired

// With the members that servers add, and pieces that end inside markers.
function rawStream(input) {
  const chunk = (delta, finish_reason = null) => JSON.stringify({
    id: 'chatcmpl-0', object: 'chat.completion.chunk', created: 0, model: 'raw',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  const pieces = [...new TextDecoder().decode(input)].join('').match(/.{1,5}/gsu) ?? [];
  return sse([chunk({ role: 'assistant', content: '' }),
    ...pieces.map(content => chunk({ content })), chunk({}, 'stop')]);
}

// The server says that the model stopped, which may complete a call.
async function checkRepair(item, options, input, server, report) {
  const want = await decoded([...options, '--finish', 'stop'], input);
  const args = ['stream', ...options, '--from-sse'];
  const raw = rawStream(input);
  const { out, status } = await run(args, [raw]);
  const all = !item.expect.unparsed;
  const { list } = checkStream(want, { status, lines: unframe(out) }, all);
  const title = `${item.format} ${item.id} repaired`;
  const command = `toolwire ${args.join(' ')} < ${show(item.input)}`;
  report(`${title} ${STRICT}`, list, command);
  if (!all) return;
  const model = `${title} live`;
  server.pipe(model, () => {
    const child = spawn(toolwire, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.on('error', () => {});
    child.stdin.end(raw);
    return child;
  });
  for (const name in clients)
    report(`${title} ${name}`, await runClient(server, name, model, want), command);
  server.drop(model);
}

// ---- the check itself is checked: each client notices a planted fault

async function checkCheck(server, report) {
  const chunk = (delta, finish_reason = null) => ({
    id: 'chatcmpl-0', object: 'chat.completion.chunk', created: 0, model: 'toolwire',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const begin = (index, id, name) => chunk({
    tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
  });
  const go = (index, text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] });
  const good = [
    chunk({ role: 'assistant', content: null }),
    chunk({ reasoning_content: 'Two ' }), chunk({ reasoning_content: 'calls.' }),
    chunk({ content: 'Loo' }), chunk({ content: 'king.' }),
    begin(0, 'call_0', 'get'), go(0, '{"city":"Zür'), go(0, 'ich 🌧","n":1'), go(0, '}'),
    begin(1, 'call_1', 'ping'), go(1, '{}'), chunk({}, 'tool_calls'),
  ];
  const want = readStrict(good);
  const call = (chunks, i) => chunks[i].choices[0].delta.tool_calls[0];
  const faults = {                // [what it does, does the contract see it]
    'content lost': [chunks => chunks.splice(4, 1), 0],
    'arguments lost': [chunks => chunks.splice(7, 1), 0],
    'another name': [chunks => call(chunks, 9).function.name = 'pong', 0],
    'another id': [chunks => call(chunks, 9).id = 'call_2', 0],
    'no role': [chunks => delete chunks[0].choices[0].delta.role, 1],
    'index repeated': [chunks => [9, 10].forEach(i => call(chunks, i).index = 0), 1],
    'index gap': [chunks => [9, 10].forEach(i => call(chunks, i).index = 2), 1],
    'name split': [chunks => {
      call(chunks, 5).function.name = 'g';
      call(chunks, 6).function.name = 'et';
    }, 1],
    'name repeated': [chunks => call(chunks, 6).function.name = 'get', 1],
    'id in every delta': [chunks => call(chunks, 6).id = 'call_0', 1],
    'no type': [chunks => delete call(chunks, 5).type, 1],
    'no finish_reason': [chunks => chunks.pop(), 1],
    'brace too early': [chunks => chunks.splice(8, 1, go(0, '}'), go(0, ' ')), 1],
    'cut inside an escape': [chunks => chunks.splice(7, 1, go(0, '\\u00'), go(0, 'e9","n":1')), 1],
  };
  const tell = (what, ok) => report(`check ${what}`, ok ? [] : ['failed'], '');
  tell('good chunks keep the contract', contract(good).length === 0);
  for (const name in clients) {
    server.put('good', good.map(chunk => JSON.stringify(chunk)));
    const list = await runClient(server, name, 'good', want);
    report(`check ${name} reads good chunks`, list, '');
  }
  for (const [fault, [plant, seen]] of Object.entries(faults)) {
    const bad = structuredClone(good);
    plant(bad);
    if (seen) { tell(`the contract sees: ${fault}`, contract(bad).length > 0); continue; }
    tell(`the strict merge sees: ${fault}`, differences(want, readStrict(bad)).length > 0);
    for (const name in clients) {
      server.put('bad', bad.map(chunk => JSON.stringify(chunk)));
      tell(`${name} sees: ${fault}`, (await runClient(server, name, 'bad', want)).length > 0);
    }
  }
}

// ---- a chunk of usage, behind the last

async function checkUsage(server, report) {
  const input = Buffer.from('Hi.<tool_call>{"name":"now","arguments":{}}</tool_call>');
  const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
  const { out } = await run(['decode', '-f', 'hermes'], [input]);
  const want = readMessage(lines(out)[0]);
  const made = await stream(['-f', 'hermes', '--usage', JSON.stringify(usage)], 'whole', input);
  const chunks = made.lines.map(line => JSON.parse(line));
  const last = chunks.at(-1);
  const list = [...contract(chunks.slice(0, -1)), ...differences(want, readStrict(chunks))];
  if (last.choices.length || text(last.usage) !== text(usage)) list.push(`usage: ${show(last)}`);
  report(`usage ${STRICT}`, list, '');
  server.put('usage', made.lines);
  for (const name in clients)
    report(`usage ${name}`, await runClient(server, name, 'usage', want), '');
}

// ---- sharing the work

function readCases() {
  const files = fs.readdirSync(folder).filter(name => /^decode-.*\.jsonl$/.test(name));
  return files.sort().flatMap(file => {
    const items = lines(fs.readFileSync(path.join(folder, file), 'utf8'))
      .map(line => JSON.parse(line));
    if (items.length === 0) throw new Error(`no cases in ${file}`);
    return items;
  });
}

async function child() {
  // A client that fails may reject promises that nobody has asked for.
  process.on('unhandledRejection', () => {});
  const [mine, count] = part.split('/').map(Number);
  const cases = readCases().filter((_, i) => i % count === mine);
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'toolwire-clients-'));
  const server = await serve();
  const send = size => (title, problems, command) =>
    process.send({ title, problems, command, size });
  try {
    if (mine === 0) await checkCheck(server, send(0));
    if (mine === 0) await checkUsage(server, send(0));
    const worker = async () => {
      for (let item; (item = cases.shift());) {
        const size = item.input_hex ? item.input_hex.length / 2 : Buffer.byteLength(item.input);
        const report = send(size);
        try { await checkCase(item, server, scratch, report); }
        catch (error) { report(`${item.format} ${item.id}`, [`error: ${error.message}`], ''); }
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
  } finally {
    fs.rmSync(scratch, { recursive: true });
    server.close();
  }
}

async function parent() {
  readCases();                                    // fails here, once, if at all
  const count = Math.min(8, Math.max(2, os.availableParallelism()));
  const results = [];
  await Promise.all(Array.from({ length: count }, (_, i) => new Promise(resolve => {
    const worker = fork(fileURLToPath(import.meta.url), [toolwire, folder, `${i}/${count}`]);
    worker.on('message', result => results.push(result));
    worker.on('close', (code, signal) => {
      if (code !== 0)
        results.push({ title: `worker ${i}`, problems: [`ended with ${signal ?? code}`], size: 0 });
      resolve();
    });
  })));
  const failed = results.filter(result => result.problems.length);
  failed.sort((a, b) => a.size - b.size || (a.title < b.title ? -1 : 1));
  for (const { title, problems, command } of failed) {
    console.log(`FAIL ${title}`);
    if (command) console.log(`  ${command}`);
    for (const problem of problems) console.log(`  ${problem}`);
  }
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length ? 1 : 0;
}

if (!folder) {
  console.error('usage: node check.mjs TOOLWIRE CASES');
  process.exit(2);
}
if (part) {
  try { await child(); }
  catch (error) { console.error(error); process.exitCode = 1; }
  process.disconnect();
} else {
  process.exitCode = await parent();
}
