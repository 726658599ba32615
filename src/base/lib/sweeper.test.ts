import { expect, test } from 'bun:test';
import { MovableClock } from './clock.ts';
import { Sweeper } from './sweeper.ts';

test('removes expired rows in bounded rounds, even when the clock jumps', async () => {
  const clock = new MovableClock();
  let expired = 0;
  const rounds: number[] = [];
  const sweep = async ({ limit }: { limit: number }) => {
    const removed = Math.min(limit, expired);
    expired -= removed;
    rounds.push(removed);
    return removed;
  };
  const sweeper = new Sweeper(sweep, clock, () => {});
  expired = 250;
  clock.advance(1_000);
  await sweeper.sweep();
  expect(rounds).toEqual([100, 100, 50]);
  await sweeper.close();
  clock.advance(1_000);
  expect(rounds).toHaveLength(3);
});

test('reports a failed sweep before the next try', async () => {
  const reported: unknown[] = [];
  let fails = true;
  const sweep = async () => {
    if (fails) throw new Error('no');
    return 0;
  };
  const sweeper = new Sweeper(sweep, new MovableClock(), (error) => reported.push(error));
  await sweeper.sweep();
  fails = false;
  await sweeper.sweep();
  expect(reported).toHaveLength(1);
  await sweeper.close();
});
