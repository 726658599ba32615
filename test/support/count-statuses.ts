import { countUp } from '../../src/base/lib/testing/count-up.ts';
import type { Answer } from './call.ts';

/** Counts the answers by status. */
export function countStatuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) countUp(counts, status);
  return counts;
}
