import type { Finding } from './finding.ts';
import { formatMilliseconds, formatRatio } from './format-figure.ts';
import { isServed, p99Of, type Sample } from './samples.ts';

/** The times of served paid requests, and the number of those that were not served. */
type PaidOutcome = { p99Ms: number; queueP99Ms: number; unserved: number };

const GOAL_RATIO = 1.2;
/** The time in which the queue reaches its length. */
const SETTLING_MS = 2_500;

/** A refused request counts as unserved and not by its time, since a refusal is quick. */
export function paidOutcomeOf(samples: readonly Sample[]): PaidOutcome {
  const paid = samples.filter(({ name, dueMs }) => name === 'paid' && dueMs > SETTLING_MS);
  const served = paid.filter(isServed);
  return {
    p99Ms: p99Of(served, 'tookMs'),
    queueP99Ms: p99Of(served, 'queueMs'),
    unserved: paid.length - served.length,
  };
}

/** Compares paid requests alone with those during a flood of Free requests. */
export function compareOutcomes(alone: PaidOutcome, flooded: PaidOutcome): Finding {
  const [aloneMs, floodedMs] = [alone.p99Ms, flooded.p99Ms].map(formatMilliseconds);
  const [aloneQueueMs, floodedQueueMs] = [alone.queueP99Ms, flooded.queueP99Ms].map(formatMilliseconds);
  const ratio = formatRatio(flooded.p99Ms, alone.p99Ms);
  return {
    text: [
      `p99 until answered: ${aloneMs} alone, ${floodedMs} flooded, × ${ratio}`,
      `of it in the queue ${aloneQueueMs} and ${floodedQueueMs}`,
      `not served ${alone.unserved} and ${flooded.unserved}`,
    ].join('; '),
    goal: {
      text: `≤ ${GOAL_RATIO}, no more refused`,
      isMet: flooded.p99Ms <= GOAL_RATIO * alone.p99Ms && flooded.unserved <= alone.unserved,
    },
  };
}
