import { afterAll, expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import {
  callDashboard,
  cookiesOf,
  PASSWORD,
  type SignedInPerson,
  signInAsOperator,
  signInWithPassword,
} from './sign-in.ts';
import { ageSessions } from './support/age-sessions.ts';
import { codeOf } from './support/code-of.ts';

const server = await startServer({ config: sampleConfig('http://127.0.0.1:9') });
afterAll(() => server.stop());

const email = 'operator@example.com';
const first = await signInAsOperator(server);

test('the routes of a person need a session', async () => {
  const routes = ['GET /me', 'PATCH /me', 'POST /me/email', 'POST /me/password', 'GET /me/sessions'];
  routes.push(
    'DELETE /me/sessions',
    'DELETE /me/sessions/ses_x',
    'POST /me/two-factor',
    'POST /me/two-factor/confirm',
  );
  routes.push(
    'POST /me/two-factor/disable',
    'POST /me/recovery-codes',
    'POST /me/sign-ins',
    'DELETE /me/sign-ins/x',
  );
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    const answer = await callDashboard(server, path, {
      method,
      headers: { cookie: 'gateway.session_token=old.x' },
    });
    expect({ route, status: answer.status }).toEqual({ route, status: 401 });
  }
});

test('a person changes the name and the password, and other sessions end with the old password', async () => {
  await first.call('/me', { method: 'PATCH', body: { name: 'Ada' } });
  expect((await first.call('/me')).body).toMatchObject({
    name: 'Ada',
    has_password: true,
    two_factor: false,
  });
  const second = await signInWithPassword(server, email);
  const password = 'the second password';
  const wrong = { current_password: 'wrong', password };
  expect((await first.call('/me/password', { body: wrong })).status).toBe(400);
  const short = { current_password: PASSWORD, password: 'short' };
  expect((await first.call('/me/password', { body: short })).status).toBe(400);
  const changed = await first.call('/me/password', { body: { current_password: PASSWORD, password } });
  expect(changed.status).toBe(200);
  expect((await second.call('/me')).status).toBe(401);
  expect((await first.call('/me')).status).toBe(401);
  const cookie = cookiesOf(changed);
  expect((await callDashboard(server, '/me', { headers: { cookie } })).status).toBe(200);
  await callDashboard(server, '/me/password', {
    headers: { cookie },
    body: { current_password: password, password: PASSWORD },
  });
});

test('a person sees the sessions and ends them', async () => {
  const one = await signInWithPassword(server, email);
  const other = await signInWithPassword(server, email);
  const list = async () => (await one.call('/me/sessions')).body.data;
  const sessions = await list();
  expect(sessions.filter((session: { is_this: boolean }) => session.is_this)).toHaveLength(1);
  expect(sessions[0]).toMatchObject({ address: '127.0.0.1', browser: expect.any(String) });
  const { person } = (await other.call('/session')).body;
  const ended = await one.call(`/me/sessions/${person.session_id}`, { method: 'DELETE' });
  expect(ended.status).toBe(200);
  expect((await other.call('/me')).status).toBe(401);
  expect((await one.call(`/me/sessions/${person.session_id}`, { method: 'DELETE' })).status).toBe(404);
  await one.call('/me/sessions', { method: 'DELETE' });
  expect(await list()).toHaveLength(1);
});

