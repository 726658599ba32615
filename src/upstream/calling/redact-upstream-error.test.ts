import { expect, test } from 'bun:test';
import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { redactUpstreamError } from './redact-upstream-error.ts';

const provider = { id: 'main', apiKey: 'plainly-not-shaped-as-a-key' } as Provider;
const errorWith = (text: string | null): UpstreamError => ({
  status: 400,
  type: text,
  code: text,
  message: text,
  requestId: text,
  param: text,
});

test('cuts the texts of an error between characters to 1,980 bytes together', () => {
  const { status, ...texts } = redactUpstreamError(errorWith(`a${'😀'.repeat(1_000)}`), provider);
  const bytes = Object.values(texts).map((text) => Buffer.byteLength(text!));
  expect(bytes).toEqual([117, 117, 1_497, 117, 117]);
  for (const text of Object.values(texts)) expect(text).toBe(`a${'😀'.repeat((text!.length - 1) / 2)}`);
  expect(status).toBe(400);
});

test('removes keys from each text of an error', () => {
  const { message, param } = redactUpstreamError(
    errorWith('no plainly-not-shaped-as-a-key or sk-abc*** here'),
    provider,
  );
  expect([message, param]).toEqual(Array(2).fill('no [redacted] or [redacted] here'));
  expect(redactUpstreamError(errorWith(null), provider)).toEqual(errorWith(null));
});

test('removes the credentials of a header, with their scheme and without it', () => {
  const headers = { authorization: 'Bearer corp-token-0123456789', 'x-basic': 'Basic  Y29ycDp0b2tlbg==' };
  const { message } = redactUpstreamError(
    errorWith('invalid corp-token-0123456789, Bearer corp-token-0123456789 or Y29ycDp0b2tlbg== here'),
    { ...provider, headers },
  );
  expect(message).toBe('invalid [redacted], [redacted] or [redacted] here');
});
