import { expect, test } from 'bun:test';
import { StartTurns } from './start-turns.ts';

const work = (milliseconds: number): void => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

test('requests that arrive together begin in their order with turns for other work between', async () => {
  const starts = new StartTurns();
  const begun: number[] = [];
  let rounds = 0;
  let isOver = false;
  const other = () => {
    rounds++;
    if (!isOver) setImmediate(other);
  };
  const request = async (number: number) => {
    const turn = starts.next();
    if (turn) await turn;
    begun.push(number);
    work(4);
  };
  setImmediate(other);
  const all = Array.from({ length: 20 }, (_, number) => request(number));
  expect(begun.length).toBeWithin(1, 5);
  await Promise.all(all);
  isOver = true;
  expect(begun).toEqual(Array.from({ length: 20 }, (_, number) => number));
  expect(rounds).toBeGreaterThanOrEqual(15);
});

test('a request that arrives alone begins at once', async () => {
  const starts = new StartTurns();
  for (let round = 0; round < 5; round++) {
    expect(starts.next()).toBeUndefined();
    work(4);
    await new Promise((resolve) => setImmediate(resolve));
  }
});
