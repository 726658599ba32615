import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/lib/units.ts';

/** Figures are summed by minute, hour and day. `keptMs` is how long the sums of a step are kept. */
export const trafficSteps = {
  minute: { number: 0, ms: MINUTE_MS, keptMs: 2 * DAY_MS },
  hour: { number: 1, ms: HOUR_MS, keptMs: 35 * DAY_MS },
  day: { number: 2, ms: DAY_MS, keptMs: 400 * DAY_MS },
} as const;
export type TrafficStep = keyof typeof trafficSteps;
