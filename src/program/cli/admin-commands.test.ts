import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAnswer } from './testing/list-answer.ts';
import { runCaptured } from './testing/run-captured.ts';

type Seen = { call: string; token: string | null; body: unknown };

const directory = mkdtempSync(join(tmpdir(), 'tollgate-client-'));
const seen: Seen[] = [];
const next = { status: 200, body: {} as unknown };

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    seen.push({
      call: `${request.method} ${pathname.replace('/admin/v1', '')}${search}`,
      token: request.headers.get('authorization'),
      body: text === '' ? null : JSON.parse(text),
    });
    return typeof next.body === 'string'
      ? new Response(next.body, { status: next.status })
      : Response.json(next.body, { status: next.status });
  },
});
const address = `http://127.0.0.1:${server.port}`;
const environment = { DATA_DIR: directory };

writeFileSync(join(directory, 'address'), `${address}\n`);
writeFileSync(join(directory, 'admin-token'), 'token-of-the-file\n');

beforeEach(() => {
  seen.length = 0;
  Object.assign(next, { status: 200, body: {} });
});
afterAll(async () => {
  await server.stop(true);
  rmSync(directory, { recursive: true });
});

const run = (line: string, surroundings: Record<string, string> = environment) =>
  runCaptured(line.split(' '), surroundings);

describe('the address and the token of the server', () => {
  test('are read from the data directory [ADM-48]', async () => {
    await run('reload');
    await run(`reload --data ${directory}`, {});
    expect(seen.map(({ token }) => token)).toEqual(Array(2).fill('Bearer token-of-the-file'));
  });

  test('are taken from options first, then the environment, then the files', async () => {
    await run('reload', { ...environment, TOLLGATE_ADMIN_TOKEN: 'token-of-the-environment' });
    await run('reload --admin-token given', { ...environment, TOLLGATE_ADMIN_TOKEN: 'unused' });
    await run(`reload --url ${address}/ --admin-token given`, { DATA_DIR: '/nonexistent' });
    expect(seen.map(({ token }) => token)).toEqual([
      'Bearer token-of-the-environment',
      'Bearer given',
      'Bearer given',
    ]);
  });

  const unreachable: [string, string][] = [
    ['--url http://127.0.0.1:9 --admin-token t', 'cannot reach http://127.0.0.1:9: is the server running?'],
    [
      '--url nowhere --admin-token t',
      "'nowhere' is not a server address: it must begin with http:// or https://.",
    ],
  ];
  for (const [options, reason] of unreachable) {
    test(`reload ${options} fails in one line [ADM-13]`, async () => {
      expect(await run(`reload ${options}`)).toEqual({
        code: 1,
        printed: '',
        remarked: `tollgate: ${reason}`,
      });
    });
  }

  test('a missing token fails with the ways to pass one [ADM-13]', async () => {
    const { code, remarked } = await run('reload', { DATA_DIR: '/nonexistent' });
    expect(code).toBe(1);
    expect(remarked).toMatch(/^tollgate: no admin token: .*--data.*--admin-token.*TOLLGATE_ADMIN_TOKEN\.$/);
  });

  test('a missing token on a node of several says which node has the file [ADM-13]', async () => {
    const environment = { DATA_DIR: '/nonexistent', DATABASE_URL: 'postgres://db.example/tollgate' };
    const { code, remarked } = await run('reload', environment);
    expect(code).toBe(1);
    expect(remarked).toMatch(/only the node that made the token has the file; .*--admin-token.*--data\.$/);
  });

  test('an error of the server is printed as its message [ADM-13]', async () => {
    Object.assign(next, { status: 404, body: { error: { message: 'There is no such account.' } } });
    const outcome = await run('account show x');
    expect(outcome).toEqual({ code: 1, printed: '', remarked: 'tollgate: There is no such account.' });
  });

  test('an answer without JSON fails, since the server is not Tollgate', async () => {
    Object.assign(next, { status: 200, body: '<html>' });
    const { code, remarked } = await run('account list');
    expect({ code, remarked }).toEqual({
      code: 1,
      remarked: `tollgate: ${address} answered 200 without JSON: is this a Tollgate server?`,
    });
  });
});

const list = listAnswer([]);

