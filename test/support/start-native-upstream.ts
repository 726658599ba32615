import type { Json } from './call.ts';
import { HIDDEN } from './recording-upstream.ts';

/**
 * The fate of a request, named in its last message: `fail 529`, `expire`, `cancel` or `lose`.
 * By default it is answered.
 */
type Outcome = { kind: 'answer' | 'expire' | 'cancel' | 'lose' } | { kind: 'fail'; status: number };

type Entry = { customId: string; body: Json };
type StoredBatch = {
  entries: Entry[];
  isEnded: boolean;
  isCanceled: boolean;
  createdMs: number;
  inputFile?: string;
  metadata?: Json;
};

const USAGE = { input: 1_000, output: 50 };
/** The answer to a message with `miscount` reports impossible usage. */
const usageFor = (body: Json) =>
  lastOf(body) === 'miscount' ? { input: 100_000_000, output: 100_000_000 } : USAGE;
const lastOf = (body: Json): string => {
  const { content } = body.messages.at(-1);
  return typeof content === 'string' ? content : content[0].text;
};

function outcomeOf(body: Json): Outcome {
  const [word, status] = lastOf(body).split(' ');
  if (word === 'fail') return { kind: 'fail', status: Number(status) };
  return { kind: word === 'expire' || word === 'cancel' || word === 'lose' ? word : 'answer' };
}

const messageFor = (body: Json): Json => ({
  id: `${HIDDEN}-id`,
  type: 'message',
  role: 'assistant',
  model: body.model,
  content: [{ type: 'text', text: `native: ${lastOf(body)}` }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: usageFor(body).input, output_tokens: usageFor(body).output },
});
const completionFor = (body: Json): Json => ({
  id: `${HIDDEN}-id`,
  object: 'chat.completion',
  created: 1_750_000_000,
  model: body.model,
  choices: Array.from({ length: body.n ?? 1 }, (_, index) => ({
    index,
    finish_reason: 'stop',
    message: { role: 'assistant', content: `native: ${lastOf(body)}` },
  })),
  usage: { prompt_tokens: usageFor(body).input, completion_tokens: usageFor(body).output },
});

const typeOf: Record<number, string> = { 400: 'invalid_request_error', 529: 'overloaded_error' };
const hiddenError = (status: number) => ({
  type: typeOf[status] ?? 'api_error',
  message: status === 400 ? `max_tokens is too high at http://${HIDDEN}.invalid/` : HIDDEN,
});

/**
 * The batches of both vendors, as documented, and their failures.
 * The test ends a batch, unless `ends` makes it end at once.
 */
