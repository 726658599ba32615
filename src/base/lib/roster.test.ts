import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Roster, type RosterEntry } from './roster.ts';

test('keeps its items in insertion order while items come and go', () => {
  const steps = fc.array(fc.oneof(fc.constant('come'), fc.nat(20)), { maxLength: 60 });
  const property = fc.property(steps, (all) => {
    const roster = new Roster<{ name: number }>();
    const places: RosterEntry<{ name: number }>[] = [];
    const there = new Set<number>();
    for (const step of all) {
      if (typeof step === 'string') {
        there.add(places.length);
        places.push(roster.add({ name: places.length }));
      } else if (places[step]) {
        there.delete(step);
        roster.leave(places[step]);
      }
      expect([...roster].map(({ name }) => name)).toEqual([...there]);
    }
  });
  fc.assert(property, { numRuns: 200 });
});

test('skips an item that leaves during the iteration', () => {
  const roster = new Roster<{ name: string }>();
  const [first, second, third] = ['a', 'b', 'c'].map((name) => roster.add({ name }));
  const called: string[] = [];
  for (const { name } of roster) {
    called.push(name);
    roster.leave(first!);
    roster.leave(second!);
    roster.add({ name: 'd' });
  }
  roster.leave(third!);
  expect(called).toEqual(['a', 'c']);
});
