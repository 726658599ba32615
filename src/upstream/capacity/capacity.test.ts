import { expect, test } from 'bun:test';
import type { Slotted } from './slot-claim.ts';
import { one, setUpCapacity, two } from './testing/set-up-capacity.ts';

test("queues requests beyond the provider's slots instead of refusing them", () => {
  const { capacity, served, wait, releaseAll } = setUpCapacity();
  for (const name of ['first', 'second', 'third']) wait(name);
  expect(served).toEqual(['first']);
  expect(capacity.waiting('paid')).toBe(2);
  expect(capacity.inUse('one')).toBe(1);
  releaseAll();
  expect(served).toEqual(['first', 'second', 'third']);
  expect(capacity.waiting('paid')).toBe(0);
});

test('serves paid before Free, whatever the order of arrival', () => {
  const { served, wait, releaseAll } = setUpCapacity();
  wait('holder');
  wait('free-1', { planClass: 'free' });
  wait('free-2', { planClass: 'free' });
  wait('paid-1');
  wait('paid-2');
  releaseAll();
  expect(served.slice(1)).toEqual(['paid-1', 'paid-2', 'free-1', 'free-2']);
});

test('serves live requests before urgent items of batches and other items last', () => {
  const { served, turnedAway, wait, releaseAll } = setUpCapacity({ maxWaiting: 4, maxWaitingBytes: 1_000 });
  wait('holder');
  for (const planClass of ['flex', 'batch', 'free', 'paid'] as const) wait(planClass, { planClass });
  wait('another', { planClass: 'batch' });
  expect(turnedAway).toEqual(['flex: displaced']);
  releaseAll();
  expect(served.slice(1)).toEqual(['paid', 'free', 'batch', 'another']);
});

test('gives Free its configured share of the freed slots', () => {
  const { served, wait, releaseAll } = setUpCapacity();
  wait('holder');
  for (let count = 0; count < 4; count++) {
    wait(`paid-${count}`, { freeShare: 0.5 });
    wait(`free-${count}`, { freeShare: 0.5, planClass: 'free' });
  }
  releaseAll();
  const classes = served.slice(1, 7).map((name) => name.slice(0, 4));
  expect(classes.join(' ')).toBe('paid free paid free paid free');
});

test('one account cannot block the queue for the others', () => {
  const { served, wait, releaseAll } = setUpCapacity();
  wait('holder');
  for (let count = 0; count < 3; count++) wait(`big-${count}`, { account: 'big' });
  wait('small-0', { account: 'small' });
  wait('other-0', { account: 'other' });
  wait('small-1', { account: 'small' });
  releaseAll();
  expect(served.slice(1)).toEqual(['big-0', 'small-0', 'other-0', 'big-1', 'small-1', 'big-2']);
});

const ten: Slotted = { id: 'ten', maxConcurrent: 10 };

test('gives only freed slots to accounts below their share [LIM-46]', () => {
  const { capacity, served, wait, release } = setUpCapacity();
  for (let count = 0; count < 40; count++) wait('big', { account: 'big', providers: [ten] });
  for (let count = 0; count < 8; count++) wait('small', { account: 'small', providers: [ten] });
  expect(served).toHaveLength(10);
  expect(capacity.inUse('ten')).toBe(10);
  for (let count = 0; count < 5; count++) release(ten, 'big');
  expect(served.slice(10)).toEqual(Array(5).fill('small'));
  // Each account has its share now, so a request that ends makes room for one of the same account.
  for (const account of ['big', 'small', 'big', 'big', 'small']) release(ten, account);
  expect(served.slice(15)).toEqual(['big', 'small', 'big', 'big', 'small']);
});

test('divides shares among all accounts of a class that hold slots or queue [LIM-46]', () => {
  const { served, wait, release } = setUpCapacity();
  for (let count = 0; count < 9; count++) wait('paid-1', { account: 'paid-1', providers: [ten] });
  wait('free-1', { account: 'free-1', planClass: 'free', providers: [ten] });
  for (let count = 0; count < 3; count++) wait('paid-1', { account: 'paid-1', providers: [ten] });
  wait('free-2', { account: 'free-2', planClass: 'free', providers: [ten] });
  wait('paid-2', { account: 'paid-2', providers: [ten] });
  for (let count = 0; count < 5; count++) release(ten, 'paid-1');
  expect(served.slice(10)).toEqual(['paid-2', 'paid-1', 'paid-1', 'paid-1', 'free-2']);
});

