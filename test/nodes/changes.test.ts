import { afterAll, describe, expect, test } from 'bun:test';
import { signInAsOperator } from '../dashboard/sign-in.ts';
import { joinOrganization } from '../dashboard/support/join-organization.ts';
import { type Answer, bearer, type Json } from '../support/call.ts';
import { countStatuses } from '../support/count-statuses.ts';
import { deviceClient } from '../support/device-client.ts';
import { expectOk } from '../support/expect-ok.ts';
import { fullTest } from '../support/full-test.ts';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import type { CreatedKey, TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
afterAll(() => upstream.stop());
const config = {
  ...sampleConfig(upstream.url),
  plans: { starter: { requests_per_min: 10_000, concurrent: 1_000 } },
};
const { nodes, first, spread, each, advance } = await startNodes(3, config);

const MODEL = 'test-small';
const chatOn =
  ({ key }: { key: string }) =>
  (node: TestServer) =>
    node.chat(key, MODEL);
const usageOn =
  ({ key }: { key: string }) =>
  (node: TestServer) =>
    node.call('/v1/usage', { headers: bearer(key) });
const codes = (answers: Answer[]) =>
  answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim());
const of = <T>(value: T): T[] => [value, value, value];

/** Makes a key that every node has cached. */
async function knownKey(plan = 'starter', fields: Json = {}): Promise<CreatedKey> {
  const key = await first.createKey(plan, fields);
  expect(codes(await each(chatOn(key)))).toEqual(of('200'));
  return key;
}

/** The longest time in which a change reaches all nodes, as promised, with room for a loaded machine. */
const SPREAD_MS = 5_000;

describe('a change on one node holds for the next admission on every node', () => {
  const changes: [string, (key: CreatedKey) => Promise<Answer>, string][] = [
    ['a revocation', ({ id }) => nodes[1]!.admin('DELETE', `/keys/${id}`), '401 revoked_api_key'],
    [
      'a suspension',
      ({ account }) => nodes[2]!.admin('PATCH', `/accounts/${account}`, { status: 'suspended' }),
      '403 account_suspended',
    ],
    [
      'a list of models',
      ({ id }) => nodes[1]!.admin('PATCH', `/keys/${id}`, { allowed_models: ['test-plain'] }),
      '403 permission_denied',
    ],
    [
      'a rotation',
      ({ id }) => nodes[2]!.admin('POST', `/keys/${id}/rotate`, { overlap_s: 0 }),
      '401 revoked_api_key',
    ],
  ];
  for (const [name, change, code] of changes)
    test(name, async () => {
      const key = await knownKey();
      const changed = await change(key);
      expectOk(changed);
      expect(codes(await each(chatOn(key)))).toEqual(of(code));
      if (!code.includes('permission')) expect(codes(await each(usageOn(key)))).toEqual(of(code));
    });

  test('a reinstatement', async () => {
    const key = await knownKey();
    await nodes[1]!.admin('PATCH', `/accounts/${key.account}`, { status: 'suspended' });
    expect(codes(await each(chatOn(key)))).toEqual(of('403 account_suspended'));
    await nodes[2]!.admin('PATCH', `/accounts/${key.account}`, { status: 'active' });
    await waitFor(async () => codes(await each(chatOn(key))).every((code) => code === '200'), SPREAD_MS);
  });

  test('a plan', async () => {
    const key = await knownKey('pro');
    const limitOf = ({ headers }: Answer) => headers.get('x-ratelimit-limit-requests');
    expect((await each(chatOn(key))).map(limitOf)).toEqual(of('1000'));
    await nodes[2]!.admin('PATCH', `/accounts/${key.account}`, { plan: 'max' });
    expect((await each(chatOn(key))).map(limitOf)).toEqual(of('3000'));
  });

  test('a cap', async () => {
    const key = await knownKey();
    await nodes[1]!.admin('PATCH', `/keys/${key.id}`, { monthly_cap_usd: 0.00001 });
    expect(codes(await each(chatOn(key)))).toEqual(of('402 key_budget_exhausted'));
    await nodes[2]!.admin('PATCH', `/keys/${key.id}`, { monthly_cap_usd: 100 });
    expect(codes(await each(chatOn(key)))).toEqual(of('200'));
  });

  test('no request of a deleted key is admitted although those under way end well', async () => {
    const key = await knownKey();
    let isDeleted = false;
    const late: number[] = [];
    const load = Array.from({ length: 12 }, async (_, index) => {
      for (let sent = 0, afterwards = false; sent < 25 || !afterwards; sent++) {
        afterwards = isDeleted;
        const { status } = await nodes[index % 3]!.chat(key.key, MODEL);
        if (afterwards) late.push(status);
        else expect([200, 401]).toContain(status);
      }
    });
    const deleted = nodes[1]!.admin('DELETE', `/keys/${key.id}`).then(() => {
      isDeleted = true;
    });
    await Promise.all([...load, deleted]);
    expect(new Set(late)).toEqual(new Set([401]));
  });
});

describe('admin tokens', () => {
  const me = (node: TestServer, token: string) =>
    node.call('/admin/v1/accounts?limit=1', { headers: bearer(token) });

  test('work and end on every node at once', async () => {
    const { body: made } = await nodes[1]!.admin('POST', '/tokens', { name: 'a test', role: 'owner' });
    const token = made.token ?? made.secret ?? made.key;
    expect(codes(await each((node) => me(node, token)))).toEqual(of('200'));
    expect((await nodes[2]!.admin('DELETE', `/tokens/${made.id}`)).status).toBeLessThan(300);
    expect((await each((node) => me(node, token))).map(({ status }) => status)).toEqual(of(401));
  });
});

