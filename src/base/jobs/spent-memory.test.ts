import { expect, test } from 'bun:test';
import { SpentMemory } from './spent-memory.ts';

test('collects a large amount of garbage while there are no live requests', () => {
  const pace = { isQuiet: true };
  let collections = 0;
  const spent = new SpentMemory(pace, () => collections++);
  spent.add(3_000_000);
  expect(collections).toBe(0);
  spent.add(3_000_000);
  expect(collections).toBe(1);
  pace.isQuiet = false;
  spent.add(30_000_000);
  expect(collections).toBe(1);
  pace.isQuiet = true;
  spent.add(1);
  expect(collections).toBe(2);
  spent.add(1_000_000);
  spent.done();
  spent.done();
  expect(collections).toBe(3);
});
