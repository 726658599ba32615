import { afterAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SignedInPerson, signInAsOperator } from '../dashboard/sign-in.ts';
import { joinOrganization } from '../dashboard/support/join-organization.ts';
import { bearer, type Json } from '../support/call.ts';
import { type ClientSession, deviceClient } from '../support/device-client.ts';
import { startServer } from '../support/start-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-managed-'));
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const ours = { permissions: { deny: ['WebFetch'] }, env: { b: '2', a: '1' } };
const managed = [
  { file: file('owners.json', '{"model":"opus"}'), accounts: ['Ours'], roles: ['owner'] },
  { file: file('ours.json', JSON.stringify(ours)), accounts: ['Ours'] },
];
const configOf = (claude_code: object) => ({ claude_code, limits: { keys_per_organization: 12 } });
const server = await startServer({
  config: configOf({ managed_settings: managed }),
  environment: { TOLLGATE_TEST_CLOCK: '1' },
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const operator = await signInAsOperator(server);
const accountNamed = async (name: string): Promise<string> =>
  (await server.admin('POST', '/accounts', { name, plan: 'enterprise' })).body.id;
const account = await accountNamed('Ours');
const other = await accountNamed('Theirs');
const joined = (email: string, role: 'owner' | 'developer' | 'viewer', of = account) =>
  joinOrganization(server, operator, { account: of, email, role });
const owner = await joined('owner@example.com', 'owner');
const ada = await joined('ada@example.com', 'developer');
const viewer = await joined('viewer@example.com', 'viewer');
const stranger = await joined('stranger@example.com', 'owner', other);

const client = deviceClient(server);
const { begin, poll, refresh, revoke, decide, signIn, usesKey } = client;
const advance = (advance_s: number) => server.admin('POST', '/test/clock', { advance_s });
const keysOf = async (): Promise<Json[]> =>
  (await server.admin('GET', `/accounts/${account}/keys`)).body.data;
const keyNamed = async (name: string): Promise<Json> => (await keysOf()).findLast((key) => key.name === name);

describe('the metadata', () => {
  test('names only the addresses of the sign-in', async () => {
    const { status, body } = await server.call('/.well-known/oauth-authorization-server');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        issuer: server.url,
        device_authorization_endpoint: `${server.url}/oauth/device_authorization`,
        token_endpoint: `${server.url}/oauth/token`,
        revocation_endpoint: `${server.url}/oauth/revoke`,
        grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
      },
    });
  });
});

