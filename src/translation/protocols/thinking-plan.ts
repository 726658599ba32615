import { Refusal } from '../../base/errors/refusal.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { EncodeTarget } from './codec.ts';
import type { EncodeNotes } from './encode-notes.ts';

/** Every vendor's words for how hard to think, in order. */
export const effortOrder = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/**
 * What an effort is worth in tokens where a model takes tokens only, and the reverse: Google's own table for its OpenAI-compatible endpoint
 * (1,024, 8,192, 24,576). 1,024 is also the least that Anthropic's models take, and 32,768 the most that Gemini 2.5 does.
 */
const budgets: Record<string, number> = {
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};

export const budgetOfEffort = (effort: string): number => budgets[effort] ?? budgets.medium!;

export const effortOfBudget = (tokens: number): 'low' | 'medium' | 'high' =>
  tokens <= budgets.low! ? 'low' : tokens <= budgets.medium! ? 'medium' : 'high';

/** What of the client's wishes for thinking the target can be asked for. */
export type ThinkingPlan = {
  mode: 'off' | 'on' | 'adaptive' | 'default';
  budgetTokens?: number;
  /** One that the target lists. */
  effort?: string;
  visible: boolean;
};

export function planThinking(
  { thinking }: CanonicalRequest,
  target: EncodeTarget,
  notes: EncodeNotes,
): ThinkingPlan | undefined {
  if (thinking === undefined) return undefined;
  const { effort: wanted, effortIsHard, mode, budgetTokens, visible } = thinking;
  const isMet = wanted === undefined || (wanted === 'none' && !target.reasoning); // it thinks not at all as it is
  const effort = isMet ? undefined : settleEffort({ wanted, effortIsHard }, target, notes);
  if (!target.reasoning) {
    if (mode === 'enabled' || mode === 'adaptive') notes.lose('thinking-budget');
    return undefined;
  }
  if (mode === 'disabled' || effort === 'none') return { mode: 'off', visible: false };
  return {
    mode: mode === 'enabled' ? 'on' : mode,
    visible,
    ...(budgetTokens !== undefined && { budgetTokens }),
    ...(effort !== undefined && { effort }),
  };
}

type Wish = { wanted: string; effortIsHard: boolean };

function settleEffort(wish: Wish, target: EncodeTarget, notes: EncodeNotes): string | undefined {
  const { wanted, effortIsHard } = wish;
  if (target.reasoningEfforts.includes(wanted)) return wanted;
  if (effortIsHard) {
    const message = `reasoning_effort: the chosen model does not take ${JSON.stringify(wanted.slice(0, 40))}`;
    notes.refuse(new Refusal('route_not_qualified', { param: 'reasoning_effort', message }));
  } else notes.lose('effort-lowered');
  return nearest(wanted, target.reasoningEfforts);
}

/** The next lower one that is listed, else the lowest. */
function nearest(wanted: string, listed: readonly string[]): string | undefined {
  const rank = (effort: string) => (effortOrder as readonly string[]).indexOf(effort);
  const known = listed.filter((effort) => rank(effort) > 0).sort((one, other) => rank(one) - rank(other));
  return known.findLast((effort) => rank(effort) <= rank(wanted)) ?? known[0];
}
