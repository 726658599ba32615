import { afterEach, expect, test } from 'bun:test';
import { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { SocketMemories } from './socket-memory.ts';

const MB = 1024 * 1024;
const sizes = { totalBytes: 80 * MB, largeBytes: 80 * MB, waitingBytes: 0, overdrawnBytes: 80 * MB };
const budget = new MemoryBudget({ sizes, timeoutMs: 1_000, residentBytes: () => 0, collect() {} });
const memories = new SocketMemories(budget);
const open = (account: string) => memories.open(account);

afterEach(() => expect(budget.usedBytes).toBe(0));

test('the sockets of one account keep at most a quarter of the memory for requests', () => {
  const one = open('a');
  const two = open('a');
  const other = open('b');
  expect([one.keep('recent', 3 * MB), two.keep('recent', 3 * MB)]).toEqual([true, false]);
  expect(other.keep('recent', 3 * MB)).toBe(true);
  expect([two.keep('recent', MB), two.keep('waiting', 2 * MB)]).toEqual([true, false]);
  expect(one.keep('recent', MB)).toBe(true);
  expect(two.keep('waiting', 2 * MB)).toBe(true);
  for (const memory of [one, two, other]) memory.free();
  const next = open('a');
  expect(next.keep('recent', 5 * MB)).toBe(true);
  next.free();
});

test('a socket keeps short texts without free memory', () => {
  const full = budget.open('b');
  full.add(80 * MB);
  const memory = open('a');
  expect([memory.keep('recent', 16 * 1024), memory.keep('waiting', 1)]).toEqual([true, false]);
  memory.free();
  full.free();
});

test('a socket keeps a response while a later request of a different account waits for memory', () => {
  const memory = open('a');
  const other = budget.open('b');
  other.add(30 * MB);
  void other.grow(60 * MB);
  const late = budget.open('c');
  late.add(MB);
  void late.grow(60 * MB);
  expect(budget.waiting).toBeGreaterThan(0);
  expect(memory.keep('recent', 2 * MB)).toBe(true);
  memory.free();
  for (const booking of [other, late]) booking.free();
  budget.sweep();
});

test('the beginnings of messages are booked without free memory, within the share of the account', () => {
  const full = budget.open('b');
  full.add(80 * MB);
  const [one, two] = [open('a'), open('a')];
  expect([one.keepArrived(12 * MB), two.keepArrived(12 * MB)]).toEqual([true, false]);
  expect(budget.usedBytes).toBe(92 * MB);
  one.keepArrived(0);
  expect(two.keepArrived(12 * MB)).toBe(true);
  for (const memory of [one, two]) memory.free();
  full.free();
});

test('nothing is counted once a socket has closed', () => {
  const memory = open('a');
  memory.free();
  expect(memory.keep('recent', 5 * MB)).toBe(true);
});
