import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/lib/units.ts';
import { queryValue } from '../app/address.ts';
import { ChoiceFilter } from './filters.tsx';

const spans = [
  { value: '', label: 'Last 24 hours', ms: DAY_MS },
  { value: '15m', label: 'Last 15 minutes', ms: 15 * MINUTE_MS },
  { value: '1h', label: 'Last hour', ms: HOUR_MS },
  { value: '6h', label: 'Last 6 hours', ms: 6 * HOUR_MS },
  { value: '7d', label: 'Last 7 days', ms: 7 * DAY_MS },
  { value: '30d', label: 'Last 30 days', ms: 30 * DAY_MS },
  { value: '90d', label: 'Last 90 days', ms: 90 * DAY_MS },
  { value: '1y', label: 'Last year', ms: 365 * DAY_MS },
] as const;

/** Returns the span of the address. It ends with the current minute, so that its answer can be kept. */
export function trafficSpan(): { from: string; to: string; ms: number } {
  const { ms } = spans.find(({ value }) => value === queryValue('span')) ?? spans[0];
  const end = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  return { from: new Date(end - ms).toISOString(), to: new Date(end).toISOString(), ms };
}

/** The choice of the span. The address keeps it. */
export const SpanFilter = () => <ChoiceFilter param="span" label="Time" options={spans} />;
