import type { Clock } from '../../base/lib/clock.ts';
import type { BudgetStore } from './budget-store.ts';

const SWEEP_EVERY_MS = 600_000;

/** Deletes old counters from time to time. Returns a function that ends it. */
export function sweepBudgets(store: Pick<BudgetStore, 'sweep'>, clock: Pick<Clock, 'now'>): () => void {
  const timer = setInterval(() => {
    // The next sweep tries again, and counts do not depend on it.
    store.sweep(clock.now()).catch(() => {});
  }, SWEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
