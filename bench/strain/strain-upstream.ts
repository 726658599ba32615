import { listenWhereTold } from './listen-where-told.ts';

// An upstream of large answers. The model's name says which: `whole-MB` and `stream-MB`; anything else thinks for a second.

const MEGABYTE = 1024 * 1024;
const THINKING_MS = 1_000;
const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
const base = { id: 'x', created: 1_750_000_000, model: 'm' };

function wholeAnswer(megabytes: number): Response {
  const content = 'Words of an answer. '.repeat((megabytes * MEGABYTE) / 20);
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
  return Response.json({ ...base, object: 'chat.completion', choices, usage });
}

const event = (rest: object): string =>
  `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...rest })}\n\n`;
const delta = event({
  choices: [{ index: 0, delta: { content: 'x'.repeat(16 * 1024) }, finish_reason: null }],
});
const end =
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  event({ choices: [], usage }) +
  'data: [DONE]\n\n';

function streamedAnswer(megabytes: number): Response {
  let left = (megabytes * MEGABYTE) / delta.length;
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(left-- > 0 ? delta : end);
      if (left < -1) controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

listenWhereTold('UPSTREAM_PORT', async (request) => {
  const start = (await request.text()).slice(0, 200);
  const [, kind, megabytes] = /"model":"(whole|stream)-(\d+)"/.exec(start) ?? [];
  if (kind === 'whole') return wholeAnswer(Number(megabytes));
  if (kind === 'stream') return streamedAnswer(Number(megabytes));
  await Bun.sleep(THINKING_MS);
  return wholeAnswer(0);
});