test('serves an account above its share if no other account waits [LIM-46]', () => {
  const { served, wait, release } = setUpCapacity();
  for (let count = 0; count < 12; count++) wait('big', { account: 'big', providers: [ten] });
  release(ten);
  wait('small', { account: 'small', providers: [ten] });
  release(ten);
  release(ten);
  expect(served.slice(10)).toEqual(['big', 'small', 'big']);
});

test('predicts the wait of an account without the queue of another account', () => {
  const { time, turnedAway, served, wait, release } = setUpCapacity();
  for (let count = 0; count < 60; count++) wait('big', { account: 'big' });
  for (let count = 0; count < 10; count++) {
    time.now += 2_000;
    release();
  }
  wait('big', { account: 'big', maxWaitMs: 10_000 });
  wait('small', { account: 'small', maxWaitMs: 10_000 });
  expect(turnedAway).toEqual(['big: hopeless']);
  release();
  release();
  expect(served.slice(-2)).toEqual(['big', 'small']);
});

test('a request that leaves the queue is removed at once and gets no further callback', () => {
  const { capacity, served, turnedAway, wait, releaseAll, time } = setUpCapacity();
  wait('holder');
  const leaver = wait('leaver');
  wait('stayer');
  leaver!.leave();
  leaver!.leave();
  expect(capacity.waiting('paid')).toBe(1);
  releaseAll();
  time.now += 100_000;
  capacity.expire();
  expect({ served, turnedAway }).toEqual({ served: ['holder', 'stayer'], turnedAway: [] });
});

test('refuses a request that has waited too long', () => {
  const { time, capacity, turnedAway, outcomes, wait } = setUpCapacity();
  wait('holder');
  wait('short', { maxWaitMs: 500 });
  expect(capacity.nextExpiry).toBe(1_500);
  time.now = 1_499;
  capacity.expire();
  expect(turnedAway).toEqual([]);
  time.now = 1_500;
  capacity.expire();
  expect(turnedAway).toEqual(['short: expired']);
  expect(outcomes.get('short')).toMatchObject({ waitedMs: 500, retryAfterMs: 1_000 });
  expect(capacity.nextExpiry).toBeUndefined();
});

test('serves a request once, at the first suitable provider with a free slot', () => {
  const { capacity, outcomes, served, release, wait } = setUpCapacity();
  wait('at-one');
  wait('at-two', { providers: [two] });
  wait('either', { providers: [one, two] });
  wait('only-two', { providers: [two] });
  release(two);
  expect(outcomes.get('either')).toMatchObject({ kind: 'slot', provider: two });
  release(one);
  expect(served).toEqual(['at-one', 'at-two', 'either']);
  expect(capacity.inUse('one')).toBe(0);
  expect(capacity.waitingFor('one', 'paid')).toBe(0);
  expect(capacity.waitingFor('two', 'paid')).toBe(1);
});

test('bounds the queue in requests and in bytes', () => {
  const { turnedAway, wait } = setUpCapacity({ maxWaiting: 2, maxWaitingBytes: 1_000 });
  wait('holder');
  wait('first', { bytes: 900 });
  wait('too-large', { bytes: 200 });
  wait('second', { bytes: 100 });
  wait('too-many', { bytes: 0 });
  expect(turnedAway).toEqual(['too-large: full', 'too-many: full']);
});

test('removes the youngest Free request from a full queue to admit a paid one', () => {
  const { served, turnedAway, wait, releaseAll } = setUpCapacity({ maxWaiting: 2, maxWaitingBytes: 1_000 });
  wait('holder');
  wait('free-1', { planClass: 'free' });
  wait('free-2', { planClass: 'free' });
  wait('free-3', { planClass: 'free' });
  wait('paid-1');
  expect(turnedAway).toEqual(['free-3: full', 'free-2: displaced']);
  releaseAll();
  expect(served).toEqual(['holder', 'paid-1', 'free-1']);
});

test('refuses a request at once if its wait cannot end in time, with a retry time', () => {
  const { time, turnedAway, outcomes, release, wait } = setUpCapacity();
  for (let count = 0; count < 40; count++) wait(`waiter-${count}`);
  for (let count = 0; count < 10; count++) {
    time.now += 2_000;
    release(one);
  }
  wait('patient', { maxWaitMs: 61_000 }); // the 30th in the queue
  expect(turnedAway).toEqual([]);
  wait('hurried', { maxWaitMs: 30_000 });
  expect(turnedAway).toEqual(['hurried: hopeless']);
  expect(outcomes.get('hurried')).toMatchObject({ retryAfterMs: 32_000 });
});

