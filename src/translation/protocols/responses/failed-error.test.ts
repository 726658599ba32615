import { expect, test } from 'bun:test';
import type { ResponseError } from 'openai/resources/responses/responses';
import { catalogue, type ErrorCode } from '../../../base/errors/catalogue.ts';
import { Refusal } from '../../../base/errors/refusal.ts';
import { failedError } from './failed-error.ts';

const used: readonly ResponseError['code'][] = ['server_error', 'rate_limit_exceeded', 'invalid_prompt'];
const codeFor = (code: ErrorCode) => failedError(new Refusal(code))['code'];

test("a failed response has a code of the vendor's list for each error [STR-14]", () => {
  for (const code of Object.keys(catalogue) as ErrorCode[])
    expect(used).toContain(codeFor(code) as ResponseError['code']);
});

test('the code of a failed response says whether a retry can help', () => {
  expect(codeFor('upstream_overloaded')).toBe('rate_limit_exceeded');
  expect(codeFor('upstream_unavailable')).toBe('server_error');
  expect(codeFor('context_length_exceeded')).toBe('invalid_prompt');
});
