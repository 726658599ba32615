import { expect, test } from 'bun:test';
import { one, setUpCapacity, two } from './testing/set-up-capacity.ts';

test('lists the queued requests, the oldest first, with their places in the shortest queue', () => {
  const { time, capacity, wait, releaseAll } = setUpCapacity();
  wait('holder');
  wait('other-holder', { providers: [two] });
  const asks = [
    ['a', 'free-1', 'free'],
    ['a', 'paid-1', 'paid'],
    ['a', 'paid-2', 'paid'],
    ['b', 'paid-3', 'paid'],
  ] as const;
  for (const [account, requestId, planClass] of asks) {
    time.now += 10;
    wait(requestId, { account, requestId, planClass, keyId: 'key', model: 'model' });
  }
  wait('either', { account: 'c', requestId: 'either', providers: [one, two] });
  const places = () => capacity.queued().map(({ requestId, position }) => [requestId, position]);
  expect(places()).toEqual([
    ['free-1', 5],
    ['paid-1', 1],
    ['paid-2', 4],
    ['paid-3', 2],
    ['either', 1],
  ]);
  time.now += 10;
  const [first] = capacity.queued();
  expect(first).toEqual({
    requestId: 'free-1',
    keyId: 'key',
    model: 'model',
    account: 'a',
    planClass: 'free',
    position: 5,
    providers: ['one'],
    waitedMs: 40,
    leftMs: 59_960,
  });
  releaseAll(two);
  releaseAll();
  expect(capacity.queued()).toEqual([]);
});
