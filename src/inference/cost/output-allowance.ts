import type { Hold } from '../../money/ledger/hold.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { boundsOfServers } from './answer-bounds.ts';
import type { AnswerPlan } from './costed-request.ts';
import type { HostedGroup } from './hosted-group.ts';
import type { WorstCost } from './worst-cost.ts';

/** The longest answer that a hold covers, and the calls of hosted tools. */
export type OutputAllowance = AnswerPlan & {
  /** True if the request sets no ceiling. The gateway must then send the length of this allowance. */
  hasNoCeiling: boolean;
  /** The groups of hosted tools, in the order of `grants`. */
  hosted: readonly HostedGroup[];
  /**
   * Returns the output that the hold leaves for another model whose prompt has `input` tokens. It is negative
   * if the prompt costs more.
   */
  outputFor(other: { input: number; entry: CatalogEntry }): number;
};

/** Computes the allowance from what a hold covers. */
export function allowanceOf(worst: WorstCost, { microcredits }: Hold): OutputAllowance {
  const { output, grants } = worst.planFor(microcredits);
  return {
    output,
    grants,
    hasNoCeiling: worst.hasNoCeiling,
    hosted: worst.hosted,
    outputFor: ({ input, entry }) =>
      worst.ceilingFor(microcredits, { output, grants, input, bounds: boundsOfServers([entry]) }),
  };
}
