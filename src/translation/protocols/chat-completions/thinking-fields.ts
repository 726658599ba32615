import type { ThinkingField } from '../../canonical/quirk.ts';
import { budgetOfEffort } from '../../encoding/efforts.ts';
import type { ThinkingPlan } from '../../encoding/plan-thinking.ts';

const budgetOf = ({ budgetTokens, effortBudget }: ThinkingPlan): number | undefined =>
  budgetTokens ?? effortBudget;

/** Writes the wish to think in the field of a host. */
const writers: Readonly<Record<ThinkingField, (plan: ThinkingPlan, isOn: boolean) => object>> = {
  'thinking-by-type': (_, isOn) => ({ thinking: { type: isOn ? 'enabled' : 'disabled' } }),
  'thinking-by-flag': (plan, isOn) => ({
    enable_thinking: isOn,
    ...(isOn && { thinking_budget: budgetOf(plan) }),
  }),
  'thinking-by-reasoning': (plan, isOn) => {
    const max_tokens = isOn ? budgetOf(plan) : undefined;
    if (max_tokens !== undefined) return { reasoning: { max_tokens } };
    return plan.effort === undefined ? { reasoning: { enabled: isOn } } : {};
  },
};

/** Writes the wish to think, or not to think, in the host's own field. A plan without a wish has no field. */
export function thinkingFields(plan: ThinkingPlan, field: ThinkingField): object {
  if (plan.mode === 'default' && !plan.wantsSummary && budgetOf(plan) === undefined) return {};
  return writers[field](plan, plan.mode !== 'off');
}

/** Returns the fields of an effort for a host that has only a flag and a budget, as JSON texts. */
export const flagOfEffort = (effort: string): Record<string, string> =>
  effort === 'none'
    ? { enable_thinking: 'false' }
    : { enable_thinking: 'true', thinking_budget: String(budgetOfEffort(effort)) };
