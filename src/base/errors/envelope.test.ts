import { expect, test } from 'bun:test';
import { errorEnvelope } from './envelope.ts';
import { Refusal } from './refusal.ts';

const refusal = (message: string, param: string | null = null) =>
  new Refusal('invalid_request', { message, param });

test('the OpenAI-style envelope has type, code, message and param', () => {
  expect(errorEnvelope('openai', refusal('n must be 1', 'n'))).toEqual({
    error: { type: 'invalid_request_error', code: 'invalid_request', message: 'n must be 1.', param: 'n' },
  });
  expect(errorEnvelope('openai', refusal('No.'))).toMatchObject({ error: { param: null } });
});

test('the messages envelope has the path in its message instead of a param [ERR-05]', () => {
  const envelope = (message: string) => ({
    type: 'error',
    error: { type: 'invalid_request_error', code: 'invalid_request', message },
  });
  const path = 'messages[2].content';
  expect(errorEnvelope('messages', refusal('No.'))).toEqual(envelope('No.'));
  expect(errorEnvelope('messages', refusal('must be text', path))).toEqual(
    envelope(`${path}: must be text.`),
  );
  expect(errorEnvelope('messages', refusal(`${path} must be text`, path))).toEqual(
    envelope(`${path} must be text.`),
  );
});

test("both envelopes carry the refusal's further fields", () => {
  const full = new Refusal('allowance_exhausted', { fields: { limit: 2_500 } });
  expect(errorEnvelope('openai', full)).toMatchObject({ error: { limit: 2_500 } });
  expect(errorEnvelope('messages', full)).toMatchObject({ error: { limit: 2_500 } });
});

test('a message ends with a full stop, unless it is in the exact words of a vendor', () => {
  const messageOf = (message: string, details: { isVerbatim?: true } = {}) =>
    new Refusal('invalid_request', { message, ...details }).message;
  expect(['n must be 1', 'No.', 'Did you mean n?'].map((text) => messageOf(text))).toEqual([
    'n must be 1.',
    'No.',
    'Did you mean n?',
  ]);
  expect(messageOf('prompt is too long: 9 tokens > 8 maximum', { isVerbatim: true })).not.toEndWith('.');
});