test('a second factor is in force from the first right code on, and a recovery code works once', async () => {
  const person = await signInWithPassword(server, email);
  expect((await person.call('/me/two-factor', { body: { password: 'wrong' } })).status).toBe(400);
  const draft = (await person.call('/me/two-factor', { body: { password: PASSWORD } })).body;
  expect(draft.recovery_codes).toHaveLength(10);
  await signInWithPassword(server, email);
  expect((await person.call('/me/two-factor/confirm', { body: { code: '000000' } })).status).toBe(400);
  // Both codes are of one moment, since a period may end in between.
  const at = Date.now();
  const first = codeOf(draft.uri, at);
  const second = codeOf(draft.uri, at + 30_000);
  const on = await person.call('/me/two-factor/confirm', { body: { code: first } });
  expect(on.status).toBe(200);
  const half = await callDashboard(server, '/session/sign-in', { body: { email, password: PASSWORD } });
  expect(half.body).toEqual({ status: 'two_factor' });
  const headers = { cookie: cookiesOf(half) };
  expect((await callDashboard(server, '/session', { headers })).body.person).toBeNull();
  const enter = (code: string, kind: string, given = headers) =>
    callDashboard(server, '/session/two-factor', { headers: given, body: { code, kind } });
  expect((await enter('000000', 'totp')).status).toBe(400);
  const used = await enter(first, 'totp');
  expect(used).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('used already') } },
  });
  const full = await enter(second, 'totp');
  expect(full.body).toEqual({ status: 'signed_in' });
  const [recovery] = draft.recovery_codes;
  const again = async () => {
    const begun = await callDashboard(server, '/session/sign-in', { body: { email, password: PASSWORD } });
    return enter(recovery, 'recovery', { cookie: cookiesOf(begun) });
  };
  expect((await again()).body).toEqual({ status: 'signed_in' });
  expect((await again()).status).toBe(400);
  const session = { cookie: cookiesOf(full) };
  const codes = await callDashboard(server, '/me/recovery-codes', {
    headers: session,
    body: { password: PASSWORD },
  });
  expect(codes.body.recovery_codes).toHaveLength(10);
  const off = await callDashboard(server, '/me/two-factor/disable', {
    headers: session,
    body: { password: PASSWORD },
  });
  expect(off.status).toBe(200);
  await signInWithPassword(server, email);
  const { data } = (await server.admin('GET', '/audit?limit=20')).body;
  expect(data.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining([
      'two-factor-on',
      'two-factor-off',
      'recovery-codes-new',
      'password-change',
      'session-end',
    ]),
  );
});

test('a browser keeps its session until the code of the next sign-in is right, and then loses it', async () => {
  const person = await signInAsOperator(server, 'twofold@example.com');
  const draft = await person.call('/me/two-factor', { body: { password: PASSWORD } });
  const at = Date.now();
  const on = await person.call('/me/two-factor/confirm', { body: { code: codeOf(draft.body.uri, at) } });
  const cookie = cookiesOf(on);
  const stateOf = async (headers: { cookie: string }) =>
    (await callDashboard(server, '/me', { headers })).status;
  const body = { email: person.email, password: PASSWORD };
  const begun = await callDashboard(server, '/session/sign-in', { headers: { cookie }, body });
  expect(begun.body).toEqual({ status: 'two_factor' });
  expect(begun.headers.getSetCookie().filter((one) => one.includes('session_token'))).toEqual([]);
  expect(await stateOf({ cookie })).toBe(200);
  const ended = await callDashboard(server, '/session/two-factor', {
    headers: { cookie: `${cookie}; ${cookiesOf(begun)}` },
    body: { code: codeOf(draft.body.uri, at + 30_000), kind: 'totp' },
  });
  expect(ended.body).toEqual({ status: 'signed_in' });
  expect(await Promise.all([{ cookie }, { cookie: cookiesOf(ended) }].map(stateOf))).toEqual([401, 200]);
});

