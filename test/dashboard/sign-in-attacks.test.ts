import { afterAll, expect, test } from 'bun:test';
import { type Answer, call } from '../support/call.ts';
import { countStatuses } from '../support/count-statuses.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startIssuer } from '../support/start-issuer.ts';
import { startServer } from '../support/start-server.ts';
import { startSmtp, tokenIn } from '../support/start-smtp.ts';
import { waitFor } from '../support/wait-for.ts';
import { callDashboard, cookiesOf, PASSWORD, signInAsOperator } from './sign-in.ts';
import { codeOf } from './support/code-of.ts';

const smtp = startSmtp();
const issuer = startIssuer('client');
const corp = { id: 'corp', kind: 'oidc', client_id: 'client', client_secret: 's', issuer: issuer.issuer };
const server = await startServer({
  config: {
    ...sampleConfig('http://127.0.0.1:9'),
    server: { public_url: 'http://gateway.example', trusted_proxies: ['127.0.0.1'] },
    dashboard: { sign_up: 'open', providers: [corp] },
    mail: { host: '127.0.0.1', port: smtp.port, tls: 'none', from: 'Gateway <gateway@example.com>' },
  },
});
afterAll(async () => {
  await server.stop();
  smtp.stop();
  await issuer.stop();
});
const operator = await signInAsOperator(server);

type From = { address?: string; cookie?: string };

/** Calls from the client address that a trusted proxy reports. Each test has networks of its own. */
const post = (path: string, body: object, { address = '192.0.2.1', cookie }: From = {}) =>
  callDashboard(server, path, {
    headers: { origin: 'http://gateway.example', 'x-forwarded-for': address, ...(cookie && { cookie }) },
    body,
  });
const signIn = (email: string, password: string, from?: From) =>
  post('/session/sign-in', { email, password }, from);
const mailsTo = (email: string) => smtp.received.filter(({ to }) => to === email).length;

/** A notice of an earlier change may arrive before the mail with the token. */
async function tokenFor(email: string, ask: () => Promise<unknown>): Promise<string> {
  const before = mailsTo(email);
  await ask();
  const withToken = () =>
    smtp.received
      .filter(({ to }) => to === email)
      .slice(before)
      .find(({ text }) => text.includes('#token='));
  await waitFor(() => withToken() !== undefined);
  return tokenIn(withToken()!);
}

const signUp = (email: string, password: string, name: string, from?: From) =>
  post('/session/sign-up', { email, password, name }, from);

test('a flood of one IPv6 block uses up its own shares alone [AUT-33]', async () => {
  const wrongLink = (address: string) => post('/session/verify', { token: 'x' }, { address });
  // All attempts of a network change one row. On a busy machine hundreds would wait for it too long.
  const statuses = async (addresses: readonly string[]) => {
    const answers: Answer[] = [];
    for (let at = 0; at < addresses.length; at += 50)
      answers.push(...(await Promise.all(addresses.slice(at, at + 50).map(wrongLink))));
    return countStatuses(answers);
  };
  const many = (count: number, addressOf: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => addressOf(index));
  const hex = (index: number) => index.toString(16).padStart(2, '0');
  expect(await statuses(many(70, (index) => `2001:db8:1:100::${index + 1}`))).toEqual({ 400: 60, 429: 10 });
  expect(await statuses(many(70, (index) => `2001:db8:1:1${hex(index + 1)}::1`))).toEqual({
    400: 60,
    429: 10,
  });
  expect(await statuses(['2001:db8:1:200::1'])).toEqual({ 400: 1 });
  expect(await statuses(many(130, (index) => `2001:db8:1:${hex(index + 3)}00::1`))).toEqual({
    400: 119,
    429: 11,
  });
  expect(await statuses(['2001:db8:2::1', '192.0.2.77'])).toEqual({ 400: 2 });
  expect(await statuses(many(250, (index) => `198.51.100.${index + 1}`))).toEqual({ 400: 240, 429: 10 });
});

