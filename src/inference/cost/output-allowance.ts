import type { Hold } from '../../money/ledger/hold.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { boundsOfServers } from './answer-bounds.ts';
import type { AnswerPlan } from './costed-request.ts';
import type { HostedGroup } from './hosted-group.ts';
import type { WorstCost } from './worst-cost.ts';

/** `output`: the most tokens of each answer. `grants`: the calls of each of the `hosted` groups. */
export type OutputAllowance = AnswerPlan & {
  /** The request sets no ceiling, so the gateway must send this one. */
  isOpen: boolean;
  hosted: readonly HostedGroup[];
  /**
   * Returns the output that is left for a different model with a prompt of `input` tokens. It is negative if
   * the prompt costs more.
   */
  beside(input: number, entry: CatalogEntry): number;
};

/** Returns the longest answer that the hold covers, and the calls of hosted tools. */
export function allowanceOf(worst: WorstCost, { microcredits }: Hold): OutputAllowance {
  const { output, grants } = worst.planFor(microcredits);
  return {
    output,
    grants,
    isOpen: worst.isOpen,
    hosted: worst.hosted,
    beside: (input, entry) =>
      worst.ceilingBeside(microcredits, { output, grants, input, bounds: boundsOfServers([entry]) }),
  };
}
