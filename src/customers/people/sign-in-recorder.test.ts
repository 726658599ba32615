import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { SECOND_STEP, SignInRecorder, type SignInRecorderParts } from './sign-in-recorder.ts';

const exchange = {
  request: new Request('http://127.0.0.1/', { headers: { host: '127.0.0.1' } }),
  snapshot: { trustedProxies: [], config: { server: { public_url: 'http://127.0.0.1' } } },
  peer: () => '192.0.2.1',
} as unknown as Exchange;

test('a wrong code is a failed sign-in, and a refusal for too many attempts is none', async () => {
  const failures: string[] = [];
  const parts = { failures: { add: ({ by }: { by: string }) => failures.push(by) } };
  const recorder = new SignInRecorder(parts as unknown as SignInRecorderParts);
  for (const code of ['invalid_request', 'rate_limit_exceeded'] as const) {
    await recorder.record(exchange, { by: 'password' }, new Refusal(code));
    await recorder.record(exchange, { by: SECOND_STEP }, new Refusal(code));
  }
  expect(failures).toEqual(['password', 'two-factor']);
});