export function startNativeUpstream() {
  const batches = new Map<string, StoredBatch>();
  const files = new Map<string, string>();
  const calls: string[] = [];
  const bodies: Json[] = [];
  /** The number of next calls of this kind that fail. */
  const failing = new Map<string, number>();
  /** The number of next calls of this kind that take effect and whose answer breaks off or never comes. */
  const losing = new Map<string, { left: number; how: 'breaks' | 'never' }>();
  const state = { endsAtOnce: true, count: 0, taken: 0 };
  const report: { usage: Json; fields: Json } = { usage: {}, fields: {} };
  const withReport = (answer: Json): Json => ({
    ...answer,
    ...report.fields,
    usage: { ...answer.usage, ...report.usage },
  });
  const newId = (prefix: string) => `${prefix}${HIDDEN}${++state.count}`;

  const isFailing = (call: string): boolean => {
    const left = failing.get(call) ?? 0;
    failing.set(call, Math.max(0, left - 1));
    return left > 0;
  };

  /** The answer as its client gets it. */
  const delivered = async (call: string, answer: Response): Promise<Response> => {
    const lost = losing.get(call);
    if (!lost || lost.left === 0) return answer;
    lost.left--;
    if (lost.how === 'never') await new Promise(() => {});
    return new Response('{"id":'); // broken off
  };

  const hold = (
    id: string,
    entries: Entry[],
    fields: Pick<StoredBatch, 'inputFile' | 'metadata'> = {},
  ): StoredBatch => {
    const held = { entries, isEnded: state.endsAtOnce, isCanceled: false, createdMs: Date.now(), ...fields };
    batches.set(id, held);
    state.taken += entries.length;
    bodies.push(...entries.map(({ body }) => body));
    return held;
  };

  const anthropicView = (id: string, { isEnded, entries, createdMs }: StoredBatch) => ({
    created_at: new Date(createdMs).toISOString(),
    request_counts: { processing: entries.length, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
    id,
    type: 'message_batch',
    processing_status: isEnded ? 'ended' : 'in_progress',
    results_url: isEnded ? `http://${HIDDEN}.invalid/` : null,
  });
  const anthropicLine = ({ isCanceled }: StoredBatch, { customId, body }: Entry): Json | undefined => {
    const outcome = outcomeOf(body);
    const line = (result: Json) => ({ custom_id: customId, result });
    if (outcome.kind === 'lose') return undefined;
    if (outcome.kind === 'cancel' || isCanceled) return line({ type: 'canceled' });
    if (outcome.kind === 'expire') return line({ type: 'expired' });
    if (outcome.kind === 'fail')
      return line({ type: 'errored', error: { type: 'error', error: hiddenError(outcome.status) } });
    return line({ type: 'succeeded', message: withReport(messageFor(body)) });
  };

  const openAiLine = ({ isCanceled }: StoredBatch, { customId, body }: Entry): Json | undefined => {
    const outcome = outcomeOf(body);
    const line = (response: Json, error: Json = null) => ({
      id: HIDDEN,
      custom_id: customId,
      response,
      error,
    });
    if (outcome.kind === 'lose') return undefined;
    if (outcome.kind === 'cancel' || isCanceled)
      return line(null, { code: 'batch_cancelled', message: HIDDEN });
    if (outcome.kind === 'expire') return line(null, { code: 'batch_expired', message: HIDDEN });
    if (outcome.kind === 'fail')
      return line({ status_code: outcome.status, body: { error: hiddenError(outcome.status) } });
    return line({ status_code: 200, body: withReport(completionFor(body)) });
  };
  const openAiView = (id: string, held: StoredBatch) => {
    const lines = held.entries.map((entry) => openAiLine(held, entry)).filter((line) => line !== undefined);
    const fileOf = (name: string, wanted: Json[]) => {
      files.set(`${id}-${name}`, wanted.map((line) => `${JSON.stringify(line)}\n`).join(''));
      return wanted.length > 0 ? `${id}-${name}` : null;
    };
    const isGood = (line: Json) => line.response?.status_code === 200;
    const end = held.isCanceled ? 'cancelled' : 'completed';
    return {
      id,
      object: 'batch',
      input_file_id: held.inputFile,
      completion_window: '24h',
      created_at: Math.floor(held.createdMs / 1_000),
      request_counts: { total: held.entries.length, completed: 0, failed: 0 },
      metadata: held.metadata ?? null,
      status: held.isEnded ? end : 'in_progress',
      output_file_id: held.isEnded ? fileOf('output', lines.filter(isGood)) : null,
      error_file_id: held.isEnded
        ? fileOf(
            'errors',
            lines.filter((line) => !isGood(line)),
          )
        : null,
    };
  };

  async function upload(request: Request): Promise<Response> {
    const form = await request.formData();
    if (form.get('purpose') !== 'batch') return new Response('', { status: 400 });
    const id = newId('file-');
    files.set(id, await (form.get('file') as File).text());
    return Response.json({ id, object: 'file' });
  }

  async function create(request: Request): Promise<Response> {
    const { input_file_id, endpoint, completion_window, metadata } = (await request.json()) as Json;
    const text = files.get(input_file_id);
    if (text === undefined || completion_window !== '24h') return new Response('', { status: 400 });
    const lines: Json[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const isRight = ({ method, url, body }: Json) => method === 'POST' && url === endpoint && !body.stream;
    if (!lines.every(isRight) || new Set(lines.map(({ body }) => body.model)).size > 1)
      return new Response('', { status: 400 });
    const id = newId('batch_');
    const held = hold(
      id,
      lines.map(({ custom_id, body }) => ({ customId: custom_id, body })),
      { inputFile: input_file_id, metadata },
    );
    return Response.json(openAiView(id, held));
  }

  async function createMessages(request: Request): Promise<Response> {
    const { requests } = (await request.json()) as Json;
    const id = newId('msgbatch_');
    const entries = requests.map(({ custom_id, params }: Json) => ({ customId: custom_id, body: params }));
    return Response.json(anthropicView(id, hold(id, entries)));
  }

  function cancel(id: string): void {
    const held = batches.get(id)!;
    if (!held.isEnded) Object.assign(held, { isCanceled: true, isEnded: true });
  }

  const list = (prefix: string, view: (id: string, held: StoredBatch) => Json): Response => {
    const data = [...batches].filter(([id]) => id.startsWith(prefix)).reverse();
    return Response.json({ data: data.map(([id, held]) => view(id, held)), has_more: false });
  };

  const routes: [pattern: RegExp, answer: (id: string, request: Request) => Response | Promise<Response>][] =
    [
      [/^POST \/v1\/messages\/batches$/, (_, request) => createMessages(request)],
      [/^GET \/v1\/messages\/batches$/, () => list('msgbatch_', anthropicView)],
      [/^GET \/v1\/batches$/, () => list('batch_', openAiView)],
      [/^GET \/v1\/messages\/batches\/([^/]+)$/, (id) => Response.json(anthropicView(id, batches.get(id)!))],
      [
        /^GET \/v1\/messages\/batches\/([^/]+)\/results$/,
        (id) => {
          const held = batches.get(id)!;
          const lines = held.entries.map((entry) => anthropicLine(held, entry)).filter(Boolean);
          return new Response(lines.map((line) => JSON.stringify(line)).join('\n'));
        },
      ],
      [
        /^POST \/v1\/(?:messages\/)?batches\/([^/]+)\/cancel$/,
        (id) => {
          cancel(id);
          return Response.json({ id });
        },
      ],
      [
        /^DELETE \/v1\/messages\/batches\/([^/]+)$/,
        (id) => Response.json({ id, removed: batches.delete(id) }),
      ],
      [/^POST \/v1\/files$/, (_, request) => upload(request)],
      [/^GET \/v1\/files\/([^/]+)\/content$/, (id) => new Response(files.get(id))],
      [/^DELETE \/v1\/files\/([^/]+)$/, (id) => Response.json({ id, removed: files.delete(id) })],
      [/^POST \/v1\/batches$/, (_, request) => create(request)],
      [/^GET \/v1\/batches\/([^/]+)$/, (id) => Response.json(openAiView(id, batches.get(id)!))],
      [
        /^POST \/v1\/chat\/completions$/,
        async (_, request) => Response.json(completionFor((await request.json()) as Json)),
      ],
      [
        /^POST \/v1\/messages$/,
        async (_, request) => Response.json(messageFor((await request.json()) as Json)),
      ],
    ];

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const call = `${request.method} ${new URL(request.url).pathname}`;
      const [pattern, answer] = routes.find(([one]) => one.test(call)) ?? [];
      if (!pattern || !answer) return new Response('', { status: 404 });
      const kind = call.replace(/\/[^/]*hidden[^/]*/, '/{id}');
      calls.push(kind);
      if (isFailing(kind)) return Response.json({ error: { message: HIDDEN } }, { status: 503 });
      const isKeyed = request.headers.get('authorization') ?? request.headers.get('x-api-key');
      if (!isKeyed) return new Response('', { status: 401 });
      const id = pattern.exec(call)?.[1] ?? '';
      if (id !== '' && call.includes('/batches/') && !batches.has(id))
        return new Response('', { status: 404 });
      return delivered(kind, await answer(id, request));
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    port: server.port!,
    calls,
    /** The bodies of the requests in all batches. */
    bodies,
    failing,
    losing,
    /** Sets whether batches end as soon as they are created. */
    endAtOnce: (ends: boolean) => {
      state.endsAtOnce = ends;
    },
    /** Adds members to the usage of the next results, and to the answers themselves. */
    report: (usage: Json, fields: Json = {}) => void Object.assign(report, { usage, fields }),
    endAll: () => {
      for (const held of batches.values()) held.isEnded = true;
    },
    held: () => [...batches.values()],
    files: () => files.size,
    /** Returns the requests in all batches ever created. */
    taken: () => state.taken,
    forget: () => {
      state.taken = 0;
      calls.length = 0;
      bodies.length = 0;
      failing.clear();
      losing.clear();
      batches.clear();
      files.clear();
    },
    stop: () => void server.stop(true),
  };
}
