import { lookUp } from '../../src/base/lib/records.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/lib/units.ts';
import type { ChartStep } from './chart-props.ts';

/** The units of intervals, such as `5m`, `1h` or `2d`. */
const units: Readonly<Record<'m' | 'h' | 'd', { ms: number; step: ChartStep }>> = {
  m: { ms: MINUTE_MS, step: 'minute' },
  h: { ms: HOUR_MS, step: 'hour' },
  d: { ms: DAY_MS, step: 'day' },
};

const unitOf = (interval: string) => lookUp(units, interval.at(-1)) ?? units.d;

/** Returns the step whose labels suit an interval. */
export const stepOfInterval = (interval: string): ChartStep => unitOf(interval).step;

/** Returns the length of an interval in milliseconds. */
export const msOfInterval = (interval: string): number => Number.parseInt(interval, 10) * unitOf(interval).ms;
