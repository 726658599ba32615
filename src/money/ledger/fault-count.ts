import type { VerifiedLedger } from './verify-ledger.ts';

/**
 * Returns the number of a verification's faults in words.
 *
 * @example
 * faultCount({ faults: { length: 1_000 }, isComplete: false }); // → 'at least 1,000 faults'
 */
export function faultCount({ faults: { length }, isComplete }: FoundFaults): string {
  const count = `${length.toLocaleString('en-US')} ${length === 1 ? 'fault' : 'faults'}`;
  return isComplete ? count : `at least ${count}`;
}

type FoundFaults = { faults: { readonly length: number }; isComplete: VerifiedLedger['isComplete'] };
