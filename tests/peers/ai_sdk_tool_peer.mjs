// SPDX-License-Identifier: MIT
//
// Answers the questions of `toolwire test` by @ai-sdk-tool/parser.
//
// Use: ai_sdk_tool_peer.mjs FOLDER stream|whole PROTOCOL
// where FOLDER holds node_modules.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const BROKEN = 70;
const [folder, way, protocolName] = process.argv.slice(2);
const load = createRequire(folder + '/package.json');
const library = await import(pathToFileURL(load.resolve('@ai-sdk-tool/parser')));
const protocol = library[protocolName]();
const NAMES = ['f', 'get_tide', 'now', 'search', 'write_file'];

const formats = new Map(
  readFileSync(process.env.PEERS_MARKERS, 'utf8').split('\n').filter(Boolean)
    .map((line) => JSON.parse(line)).map((format) => [format.name, format]));

// Servers take off the marker at which the model stopped.
function withoutStop(form, text) {
  const bare = text.replace(/\n+$/, '');
  for (const marker of formats.get(form)?.markers ?? []) {
    if (marker.stop && bare.endsWith(marker.text)) {
      return bare.slice(0, -marker.text.length);
    }
  }
  return text;
}

// The library reads calls; reasoning is split off as its users do it.
function splitReasoning(text, inside) {
  const open = inside ? 0 : text.match(/^\s*<think>/)?.[0].length;
  const close = text.indexOf('</think>');
  if (open === undefined || close < open) {
    return inside ? [text, ''] : [null, text];
  }
  return [text.slice(open, close), text.slice(close + '</think>'.length)];
}

function declared(asked) {
  const tools = asked.tools?.map((tool) => tool.function) ??
    NAMES.map((name) => ({ name, parameters: { type: 'object' } }));
  return tools.map((tool) => ({
    type: 'function', name: tool.name, inputSchema: tool.parameters }));
}

class Message {
  content = '';
  calls = [];
  add(part) {
    if (part.type === 'text') {
      this.content += part.text;
    } else if (part.type === 'text-delta') {
      this.content += part.delta;
    } else if (part.type === 'tool-call') {
      this.calls.push({ type: 'function', function: {
        name: part.toolName, arguments: part.input } });
    }
  }
}

async function answer(asked) {
  let chunks = asked.chunks.map((chunk) => Buffer.from(chunk, 'base64'));
  const utf8 = new TextDecoder();
  let pieces = chunks.map((chunk) => utf8.decode(chunk, { stream: true }));
  pieces.push(utf8.decode());
  const all = pieces.join('');
  const whole = asked.stop === undefined ? withoutStop(asked.format, all) :
    new TextDecoder().decode(Buffer.concat(chunks).subarray(0, asked.stop));
  const [reasoning, text] = splitReasoning(whole, asked.start === 'reasoning');
  // The cuts, but for what stood in front.
  let left = whole.length - text.length;
  let room = text.length;
  const deltas = [];
  for (const piece of pieces) {
    const drop = Math.min(left, piece.length);
    left -= drop;
    const delta = piece.slice(drop, drop + room);
    room -= delta.length;
    if (delta) {
      deltas.push(delta);
    }
  }
  if (chunks.length === 1) {
    deltas.splice(0, deltas.length, ...text);
  }
  const message = new Message();
  const tools = declared(asked);
  let failed = null;
  const options = { onError: (why) => { failed = why; } };
  let fed = 0;
  const before = process.cpuUsage();
  const used = () => {
    const since = process.cpuUsage(before);
    return (since.user + since.system) / 1e6;
  };
  if (way === 'whole') {
    fed = 1;
    for (const part of protocol.parseGeneratedText({ text, tools, options })) {
      message.add(part);
    }
  } else {
    const source = new ReadableStream({
      pull(controller) {
        if (fed < deltas.length && used() <= (asked.budget ?? Infinity)) {
          controller.enqueue({
            type: 'text-delta', id: '0', delta: deltas[fed++] });
          return;
        }
        controller.enqueue({ type: 'text-end', id: '0' });
        controller.enqueue({ type: 'finish', finishReason: 'stop', usage: {} });
        controller.close();
      },
    });
    const parser = protocol.createStreamParser({ tools, options });
    for await (const part of source.pipeThrough(parser)) {
      message.add(part);
    }
  }
  const said = { role: 'assistant', content: message.content || null };
  if (reasoning) {
    said.reasoning_content = reasoning;
  }
  if (message.calls.length) {
    said.tool_calls = message.calls;
  }
  return { message: said, seconds: used(), deltas: fed };
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  let said;
  try {
    said = asked.beside ? { skip: 'one stream at a time' } : await answer(asked);
  } catch (error) {
    const where = String(error.stack).split('\n').find((at) => /^\s+at /.test(at));
    if (where === undefined || where.includes('ai_sdk_tool_peer')) {
      console.error(error);
      process.exit(BROKEN);
    }
    said = { error: String(error) };
  }
  process.stdout.write(JSON.stringify({ id: asked.id, ...said }) + '\n');
}
