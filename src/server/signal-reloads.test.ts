import { expect, test } from 'bun:test';
import { SignalReloads } from './signal-reloads.ts';

function countedReloads() {
  let running = 0;
  let most = 0;
  let count = 0;
  const reloads = new SignalReloads(async () => {
    count++;
    most = Math.max(most, ++running);
    await Bun.sleep(5);
    running--;
  });
  return { reloads, seen: () => ({ count, most, running }) };
}

test('a burst of signals is two reloads, one after the other', async () => {
  const { reloads, seen } = countedReloads();
  for (let signal = 0; signal < 200; signal++) reloads.ask();
  await Bun.sleep(1);
  for (let signal = 0; signal < 200; signal++) reloads.ask();
  await Bun.sleep(30);
  expect(seen()).toEqual({ count: 2, most: 1, running: 0 });
  reloads.ask();
  await Bun.sleep(10);
  expect(seen().count).toBe(3);
});

test('closing waits for the reload under way, and no other begins', async () => {
  const { reloads, seen } = countedReloads();
  reloads.ask();
  reloads.ask();
  await reloads.close();
  reloads.ask();
  expect(seen()).toEqual({ count: 1, most: 1, running: 0 });
  await Bun.sleep(10);
  expect(seen().count).toBe(1);
});
