import { Refusal } from '../../base/errors/refusal.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { EncodeTarget } from '../contract/codec.ts';
import type { EncodeNotes } from './encode-notes.ts';

/** The effort levels of all vendors, in ascending order. */
export const effortOrder = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

type Effort = (typeof effortOrder)[number];

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

const listedBudget = (effort: string): number | undefined => lookUp<number>(budgets, effort);

/** Returns the budget of an effort. An effort that no vendor lists counts as `medium`. */
export const budgetOfEffort = (effort: string): number => listedBudget(effort) ?? budgets.medium;

/** Returns the lowest effort whose budget covers these tokens, or `high`. */
export function effortOfBudget(tokens: number): EffortOfBudget {
  if (tokens <= budgets.low) return 'low';
  return tokens <= budgets.medium ? 'medium' : 'high';
}

/** The efforts that stand for budgets. */
export const EFFORTS_OF_BUDGETS = ['low', 'medium', 'high'] as const satisfies readonly Effort[];

type EffortOfBudget = (typeof EFFORTS_OF_BUDGETS)[number];

/** The part of the client's thinking options that the target supports. */
export type ThinkingPlan = {
  mode: 'off' | 'on' | 'adaptive' | 'default';
  budgetTokens?: number;
  /** An effort that the target lists. */
  effort?: string;
  /**
   * The budget of an effort, for a target without levels.
   * It leaves tokens for the answer, unlike a requested budget.
   */
  effortBudget?: number;
  visible: boolean;
  /**
   * The client named a kind of summary and no effort, so thinking is turned on for a
   * model that has a switch for it.
   */
  wantsSummary?: true;
};

/**
 * Returns the part of a request's thinking options that the target supports. The rest is reported as lost or
 * refused. The result is undefined without options, and for a model that does not think.
 */
export function planThinking(
  { thinking }: Pick<CanonicalRequest, 'thinking'>,
  target: EncodeTarget,
  notes: EncodeNotes,
): ThinkingPlan | undefined {
  if (thinking === undefined) return undefined;
  const { effort: wanted, effortIsHard, mode, budgetTokens, visible, display } = thinking;
  const isMet = wanted === undefined || (wanted === 'none' && !target.reasoning); // no thinking to turn off
  const isBudget =
    wanted !== undefined && target.thinksByBudget === true && listedBudget(wanted) !== undefined;
  const effort = isMet || isBudget ? undefined : settleEffort({ wanted, effortIsHard }, target, notes);
  if (!target.reasoning) {
    if (mode === 'enabled' || mode === 'adaptive') notes.lose('thinking-budget');
    return undefined;
  }
  if (mode === 'disabled' || effort === 'none') return { mode: 'off', visible: false };
  return {
    mode: mode === 'enabled' ? 'on' : mode,
    visible,
    ...(isMet && mode === 'default' && visible && display !== undefined && { wantsSummary: true }),
    ...(budgetTokens !== undefined && { budgetTokens }),
    ...(effort !== undefined && { effort }),
    ...(isBudget && { effortBudget: budgetOfEffort(wanted) }),
  };
}

type Wish = { wanted: string; effortIsHard: boolean };

/** Returns the effort for a target that may not list the wanted one. */
function settleEffort(wish: Wish, target: EncodeTarget, notes: EncodeNotes): string | undefined {
  const { wanted, effortIsHard } = wish;
  if (target.reasoningEfforts.includes(wanted)) return wanted;
  if (effortIsHard) {
    const accepted = target.reasoningEfforts.join(', ') || 'none';
    const message = `reasoning_effort: the chosen model does not accept ${JSON.stringify(wanted.slice(0, 40))}; it takes ${accepted}`;
    notes.refuse(new Refusal('route_not_qualified', { param: 'reasoning_effort', message }));
  } else notes.lose('effort-lowered');
  return nearest(wanted, target.reasoningEfforts);
}

/** Returns the next lower listed effort, else the lowest. */
function nearest(wanted: string, listed: readonly string[]): string | undefined {
  const rank = (effort: string) => (effortOrder as readonly string[]).indexOf(effort);
  const efforts = listed.filter((effort) => rank(effort) > 0).sort((one, other) => rank(one) - rank(other));
  return efforts.findLast((effort) => rank(effort) <= rank(wanted)) ?? efforts[0];
}