test('a known device signs in while strangers use up the attempts for the address [AUT-33]', async () => {
  const networks = Array.from({ length: 20 }, (_, index) => `203.0.113.${index + 1}`);
  await Promise.all(networks.map((address) => signIn(operator.email, 'a wrong guess', { address })));
  const stranger = await signIn(operator.email, PASSWORD, { address: '192.0.2.9' });
  expect(stranger.status).toBe(429);
  expect(Number(stranger.headers.get('retry-after'))).toBeGreaterThan(0);
  const { cookie } = operator;
  expect(cookie).toMatch(/gateway\.device_[0-9a-f]{16}=/);
  expect((await signIn(operator.email, PASSWORD, { address: networks[0]!, cookie })).status).toBe(200);
  const forged = cookie.replace(/(gateway\.device_[^=]+=[^.]+\.)./, '$1x');
  expect((await signIn(operator.email, PASSWORD, { address: networks[0]!, cookie: forged })).status).toBe(
    429,
  );
});

/** Quick hashes free places meanwhile. A /56 has 200 attempts. */
const FLOOD = 90;

test('the queue for hashing is bounded, and another network gets its turn in it [AUT-33]', async () => {
  const flood = Array.from({ length: FLOOD }, (_, index) =>
    signIn(`nobody-${index}@example.com`, 'a wrong guess', { address: `2001:db8:5:${index}::1` }),
  );
  await flood.at(-1);
  const other = await signIn('somebody@example.com', 'a wrong guess', { address: '192.0.2.200' });
  expect(other.status).toBe(400);
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(FLOOD - refused.length);
});

test("a stranger's password ends when the owner of the address verifies it [AUT-35]", async () => {
  const email = 'owner@example.com';
  const strangers = 'password of a stranger';
  const owners = 'password of the owner';
  await tokenFor(email, () => signUp(email, strangers, 'Stranger', { address: '192.0.2.11' }));
  const token = await tokenFor(email, () => signUp(email, owners, 'Owner', { address: '192.0.2.12' }));
  expect((await signIn(email, owners)).status).toBe(400);
  const verified = await post('/session/verify', { token }, { address: '192.0.2.12' });
  expect(verified.body).toEqual({ status: 'signed_in' });
  expect((await signIn(email, strangers)).status).toBe(400);
  const signedIn = await signIn(email, owners);
  expect(signedIn.status).toBe(200);
  const session = await callDashboard(server, '/session', { headers: { cookie: cookiesOf(signedIn) } });
  expect(session.body.person).toMatchObject({ email, name: 'Owner' });
});

test('no password counts if a stranger signs up last, unless the browser is that of a sign-up [AUT-35]', async () => {
  const strangers = 'password of a stranger';
  const owners = 'password of the owner';
  for (const [email, keepsCookie] of [
    ['first@example.com', true],
    ['second@example.com', false],
  ] as const) {
    let cookie = '';
    const token = await tokenFor(email, async () => {
      cookie = cookiesOf(await signUp(email, owners, 'Owner', { address: '192.0.2.13' }));
    });
    await signUp(email, strangers, 'Stranger', { address: '192.0.2.14' });
    const verified = await post('/session/verify', { token }, keepsCookie ? { cookie } : {});
    const ended = { status: 'signed_in', choose_password: true };
    expect(verified.body).toEqual(keepsCookie ? { status: 'signed_in' } : ended);
    expect((await signIn(email, strangers)).status).toBe(400);
    expect((await signIn(email, owners)).status).toBe(keepsCookie ? 200 : 400);
  }
});

