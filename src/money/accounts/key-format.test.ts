import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { generateKey, hashKey, isWellFormedKey, keyHint } from './key-format.ts';

const keys = Array.from({ length: 10_000 }, () => generateKey('svc_'));

/** Computes CRC-32 without a table, independent of the runtime's implementation. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function fromBase62(text: string): number {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return [...text].reduce((sum, character) => sum * 62 + alphabet.indexOf(character), 0);
}

test('a unique key has its prefix, 43 random characters and a checksum of 6 [AUT-01] [AUT-02]', () => {
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) {
    expect(key).toMatch(/^svc_[0-9A-Za-z]{49}$/);
    expect(isWellFormedKey(key, 'svc_')).toBe(true);
  }
});

test('the checksum is the CRC-32 of all preceding characters, in base62 [AUT-02]', () => {
  for (const key of keys.slice(0, 200)) expect(fromBase62(key.slice(-6))).toBe(crc32(key.slice(0, -6)));
});

test('refuses a key with one changed character [AUT-02] [AUT-16]', () => {
  for (const [index, key] of keys.entries()) {
    const place = 4 + (index % 49);
    const other = key[place] === 'a' ? 'b' : 'a';
    expect(isWellFormedKey(key.slice(0, place) + other + key.slice(place + 1), 'svc_')).toBe(false);
  }
});

test('refuses a wrong prefix, length or alphabet [AUT-16]', () => {
  const key = keys[0]!;
  const wrong = ['', 'svc_', key.slice(0, -1), `${key}0`, `abc_${key.slice(4)}`, ` ${key.slice(1)}`];
  for (const text of wrong) expect(isWellFormedKey(text, 'svc_')).toBe(false);
  expect(isWellFormedKey(key, 'acme_')).toBe(false);
});

test('only the SHA-256 of a key and its beginning are stored [AUT-04]', () => {
  const key = keys[0]!;
  expect(hashKey(key)).toBe(createHash('sha256').update(key).digest('hex'));
  expect(keyHint(key, 'svc_')).toBe(key.slice(0, 10));
});

test('every character of the alphabet is equally likely', () => {
  const counts = new Map<string, number>();
  for (const key of keys) {
    for (const character of key.slice(4, 47)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const expected = (keys.length * 43) / 62;
  expect(counts.size).toBe(62);
  // The bound is six standard deviations. A modulo without rejection would deviate by twenty.
  for (const count of counts.values())
    expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
});
