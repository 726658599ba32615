/** Starts an upstream that speaks the chat protocol, accepts some keys, and records its requests. */
export function startSmallProvider(accepted: string[]) {
  const seen: { path: string; key: string; model: string | undefined }[] = [];
  const state = { status: 0, accepted };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const key = (request.headers.get('authorization') ?? '').replace('Bearer ', '');
      const body = request.method === 'POST' ? ((await request.json()) as ChatRequest) : undefined;
      seen.push({ path: pathname, key, model: body?.model });
      if (!state.accepted.includes(key))
        return Response.json({ error: { message: `Incorrect API key provided: ${key}` } }, { status: 401 });
      if (state.status)
        return Response.json({ error: { message: 'It is broken.' } }, { status: state.status });
      if (pathname === '/v1/models')
        return Response.json({ object: 'list', data: [{ id: 'small-1' }, { id: 'small-2' }] });
      if (pathname !== '/v1/chat/completions') return new Response('', { status: 404 });
      if (body?.stream) return streamed(body.model);
      return Response.json({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: body?.model,
        choices: [
          { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'A real answer.' } },
        ],
        usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
      });
    },
  });
  return { url: `http://127.0.0.1:${server.port}/v1`, seen, state, stop: () => server.stop(true) };
}

type ChatRequest = { model: string; stream?: boolean };

/** Returns the same answer as a stream of two chunks. */
function streamed(model: string): Response {
  const chunk = (rest: object) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, ...rest })}\n\n`;
  const delta = { role: 'assistant', content: 'A real answer.' };
  const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
  const text =
    chunk({ choices: [{ index: 0, delta, finish_reason: 'stop' }] }) +
    chunk({ choices: [], usage }) +
    'data: [DONE]\n\n';
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}
