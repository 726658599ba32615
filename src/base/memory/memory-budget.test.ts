import { expect, test } from 'bun:test';
import type { Booking } from './booking.ts';
import { type BudgetParts, MemoryBudget } from './memory-budget.ts';

const MB = 1024 * 1024;

function budgetOf({ large = 100, ...parts }: Partial<BudgetParts> & { large?: number } = {}) {
  const sizes = {
    totalBytes: 2 * large * MB,
    largeBytes: large * MB,
    waitingBytes: 10 * MB,
    overdrawnBytes: 3 * large * MB,
  };
  return new MemoryBudget({ sizes, timeoutMs: 60_000, residentBytes: () => 0, collect: () => {}, ...parts });
}

/** Asks for room. The answer is null while the request waits. */
function ask(booking: Booking, megabytes: number, unread = 0): { answer: boolean | null } {
  const asked: { answer: boolean | null } = { answer: null };
  const growing = booking.grow(megabytes * MB, { unread: unread * MB });
  if (growing instanceof Promise)
    void growing.then((answer) => {
      asked.answer = answer;
    });
  else asked.answer = growing;
  return asked;
}

const settle = () => Bun.sleep(1);

test('queues requests beyond the budget until there is room', async () => {
  const budget = budgetOf();
  const one = budget.open('a');
  const other = budget.open('b');
  expect(ask(one, 60).answer).toBe(true);
  const waits = ask(other, 60);
  await settle();
  expect(waits.answer).toBeNull();
  one.free();
  await settle();
  expect(waits.answer).toBe(true);
  expect(budget.usedBytes).toBe(60 * MB);
  other.free();
  expect(budget.usedBytes).toBe(0);
});

test('admits a request that is larger than the whole budget once it is alone', async () => {
  const budget = budgetOf();
  const small = budget.open('a');
  ask(small, 60);
  const whole = budget.open('b');
  const asked = ask(whole, 150);
  await settle();
  expect(asked.answer).toBeNull();
  small.free();
  await settle();
  expect(asked.answer).toBe(true);
});

test('ignores memory that is returned twice, or beyond what was held', () => {
  const budget = budgetOf();
  const one = budget.open('a');
  const other = budget.open('b');
  ask(one, 90);
  one.shrink(60 * MB);
  one.shrink(70 * MB);
  expect(budget.usedBytes).toBe(60 * MB);
  ask(other, 30);
  other.free();
  other.free();
  expect(budget.usedBytes).toBe(60 * MB);
});

test('lets a small request overtake a large one that waits, for a limited time', async () => {
  const budget = budgetOf();
  const first = budget.open('a');
  ask(first, 70);
  const large = ask(budget.open('b'), 60);
  expect(ask(budget.open('c'), 20).answer).toBe(true);
  const realNow = performance.now;
  performance.now = () => realNow.call(performance) + 6_000;
  const late = ask(budget.open('d'), 10);
  first.shrink(30 * MB);
  await settle();
  expect({ large: large.answer, late: late.answer }).toEqual({ large: null, late: null });
  first.free();
  await settle();
  performance.now = realNow;
  expect({ large: large.answer, late: late.answer }).toEqual({ large: true, late: true });
});

test('an account whose requests wait for each other holds back no account that holds less', async () => {
  const budget = budgetOf();
  const busy = budget.open('busy');
  ask(busy, 60);
  const own = ask(budget.open('busy'), 70);
  const realNow = performance.now;
  performance.now = () => realNow.call(performance) + 6_000;
  expect(ask(budget.open('busy'), 1).answer).toBeNull();
  expect(ask(budget.open('small'), 1).answer).toBe(true);
  const queued = ask(budget.open('other'), 50);
  expect(queued.answer).toBeNull();
  busy.shrink(45 * MB);
  await settle();
  performance.now = realNow;
  expect({ own: own.answer, queued: queued.answer }).toEqual({ own: null, queued: true });
});

test('rejects a request that has waited too long', async () => {
  const budget = budgetOf();
  ask(budget.open('a'), 90);
  const late = ask(budget.open('b'), 60);
  budget.sweep(performance.now() + 59_000);
  await settle();
  expect(late.answer).toBeNull();
  budget.sweep(performance.now() + 61_000);
  await settle();
  expect(late.answer).toBe(false);
});

test('rejects requests beyond the limit of unread bytes', async () => {
  const budget = budgetOf();
  ask(budget.open('a'), 90);
  const waiting = Array.from({ length: 12 }, (_, at) => ask(budget.open(`w${at}`), 60, 1));
  await settle();
  expect(waiting.map(({ answer }) => answer)).toEqual([...Array(10).fill(null), false, false]);
  expect(budget.usedBytes).toBe(100 * MB);
});

test('the unread requests of one account leave room for those of the next', async () => {
  const budget = budgetOf();
  ask(budget.open('a'), 90);
  const greedy = Array.from({ length: 10 }, () => ask(budget.open('greedy'), 60, 1));
  const other = ask(budget.open('other'), 60, 1);
  await settle();
  expect(greedy.map(({ answer }) => answer)).toEqual([...Array(8).fill(null), false, false]);
  expect(other.answer).toBeNull();
});

