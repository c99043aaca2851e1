// SPDX-License-Identifier: MIT
// A loopback server of streams.  A request's `model` names
// the reply that put(), raw() or pipe() gave; a request that holds a tool's result gets
// the second turn of a tool loop.
import http from 'node:http';

export const sse = lines =>
  lines.map(line => `data: ${line}\n\n`).join('') + 'data: [DONE]\n\n';

const SECOND = sse([[{ role: 'assistant', content: 'done' }, null], [{}, 'stop']]
  .map(([delta, finish_reason]) => JSON.stringify({
    id: 'chatcmpl-2', object: 'chat.completion.chunk', created: 0, model: 'second',
    choices: [{ index: 0, delta, finish_reason }],
  })));

export async function serve() {
  const replies = new Map();
  const server = http.createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { model, messages } = JSON.parse(Buffer.concat(parts));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const reply = replies.get(model);
    if (messages?.some(message => message.role === 'tool')) response.end(SECOND);
    else if (typeof reply === 'function') reply(response);
    else response.end(reply);
  });
  await new Promise(ready => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    put: (model, lines) => replies.set(model, sse(lines)),
    raw: (model, text) => replies.set(model, text),
    // make() starts a process for each request, and what it writes is the reply
    pipe: (model, make) =>
      replies.set(model, response => make().stdout.pipe(response)),
    drop: model => replies.delete(model),
    close: () => { server.close(); server.closeAllConnections(); },
  };
}
