import { expect, test } from 'bun:test';
import { SignalReloads } from './signal-reloads.ts';

/** Creates reloads that last until the test ends them. */
function heldReloads() {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const reloads = new SignalReloads(async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running--;
  });
  const endLast = async () => {
    ends.at(-1)!();
    await Bun.sleep(0);
  };
  return { reloads, endLast, seen: () => ({ count: ends.length, most, running }) };
}

test('a burst of signals causes two reloads, one after the other', async () => {
  const { reloads, endLast, seen } = heldReloads();
  for (let signal = 0; signal < 200; signal++) reloads.ask();
  await Bun.sleep(1);
  for (let signal = 0; signal < 200; signal++) reloads.ask();
  expect(seen()).toEqual({ count: 1, most: 1, running: 1 });
  await endLast();
  expect(seen()).toEqual({ count: 2, most: 1, running: 1 });
  await endLast();
  expect(seen()).toEqual({ count: 2, most: 1, running: 0 });
  reloads.ask();
  expect(seen().count).toBe(3);
});

test('closing waits for the reload in progress and starts no other', async () => {
  const { reloads, endLast, seen } = heldReloads();
  reloads.ask();
  reloads.ask();
  const closing = reloads.close();
  await endLast();
  await closing;
  reloads.ask();
  await Bun.sleep(1);
  expect(seen()).toEqual({ count: 1, most: 1, running: 0 });
});
