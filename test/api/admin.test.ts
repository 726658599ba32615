import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: sampleConfig(upstream.url) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const routes = [
  'GET /accounts',
  'POST /accounts',
  'GET /accounts/x',
  'PATCH /accounts/x',
  'POST /accounts/x/keys',
  'GET /accounts/x/keys',
  'PATCH /keys/x',
  'DELETE /keys/x',
  'GET /providers',
  'GET /providers/x',
  'POST /providers/x/drain',
  'POST /providers/x/undrain',
  'POST /reload',
  'GET /audit',
  'GET /catalog',
];

describe('the admin API', () => {
  test('accepts only the admin token [ADM-24] [ADM-25]', async () => {
    const token = server.adminToken;
    const ask = (route: string, headers: Record<string, string>) => {
      const [method, path] = route.split(' ') as [string, string];
      return server.call(`/admin/v1${path}`, { method, headers });
    };
    for (const route of routes) {
      expectRefusal(await ask(route, {}), 401, 'missing_api_key');
      for (const headers of [
        { 'x-api-key': token },
        { authorization: `Basic ${token}` },
        { cookie: `token=${token}` },
      ])
        expect((await ask(route, headers as Record<string, string>)).status).toBe(401);
    }
    // Repeated wrong tokens are slowed, so each route gets only one of them.
    const wrong = ['nonsense', server.firstKey, token.slice(0, -1), `${token}x`, token.toUpperCase()];
    for (const [index, route] of routes.entries())
      expectRefusal(await ask(route, bearer(wrong[index % wrong.length]!)), 401, 'invalid_api_key');
    const { body: audit } = await server.admin('GET', '/audit');
    expect(audit.data[0]).toMatchObject({ action: 'token-refused', actor: 'unknown' });
  });

  test('answers faults in the OpenAI-style envelope [ADM-25]', async () => {
    expectRefusal(await server.admin('POST', '/accounts', '{'), 400, 'invalid_json');
    expectRefusal(await server.admin('POST', '/accounts', { plan: 'free' }), 400, 'invalid_request', 'name');
    expectRefusal(
      await server.admin('POST', '/accounts', { name: 'x', plan: 'gold' }),
      400,
      'invalid_request',
      'plan',
    );
    for (const path of ['/accounts/nobody', '/accounts/nobody/keys', '/nowhere'])
      expectRefusal(await server.admin('GET', path), 404, 'not_found');
    expectRefusal(await server.admin('DELETE', '/keys/nobody'), 404, 'not_found');
    expectRefusal(await server.admin('PUT', '/accounts', {}), 405, 'method_not_allowed');
  });
});

describe('an account', () => {
  test('is created and shown with its fields [ADM-26] [ADM-27]', async () => {
    const { status, body } = await server.admin('POST', '/accounts', {
      name: 'Ada',
      email: 'ada@example.org',
      plan: 'pro',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^acct_/),
      name: 'Ada',
      email: 'ada@example.org',
      email_verified: false,
      plan: 'pro',
      pending_plan: null,
      status: 'active',
      price_usd_per_month: 19,
      plan_overrides: null,
      cycle_started_at: expect.any(String),
      cycle_ends_at: expect.any(String),
      credits: { limit: 10_000, used: 0, remaining: 10_000 },
      purchased_credits: 0,
      debt_credits: 0,
      stored: { bytes: 0, limit_bytes: 1_073_741_824 },
    });
    expect((await server.admin('GET', `/accounts/${body.id}`)).body).toEqual(body);
  });

  test('is in the list, which has pages by limit and after [ADM-27]', async () => {
    const { body: whole } = await server.admin('GET', '/accounts?limit=1000');
    const seen: string[] = [];
    for (let query = '?limit=2'; ; ) {
      const { body } = await server.admin('GET', `/accounts${query}`);
      seen.push(...body.data.map(({ id }: Json) => id));
      if (!body.has_more) break;
      query = `?limit=2&after=${body.last_id}`;
    }
    expect(seen).toEqual(whole.data.map(({ id }: Json) => id));
  });

  test('can be changed field by field, with effect on its keys at once [ADM-28]', async () => {
    const { account, key } = await server.createKey('starter');
    const path = `/accounts/${account}`;
    const included = async (): Promise<string[]> => {
      const { body } = await server.call('/v1/models', { headers: bearer(key) });
      return body.data.filter(({ svc }: Json) => svc.access.included).map(({ id }: Json) => id);
    };
    expect(await included()).not.toContain('test-vision');
    for (const change of [
      { name: 'Grace' },
      { plan: 'pro' },
      { email_verified: true },
      { cycle_started_at: new Date(Date.now() - 20 * 86_400_000).toISOString() },
      { price_usd_per_month: 7 },
      { plan_overrides: { requests_per_min: 7 } },
    ]) {
      const { status, body } = await server.admin('PATCH', path, change);
      expect({ status, body }).toEqual({ status: 200, body: expect.objectContaining(change) });
      expect((await server.admin('GET', path)).body).toEqual(body);
    }
    expect(await included()).toContain('test-vision');
    expect((await server.chat(key, 'test-vision')).status).toBe(200);
    await server.admin('PATCH', path, { status: 'suspended' });
    expectRefusal(await server.chat(key, 'test-vision'), 403, 'account_suspended');
  });
});

