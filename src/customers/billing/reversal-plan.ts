import type { ReversalBody, ReversedObject } from './billing-record.ts';

export const noReversal: ReversalBody = { objects: {}, takenBefore: 0, takings: [] };

/**
 * Returns the micro-credits that a payment has lost to its refunds and disputes. The reversed share of the
 * payment is taken of the credit, since taxes make the payment larger than the credit. A refund and a dispute
 * of the same money count once, since no more is lost than was credited.
 */
export function lostOf(
  { objects }: Pick<ReversalBody, 'objects'>,
  { creditedMicrocredits, receivedCents }: { creditedMicrocredits: number; receivedCents: number },
): number {
  const cents = Object.values(objects).reduce((sum, object) => sum + (object.isOver ? 0 : object.cents), 0);
  return Math.round(creditedMicrocredits * Math.min(1, cents / receivedCents)) || 0;
}

/** Returns the amount that the entries of a payment have taken back, or will take back. */
export const takenOf = ({ takenBefore, takings }: ReversalBody): number =>
  takings.reduce((sum, { microcredits }) => sum + microcredits, takenBefore);

/** Adds the state of a refund or dispute, and the taking that follows from it. */
export function withObject(
  body: ReversalBody,
  { id, ...object }: ReversedObject & { id: string },
  credited: { creditedMicrocredits: number; receivedCents: number },
): ReversalBody {
  const changed = { ...body, objects: { ...body.objects, [id]: object } };
  const microcredits = lostOf(changed, credited) - takenOf(body);
  if (microcredits === 0) return changed;
  return { ...changed, takings: [...body.takings, { objectId: id, microcredits }] };
}
