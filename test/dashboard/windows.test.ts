import { afterAll, describe, expect, test } from 'bun:test';
import type { call } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { callDashboard, PASSWORD, signInAsOperator } from './sign-in.ts';

const OF_SESSION = 12;
const OF_NETWORK = 30;
const server = await startServer({
  config: {
    server: { trusted_proxies: ['127.0.0.1'] },
    metrics: { token: 'a-token-for-scrapes' },
    dashboard: { requests_per_min: OF_SESSION, network_requests_per_min: OF_NETWORK },
  },
});
afterAll(() => server.stop());
const operator = await signInAsOperator(server);

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': address, 'accept-encoding': 'identity', ...headers },
});
/** Calls until a call is refused. */
async function callsUntilRefused(one: () => ReturnType<typeof call>) {
  for (let count = 0; ; count++) {
    const answer = await one();
    if (answer.status === 429) return { count, answer };
    expect({ count, status: answer.status }).toEqual({ count, status: 200 });
  }
}

describe("the dashboard's API has windows [AUT-32]", () => {
  test('a session that floods it is refused with the time to wait, on routes for operators too, and others are not', async () => {
    const flooding = await signInAsOperator(server, 'flooding@example.com');
    const { count, answer } = await callsUntilRefused(() => flooding.call('/session', from('192.0.2.1')));
    expect(count).toBe(OF_SESSION);
    expect(answer.headers.get('x-svc-error-code')).toBe('rate_limit_exceeded');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await flooding.call('/operator/accounts', from('198.51.100.1'))).status).toBe(429);
    expect((await operator.call('/operator/accounts', from('192.0.2.1'))).status).toBe(200);
  });

  test('a network that floods it without a session is refused, and another network is not', async () => {
    const ask = () => callDashboard(server, '/session', from('192.0.2.77', { origin: server.url }));
    const { count, answer } = await callsUntilRefused(ask);
    expect(count).toBe(OF_NETWORK);
    expect(answer.headers.get('x-svc-error-code')).toBe('network_rate_limited');
    expect((await operator.call('/session', from('192.0.2.77'))).status).toBe(429);
    expect((await operator.call('/session', from('198.51.100.2'))).status).toBe(200);
  });

  test('the documentation and wrong metrics tokens count against the network, and scrapes with the token do not', async () => {
    const known = from('192.0.2.99', { authorization: 'Bearer a-token-for-scrapes' });
    for (let count = 0; count < OF_NETWORK + 5; count++)
      expect((await fetch(`${server.url}/metrics`, known)).status).toBe(200);
    for (let count = 0; count < OF_NETWORK / 3; count++) {
      expect((await fetch(`${server.url}/docs`, from('192.0.2.99'))).status).toBe(200);
      expect((await fetch(`${server.url}/openapi.json`, from('192.0.2.99'))).status).toBe(200);
      expect((await fetch(`${server.url}/metrics`, from('192.0.2.99'))).status).toBe(401);
    }
    for (const path of ['/docs', '/openapi.json', '/metrics'])
      expect((await fetch(server.url + path, from('192.0.2.99'))).status).toBe(429);
    expect((await fetch(`${server.url}/metrics`, known)).status).toBe(200);
    expect((await fetch(`${server.url}/docs`, from('198.51.100.3'))).status).toBe(200);
  });
});

test('pages, the API and its errors keep browsers on TLS for a year, if the client came by TLS', async () => {
  for (const path of [
    '/',
    '/docs',
    '/v1/models',
    '/v1/nope',
    '/admin/v1/accounts',
    '/dashboard/v1/session',
  ]) {
    const policyOf = async (proto: string) =>
      (await server.call(path, { headers: { 'x-forwarded-proto': proto } })).headers.get(
        'strict-transport-security',
      );
    expect([path, await policyOf('https'), await policyOf('http')]).toEqual([path, 'max-age=31536000', null]);
  }
});

test('over TLS each cookie is Secure and bound to the host, and a sign-in makes a new token of 32 characters', async () => {
  const body = { email: operator.email, password: PASSWORD };
  const byTls = { ...from('203.0.113.5', { 'x-forwarded-proto': 'https' }).headers };
  const origin = server.url.replace('http:', 'https:');
  const signIn = () => callDashboard(server, '/session/sign-in', { headers: { ...byTls, origin }, body });
  const one = await signIn();
  const other = await signIn();
  expect({ one: one.status, other: other.status }).toEqual({ one: 200, other: 200 });
  const cookies = [...one.headers.getSetCookie(), ...other.headers.getSetCookie()];
  expect(cookies.length).toBeGreaterThan(3);
  for (const cookie of cookies)
    expect(cookie).toMatch(/^__Host-gateway\.[^;]+;(?=.*; Secure)(?=.*; HttpOnly)(?=.*; SameSite=Lax)/);
  const tokens = cookies.map((cookie) => /session_token=(\w+)/.exec(cookie)?.[1]).filter((token) => token);
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) expect(token).toMatch(/^\w{32}$/);
});
