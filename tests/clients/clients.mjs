// SPDX-License-Identifier: MIT
// The real clients.  Each takes (url, model, names of the tools) and returns
// what it has accumulated: {content, reasoning, finish, calls: [{id, name,
// text, value}]}.  What a client does not keep is undefined: `text` is the
// arguments as text, `value` as the client parsed them.
import OpenAI from 'openai';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';

globalThis.AI_SDK_LOG_WARNINGS = false;

const schema = { type: 'object', properties: {} };
const declare = name => ({
  type: 'function', function: { name, description: 'a tool', parameters: schema },
});
const messages = [{ role: 'user', content: 'go' }];
const openai = url =>
  new OpenAI({ baseURL: url, apiKey: 'none', maxRetries: 0, timeout: 600000 });

// openai-node's helper keeps only the last piece of keys it does not know:
// reasoning is not to be had from it.
async function openaiStream(url, model, names) {
  const stream = openai(url).chat.completions.stream(
    { model, messages, tools: names.map(declare) });
  const done = [];
  stream.on('tool_calls.function.arguments.done', event => done[event.index] = event);
  const { message, finish_reason } = (await stream.finalChatCompletion()).choices[0];
  return {
    content: message.content ?? '',
    finish: finish_reason,
    calls: (message.tool_calls ?? []).map((call, i) => ({
      id: call.id,
      name: call.function.name,
      text: call.function.arguments,
      ...(done[i]?.arguments === call.function.arguments
        ? {} : { error: 'no arguments.done event, or another one' }),
    })),
  };
}

// The tool loop: two turns, the calls as the tools were given them.
async function openaiRunTools(url, model, names) {
  const ran = [];
  const tools = names.map(name => ({
    type: 'function',
    function: {
      ...declare(name).function,
      parse: text => ({ text, value: JSON.parse(text) }),
      function: given => { ran.push({ name, ...given }); return 'ok'; },
    },
  }));
  const runner = openai(url).chat.completions.runTools(
    { model, messages, tools, stream: true });
  const last = await runner.finalContent();
  const first = runner.messages.find(message => message.role === 'assistant');
  const ids = runner.messages.filter(message => message.role === 'tool')
    .map(message => message.tool_call_id);
  if (ids.length !== ran.length) throw new Error(`${ran.length} calls ran, ${ids.length} answered`);
  if (ran.length && last !== 'done') throw new Error(`second turn: ${last}`);
  return {
    content: first.content ?? '',
    calls: ran.map((call, i) => ({ id: ids[i], ...call })),
  };
}

async function aiSdk(url, model, names) {
  const provider = createOpenAICompatible({ name: 'toolwire', baseURL: url });
  const got = { content: '', reasoning: '', calls: [] };
  const texts = new Map(), errors = [];
  let ran = 0;
  const tools = Object.fromEntries(names.map(name => [name, tool({
    description: 'a tool', inputSchema: jsonSchema(schema),
    execute: async () => { ran++; return 'ok'; },
  })]));
  const { fullStream } = streamText({
    model: provider(model), messages, tools, stopWhen: stepCountIs(1),
    maxRetries: 0, onError: ({ error }) => errors.push(error),
  });
  for await (const part of fullStream) {
    if (part.type === 'text-delta') got.content += part.text;
    else if (part.type === 'reasoning-delta') got.reasoning += part.text;
    else if (part.type === 'tool-input-start') texts.set(part.id, '');
    else if (part.type === 'tool-input-delta')
      texts.set(part.id, texts.get(part.id) + part.delta);
    else if (part.type === 'tool-call')
      got.calls.push({
        id: part.toolCallId,
        name: part.toolName,
        text: texts.get(part.toolCallId),
        value: part.input,
        // It refuses arguments with these keys: its policy, not our fault.
        refused: part.invalid && /__proto__|constructor/.test(texts.get(part.toolCallId)),
        ...(part.invalid ? { error: `invalid: ${part.error?.message ?? part.error}` } : {}),
      });
    else if (part.type === 'finish-step')
      got.finish = part.finishReason.replaceAll('-', '_');
    else if (part.type === 'error') errors.push(part.error);
  }
  if (errors.length) throw errors[0];
  // It runs no call of an output that was cut off.
  const wanted = got.finish === 'length' ? 0 : got.calls.filter(call => !call.error).length;
  if (ran !== wanted) throw new Error(`${ran} of ${wanted} calls ran`);
  return got;
}

async function langchain(url, model, names) {
  const chat = new ChatOpenAI({
    model, apiKey: 'none', configuration: { baseURL: url }, maxRetries: 0,
    useResponsesApi: false,
  }).bindTools(names.map(declare));
  let whole;
  for await (const chunk of await chat.stream('go'))
    whole = whole ? whole.concat(chunk) : chunk;
  if (whole.invalid_tool_calls?.length)
    throw new Error(`invalid: ${JSON.stringify(whole.invalid_tool_calls)}`);
  return {
    content: whole.content,
    reasoning: whole.additional_kwargs.reasoning_content ?? '',
    finish: whole.response_metadata.finish_reason,
    calls: (whole.tool_calls ?? []).map((call, i) => ({
      id: call.id,
      name: call.name,
      text: whole.tool_call_chunks[i]?.args,
      value: call.args,
    })),
  };
}

export const clients = {
  'openai .stream': openaiStream,
  'openai .runTools': openaiRunTools,
  'AI SDK': aiSdk,
  'LangChain': langchain,
};
