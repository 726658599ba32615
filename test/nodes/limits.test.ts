import { afterAll, describe, expect, test } from 'bun:test';
import { type Answer, bearer, chatBody } from '../support/call.ts';
import { countStatuses } from '../support/count-statuses.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModel } from '../support/sample-config.ts';
import type { TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const MODEL = '@svc/counted';
const upstream = startRecordingUpstream();
afterAll(() => upstream.stop());
const { nodes, first, spread, each, advance } = await startNodes(3, {
  ...sampleConfig(upstream.url, {
    models: [sampleModel(MODEL, { context_window: 200_000, launch: true })],
    handles: {},
    previews: {},
  }),
  server: { trusted_proxies: ['127.0.0.1'] },
});

const chatOn = (key: string, fields?: Record<string, unknown>) => (node: TestServer) =>
  node.chat(key, MODEL, fields);
const left = ({ headers }: Answer, what = 'requests') => Number(headers.get(`x-ratelimit-remaining-${what}`));
const refusedOf = (answers: Answer[]) => answers.filter(({ status }) => status !== 200);
const overrides = (account: string, plan_overrides: Record<string, unknown>) =>
  first.admin('PATCH', `/accounts/${account}`, { plan_overrides });

/** Makes the upstream answer only after the release. */
function holdAnswers(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.answer('hidden-counted', (request) => promise.then(() => answerWell(request)));
  return () => {
    upstream.answer('hidden-counted', answerWell);
    resolve();
  };
}

async function keyWith(plan: string, plan_overrides: Record<string, unknown>) {
  const key = await first.createKey(plan);
  expect((await overrides(key.account, plan_overrides)).status).toBe(200);
  return key;
}

describe('windows over three nodes', () => {
  test('admit exactly the limit of simultaneous requests before and after Retry-After [LIM-26]', async () => {
    const { key } = await keyWith('starter', { requests_per_min: 40, concurrent: 200 });
    const answers = await spread(100, chatOn(key));
    expect(countStatuses(answers)).toEqual({ 200: 40, 429: 60 });
    for (const refused of refusedOf(answers)) expectRefusal(refused, 429, 'rate_limit_exceeded');
    const waits = refusedOf(answers).map(({ headers }) => Number(headers.get('retry-after')));
    expect(Math.max(...waits)).toBeWithin(50, 62);
    await advance(Math.min(...waits) - 12, nodes[1]);
    expect(countStatuses(await spread(6, chatOn(key)))).toEqual({ 429: 6 });
    await advance(14, nodes[2]);
    expect(countStatuses(await spread(60, chatOn(key)))).toEqual({ 200: 40, 429: 20 });
  });

  test('admit one request that waits for the time of Retry-After on another node', async () => {
    const { key } = await keyWith('starter', { requests_per_min: 3 });
    expect(countStatuses(await spread(3, chatOn(key)))).toEqual({ 200: 3 });
    const refused = await nodes[1]!.chat(key, MODEL);
    expect(refused.status).toBe(429);
    await advance(Number(refused.headers.get('retry-after')));
    expect((await nodes[2]!.chat(key, MODEL)).status).toBe(200);
  });

  test('count requests of five minutes', async () => {
    const { key } = await keyWith('launch', {
      requests_per_min: 1_000,
      requests_per_5min: 20,
      concurrent: 100,
    });
    expect(countStatuses(await spread(12, chatOn(key)))).toEqual({ 200: 12 });
    await advance(70);
    const answers = await spread(30, chatOn(key));
    expect(countStatuses(answers)).toEqual({ 200: 8, 429: 22 });
    expect(refusedOf(answers)[0]!.body.error.message).toContain('five minutes');
    await advance(240);
    expect(countStatuses(await spread(30, chatOn(key)))).toEqual({ 200: 12, 429: 18 });
  });

  test('never admit more tokens than the limit at once', async () => {
    const { key } = await keyWith('starter', { tokens_per_min: 50_000, concurrent: 200 });
    const text = 'word '.repeat(5_000);
    const body = chatBody(MODEL, { messages: [{ role: 'user', content: text }], max_tokens: 1 });
    upstream.forget();
    const release = holdAnswers();
    let refused = 0;
    const ask = async (node: TestServer) => {
      const answer = await node.call('/v1/chat/completions', { headers: bearer(key), body });
      if (answer.status === 429) refused++;
      return answer;
    };
    const asked = [ask(nodes[1]!)];
    await waitFor(() => upstream.requests.length === 1).catch(release);
    const ofOne = 50_000 - left(await nodes[2]!.call('/v1/models', { headers: bearer(key) }), 'tokens');
    asked.push(...Array.from({ length: 29 }, (_, index) => ask(nodes[index % 3]!)));
    await waitFor(() => upstream.requests.length + refused === 30).finally(release);
    const answers = await Promise.all(asked);
    expect(countStatuses(answers)[200]).toBe(Math.floor(50_000 / ofOne));
    for (const refused of refusedOf(answers)) expectRefusal(refused, 429, 'tokens_per_minute_exceeded');
  });

  test('count reads', async () => {
    const { key } = await keyWith('starter', { requests_per_min: 10 });
    const answers = await spread(250, (node) => node.call('/v1/models', { headers: bearer(key) }));
    expect(countStatuses(answers)).toEqual({ 200: 200, 429: 50 });
  });

  test('count the requests of a key of its own limit', async () => {
    const { account, key: other } = await keyWith('starter', { concurrent: 100 });
    const { key } = await first.createKey('starter', { account, limits: { requests_per_min: 10 } });
    expect(countStatuses(await spread(30, chatOn(key)))).toEqual({ 200: 10, 429: 20 });
    expect(countStatuses(await spread(30, chatOn(other)))).toEqual({ 200: 30 });
  });

  test('count the client network of the Free plan over accounts and nodes', async () => {
    const keys = await Promise.all(Array.from({ length: 3 }, () => first.createKey('free')));
    const from = { 'x-forwarded-for': '203.0.113.7' };
    const ask = (node: TestServer, index: number) =>
      node.call('/v1/chat/completions', {
        headers: { ...bearer(keys[index % 3]!.key), ...from },
        body: chatBody(MODEL),
      });
    for (const { account } of keys) await overrides(account, { requests_per_min: 100, concurrent: 100 });
    const answers = await spread(60, ask);
    expect(countStatuses(answers)).toEqual({ 200: 30, 429: 30 });
  });
});

test('concurrency places are shared: 200 at once are served and the next one is refused on any node', async () => {
  const { key } = await keyWith('scale', { requests_per_min: 100_000 });
  upstream.forget();
  const release = holdAnswers();
  const asked = spread(200, chatOn(key));
  try {
    await waitFor(() => upstream.requests.length === 200);
    for (const refused of await each(chatOn(key))) expectRefusal(refused, 429, 'concurrency_limit_exceeded');
  } finally {
    release();
  }
  expect(countStatuses(await asked)).toEqual({ 200: 200 });
  expect(countStatuses(await each(chatOn(key)))).toEqual({ 200: 3 });
});

test('headers say the same on all nodes', async () => {
  const { key } = await keyWith('starter', { requests_per_min: 50, concurrent: 50 });
  await spread(12, chatOn(key));
  const reads = await each((node) => node.call('/v1/models', { headers: bearer(key) }));
  expect(reads.map((answer) => left(answer))).toEqual([38, 38, 38]);
  const tokens = reads.map((answer) => left(answer, 'tokens'));
  expect(new Set(tokens).size).toBe(1);
  const afterwards = await each(chatOn(key));
  expect(afterwards.map((answer) => left(answer))).toEqual([37, 36, 35]);
});
