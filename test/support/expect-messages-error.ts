import { expect } from 'bun:test';
import type { Answer } from './call.ts';
import { expectRetryHeaders } from './expect-refusal.ts';

/** Expects a messages error with exactly its fields. */
export function expectMessagesError(answer: Answer, status: number, [type, code]: [string, string]): string {
  const { body, headers } = answer;
  expect({ status: answer.status, ...body }).toEqual({
    status,
    type: 'error',
    error: { type, code, message: expect.stringMatching(/\S/) },
  });
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('x-svc-error-code')).toBe(code);
  expectRetryHeaders(answer);
  return body.error.message;
}
