import { expect, test } from 'bun:test';
import { Capacity, type SlotClaim, type Slotted, type WaitOutcome } from './capacity.ts';

const one: Slotted = { id: 'one', maxConcurrent: 1 };
const two: Slotted = { id: 'two', maxConcurrent: 1 };

function setUp(bounds?: { maxWaiting: number; maxWaitingBytes: number }) {
  const time = { now: 1_000 };
  const capacity = new Capacity({ now: () => time.now }, bounds);
  const served: string[] = [];
  const turnedAway: string[] = [];
  const outcomes = new Map<string, WaitOutcome<Slotted>>();
  const holding: { provider: Slotted; account: string }[] = [];
  const wait = (name: string, claim: Partial<SlotClaim<Slotted>> = {}) => {
    const whole = {
      account: name,
      planClass: 'paid',
      bytes: 100,
      providers: [one],
      maxWaitMs: 60_000,
    } as const;
    const asked = { freeShare: 0, ...whole, ...claim };
    return capacity.wait(asked, (outcome) => {
      outcomes.set(name, outcome);
      if (outcome.kind === 'slot') {
        served.push(name);
        holding.push({ provider: outcome.provider, account: asked.account });
      } else if (outcome.kind === 'no-slot') turnedAway.push(`${name}: ${outcome.reason}`);
    });
  };
  /** Whoever has held a slot there the longest, of that account where one is named, gives it back. */
  const release = (provider = one, account?: string) => {
    const longest = holding.findIndex(
      (one) => one.provider.id === provider.id && (account === undefined || one.account === account),
    );
    const [ended] = holding.splice(longest, 1);
    capacity.release(provider, ended!.account);
  };
  /** Gives the slot back as often as somebody is served by it. */
  const releaseAll = (provider = one) => {
    while (capacity.inUse(provider.id) > 0) release(provider);
  };
  return { time, capacity, served, turnedAway, outcomes, wait, release, releaseAll };
}

test('past its slots a provider makes requests wait rather than refusing them', () => {
  const { capacity, served, wait, releaseAll } = setUp();
  for (const name of ['first', 'second', 'third']) wait(name);
  expect([served, capacity.waiting('paid'), capacity.inUse('one')]).toEqual([['first'], 2, 1]);
  releaseAll();
  expect([served, capacity.waiting('paid')]).toEqual([['first', 'second', 'third'], 0]);
});

test('paid is served before Free, whoever came first', () => {
  const { served, wait, releaseAll } = setUp();
  wait('holder');
  wait('free-1', { planClass: 'free' });
  wait('free-2', { planClass: 'free' });
  wait('paid-1');
  wait('paid-2');
  releaseAll();
  expect(served.slice(1)).toEqual(['paid-1', 'paid-2', 'free-1', 'free-2']);
});

test('items of batches come after all that is live, and those with time after the others', () => {
  const { served, turnedAway, wait, releaseAll } = setUp({ maxWaiting: 4, maxWaitingBytes: 1_000 });
  wait('holder');
  for (const planClass of ['flex', 'batch', 'free', 'paid'] as const) wait(planClass, { planClass });
  wait('another', { planClass: 'batch' });
  expect(turnedAway).toEqual(['flex: displaced']);
  releaseAll();
  expect(served.slice(1)).toEqual(['paid', 'free', 'batch', 'another']);
});

test('a share of the freed slots goes to Free where the operator keeps one for it', () => {
  const { served, wait, releaseAll } = setUp();
  wait('holder');
  for (let count = 0; count < 4; count++) {
    wait(`paid-${count}`, { freeShare: 0.5 });
    wait(`free-${count}`, { freeShare: 0.5, planClass: 'free' });
  }
  releaseAll();
  expect(served.slice(1, 7).map((name) => name.slice(0, 4))).toEqual([
    ...['paid', 'free', 'paid'],
    ...['free', 'paid', 'free'],
  ]);
});

test('one account does not fill the queue for the others', () => {
  const { served, wait, releaseAll } = setUp();
  wait('holder');
  for (let count = 0; count < 3; count++) wait(`big-${count}`, { account: 'big' });
  wait('small-0', { account: 'small' });
  wait('other-0', { account: 'other' });
  wait('small-1', { account: 'small' });
  releaseAll();
  expect(served.slice(1)).toEqual(['big-0', 'small-0', 'other-0', 'big-1', 'small-1', 'big-2']);
});

