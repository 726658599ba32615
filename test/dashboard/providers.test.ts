import { afterAll, expect, test } from 'bun:test';
import { call } from '../support/call.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startIssuer } from '../support/start-issuer.ts';
import { startServer } from '../support/start-server.ts';
import { callDashboard, cookiesOf, signInAsOperator } from './sign-in.ts';
import { ageSessions } from './support/age-sessions.ts';

const issuer = startIssuer('client');
const renamedIssuer = startIssuer('client');
renamedIssuer.state.name = 'https://other.example';

const rowOf = (id: string, name: string, address: string) => ({
  id,
  kind: 'oidc',
  name,
  client_id: 'client',
  client_secret: 'hidden-secret',
  issuer: address,
});

const server = await startServer({
  config: {
    ...sampleConfig('http://127.0.0.1:9'),
    dashboard: {
      providers: [rowOf('corp', 'Corp', issuer.issuer), rowOf('renamed', 'Renamed', renamedIssuer.issuer)],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await Promise.all([issuer.stop(), renamedIssuer.stop()]);
});

const operator = await signInAsOperator(server);

/** Goes to the issuer and back, as a browser does. */
async function visit(cookie = '', path = '/session/provider', provider = 'corp') {
  const body = { provider, return_to: '/keys' };
  const left = await callDashboard(server, path, { headers: { cookie }, body });
  expect(left.status).toBe(200);
  expect(left.body.url).toContain('/authorize?');
  const there = await call(left.body.url);
  const cookies = [cookie, cookiesOf(left)].filter(Boolean).join('; ');
  const back = await call(there.headers.get('location')!, { headers: { cookie: cookies } });
  expect(back.status).toBe(302);
  const location = new URL(back.headers.get('location')!);
  return { place: location.pathname, error: location.searchParams.get('error'), cookie: cookiesOf(back) };
}

const sessionOf = async (cookie: string) =>
  (await callDashboard(server, '/session', { headers: { cookie } })).body;

async function invite(email: string): Promise<void> {
  const account = await server.createAccount('pro');
  await operator.call(`/operator/accounts/${account}/invitations`, { body: { email, role: 'developer' } });
}

test('a provider is offered, without its secret', async () => {
  const session = (await callDashboard(server, '/session')).body;
  expect(session.settings.providers).toEqual([
    { id: 'corp', name: 'Corp' },
    { id: 'renamed', name: 'Renamed' },
  ]);
  expect(JSON.stringify(session)).not.toContain('hidden-secret');
});

test('a stranger of a provider gets no account, and somebody who is invited does', async () => {
  const stranger = await visit();
  expect(stranger).toMatchObject({ place: '/sign-in', error: 'by_invitation' });
  expect((await sessionOf(stranger.cookie)).person).toBeNull();
  await invite('ada@example.com');
  issuer.state.person = { ...issuer.state.person, email_verified: false };
  expect(await visit()).toMatchObject({ place: '/sign-in', error: 'not_verified' });
  issuer.state.person = { ...issuer.state.person, email_verified: true };
  const ada = await visit();
  expect(ada).toMatchObject({ place: '/keys', error: null });
  expect((await sessionOf(ada.cookie)).person).toMatchObject({
    email: 'ada@example.com',
    email_verified: true,
  });
});

const HOUR_S = 3_600;
const nowS = Math.floor(Date.now() / 1_000);

test.each([
  { what: 'of another key', state: { forges: true } },
  { what: 'without a signature', state: { algorithm: 'none' } },
  { what: 'signed with the public key as a secret', state: { algorithm: 'HS256' } },
  { what: 'that has expired', state: { claims: { iat: nowS - 2 * HOUR_S, exp: nowS - HOUR_S } } },
  { what: 'for another client', state: { claims: { aud: 'another-client' } } },
  { what: 'of another sign-in', state: { claims: { nonce: 'of-another-sign-in' } } },
  { what: 'without a nonce', state: { claims: { nonce: undefined } } },
  { what: 'that is missing', state: { omitsIdToken: true } },
] as const)('an ID token $what signs nobody in', async ({ state }) => {
  const before = { ...issuer.state };
  Object.assign(issuer.state, state);
  const visited = await visit();
  Object.assign(issuer.state, before);
  expect(visited.place).toBe('/sign-in');
  expect((await sessionOf(visited.cookie)).person).toBeNull();
  expect(await visit()).toMatchObject({ place: '/keys', error: null });
});

test('an issuer whose document and tokens have another name than the configured one signs nobody in', async () => {
  const renamed = await visit('', '/session/provider', 'renamed');
  expect(renamed.place).toBe('/sign-in');
  expect((await sessionOf(renamed.cookie)).person).toBeNull();
});

test('a sign-in is linked by the verified address of the person alone, and can be removed', async () => {
  issuer.state.person = { sub: 'two', email: 'other@example.com', email_verified: true, name: 'O' };
  expect((await visit(operator.cookie, '/me/sign-ins')).error).not.toBeNull();
  issuer.state.person = { sub: 'two', email: 'operator@example.com', email_verified: false, name: 'O' };
  expect((await visit(operator.cookie, '/me/sign-ins')).error).not.toBeNull();
  expect((await visit()).place).toBe('/sign-in');
  issuer.state.person = { sub: 'two', email: 'operator@example.com', email_verified: true, name: 'O' };
  expect(await visit(operator.cookie, '/me/sign-ins')).toMatchObject({ place: '/keys', error: null });
  const signIns = (await operator.call('/me')).body.sign_ins;
  expect(signIns.map(({ name }: { name: string }) => name)).toEqual(['Password', 'Corp']);
  const again = await visit();
  expect((await sessionOf(again.cookie)).operator_role).toBe('owner');
  expect((await operator.call(`/me/sign-ins/${signIns[1].id}`, { method: 'DELETE' })).status).toBe(200);
  const { data } = (await server.admin('GET', '/audit?limit=5')).body;
  expect(data.map(({ action }: { action: string }) => action)).toContain('sign-in-unlink');
});

test('a person without a password signs in at the provider again before a change of the sign-in', async () => {
  await invite('bob@example.com');
  issuer.state.person = { sub: 'bob', email: 'bob@example.com', email_verified: true, name: 'Bob' };
  const first = await visit();
  const endOthers = (cookie: string) =>
    callDashboard(server, '/me/sessions', { method: 'DELETE', headers: { cookie } });
  await ageSessions(server);
  const refused = await endOthers(first.cookie);
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'recent_sign_in_required' } } });
  const second = await visit(first.cookie);
  expect((await endOthers(second.cookie)).status).toBe(200);
});

