import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { answerSlowly, answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import type { TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const models = ['quick', 'slow', 'paused', 'failing', 'dying', 'expiring'];
const { nodes, first } = await startNodes(2, {
  providers: [{ id: 'one', wire: 'openai-chat', base_url: upstream.url }],
  catalog: { default: false, models: models.map((id) => ableModel(id, [{ provider: 'one', model: id }])) },
  plans: wideLimits,
});
afterAll(() => upstream.stop());
const [one, two] = nodes as [TestServer, TestServer];
const keyed = await first.createKey('pro', { retries: 'keyed', resumable: true });
const joining = await first.createKey('pro', { retries: 'join' });

type Sent = {
  on: TestServer;
  id?: string;
  retry?: number;
  key?: string;
  stream?: boolean;
  signal?: AbortSignal;
};

const send = (model: string, { on, id, retry, key = keyed.key, stream = false, signal }: Sent) =>
  on.call('/v1/chat/completions', {
    headers: {
      ...bearer(key),
      ...(id !== undefined && { 'idempotency-key': id }),
      ...(retry !== undefined && { 'x-stainless-retry-count': String(retry) }),
    },
    body: chatBody(model, { stream }),
    ...(signal && { signal }),
  });
const calls = (model: string) => upstream.requests.filter(({ body }) => body.model === model).length;
const billed = async ({ account }: { account: string }): Promise<number> =>
  (await usageEntries(two, account)).length;
const requestId = ({ headers }: { headers: Headers }) => headers.get('x-svc-request-id')!;
const uncommented = (text: string) => text.replaceAll(/^: .*\n\n/gm, '');

test('a finished answer is found on the other node [RTY-14]', async () => {
  for (const stream of [false, true]) {
    const id = `finished-${stream}`;
    const before = calls('quick');
    const made = await send('quick', { on: one, id, stream });
    const again = await send('quick', { on: two, id, stream });
    expect({ status: again.status, text: again.text }).toEqual({ status: 200, text: uncommented(made.text) });
    expect(again.headers.get('x-svc-replay-of')).toBe(requestId(made));
    expect(calls('quick') - before).toBe(1);
  }
  expect(await billed(keyed)).toBe(2);
});

const refuse = () => Response.json({ error: { message: 'no' } }, { status: 400 });

test.each([
  { model: 'slow', answerOf: answerWell, stream: false },
  { model: 'slow', answerOf: answerWell, stream: true },
  { model: 'failing', answerOf: refuse, stream: false },
  { model: 'failing', answerOf: refuse, stream: true },
])('a running request is joined on each node ($model, stream: $stream)', async ({
  model,
  answerOf,
  stream,
}) => {
  const release = Promise.withResolvers<void>();
  upstream.answer(model, async (request) => {
    await release.promise;
    return answerOf(request);
  });
  const before = calls(model);
  const sent = { id: `${model}-${stream}`, stream };
  const making = send(model, { on: one, ...sent });
  await waitFor(() => calls(model) > before);
  const joined = [two, one].map((on) => send(model, { on, ...sent }));
  await Bun.sleep(400);
  release.resolve();
  const made = await making;
  for (const answer of await Promise.all(joined)) {
    expect({ status: answer.status, text: answer.text }).toEqual({
      status: made.status,
      text: uncommented(made.text),
    });
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
  }
  expect(calls(model)).toBe(before + 1);
});

test('a retry of an SDK joins on the other node only while the request runs', async () => {
  const release = Promise.withResolvers<void>();
  upstream.answer('slow', async (request) => {
    await release.promise;
    return answerWell(request);
  });
  const before = calls('slow');
  const leaving = new AbortController();
  const sent = { key: joining.key };
  const left = send('slow', { on: one, ...sent, signal: leaving.signal }).catch(() => undefined);
  await waitFor(() => calls('slow') > before);
  leaving.abort();
  await left;
  await Bun.sleep(200);
  const again = send('slow', { on: two, ...sent, retry: 1 });
  await Bun.sleep(300);
  release.resolve();
  expect((await again).headers.get('idempotency-replayed')).toBe('true');
  expect(calls('slow') - before).toBe(1);
  await Bun.sleep(200);
  await send('slow', { on: one, ...sent, retry: 2 });
  expect({ calls: calls('slow') - before, billed: await billed(joining) }).toEqual({ calls: 2, billed: 2 });
});

test('a stream is read on the other node while it runs and afterwards [RSM-10]', async () => {
  const { answer, release } = answerSlowly();
  upstream.answer('paused', answer);
  const before = calls('paused');
  const making = send('paused', { on: one, id: 'paused', stream: true });
  await waitFor(() => calls('paused') > before);
  const joined = send('paused', { on: two, id: 'paused', stream: true });
  await Bun.sleep(500);
  release();
  const made = await making;
  expect((await joined).text).toBe(uncommented(made.text));
  const frames = uncommented(made.text).split(/(?<=\n\n)/);
  const after = /^id: (.*)\n/.exec(frames[0]!)![1]!;
  const read = (on: TestServer, headers: Record<string, string> = {}) =>
    on.call(`/v1/streams/${requestId(made)}`, { headers: { ...bearer(keyed.key), ...headers } });
  for (const on of [one, two]) {
    expect((await read(on)).text).toBe(uncommented(made.text));
    expect((await read(on, { 'last-event-id': after })).text).toBe(frames.slice(1).join(''));
  }
});

/** Collects the text of an answer, of which a crash leaves the beginning. */
function collect(response: Response) {
  const decoder = new TextDecoder();
  const collected = { id: requestId(response), text: '', ended: Promise.resolve() };
  collected.ended = (async () => {
    for await (const piece of response.body!) collected.text += decoder.decode(piece, { stream: true });
  })().catch(() => undefined);
  return collected;
}

type Collected = ReturnType<typeof collect>;

describe('after the crash of a node', () => {
  /** Opens a stream of one dialect. Its idempotency key follows from the dialect and the model. */
  const open = {
    chat: (on: TestServer, model: string) =>
      fetch(`${on.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { ...bearer(keyed.key), 'idempotency-key': `chat-${model}` },
        body: JSON.stringify(chatBody(model, { stream: true })),
      }),
    interactions: (on: TestServer, model: string) =>
      fetch(`${on.url}/v1beta/interactions`, {
        method: 'POST',
        headers: { 'x-goog-api-key': keyed.key, 'idempotency-key': `interactions-${model}` },
        body: JSON.stringify({ model, input: 'Hello.', stream: true }),
      }),
  };
  const dialects = [
    { dialect: 'chat', model: 'dying', error: /id: \S+\ndata: .*"error".*\n\n$/ },
    {
      dialect: 'interactions',
      model: 'expiring',
      error: /id: \S+\nevent: error\ndata: \{"error":.*\}\n\n$/,
    },
  ] as const;
  const readStream = (id: string) => two.call(`/v1/streams/${id}`, { headers: bearer(keyed.key) });

  async function crash() {
    const slow = answerSlowly();
    const answers = new Map<string, { ended: Collected; cut: Collected }>();
    for (const { dialect, model } of dialects) {
      upstream.answer(model, (request) => (calls(model) === 1 ? slow.answer(request) : answerWell(request)));
      const ended = collect(await open[dialect](one, 'quick'));
      await ended.ended;
      const cut = collect(await open[dialect](one, model));
      await waitFor(() => cut.text.includes('one '));
      answers.set(dialect, { ended, cut });
    }
    await Bun.sleep(500); // the records of the streams are written
    const chargesBefore = await billed(keyed);
    process.kill(one.pid, 'SIGKILL');
    await Promise.all([...answers.values()].map(({ cut }) => cut.ended));
    return { answers, chargesBefore, release: slow.release };
  }
  let crashed: Awaited<ReturnType<typeof crash>>;
  beforeAll(async () => {
    crashed = await crash();
  });
  afterAll(() => crashed?.release());

  test.each(dialects)('an answer that it had ended is whole on another node ($dialect)', async ({
    dialect,
  }) => {
    const { ended } = crashed.answers.get(dialect)!;
    const whole = uncommented(ended.text);
    expect((await readStream(ended.id)).text).toBe(whole);
    expect(await (await open[dialect](two, 'quick')).text()).toBe(whole);
  });

  test.each(dialects)('an unfinished answer is made again by a retry ($dialect)', async ({
    dialect,
    model,
    error,
  }) => {
    const { cut } = crashed.answers.get(dialect)!;
    const [rest, again] = await Promise.all([readStream(cut.id), open[dialect](two, model)]);
    expect(rest.text).toStartWith(cut.text);
    expect(rest.text).toMatch(error);
    expect(await again.text()).toEndWith('data: [DONE]\n\n');
    expect(calls(model)).toBe(2);
  });

  test('each answer is billed once', async () => {
    await waitFor(async () => (await billed(keyed)) === crashed.chargesBefore + dialects.length);
    expect(await two.ledgerFaults()).toEqual([]);
  });
});