describe('a sign-in', () => {
  test('gives the client a key of the person and the organization, once', async () => {
    const codes = await begin();
    expect(codes.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(codes).toMatchObject({
      verification_uri: `${server.url}/device`,
      verification_uri_complete: `${server.url}/device?user_code=${codes.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(codes.device_code.length).toBeGreaterThanOrEqual(43);
    expect(await poll(codes)).toMatchObject({ status: 400, error: 'authorization_pending' });
    expect(await poll(codes)).toMatchObject({ status: 400, error: 'slow_down' });
    const typed = codes.user_code.toLowerCase().replace('-', ' ');
    expect(await decide(ada, { ...codes, user_code: typed }, account)).toBe(200);
    expect(await decide(ada, codes, account)).toBe(404);
    const { status, body, headers } = await client.token(client.deviceForm(codes));
    expect({ status, cacheControl: headers.get('cache-control') }).toEqual({
      status: 200,
      cacheControl: 'no-store',
    });
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 86_400, email: ada.email });
    expect(body.access_token).toStartWith('svc_');
    const key = await keyNamed('Claude Code (ada@example.com)');
    const lastsMs = Date.parse(key.expires_at) - Date.parse(key.created_at);
    expect(Math.round(lastsMs / 1_000)).toBe(86_400);
    expect(key.person_id).toBeString();
    expect(await usesKey(body.access_token)).toBe(200);
    expect(await poll(codes)).toMatchObject({ status: 400, error: 'invalid_grant' });
    const audit = (await server.admin('GET', `/audit?target=${account}&action=device-approve`)).body.data;
    expect(audit).toMatchObject([{ actor: ada.email, after: { email: ada.email } }]);
  });

  test('of several questions at once gives one key', async () => {
    const codes = await begin();
    await decide(ada, codes, account);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => client.token(client.deviceForm(codes))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    const open = (await keysOf()).filter((key) => key.status !== 'revoked' && key.revoked_at === null);
    const ours = open.filter(({ name }) => name === 'Claude Code (ada@example.com)');
    expect(ours).toHaveLength(2);
  });

  test('is denied, expires, or was never begun', async () => {
    const denied = await begin();
    expect(await decide(owner, denied, account, { approve: false })).toBe(200);
    expect(await poll(denied)).toMatchObject({ status: 400, error: 'access_denied' });
    expect(await poll({ device_code: 'unknown' })).toMatchObject({ status: 400, error: 'invalid_grant' });
    const form = { grant_type: 'password', username: 'ada', password: 'secret' };
    expect(await client.token(form)).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    });
    const late = await begin();
    await advance(601);
    expect(await poll(late)).toMatchObject({ status: 400, error: 'expired_token' });
    expect(await decide(ada, late, account)).toBe(404);
  });

  test('is decided by an owner or a developer, on a page of the server', async () => {
    const codes = await begin();
    expect(await decide(viewer, codes, account)).toBe(403);
    expect(await decide(stranger, codes, account)).toBe(404);
    const body = { user_code: codes.user_code, account, approve: true };
    expect((await server.call('/dashboard/v1/device', { body })).status).toBe(403);
    const foreign = { origin: 'https://evil.example' };
    expect((await ada.call('/device', { body, headers: foreign })).status).toBe(403);
    expect(await poll(codes)).toMatchObject({ error: 'authorization_pending' });
  });
});

describe('a refresh', () => {
  test('renews the key under its id, and the old secret ends a minute later', async () => {
    const first = await signIn(ada, account);
    const known = await keyNamed('Claude Code (ada@example.com)');
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body).toMatchObject({ token_type: 'Bearer', expires_in: 86_400, email: ada.email });
    expect(await keyNamed('Claude Code (ada@example.com)')).toMatchObject({ id: known.id });
    expect(await usesKey(first.access_token)).toBe(200);
    expect(await usesKey(second.body.access_token)).toBe(200);
    await advance(61);
    expect(await usesKey(first.access_token)).toBe(401);
    expect(await usesKey(second.body.access_token)).toBe(200);
    await advance(86_400);
    expect(await usesKey(second.body.access_token)).toBe(401);
    const third = await refresh(second.body.refresh_token);
    expect(third.status).toBe(200);
    // A secret that had expired is not valid again.
    expect(await usesKey(second.body.access_token)).toBe(401);
    expect(await usesKey(third.body.access_token)).toBe(200);
    await advance(1_209_601);
    expect(await refresh(third.body.refresh_token)).toMatchObject({
      status: 401,
      body: { error: 'invalid_grant' },
    });
  });

  test('with a token that was used before revokes the key', async () => {
    const first = await signIn(ada, account);
    const second = (await refresh(first.refresh_token)).body as ClientSession;
    expect(await refresh(first.refresh_token)).toMatchObject({
      status: 401,
      body: { error: 'invalid_grant' },
    });
    const refused = await client.messages(second.access_token);
    expect({ status: refused.status, shouldRetry: refused.headers.get('x-should-retry') }).toEqual({
      status: 401,
      shouldRetry: 'false',
    });
    expect(await refresh(second.refresh_token)).toMatchObject({ status: 401 });
    expect((await server.admin('GET', '/audit?action=refresh-token-reuse')).body.data).toHaveLength(1);
  });

  test('of two at once with one token revokes the key too', async () => {
    const first = await signIn(ada, account);
    const both = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)]);
    expect(both.map(({ status }) => status)).toContain(401);
    for (const { status, body } of both)
      if (status === 200) expect(await usesKey(body.access_token)).toBe(401);
    expect(await usesKey(first.access_token)).toBe(401);
  });

  test('ends at the end of the sign-in, however often it was renewed', async () => {
    const day = 86_400;
    let session = (await signIn(ada, account)) as ClientSession;
    const renewed = async () => (await refresh(session.refresh_token)).body as ClientSession;
    for (let week = 1; week <= 12; week++) {
      await advance(7 * day);
      session = await renewed();
    }
    await advance(5.5 * day);
    session = await renewed();
    const left = (await client.token({ grant_type: 'refresh_token', refresh_token: session.refresh_token }))
      .body;
    expect(left.expires_in).toBeWithin(0.4 * day, 0.5 * day + 1);
    expect(await usesKey(left.access_token)).toBe(200);
    await advance(0.5 * day);
    expect(await usesKey(left.access_token)).toBe(401);
    expect((await refresh(left.refresh_token)).status).toBe(401);
  });

  test('with an unknown token is refused', async () => {
    expect(await refresh('unknown')).toMatchObject({ status: 401, body: { error: 'invalid_grant' } });
  });
});

describe('the end of a sign-in', () => {
  test.each(['access_token', 'refresh_token'] as const)('by its %s ends both', async (kind) => {
    const session = await signIn(ada, account);
    expect(await revoke(session[kind])).toEqual([200, {}]);
    expect(await usesKey(session.access_token)).toBe(401);
    expect((await refresh(session.refresh_token)).status).toBe(401);
    expect(await revoke(session[kind])).toEqual([200, {}]);
  });

  test('leaves other keys alone', async () => {
    const { key } = await server.createKey('enterprise');
    expect(await revoke(key)).toEqual([200, {}]);
    expect(await revoke('unknown')).toEqual([200, {}]);
    expect(await usesKey(key)).toBe(200);
  });

  test.each(['an owner', 'the person', 'an operator'])('comes when %s ends the membership', async (who) => {
    const email = `${who.split(' ')[1]}s@example.com`;
    const person: SignedInPerson = await joined(email, 'developer');
    const session = await signIn(person, account);
    const second = await signIn(person, account);
    await revoke(second.refresh_token);
    const kept = await signIn(ada, account);
    expect(await usesKey(session.access_token)).toBe(200);
    const members = (await owner.call(`/organizations/${account}/members`)).body.data as Json[];
    const { id } = members.find((member) => member.email === email)!;
    const removed = {
      'an owner': () => owner.call(`/organizations/${account}/members/${id}`, { method: 'DELETE' }),
      'the person': () => person.call(`/organizations/${account}/members/${id}`, { method: 'DELETE' }),
      'an operator': () => server.admin('DELETE', `/people/${id}`),
    }[who]!;
    expect((await removed()).status).toBeLessThan(300);
    expect(await usesKey(session.access_token)).toBe(401);
    expect((await refresh(session.refresh_token)).status).toBe(401);
    expect(await usesKey(kept.access_token)).toBe(200);
    await revoke(kept.access_token);
  });

  test('comes when the person becomes a viewer, who cannot redeem an approved code either', async () => {
    const person = await joined('demoted@example.com', 'developer');
    const session = await signIn(person, account);
    const approved = await begin();
    expect(await decide(person, approved, account)).toBe(200);
    const members = (await owner.call(`/organizations/${account}/members`)).body.data as Json[];
    const { id } = members.find(({ email }) => email === person.email)!;
    const body = { role: 'viewer' };
    await owner.call(`/organizations/${account}/members/${id}`, { method: 'PATCH', body });
    expect(await usesKey(session.access_token)).toBe(401);
    expect((await refresh(session.refresh_token)).status).toBe(401);
    expect((await poll(approved)).status).toBe(400);
  });

  test('does not come for a last owner, who cannot leave', async () => {
    const session = await signIn(owner, account);
    const members = (await owner.call(`/organizations/${account}/members`)).body.data as Json[];
    const { id } = members.find((member) => member.email === owner.email)!;
    const path = `/organizations/${account}/members/${id}`;
    expect((await owner.call(path, { method: 'DELETE' })).status).toBe(409);
    expect(await usesKey(session.access_token)).toBe(200);
    await revoke(session.access_token);
  });
});

describe('managed settings', () => {
  const settingsFor = (key: string, headers: Record<string, string> = {}) =>
    server.call('/managed/settings', { headers: { ...bearer(key), ...headers } });

  test('are those of the first row that fits the organization and the role', async () => {
    const session = await signIn(ada, account);
    const { status, body, headers } = await settingsFor(session.access_token);
    const text = '{"env":{"a":"1","b":"2"},"permissions":{"deny":["WebFetch"]}}';
    const checksum = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    expect({ status, body }).toEqual({
      status: 200,
      body: { uuid: expect.any(String), checksum, settings: ours },
    });
    const etag = headers.get('etag')!;
    expect(etag).toBe(`"${checksum}"`);
    for (const [sent, answered] of [
      [etag, 304],
      [`"other", W/${etag}`, 304],
      ['"other"', 200],
      ['*', 200],
    ] as const)
      expect({
        sent,
        status: (await settingsFor(session.access_token, { 'if-none-match': sent })).status,
      }).toEqual({ sent, status: answered });
    const own = await signIn(owner, account);
    expect((await settingsFor(own.access_token)).body.settings).toEqual({ model: 'opus' });
    const { key } = await server.createKey('', { account });
    expect((await settingsFor(key)).body.settings).toEqual(ours);
    const theirs = await server.createKey('', { account: other });
    expect((await settingsFor(theirs.key)).status).toBe(404);
    await Promise.all([revoke(session.access_token), revoke(own.access_token)]);
  });

  test('are refused to a wrong key in the envelope of Messages', async () => {
    const { status, body, headers } = await settingsFor('svc_wrong');
    expect(status).toBe(401);
    expect(body.type).toBe('error');
    expect(body.error.type).toBe('authentication_error');
    const id = headers.get('request-id');
    expect({ id, requestId: headers.get('x-svc-request-id') }).toEqual({
      id: expect.stringMatching(/^req_/),
      requestId: id,
    });
    expect(headers.get('x-should-retry')).toBe('false');
  });

  test('change with a reload, which a file without an object stops', async () => {
    const { key } = await server.createKey('', { account });
    file('ours.json', '{"model":"haiku"}');
    expect((await server.reload()).status).toBe(200);
    expect((await settingsFor(key)).body.settings).toEqual({ model: 'haiku' });
    for (const content of ['[]', 'null', '{', '"text"']) {
      file('ours.json', content);
      const refused = await server.reload();
      expect({ content, status: refused.status }).toEqual({ content, status: 400 });
      expect(refused.text).toContain('managed_settings[1].file');
      expect(refused.text).toContain('does not contain a JSON object');
    }
    expect((await settingsFor(key)).body.settings).toEqual({ model: 'haiku' });
    file('ours.json', JSON.stringify(ours));
  });
});

describe('telemetry of clients', () => {
  test('is accepted and dropped', async () => {
    const { key } = await server.createKey('', { account });
    const send = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>, sent = key) =>
      server.call(path, { headers: { ...bearer(sent), 'content-type': type }, body });
    for (const path of ['/v1/metrics', '/v1/logs', '/v1/traces']) {
      const json = await send(path, 'application/json', '{"resourceLogs":[]}');
      expect(json).toMatchObject({ status: 200, text: '{}' });
      expect(json.headers.get('content-type')).toBe('application/json');
      const binary = await send(path, 'application/x-protobuf', new Uint8Array([10, 0]));
      expect(binary).toMatchObject({ status: 200, text: '' });
      expect(binary.headers.get('content-type')).toBe('application/x-protobuf');
    }
    const large = new Uint8Array(4 * 1_024 * 1_024 + 1);
    expect((await send('/v1/logs', 'application/x-protobuf', large)).status).toBe(413);
    expect((await send('/v1/logs', 'application/json', '{}', 'svc_wrong')).status).toBe(401);
    expect((await server.call('/v1/me', { headers: bearer(key) })).status).toBe(404);
  });
});

describe('bounds', () => {
  test('a session can enter ten wrong codes within ten minutes', async () => {
    const codes = await begin();
    const wrong = { user_code: 'BBBB-BBBB' };
    const statuses = await Promise.all(Array.from({ length: 12 }, () => decide(stranger, wrong, other)));
    expect(statuses.sort()).toEqual([...Array(10).fill(404), 429, 429]);
    expect(await decide(stranger, codes, other)).toBe(429);
    expect(await decide(ada, codes, account)).toBe(200);
  });

  test('a network can begin 30 sign-ins within an hour', async () => {
    let last = await client.beginRaw();
    for (let begun = 0; begun < 30 && last.status === 200; begun++) last = await client.beginRaw();
    expect({ status: last.status, error: last.body.error }).toEqual({ status: 429, error: 'slow_down' });
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

test('without the sign-in none of its addresses exists', async () => {
  server.configure(configOf({ sign_in: false, managed_settings: managed }));
  expect((await server.reload()).status).toBe(200);
  const { key } = await server.createKey('', { account });
  const html = { accept: 'text/html' };
  const answers = await Promise.all([
    server.call('/.well-known/oauth-authorization-server'),
    server.call('/oauth/device_authorization', { method: 'POST' }),
    server.call('/oauth/token', { method: 'POST' }),
    server.call('/oauth/revoke', { method: 'POST' }),
    server.call('/managed/settings', { headers: bearer(key) }),
    server.call('/v1/logs', { headers: bearer(key), body: {} }),
    server.call('/v1/metrics', { headers: bearer(key), body: {} }),
    server.call('/v1/traces', { headers: bearer(key), body: {} }),
    server.call('/device', { headers: html }),
    ada.call('/device', { body: { user_code: 'BBBB-BBBB', account, approve: true } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
});