describe('a key', () => {
  test('is created with its fields, shown once, and works [ADM-31]', async () => {
    const account = await server.createAccount('pro');
    const fields = { name: 'ci', payg: false, monthly_cap_usd: 5, allowed_models: ['test-plain'] };
    const { status, body } = await server.admin('POST', `/accounts/${account}/keys`, fields);
    expect({ status, body }).toEqual({
      status: 201,
      body: expect.objectContaining({ id: expect.stringMatching(/^key_/), ...fields }),
    });
    expect((await server.chat(body.key, 'test-plain')).status).toBe(200);
    const { text, body: list } = await server.admin('GET', `/accounts/${account}/keys`);
    expect(list.data[0].id).toEqual(body.id);
    expect(text).not.toContain(body.key);
  });

  test('can be changed and revoked, with effect at once [ADM-32]', async () => {
    const { id, key } = await server.createKey('pro');
    const mode = async () =>
      (await server.call('/v1/models', { headers: bearer(key) })).headers.get('cache-control');
    expect(await mode()).toBe('public, max-age=300');
    const { body } = await server.admin('PATCH', `/keys/${id}`, {
      payg: true,
      monthly_cap_usd: 12.5,
      name: 'renamed',
    });
    expect(body).toMatchObject({ id, payg: true, monthly_cap_usd: 12.5, name: 'renamed' });
    expect(await mode()).toBe('private, no-store');
    expect((await server.admin('DELETE', `/keys/${id}`)).status).toBe(200);
    expectRefusal(await server.chat(key, 'test-plain'), 401, 'revoked_api_key');
  });

  test('can be restricted only to models that exist', async () => {
    const account = await server.createAccount('pro');
    const answer = await server.admin('POST', `/accounts/${account}/keys`, {
      allowed_models: ['test-plain', 'nobody'],
    });
    expectRefusal(answer, 400, 'invalid_request', 'allowed_models[1]');
  });
});

test('records every change in the audit log, with the actor, the time, the values before and after [ADM-37]', async () => {
  const { account, id } = await server.createKey('pro');
  await server.admin('PATCH', `/accounts/${account}`, { name: 'Renamed' });
  await server.admin('PATCH', `/keys/${id}`, { payg: true });
  await server.admin('DELETE', `/keys/${id}`);
  await server.admin('POST', '/providers/hidden-openai-chat/drain');
  await server.admin('POST', '/providers/hidden-openai-chat/undrain');
  await server.reload();
  const entries: Json[] = (await server.admin('GET', '/audit?limit=8')).body.data;
  expect(entries.map(({ action }) => action)).toEqual([
    'config-reload',
    'provider-undrain',
    'provider-drain',
    'key-revoke',
    'key-change',
    'account-change',
    'key-create',
    'account-create',
  ]);
  for (const { actor, at, target } of entries) {
    expect(actor).toBe('admin');
    expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000);
    expect(typeof target).toBe('string');
  }
  expect(entries[5]).toMatchObject({ target: account, before: { name: 'pro' }, after: { name: 'Renamed' } });
  expect(entries[4]).toMatchObject({ target: id, before: { payg: false }, after: { payg: true } });
});
