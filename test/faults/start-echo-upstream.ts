import { USAGE } from './chat-upstream.ts';

const MIN_MS = 5;
const SPREAD_MS = 30;

/** Answers every prompt with itself, after a while. */
export function startEchoUpstream() {
  let calls = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { model, messages } = (await request.json()) as {
        model: string;
        messages: { content: string }[];
      };
      calls++;
      await Bun.sleep(MIN_MS + (calls % SPREAD_MS));
      const content = messages.at(-1)!.content;
      return Response.json({
        id: 'x',
        created: 1,
        model,
        object: 'chat.completion',
        usage: USAGE,
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    calls: () => calls,
    stop: () => void server.stop(true),
  };
}
