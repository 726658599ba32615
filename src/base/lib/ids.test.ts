import { expect, test } from 'bun:test';
import { newId, orderedId, randomText, timeOfId } from './ids.ts';

test('ids of every kind are URL-safe, have 130 random bits and never repeat [LIF-03]', () => {
  for (const prefix of ['msg_', 'resp_', 'chatcmpl-', 'cmpl-', 'msgbatch_', 'batch_', 'req_']) {
    const ids = Array.from({ length: 5_000 }, () => newId(prefix));
    for (const id of ids) expect(id).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{22}$`));
    expect(new Set(ids).size).toBe(ids.length);
    expect(encodeURIComponent(ids[0]!)).toBe(ids[0]!);
  }
  expect(22 * Math.log2(62)).toBeGreaterThanOrEqual(120);
});

test('every character is equally likely at every position', () => {
  const counts = new Map<string, number>();
  for (const character of randomText(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(700);
});

test('ordered ids sort by their milliseconds although they are as hard to guess', () => {
  const times = [0, 1, 61, 62, 1_700_000_000_000, 1_700_000_000_001, 3_521_614_606_207];
  const ids = times.map((time) => orderedId('req_', time));
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^req_[0-9A-Za-z]{29}$/);
  expect(new Set(Array.from({ length: 5_000 }, () => orderedId('req_', 1))).size).toBe(5_000);
});

test('only ids that begin with a time have one', () => {
  expect(timeOfId(orderedId('req_', 1_700_000_000_001))).toBe(1_700_000_000_001);
  expect([timeOfId('req_zzzzzzzzzzzzzzzzzzzzzz'), timeOfId(newId('req_')), timeOfId('req_')]).toEqual([
    0, 0, 0,
  ]);
});
