import type { EncodeTarget } from '../../contract/encode-target.ts';
import { budgetOfEffort, effortOrder } from '../../encoding/efforts.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import type { ThinkingPlan } from '../../encoding/plan-thinking.ts';
import { budgetRange, DYNAMIC_BUDGET, isThirdGeneration } from './generation.ts';

type ThinkingConfig = { includeThoughts?: true; thinkingBudget?: number; thinkingLevel?: string };

/** Encodes thinking as a level or a budget, whichever the model's generation has. */
export function encodeThinking(
  plan: ThinkingPlan | undefined,
  target: EncodeTarget,
  notes: EncodeNotes,
): ThinkingConfig | undefined {
  if (plan === undefined) return undefined;
  const config = {
    ...(plan.visible && { includeThoughts: true as const }),
    ...(isThirdGeneration(target.upstreamModel)
      ? levelOf(plan, target, notes)
      : budgetOf(plan, target, notes)),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

/**
 * Encodes thinking for models with levels. They still accept a budget, but not together with a level. They
 * cannot stop thinking, so `off` becomes the lowest level.
 */
function levelOf(plan: ThinkingPlan, target: EncodeTarget, notes: EncodeNotes): ThinkingConfig {
  if (plan.mode === 'off') {
    notes.lose('thinking-budget');
    const isLevel = (effort: string) => effort !== 'none' && target.reasoningEfforts.includes(effort);
    return { thinkingLevel: effortOrder.find(isLevel) ?? 'low' };
  }
  if (plan.effort !== undefined) return { thinkingLevel: plan.effort };
  return plan.budgetTokens === undefined ? {} : { thinkingBudget: plan.budgetTokens };
}

/** Encodes thinking for models with budgets, each within its own range. */
function budgetOf(plan: ThinkingPlan, { upstreamModel }: EncodeTarget, notes: EncodeNotes): ThinkingConfig {
  const wanted = wantedBudget(plan);
  if (wanted === undefined) return {};
  if (wanted === DYNAMIC_BUDGET) return { thinkingBudget: DYNAMIC_BUDGET };
  const { min, max } = budgetRange(upstreamModel);
  const thinkingBudget = Math.min(Math.max(wanted, min), max);
  if (thinkingBudget !== wanted) notes.lose('thinking-budget');
  return { thinkingBudget };
}

/** Returns the budget that the plan asks for, or undefined if the plan leaves thinking to the model. */
function wantedBudget(plan: ThinkingPlan): number | undefined {
  const { mode, budgetTokens, effort, effortBudget, wantsSummary } = plan;
  if (mode === 'off') return 0;
  if (budgetTokens !== undefined) return budgetTokens;
  if (effortBudget !== undefined) return effortBudget;
  if (effort !== undefined) return budgetOfEffort(effort);
  return mode === 'default' && !wantsSummary ? undefined : DYNAMIC_BUDGET;
}