const ten: Slotted = { id: 'ten', maxConcurrent: 10 };

test('places that come free go to accounts below their share, and nobody loses one that it holds [LIM-46]', () => {
  const { capacity, served, wait, release } = setUp();
  for (let count = 0; count < 40; count++) wait('big', { account: 'big', providers: [ten] });
  for (let count = 0; count < 8; count++) wait('small', { account: 'small', providers: [ten] });
  expect([served.length, capacity.inUse('ten')]).toEqual([10, 10]);
  for (let count = 0; count < 5; count++) release(ten, 'big');
  expect(served.slice(10)).toEqual(Array(5).fill('small'));
  // Each has its share now: whichever of the two ends a request begins its next.
  for (const account of ['big', 'small', 'big', 'big', 'small']) release(ten, account);
  expect(served.slice(15)).toEqual(['big', 'small', 'big', 'big', 'small']);
});

test('a share is that of all accounts that hold places or wait, paid or not, and paid goes before Free all the same [LIM-46]', () => {
  const { served, wait, release } = setUp();
  for (let count = 0; count < 9; count++) wait('paid-1', { account: 'paid-1', providers: [ten] });
  wait('free-1', { account: 'free-1', planClass: 'free', providers: [ten] });
  for (let count = 0; count < 3; count++) wait('paid-1', { account: 'paid-1', providers: [ten] });
  wait('free-2', { account: 'free-2', planClass: 'free', providers: [ten] });
  wait('paid-2', { account: 'paid-2', providers: [ten] });
  for (let count = 0; count < 5; count++) release(ten, 'paid-1');
  expect(served.slice(10)).toEqual(['paid-2', 'paid-1', 'paid-1', 'paid-1', 'free-2']);
});

test('whoever has all places and waits alone goes on, above its share or not [LIM-46]', () => {
  const { served, wait, release } = setUp();
  for (let count = 0; count < 12; count++) wait('big', { account: 'big', providers: [ten] });
  release(ten);
  wait('small', { account: 'small', providers: [ten] });
  release(ten);
  release(ten);
  expect(served.slice(10)).toEqual(['big', 'small', 'big']);
});

