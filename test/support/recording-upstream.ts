import type { Json } from './call.ts';

export type RecordedRequest = {
  path: string;
  query: string;
  headers: Headers;
  /** The body as it was sent, and its value. */
  text: string;
  body: Json;
  aborted: () => boolean;
};
export type UpstreamAnswer = (request: RecordedRequest) => Response | Promise<Response>;
/** An answer that depends on the body alone. */
export type BodyAnswer = (request: { body: Json }) => Response;

/** Every revealing value contains this word, so that one search finds leaks. */
export const HIDDEN = 'hidden';

const base = (model: string) => ({ id: `${HIDDEN}-id`, created: 1_750_000_000, model, provider: HIDDEN });
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const headers = { server: HIDDEN, 'x-request-id': `${HIDDEN}-request`, 'x-upstream': HIDDEN };

const chunk = (model: string, rest: object) =>
  `data: ${JSON.stringify({ ...base(model), object: 'chat.completion.chunk', ...rest })}\n\n`;
const delta = (model: string, content: string) =>
  chunk(model, { choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
const ending = (model: string) =>
  chunk(model, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  chunk(model, { choices: [], usage }) +
  'data: [DONE]\n\n';

export const streamed = (body: ReadableStream | AsyncIterable<string> | string): Response =>
  new Response(body, { headers: { ...headers, 'content-type': 'text/event-stream' } });

/** Makes the events of an answer of two words. */
export const chatStream = (model: string): string =>
  delta(model, 'one ') + delta(model, 'two') + ending(model);

/** Answers whole, or with a stream if the request asks for one. */
export const answerWell: BodyAnswer = ({ body: { model, stream } }) =>
  stream
    ? streamed(chatStream(model))
    : Response.json(
        {
          ...base(model),
          object: 'chat.completion',
          choices: [{ index: 0, message: { role: 'assistant', content: 'one two' }, finish_reason: 'stop' }],
          usage,
        },
        { headers },
      );

/** Makes a stream that pauses in the middle until it is released. */
export function answerSlowly(): { answer: BodyAnswer; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer: BodyAnswer = ({ body: { model } }) =>
    streamed(
      new ReadableStream({
        async start(controller) {
          const encoder = new TextEncoder();
          controller.enqueue(encoder.encode(delta(model, 'one ')));
          await promise;
          controller.enqueue(encoder.encode(delta(model, 'two') + ending(model)));
          controller.close();
        },
      }),
    );
  return { answer, release: resolve };
}

/** An upstream's refusal with text about itself. */
export const answerStatus =
  (
    status: number,
    { message = 'no', ...extra }: { message?: string } & Record<string, string> = {},
  ): BodyAnswer =>
  ({ body }) =>
    Response.json(
      {
        error: {
          message: `${message} (${body?.model})`,
          type: HIDDEN,
          code: HIDDEN,
          param: HIDDEN,
        },
      },
      { status, headers: { ...headers, ...extra } },
    );

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Google's wire names the model in the path. */
const modelOf = ({ path, body }: RecordedRequest): string =>
  body?.model ?? /\/models\/([^:]+):/.exec(path)?.[1] ?? '';

/**
 * Starts a small chat-completions upstream that records its requests. Models answer successfully by default.
 */
export function startRecordingUpstream() {
  const requests: RecordedRequest[] = [];
  const answers = new Map<string, UpstreamAnswer>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    development: false,
    async fetch(request) {
      const text = await request.text();
      const recorded: RecordedRequest = {
        path: new URL(request.url).pathname,
        query: new URL(request.url).search,
        headers: request.headers,
        text,
        body: parsed(text),
        aborted: () => request.signal.aborted,
      };
      requests.push(recorded);
      return await (answers.get(modelOf(recorded)) ?? answerWell)(recorded);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    port: server.port!,
    /** The requests since the last `forget`, oldest first. */
    requests,
    forget: () => void requests.splice(0),
    /** Returns the upstream models requested since the last `forget`. */
    models: () => requests.map(({ body }) => body?.model as string),
    answer: (model: string, answer: UpstreamAnswer) => void answers.set(model, answer),
    stop: () => server.stop(true),
  };
}

export type RecordingUpstream = ReturnType<typeof startRecordingUpstream>;
