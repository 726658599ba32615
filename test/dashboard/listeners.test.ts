import { afterAll, expect, test } from 'bun:test';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { callDashboard, signInAsOperator } from './sign-in.ts';

const server = await startServer({
  config: { ...sampleConfig('http://127.0.0.1:9'), server: { admin_listen: '127.0.0.1:0' } },
});
afterAll(() => server.stop());
const publicUrl = /"base_url":"([^"]+)\/v1"/.exec(server.log())![1]!;

test('an operator is one on the listener for operators alone, although both have the cookie', async () => {
  const open = { url: publicUrl };
  const outside = (await callDashboard(open, '/session')).body.settings;
  expect(outside).toMatchObject({ admin_token_field: false, first_start: false });
  const body = {
    token: server.adminToken,
    email: 'a@example.com',
    name: 'A',
    password: 'a long enough password',
  };
  expect((await callDashboard(open, '/session/admin-token', { body })).status).toBe(404);
  const operator = await signInAsOperator(server);
  expect((await operator.call('/session')).body).toMatchObject({
    operator_role: 'owner',
    settings: { admin_token_field: true },
  });
  const headers = { cookie: operator.cookie };
  expect((await callDashboard(open, '/session', { headers })).body).toMatchObject({
    person: { email: 'operator@example.com' },
    operator_role: null,
  });
  expect((await operator.call('/operator/accounts')).status).toBe(200);
  expect((await callDashboard(open, '/operator/accounts', { headers })).status).toBe(404);
});
