import type { Attack } from './attack.ts';
import { concerns, type Outcome, waitBound } from './run-attack.ts';

/** The most memory of the server. */
export const MAX_MB = 600;
/** The longest time until the server has recovered. */
export const BACK_WITHIN_MS = 30_000;

/** Lists the broken promises of an outcome that do not depend on time. */
export function breaches(
  { attacker, during, lost, contradictions }: Outcome,
  { statuses }: Attack,
): string[] {
  const strange = Object.keys(attacker).filter((status) => !statuses.includes(Number(status)));
  return [
    ...strange.map((status) => `the attacker was answered ${status}`),
    ...(during.failed.length > 0
      ? [
          `${during.failed.length} of ${during.count} requests of the bystander failed: ${[...new Set(during.failed)].join(', ')}`,
        ]
      : []),
    ...(lost.length > 0 ? [`${lost.length} complete answers have no entry`] : []),
    ...contradictions,
  ];
}

/** Lists all that breaks a bound. If the list is empty, the row holds. */
export function judgeAttack(outcome: Outcome, attack: Attack): string[] {
  const { quiet, during, peakMb, back } = outcome;
  const late = concerns.filter((one) => (back[one] ?? Number.POSITIVE_INFINITY) > BACK_WITHIN_MS);
  return [
    ...breaches(outcome, attack),
    ...(during.p99 > waitBound(quiet) ? [`p99 is over ${Math.round(waitBound(quiet))} ms`] : []),
    ...(peakMb > MAX_MB ? [`memory is over ${MAX_MB} MB`] : []),
    ...(late.length > 0 ? [`not back in time: ${late.join(', ')}`] : []),
  ];
}
