import { HOUR_MS } from '../../../src/base/lib/units.ts';
import type { UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import { withParameters } from '../../app/address.ts';

/**
 * The last 24 hours by the hour. It ends at the next full hour, so that the path stays the same for an hour.
 */
export function usagePath(now = Date.now()): string {
  const end = Math.ceil(now / HOUR_MS) * HOUR_MS;
  const time = (ms: number) => new Date(ms).toISOString();
  return withParameters('/usage', { from: time(end - 24 * HOUR_MS), to: time(end), step: 'hour' });
}

export const tokensIn = ({ totals }: UsageReport): number =>
  totals.uncached_input_tokens + totals.cached_input_tokens + totals.output_tokens;
