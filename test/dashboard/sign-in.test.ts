import { afterAll, expect, test } from 'bun:test';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { callDashboard, PASSWORD, signInAsOperator, signInWithPassword } from './sign-in.ts';

const server = await startServer({ config: sampleConfig('http://127.0.0.1:9') });
afterAll(() => server.stop());

test('the holder of the admin token becomes the first operator and owns the first account', async () => {
  expect((await callDashboard(server, '/session')).body).toMatchObject({
    ...{ person: null, operator_role: null, organizations: [] },
    settings: { first_start: true, admin_token_field: true },
  });
  const operator = await signInAsOperator(server);
  expect((await operator.call('/session')).body).toMatchObject({
    person: { email: 'operator@example.com', name: 'The operator', email_verified: true },
    ...{ operator_role: 'owner', organizations: [{ name: 'First account', role: 'owner' }] },
    settings: { first_start: false },
  });
  const again = await signInWithPassword(server, 'operator@example.com');
  expect((await again.call('/operator/accounts')).body.data).toHaveLength(1);
  const out = await again.call('/session/sign-out', { method: 'POST' });
  expect([out.status, out.body]).toEqual([200, { status: 'done' }]);
  expect((await again.call('/session')).body.person).toBeNull();
  expect((await again.call('/operator/accounts')).status).toBe(401);
  expect((await operator.call('/operator/accounts')).status).toBe(200);
});

test('a wrong password and an unknown address get the same answer', async () => {
  const wrong = { email: 'operator@example.com', password: 'not the password' };
  const answers = await Promise.all(
    [wrong, { ...wrong, email: 'nobody@example.com' }].map((body) =>
      callDashboard(server, '/session/sign-in', { body }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  expect(answers[0]!.body.error.message).toBe(answers[1]!.body.error.message);
});

test('a wrong admin token makes no operator', async () => {
  const body = { token: 'tga_wrong', email: 'x@example.com', name: 'X', password: PASSWORD };
  expect((await callDashboard(server, '/session/admin-token', { body })).status).toBe(401);
  expect(
    (await callDashboard(server, '/session/sign-in', { body: { email: body.email, password: PASSWORD } }))
      .status,
  ).toBe(400);
});