describe('the installation', () => {
  test('lists its three nodes on each of them', async () => {
    const ids = async (node: TestServer) =>
      (await node.admin('GET', '/nodes')).body.data.map(({ id }: Json) => id);
    const before = await ids(first);
    expect(before).toHaveLength(3);
    const { body: clock } = await advance(40 * 86_400, nodes[1]);
    for (const node of nodes) {
      await waitFor(async () => {
        const { body: account } = await node.admin('POST', '/accounts', { name: 'x', plan: 'starter' });
        return Date.parse(account.cycle_started_at) >= Date.parse(clock.now) - 1;
      }, SPREAD_MS);
      expect(await ids(node)).toEqual(before);
    }
  });

  test('keeps answers that are under way when the test clock jumps', async () => {
    const key = await knownKey();
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.forget();
    upstream.answer('hidden-test-small', (request) => promise.then(() => answerWell(request)));
    const asked = spread(9, chatOn(key));
    await waitFor(() => upstream.requests.length === 9);
    for (const node of nodes) await advance(3_600, node);
    resolve();
    upstream.answer('hidden-test-small', answerWell);
    expect(countStatuses(await asked)).toEqual({ 200: 9 });
  });

  test('reloads the configuration of all nodes', async () => {
    const key = await knownKey();
    const next = { ...config, plans: { starter: { requests_per_min: 77 } } };
    for (const node of nodes) node.configure(next);
    expect((await nodes[1]!.reload()).status).toBe(200);
    await waitFor(async () => {
      const answers = await each(chatOn(key));
      return answers.every(({ headers }) => headers.get('x-ratelimit-limit-requests') === '77');
    }, SPREAD_MS);
    for (const node of nodes) node.configure(config);
    await first.reload();
  });

  test('drains a provider on all nodes', async () => {
    const key = await knownKey();
    const drain = (what: string) => nodes[2]!.admin('POST', `/providers/hidden-openai-chat/${what}`);
    expect((await drain('drain')).status).toBe(200);
    await waitFor(async () => (await each(chatOn(key))).every(({ status }) => status >= 500), SPREAD_MS);
    expect((await drain('undrain')).status).toBe(200);
    await waitFor(async () => (await each(chatOn(key))).every(({ status }) => status === 200), SPREAD_MS);
  });

  test('ends a drain at a node that has not heard of it yet', async () => {
    const path = '/providers/hidden-openai-chat';
    expect((await nodes[0]!.admin('POST', `${path}/drain`)).status).toBe(200);
    expect((await nodes[1]!.admin('POST', `${path}/undrain`)).status).toBe(200);
    const healthAt = async (node: (typeof nodes)[number]) => (await node.admin('GET', path)).body.health;
    await waitFor(async () => (await healthAt(nodes[0]!)) !== 'drained', SPREAD_MS);
  });

  fullTest('keeps a provider drained that a reload removes and adds again', async () => {
    const id = 'hidden-openai-embeddings';
    const healths = () =>
      each(async (node) => {
        const { data } = (await node.admin('GET', '/providers')).body;
        return data.find((provider: Json) => provider.id === id)?.health;
      });
    const reloadAll = async (next: typeof config, health: string | undefined) => {
      for (const node of nodes) node.configure(next);
      await first.reload();
      await waitFor(async () => (await healths()).every((one) => one === health), SPREAD_MS);
    };
    expect((await nodes[1]!.admin('POST', `/providers/${id}/drain`)).status).toBe(200);
    const others = config.providers.filter((provider) => provider.id !== id);
    const models = config.catalog.models.filter((model) => !JSON.stringify(model).includes(id));
    await reloadAll({ ...config, providers: others, catalog: { ...config.catalog, models } }, undefined);
    await reloadAll(config, 'drained');
    await nodes[2]!.admin('POST', `/providers/${id}/undrain`);
  });
});

fullTest('a sign-in of a client works at every node until the membership ends', async () => {
  const clients = nodes.map(deviceClient);
  const account = (await first.admin('POST', '/accounts', { name: 'Ours', plan: 'starter' })).body.id;
  const operator = await signInAsOperator(first);
  await joinOrganization(first, operator, { account, email: 'owner@example.com', role: 'owner' });
  const joining = { account, email: 'ada@example.com', role: 'developer' } as const;
  const person = await joinOrganization(nodes[1]!, operator, joining);
  const begun = await clients[0]!.begin();
  expect(await clients[1]!.decide(person, begun, account)).toBe(200);
  const answers = await Promise.all(clients.map((client) => client.token(client.deviceForm(begun))));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  const session = answers.find(({ status }) => status === 200)!.body;
  expect(statusesOf(await each(chatOn({ key: session.access_token })))).toEqual([200, 200, 200]);
  const renewed = (await clients[2]!.refresh(session.refresh_token)).body;
  expect(statusesOf(await each(chatOn({ key: renewed.access_token })))).toEqual([200, 200, 200]);
  const members = (await person.call(`/organizations/${account}/members`)).body.data as Json[];
  const { id } = members.find(({ email }) => email === person.email)!;
  const path = `/organizations/${account}/members/${id}`;
  expect((await person.call(path, { method: 'DELETE' })).status).toBeLessThan(300);
  expect(codes(await each(chatOn({ key: renewed.access_token })))).toEqual(of('401 revoked_api_key'));
  expect((await clients[0]!.refresh(renewed.refresh_token)).status).toBe(401);
});

const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status);
