import { HOUR_MS } from '../../base/lib/units.ts';
import type { Queries } from './queries.ts';

/** Nodes read the feed every second. A node that was away for longer drops its caches. */
const KEPT_MS = HOUR_MS;

/**
 * Removes up to `limit` old rows of the change feed, and returns how many it removed.
 * Returns 0 while another node sweeps.
 */
export async function sweepChanges(queries: Queries, limit: number): Promise<number> {
  const row = await queries.first('SELECT sweep_changes($1, $2) AS removed', [KEPT_MS, limit]);
  return Number(row?.removed ?? 0);
}
