// SPDX-License-Identifier: MIT
// node apis.mjs TOOLWIRE CASES: what clients of the Responses and the Messages
// API accumulate from `toolwire stream --api` must be what `toolwire decode`
// writes; with --hold-calls no client may see a call that was cut off.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { serve } from './server.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;

const [toolwire, folder, only] = process.argv.slice(2);
const schema = { type: 'object', properties: {} };
const key = { apiKey: 'none', maxRetries: 0 };
const user = [{ role: 'user', content: 'go' }];

// ---- the clients: {content, reasoning, finish, calls: [{id, name, value}]}

async function openaiNode(url, model, names) {
  const response = await new OpenAI({ ...key, baseURL: url }).responses.stream({
    model, input: 'go',
    tools: names.map(name => ({ type: 'function', name, parameters: schema, strict: false })),
  }).finalResponse();
  const of = type => response.output.filter(item => item.type === type);
  return {
    content: response.output_text,
    reasoning: of('reasoning').flatMap(item => [...item.summary, ...item.content ?? []])
      .map(part => part.text).join(''),
    finish: response.incomplete_details?.reason ?? response.status,
    calls: of('function_call').map(call => ({
      id: call.call_id, name: call.name, text: call.arguments,
      runs: call.status === 'completed',
    })),
  };
}

async function anthropicSdk(url, model, names) {
  const message = await new Anthropic({ ...key, baseURL: url.replace('/v1', '') }).messages.stream({
    model, max_tokens: 100, messages: user,
    tools: names.map(name => ({ name, input_schema: schema })),
  }).finalMessage();
  const of = type => message.content.filter(block => block.type === type);
  return {
    content: of('text').map(block => block.text).join(''),
    reasoning: of('thinking').map(block => block.thinking).join(''),
    finish: message.stop_reason,
    calls: of('tool_use').map(call => ({
      id: call.id, name: call.name, value: call.input,
      runs: message.stop_reason === 'tool_use',
    })),
  };
}

// Of a response it shows the reasoning only as a summary.
const aiSdk = make => async (url, model, names) => {
  const got = { content: '', calls: [] }, errors = [], ran = new Set();
  const { fullStream } = streamText({
    model: make(url)(model), messages: user, maxRetries: 0, stopWhen: stepCountIs(1),
    onError: ({ error }) => errors.push(error),
    tools: Object.fromEntries(names.map(name => [name, tool({
      inputSchema: jsonSchema(schema),
      execute: async (_, { toolCallId }) => { ran.add(toolCallId); return 'ok'; },
    })])),
  });
  for await (const part of fullStream) {
    if (part.type === 'text-delta') got.content += part.text;
    else if (part.type === 'reasoning-delta') got.reasoning = (got.reasoning ?? '') + part.text;
    else if (part.type === 'tool-call')
      got.calls.push({
        id: part.toolCallId, name: part.toolName, value: part.input,
        // It refuses arguments with these keys: its policy, not our fault.
        refused: part.invalid && /__proto__|constructor/.test(JSON.stringify(part.input)),
      });
    else if (part.type === 'finish-step') got.finish = part.finishReason;
    else if (part.type === 'error') errors.push(part.error);
  }
  if (errors.length) throw errors[0];
  for (const call of got.calls) call.runs = ran.has(call.id);
  return got;
};

const langchain = (make, reasoning) => async (url, model, names) => {
  const chat = make(url, model).bindTools(names.map(name => ({
    type: 'function', function: { name, description: 'a tool', parameters: schema },
  })));
  let whole;
  for await (const chunk of await chat.stream('go')) whole = whole ? whole.concat(chunk) : chunk;
  const blocks = typeof whole.content === 'string'
    ? [{ type: 'text', text: whole.content }] : whole.content;
  return {
    content: blocks.filter(block => block.type === 'text').map(block => block.text).join(''),
    reasoning: reasoning ? blocks.map(block => block.thinking ?? '').join('') : undefined,
    calls: whole.tool_calls.map(({ id, name, args }) => ({ id, name, value: args, runs: true })),
  };
};

