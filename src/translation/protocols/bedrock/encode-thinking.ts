import type { Fields } from '../../../base/schema/json-type.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { budgetOfEffort, effortOfBudget, type ThinkingPlan } from '../../encoding/thinking-plan.ts';
import type { Family } from './family.ts';

/**
 * The smallest budget of Anthropic's models.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-extended-thinking.html
 */
const MIN_BUDGET = 1_024;

export type ThinkingContext = {
  family: Family;
  refusesBudgets: boolean;
  /** `undefined` means the model's maximum. */
  maxTokens: number | undefined;
  notes: EncodeNotes;
};

/** Returns the model maker's fields that request thinking. */
export function encodeThinking(plan: ThinkingPlan | undefined, context: ThinkingContext): Fields {
  if (plan === undefined) return {};
  const style = context.family.thinking;
  const takesBudgets = !context.refusesBudgets || (style !== 'budget' && style !== 'either');
  return styles[takesBudgets ? style : 'adaptive'](plan, context);
}

const styles: Record<Family['thinking'], (plan: ThinkingPlan, context: ThinkingContext) => Fields> = {
  budget: withBudget,
  either: (plan, context) => (plan.budgetTokens === undefined ? adaptive(plan) : withBudget(plan, context)),
  adaptive: (plan, { notes }) => {
    if (plan.budgetTokens !== undefined) notes.lose('thinking-budget');
    return adaptive(plan);
  },
  nova: (plan) => {
    if (plan.mode === 'off') return { reasoningConfig: { type: 'disabled' } };
    const effort = effortOf(plan);
    return { reasoningConfig: { type: 'enabled', ...(effort && { maxReasoningEffort: effort }) } };
  },
  effort: (plan, { notes }) => {
    const effort = effortOf(plan);
    if (plan.mode === 'off') notes.lose('thinking-budget');
    return effort === undefined || plan.mode === 'off' ? {} : { reasoning_effort: effort };
  },
};

function effortOf({ effort, budgetTokens, effortBudget }: ThinkingPlan): string | undefined {
  const budget = budgetTokens ?? effortBudget;
  return effort ?? (budget === undefined ? undefined : effortOfBudget(budget));
}

/** Encodes adaptive thinking. A client that only wants to see possible thinking does not request it. */
function adaptive({ mode, effort, wantsSummary }: ThinkingPlan): Fields {
  if (mode === 'off') return { thinking: { type: 'disabled' } };
  if (mode === 'default' && effort === undefined && !wantsSummary) return {};
  return { thinking: { type: 'adaptive' }, ...(effort && { output_config: { effort } }) };
}

function withBudget(plan: ThinkingPlan, { maxTokens = Infinity, notes }: ThinkingContext): Fields {
  if (plan.mode === 'off') return { thinking: { type: 'disabled' } };
  const asked = plan.budgetTokens ?? plan.effortBudget;
  const isUnasked = plan.mode === 'default' && plan.effort === undefined && !plan.wantsSummary;
  if (isUnasked && asked === undefined) return {};
  const wanted = asked ?? budgetOfEffort(plan.effort ?? 'medium');
  const most =
    plan.budgetTokens === undefined && plan.effortBudget ? Math.floor(maxTokens / 2) : maxTokens - 1;
  const budget = Math.min(Math.max(wanted, MIN_BUDGET), most);
  if (budget !== wanted) notes.lose('thinking-budget');
  return budget < MIN_BUDGET ? {} : { thinking: { type: 'enabled', budget_tokens: budget } };
}
