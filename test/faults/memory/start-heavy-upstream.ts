import type { Socket } from 'bun';

const MEGABYTE = 1024 * 1024;
const THINKING_MS = 50;
const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
const base = { id: 'hidden', created: 1_750_000_000, model: 'hidden' };

const wholeAnswer = (megabytes: number): Buffer => {
  const content = 'Words of an answer. '.repeat((megabytes * MEGABYTE) / 20);
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
  const body = JSON.stringify({ ...base, object: 'chat.completion', choices, usage });
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
};

const event = (rest: object): string =>
  `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...rest })}\n\n`;
const delta = event({
  choices: [{ index: 0, delta: { content: 'x'.repeat(16 * 1024) }, finish_reason: null }],
});
const streamEnd =
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  event({ choices: [], usage }) +
  'data: [DONE]\n\n';

const streamedAnswer = (megabytes: number): Buffer =>
  Buffer.from(
    'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n' +
      delta.repeat((megabytes * MEGABYTE) / delta.length) +
      streamEnd,
  );

/** The upstream's models and their answers, built once and shared, so that only the server's memory grows. */
const builders: Readonly<Record<string, () => Buffer>> = {
  'hidden-quick': () => wholeAnswer(0),
  'hidden-stream': () => streamedAnswer(24),
  'hidden-whole': () => wholeAnswer(60),
};

type Call = { head: string; left: number; unsent: Buffer; isStream: boolean };
const nothing = Buffer.alloc(0);

/**
 * Starts an upstream that counts a request's bytes without keeping them. Its model names select the size of
 * the answer.
 */
export function startHeavyUpstream() {
  let streamedBytes = 0;
  const built = new Map<string, Buffer>();
  const answerOf = (model: string): Buffer => {
    const answer = built.get(model) ?? builders[model]!();
    built.set(model, answer);
    return answer;
  };
  const flush = (socket: Socket<Call>): void => {
    const { data } = socket;
    if (data.unsent.length === 0) return;
    const written = Math.max(0, socket.write(data.unsent));
    if (data.isStream) streamedBytes += written;
    data.unsent = data.unsent.subarray(written);
    if (data.unsent.length === 0 && data.isStream) socket.end();
  };
  const server = Bun.listen<Call>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { head: '', left: -1, unsent: nothing, isStream: false };
      },
      data(socket, bytes) {
        const { data } = socket;
        if (!take(data, bytes)) return;
        const model = /"model": ?"([^"]+)"/.exec(data.head)?.[1] ?? '';
        socket.data = { head: '', left: -1, unsent: nothing, isStream: model === 'hidden-stream' };
        setTimeout(() => {
          socket.data.unsent = answerOf(model);
          flush(socket);
        }, THINKING_MS);
      },
      drain: flush,
      error() {},
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    /** Returns the bytes of all streams together. */
    streamedBytes: () => streamedBytes,
    stop: () => server.stop(true),
  };
}

/** The most of a request that is looked at: its head, and the beginning of its body with the model's name. */
const SEEN_BYTES = 4_096;

/** Takes the next bytes of a request. Returns true if it is whole. */
function take(call: Call, bytes: Buffer): boolean {
  if (call.head.length < SEEN_BYTES) call.head += bytes.toString('latin1', 0, SEEN_BYTES);
  if (call.left >= 0) call.left -= bytes.length;
  else {
    const end = call.head.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const length = Number(/content-length: (\d+)/i.exec(call.head)?.[1] ?? 0);
    call.left = end + 4 + length - bytes.length;
  }
  return call.left <= 0;
}