const AI_WORDS = { stop: 'stop', tool_calls: 'tool-calls', length: 'length' };
const APIS = {
  responses: {
    words: { stop: 'completed', tool_calls: 'completed', length: 'max_output_tokens' },
    clients: {
      'openai .responses': openaiNode,
      'AI SDK openai': aiSdk(baseURL => createOpenAI({ ...key, baseURL }).responses),
      'LangChain openai': langchain((baseURL, model) => new ChatOpenAI({
        ...key, model, configuration: { baseURL }, useResponsesApi: true }), false),
    },
  },
  anthropic: {
    words: { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens' },
    clients: {
      'Anthropic SDK': anthropicSdk,
      'AI SDK anthropic': aiSdk(baseURL => createAnthropic({ ...key, baseURL })),
      'LangChain anthropic': langchain((url, model) => new ChatAnthropic({
        ...key, model, anthropicApiUrl: url.replace('/v1', '') }), true),
    },
  },
};

// ---- one case

const text = value => JSON.stringify(value);
const isJson = text => { try { JSON.parse(text); return true; } catch { return false; } };

function run(args, input) {
  const { stdout, stderr, status } = spawnSync(toolwire, args, { input, maxBuffer: 1 << 28 });
  if (status !== 0 && status !== 1) throw new Error(`ended with ${status}: ${stderr}`);
  return stdout.toString();
}

function optionsOf(item, scratch) {
  const options = ['-f', item.format, '--custom', 'function'];
  for (const [name, value] of Object.entries(item.options ?? {})) {
    if (name === 'start') options.push('--start', value);
    else if (name === 'recover_stripped' && value) options.push('--recover-stripped');
    else if (name === 'tools') {
      fs.writeFileSync(path.join(scratch, 'tools.json'), JSON.stringify(value));
      options.push('--tools', path.join(scratch, 'tools.json'));
    }
  }
  return options;
}

function wanted(message) {
  const lost = message.toolwire?.unparsed ?? [];
  const calls = message.tool_calls ?? [];
  return {
    content: message.content ?? '', reasoning: message.reasoning_content ?? '',
    finish: lost.some(block => block.reason === 'truncated_call') ? 'length'
      : calls.length ? 'tool_calls' : 'stop',
    calls: calls.map(({ id, function: call }) => ({ id, name: call.name, text: call.arguments })),
    lost: lost.length > 0,
  };
}

function differences(want, got, words, hold) {
  const list = [];
  const same = (what, a, b) => {
    if (b !== undefined && text(a) !== text(b)) list.push(`${what}: want ${text(a)}, got ${text(b)}`);
  };
  same('content', want.content, got.content);
  same('reasoning', want.reasoning, got.reasoning);
  // The AI SDK says tool-calls of any call, a bad one too.
  if (!(want.lost && !hold && got.finish === 'tool-calls') && got.finish !== words[want.finish])
    same('finish', AI_WORDS[want.finish], got.finish);
  const good = want.lost && !hold ? got.calls.filter(call => call.runs) : got.calls;
  if (!want.lost || hold) same('calls', want.calls.length, good.length);
  want.calls.forEach((call, i) => {
    const other = got.calls.find(other => other.id === call.id);
    if (!other) { list.push(`call ${i} is lost`); return; }
    same('name', call.name, other.name);
    if (other.text !== undefined) same('arguments', call.text, other.text);
    else if (!other.refused) same('arguments', JSON.parse(call.text), other.value);
  });
  return list;
}

// The check itself is checked: each client notices what is not as it was.
async function checkCheck(server) {
  const input = '<think>Where?</think>Hi.<tool_call>{"name":"tide","arguments":{"at":"Brest"}}</tool_call>';
  const want = wanted(JSON.parse(run(['decode', '-f', 'hermes'], input)));
  const list = [];
  for (const [api, { words, clients }] of Object.entries(APIS)) {
    const good = run(['stream', '-f', 'hermes', '--sse', '--api', api], input);
    for (const [what, bad] of Object.entries({
      nothing: good, text: good.replaceAll('Hi.', 'Ho.'), argument: good.replaceAll('Brest', 'Rest'),
      name: good.replaceAll('"tide"', '"unused"'), id: good.replaceAll('call_0', 'call_1'),
    })) {
      server.raw('check', bad);
      for (const [name, client] of Object.entries(clients)) {
        const found = differences(want, await client(server.url, 'check', ['tide', 'unused']), words, true);
        if (found.length === 0 !== (what === 'nothing'))
          list.push(`${name}: ${what} was changed: ${found}`);
      }
    }
  }
  return list;
}

async function main() {
  const cases = fs.readdirSync(folder).filter(name => /^decode-.*\.jsonl$/.test(name)).sort()
    .flatMap(file => fs.readFileSync(path.join(folder, file), 'utf8').trim().split('\n')
      .map(line => JSON.parse(line)));
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'toolwire-apis-'));
  const server = await serve();
  const seen = new Map();
  const unseen = await checkCheck(server);
  for (const problem of unseen) console.log(`FAIL the check: ${problem}`);
  let passed = 0, failed = unseen.length;
  process.on('unhandledRejection', () => {});
  for (const item of cases) {
    if (only && !item.id.includes(only)) continue;
    const input = item.input_hex ? Buffer.from(item.input_hex, 'hex') : Buffer.from(item.input);
    const options = optionsOf(item, scratch);
    const want = wanted(JSON.parse(run(['decode', ...options], input)));
    for (const [api, { words, clients }] of Object.entries(APIS))
      for (const hold of [false, true]) {
        const args = ['stream', ...options, '--api', api, '--sse', '--chunk', '3',
          ...hold ? ['--hold-calls'] : [],
          ...hold && api === 'responses' ? ['--reasoning', 'summary'] : []];
        const model = `${item.format} ${item.id} ${api} ${hold}`;
        server.raw(model, run(args, input));
        for (const [name, client] of Object.entries(clients)) {
          let list;
          const names = [...new Set(want.calls.map(call => call.name)), 'unused'];
          try {
            const got = await client(server.url, model, names);
            list = differences(want, got, words, hold);
            if (hold && want.reasoning && name.startsWith('AI SDK') && !got.reasoning)
              list.push('no reasoning');
            const wild = got.calls.filter(call => call.runs && !want.calls.some(({ id }) => id === call.id));
            if (wild.length && !hold) seen.set(name, (seen.get(name) ?? 0) + 1);
            if (wild.length && hold) list.push(`${wild.length} calls run that were cut off`);
          } catch (error) {
            list = [`error: ${String(error?.message ?? error).slice(0, 300)}`];
          }
          if (list.length === 0) { passed++; continue; }
          failed++;
          console.log(`FAIL ${model} ${name}\n  toolwire ${args.join(' ')} < ${text(item.input ?? item.input_hex).slice(0, 300)}`);
          for (const problem of list) console.log(`  ${problem.slice(0, 300)}`);
        }
      }
  }
  fs.rmSync(scratch, { recursive: true });
  server.close();
  for (const [name, count] of seen)
    console.log(`without --hold-calls, ${name} takes calls that were cut off for whole: ${count} cases`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed ? 1 : 0;
}

process.exitCode = await main();
