import { createServer } from 'node:http';

const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  })}\n\n`;

const WHOLE = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** Starts an upstream that sends the first part of a stream and keeps the rest until `release` is called. */
export async function startHeldUpstream() {
  let release = () => {};
  const released = new Promise((resolve) => {
    release = resolve;
  });
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    if (!JSON.parse(body).stream)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: 'first' }));
    await released;
    response.write(chunk({ content: ' last' }, 'stop'));
    response.end('data: [DONE]\n\n');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    release,
    stop() {
      release();
      server.closeAllConnections();
      server.close();
    },
  };
}
