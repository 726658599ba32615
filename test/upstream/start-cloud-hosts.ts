/** A request as a stand-in for a cloud got it. */
export type SeenRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: string;
};

/**
 * Starts a stand-in for the hosts of the clouds, which answers "hello" on each wire to the
 * accepted token, and keeps what it got.
 */
export function startCloudHosts(calls: SeenRequest[], accepted: () => string) {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname: path, searchParams: query } = new URL(request.url);
      const body = await request.text();
      calls.push({ method: request.method, path, query, headers: request.headers, body });
      if (request.headers.get('authorization') !== `Bearer ${accepted()}`)
        return Response.json(
          { error: { message: `no: ${request.headers.get('authorization')}` } },
          { status: 401 },
        );
      if (path.includes('/anthropic/'))
        return Response.json({
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'x',
          stop_reason: 'end_turn',
          stop_sequence: null,
          content: [{ type: 'text', text: 'hello' }],
          usage: { input_tokens: 3, output_tokens: 2 },
        });
      if (path.endsWith(':generateContent'))
        return Response.json({
          candidates: [{ content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP' }],
          usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
        });
      return Response.json({
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'x',
        choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      });
    },
  });
}