test('one account leaves room for the next', async () => {
  const budget = budgetOf();
  const greedy = Array.from({ length: 20 }, () => ask(budget.open('greedy'), 10));
  const held = greedy.filter(({ answer }) => answer === true).length;
  expect(held).toBe(8);
  expect(ask(budget.open('other'), 10).answer).toBe(true);
  expect(ask(budget.open('third'), 10).answer).toBe(true);
});

test('requests that each hold part of their memory do not deadlock', async () => {
  const budget = budgetOf();
  const bookings = Array.from({ length: 5 }, (_, at) => budget.open(`a${at}`));
  for (const booking of bookings) expect(ask(booking, 19).answer).toBe(true);
  const asked = bookings.toReversed().map((booking) => ask(booking, 20));
  await settle();
  expect(asked.map(({ answer }) => answer)).toEqual([true, null, null, null, null]);
  expect(ask(bookings[4]!, 50).answer).toBe(true);
  bookings[4]!.free();
  await settle();
  expect(asked.map(({ answer }) => answer)).toEqual([true, null, null, null, true]);
});

test('a request beyond the bounds goes on, even if an older request has waited for long', async () => {
  const budget = budgetOf();
  const older = budget.open('older');
  const overdrawn = budget.open('overdrawn');
  expect(ask(overdrawn, 90).answer).toBe(true);
  expect(ask(overdrawn, 20).answer).toBe(true);
  const waits = ask(older, 60);
  const realNow = performance.now;
  performance.now = () => realNow.call(performance) + 6_000;
  const goesOn = ask(overdrawn, 10);
  performance.now = realNow;
  expect({ waits: waits.answer, goesOn: goesOn.answer }).toEqual({ waits: null, goesOn: true });
});

test('small requests have room when large requests have none', () => {
  const budget = budgetOf();
  ask(budget.open('a'), 95);
  expect(ask(budget.open('b'), 4).answer).toBe(true);
});

test('collects returned memory that is still resident before it admits the next request', () => {
  let resident = 100 * MB;
  let collections = 0;
  const budget = budgetOf({
    residentBytes: () => resident,
    collect: () => {
      collections++;
      resident = 100 * MB;
    },
  });
  const first = budget.open('a');
  ask(first, 80);
  resident = 180 * MB;
  first.free();
  expect(ask(budget.open('b'), 80).answer).toBe(true);
  expect(collections).toBe(1);
});

test('does not collect memory that is free already', () => {
  let collections = 0;
  const budget = budgetOf({ residentBytes: () => 100 * MB, collect: () => collections++ });
  const first = budget.open('a');
  ask(first, 80);
  first.free();
  expect(ask(budget.open('b'), 80).answer).toBe(true);
  expect(collections).toBe(0);
});

test('collects unbooked garbage once, since the remaining memory is in use', () => {
  let resident = 100 * MB;
  let collections = 0;
  const budget = budgetOf({
    residentBytes: () => resident,
    collect: () => {
      collections++;
      resident = Math.min(resident, 150 * MB);
    },
  });
  resident = 190 * MB;
  budget.sweep();
  expect(collections).toBe(0);
  resident = 300 * MB;
  budget.sweep();
  budget.sweep();
  expect({ collections, resident }).toEqual({ collections: 1, resident: 150 * MB });
  resident = 240 * MB;
  budget.sweep();
  expect(collections).toBe(1);
  resident = 100 * MB;
  budget.sweep();
  resident = 200 * MB;
  budget.sweep();
  expect(collections).toBe(2);
});

test('does not count booked memory as garbage', () => {
  let resident = 100 * MB;
  let collections = 0;
  const budget = budgetOf({ residentBytes: () => resident, collect: () => collections++ });
  ask(budget.open('a'), 80);
  resident = 270 * MB;
  budget.sweep();
  expect(collections).toBe(0);
});

test('rejects at once a request that can never fit', () => {
  const budget = budgetOf();
  const booking = budget.open('a');
  expect(ask(booking, 100).answer).toBe(true);
  expect(booking.grow(budget.sizes.overdrawnBytes)).toBe(false);
  expect(budget.open('b').grow(budget.sizes.overdrawnBytes + 1)).toBe(false);
});

test('collects once more after a burst, when the process has stopped growing', () => {
  let resident = 100;
  let collections = 0;
  const budget = budgetOf({ residentBytes: () => resident * MB, collect: () => void collections++ });
  const sweepAt = (megabytes: number): number => {
    resident = megabytes;
    budget.sweep();
    return collections;
  };
  expect([sweepAt(110), sweepAt(300), sweepAt(330), sweepAt(331), sweepAt(331), sweepAt(331)]).toEqual([
    0, 1, 1, 2, 2, 2,
  ]);
  expect([sweepAt(120), sweepAt(120), sweepAt(180), sweepAt(181)]).toEqual([2, 2, 2, 2]);
});
