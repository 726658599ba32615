import { expect, test } from 'bun:test';
import { divideFields } from './divide-fields.ts';
import { SecretKeys } from './secret-keys.ts';
import { openSecrets, sealSecrets } from './setting-secrets.ts';

const one = SecretKeys.generate();
const two = SecretKeys.generate();
const keys = SecretKeys.parse(one)!;
const row = { kind: 'provider', id: 'a', settings: '{"base_url":"https://a.example"}' } as const;
const secrets = sealSecrets(keys, row, { api_key: 'sk-1' });

test('secrets are read only at their row and with its settings', () => {
  expect(openSecrets(keys, { ...row, secrets })).toEqual({ kind: 'opened', secrets: { api_key: 'sk-1' } });
  expect(secrets).not.toContain('sk-1');
  const changed = [
    { ...row, secrets, id: 'b' },
    { ...row, secrets, settings: '{"base_url":"https://b.example"}' },
    { ...row, secrets: `${secrets.slice(0, -4)}AAAA` },
    { ...row, secrets: 'nothing' },
  ];
  expect(changed.map((each) => openSecrets(keys, each))).toEqual(Array(4).fill({ kind: 'changed' }));
});

test('the first of two keys encrypts, while both decrypt', () => {
  const both = SecretKeys.parse(`${two},${one}`)!;
  const other = SecretKeys.parse(two)!;
  expect(openSecrets(both, { ...row, secrets })).toEqual({ kind: 'opened', secrets: { api_key: 'sk-1' } });
  expect(openSecrets(other, { ...row, secrets })).toEqual({ kind: 'no-key' });
  const again = sealSecrets(both, row, { api_key: 'sk-1' });
  expect(openSecrets(other, { ...row, secrets: again })).toEqual({
    kind: 'opened',
    secrets: { api_key: 'sk-1' },
  });
  expect(both.isCurrent(secrets)).toBe(false);
  expect(both.isCurrent(again)).toBe(true);
});

test('anything but one or two keys of 32 bytes is refused', () => {
  for (const text of ['', 'short', `${one},`, `${one},${two},${one}`, one.slice(1), `${one}x`])
    expect(SecretKeys.parse(text)).toBeUndefined();
});

test('sections of clouds and headers are secrets unless they are empty', () => {
  expect(divideFields({ id: 'a', api_key: null, headers: {}, aws: {}, max_concurrent: 3 })).toEqual({
    settings: { id: 'a', max_concurrent: 3 },
    secrets: { aws: {} },
  });
});
