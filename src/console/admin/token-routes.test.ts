import { afterAll, describe, expect, test } from 'bun:test';
import type { AdminRole } from '../../customers/operators/admin-token.ts';
import { startAdminServer, TOKEN } from './testing/test-admin-server.ts';

const { call, close, newAccount, routes, clock } = await startAdminServer();
afterAll(close);

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const statusWith = async (token: string, target = 'GET /accounts', body?: unknown) =>
  (await call(target, body, bearer(token))).status;

let made = 0;
async function newToken(role: AdminRole, fields: object = {}) {
  const { status, body } = await call('POST /tokens', { name: `token ${++made}`, role, ...fields });
  expect(status).toBe(201);
  return body as { id: string; token: string; name: string };
}

describe('a named admin token', () => {
  test('is shown once, but never in a list or the audit log', async () => {
    const { status, body } = await call('POST /tokens', {
      name: ' on-call ',
      role: 'operator',
      expires_at: '2100-01-01',
    });
    expect(status).toBe(201);
    const { token, ...shown } = body;
    expect(token).toMatch(/^tga_[0-9A-Za-z]{43}$/);
    expect(shown).toEqual({
      id: expect.stringMatching(/^tok_/),
      name: 'on-call',
      role: 'operator',
      hint: token.slice(0, 10),
      created_at: expect.any(String),
      expires_at: '2100-01-01T00:00:00.000Z',
      previous_secret_ends_at: null,
      revoked_at: null,
    });
    const { body: tokens } = await call('GET /tokens');
    expect(tokens.data).toContainEqual(shown);
    const hash = new Bun.CryptoHasher('sha256').update(token).digest('hex');
    const everything = JSON.stringify([tokens, (await call('GET /audit')).body]);
    expect(everything).toContain('token-create');
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(hash);
  });

  test('is the actor of its changes in the audit log [ADM-37]', async () => {
    const { token, name } = await newToken('operator');
    const { body: account } = await call('POST /accounts', { name: 'Eve', plan: 'pro' }, bearer(token));
    const changes = [
      ['POST /accounts', account.id],
      [`PATCH /accounts/${account.id}`, account.id, { name: 'Eva' }],
      [`POST /accounts/${account.id}/grants`, account.id, { credits: 5, reason: 'test' }],
      ['POST /ledger/repair', 'store'],
      ['POST /providers/local/drain', 'local'],
      ['POST /providers/local/undrain', 'local'],
      ['POST /test/clock', 'clock', { advance_s: 1 }],
    ] as const;
    for (const [target, , body] of changes.slice(1))
      expect(await statusWith(token, target, body ?? {})).toBeLessThan(300);
    const { body: audit } = await call('GET /audit');
    const mine = audit.data.filter(({ actor }: { actor: string }) => actor === name);
    expect(mine.map(({ target }: { target: string }) => target).reverse()).toEqual(
      changes.map(([, target]) => target),
    );
    expect((await call('POST /accounts', { name: 'Max', plan: 'pro' })).status).toBe(201);
    expect((await call('GET /audit')).body.data[0].actor).toBe('admin');
  });

  test('is refused for a name that another token or the audit log has, or for a time in the past', async () => {
    const { id, name } = await newToken('owner');
    const create = (fields: object) => call('POST /tokens', { name: 'free', role: 'owner', ...fields });
    expect((await create({ name: name.toUpperCase() })).status).toBe(409);
    expect((await create({ name: 'Admin' })).body.error.param).toBe('name');
    for (const name of ['signal', 'command-line', 'First-Start', 'stripe', 'gateway'])
      expect((await create({ name })).status).toBe(400);
    expect((await create({ expires_at: '2001-01-01' })).body.error.param).toBe('expires_at');
    expect((await create({ expires_at: '2099-02-30' })).body.error.param).toBe('expires_at');
    expect((await create({ role: 'boss' })).body.error.param).toBe('role');
    await call(`DELETE /tokens/${id}`);
    expect((await create({ name })).status).toBe(201);
  });
});

