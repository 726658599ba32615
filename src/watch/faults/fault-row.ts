import { newId } from '../../base/lib/ids.ts';
import { type FaultRow, WELL_FOR_MS, WITHIN_MS } from './fault.ts';

/** Returns the row of a fault that begins. It has no failure yet. */
export const newFaultRow = ({
  provider,
  cause,
  at,
}: Pick<FaultRow, 'provider' | 'cause'> & { at: number }): FaultRow => ({
  id: newId('flt_'),
  provider,
  cause,
  model: null,
  firstAt: at,
  lastAt: null,
  wellAt: null,
  seenAt: null,
  failures: 0,
  hidden: 0,
  isRaised: false,
  recent: [],
  status: null,
  message: null,
});

/** Reports whether the fault has ended, so that a further failure begins a new one. */
export function isFaultOver({ wellAt, lastAt, isRaised }: FaultRow, now: number): boolean {
  if (wellAt !== null) return now - wellAt >= WELL_FOR_MS;
  return !isRaised && lastAt !== null && now - lastAt > WITHIN_MS;
}