const calls: [string, string, unknown, unknown?][] = [
  ['account create Ada', 'POST /accounts', { name: 'Ada', plan: 'free' }],
  [
    'account create --name Ada --plan pro --email a@b.c',
    'POST /accounts',
    { name: 'Ada', plan: 'pro', email: 'a@b.c' },
  ],
  ['account list --limit 2 --after acct_1', 'GET /accounts?limit=2&after=acct_1', null, list],
  ['account show acct_1', 'GET /accounts/acct_1', null],
  ['ledger show a/b', 'GET /ledger/entries/a%2Fb', null],
  ['account set-plan acct_1 max', 'PATCH /accounts/acct_1', { plan: 'max' }],
  ['account suspend acct_1', 'PATCH /accounts/acct_1', { status: 'suspended' }],
  ['account close acct_1', 'PATCH /accounts/acct_1', { status: 'closed' }],
  ['account reopen acct_1', 'PATCH /accounts/acct_1', { status: 'active' }],
  [
    'account grant acct_1 50 --reason sorry',
    'POST /accounts/acct_1/grants',
    { credits: 50, reason: 'sorry' },
  ],
  ['account purchase acct_1 20', 'POST /accounts/acct_1/purchases', { usd: 20 }],
  ['key create acct_1', 'POST /accounts/acct_1/keys', {}],
  [
    'key create acct_1 --name ci --payg --monthly-cap 5 --allow a --allow b',
    'POST /accounts/acct_1/keys',
    { name: 'ci', payg: true, monthly_cap_usd: 5, allowed_models: ['a', 'b'] },
  ],
  ['key list acct_1', 'GET /accounts/acct_1/keys', null, list],
  [
    'key create acct_1 --expires-at 2030-01-01 --requests-per-min 6 --tokens-per-min 100 --concurrent 2',
    'POST /accounts/acct_1/keys',
    { expires_at: '2030-01-01', limits: { requests_per_min: 6, tokens_per_min: 100, concurrent: 2 } },
  ],
  ['key create acct_1 --concurrent 2', 'POST /accounts/acct_1/keys', { limits: { concurrent: 2 } }],
  ['key rotate key_1', 'POST /keys/key_1/rotate', { overlap_s: 0 }],
  ['key rotate key_1 --overlap 60', 'POST /keys/key_1/rotate', { overlap_s: 60 }],
  ['key revoke key_1', 'DELETE /keys/key_1', null],
  ['token create ci --role read_only', 'POST /tokens', { name: 'ci', role: 'read_only' }],
  [
    'token create --name ci --role owner --expires-at 2030-01-01',
    'POST /tokens',
    { name: 'ci', role: 'owner', expires_at: '2030-01-01' },
  ],
  ['token list', 'GET /tokens', null, list],
  ['token rotate tok_1 --overlap 60', 'POST /tokens/tok_1/rotate', { overlap_s: 60 }],
  ['token revoke tok_1', 'DELETE /tokens/tok_1', null],
  ['catalog list', 'GET /catalog', null, list],
  ['catalog show @svc/small', 'GET /catalog/%40svc%2Fsmall', null],
  ['batch list --limit 2', 'GET /batches?limit=2', null, list],
  ['queue --class paid --limit 2', 'GET /queue?class=paid&limit=2', null, list],
  ['provider list', 'GET /providers', null, list],
  ['provider show local', 'GET /providers/local', null],
  ['provider drain local', 'POST /providers/local/drain', null],
  ['provider undrain local', 'POST /providers/local/undrain', null],
  ['audit list', 'GET /audit', null, list],
  ['audit list --until 2026-11-22', 'GET /audit?until=2026-11-22', null, list],
  ['account list --search ada', 'GET /accounts?search=ada', null, list],
  ['reload', 'POST /reload', null],
];
for (const [line, call, body, answer = { id: 'x' }] of calls) {
  test(`${line} calls ${call}, whose answer --json prints unchanged [ADM-06]`, async () => {
    next.body = answer;
    expect((await run(line)).code).toBe(0);
    const { code, printed } = await run(`${line} --json`);
    expect(code).toBe(0);
    expect(JSON.parse(printed)).toEqual(answer);
    expect(seen).toEqual(Array(2).fill({ call, token: 'Bearer token-of-the-file', body }));
  });
}

test('a new key is the only text on standard output', async () => {
  next.body = { id: 'key_1', key: 'svc_secret' };
  const outcome = await run('key create acct_1');
  expect(outcome.printed).toBe('svc_secret');
  expect(outcome.remarked).toContain('shown only once');
});

test('a rotated secret is the only text on standard output, beside a report of the overlap', async () => {
  const shared = { id: 'x_1', previous_secret_ends_at: '2030-01-01T00:00:00.000Z' };
  next.body = { ...shared, key: 'svc_new', token: 'tga_new' };
  const key = await run('key rotate key_1 --overlap 60');
  const token = await run('token rotate tok_1 --overlap 60');
  expect({ key: key.printed, token: token.printed }).toEqual({ key: 'svc_new', token: 'tga_new' });
  expect(key.remarked).toContain('The key before it is valid until 2030-01-01T00:00:00.000Z.');
  expect(token.remarked).toContain('The token before it is valid until 2030-01-01T00:00:00.000Z.');
});

test('an admin token needs a name and a role', async () => {
  for (const line of ['token create ci', 'token create --role owner', 'token create ci --role boss'])
    expect((await run(line)).code).toBe(2);
  expect(seen).toEqual([]);
});

