import { afterAll, describe, expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { callDashboard, cookiesOf, PASSWORD, signInAsOperator, signInWithPassword } from './sign-in.ts';
import { codeOf } from './support/code-of.ts';

const server = await startServer({ config: sampleConfig('http://127.0.0.1:9') });
afterAll(() => server.stop());

test('the holder of the admin token becomes the first operator and owns the first account', async () => {
  expect((await callDashboard(server, '/session')).body).toMatchObject({
    person: null,
    operator_role: null,
    organizations: [],
    settings: { first_start: true, admin_token_field: true },
  });
  const operator = await signInAsOperator(server);
  expect((await operator.call('/session')).body).toMatchObject({
    person: { email: 'operator@example.com', name: 'The operator', email_verified: true },
    operator_role: 'owner',
    organizations: [{ name: 'First account', role: 'owner' }],
    settings: { first_start: false },
  });
  const again = await signInWithPassword(server, 'operator@example.com');
  expect((await again.call('/operator/accounts')).body.data).toHaveLength(1);
  const out = await again.call('/session/sign-out', { method: 'POST' });
  expect({ status: out.status, body: out.body }).toEqual({ status: 200, body: { status: 'done' } });
  expect((await again.call('/session')).body.person).toBeNull();
  expect((await again.call('/operator/accounts')).status).toBe(401);
  expect((await operator.call('/operator/accounts')).status).toBe(200);
});

test('a sign-in ends the session that the browser had, and no other one', async () => {
  const earlier = await signInWithPassword(server, 'operator@example.com');
  const elsewhere = await signInWithPassword(server, 'operator@example.com');
  const again = await callDashboard(server, '/session/sign-in', {
    headers: { cookie: earlier.cookie },
    body: { email: earlier.email, password: PASSWORD },
  });
  const personWith = async (cookie: string) =>
    (await callDashboard(server, '/session', { headers: { cookie } })).body.person?.email ?? null;
  const cookies = [earlier.cookie, elsewhere.cookie, cookiesOf(again)];
  expect(await Promise.all(cookies.map(personWith))).toEqual([null, earlier.email, earlier.email]);
});

test('a wrong password and an unknown address get the same answer', async () => {
  const wrong = { email: 'operator@example.com', password: 'not the password' };
  const guesses = [wrong, { ...wrong, email: 'nobody@example.com' }];
  const answers = await Promise.all(
    guesses.map((body) => callDashboard(server, '/session/sign-in', { body })),
  );
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  expect(answers[0]!.body.error.message).toBe(answers[1]!.body.error.message);
});

test('a password counts in all its characters, as it was set', async () => {
  for (const password of [`${PASSWORD} `, ` ${PASSWORD}`, PASSWORD.toUpperCase(), PASSWORD.slice(0, -1)]) {
    const body = { email: 'operator@example.com', password };
    expect((await callDashboard(server, '/session/sign-in', { body })).status).toBe(400);
  }
});

test('a wrong admin token makes no operator', async () => {
  const body = { token: 'tga_wrong', email: 'x@example.com', name: 'X', password: PASSWORD };
  expect((await callDashboard(server, '/session/admin-token', { body })).status).toBe(401);
  expect(
    (await callDashboard(server, '/session/sign-in', { body: { email: body.email, password: PASSWORD } }))
      .status,
  ).toBe(400);
});

describe('the audit log', () => {
  const email = 'audited@example.com';
  const audit = async (query: string): Promise<Json[]> =>
    (await server.admin('GET', `/audit?limit=100&${query}`)).body.data;
  const ways = (entries: Json[]) => entries.map(({ action, after }) => [action, after.by]).reverse();

  test('has each sign-in and each sign-out, with the person and the network [ADM-50]', async () => {
    const person = await signInAsOperator(server, email);
    const { id } = (await person.call('/session')).body.person;
    const again = await signInWithPassword(server, email);
    await again.call('/session/sign-out', { method: 'POST' });
    await again.call('/session/sign-out', { method: 'POST' });
    const entries = (await audit(`actor=${email}`)).filter(({ action }) => action.startsWith('sign-'));
    expect(entries.map(({ target, after }) => [target, after.network])).toEqual(
      entries.map(() => [id, '127.0.0.1']),
    );
    expect(ways(entries)).toEqual([
      ['sign-in', 'admin-token'],
      ['sign-in', 'password'],
      ['sign-out', undefined],
    ]);
  });

  test('counts failed sign-ins in one entry, and has nothing that was entered [ADM-50]', async () => {
    const { id } = (await (await signInWithPassword(server, email)).call('/session')).body.person;
    const before = (await audit('action=sign-in-failed&target=unknown'))
      .filter(({ after }) => after.by === 'password')
      .reduce((sum, { after }) => sum + after.times, 0);
    const guess = (name: string) =>
      callDashboard(server, '/session/sign-in', { body: { email: name, password: 'guessed-secret-1' } });
    for (let times = 0; times < 3; times++) await guess(email.toUpperCase());
    for (const name of ['hunter2-in-the-wrong-field@example.com', 'stranger@example.com']) await guess(name);
    const failed = (target: string) => audit(`action=sign-in-failed&target=${target}`);
    const timesOf = async (target: string) =>
      (await failed(target))
        .filter(({ after }) => after.by === 'password')
        .reduce((sum, { after }) => sum + after.times, 0);
    await waitFor(async () => (await timesOf(id)) === 3 && (await timesOf('unknown')) === before + 2);
    const [entry] = await failed(id);
    expect(entry).toMatchObject({
      actor: 'unknown',
      before: null,
      after: { by: 'password', network: '127.0.0.1', times: 3, last_at: expect.any(String) },
    });
    expect(await failed(id)).toHaveLength(1);
    const whole = JSON.stringify(await audit(''));
    for (const entered of ['guessed-secret-1', 'hunter2', 'stranger@', PASSWORD])
      expect({ entered, isIncluded: whole.includes(entered) }).toEqual({ entered, isIncluded: false });
  });

  test('has wrong admin tokens at the sign-in, without the token [ADM-50]', async () => {
    const body = { token: 'tga_another-wrong-one', email, name: 'X', password: PASSWORD };
    expect((await callDashboard(server, '/session/admin-token', { body })).status).toBe(401);
    const failed = async () =>
      (await audit('action=sign-in-failed')).filter(({ after }) => after.by === 'admin-token');
    await waitFor(async () => (await failed()).some(({ target }) => target.startsWith('usr_')));
    expect(JSON.stringify(await failed())).not.toContain('another-wrong');
  });

  test('has a sign-in once the code is right, and wrong codes of the person [ADM-50]', async () => {
    const person = await signInAsOperator(server, 'coded@example.com');
    const { id } = (await person.call('/session')).body.person;
    const draft = await person.call('/me/two-factor', { body: { password: PASSWORD } });
    const confirmed = await person.call('/me/two-factor/confirm', { body: { code: codeOf(draft.body.uri) } });
    expect(confirmed.status).toBe(200);
    const body = { email: person.email, password: PASSWORD };
    const half = await callDashboard(server, '/session/sign-in', { body });
    expect(half.body.status).toBe('two_factor');
    const enter = (code: string, kind: string) =>
      callDashboard(server, '/session/two-factor', {
        body: { code, kind },
        headers: { cookie: cookiesOf(half) },
      });
    const signIns = async () => (await audit(`action=sign-in&target=${id}`)).map(({ after }) => after.by);
    expect(await signIns()).toEqual(['admin-token']);
    expect((await enter('wrong-code', 'recovery')).status).toBe(400);
    await waitFor(async () => (await audit(`action=sign-in-failed&target=${id}`)).length === 1);
    const [recovery] = draft.body.recovery_codes;
    expect((await enter(recovery, 'recovery')).status).toBe(200);
    expect(await signIns()).toEqual(['two-factor', 'admin-token']);
  });
});
