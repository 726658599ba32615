import { expect, test } from 'bun:test';
import type { Booking } from './booking.ts';
import { type BudgetParts, MemoryBudget } from './memory-budget.ts';

const MB = 1024 * 1024;

function budgetOf({ large = 100, ...parts }: Partial<BudgetParts> & { large?: number } = {}) {
  const sizes = { total: 2 * large * MB, large: large * MB, waiting: 10 * MB, most: 3 * large * MB };
  return new MemoryBudget({ sizes, timeoutMs: 60_000, residentBytes: () => 0, collect: () => {}, ...parts });
}

/** Asks for room, and tells at any later time what came of it: null while it waits. */
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

test('requests together hold no more than the budget has: the rest waits, and gets in', async () => {
  const budget = budgetOf();
  const [one, other] = [budget.open('a'), budget.open('b')];
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

test('one that is larger than all that there is goes in alone', async () => {
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

test('what is given back twice, or more than was held, makes no room that is not there', () => {
  const budget = budgetOf();
  const [one, other] = [budget.open('a'), budget.open('b')];
  ask(one, 90);
  one.shrink(60 * MB);
  one.shrink(70 * MB);
  expect(budget.usedBytes).toBe(60 * MB);
  ask(other, 30);
  other.free();
  other.free();
  expect(budget.usedBytes).toBe(60 * MB);
});

test('a smaller one overtakes a larger one that waits, but not for long', async () => {
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
  expect([large.answer, late.answer]).toEqual([null, null]);
  first.free();
  await settle();
  performance.now = realNow;
  expect([large.answer, late.answer]).toEqual([true, true]);
});

test('who has waited too long is turned away', async () => {
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

test('those who wait count with what they hold unread, and are too many at once past it', async () => {
  const budget = budgetOf();
  ask(budget.open('a'), 90);
  const waiting = Array.from({ length: 12 }, (_, at) => ask(budget.open(`w${at}`), 60, 1));
  await settle();
  expect(waiting.map(({ answer }) => answer)).toEqual([...Array(10).fill(null), false, false]);
  expect(budget.usedBytes).toBe(100 * MB);
});

test('one account leaves room for the next', async () => {
  const budget = budgetOf();
  const greedy = Array.from({ length: 20 }, () => ask(budget.open('greedy'), 10));
  const held = greedy.filter(({ answer }) => answer === true).length;
  expect(held).toBe(8);
  expect(ask(budget.open('other'), 10).answer).toBe(true);
  expect(ask(budget.open('third'), 10).answer).toBe(true);
});

test('requests that each hold a part of what they need do not wait for each other for ever', async () => {
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

test('small ones have room when large ones have none', () => {
  const budget = budgetOf();
  ask(budget.open('a'), 95);
  expect(ask(budget.open('b'), 4).answer).toBe(true);
});

test('what was given back and is still resident is collected before the next is let in', () => {
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

test('nothing is collected where the memory has come free by itself', () => {
  let collections = 0;
  const budget = budgetOf({ residentBytes: () => 100 * MB, collect: () => collections++ });
  const first = budget.open('a');
  ask(first, 80);
  first.free();
  expect(ask(budget.open('b'), 80).answer).toBe(true);
  expect(collections).toBe(0);
});

test('garbage that nobody booked is collected once, and what stays after it is not garbage', () => {
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
  expect([collections, resident]).toEqual([1, 150 * MB]);
  resident = 240 * MB;
  budget.sweep();
  expect(collections).toBe(1);
  resident = 100 * MB;
  budget.sweep();
  resident = 200 * MB;
  budget.sweep();
  expect(collections).toBe(2);
});

test('memory that is booked is not taken for garbage', () => {
  let resident = 100 * MB;
  let collections = 0;
  const budget = budgetOf({ residentBytes: () => resident, collect: () => collections++ });
  ask(budget.open('a'), 80);
  resident = 270 * MB;
  budget.sweep();
  expect(collections).toBe(0);
});

test('what can never fit is turned away at once', () => {
  const budget = budgetOf();
  const booking = budget.open('a');
  expect(ask(booking, 100).answer).toBe(true);
  expect(booking.grow(budget.sizes.most)).toBe(false);
  expect(budget.open('b').grow(budget.sizes.most + 1)).toBe(false);
});