test('changes of the sign-in need a recent one, and with two factors those with the password do too', async () => {
  const old = await signInAsOperator(server, 'secured@example.com');
  const { email } = old;
  const other = await signInWithPassword(server, email);
  const { session_id: id } = (await other.call('/session')).body.person;
  const password = { password: PASSWORD };
  const codes = async (person: SignedInPerson, routes: [string, string, Json?][]) => {
    const answers = [];
    for (const [method, path, body] of routes) {
      const { status, headers } = await person.call(path, { method, body });
      answers.push(headers.get('x-svc-error-code') ?? status);
    }
    return answers;
  };
  const withoutPassword: [string, string, Json?][] = [
    ['POST', '/me/sign-ins', { provider: 'corp' }],
    ['DELETE', '/me/sign-ins/sin_x'],
    ['DELETE', `/me/sessions/${id}`],
    ['DELETE', '/me/sessions'],
  ];
  const withPassword: [string, string, Json?][] = [
    ['POST', '/me/email', { email: 'new@example.com', ...password }],
    ['POST', '/me/password', { current_password: PASSWORD, password: 'x'.repeat(20) }],
    ['POST', '/me/two-factor', password],
    ['POST', '/me/two-factor/disable', password],
    ['POST', '/me/recovery-codes', password],
  ];
  await ageSessions(server);
  const old403 = (routes: unknown[]) => routes.map(() => 'recent_sign_in_required');
  expect(await codes(old, withoutPassword)).toEqual(old403(withoutPassword));
  expect((await other.call('/me')).status).toBe(200);
  const draft = await old.call('/me/two-factor', { body: password });
  const on = await old.call('/me/two-factor/confirm', { body: { code: codeOf(draft.body.uri) } });
  const cookie = cookiesOf(on);
  const secured: SignedInPerson = {
    email,
    cookie,
    call: (path, options) => callDashboard(server, path, { ...options, headers: { cookie } }),
  };
  await ageSessions(server);
  expect(await codes(secured, withPassword)).toEqual(old403(withPassword));
  expect((await secured.call('/me', { method: 'PATCH', body: { name: 'Ada' } })).status).toBe(200);
  expect((await secured.call('/me')).body.two_factor).toBe(true);
  const begun = await callDashboard(server, '/session/sign-in', { body: { email, ...password } });
  const [code] = draft.body.recovery_codes;
  const signedIn = await callDashboard(server, '/session/two-factor', {
    headers: { cookie: cookiesOf(begun) },
    body: { code, kind: 'recovery' },
  });
  const headers = { cookie: cookiesOf(signedIn) };
  const call = (method: string, path: string, body?: Json) =>
    callDashboard(server, path, { method, headers, body });
  expect((await call('DELETE', `/me/sessions/${id}`)).status).toBe(200);
  expect((await call('POST', '/me/two-factor/disable', password)).status).toBe(200);
});

test('a request with the cookies of two sessions changes the person whose session was checked', async () => {
  const stolen = await signInAsOperator(server, 'stolen@example.com');
  const draft = await stolen.call('/me/two-factor', { body: { password: PASSWORD } });
  const on = await stolen.call('/me/two-factor/confirm', { body: { code: codeOf(draft.body.uri) } });
  await ageSessions(server);
  const own = await signInWithPassword(server, email);
  const cookieIn = (cookies: string) => /gateway\.session_token=([^;]+)/.exec(cookies)![1];
  const old = cookieIn(cookiesOf(on));
  const cookie = `gateway.session_token =${old}; gateway.session_token=${cookieIn(own.cookie)}`;
  await own.call('/me/two-factor/disable', { headers: { cookie }, body: { password: PASSWORD } });
  const headers = { cookie: `gateway.session_token=${old}` };
  expect((await callDashboard(server, '/me', { headers })).body).toMatchObject({ two_factor: true });
});

test('the only way to sign in stays', async () => {
  const person = await signInWithPassword(server, email);
  const [{ id }] = (await person.call('/me')).body.sign_ins;
  expect((await person.call(`/me/sign-ins/${id}`, { method: 'DELETE' })).status).toBe(409);
});

test('cookies are hidden from scripts and sent to this site alone', async () => {
  const answer = await callDashboard(server, '/session/sign-in', { body: { email, password: PASSWORD } });
  const cookies = answer.headers.getSetCookie();
  const session = cookies.find((cookie) => cookie.startsWith('gateway.session_token='));
  for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/']) expect(session).toContain(part);
  expect(session).not.toMatch(/domain/i);
});

test('guesses of a password are bounded', async () => {
  const body = { email: 'guessed@example.com', password: 'a guess' };
  const codes = [];
  for (let count = 0; count < 21; count++)
    codes.push((await callDashboard(server, '/session/sign-in', { body })).status);
  expect(codes.slice(0, 20).every((code) => code === 400)).toBe(true);
  expect(codes.at(-1)).toBe(429);
});

test('an operator ends the sessions of a person, and a removed person has none', async () => {
  const leaving = await signInAsOperator(server, 'leaving@example.com');
  const { id } = (await leaving.call('/session')).body.person;
  expect((await server.admin('DELETE', `/people/${id}/sessions`)).status).toBe(200);
  expect((await leaving.call('/me')).status).toBe(401);
  const again = await signInWithPassword(server, leaving.email);
  expect((await again.call('/me')).status).toBe(200);
  expect((await server.admin('DELETE', `/people/${id}`)).status).toBe(200);
  expect((await again.call('/me')).status).toBe(401);
});
