import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccounts } from '../accounts/accounts-service.ts';
import { Catalog } from '../catalog/catalog.ts';
import type { Model } from '../catalog/model.ts';
import { builtinPlans } from '../catalog/plan.ts';
import type { Plans } from '../catalog/plans.ts';
import { handleRequest } from '../http/edge.ts';
import { parseJsonObject } from '../http/json-body.ts';
import { Router } from '../http/router.ts';
import { MovableClock } from '../lib/clock.ts';
import { namesOf } from '../lib/names.ts';
import { ProviderActivity } from '../providers/provider-activity.ts';
import type { Provider } from '../providers/providers.ts';
import type { Snapshot } from '../snapshot.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { AdminDependencies, ReloadOutcome } from './admin-dependencies.ts';
import { adminRoutes } from './admin-routes.ts';

const TOKEN = 'the-admin-token';
const directory = mkdtempSync(join(tmpdir(), 'tollgate-admin-'));
const clock = new MovableClock();
const store = await openSqliteStore({ directory, clock });
const plans = Object.fromEntries(builtinPlans.map((plan) => [plan.id, plan])) as Plans;
const names = namesOf('svc');

const provider: Provider = {
  id: 'local',
  wires: ['openai-chat'],
  baseUrl: 'https://user:secret@example.org/v1?key=secret',
  apiKey: 'upstream-secret',
  headers: { 'x-secret': 'upstream-secret' },
  maxConcurrent: 8,
  batch: 'none',
  timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
  mode: 'live',
  source: 'file',
};

const model: Model = {
  id: '@svc/small',
  displayName: 'Small',
  description: '',
  ownedBy: 'test',
  created: 1_750_000_000,
  kind: 'chat',
  plan: 'free',
  launch: true,
  tier: 'workhorse',
  delivery: 'optimized',
  contextWindow: 8_192,
  maxOutput: null,
  capabilities: { tools: true, reasoning: false, vision: false, documents: false },
  reasoningEfforts: [],
  supportedParameters: [],
  pricing: { input: 1, output: 4, cachedInput: null },
  paygPricing: null,
  outputDimensions: null,
  aliases: [],
  comparable: [],
  routes: [{ provider: 'local', model: 'upstream-small', weight: 1, wires: null }],
};
const entry = { model, aliases: ['svc-small'], nativeWires: ['openai-chat'], targets: [] };
const catalog = new Catalog({
  entries: [entry],
  spellings: new Map([model.id, 'svc-small'].map((name) => [name, entry])),
  bridges: new Map(),
});
const snapshot = { names, plans, catalog, providers: new Map([['local', provider]]) } as unknown as Snapshot;

const activity = new ProviderActivity(clock);
const reloads = { next: { reloaded: true, generation: 2 } as ReloadOutcome };
const balances = { usedMicrocredits: 0, grantedMicrocredits: 0, purchasedMicrocredits: 0 };

const dependencies: AdminDependencies = {
  adminToken: TOKEN,
  accounts: createAccounts({
    store,
    clock,
    plans: () => plans,
    names: () => names,
    resolveModelId: (spelling) => catalog.find(spelling)?.model.id,
    onKeyChanged: () => {},
    onAccountChanged: () => {},
  }),
  activity,
  clock,
  movableClock: clock,
  balances: () => balances,
  readBody: async ({ request }) => parseJsonObject(await request.text()),
  reload: async () => reloads.next,
};

