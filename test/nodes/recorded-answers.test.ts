import { afterAll, expect, test } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { answerSlowly, answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
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
const [one, two] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
const keyed = await first.createKey('pro', { retries: 'keyed', resumable: true });
const joining = await first.createKey('pro', { retries: 'join' });
type Sent = {
  on: typeof one;
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

test('a running request is joined on the other node, and its failure too', async () => {
  let release = Promise.withResolvers<void>();
  upstream.answer('slow', async (request) => {
    await release.promise;
    return answerWell(request);
  });
  upstream.answer('failing', async () => {
    await release.promise;
    return Response.json({ error: { message: 'no' } }, { status: 400 });
  });
  for (const model of ['slow', 'failing'])
    for (const stream of [false, true]) {
      release = Promise.withResolvers();
      const sent = { id: `${model}-${stream}`, stream };
      const making = send(model, { on: one, ...sent });
      await waitFor(() => calls(model) === (stream ? 2 : 1));
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
      expect(calls(model)).toBe(stream ? 2 : 1);
    }
});

test('a retry of an SDK joins on the other node, and then nothing is left to join', async () => {
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
  expect([calls('slow') - before, await billed(joining)]).toEqual([2, 2]);
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
  const read = (on: typeof one, headers: Record<string, string> = {}) =>
    on.call(`/v1/streams/${requestId(made)}`, { headers: { ...bearer(keyed.key), ...headers } });
  for (const on of [one, two]) {
    expect((await read(on)).text).toBe(uncommented(made.text));
    expect((await read(on, { 'last-event-id': after })).text).toBe(frames.slice(1).join(''));
  }
});

test('an answer that a node has ended is whole after its crash, and an unfinished one is made again and billed once', async () => {
  const { answer, release } = answerSlowly();
  upstream.answer('dying', (request) => (calls('dying') === 1 ? answer(request) : answerWell(request)));
  const whole = await send('quick', { on: one, id: 'whole', stream: true });
  let partial = '';
  const response = await fetch(`${one.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...bearer(keyed.key), 'idempotency-key': 'dying', 'content-type': 'application/json' },
    body: JSON.stringify(chatBody('dying', { stream: true })),
  });
  const reading = (async () => {
    for await (const piece of response.body!) partial += new TextDecoder().decode(piece);
  })().catch(() => undefined);
  await waitFor(() => partial.includes('one '));
  const expiring = answerSlowly();
  upstream.answer('expiring', (request) =>
    calls('expiring') === 1 ? expiring.answer(request) : answerWell(request),
  );
  const interact = (on: typeof one, id: string, model: string) =>
    fetch(`${on.url}/v1beta/interactions`, {
      method: 'POST',
      headers: { 'x-goog-api-key': keyed.key, 'idempotency-key': id, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'Hello.', stream: true }),
    });
  const ended = await interact(one, 'ended', 'quick');
  const endedText = await ended.text();
  const cut = await interact(one, 'expiring', 'expiring');
  let cutText = '';
  const readingCut = (async () => {
    for await (const piece of cut.body!) cutText += new TextDecoder().decode(piece);
  })().catch(() => undefined);
  await waitFor(() => cutText.includes('one '));
  await Bun.sleep(500);
  const before = await billed(keyed);
  process.kill(one.pid, 'SIGKILL');
  await Promise.all([reading, readingCut]);
  const read = (id: string) => two.call(`/v1/streams/${id}`, { headers: bearer(keyed.key) });
  expect((await read(requestId(whole))).text).toBe(uncommented(whole.text));
  expect((await send('quick', { on: two, id: 'whole', stream: true })).text).toBe(uncommented(whole.text));
  const [rest, again] = await Promise.all([
    read(requestId(response)),
    send('dying', { on: two, id: 'dying', stream: true }),
  ]);
  expect(rest.text).toStartWith(partial);
  expect(rest.text).toMatch(/id: \S+\ndata: .*"error".*\n\n$/);
  expect(again.text).toEndWith('data: [DONE]\n\n');
  expect(calls('dying')).toBe(2);
  expect((await read(requestId(ended))).text).toBe(uncommented(endedText));
  const [cutRest, remade] = await Promise.all([
    read(requestId(cut)),
    interact(two, 'expiring', 'expiring').then((response) => response.text()),
  ]);
  expect(cutRest.text).toStartWith(cutText);
  expect(cutRest.text).toMatch(/id: \S+\nevent: error\ndata: \{"error":.*\}\n\n$/);
  expect(remade).toEndWith('data: [DONE]\n\n');
  expect(calls('expiring')).toBe(2);
  await waitFor(async () => (await billed(keyed)) === before + 2);
  release();
  expiring.release();
  expect(await two.ledgerFaults()).toEqual([]);
}, 60_000);
