import { expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { YieldQueue } from '../../base/lib/yield-queue.ts';
import { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { MessageIntake } from './message-intake.ts';

const MB = 1024 * 1024;
const sizes = { totalBytes: 80 * MB, largeBytes: 80 * MB, waitingBytes: 0, overdrawnBytes: 80 * MB };

function intake(reading?: Promise<void>, keepWaiting = (_characters: number) => true) {
  const budget = new MemoryBudget({ sizes, timeoutMs: 1_000, residentBytes: () => 0, collect() {} });
  const taken: unknown[] = [];
  const messages = new MessageIntake({
    yieldQueue: new YieldQueue(),
    openMemory: () => budget.open('a'),
    keepWaiting,
    take({ value }) {
      taken.push(value.name);
      return reading;
    },
    refuse({ code }) {
      taken.push(code);
      return reading;
    },
    abandon: () => void taken.push('abandoned'),
  });
  return { budget, taken, messages };
}

const message = (name: string, length = 0): string => JSON.stringify({ name, text: 'x'.repeat(length) });

test('a long message books memory and gives way, and later ones wait for it', async () => {
  const { budget, taken, messages } = intake();
  messages.add(message('short'));
  messages.add(message('long', 5 * MB));
  messages.add(message('after'));
  expect(taken).toEqual(['short']);
  expect(budget.usedBytes).toBeGreaterThan(25 * MB);
  await waitFor(() => taken.length === 3);
  expect(taken).toEqual(['short', 'long', 'after']);
  await waitFor(() => budget.usedBytes === 0);
});

test('messages that wait have a bound, and are dropped when the socket closes', async () => {
  const { taken, messages } = intake();
  messages.add(message('first', MB));
  for (const name of ['second', 'third', 'fourth']) messages.add(message(name, 4 * MB));
  expect(taken).toEqual(['concurrency_limit_exceeded']);
  messages.close();
  await waitFor(() => taken.length === 2);
  await Bun.sleep(20);
  expect(taken).toEqual(['concurrency_limit_exceeded', 'first']);
});

test('messages that cannot be booked do not wait', async () => {
  const kept: number[] = [];
  const { taken, messages } = intake(undefined, (characters) => kept.push(characters) < 2);
  messages.add(message('first', MB));
  const [second, third] = [message('second', 1_000), message('third', 1_000)];
  for (const text of [second, third]) messages.add(text);
  expect(kept).toEqual([second.length, second.length + third.length]);
  await waitFor(() => taken.length === 3);
  expect(taken).toEqual(['concurrency_limit_exceeded', 'first', 'second']);
  expect(kept.at(-1)).toBe(0);
});

test('messages wait until the client has read, and one that never reads is abandoned', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { taken, messages } = intake(promise);
  messages.add(message('first'));
  for (let index = 0; index < 1_000; index++) messages.add(message('more'));
  expect(taken).toEqual(['first']);
  messages.add(message('too many'));
  expect(taken).toEqual(['first', 'concurrency_limit_exceeded', 'abandoned']);
  resolve();
  await waitFor(() => taken.length === 1_003);
});

test('a message that no memory is free for is refused', async () => {
  const { budget, taken, messages } = intake();
  budget.open('b').add(80 * MB);
  messages.add(message('long', MB));
  budget.sweep(performance.now() + 2_000);
  await waitFor(() => taken.length === 1);
  expect(taken).toEqual(['capacity_unavailable']);
});