function serve(routes: ReturnType<typeof adminRoutes>) {
  const edge = {
    router: new Router(routes),
    snapshot: () => snapshot,
    isDraining: () => false,
    observer: {
      opened: () => {},
      answered: () => {},
      finished: () => {},
      failed: (_: unknown, error: unknown) => {
        throw error;
      },
    },
  };
  return async (target: string, body?: unknown, headers: Record<string, string> = authorization) => {
    const [method = '', path] = target.split(' ');
    const request = new Request(`http://host/admin/v1${path}`, {
      method,
      headers: { host: 'host', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const response = await handleRequest(edge, request, () => '127.0.0.1');
    // biome-ignore lint/suspicious/noExplicitAny: foreign JSON
    return { status: response.status, body: (await response.json()) as any };
  };
}
const authorization = { authorization: `Bearer ${TOKEN}` };
const routes = adminRoutes(dependencies);
const call = serve(routes);

const newAccount = async (plan = 'starter'): Promise<string> =>
  (await call('POST /accounts', { name: 'Ada', plan })).body.id;

afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

describe('the admin token', () => {
  const strangers: [string, Record<string, string>, string][] = [
    ['no token', {}, 'missing_api_key'],
    ['an empty header', { authorization: '' }, 'missing_api_key'],
    ['a token in another header', { 'x-api-key': TOKEN }, 'missing_api_key'],
    ['a wrong token', { authorization: 'Bearer wrong' }, 'invalid_api_key'],
    ['a longer token', { authorization: `Bearer ${TOKEN}x` }, 'invalid_api_key'],
    ['another scheme', { authorization: `Basic ${TOKEN}` }, 'invalid_api_key'],
    ['an API key', { authorization: `Bearer svc_${'a'.repeat(49)}` }, 'invalid_api_key'],
  ];
  for (const [what, headers, code] of strangers) {
    test(`${what} is refused on every route [ADM-24] [ADM-25]`, async () => {
      for (const { method, path } of routes) {
        const target = `${method} ${path.replace('/admin/v1', '').replace(/\{\w+\*?\}/, 'x')}`;
        const { status, body } = await call(target, undefined, headers);
        expect([status, body.error.code, body.error.type]).toEqual([401, code, 'authentication_error']);
      }
    });
  }

  test('an empty one never lets anybody in', () => {
    expect(() => adminRoutes({ ...dependencies, adminToken: '' })).toThrow();
  });
});

describe('accounts', () => {
  test('one is created and shown with exactly the fields of the contract [ADM-26] [ADM-27]', async () => {
    const { status, body } = await call('POST /accounts', {
      name: 'Ada',
      email: 'a@example.org',
      plan: 'pro',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^acct_\w{22}$/),
      name: 'Ada',
      email: 'a@example.org',
      email_verified: false,
      plan: 'pro',
      pending_plan: null,
      status: 'active',
      price_usd_per_month: 19,
      plan_overrides: null,
      cycle_started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      cycle_ends_at: expect.stringMatching(/^\d{4}-.*Z$/),
      credits: { limit: 10_000, used: 0, remaining: 10_000 },
      purchased_credits: 0,
    });
    expect(await call(`GET /accounts/${body.id}`)).toEqual({ status: 200, body });
  });

  const terms: [string, number | null, number | null][] = [
    ['free', 200, 0],
    ['launch', 1_000, 2],
    ['starter', 2_500, 5],
    ['pro', 10_000, 19],
    ['max', 25_000, 49],
    ['scale', 50_000, 99],
    ['payg', 0, null],
    ['enterprise', null, null],
  ];
  for (const [plan, limit, price] of terms) {
    test(`${plan} has its credits and its price [PLN-01] [PLN-02] [PLN-03] [PLN-04] [PLN-05] [PLN-06] [PLN-07] [PLN-08] [PLN-09]`, async () => {
      const { body } = await call('POST /accounts', { name: plan, plan });
      expect([body.credits.limit, body.price_usd_per_month]).toEqual([limit, price]);
      expect(body.cycle_ends_at === null).toBe(plan === 'free' || plan === 'payg');
    });
  }

  test('the list is paged with limit and after, oldest first [ADM-27]', async () => {
    const ids = [await newAccount(), await newAccount(), await newAccount()];
    const all = (await call('GET /accounts?limit=1000')).body;
    expect(all.data.slice(-3).map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(all.has_more).toBe(false);
    const page = (await call(`GET /accounts?limit=1&after=${ids[0]}`)).body;
    expect(page).toMatchObject({ object: 'list', first_id: ids[1], last_id: ids[1], has_more: true });
    expect((await call(`GET /accounts?after=${ids[2]}`)).body.data).toEqual([]);
  });

  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', 'limit=', 'after=']) {
    test(`a list with ?${query} is refused`, async () => {
      const { status, body } = await call(`GET /accounts?${query}`);
      expect([status, body.error.param]).toEqual([400, query.split('=')[0]]);
    });
  }

  const changes: Record<string, unknown>[] = [
    { name: 'Bea' },
    { email: 'b@example.org' },
    { plan: 'max' },
    { status: 'suspended' },
    { status: 'closed' },
    { status: 'active' },
    { email_verified: true },
    { price_usd_per_month: 79 },
    { price_usd_per_month: 49, plan: 'max' },
    { plan_overrides: { credits: 123, concurrent: 7, max_prompt_tokens: null } },
    { plan_overrides: null },
    { cycle_started_at: new Date(Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000).toISOString() },
  ];
  for (const change of changes) {
    test(`PATCH ${JSON.stringify(change).slice(0, 60)} acts and can be read back [ADM-28]`, async () => {
      const id = await newAccount();
      const { status, body } = await call(`PATCH /accounts/${id}`, change);
      expect([status, body]).toEqual([200, expect.objectContaining(change)]);
      expect((await call(`GET /accounts/${id}`)).body).toEqual(body);
    });
  }

  test('overrides set the credits and the price [PLN-10]', async () => {
    const id = await newAccount('enterprise');
    const { body } = await call(`PATCH /accounts/${id}`, {
      plan_overrides: { credits: 500_000 },
      price_usd_per_month: 2_000,
    });
    expect(body).toMatchObject({
      credits: { limit: 500_000, remaining: 500_000 },
      price_usd_per_month: 2_000,
    });
  });

  test('a time without an offset is UTC, and one that does not exist is refused', async () => {
    const id = await newAccount();
    const { body } = await call(`PATCH /accounts/${id}`, { cycle_started_at: '2020-01-31T10:00:00' });
    expect(body.cycle_started_at).toEndWith('T10:00:00.000Z');
    const refused = await call(`PATCH /accounts/${id}`, { cycle_started_at: '2026-13-01' });
    expect(refused.body.error).toMatchObject({ code: 'invalid_request', param: 'cycle_started_at' });
  });

  test('what the ledger says is shown in credits', async () => {
    const id = await newAccount();
    Object.assign(balances, {
      usedMicrocredits: 2_600_500_000,
      grantedMicrocredits: 50_000_000,
      purchasedMicrocredits: 7_250_000,
    });
    const { body } = await call(`GET /accounts/${id}`);
    expect(body.credits).toEqual({ limit: 2_550, used: 2_600.5, remaining: 0 });
    expect(body.purchased_credits).toBe(7.25);
    Object.assign(balances, { usedMicrocredits: 0, grantedMicrocredits: 0, purchasedMicrocredits: 0 });
  });

  const wrong: [string, unknown, string | null][] = [
    ['POST /accounts', { name: 'x' }, 'plan'],
    ['POST /accounts', { name: '', plan: 'free' }, 'name'],
    ['POST /accounts', { name: 'x', plan: 'gold' }, 'plan'],
    ['POST /accounts', { name: 'x', plan: 'free', planet: 1 }, 'planet'],
    ['POST /accounts', { name: 'x', plan: 'free', email: 'nobody' }, 'email'],
    ['PATCH /accounts/{id}', { status: 'gone' }, 'status'],
    ['PATCH /accounts/{id}', { email_verified: 'yes' }, 'email_verified'],
    ['PATCH /accounts/{id}', { cycle_started_at: 'yesterday' }, 'cycle_started_at'],
    ['PATCH /accounts/{id}', { cycle_started_at: '2999-01-01' }, 'cycle_started_at'],
    ['PATCH /accounts/{id}', { price_usd_per_month: -1 }, 'price_usd_per_month'],
    ['PATCH /accounts/{id}', { plan_overrides: { credit: 1 } }, 'plan_overrides.credit'],
    ['POST /accounts/{id}/keys', { monthly_cap_usd: -1 }, 'monthly_cap_usd'],
    ['POST /accounts/{id}/keys', { allowed_models: ['svc-small', 'nope'] }, 'allowed_models[1]'],
    ['POST /accounts/{id}/keys', { allowed_models: [1] }, 'allowed_models[0]'],
    ['POST /test/clock', { advance_s: 'much' }, 'advance_s'],
  ];
  for (const [target, body, param] of wrong) {
    test(`${target} ${JSON.stringify(body)} is refused at ${param} [ADM-25]`, async () => {
      const answer = await call(target.replace('{id}', await newAccount()), body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({
        type: 'invalid_request_error',
        code: 'invalid_request',
        param,
      });
      expect(answer.body.error.message).toStartWith(param!);
    });
  }

  test('a body that is no JSON object is refused [ADM-25]', async () => {
    expect((await call('POST /accounts', '{')).body.error.code).toBe('invalid_json');
    expect((await call('POST /accounts', '[]')).body.error.code).toBe('invalid_request');
  });

  test('what does not exist is 404 in the same envelope [ADM-25]', async () => {
    const targets = [
      'GET /accounts/x',
      'GET /accounts/x/keys',
      'GET /providers/x',
      'POST /providers/x/drain',
    ];
    for (const target of [...targets, 'DELETE /keys/x', 'GET /catalog/x', 'GET /nothing']) {
      const { status, body } = await call(target);
      expect([status, body.error.type]).toEqual([404, 'invalid_request_error']);
    }
  });
});

describe('keys', () => {
  test('a key is shown once, listed without it, changed and revoked [ADM-31] [ADM-32] [AUT-04]', async () => {
    const id = await newAccount();
    const wanted = { name: 'ci', payg: true, monthly_cap_usd: 12.5, allowed_models: ['svc-small'] };
    const created = await call(`POST /accounts/${id}/keys`, wanted);
    expect(created.status).toBe(201);
    const { key, ...view } = created.body;
    expect(key).toMatch(/^svc_[0-9A-Za-z]{49}$/);
    expect(view).toEqual({
      ...wanted,
      allowed_models: ['@svc/small'],
      id: expect.stringMatching(/^key_\w{22}$/),
      account_id: id,
      hint: key.slice(0, 10),
      created_at: expect.any(String),
      revoked_at: null,
    });
    expect((await call(`GET /accounts/${id}/keys`)).body.data).toEqual([view]);
    const change = { payg: false, monthly_cap_usd: null, allowed_models: null };
    expect((await call(`PATCH /keys/${view.id}`, change)).body).toEqual({ ...view, ...change });
    const revoked = await call(`DELETE /keys/${view.id}`);
    expect([revoked.status, revoked.body.revoked_at]).toEqual([200, expect.any(String)]);
    expect(await call(`DELETE /keys/${view.id}`)).toEqual(revoked);
    expect((await call(`PATCH /keys/${view.id}`, change)).status).toBe(409);
  });

  test('a key needs no field at all', async () => {
    const { status, body } = await call(`POST /accounts/${await newAccount()}/keys`, {});
    expect([status, body.name, body.payg, body.allowed_models]).toEqual([201, null, false, null]);
  });
});

describe('providers', () => {
  test('they are shown with their activity and without secrets [ADM-35]', async () => {
    activity.begin('local').firstByte();
    const { body } = await call('GET /providers');
    expect(body.data).toEqual([
      {
        id: 'local',
        wires: ['openai-chat'],
        mode: 'live',
        source: 'file',
        base_url: 'https://example.org/v1',
        health: 'up',
        slots_in_use: 1,
        max_concurrent: 8,
        queue_length: 0,
        latency_ms: { p50: expect.any(Number), p95: expect.any(Number), p99: expect.any(Number) },
        error_rate: 0,
        requests_total: 1,
        errors_total: 0,
        last_error_at: null,
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect((await call('GET /providers/local')).body).toEqual(body.data[0]);
  });

  test('one is drained and put back, and both are in the audit log [ADM-36] [ADM-37]', async () => {
    expect((await call('POST /providers/local/drain')).body.health).toBe('drained');
    expect(activity.isDrained('local')).toBe(true);
    await call('POST /providers/local/drain');
    expect((await call('POST /providers/local/undrain')).body.health).toBe('up');
    const [undrained, drained] = (await call('GET /audit?limit=2')).body.data;
    expect([undrained.action, drained.action]).toEqual(['provider-undrain', 'provider-drain']);
    expect(drained).toMatchObject({ actor: 'admin', target: 'local', before: { drained: false } });
  });
});

describe('operation', () => {
  test('the audit log says who, what, when, before and after, newest first [ADM-37]', async () => {
    const id = await newAccount();
    await call(`PATCH /accounts/${id}`, { email_verified: true });
    const { body } = await call('GET /audit?limit=2');
    expect(body.has_more).toBe(true);
    expect(body.data[0]).toMatchObject({
      at: expect.stringMatching(/Z$/),
      actor: 'admin',
      action: 'account-change',
      target: id,
      before: { email_verified: false, cycle_started_at: expect.stringMatching(/Z$/) },
      after: { email_verified: true },
    });
    expect(body.data[1]).toMatchObject({ action: 'account-create', target: id, before: null });
    const next = (await call(`GET /audit?limit=1&after=${body.data[0].id}`)).body;
    expect(next.data).toEqual([body.data[1]]);
  });

  test('a reload says its generation, and a wrong configuration what is wrong with it [ADM-21]', async () => {
    expect(await call('POST /reload')).toEqual({ status: 200, body: { reloaded: true, generation: 2 } });
    const problems = [
      'tollgate.yaml:3:5 server.port: must be an integer',
      'tollgate.yaml:9:1 brand: is wrong',
    ];
    reloads.next = { problems };
    const { status, body } = await call('POST /reload');
    expect([status, body.error.code, body.error.details]).toEqual([400, 'invalid_request', problems]);
    expect(body.error.message).toContain(problems[0]!);
  });

  test('the clock moves ahead on a test server, and is not there on another [ADM-47]', async () => {
    const before = Date.now();
    const { status, body } = await call('POST /test/clock', { advance_s: 86_400 });
    expect(status).toBe(200);
    expect(Date.parse(body.now) - before).toBeWithin(86_400_000, 86_500_000);
    expect((await call('POST /test/clock', { advance_s: -1 })).status).toBe(400);
    const production = serve(adminRoutes({ ...dependencies, movableClock: undefined }));
    expect((await production('POST /test/clock', { advance_s: 1 })).status).toBe(404);
  });

  test('a downgrade acts once the clock has passed the renewal [PLN-14] [ADM-47]', async () => {
    const id = await newAccount('pro');
    expect((await call(`PATCH /accounts/${id}`, { plan: 'starter' })).body.pending_plan).toBe('starter');
    await call('POST /test/clock', { advance_s: 32 * 86_400 });
    expect((await call(`GET /accounts/${id}`)).body).toMatchObject({ plan: 'starter', pending_plan: null });
  });

  test('plans and models are shown as served, models under every name [ADM-09]', async () => {
    const { body } = await call('GET /plans');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(builtinPlans.map(({ id }) => id));
    expect(body.data[2]).toMatchObject({
      id: 'starter',
      display_name: 'Starter',
      price_usd: 5,
      requests_per_min: 300,
    });
    const models = (await call('GET /catalog')).body.data;
    expect(models).toMatchObject([
      { id: '@svc/small', plan: 'free', routes: [{ provider: 'local', usable: false }] },
    ]);
    for (const name of ['@svc/small', 'svc-small', '%40svc%2Fsmall']) {
      expect((await call(`GET /catalog/${name}`)).body).toEqual(models[0]);
    }
  });
});
