import { expect, test } from 'bun:test';
import { QueueTimer } from './queue-timer.ts';
import { one, setUpCapacity } from './testing/set-up-capacity.ts';

const DAY_MS = 86_400_000;

test('expires requests on time, even if that is in a month', async () => {
  const { capacity, time, wait, turnedAway } = setUpCapacity();
  capacity.tryTake(one, 'a', 'paid');
  wait('long', { maxWaitMs: 30 * DAY_MS });
  let checks = 0;
  const expire = capacity.expire.bind(capacity);
  capacity.expire = () => {
    checks++;
    expire();
  };
  const timer = new QueueTimer(capacity, { now: () => time.now });
  timer.arm();
  await Bun.sleep(30);
  expect(checks).toBe(0);
  wait('short', { maxWaitMs: 1 });
  timer.arm();
  time.now += 1;
  await Bun.sleep(30);
  expect({ checks, turnedAway }).toEqual({ checks: 1, turnedAway: ['short: expired'] });
  timer.expire();
  expect(turnedAway).toHaveLength(1);
});
