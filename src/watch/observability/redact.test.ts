import { expect, test } from 'bun:test';
import { redactText } from '../../base/lib/redact-text.ts';
import { generateKey } from '../../money/accounts/key-format.ts';
import { redact } from './redact.ts';

test('redacts only the keys of the gateway and of vendors in any text', () => {
  const keys = [
    generateKey('svc_'),
    generateKey('acme_'),
    'sk-proj-abcdefghijklmnop1234',
    'gsk_abcdefghijklmnop1234',
    'AIzaSyabcdefghijklmnopqrstuvwxyz0123456',
    'pplx-abcdefghijklmnopqrst1234',
    'nvapi-abcdefghij_klmnopqrst-1234',
    'hf_abcdefghijklmnopqrstuvwxyz12345678',
    'fw_abcdefghijklmnopqrst1234',
    'r8_abcdefghijklmnopqrstuvwxyz12345678901',
    `tga_${'a1'.repeat(21)}b`,
  ];
  for (const key of keys) {
    for (const before of ['/v1/models/', '%20', '%22', 'MY_', 'my_key_', `${'x'.repeat(165)} `]) {
      expect(redactText(`${before}${key}?x`)).not.toContain(key.slice(0, 30));
    }
  }
  expect(redactText('authorization: Bearer abc')).not.toContain('abc');
  for (const text of [
    '/v1/chat/completions',
    'HF_HUB_ENABLE_HF_TRANSFER is not set',
    'claude-sonnet-4-5-20250929',
    '@svc/llama-3.3-70b-instruct',
    '/admin/v1/keys/key_yJeBu04ZckJIncAgVaWWOD',
  ]) {
    expect(redactText(text)).toBe(text);
  }
});

test('redacts fields with the names of secrets and everything but the message of errors', () => {
  const shown = JSON.stringify(
    redact({ api_key: 'x1', nested: { Authorization: 'x2' }, error: new Error('boom'), list: ['ok'] }),
  );
  expect(shown).not.toMatch(/x1|x2/);
  expect(shown).toContain('Error: boom');
  expect(shown).toContain('ok');
});

test('a key at the end of a text that is cut leaves no beginning', () => {
  const key = generateKey('svc_');
  for (let before = 1_940; before < 2_000; before++)
    expect(redactText(`${'x'.repeat(before)} ${key}`)).not.toContain(key.slice(0, 12));
});