test('does not refuse a request that chooses again because of its predicted wait or a full queue', () => {
  const { time, capacity, turnedAway, release, wait } = setUpCapacity({
    maxWaiting: 20,
    maxWaitingBytes: 1_000_000,
  });
  for (let count = 0; count < 21; count++) wait(`${count}`, { maxWaitMs: 5_000 });
  for (let count = 0; count < 9; count++) {
    time.now += 1_000;
    release(one);
  }
  for (let count = 0; count < 9; count++) wait(`late-${count}`, { since: 1_000 });
  expect({ turnedAway, count: capacity.size }).toEqual({ turnedAway: [], count: 20 });
  wait('newcomer', { maxWaitMs: 5_000 });
  expect(turnedAway).toEqual(['newcomer: hopeless']);
});

test('serves queued requests with slots that a reload adds', () => {
  const { capacity, served, wait } = setUpCapacity();
  wait('holder');
  wait('waiter');
  capacity.follow([{ id: 'one', maxConcurrent: 3 }]);
  expect(served).toEqual(['holder', 'waiter']);
  expect(capacity.inUse('one')).toBe(2);
  expect(capacity.hasFreeSlot(one, 'paid')).toBe(true); // a caller with the older snapshot
});

test('serves no request after a reload to fewer slots until enough are free', () => {
  const { capacity, served, release, wait } = setUpCapacity();
  capacity.follow([{ id: 'one', maxConcurrent: 3 }]);
  for (const name of ['a', 'b', 'c', 'waiter']) wait(name);
  capacity.follow([one]);
  release(one);
  release(one);
  expect(served).toEqual(['a', 'b', 'c']);
  expect(capacity.inUse('one')).toBe(1);
  release(one);
  expect(served).toEqual(['a', 'b', 'c', 'waiter']);
});

test('refuses the request with the least time left first, whatever the order of arrival', () => {
  const { time, capacity, turnedAway, wait } = setUpCapacity();
  wait('holder');
  wait('patient');
  wait('hurried', { maxWaitMs: 1_000 });
  wait('in between', { maxWaitMs: 5_000 });
  expect(capacity.nextExpiry).toBe(2_000);
  time.now += 5_000;
  capacity.expire();
  expect(turnedAway).toEqual(['hurried: expired', 'in between: expired']);
});

test('lets all queued requests choose again in order with their remaining time', () => {
  const { time, capacity, wait, served, turnedAway, chooseAgain } = setUpCapacity();
  wait('holder');
  wait('free', { planClass: 'free' });
  wait('first');
  wait('second');
  time.now += 40_000;
  expect(chooseAgain()).toEqual(['first', 'second', 'free']);
  expect(capacity.size).toBe(0);
  for (const name of ['first', 'second']) wait(name, { providers: [two], since: 1_000 });
  wait('free', { planClass: 'free', since: 1_000 });
  expect(served).toEqual(['holder', 'first']);
  time.now += 20_000;
  capacity.expire();
  expect(turnedAway).toEqual(['second: expired', 'free: expired']);
});

test('lets accounts without slots choose again before those that hold some [LIM-46]', () => {
  const { wait, chooseAgain } = setUpCapacity();
  wait('holder', { account: 'big' });
  wait('elsewhere', { account: 'small', providers: [two] });
  for (const name of ['big-1', 'big-2']) wait(name, { account: 'big' });
  for (const name of ['small-1', 'small-2']) wait(name, { account: 'small' });
  expect(chooseAgain()).toEqual(['small-1', 'big-1', 'small-2', 'big-2']);
});

test('counts the slots of an account at all targets when its requests choose again [LIM-46]', () => {
  const { wait, chooseAgain } = setUpCapacity();
  wait('holder');
  wait('elsewhere', { account: 'big', providers: [two] });
  wait('big-1', { account: 'big', candidates: [one, two] });
  wait('small-1', { account: 'small', candidates: [one, two] });
  expect(chooseAgain()).toEqual(['small-1', 'big-1']);
});

