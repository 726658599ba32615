import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { FREE_TRIES, WrongTokens } from './wrong-tokens.ts';

function start({ record = async () => {} }: { record?: () => Promise<void> } = {}) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const waits: number[] = [];
  const records: [string, number][] = [];
  const wrongTokens = new WrongTokens({
    clock,
    wait: async (ms) => void waits.push(ms),
    record: async (network, count) => {
      records.push([network, count]);
      await record();
    },
  });
  return { clock, waits, records, wrongTokens };
}

test('the wrong tokens of a network are answered at a fixed pace after the first ones', async () => {
  const { clock, waits, wrongTokens } = start();
  for (let count = 0; count < FREE_TRIES; count++) await wrongTokens.slow('a');
  expect(waits).toEqual([]);
  for (let count = 0; count < 3; count++) await wrongTokens.slow('a');
  expect(waits).toEqual([250, 500, 750]);
  await wrongTokens.slow('b');
  expect(waits).toHaveLength(3);
  clock.nowMs = 5_000;
  await wrongTokens.slow('a');
  expect(waits.at(-1)).toBe(250);
});

test('a network whose answers would wait too long is refused with the time to wait', async () => {
  const { waits, wrongTokens } = start();
  const answers = await Promise.all(Array.from({ length: 100 }, () => wrongTokens.slow('a')));
  expect(waits).toHaveLength(32);
  const refused = answers.at(-1);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ code: 'rate_limit_exceeded', details: { retryAfterMs: 8_250 } });
});

test('a series is recorded when it is slowed and whenever it has doubled', async () => {
  const { records, wrongTokens } = start({ record: () => Promise.reject(new Error('away')) });
  for (let count = 0; count < 50; count++) await wrongTokens.slow('a');
  expect(records).toEqual([6, 12, 24, 48].map((count) => ['a', count]));
});

test('many networks write at most 60 records in an hour and stay within a bound of memory', async () => {
  const { clock, records, wrongTokens } = start();
  const attack = async (networks: number) => {
    for (let network = 0; network < networks; network++)
      for (let count = 0; count <= FREE_TRIES; count++) await wrongTokens.slow(`n${network}`);
  };
  await attack(12_000);
  expect(records).toHaveLength(60);
  expect(wrongTokens.size).toBe(10_000);
  clock.nowMs = 3_600_000;
  await attack(1);
  expect(records).toHaveLength(61);
});

test('a series is forgotten after ten minutes without a wrong token', async () => {
  const { clock, waits, wrongTokens } = start();
  for (let count = 0; count <= FREE_TRIES; count++) await wrongTokens.slow('a');
  clock.nowMs = 600_000;
  await wrongTokens.slow('a');
  expect(waits).toHaveLength(1);
});
