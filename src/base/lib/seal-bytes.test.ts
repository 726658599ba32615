import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { openText, SEAL_KEY_BYTES, sealText } from './seal-bytes.ts';

const key = randomBytes(SEAL_KEY_BYTES);

test('a sealed text opens only unchanged and with its key', () => {
  const sealed = sealText('The plan: ünïcode.', key);
  expect(openText(sealed, key)).toBe('The plan: ünïcode.');
  expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('plan');
  expect(sealText('The plan: ünïcode.', key)).not.toBe(sealed);
  expect(openText(sealed, randomBytes(SEAL_KEY_BYTES))).toBeUndefined();
  for (let at = 0; at < sealed.length; at += 7) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    expect(openText(sealed.slice(0, at) + other + sealed.slice(at + 1), key)).toBeUndefined();
  }
  for (const forged of ['', 'AAAA', 'A'.repeat(80)]) expect(openText(forged, key)).toBeUndefined();
});
