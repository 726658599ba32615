import { expect, test } from 'bun:test';
import { newId, randomText } from './ids.ts';

test('ids of every kind are URL-safe, of 130 random bits, and never twice the same [LIF-03]', () => {
  for (const prefix of ['msg_', 'resp_', 'chatcmpl-', 'cmpl-', 'msgbatch_', 'batch_', 'req_']) {
    const ids = Array.from({ length: 5_000 }, () => newId(prefix));
    for (const id of ids) expect(id).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{22}$`));
    expect(new Set(ids).size).toBe(ids.length);
    expect(encodeURIComponent(ids[0]!)).toBe(ids[0]!);
  }
  expect(22 * Math.log2(62)).toBeGreaterThanOrEqual(120);
});

test('every character is equally likely, at every place', () => {
  const counts = new Map<string, number>();
  for (const character of randomText(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(700);
});