describe('a role', () => {
  test('decides which routes a token may use instead of getting 403 [ADM-50]', async () => {
    const tokens = {
      owner: (await newToken('owner')).token,
      operator: (await newToken('operator')).token,
      read_only: (await newToken('read_only')).token,
    };
    for (const { method, path } of routes) {
      const target = `${method} ${path.replace('/admin/v1', '').replace(/\{\w+\*?\}/, 'none')}`;
      const isForOwners =
        path.startsWith('/admin/v1/tokens') ||
        (path.startsWith('/admin/v1/people') && !path.endsWith('/links'));
      for (const [role, token] of Object.entries(tokens)) {
        const changes = method !== 'GET' && (role === 'read_only' || (isForOwners && role !== 'owner'));
        const isContent = path.endsWith('/requests/{id}/content') && role === 'read_only';
        const isConfiguration = path.startsWith('/admin/v1/configuration') && role !== 'owner';
        const isRefused = changes || isContent || isConfiguration;
        const { status, body } = await call(target, method === 'GET' ? undefined : '{', bearer(token));
        expect([target, role, status === 403]).toEqual([target, role, isRefused]);
        if (isRefused) expect(body.error.code).toBe('permission_denied');
      }
    }
  });

  test('of an operator is not enough to take the token of an owner', async () => {
    const owner = await newToken('owner');
    const { token } = await newToken('operator');
    expect(await statusWith(token, `POST /tokens/${owner.id}/rotate`, {})).toBe(403);
    expect(await statusWith(token, `DELETE /tokens/${owner.id}`)).toBe(403);
    expect(await statusWith(owner.token)).toBe(200);
  });
});

describe('the end of an admin token', () => {
  const refusalOf = async (token: string) => {
    const { status, body } = await call('GET /accounts', undefined, bearer(token));
    return [status, body.error?.code, body.error?.message];
  };

  test('is its revocation, which takes effect at once', async () => {
    const { id, token } = await newToken('owner');
    expect(await statusWith(token)).toBe(200);
    expect((await call(`DELETE /tokens/${id}`)).body).toMatchObject({ id, revoked_at: expect.any(String) });
    expect(await refusalOf(token)).toEqual([401, 'revoked_api_key', 'This admin token is revoked.']);
    expect((await call(`POST /tokens/${id}/rotate`, {})).status).toBe(409);
    expect((await call('DELETE /tokens/tok_none')).status).toBe(404);
  });

  test('is its expiry', async () => {
    const expires_at = new Date(clock.now() + 60_000).toISOString();
    const { id, token } = await newToken('owner', { expires_at });
    expect(await statusWith(token)).toBe(200);
    clock.advance(60_000);
    expect(await refusalOf(token)).toEqual([401, 'revoked_api_key', 'This admin token has expired.']);
    expect((await call(`POST /tokens/${id}/rotate`, {})).status).toBe(409);
  });

  test('is the end of the overlap for a secret that was rotated', async () => {
    const { id, token } = await newToken('operator');
    const { status, body } = await call(`POST /tokens/${id}/rotate`, { overlap_s: 60 });
    expect(status).toBe(200);
    expect(body.id).toEqual(id);
    expect(body.token).not.toBe(token);
    expect(await statusWith(token)).toBe(200);
    expect(await statusWith(body.token)).toBe(200);
    clock.advance(60_000);
    const replaced = [401, 'revoked_api_key', 'This admin token was replaced by a new one.'];
    expect(await refusalOf(token)).toEqual(replaced);
    const again = await call(`POST /tokens/${id}/rotate`, {});
    expect(await refusalOf(body.token)).toEqual(replaced);
    expect(await statusWith(again.body.token)).toBe(200);
  });
});

