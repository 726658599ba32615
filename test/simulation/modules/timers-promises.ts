import { timers } from '../kernel/timers.ts';

export const setTimeout = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void timers.setTimeout(() => resolve(), milliseconds));
