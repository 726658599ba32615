import { lookUp } from '../../base/lib/records.ts';

/** The effort levels of all vendors, in ascending order. */
export const effortOrder = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

type Effort = (typeof effortOrder)[number];

/** The level that stands for an effort that no vendor lists. */
const DEFAULT_EFFORT = 'medium';

/**
 * The token budget of each effort, for models that accept only one of the two. The values are Google's own
 * for its OpenAI-compatible endpoint (1,024, 8,192, 24,576). 1,024 is also the minimum of Anthropic's models,
 * and 32,768 the maximum of Gemini 2.5.
 */
const budgets = {
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
} satisfies Partial<Record<Effort, number>>;

/** The efforts that stand for budgets. */
export const EFFORTS_OF_BUDGETS = ['low', 'medium', 'high'] as const satisfies readonly Effort[];

type EffortOfBudget = (typeof EFFORTS_OF_BUDGETS)[number];

/** Reports whether an effort has a budget of its own. */
export const hasBudget = (effort: string): boolean => lookUp<number>(budgets, effort) !== undefined;

/** Returns the budget of an effort. An effort that no vendor lists counts as `medium`. */
export const budgetOfEffort = (effort: string): number =>
  lookUp<number>(budgets, effort) ?? budgets[DEFAULT_EFFORT];

/** Returns the lowest effort whose budget covers these tokens, or `high`. */
export function effortOfBudget(tokens: number): EffortOfBudget {
  if (tokens <= budgets.low) return 'low';
  return tokens <= budgets.medium ? 'medium' : 'high';
}

/**
 * Returns the highest listed effort that does not exceed the wanted one, or else the lowest listed one.
 * A wanted effort that no vendor lists counts as `medium`.
 */
export function nearestEffort(wanted: string, listed: readonly string[]): string | undefined {
  const ascending = effortOrder.filter((effort) => effort !== 'none' && listed.includes(effort));
  const wantedRank = rankOf(wanted) ?? effortOrder.indexOf(DEFAULT_EFFORT);
  return ascending.findLast((effort) => effortOrder.indexOf(effort) <= wantedRank) ?? ascending[0];
}

function rankOf(effort: string): number | undefined {
  const rank = (effortOrder as readonly string[]).indexOf(effort);
  return rank < 0 ? undefined : rank;
}
