import { expect, test } from 'bun:test';
import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { failureOfStatus } from './failure-of-status.ts';
import { answerFailure, connectionFailure } from './failures.ts';

const none = new Headers();
const asked = new Headers({ 'retry-after': '7' });

/** The decided mapping of an upstream's status, and whether the failure is final. */
const decided: readonly [statuses: number[], status: number, code: ErrorCode, isFinal: boolean][] = [
  [[400], 400, 'invalid_request', true],
  [[413, 422], 422, 'request_unprocessable', true],
  [[429, 503, 529], 503, 'upstream_overloaded', false],
  [[408, 504], 504, 'upstream_timeout', false],
  [[501], 422, 'route_not_qualified', false],
  [[401, 403, 404, 500, 502], 503, 'upstream_unavailable', false],
  [[204, 301, 302, 307, 402, 405, 409, 418, 451, 520, 599], 503, 'upstream_unavailable', false],
];

for (const [statuses, status, code, isFinal] of decided) {
  test(`maps an upstream's ${statuses.join(', ')} to ${status} ${code}${isFinal ? ' without a retry' : ''}`, () => {
    for (const upstreamStatus of statuses) {
      const failure = failureOfStatus(upstreamStatus, '{}', none);
      const { refusal } = failure;
      expect({
        upstreamStatus,
        status: refusal.status,
        code: refusal.code,
        isFinal: failure.isFinal,
      }).toEqual({ upstreamStatus, status, code, isFinal });
    }
  });
}

test('reads the requested pause of overloaded upstreams only', () => {
  for (const status of [429, 503, 529])
    expect(failureOfStatus(status, '', asked).refusal.details.retryAfterMs).toBe(7_000);
  for (const status of [400, 401, 413, 422, 500, 502, 504])
    expect(failureOfStatus(status, '', asked).refusal.details.retryAfterMs).toBeUndefined();
});

test("reads a retry date by the host's clock, or by the gateway's if the host sends none", () => {
  const at = (text: string) => Date.parse(`Wed, 02 Dec 2026 ${text} GMT`);
  const waitOf = (headers: Record<string, string>) =>
    failureOfStatus(503, '', new Headers(headers)).refusal.details.retryAfterMs;
  const date = (ms: number) => new Date(ms).toUTCString();
  for (const clock of [at('12:00:00') - 86_400_000, at('12:00:00'), Date.now(), Date.now() + 600_000])
    expect(
      waitOf({ date: date(clock), 'retry-after': date(Math.floor(clock / 1_000) * 1_000 + 30_000) }),
    ).toBe(30_000);
  const whole = Math.floor(Date.now() / 1_000) * 1_000;
  for (const headers of [{}, { date: 'yesterday' }])
    expect(waitOf({ ...headers, 'retry-after': date(whole + 60_000) })).toBeWithin(50_000, 60_001);
  expect(waitOf({ date: date(whole), 'retry-after': date(whole - 5_000) })).toBeUndefined();
});

test('distinguishes timeouts and refused keys from other failures', () => {
  const outcomes = [401, 403, 404, 408, 429, 500, 504].map(
    (status): string => failureOfStatus(status, '', none).outcome,
  );
  expect(outcomes).toEqual(['key-refused', 'key-refused', 'error', 'timeout', 'error', 'error', 'timeout']);
});

test('reads the parameter from the error text of a 400 only', () => {
  for (const status of [413, 422, 500])
    expect(failureOfStatus(status, 'maximum context length', none).refusal.code).not.toBe(
      'context_length_exceeded',
    );
  for (const text of ['Unknown parameter: max_tokens', 'Invalid context_management'])
    expect(failureOfStatus(400, JSON.stringify({ message: text }), none).refusal.code).toBe(
      'invalid_request',
    );
});

test("recognises an account without credit by the vendors' codes and messages", () => {
  const faultOf = (status: number, error: object) => {
    const { fault, isFinal, outcome, refusal } = failureOfStatus(status, JSON.stringify({ error }), asked);
    const { retryAfterMs } = refusal.details;
    return fault && [fault, isFinal, outcome, refusal.code, retryAfterMs];
  };
  const found = [
    'out_of_credit' as const,
    false,
    'error' as const,
    'upstream_unavailable' as const,
    undefined,
  ];
  const message = 'You exceeded your current quota, please check your plan and billing details.';
  expect(faultOf(402, {})).toEqual(found);
  expect(faultOf(429, { message, type: 'insufficient_quota', code: 'insufficient_quota' })).toEqual(found);
  expect(faultOf(400, { message: 'Your credit balance is too low to access the API.' })).toEqual(found);
  expect(faultOf(400, { code: 'billing_hard_limit_reached' })).toEqual(found);
  // Google's ordinary limit of rates has the same message.
  expect(faultOf(429, { code: 429, status: 'RESOURCE_EXHAUSTED', message })).toBeUndefined();
  // A smaller request is served.
  const afford = (tokens: number) => ({
    code: 402,
    message: `This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford ${tokens}.`,
  });
  expect(faultOf(402, afford(3_919))).toBeUndefined();
  expect(faultOf(402, { message: 'Prompt tokens limit exceeded: 230799 > 91442.' })).toBeUndefined();
  expect(faultOf(402, afford(0))).toEqual(found);
  // The text of a client must not shut a provider.
  expect(faultOf(400, { message: "Invalid value: 'Your credit balance is too low'" })).toBeUndefined();
  expect(faultOf(500, { code: 'insufficient_quota' })).toBeUndefined();
  for (const cause of [{ code: 402, message: 'Pay.' }, { type: 'insufficient_quota' }])
    expect(answerFailure(new Refusal('invalid_request', { cause }))).toMatchObject({
      fault: 'out_of_credit',
      isFinal: false,
      refusal: { code: 'upstream_unavailable' },
    });
});

test('distinguishes a wrong clock from a refused key', () => {
  const faultOf = (status: number, body: string, headers: Record<string, string> = {}) =>
    failureOfStatus(status, body, new Headers(headers)).fault;
  const dated = (ms: number) => ({ date: new Date(Date.now() + ms).toUTCString() });
  const expired = '{"message":"Signature expired: 20260501T000000Z is now earlier than 20260501T001500Z"}';
  expect([403, 400].map((status) => faultOf(status, expired))).toEqual(['clock_skew', 'clock_skew']);
  expect(faultOf(401, '{}', dated(3 * 3_600_000))).toBe('clock_skew');
  expect(faultOf(401, '{}', dated(-90_000))).toBe('key_refused');
  expect(faultOf(401, '{}')).toBe('key_refused');
  expect(faultOf(500, '{}', dated(3 * 3_600_000))).toBeUndefined();
});

test('names the certificate of a host as the cause of a failed connection', () => {
  const failed = (code: string) => connectionFailure(Object.assign(new Error('failed'), { code })).fault;
  expect(
    ['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(failed),
  ).toEqual(Array(3).fill('certificate'));
  expect(failed('ECONNREFUSED')).toBeUndefined();
});
