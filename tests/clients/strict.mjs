// SPDX-License-Identifier: MIT
// The chunk contract, held against one stream of chunks at a time.

// The merge rules of the Python client's stream helper, deliberately strict:
// strings under the same key are concatenated (id, name and role too), except
// `index` and `type`; the slots of a list are addressed by position.
function merge(whole, delta) {
  for (const [key, value] of Object.entries(delta)) {
    const old = whole[key];
    if (old === undefined || old === null || key === 'index' || key === 'type')
      whole[key] = structuredClone(value);
    else if (typeof old === 'string' && typeof value === 'string')
      whole[key] = old + value;
    else if (typeof old === 'number' && typeof value === 'number')
      whole[key] = old + value;
    else if (Array.isArray(old) && Array.isArray(value))
      for (const entry of value) {
        if (!Number.isInteger(entry?.index))
          throw new TypeError('list delta without an integer index');
        if (entry.index < old.length) merge(old[entry.index], entry);
        else old.splice(entry.index, 0, structuredClone(entry));
      }
    else if (value && typeof old === 'object' && typeof value === 'object')
      merge(old, value);
  }
  return whole;
}

export function strictAccumulate(chunks) {
  let message = null, finish = null;
  for (const chunk of chunks) {
    if (chunk.object !== 'chat.completion.chunk') throw new TypeError('object');
    for (const { delta, finish_reason } of chunk.choices) {
      if (!delta) throw new TypeError('no delta');
      message = message ? merge(message, delta) : structuredClone(delta);
      for (const call of delta.tool_calls ?? []) {
        if (!Number.isInteger(call.index))
          throw new TypeError('index is not an integer');
        const slot = message.tool_calls[call.index];
        if (!slot) throw new RangeError(`tool_calls[${call.index}] out of range`);
        if (slot.index !== call.index)
          throw new RangeError(`slot ${call.index} holds index ${slot.index}`);
        if (slot.type === 'function' && !call.function)
          throw new TypeError('function is absent');
      }
      if (finish_reason) finish = finish_reason;
    }
  }
  if (!finish) throw new Error('no finish_reason');
  if (message.role !== 'assistant')
    throw new Error(`role is ${JSON.stringify(message.role)}`);
  return { message, finish };
}

const FINISH = ['stop', 'length', 'tool_calls', 'content_filter'];
const OPEN_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\(?:u[0-9a-fA-F]{0,3})?$/;
const HIGH_HALF = /(?:^|[^\\])(?:\\\\)*\\u[dD][89abAB][0-9a-fA-F]{2}$/;
const LOW_HALF = /^\\u[dD][c-fC-F]/;

const keys = object => Object.keys(object).sort().join();

function isJson(text) {
  try { JSON.parse(text); return true; } catch { return false; }
}

// What the rules C1 to C16 say of each chunk by itself and in its place.
// Returns the list of what is broken.
export function contract(chunks) {
  const broken = [], calls = [];
  const need = (ok, rule, at) => { if (!ok) broken.push(`${rule} (chunk ${at})`); };
  let envelope, ended = false;
  chunks.forEach((chunk, at) => {
    const { choices, toolwire, ...rest } = chunk;
    envelope ??= JSON.stringify(rest);
    need(JSON.stringify(rest) === envelope, 'envelope changes', at);
    need(keys(rest) === 'created,id,model,object', 'envelope keys', at);
    need(choices.length === 1 && choices[0].index === 0, 'one choice', at);
    need(!ended, 'C12 something follows finish_reason', at);
    const { delta, finish_reason } = choices[0] ?? {};
    need(delta && typeof delta === 'object', 'C14 delta', at);
    need('role' in (delta ?? {}) === (at === 0), 'C1 role', at);
    if (finish_reason !== null) {
      need(FINISH.includes(finish_reason), 'C12 finish_reason', at);
      need(keys(delta) === '', 'C12 delta beside finish_reason', at);
      ended = true;
    }
    need(!toolwire || ended, 'toolwire before the last chunk', at);
    for (const key of ['content', 'reasoning_content'])
      if (key in delta)
        need(delta[key]?.isWellFormed?.() || (at === 0 && delta[key] === null),
          `C16 ${key}`, at);
    if (!('tool_calls' in delta)) return;
    need(Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0,
      'C14 tool_calls', at);
    const indexes = new Set();
    for (const entry of delta.tool_calls) {
      need(!indexes.has(entry.index), 'C9 an index twice', at);
      indexes.add(entry.index);
      const piece = entry.function?.arguments;
      need(typeof piece === 'string' && piece.isWellFormed(), 'C7 C16 arguments', at);
      if (entry.index === calls.length) {
        need(keys(entry) === 'function,id,index,type' && entry.type === 'function' &&
          keys(entry.function) === 'arguments,name', 'C2 C4 opening delta', at);
        need(typeof entry.id === 'string' && entry.id !== '' &&
          calls.every(call => call.id !== entry.id), 'C3 id', at);
        need(typeof entry.function.name === 'string' && entry.function.name !== '',
          'C5 name', at);
        calls.push({ id: entry.id, text: '' });
      } else {
        need(entry.index === calls.length - 1, 'C6 index', at);
        need(keys(entry) === 'function,index' && keys(entry.function) === 'arguments',
          'C2 C3 C5 later delta', at);
      }
      const call = calls.at(-1);
      if (!call || !piece) continue;
      const tail = call.text.slice(-4096);
      need(!OPEN_ESCAPE.test(tail), 'C16 cut inside an escape', at);
      need(!(HIGH_HALF.test(tail) && LOW_HALF.test(piece)), 'C16 cut inside a pair', at);
      need(!isJson(call.text), 'arguments go on behind a whole JSON text', at);
      call.text += piece;
    }
  });
  need(ended, 'C12 no finish_reason', chunks.length);
  return broken;
}