test('a right token works after repeated wrong tokens, which are in the audit log', async () => {
  const { token } = await newToken('read_only');
  const wrong = () => call('GET /accounts', undefined, bearer('wrong'));
  const codes = (await Promise.all(Array.from({ length: 100 }, wrong))).map(({ status }) => status);
  expect(new Set(codes)).toEqual(new Set([401, 429]));
  expect(await statusWith(token)).toBe(200);
  expect(await statusWith(TOKEN)).toBe(200);
  const { body } = await call('GET /audit?limit=1000');
  const refused = body.data.filter(({ action }: { action: string }) => action === 'token-refused');
  expect(refused.at(-1)).toMatchObject({ actor: 'unknown', target: '127.0.0.1', before: null });
  expect(refused.length).toBeGreaterThan(1);
  expect(refused[0].after.wrong_tokens).toBeGreaterThan(refused.at(-1).after.wrong_tokens);
});

describe('an API key', () => {
  const newKey = async (fields: object = {}) => {
    const { status, body } = await call(`POST /accounts/${await newAccount()}/keys`, fields);
    expect(status).toBe(201);
    return body;
  };

  test('shows its limits and its expiry, which can be changed and removed', async () => {
    const { id, account_id, ...created } = await newKey({
      limits: { requests_per_min: 5 },
      expires_at: '2100-01-01T12:00Z',
    });
    const limits = { requests_per_min: 5, tokens_per_min: null, concurrent: null };
    expect(created).toMatchObject({ limits, expires_at: '2100-01-01T12:00:00.000Z' });
    const changed = await call(`PATCH /keys/${id}`, { limits: { concurrent: 2, tokens_per_min: 9 } });
    expect(changed.body.limits).toEqual({ requests_per_min: null, tokens_per_min: 9, concurrent: 2 });
    const { body: unlimited } = await call(`PATCH /keys/${id}`, { limits: null, expires_at: null });
    expect(unlimited).toMatchObject({ limits: null, expires_at: null });
    expect((await call(`PATCH /keys/${id}`, { limits: {} })).body.limits).toBeNull();
    const { body: audit } = await call('GET /audit');
    expect(JSON.stringify(audit)).toContain('"limits":{"requests_per_min":5');
    expect((await call(`GET /accounts/${account_id}/keys`)).body.data[0].id).toBe(id);
  });

  const faults: [object, string][] = [
    [{ expires_at: '2001-01-01' }, 'expires_at'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: '2099-13-01' }, 'expires_at'],
    [{ limits: { requests_per_min: 0 } }, 'limits.requests_per_min'],
    [{ limits: { concurrent: 1.5 } }, 'limits.concurrent'],
    [{ limits: { requests: 1 } }, 'limits.requests'],
  ];
  for (const [fields, param] of faults) {
    test(`is refused with ${JSON.stringify(fields)}`, async () => {
      const { id } = await newKey();
      for (const target of [`PATCH /keys/${id}`, `POST /accounts/${await newAccount()}/keys`]) {
        const { status, body } = await call(target, fields);
        expect({ status, param: body.error.param }).toEqual({ status: 400, param });
      }
    });
  }

  test('keeps its id and its settings when it is rotated', async () => {
    const fields = { name: 'ci', monthly_cap_usd: 5, limits: { concurrent: 2 }, expires_at: '2100-01-01' };
    const { key, hint, previous_secret_ends_at, ...settings } = await newKey(fields);
    const { status, body } = await call(`POST /keys/${settings.id}/rotate`, { overlap_s: 60 });
    expect(status).toBe(200);
    expect(body).toMatchObject(settings);
    expect(body.key).not.toBe(key);
    expect(body.hint).toEqual(body.key.slice(0, 10));
    expect(Date.parse(body.previous_secret_ends_at)).toBeGreaterThan(clock.now());
    expect((await call(`POST /keys/${settings.id}/rotate`, { overlap_s: -1 })).status).toBe(400);
    await call(`DELETE /keys/${settings.id}`);
    expect((await call(`POST /keys/${settings.id}/rotate`, {})).status).toBe(409);
    expect((await call('POST /keys/key_none/rotate', {})).status).toBe(404);
  });
});
