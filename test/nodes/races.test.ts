import { afterAll, beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { batchClient, chatFlavor } from '../support/batch-client.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { countStatuses } from '../support/count-statuses.ts';
import { ledgerEntries, usageEntries } from '../support/ledger-entries.ts';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import type { CreatedKey, TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';

const MODEL = 'test-small';
const upstream = startRecordingUpstream();
afterAll(() => upstream.stop());
const config = {
  ...sampleConfig(upstream.url),
  plans: { ...wideLimits, launch: { ...wideLimits.launch, stored_mb: 1 } },
  limits: { batch_concurrent: 4, usage_grace_s: 0.3 },
};
const { nodes, first, spread, each, advance } = await startNodes(3, config);
const [, second, third] = nodes as [TestServer, TestServer, TestServer];
const normally = answerWithUsage(100, 1);
beforeEach(() => {
  upstream.answer('hidden-test-small', normally);
  upstream.forget();
});

const chatOn =
  ({ key }: CreatedKey, fields: Json = {}) =>
  (node: TestServer) =>
    node.chat(key, MODEL, fields);
const accountOf = ({ account }: CreatedKey): Promise<Json> => first.readAccount(account);
const expectNoFault = async () => expect(await first.ledgerFaults()).toEqual([]);

test('thirty purchases with one idempotency key over three nodes are one purchase', async () => {
  const key = await first.createKey('payg');
  const answers = await spread(30, (node) =>
    node.call(`/admin/v1/accounts/${key.account}/purchases`, {
      headers: { ...bearer(first.adminToken), 'idempotency-key': 'purchase-1' },
      body: { usd: 5 },
    }),
  );
  expect(countStatuses(answers)).toEqual({ 201: 30 });
  expect(await ledgerEntries(first, key.account, 'purchase')).toHaveLength(1);
  expect((await accountOf(key)).purchased_credits).toBe(2_500);
});

test('clients that leave in the middle leave no place taken', async () => {
  const key = await first.createKey('payg');
  await first.admin('PATCH', `/accounts/${key.account}`, { plan_overrides: { concurrent: 12 } });
  await first.giveCredits(key.account, 1_000);
  for (let round = 0; round < 3; round++) {
    const never = Promise.withResolvers<void>();
    upstream.forget();
    upstream.answer('hidden-test-small', (request) => never.promise.then(() => normally(request)));
    const leaving = new AbortController();
    const asked = nodes.flatMap((node) =>
      Array.from({ length: 4 }, () =>
        node
          .call('/v1/chat/completions', {
            headers: bearer(key.key),
            body: chatBody(MODEL, { stream: true }),
            signal: leaving.signal,
          })
          .catch(() => undefined),
      ),
    );
    await waitFor(() => upstream.requests.length === 12);
    leaving.abort();
    await Promise.all(asked);
    never.resolve();
    upstream.answer('hidden-test-small', normally);
    // The places return when the gateway has noticed that the clients have left.
    await waitFor(async () => countStatuses(await spread(12, chatOn(key)))[200] === 12);
  }
  await expectNoFault();
});

test('renewals, plan changes and requests race over nodes while months pass: each cycle is renewed once', async () => {
  const key = await first.createKey('pro');
  let served = 0;
  const load = nodes.map(async (node, index) => {
    for (let sent = 0; sent < 20; sent++) {
      const { status } = await node.chat(key.key, MODEL);
      expect(status).toBe(200);
      served++;
      if (sent % 5 === index)
        await node.admin('PATCH', `/accounts/${key.account}`, { plan: sent % 2 ? 'starter' : 'max' });
    }
  });
  const months = (async () => {
    for (let month = 0; month < 4; month++) {
      await advance(32 * 86_400, nodes[month % 3]);
      await waitFor(() => served >= (month + 1) * 12);
    }
  })();
  await Promise.all([...load, months]);
  expect(await usageEntries(first, key.account)).toHaveLength(60);
  const renewals = await ledgerEntries(first, key.account, 'renewal');
  expect(new Set(renewals.map(({ at, created_at }) => at ?? created_at)).size).toBe(renewals.length);
  expect(renewals.length).toBeWithin(1, 6);
  await expectNoFault();
});

test('an account that is closed under load pays exactly for what it was served', async () => {
  const key = await first.createKey('pro');
  let served = 0;
  let refused = 0;
  const load = nodes.map(async (node) => {
    for (let sent = 0; sent < 25; sent++) {
      const { status } = await node.chat(key.key, MODEL);
      if (status === 200) served++;
      else refused++;
    }
  });
  await waitFor(() => served > 9);
  await second.admin('PATCH', `/accounts/${key.account}`, { status: 'closed' });
  await Promise.all(load);
  expect(served + refused).toBe(75);
  expect(refused).toBeGreaterThan(0);
  expect(await usageEntries(first, key.account)).toHaveLength(served);
});

test('stored bytes are bounded over all nodes', async () => {
  const key = await first.createKey('launch');
  const input = randomBytes(50_000).toString('hex'); // hardly compressible
  const keep = (node: TestServer) =>
    node.call('/v1/responses', { headers: bearer(key.key), body: { model: MODEL, input } });
  const kept: boolean[] = [];
  for (let count = 0; count < 15; count++) kept.push((await keep(nodes[count % 3]!)).body.store);
  const most = kept.indexOf(false);
  expect(most).toBeWithin(7, 13);
  expect(kept).toEqual(Array.from({ length: 15 }, (_, index) => index < most));
  const sums = await each(async (node) => (await node.readAccount(key.account)).stored);
  for (const { bytes, limit_bytes } of sums) {
    expect(bytes).toBe(sums[0].bytes);
    expect(bytes).toBeLessThanOrEqual(limit_bytes);
  }
});

test('nodes with different limits count in one window', async () => {
  const key = await first.createKey('starter');
  third.configure({ ...config, plans: { starter: { requests_per_min: 20, concurrent: 100 } } });
  third.signal('SIGHUP');
  await waitFor(async () => (await chatOn(key)(third)).headers.get('x-ratelimit-limit-requests') === '20');
  await advance(70);
  expect(countStatuses(await Promise.all(Array.from({ length: 15 }, () => chatOn(key)(first))))).toEqual({
    200: 15,
  });
  expect(countStatuses(await Promise.all(Array.from({ length: 15 }, () => chatOn(key)(third))))).toEqual({
    200: 5,
    429: 10,
  });
  expect((await chatOn(key)(second)).status).toBe(200);
  third.configure(config);
  third.signal('SIGHUP');
});

test('a node that stops while its batch runs hands its items over, which are charged once', async () => {
  const key = await first.createKey('pro');
  upstream.answer('hidden-test-small', async (request) => {
    await Bun.sleep(40);
    return normally(request);
  });
  const client = batchClient(first, { flavor: chatFlavor, key: key.key });
  const { id } = await client.create(Array(150).fill(MODEL));
  await waitFor(() => upstream.requests.length > 30);
  third.signal('SIGTERM');
  expect(await third.exited).toBe(0);
  await client.ended(id, 40_000);
  expect((await client.view(id)).request_counts.succeeded).toBe(150);
  expect(Object.keys(await client.lines(id))).toHaveLength(150);
  expect(await usageEntries(first, key.account)).toHaveLength(150);
  const { data } = (await first.admin('GET', '/nodes')).body;
  expect(data).toHaveLength(2);
  await each(async (node) => node.hasEnded() || expect((await chatOn(key)(node)).status).toBe(200));
  await expectNoFault();
});
