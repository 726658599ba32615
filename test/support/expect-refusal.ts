import { expect } from 'bun:test';
import type { Answer, Json } from './call.ts';

const typeOf: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};

const expectedType = (status: number): string =>
  typeOf[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');

/** Expects an OpenAI-style error with exactly its fields, type and headers. */
export function expectRefusal(
  answer: Answer,
  status: number,
  code: string,
  param: string | null = null,
): Json {
  const { body, headers } = answer;
  expect({ status: answer.status, ...body }).toEqual({
    status,
    error: { type: expectedType(status), code, message: expect.stringMatching(/\S/), param },
  });
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('x-svc-error-code')).toBe(code);
  expectRetryHeaders(answer);
  return body.error;
}

/** Errors that waiting can resolve have a wait. All others say that the client must not retry. */
export function expectRetryHeaders({ status, headers }: Answer): void {
  const waits = status === 429 || status === 503 || status === 529;
  expect(headers.get('x-should-retry')).toBe(
    status < 500 && status !== 408 && status !== 429 ? 'false' : null,
  );
  const seconds = headers.get('retry-after');
  const exactMs = headers.get('retry-after-ms');
  if (!waits) {
    expect({ seconds, exactMs }).toEqual({ seconds: null, exactMs: null });
    return;
  }
  expect({ seconds, exactMs }).toEqual({
    seconds: expect.stringMatching(/^\d+$/),
    exactMs: expect.stringMatching(/^\d+$/),
  });
  expect(Number(seconds) * 1_000 - Number(exactMs)).toBeWithin(0, 1_000);
}
