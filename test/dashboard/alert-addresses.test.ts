import { afterAll, expect, test } from 'bun:test';
import { startServer } from '../support/start-server.ts';
import { startSmtp, tokenIn } from '../support/start-smtp.ts';
import { callDashboard, PASSWORD, signInAsOperator, signInWithPassword } from './sign-in.ts';

const smtp = startSmtp();
const server = await startServer({
  config: {
    server: { public_url: 'http://gateway.example' },
    mail: { host: '127.0.0.1', port: smtp.port, tls: 'none', from: 'Gateway <gateway@example.com>' },
  },
  environment: { TOLLGATE_TEST_CLOCK: '1' },
});
afterAll(async () => {
  await server.stop();
  smtp.stop();
});

const operator = await signInAsOperator(server);
const account = await server.createAccount('free');
const EMAIL = 'owner@ours.example';
await operator.call(`/operator/accounts/${account}/invitations`, { body: { email: EMAIL, role: 'owner' } });
const invitation = tokenIn(await smtp.mailTo(EMAIL));
await callDashboard(server, '/session/sign-up', {
  body: { email: EMAIL, name: 'Owner', password: PASSWORD, invitation },
});
const owner = await signInWithPassword(server, EMAIL);
const path = `/organizations/${account}/billing/alerts`;
const STRANGER = 'stranger@theirs.example';

const save = (addresses: string[]) =>
  owner.call(path, { body: { addresses, webhook_url: null, low_percents: [], caps: true } });
const confirm = (token: string) => callDashboard(server, '/alert-addresses/confirm', { body: { token } });
const testMail = async () => (await owner.call(`${path}/test`, { method: 'POST' })).body;
const minute = () => server.admin('POST', '/test/clock', { advance_s: 60 });
const mailsTo = (address: string) => smtp.received.filter(({ to }) => to === address);

test('a mail address gets no alert until the link that was sent there confirms it', async () => {
  expect((await save([STRANGER])).body).toMatchObject({ addresses: [STRANGER], unconfirmed: [STRANGER] });
  const link = await smtp.mailTo(STRANGER);
  expect(link.text).toContain('http://gateway.example/confirm-address#token=');
  expect((await testMail()).error.message).toContain('confirm an address first');
  expect((await confirm('acct_other.token')).status).toBe(404);
  expect((await confirm(tokenIn(link))).body).toEqual({ address: STRANGER });
  expect((await owner.call(path)).body.unconfirmed).toEqual([]);
  expect((await confirm(tokenIn(link))).status).toBe(404); // a link works once
  expect((await testMail()).data).toMatchObject([{ receiver: 'mail', state: 'delivered' }]);
  expect(mailsTo(STRANGER).length).toBe(2);
});

test('the verified address of an owner counts as confirmed', async () => {
  expect((await save([STRANGER, 'Owner@ours.example'])).body.unconfirmed).toEqual([]);
  expect(mailsTo('Owner@ours.example')).toEqual([]);
});

test('an address that was removed must be confirmed again, and its links are bounded', async () => {
  await save([]);
  for (let count = 0; count < 3; count++) {
    expect((await save([STRANGER])).body.unconfirmed).toEqual([STRANGER]);
    await minute();
  }
  await smtp.mailTo(STRANGER, 5);
  await save([STRANGER]);
  const flooded = await save([STRANGER]);
  await minute();
  expect(flooded.status).toBe(200);
  expect((await save([STRANGER])).status).toBe(429);
});

test('a test alert is sent to an organization once a minute', async () => {
  await save(['owner@ours.example']);
  expect((await testMail()).data).toHaveLength(1);
  expect((await testMail()).error.code).toBe('rate_limit_exceeded');
});
