import type { AnswerBounds } from './answer-bounds.ts';
import { costOfPlan, mostOfPlan, timesRead } from './cost-of-plan.ts';
import type { AnswerPlan, CostedRequest } from './costed-request.ts';
import { bestGrants, fullGrants, leastGrants } from './grants.ts';
import type { Grant, HostedGroup } from './hosted-group.ts';
import { largestWithin } from './largest-within.ts';
import { rowsByCost } from './rate-choices.ts';
import { requestedCeiling } from './requested-ceiling.ts';

/** The highest cost of a request, and what less credit pays for. */
export type WorstCost = {
  /** The most tokens of each answer. */
  output: number;
  /** True if the request sets no ceiling of its own. */
  hasNoCeiling: boolean;
  /** The microcredits of the shortest useful answer, with the calls of hosted tools that it needs. */
  least: number;
  /** The microcredits of the longest answer, with all calls of hosted tools. */
  most: number;
  hosted: readonly HostedGroup[];
  /** Returns the names of the price rows that can apply, the most expensive last. */
  priceRows(): readonly string[];
  /** Returns the best answer that this much credit pays for. */
  planFor(microcredits: number): AnswerPlan;
  /**
   * Returns the ceiling that this much credit pays for if another server reads a prompt of `input` tokens.
   * The result is negative if the prompt and the calls alone cost more.
   */
  ceilingFor(microcredits: number, other: { input: number; bounds: AnswerBounds } & AnswerPlan): number;
};

/** A request without a ceiling is served if the credit covers at least this many output tokens. */
export const MIN_OUTPUT = 256;
/** The output of an open request for which credit is reserved before calls of hosted tools. */
const USUAL_OUTPUT = 4_096;

/**
 * Computes the most that a request can cost: all input at the higher rate, every answer up to its bound, and
 * all hosted calls.
 */
export function worstCost(request: CostedRequest): WorstCost {
  const { hosted = [] } = request;
  const output = ceilingOf(request);
  const hasNoCeiling = requestedCeiling(request.body.value, request.ceilings) === undefined && output > 0;
  const ownServer = { input: request.input, bounds: request.bounds };
  const cost = (plan: AnswerPlan, server = ownServer): number => costOfPlan(request, plan, server);
  const shortest = hasNoCeiling ? Math.min(output, MIN_OUTPUT) : output;
  const full = fullGrants(hosted);
  return {
    output,
    hasNoCeiling,
    hosted,
    least: cost({ output: shortest, grants: leastGrants(hosted) }),
    most: cost({ output, grants: full }),
    priceRows() {
      const usage = mostOfPlan(request, { output, grants: full }, ownServer);
      return rowsByCost({ ...usage, input: usage.input * timesRead(request) }, request.rates);
    },
    planFor(microcredits) {
      if (cost({ output, grants: full }) <= microcredits) return { output, grants: full };
      const pays = (tokens: number, grants: readonly Grant[]): boolean =>
        cost({ output: tokens, grants }) <= microcredits;
      const bestGrantsFor = (tokens: number) => bestGrants(hosted, (grants) => pays(tokens, grants));
      const usual = hasNoCeiling ? Math.min(output, USUAL_OUTPUT) : output;
      const grants = bestGrantsFor(usual) ?? bestGrantsFor(shortest) ?? leastGrants(hosted);
      const affordable = largestWithin(output, (tokens) => pays(tokens, grants));
      return { output: Math.max(0, affordable), grants };
    },
    ceilingFor: (microcredits, { grants, output: most, ...server }) =>
      largestWithin(most, (tokens) => cost({ output: tokens, grants }, server) <= microcredits),
  };
}

/** Returns the ceiling that the upstream is sent. */
function ceilingOf({ entry: { model }, body, ceilings, ...request }: CostedRequest): number {
  if (model.kind === 'embedding') return 0;
  const bound = request.outputSpace ?? model.maxOutput ?? model.contextWindow;
  const requestedOutput = requestedCeiling(body.value, ceilings);
  return Math.max(
    Math.min(requestedOutput ?? request.unaskedOutput ?? bound, bound),
    request.leastOutput ?? 0,
  );
}
