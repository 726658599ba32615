import { lookUp } from '../../src/base/lib/records.ts';
import { queryValue } from '../app/address.ts';
import type { ChartStep } from './chart-props.ts';
import { ChoiceFilter } from './filters.tsx';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

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

/** The units of intervals, such as `5m`, `1h` or `2d`. */
const intervalUnits: Readonly<Record<'m' | 'h' | 'd', { ms: number; step: ChartStep }>> = {
  m: { ms: MINUTE_MS, step: 'minute' },
  h: { ms: HOUR_MS, step: 'hour' },
  d: { ms: DAY_MS, step: 'day' },
};

/** Returns the span of the address. It ends with the current minute, so that its answer can be kept. */
export function trafficSpan(): { from: string; to: string; ms: number } {
  const { ms } = spans.find(({ value }) => value === queryValue('span')) ?? spans[0];
  const end = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  return { from: new Date(end - ms).toISOString(), to: new Date(end).toISOString(), ms };
}

/** The choice of the span. The address keeps it. */
export const SpanFilter = () => <ChoiceFilter param="span" label="Time" options={spans} />;

const unitOf = (interval: string) => lookUp(intervalUnits, interval.at(-1)) ?? intervalUnits.d;

/** Returns the labels that suit intervals of this length. */
export const stepOf = (interval: string): ChartStep => unitOf(interval).step;

/** Returns the length of an interval in milliseconds. */
export const lengthOf = (interval: string): number => Number.parseInt(interval, 10) * unitOf(interval).ms;
