import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { SignInLog, type SignInLogParts } from './sign-in-log.ts';

const exchange = {
  request: new Request('http://127.0.0.1/', { headers: { host: '127.0.0.1' } }),
  snapshot: { trustedProxies: [], config: { server: { public_url: 'http://127.0.0.1' } } },
  peer: () => '192.0.2.1',
} as unknown as Exchange;

test('a wrong code is a failed sign-in, and a refusal for too many attempts is none', async () => {
  const failures: string[] = [];
  const parts = { failures: { add: ({ by }: { by: string }) => failures.push(by) } };
  const log = new SignInLog(parts as unknown as SignInLogParts);
  for (const code of ['invalid_request', 'rate_limit_exceeded'] as const) {
    await log.record(exchange, { by: 'password' }, new Refusal(code));
    await log.recordSecondStep(exchange, new Refusal(code));
  }
  expect(failures).toEqual(['password', 'two-factor']);
});
