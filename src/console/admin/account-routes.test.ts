import { afterAll, describe, expect, test } from 'bun:test';
import { heldBy, samplePeriod, samplePosting } from '../../store/testing/conformance/sample-ledger.ts';
import { startAdminServer } from './testing/test-admin-server.ts';

const { close, ledger, call, newAccount } = await startAdminServer();
afterAll(close);

describe('accounts', () => {
  test('creates and shows an account with exactly the fields of the contract [ADM-26] [ADM-27]', async () => {
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
      debt_credits: 0,
      stored: { bytes: 0, limit_bytes: 1_073_741_824 },
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
    test(`plan ${plan} has the documented credits and price [PLN-01] [PLN-02] [PLN-03] [PLN-04] [PLN-05] [PLN-06] [PLN-07] [PLN-08] [PLN-09]`, async () => {
      const { body } = await call('POST /accounts', { name: plan, plan });
      expect({ limit: body.credits.limit, price_usd_per_month: body.price_usd_per_month }).toEqual({
        limit,
        price_usd_per_month: price,
      });
      expect(body.cycle_ends_at === null).toBe(plan === 'free' || plan === 'payg');
    });
  }

  test('lists accounts oldest first, paged with limit and after [ADM-27]', async () => {
    const ids = [await newAccount(), await newAccount(), await newAccount()];
    const all = (await call('GET /accounts?limit=1000')).body;
    expect(all.data.slice(-3).map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(all.has_more).toBe(false);
    const page = (await call(`GET /accounts?limit=1&after=${ids[0]}`)).body;
    expect(page).toMatchObject({ object: 'list', first_id: ids[1], last_id: ids[1], has_more: true });
    expect((await call(`GET /accounts?after=${ids[2]}`)).body.data).toEqual([]);
  });

  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', 'limit=', 'after=']) {
    test(`refuses a list with ?${query}`, async () => {
      const { status, body } = await call(`GET /accounts?${query}`);
      expect({ status, param: body.error.param }).toEqual({ status: 400, param: query.split('=')[0] });
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
    test(`PATCH ${JSON.stringify(change).slice(0, 60)} applies and can be read back [ADM-28]`, async () => {
      const id = await newAccount();
      const { status, body } = await call(`PATCH /accounts/${id}`, change);
      expect({ status, body }).toEqual({ status: 200, body: expect.objectContaining(change) });
      expect((await call(`GET /accounts/${id}`)).body).toEqual(body);
    });
  }

  test('plan overrides set the credits and the price [PLN-10]', async () => {
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

  test('reads a time without an offset as UTC if it is valid', async () => {
    const id = await newAccount();
    const { body } = await call(`PATCH /accounts/${id}`, { cycle_started_at: '2020-01-31T10:00:00' });
    expect(body.cycle_started_at).toEndWith('T10:00:00.000Z');
    const refused = await call(`PATCH /accounts/${id}`, { cycle_started_at: '2026-13-01' });
    expect(refused.body.error).toMatchObject({ code: 'invalid_request', param: 'cycle_started_at' });
  });

  test('refuses a time that rolls over or lies before 1970', async () => {
    const id = await newAccount();
    for (const time of ['2026-02-30T00:00:00Z', '0050-01-15T00:00:00Z']) {
      const { status, body } = await call(`PATCH /accounts/${id}`, { cycle_started_at: time });
      expect({ status, param: body.error.param }).toEqual({ status: 400, param: 'cycle_started_at' });
    }
  });

  test('trims names and email addresses', async () => {
    const texts = { name: '  Zo\u00eb \u{1f468}\u200d\u{1f4bb} ', email: ' z@example.org ' };
    const trimmed = { name: texts.name.trim(), email: 'z@example.org' };
    const created = (await call('POST /accounts', { ...texts, plan: 'free' })).body;
    expect(created).toMatchObject(trimmed);
    const id = await newAccount();
    expect((await call(`PATCH /accounts/${id}`, texts)).body).toMatchObject(trimmed);
    const key = await call(`POST /accounts/${id}/keys`, { name: texts.name });
    expect(key.body.name).toBe(trimmed.name);
  });

  const unfitNames = [
    '',
    '   ',
    '\u00a0',
    '\u200b',
    '\u200f ',
    'a\u001b[31m',
    'a\u0000',
    'a\nb',
    '\ta',
    'a\u009b',
    'a\u202eb',
    'a\u2066b',
    'a\u2028b',
    'x'.repeat(201),
  ];
  for (const name of unfitNames) {
    test(`refuses the name ${JSON.stringify(name).slice(0, 20)}`, async () => {
      const id = await newAccount();
      const answers = [
        await call('POST /accounts', { name, plan: 'free' }),
        await call(`PATCH /accounts/${id}`, { name }),
        await call(`POST /accounts/${id}/keys`, { name }),
      ];
      for (const { status, body } of answers) {
        expect({ status, param: body.error.param }).toEqual({ status: 400, param: 'name' });
        expect(body.error.message).not.toMatch(/[\p{Cc}\u202e]/u);
      }
    });
  }

  for (const email of ['a@b\u0000', 'a\u202e@b', 'a b@c', 'a@', '@b', 'a@b@c', `a@${'b'.repeat(199)}`]) {
    test(`refuses the email address ${JSON.stringify(email).slice(0, 20)}`, async () => {
      const { status, body } = await call('POST /accounts', { name: 'x', email, plan: 'free' });
      expect({ status, param: body.error.param }).toEqual({ status: 400, param: 'email' });
    });
  }

  test('refuses plan and key changes of a closed account until it is reopened', async () => {
    const id = await newAccount();
    const keyId = (await call(`POST /accounts/${id}/keys`, {})).body.id;
    await call(`PATCH /accounts/${id}`, { status: 'closed' });
    const answers = [
      await call(`PATCH /accounts/${id}`, { plan: 'scale' }),
      await call(`POST /accounts/${id}/keys`, {}),
      await call(`PATCH /keys/${keyId}`, { payg: true }),
    ];
    for (const { status, body } of answers) {
      expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'account_closed' });
    }
    expect((await call(`DELETE /keys/${keyId}`)).status).toBe(200);
    expect((await call(`PATCH /accounts/${id}`, { status: 'active' })).body.status).toBe('active');
    expect((await call(`POST /accounts/${id}/keys`, {})).status).toBe(201);
  });

  test('shows the balances of the ledger in credits', async () => {
    const id = await newAccount();
    expect((await call(`POST /accounts/${id}/grants`, { credits: 50, reason: 'sorry' })).status).toBe(201);
    expect((await call(`POST /accounts/${id}/purchases`, { usd: 2.5 })).status).toBe(201);
    const { cycle_started_at } = (await call(`GET /accounts/${id}`)).body;
    const period = samplePeriod({
      id: `cycle-${Date.parse(cycle_started_at)}`,
      limitMicrocredits: 2_500_000_000,
    });
    await ledger.post(samplePosting(await heldBy(ledger, { accountId: id, period }), 2_600_500_000));
    const { body } = await call(`GET /accounts/${id}`);
    expect(body.credits).toEqual({ limit: 2_550, used: 2_600.5, remaining: 0 });
    expect(body.purchased_credits).toBe(1_250);
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
    ['PATCH /accounts/{id}', { plan_overrides: { credits: 1e10 } }, 'plan_overrides.credits'],
    ['PATCH /accounts/{id}', { plan_overrides: { credits: 1_000_000_000.1 } }, 'plan_overrides.credits'],
    ['PATCH /accounts/{id}', { plan_overrides: { price_usd: 2_000_001 } }, 'plan_overrides.price_usd'],
    ['PATCH /accounts/{id}', { price_usd_per_month: 2_000_001 }, 'price_usd_per_month'],
    ['POST /accounts/{id}/keys', { monthly_cap_usd: 2_000_001 }, 'monthly_cap_usd'],
    ['POST /accounts/{id}/grants', { credits: 1_000_000_001 }, 'credits'],
    ['POST /accounts/{id}/purchases', { usd: 2_000_001 }, 'usd'],
    ['POST /accounts/{id}/adjustments', { credits: -1e10, balance: 'purchased', reason: 'x' }, 'credits'],
    ['POST /accounts/{id}/adjustments', { credits: 4e-7, balance: 'purchased', reason: 'x' }, 'credits'],
    ['POST /accounts/{id}/keys', { monthly_cap_usd: -1 }, 'monthly_cap_usd'],
    ['POST /accounts/{id}/keys', { allowed_models: ['svc-small', 'nope'] }, 'allowed_models[1]'],
    ['POST /accounts/{id}/keys', { allowed_models: [1] }, 'allowed_models[0]'],
    ['POST /test/clock', { advance_s: 'much' }, 'advance_s'],
  ];
  for (const [target, body, param] of wrong) {
    test(`refuses ${target} ${JSON.stringify(body)} and names ${param} [ADM-25] [CRD-48]`, async () => {
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

  test('refuses a body that is not a JSON object [ADM-25]', async () => {
    expect((await call('POST /accounts', '{')).body.error.code).toBe('invalid_json');
    expect((await call('POST /accounts', '[]')).body.error.code).toBe('invalid_request');
  });

  test('answers unknown ids with 404 in the same envelope [ADM-25]', async () => {
    const targets = [
      'GET /accounts/x',
      'GET /accounts/x/keys',
      'GET /providers/x',
      'POST /providers/x/drain',
    ];
    for (const target of [...targets, 'DELETE /keys/x', 'GET /catalog/x', 'GET /nothing']) {
      const { status, body } = await call(target);
      expect({ status, type: body.error.type }).toEqual({ status: 404, type: 'invalid_request_error' });
    }
  });
});