test('a visit does not end at another site, and a foreign state signs nobody in [AUT-36]', async () => {
  const tricks = ['/\t/evil.example', '/\n/evil.example', '/..//evil.example', 'javascript:alert(1)'];
  for (const return_to of ['https://evil.example/', '//evil.example', '/\\evil.example', 'evil', ...tricks]) {
    const answer = await callDashboard(server, '/session/provider', {
      body: { provider: 'corp', return_to },
    });
    expect({ return_to, status: answer.status }).toEqual({ return_to, status: 400 });
  }
  const foreign = await call(`${server.url}/dashboard/v1/auth/callback/corp?code=x&state=made-up`);
  expect({ status: foreign.status, pathname: new URL(foreign.headers.get('location')!).pathname }).toEqual({
    status: 302,
    pathname: '/sign-in',
  });
  expect(foreign.headers.getSetCookie().some((cookie) => /session_token=[^;]/.test(cookie))).toBe(false);
  expect(
    (await callDashboard(server, '/session/provider', { body: { provider: 'none' } })).status,
  ).toBeGreaterThan(399);
});

test('no line of the log has a code, a state or a token', () => {
  expect(server.log() + server.errors()).not.toMatch(
    /a-code|state=|an-access-token|hidden-secret|(?<!\w)eyJ/,
  );
});
