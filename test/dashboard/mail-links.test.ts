import { afterAll, expect, test } from 'bun:test';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { startSmtp, tokenIn } from '../support/start-smtp.ts';
import { waitFor } from '../support/wait-for.ts';
import { callDashboard, cookiesOf, PASSWORD, signInAsOperator, signInWithPassword } from './sign-in.ts';

const smtp = startSmtp();
const server = await startServer({
  config: {
    ...sampleConfig('http://127.0.0.1:9'),
    server: { public_url: 'http://gateway.example' },
    dashboard: { sign_up: 'open', sign_up_plan: 'starter' },
    mail: { host: '127.0.0.1', port: smtp.port, tls: 'none', from: 'Gateway <gateway@example.com>' },
  },
});
afterAll(async () => {
  await server.stop();
  smtp.stop();
});

const origin = { headers: { origin: 'http://gateway.example' } };
const post = (path: string, body: object) => callDashboard(server, `/session/${path}`, { ...origin, body });
const ada = { email: 'Ada@example.com', name: 'Ada', password: PASSWORD };

test('a person signs up, verifies the address and owns an account', async () => {
  const operator = await signInAsOperator(server);
  expect((await operator.call('/session')).body.settings).toMatchObject({ open_sign_up: true, mail: true });
  expect((await post('sign-up', ada)).body).toEqual({ status: 'verify' });
  expect((await post('sign-in', { email: ada.email, password: PASSWORD })).status).toBe(400);
  const mail = await smtp.mailTo('ada@example.com');
  expect(mail.text).toContain('http://gateway.example/verify#token=');
  const verified = await post('verify', { token: tokenIn(mail) });
  expect({ status: verified.status, body: verified.body }).toEqual({
    status: 200,
    body: { status: 'signed_in' },
  });
  expect((await post('verify', { token: tokenIn(mail) })).body).toEqual({ status: 'verified' });
  const session = await callDashboard(server, '/session', { headers: { cookie: cookiesOf(verified) } });
  expect(session.body).toMatchObject({
    person: { email: 'ada@example.com', email_verified: true },
    operator_role: null,
    organizations: [{ name: 'Ada', plan: 'starter', role: 'owner' }],
  });
  const [{ id }] = session.body.organizations;
  const account = await server.admin('GET', `/accounts/${id}`);
  expect(account.body).toMatchObject({ email: 'ada@example.com', email_verified: true });
  const foreign = await callDashboard(server, '/operator/accounts', {
    headers: { cookie: cookiesOf(verified) },
  });
  expect(foreign.status).toBe(404);
});

