import { afterAll, expect, test } from 'bun:test';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { startServer } from '../support/start-server.ts';
import { startSmallProvider } from '../support/start-small-provider.ts';
import { waitFor } from '../support/wait-for.ts';

const KEY = 'sk-small-1234567890abcdef';
const upstream = startSmallProvider([KEY]);
afterAll(() => upstream.stop());
const { nodes, first, database } = await startNodes(2, {});
const one = nodes[0]!;
const two = nodes[1]!;

test('without TOLLGATE_SECRET_KEY only a provider without a credential is stored', async () => {
  const body = { id: 'small', wire: 'openai-chat', base_url: upstream.url };
  const refused = await one.admin('POST', '/providers', { ...body, api_key: KEY });
  expect({ status: refused.status, code: refused.body.error.code }).toEqual({
    status: 409,
    code: 'conflict',
  });
  expect(refused.body.error.message).toContain('TOLLGATE_SECRET_KEY');
  expect((await one.admin('POST', '/providers', body)).status).toBe(201);
});

test('another node serves a change within five seconds', async () => {
  upstream.state.accepted.push('');
  const row = {
    id: 'small-model',
    context_window: 8_192,
    plan: 'free',
    pricing_usd_per_mtok: { input: 1, output: 4 },
    routes: [{ provider: 'small', model: 'small-1' }],
  };
  expect((await one.admin('POST', '/models', row)).status).toBe(201);
  const { key } = await first.createKey('pro');
  const answerOf = async () => (await two.chat(key, 'small-model')).body.choices?.[0].message.content;
  await waitFor(async () => (await answerOf()) === 'A real answer.', 5_000);
  const changes = await Promise.all(
    [one, two].map((node) => node.admin('PATCH', '/models/small-model', { hidden: true, revision: 1 })),
  );
  expect(changes.map(({ status }) => status).sort()).toEqual([200, 409]);
  await waitFor(async () => (await one.chat(key, 'small-model')).status === 404, 5_000);
  await waitFor(async () => (await two.chat(key, 'small-model')).status === 404, 5_000);
});

test('a node is not ready exactly while a credential is stored that it cannot read', async () => {
  const adminToken = first.adminToken;
  const startWithKey = (byte: number) => {
    const secretKey = Buffer.alloc(32, byte).toString('base64');
    const environment = { DATABASE_URL: database, TOLLGATE_TEST_CLOCK: '1', TOLLGATE_SECRET_KEY: secretKey };
    return startServer({ config: {}, environment, adminToken });
  };
  const keyed = await startWithKey(7);
  const readiness = async (node: typeof keyed) => (await node.call('/readyz')).status;
  expect(await readiness(one)).toBe(200);
  const body = { id: 'locked', wire: 'openai-chat', base_url: upstream.url, api_key: KEY };
  expect((await keyed.admin('POST', '/providers', body)).status).toBe(201);
  expect(await readiness(keyed)).toBe(200);
  for (const node of [one, two]) await waitFor(async () => (await readiness(node)) === 503, 5_000);
  const other = await startWithKey(8);
  for (const node of [one, two, other]) {
    const answer = await node.call('/readyz');
    expect(answer).toMatchObject({ status: 503, body: { status: 'not-ready' } });
    expect(answer.body.problem).toContain('TOLLGATE_SECRET_KEY');
    expect(answer.text).not.toContain('locked');
    expect((await node.call('/healthz')).status).toBe(200);
    const faults = (await node.admin('GET', '/faults')).body.data;
    expect(faults).toContainEqual(
      expect.objectContaining({ provider: 'locked', cause: 'credential_unreadable' }),
    );
  }
  expect((await keyed.admin('DELETE', '/providers/locked')).status).toBe(200);
  for (const node of [one, two, other, keyed])
    await waitFor(async () => (await readiness(node)) === 200, 5_000);
  await Promise.all([keyed.stop(), other.stop()]);
});
