import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { SECOND_STEP, SignInRecorder, type SignInRecorderParts } from './sign-in-recorder.ts';

const exchange = sampleExchange({
  request: new Request('http://127.0.0.1/', { headers: { host: '127.0.0.1' } }),
  peer: () => '192.0.2.1',
});

test('a wrong code is a failed sign-in, unlike a refusal for too many attempts', async () => {
  const failures: string[] = [];
  const recorder = new SignInRecorder(
    partial<SignInRecorderParts>({ failures: partial({ add: ({ by }) => void failures.push(by) }) }),
  );
  for (const code of ['invalid_request', 'rate_limit_exceeded'] as const) {
    await recorder.record(exchange, { by: 'password' }, new Refusal(code));
    await recorder.record(exchange, { by: SECOND_STEP }, new Refusal(code));
  }
  expect(failures).toEqual(['password', 'two-factor']);
});