test('no password counts if the owner opens the link of a stranger who signed up last [AUT-35]', async () => {
  const email = 'third@example.com';
  await signUp(email, 'password of the owner', 'Owner', { address: '192.0.2.16' });
  const strangers = () => signUp(email, 'password of a stranger', 'Stranger', { address: '192.0.2.17' });
  const token = await tokenFor(email, strangers);
  const verified = await post('/session/verify', { token }, { address: '192.0.2.16' });
  expect(verified.body).toEqual({ status: 'signed_in', choose_password: true });
  expect((await signIn(email, 'password of a stranger')).status).toBe(400);
});

test('the owner of an address signs in at a provider after a stranger signed up with it [AUT-35]', async () => {
  const email = 'ada@example.com';
  const token = await tokenFor(email, () => signUp(email, 'password of a stranger', 'Stranger'));
  const left = await post('/session/provider', { provider: 'corp', return_to: '/keys' });
  const back = new URL((await call(left.body.url)).headers.get('location')!);
  const headers = { host: 'gateway.example', cookie: cookiesOf(left) };
  const answer = await call(`${server.url}${back.pathname}${back.search}`, { headers });
  expect(answer.headers.get('location')).toBe('http://gateway.example/keys');
  const cookie = cookiesOf(answer);
  const session = await callDashboard(server, '/session', { headers: { cookie } });
  expect(session.body.person).toMatchObject({ email, name: 'Ada', email_verified: true });
  expect((await post('/session/verify', { token })).status).toBe(400);
  expect((await signIn(email, 'password of a stranger')).status).toBe(400);
});

test('an address that a stranger signed up with can become that of its owner [AUT-35]', async () => {
  const asked = 'wanted@example.com';
  const given = 'given@example.com';
  for (const email of [asked, given])
    await tokenFor(email, () =>
      signUp(email, 'password of a stranger', 'Stranger', { address: '192.0.2.18' }),
    );
  const cookie = cookiesOf(await signIn(operator.email, PASSWORD, { cookie: operator.cookie }));
  const change = { email: asked, password: PASSWORD };
  const token = await tokenFor(asked, () => post('/me/email', change, { cookie }));
  expect((await post('/session/verify', { token }, { cookie })).status).toBe(200);
  const [{ id }] = (await server.admin('GET', `/people?email=${asked}`)).body.data;
  const { status } = await server.admin('PATCH', `/people/${id}`, { email: given });
  expect(status).toBe(200);
  expect((await signIn(given, 'password of a stranger')).status).toBe(400);
  expect((await server.admin('PATCH', `/people/${id}`, { email: operator.email })).status).toBe(200);
});

test('a device cookie with other characters is that of an unknown device', async () => {
  const [, name, id] = /(gateway\.device_[^=]+)=([^.]+)/.exec(operator.cookie)!;
  const cookie = `${name}=${id}.${'\xe9'.repeat(64)}`;
  const address = '192.0.2.19';
  expect((await signIn(operator.email, 'a wrong guess', { address, cookie })).status).not.toBe(500);
});

test('a link that somebody asks for without a sign-up keeps no password [AUT-35]', async () => {
  const email = 'asked@example.com';
  await tokenFor(email, () => signUp(email, PASSWORD, 'Stranger', { address: '192.0.2.15' }));
  const token = await tokenFor(email, () => post('/session/verification', { email }));
  expect((await post('/session/verify', { token })).body).toMatchObject({ choose_password: true });
  expect((await signIn(email, PASSWORD)).status).toBe(400);
});

