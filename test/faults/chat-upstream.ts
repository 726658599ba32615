/** The points of an upstream's answer at which the server can be killed from outside. */
export const answerPoints = ['before-head', 'after-head', 'mid-answer', 'after-usage'] as const;
export type AnswerPoint = (typeof answerPoints)[number];

/** The usage that every answer reports. */
export const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
/** The upstream's model that takes seconds for an answer. */
export const SLOW = 'slow';

const SLOW_PIECES = 32;
const PIECE_PAUSE_MS = 110;

const chunk = (model: string, rest: object): string =>
  `data: ${JSON.stringify({ id: 'x', created: 1, model, object: 'chat.completion.chunk', ...rest })}\n\n`;
const piece = (model: string): string =>
  chunk(model, {
    choices: [{ index: 0, delta: { role: 'assistant', content: 'word ' }, finish_reason: null }],
  });
const usageChunks = (model: string): string =>
  chunk(model, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  chunk(model, { choices: [], usage: USAGE });
const END = 'data: [DONE]\n\n';

const wholeAnswer = (model: string): Response =>
  Response.json({
    id: 'x',
    created: 1,
    model,
    object: 'chat.completion',
    usage: USAGE,
    choices: [{ index: 0, message: { role: 'assistant', content: 'one two' }, finish_reason: 'stop' }],
  });

type PointWatcher = (point: AnswerPoint) => void | Promise<void>;

async function* pieces(model: string, watcher: PointWatcher): AsyncGenerator<string> {
  await watcher('after-head');
  const isSlow = model.includes(SLOW);
  for (let count = 0; count < (isSlow ? SLOW_PIECES : 2); count++) {
    yield piece(model);
    if (isSlow) await Bun.sleep(PIECE_PAUSE_MS);
    if (count === 0) await watcher('mid-answer');
  }
  yield usageChunks(model);
  await watcher('after-usage');
  yield END;
}

/** Makes a function whose calls after the first do nothing. */
function once(call: () => void): () => void {
  let isCalled = false;
  return () => {
    if (!isCalled) call();
    isCalled = true;
  };
}

/** A request as `onRequest` gets it. */
export type UpstreamRequest = { model: string; body: string };
type UpstreamOptions = {
  /**
   * The upstream calls it with each request. It calls the returned function once, when the answer ends or the
   * caller leaves.
   */
  onRequest?: (request: UpstreamRequest) => () => void;
  /** Returns the time before the first byte of an answer of this model. */
  thinkMs?: (model: string) => number;
};

/**
 * Starts a chat upstream in this process. `watch()` sets the function that it calls at each point of an
 * answer.
 */
export function startChatUpstream({ onRequest = () => () => {}, thinkMs = () => 0 }: UpstreamOptions = {}) {
  let onPoint: PointWatcher = () => {};
  const encoder = new TextEncoder();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    development: false,
    async fetch(request) {
      const text = await request.text();
      const { model, stream } = JSON.parse(text) as { model: string; stream?: boolean };
      const ended = once(onRequest({ model, body: text }));
      request.signal.addEventListener('abort', ended);
      await onPoint('before-head');
      if (thinkMs(model) > 0) await Bun.sleep(thinkMs(model));
      if (!stream) {
        ended();
        return wholeAnswer(model);
      }
      const body = new ReadableStream({
        async start(controller) {
          for await (const piece of pieces(model, onPoint)) {
            if (request.signal.aborted) break;
            if (piece === END) ended();
            controller.enqueue(encoder.encode(piece));
          }
          if (!request.signal.aborted) controller.close();
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    watch: (watcher: PointWatcher) => {
      onPoint = watcher;
    },
    stop: () => server.stop(true),
  };
}
