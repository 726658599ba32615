import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ReversalBody } from './billing-record.ts';
import { lostOf, noReversal, takenOf, withObject } from './reversal-plan.ts';

const credited = { creditedMicrocredits: 5_000, receivedCents: 1_190 };
const object = (id: string, cents: number, fields = {}) => ({
  id,
  step: 'refund' as const,
  cents,
  isOver: false,
  ...fields,
});

test('halves of a taxed payment take its whole credit [CRD-53]', () => {
  const first = withObject(noReversal, object('re_1', 595), credited);
  const second = withObject(first, object('re_2', 595), credited);
  const third = withObject(second, object('re_3', 595), credited);
  expect([first, second, third].map(takenOf)).toEqual([2_500, 5_000, 5_000]);
  expect(third.takings).toHaveLength(2);
});

test('a refund and a dispute of one payment count once, until both have ended [CRD-53]', () => {
  const refunded = withObject(noReversal, object('re_1', 1_190), credited);
  const both = withObject(refunded, object('dp_1', 1_190, { step: 'dispute' }), credited);
  expect(takenOf(both)).toBe(5_000);
  const failed = withObject(both, object('re_1', 1_190, { isOver: true }), credited);
  expect({ taken: takenOf(failed), takingCount: failed.takings.length }).toEqual({
    taken: 5_000,
    takingCount: 1,
  });
  const won = withObject(failed, object('dp_1', 1_190, { step: 'dispute', isOver: true }), credited);
  expect(won.takings.map(({ microcredits }) => microcredits)).toEqual([5_000, -5_000]);
});

test('credit that earlier versions have taken is not taken again [CRD-53]', () => {
  const body: ReversalBody = { ...noReversal, takenBefore: 1_000 };
  expect(takenOf(withObject(body, object('re_1', 595), credited))).toBe(2_500);
});

test('refunds and disputes in any order take the amount that is lost, up to the credit', () => {
  const change = fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    cents: fc.nat(2_000),
    isOver: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      let body = noReversal;
      for (const { id, cents, isOver } of changes) {
        body = withObject(body, object(id, cents, { isOver }), credited);
        expect(takenOf(body)).toBe(lostOf(body, credited));
        expect(takenOf(body)).toBeWithin(0, 5_001);
      }
    }),
  );
});