test('a newer reset link ends the older one, and each works once [AUT-34]', async () => {
  const email = operator.email;
  const ask = () => tokenFor(email, () => post('/session/reset', { email }));
  const older = await ask();
  const newer = await ask();
  const change = (token: string) => post('/session/new-password', { token, password: PASSWORD });
  expect((await change(older)).status).toBe(400);
  const before = mailsTo(email);
  const both = await Promise.all([change(newer), change(newer)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect((await change(newer)).status).toBe(400);
  await waitFor(() =>
    smtp.received
      .filter(({ to }) => to === email)
      .slice(before)
      .some(({ text }) => text.includes('Your password was changed')),
  );
});

test('a code of an authenticator app signs in once, even in two sign-ins at once [AUT-34]', async () => {
  const { cookie } = operator;
  const begun = await signIn(operator.email, PASSWORD, { cookie });
  const own = [cookie, cookiesOf(begun)].join('; ');
  const draft = await post('/me/two-factor', { password: PASSWORD }, { cookie: cookiesOf(begun) });
  const now = Date.now(); // the next period of codes may begin during the test
  const code = codeOf(draft.body.uri, now);
  const on = await post('/me/two-factor/confirm', { code }, { cookie: cookiesOf(begun) });
  expect(on.status).toBe(200);
  const halves = await Promise.all([1, 2].map(() => signIn(operator.email, PASSWORD, { cookie: own })));
  const enter = (half: (typeof halves)[0], code: string) =>
    post('/session/two-factor', { code, kind: 'totp' }, { cookie: cookiesOf(half) });
  const next = codeOf(draft.body.uri, now + 30_000);
  expect((await enter(halves[0]!, code)).body.error.message).toContain('used already');
  const entered = await Promise.all(halves.map((half) => enter(half, next)));
  expect(entered.map(({ status }) => status).sort()).toEqual([200, 400]);
  const session = cookiesOf(entered.find(({ status }) => status === 200)!);
  expect((await post('/me/two-factor/disable', { password: PASSWORD }, { cookie: session })).status).toBe(
    200,
  );
  await waitFor(() =>
    smtp.received.some(({ to, text }) => to === operator.email && text.includes('turned on')),
  );
});

test('a new password by a link keeps the second factor', async () => {
  const { email, cookie } = operator;
  const session = cookiesOf(await signIn(email, PASSWORD, { cookie }));
  const draft = await post('/me/two-factor', { password: PASSWORD }, { cookie: session });
  const code = codeOf(draft.body.uri, Date.now());
  expect((await post('/me/two-factor/confirm', { code }, { cookie: session })).status).toBe(200);
  const token = await tokenFor(email, () => post('/session/reset', { email }));
  expect((await post('/session/new-password', { token, password: PASSWORD })).status).toBe(200);
  const half = await signIn(email, PASSWORD, { cookie });
  expect(half.body).toMatchObject({ status: 'two_factor' });
  const [{ id }] = (await server.admin('GET', `/people?email=${email}`)).body.data;
  expect((await server.admin('DELETE', `/people/${id}/second-factor`)).status).toBe(200);
});

test('one of the most used passwords is refused as a new password', async () => {
  const person = { email: 'common@example.com', name: 'C', password: 'Qwertyuiop' };
  const signedUp = await post('/session/sign-up', person);
  expect(signedUp).toMatchObject({ status: 400, body: { error: { param: 'password' } } });
  expect(signedUp.body.error.message).toContain('most used passwords');
  const token = await tokenFor(operator.email, () => post('/session/reset', { email: operator.email }));
  expect((await post('/session/new-password', { token, password: '1234567890' })).status).toBe(400);
  const { cookie } = operator;
  const session = cookiesOf(await signIn(operator.email, PASSWORD, { cookie }));
  const change = { current_password: PASSWORD, password: 'password123' };
  expect((await post('/me/password', change, { cookie: session })).body.error.message).toContain('most used');
});

test('the old and the new address are notified when an address changes', async () => {
  const [{ id }] = (await server.admin('GET', '/people?email=owner@example.com')).body.data;
  const old = mailsTo('owner@example.com');
  const changed = await server.admin('PATCH', `/people/${id}`, { email: 'moved@example.com' });
  expect(changed.status).toBe(200);
  for (const [address, count] of [
    ['owner@example.com', old + 1],
    ['moved@example.com', 1],
  ] as const)
    expect((await smtp.mailTo(address, count)).text).toContain('from owner@example.com to moved@example.com');
});
