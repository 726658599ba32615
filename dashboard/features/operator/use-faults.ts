import { useEvents } from '../../app/events.ts';
import { type Query, useQuery } from '../../app/use-query.ts';
import { type ListOf, OPERATOR } from './operator-api.ts';
import type { FaultRow } from './rows.ts';

const POLL_MS = 5_000;

/**
 * Reads the faults of providers that last. A new one is shown at once, and counts are refreshed in intervals.
 */
export function useFaults(): Query<ListOf<FaultRow>> {
  const faults = useQuery<ListOf<FaultRow>>(`${OPERATOR}/faults`, { pollMs: POLL_MS });
  useEvents({ topic: 'operations' }, (name) => {
    if (name === 'fault') void faults.refresh();
  });
  return faults;
}
