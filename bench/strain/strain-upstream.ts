import { listenOnPortOf } from './listen-on-port-of.ts';

// An upstream with large answers. The model's name selects the answer: `whole-MB`, `stream-MB`, or `frame-MB`
// for a single large event, and `idle` for a stream that sends one event.
// Any other model answers after a second.

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

/** Returns a stream that sends one event, and nothing after it. */
function idleStream(path: string): Response {
  const first = path.endsWith('/messages')
    ? messageEvents(['Hello. ']).split('event: content_block_stop')[0]!
    : event({ choices: [{ index: 0, delta: { content: 'Hello. ' }, finish_reason: null }] });
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(first);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** Returns a stream with one large delta between a short one and the end. */
function streamedFrame(path: string, megabytes: number): Response {
  const text = 'Words of an answer.\n'.repeat((megabytes * MEGABYTE) / 20);
  const chunk = (content: string) =>
    event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  const body = path.endsWith('/messages')
    ? messageEvents(['Hello. ', text])
    : chunk('Hello. ') + chunk(text) + end;
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const messageEvents = (texts: readonly string[]): string =>
  [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: messageUsage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...texts.map((text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: messageUsage },
    { type: 'message_stop' },
  ]
    .map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
    .join('');

const message = { id: 'x', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
const messageUsage = { input_tokens: 10, output_tokens: 1 };

function wholeOn(path: string, megabytes: number): Response {
  if (!path.endsWith('/messages') && !path.endsWith('/responses')) return wholeAnswer(megabytes);
  const text = 'Words of an answer. '.repeat((megabytes * MEGABYTE) / 20);
  if (path.endsWith('/messages')) {
    const content = [{ type: 'text', text }];
    return Response.json({ ...message, content, stop_reason: 'end_turn', usage: messageUsage });
  }
  const content = [{ type: 'output_text', text, annotations: [] }];
  return Response.json({
    id: 'x',
    object: 'response',
    created_at: 1,
    model: 'm',
    status: 'completed',
    error: null,
    output: [{ type: 'message', id: 'y', role: 'assistant', status: 'completed', content }],
    usage: { ...messageUsage, total_tokens: 11 },
  });
}

listenOnPortOf('UPSTREAM_PORT', async (request) => {
  const body = await request.text();
  const [, kind, megabytes] = /"model":"(whole|stream|frame)-(\d+)"/.exec(body) ?? [];
  const { pathname } = new URL(request.url);
  if (/"model":"idle"/.test(body)) return idleStream(pathname);
  if (kind === 'whole') return wholeOn(pathname, Number(megabytes));
  if (kind === 'stream') return streamedAnswer(Number(megabytes));
  if (kind === 'frame') return streamedFrame(pathname, Number(megabytes));
  await Bun.sleep(THINKING_MS);
  return wholeOn(pathname, 0);
});
