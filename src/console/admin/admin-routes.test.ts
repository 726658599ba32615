import { afterAll, describe, expect, test } from 'bun:test';
import { builtinPlans } from '../../settings/plans/plan.ts';
import { startAdminServer } from './testing/test-admin-server.ts';

const { close, activity, call, callWith, newAccount, reloads } = await startAdminServer();
afterAll(close);

describe('keys', () => {
  test('shows a full key only at its creation among all routes of keys [ADM-31] [ADM-32] [AUT-04]', async () => {
    const id = await newAccount();
    const wanted = { name: 'ci', payg: true, monthly_cap_usd: 12.5, allowed_models: ['svc-small'] };
    const created = await call(`POST /accounts/${id}/keys`, wanted);
    expect(created.status).toBe(201);
    const { key, ...view } = created.body;
    expect(key).toMatch(/^svc_[0-9A-Za-z]{49}$/);
    expect(view).toEqual({
      last_used_at: null,
      person_id: null,
      retries: 'none',
      resumable: false,
      tags: [],
      ...wanted,
      allowed_models: ['@svc/small'],
      limits: null,
      expires_at: null,
      previous_secret_ends_at: null,
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
    expect({ status: revoked.status, revoked_at: revoked.body.revoked_at }).toEqual({
      status: 200,
      revoked_at: expect.any(String),
    });
    expect(await call(`DELETE /keys/${view.id}`)).toEqual(revoked);
    expect((await call(`PATCH /keys/${view.id}`, change)).status).toBe(409);
  });

  test('creates a key from an empty body', async () => {
    const { status, body } = await call(`POST /accounts/${await newAccount()}/keys`, {});
    expect({ status, name: body.name, payg: body.payg, allowed_models: body.allowed_models }).toEqual({
      status: 201,
      name: null,
      payg: false,
      allowed_models: null,
    });
  });
});

const unknown = { p50: null, p95: null, p99: null };

describe('providers', () => {
  test('shows providers with their activity and without secrets [ADM-35]', async () => {
    activity.begin('local').firstByte();
    const { body } = await call('GET /providers');
    expect(body.data).toEqual([
      {
        id: 'local',
        wires: ['openai-chat'],
        mode: 'live',
        source: 'file',
        base_url: 'https://example.org/v1',
        missing_variables: [],
        health: 'up',
        slots_in_use: 1,
        max_concurrent: 8,
        queue_length: 0,
        queue_by_class: { paid: 0, free: 0, batch: 0, flex: 0 },
        queue_wait_ms: { paid: unknown, free: unknown, batch: unknown, flex: unknown },
        latency_ms: { p50: expect.any(Number), p95: expect.any(Number), p99: expect.any(Number) },
        error_rate: 0,
        requests_total: 1,
        revision: null,
        simulated: false,
        errors_total: 0,
        last_error_at: null,
        last_error: null,
        key_refused_since: null,
        fault: null,
        credential: {
          kind: 'api_key',
          hint: null,
          set_at: null,
          source: null,
          error: null,
          expires_at: null,
          refreshed_at: null,
        },
        last_probe: null,
        targets: [
          {
            model: 'upstream-small',
            circuit: 'closed',
            pause_left_ms: 0,
            in_flight: 1,
            error_rate: 0.25,
            first_byte_ms: { whole: 12.5, stream: null },
          },
        ],
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect((await call('GET /providers/local')).body).toEqual(body.data[0]);
  });

  test('audits the start and the end of a drain [ADM-36] [ADM-37]', async () => {
    expect((await call('POST /providers/local/drain')).body.health).toBe('drained');
    expect(activity.isDrained('local')).toBe(true);
    await call('POST /providers/local/drain');
    expect((await call('POST /providers/local/undrain')).body.health).toBe('up');
    const [undrained, drained] = (await call('GET /audit?limit=2')).body.data;
    expect({ undrained: undrained.action, drained: drained.action }).toEqual({
      undrained: 'provider-undrain',
      drained: 'provider-drain',
    });
    expect(drained).toMatchObject({ actor: 'admin', target: 'local', before: { drained: false } });
  });
});

describe('operation', () => {
  test('lists audit entries newest first, with actor, action, time, before and after [ADM-37]', async () => {
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

  test('examines the server and, on its own address, the providers [ADM-12]', async () => {
    const { status, body } = await call('GET /doctor');
    expect(status).toBe(200);
    expect(body.ok).toBe(true);
    expect(body.config_file).toBeNull();
    expect(body.findings[0].status).toBe('ok');
    expect((await call('POST /doctor/live')).body).toMatchObject({
      ok: false,
      findings: [{ status: 'fail' }],
    });
    for (const wrong of ['GET /doctor/live', 'POST /doctor'])
      expect({ wrong, status: (await call(wrong)).status }).toEqual({ wrong, status: 405 });
  });

  test('filters the audit log by actor, action, target and time [ADM-37]', async () => {
    const one = await newAccount();
    const other = await newAccount();
    await call(`PATCH /accounts/${one}`, { email_verified: true });
    const found = async (query: string) =>
      (await call(`GET /audit?${query}`)).body.data.map(
        ({ action, target }: { action: string; target: string }) => `${action} ${target}`,
      );
    expect(await found(`target=${one}`)).toEqual([`account-change ${one}`, `account-create ${one}`]);
    expect(await found('action=account-create&limit=2')).toEqual([
      `account-create ${other}`,
      `account-create ${one}`,
    ]);
    expect(await found(`actor=admin&target=${other}&since=2026-01-01`)).toEqual([`account-create ${other}`]);
    expect(await found(`actor=nobody&target=${other}`)).toEqual([]);
    expect(await found(`target=${other}&since=2999-01-01T00:00:00Z`)).toEqual([]);
    for (const since of ['', 'yesterday', '12', '2026-02-30', '2026-01-01T25:00:00Z']) {
      const { status, body } = await call(`GET /audit?since=${since}`);
      expect({ status, param: body.error.param, message: body.error.message }).toEqual({
        status: 400,
        param: 'since',
        message: 'since must be a time like 2026-11-22T10:00:00Z.',
      });
    }
  });

  test('a reload returns its generation or the problems of the configuration [ADM-21]', async () => {
    expect(await call('POST /reload')).toMatchObject({
      status: 200,
      body: { reloaded: true, generation: 2 },
    });
    const problems = [
      'tollgate.yaml:3:5 server.port: must be an integer',
      'tollgate.yaml:9:1 brand: is wrong',
    ];
    reloads.next = { problems };
    const { status, body } = await call('POST /reload');
    expect({ status, code: body.error.code, details: body.error.details }).toEqual({
      status: 400,
      code: 'invalid_request',
      details: problems,
    });
    expect(body.error.message).toContain(problems[0]!);
  });

  test('advances the clock of a test server; other servers have no clock endpoint [ADM-47]', async () => {
    const before = Date.now();
    const { status, body } = await call('POST /test/clock', { advance_s: 86_400 });
    expect(status).toBe(200);
    expect(Date.parse(body.now) - before).toBeWithin(86_400_000, 86_500_000);
    expect((await call('POST /test/clock', { advance_s: -1 })).status).toBe(400);
    const production = callWith({ movableClock: undefined });
    expect((await production('POST /test/clock', { advance_s: 1 })).status).toBe(404);
  });

  test('applies a downgrade when the clock passes the renewal [PLN-14] [ADM-47]', async () => {
    const id = await newAccount('pro');
    expect((await call(`PATCH /accounts/${id}`, { plan: 'starter' })).body.pending_plan).toBe('starter');
    await call('POST /test/clock', { advance_s: 32 * 86_400 });
    expect((await call(`GET /accounts/${id}`)).body).toMatchObject({ plan: 'starter', pending_plan: null });
  });

  test('shows plans, and models under every alias [ADM-09]', async () => {
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
      expect((await call(`GET /catalog/${name}`)).body).toEqual({ ...models[0], row: null });
    }
  });
});