test('ignores requests for other providers when the requests of an account choose again [LIM-46]', () => {
  const { wait, chooseAgain } = setUpCapacity();
  wait('holder', { account: 'small' });
  wait('holder elsewhere', { account: 'big', providers: [two] });
  for (const name of ['big-elsewhere-1', 'big-elsewhere-2']) wait(name, { account: 'big', providers: [two] });
  wait('big-1', { account: 'big' });
  wait('small-1', { account: 'small' });
  expect(chooseAgain()).toEqual(['big-1', 'big-elsewhere-1', 'small-1', 'big-elsewhere-2']);
});

test('keeps the order of arrival among equals when requests choose again twice [LIM-35]', () => {
  const { time, wait, release, chooseAgain } = setUpCapacity();
  wait('holder', { account: 'early' });
  wait('early-1', { account: 'early' });
  time.now += 10;
  wait('late-1', { account: 'late' });
  expect(chooseAgain()).toEqual(['late-1', 'early-1']);
  wait('late-1', { account: 'late', since: 1_010 });
  wait('early-1', { account: 'early', since: 1_000 });
  release();
  wait('late-2', { account: 'late', since: 1_010 });
  expect(chooseAgain()).toEqual(['early-1', 'late-2']);
});

test('counts the slots of a provider without a limit, which has no queue', () => {
  const { capacity, wait } = setUpCapacity();
  const endless: Slotted = { id: 'endless', maxConcurrent: null };
  for (let count = 0; count < 1_000; count++)
    expect(wait(`${count}`, { providers: [endless] })).toBeUndefined();
  expect(capacity.inUse('endless')).toBe(1_000);
});

test('gives out no more slots than the share of this process, if there is one', () => {
  const { capacity, served, wait, release } = setUpCapacity();
  const three: Slotted = { id: 'one', maxConcurrent: 3 };
  capacity.setShare('one', { slots: 1, paidOnly: false });
  for (const name of ['a', 'b', 'c', 'd']) wait(name, { providers: [three] });
  expect(served).toEqual(['a']);
  capacity.setShare('one', { slots: 2, paidOnly: false });
  expect(served).toEqual(['a', 'b']);
  capacity.follow([{ id: 'one', maxConcurrent: 5 }]);
  expect(served).toEqual(['a', 'b']);
  capacity.setShare('one', { slots: 0, paidOnly: false });
  release(three);
  expect(served).toEqual(['a', 'b']);
  expect(capacity.inUse('one')).toBe(1);
  capacity.setShare('one', undefined);
  expect(served).toEqual(['a', 'b', 'c', 'd']);
});

test('a share above the configured limit adds no slots', () => {
  const { capacity, served, wait } = setUpCapacity();
  wait('a');
  capacity.setShare('one', { slots: 9, paidOnly: false });
  wait('b');
  expect(served).toEqual(['a']);
});

test('gives no slot to Free or to batches while a paid request waits at another process', () => {
  const { capacity, served, wait, release } = setUpCapacity();
  capacity.setShare('one', { slots: 1, paidOnly: true });
  wait('free', { planClass: 'free' });
  wait('batch', { planClass: 'batch' });
  expect(served).toEqual([]);
  expect(capacity.hasFreeSlot(one, 'free')).toBe(false);
  expect(capacity.hasFreeSlot(one, 'paid')).toBe(true);
  wait('paid', { freeShare: 1 });
  release(one, 'paid');
  expect(served).toEqual(['paid']);
  expect(capacity.inUse('one')).toBe(0);
  capacity.setShare('one', { slots: 1, paidOnly: false });
  expect(served).toEqual(['paid', 'free']);
});

test('reports when a class begins and ceases to queue for a provider', () => {
  const { capacity, wait, release } = setUpCapacity();
  const seen: string[] = [];
  const classes = ['paid', 'free'] as const;
  capacity.onWaiting = (id) =>
    seen.push(`${id}: ${classes.filter((planClass) => capacity.waitingFor(id, planClass) > 0).join(' ')}`);
  wait('holder');
  expect(seen).toEqual([]);
  wait('free', { planClass: 'free' });
  wait('another', { planClass: 'free' });
  const waiter = wait('paid');
  wait('last');
  expect(seen.splice(0)).toEqual(['one: free', 'one: paid free']);
  waiter!.leave();
  expect(seen).toEqual([]);
  release();
  expect(seen.splice(0)).toEqual(['one: free']);
  release();
  release();
  expect(seen).toEqual(['one: ']);
});
