import { describe, expect, test } from 'bun:test';
import { catalogue, type ErrorCode } from '../../base/errors/catalogue.ts';
import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { refuse } from './refuse.ts';
import { sampleExchange } from './testing/sample-exchange.ts';

const snapshot = sampleSnapshot();

const codes = Object.keys(catalogue) as ErrorCode[];
const styles = ['messages', 'openai'] as const satisfies EnvelopeStyle[];

/** Every code in both envelopes. */
const all = styles.flatMap((style) => codes.map((code) => ({ style, code, ...answerTo(style, code) })));

function answerTo(style: EnvelopeStyle, code: ErrorCode, retryAfterMs?: number) {
  const reply = refuse(
    sampleExchange({ style, snapshot }),
    new Refusal(code, retryAfterMs === undefined ? {} : { retryAfterMs }),
  );
  return { status: reply.status, headers: reply.headers!, error: JSON.parse(reply.body as string).error };
}

describe('every refusal', () => {
  test('has the code of its body in the header [ERR-06]', () => {
    for (const { code, headers, error } of all)
      expect({ errorCode: headers['x-svc-error-code'], code: error.code }).toEqual({ errorCode: code, code });
  });

  for (const [name, fits, type] of [
    ['400 is invalid_request_error [ERR-07]', (status: number) => status === 400, 'invalid_request_error'],
    ['401 is authentication_error [AUT-19]', (status: number) => status === 401, 'authentication_error'],
    ['402 is billing_error [ERR-09]', (status: number) => status === 402, 'billing_error'],
    ['403 is permission_error [AUT-25]', (status: number) => status === 403, 'permission_error'],
    [
      '404, 405, 409, 410, 413 and 422 are invalid_request_error [ERR-08]',
      (status: number) => [404, 405, 409, 410, 413, 422].includes(status),
      'invalid_request_error',
    ],
    ['429 is rate_limit_error [ERR-10]', (status: number) => status === 429, 'rate_limit_error'],
    ['529 is overloaded_error', (status: number) => status === 529, 'overloaded_error'],
  ] as const) {
    test(name, () => {
      const matching = all.filter(({ status }) => fits(status));
      expect(matching.length).toBeGreaterThan(0);
      for (const { error } of matching) expect(error.type).toBe(type);
    });
  }

  test('other 5xx errors are api_error in the messages envelope and server_error elsewhere [ERR-11]', () => {
    const types = { messages: 'api_error', openai: 'server_error' };
    for (const { style, status, error } of all.filter(({ status: each }) => each >= 500 && each !== 529))
      expect({ style, status, type: error.type }).toEqual({ style, status, type: types[style] });
  });

  test('a lack of capacity is 529 in the messages envelope, with the code of the 503 [ERR-47]', () => {
    for (const code of ['capacity_unavailable', 'upstream_overloaded'] as const) {
      const [messages, openai] = styles.map((style) => answerTo(style, code));
      expect({ messages: messages!.status, openai: openai!.status }).toEqual({ messages: 529, openai: 503 });
      expect({ messages: messages!.error.code, openai: openai!.error.code }).toEqual({
        messages: code,
        openai: code,
      });
    }
    expect(all.filter(({ status }) => status === 529).length).toBe(2);
  });
});

describe('the time to wait', () => {
  const waits = (status: number) => status === 429 || status === 503 || status === 529;

  test('is sent with 429, 503 and 529, in whole seconds and exactly [ERR-26] [ERR-27] [ERR-33] [ERR-50]', () => {
    for (const { style, code } of all.filter(({ status }) => waits(status))) {
      for (const [waitMs, seconds] of [
        [1, '1'],
        [1_000, '1'],
        [1_001, '2'],
        [59_999.2, '60'],
      ] as const) {
        const { headers } = answerTo(style, code, waitMs);
        expect({ retryAfter: headers['retry-after'], retryAfterMs: headers['retry-after-ms'] }).toEqual({
          retryAfter: seconds,
          retryAfterMs: String(Math.ceil(waitMs)),
        });
      }
    }
  });

  test('has a default if it is unknown', () => {
    for (const { headers } of all.filter(({ status }) => waits(status)))
      expect(headers['retry-after']).toBe('1');
  });

  test('is not sent with any other 4xx, 402 included [ERR-35] [ERR-36]', () => {
    for (const { headers } of all.filter(({ status }) => status < 500 && status !== 429)) {
      expect('retry-after' in headers || 'retry-after-ms' in headers).toBe(false);
    }
  });

  test('asks clients not to retry any 4xx but 408 and 429 [ERR-51]', () => {
    for (const { status, headers } of all)
      expect({ status, shouldRetry: headers['x-should-retry'] }).toEqual({
        status,
        shouldRetry: status < 500 && status !== 408 && status !== 429 ? 'false' : undefined,
      });
  });
});