test('a list is printed as an aligned table, with a note if more results are available', async () => {
  const account = { email: null, pending_plan: null, status: 'active', purchased_credits: 0 };
  next.body = {
    ...list,
    has_more: true,
    last_id: 'acct_2',
    data: [
      { ...account, id: 'acct_1', name: 'Ada', plan: 'free', credits: { remaining: 200 } },
      { ...account, id: 'acct_2', name: 'Grace Hopper', plan: 'enterprise', credits: { remaining: null } },
    ],
  };
  const { printed, remarked } = await run('account list');
  expect(printed).toBe(
    [
      'ID      NAME          EMAIL  PLAN        PENDING  STATUS  CREDITS LEFT  PURCHASED',
      'acct_1  Ada           -      free        -        active           200          0',
      'acct_2  Grace Hopper  -      enterprise  -        active             -          0',
    ].join('\n'),
  );
  expect(remarked).toBe('More results are available; --after acct_2 continues the list.');
});

test('the lists of requests and providers show failures behind a 200', async () => {
  const refused = {
    status: 401,
    type: null,
    code: 'invalid_api_key',
    message: `Wrong key. ${'x'.repeat(80)}`,
  };
  const attempts = [
    { provider: 'first', status: 401, error: refused },
    { provider: 'second', status: null, error: { ...refused, status: null } },
    { provider: 'third', status: 200, error: null },
  ];
  next.body = { ...list, data: [{ id: 'req_1', status: 200, attempts }] };
  expect((await run('requests list')).printed).toContain('first 401 second ');
  const provider = {
    mode: 'live',
    health: 'up',
    latency_ms: { p50: 1, p99: 2 },
    missing_variables: [],
  };
  next.body = { ...list, data: [{ ...provider, id: 'first', last_error: refused }] };
  expect((await run('provider list')).printed).toMatch(/401: invalid_api_key: Wrong key\. x+…/);
});

test('catalog list filters by plan and kind', async () => {
  const row = { context_window: 1, pricing_usd_per_mtok: { input: 1, output: 2 }, routes: [] };
  next.body = {
    ...list,
    data: [
      { ...row, id: 'a', plan: 'free', kind: 'chat' },
      { ...row, id: 'b', plan: 'pro', kind: 'chat' },
      { ...row, id: 'c', plan: 'free', kind: 'embedding' },
    ],
  };
  const { printed } = await run('catalog list --plan free --kind embedding --json');
  expect(JSON.parse(printed)).toMatchObject({ data: [{ id: 'c' }], first_id: 'c', last_id: 'c' });
});

test('batch show prints a progress bar and an estimate', async () => {
  const request_counts = { processing: 750, succeeded: 240, errored: 10, canceled: 0, expired: 0 };
  const batch = { id: 'batch_1', size: 1_000, processing_status: 'in_progress', request_counts };
  const estimated_end_at = new Date(Date.now() + 3_600_000).toISOString();
  Object.assign(next, { body: { ...batch, estimated_end_at } });
  const { code, printed } = await run('batch show batch_1');
  expect(code).toBe(0);
  expect(seen[0]!.call).toBe('GET /batches/batch_1');
  expect(printed).toMatch(/\n\n█{7}░{23} 25 % {2}250 of 1000, about (1 h 0 min|59 min 59 s) left$/);
  Object.assign(next, { body: { ...batch, estimated_end_at: null } });
  expect((await run('batch show batch_1')).printed).toEndWith('250 of 1000, no estimate yet');
  const counts = { ...request_counts, processing: 0, succeeded: 990 };
  const ended = { ...batch, processing_status: 'ended', request_counts: counts, estimated_end_at: null };
  Object.assign(next, { body: ended });
  expect((await run('batch show batch_1 --watch')).printed).toEndWith('100 %  1000 of 1000, ended');
  expect(JSON.parse((await run('batch show batch_1 --json')).printed)).toEqual(ended);
});

test('forgotten refusals are JSON with --json', async () => {
  next.body = { object: 'refusals', forgotten: 2 };
  expect(JSON.parse((await run('refusals forget --json')).printed)).toEqual(next.body);
  expect((await run('refusals forget')).printed).toBe('Forgot 2 refusals.');
});

test('account adjust takes positive and negative amounts, and refuses others before the call', async () => {
  await run('account adjust acct_1 12.5');
  await run('account adjust acct_1 -12.5 --balance purchased --reason late');
  expect(
    seen.filter(({ call }) => call.startsWith('POST')).map(({ call, body }) => ({ call, body })),
  ).toEqual([
    {
      call: 'POST /accounts/acct_1/adjustments',
      body: { credits: 12.5, balance: 'monthly', reason: 'adjusted on the command line' },
    },
    {
      call: 'POST /accounts/acct_1/adjustments',
      body: { credits: -12.5, balance: 'purchased', reason: 'late' },
    },
  ]);
  for (const amount of ['0', '-0', 'all', '-1e12']) {
    const { code, remarked } = await run(`account adjust acct_1 ${amount}`);
    expect({ code, remarked }).toEqual({
      code: 2,
      remarked: expect.stringContaining('CREDITS must be a number other than 0'),
    });
  }
  expect((await run('account adjust acct_1 5 --balance other')).remarked).toContain('--balance must be');
  expect((await run('account list --limit -5')).remarked).toContain("not '-5'");
});