test('the answers to a known and to an unknown address are the same', async () => {
  const took = async (call: () => Promise<{ status: number; text: string }>) => {
    const { status, text } = await call();
    return `${status} ${text}`;
  };
  const strangers = { ...ada, email: 'stranger@example.com' };
  expect(await took(() => post('sign-up', ada))).toBe(await took(() => post('sign-up', strangers)));
  expect((await smtp.mailTo('ada@example.com', 2)).subject).toContain('already');
  for (const kind of ['reset', 'verification'])
    expect(await took(() => post(kind, { email: ada.email }))).toBe(
      await took(() => post(kind, { email: 'unknown@example.com' })),
    );
  const wrong = { password: 'not the password' };
  const answers = await Promise.all(
    [ada.email, strangers.email, 'unknown@example.com'].map((email) => post('sign-in', { email, ...wrong })),
  );
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.error.message}`)).size).toBe(1);
});

test('a new password ends all sessions of the person', async () => {
  const person = await signInWithPassword(server, 'ada@example.com', PASSWORD, origin.headers.origin);
  const before = smtp.received.filter(({ to }) => to === 'ada@example.com').length;
  await post('reset', { email: 'ada@example.com' });
  const token = tokenIn(await smtp.mailTo('ada@example.com', before + 1));
  const password = 'another long password';
  expect((await post('new-password', { token: 'wrong', password })).status).toBe(400);
  expect((await post('new-password', { token, password })).status).toBe(200);
  expect((await post('new-password', { token, password })).status).toBe(400);
  expect((await person.call('/me')).status).toBe(401);
  expect((await post('sign-in', { email: 'ada@example.com', password: PASSWORD })).status).toBe(400);
  await signInWithPassword(server, 'ada@example.com', password, origin.headers.origin);
});

test('a new address counts when its link was used, and is then that of the account', async () => {
  const password = 'another long password';
  const person = await signInWithPassword(server, 'ada@example.com', password, origin.headers.origin);
  const body = { email: 'lovelace@example.com', password };
  expect((await person.call('/me/email', { body: { ...body, password: 'wrong' } })).status).toBe(400);
  expect((await person.call('/me/email', { body })).body).toEqual({ status: 'sent' });
  expect((await person.call('/me')).body.email).toBe('ada@example.com');
  const token = tokenIn(await smtp.mailTo('lovelace@example.com'));
  expect((await person.call('/session/verify', { body: { token } })).status).toBe(200);
  const session = (await person.call('/session')).body;
  expect(session.person.email).toBe('lovelace@example.com');
  const account = await server.admin('GET', `/accounts/${session.organizations[0].id}`);
  expect(account.body).toMatchObject({ email: 'lovelace@example.com', email_verified: true });
});

test('a link to a new address ends with a new password or the sessions, and works once', async () => {
  const { email } = await signInAsOperator(server, 'robbed@example.com');
  const [{ id }] = (await server.admin('GET', `/people?email=${email}`)).body.data;
  let password = PASSWORD;
  let links = 0;
  const signIn = () => signInWithPassword(server, email, password, origin.headers.origin);
  const ask = async () => {
    await (await signIn()).call('/me/email', { body: { email: 'thief@example.com', password } });
    return tokenIn(await smtp.mailTo('thief@example.com', ++links));
  };
  const reset = async () => {
    const before = smtp.received.filter(({ to }) => to === email).length;
    await post('reset', { email });
    const token = tokenIn(await smtp.mailTo(email, before + 1));
    password = 'the third long password';
    await post('new-password', { token, password });
  };
  const changePassword = async () => {
    const body = { current_password: password, password: 'the second long password' };
    await (await signIn()).call('/me/password', { body });
    password = body.password;
  };
  const ends = [
    changePassword,
    async () => (await signIn()).call('/me/sessions', { method: 'DELETE' }),
    () => server.admin('DELETE', `/people/${id}/sessions`),
    reset,
  ];
  for (const end of ends) {
    const token = await ask();
    await end();
    expect({ end: end.name, status: (await post('verify', { token })).status }).toMatchObject({
      status: 400,
    });
  }
  const token = await ask();
  expect((await post('verify', { token })).status).toBe(200);
  await server.admin('PATCH', `/people/${id}`, { email });
  expect((await post('verify', { token })).status).toBe(400);
  expect((await server.admin('GET', `/people/${id}`)).body.email).toBe(email);
});

test('mail that fails is visible to operators and is tried again', async () => {
  smtp.refuse(true);
  await post('sign-up', { ...ada, email: 'late@example.com' });
  const state = async () => (await server.admin('GET', '/mail')).body;
  await waitFor(async () => (await state()).last_failure !== null);
  expect(await state()).toMatchObject({
    configured: true,
    last_failure: { kind: 'verification', final: false },
  });
  smtp.refuse(false);
  await smtp.mailTo('late@example.com');
});

test('no line of the log has a token, a link, a password or a cookie', () => {
  const tokens = smtp.received.flatMap(({ text }) => (text.includes('#token=') ? [tokenIn({ text })] : []));
  expect(tokens.length).toBeGreaterThan(3);
  const log = server.log() + server.errors();
  for (const secret of [...tokens, PASSWORD, '#token=', 'session_token', server.adminToken])
    expect(log).not.toContain(secret);
});
