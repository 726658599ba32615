import type { Fields } from '../../../base/schema/json-type.ts';
import { budgetOfEffort, effortOfBudget } from '../../encoding/efforts.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import type { ThinkingPlan } from '../../encoding/plan-thinking.ts';
import type { Family } from './family.ts';

/**
 * The smallest budget of Anthropic's models.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-extended-thinking.html
 */
const MIN_BUDGET = 1_024;

type ThinkingContext = {
  family: Family;
  refusesBudgets: boolean;
  /** The request's own limit, or undefined for the model's maximum. */
  maxTokens: number | undefined;
  notes: EncodeNotes;
};

/** Returns the model maker's fields that request thinking. A model that refuses budgets takes an effort. */
export function encodeThinking(plan: ThinkingPlan | undefined, context: ThinkingContext): Fields {
  if (plan === undefined) return {};
  const style = context.family.thinking;
  const isRefused = context.refusesBudgets && (style === 'budget' || style === 'either');
  return styles[isRefused ? 'adaptive' : style](plan, context);
}

const styles: Readonly<Record<Family['thinking'], (plan: ThinkingPlan, context: ThinkingContext) => Fields>> =
  {
    budget: withBudget,
    either: (plan, context) => (plan.budgetTokens === undefined ? adaptive(plan) : withBudget(plan, context)),
    adaptive: (plan, { notes }) => {
      if (plan.budgetTokens !== undefined) notes.lose('thinking-budget');
      return adaptive(plan);
    },
    nova: (plan) => {
      if (plan.mode === 'off') return { reasoningConfig: { type: 'disabled' } };
      const effort = effortOf(plan);
      if (effort === undefined && isSilent(plan)) return {};
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

/** Reports whether the client only wants to see possible thinking, and does not request it. */
const isSilent = ({ mode, effort, wantsSummary }: ThinkingPlan): boolean =>
  mode === 'default' && effort === undefined && !wantsSummary;

function adaptive(plan: ThinkingPlan): Fields {
  const { mode, effort } = plan;
  if (mode === 'off') return { thinking: { type: 'disabled' } };
  if (isSilent(plan)) return {};
  return { thinking: { type: 'adaptive' }, ...(effort && { output_config: { effort } }) };
}

/** Encodes a budget. A budget that stands for an effort leaves half of the tokens to the answer. */
function withBudget(plan: ThinkingPlan, { maxTokens = Infinity, notes }: ThinkingContext): Fields {
  if (plan.mode === 'off') return { thinking: { type: 'disabled' } };
  const requested = requestedBudget(plan);
  if (requested === undefined) return {};
  const isOfEffort = plan.budgetTokens === undefined && plan.effortBudget !== undefined;
  const ceiling = isOfEffort ? Math.floor(maxTokens / 2) : maxTokens - 1;
  const budget = Math.min(Math.max(requested, MIN_BUDGET), ceiling);
  if (budget !== requested) notes.lose('thinking-budget');
  return budget < MIN_BUDGET ? {} : { thinking: { type: 'enabled', budget_tokens: budget } };
}

/** Returns the budget that the plan asks for, or undefined if it does not ask for thinking. */
function requestedBudget(plan: ThinkingPlan): number | undefined {
  const { budgetTokens, effortBudget, effort } = plan;
  const budget = budgetTokens ?? effortBudget;
  if (budget !== undefined) return budget;
  return isSilent(plan) ? undefined : budgetOfEffort(effort ?? 'medium');
}