test('a queue of one account refuses no other for a wait that is not its own', () => {
  const { time, turnedAway, served, wait, release } = setUp();
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

test('who leaves the queue is gone at once and hears nothing more', () => {
  const { capacity, served, turnedAway, wait, releaseAll, time } = setUp();
  wait('holder');
  const leaver = wait('leaver');
  wait('stayer');
  leaver!.leave();
  leaver!.leave();
  expect(capacity.waiting('paid')).toBe(1);
  releaseAll();
  time.now += 100_000;
  capacity.expire();
  expect([served, turnedAway]).toEqual([['holder', 'stayer'], []]);
});

test('who has waited long enough is turned away', () => {
  const { time, capacity, turnedAway, outcomes, wait } = setUp();
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

test('a request that several providers can take is served by whichever is free first, once', () => {
  const { capacity, outcomes, served, release, wait } = setUp();
  wait('at-one');
  wait('at-two', { providers: [two] });
  wait('either', { providers: [one, two] });
  wait('only-two', { providers: [two] });
  release(two);
  expect(outcomes.get('either')).toMatchObject({ kind: 'slot', provider: two });
  release(one);
  expect([served, capacity.inUse('one')]).toEqual([['at-one', 'at-two', 'either'], 0]);
  expect([capacity.waitingFor('one', 'paid'), capacity.waitingFor('two', 'paid')]).toEqual([0, 1]);
});

test('the queue is bounded in number and in bytes', () => {
  const { turnedAway, wait } = setUp({ maxWaiting: 2, maxWaitingBytes: 1_000 });
  wait('holder');
  wait('first', { bytes: 900 });
  wait('too-large', { bytes: 200 });
  wait('second', { bytes: 100 });
  wait('too-many', { bytes: 0 });
  expect(turnedAway).toEqual(['too-large: full', 'too-many: full']);
});

test('in a full queue the youngest Free request makes room for a paid one', () => {
  const { served, turnedAway, wait, releaseAll } = setUp({ maxWaiting: 2, maxWaitingBytes: 1_000 });
  wait('holder');
  wait('free-1', { planClass: 'free' });
  wait('free-2', { planClass: 'free' });
  wait('free-3', { planClass: 'free' });
  wait('paid-1');
  expect(turnedAway).toEqual(['free-3: full', 'free-2: displaced']);
  releaseAll();
  expect(served).toEqual(['holder', 'paid-1', 'free-1']);
});

test('a wait that cannot end in time is refused at once, and told how long it would be', () => {
  const { time, turnedAway, outcomes, release, wait } = setUp();
  for (let count = 0; count < 40; count++) wait(`waiter-${count}`);
  for (let count = 0; count < 10; count++) {
    time.now += 2_000;
    release(one);
  }
  wait('patient', { maxWaitMs: 61_000 }); // the 30th in the line
  expect(turnedAway).toEqual([]);
  wait('hurried', { maxWaitMs: 30_000 });
  expect(turnedAway).toEqual(['hurried: hopeless']);
  expect(outcomes.get('hurried')).toMatchObject({ retryAfterMs: 32_000 });
});

test('who chooses again has a place in the queue already: it is not refused for a wait that cannot end in time, or for a full queue', () => {
  const { time, capacity, turnedAway, release, wait } = setUp({ maxWaiting: 20, maxWaitingBytes: 1_000_000 });
  for (let count = 0; count < 21; count++) wait(`${count}`, { maxWaitMs: 5_000 });
  for (let count = 0; count < 9; count++) {
    time.now += 1_000;
    release(one);
  }
  for (let count = 0; count < 9; count++) wait(`late-${count}`, { since: 1_000 });
  expect([turnedAway, capacity.size]).toEqual([[], 20]);
  wait('newcomer', { maxWaitMs: 5_000 });
  expect(turnedAway).toEqual(['newcomer: hopeless']);
});

test('slots that a reload adds serve who waits', () => {
  const { capacity, served, wait } = setUp();
  wait('holder');
  wait('waiter');
  capacity.follow([{ id: 'one', maxConcurrent: 3 }]);
  expect([served, capacity.inUse('one')]).toEqual([['holder', 'waiter'], 2]);
  expect(capacity.hasRoom(one)).toBe(true); // whoever still knows it as it was before
});

test('a slot less than are in use: nobody is served before enough have come free', () => {
  const { capacity, served, release, wait } = setUp();
  capacity.follow([{ id: 'one', maxConcurrent: 3 }]);
  for (const name of ['a', 'b', 'c', 'waiter']) wait(name);
  capacity.follow([one]);
  release(one);
  release(one);
  expect([served, capacity.inUse('one')]).toEqual([['a', 'b', 'c'], 1]);
  release(one);
  expect(served).toEqual(['a', 'b', 'c', 'waiter']);
});

test('whoever has less time left is turned away first, whoever came first', () => {
  const { time, capacity, turnedAway, wait } = setUp();
  wait('holder');
  wait('patient');
  wait('hurried', { maxWaitMs: 1_000 });
  wait('in between', { maxWaitMs: 5_000 });
  expect(capacity.nextExpiry).toBe(2_000);
  time.now += 5_000;
  capacity.expire();
  expect(turnedAway).toEqual(['hurried: expired', 'in between: expired']);
});

test('when there is something else to wait for all choose again, paid first, in their order and with the time that they have', () => {
  const { time, capacity, outcomes, wait, served, turnedAway } = setUp();
  wait('holder');
  wait('free', { planClass: 'free' });
  wait('first');
  wait('second');
  const told: string[] = [];
  const record = outcomes.set.bind(outcomes);
  outcomes.set = (name, outcome) => {
    if (outcome.kind === 'changed') told.push(name);
    return record(name, outcome);
  };
  time.now += 40_000;
  capacity.reconsider();
  expect([told, capacity.size]).toEqual([['first', 'second', 'free'], 0]);
  for (const name of ['first', 'second']) wait(name, { providers: [two], since: 1_000 });
  wait('free', { planClass: 'free', since: 1_000 });
  expect([served, outcomes.get('first')]).toMatchObject([['holder', 'first'], { waitedMs: 40_000 }]);
  time.now += 20_000;
  capacity.expire();
  expect(turnedAway).toEqual(['second: expired', 'free: expired']);
});

test('without a limit nobody waits, and what is in use is known all the same', () => {
  const { capacity, wait } = setUp();
  const endless: Slotted = { id: 'endless', maxConcurrent: null };
  for (let count = 0; count < 1_000; count++)
    expect(wait(`${count}`, { providers: [endless] })).toBeUndefined();
  expect(capacity.inUse('endless')).toBe(1_000);
});
